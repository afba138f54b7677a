"""A group's own values for a system, as pages."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from tactical.kernel.house_rules import OPTION, HouseRules
from tactical.kernel.house_rules import as_file as rules_file
from tactical.kernel.protocol import Illegal, System
from tactical.kernel.record import BadInput
from webapp.files import scenario
from webapp.files.book import ENCODINGS, FORMATS, LARGEST, download, in_language
from webapp.files.report import Report, Sent, ask_first, sent_file
from webapp.http.forms import GAME_LIMIT, reason_text
from webapp.http.language import gettext as _
from webapp.http.language import minus, tag
from webapp.http.rate_limit import slow_down
from webapp.http.seats import NoSeat, allow_new_game, current_seat, store
from webapp.pages import lobby
from webapp.post.seating import no_seat, unknown
from webapp.presenting.labels import system_word, translate, words_of
from webapp.presenting.naming import say_value
from webapp.presenting.presentation import Presentation
from webapp.presenting.refusals import Flash, flash_of
from webapp.storage.errors import Refused, Unknown
from webapp.storage.journal import new_game
from webapp.storage.journal.store import all_systems
from webapp.systems.presentations import PRESENTATIONS

# -- A group's own values beside those of the program, as tables in words.

MARKS = ("source", "cite")  # where a value is from: no value itself


@dataclass(frozen=True)
class Row:
    """A line of a table: what it is of, its values, and whether a group has replaced it."""

    name: str
    cells: tuple[str, ...]
    own: bool = False


@dataclass(frozen=True)
class Values:
    """One field of what a group may replace."""

    name: str
    rows: tuple[Row, ...]
    head: tuple[str, ...] = ()


def values_of(system: str, used: Mapping[str, Any], replaced: Mapping[str, Any]) -> tuple[Values, ...]:
    """The values in use, field by field; `replaced` are those of a group."""
    return tuple(
        Values(word(system, name), *rows_of(system, value, replaced.get(name)))
        for name, value in used.items()
        if name != "title"
    )


def rows_of(system: str, value: Any, own: Any) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """The lines of a field, and the heads of its columns where they have words."""
    if isinstance(value, Mapping):
        return named_rows(system, value, own if isinstance(own, Mapping) else {})
    several = isinstance(value, list) and bool(value) and isinstance(value[0], list)
    rows = value if several else [value if isinstance(value, list) else [value]]
    names = (str(number) for number in range(1, len(rows) + 1)) if several else ("",)
    return tuple(Row(name, cells(system, row), own is not None) for name, row in zip(names, rows, strict=True)), ()


def named_rows(
    system: str, value: Mapping[str, Any], own: Mapping[str, Any]
) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """A line for each name; where each has values by name, these are columns."""
    records = [each for each in value.values() if isinstance(each, Mapping)]
    known = dict.fromkeys(key for each in records for key in each if key not in MARKS)
    columns = tuple(known) if len(records) == len(value) else ()
    rows = []
    for name, each in value.items():
        shown = [each.get(column) for column in columns] if columns else each if isinstance(each, list) else [each]
        rows.append(Row(word(system, name), cells(system, shown), name in own))
    return tuple(rows), tuple(word(system, column) for column in columns)


def cells(system: str, values: Iterable[Any]) -> tuple[str, ...]:
    """Each value in words."""
    return tuple(value_words(system, value) for value in values)


def value_words(system: str, value: Any) -> str:
    """One value in words: numbers, names, yes and no, and what has parts."""
    if value is None or value == "":
        return "–"
    if isinstance(value, Mapping):
        apart = "; " if any(isinstance(each, Mapping) for each in value.values()) else ", "
        return (
            apart.join(f"{word(system, name)} {value_words(system, each)}" for name, each in value.items() if each)
            or "–"
        )
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return word(system, value) if isinstance(value, str) else minus(value)


def word(system: str, name: str) -> str:
    """A field that may be replaced by its word, anything else by its name."""
    own = words_of(system).house.get(name)
    return translate(own) if own else say_value(system, name)


# -- A group's own values as fields of a form: each with its meaning, the published value and its bounds.
#
# The bounds are asked of the rules' own check: a value far beyond them is refused with the least and the most.

NO_VALUES = (*MARKS, "note", "title")  # where a value is from, and the group's own title
BEYOND = 10**6
GIVEN_UP = 3  # so many numbers of a table without bounds in a row: the others have none either
LONGEST = 60  # letters of a value that is a word
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Cell:
    """One value: its path, a label within its line, what stands there, what is published, and its bounds."""

    path: str
    label: str
    value: str
    published: str
    kind: str
    low: int | None = None
    high: int | None = None

    @property
    def is_own(self) -> bool:
        """Has a group replaced it?"""
        return self.value != self.published


@dataclass(frozen=True)
class Line:
    """Values that belong together: a general's ratings, a row of a table."""

    name: str
    cells: tuple[Cell, ...]

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The bounds of all of them, where they are the same."""
        found = {(cell.low, cell.high) for cell in self.cells}
        low, high = next(iter(found))
        return (low, high) if len(found) == 1 and low is not None and high is not None else None


@dataclass(frozen=True)
class Table:
    """A field of the house rules, with what it means."""

    name: str
    title: str
    lines: tuple[Line, ...]

    @property
    def is_own(self) -> bool:
        """Has a group replaced anything of it?"""
        return any(cell.is_own for line in self.lines for cell in line.cells)


def tables(system: str, own: Any, form: Mapping[str, str]) -> tuple[Table, ...]:
    """Every value that may be replaced: as published, as a group has it (`own`), or as it was just typed."""
    rules = rules_of(system)
    published, used = rules_file(rules.printed()), rules.in_use(own)
    limits = bounds(system)
    found = []
    for name, value in used.items():
        if name in NO_VALUES:
            continue
        lines = tuple(
            Line(
                " · ".join(word(system, str(part)) if isinstance(part, str) else str(part + 1) for part in at[1:]),
                tuple(cell(system, path, label, used, published, limits, form) for path, label in cells),
            )
            for at, cells in lines_of(system, (name,), value)
        )
        if lines:
            found.append(Table(name, word(system, name), lines))
    return tuple(found)


def lines_of(system: str, at: Path, value: Any) -> Iterator[tuple[Path, list[tuple[Path, str]]]]:
    """The lines of a value: scalars that stand side by side in one, whatever has parts in lines of its own."""
    if not isinstance(value, Mapping | list):
        yield at, [(at, "")]
        return
    children = list(value.items() if isinstance(value, Mapping) else enumerate(value))
    children = [(name, child) for name, child in children if name not in NO_VALUES]
    plain = [name for name, child in children if not isinstance(child, Mapping | list)]
    if plain and len(plain) == len(children) and isinstance(value, Mapping) and len(at) == 1:
        for name in plain:  # numbers by name, each a line
            yield (*at, name), [((*at, name), "")]
        return
    if plain:
        yield at, [((*at, name), word(system, name) if isinstance(name, str) else str(name + 1)) for name in plain]
    for name, child in children:
        if name not in plain:
            yield from lines_of(system, (*at, name), child)


def cell(system: str, path: Path, label: str, used: Any, published: Any, limits: Any, form: Mapping[str, str]) -> Cell:
    """One value as a field."""
    key = ".".join(map(str, path))
    first = found(published, path)
    kind = "choice" if isinstance(first, bool) else "number" if is_number(first) else "text"
    low, high = limits.get(key, (None, None))
    return Cell(key, label, form.get(f"f.{key}", text_of(found(used, path))), text_of(first), kind, low, high)


def is_number(value: Any) -> bool:
    """Is it a number, or one that is left open?"""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def found(value: Any, path: Path) -> Any:
    """What stands at a path; None where nothing does."""
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def text_of(value: Any) -> str:
    """A value as it stands in a field."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


