"""O10 A club's season on this server: its API, its moments, the battles that it opens, fleets as sheets."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Annotated, Any, Literal, get_args
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, request
from flask_babel import lazy_gettext as _l
from msgspec import Meta

from strategic.naval.engagement import SideOutcome
from strategic.season import SEASON
from strategic.season.rules.enrolling import LONGEST_NAME, MOST_SHIPS, crews, is_known
from strategic.season.rules.results import battle_position, fought_out
from strategic.season.setup import planned_rounds, season_seen_by
from strategic.season.state import Bye, Pairing, Round, Season
from strategic.season.tournament_file import MOST_CHARACTERS, Edition, Tournament, read_tournament, write_tournament
from tactical.battle import Battle
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event, Illegal, Outcome
from tactical.kernel.record import BadInput, Input, Title, plain
from tactical.ship import ShipType
from webapp.api.errors import answer, answer_in_json
from webapp.api.views import join_url
from webapp.files.book import ENCODINGS, Cells, Row, Written, cell_name, check_format, download, read_book, read_table
from webapp.files.report import LeftOut, Report, Sent, sent_body
from webapp.http.forms import body, raw
from webapp.http.rate_limit import slow_down
from webapp.http.seats import acting_seat, allow_new_game, current_seat, seat_or_none, store
from webapp.presenting.calendars import check_exists, check_zone, zone_of
from webapp.presenting.meetings import pairing_reason
from webapp.storage.errors import Barred, Refused, Stale, Unknown
from webapp.storage.journal import transfer
from webapp.storage.journal.records import Game, Submitted, Table
from webapp.storage.journal.store import Store, battles_of, campaign_of, link_battle
from webapp.storage.journal.writing import Repository

# -- O10.1 The moments of a season by the clock of its zone: when a pairing is played, until when its result is due.


def moment(season: Season, text: str) -> datetime | None:
    """A moment of the season; None where none is set. An imported season of an unknown zone goes by UTC."""
    if not text:
        return None
    return datetime.fromisoformat(text).replace(tzinfo=season_zone(season))


def season_zone(season: Season) -> ZoneInfo:
    """The zone of a season's moments."""
    try:
        return zone_of(season.zone)
    except BadInput:
        return ZoneInfo("UTC")


def bar_missing_hours(
    store: Repository, table: Table, seat: str, command: object, outcome: Outcome[object]
) -> tuple[Event, ...]:
    """Within a command's transaction: no round or battle is at an hour that does not exist. Raises BadInput."""
    if table.game.system == SEASON.name:
        for field in ("starts", "due", "at"):
            at = moment(table.state, getattr(command, field, ""))
            if at is not None:
                check_exists(at, f"command.{field}")
    return ()


def begins(season: Season, now: Round, pairing: Pairing) -> datetime | None:
    """When a pairing is played: at its own time, or at its round's."""
    return moment(season, pairing.at or now.starts)


def is_overdue(season: Season, now: Round, at: datetime) -> bool:
    """Is the time of a round over?"""
    due = moment(season, now.due)
    return due is not None and now.published and at >= due


# -- O10.1 A fleet as a spreadsheet, a ship a row: out for those who keep their ships in one, and in again.

HEADS = ("type", "name", "crew", "corvus")


def fleet_sheet(season: Season, player: str) -> Written:
    """The fleet of a player as a sheet. Without ships it is a template: the heads, and a ship as an example."""
    ships = list(season.players[player].ships.values()) if player in season.players else []
    rows: list[Cells] = [[ship.type, ship.name, ship.crew, ship.corvus] for ship in ships]
    heads: Cells = [*HEADS]
    return {"ships": [heads, *(rows or [["trireme", "Nike", "average", False]])]}


