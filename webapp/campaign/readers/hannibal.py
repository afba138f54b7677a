"""Hannibal's view as a picture: markers, armies with their generals, sieges, provinces."""

from __future__ import annotations

from typing import Any

from strategic.hannibal.tables import LEADERS, PROVINCES
from webapp.campaign.picture import Leader, Picture, Siege, Stack, View

SIDES = ("rome", "carthage")


def read(view: View) -> Picture:
    """Who holds what and who stands where, field by field from the view."""
    places: dict[str, dict[str, Any]] = view.get("spaces", {})
    holders = {space: place["control"] for space, place in places.items() if place.get("control")}
    return Picture(
        holders=holders,
        areas=_areas(holders),
        stacks=tuple(_stacks(view, places)),
        sieges={
            space: Siege(space, place.get("besieger"), place["siege"])
            for space, place in places.items()
            if place.get("siege")
        },
    )


def _areas(holders: dict[str, str]) -> dict[str, str]:
    """The provinces with the side that has the needed majority, as the engine counts it."""
    found = {}
    for province in PROVINCES.values():
        for side in SIDES:
            if sum(holders.get(space) == side for space in province.spaces) >= province.needed:
                found[province.id] = side
    return found


def _stacks(view: View, places: dict[str, dict[str, Any]]) -> list[Stack]:
    people: dict[tuple[str, str, bool], list[Leader]] = {}
    for name, general in view.get("generals", {}).items():
        if general.get("status") == "board" and general.get("space"):
            leader = LEADERS[name]
            key = (general["space"], str(leader.side), bool(general.get("inside")))
            people.setdefault(key, []).append(Leader(name, leader.name, f"{leader.strategy}-{leader.battle}"))
    found = []
    for space, place in places.items():
        for side in SIDES:
            found += _stack(space, side, place.get(side, {}), people.get((space, side, False), []), False)
            inside = place.get("inside", {}) if place.get("control") == side else {}
            found += _stack(space, side, inside, people.get((space, side, True), []), True)
    return found


def _stack(space: str, side: str, troops: dict[str, int], leaders: list[Leader], inside: bool) -> list[Stack]:
    units, elephants = troops.get("units", 0), troops.get("elephants", 0)
    if not (units or elephants or leaders):
        return []
    extras = (("E", elephants),) if elephants else ()
    return [Stack(space, side, str(units), tuple(leaders), extras, inside)]
