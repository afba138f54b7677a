"""From what somebody asks for to a starting position, and the names that a position brings along."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec

from tactical.kernel.dice import Dice
from tactical.kernel.protocol import SPECTATOR, UMPIRE, OptionInfo, Outcome, System
from tactical.kernel.record import BadInput, clean_names, encode
from webapp.storage.errors import Unknown

# -- Names that a position brings along (of ships, sides, stacks …) become keys, links and marks in drawings.
#
# They are `[a-z0-9_-]{1,40}` at every door: positions, imports, and whatever a command would write into a state.
# A book's own longer names (`Gallia Cisalpina`) are known from the system's scenarios; engines number what meets
# with a dot (`2.1`); an outcome's `damage` goes by ships' proper names, and a side's registered models by the names of
# their owners, which are texts like any other.

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


# -- From what somebody asks for to a starting position: system, scenario or position, options.

LOG = logging.getLogger("navarch")
BROKEN = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError)
Draw = Callable[[object], None]  # draws a position once as its pages do; what cannot be drawn breaks it
OWN_PATHS = ("position", "options", "scenario")


def start(
    system: System,
    scenario: str | None,
    position: Mapping[str, Any] | None,
    options: Mapping[str, Any],
    dice: Dice,
    draw: Draw | None = None,
) -> Outcome[Any]:
    """The position after the start. Raises BadInput (with the field) and Illegal (with the rule)."""
    if (scenario is None) == (position is None):
        raise BadInput("scenario", "give either a scenario or a position")
    if scenario is not None and scenario not in {known.id for known in system.scenarios()}:
        raise BadInput("scenario", "%(system)s has no scenario '%(scenario)s'", system=system.title, scenario=scenario)
    known = {option.name: option for option in system.options}
    for name, value in options.items():
        if name not in known:
            raise BadInput(f"options.{name}", "%(system)s has no such option", system=system.title)
        check_option(known[name], value)
    try:
        position = None if position is None else clean_names(position, "position")
        outcome = system.start(scenario, position, options, dice)
        if position is not None:
            check_names(system, encode(outcome.state), "")
            check_usable(system, outcome.state, draw)
    except BadInput as fault:
        if position is None or fault.path.startswith(OWN_PATHS):
            raise
        raise BadInput(f"position.{fault.path}".rstrip("."), fault.why) from None
    except BROKEN as fault:
        if position is None:
            raise
        raise unread(system, "position", fault) from None
    return outcome


def check_usable(system: System, state: Any, draw: Draw | None = None) -> None:
    """Show the position to every seat, ask for its offers and draw it; one of BROKEN when it contradicts itself."""
    for seat in (*system.sides(state), UMPIRE, SPECTATOR):
        encode(system.view(state, seat))
        system.offers(state, seat)
    system.waiting_for(state)
    system.is_over(state)
    if draw is not None:
        draw(state)


def unread(system: System, path: str, fault: Exception) -> BadInput:
    """The refusal of what an engine stumbled over; that it named no field is a fault of the engine, so it is logged."""
    LOG.error("%s stumbled over a position: %r", system.name, fault)
    return BadInput(
        path,
        "%(system)s cannot make sense of this position (%(why)s)",
        system=system.title,
        why=f"{type(fault).__name__}: {fault}",
    )


def check_option(option: OptionInfo, value: Any) -> None:
    """BadInput unless the value is one of the option's choices, or at least of its default's kind."""
    plain = (bool, int, str)
    if isinstance(option.default, plain) and all(isinstance(choice, plain) for choice in option.choices):
        kinds = {type(option.default), *map(type, option.choices)}
        if type(value) not in kinds:
            raise BadInput(
                f"options.{option.name}", "expected %(kinds)s", kinds=" or ".join(sorted(k.__name__ for k in kinds))
            )
        if option.choices and value not in option.choices:
            choices = ", ".join(map(str, option.choices))
            raise BadInput(f"options.{option.name}", "'%(text)s' is not one of %(known)s", text=value, known=choices)


def fingerprint(system: System, options: Mapping[str, Any]) -> str:
    """A hash of the system's version and the options: equal for games played by the same rules."""
    return hashlib.sha256(encode([system.name, system.version, dict(sorted(options.items()))])).hexdigest()


def find_system(systems: Mapping[str, System], name: str) -> System:
    """The system of that name; Unknown when there is none."""
    if name not in systems:
        raise Unknown(f"There is no system '{name}' here.")
    return systems[name]
