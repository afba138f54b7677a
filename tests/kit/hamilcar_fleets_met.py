"""Two fleets of Hamilcar that have met, and the outcome of their battle."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from kit.hamilcar_war import TWO, War, army, control, empty, ships, turn_of
from strategic.hamilcar.state import State

COTTA, GISCO, REGULUS = "gaius_aurelius_cotta", "hannibal_gisco", "marcus_atilius_regulus"


def met(roman: int = 3, carthaginian: int = 4, units: int = 2, trains: int = 1, guard: int = 0, **facts: Any) -> War:
    """Off Lipara: Cotta from Messana, Gisco from Panormus with a CU and a train of his own."""
    state = army(
        army(empty(), "rome", "messana", units, COTTA, trains=trains), "carthage", "panormus", 2, GISCO, trains=1
    )
    state = control(ships(ships(state, "rome", roman), "carthage", carthaginian), None, "lipara")
    if guard:
        state = army(state, "rome", "messana", guard)
    table = turn_of(replace(state, **{"seamanship": 2, **facts}), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="lipara", ships=roman, units=units, elephants=0, trains=trains)
    table.say("carthage", "sea_intercept", 1, ships=carthaginian, tries=[{"general": GISCO, "units": 1, "trains": 1}])
    return table


def settle(table: War, *faces: int, **outcome: Any) -> State:
    """The umpire enters an outcome; with faces the winner rolls for prizes."""
    table.say("umpire", "settle", engagement=table.state.engaged().id, outcome=outcome)
    if faces:
        table.rolls_for_prizes(*faces)
    return table.state


def lost(**counts: Any) -> dict[str, Any]:
    return counts
