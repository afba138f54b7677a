"""The adjudication catalogue: positions, commands and dice with the outcome that the rules give."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from markupsafe import Markup
from shapely import Polygon, box
from shapely.geometry import Point

import data
from strategic.naval.engagement import Engagement
from strategic.naval.handoff import battle_position, outcome_of
from tactical import board
from tactical.battle import Battle
from tactical.board import HALF_HEIGHT, HEADINGS, Hex, centre, from_column_row, neighbours
from tactical.board import Place as BoardPlace
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal, System
from tactical.kernel.record import Input, encode, plain, read
from tactical.ship import Ship
from webapp.presenting.battle_labels import letters, tones
from webapp.presenting.map.sheet import Sheet, Spot, has_map, path, sheet
from webapp.presenting.presentation import Picture as CampaignPicture
from webapp.presenting.ships.galley import galley, galley_of, look_of
from webapp.storage.journal.store import all_systems
from webapp.systems import presentation

# -- A small plain picture of a battle's board, for the fleet builder and the adjudication cases.

SCALE = 30.0  # pixels to a hex's side
LENGTHS = {"bireme": 0.78, "trireme": 0.9, "quadrireme": 1.0, "quinquereme": 1.1, "hepteres": 1.25, "transport": 0.85}
MARGIN = 1  # hexes around what is shown
SEA = 52.0  # pixels to a base length of the measured sea
AROUND = 1.5  # base lengths around what is shown
GALLEY_SCALE = 0.018  # of a galley's units, for a pixel of a hex's side or of a base length
SIGNS = {"captured": "C", "sunk": "S", "withdrawn": "W"}


class HexDrawn(NamedTuple):
    """A hex: its outline, what it is, and its coordinates with the place of their label."""

    points: str
    kind: str
    label: str
    x: float
    y: float


class ShipDrawn(NamedTuple):
    """A ship: where, which way, its hull's outline, its side's number, its id, and the signs of its state."""

    id: str
    name: str
    side: int
    x: float
    y: float
    angle: int
    hull: str
    oars: bool
    corvus: bool
    sign: str
    drawing: Markup = Markup("")


class Picture(NamedTuple):
    """All of it, with the box that it fills."""

    box: str
    width: int
    height: int
    hexes: tuple[HexDrawn, ...]
    ships: tuple[ShipDrawn, ...]


def picture(battle: Battle, whole: bool = False, labels: bool = True, also: Iterable[BoardPlace] = ()) -> Picture:
    """The board around its ships (and the hexes in `also`), or the whole of it."""
    if battle.board.kind == "open":
        return at_sea(battle, whole, labels, also)
    if not battle.has_hexes:
        return Picture("0 0 1 1", 1, 1, (), ())
    shown = [
        from_column_row(column, row)
        for column in range(battle.board.columns)
        for row in range(battle.board.rows)
        if whole or near(battle, from_column_row(column, row), also)
    ]
    hexes = tuple(draw_hex(battle, at, labels) for at in shown)
    shapes = tones(battle)
    ships = tuple(
        draw_ship(battle, name, ship, shapes[ship.side], labels) for name, ship in battle.ships.items() if ship.at
    )
    places = [hex_centre(at) for at in shown] or [(0.0, 0.0)]
    left, right = min(x for x, _ in places) - SCALE, max(x for x, _ in places) + SCALE
    top, bottom = (f(y for _, y in places) for f in (min, max))
    top, bottom = top - SCALE * HALF_HEIGHT, bottom + SCALE * HALF_HEIGHT
    width, height = right - left + 4, bottom - top + 4
    return Picture(f"{left - 2:.0f} {top - 2:.0f} {width:.0f} {height:.0f}", round(width), round(height), hexes, ships)


def at_sea(battle: Battle, whole: bool, labels: bool, also: Iterable[BoardPlace]) -> Picture:
    """G1.6 The measured sea around its ships, or the whole of it: water, coasts, wrecks, hulls."""
    width, height = battle.board.size
    spots = [ship.at for ship in battle.ships.values() if ship.at is not None] + list(also)
    if whole or not spots:
        spots = [(0.0, 0.0), (width, height)]
    left, right = min(x for x, _ in spots) - AROUND, max(x for x, _ in spots) + AROUND
    top, bottom = min(y for _, y in spots) - AROUND, max(y for _, y in spots) + AROUND
    window = box(left, top, right, bottom)
    parts = [("sea", window.intersection(box(0, 0, width, height)))]
    parts += [("land", window.intersection(board.shape_of(area))) for area in battle.board.coasts]
    parts += [("wreck", window.intersection(board.shape_of(area))) for area in battle.board.wrecks]
    hexes = tuple(
        HexDrawn(" ".join(f"{x * SEA:.1f},{y * SEA:.1f}" for x, y in each.exterior.coords[:-1]), kind, "", 0.0, 0.0)
        for kind, shape in parts
        for each in getattr(shape, "geoms", (shape,))
        if isinstance(each, Polygon) and each.area
    )
    shapes = tones(battle)
    ships = tuple(
        ship_at_sea(battle, name, ship, shapes[ship.side], labels)
        for name, ship in battle.ships.items()
        if ship.at is not None
    )
    across, down = (right - left) * SEA, (bottom - top) * SEA
    frame = f"{left * SEA:.0f} {top * SEA:.0f} {across:.0f} {down:.0f}"
    return Picture(frame, round(across), round(down), hexes, ships)


def ship_at_sea(battle: Battle, name: str, ship: Ship, side: int, labels: bool) -> ShipDrawn:
    """One ship on the measured sea, as long and as broad as she is."""
    assert ship.at is not None
    kind = battle.kind(ship)
    shape = hull(kind.length / 2 * SEA, kind.beam / 2 * SEA, side)
    return ShipDrawn(
        name if labels else "",
        ship.name or name,
        side,
        round(ship.at[0] * SEA, 1),
        round(ship.at[1] * SEA, 1),
        round(ship.facing or 0),
        shape,
        not ship.oars_broken,
        ship.corvus,
        signs(ship),
        Markup("") if labels else as_she_looks(battle, ship, side, ship.facing or 0, SEA * kind.length / 1.8),
    )


def signs(ship: Ship) -> str:
    """What has befallen a ship, in letters."""
    said = SIGNS.get(ship.status, "") + ("B" if ship.boarding else "") + ("O" if ship.oars_broken else "")
    return said + (str(ship.breaches) if ship.breaches else "")


def near(battle: Battle, at: Hex, also: Iterable[Hex]) -> bool:
    """Does the hex hold a ship or a wreck, or lie next to one?"""
    marked = set(battle.by_hex) | set(battle.board.wrecks) | set(also)
    return at in marked or any(other in marked for other in neighbours(at))


def hex_centre(at: Hex) -> tuple[float, float]:
    """The centre of a hex in pixels."""
    x, y = centre(at)
    return x * SCALE, y * SCALE


def draw_hex(battle: Battle, at: Hex, labels: bool) -> HexDrawn:
    """One hex."""
    x, y = hex_centre(at)
    tall = HALF_HEIGHT * SCALE
    corners = ((1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1), (0.5, -1))
    points = " ".join(f"{x + dx * SCALE:.1f},{y + dy * tall:.1f}" for dx, dy in corners)
    kind = "land" if at in battle.board.dry else "wreck" if at in battle.board.wrecks else "sea"
    return HexDrawn(points, kind, f"{at[0]},{at[1]}" if labels else "", round(x, 1), round(y + tall * 0.86, 1))


def draw_ship(battle: Battle, name: str, ship: Ship, side: int, labels: bool) -> ShipDrawn:
    """One ship, by her id or (without `labels`) as she looks; of two in a hex each is set aside a little."""
    assert ship.at is not None
    x, y = hex_centre(ship.at)
    together = battle.by_hex[ship.at]
    if len(together) > 1:
        x += SCALE * 0.38 * (-1 if together[0] is ship else 1)
    half = SCALE * 0.62 * LENGTHS.get(ship.type, 1.0)
    beam = SCALE * 0.17 * (0.6 + 0.4 * LENGTHS.get(ship.type, 1.0))
    angle = HEADINGS.index(ship.facing) * 60 if ship.facing else 0
    return ShipDrawn(
        name if labels else "",
        ship.name or name,
        side,
        round(x, 1),
        round(y, 1),
        angle,
        hull(half, beam, side),
        not ship.oars_broken,
        ship.corvus,
        signs(ship),
        Markup("") if labels else as_she_looks(battle, ship, side, angle, SCALE),
    )


def as_she_looks(battle: Battle, ship: Ship, side: int, angle: float, scale: float) -> Markup:
    """A ship's galley about (0, 0) with all that has befallen her."""
    flags = letters(battle)
    captor = (tones(battle)[ship.captured_by], flags[ship.captured_by]) if ship.captured_by in flags else None
    whole = battle.kind(ship).hull
    drawn = galley(galley_of(ship, whole, look_of(battle, ship.side), side, flags[ship.side], captor), angle, 72)
    return Markup('<g transform="scale({})">{}</g>').format(f"{scale * GALLEY_SCALE:.3f}", drawn)


