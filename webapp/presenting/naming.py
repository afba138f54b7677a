"""What players call what a state knows by id: spaces, hexes, generals, cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from math import atan2, degrees, sqrt
from typing import Any

import msgspec
from flask_babel import lazy_gettext as _l
from flask_babel import ngettext

import data
from webapp.http.language import gettext as _
from webapp.http.language import tag, with_sign
from webapp.presenting.campaign_labels import (
    command_word,
    kind_word,
    known_field,
    seat_word,
    side_word,
    use_word,
    value_word,
)
from webapp.presenting.labels import place_name, translate
from webapp.presenting.labels import texts_of as known_words
from webapp.presenting.map.sheet import Spot, has_map, sheet
from webapp.presenting.sentences import Name, Say, Several, Values, full_name, tell

# -- What players call a hex without a settlement: "the hex north of Roma", "the sea 2 hexes south of Caralis".
#
# No two hexes of a map have the same words. A hex is named by the nearest settlement of its own region; where a nearer
# hex has these words, by the next one.

ELSEWHERE = 100  # a settlement of another region is farther than each of its own
WINDS = (
    _l("north of %(town)s"),
    _l("north-east of %(town)s"),
    _l("east of %(town)s"),
    _l("south-east of %(town)s"),
    _l("south of %(town)s"),
    _l("south-west of %(town)s"),
    _l("west of %(town)s"),
    _l("north-west of %(town)s"),
)


@dataclass(frozen=True)
class Bearing:
    """Where a hex lies: so many hexes from a settlement, in the direction of this number of WINDS."""

    distance: int
    town: str
    wind: int


def hex_name(system: str, at: str) -> str:
    """A hex without a settlement as it is said within a sentence; empty for what is none."""
    if not at.isdigit() or not has_map(system) or not sheet(system).hexes or at not in bearings(system):
        return ""
    return _words(tag(), system, at)


@cache
def _words(language: str, system: str, at: str) -> str:
    """The same in one language, the reader's."""
    found, spots = bearings(system)[at], sheet(system).spots
    town = full_name(place_name(spots[found.town].name))
    direction = str(WINDS[found.wind]) % Values({"town": town}.__getitem__)
    far, is_sea = found.distance > 1, spots[at].kind == "sea"
    if is_sea:
        text = _("the sea %(count)s hexes %(direction)s") if far else _("the sea %(direction)s")
    else:
        text = _("the place %(count)s hexes %(direction)s") if far else _("the hex %(direction)s")
    return text % {"count": found.distance, "direction": direction}


@cache
def bearings(system: str) -> Mapping[str, Bearing]:
    """Where each hex without a settlement lies, the nearest first, no two alike."""
    spots = sheet(system).spots.values()
    towns = [spot for spot in spots if spot.name]
    choices = {hex_.id: _choices(hex_, towns) for hex_ in spots if not hex_.name} if towns else {}
    found: dict[str, Bearing] = {}
    taken: set[Bearing] = set()
    for at in sorted(choices, key=lambda at: (choices[at][0].distance, at)):
        found[at] = next((one for one in choices[at] if one not in taken), choices[at][0])
        taken.add(found[at])
    return found


def _choices(hex_: Spot, towns: list[Spot]) -> list[Bearing]:
    """The hex as seen from each settlement: those of its region first, the nearest first."""

    def order(town: Spot) -> tuple[int, str]:
        elsewhere = ELSEWHERE if hex_.province and town.province != hex_.province else 0
        return distance(town.id, hex_.id) + elsewhere, town.id

    return [Bearing(distance(town.id, hex_.id), town.id, wind(town.id, hex_.id)) for town in sorted(towns, key=order)]


def distance(one: str, other: str) -> int:
    """How many hexes it is from one to the other."""
    across, down = (a - b for a, b in zip(axial(one), axial(other), strict=True))
    return max(abs(across), abs(down), abs(across + down))