def read_fleet(season: Season, navy: str, data: bytes, encoding: str = "") -> tuple[list[dict[str, Any]], Report]:
    """The ships of a spreadsheet's first sheet for a navy. Raises BadInput, whose path is the cell of what is wrong."""
    book = read_book(data, encoding)
    table = read_table(book.sheet_with("ships", HEADS), HEADS)
    if len(table.rows) > MOST_SHIPS:
        raise BadInput(table.rows[MOST_SHIPS].cell("type"), "a fleet may have at most %(most)s ships", most=MOST_SHIPS)
    found = [read_ship(season, navy, row) for row in table.rows]
    if not found:
        raise BadInput(cell_name(table.sheet.name, 1, 2), "there is no ship in this spreadsheet")
    return found, book.report([table], ships=len(found))


def read_ship(season: Season, navy: str, row: Row) -> dict[str, Any]:
    """The ship of a row. Her type is one of the season's, or one of the program's in any language."""
    kinds = {name.casefold(): name for name in season.kinds if is_known(season, navy, name)}
    kind = row["type"].casefold() if row["type"].casefold() in kinds else row.value("type")
    crew = row.value("crew").casefold() or "average"
    if kind not in kinds:
        raise BadInput(
            row.cell("type"),
            "there is no ship type called %(type)s; types are %(types)s",
            type=row["type"],
            types=tuple(kinds.values()),
        )
    if crew not in crews():
        raise BadInput(row.cell("crew"), "%(value)s is not one of %(names)s", value=row["crew"], names=tuple(crews()))
    if len(row["name"]) > LONGEST_NAME:
        raise BadInput(row.cell("name"), "a ship's name may have at most %(most)s characters", most=LONGEST_NAME)
    return {"type": kinds[kind], "name": row["name"], "crew": crew, "corvus": row.is_yes("corvus")}


# -- O10.1 A season as a tournament file (TRF), in and out.


CODES = {
    "013": _l("teams"),
    "022": _l("town"),
    "032": _l("federation"),
    "042": _l("first day"),
    "052": _l("last day"),
    "082": _l("number of teams"),
    "102": _l("chief arbiter"),
    "112": _l("other arbiters"),
    "122": _l("time for a game"),
}  # of lines that are left out


def read_tournament_file(sent: Sent) -> tuple[Tournament, Report]:
    """The tournament of a file, and what was read of it. Raises BadInput, which names the line and the column."""
    if len(sent.data) > MOST_CHARACTERS:
        raise BadInput("file", "the file may have at most %(most)s characters", most=MOST_CHARACTERS)
    if sent.encoding and sent.encoding not in ENCODINGS:
        raise BadInput("encoding", "%(value)s is not one of %(names)s", value=sent.encoding, names=ENCODINGS)
    text, encoding = sent.text()
    found = read_tournament(text)
    season = found.season
    battles = sum(not pairing.is_bye for _round, pairing in season.paired().values())
    counts = {"players": len(season.players), "rounds": len(season.played), "battles": battles}
    left_out = tuple(LeftOut(code, why, str(CODES.get(code, ""))) for code, why in found.left_out)
    return found, Report("TRF", counts, left_out, found.notes, encoding)


def begin_with(tournament: Tournament) -> tuple[Game, dict[str, str]]:
    """Begin the season of a tournament file; its tokens by seat. Raises as `begin` does."""
    season = tournament.season
    allow_new_game()
    return store().create(SEASON.name, None, plain(season), {}, season.title, "digital")


# -- O10.1 The battles of a season: one is opened for a pairing, and its end is entered by itself.

LOG = logging.getLogger("navarch")


def season_of(store: Store, game: str) -> Table:
    """The season of this code. Raises Unknown for any other game."""
    table = store.load(game)
    if table.game.system != SEASON.name:
        raise Unknown("There is no such season.")
    return table


def give(store: Store, game: str, seat: str, command: dict[str, object]) -> Submitted:
    """Give a command to a season as it stands now. Raises what `Store.submit` raises, but Stale."""
    while True:
        try:
            return store.submit(game, store.game(game).version, seat, command)
        except Stale:
            continue


