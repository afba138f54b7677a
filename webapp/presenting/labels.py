"""Names of things in the reader's language, from data files too."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from flask_babel import get_locale
from flask_babel import lazy_gettext as _l

import data
from strategic import NAMES
from tactical.exercises import Puzzle
from tactical.kernel.record import Input
from webapp.http.language import gettext as _
from webapp.http.language import minus, tag

# -- What a system's own things are called: `data/<system>/words.toml`, in English; the catalogues translate it.
#
# Words that several systems share stand with the pages that show them; a system's own word comes before a shared one.

Texts = dict[str, str]


class Words(Input, frozen=True):
    """data/<system>/words.toml: names by id, in English.

    `title` is the system's short name; `position` names the fields of its state for the umpire's hand, `house` what a
    group may replace, `chapters` its paragraphs where their ids are words; `colours` are the numbers of its sides,
    which have the printed colours; without them sides are numbered as they stand in the game.
    """

    title: str
    sides: Texts = {}
    fields: Texts = {}
    phases: Texts = {}
    position: Texts = {}
    house: Texts = {}
    chapters: Texts = {}
    colours: dict[str, int] = {}


@cache
def words_of(system: str) -> Words:
    """The words of a system; none but its own name for what has no such file (a test's toy)."""
    path = f"{system}/words.toml"
    return data.read(path, Words) if (data.ROOT / path).exists() else Words(system)


def all_words() -> tuple[Words, ...]:
    """The words of all campaigns, for ids that mean the same everywhere: sides."""
    return tuple(words_of(name) for name in NAMES)


# -- What places are called in the reader's language: `data/geo/places.<language>.toml`, by their names on the maps.


class PlaceNames(Input, frozen=True):
    """data/geo/places.<language>.toml: names by those of the maps; `same` are those that the language leaves alone."""

    same: tuple[str, ...] = ()
    names: dict[str, str] = {}


@cache
def place_names(language: str) -> Mapping[str, str]:
    """All names of one language; none for a language in which places keep the names of the maps."""
    path = f"geo/places.{language}.toml"
    if not (data.ROOT / path).exists():
        return {}
    found = data.read(path, PlaceNames)
    return {**{name: name for name in found.same}, **found.names}


def place_name(name: str) -> str:
    """A space, province or region by its name on the map, in the reader's language; what is none stays as it is."""
    return place_names(tag()).get(name, name)


# -- A campaign's tables as its TOML files hold them: grids by die and column, rows, and single numbers.

FILES = ("tables.toml", "rules.toml", "ships.toml")
PLAIN = (str, int, float, bool)
MARKS = ("cite", "source", "note", "first_die", "columns")


class Grid(NamedTuple):
    """One table: its name in the file, its paragraph and source, its head and its rows."""

    id: str
    title: str
    cite: str
    source: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@cache
def grids(system: str) -> tuple[Grid, ...]:
    """All tables of a system, in the order of its files."""
    found: list[Grid] = []
    for name in FILES:
        path = data.ROOT / system / name
        if path.exists():
            for key, value in tomllib.loads(path.read_text()).items():
                found += of_entry(key, value)
    return tuple(found)


def of_entry(key: str, value: Any) -> Iterator[Grid]:
    """The tables of one entry of a file."""
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        if any(is_rows(part) for row in value for part in row.values()):
            for number, row in enumerate(value, 1):
                yield from of_entry(f"{key}.{row.get('id') or row.get('name') or number}", row)
        else:
            yield of_rows(key, {}, value)
    elif isinstance(value, dict):
        yield from of_table(key, value)


def of_table(key: str, value: dict[str, Any]) -> Iterator[Grid]:
    """A table of the file: each grid and each list of rows in it, then its single values together."""
    single: list[tuple[str, ...]] = []
    for name, part in value.items():
        if name in MARKS:
            continue
        if isinstance(part, list) and part and all(isinstance(row, list) for row in part):
            yield of_grid(f"{key}.{name}", value, part)
        elif is_rows(part):
            yield of_rows(f"{key}.{name}" if name != "rows" else key, value, part)
        elif isinstance(part, dict) and not all(isinstance(each, PLAIN) for each in part.values()):
            inherited = {mark: value[mark] for mark in ("cite", "source") if mark in value}
            yield from of_entry(f"{key}.{name}", {**inherited, **part})
        else:
            single.append((field_words(name), cell(part)))
    if single:
        yield grid_of(key, value, ("", ""), tuple(single))


def is_rows(part: Any) -> bool:
    """A list of records."""
    return isinstance(part, list) and bool(part) and all(isinstance(row, dict) for row in part)


def of_grid(key: str, value: dict[str, Any], part: list[list[Any]]) -> Grid:
    """A grid by modified die (rows) and column."""
    first = value.get("first_die", 1)
    widest = max(len(row) for row in part)
    columns = [cell(each) for each in value.get("columns", range(1, widest + 1))][:widest]
    rows = tuple((str(first + number), *map(cell, row)) for number, row in enumerate(part))
    return grid_of(key, value, ("", *columns), rows)


def of_rows(key: str, value: dict[str, Any], part: list[dict[str, Any]]) -> Grid:
    """A list of records as a table with a column for each of their fields."""
    names = list(dict.fromkeys(name for row in part for name in row))
    rows = tuple(tuple(cell(row.get(name, "")) for name in names) for row in part)
    return grid_of(key, value, tuple(map(field_words, names)), rows)


def grid_of(key: str, value: dict[str, Any], columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Grid:
    """The table with what its entry says of itself."""
    cite, source, note = (str(value.get(mark, "")) for mark in ("cite", "source", "note"))
    return Grid(key, field_words(key), cite, source, note, columns, rows)


def field_words(name: str) -> str:
    """A field's name as words."""
    return name.replace("_", " ").replace(".", ": ")


def cell(value: Any) -> str:
    """A value as it stands in a cell."""
    if isinstance(value, bool):
        return "●" if value else ""
    if isinstance(value, list | tuple):
        return ", ".join(map(cell, value))
    if isinstance(value, dict):
        return ", ".join(f"{field_words(name)} {cell(each)}".strip() for name, each in value.items())
    return minus(value) if isinstance(value, int | float) else str(value)


# -- Words of the data in the reader's language: `data/<system>/<file>.<language>.toml`, each text by its English.
#
# What such a file does not have stays as it is. In `tables.<language>.toml` a key "table/word" stands for the word in
# that table only.


@cache
def texts_of(system: str, file: str, language: str) -> dict[str, str]:
    """The texts of one file beside the data; none for a language that has no such file."""
    path = data.ROOT / system / f"{file}.{language}.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


def chapter_word(system: str, title: str) -> str:
    """A chapter's heading."""
    return texts_of(system, "chapters", str(get_locale())).get(title, title)


def grids_in_words(system: str) -> tuple[Grid, ...]:
    """All tables of a campaign."""
    return grids_in(system, str(get_locale()))


@cache
def grids_in(system: str, language: str) -> tuple[Grid, ...]:
    """All tables of a campaign, in one language."""
    words = texts_of(system, "tables", language)
    return tuple(in_words(grid, words, place_names(language)) for grid in grids(system))


def in_words(grid: Grid, words: dict[str, str], places: Mapping[str, str]) -> Grid:
    """A table with its title, heads, cells and note in these words, its places by these names."""

    def said(text: str) -> str:
        found = words.get(f"{grid.id}/{text}", words.get(text, text))
        return ", ".join(places.get(part, part) for part in found.split(", "))

    return grid._replace(
        title=": ".join(map(said, grid.title.split(": "))),
        note=said(grid.note),
        columns=tuple(map(said, grid.columns)),
        rows=tuple(tuple(map(said, row)) for row in grid.rows),
    )


# -- The lobby's names of things in the reader's language.

BETWEEN = " · "


def translate(text: str) -> str:
    """A text of a data file, such as a scenario's title; whatever has no translation stays as it is.

    A battle of a campaign bears its place before the campaign's title: each is told.
    """
    if BETWEEN in text:
        return BETWEEN.join(place_name(_(part)) for part in text.split(BETWEEN) if part)
    return _(text) if text else ""


def system_word(name: str) -> str:
    """A rule system, or the book of campaign and battle, by its short name."""
    return translate(words_of(name).title)


def nation_word(name: str, title: str) -> str:
    """A nation of the fleet builder."""
    known = {
        "romans": _("Romans"),
        "carthaginians": _("Carthaginians"),
        "greeks": _("Greeks"),
        "macedonians": _("Macedonians"),
        "rhodians": _("Rhodians"),
        "athenians": _("Athenians"),
        "asiatics": _("Asiatics (Persians)"),
    }
    return known.get(name, title)


TYPES = {
    "bireme": _l("bireme"),
    "trireme": _l("trireme"),
    "quadrireme": _l("quadrireme"),
    "quinquereme": _l("quinquereme"),
    "hepteres": _l("hepteres"),
    "transport": _l("transport"),
}
CREWS = {"elite": _l("elite"), "average": _l("average"), "poor": _l("poor")}


def type_word(kind: str) -> str:
    """A ship type."""
    return str(TYPES.get(kind, kind))


def crew_word(crew: str) -> str:
    """The quality of the rowers."""
    return str(CREWS.get(crew, crew))


def rowers_word(crew: str) -> str:
    """The quality of the rowers where nothing beside it says that they are meant."""
    return {"elite": _("elite rowers"), "average": _("average rowers"), "poor": _("poor rowers")}.get(crew, crew)


def coast_word(coast: str) -> str:
    """Where the builder's land lies."""
    known = {
        "open": _("open sea"),
        "west": _("coast to the west"),
        "east": _("coast to the east"),
        "both": _("strait between two coasts"),
        "island": _("island in the middle"),
    }
    return known.get(coast, coast)


def seat_word(seat: str) -> str:
    """A seat that is no side."""
    return {"umpire": _("Umpire"), "spectator": _("Spectator")}.get(seat, seat)


def option_word(name: str, meaning: str) -> str:
    """What an option means, or its name where its system does not say."""
    return translate(meaning) or name.replace("_", " ")


def choice_word(choice: str, option: str = "") -> str:
    """A choice of an option; some are said differently for this option than for others."""
    known = {
        "withdraw": _("leaves the battle"),
        "wall": _("wall"),
        "above_cruise": _("all above cruise"),
        "maximum": _("only the maximum"),
        "free": _("any order"),
        "initiative": _("initiative by die"),
        "false": _("no"),
        "true": _("yes"),
        "all_round": _("all round"),
        "forward": _("forward of the beam"),
        "ship": _("one ship"),
        "squadron": _("squadron of five"),
        "always": _("always"),
        "held": _("only if you hold one"),
        "open": _("does not block it"),
        "blocked": _("blocks it"),
        "defender_attacks": _("the defender attacks"),
        "defender_chooses": _("the defender chooses"),
        "none": _("none"),
        "province": _("one for the province"),
        "dealt": _("dealt by the program"),
        "entered": _("entered by the players"),
        "deck": _("dealt by the program"),
        "ask": _("may fight in this program"),
        "table": _("in this program"),
        "naval_battles.table": _("never in this program"),
        "by_hand.at_once": _("it counts at once"),
        "by_hand.one": _("one other player must agree"),
        "by_hand.all": _("all other players must agree"),
        "by_hand.umpire": _("the umpire must agree"),
        "sea_battles.table": _("On the table."),
        "sea_battles.dice": _("By dice."),
        "sea_battles.both": _("Both must choose."),
        "sea_battles.umpire": _("The umpire."),
    }
    return known.get(f"{option}.{choice}") or known.get(choice) or choice.replace("_", " ")


def decided_word(choice: str) -> str:
    """L1.2 What it means where battles at sea are decided."""
    known = {
        "table": _("Fleets that meet fight with galleys; both sides together may still leave it to the dice."),
        "dice": _("The campaign's own rules settle each meeting at once; no galley is moved."),
        "both": _(
            "At each meeting both sides must choose the same: a battle in this "
            "program, the dice, or a report from elsewhere."
        ),
        "umpire": _("At each meeting the umpire says how it is settled."),
    }
    return known.get(choice, "")


def words() -> dict[str, object]:
    """All of them, for templates."""
    return {
        each.__name__: each
        for each in (
            translate,
            system_word,
            nation_word,
            type_word,
            crew_word,
            rowers_word,
            coast_word,
            seat_word,
            option_word,
            choice_word,
            decided_word,
        )
    }


# -- What a puzzle asks, in a sentence.


def goal_sentence(puzzle: Puzzle) -> str:
    """The goal of a puzzle."""
    ship = puzzle.start.ships[puzzle.target].get("name", puzzle.target)
    if puzzle.what == "sink" and puzzle.turns == 2:
        return _("Sink %(ship)s in two turns: before the next turn is over.", ship=ship)
    if puzzle.what == "sink":
        return _("Sink %(ship)s before this turn is over.", ship=ship)
    if puzzle.what == "take":
        return _("Take %(ship)s before this turn is over.", ship=ship)
    if puzzle.what == "oars":
        return _("Break the oars of %(ship)s before this turn is over.", ship=ship)
    return _("Come away with all your ships: none is sunk, taken or boarded when this turn is over.")
