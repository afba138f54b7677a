"""15.0 Taxes: the value of all controlled regions, kept from turn to turn."""

from __future__ import annotations

from strategic.punic_wars.rules.control import control, worth
from strategic.punic_wars.rules.diplomacy import remove_markers
from strategic.punic_wars.rules.victory import region_total
from strategic.punic_wars.state import Campaign
from tactical.kernel.protocol import Event, event


def tax(state: Campaign) -> tuple[Campaign, tuple[Event, ...]]:
    """4.2.A.2, 4.2.B.2, 15.0 Markers go first (16.42), then a win by region total (18.21), then the revenue."""
    state, events = remove_markers(state)
    state, over = region_total(state)
    if state.result is not None:
        return state, events + over
    lords = control(state)
    revenue = worth(state, state.phasing, lords)
    happened = event("15.0", "taxes", side=state.phasing, points=revenue)
    return state.taxed(state.phasing, revenue), (*events, happened)


def record(points: int) -> dict[str, int]:
    """15.11, 15.12, 15.2 The treasury as the record shows it: hundreds noted beside, tens and units marked."""
    return {"hundreds": points // 100, "tens": points % 100 // 10, "units": points % 10}
