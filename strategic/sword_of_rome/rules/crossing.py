"""9.6 (5p) Putting to sea, for whatever purpose: the crossing stands in the position until it is settled."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.rules.hands import spendable
from strategic.sword_of_rome.rules.survey import are_allied, seat_of
from strategic.sword_of_rome.state import Crossing, Purpose, State
from strategic.sword_of_rome.tables import CARTHAGE, name_of
from tactical.kernel.protocol import Handled, Illegal, Prompt

UNCONTESTED = "uncontested"  # nobody is asked: the crossing succeeds by itself


def put_out(
    state: State, purpose: Purpose, power: str, units: int, start: str, end: str, friendly: bool
) -> Handled[State]:
    """9.6 (5p) Every movement by sea comes here: moving, declining, avoiding, retreating. Carthage answers first.

    Where it cannot, the crossing goes on by itself (`UNCONTESTED`).
    """
    state = replace(state, crossing=Crossing(purpose, power, units, start, end, friendly))
    if why_not_contest(state, power) is None:
        about = {"power": power, "units": units, "start": start, "end": end, "purpose": purpose}
        return state.asking(Prompt("contest", CARTHAGE, "9.6 (5p)", about)), ()
    return state.asking(Prompt(UNCONTESTED, "", "9.6 (5p)")), ()


def why_not_contest(state: State, power: str) -> Illegal | None:
    """9.6 (5p) Why Carthage may not contest a crossing of this power; None when it may."""
    if power == CARTHAGE:
        return Illegal("9.6 (5p)", "Carthage cannot contest a crossing in its own ships.")
    if are_allied(state, power, CARTHAGE):
        return Illegal("9.6 (5p)", "Carthage is allied with %(power)s.", power=name_of(power))
    if seat_of(state, CARTHAGE) is None:
        return Illegal("9.6 (5p)", "Nobody makes the decisions for Carthage.")
    if not spendable(state, CARTHAGE):
        return Illegal("9.6 (5p)", "Carthage has no card in hand.")
    return None
