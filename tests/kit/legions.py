"""Two armies rather than twenty: small positions for the tests of The Sword of Rome."""

from __future__ import annotations

import dataclasses
from typing import Any

from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.state import State
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Outcome, System
from tactical.kernel.record import read

HANDS = {
    "gauls": [1, 2, 3],
    "etruscans_samnites": [1, 2, 3],
    "romans": [1, 2, 3],
    "greeks": [1, 2, 3],
    "carthaginians": [1, 2, 3],
}


def army(power: str, space: str, units: int, *leaders: str, **fields: Any) -> tuple[str, str, dict[str, Any]]:
    """A force of a position."""
    return space, power, {"units": units, "leaders": list(leaders), **fields}


def position(*armies: tuple[str, str, dict[str, Any]], **fields: Any) -> State:
    """A position with these armies; everybody holds a 1, a 2 and a 3, and the Romans act."""
    forces: dict[str, dict[str, Any]] = {}
    for space, power, force in armies:
        forces.setdefault(space, {})[power] = force
    raw = {"forces": forces, "hands": HANDS, "active": "romans", **fields}
    return SWORD_OF_ROME.start(None, raw, {}, Dice()).state


def from_position(raw: dict[str, Any]) -> System:
    """The system, a new game of which begins with this position and lasts one turn; positions are posted as ever."""

    def start(scenario: Any, given: Any, options: Any, dice: Dice) -> Outcome[State]:
        if given is not None:
            return SWORD_OF_ROME.start(scenario, given, options, dice)
        return SWORD_OF_ROME.start(None, raw, {"turns": 1, "cards": "entered"}, Dice())

    return dataclasses.replace(SWORD_OF_ROME, start=start)


def outcome(state: State, seat: str, kind: str, *dice: int, **fields: Any) -> Outcome[State]:
    """Give one command with these faces; more or fewer dice than it rolls are an error."""
    return SWORD_OF_ROME.apply(state, seat, read({"type": kind, **fields}, SWORD_OF_ROME.command), Dice(dice))


def do(state: State, seat: str, kind: str, *dice: int, **fields: Any) -> State:
    """The position after one command."""
    return outcome(state, seat, kind, *dice, **fields).state


def refused(state: State, seat: str, kind: str, **fields: Any) -> str:
    """The paragraph by which the command is refused; an empty text when it is not."""
    try:
        outcome(state, seat, kind, **fields)
    except Illegal as refusal:
        return refusal.rule
    return ""


def march(state: State, seat: str, leader: str, *path: str, card: int = 2, units: int = 5, **fields: Any) -> State:
    """Activate a leader and take these steps; the last one may be answered. The umpire grants a flanking army."""
    state = do(state, seat, "activate", card=card, leader=leader, units=units, **fields)
    if state.asks("flank"):
        state = do(state, "umpire", "confirm_flank", side="umpire", allow=True)
    for space in path:
        state = do(state, seat, "step", to=space)
    return state


def tried(power: str, space: str, leader: str, units: int = 1, *companions: str) -> dict[str, Any]:
    """An attempt to intercept, as a command holds it."""
    return {"power": power, "space": space, "leader": leader, "units": units, "companions": list(companions)}


def intercept(state: State, seat: str, *attempts: dict[str, Any], dice: tuple[int, ...] = ()) -> State:
    """A seat's answer with these attempts."""
    return do(state, seat, "declare", *dice, side=seat, intercepts=list(attempts))


def slip(power: str, leaders: tuple[str, ...] = (), units: int = 0, **fields: Any) -> dict[str, Any]:
    """What is to avoid battle, as a command holds it."""
    return {"power": power, "leaders": list(leaders), "units": units, **fields}


def avoid(state: State, seat: str, answer: dict[str, Any], dice: tuple[int, ...] = ()) -> State:
    """A seat's answer with this avoidance."""
    return do(state, seat, "declare", *dice, side=seat, avoids=[answer])


def asked(state: State) -> list[tuple[str, str]]:
    """The open questions: kind and seat."""
    return [(prompt.kind, prompt.seat) for prompt in state.pending]


def stands(state: State, space: str, power: str) -> int:
    """CUs of a power in the open of a space."""
    return state.force(space, power).units


def may_intercept(state: State, power: str, origin: str) -> str:
    """The paragraph that bars the power's army in this space from intercepting now; empty when it may."""
    from strategic.sword_of_rome.rules.interception import why_not_from

    wrong = why_not_from(state, power, origin)
    return wrong.rule if wrong is not None else ""
