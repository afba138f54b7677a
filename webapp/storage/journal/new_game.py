"""From what somebody asks for to a starting position: system, scenario or position, options."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from typing import Any

from tactical.kernel.dice import Dice
from tactical.kernel.proper_names import clean_names
from tactical.kernel.protocol import SPECTATOR, UMPIRE, OptionInfo, Outcome, System
from tactical.kernel.record import BadInput, encode
from webapp.storage.errors import Unknown
from webapp.storage.journal.names import check_names

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
