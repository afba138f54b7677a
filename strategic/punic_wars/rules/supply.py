"""12.0 Supply: every point that can be paid for must be; the rest undergo attrition."""

from __future__ import annotations

from strategic.punic_wars.rules.control import control
from strategic.punic_wars.rules.pieces import Toll
from strategic.punic_wars.rules.towns import is_besieged
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.protocol import Event, event
from tactical.kernel.record import Record


class Bill(Record, frozen=True):
    """What a supply phase would cost now: points that can be paid for, and hexes that cannot."""

    points: int
    cost: int
    unsupplied: tuple[str, ...]
    beyond_treasury: int


def can_be_supplied(state: Campaign, at: str, side: str, lords: dict[str, str]) -> bool:
    """12.1 Not besieged, and in a region under friendly control."""
    return lords.get(state.chart.places[at].region or "") == side and not is_besieged(state, at, side)


def bill(state: Campaign, side: str) -> Bill:
    """12.0, 12.1, 12.2, 17.22 Combat points only: leaders need nothing; Syracusans are paid by their ally, if any."""
    lords = control(state)
    points, unsupplied = 0, []
    for at in state.hexes_of(side):
        if can_be_supplied(state, at, side, lords):
            points += state.total(at, side)
        else:
            unsupplied.append(at)
    cost = points * NUMBERS.supply.point_cost
    beyond = max(0, cost - state.treasury[side])
    return Bill(points, cost, tuple(unsupplied), beyond)


def pay(state: Campaign) -> tuple[Campaign, tuple[Event, ...]]:
    """4.2.A.4, 4.2.B.4, 12.33 Payment is compulsory; then attrition for hexes without supply and for points unpaid.

    12.2 Points that cannot be supplied cost nothing. 12.31, 12.32 Points beyond the treasury: one unmodified die.
    """
    side = state.phasing
    due = bill(state, side)
    spent = min(due.cost, state.treasury[side])
    state = state.paid(side, spent, "supply")
    tolls = tuple(Toll("11.21", side, at) for at in due.unsupplied)
    if due.beyond_treasury:
        tolls += (Toll("12.31", side, None, due.beyond_treasury),)
    happened = event("12.0", "supplied", side=side, paid=spent, beyond=due.beyond_treasury, hexes=len(due.unsupplied))
    return state.with_tolls(tolls), (happened,)
