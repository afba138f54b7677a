"""O10 A season's pages: its table and rounds, what the organizer and the players do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import format_datetime, ngettext, pgettext
from msgspec.structs import replace

from strategic.season.rules.enrolling import is_known, worth
from strategic.season.rules.pairing import why_not_pair
from strategic.season.rules.results import is_fighting
from strategic.season.rules.standings import Line, Row, count_prizes, records, standings
from strategic.season.setup import planned_rounds, season_seen_by
from strategic.season.state import SETTINGS, Pairing, Player, Round, Season, Ship
from strategic.season.tournament_file import MOST_CHARACTERS
from tactical.battle import HOUSE, House
from tactical.kernel import protocol
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput, because, plain, read
from tactical.ship import ShipType
from webapp.api import seasons
from webapp.api.seasons import begins, enter, give, is_overdue, moment, open_battle, season_of, season_zone
from webapp.api.views import join_url
from webapp.files import scenario
from webapp.files.book import (
    ENCODINGS,
    LARGEST,
    Cells,
    Written,
    csv_file,
    download,
    in_language,
    plain_word,
    words_for,
)
from webapp.files.report import LeftOut, Report, Sent, ask_first, sent_file, sent_text
from webapp.http import fragments
from webapp.http.addresses import link, root
from webapp.http.forms import count, read_input, whole
from webapp.http.language import gettext as _
from webapp.http.language import tag
from webapp.http.rate_limit import TooMany, slow_down
from webapp.http.seats import REFUSALS, GamePages, NoSeat, current_seat, held_seats, is_organizer, store
from webapp.pages import lobby
from webapp.pages.frame import feed_file
from webapp.post import people
from webapp.post.api import listed, postman, seat_person
from webapp.post.people import checked_address
from webapp.post.seating import no_seat, unknown
from webapp.presenting import calendars
from webapp.presenting.calendars import calendar_file
from webapp.presenting.labels import crew_word, rowers_word, type_word, words
from webapp.presenting.meetings import (
    bye_words,
    overdue_word,
    pairing_reason,
    part_words,
    record_words,
    result_text,
    result_word,
    scenario_word,
    tie_break_word,
)
from webapp.presenting.refusals import Flash, flash_of, refusal_text
from webapp.presenting.sentences import Several, full_name, sentences
from webapp.storage.errors import NoRoom, Refused, Unknown
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.journal.writing import sentence

# -- O10 What a season's page shows: standings, rounds and players in the reader's words, and what this seat may do.

KINDS = protocol.kinds("kernel", "season")
SHORT, LONG = "EEE d MMM HH:mm", "EEEE d MMMM y, HH:mm"
MOST_HULLS = 8  # on the small picture of a fleet


class Meeting(NamedTuple):
    """A pairing as it is shown."""

    id: str
    players: tuple[str, ...]
    names: tuple[str, ...]
    why: str
    said: str
    score: str
    pairing: Pairing
    is_own: bool
    when: str
    is_late: bool
    scenario: str


class Screen:
    """Everything on the page of a season for one seat, "" for somebody without one."""

    def __init__(self, table: Table, seat: str) -> None:
        self.table, self.seat = table, seat
        self.season: Season = season_seen_by(table.state, seat)
        self.game, self.version = table.game, table.game.version
        self.is_organizer = seat == UMPIRE
        self.player: Player | None = self.season.players.get(seat)
        self.planned = planned_rounds(self.season)
        self.round: Round | None = self.season.now
        wrong = why_not_pair(self.season)
        self.why_not_pair = "" if wrong is None else sentence(refusal_text("", wrong.why))
        self.is_fighting = is_fighting(self.season, seat)

    @property
    def name(self) -> str:
        """Who looks."""
        if self.player is not None:
            return self.player.name
        return _("Organizer") if self.is_organizer else ""

    @property
    def way(self) -> str:
        """How the rounds are paired."""
        return _("Swiss") if self.season.pairing == "swiss" else _("Round robin")

    @property
    def standings(self) -> list[tuple[Row, Player, int]]:
        """The table: a row with its player, and by how many places he has risen since the round before."""
        season, players, before = self.season, self.season.players, dict[str, int]()
        if len(season.played) > 1:
            before = {row.player: row.place for row in standings(replace(season, played=season.played[:-1]))}
        return [(row, players[row.player], before.get(row.player, row.place) - row.place) for row in standings(season)]

    def navy(self, player: Player) -> str:
        """The navy of a player's fleet; empty where none is entered."""
        return "" if not player.ships else _("Roman") if player.navy == "roman" else _("Hellenistic")

    def line(self, line: Line) -> str:
        """An addend of a number of the table in words."""
        against = self.season.players[line.against].name if line.against else ""
        said = result_word(line.how)
        named_round = _("Round %(number)s", number=line.round)
        return f"{named_round}: {said}{', ' if against else ''}{against}, {line.points}"

    @property
    def breaks(self) -> list[tuple[str, str]]:
        """The tie-breaks in their order, with their names."""
        return [(name, tie_break_word(name)) for name in self.season.settings.tie_breaks]

    def meetings(self, number: int | None = None) -> list[Meeting]:
        """The pairings of a round, of the last one unless said; the reader's own first."""
        rounds = self.season.played
        if not rounds:
            return []
        now = rounds[(number or len(rounds)) - 1]
        found = [self.meeting(now, id, each) for id, each in now.pairings.items()]
        return sorted(found, key=lambda meeting: not meeting.is_own)

    def meeting(self, now: Round, id: str, pairing: Pairing) -> Meeting:
        """One of them."""
        names = tuple(self.season.players[player].name for player in pairing.players)
        result = pairing.result
        score = ""
        if result is not None and (result.points or result.outcome):
            taken = (count_prizes(result, player, pairing.other(player)) for player in pairing.players)
            score = " : ".join(map(str, taken))
        return Meeting(
            id,
            pairing.players,
            names,
            pairing_reason(pairing.why),
            result_text(self.season, pairing),
            score,
            pairing,
            self.seat in pairing.players,
            self.when(now, pairing),
            is_overdue(self.season, now, datetime.now(UTC)),
            now.scenario,
        )

    def when(self, now: Round, pairing: Pairing) -> str:
        """When a pairing is played, by the clock of the season's zone; or the organizer's own words."""
        at = begins(self.season, now, pairing)
        return now.date if at is None else str(format_datetime(at, SHORT, rebase=False))

    @property
    def due(self) -> str:
        """Until when the results of the round are to be reported; empty when all are there."""
        end = moment(self.season, self.round.due) if self.round and self.round.open() else None
        return "" if end is None else _("Results due by %(when)s", when=format_datetime(end, SHORT, rebase=False))

    @property
    def has_dates(self) -> bool:
        """Is there anything to put into a calendar?"""
        shown = [each for each in self.season.played if each.published]
        return any(each.starts or each.due or any(it.at for it in each.pairings.values()) for each in shown)

    @property
    def after(self) -> str:
        """The head of the standings: after which round they stand so."""
        done = [now.number for now in self.season.played if now.published and not now.open()]
        return _("Standings after round %(number)s", number=done[-1]) if done else _("Standings")

    def dates(self, now: Round) -> str:
        """A round's date and scenario."""
        at = moment(self.season, now.starts)
        said = now.date if at is None else str(format_datetime(at, LONG, rebase=False))
        return " · ".join(filter(None, (said, scenario_word(now.scenario))))

    def coast(self, meeting: Meeting) -> str:
        """The coast of the scenario, for the small picture."""
        return SETTINGS.scenario[meeting.scenario].coast

    def lines(self, meeting: Meeting) -> list[tuple[str, list[tuple[int, int]]]]:
        """Where the small picture draws the hulls of each fleet: at most eight, in two columns that face each other."""
        found = []
        for number, player in enumerate(meeting.players):
            afloat = sum(ship.status == "afloat" for ship in self.season.players[player].ships.values())
            rows = range(min(afloat, MOST_HULLS))
            places = [(14 + 64 * number + (row % 2) * 9, 6 + row * 8) for row in rows]
            found.append(("hull other-side" if number else "hull", places))
        return found

    @property
    def own(self) -> Meeting | None:
        """The reader's pairing that waits for a result."""
        found = (each for each in self.meetings() if each.is_own and each.pairing.result is None)
        return next((each for each in found if len(each.players) == 2), None)

    @property
    def records(self) -> list[tuple[str, list[str]]]:
        """The records of the season, each with what it is the sum of."""
        return [
            (record_words(self.season, best), [part_words(self.season, part) for part in best.parts])
            for best in records(self.season)
        ]

    def fleet(self, player: Player) -> str:
        """A fleet in a few words: how many ships float, and what they are worth."""
        afloat = [ship for ship in player.ships.values() if ship.status == "afloat"]
        if not player.ships:
            return _("No fleet entered")
        return _(
            "%(afloat)s of %(count)s ships, %(points)s points",
            afloat=len(afloat),
            count=len(player.ships),
            points=worth(self.season, player.navy, afloat),
        )

    def about(self, player: Player) -> str:
        """A player's rating, club, fleet, and the rounds that he sits out."""
        rating = pgettext("season", "rating %(rating)s", rating=player.rating) if player.rating else ""
        byes = (bye_words(bye) for bye in player.byes if bye.round > len(self.season.played))
        return " · ".join(filter(None, (rating, player.club, self.fleet(player), *byes)))

    @property
    def next_round(self) -> int:
        """The number of the round that is paired next."""
        return len(self.season.played) + 1

    @property
    def apart(self) -> list[tuple[tuple[str, ...], str]]:
        """Who is not to meet: the ids and the names."""
        players = self.season.players
        return [(each.players, " – ".join(players[id].name for id in each.players)) for each in self.season.apart]

    def ship(self, ship: Ship) -> str:
        """A ship in a few words."""
        return f"{ship.name}, {type_word(ship.type)}, {rowers_word(ship.crew)}"

    def state(self, ship: Ship) -> str:
        """Her hull, and how many battles she has survived; or how she was lost."""
        if ship.status != "afloat":
            return _("sunk") if ship.status == "sunk" else _("captured")
        whole = self.season.kinds[ship.type].hull
        said = _("hull %(left)s of %(whole)s", left=whole - ship.damage, whole=whole)
        many = len(ship.rounds)
        fought = [ngettext("%(num)d battle", "%(num)d battles", many)] if many else []
        return ", ".join([said, *fought])

    def cost(self, ship: Ship) -> int:
        """The most repair points that the player can spend on the ship now."""
        assert self.player is not None
        if ship.status == "afloat":
            return min(ship.damage, self.player.repairs)
        price = self.season.settings.replace
        return price if self.player.repairs >= price else 0