def axial(at: str) -> tuple[int, int]:
    """A hex of the numbering ccrr (flat tops, even columns half a hex lower) in axes that count steps."""
    column, row = int(at[:2]) - 1, int(at[2:])
    return column, row - (column - column % 2) // 2


def wind(start: str, at: str) -> int:
    """The direction from one hex to another: 0 north, 2 east, 4 south, 6 west."""
    (x, y), (u, v) = ((1.5 * across, sqrt(3) * (down + across / 2)) for across, down in (axial(start), axial(at)))
    return round(degrees(atan2(u - x, y - v)) / 45) % len(WINDS)


# -- What players call the things that a state knows by id: spaces, provinces, generals, cards, towns.

TABLES = ("leaders", "generals", "cards", "tactics", "counters", "tables")
CARD_FIELDS = ("card", "cards", "number")


@cache
def names(system: str) -> dict[str, str]:
    """Ids with their names, from the map and from the tables of a system."""
    found: dict[str, str] = {}
    for table in TABLES:
        for record in records(system, table):
            if isinstance(record.get("id"), str):
                found.setdefault(record["id"], _title_of(record))
    if has_map(system):
        paper = sheet(system)
        found |= {area.id: area.name for area in paper.areas.values()}
        found |= {spot.id: spot.name for spot in paper.spots.values() if spot.name}
    return found


def _title_of(record: dict[str, Any]) -> str:
    """The name or title of a record; a leader who has only a letter goes by that and his value."""
    named = record.get("name") or record.get("title")
    if not named and record.get("letter"):
        return f"{record['letter']} ({record.get('value', '')})"
    return str(named or record["id"])


@cache
def cards(system: str) -> dict[int, dict[str, Any]]:
    """The strategy cards of a system by number; none where there are none."""
    found = {}
    for record in records(system, "cards"):
        if isinstance(record.get("number"), int) and record.get("title"):
            found[record["number"]] = record
    return found


@cache
def records(system: str, table: str) -> tuple[dict[str, Any], ...]:
    """The records of all lists in a table, read once; nothing when there is no such table."""
    path = data.ROOT / system / f"{table}.toml"
    if not path.is_file():
        return ()
    lists = [rows for rows in msgspec.toml.decode(path.read_bytes()).values() if isinstance(rows, list)]
    return tuple(row for rows in lists for row in rows if isinstance(row, dict))


def say_value(system: str, value: Any, field: str = "") -> str:
    """A value of a command, an event or a view as players say it."""
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        card = cards(system).get(value) if field in CARD_FIELDS else None
        return _("%(title)s (card %(number)s)", title=translate(card["title"]), number=value) if card else str(value)
    if isinstance(value, list | tuple):
        return ", ".join(say_value(system, part, field) for part in value) or _("none")
    if isinstance(value, dict) and {"leader", "space", "units"} <= set(value):
        return attempt_text(system, value)
    if isinstance(value, dict) and {"leaders", "inside_leaders"} <= set(value):
        return slip_text(system, value)
    if isinstance(value, dict):
        parts = (f"{key_name(system, key)} {say_value(system, part, key)}" for key, part in value.items())
        return ", ".join(parts) or _("none")
    text = str(value)
    if field == "kind" and (kind := kind_word(text)):
        return kind
    if word := value_word(field, text):
        return word
    if field == "use" and (use := use_word(text)):
        return use
    known = names(system).get(text)
    return data_text(system, known) if known else side_word(text) or hex_name(system, text) or plain_words(system, text)


def key_name(system: str, key: str) -> str:
    """What a number or a name in a list of them is about: a field, or a thing by its name."""
    return known_field(system, key).lower() or say_value(system, key)


def data_text(system: str, text: str) -> str:
    """A name or text of the data in the reader's language: a place's, from the catalogue, or beside the tables."""
    for found in (place_name(text), translate(text)):
        if found != text:
            return found
    language = tag()
    of_leaders, of_tables = (known_words(system, table, language) for table in ("leaders", "tables"))
    return of_tables.get(text) or of_leaders.get(text, text)


