"""Golden playthroughs: two of every scenario, one played at random and one by captains, compared by bytes.

`make goldens` plays them anew and `git diff tests/goldens` shows what a change has changed: first in `told`, where
`telling` says in sentences what happened. A golden keeps its own
commands and dice, so that a change shows where it happens and nowhere else; from a command that is refused now, the
rest is played on from the scenario's seed.

Each entry is a command: who gave it, the faces and hidden draws, the events, what changed in the position, and, in some
entries, a fingerprint of each seat's view and offers; in a few, the offers themselves. An event and a change have a line
each. Fields at their defaults are left out everywhere, so that a new field with a default changes no golden.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from kit.facts_of import facts_of
from tactical.captains import Orders
from tactical.captains.reasons import Level
from tactical.kernel.dice import BadFace, Dice, random_source
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal, NotYours, Outcome, System
from tactical.kernel.random_play import QUITTING, fill, random_offer
from tactical.kernel.record import BadInput, decode, encode, plain, read
from webapp.captains.seats import think
from webapp.storage.journal.records import apply_changes
from webapp.storage.journal.store import all_systems

HERE = Path(__file__).parent
COMMANDS = 150
LOOK, LIST = 10, 50  # every so many commands the seats' fingerprints; every so many their offers
Script = list[dict[str, Any]]
Known = dict[int, tuple[Any, Any]]  # by identity: records and mappings with their plain values
Way = Literal["at_random", "by_captains"]
WAYS: tuple[Way, ...] = ("at_random", "by_captains")


def scenarios() -> list[tuple[str, str]]:
    """Every scenario of every system."""
    return [(name, each.id) for name, system in all_systems().items() for each in system.scenarios()]


def path_of(system: str, scenario: str, way: Way = "at_random") -> Path:
    """The golden of a scenario."""
    return (HERE if way == "at_random" else HERE / way) / f"{system}_{scenario}.json"


def kept(system: str, scenario: str, way: Way = "at_random") -> Script:
    """The golden's entries; none when it has not been made."""
    path = path_of(system, scenario, way)
    return json.loads(path.read_text()) if path.exists() else []


def played(
    name: str, scenario: str, script: Script, seed: int, commands: int = COMMANDS, way: Way = "at_random"
) -> Iterator[dict[str, Any]]:
    """The entries of a playthrough: by the script as far as it goes, and at random or by captains from there on."""
    system, throw = all_systems()[name], random.Random(seed)
    begun = script[0] if script else {}
    dice = dice_of(begun, throw)
    outcome = system.start(scenario, None, {}, dice)
    known: Known = {}
    yield entry(system, 0, UMPIRE, {"type": "start"}, dice, None, outcome, known)
    state = outcome.state
    for number in range(1, commands + 1):
        if system.is_over(state):
            return
        given = next_given(system, state, script[number] if number < len(script) else None, throw, way)
        if given is None:
            return
        seat, command, dice, outcome, went_on = given
        if not went_on:
            script = []
        yield entry(system, number, seat, command, dice, state, outcome, known)
        state = outcome.state


def next_given(
    system: System, state: Any, said: dict[str, Any] | None, throw: random.Random, way: Way
) -> tuple[str, dict[str, Any], Dice, Outcome[Any], bool] | None:
    """The script's next command if it is legal, else one of those on offer, or a captain's; None when nobody can do
    anything.
    """
    if said is not None:
        dice = dice_of(said, throw)
        try:
            command = read(said["command"], system.command)
            return said["seat"], said["command"], dice, system.apply(state, said["seat"], command, dice), True
        except (Illegal, NotYours, BadInput, BadFace):
            pass
    for seat in system.waiting_for(state):
        offers = [offer for offer in system.offers(state, seat) if offer.type not in QUITTING]
        if offers:
            at_random = way == "at_random"
            raw = fill(random_offer(offers, throw, ()), throw) if at_random else ordered(system, state, seat)
            dice = dice_of({}, throw)
            return seat, raw, dice, system.apply(state, seat, read(raw, system.command), dice), False
    return None


def ordered(system: System, state: Any, seat: str) -> dict[str, Any]:
    """What a captain commands in a seat: a seasoned one in the first, able ones in the others."""
    level: Level = "seasoned" if seat == system.sides(state)[0] else "able"
    return think(system, state, seat, Orders(level)).command


def dice_of(said: dict[str, Any], throw: random.Random) -> Dice:
    """The dice and draws of an entry, and more by chance where they do not reach."""
    source = random_source(throw.randrange)
    return Dice(said.get("faces", ()), source, source, said.get("draws", ()))


def entry(
    system: System,
    number: int,
    seat: str,
    command: dict[str, Any],
    dice: Dice,
    before: Any,
    outcome: Outcome[Any],
    known: Known,
) -> dict[str, Any]:
    """A command and what came of it."""
    found: dict[str, Any] = {"number": number, "seat": seat, "command": command}
    if dice.faces:
        found["faces"] = list(dice.faces)
    if dice.draws:
        found["draws"] = list(dice.draws)
    found["events"] = lean(outcome.events)
    after = lean(outcome.state, known)
    found["changes"] = after if before is None else differences(lean(before, known), after)
    slow = facts_of(system.name).looked
    if number % (LOOK * slow) == 0:
        found |= seen(system, outcome.state, number % (LIST * slow) == 0, known)
    return found