def enter_player(store: Store, game: str, seat: str, name: str, more: dict[str, Any]) -> tuple[str, str]:
    """Enter a player, with a fleet, a rating or a club; his seat and its token. Raises as `give` does, and Unknown."""
    season_of(store, game)
    give(store, game, seat, {"type": "enroll", "name": name, **more})
    players = store.load(game).state.players
    player = list(players)[-1]
    store.name_seat(game, player, players[player].name)
    return player, store.reissue(game, player)


def open_battle(store: Store, game: str, seat: str, pairing: str) -> str:
    """Open the battle of a pairing, and enter its code in the season; both or neither."""
    table = season_of(store, game)
    position = battle_position(table.state, pairing, game)
    command: dict[str, object] = {"type": "open", "pairing": pairing, "game": ""}
    with store.write():
        names = [side["name"] for side in position["sides"].values()]
        title = f"{' – '.join(names)} · {table.game.title}"
        battle, _tokens = store.create("galley", None, position, {}, title, table.game.dice)
        link_battle(store, battle.id, game, pairing)
        give(store, game, seat, {**command, "game": battle.id})
    return battle.id


def enter(store: Store, game: str, pairing: str) -> Submitted | None:
    """Enter the outcome of a pairing's battle that has ended; None while it is fought, or when it is entered."""
    season = season_of(store, game).state
    found = season.paired().get(pairing)
    links = [link for link in battles_of(store, game) if link.engagement == pairing]
    if found is None or found[1].result is not None or not links:
        return None
    battle = store.load(links[-1].battle)
    if not battle.game.over or not isinstance(battle.state, Battle):
        return None
    events = [event for each in store.entries(battle.game.id) if each.taken_back is None for event in each.events]
    result = plain(fought_out(season, pairing, battle.state, events))
    return give(store, game, UMPIRE, {"type": "report", "pairing": pairing, "result": result})


class Recorder:
    """Enters a season's battle in its season as soon as the battle has ended and is safe on the disk."""

    def __init__(self, store: Store) -> None:
        self.store, self.ended = store, set[str]()
        store.transaction_hooks.append(self.note)
        store.listeners.append(self.hear)

    def note(
        self, store: Repository, table: Table, seat: str, command: Any, outcome: Outcome[Any]
    ) -> tuple[Event, ...]:
        """Within the command's transaction: does it end a battle of a season?"""
        link = getattr(table.state, "link", None)
        if link is not None and link.system == SEASON.name and table.system.is_over(outcome.state):
            self.ended.add(table.game.id)
        return ()

    def hear(self, game: str, version: int, revision: int) -> None:
        """A game has changed, and the change is safe."""
        if game not in self.ended:
            return
        self.ended.discard(game)
        link = campaign_of(self.store, game)
        try:
            if link is not None:
                enter(self.store, link.campaign, link.engagement)
        except (Illegal, Refused, Barred, Unknown) as fault:
            LOG.warning("the battle %s was not entered in its season: %s", game, fault)


# -- The API of seasons: whoever knows a season's code may read it; organizer and players act with their tokens.

bp = Blueprint("seasons_api", __name__, url_prefix="/api/v1/seasons")
answer_in_json(bp)
Name = Annotated[str, Meta(max_length=200)]
Ids = tuple[Name, ...]
DATES = ("date", "starts", "due", "scenario")


class NewSeason(Input, frozen=True):
    """A season to begin. `options` are the organizer's settings (points of a win, tie-breaks, repair, …).

    `zone` is the time zone of its dates; `types` are ship types of the club's own, `prices` the points of types.
    """

    title: Annotated[Title, Meta(min_length=1)]
    pairing: Literal["swiss", "round_robin"] = "swiss"
    rounds: int | None = None
    points: int = 0
    options: dict[str, Any] = {}
    zone: Name = "UTC"
    types: dict[str, ShipType] = {}
    prices: dict[str, int] = {}


