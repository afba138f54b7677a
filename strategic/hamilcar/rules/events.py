"""Cards played as events, storms at sea, and a scenario that begins in mid-move."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from strategic.hamilcar.commands import Answer, ChooseShips, PlayEvent
from strategic.hamilcar.rules.cards import answers, card_of, check_hand, impulse_over, may_answer, playable, spend
from strategic.hamilcar.rules.sea import is_fleet
from strategic.hamilcar.rules.survey import improve, lose, whose_ships, why_not_ships
from strategic.hamilcar.state import Attempt, Handled, March, Play, State, Voyage
from strategic.hamilcar.tables import CARDS, ITALIAN, Card, ground, is_stormy
from strategic.point_to_point.state import Side, Troops, enemy
from strategic.point_to_point.survey import controls, may_muster, muster, on_board, plain_pcs, side_of_prompt
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, offer, refuse
from tactical.kernel.record import Input

# -- strategy.3 Cards played as events. Those whose text nobody knows are played for their points.

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
    side = side_of_prompt(state)
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


def event_choices(state: State) -> Iterator[Offer]:
    """strategy.3 The events of the hand that can do something."""
    side = side_of_prompt(state)
    for number in playable(state, side):
        found = choices(state, side, card_of(state, number))
        yield from offer("event", "strategy.3", card=number, **({} if found == (None,) else {"choice": found}))


# -- 21.1.3 Storms at sea: cards 60 and 101 against a fleet that has put to sea.


def brewing(state: State) -> tuple[str, ...]:
    """4.c Which storm cards could strike this voyage: the Terrible Sea only Romans, on a lane with lightning."""
    voyage, side = state.voyage, state.marching().side
    if voyage is None or not is_fleet(state):
        return ()
    stormy = side == "rome" and is_stormy(voyage.start, voyage.to)
    return ("storm", "terrible_sea") if stormy else ("storm",)


def modifier(state: State, side: Side) -> int:
    """11.8.1.a, 11.8.3 The corvus and poor seamanship make a storm worse for Rome; our numbers (see tables.toml)."""
    table = state.tables.storm
    total: int = table.modifier
    if side == "rome":
        total += {0: table.poor, len(state.tables.sea.levels) - 1: table.excellent}.get(state.seamanship, 0)
        total += table.corvus if state.corvus else 0
    return total


def storm(state: State, command: Answer, dice: Dice) -> Handled:
    """21.1.3 One attrition roll in the column of the ships; without ships a hit takes 1 CU and 1 train (21.1.3.a)."""
    asked = side_of_prompt(state)
    check_hand(state, asked, command.card)
    if command.card not in answers(state, asked, *brewing(state)):
        raise Illegal("21.1.3", "card %(card)s is not a storm that can strike this voyage", card=command.card)
    state, events = spend(state, asked, command.card, "storm")
    state = state.answered()
    march, voyage = state.marching(), state.sailing()
    side = enemy(asked)
    (face,) = dice.roll(1, 6, "21.1.3", side=side, space=voyage.to)
    size = len(voyage.ships) or march.force.size
    hits, _ = state.tables.attrition.read(face + modifier(state, side), size)
    told = event("21.1.3", "storm", side=side, dice=[face], modifier=modifier(state, side), hits=hits, space=voyage.to)
    if voyage.ships:
        count = min(hits, len(voyage.ships))
        if which := whose_ships(state, "ships_wrecked", side, count, voyage.ships, lost=True):
            return state.then(*which), (*events, told)
        state, more = wreck(state, side, voyage.ships[len(voyage.ships) - count :])
        return state, (*events, told, *more)
    left = march.force.without_transports(hits)
    state = state.take(voyage.start, side, march.force.minus(left))
    state = replace(state, march=replace(march, force=left))
    gone = march.force.minus(left)
    return state, (
        *events,
        told,
        event(
            "21.1.3.a", "transports_lost", side=side, units=gone.size, elephants_lost=gone.elephants, trains=gone.trains
        ),
    )


def wreck(state: State, side: Side, sunk: tuple[str, ...]) -> Handled:
    """21.1.3 The storm takes these ships."""
    state, events = lose(state, side, sunk, "21.1.3", "storm")
    voyage = state.sailing()
    return replace(state, voyage=replace(voyage, ships=tuple(s for s in voyage.ships if s not in sunk))), events


def ships_wrecked(state: State, command: ChooseShips, dice: Dice) -> Handled:
    """L2.4 The mover says which of his ships the storm takes."""
    refuse(why_not_ships(state, command.ships))
    return wreck(state.answered(), state.marching().side, command.ships)


def storm_choices(state: State) -> Iterator[Offer]:
    """21.1.3 The storm cards held, or none; nothing where the other side is not asked for one."""
    side, kinds = side_of_prompt(state), brewing(state)
    if may_answer(state, side, *kinds):
        for card in answers(state, side, *kinds):
            yield Offer("answer", "21.1.3", {"card": card})
        yield Offer("pass", "21.1.3")


# -- A scenario that begins in mid-move: a fleet has put to sea and has been caught.


class Opening(Input, frozen=True):
    """The war stopped in mid-move: this general has put to sea and this one has caught him."""

    mover: Side
    general: str
    start: str
    to: str
    ships: int
    units: int
    trains: int
    interceptor: str
    catching: int
    hand: int


def open_in_move(state: State, opening: Opening) -> State:
    """L1.1 The mover's card is played, his fleet is at sea, and the interceptor's die was good: the fleets meet."""
    side, other = opening.mover, enemy(opening.mover)
    need = state.leaders[opening.general].strategy
    card = next(number for number in (*state.deck, *CARDS) if CARDS[number].ops >= need and not CARDS[number].optional)
    deck = tuple(number for number in state.deck if number != card)
    state = replace(
        state,
        phase="strategy",
        active=side,
        first=side,
        discard=(card,),
        hands={side: deck[: opening.hand], other: deck[opening.hand : 2 * opening.hand + 1]},
        deck=deck[2 * opening.hand + 1 :],
        spent={side: CARDS[card].ops, other: 0},
        play=Play(card, side, CARDS[card].ops, moved=(opening.general,), lanes={opening.general: 1}),
    )
    if state.options.cards == "table":
        unseen = (0,)
        hands = {side: unseen * opening.hand, other: unseen * (opening.hand + 1)}
        state = replace(state, hands=hands, deck=(), discard=())
    sailing, catching = state.ready(side)[: opening.ships], state.ready(other)[: opening.catching]
    state = state.put_to_sea(side, sailing).put_to_sea(other, catching)
    space = state.generals[opening.interceptor].space or opening.to
    rolled = Attempt(opening.interceptor, space, face=1, succeeded=True)
    march = March(
        side,
        opening.general,
        state.tables.movement.points - 1,
        (opening.start,),
        force=Troops(opening.units, 0, opening.trains),
        sailed=1,
        acted=True,
    )
    voyage = Voyage(
        opening.start,
        opening.to,
        False,
        sailing,
        attempts=(rolled,),
        catching=catching,
        catcher=opening.interceptor,
        caught=True,
    )
    return replace(state, march=march, voyage=voyage).then(
        Prompt("fleets_meet", "", "L1.1"),
        Prompt("arrive", "", "11.1"),
        Prompt("move", side, "movement.land.1"),
        Prompt("impulse_over", "", "strategy.4"),
    )
