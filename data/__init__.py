"""Facts, no procedure: typed reading of the project's own tables, cached; a typo fails with its path."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

ROOT = Path(__file__).parent
T = TypeVar("T")


class TableError(ValueError):
    """A data file that does not have the shape its reader expects; the message names the file and the field."""


@cache
def read(path: str, kind: type[T]) -> T:
    """Decode `data/<path>` (TOML, JSON or GeoJSON) into `kind`. Raises TableError with file and field."""
    raw = (ROOT / path).read_bytes()
    try:
        if path.endswith(".toml"):
            return msgspec.toml.decode(raw, type=kind)
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise TableError(f"data/{path}: {error}") from None


def raw_json(path: str) -> Any:
    """A JSON or GeoJSON file as plain values."""
    return json.loads((ROOT / path).read_text())


def files(folder: str, ending: str = ".toml") -> tuple[str, ...]:
    """The files of a folder below data/, sorted, as paths for `read`."""
    return tuple(sorted(f"{folder}/{path.name}" for path in (ROOT / folder).glob(f"*{ending}")))


@cache
def words_of(path: str, language: str) -> dict[str, dict[str, str]]:
    """The words of a file in another language, by id and field: of `a/b.toml` in Russian those of `a/b.ru.toml`.

    Nothing for a language that has no such file. Raises TableError where the file is none of tables of texts.
    """
    beside = path.removesuffix(".toml") + f".{language}.toml"
    return read(beside, dict[str, dict[str, str]]) if (ROOT / beside).exists() else {}


def languages(path: str) -> tuple[str, ...]:
    """The languages in which the words of a file stand beside it."""
    name = (ROOT / path).name.removesuffix(".toml")
    return tuple(sorted(each.suffixes[-2][1:] for each in (ROOT / path).parent.glob(f"{name}.*.toml")))
