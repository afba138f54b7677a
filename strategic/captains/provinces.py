"""Which space wins a province: majorities, read from a view and the printed map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import data

KEEPS = 0.1  # what any space is worth beside its province
TAKES = 0.3  # what it is worth more to take it from the enemy
HALF = 2
IDLE = 0.15  # what a province is worth that scores nothing


@cache
def members(system: str) -> dict[str, tuple[str, ...]]:
    """The spaces of each province of a system's map."""
    found: dict[str, list[str]] = {}
    for feature in data.raw_json(f"{system}/map.geojson")["features"]:
        about = feature["properties"]
        if about.get("province") and about.get("id"):
            found.setdefault(about["province"], []).append(about["id"])
    return {name: tuple(spaces) for name, spaces in found.items()}


@cache
def province_of(system: str) -> dict[str, str]:
    """The province of each space."""
    return {space: name for name, spaces in members(system).items() for space in spaces}


@cache
def card_values(system: str) -> dict[int, int]:
    """The operations that each card gives."""
    path = f"{system}/cards.toml"
    cards = data.read(path, dict[str, Any])["card"] if path in data.files(system) else ()
    return {int(card["number"]): int(card.get("ops", 0)) for card in cards}


def card_points(system: str, card: Any) -> float:
    """The operations of a card; 0 for what is no number of a strategy card."""
    return float(card_values(system).get(card, 0)) if isinstance(card, int) else 0.0


class Standing(NamedTuple):
    """How a province stands for a seat: markers of its own, of others, how many control it, and what it scores."""

    mine: int
    theirs: int
    needed: int
    score: float


@cache
def scores_on_map(system: str) -> dict[str, tuple[int, bool]]:
    """What the map says of each province: how many spaces control it, and whether it scores."""
    rows = data.raw_json(f"{system}/map.geojson").get("provinces", ())
    return {row["id"]: (int(row["needed"]), bool(row["scores"])) for row in rows}


def standing(system: str, view: Mapping[str, Any], seat: str, space: str) -> Standing:
    """How the province of a space stands."""
    name = province_of(system).get(space, "")
    spaces = members(system).get(name, (space,))
    holders = [view["spaces"].get(each, {}).get("control") for each in spaces]
    needed, scores = scores_on_map(system).get(name, (len(spaces) // HALF + 1, True))
    mine = holders.count(seat)
    return Standing(mine, len(holders) - mine - holders.count(None), needed, 1.0 if scores else IDLE)


def any_open(view: Mapping[str, Any]) -> bool:
    """Is there a space in nobody's hands, which a marker could win without a fight?"""
    spaces = view.get("spaces")
    if not isinstance(spaces, dict):
        return True
    return any(space.get("control") is None and not space.get("tribe") for space in spaces.values())


def gain(system: str, view: Mapping[str, Any], seat: str, space: str) -> float:
    """What one more marker there brings: most where it makes a majority or breaks the enemy's."""
    at = standing(system, view, seat, space)
    taken = view["spaces"].get(space, {}).get("control") not in (None, seat)
    value = KEEPS + TAKES * taken
    if at.mine < at.needed:
        value += at.score * ((at.mine + 1) / at.needed / HALF + (HALF if at.mine + 1 == at.needed else 0))
    if taken and at.theirs == at.needed:
        value += at.score * HALF
    return value


def cost(system: str, view: Mapping[str, Any], seat: str, space: str) -> float:
    """What giving a marker up costs: most where a majority goes with it."""
    at = standing(system, view, seat, space)
    if at.mine == at.needed:
        return HALF * at.score
    return at.score * at.mine / at.needed / HALF if at.mine < at.needed else KEEPS