# Read ------------------------------------------------------------------------------------------------------


def replacements(system: str, form: MultiDict[str, str]) -> dict[str, Any]:
    """What the fields replace, as a group writes it: whole tables, and of what has names only those that differ.

    An empty field, and one with the published value, replaces nothing. Raises BadInput by the field's path.
    """
    rules = rules_of(system)
    published, nothing = rules_file(rules.printed()), rules_file(rules.kind())
    after = copy.deepcopy(published)
    for name, value in published.items():
        for _at, cells in lines_of(system, (name,), value) if name not in NO_VALUES else ():
            for path, _label in cells:
                put(after, path, form)
    put_in: dict[str, Any] = {}
    for name, value in after.items():
        if name in NO_VALUES or value == published[name]:
            continue
        by_name = nothing[name] == {} and isinstance(value, Mapping)
        put_in[name] = {key: one for key, one in value.items() if one != published[name].get(key)} if by_name else value
    title = form.get("title", "").strip()
    return {**without_marks(put_in), **({"title": title} if title else {})}


def put(after: Any, path: Path, form: Mapping[str, str]) -> None:
    """Put what was typed for one value. Raises BadInput."""
    key = ".".join(map(str, path))
    text, now = form.get(f"f.{key}", "").strip(), found(after, path)
    if text in ("", text_of(now)):
        return
    if len(text) > LONGEST:
        raise BadInput(key, "this is too long")
    held = after
    for part in path[:-1]:
        held = held[part]
    held[path[-1]] = read_value(text, now, key)


