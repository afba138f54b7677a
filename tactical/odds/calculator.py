"""What a calculator is, and how its parameters are read: once for the API, the pages and the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tactical.kernel.record import BadInput

Kind = Literal["count", "flag", "choice", "crew", "counts"]
YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


@dataclass(frozen=True)
class Field:
    """One parameter: a whole number, a yes or no, a choice, or counts by name (`heavy:10,medium:2`).

    `default` None means that it must be given. `parts` are the names that counts may have.
    """

    name: str
    kind: Kind
    default: Any = None
    low: int = 0
    high: int = 99
    choices: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    example: str = ""


@dataclass(frozen=True)
class Calculator:
    """One table of odds: its system, its name in addresses, the paragraphs it rests on, its fields and function.

    `run` takes the fields' values by name and returns chances as Fractions or floats in dicts and lists.
    """

    name: str
    system: str
    cites: tuple[str, ...]
    fields: tuple[Field, ...]
    run: Callable[..., dict[str, Any]]
    example: str

    def read(self, given: Mapping[str, str]) -> dict[str, Any]:
        """The values of a query or form. Raises BadInput with the parameter at fault."""
        names = [field.name for field in self.fields]
        for name in given:
            if name not in names:
                raise BadInput(name, "there is no such parameter; the parameters are %(names)s", names=tuple(names))
        return {field.name: value_of(field, given.get(field.name)) for field in self.fields}

    def answer(self, given: Mapping[str, str]) -> dict[str, Any]:
        """The odds for these parameters."""
        return self.run(**self.read(given))


def value_of(field: Field, text: str | None) -> Any:
    """One parameter's value from its text; an empty one is the default."""
    if text is None or not text.strip():
        if field.default is None:
            if field.example:
                raise BadInput(field.name, "this parameter is missing; for example %(example)s", example=field.example)
            raise BadInput(field.name, "this parameter is missing")
        return field.default
    text = text.strip()
    if field.kind == "count":
        return whole(text, field.name, field.low, field.high)
    if field.kind == "flag":
        if text.lower() not in YES + NO:
            raise BadInput(field.name, "expected 1 or 0")
        return text.lower() in YES
    if field.kind == "choice":
        if text not in field.choices:
            raise BadInput(field.name, "expected one of %(choices)s", choices=tuple(field.choices))
        return text
    return counts(text, field)


def counts(text: str, field: Field) -> dict[str, int]:
    """Counts by name, as in `heavy:10,medium:2`; the word `none` has none."""
    found = dict.fromkeys(field.parts, 0)
    if text == "none":
        return found
    given: set[str] = set()
    for part in text.split(","):
        name, colon, number = part.strip().partition(":")
        if name not in found or not colon:
            raise BadInput(
                field.name,
                "the counts must look like %(example)s; the names are %(names)s",
                example=field.example,
                names=tuple(field.parts),
            )
        if name in given:
            raise BadInput(f"{field.name}.{name}", "this is given twice")
        given.add(name)
        found[name] = whole(number, f"{field.name}.{name}", 0, field.high)
    return found


def whole(text: str, path: str, low: int, high: int) -> int:
    """A whole number within its bounds."""
    text = text.strip()
    digits = text[1:] if text.startswith("-") else text
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 7):
        raise BadInput(path, "expected a whole number from %(low)s to %(high)s", low=low, high=high)
    number = int(text)
    if not low <= number <= high:
        raise BadInput(
            path, "expected a whole number from %(low)s to %(high)s, not %(number)s", low=low, high=high, number=number
        )
    return number
