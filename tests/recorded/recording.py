"""Recorded games: what was commanded and what fell, so that a change of a rule shows in a game that was played.

`python tests/recorded/recording.py SYSTEM SCENARIO SEED [COMMANDS]` plays one at random and prints the recording.
"""

from __future__ import annotations

import hashlib
import random
import sys
from typing import Any

import msgspec

from tactical.kernel.dice import Dice
from tactical.kernel.protocol import System
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import encode, read
from webapp.storage.journal.store import all_systems


class Given(msgspec.Struct, frozen=True, omit_defaults=True):
    """One command: who gave it, and the open faces and hidden draws that it used."""

    seat: str
    command: dict[str, Any]
    faces: list[int] = []
    draws: list[int] = []


class Recording(msgspec.Struct, frozen=True):
    """A whole game: how it began, every command, and the fingerprints of its positions on the way."""

    system: str
    scenario: str
    options: dict[str, Any]
    start: Given
    given: list[Given]
    marks: dict[str, str]  # number of commands -> fingerprint of the position after them


def fingerprint(state: Any) -> str:
    """A short digest of a position; a field that a record gains later changes nothing while it has its default."""
    return hashlib.sha256(encode(trimmed(state))).hexdigest()[:16]


def trimmed(value: Any) -> Any:
    """The value as plain data, without the fields that have their default."""
    if isinstance(value, msgspec.Struct):
        told = {field.name: (getattr(value, field.name), field) for field in msgspec.structs.fields(value)}
        return {name: trimmed(each) for name, (each, field) in told.items() if each != default_of(field)}
    if isinstance(value, dict):
        return {str(key): trimmed(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [trimmed(each) for each in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    return value


def default_of(field: Any) -> Any:
    """What a field is when nobody gives it."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else msgspec.NODEFAULT


def replayed(recording: Recording) -> dict[str, str]:
    """Play the recording again: the fingerprints that it gives at the same places."""
    system = all_systems()[recording.system]
    dice = Dice(recording.start.faces, drawn=recording.start.draws)
    state = system.start(recording.scenario, None, recording.options, dice).state
    found = {"0": fingerprint(state)}
    for number, each in enumerate(recording.given, start=1):
        dice = Dice(each.faces, drawn=each.draws)
        state = system.apply(state, each.seat, read(each.command, system.command), dice).state
        if str(number) in recording.marks:
            found[str(number)] = fingerprint(state)
    return found


def record(system: System, scenario: str, seed: int, most: int = 100_000) -> Recording:
    """Play a game at random and keep it."""
    played = play_at_random(system, scenario, random.Random(seed))
    if played.faults:
        raise SystemExit("\n".join(played.faults))
    start, *rest = played.entries
    given = [Given(e.seat, e.command, list(e.faces), list(e.draws)) for e in rest[:most]]
    begun = Given(start.seat, start.command, list(start.faces), list(start.draws))
    recording = Recording(system.name, scenario, {}, begun, given, {})
    places = {str(number): "" for number in (*range(0, len(given), max(1, len(given) // 6)), len(given))}
    return msgspec.structs.replace(recording, marks=replayed(msgspec.structs.replace(recording, marks=places)))


if __name__ == "__main__":
    name, scenario, seed, *most = sys.argv[1:]
    sys.stdout.write(
        msgspec.json.encode(record(all_systems()[name], scenario, int(seed), *map(int, most))).decode() + "\n"
    )