def hull(half: float, beam: float, side: int) -> str:
    """A galley seen from above, bow up: the first side's stern is round, the second's square, the third's forked."""
    cheek, shoulder = f"{beam * 0.45:.1f} {-half * 0.78:.1f}", f"{beam:.1f} {-half * 0.55:.1f}"
    bow = f"M0 {-half:.1f} L{cheek} Q{shoulder} {beam:.1f} {-half * 0.2:.1f}"
    right = f"L{beam:.1f} {half * 0.7:.1f}"
    sterns = (
        f"Q{beam:.1f} {half:.1f} 0 {half:.1f} Q{-beam:.1f} {half:.1f} {-beam:.1f} {half * 0.7:.1f}",
        f"L{beam:.1f} {half:.1f} L{-beam:.1f} {half:.1f} L{-beam:.1f} {half * 0.7:.1f}",
        f"L{beam:.1f} {half:.1f} L0 {half * 0.75:.1f} L{-beam:.1f} {half:.1f} L{-beam:.1f} {half * 0.7:.1f}",
    )
    left = f"L{-beam:.1f} {-half * 0.2:.1f} Q{-beam:.1f} {-half * 0.55:.1f} {-beam * 0.45:.1f} {-half * 0.78:.1f} Z"
    return f"{bow} {right} {sterns[side % 3]} {left}"


