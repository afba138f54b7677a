"""21 Winter: armies on enemy ground, trains in their place, the ships of both sides; then isolation (19.4)."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.atlas import cut_off
from strategic.hamilcar.commands import Pass, SpendTrain
from strategic.hamilcar.rules.displacement import caught_alone
from strategic.hamilcar.rules.sea import lift_siege
from strategic.hamilcar.state import State
from strategic.hamilcar.survey import as_side, enemy_units, is_enemy_ground, plain_pcs
from strategic.hamilcar.tables import CHART, SIDES, Side, enemy, ground
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

Handled = tuple[State, tuple[Event, ...]]


def winter(state: State, dice: Dice) -> Handled:
    """H.turn Land first, then each side's ready ships once (21.1.4)."""
    state = replace(state, phase="isolation")
    prompts = [Prompt("freeze", side, "21.1.1", {"space": space}) for side in SIDES for space in freezing(state, side)]
    return state.then(*prompts, Prompt("winter_sea", "", "21.1.4")), ()


def freezing(state: State, side: Side) -> tuple[str, ...]:
    """winter The stacks outside walls on an enemy PC or on a tribe that is no friend, besiegers too."""
    return tuple(
        space for space, place in state.spaces.items()
        if place.outside(side).size and is_enemy_ground(state, side, space)
    )  # fmt: skip


def spend_train(state: State, command: SpendTrain, dice: Dice) -> Handled:
    """21.1.1, 8.2.1.c A train goes, and the army does not roll (8.2.1.c.example)."""
    side, space = as_side(state.agenda[-1].seat), state.agenda[-1].about["space"]
    place = state.spaces[space]
    if command.space != space or command.inside or not place.outside(side).trains:
        raise Illegal("21.1.1", f"there is no train of {side} with the army at {space}")
    army = place.outside(side)
    state = state.answered().with_troops(space, side, replace(army, trains=army.trains - 1))
    return state, (event("21.1.1", "train_spent", side=side, space=space),)


def freeze(state: State, command: Pass, dice: Dice) -> Handled:
    """winter The army rolls on the attrition table in the column of its size."""
    return roll(state, dice)


def roll(state: State, dice: Dice) -> Handled:
    """winter One roll; generals are never hurt by attrition, but trains without any CU among enemies are taken."""
    side, space = as_side(state.agenda[-1].seat), state.agenda[-1].about["space"]
    army = state.spaces[space].outside(side)
    state = state.answered()
    if not army.size:
        return state, ()
    (face,) = dice.roll(1, 6, "winter", side=side, space=space)
    lost, elephant = state.tables.attrition.read(face, army.size)
    left = army.after_losses(lost, elephant)
    state = lift_siege(state.with_troops(space, side, left), space)
    told = event("21.1.1", "attrition", side=side, space=space, dice=[face], lost=army.size - left.size)
    if enemy_units(state, side, space):
        state, more = caught_alone(state, side, space)
        return state, (told, *more)
    return state, (told,)


def freeze_offers(state: State) -> tuple[Offer, ...]:
    """21.1.1 Asked only where the army has a train."""
    side, space = as_side(state.agenda[-1].seat), state.agenda[-1].about["space"]
    army = state.spaces[space].outside(side)
    if not army.trains or not army.size:
        return ()
    return (Offer("spend_train", "21.1.1", {"space": space, "inside": False}), Offer("pass", "21.1.1"))


def winter_sea(state: State, dice: Dice) -> Handled:
    """21.1.4 One die a side in the column of its ready ships: so many become unready; no train helps (21.1.4.a).

    L2.4 In winter all hull damage is cleared.
    """
    state = state.answered()
    events: tuple[Event, ...] = ()
    for side in SIDES:
        ships = tuple(replace(ship, damage=0) for ship in state.fleet(side))
        state = state.with_fleet(side, ships)
        ready = state.ready(side)
        if not ready:
            continue
        (face,) = dice.roll(1, 6, "21.1.4", side=side)
        count, _ = state.tables.attrition.read(face, len(ready))
        turned = ready[len(ready) - min(count, len(ready)) :]
        state = state.made_unready(side, turned)
        events += (event("21.1.4", "winter_at_sea", side=side, dice=[face], ships=list(turned)),)
    return state, events


def holds_up(state: State, side: Side, space: str) -> bool:
    """isolation.2 A friendly CU, city (besieged counts), tribe, or port that the side controls."""
    place, place_of = state.spaces[space], ground(space)
    if place.all_of(side).size:
        return True
    return place.control == side and (place_of.city or place.tribe or place_of.port)


def may_trace(state: State, side: Side, space: str) -> bool:
    """isolation.4 May the path enter this space?"""
    place = state.spaces[space]
    if place.all_of(side).size:
        return True
    if place.control == enemy(side) or (place.tribe and place.control is None):
        return False
    return not enemy_units(state, side, space) or place.control == side


def isolated(state: State, side: Side) -> tuple[str, ...]:
    """isolation.2 The PCs of a side that would go now."""
    anchors = [space for space in state.spaces if holds_up(state, side, space)]
    markers = plain_pcs(state, side)
    return cut_off(CHART, markers, anchors, lambda space: may_trace(state, side, space), lambda kind: True)


def isolation(state: State, dice: Dice) -> Handled:
    """19.4 Carthage takes its isolated PCs off first, then Rome."""
    events: tuple[Event, ...] = ()
    for side in ("carthage", "rome"):
        gone = isolated(state, as_side(side))
        for space in gone:
            state = state.with_place(space, replace(state.spaces[space], control=None))
        if gone:
            events += (event("19.4", "isolated", side=side, spaces=list(gone)),)
    return replace(state, phase="victory"), events