def journal(store: Store, table: Table) -> list[tuple[Entry, list[str]]]:
    """What has happened, newest first, in sentences; entries that were taken back are left out."""
    season: Season = table.state

    def say(word: str, field: str, value: Any) -> Any:
        if word == "side":
            return full_name(season.players[value].name if value in season.players else "")
        if word == "sides":
            return Several(season.players[each].name if each in season.players else each for each in value or ())
        if word in ("number", "flag"):
            return value or 0
        return crew_word(value) if field == "crew" else str(value or "")

    told = sentences(KINDS, say, {})
    found = []
    for entry in reversed(store.entries(table.game.id)[1:]):
        said = [told[event.type](event.data) for event in entry.events if event.type in told]
        if said and entry.taken_back is None:
            found.append((entry, said))
    return found


# -- O10 The pages of a season, under /g/<game> like those of a game, and the forms that only a season has.

bp = Blueprint(
    "season", __name__, template_folder="templates", static_folder="static/season", static_url_path="/season-files"
)
bp.context_processor(words)
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)


@bp.before_request
def seasons_only() -> None:
    """No other game has these pages. Raises Unknown."""
    game = (request.view_args or {}).get("game")
    if game is not None:
        season_of(store(), game)


NAVIES = ("roman", "hellenistic")
MOST_OF_A_TYPE = 20
IN_FEED = 50
EVENING = timedelta(hours=3)  # how long a battle stands in a calendar
MOVES = ("schedule", "arrange", "substitute", "rearrange", "undo")  # commands that may change what stands in one