# -- The adjudication catalogue: positions, commands and dice with the outcome that the rules give.
#
# The files in data/<system>/cases are in the contract's own format, so that any other program can run them: start from
# `position`, give each command of `play` with its dice (or see it refused with that rule), then compare `expect` with
# the state as the umpire sees it. `expect` names only what matters; what it does not name may be anything. Each system
# numbers its own cases. Shuffles may fall as they like: no case expects anything of them.
#
# The cases of the link name the `system` that plays them. Where a campaign opens a battle, `battle` is what the
# battle's
# position must hold; where a battle ends, `outcome` is what goes home to the `engagement` that it was opened from.

GALLEY = "galley"
LINKING = "linking"
UNORDERED = ("wrecks", "land")


class Told(Input, frozen=True):
    """A command with its seat and dice; `refused` is the rule that must forbid it."""

    seat: str
    command: dict[str, Any]
    dice: tuple[int, ...] = ()
    refused: str | None = None


class Case(Input, frozen=True, omit_defaults=True):
    """One case, with its number in the catalogue."""

    number: int
    title: str
    cites: tuple[str, ...]
    text: str
    position: dict[str, Any]
    play: tuple[Told, ...]
    expect: dict[str, Any]
    system: str | None = None
    battle: dict[str, Any] | None = None
    engagement: dict[str, Any] | None = None
    outcome: dict[str, Any] | None = None


class Chapter(Input, frozen=True):
    """One file of cases."""

    title: str
    cases: tuple[Case, ...]


class Fault(NamedTuple):
    """Where the engine and the catalogue disagree: the field, what it holds, what is expected."""

    path: str
    found: Any
    expected: Any


@cache
def chapters(system: str = GALLEY) -> tuple[Chapter, ...]:
    """A system's catalogue, file by file; nothing when it has none."""
    return tuple(data.read(path, Chapter) for path in data.files(f"{system}/cases", ".json"))


