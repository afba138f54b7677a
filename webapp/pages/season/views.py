"""O10 The pages of a season, under /g/<game> like those of a game, and the forms that only a season has."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from zoneinfo import available_timezones

import icalendar
from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import get_locale
from msgspec.structs import replace

from strategic.season.rules.worth import is_known
from strategic.season.state import Round, Season
from strategic.season.tables import SETTINGS
from tactical.house_rules import HOUSE, House
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.api.views import join_url
from webapp.http import fragments, gaps
from webapp.http.addresses import root
from webapp.http.forms import count, read_input, whole
from webapp.http.game_pages import REFUSALS, GamePages
from webapp.http.language import gettext as _
from webapp.http.rate_limit import TooMany, slow_down
from webapp.http.seats import NoSeat, current_seat, held_seats, store
from webapp.pages.lobby import links
from webapp.pages.season.screen import Screen, journal
from webapp.post import people
from webapp.post.api import give_link, postman
from webapp.post.people import checked_address
from webapp.presenting.flash import Flash, flash_of
from webapp.presenting.labels import words
from webapp.presenting.season_words import overdue_word, result_text, scenario_word
from webapp.seasons import api, battles
from webapp.seasons.battles import enter, give, open_battle, season_of
from webapp.seasons.dates import moment
from webapp.seating.no_seat import no_seat, unknown
from webapp.spreadsheets import ship_types
from webapp.spreadsheets.book import LARGEST
from webapp.spreadsheets.csv_rows import Rows
from webapp.spreadsheets.writing import download
from webapp.storage.errors import NoRoom, Refused, Unknown

bp = Blueprint("season", __name__, template_folder="templates", static_folder="static", static_url_path="/season-files")
bp.context_processor(words)
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)
NAVIES = ("roman", "hellenistic")
MOST_OF_A_TYPE = 20
IN_FEED = 50


@bp.get("/seasons/new")
def begin() -> str:
    """The form for a new season."""
    return render_template("season/begin.html", form={}, flash=None, **beginning())


def beginning() -> dict[str, Any]:
    """What the form offers: time zones, and what may happen to results that are overdue."""
    overdue = [(what, overdue_word(what)) for what in ("wait", "report", "unplayed")]
    return {"zones": sorted(available_timezones()), "overdue": overdue}


@bp.post("/seasons/new")
def created() -> ResponseReturnValue:
    """Begin the season; this browser is its organizer's."""
    form = request.form
    breaks = list(dict.fromkeys(form[name] for name in ("first", "second", "third") if form.get(name)))
    options = {"damage": form.get("damage") == "stays", "tie_breaks": breaks, "overdue": form.get("overdue", "wait")}
    try:
        game, tokens = api.begin(replace(read_input(api.NewSeason), options=options))
    except (*REFUSALS, TooMany, NoRoom) as fault:
        return render_template("season/begin.html", form=form, flash=flash_of(fault), **beginning()), 422
    links.keep(game, {UMPIRE: tokens[UMPIRE]})
    return redirect(f"/g/{game.id}?seat={UMPIRE}", 303)


def page(game: str) -> Any:
    """At /g/<game>: standings, rounds, and what this seat may do."""
    return show(game)


def show(game: str, flash: Flash | None = None, link: dict[str, str] | None = None) -> ResponseReturnValue:
    """The page with a flash, or with the link of a player who was entered just now."""
    screen = Screen(store().load(game), current_seat(game).id)
    drawn = drawing_of(screen)
    title, whole = screen.season.title, drawn.whole(screen.version)
    body = render_template("season/page.html", table=whole, title=title, flash=flash, link=link)
    return body, flash.status if flash else 200


def drawing_of(screen: Screen) -> fragments.Drawing:
    """The page of a seat in fragments."""
    return fragments.drawing(lambda: render_template("season/_page.html", **on_page(screen)))


def on_page(screen: Screen) -> dict[str, Any]:
    """What the page of a seat needs besides the season."""
    return dict(
        screen=screen,
        held=held_seats(screen.game.id),
        scenarios=tuple(SETTINGS.scenario),
        scenario_word=scenario_word,
        has_mail=postman().server is not None,
        own_types=HOUSE.written(House(types=screen.season.types)) if screen.season.types else "",
        own_prices=", ".join(f"{kind} {points}" for kind, points in screen.season.prices.items()),
        own_example=HOUSE.example,
        csrf_input=gaps.csrf_input,
        seen_input=gaps.seen_input,
        fragment=fragments.fragment,
        navies=NAVIES,
        types=[name for name in screen.season.kinds if any(is_known(screen.season, navy, name) for navy in NAVIES)],
        most=MOST_OF_A_TYPE,
    )