def attempt_text(system: str, attempt: dict[str, Any]) -> str:
    """An army that may intercept: who leads it from where, with how many, and who comes along."""
    who = ", ".join(say_value(system, name) for name in (attempt["leader"], *attempt.get("companions", ())) if name)
    units, origin = int(attempt["units"] or 0), full_name(say_value(system, attempt["space"]))
    return tell(_("%(who)s from %(space)s with %(units)s %(units|CU|CUs)s"), who=who, space=origin, units=units)


def slip_text(system: str, slip: dict[str, Any]) -> str:
    """An army that may slip away: who goes, and who goes inside the walls."""
    parts = []
    for form, leaders, units in (
        (_("Avoid battle: %(troops)s"), "leaders", "units"),
        (_("Inside the walls: %(troops)s"), "inside_leaders", "inside"),
    ):
        count = int(slip.get(units) or 0)
        troops = [say_value(system, each) for each in slip.get(leaders) or ()]
        troops += [ngettext("%(num)d CU", "%(num)d CUs", count)] if count else []
        if troops:
            parts.append(form % {"troops": ", ".join(troops)})
    return ", ".join(parts) or _("Stay and fight outside")


def plain_words(system: str, text: str) -> str:
    """An id that nobody has named, as words."""
    if text.isdigit() or not text.replace("_", "").isalnum():
        return text
    return command_word(system, text) or text.replace("_", " ")


# -- What the fields of a campaign's events say to a reader, by the words that data/events has for them.

LISTS = {"generals": "general", "leaders": "general", "powers": "side", "regions": "space", "sides": "side"}
LISTS |= {"spaces": "space"}
ALIKE = {"leader": "general", "power": "side", "region": "space"}
NUMBERS = ("flag", "number", "units")
BY_LETTER = re.compile(r"([A-Z]) \((\d)\)")


def saying(system: str) -> Say:
    """What says the fields of this system's events."""
    return partial(say, system)


def say(system: str, word: str, field: str, value: Any) -> Any:
    """A value as players say it: names with their grammar, lists with commas, numbers as they are."""
    if word in NUMBERS:
        return value or 0 if word != "flag" else bool(value)
    word = ALIKE.get(word, word)
    if word in NAMED and isinstance(value, list):  # several events told as one
        return Several(data_name(system, tag(), word, str(each)) for each in value)
    if word in NAMED:
        return data_name(system, tag(), word, str(value or ""))
    if word in LISTS:
        return Several(data_name(system, tag(), LISTS[word], str(each)) for each in value or ())
    if word == "ships":
        return value if isinstance(value, int) else Several(value or ())
    if word == "signed":
        return with_sign(int(value or 0))
    if word == "card":
        card = cards(system).get(value)
        return _("“%(title)s” (card %(number)s)", title=translate(card["title"]), number=value) if card else str(value)
    if word == "battle_card":
        return say_value(system, value, "kind")
    return say_value(system, value, field)


@lru_cache(maxsize=8192)
def data_name(system: str, language: str, word: str, value: str) -> Name:
    """A name of this system's data, in the reader's language, which is given so that each has its own."""
    return NAMED[word](system, value)


def side(system: str, value: str) -> Name:
    """A side, power or seat."""
    return full_name(seat_word(value))


def space(system: str, value: str) -> Name:
    """A space, hex or region."""
    return full_name(say_value(system, value or None))


def general(system: str, value: str) -> Name:
    """A general or leader; who has only a letter is told with his value (8.11)."""
    named = say_value(system, value or None)
    if found := BY_LETTER.fullmatch(named):
        named = _("%(letter)s (value %(value)s)", letter=found[1], value=found[2])
    return full_name(named, person=True)


NAMED: dict[str, Callable[[str, str], Name]] = {"side": side, "space": space, "general": general}
