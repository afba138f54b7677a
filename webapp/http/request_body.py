"""Reading a request's body: strict about JSON, and typed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeVar

from flask import request

from tactical.kernel.proper_names import clean_names
from tactical.kernel.record import BadInput, read

T = TypeVar("T")

DEEPEST = 64  # levels of nesting
MOST_FIELDS = 10_000  # of one object; the largest position has a few hundred
LARGEST = 2**53 - 1  # beyond it other programs' JSON readers round


def body(kind: type[T]) -> T:
    """The request's body as `kind`. Raises BadInput; its length is bounded by its route (`http.bodies`)."""
    found: T = read(clean_names(raw()), kind)
    return found


def raw() -> Any:
    """The request's body as plain values. Raises BadInput."""
    data = request.get_data(cache=False)
    kind = request.mimetype
    if kind != "application/json" and not kind.endswith("+json"):
        raise BadInput("", "send the body as JSON, with 'Content-Type: application/json'")
    return parse(data)


def parse(data: bytes) -> Any:
    """Strict JSON: UTF-8, no NaN, no doubled keys, no numbers or nesting that others could not read."""
    try:
        value = STRICT.decode(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadInput("", "the body is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise BadInput("", "this is not JSON (%(error)s)", error=error) from None
    except RecursionError:
        raise BadInput("", "this is nested deeper than %(levels)s levels", levels=DEEPEST) from None
    for text in _texts(value):
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise BadInput("", "a text contains half a character (a lone surrogate)")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's pairs as a dictionary, in time that grows with their number and no faster."""
    if len(pairs) > MOST_FIELDS:
        raise BadInput("", "an object may have at most %(most)s fields", most=MOST_FIELDS)
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise BadInput(_ascii(name[:60]), "this field is given twice")
        found[name] = value
    return found


def _ascii(name: str) -> str:
    return name.encode("ascii", "replace").decode()


def _constant(name: str) -> Any:
    raise BadInput("", "%(name)s is not a number that JSON knows", name=name)


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        raise BadInput("", "the number %(digits)s is too large", digits=digits[:20])
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits[:400])
    if not abs(value) <= LARGEST or len(digits) > 400:
        raise BadInput("", "the number %(digits)s is too large", digits=digits[:20])
    return value


STRICT = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_int=_whole, parse_float=_float
)  # made once: it is slower to make than to read a command by


def _texts(value: Any) -> Iterator[str]:
    """Every text in the value, names too. Raises BadInput where it is nested too deeply."""
    level = [value]
    for _ in range(DEEPEST):
        deeper: list[Any] = []
        for part in level:
            if isinstance(part, str):
                yield part
            elif isinstance(part, dict):
                yield from part
                deeper.extend(part.values())
            elif isinstance(part, list):
                deeper.extend(part)
        level = deeper
        if not level:
            return
    raise BadInput("", "this is nested deeper than %(levels)s levels", levels=DEEPEST)
