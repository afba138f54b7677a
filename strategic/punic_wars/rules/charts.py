"""3.1, 3.3 The map as the rules see it, and a group's own tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, Literal

from msgspec.structs import replace

import data
from strategic.punic_wars.tables import PRINTED, Attrition, Combat, Diplomacy, Loss, Sheet
from tactical import board
from tactical.kernel.house_rules import HouseRules, sheets
from tactical.kernel.record import BadInput, Input, Reason, Record, because, decode, encode

# -- 3.1 The map as the rules see it: hexes with terrain and region, hexsides, regions; with a group's own changes.

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


def axial(number: str) -> board.Hex:
    """The axial hex of a map number: two digits of column, two of row, both from 01."""
    return board.from_column_row(int(number[:2]) - 1, int(number[2:]) - 1)


def number(at: board.Hex) -> str | None:
    """The map number of an axial hex; None off the map (5.25)."""
    if not board.is_on_board(at, COLUMNS, ROWS):
        return None
    column, row = board.column_row(at)
    return f"{column + 1:02d}{row + 1:02d}"


def around(at: str) -> tuple[str, ...]:
    """The numbers of the hexes beside one, from north clockwise."""
    return tuple(found for beside in board.neighbours(axial(at)) if (found := number(beside)) is not None)


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
    regions = {region.name: region for region in data.read("punic_wars/regions.toml", _Regions).region}
    return Chart(places, sides, ferries, regions)


@cache
def changed_chart(raw: bytes) -> Chart:
    """The map with a group's changes, given as encoded MapChange."""
    change = decode(raw, MapChange)
    base = printed_chart()
    places = dict(base.places)
    for at, new in change.hexes.items():
        old = places[at]
        places[at] = replace(
            old,
            terrain=new.terrain or old.terrain,
            mountain=old.mountain if new.mountain is None else new.mountain,
            region=(new.region or None) if new.region is not None else old.region,
            source="house",
        )
    sides = {at: dict(beside) for at, beside in base.sides.items()}
    for pair, kind in change.hexsides.items():
        one, _, other = pair.partition("-")
        sides[one][other] = sides[other][one] = kind
    values = {name: value for name, value in change.values.items() if name in base.regions}
    regions = {name: replace(base.regions[name], value=value, source="house") for name, value in values.items()}
    return Chart(places, sides, base.ferries, {**base.regions, **regions})


# -- 3.3 A group's own tables: read, checked (complete, monotone) and used in place of the reconstructed ones.

PERCENTS = (0, 25, 50, 75, 100)


class House(Input, frozen=True):
    """What a group replaces; what is left out stays as reconstructed. It is kept in the game and exported with it."""

    title: str = ""
    combat: Combat | None = None
    loss: Loss | None = None
    attrition: Attrition | None = None
    diplomacy: tuple[Diplomacy, ...] = ()
    map: MapChange = MapChange()


def check(house: House) -> None:
    """3.3 Raises BadInput for tables with a gap, and for what the map does not have."""
    for checked, table in (
        (_combat, house.combat),
        (_loss, house.loss),
        (_attrition, house.attrition),
    ):
        if table is not None:
            check_table: Callable[[Any], None] = checked
            check_table(table)
    names = [table.name for table in house.diplomacy]
    if len(set(names)) < len(names):
        raise BadInput("diplomacy", "a table is given twice here")
    for number, diplomacy in enumerate(house.diplomacy):
        _diplomacy(diplomacy, f"diplomacy[{number}]")
    _map(house.map)


def _sheet_of(house: House) -> Sheet:
    own = {table.name: table for table in house.diplomacy}
    return Sheet(
        house.combat or PRINTED.combat,
        house.loss or PRINTED.loss,
        house.attrition or PRINTED.attrition,
        tuple(own.get(table.name, table) for table in PRINTED.diplomacy),
    )


sheet = sheets(House, _sheet_of)  # 3.3 the tables in use