@bp.get("/seasons/new")
def begin() -> str:
    """The form for a new season."""
    return render_template("season/begin.html", form={}, flash=None, **beginning())


def beginning() -> dict[str, Any]:
    """What the form offers: time zones, and what may happen to results that are overdue."""
    overdue = [(what, overdue_word(what)) for what in ("wait", "report", "unplayed")]
    return {"zones": calendars.zones(), "overdue": overdue}


@bp.post("/seasons/new")
def created() -> ResponseReturnValue:
    """Begin the season; this browser is its organizer's."""
    form = request.form
    breaks = list(dict.fromkeys(form[name] for name in ("first", "second", "third") if form.get(name)))
    options = {"damage": form.get("damage") == "stays", "tie_breaks": breaks, "overdue": form.get("overdue", "wait")}
    try:
        game, tokens = seasons.begin(replace(read_input(seasons.NewSeason), options=options))
    except (*REFUSALS, TooMany, NoRoom) as fault:
        return render_template("season/begin.html", form=form, flash=flash_of(fault), **beginning()), 422
    lobby.keep(game, {UMPIRE: tokens[UMPIRE]})
    return redirect(f"/g/{game.id}?seat={UMPIRE}", 303)


@bp.post("/seasons/tournament-file")
def created_by_file() -> ResponseReturnValue:
    """Begin the season of a tournament file, once its sender has seen what was read."""
    sent = sent_file(MOST_CHARACTERS) or Sent(b"")
    try:
        slow_down("spreadsheets")
        tournament, report = seasons.read_tournament_file(sent)
        if not sent.is_confirmed:
            heads = (pgettext("rank", "Place"), _("Player"), pgettext("season", "Rating"), _("Points"))
            players = tournament.season.players
            rows = (
                (row.place, players[row.player].name, players[row.player].rating or "", row.points)
                for row in standings(tournament.season)
            )
            return ask_first(sent, report, (heads, *rows), _("Begin with this tournament"), "/seasons/new", ENCODINGS)
        game, tokens = seasons.begin_with(tournament)
    except (*REFUSALS, TooMany, NoRoom) as fault:
        return render_template("season/begin.html", form={}, flash=flash_of(fault), **beginning()), 422
    lobby.keep(game, {UMPIRE: tokens[UMPIRE]})
    return redirect(f"/g/{game.id}?seat={UMPIRE}", 303)


