"""A group's own values for a system: shown as they are in use, checked, kept in a file, played with."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue

from tactical.kernel.house_rules import OPTION, HouseRules
from tactical.kernel.protocol import Illegal, System
from tactical.kernel.record import BadInput
from webapp.http.input_words import reason_text
from webapp.http.language import gettext as _
from webapp.http.organizer import allow_new_game
from webapp.http.rate_limit import slow_down
from webapp.http.seats import NoSeat, current_seat, store
from webapp.pages.house import fields
from webapp.pages.house.values import values_of, word
from webapp.pages.lobby import links
from webapp.presenting.flash import Flash, flash_of
from webapp.presenting.labels import system_word
from webapp.presenting.presentation import Presentation
from webapp.seating.no_seat import no_seat, unknown
from webapp.spreadsheets import ship_types
from webapp.spreadsheets.book import LARGEST
from webapp.spreadsheets.writing import FORMATS, download
from webapp.storage.errors import Refused, Unknown
from webapp.storage.journal import new_game
from webapp.systems.presentations import PRESENTATIONS

bp = Blueprint("house", __name__, template_folder="../../systems", url_prefix="/campaign")
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)


def rules_of(name: str) -> tuple[System, HouseRules[Any]]:
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
    _found, rules = rules_of(system)
    text = ""
    try:
        if request.form.get("by") == "fields":
            own = rules.read(fields.replacements(system, request.form))
        elif (data := sent_sheet()) and system == "galley":
            slow_down("spreadsheets")
            own = rules.read({"title": request.form.get("title", ""), "types": ship_types.from_book(data)[0]})
        else:
            text = sent_text()
            own = rules.from_text(text)
        match request.form.get("do", "check"):
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
    rules = rules_of(system)[1]
    return as_file(system, rules.written(rules.printed()))


@bp.get("/house/galley/types.<format>")
def types_file(format: str) -> Response:
    """The ship types of the program as a spreadsheet (csv, ods, xlsx), to be changed and sent back."""
    return download({ship_types.NAME: ship_types.types_sheet({})}, "navarch-ship-types", format)


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
    system, rules = rules_of(store().game(game).system)
    own = rules.kept(store().load(game).state)
    if own is None:
        raise Refused(_("This game is played with the tables of the program."))
    return system.name, rules, own


def sent_sheet() -> bytes:
    """The spreadsheet that was sent; nothing where it is another file, or none."""
    sent = request.files.get("file")
    if sent is None or not (sent.filename or "").casefold().endswith(tuple(f".{name}" for name in FORMATS)):
        return b""
    return sent.stream.read(LARGEST + 1)


def sent_text() -> str:
    """The file that was sent, else the text that was pasted."""
    sent = request.files.get("file")
    if sent is not None and sent.filename:
        try:
            return sent.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadInput("file", _("this is not a text file in UTF-8")) from None
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
    links.keep(game, tokens)
    return redirect(f"/seats/{game.id}", 303)


def house_page(name: str, text: str, own: Any, flash: Flash | None, wrong: str = "") -> ResponseReturnValue:
    """The page; values that hold are shown in place of ours. `wrong` is the field of a refusal."""
    system, rules = rules_of(name)
    shown_by = PRESENTATIONS.get(name, Presentation(name, {}))
    body = render_template(
        "campaign/house.html",
        system=system,
        called=system_word(name),
        rules=rules,
        text=text,
        own=own,
        flash=flash,
        fields=fields.tables(name, own, request.form),
        wrong=wrong,
        tables=shown_by.house,
        more=shown_by.house_values(own),
        lists=values_of(name, rules.in_use(own), rules.replaced(own) if own is not None else {}),
    )
    return body, flash.status if flash else 200