def chart(house: House | None) -> Chart:
    """3.1 The map in use."""
    return printed_chart() if house is None or house.map == MapChange() else changed_chart(encode(house.map))


def _combat(table: Combat) -> None:
    """9.4 Every die and column, known percentages; a better die or ratio never costs the attacker more."""
    at = "combat"
    if table.columns != PRINTED.combat.columns:
        raise BadInput(f"{at}.columns", "the ratios must be %(columns)s", columns=tuple(PRINTED.combat.columns))
    if (table.lowest, table.highest) != (PRINTED.combat.lowest, PRINTED.combat.highest):
        raise BadInput(f"{at}.lowest", "the modified die runs from -4 to 9 (9.25)")
    if [row.die for row in table.rows] != list(range(table.lowest, table.highest + 1)):
        raise BadInput(f"{at}.rows", "there must be one row for each die from -4 to 9, in order")
    for number, row in enumerate(table.rows):
        for name, cells, falling in (("attacker", row.attacker, True), ("defender", row.defender, False)):
            path = f"{at}.rows[{number}].{name}"
            if len(cells) != len(table.columns):
                raise BadInput(path, "a row needs %(columns)s cells, one for each ratio", columns=len(table.columns))
            if any(cell not in PERCENTS for cell in cells):
                raise BadInput(path, "a loss must be 0, 25, 50, 75 or 100 per cent")
            if not _runs(cells, falling):
                raise BadInput(path, _order(falling, "a better ratio"))
            if number:
                above: tuple[int, ...] = getattr(table.rows[number - 1], name)
                if not all(_runs(pair, falling) for pair in zip(above, cells, strict=True)):
                    raise BadInput(path, _order(falling, "a higher die"))


def _order(falling: bool, better: str) -> Reason:
    if falling:
        return because("%(better)s may not give a higher loss", better=better)
    return because("%(better)s may not give a lower loss", better=better)


def _runs(cells: tuple[int, ...], falling: bool) -> bool:
    """Is the row monotone?"""
    pairs = list(pairwise(cells))
    return all(a >= b for a, b in pairs) if falling else all(a <= b for a, b in pairs)


def _loss(table: Loss) -> None:
    """9.5 A row for each force from one point on, rising both ways, never more than the force; 100 % is all."""
    at = "loss"
    if table.percents != PRINTED.loss.percents:
        raise BadInput(f"{at}.percents", "the percentages must be 25, 50, 75, 100")
    if len(table.rows) < len(PRINTED.loss.rows):
        raise BadInput(
            f"{at}.rows", "there must be a row for every force from 1 to %(rows)s points", rows=len(PRINTED.loss.rows)
        )
    for number, row in enumerate(table.rows):
        path = f"{at}.rows[{number}]"
        if len(row) != len(table.percents):
            raise BadInput(path, "a row needs %(columns)s cells", columns=len(table.percents))
        if row[-1] != number + 1 or row[0] < 0:
            raise BadInput(
                path,
                "100 per cent of %(points)s points must be %(loss)s, and no loss can be negative",
                points=number + 1,
                loss=number + 1,
            )
        if not _runs(row, False) or (number and any(a > b for a, b in zip(table.rows[number - 1], row, strict=True))):
            raise BadInput(path, "a higher percentage or a bigger force may not lose fewer points")


def _attrition(table: Attrition) -> None:
    """11.4 Rows with rising bounds, the last without one, losses that fall as the die rises."""
    at = "attrition"
    _bounds(tuple(row.upto for row in table.rows), at)
    if any(row.loss not in PERCENTS for row in table.rows):
        raise BadInput(f"{at}.rows", "a loss must be 0, 25, 50, 75 or 100 per cent")
    if not _runs(tuple(row.loss for row in table.rows), True):
        raise BadInput(f"{at}.rows", _order(True, "a higher die"))