def page(game: str) -> Any:
    """At /g/<game>: standings, rounds, and what this seat may do."""
    return show(game)


def show(game: str, flash: Flash | None = None, links: Sequence[tuple[str, str, str]] = ()) -> ResponseReturnValue:
    """The page with a flash, or with the links of players who were entered just now."""
    screen = Screen(store().load(game), current_seat(game).id)
    shown_with = {"title": screen.season.title, "flash": flash, "links": links}
    body = drawing_of(screen).within("season/page.html", screen.version, **shown_with)
    return body, flash.status if flash else 200


def drawing_of(screen: Screen) -> fragments.Drawing:
    """The page of a seat in fragments."""
    return fragments.drawing("season/_page.html", **on_page(screen))


def on_page(screen: Screen) -> dict[str, Any]:
    """What the page of a seat needs besides the season."""
    return dict(
        screen=screen,
        held=held_seats(screen.game.id),
        scenarios=tuple(SETTINGS.scenario),
        scenario_word=scenario_word,
        has_mail=postman().server is not None,
        book=people.address_book(store()) if is_organizer() and screen.is_organizer else (),
        own_types=HOUSE.written(House(types=screen.season.types)) if screen.season.types else "",
        own_prices=", ".join(f"{kind} {points}" for kind, points in screen.season.prices.items()),
        own_example=HOUSE.example,
        calendar=link("season.calendar", game=screen.game.id),
        csrf_input=fragments.csrf_input,
        seen_input=fragments.seen_input,
        fragment=fragments.fragment,
        navies=NAVIES,
        types=[name for name in screen.season.kinds if any(is_known(screen.season, navy, name) for navy in NAVIES)],
        most=MOST_OF_A_TYPE,
    )


def table(game: str) -> Any:
    """The fragments of the page that a browser lacks, for live updates."""
    return drawing_of(Screen(store().load(game), current_seat(game).id)).answer(store().game(game).version)


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
    return drawing_of_wall(screen).within("season/display.html", screen.version, title=screen.season.title)


def display_table(game: str) -> Any:
    """What of the wall a browser lacks."""
    return drawing_of_wall(Screen(season_of(store(), game), SPECTATOR)).answer(store().game(game).version)


def drawing_of_wall(screen: Screen) -> fragments.Drawing:
    """The wall in fragments."""
    return fragments.drawing("season/_display.html", screen=screen, fragment=fragments.fragment)