class NewPlayer(Input, frozen=True):
    """A player to enter. `fleet` is a list of ships, or a navy and its ships."""

    name: Name
    fleet: Any = None
    rating: int = 0
    club: Name = ""


class WantedBye(Input, frozen=True):
    """The bye of a player in a round: half or full (of a victory's points), zero (absent), or "": he plays."""

    bye: Bye


class KeptApart(Input, frozen=True):
    """Players of whom no two are to meet from the round `first` to `last`; `apart` false: they may again."""

    players: Ids
    first: int = 1
    last: int | None = None
    apart: bool = True


class NewRound(Input, frozen=True):
    """The next round: its date in words, when it is played, until when results are due, its scenario."""

    date: Name = ""
    starts: Name = ""
    due: Name = ""
    scenario: Name = "open_sea"


class Changed(Input, frozen=True):
    """Other pairings for the round that is not published, other dates or another sea, or that it is to be published."""

    pairings: tuple[Any, ...] | None = None
    round: int | None = None
    published: bool = False
    date: Name | None = None
    starts: Name | None = None
    due: Name | None = None
    scenario: Name | None = None


class Arranged(Input, frozen=True):
    """When and where a pairing is played, and who plays for whom (by player; an empty name ends it)."""

    at: Name | None = None
    place: Name | None = None
    substitutes: dict[Name, Name] = {}


class OwnTypes(Input, frozen=True):
    """Ship types of the club's own by name, and the points of types."""

    types: dict[str, ShipType] = {}
    prices: dict[str, int] = {}


class Reported(Input, frozen=True):
    """How a pairing ended: an outcome as a campaign takes it, or a winner with points; `agrees` answers a report."""

    winner: str | None = None
    points: dict[str, int] | int | None = None
    turns: int | None = None
    sides: dict[str, SideOutcome] | None = None
    supremacy: str | None = None
    played: bool = True
    agrees: bool | None = None


@bp.post("")
def create() -> Response:
    """Begin a season; the answer holds the organizer's token."""
    game, tokens = begin(body(NewSeason))
    made = answer(organizer_json(game.id, tokens[UMPIRE]), 201)
    made.headers["Location"] = f"/api/v1/seasons/{game.id}"
    return made


def begin(wanted: NewSeason) -> tuple[Game, dict[str, str]]:
    """Begin a season for whoever asks; its tokens by seat. Raises Barred, BadInput, NoRoom, TooMany."""
    check_zone(wanted.zone)
    allow_new_game()
    position = {"settings" if name == "options" else name: value for name, value in plain(wanted).items()}
    return store().create(SEASON.name, None, position, {}, wanted.title, "digital")


def organizer_json(game: str, token: str) -> dict[str, str]:
    """What the organizer of a new season is given."""
    return {"id": game, "token": token, "url": join_url(token)}


@bp.get("/<game>")
def show(game: str) -> Response:
    """The season: players, rounds, and standings with their sums and tie-breaks; as the asking seat may see it."""
    seat = seat_or_none(game)
    return answer(season_json(season_of(store(), game), SPECTATOR if seat is None else seat.id))


def season_json(table: Table, seat: str) -> dict[str, Any]:
    """A season as a seat may see it."""
    season = season_seen_by(table.state, seat)
    told: dict[str, Any] = table.view(seat)
    return {
        "id": table.game.id,
        "title": season.title,
        "version": table.game.version,
        "over": season.ended,
        "pairing": season.pairing,
        "points": season.points,
        "zone": season.zone,
        "types": told["types"],
        "prices": season.prices,
        "apart": plain(season.apart),
        "options": plain(season.settings),
        "rounds_planned": planned_rounds(season),
        "players": [{"id": id, **player} for id, player in told["players"].items()],
        "rounds": [round_json(season, each.number) for each in season.played],
        "standings": told["standings"],
        "records": told["records"],
        "waiting_for": list(table.waiting_for),
    }


