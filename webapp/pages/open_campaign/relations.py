"""Treaties and letters between the sides (O5.4, O11.2): what holds, what is proposed, and what was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import redirect, render_template, request, url_for
from flask_babel import lazy_gettext as _l

from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.http.language import gettext as _
from webapp.http.seats import REFUSALS, seat_and_table
from webapp.pages.open_campaign import SYSTEM, open_blueprint
from webapp.pages.open_campaign.desk import NO_DATE, battle_title
from webapp.pages.open_campaign.orders import side_of, submit
from webapp.presenting.refusals import Flash, flash_of
from webapp.systems.open_campaign.dispatch import number_in, side_name

bp = open_blueprint("open_relations")
LONGEST = 2000  # letters of a letter, as the rule has it
TERMS = {
    "peace": _l("We do not fight each other."),
    "passage": _l("Our fleets let each other pass."),
    "markets": _l("Our ports feed each other's fleets."),
    "seeing": _l("We tell each other what we see."),
}
View = Mapping[str, Any]


@dataclass(frozen=True)
class Treaty:
    """What holds since a turn, or what one of the two has proposed (`turn` 0); its terms in words."""

    terms: tuple[str, ...]
    text: str
    turn: int
    is_ours: bool


@dataclass(frozen=True)
class Letter:
    """A letter: by us or to us, in which turn it was written, and what it says."""

    is_ours: bool
    turn: int
    text: str


@dataclass(frozen=True)
class Other:
    """Another side, what is agreed with it, what waits between the two, and the letters, the newest first."""

    id: str
    name: str
    colour: int
    is_out: bool
    holds: tuple[Treaty, ...]
    waits: tuple[Treaty, ...]
    letters: tuple[Letter, ...]


@dataclass(frozen=True)
class Battle:
    """O3.6 A meeting of the side that waits: its name, where it is and against whom, and its date at a table."""

    id: str
    title: str
    when: str
    where: str
    who: str


def battles(view: View, side: str) -> tuple[Battle, ...]:
    """O3.6 The meetings of a side that may have a date."""
    found = []
    for id, meeting in view["engagements"].items():
        enemy = next(each for each in meeting["fleets"] if each != side)
        title = battle_title(view, meeting) + ": " + side_name(view, enemy)
        found.append(Battle(id, title, **view["appointed"].get(id, NO_DATE)))
    return tuple(found)


@bp.get("/<game>/relations")
def page(game: str) -> Any:
    """The other sides, as the seat's side stands to them; the umpire names a side."""
    return relations_page(game)


@bp.post("/<game>/relations")
def act(game: str) -> Any:
    """Propose, agree, end, or write; then the page again."""
    seat, table = seat_and_table(game)
    side = side_of(table.sides, seat)
    try:
        submit(game, seat, command_of(side))
    except REFUSALS as fault:
        return relations_page(game, flash_of(fault, SYSTEM))
    more: dict[str, Any] = {"side": side} if seat == UMPIRE else {}
    return redirect(url_for(".page", game=game, seat=seat, **more), 303)


def command_of(side: str) -> dict[str, Any]:
    """The form as a command. Raises BadInput for one that says nothing."""
    form, base = request.form, {"side": side, "to": request.form.get("to", "")[:60]}
    if form.get("act") == "appoint":
        about = {name: form.get(name, "").strip() for name in ("engagement", "when", "where", "who")}
        return {"type": "appoint", "side": side, **about}
    match form.get("act"):
        case "propose":
            terms = [term for term in form.getlist("term") if term in TERMS]
            return {"type": "propose", **base, "terms": terms, "text": form.get("text", "").strip()}
        case "agree":
            return {"type": "agree_treaty", **base}
        case "denounce":
            return {"type": "denounce", **base}
        case "post":
            return {"type": "post", **base, "text": form.get("text", "").strip()}
    raise BadInput("act", "tap one of the buttons")


def others(view: View, side: str) -> tuple[Other, ...]:
    """The other sides, as a side stands to them."""
    found = []
    for id, each in view["sides"].items():
        if id == side:
            continue
        treaties = [treaty_of(row, side) for row in view["treaties"] if {row["by"], row["to"]} == {side, id}]
        mail = [row for row in view["mail"] if {row["by"], row["to"]} == {side, id}]
        mail = [row for row in mail if row["by"] == side or (row["arrived"] and not row["lost"])]
        letters = [Letter(row["by"] == side, row["turn"], row["text"]) for row in reversed(mail)]
        found.append(
            Other(
                id,
                side_name(view, id),
                number_in(view, id),
                bool(each.get("resigned")),
                tuple(one for one in treaties if one.turn),
                tuple(one for one in treaties if not one.turn),
                tuple(letters),
            )
        )
    return tuple(found)


def treaty_of(row: View, side: str) -> Treaty:
    """A treaty of the view in words."""
    return Treaty(tuple(str(TERMS[term]) for term in row["terms"]), row["text"], row["turn"], row["by"] == side)


def how_said(by_ship: bool) -> str:
    """How letters travel in this war."""
    if by_ship:
        return _("Letters go by dispatch boat: they may arrive late or be captured.")
    return _("Letters come at once.")


def relations_page(game: str, flash: Flash | None = None) -> Any:
    """The page, with a refusal where there is one."""
    seat, table = seat_and_table(game)
    side = side_of(table.sides, seat)
    view = plain(table.view(side))
    by_ship = view["options"]["letters"] == "by_ship"
    body = render_template(
        "open_campaign/relations.html",
        game=table.game,
        seat=seat,
        side=side,
        side_name=side_name(view, side),
        others=others(view, side),
        battles=battles(view, side),
        terms=list(TERMS.items()),
        turn=view["turn"],
        is_open=view["result"] is None and not view["sides"][side].get("resigned"),
        by_ship=by_ship,
        how=how_said(by_ship),
        longest=LONGEST,
        flash=flash,
    )
    return body, flash.status if flash else 200
