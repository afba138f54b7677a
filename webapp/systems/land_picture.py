"""The land war on points as a picture: who holds what, who stands where, which provinces are whose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strategic.point_to_point.survey import majorities
from strategic.point_to_point.tables import SIDES, Leader, Province
from webapp.presenting.naming import data_text
from webapp.presenting.picture import Course, Picture, Siege, Stack, View
from webapp.presenting.picture import Leader as Person
from webapp.systems import under_way

LETTERS = (("elephants", "E"), ("trains", "T"))
Places = Mapping[str, Mapping[str, Any]]


def picture(
    system: str,
    view: View,
    provinces: Mapping[str, Province],
    leaders: Mapping[str, Leader],
    courses: tuple[Course, ...],
) -> Picture:
    """Who holds what and who stands where, field by field from the view."""
    places: Places = view.get("spaces", {})
    return Picture(
        holders=holders(view),
        areas=dict(areas(view, provinces)),
        stacks=tuple(stacks(system, view, places, leaders)),
        sieges={
            space: Siege(space, place.get("besieger"), place["siege"])
            for space, place in places.items()
            if place.get("siege")
        },
        courses=courses,
        meeting=under_way.meeting(view),
        battle=under_way.battle(view),
    )


def holders(view: View) -> dict[str, str]:
    """Who holds each space that somebody holds."""
    return {space: place["control"] for space, place in view.get("spaces", {}).items() if place.get("control")}


def areas(view: View, provinces: Mapping[str, Province]) -> Mapping[str, str]:
    """The provinces with who has the majority in them."""
    return majorities(provinces, holders(view))


def stacks(system: str, view: View, places: Places, leaders: Mapping[str, Leader]) -> list[Stack]:
    """The armies with their generals, before the walls and within."""
    people: dict[tuple[str, str, bool], list[Person]] = {}
    for name, general in view.get("generals", {}).items():
        if general.get("status") == "board" and general.get("space"):
            leader = leaders[name]
            key = (general["space"], leader.side, bool(general.get("inside")))
            people.setdefault(key, []).append(
                Person(name, data_text(system, leader.name), f"{leader.strategy}-{leader.battle}")
            )
    found = []
    for space, place in places.items():
        for side in SIDES:
            found += stack(space, side, place.get(side, {}), people.get((space, side, False), []), False)
            inside = place.get("inside", {}) if place.get("control") == side else {}
            found += stack(space, side, inside, people.get((space, side, True), []), True)
    return found


def stack(space: str, side: str, troops: Mapping[str, int], people: list[Person], inside: bool) -> list[Stack]:
    """One army, if there is anybody."""
    extras = tuple((letter, troops[name]) for name, letter in LETTERS if troops.get(name))
    if not (troops.get("units") or extras or people):
        return []
    return [Stack(space, side, str(troops.get("units", 0)), tuple(people), extras, inside)]
