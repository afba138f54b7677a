"""Small Punic Wars positions for tests: two stacks rather than twenty, with the dice stated."""

from __future__ import annotations

from typing import Any

from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.state import Campaign
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Outcome
from tactical.kernel.record import read

VALUES = {"ra": 3, "rb": 2, "ca": 3, **{f"c{x}": 2 for x in "bcde"}, **{f"r{x}": 1 for x in "cdefghij"}}


def points(land: int = 0, naval: int = 0, inside: str = "") -> dict[str, Any]:
    """A stack; `inside` names its inverted kinds, as in "land naval"."""
    return {"land": land, "naval": naval, "land_inside": "land" in inside, "naval_inside": "naval" in inside}


def leader(id: str, at: str, **more: Any) -> dict[str, Any]:
    """A leader counter on the map, with what follows it."""
    side = "rome" if id[0] == "r" else "carthage"
    return {"side": side, "value": VALUES[id], "letter": id[1].upper(), "at": at, **more}


def table(
    stacks: dict[str, dict[str, Any]],
    leaders: dict[str, Any] | None = None,
    scenario: str = "2",
    side: str = "rome",
    phase: str = "campaign",
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> Campaign:
    """A position in a phase of a side. A leader is a hex, or a hex with more: ("2908", {"land": 3})."""
    men = {}
    for id, where in (leaders or {}).items():
        at, more = where if isinstance(where, tuple) else (where, {})
        men[id] = leader(id, at, **more)
    raw = {"phase": phase, "phasing": side, "begun": True, "turn": 2, "stacks": stacks, "leaders": men}
    raw |= {"treasury": {"rome": 50, "carthage": 50}, **fields}
    return PUNIC_WARS.start(scenario, raw, options or {}, Dice(secret=lambda sides: 1)).state


def give(state: Campaign, seat: str, command: dict[str, Any], *faces: int, draws: Any = None) -> Outcome[Campaign]:
    """One command, with exactly these faces."""
    dice = Dice(faces, secret=draws or (lambda sides: 1))
    outcome = PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), dice)
    dice.finish()
    return outcome


def after(state: Campaign, seat: str, command: dict[str, Any], *faces: int) -> Campaign:
    """The position after one command."""
    return give(state, seat, command, *faces).state


def took(leader: str, land: int = 0, naval: int = 0) -> dict[str, Any]:
    """The command `take`."""
    return {"type": "take", "leader": leader, "land": land, "naval": naval}


def move(leader: str, to: str) -> dict[str, Any]:
    """The command `move`."""
    return {"type": "move", "leader": leader, "to": to}


def attack(leader: str, kind: str = "land") -> dict[str, Any]:
    """The command `attack`."""
    return {"type": "attack", "leader": leader, "kind": kind}


def kinds(outcome: Outcome[Campaign]) -> list[str]:
    """The kinds of the events."""
    return [happened.type for happened in outcome.events]


def told(outcome: Outcome[Campaign], kind: str) -> Event:
    """The first event of a kind."""
    return next(happened for happened in outcome.events if happened.type == kind)


def offered(state: Campaign, seat: str, kind: str) -> list[dict[str, Any]]:
    """The fields of the offers of a kind."""
    return [offer.fields for offer in PUNIC_WARS.offers(state, seat) if offer.type == kind]
