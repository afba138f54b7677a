"""What a step costs besides points: attrition at passes, and what generals and cards do to the ground."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.attrition import attrition
from strategic.hannibal.rules.displacement import lose_train, train_among
from strategic.hannibal.rules.survey import region_of
from strategic.hannibal.state import Handled, State
from strategic.hannibal.tables import LEADERS, TABLES, ground, is_pass
from strategic.interception import FACES
from strategic.point_to_point.movement import lessen
from strategic.point_to_point.survey import commander
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, event


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