def round_json(season: Season, number: int) -> dict[str, Any]:
    """A round with its pairings, each with its reason as a sentence."""
    found = season.played[number - 1]
    return {
        "round": number,
        "published": found.published,
        "date": found.date,
        "starts": found.starts,
        "due": found.due,
        "scenario": found.scenario,
        "pairings": [pairing_json(season, name) for name in found.pairings],
    }


def pairing_json(season: Season, name: str) -> dict[str, Any]:
    """A pairing with its reason as a sentence."""
    _now, found = season.paired()[name]
    return {**plain(found), "id": name, "why": pairing_reason(found.why)}


@bp.post("/<game>/players")
def enroll(game: str) -> Response:
    """Enter a player; the organizer's alone. The answer holds the player's token."""
    seat = acting_seat(game)
    wanted = body(NewPlayer)
    more = {**fleet(wanted.fleet), "rating": wanted.rating, "club": wanted.club}
    player, token = enter_player(store(), game, seat.id, wanted.name, more)
    return answer({"id": player, "token": token, "url": join_url(token)}, 201)


def fleet(given: Any) -> dict[str, Any]:
    """The fields of a fleet in a command: a list of ships, or an object with a navy and ships."""
    if given is None:
        return {}
    if isinstance(given, list):
        return {"ships": given}
    if isinstance(given, dict) and set(given) <= {"navy", "ships"}:
        return given
    raise BadInput("fleet", "give a list of ships, or an object with a navy and its ships")


@bp.put("/<game>/players/<player>")
def set_fleet(game: str, player: str) -> Response:
    """Enter another fleet, until the first battle."""
    seat = acting_seat(game)
    season_of(store(), game)
    wanted = {"navy": "hellenistic", "ships": [], **fleet(raw())}
    give(store(), game, seat.id, {"type": "set_fleet", "player": player, **wanted})
    return show(game)


@bp.get("/<game>/players/<player>/fleet.<format>")
def fleet_file(game: str, player: str, format: str) -> Response:
    """A player's fleet as a spreadsheet (csv, ods, xlsx), a ship a row; without ships a template."""
    season: Season = season_of(store(), game).state
    return download(fleet_sheet(season, player), "navarch-fleet", format)


@bp.put("/<game>/players/<player>/fleet.<format>")
def set_fleet_by_file(game: str, player: str, format: str) -> Response:
    """Enter the fleet of a spreadsheet (the body), for the player's navy or another one (`?navy=roman`).

    The answer has the season, and the `report` of what was read; with `?check=yes` the report and the ships alone, and
    nothing is entered. `?encoding=koi8-r` names the letters of a CSV file.
    """
    check_format(format)
    seat = acting_seat(game)
    navy, ships, report = sent_fleet(game, player, request.args.get("navy", ""), sent_body())
    if request.args.get("check"):
        return answer({"report": report.as_json(), "navy": navy, "ships": ships})
    give(store(), game, seat.id, {"type": "set_fleet", "player": player, "navy": navy, "ships": ships})
    return answer({**season_json(season_of(store(), game), seat.id), "report": report.as_json()})


def sent_fleet(game: str, player: str, navy: str, sent: Sent) -> tuple[str, list[dict[str, Any]], Report]:
    """The navy and the ships of a spreadsheet for a player, and what was read. Raises BadInput by its cell."""
    season: Season = season_of(store(), game).state
    if player not in season.players:
        raise BadInput("player", "there is no player called %(id)s", id=player)
    navy = navy or season.players[player].navy
    slow_down("spreadsheets")
    return (navy, *read_fleet(season, navy, sent.data, sent.encoding))


@bp.put("/<game>/players/<player>/byes/<int:number>")
def ask_bye(game: str, player: str, number: int) -> Response:
    """The bye of a player in a round that is not paired: that he is absent he says himself, else the organizer."""
    seat = acting_seat(game)
    season_of(store(), game)
    command = {"type": "ask_bye", "player": player, "round": number, "bye": body(WantedBye).bye}
    give(store(), game, seat.id, command)
    return show(game)


