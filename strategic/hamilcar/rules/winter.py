"""21 Winter: armies on enemy ground, trains in their place, the ships of both sides."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import SpendTrain
from strategic.hamilcar.state import Handled, State
from strategic.point_to_point.commands import Pass
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.survey import enemy_units, freezing
from strategic.point_to_point.tables import SIDES, as_side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event


def winter(state: State, dice: Dice) -> Handled:
    """H.turn Land first, then each side's ready ships once (21.1.4)."""
    state = replace(state, phase="isolation")
    prompts = [Prompt("freeze", side, "21.1.1", {"space": space}) for side in SIDES for space in freezing(state, side)]
    return state.then(*prompts, Prompt("winter_sea", "", "21.1.4")), ()


def spend_train(state: State, command: SpendTrain, dice: Dice) -> Handled:
    """21.1.1, 8.2.1.c A train goes, and the army does not roll (8.2.1.c.example)."""
    side, space = as_side(state.agenda[-1].seat), state.agenda[-1].about["space"]
    place = state.spaces[space]
    if command.space != space or command.inside or not place.outside(side).trains:
        raise Illegal(
            "21.1.1", "there is no supply train of %(side)s with the army at %(space)s", side=side, space=space
        )
    army = place.outside(side)
    state = state.answered().set_outside(space, side, replace(army, trains=army.trains - 1))
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
    state = state.set_outside(space, side, left)
    told = event("21.1.1", "attrition", side=side, space=space, dice=[face], lost=army.size - left.size)
    if not left.size and enemy_units(state, side, space):
        state, more = book_of(state).spoils(state, side, space)
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
