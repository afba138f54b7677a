"""A second, naive reckoning of regions, sieges and towns, written from the Italian rules; it imports no engine.

It reads positions as JSON, one after the other, and remembers by itself who held what.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "data" / "punic_wars"
OTHER = {"rome": "carthage", "carthage": "rome"}
KINDS = ("land", "naval")
Raw = Mapping[str, Any]


def _places() -> dict[str, Raw]:
    """The hexes as the map's file has them."""
    raw = json.loads((DATA / "map.geojson").read_text())
    return {each["id"]: each["properties"] for each in raw["features"]}


PLACES = _places()
VALUES: dict[str, int] = {
    region["name"]: region["value"] for region in tomllib.loads((DATA / "regions.toml").read_text())["region"]
}


def friends_of(raw: Raw, nation: str) -> str:
    """17.21 Whose a nation's units are: Syracusans are of Siracusa's friend, and `neutral` before it has one."""
    return str(raw["alignment"].get("Siracusa", "neutral")) if nation == "syracuse" else nation


def points(raw: Raw, at: str, side: str, kind: str, inside: bool | None = None) -> int:
    """A side's points of a kind in a hex; only those inside, or only those outside, where that is asked."""
    return sum(
        stack[kind]
        for nation, stack in raw["stacks"].get(at, {}).items()
        if friends_of(raw, nation) == side and inside in (None, stack[f"{kind}_inside"])
    )


def is_besieged(raw: Raw, at: str, side: str) -> bool:
    """10.41, 10.42 Points inside; A: none outside; B, C: of each kind as many enemies in the hex as points inside."""
    within = {kind: points(raw, at, side, kind, True) for kind in KINDS}
    a = not any(points(raw, at, side, kind, False) for kind in KINDS)
    b_and_c = all(points(raw, at, OTHER[side], kind) >= within[kind] for kind in KINDS)
    return any(within.values()) and a and b_and_c


def lords(raw: Raw) -> dict[str, str]:
    """14.12 to 14.16 Each region's controller: by unbesieged land points, else by alignment; P8: half is rounded up."""
    strength = {region: dict.fromkeys(OTHER, 0) for region in VALUES}
    for at in raw["stacks"]:
        for side in OTHER:
            if PLACES[at]["region"] is not None and not is_besieged(raw, at, side):
                strength[PLACES[at]["region"]][side] += points(raw, at, side, "land")
    found = {region: raw["alignment"].get(region) for region in VALUES}
    for region, here in strength.items():
        for side in OTHER:
            enough = here[side] > 0 and 2 * here[side] >= VALUES[region]
            if enough and (not here[OTHER[side]] or here[side] >= 2 * here[OTHER[side]]):
                found[region] = side
    return {region: lord for region, lord in found.items() if lord in OTHER}


SETTLEMENTS = [at for at, place in PLACES.items() if place.get("settlement") is not None]


class Towns:
    """10.11, 10.12 Who was last alone in each settlement, and who last controlled each region.

    P19: Syracusans who hold their town hold it for whoever has them, as long as there are any and no stranger's land
    points are inside with them; then it is the town of the player for whom they held it.
    """

    def __init__(self, raw: Raw) -> None:
        self.alone = dict(raw["holders"])
        self.region = dict(raw["last_control"])
        self.friend = friends_of(raw, "syracuse")
        self.follow(raw)

    def follow(self, raw: Raw, passed: Collection[str] = ()) -> None:
        """Look at the next position. `passed`: hexes through which the phasing player's land points marched to it.

        What is still being answered, an attack (9.0) or a loss (11.0), is one act: who holds what is asked after it.
        """
        if raw["pending"]:
            return
        for at in passed:
            if at in self.alone and not raw["stacks"].get(at):
                self.alone[at] = raw["phasing"]
        for at, here in raw["stacks"].items():
            if at in SETTLEMENTS:
                self._look(raw, at, here)
        self.friend = friends_of(raw, "syracuse")
        self.region |= lords(raw)

    def _look(self, raw: Raw, at: str, here: Raw) -> None:
        """10.11, P19 Whose land points are alone in this settlement's hex?"""
        nations = {nation for nation, stack in here.items() if stack["land"]}
        there = {friends_of(raw, nation) for nation in nations}
        theirs = "syracuse" in nations and not any(here[each]["land_inside"] for each in nations - {"syracuse"})
        if len(there) == 1:
            self.alone[at] = "syracuse" if theirs else there.pop()
        elif self.alone.get(at) == "syracuse" and not theirs:
            self.alone[at] = self.friend

    def holder(self, raw: Raw, at: str) -> str | None:
        """P18 Whoever has points inside; else the last alone there (10.11), else the region's last lord (10.12)."""
        for side in OTHER:
            if any(points(raw, at, side, kind, True) for kind in KINDS):
                return side
        if at in self.alone:
            side = friends_of(raw, self.alone[at])
            return side if side in OTHER else None
        return self.region.get(PLACES[at]["region"] or "")
