"""3.3 A group's own tables for Punic Wars: shown as they are, checked, kept in a file, played with."""

from __future__ import annotations

import json
from typing import Any

from flask import Response, current_app, redirect, render_template, request

from strategic.punic_wars.rules.charts import printed
from strategic.punic_wars.rules.house_rules import House, chart, read_house, sheet, validate_house, written
from strategic.punic_wars.tables import PRINTED
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, plain
from webapp.http.language import gettext as _
from webapp.http.organizer import allow_new_game
from webapp.http.seats import current_seat, store
from webapp.pages.campaign.blueprint import bp
from webapp.pages.campaign.flash import Notice, refused
from webapp.pages.lobby import links
from webapp.storage import starting
from webapp.storage.errors import Refused
from webapp.systems.punic_wars.messages import outcome

SYSTEM = "punic_wars"
PAGE = f"/house/{SYSTEM}"


@bp.get(PAGE)
def house() -> Any:
    """The tables in use with the marks of their sources, and the form for one's own."""
    return shown("", None, None)


@bp.post(PAGE)
def own_house() -> Any:
    """Check what was pasted or sent; on demand give it back as a file or begin a game with it."""
    text = ""
    try:
        text = sent_text()
        own = read_house(text)
        match request.form.get("do", "check"):
            case "download":
                return as_file(own)
            case "start":
                return begun(own)
            case _:
                return shown(text, own, Notice(_("These tables are complete and in order."), status=200, kind="said"))
    except BadInput as fault:  # the path as it is written in the file
        said = _("%(field)s: %(reason)s.", field=fault.path, reason=fault.reason.rstrip("."))
        return shown(text, None, Notice(said))
    except (Illegal, Refused) as fault:
        return shown(text, None, refused(fault))


@bp.get(f"{PAGE}/tables.json")
def tables_in_use() -> Response:
    """All tables and region values as they stand, to be changed and sent back."""
    tables = {
        "title": "",
        "combat": PRINTED.combat,
        "loss": PRINTED.loss,
        "attrition": PRINTED.attrition,
        "diplomacy": PRINTED.diplomacy,
        "map": {"values": {name: region.value for name, region in printed().regions.items()}},
    }
    return as_file(validate_house(plainly(tables)))


@bp.get("/<game>/house.json")
def house_of(game: str) -> Response:
    """The tables of a group that a game is played with, to share with another group."""
    current_seat(game)
    own = getattr(store().load(game).state, "house", None)
    if own is None:
        raise Refused(_("This game is played with the tables of the program."))
    return as_file(own)


def plainly(tables: dict[str, Any]) -> dict[str, Any]:
    """Records as plain values, without what the house may not say of itself."""
    return {name: plain(table) if not isinstance(table, str) else table for name, table in tables.items()}


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


def as_file(own: House) -> Response:
    """The tables as a file to share."""
    answer = current_app.response_class(written(own), mimetype="application/json")
    answer.headers["Content-Disposition"] = 'attachment; filename="punic-wars-tables.json"'
    return answer


def begun(own: House) -> Any:
    """A new game with these tables; then the links of its seats."""
    allow_new_game()
    system = starting.named(store().systems, SYSTEM)
    options = {"house": json.loads(written(own))}
    dice = "physical" if request.form.get("dice") == "physical" else "digital"
    war = request.form.get("scenario", "2")
    game, tokens = store().create(system.name, war, None, options, own.title or None, dice)
    links.keep(game, tokens)
    return redirect(f"/seats/{game.id}", 303)


def shown(text: str, own: House | None, notice: Notice | None) -> Any:
    """The page; with tables that hold, they are shown in place of ours."""
    body = render_template(
        "campaign/house.html",
        text=text,
        own=own,
        notice=notice,
        tables=sheet(own),
        regions=sorted(chart(own).regions.values(), key=lambda region: region.name),
        hexes=sorted(own.map.hexes.items()) if own else [],
        outcome=outcome,
        scenarios=starting.named(store().systems, SYSTEM).scenarios(),
    )
    return body, notice.status if notice else 200
