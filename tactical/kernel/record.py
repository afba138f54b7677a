"""Records that we write, inputs that people write, and how both become JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

import msgspec

from tactical.kernel.reason import Reason, reason_of
from tactical.kernel.shape_errors import shape_reason

T = TypeVar("T")
DECODERS: dict[int, msgspec.json.Decoder[Any]] = {}  # what `decoder` has made


class Record(msgspec.Struct, frozen=True, dict=True):
    """A value that we write. Unknown fields are tolerated, so that an older program's record still opens."""


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that people write (commands, tables, set-ups). Unknown fields are refused, so that a typo shows."""


class BadInput(ValueError):
    """What was written does not have the right shape. `path` leads to the field, as in `ships.r1.facing`.

    It is raised with the form of its reason and what fills the gaps; `why` holds both, for other languages.
    """

    def __init__(self, path: str, reason: Reason | str, /, **values: object) -> None:
        self.path, self.why = path, reason_of(reason, values)
        super().__init__(path, self.why)

    @property
    def reason(self) -> str:
        """The reason in English."""
        return str(self.why)

    def __str__(self) -> str:
        return f"{self.path}: {self.why}" if self.path else str(self.why)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


def learn_types() -> int:
    """Let msgspec learn every type that is defined; how many there are. A server does so before it has threads.

    It learns a type when one is first read, and two threads that have it learn one at a time may end the process.
    """
    kinds = list[type[msgspec.Struct]](msgspec.Struct.__subclasses__())
    for kind in kinds:
        kinds += kind.__subclasses__()
        with suppress(TypeError, NameError):  # it holds what JSON does not, and is never read
            msgspec.json.Decoder(kind)
    return len(kinds)


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
        raise BadInput("", "this is not JSON (%(error)s)", error=error) from None


def read(raw: object, kind: Any, at: str = "") -> Any:
    """Turn plain dicts and lists into a value of `kind`; BadInput names the field, with `at` before its path."""
    try:
        text = msgspec.json.encode(raw)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise BadInput(at, "this is not plain JSON") from None
    try:
        return (DECODERS.get(id(kind)) or decoder(kind)).decode(text)
    except msgspec.ValidationError as error:
        raise bad_input(error, at) from None


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """The decoder of a type; making one costs more than using it.

    `DECODERS` has it by the type's identity, too: to find a union of thirty commands by its hash takes as long as to
    read one. The cache keeps the type itself, so that no other gets its identity.
    """
    found = DECODERS[id(kind)] = msgspec.json.Decoder(kind)
    return found


def plain(value: object) -> Any:
    """The value as plain dicts, lists, texts and numbers, as its JSON would read back."""
    return msgspec.to_builtins(value)


def change(raw: Mapping[str, object], value: Record, at: str = "") -> Any:
    """The record with the named fields set to what `raw` says, checked like any input; a field it lacks is refused."""
    for name in raw:
        if name not in value.__struct_fields__:
            raise BadInput(f"{at}.{name}" if at else name, "there is no such field")
    return read({**plain(value), **raw}, type(value), at)


def check_fields(value: Any, understood: Any, at: str) -> None:
    """Raise BadInput for the first field of a value that no record has: a typo would else be lost in silence."""
    if isinstance(value, Mapping) and isinstance(understood, Mapping):
        for name, each in value.items():
            if str(name) not in understood:
                raise BadInput(f"{at}.{name}", "there is no such field")
            check_fields(each, understood[str(name)], f"{at}.{name}")
    elif isinstance(value, list | tuple) and isinstance(understood, list | tuple):
        for number, (each, known) in enumerate(zip(value, understood, strict=False)):
            check_fields(each, known, f"{at}[{number}]")


def bad_input(error: msgspec.ValidationError, at: str = "") -> BadInput:
    """What msgspec says, with its `$.a[0].b` turned into our `a[0].b`."""
    text = str(error)
    found = re.search(r" - at `(?:key in )?\$?(.*?)`$", text)
    path = found.group(1) if found else ""
    reason = text[: found.start()] if found else text
    named = re.search(r"field `(\w+)`$", reason)
    path = f"{path}.{named.group(1)}" if named else path
    joined = f"{at}{path}" if path.startswith("[") else ".".join(part for part in (at, path.lstrip(".")) if part)
    return BadInput(joined, shape_reason(reason))
