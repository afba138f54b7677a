"""What players call the things that a state knows by id: spaces, provinces, generals, cards, towns."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from flask_babel import ngettext

import data
from webapp.http.language import gettext as _
from webapp.http.language import tag
from webapp.presenting.campaign_labels import command_word, kind_word, known_field, side_word, use_word, value_word
from webapp.presenting.data_words import texts_of as known_words
from webapp.presenting.hex_names import hex_name
from webapp.presenting.labels import translate
from webapp.presenting.map.layout import has_map, sheet
from webapp.presenting.names import full_name
from webapp.presenting.place_names import place_name
from webapp.presenting.sentences import tell

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