@bp.put("/<game>/apart")
def keep_apart(game: str) -> Response:
    """Players who are not to meet, or who may again; the organizer's alone."""
    seat = acting_seat(game)
    season_of(store(), game)
    give(store(), game, seat.id, {"type": "keep_apart", **plain(body(KeptApart))})
    return show(game)


@bp.delete("/<game>/players/<player>")
def withdraw(game: str, player: str) -> Response:
    """Withdraw a player from the rounds to come."""
    seat = acting_seat(game)
    season_of(store(), game)
    give(store(), game, seat.id, {"type": "withdraw", "player": player})
    return show(game)


@bp.post("/<game>/rounds")
def pair(game: str) -> Response:
    """Pair the next round; the organizer's alone."""
    seat = acting_seat(game)
    season_of(store(), game)
    wanted = body(NewRound) if request.content_length else NewRound()
    give(store(), game, seat.id, {"type": "pair", **plain(wanted)})
    season: Season = store().load(game).state
    return answer(round_json(season, len(season.played)), 201)


@bp.put("/<game>/rounds")
@bp.put("/<game>/rounds/<int:number>")
def change_round(game: str, number: int | None = None) -> Response:
    """Change the pairings of the round that is not published, or publish it; the organizer's alone."""
    seat = acting_seat(game)
    season: Season = season_of(store(), game).state
    wanted = body(Changed)
    which = number or wanted.round or len(season.played)
    if wanted.pairings is not None:
        pairings = [each.get("players") if isinstance(each, dict) else each for each in wanted.pairings]
        give(store(), game, seat.id, {"type": "rearrange", "round": which, "pairings": pairings})
    dates = {name: value for name in DATES if (value := getattr(wanted, name)) is not None}
    if dates and season.now is not None:
        now = {name: getattr(season.now, name) for name in DATES}
        give(store(), game, seat.id, {"type": "schedule", "round": which, **now, **dates})
    if wanted.published:
        give(store(), game, seat.id, {"type": "publish", "round": which})
    after: Season = store().load(game).state
    if not 1 <= which <= len(after.played):
        raise BadInput("round", "round %(number)s is not the one that was paired last", number=which)
    return answer(round_json(after, which))


@bp.put("/<game>/types")
def set_types(game: str) -> Response:
    """The club's own ship types and the points of types, until the first battle; the organizer's alone."""
    seat = acting_seat(game)
    season_of(store(), game)
    give(store(), game, seat.id, {"type": "set_types", **plain(body(OwnTypes))})
    return show(game)


@bp.put("/<game>/pairings/<pairing>")
def arrange(game: str, pairing: str) -> Response:
    """When and where a pairing is played, who plays for whom; its players' and the organizer's."""
    seat = acting_seat(game)
    season: Season = season_of(store(), game).state
    wanted = body(Arranged)
    found = season.paired().get(pairing)
    if wanted.at is not None or wanted.place is not None or found is None:
        old = found[1] if found else None
        side = "" if seat.id == UMPIRE else seat.id
        at = wanted.at if wanted.at is not None else old.at if old else ""
        place = wanted.place if wanted.place is not None else old.place if old else ""
        give(store(), game, seat.id, {"type": "arrange", "pairing": pairing, "side": side, "at": at, "place": place})
    for player, name in wanted.substitutes.items():
        give(store(), game, seat.id, {"type": "substitute", "pairing": pairing, "player": player, "name": name})
    return answer(pairing_json(store().load(game).state, pairing))


@bp.post("/<game>/pairings/<pairing>/battle")
def battle(game: str, pairing: str) -> Response:
    """Open the battle of a pairing here; its players have their seats in it by the season's."""
    seat = acting_seat(game)
    return answer({"game": open_battle(store(), game, seat.id, pairing)}, 201)


