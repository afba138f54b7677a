"""G2.5 The fleet builder: from nations and numbers to a position that a battle can start from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta

import data
from tactical.battle import Options
from tactical.kernel.record import BadInput, Input, Name, Record, plain
from tactical.position import SHIP_LIMIT
from tactical.setup import BoardWanted, coast, plain_board, prefix, stations
from tactical.ship import FIGURES, TYPES, complement_of
from tactical.tabletop import Length, hulls_of_bases

Count = Annotated[int, Meta(ge=0, le=120)]
SQUADRONS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")  # their names
Crew = Literal["elite", "average", "poor"]


class Nation(Record, frozen=True):
    """G2.5 A nation's tendencies."""

    title: str
    side: str
    navy: str
    ships: str
    crews: tuple[Crew, ...]
    proposed: dict[str, int]
    flagship: Crew | None = None
    corvus: bool = False


class Nations(Record, frozen=True):
    """data/galley/nations.toml."""

    cite: str
    source: str
    nation: dict[str, Nation]


class Names(Record, frozen=True):
    """data/galley/names.toml."""

    source: str
    names: dict[str, tuple[str, ...]]


NATIONS = data.read("galley/nations.toml", Nations).nation
NAMES = data.read("galley/names.toml", Names).names


class ShipsWanted(Input, frozen=True):
    """Ships of one type. Without `crew` the nation's; with any of the figures a complement of its own (G2.1)."""

    type: str
    count: Count
    crew: Crew | None = None
    corvus: bool | None = None
    names: tuple[Name, ...] = ()
    heavy: Count | None = None
    medium: Count | None = None
    light: Count | None = None
    archers: Count | None = None
    catapults: Count | None = None
    stone_throwers: Count | None = None

    @property
    def figures(self) -> dict[str, int]:
        """The figures that were given."""
        given = {figure: getattr(self, figure) for figure in FIGURES}
        return {figure: count for figure, count in given.items() if count is not None}


class FleetWanted(Input, frozen=True):
    """One side: its nation, its name, its ships; the first ship leads unless `flagship` is false.

    With `squadrons` the line is parted, from its first ship on, into so many, each as large as can be alike.
    """

    nation: str
    ships: tuple[ShipsWanted, ...]
    name: Name = ""
    flagship: bool = True
    squadrons: Annotated[int, Meta(ge=0, le=len(SQUADRONS))] = 0


class FleetsWanted(Input, frozen=True):
    """Two fleets and a sea; `seed` draws the names, `speed` is what the ships make at the start.

    `base` is the length and the width of the models' bases in mm: on the measured sea hulls are then as large, and a
    base length is as long as a base.
    """

    sides: dict[Name, FleetWanted]
    board: BoardWanted = BoardWanted()
    seed: Annotated[int, Meta(ge=0, le=2**31)] = 0
    speed: Annotated[int, Meta(ge=0, le=3)] = 0
    turn_limit: Annotated[int, Meta(ge=1, le=999)] | None = None
    base: tuple[Length, Length] | None = None


class FleetsDrawn(Record, frozen=True):
    """What the builder answers: a position for a new game."""

    position: dict[str, Any]