def _bounds(bounds: tuple[int | None, ...], at: str) -> None:
    """A table read from the top: every bound higher than the last, and none on the last row."""
    if not bounds or bounds[-1] is not None:
        raise BadInput(f"{at}.rows", "the last row must have no `upto`: it takes all higher dice")
    known = [bound for bound in bounds[:-1] if bound is not None]
    if len(known) < len(bounds) - 1 or any(a >= b for a, b in pairwise(known)):
        raise BadInput(f"{at}.rows", "every row but the last needs an `upto`, each higher than the one before")


def _diplomacy(table: Diplomacy, at: str) -> None:
    """16.5 Complete, with known regions, and with results that belong to the scenario (16.34, 16.35)."""
    _bounds(tuple(row.upto for row in table.rows), at)
    for number, row in enumerate(table.rows):
        path = f"{at}.rows[{number}]"
        unknown = [name for name in row.regions if name not in printed_chart().regions]
        if unknown:
            raise BadInput(f"{path}.regions", "there is no region called %(region)s", region=unknown[0])
        if row.result in ("alliance", "defection") and row.to is None:
            raise BadInput(f"{path}.to", "a result of %(result)s needs a side", result=row.result)
        if row.result in ("revolt", "defection") and not row.regions:
            raise BadInput(f"{path}.regions", "a result of %(result)s needs a region", result=row.result)
        if row.result == "alliance" and table.name != "one":
            raise BadInput(f"{path}.result", "an alliance can stand in table one only (16.35)")
        if row.result == "war" and table.name != "two":
            raise BadInput(f"{path}.result", "the war with Illyria can stand in table two only (16.34)")


def _map(change: MapChange) -> None:
    """3.1 Known hexes, sides and regions; a settlement stays in a region and out of the sea."""
    base = printed_chart()
    for at, new in change.hexes.items():
        path = f"map.hexes.{at}"
        if at not in base.places:
            raise BadInput(
                path,
                "there is no such hex; columns run from 01 to %(columns)s, rows from 01 to %(rows)s",
                columns=COLUMNS,
                rows=ROWS,
            )
        if new.region and new.region not in base.regions:
            raise BadInput(f"{path}.region", "there is no region called %(region)s", region=new.region)
        terrain = new.terrain or base.places[at].terrain
        region = base.places[at].region if new.region is None else new.region
        if (terrain == "sea") == bool(region):
            raise BadInput(path, "a hex with land must belong to a region, an all-sea hex to none")
        if terrain == "sea" and (base.places[at].settlement or new.mountain):
            raise BadInput(path, "an all-sea hex cannot hold a settlement or mountains")
    for pair in change.hexsides:
        one, _, other = pair.partition("-")
        if other not in base.sides.get(one, {}):
            raise BadInput(f"map.hexsides.{pair}", "write two neighbouring hexes, as in 2908-2909")
        if (change.hexsides[pair] == "ferry") != (base.sides[one][other] == "ferry"):
            raise BadInput(f"map.hexsides.{pair}", "the ferry hexsides must be those of 5.37")
    for name, value in change.values.items():
        if name not in base.regions:
            raise BadInput(f"map.values.{name}", "there is no such region")
        if not 0 <= value <= 20:
            raise BadInput(f"map.values.{name}", "a region must be worth 0 to 20")


def program() -> House:
    """3.3 The program's own tables and values of regions, as a group would write them."""
    values = {name: region.value for name, region in printed_chart().regions.items()}
    return House("", PRINTED.combat, PRINTED.loss, PRINTED.attrition, PRINTED.diplomacy, MapChange(values=values))


EXAMPLE = """[map.values]
Latium = 6
[map.hexes."3108"]
mountain = true
[attrition]
rows = [{loss = 50, upto = 1}, {loss = 25, upto = 3}, {loss = 0}]"""
HOUSE = HouseRules(House, "3.3", check, program, example=EXAMPLE)