@bp.post("/<game>/pairings/<pairing>/result")
def result(game: str, pairing: str) -> Response:
    """Report how a pairing ended, answer a report, or enter the end of the battle that was fought here.

    A player's report waits for the other's word (202); the other gives it by the same report, or by `agrees`.
    """
    seat = acting_seat(game)
    season: Season = season_of(store(), game).state
    if enter(store(), game, pairing) is None:
        wanted = body(Reported)
        side = "" if seat.id == UMPIRE else seat.id
        found = season.paired().get(pairing)
        proposed = found[1].proposed if found and found[1].proposed_by != seat.id else None
        reported = as_result(wanted, seat.id)
        agrees = wanted.agrees if wanted.agrees is not None else proposed is not None and plain(proposed) == reported
        if side and (agrees or wanted.agrees is False):
            give(store(), game, seat.id, {"type": "agree", "pairing": pairing, "side": side, "agrees": agrees})
        else:
            given: dict[str, object] = {"type": "report", "pairing": pairing, "side": side, "result": reported}
            give(store(), game, seat.id, given)
    after: Season = store().load(game).state
    _now, settled = after.paired()[pairing]
    waits = [player for player in settled.players if settled.proposed and player != settled.proposed_by]
    return answer({**pairing_json(after, pairing), "waits_for": waits}, 202 if settled.proposed else 200)


def as_result(wanted: Reported, seat: str) -> dict[str, Any]:
    """What was reported, as the season's own result."""
    points = wanted.points
    if isinstance(points, int):
        points = {wanted.winner or seat: points} if wanted.winner or seat != UMPIRE else {}
    told: dict[str, Any] = {"winner": wanted.winner, "points": points or {}, "played": wanted.played}
    told |= {"outcome": None, "deeds": {}}
    if wanted.sides is not None or wanted.turns is not None:
        told["outcome"] = {
            "winner": wanted.winner,
            "turns": wanted.turns or 0,
            "sides": plain(wanted.sides or {}),
            "supremacy": wanted.supremacy,
        }
    return told


@bp.get("/<game>/export")
def export(game: str) -> Response:
    """The whole season as one file; the organizer's alone."""
    season_of(store(), game)
    if current_seat(game).id != UMPIRE:
        raise Barred("Only the organizer can export a season.")
    exported = answer(transfer.export(store(), game))
    exported.headers["Content-Disposition"] = f'attachment; filename="navarch-season-{game}.json"'
    return exported


@bp.get("/<game>/tournament.trf")
def tournament_file(game: str) -> Response:
    """The published rounds as a tournament file that other programs read (FIDE's TRF; `?edition=2016` or 2026)."""
    edition = request.args.get("edition", "2026")
    if edition not in get_args(Edition):
        raise BadInput("edition", "give 2016 or 2026")
    text = write_tournament(season_of(store(), game).state, edition)  # type: ignore[arg-type]
    sent = Response(text, mimetype="text/plain")
    sent.headers["Content-Disposition"] = f'attachment; filename="navarch-season-{game}-{edition}.trf"'
    return sent


@bp.post("/tournament.trf")
def begin_by_file() -> Response:
    """Begin a season with a tournament file (the body); the answer says what was read, with the organizer's token."""
    slow_down("spreadsheets")
    tournament, report = read_tournament_file(sent_body())
    game, tokens = begin_with(tournament)
    return answer({**organizer_json(game.id, tokens[UMPIRE]), "read": report.as_json()}, 201)


@bp.post("/import")
def import_() -> Response:
    """A season from an exported file, under a new code; the answer holds the organizer's new token."""
    exported = raw(is_saved=True)
    allow_new_game("imports")
    of = exported.get("game", {}) if isinstance(exported, dict) else {}
    if not isinstance(of, dict) or of.get("system") != SEASON.name:
        raise BadInput("game.system", "this file holds no season")
    game, tokens = transfer.import_(store(), exported)
    return answer(
        {
            **organizer_json(game.id, tokens[UMPIRE]),
            "players": {id: token for id, token in tokens.items() if id not in (UMPIRE, SPECTATOR)},
        },
        201,
    )
