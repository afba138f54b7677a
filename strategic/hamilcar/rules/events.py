"""strategy.3 Cards played as events. Those whose text nobody knows are played for their points."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import PlayEvent
from strategic.hamilcar.rules.hand import card_of, check_hand, playable, spend
from strategic.hamilcar.rules.operations import active_side
from strategic.hamilcar.rules.ships import improve
from strategic.hamilcar.rules.turn import impulse_over
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import ITALIAN, Card, ground
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import (
    controls,
    may_muster,
    muster,
    on_board,
    plain_pcs,
)
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, event

EVENTS = ("seamanship", "corvus", "diplomacy", "auxiliaries")


def choices(state: State, side: Side, card: Card) -> tuple[str | None, ...]:
    """strategy.3 What the event may be played on; empty when it would do nothing, (None,) when it asks nothing."""
    if not card.may_be_event_of(side):
        return ()
    match card.event:
        case "seamanship":
            able = side == "rome" and state.seamanship < len(state.tables.sea.levels) - 1
            return (None,) if able else ()
        case "corvus":
            return (None,) if side == "rome" else ()
        case "diplomacy":
            other = enemy(side)
            return tuple(space for space in plain_pcs(state, other) if not state.spaces[space].all_of(other).size)
        case "auxiliaries":
            if not any(controls(state, "rome", province) for province in ITALIAN if province != "latium"):
                return ()
            spaces = (state.generals[name].space for name in on_board(state, "rome"))
            return tuple(
                dict.fromkeys(
                    space
                    for space in spaces
                    if space and ground(space).region == "italia" and may_muster(state, "rome", space)
                )
            )
    return ()


def play_event(state: State, command: PlayEvent, dice: Dice) -> Handled:
    """strategy.3, 11.8.3.a, 11.8.1.b A card as its event."""
    side = active_side(state)
    card = check_hand(state, side, command.card)
    open_choices = choices(state, side, card)
    if not open_choices:
        raise Illegal(
            "strategy.3", "card %(card)s has no event that %(side)s can play now", card=command.card, side=side
        )
    if command.choice not in open_choices:
        raise Illegal(
            "strategy.3",
            "card %(card)s does not offer the choice %(choice)s",
            choice=repr(command.choice),
            card=command.card,
        )
    state, events = spend(state.answered(), side, command.card, "event")
    state, more = _happen(state, side, card, command.choice)
    return impulse_over(state), (*events, *more)


def _happen(state: State, side: Side, card: Card, choice: str | None) -> Handled:
    if card.event == "seamanship":
        return improve(state, "11.8.3.a")
    if card.event == "corvus":
        state = replace(state, corvus=not state.corvus)
        return state, (event("11.8.1.b", "corvus", fitted=state.corvus),)
    assert choice is not None
    if card.event == "diplomacy":
        state = state.with_place(choice, replace(state.spaces[choice], control=side))
        return state, (event("strategy.3", "pc_flipped", side=side, space=choice),)
    count = min(card.units, _room(state, side, choice))
    state = muster(state, side, choice, Troops(count))
    return state, (event("26.12", "reinforced", side=side, space=choice, units=count),)


def _room(state: State, side: Side, space: str) -> int:
    """reinforcements.general.1 Inside walls before which enemies stand only so many fit."""
    shut_in = state.spaces[space].outside(enemy(side)).size > 0
    return state.room_left(space) if shut_in else 99


def offers(state: State) -> tuple[Offer, ...]:
    """strategy.3 The events of the hand that can do something."""
    side = active_side(state)
    found = []
    for number in playable(state, side):
        open_choices = choices(state, side, card_of(state, number))
        if open_choices == (None,):
            found.append(Offer("event", "strategy.3", {"card": number}))
        elif open_choices:
            found.append(Offer("event", "strategy.3", {"card": number, "choice": list(open_choices)}))
    return tuple(found)
