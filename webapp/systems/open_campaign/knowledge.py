"""What a side knows of the others: its sightings with their age, as they are told and as they stood some days ago."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import ngettext

from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.tables import TABLES
from webapp.http.language import gettext as _
from webapp.presenting.battle_labels import heading_word
from webapp.presenting.place_names import place_name
from webapp.systems.open_campaign.side_names import side_name

View = Mapping[str, Any]
COUNTED = 10  # sail from which a number is an estimate
MOST = 12  # sightings drawn on one chart


@dataclass(frozen=True)
class Seen:
    """A sighting: whose, how many sail, where, and how many days ago; `title` and `detail` are its words."""

    side: str
    number: int
    place: str
    lon: float
    lat: float
    age: int
    title: str
    detail: str


def days_of(view: View) -> int:
    """The days of a turn of this campaign."""
    return int(TABLES.days[view["turn_length"]])


def age_of(view: View, seen: Mapping[str, Any]) -> int:
    """How many days ago something was seen."""
    return (int(view["turn"]) - int(seen["turn"])) * days_of(view) + int(view.get("day") or 0) - int(seen["day"])


def age_words(days: int) -> str:
    """An age in words."""
    if days <= 0:
        return _("today")
    if days == 1:
        return _("yesterday")
    return str(ngettext("%(num)d day ago", "%(num)d days ago", days))


def sail_words(number: int) -> str:
    """So many sail, as they were counted or guessed."""
    return _("%(number)s sail", number=number) if number < COUNTED else _("about %(number)s sail", number=number)


def knowledge_of(view: View, side: str, back: int = 0) -> tuple[Seen, ...]:
    """What a side knew so many days ago, the newest first."""
    world = chart(view["world"])
    found = []
    for each in view["known"].get(side, ()):
        age = age_of(view, each) - back
        if age < 0:
            continue
        place = world.spaces[each["near"]].name if each["near"] in world.spaces else each["near"]
        where = place_name(place)
        title = f"{side_name(view, each['side'])}: {sail_words(each['number'])}"
        about = {"when": age_words(age), "place": where, "course": heading_word(each["course"])}
        detail = _("%(when)s, off %(place)s", **about)
        if each["course"]:
            detail = _("%(when)s, off %(place)s, heading %(course)s", **about)
        found.append(Seen(each["side"], each["number"], where, each["lon"], each["lat"], age, title, detail))
    return tuple(sorted(found, key=lambda seen: (seen.age, -seen.number)))


def newest(seen: Iterable[Seen]) -> tuple[Seen, ...]:
    """The newest sighting of a side at each place, the newest first."""
    first: dict[tuple[str, str], Seen] = {}
    for each in seen:
        first.setdefault((each.side, each.place), each)
    return tuple(first.values())[:MOST]