def read_value(text: str, now: Any, key: str) -> Any:
    """What was typed, as a value of the kind that is published. Raises BadInput."""
    if isinstance(now, bool):
        return text == "true"
    if not is_number(now):
        return text
    try:
        return float(text) if isinstance(now, float) else int(text)
    except ValueError:
        raise BadInput(key, "a whole number is needed") from None


def without_marks(value: Any) -> Any:
    """The value without where it is from: a group's own is from the group."""
    if isinstance(value, Mapping):
        return {name: without_marks(one) for name, one in value.items() if name not in NO_VALUES}
    return [without_marks(one) for one in value] if isinstance(value, list) else value


# Bounds ----------------------------------------------------------------------------------------------------


@lru_cache(16)
def bounds(system: str) -> dict[str, tuple[int, int]]:
    """The least and the most of each number, as the rules' own check says when it is far beyond."""
    published = rules_file(rules_of(system).printed())
    known: dict[str, tuple[int, int]] = {}
    for name, value in published.items():
        lines = lines_of(system, (name,), value) if name not in NO_VALUES else ()
        missed = 0
        for path in (path for _at, cells in lines for path, _label in cells):
            limits = bounds_at(system, published, path) if missed < GIVEN_UP else None
            if limits is not None:
                known[".".join(map(str, path))] = limits
            missed = 0 if limits is not None else missed + 1
    return known


def bounds_at(system: str, published: Mapping[str, Any], path: Path) -> tuple[int, int] | None:
    """The bounds of one number; None where the check names none."""
    if not is_number(found(published, path)):
        return None
    form = MultiDict({f"f.{'.'.join(map(str, path))}": str(BEYOND)})
    try:
        rules_of(system).read(replacements(system, form))
    except BadInput as fault:
        values = fault.why.values
        low, high = values.get("least"), values.get("most")
        return (low, high) if isinstance(low, int) and isinstance(high, int) else None
    return None


def rules_of(system: str) -> HouseRules[Any]:
    """What a group may replace of a system that has such values."""
    rules = all_systems()[system].house
    assert rules is not None
    return rules


# -- A group's own values for a system: shown as they are in use, checked, kept in a file, played with.

bp = Blueprint("house", __name__, template_folder="../systems", url_prefix="/campaign")
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)


def system_rules(name: str) -> tuple[System, HouseRules[Any]]:
    """A system, and what a group may replace of it. Raises Unknown where there is nothing."""
    system = new_game.find_system(store().systems, name)
    if system.house is None:
        raise Unknown(_("A group cannot replace any values of this system."))
    return system, system.house


@bp.get("/house/<system>")
def house(system: str) -> ResponseReturnValue:
    """The values in use, and the form for one's own."""
    return house_page(system, "", None, None)


