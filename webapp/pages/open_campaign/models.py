"""O2.2 The models that the players of a side bring to the table, registered by hand or from a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, redirect, render_template, request, url_for

from strategic.open_campaign.rules.orders import LONGEST, MOST_MODELS, MOST_OWNERS
from strategic.open_campaign.tables import TABLES
from tactical.captains.worth import WORTH, Kind
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.files.book import (
    ENCODINGS,
    FORMATS,
    LARGEST,
    Cells,
    Row,
    cell_name,
    download,
    in_language,
    read_book,
    read_table,
)
from webapp.files.report import Report, Sent, ask_first, sent_file
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.language import tag
from webapp.http.rate_limit import slow_down
from webapp.http.seats import REFUSALS, seat_and_table
from webapp.pages.open_campaign import SYSTEM, open_blueprint
from webapp.pages.open_campaign.orders import side_of, submit
from webapp.presenting.labels import type_word
from webapp.presenting.refusals import Flash, flash_of
from webapp.systems.open_campaign.dispatch import side_name

# -- O2.2 The models that the players of a side own as a sheet: a row for each owner and type of ship.

NAME = "models"  # of the sheet
HEADS = ("owner", "type", "number")
Models = dict[str, dict[str, int]]  # by owner and type


def models_sheet(models: Mapping[str, Mapping[str, int]]) -> list[Cells]:
    """The rows of the models of a side, heads first."""
    rows: list[Cells] = [[*HEADS]]
    rows += [[owner, kind, number] for owner, own in models.items() for kind, number in own.items()]
    return rows


def from_book(data: bytes, encoding: str = "") -> tuple[Models, Report]:
    """The models of a file: of its sheet `models`, else the first. Raises BadInput, whose path is a cell."""
    book = read_book(data, encoding)
    table = read_table(book.sheet_with(NAME, HEADS), HEADS)
    found: Models = {}
    for row in table.rows:
        own, kind = found.setdefault(owner_of(row), {}), row.value("type")
        if len(found) > MOST_OWNERS:
            raise BadInput(row.cell("owner"), "there can be at most %(most)s owners", most=MOST_OWNERS)
        if kind not in TABLES.type:
            raise BadInput(row.cell("type"), "there is no such type of ship")
        own[kind] = own.get(kind, 0) + number_of(row)
    if not found:
        raise BadInput(cell_name(table.sheet.name, 1, 2), "nothing is written here")
    models = sum(number for own in found.values() for number in own.values())
    return found, book.report([table], owners=len(found), models=models)


def owner_of(row: Row) -> str:
    """The owner of a row's models. Raises BadInput."""
    if not 0 < len(row["owner"]) <= LONGEST:
        raise BadInput(row.cell("owner"), "an owner's name may have at most %(most)s letters", most=LONGEST)
    return row["owner"]


def number_of(row: Row) -> int:
    """How many models a row has. Raises BadInput."""
    number = row.whole_at("number")
    if not 0 <= number <= MOST_MODELS:
        raise BadInput(row.cell("number"), "this must be a number from 0 to %(most)s", most=MOST_MODELS)
    return number


# -- The models that the players of a side bring to the table (O2.2): registered by hand or from a spreadsheet.

bp = open_blueprint("open_models")


@bp.get("/<game>/models")
def page(game: str) -> Any:
    """The models of the seat's side; the umpire names a side."""
    return models_page(game)


@bp.get("/<game>/models.<format>")
def as_file(game: str, format: str) -> Response:
    """The same as a spreadsheet."""
    seat, table = seat_and_table(game)
    side = side_of(table.sides, seat)
    own = table.view(side)["models"].get(side, {})
    return download({NAME: models_sheet(own)}, f"models-{side}", format)


@bp.post("/<game>/models")
def register(game: str) -> Any:
    """Register what an owner brings, or the owners of a spreadsheet; then the page again."""
    seat, table = seat_and_table(game)
    side = side_of(table.sides, seat)
    more: dict[str, Any] = {"side": side} if seat == UMPIRE else {}
    try:
        registered = table.view(side)["models"].get(side, {})
        if request.form.get("act") != "file":
            models = {kind: count(request.form.get(kind, "")) or 0 for kind in TABLES.type}
            owner = request.form.get("owner", "").strip()[:200]
            found = {owner: {kind: number for kind, number in models.items() if number}}
        else:
            slow_down("spreadsheets")
            sent = sent_file(LARGEST) or Sent(b"")
            found, report = from_book(sent.data, sent.encoding)
            if len({*registered, *found}) > MOST_OWNERS:
                raise BadInput("file", "there can be at most %(most)s owners", most=MOST_OWNERS)
            if not sent.is_confirmed:
                (rows,) = in_language({NAME: models_sheet(found)}, tag()).values()
                back = url_for(".page", game=game, seat=seat, **more)
                return ask_first(sent, report, rows, _("Register these models"), back, ENCODINGS)
        for owner, models in found.items():
            submit(game, seat, {"type": "register", "side": side, "owner": owner, "models": models})
    except REFUSALS as fault:
        return models_page(game, flash_of(fault, SYSTEM))
    return redirect(url_for(".page", game=game, seat=seat, **more), 303)


def worth_of(models: Mapping[str, int]) -> str:
    """O2.2 What models are worth together in fitted points; a type that has none counts nothing."""
    return f"{WORTH.fleet(Kind(kind) for kind, number in models.items() for _each in range(number)).points:g}"


def models_page(game: str, flash: Flash | None = None) -> Any:
    """The page, with a refusal where there is one."""
    seat, table = seat_and_table(game)
    side = side_of(table.sides, seat)
    view = plain(table.view(side))
    owners = view["models"].get(side, {})
    more: dict[str, Any] = {"side": side} if seat == UMPIRE else {}
    body = render_template(
        "open_campaign/models.html",
        game=table.game,
        seat=seat,
        side=side,
        side_name=side_name(view, side),
        turn=view["turn"],
        owners=owners,
        types=[(kind, type_word(kind)) for kind in TABLES.type],
        points={owner: worth_of(own) for owner, own in owners.items()},
        sums={kind: sum(own.get(kind, 0) for own in owners.values()) for kind in TABLES.type},
        most=view["options"]["models"],
        most_models=MOST_MODELS,
        is_open=view["result"] is None and not view["sides"][side]["resigned"],
        post=url_for(".register", game=game, seat=seat, **more),
        files=[(each.upper(), url_for(".as_file", game=game, format=each, seat=seat, **more)) for each in FORMATS],
        rule=_(
            "A battle asks for no more models than all sides together have registered; a model may stand for "
            "several ships."
        ),
        flash=flash,
    )
    return body, flash.status if flash else 200
