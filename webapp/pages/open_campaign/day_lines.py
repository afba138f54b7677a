"""The days of a forecast as rows: where, how far, the night, food, the weather, and who may see the fleet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from strategic.calendar import after as days_later
from strategic.calendar import parts
from strategic.open_campaign.rules.forecast import Ahead
from strategic.open_campaign.rules.sailing import TIRED
from strategic.open_campaign.rules.world import chart
from webapp.http.language import gettext as _
from webapp.presenting.place_names import place_name
from webapp.systems.open_campaign.dates import day_words
from webapp.systems.open_campaign.side_names import side_name
from webapp.systems.open_campaign.sky_chances import sky_chances

SAFE = 0.005  # a chance below this is told as none


@dataclass(frozen=True)
class DayLine:
    """A row of the forecast: a number, where, how far, the date, and what is to be known of it.

    `sky` are the chances of calm, fresh and rough weather in percent, and `skies` the same in words, with the miles
    that the fleet makes under each; `likely` are the miles over all of them, where those are not a calm day's.
    All three are empty where a war has no weather.
    """

    number: str
    place: str
    far: str
    when: str
    about: str
    food: int
    warning: str
    sky: tuple[int, ...] = ()
    skies: str = ""
    likely: str = ""


def day_lines(view: Mapping[str, Any], days: tuple[Ahead, ...]) -> tuple[DayLine, ...]:
    """The days of a forecast as rows; days on which nothing changes are told as one."""
    world = chart(view["world"])
    found: list[DayLine] = []
    still = nights = 0
    for day in days:
        is_still = bool(day.day > 1 and day.miles == 0 and day.at == days[day.day - 2].at)
        still = still + 1 if is_still else 0
        nights = 0 if day.is_ashore else nights + 1
        name = place_name(world.spaces[day.near].name)
        place = name if day.is_ashore else _("off %(place)s", place=name)
        date = day_words(days_later(view["date"], day.day - 1))
        line = DayLine(
            number="–" if day.miles == 0 else str(day.day),
            place=place,
            far=_("%(miles)s miles, %(hours)s h", miles=day.miles, hours=f"{day.hours:g}") if day.miles else "",
            when=date,
            about=halt_said(view, day, nights),
            food=day.provisions,
            warning=_(
                "%(side)s may see it: %(chance)s%%", side=side_name(view, day.seen_by), chance=round(day.chance * 100)
            )
            if day.chance > SAFE
            else "",
            sky=sky_of(view, day),
            skies=weather_in_words(view, day),
            likely=_("likely %(miles)s", miles=day.likely) if day.likely != day.miles else "",
        )
        if still > 1 and found and not line.warning and not found[-1].warning:
            first = found[-1].when.split(" – ")[0]
            line = replace(line, when=f"{first} – {date}")
            found.pop()
        found.append(line)
    return tuple(found)


def weather_in_words(view: Mapping[str, Any], day: Ahead) -> str:
    """O4.2, O4.5 How likely each kind of weather is on a day, and how far the fleet gets under it."""
    if not view["options"]["weather"]:
        return ""
    kinds = {"calm": _("calm"), "fresh": _("fresh"), "gale": _("gale"), "storm": _("storm")}
    parts = [
        _("%(kind)s %(chance)s%%: %(miles)s miles", kind=kinds[kind], chance=round(share * 100), miles=day.reach[kind])
        if day.miles and kind in day.reach
        else _("%(kind)s %(chance)s%%", kind=kinds[kind], chance=round(share * 100))
        for kind, share in day.weather.items()
        if share > SAFE
    ]
    return ", ".join(parts)


def sky_of(view: Mapping[str, Any], day: Ahead) -> tuple[int, ...]:
    """The chances of a day's weather where it ends; none where the war has no weather."""
    if not view["options"]["weather"]:
        return ()
    lon, lat = chart(view["world"]).point(day.at)
    return sky_chances(round(lon, 1), round(lat, 1), parts(view["date"])[1])


def halt_said(view: Mapping[str, Any], day: Ahead, nights: int) -> str:
    """Where the night is spent, the how manieth at sea, and whether food is to be had there."""
    space = chart(view["world"]).spaces[day.near]
    if not day.is_ashore:
        return _("a night at sea") if nights < TIRED else _("another night at sea: the rowers tire")
    kinds = {"port": _("a port"), "beach": _("a beach"), "cape": _("a cape")}
    kind = kinds.get(space.kind, space.kind)
    holder = view["ports"].get(space.id)
    if holder is not None:
        kind = _("a port of %(side)s", side=side_name(view, holder))
    return _("%(place)s with food", place=kind) if day.is_fed else kind