@bp.get("/season/<game>/print")
def paper(game: str) -> str:
    """The season on paper: standings, records, every round, the fleets; for everybody who knows the code."""
    return render_template("season/print.html", screen=Screen(season_of(store(), game), SPECTATOR))


@bp.get("/season/<game>/rounds.ics")
def calendar(game: str) -> Response:
    """The dates of the rounds and of their battles as a calendar file; for everybody who knows the code."""
    season: Season = season_of(store(), game).state
    moves = [each for each in store().entries(game) if each.command.get("type") in MOVES]
    entries = (each for now in season.played if now.published for each in entries_of(game, season, now, moves))
    return calendar_file(f"navarch-season-{game}", season.title, season_zone(season), entries)


def entries_of(game: str, season: Season, now: Round, moves: Sequence[Entry]) -> Iterator[calendars.Entry]:
    """A round's dates: when it is played, a pairing that has a time of its own, until when results are due.

    `moves` are the entries of the journal that may have changed one.
    """
    said = ": ".join([season.title, _("Round %(number)s", number=now.number)])
    of_round = [each for each in moves if each.command.get("round", now.number) == now.number]

    def entry(name: str, at: datetime, words: str, pairing: str = "", **more: Any) -> calendars.Entry:
        own = [each for each in of_round if each.command.get("pairing", pairing) == pairing]
        changed = own[-1].time if own else ""
        link = f"{root()}/g/{game}"
        return calendars.Entry(f"{game}-{name}", words, at, link=link, changes=len(own), changed=changed, **more)

    if at := moment(season, now.starts):
        yield entry(f"{now.number}", at, said, until=at + EVENING)
    for name, pairing in now.pairings.items():
        if not pairing.is_bye and (at := moment(season, pairing.at)):
            names = " – ".join(season.players[player].name for player in pairing.players)
            yield entry(name, at, f"{said}, {names}", name, until=at + EVENING, place=pairing.place)
    if at := moment(season, now.due):
        due = _("%(round)s: results are due", round=said)
        yield entry(f"{now.number}-due", at, due, remind=season.settings.remind)


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
    rating, club = whole(request.form.get("rating") or "0", "rating"), request.form.get("club", "")
    more = {**entries(game), "rating": rating, "club": club}
    player, token = seasons.enter_player(store(), game, seat, name, more)
    link = join_url(token)
    if address:
        _who, link = seat_person(game, player, name, address)
    return show(game, links=[(name, "", link)])


@bp.post("/season/<game>/list")
def enroll_list(game: str) -> ResponseReturnValue:
    """Enter the people of a list, without fleets, once its sender has seen what was read; then show their links."""
    seat, links = current_seat(game).id, []
    season: Season = season_of(store(), game).state
    people.must_be_umpire(seat)
    sent = sent_text("list")
    those, left_out = new_players(season, listed(with_rating=True))
    if not sent.is_confirmed:
        report = Report(_("List"), {"players": len(those)}, left_out)
        heads = (_("Player"), pgettext("season", "Rating"), _("Club"), _("Address for mail"))
        rows = ((each.name, each.rating or "", each.club, each.address) for each in those)
        return ask_first(sent, report, (heads, *rows), _("Enter these players"), f"/g/{game}?seat={seat}")
    with store().write():
        for each in those:
            player, token = seasons.enter_player(
                store(), game, seat, each.name, {"rating": each.rating, "club": each.club}
            )
            link = join_url(token)
            if each.address:
                _who, link = seat_person(game, player, each.name, each.address)
            links.append((each.name, "", link))
    return show(game, links=links)


def new_players(season: Season, those: Sequence[people.Listed]) -> tuple[list[people.Listed], tuple[LeftOut, ...]]:
    """Whom a list enters; heads of its columns and who is a player already are left out."""
    heads, known = words_for(("name", "player")), {each.name.casefold() for each in season.players.values()}
    found, left = list[people.Listed](), list[LeftOut]()
    for each in those:
        if plain_word(each.name) in heads:
            left.append(LeftOut(each.name, because("this is the head of a column")))
        elif (name := each.name.casefold()) in known:
            left.append(LeftOut(each.name, because("there is already a player of this name")))
        else:
            known.add(name)
            found.append(each)
    return found, tuple(left)


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
    give(store(), game, seat, {"type": "set_fleet", "player": player, **entries(game)})
    return again(game)


