"""6.1.2.a, 6.1.3.a Where Carthage's hired captains come ashore."""

from __future__ import annotations

from strategic.hamilcar.rules.survey import XANTHIPPUS, capital
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import CHART, ground
from strategic.point_to_point.survey import enemy_units


def landings(state: State, general: str) -> tuple[str, ...]:
    """6.1.2.a Xanthippus: an own unbesieged port of Africa. 6.1.3.a Barca: an own port of Sicily, else Carthage."""

    def own_ports(region: str) -> tuple[str, ...]:
        return tuple(
            space
            for space in CHART.ports()
            if ground(space).region == region
            and state.spaces[space].control == "carthage"
            and not enemy_units(state, "carthage", space)
            and not state.spaces[space].besieged()
        )

    if general == XANTHIPPUS:
        return own_ports("africa")
    home = capital("carthage")
    fallback = (home,) if state.spaces[home].control == "carthage" and not enemy_units(state, "carthage", home) else ()
    return own_ports("sicily") or fallback
