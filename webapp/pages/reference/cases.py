"""The adjudication catalogue: positions, commands and dice with the outcome that the rules give."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from shapely import Polygon, box
from shapely.geometry import Point

import data
from strategic.naval.engagement import Engagement
from strategic.naval.handoff import battle_position, outcome_of
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal, System
from tactical.kernel.record import Input, encode, plain, read
from webapp.presenting.map.sheet import Sheet, Spot, has_map, path, sheet
from webapp.presenting.presentation import Picture as CampaignPicture
from webapp.storage.journal.store import all_systems
from webapp.systems import presentation

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
