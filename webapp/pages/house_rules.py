"""A group's own values for a system, as pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue
from msgspec import inspect
from werkzeug.datastructures import MultiDict

from tactical.kernel.corrections import MISSING, found, put
from tactical.kernel.house_rules import OPTION, HouseRules
from tactical.kernel.house_rules import as_file as rules_file
from tactical.kernel.protocol import Illegal, System
from tactical.kernel.record import BadInput, bounds_at
from webapp.files import scenario
from webapp.files.book import ENCODINGS, FORMATS, LARGEST, download, in_language
from webapp.files.report import Report, Sent, ask_first, sent_file
from webapp.http.forms import GAME_LIMIT, reason_text
from webapp.http.language import gettext as _
from webapp.http.language import minus, tag
from webapp.http.rate_limit import slow_down
from webapp.http.seats import NoSeat, allow_new_game, current_seat, store
from webapp.pages import lobby
from webapp.pages.campaign.corrections import Field, Part
from webapp.post.seating import no_seat, unknown
from webapp.presenting.labels import system_word, translate, words_of
from webapp.presenting.naming import say_value
from webapp.presenting.presentation import Presentation
from webapp.presenting.refusals import Flash, flash_of
from webapp.storage.errors import Refused, Unknown
from webapp.storage.journal import new_game
from webapp.systems import PRESENTATIONS

# -- A group's own values as fields of a form and as tables in words: each with its meaning, its published value and
# its bounds.
#
# One walk through the values makes both; the bounds stand in the types of the rules' record.

NO_VALUES = ("source", "cite", "note", "title")  # where a value is from, and the group's own title
LONGEST = 60  # letters of a value that is a word


@dataclass(frozen=True)
class Table:
    """A field of the house rules, with what it means: line by line, a general's ratings or a row of a table."""

    name: str
    title: str
    lines: tuple[Part, ...]

    @property
    def is_own(self) -> bool:
        """Has a group replaced anything of it?"""
        return any(field.is_own for line in self.lines for field in line.fields)

    @property
    def head(self) -> tuple[str, ...]:
        """The heads of its columns, where all its lines have the same."""
        heads = {tuple(field.label for field in line.fields) for line in self.lines}
        return next(iter(heads)) if len(heads) == 1 and any(next(iter(heads))) else ()


def tables(system: str, rules: HouseRules[Any], own: Any, form: Mapping[str, str]) -> tuple[Table, ...]:
    """Every value that may be replaced: as published, as a group has it (`own`), or as it was just typed."""
    published, used = rules_file(rules.printed()), rules.in_use(own)
    kind = inspect.type_info(rules.kind)

    def field(path: str, label: str) -> Field:
        first = found(published, path)
        first = None if first is MISSING else first  # a ship type of the group's own
        of, choices = "number" if is_number(first) else "text", tuple[tuple[str, str], ...]()
        if isinstance(first, bool):
            of, choices = "choice", (("true", _("yes")), ("false", _("no")))
        low, high = bounds_at(kind, path.split(".")) or (None, None)
        now = form.get(f"f.{path}", text_of(found(used, path)))
        return Field(path, label, now, of, choices, text_of(first), low, high)

    made = (
        Table(
            name,
            word(system, name),
            tuple(
                Part(title, tuple(field(path, label) for path, label in those))
                for title, those in lines_of(system, name, value)
            ),
        )
        for name, value in used.items()
        if name not in NO_VALUES
    )
    return tuple(table for table in made if table.lines)


def lines_of(system: str, at: str, value: Any, title: str = "") -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The lines of a value, each with what it is called by and its paths with their labels.

    Scalars that stand side by side are one line, and so is each of the numbers by name of a whole table.
    """
    if not isinstance(value, Mapping | list):
        yield title, [(at, "")]
        return
    if isinstance(value, Mapping):
        children = [(f"{at}.{name}", word(system, name), each) for name, each in value.items() if name not in NO_VALUES]
    else:
        children = [(f"{at}.{number}", str(number + 1), each) for number, each in enumerate(value)]
    plain = [(path, label) for path, label, each in children if not isinstance(each, Mapping | list)]
    if plain and len(plain) == len(children) and isinstance(value, Mapping) and "." not in at:
        yield from ((label, [(path, "")]) for path, label in plain)
        return
    if plain:
        yield title, plain
    for path, label, each in children:
        if isinstance(each, Mapping | list):
            yield from lines_of(system, path, each, f"{title} · {label}" if title else label)


def is_number(value: Any) -> bool:
    """Is it a number, or one that is left open?"""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def text_of(value: Any) -> str:
    """A value as it stands in a field."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def value_words(system: str, value: Any) -> str:
    """A value as it stands in a table."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return word(system, value) if isinstance(value, str) else minus(value)


def word(system: str, name: str) -> str:
    """A field that may be replaced by its word, anything else by its name."""
    own = words_of(system).house.get(name)
    return translate(own) if own else say_value(system, name)


def replacements(system: str, rules: HouseRules[Any], form: MultiDict[str, str]) -> dict[str, Any]:
    """What the fields replace, as a group writes it: whole tables, and of what has names only those that differ.

    An empty field, and one with the published value, replaces nothing. Raises BadInput by the field's path.
    """
    published, nothing = rules_file(rules.printed()), rules_file(rules.kind())
    after = rules_file(rules.printed())
    for name, value in published.items():
        for _at, cells in lines_of(system, name, value) if name not in NO_VALUES else ():
            for path, _label in cells:
                text, now = form.get(f"f.{path}", "").strip(), found(published, path)
                if text not in ("", text_of(now)):
                    put(after, None, path, read_value(text, now, path))
    own: dict[str, Any] = {}
    for name, value in after.items():
        if name in NO_VALUES or value == published[name]:
            continue
        by_name = nothing[name] == {} and isinstance(value, Mapping)
        own[name] = {key: one for key, one in value.items() if one != published[name].get(key)} if by_name else value
    title = form.get("title", "").strip()
    return {**without_marks(own), **({"title": title} if title else {})}


def read_value(text: str, now: Any, path: str) -> Any:
    """What was typed, as a value of the kind that is published. Raises BadInput."""
    if len(text) > LONGEST:
        raise BadInput(path, "this is too long")
    if isinstance(now, bool):
        return text == "true"
    if not is_number(now):
        return text
    try:
        return float(text) if isinstance(now, float) else int(text)
    except ValueError:
        raise BadInput(path, "a whole number is needed") from None


def without_marks(value: Any) -> Any:
    """The value without where it is from: a group's own is from the group."""
    if isinstance(value, Mapping):
        return {name: without_marks(one) for name, one in value.items() if name not in NO_VALUES}
    return [without_marks(one) for one in value] if isinstance(value, list) else value


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
            own = rules.read(replacements(system, rules, request.form))
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
        return sent.text()[0]
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
    shown_by, used = PRESENTATIONS.get(name, Presentation(name, {})), rules.in_use(own)
    body = render_template(
        "campaign/house.html",
        system=system,
        called=system_word(name),
        rules=rules,
        text=text,
        own=own,
        flash=flash,
        report=report,
        fields=tables(name, rules, own, request.form),
        said=lambda field: value_words(name, found(used, field.path)),
        wrong=wrong,
        tables=shown_by.house,
        more=shown_by.house_values(own),
    )
    return body, flash.status if flash else 200
