"""O10 The pages of a season, under /g/<game> like those of a game, and the forms that only a season has."""

from __future__ import annotations

import csv
import io
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request
from msgspec.structs import replace

from strategic.season.rules.worth import is_known
from strategic.season.state import Season
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput
from tactical.ship import TYPES
from webapp.api.views import join_url
from webapp.http.addresses import root
from webapp.http.forms import read_input, whole
from webapp.http.game_pages import REFUSALS, GamePages
from webapp.http.language import gettext as _
from webapp.http.rate_limit import TooMany
from webapp.http.seats import NoSeat, current_seat, held_seats, seat_or_none, store
from webapp.pages.lobby import links
from webapp.pages.season.screen import Screen, journal
from webapp.presenting.flash import Flash, refused
from webapp.presenting.labels import words
from webapp.presenting.season_words import result_text
from webapp.seasons import api, battles
from webapp.seasons.battles import enter, give, open_battle, season_of
from webapp.seating.no_seat import no_seat, unknown
from webapp.storage.errors import NoRoom, Refused, Unknown

bp = Blueprint("season", __name__, template_folder="templates", static_folder="static", static_url_path="/season-files")
bp.context_processor(words)
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)
NAVIES = ("roman", "hellenistic")
MOST_OF_A_TYPE = 20
IN_FEED = 50


@bp.get("/seasons/new")
def begin() -> Any:
    """The form for a new season."""
    return render_template("season/begin.html", form={}, flash=None)


@bp.post("/seasons/new")
def created() -> Any:
    """Begin the season; this browser is its organizer's."""
    form = request.form
    breaks = list(dict.fromkeys(form[name] for name in ("first", "second", "third") if form.get(name)))
    options = {"damage": form.get("damage") == "stays", "tie_breaks": breaks}
    try:
        game, tokens = api.begin(replace(read_input(api.NewSeason), options=options))
    except (*REFUSALS, TooMany, NoRoom) as fault:
        return render_template("season/begin.html", form=form, flash=refused(fault)), 422
    links.keep(game, {UMPIRE: tokens[UMPIRE]})
    return redirect(f"/g/{game.id}?seat={UMPIRE}", 303)


def page(game: str) -> Any:
    """At /g/<game>: standings, rounds, and what this seat may do."""
    return shown(game)


def shown(game: str, flash: Flash | None = None, link: dict[str, str] | None = None) -> Any:
    """The page with a flash, or with the link of a player who was entered just now."""
    seat = current_seat(game)
    screen = Screen(store().load(game), seat.id)
    body = render_template(
        "season/page.html",
        screen=screen,
        flash=flash,
        link=link,
        held=held_seats(game),
        navies=NAVIES,
        types=[name for name in screen.season.kinds if any(is_known(screen.season, navy, name) for navy in NAVIES)],
        most=MOST_OF_A_TYPE,
    )
    return body, flash.status if flash else 200


def again(game: str) -> Any:
    """Back to the page after a change."""
    return redirect(f"/g/{game}?seat={current_seat(game).id}", 303)


def refuse(game: str, fault: Exception) -> Any:
    """The page with the sentence of a refusal; nothing has changed."""
    return shown(game, refused(fault))


def log(game: str) -> Any:
    """The journal, newest first."""
    current_seat(game)
    table = store().load(game)
    return render_template("season/log.html", game=table.game, entries=journal(store(), table))


def display(game: str) -> Any:
    """The wall: for a television, and for everybody who knows the code."""
    seat = seat_or_none(game)
    return render_template("season/display.html", screen=Screen(season_of(store(), game), seat.id if seat else ""))


for kind in REFUSALS:
    bp.register_error_handler(kind, lambda fault: refuse(str((request.view_args or {}).get("game")), fault))


@bp.post("/season/<game>/players")
def enroll(game: str) -> Any:
    """Enter a player with a fleet by numbers of each type; the page that follows shows the player's link, once."""
    seat = current_seat(game).id
    name = request.form.get("name", "").strip()
    _player, token = battles.enroll(store(), game, seat, name, entries())
    return shown(game, link={"player": name, "url": join_url(token)})


