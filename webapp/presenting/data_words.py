"""Words of the data in the reader's language: `data/<system>/<file>.<language>.toml`, each text by its English.

What such a file does not have stays as it is. In `tables.<language>.toml` a key "table/word" stands for the word in
that table only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from flask_babel import get_locale

import data
from webapp.presenting.place_names import place_names
from webapp.presenting.table_view import Grid, grids


@cache
def texts_of(system: str, file: str, language: str) -> dict[str, str]:
    """The texts of one file beside the data; none for a language that has no such file."""
    path = data.ROOT / system / f"{file}.{language}.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


def chapter_word(system: str, title: str) -> str:
    """A chapter's heading."""
    return texts_of(system, "chapters", str(get_locale())).get(title, title)


def grids_in_words(system: str) -> tuple[Grid, ...]:
    """All tables of a campaign."""
    return grids_in(system, str(get_locale()))


@cache
def grids_in(system: str, language: str) -> tuple[Grid, ...]:
    """All tables of a campaign, in one language."""
    words = texts_of(system, "tables", language)
    return tuple(in_words(grid, words, place_names(language)) for grid in grids(system))


def in_words(grid: Grid, words: dict[str, str], places: Mapping[str, str]) -> Grid:
    """A table with its title, heads, cells and note in these words, its places by these names."""

    def said(text: str) -> str:
        found = words.get(f"{grid.id}/{text}", words.get(text, text))
        return ", ".join(places.get(part, part) for part in found.split(", "))

    return grid._replace(
        title=": ".join(map(said, grid.title.split(": "))),
        note=said(grid.note),
        columns=tuple(map(said, grid.columns)),
        rows=tuple(tuple(map(said, row)) for row in grid.rows),
    )
