"""Names that a position brings along (of ships, sides, stacks …) become keys, links and marks in drawings.

They are `[a-z0-9_-]{1,40}` at every door: positions, imports, and whatever a command would write into a state.
A book's own longer names (`Gallia Cisalpina`) are known from the system's scenarios; engines number what meets
with a dot (`2.1`); an outcome's `damage` goes by ships' proper names, and a side's registered models by the names of
their owners, which are texts like any other.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from tactical.kernel.dice import Dice
from tactical.kernel.protocol import System
from tactical.kernel.record import BadInput, encode

NAME = re.compile(r"[a-z0-9_-]{1,40}|[0-9]{1,4}\.[0-9]{1,4}")  # the second: engagements are numbered by turn (L1.1)
BY_PROPER_NAME = re.compile(r"(.*\.)?(damage|models\.[a-z0-9_-]+)")  # paths below which keys are proper names
# A key of compact JSON. A text's closing quote is never followed by a colon, so only keys are found.
KEYS = re.compile(rb'"([^"\\]*(?:\\.[^"\\]*)*)":')


def check_names(system: System, state: bytes, at: str, before: bytes = b"") -> None:
    """BadInput, with the path, when the JSON of a state has a name that is none, and that was not there before."""
    strange = {raw for raw in set(KEYS.findall(state)) if not NAME.fullmatch(raw.decode("utf-8", "replace"))}
    if not strange:
        return
    unknown = strange - own_names(system) - set(KEYS.findall(before))
    if not unknown:
        return
    names = {msgspec.json.decode(b'"%s"' % raw) for raw in unknown}
    if (found := _first(msgspec.json.decode(state), names, at)) is not None:
        path, name = found
        shown = name if len(name) <= 60 else f"{name[:60]}…"
        raise BadInput(path, "'%(text)s' is not a name: use 1 to 40 of a-z, 0-9, _ and -", text=shown)


def may_bring_names(after: Any, before: Any) -> bool:
    """Is there a key in what is new of a position that is no plain name? What both share is the same object."""
    waiting = [(after, before)]
    while waiting:
        new, old = waiting.pop()
        if new is old:
            continue
        if isinstance(new, msgspec.Struct):
            same = type(old) is type(new)
            for each in new.__struct_fields__:
                value, past = getattr(new, each), getattr(old, each) if same else None
                if value is not past:
                    waiting.append((value, past))
        elif isinstance(new, dict):
            known = old if isinstance(old, dict) else {}
            if not all(NAME.fullmatch(str(name)) for name in new.keys() - known.keys()):
                return True
            waiting += [(value, past) for name, value in new.items() if value is not (past := known.get(name))]
        elif isinstance(new, list | tuple | set | frozenset):
            waiting += [(value, None) for value in new]
    return False


@cache
def own_names(system: System) -> frozenset[bytes]:
    """The names in the system's own scenarios that are longer or other than people may give."""
    found: set[bytes] = set()
    for scenario in system.scenarios():
        begun = system.start(scenario.id, None, {}, Dice(source=lambda sides: 1, secret=lambda sides: 1))
        found |= set(KEYS.findall(encode(begun.state)))
    return frozenset(name for name in found if not NAME.fullmatch(name.decode()))


def _first(value: Any, names: set[str], path: str) -> tuple[str, str] | None:
    """The path to the first object that has one of the names, and the name."""
    waiting = [(value, path)]
    while waiting:
        part, where = waiting.pop(0)
        if isinstance(part, dict):
            for name, inner in part.items():
                if name in names and not BY_PROPER_NAME.fullmatch(where):
                    return where, name
                waiting.append((inner, f"{where}.{name}" if where else name))
        elif isinstance(part, list):
            waiting += [(inner, f"{where}[{place}]") for place, inner in enumerate(part)]
    return None
