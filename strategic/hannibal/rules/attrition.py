"""Attrition: the table, passes, winter."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.reinforcements import lose_train, train_among
from strategic.hannibal.rules.survey import region_of
from strategic.hannibal.state import Handled, State
from strategic.hannibal.tables import LEADERS, TABLES, ground, is_pass
from strategic.interception import FACES
from strategic.point_to_point.movement import lessen
from strategic.point_to_point.state import SIDES, Side, Troops
from strategic.point_to_point.survey import commander, freezing
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, event

# -- Attrition: the table, and who rolls on it when.


def attrition(
    state: State, dice: Dice, rule: str, force: Troops, modifier: int = 0, column: int | None = None, **about: str
) -> tuple[Troops, tuple[Event, ...]]:
    """tables.attrition.when Roll for a force; `column` reads another size than its own. tables.attrition.generals:
    generals are never hurt. No CUs, no roll.
    """
    if not force.size:
        return force, ()
    (face,) = dice.roll(1, 6, rule, **about)
    lost, elephant = state.tables.attrition.read(face + modifier, force.size if column is None else column)
    left = force.after_losses(lost, elephant)
    told = event(
        "tables.attrition",
        "attrition",
        (),
        False,
        cause=rule,
        dice=[face],
        modifier=modifier,
        force=force.size,
        lost=force.size - left.size,
        elephants=force.elephants - left.elephants,
        **about,
    )
    return left, (told,)


def wear_outside(
    state: State, dice: Dice, rule: str, side: Side, space: str, modifier: int = 0, column: int | None = None
) -> Handled:
    """tables.attrition.column A stack outside the walls rolls by its size."""
    force = state.spaces[space].outside(side)
    left, events = attrition(state, dice, rule, force, modifier, column, side=side, space=space)
    return state.set_outside(space, side, left), events


def wear_all(
    state: State, dice: Dice, rule: str, side: Side, space: str, modifier: int = 0, column: int | None = None
) -> Handled:
    """tables.attrition.when All CUs of a side in a space roll as one force; those outside the walls die first."""
    force = state.spaces[space].all_of(side)
    left, events = attrition(state, dice, rule, force, modifier, column, side=side, space=space)
    return state.take(space, side, force.minus(left)), events


# -- What a step costs besides points: attrition at passes, and what generals and cards do to the ground.


def on_step(state: State, kind: str, back: bool, dice: Dice) -> Handled:
    """movement.land.2a A pass wears the army at once, also on the way back; then Hannibal's charm (card 28)."""
    state, events = cross(state, kind, dice)
    if back:
        return state, events
    state, more = charm(state)
    return state, (*events, *more)


def cross(state: State, kind: str, dice: Dice) -> Handled:
    """movement.land.2a Attrition at a pass; outside the Alps at -2 (movement.land.2b). Native Guide: -3 more."""
    march = state.marching()
    events: tuple[Event, ...] = ()
    if not is_pass(kind):
        return state, ()
    if kind == "alpine_pass" and train_among(state, march.generals):
        state, events = lose_train(state)
    modifier = pass_modifier(state, kind)
    left, more = attrition(
        state, dice, "movement.land.2a", march.force, modifier, side=march.side, space=march.at, general=march.general
    )
    return lessen(state, left), (*events, *more)


def pass_modifier(state: State, kind: str) -> int:
    """movement.land.2b Outside the Alps -2; Native Guide: -3 more."""
    table = TABLES.attrition
    modifier = table.alpine_pass if kind == "alpine_pass" else table.other_pass
    if state.play is not None and state.play.use == "native_guide":
        modifier += table.native_guide
    return modifier


def pass_losses(state: State, kind: str, units: int) -> tuple[int, ...]:
    """movement.land.2a The CUs that an army of this size loses on such a connection, by each face of the die; () where
    it is no pass."""
    if not is_pass(kind) or not units:
        return ()
    modifier = pass_modifier(state, kind)
    return tuple(min(state.tables.attrition.read(face + modifier, units)[0], units) for face in FACES)


def charm(state: State) -> Handled:
    """strategy.event.1 Card 28: Hannibal charms each Italian space that he enters and no Roman CU holds."""
    march = state.marching()
    if state.playing().use != "charm" or region_of(march.at) != "italia":
        return state, ()
    return clear_pc(state, march.at, 28)


def clear_pc(state: State, space: str, card: int | None) -> Handled:
    """movement.command.6 A Roman PC that is no city goes where no Roman CU stands."""
    place = state.spaces[space]
    if place.control != "rome" or ground(space).city or place.rome.size:
        return state, ()
    told = event("movement.command.6", "pc_removed", side="rome", space=space, why=card or "hanno")
    return state.with_place(space, replace(place, control=None)), (told,)


def after_move(state: State) -> Handled:
    """movement.command.6 Where Hanno ends a move without a battle on a Roman PC that is no city, it goes."""
    march = state.marching()
    leader = commander(state, march.generals) or march.general
    if LEADERS[leader].clears_pc and march.general not in state.playing().fought:
        return clear_pc(state, march.at, None)
    return state, ()


# -- Winter attrition.


def winter(state: State, dice: Dice) -> Handled:
    """winter Every stack on an enemy PC or a tribe that is no friend rolls unmodified, besiegers too."""
    events: tuple[Event, ...] = ()
    for side in SIDES:
        for space in freezing(state, side):
            state, more = wear_outside(state, dice, "winter", side, space)
            events += more
    return replace(state, phase="isolation"), events
