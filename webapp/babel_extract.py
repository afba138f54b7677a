"""Sentences that live in data files and that pages translate, for Babel: see `[tool.babel]` in pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

GAP = re.compile(r"%\([^)|]*\)[sd]")  # a gap that chooses between words has them in it
Message = tuple[int, None, str, list[str]]


def toml_strings(
    file: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Message]:
    """The texts of a TOML file's fields named in the mapping's `fields` ("*": all), however deep they lie, by line.

    Babel calls this for each file of a mapping; `keywords` and `comment_tags` are for source code.
    """
    text = file.read().decode()
    lines = text.splitlines()
    for said in texts(tomllib.loads(text), options["fields"]):
        if not any(map(str.isalpha, GAP.sub("", said))):
            continue  # nothing but gaps
        line = next((number for number, line in enumerate(lines, start=1) if said[:30] in line), 1)
        yield line, None, said, []


def texts(value: Any, fields: Collection[str]) -> Iterator[str]:
    """The non-empty strings under these names, also of a table of that name, in a decoded file's order."""
    if isinstance(value, list):
        for part in value:
            if "*" in fields and isinstance(part, str):
                yield part
            yield from texts(part, fields)
    elif isinstance(value, dict):
        for name, part in value.items():
            if (name in fields or "*" in fields) and isinstance(part, str) and part:
                yield part
            elif name in fields and isinstance(part, dict):
                yield from texts(part, "*")
            else:
                yield from texts(part, fields)
