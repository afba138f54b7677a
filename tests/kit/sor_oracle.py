"""A second, naive reckoning of interceptions and of who stands together, written from the Russian rules.

It imports no engine. It reads a position as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "data" / "sword_of_rome"
ONE_PLAYER = ("etruscans", "samnites")  # the only seat with two powers of its own
MOUNTAINS = ("bovianum", "aufidena")  # 9.2 rough for all but the Samnites
Raw = Mapping[str, Any]


def _map() -> tuple[dict[str, Raw], list[Raw]]:
    """The spaces by name, and the connections, as the map's file has them."""
    raw = json.loads((DATA / "map.geojson").read_text())
    each = [feature["properties"] for feature in raw["features"]]
    spaces = {one["id"]: one for one in each if "owner" in one}
    return spaces, [one for one in each if "from" in one]


SPACES, WAYS = _map()


def player(raw: Raw, power: str) -> str:
    """Who plays or runs a power; nobody but itself where it has no player."""
    return "etruscans_samnites" if power in ONE_PLAYER else str(raw["runners"].get(power) or power)


def are_enemies(raw: Raw, one: str, other: str) -> bool:
    """15 All are enemies but allies and powers of one player."""
    pairs = [set(pair) for pair in raw["alliances"]]
    return player(raw, one) != player(raw, other) and {one, other} not in pairs


def in_the_open(raw: Raw, space: str) -> dict[str, int]:
    """CUs in the open of a space by power, the moving army not among them."""
    return {power: force["units"] for power, force in raw["forces"].get(space, {}).items() if force["units"]}


def before_the_walls(raw: Raw, space: str) -> set[str]:
    """The powers with CUs in the open of a space, the moving army among them."""
    move = raw["move"]
    mover = {move["power"]} if move and move["at"] == space and move["units"] else set()
    return set(in_the_open(raw, space)) | mover


def wrongly_together(raw: Raw) -> list[str]:
    """15.3 Spaces in the open of which powers of two players stand together, friends or not."""
    pairs = {space: combinations(in_the_open(raw, space), 2) for space in raw["forces"]}
    return [space for space, here in pairs.items() if any(player(raw, a) != player(raw, b) for a, b in here)]


def wrongly_inside(raw: Raw) -> list[tuple[str, str]]:
    """9.3.1, 15.3 Who is behind walls that are not his own, or, with no question open, has nobody else before them."""
    found = []
    for space, here in raw["forces"].items():
        lord = raw["control"].get(space, SPACES[space]["owner"] if space in SPACES else "")
        for power, force in here.items():
            others = {player(raw, other) for other in before_the_walls(raw, space)} - {player(raw, power)}
            behind = force["inside"] or force["inside_leaders"]
            own = lord == power and SPACES.get(space, {}).get("kind") == "walled"
            if behind and not (own and (others or raw["pending"])):
                found.append((space, power))
    return found


def interceptors(raw: Raw) -> set[tuple[str, str]]:
    """10.1, 10.2 The armies, by power and space, that may try to intercept the army that has just entered a space."""
    move = raw["move"]
    target = move["at"]
    if move["flank"] or not move["units"]:  # 10.2.e, and a leader alone is no army
        return set()
    found = set()
    for way in WAYS:
        if target not in (way["from"], way["to"]):
            continue
        origin = way["to"] if way["from"] == target else way["from"]
        for power, force in raw["forces"].get(origin, {}).items():
            easy = way["kind"] in ("clear", "appian")
            if power == "samnites" and {origin, target} & set(MOUNTAINS):
                easy = True
            may = easy and is_free_army(force) and are_enemies(raw, power, move["power"])
            if may and not is_barred(raw, power, target):
                found.add((power, origin))
    return found


def is_free_army(force: Raw) -> bool:
    """10.2.b CUs with a leader in the open; who is inside has others before the walls (9.3.1) and tries nothing."""
    return bool(force["units"] and force["leaders"])


def is_barred(raw: Raw, power: str, target: str) -> bool:
    """10.2.c, 10.2.f Does the space hold CUs of another power, friend or enemy, that do not move and are not besieged?

    10.2.c (reading): besieged means behind walls with the siege marker.
    """
    for other, force in raw["forces"].get(target, {}).items():
        besieged = not force["units"] and target in raw["sieges"]
        if other != power and (force["units"] or force["inside"]) and not besieged:
            return True
    return False
