"""What an army may take along by sea and must leave, and what trains need."""

from __future__ import annotations

from strategic.hamilcar.state import State
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import generals_at, why_not_consular
from strategic.point_to_point.tables import Side
from tactical.kernel.protocol import Illegal


def why_not_load(state: State, force: Troops) -> Illegal | None:
    """8.2.1, 11.5 Trains move only with CUs, at most ten of them."""
    if force.trains > state.tables.sea.trains:
        return Illegal(
            "11.5",
            "at most %(trains)s supply %(trains|train|trains)s may move at once",
            trains=state.tables.sea.trains,
        )
    if force.trains and not force.size:
        return Illegal("8.2.1", "supply trains move only with CUs")
    return None


def why_not_force(
    state: State, side: Side, space: str, force: Troops, party: tuple[str, ...], alone: bool = False
) -> Illegal | None:
    """18.1, H13 The troops are there, at most 10, and no consul's army comes below 3 CUs by it.

    `alone`: a consul may go without CUs here (option lone_consul_fleet, with ships).
    """
    here = state.spaces[space].all_of(side)
    if not force.is_counted or not here.holds(force):
        return Illegal(
            "movement.land.1",
            "only these are here: %(units)s %(units|CU|CUs)s, %(elephants)s "
            "%(elephants|elephant|elephants)s and %(trains)s supply %(trains|train|trains)s",
            units=here.units,
            elephants=here.elephants,
            trains=here.trains,
        )
    if force.size > state.tables.movement.units:
        return Illegal("11.5", "at most %(units)s %(units|CU|CUs)s may move at once", units=state.tables.movement.units)
    if (wrong := why_not_load(state, force)) is not None:
        return wrong
    staying = [name for name in generals_at(state, side, space) if name not in party]
    return why_not_consular(state, party, force, staying, here, alone)