@bp.post("/season/<game>/fleet/<player>/sheet")
def set_fleet_by_sheet(game: str, player: str) -> ResponseReturnValue:
    """Enter the fleet of a spreadsheet for a player who has not fought yet, once its sender has seen what was read."""
    seat, sent = current_seat(game).id, sent_file(LARGEST) or Sent(b"")
    navy, ships, report = seasons.sent_fleet(game, player, request.form.get("navy", ""), sent)
    if not sent.is_confirmed:
        rows: list[Cells] = [[*seasons.HEADS], *([ship[head] for head in seasons.HEADS] for ship in ships)]
        return ask(game, sent, report, {"ships": rows}, _("Enter this fleet"))
    give(store(), game, seat, {"type": "set_fleet", "player": player, "navy": navy, "ships": ships})
    return again(game)


def ask(game: str, sent: Sent, report: Report, sheets: Written, button: str) -> str:
    """The page that shows what was read of a spreadsheet before it counts."""
    (rows,) = in_language(sheets, tag()).values()
    return ask_first(sent, report, rows, button, f"/g/{game}?seat={current_seat(game).id}", ENCODINGS)


@bp.post("/season/<game>/types")
def set_types(game: str) -> ResponseReturnValue:
    """The club's own ship types as house rules are written, and points of types; or a spreadsheet, shown first."""
    seat = current_seat(game).id
    text = request.form.get("types", "").strip()
    if (sent := sent_file(LARGEST)) is not None:
        slow_down("spreadsheets")
        types, points, report = scenario.from_book(sent.data, sent.encoding)
        if not sent.is_confirmed:
            rows = scenario.types_sheet(read(types, dict[str, ShipType], "types"), points)
            return ask(game, sent, report, {scenario.NAME: rows}, _("Use these ship types"))
    else:
        types, points = plain(HOUSE.from_text(text).types) if text else {}, prices(request.form.get("prices", ""))
    give(store(), game, seat, {"type": "set_types", "types": types, "prices": points})
    return again(game)


@bp.get("/season/<game>/types.<format>")
def types_file(game: str, format: str) -> Response:
    """The club's own ship types with their points as a spreadsheet; without any, the types of the program."""
    season: Season = season_of(store(), game).state
    return download({scenario.NAME: scenario.types_sheet(season.types, season.prices)}, "navarch-ship-types", format)


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


@bp.post("/season/<game>/apart")
def keep_apart(game: str) -> ResponseReturnValue:
    """Two players are not to meet."""
    seat = current_seat(game).id
    players = [request.form.get("one", ""), request.form.get("other", "")]
    give(store(), game, seat, {"type": "keep_apart", "players": players})
    return again(game)


@bp.post("/season/<game>/exchange")
def exchange(game: str) -> ResponseReturnValue:
    """Two players of the unpublished round change places."""
    seat = current_seat(game).id
    season: Season = season_of(store(), game).state
    one, other = request.form.get("one", ""), request.form.get("other", "")
    if season.now is None or one == other or not {one, other} <= set(season.players):
        raise Refused(_("Choose two different players of this round."), "O10.1")
    places = {one: other, other: one}
    pairings = [[places.get(id, id) for id in each.players] for each in season.now.pairings.values() if not each.bye]
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
    rows: list[Cells] = [["place", "player", "points", "won", "drawn", "lost", *season.settings.tie_breaks, "byes"]]
    for row, player, _moved in screen.standings:
        rows.append([row.place, player.name, row.points, row.won, row.drawn, row.lost, *row.breaks.values(), row.byes])
    rows += [[], ["round", "player", "opponent", "result", "score"]]
    for each in season.played:
        for meeting in screen.meetings(each.number):
            names = [*meeting.names, ""][:2]
            rows.append([each.number, *names, result_text(season, meeting.pairing), meeting.score])
    return csv_file(rows, f"navarch-season-{game}")


@bp.get("/season/<game>/feed.atom")
def feed(game: str) -> Response:
    """The newest of the journal as an Atom feed; for everybody who knows the code."""
    table = season_of(store(), game)
    text = render_template(
        "season/feed.atom.xml", game=table.game, entries=journal(store(), table)[:IN_FEED], root=root()
    )
    return feed_file(text)


PAGES = GamePages(page, table, again, refuse, log, display, display_table)