def differences(before: Any, after: Any, path: tuple[str | int, ...] = ()) -> list[list[Any]]:
    """What leads from one position to the next: [path, value] sets what stands there, [path] takes it away."""
    if before is after:
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        gone = [[[*path, name]] for name in before if name not in after]
        return gone + [
            each
            for name, value in after.items()
            for each in (
                [[[*path, name], value]] if name not in before else differences(before[name], value, (*path, name))
            )
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [each for place, (old, new) in pairs for each in differences(old, new, (*path, place))]
    return [] if before == after else [[list(path), after]]


def document(entries: Iterable[dict[str, Any]]) -> str:
    """The entries as a JSON document that a person can read in a diff: a line for each event, change and field."""
    return "[\n" + ",\n".join(block(each) for each in entries) + "\n]\n"


def block(entry: dict[str, Any]) -> str:
    """An entry over several lines."""
    head = {name: entry[name] for name in ("number", "seat", "command", "faces", "draws") if name in entry}
    rest = [f' "{name}": {rows(value)}' for name, value in entry.items() if name not in head]
    return ",\n".join([compact(head)[:-1], *rest]) + "}"


def rows(value: Any) -> str:
    """A list or an object with a line for each of its members."""
    if isinstance(value, list):
        inner = [f"  {compact(each)}" for each in value]
        return "[\n" + ",\n".join(inner) + "]" if inner else "[]"
    if isinstance(value, dict):
        inner = [f'  "{name}": {rows_of_records(each)}' for name, each in value.items()]
        return "{\n" + ",\n".join(inner) + "}" if inner else "{}"
    return compact(value)


def rows_of_records(value: Any) -> str:
    """An object of objects, as the ships of a position, with a line for each; anything else on one line."""
    if isinstance(value, dict) and value and all(isinstance(each, dict) for each in value.values()):
        return "{\n" + ",\n".join(f'   "{name}": {compact(each)}' for name, each in value.items()) + "}"
    return compact(value)


def compact(value: Any) -> str:
    """A value on one line."""
    return json.dumps(value, ensure_ascii=False)


def lean(value: Any, known: Known | None = None) -> Any:
    """A value as plain JSON values without the fields that have their defaults; it reads back as the same value.

    `known` remembers records and mappings: what a position has in common with the one before is the same object.
    """
    if known is None or not isinstance(value, msgspec.Struct | Mapping):
        return leaner(value, known)
    if id(value) not in known:
        known[id(value)] = (value, leaner(value, known))
    return known[id(value)][1]


def leaner(value: Any, known: Known | None) -> Any:
    """The same of what is not known."""
    if isinstance(value, msgspec.Struct):
        tag, fields = shape(type(value))
        found = dict(tag)
        for name, written, default in fields:
            held = getattr(value, name)
            if held is default or held is msgspec.UNSET:
                continue
            if default is not msgspec.NODEFAULT and type(held) is type(default) and held == default:
                continue
            found[written] = lean(held, known)
        return found
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, Mapping):
        return {str(plain(name)): lean(each, known) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [lean(each, known) for each in value]
    return plain(value)


@cache
def shape(kind: type[msgspec.Struct]) -> tuple[tuple[tuple[str, Any], ...], tuple[tuple[str, str, Any], ...]]:
    """A record's tag, if it has one, and its fields: name, name in JSON, default."""
    config = kind.__struct_config__
    tag = ((str(config.tag_field), config.tag),) if config.tag is not None else ()
    fields = msgspec.structs.fields(kind)
    made = (each.default if each.default_factory is msgspec.NODEFAULT else each.default_factory() for each in fields)
    return tag, tuple((each.name, each.encode_name, default) for each, default in zip(fields, made, strict=True))


def seen(system: System, state: Any, whole: bool, known: Known) -> dict[str, Any]:
    """What each seat sees and may do: fingerprints and how many offers of each kind, or the offers themselves."""
    found: dict[str, Any] = {"waiting": list(system.waiting_for(state)), "views": {}, "offers": {}}
    for seat in (*system.sides(state), UMPIRE, SPECTATOR):
        found["views"][seat] = fingerprint(system.view(state, seat), known)
    for seat in system.sides(state):
        offers = system.offers(state, seat)
        if whole and len(offers) <= 60:
            found["offers"][seat] = [[offer.rule, offer.type, plain(offer.fields)] for offer in offers]
        else:
            found["offers"][seat] = {**Counter(offer.type for offer in offers), "fingerprint": fingerprint(offers)}
    return found


def fingerprint(value: Any, known: Known | None = None) -> str:
    """A short digest of a value's JSON without defaults."""
    return hashlib.sha256(encode(lean(value, known))).hexdigest()[:12]


def states(name: str, script: Script, every: int) -> Iterator[Any]:
    """Every so manieth position of a golden, read back from what changed."""
    system = all_systems()[name]
    raw: Any = None
    for number, said in enumerate(script):
        raw = said["changes"] if number == 0 else apply_changes(raw, said["changes"])
        if number % every == 0:
            yield decode(encode(raw), system.state)
