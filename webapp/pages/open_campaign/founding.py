"""O12.1 A war from five answers: where, who, how many ships, how long a turn, how it ends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import normalize

from strategic.naval.handoff import NAMES
from strategic.open_campaign.rules.position import TAKEN as RESERVED
from strategic.open_campaign.rules.world import Chart, read_chart
from strategic.open_campaign.tables import CAPTAINS
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import Input

FEWEST, MOST_SIDES, MOST_SHIPS = 2, 8, 120
PORTS = 3  # of each side at the beginning, where there are as many
FLEETS = ("First fleet", "Second fleet")


class Answers(Input, frozen=True):
    """The five answers. `sides` are names; `warships` and `transports` are each side's, half of them in each fleet."""

    world: dict[str, Any]
    sides: tuple[str, ...]
    warships: int = 20
    type: str = "trireme"
    transports: int = 4
    turn_length: str = "week"
    turns: int = 20
    date: str = "-260-03-01"
    dispatches: str = "run"


def found(answers: Answers) -> dict[str, Any]:
    """O12.1 The position in which the war begins.

    Raises Illegal (O1.4) for a number of sides or ships that no campaign has, (O1.2) for a world with too few ports.
    """
    if not FEWEST <= len(answers.sides) <= MOST_SIDES:
        raise Illegal(
            "O1.4", "A campaign must have %(fewest)s to %(most)s %(most|side|sides)s.", fewest=FEWEST, most=MOST_SIDES
        )
    if not (1 <= answers.warships <= MOST_SHIPS and 0 <= answers.transports <= MOST_SHIPS):
        raise Illegal(
            "O2.1",
            "A side must begin with 1 to %(most)s %(most|warship|warships)s "
            "and at most %(most)s %(most|transport|transports)s.",
            most=MOST_SHIPS,
        )
    world = read_chart(answers.world)
    homes = capitals(world, len(answers.sides))
    ids = ids_of(answers.sides)
    fleets: dict[str, Any] = {}
    ships: dict[str, Any] = {}
    for side, home in zip(ids, homes, strict=True):
        for number, (name, few) in enumerate(zip(FLEETS, halves(answers.warships), strict=True)):
            cargo = halves(answers.transports)[number]
            own = sheets(f"{side}-{number + 1}", side, answers.type, few, cargo, home, number)
            if own:
                ships |= own
                fleets[f"{side}-{number + 1}"] = {"side": side, "name": name, "at": home, "ships": list(own)}
    return {
        "world": answers.world,
        "sides": {side: {"name": name} for side, name in zip(ids, answers.sides, strict=True)},
        "fleets": fleets,
        "ships": ships,
        "ports": ports_by_side(world, dict(zip(homes, ids, strict=True))),
        "turn_length": answers.turn_length,
        "turns": answers.turns,
        "date": answers.date,
        "options": {"dispatches": answers.dispatches},
    }


def ids_of(names: Sequence[str]) -> list[str]:
    """O1.4 An id for each side: its name in plain letters, by which a battle calls it; else its number.

    >>> ids_of(["Rome", "Нева", "Rome", "Umpire"])
    ['rome', 'side2', 'side3', 'side4']
    """
    found: list[str] = []
    for number, name in enumerate(names, 1):
        plain = re.sub(r"[^a-z0-9]+", "_", plain_letters(name)).strip("_")[:30]
        free = bool(plain) and plain not in found and plain not in RESERVED and not plain.startswith("side")
        found.append(plain if free and plain[0].isalpha() else f"side{number}")
    return found


def plain_letters(name: str) -> str:
    """A name in small letters without accents."""
    return normalize("NFKD", name).encode("ascii", "ignore").decode().lower()


def halves(number: int) -> tuple[int, int]:
    """A number in two halves, the larger first."""
    return number - number // 2, number // 2


def sheets(
    fleet: str, side: str, kind: str, warships: int, transports: int, home: str, squadron: int
) -> dict[str, Any]:
    """O2.1 The ships of a fleet, with names, captains and the home port."""
    kinds = [kind] * warships + ["transport"] * transports
    names = NAMES.names["default"]
    found = {}
    for number, each in enumerate(kinds):
        place = 2 * number + squadron  # the two fleets take turns in the list of names
        name = names[place % len(names)] + ("" if place < len(names) else f" {place // len(names) + 1}")
        captain = CAPTAINS.of(side, place)
        found[f"{fleet}-{number + 1}"] = {"side": side, "type": each, "name": name, "captain": captain, "home": home}
    return found


def capitals(world: Chart, number: int) -> list[str]:
    """O1.4 So many ports, each as far from the others by sea as can be, the greatest of all first."""
    ports = sorted(
        (space for space in world.spaces.values() if space.kind == "port"), key=lambda each: (-each.rank, each.id)
    )
    if len(ports) < number:
        raise Illegal("O1.2", "There are fewer ports on this map than sides: %(ports)s.", ports=len(ports))
    chosen = [ports[0].id]
    while len(chosen) < number:
        far = {
            each.id: min(apart(world, each.id, other) for other in chosen) for each in ports if each.id not in chosen
        }
        chosen.append(max(sorted(far), key=lambda id: far[id]))
    return chosen


def apart(world: Chart, one: str, other: str) -> int:
    """Nautical miles by sea; none where no lane leads there."""
    return world.from_(other).get(one, (0, None))[0]


def ports_by_side(world: Chart, homes: Mapping[str, str]) -> dict[str, str]:
    """O1.1 Each side's ports: its home, and the nearest others that lie nearer to it than to anybody else's."""
    ports = dict(homes)
    for home, side in homes.items():
        near = [
            (apart(world, each.id, home), each.id)
            for each in world.spaces.values()
            if each.kind == "port"
            and each.id not in homes
            and min(homes, key=lambda other: (apart(world, each.id, other), other)) == home
        ]
        ports |= {id: side for _miles, id in sorted(near)[: PORTS - 1]}
    return dict(sorted(ports.items()))