def with_cases() -> tuple[str, ...]:
    """The books that have a catalogue: the galley first, the link last."""
    return tuple(name for name in (*all_systems(), LINKING) if chapters(name))


def cases(system: str = GALLEY) -> dict[int, Case]:
    """All cases of a system in order of number; later ones stand in the file of their chapter."""
    found = {case.number: case for chapter in chapters(system) for case in chapter.cases}
    return dict(sorted(found.items()))


def citing(number: str, system: str = GALLEY) -> list[Case]:
    """The cases that a paragraph is settled by."""
    return [case for case in cases(system).values() if number in case.cites]


def engine(case: Case, system: str) -> System:
    """The engine that plays a case."""
    return all_systems()[case.system or system]


def first_position(case: Case, system: str = GALLEY) -> Any:
    """The position before the first command."""
    return engine(case, system).start(None, case.position, {}, Dice()).state


def first(sides: int) -> int:
    """A source for hidden draws."""
    return 1


def play_case(case: Case, system: str = GALLEY) -> tuple[Any, list[Fault]]:
    """The position after all commands, and where a command was not taken or refused as it should be."""
    rules, state, faults = engine(case, system), first_position(case, system), []
    for place, told in enumerate(case.play):
        refused = None
        try:
            command = read(told.command, rules.command, "command")
            state = rules.apply(state, told.seat, command, Dice(told.dice, secret=first)).state
        except Illegal as fault:
            refused = fault.rule
        if refused != told.refused:
            faults.append(
                Fault(f"play[{place}] {told.command}", refused or "carried out", told.refused or "carried out")
            )
    return state, faults


def disagreements(case: Case, system: str = GALLEY) -> list[Fault]:
    """Everything in which the engine departs from what the case expects; none when it conforms."""
    state, faults = play_case(case, system)
    faults += differences(case.expect, json.loads(encode(state)), "")
    if case.battle is not None:
        faults += differences(case.battle, open_battle(state), "battle")
    if case.outcome is not None:
        faults += differences(case.outcome, sent_home(case, state), "outcome")
    return faults


def open_battle(state: Any) -> Any:
    """L2 The battle that a campaign's engagement opens, as its first position."""
    met = state.engagement
    position = battle_position(met, met.models_per_unit or 1)
    return json.loads(encode(all_systems()[GALLEY].start(None, position, {}, Dice()).state))


def sent_home(case: Case, state: Any) -> Any:
    """L3 The outcome of a battle for the engagement that it was opened from."""
    return json.loads(encode(outcome_of(state, read(case.engagement, Engagement, "engagement"))))


