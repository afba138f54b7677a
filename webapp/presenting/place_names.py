"""What places are called in the reader's language: `data/geo/places.<language>.toml`, by their names on the maps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import data
from tactical.kernel.record import Input
from webapp.http.language import tag


class PlaceNames(Input, frozen=True):
    """data/geo/places.<language>.toml: names by those of the maps; `same` are those that the language leaves alone."""

    same: tuple[str, ...] = ()
    names: dict[str, str] = {}


@cache
def place_names(language: str) -> Mapping[str, str]:
    """All names of one language; none for a language in which places keep the names of the maps."""
    path = f"geo/places.{language}.toml"
    if not (data.ROOT / path).exists():
        return {}
    found = data.read(path, PlaceNames)
    return {**{name: name for name in found.same}, **found.names}


def place_name(name: str) -> str:
    """A space, province or region by its name on the map, in the reader's language; what is none stays as it is."""
    return place_names(tag()).get(name, name)
