"""The political count and the end of the game."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.removal import end
from strategic.hannibal.rules.survey import points
from strategic.hannibal.state import State
from strategic.hannibal.tables import ITALIAN, TABLES
from strategic.point_to_point.survey import controls, provinces_under
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Prompt, event


def is_italy_lost(state: State) -> bool:
    """victory.7 Does Carthage control every province of Italy but Latium?"""
    return all(controls(state, "carthage", province) for province in ITALIAN if province != "latium")


def victory_check(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """victory.3 Count the provinces; the side behind removes PCs, or the game ends."""
    rome, carthage = points(state, "rome"), points(state, "carthage")
    counted = event(
        "victory.2",
        "count",
        turn=state.turn,
        rome=rome,
        carthage=carthage,
        provinces={"rome": list(provinces_under(state, "rome")), "carthage": list(provinces_under(state, "carthage"))},
    )
    if is_italy_lost(state):
        state, events = end(state, "carthage", "victory.7", "Carthage controls all Italy but Latium")
        return state, (counted, *events)
    if state.turn >= TABLES.turns.last:
        winner: Side = "rome" if rome > carthage else "carthage"
        why = f"{rome} to {carthage} provinces" + (": a tie is Carthage's" if rome == carthage else "")
        state, events = end(state, winner, "victory.5", why)
        return state, (counted, *events)
    state = next_turn(state)
    if rome == carthage:
        return state, (counted,)
    behind: Side = "rome" if rome < carthage else "carthage"
    prompt = Prompt("remove", behind, "victory.3", {"left": abs(rome - carthage), "why": "points"})
    return state.then(prompt), (counted, event("victory.3", "behind", side=behind, by=abs(rome - carthage)))


def next_turn(state: State) -> State:
    """sequence.6 The turn closes: effects for the turn end, and the next begins with reinforcements."""
    state = state.now(naval_victory=False)
    return replace(state, turn=state.turn + 1, phase="reinforcements", first=None, opening=None, active=None)


def on_capital_fall(state: State, taker: Side) -> tuple[State, tuple[Event, ...]]:
    """victory.6 The enemy's capital has fallen."""
    return end(state, taker, "victory.6", f"the capital of {enemy(taker)} has fallen")