def differences(expected: Any, found: Any, path: str) -> list[Fault]:
    """The fields that `expected` names and that hold something else. Hexes of wrecks may come in any order."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [
            fault
            for name, value in expected.items()
            for fault in (
                differences(value, found[name], f"{path}.{name}".lstrip("."))
                if name in found
                else [Fault(f"{path}.{name}".lstrip("."), "no such field", value)]
            )
        ]
    records = isinstance(expected, list) and expected and all(isinstance(each, dict) for each in expected)
    if records and isinstance(found, list) and len(found) == len(expected):
        pairs = enumerate(zip(expected, found, strict=True))
        return [fault for place, (one, other) in pairs for fault in differences(one, other, f"{path}[{place}]")]
    if path.endswith(UNORDERED) and isinstance(expected, list) and isinstance(found, list):
        expected, found = sorted(map(list, expected)), sorted(map(list, found))
    return [] if expected == found else [Fault(path, found, expected)]


def flat(expected: Any, path: str = "") -> list[tuple[str, str]]:
    """What is expected as lines: a path of the state, and the value there."""
    if isinstance(expected, dict):
        return [line for name, value in expected.items() for line in flat(value, f"{path}.{name}".lstrip("."))]
    return [(path.removeprefix("ships."), json.dumps(expected))]


def told_fields(command: dict[str, Any]) -> str:
    """A command as the journal would write it: its type, then its fields."""
    fields = ", ".join(f"{name} {value}" for name, value in command.items() if name != "type")
    return f"{command['type']}: {fields}"


# -- The picture of a campaign's case: the system's map cut to the spaces that the case is about, before and after.

ROOM = 55.0  # around the spaces, in units of the map
LEAST = 230.0  # a picture is no smaller than this
HEX_LEAST = 150.0
WIDE = 360.0


class CaseMap(NamedTuple):
    """A piece of a map: the box that it fills, its land, ways and spaces, and the picture that stands upon it.

    `unit` is the length of a pixel of a picture that is WIDE.
    """

    box: str
    width: int
    height: int
    unit: float
    land: str
    ways: tuple[tuple[str, str], ...]
    spots: tuple[Spot, ...]
    paper: Sheet
    picture: CampaignPicture


def maps(case: Case, rules: System, before: Any, after: Any) -> tuple[CaseMap | None, CaseMap | None]:
    """The map before and after, both cut to the same spaces; none where nobody stands anywhere."""
    if not has_map(rules.name):
        return None, None
    first, second = umpire_picture(rules, before), umpire_picture(rules, after)
    paper = first.sheet or sheet(rules.name)
    met = getattr(before, "engagement", None)
    about = spaces_of_a_case(case, first, second) | ({met.place, met.start} if met else set())
    about = about & set(paper.spots) or {stack.space for stack in first.stacks} & set(paper.spots)
    if not about:
        return None, None
    frame = cut(paper, [paper.spots[space] for space in about])
    return draw_case(paper, first, frame), draw_case(paper, second, frame)


def umpire_picture(rules: System, state: Any) -> CampaignPicture:
    """What the umpire sees upon the map."""
    return presentation(rules.name).picture(plain(rules.view(state, UMPIRE)))


def spaces_of_a_case(case: Case, before: CampaignPicture, after: CampaignPicture) -> set[str]:
    """The spaces that the commands and expectations name, and those where something changed."""
    named = {word for told in case.play for word in words(told.command)} | set(words(case.expect))
    changed = {stack.space for stack in set(before.stacks) ^ set(after.stacks)}
    led = {stack.space for stack in before.stacks if named & {leader.id for leader in stack.leaders}}
    return named | changed | led


def words(value: Any) -> Iterator[str]:
    """Every string in a command or expectation, and every key."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from words(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from words(part)
    elif isinstance(value, str):
        yield value


def cut(paper: Sheet, spots: Iterable[Spot]) -> Polygon:
    """The box around the spaces, with room."""
    found = list(spots)
    least = HEX_LEAST if paper.hexes else LEAST
    left, right = min(spot.x for spot in found) - ROOM, max(spot.x for spot in found) + ROOM
    top, foot = min(spot.y for spot in found) - ROOM, max(spot.y for spot in found) + ROOM
    wide, high = max(0.0, least - (right - left)) / 2, max(0.0, least * 0.75 - (foot - top)) / 2
    return box(left - wide, top - high, right + wide, foot + high)


def draw_case(paper: Sheet, picture: CampaignPicture, frame: Polygon) -> CaseMap:
    """What lies in the box, with what stands upon it."""
    left, top, right, foot = frame.bounds
    unit = round((right - left) / WIDE, 3)
    inner = box(left + 8, top + 8, right - 8, foot - 8)
    spots = tuple(
        spot
        for spot in paper.spots.values()
        if (spot.cell.intersects(inner) if paper.hexes else inner.contains(Point(spot.at)))
    )
    ways = tuple(
        (kind(way.kind), path(line)) for way in paper.ways if not (line := way.line.intersection(frame)).is_empty
    )
    return CaseMap(
        f"{left:.0f} {top:.0f} {right - left:.0f} {foot - top:.0f}",
        round(right - left),
        round(foot - top),
        unit,
        path(paper.land.intersection(frame)),
        ways,
        spots,
        paper,
        picture,
    )


def kind(way: str) -> str:
    """How a way is drawn: a lane at sea, a pass or strait, or a road."""
    if way in ("sea", "sea_lane", "lane"):
        return "lane"
    return "hard" if "pass" in way or way in ("strait", "rough", "hexside") else "road"
