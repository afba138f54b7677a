"""What an army may take along by sea and must leave, and what trains need."""

from __future__ import annotations

from strategic.hamilcar.state import State
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import check_consular, generals_at
from strategic.point_to_point.tables import Side
from tactical.kernel.protocol import Illegal


def check_load(state: State, force: Troops) -> None:
    """8.2.1, 11.5 Trains move only with CUs, at most ten of them."""
    if force.trains > state.tables.sea.trains:
        raise Illegal("11.5", f"at most {state.tables.sea.trains} trains move together")
    if force.trains and not force.size:
        raise Illegal("8.2.1", "trains move only with CUs")


def check_force(
    state: State, side: Side, space: str, force: Troops, party: tuple[str, ...], alone: bool = False
) -> None:
    """18.1, H13 The troops are there, at most 10, and no consul's army comes below 3 CUs by it.

    `alone`: a consul may go without CUs here (option lone_consul_fleet, with ships).
    """
    here = state.spaces[space].all_of(side)
    if not force.is_counted or not here.holds(force):
        raise Illegal("movement.land.1", f"here are {here.units} CUs, {here.elephants} elephants, {here.trains} trains")
    if force.size > state.tables.movement.units:
        raise Illegal("11.5", f"at most {state.tables.movement.units} CUs move together")
    check_load(state, force)
    staying = [name for name in generals_at(state, side, space) if name not in party]
    check_consular(state, party, force, staying, here, alone)