@bp.post("/house/<system>")
def own_house(system: str) -> ResponseReturnValue:
    """Check what was pasted or sent; on demand give it back as a file or begin a game with it."""
    _found, rules = system_rules(system)
    text, report, do = "", None, request.form.get("do", "check")
    try:
        if request.form.get("by") == "fields":
            own = rules.read(replacements(system, request.form))
        elif system == "galley" and (sent := sent_sheet()) is not None:
            slow_down("spreadsheets")
            types, _points, report = scenario.from_book(sent.data, sent.encoding)
            own = rules.read({"title": request.form.get("title", ""), "types": types})
            if do == "start" and not sent.is_confirmed:
                (rows,) = in_language({scenario.NAME: scenario.types_sheet(own.types)}, tag()).values()
                return ask_first(sent, report, rows, _("Use these ship types"), request.path, ENCODINGS)
        else:
            text = sent_text()
            own = rules.from_text(text)
        match do:
            case "download":
                return as_file(system, rules.written(own))
            case "start":
                return begin(system, rules.written(own), own.title)
            case _:
                return house_page(
                    system,
                    text or rules.written(own),
                    own,
                    Flash(_("These values are in order."), status=200, kind="said"),
                    report=report,
                )
    except BadInput as fault:  # the path as it is written in the file
        path = fault.path.removeprefix(f"{OPTION}.")
        name = " · ".join(word(system, part) for part in path.split(".")) if not text else fault.path
        said = _("%(field)s: %(reason)s.", field=name, reason=reason_text(fault.why).rstrip("."))
        return house_page(system, text, None, Flash(said), wrong=path)
    except (Illegal, Refused) as fault:
        return house_page(system, text, None, flash_of(fault))


@bp.get("/house/<system>/tables.json")
def tables_in_use(system: str) -> Response:
    """The program's own values as they stand, to be changed and sent back."""
    rules = system_rules(system)[1]
    return as_file(system, rules.written(rules.printed()))


@bp.get("/house/galley/types.<format>")
def types_file(format: str) -> Response:
    """The ship types of the program as a spreadsheet (csv, ods, xlsx), to be changed and sent back."""
    return download({scenario.NAME: scenario.types_sheet({})}, "navarch-ship-types", format)


@bp.get("/<game>/house")
def house_of(game: str) -> ResponseReturnValue:
    """The values that a game is played with: the group's own among those of the program."""
    system, rules, own = played_with(game)
    return house_page(system, rules.written(own), own, None)


@bp.get("/<game>/house.json")
def file_of(game: str) -> Response:
    """The values of a group that a game is played with, to share with another group."""
    system, rules, own = played_with(game)
    return as_file(system, rules.written(own))


def played_with(game: str) -> tuple[str, HouseRules[Any], Any]:
    """The system of a game, and what its group has replaced. Raises Refused where that is nothing."""
    current_seat(game)
    system, rules = system_rules(store().game(game).system)
    own = rules.kept(store().load(game).state)
    if own is None:
        raise Refused(_("This game is played with the tables of the program."))
    return system.name, rules, own


def sent_sheet() -> Sent | None:
    """The spreadsheet that was sent; None where it is another file, or none."""
    file = request.files.get("file")
    if (
        file is not None
        and file.filename
        and not file.filename.casefold().endswith(tuple(f".{name}" for name in FORMATS))
    ):
        return None
    return sent_file(LARGEST)


def sent_text() -> str:
    """The file that was sent, else the text that was pasted."""
    if (sent := sent_file(GAME_LIMIT)) is not None:
        return sent.text()
    text = request.form.get("text", "")
    if not text.strip():
        raise BadInput("text", _("paste your tables, or choose a file"))
    return text


def as_file(system: str, text: str) -> Response:
    """The values as a file to share."""
    answer = current_app.response_class(text, mimetype="application/json")
    name = system.replace("_", "-")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}-tables.json"'
    return answer


def begin(system: str, text: str, title: str) -> ResponseReturnValue:
    """A new game with these values; then the links of its seats."""
    allow_new_game()
    dice = "physical" if request.form.get("dice") == "physical" else "digital"
    scenario = request.form.get("scenario")
    game, tokens = store().create(system, scenario, None, {OPTION: json.loads(text)}, title or None, dice)
    lobby.keep(game, tokens)
    return redirect(f"/seats/{game.id}", 303)


def house_page(
    name: str, text: str, own: Any, flash: Flash | None, wrong: str = "", report: Report | None = None
) -> ResponseReturnValue:
    """The page; values that hold are shown in place of ours. `wrong` is the field of a refusal."""
    system, rules = system_rules(name)
    shown_by = PRESENTATIONS.get(name, Presentation(name, {}))
    body = render_template(
        "campaign/house.html",
        system=system,
        called=system_word(name),
        rules=rules,
        text=text,
        own=own,
        flash=flash,
        report=report,
        fields=tables(name, own, request.form),
        wrong=wrong,
        tables=shown_by.house,
        more=shown_by.house_values(own),
        lists=values_of(name, rules.in_use(own), rules.replaced(own) if own is not None else {}),
    )
    return body, flash.status if flash else 200