def entries() -> dict[str, Any]:
    """The fleet of a form: a navy, and how many ships of each type. Raises BadInput."""
    ships: list[dict[str, Any]] = []
    for kind in TYPES:
        number = whole(request.form.get(f"count.{kind}") or "0", kind)
        if not 0 <= number <= MOST_OF_A_TYPE:
            raise BadInput(kind, "this is a number from 0 to %(most)s", most=MOST_OF_A_TYPE)
        ships += [{"type": kind}] * number
    names = [name.strip() for name in request.form.get("names", "").split(",") if name.strip()]
    named = [{**ship, "name": name} for ship, name in zip(ships, names, strict=False)]
    return {"navy": request.form.get("navy", NAVIES[0]), "ships": [*named, *ships[len(named) :]]}


@bp.post("/season/<game>/fleet/<player>")
def set_fleet(game: str, player: str) -> Any:
    """Enter another fleet for a player who has not fought yet."""
    seat = current_seat(game).id
    season_of(store(), game)
    give(store(), game, seat, {"type": "set_fleet", "player": player, **entries()})
    return again(game)


@bp.post("/season/<game>/exchange")
def exchange(game: str) -> Any:
    """Two players of the unpublished round change places."""
    seat = current_seat(game).id
    season: Season = season_of(store(), game).state
    one, other = request.form.get("one", ""), request.form.get("other", "")
    if season.now is None or one == other or not {one, other} <= set(season.players):
        raise Refused(_("Choose two different players of this round."), "O10.1")
    places = {one: other, other: one}
    pairings = [[places.get(id, id) for id in each.players] for each in season.now.pairings.values()]
    give(store(), game, seat, {"type": "rearrange", "round": season.now.number, "pairings": pairings})
    return again(game)


@bp.post("/season/<game>/battle/<pairing>")
def battle(game: str, pairing: str) -> Any:
    """Open the battle of a pairing, and go there."""
    seat = current_seat(game).id
    return redirect(f"/g/{open_battle(store(), game, seat, pairing)}?seat={seat}", 303)


@bp.post("/season/<game>/entered/<pairing>")
def entered(game: str, pairing: str) -> Any:
    """Enter the end of the battle that was fought here, where that did not happen by itself."""
    current_seat(game)
    if enter(store(), game, pairing) is None:
        raise Refused(_("This battle has not ended yet."), "O10.1")
    return again(game)


@bp.get("/season/<game>/table.csv")
def table_csv(game: str) -> Response:
    """Standings and all results, for a spreadsheet; for everybody who knows the code."""
    season: Season = season_of(store(), game).state
    screen = Screen(store().load(game), "")
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["place", "player", "points", "won", "drawn", "lost", *season.settings.tie_breaks])
    for place in screen.standings:
        row = place.row
        rows.writerow([row.place, cell(place.name), row.points, row.won, row.drawn, row.lost, *row.breaks.values()])
    rows.writerow([])
    rows.writerow(["round", "player", "opponent", "result", "score"])
    for each in season.played:
        for meeting in screen.meetings(each.number):
            names = [*map(cell, meeting.names), ""][:2]
            rows.writerow([each.number, *names, cell(result_text(season, meeting.pairing)), meeting.score])
    headers = {"Content-Disposition": f'attachment; filename="navarch-season-{game}.csv"'}
    return Response(text.getvalue(), mimetype="text/csv", headers=headers)


@bp.get("/season/<game>/feed.atom")
def feed(game: str) -> Response:
    """The newest of the journal as an Atom feed; for everybody who knows the code."""
    table = season_of(store(), game)
    text = render_template(
        "season/feed.atom.xml", game=table.game, entries=journal(store(), table)[:IN_FEED], root=root()
    )
    return Response(text, mimetype="application/atom+xml")


def cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text


PAGES = GamePages(page, page, again, refuse, log, display, display)