def table(game: str) -> Any:
    """The fragments of the page that a browser lacks, for live updates."""
    return lacking(drawing_of(Screen(store().load(game), current_seat(game).id)), game)


def lacking(drawn: fragments.Drawing, game: str) -> Any:
    """What of a page a browser lacks, by what it says that it has."""
    said, version = request.headers.get(fragments.HEADER), store().game(game).version
    return drawn.whole(version) if said is None else drawn.changed(said, version)


def again(game: str) -> ResponseReturnValue:
    """Back to the page after a change."""
    return redirect(f"/g/{game}?seat={current_seat(game).id}", 303)


def refuse(game: str, fault: Exception) -> Any:
    """The page with the sentence of a refusal; nothing has changed."""
    return show(game, flash_of(fault))


def log(game: str) -> Any:
    """The journal, newest first."""
    current_seat(game)
    table = store().load(game)
    return render_template("season/log.html", game=table.game, entries=journal(store(), table))


def display(game: str) -> Any:
    """The wall: for a television, and for everybody who knows the code."""
    screen = Screen(season_of(store(), game), SPECTATOR)
    drawn = drawing_of_wall(screen)
    return render_template("season/display.html", table=drawn.whole(screen.version), title=screen.season.title)


def display_table(game: str) -> Any:
    """What of the wall a browser lacks."""
    return lacking(drawing_of_wall(Screen(season_of(store(), game), SPECTATOR)), game)


def drawing_of_wall(screen: Screen) -> fragments.Drawing:
    """The wall in fragments."""
    return fragments.drawing(
        lambda: render_template("season/_display.html", screen=screen, fragment=fragments.fragment)
    )


@bp.get("/season/<game>/print")
def paper(game: str) -> str:
    """The season on paper: standings, records, every round, the fleets; for everybody who knows the code."""
    return render_template("season/print.html", screen=Screen(season_of(store(), game), SPECTATOR))


@bp.get("/season/<game>/rounds.ics")
def calendar(game: str) -> Response:
    """The dates of the rounds and of their battles as a calendar file; for everybody who knows the code."""
    season: Season = season_of(store(), game).state
    found = icalendar.Calendar()
    found.add("prodid", "-//Navarch//EN")
    found.add("version", "2.0")
    for now in season.played:
        if now.published:
            for each in entries_of(game, season, now):
                found.add_component(each)
    answer = Response(found.to_ical(), mimetype="text/calendar")
    answer.headers["Content-Disposition"] = f'attachment; filename="navarch-season-{game}.ics"'
    return answer


def entries_of(game: str, season: Season, now: Round) -> Iterator[icalendar.Event]:
    """A round's dates: when it is played, a pairing that has a time of its own, until when results are due."""
    said = ": ".join([season.title, _("Round %(number)s", number=now.number)])
    if now.starts:
        yield entry_of(f"{game}-{now.number}", moment(season, now.starts), said)
    for name, pairing in now.pairings.items():
        if pairing.at and not pairing.is_bye:
            names = " – ".join(season.players[player].name for player in pairing.players)
            yield entry_of(f"{game}-{name}", moment(season, pairing.at), f"{said}, {names}", pairing.place)
    if now.due:
        due = _("%(round)s: results are due", round=said)
        yield entry_of(f"{game}-{now.number}-due", moment(season, now.due), due)


def entry_of(name: str, at: datetime | None, said: str, place: str = "") -> icalendar.Event:
    """One moment as an entry of a calendar."""
    found = icalendar.Event()
    found.add("uid", f"{name}@navarch")
    found.add("dtstamp", datetime.now(UTC))
    if at is not None:
        found.add("dtstart", at.astimezone(UTC))
    found.add("summary", said)
    if place:
        found.add("location", place)
    return found


for kind in REFUSALS:
    bp.register_error_handler(kind, lambda fault: refuse(str((request.view_args or {}).get("game")), fault))


@bp.post("/season/<game>/players")
def enroll(game: str) -> ResponseReturnValue:
    """Enter a player with a fleet by numbers of each type; the page that follows shows the player's link, once."""
    seat = current_seat(game).id
    name = request.form.get("name", "").strip()
    address = checked_address(request.form.get("address", ""))
    if address:
        slow_down("mails")
    player, token = battles.enroll(store(), game, seat, name, entries(game))
    link = join_url(token)
    if address:
        lang = str(get_locale() or "en")
        who, own = people.invite(store(), game, people.Newcomer(player, name, address, "player", "", lang, root()))
        link = give_link(who, own)
    return show(game, link={"player": name, "url": link})


