"""3.1 The map as the rules see it: hexes with terrain and region, hexsides, regions; with a group's own changes."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Literal

import data
from tactical import hexes
from tactical.kernel.record import Input, Record, decode

Terrain = Literal["sea", "coast", "land"]
SideKind = Literal["land", "sea", "coast", "ferry"]
COLUMNS, ROWS = 39, 20
MAP = "punic_wars/map.geojson"


class Settlement(Record, frozen=True):
    """A city or a village by name."""

    name: str
    kind: Literal["city", "village"]
    lonlat: tuple[float, float] | None = None


class Place(Record, frozen=True):
    """One hex: all-sea, coastal or all-land; mountains, region and settlement, and where the facts are from."""

    id: str
    terrain: Terrain
    mountain: bool = False
    region: str | None = None
    settlement: Settlement | None = None
    lonlat: tuple[float, float] = (0.0, 0.0)
    source: str = "reconstructed"

    @property
    def can_stop(self) -> bool:
        """5.25 Never all-sea, never mountain."""
        return self.terrain != "sea" and not self.mountain


class Region(Record, frozen=True):
    """14.0 A region: its value and its alignment at the start of each scenario."""

    name: str
    value: int
    alignment: dict[str, Literal["rome", "carthage", "neutral", "closed"]]
    source: str = "reconstructed"
    name_source: str = "reconstructed"
    alignment_source: dict[str, str] = {}
    note: str = ""


class _Regions(Record, frozen=True):
    cite: str
    region: tuple[Region, ...]


class HexChange(Input, frozen=True):
    """What a group reads in a hex of its own map; what is left out stays."""

    terrain: Terrain | None = None
    mountain: bool | None = None
    region: str | None = None


class MapChange(Input, frozen=True):
    """A group's own reading of the printed map: hexes by number, hexsides as `2908-2909`, region values by name."""

    hexes: dict[str, HexChange] = {}
    hexsides: dict[str, SideKind] = {}
    values: dict[str, int] = {}


class Chart(Record, frozen=True):
    """The map in use: places by number, hexsides by pair, ferries, regions."""

    places: dict[str, Place]
    sides: dict[str, dict[str, SideKind]]
    ferries: dict[str, dict[str, str]]
    regions: dict[str, Region]

    @cached_property
    def region_hexes(self) -> dict[str, tuple[str, ...]]:
        """The hexes of each region, in order of number."""
        found: dict[str, list[str]] = {name: [] for name in self.regions}
        for place in self.places.values():
            if place.region:
                found[place.region].append(place.id)
        return {name: tuple(sorted(ids)) for name, ids in found.items()}

    @cached_property
    def towns(self) -> tuple[str, ...]:
        """All hexes with a city or village."""
        return tuple(place.id for place in self.places.values() if place.settlement)


def axial(number: str) -> hexes.Hex:
    """The axial hex of a map number: two digits of column, two of row, both from 01."""
    return hexes.from_column_row(int(number[:2]) - 1, int(number[2:]) - 1)


def number(at: hexes.Hex) -> str | None:
    """The map number of an axial hex; None off the map (5.25)."""
    if not hexes.is_on_board(at, COLUMNS, ROWS):
        return None
    column, row = hexes.column_row(at)
    return f"{column + 1:02d}{row + 1:02d}"


def around(at: str) -> tuple[str, ...]:
    """The numbers of the hexes beside one, from north clockwise."""
    return tuple(found for beside in hexes.neighbours(axial(at)) if (found := number(beside)) is not None)


def _regions() -> dict[str, Region]:
    return {region.name: region for region in data.read("punic_wars/regions.toml", _Regions).region}


@cache
def printed_chart() -> Chart:
    """The reconstructed map of the data files."""
    places: dict[str, Place] = {}
    sides: dict[str, dict[str, SideKind]] = {}
    ferries: dict[str, dict[str, str]] = {}
    for feature in data.raw_json(MAP)["features"]:
        facts = feature["properties"]
        if facts["kind"] == "hex":
            town = facts.get("settlement")
            places[feature["id"]] = Place(
                feature["id"],
                facts["terrain"],
                facts["mountain"],
                facts["region"],
                Settlement(town["name"], town["kind"], tuple(town["lonlat"])) if town else None,
                tuple(facts["lonlat"]),
                facts["source"],
            )
            continue
        one, other, kind = facts["from"], facts["to"], facts["side"]
        sides.setdefault(one, {})[other] = kind
        sides.setdefault(other, {})[one] = kind
        if kind == "ferry":
            ferries.setdefault(one, {})[other] = facts["ferry_hex"]
            ferries.setdefault(other, {})[one] = facts["ferry_hex"]
    return Chart(places, sides, ferries, _regions())


@cache
def changed_chart(raw: bytes) -> Chart:
    """The map with a group's changes, given as encoded MapChange."""
    change = decode(raw, MapChange)
    base = printed_chart()
    places = dict(base.places)
    for at, new in change.hexes.items():
        old = places[at]
        places[at] = Place(
            at,
            new.terrain or old.terrain,
            old.mountain if new.mountain is None else new.mountain,
            (new.region or None) if new.region is not None else old.region,
            old.settlement,
            old.lonlat,
            "house",
        )
    sides = {at: dict(beside) for at, beside in base.sides.items()}
    for pair, kind in change.hexsides.items():
        one, _, other = pair.partition("-")
        sides[one][other] = sides[other][one] = kind
    regions = {
        name: Region(
            name,
            change.values.get(name, region.value),
            region.alignment,
            "house" if name in change.values else region.source,
            region.name_source,
            region.alignment_source,
            region.note,
        )
        for name, region in base.regions.items()
    }
    return Chart(places, sides, base.ferries, regions)
