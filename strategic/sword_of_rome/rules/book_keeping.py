"""What sets itself right after every command: gates, and leaders left alone."""

from __future__ import annotations

from strategic.sword_of_rome.rules.survey import are_apart, enemy_units_with, others_before, standing
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.tables import SPACES
from tactical.kernel.protocol import Event, Handled, event


def tidy(state: State) -> Handled[State]:
    """9.3.1, 8.4 Between questions: gates open when nobody is before them; a leader among enemies is displaced."""
    events: tuple[Event, ...] = ()
    if state.pending:
        return state, events
    state = open_gates(state)
    for space, here in state.forces.items():
        for power, force in here.items():
            if force.leaders and not force.units and enemy_units_with(state, power, space):
                state, more = alone(state, space, power, force)
                events += more
    return state, events


def open_gates(state: State) -> State:
    """9.3.1, 15.3 Everybody comes out from behind walls that no other player's CUs stand before, friends' or not."""
    for space, here in state.forces.items():
        for power, force in here.items():
            if (force.inside or force.inside_leaders) and not others_before(state, power, space):
                state = state.with_force(space, power, force.opened())
    return state


def alone(state: State, space: str, power: str, force: Force) -> Handled[State]:
    """8.4 Leaders without CUs among enemies go behind their own walls, or to the box of the displaced."""
    if SPACES[space].kind == "walled" and state.controller(space) == power:
        return state.with_force(space, power, force.sheltering(0, force.leaders)), ()
    state = state.with_force(space, power, force.without(0, force.leaders)).displacing(force.leaders)
    return state, (event("8.4", "displaced", power=power, leaders=list(force.leaders), space=space),)


def first_crowd(state: State) -> str | None:
    """15.3 The first space in the open of which powers of two players stand together, allied or not."""
    for space in state.forces:
        here = standing(state, space)
        if any(are_apart(state, one, other) for one in here for other in here):
            return space
    return None
