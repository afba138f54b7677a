"""Records that we write, inputs that people write, and how both become JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class Record(msgspec.Struct, frozen=True, dict=True):
    """A value that we write. Unknown fields are tolerated, so that an older program's record still opens."""


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that people write (commands, tables, set-ups). Unknown fields are refused, so that a typo shows."""


class BadInput(ValueError):
    """What was written does not have the right shape. `path` leads to the field, as in `ships.r1.facing`."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.path = path
        self.reason = reason


def encode(value: object) -> bytes:
    """The value as compact JSON; equal values give equal bytes."""
    return msgspec.json.encode(value)


def decode(data: bytes | str, kind: type[T]) -> T:
    """Read JSON as a value of `kind`; BadInput names the field that is wrong."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise bad_input(error) from None
    except msgspec.DecodeError as error:
        raise BadInput("", f"this is not JSON ({error})") from None


def read(raw: object, kind: Any, at: str = "") -> Any:
    """Turn plain dicts and lists into a value of `kind`; BadInput names the field, with `at` before its path."""
    try:
        text = msgspec.json.encode(raw)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise BadInput(at, "this is not plain JSON") from None
    try:
        return decoder(kind).decode(text)
    except msgspec.ValidationError as error:
        raise bad_input(error, at) from None


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """The decoder of a type; making one costs more than using it."""
    return msgspec.json.Decoder(kind)


def plain(value: object) -> Any:
    """The value as plain dicts, lists, texts and numbers, as its JSON would read back."""
    return msgspec.to_builtins(value)


def changed(raw: Mapping[str, object], value: Record, at: str = "") -> Any:
    """The record with the named fields set to what `raw` says, checked like any input; a field it lacks is refused."""
    for name in raw:
        if name not in value.__struct_fields__:
            raise BadInput(f"{at}.{name}" if at else name, "there is no such field")
    return read({**plain(value), **raw}, type(value), at)


def bad_input(error: msgspec.ValidationError, at: str = "") -> BadInput:
    """What msgspec says, with its `$.a[0].b` turned into our `a[0].b`."""
    text = str(error)
    found = re.search(r" - at `(?:key in )?\$?(.*?)`$", text)
    path = found.group(1) if found else ""
    reason = text[: found.start()] if found else text
    named = re.search(r"field `(\w+)`$", reason)
    path = f"{path}.{named.group(1)}" if named else path
    joined = f"{at}{path}" if path.startswith("[") else ".".join(part for part in (at, path.lstrip(".")) if part)
    return BadInput(joined, reason[0].lower() + reason[1:].replace("`", "'"))