def entries(game: str) -> dict[str, Any]:
    """The fleet of a form: a navy, and how many ships of each type. Raises BadInput."""
    ships: list[dict[str, Any]] = []
    for kind in season_of(store(), game).state.kinds:
        number = whole(request.form.get(f"count.{kind}") or "0", kind)
        if not 0 <= number <= MOST_OF_A_TYPE:
            raise BadInput(kind, "this must be a number from 0 to %(most)s", most=MOST_OF_A_TYPE)
        ships += [{"type": kind}] * number
    names = [name.strip() for name in request.form.get("names", "").split(",") if name.strip()]
    named = [{**ship, "name": name} for ship, name in zip(ships, names, strict=False)]
    return {"navy": request.form.get("navy", NAVIES[0]), "ships": [*named, *ships[len(named) :]]}


@bp.post("/season/<game>/fleet/<player>")
def set_fleet(game: str, player: str) -> ResponseReturnValue:
    """Enter another fleet for a player who has not fought yet."""
    seat = current_seat(game).id
    season_of(store(), game)
    give(store(), game, seat, {"type": "set_fleet", "player": player, **entries(game)})
    return again(game)


@bp.post("/season/<game>/fleet/<player>/sheet")
def set_fleet_by_sheet(game: str, player: str) -> ResponseReturnValue:
    """Enter the fleet of a spreadsheet for a player who has not fought yet."""
    seat, sent = current_seat(game).id, request.files.get("file")
    data = sent.stream.read(LARGEST + 1) if sent else b""
    api.give_sheet(game, seat, player, request.form.get("navy", ""), data)
    return again(game)


@bp.post("/season/<game>/types")
def set_types(game: str) -> ResponseReturnValue:
    """The club's own ship types as house rules are written, and points of types."""
    seat = current_seat(game).id
    season_of(store(), game)
    sent, text = request.files.get("file"), request.form.get("types", "").strip()
    if sent is not None and sent.filename:
        slow_down("spreadsheets")
        types, points = ship_types.from_book(sent.stream.read(LARGEST + 1))
    else:
        types, points = plain(HOUSE.from_text(text).types) if text else {}, prices(request.form.get("prices", ""))
    give(store(), game, seat, {"type": "set_types", "types": types, "prices": points})
    return again(game)


@bp.get("/season/<game>/types.<format>")
def types_file(game: str, format: str) -> Response:
    """The club's own ship types with their points as a spreadsheet; without any, the types of the program."""
    season: Season = season_of(store(), game).state
    return download(
        {ship_types.NAME: ship_types.types_sheet(season.types, season.prices)}, "navarch-ship-types", format
    )


def prices(text: str) -> dict[str, int]:
    """Points of types as they are typed: "trireme 6, liburna 3". Raises BadInput."""
    found: dict[str, int] = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        name, _space, number = part.rpartition(" ")
        points = count(number)
        if not name or points is None or points > 9999:
            raise BadInput("prices", "write a type and its points, such as: trireme 6, liburna 3")
        found[name.strip()] = points
    return found


@bp.post("/season/<game>/exchange")
def exchange(game: str) -> ResponseReturnValue:
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
def battle(game: str, pairing: str) -> ResponseReturnValue:
    """Open the battle of a pairing, and go there."""
    seat = current_seat(game).id
    return redirect(f"/g/{open_battle(store(), game, seat, pairing)}?seat={seat}", 303)


@bp.post("/season/<game>/entered/<pairing>")
def entered(game: str, pairing: str) -> ResponseReturnValue:
    """Enter the end of the battle that was fought here, where that did not happen by itself."""
    current_seat(game)
    if enter(store(), game, pairing) is None:
        raise Refused(_("This battle has not ended yet."), "O10.1")
    return again(game)


@bp.get("/season/<game>/table.csv")
def table_csv(game: str) -> Response:
    """Standings and all results, for a spreadsheet; for everybody who knows the code."""
    screen = Screen(season_of(store(), game), "")
    season = screen.season
    text = io.StringIO()
    rows = Rows(text)
    rows.writerow(["place", "player", "points", "won", "drawn", "lost", *season.settings.tie_breaks])
    for place in screen.standings:
        row = place.row
        rows.writerow([row.place, place.name, row.points, row.won, row.drawn, row.lost, *row.breaks.values()])
    rows.writerow([])
    rows.writerow(["round", "player", "opponent", "result", "score"])
    for each in season.played:
        for meeting in screen.meetings(each.number):
            names = [*meeting.names, ""][:2]
            rows.writerow([each.number, *names, result_text(season, meeting.pairing), meeting.score])
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


PAGES = GamePages(page, table, again, refuse, log, display, display_table)