def position(wanted: FleetsWanted) -> dict[str, Any]:
    """G2.5 The position. BadInput names the field that cannot be."""
    if len(wanted.sides) != 2:
        raise BadInput("sides", "a battle must be built for two sides")
    total = sum(row.count for side in wanted.sides.values() for row in side.ships)
    if total > SHIP_LIMIT:
        raise BadInput("sides", "%(count)s ships are more than the limit of %(most)s", count=total, most=SHIP_LIMIT)
    land = coast(wanted.board)
    ships: dict[str, Any] = {}
    taken: set[str] = set()
    for place, (side_id, side) in enumerate(wanted.sides.items()):
        if not side_id:
            raise BadInput("sides", "a side needs an id")
        if side.nation not in NATIONS:
            raise BadInput(
                f"sides.{side_id}.nation",
                "there is no nation called %(nation)s: %(nations)s",
                nation=repr(side.nation),
                nations=tuple(NATIONS),
            )
        fleet = list(one_by_one(side, f"sides.{side_id}", names_for(side.nation, wanted.seed, taken)))
        if not fleet:
            raise BadInput(f"sides.{side_id}.ships", "a side needs at least one ship")
        berths = stations(wanted.board, place, frozenset(land))
        for number, sheet in enumerate(fleet, 1):
            station = next(berths, None)
            if station is None:
                raise BadInput(
                    "board",
                    "the board is too small for the %(ships)s ships of %(side)s",
                    ships=len(fleet),
                    side=side_id,
                )
            kind = TYPES[sheet["type"]]
            short = f"{prefix(side_id, wanted.sides)}{number}"
            ships[f"{side_id}-{number}" if short in ships else short] = {
                "side": side_id,
                **sheet,
                **station,
                "speed": min(wanted.speed, kind.cruise),
                "flagship": number == 1 and side.flagship,
                "squadron": squadron_of(number - 1, len(fleet), side.squadrons),
            }
    own: dict[str, Any] = {}
    if wanted.base is not None and wanted.board.kind == "open":
        kinds = dict.fromkeys(str(ship["type"]) for ship in ships.values())
        own = {"types": plain(hulls_of_bases({}, dict.fromkeys(kinds, wanted.base), wanted.base[0]))}
    return {
        "board": plain_board(wanted.board, land),
        "sides": {
            side_id: {"name": side.name or NATIONS[side.nation].side, "navy": NATIONS[side.nation].navy}
            for side_id, side in wanted.sides.items()
        },
        "ships": ships,
        "turn_limit": wanted.turn_limit,
        "options": plain(Options()),
        **own,
    }


def squadron_of(place: int, ships: int, squadrons: int) -> str | None:
    """The squadron of a ship by her place in the line, from 0; None without squadrons, or where she would be alone."""
    parts = min(squadrons, ships // 2)
    return SQUADRONS[place * parts // ships] if parts else None


def one_by_one(side: FleetWanted, path: str, names: Iterator[str]) -> Iterator[dict[str, Any]]:
    """G2.1, G2.5 The sheets of a side, the flagship first."""
    nation = NATIONS[side.nation]
    leads = side.flagship
    for number, row in enumerate(side.ships):
        at = f"{path}.ships[{number}]"
        kind = TYPES.get(row.type)
        if kind is None:
            raise BadInput(
                f"{at}.type",
                "there is no ship type called %(type)s: %(types)s",
                type=repr(row.type),
                types=tuple(TYPES),
            )
        if row.count and not row.figures and complement_of(kind, nation.navy) is None:
            raise BadInput(
                f"{at}.type",
                "the source gives a %(navy)s navy no %(type)s (G2.1): give the type figures of its own",
                navy=nation.navy,
                type=row.type,
            )
        for count in range(row.count):
            crew = row.crew or (nation.flagship if leads and nation.flagship else nation.crews[0])
            corvus = nation.corvus and kind.ram is not None if row.corvus is None else row.corvus
            name = row.names[count] if count < len(row.names) and row.names[count] else next(names)
            yield {"name": name, "type": row.type, "crew": crew, "corvus": corvus, **row.figures}
            leads = False


def names_for(nation: str, seed: int, taken: set[str]) -> Iterator[str]:
    """Names in an order that the seed draws; none twice in a battle, and after the last each again with a number."""
    known = list(NAMES[nation])
    random.Random(f"{nation}:{seed}").shuffle(known)
    for round_ in range(1, SHIP_LIMIT):
        for name in known:
            numbered = name if round_ == 1 else f"{name} {'I' * round_ if round_ < 4 else round_}"
            if numbered not in taken:
                taken.add(numbered)
                yield numbered


def proposal(first: str = "romans", second: str = "carthaginians") -> FleetsWanted:
    """What the builder shows before anybody has chosen: two nations with their proposed fleets."""
    return FleetsWanted({name: propose(nation) for name, nation in (("first", first), ("second", second))})


def propose(nation: str) -> FleetWanted:
    """A nation's proposed fleet."""
    rows = tuple(ShipsWanted(kind, count) for kind, count in NATIONS[nation].proposed.items())
    return FleetWanted(nation, rows, NATIONS[nation].side)
