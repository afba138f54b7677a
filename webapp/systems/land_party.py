"""Forces and generals of a land war's commands in words; a choice still to be made reads as a range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.presenting.naming import say_value


@dataclass(frozen=True)
class Case:
    """A command as it is to be told: in which system, in which view, and in which position where chances are asked."""

    system: str
    view: Mapping[str, Any]
    state: Any
    it: Mapping[str, Any]

    def name(self, value: Any, field: str = "") -> str:
        """A space, general, ship or card by its name."""
        return say_value(self.system, value, field)

    def place(self, field: str = "to") -> str:
        """The space that a field names; empty while it is still to be chosen."""
        value = self.it.get(field)
        return self.name(value) if isinstance(value, str) else ""

    @property
    def march(self) -> Mapping[str, Any]:
        """The army on the march; empty when none is."""
        return self.view.get("march") or {}

    @property
    def here(self) -> str:
        """Where it stands now."""
        path = tuple(self.march.get("path") or ())
        return self.name(path[-1]) if path else ""

    @property
    def prompt(self) -> Mapping[str, Any]:
        """The question that is answered."""
        agenda = self.view.get("agenda") or ()
        return agenda[-1] if agenda and isinstance(agenda[-1], Mapping) else {}

    @property
    def asked(self) -> str:
        """The question's kind."""
        return str(self.prompt.get("kind", ""))


def bounds(value: Any) -> tuple[int, int]:
    """The least and the most of a number, of a range or of a list of numbers."""
    if isinstance(value, bool) or value is None:
        return 0, 0
    if isinstance(value, int):
        return value, value
    if isinstance(value, Mapping):
        return int(value.get("from", 0)), int(value.get("to", 0))
    numbers = [each for each in value if isinstance(each, int)] if isinstance(value, Sequence) else []
    return (min(numbers), max(numbers)) if numbers else (0, 0)


def troops(it: Mapping[str, Any], ending: str = "") -> str:
    """Units, elephants and trains of a command; empty for none. `ending` is what the fields' names end in."""
    return ", ".join(
        part
        for part in (
            _units(*bounds(it.get(f"units{ending}"))),
            _elephants(*bounds(it.get(f"elephants{ending}"))),
            _trains(*bounds(it.get(f"trains{ending}"))),
        )
        if part
    )


def _units(low: int, high: int) -> str:
    if low == high:
        return ngettext("%(num)d unit", "%(num)d units", high) if high else ""
    return _("%(low)s to %(high)s units", low=low, high=high)


def _elephants(low: int, high: int) -> str:
    if low == high:
        return ngettext("%(num)d elephant", "%(num)d elephants", high) if high else ""
    return _("%(low)s to %(high)s elephants", low=low, high=high)


def _trains(low: int, high: int) -> str:
    if low == high:
        return ngettext("%(num)d supply train", "%(num)d supply trains", high) if high else ""
    return _("%(low)s to %(high)s supply trains", low=low, high=high)


def one_group(value: Any) -> tuple[str, ...] | None:
    """A list of generals; the only one of a list of such lists; None while one of several is still to be chosen."""
    found = list(value or ())
    if found and all(isinstance(each, list | tuple) for each in found):
        return tuple(found[0]) if len(found) == 1 else None
    return tuple(each for each in found if isinstance(each, str))


def with_force(people: str, force: str) -> str:
    """Generals with a force; whichever there is."""
    if people and force:
        return _("%(generals)s with %(troops)s", generals=people, troops=force)
    if people:
        return _("%(generals)s without troops", generals=people)
    return force


def people(case: Case, *fields: str, first: str = "") -> str:
    """Generals by name: `first`, then those of the fields."""
    names = [first] if first else []
    for field in fields:
        names += one_group(case.it.get(field)) or ()
    return ", ".join(case.name(each) for each in dict.fromkeys(names))


def army(march: Mapping[str, Any], name: Any) -> str:
    """The army on the march: its generals and what goes with them."""
    generals = ", ".join(name(each) for each in (march.get("general"), *(march.get("companions") or ())) if each)
    force = troops(march.get("force") or march)
    return with_force(generals, force) if march.get("legs") else generals
