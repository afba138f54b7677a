"""The API of seasons: whoever knows a season's code may read it; organizer and players act with their tokens."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from flask import Blueprint, Response, request
from msgspec import Meta

from strategic.naval.engagement import SideOutcome
from strategic.season import SEASON
from strategic.season.state import Season
from strategic.season.view import planned
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput, Input, plain
from webapp.api.errors import answer, answer_in_json
from webapp.api.views import join_url
from webapp.http.organizer import allow_new_game
from webapp.http.request_body import body, raw
from webapp.http.seats import acting_seat, current_seat, store
from webapp.presenting.season_words import pairing_reason
from webapp.seasons import battles
from webapp.seasons.battles import enter, give, open_battle, season_of
from webapp.storage.errors import Barred
from webapp.storage.journal import transfer
from webapp.storage.journal.records import Game, Table

bp = Blueprint("seasons_api", __name__, url_prefix="/api/v1/seasons")
answer_in_json(bp)
Title = Annotated[str, Meta(min_length=1, max_length=120)]
Name = Annotated[str, Meta(max_length=200)]
Ids = tuple[Name, ...]


class NewSeason(Input, frozen=True):
    """A season to begin. `options` are the organizer's settings (points of a win, tie-breaks, repair, …)."""

    title: Title
    pairing: Literal["swiss", "round_robin"] = "swiss"
    rounds: int | None = None
    points: int = 0
    options: dict[str, Any] = {}


class NewPlayer(Input, frozen=True):
    """A player to enter. `fleet` is a list of ships, or a navy and its ships."""

    name: Name
    fleet: Any = None


class NewRound(Input, frozen=True):
    """The next round, with its date in words."""

    date: Name = ""


class Changed(Input, frozen=True):
    """Other pairings for the round that is not published, or that it is to be published."""

    pairings: tuple[Any, ...] | None = None
    round: int | None = None
    published: bool = False


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
    allow_new_game()
    position = {"settings" if name == "options" else name: value for name, value in plain(wanted).items()}
    return store().create(SEASON.name, None, position, {}, wanted.title, "digital")


def organizer_json(game: str, token: str) -> dict[str, str]:
    """What the organizer of a new season is given."""
    return {"id": game, "token": token, "url": join_url(token)}


@bp.get("/<game>")
def show(game: str) -> Response:
    """The season: players, rounds, and standings with their sums and tie-breaks."""
    return answer(season_json(season_of(store(), game)))


def season_json(table: Table) -> dict[str, Any]:
    """A season as anybody may read it."""
    season: Season = table.state
    told: dict[str, Any] = table.view(SPECTATOR)
    return {
        "id": table.game.id,
        "title": season.title,
        "version": table.game.version,
        "over": season.ended,
        "pairing": season.pairing,
        "points": season.points,
        "options": plain(season.settings),
        "rounds_planned": planned(season),
        "players": [{"id": id, **player} for id, player in told["players"].items()],
        "rounds": [round_json(season, each.number) for each in season.played],
        "standings": told["standings"],
        "waiting_for": list(table.waiting_for),
    }


def round_json(season: Season, number: int) -> dict[str, Any]:
    """A round with its pairings, each with its reason as a sentence."""
    found = season.played[number - 1]
    return {
        "round": number,
        "published": found.published,
        "date": found.date,
        "pairings": [
            {**plain(each), "id": name, "why": pairing_reason(each.why)} for name, each in found.pairings.items()
        ],
    }


@bp.post("/<game>/players")
def enroll(game: str) -> Response:
    """Enter a player; the organizer's alone. The answer holds the player's token."""
    seat = acting_seat(game)
    wanted = body(NewPlayer)
    player, token = battles.enroll(store(), game, seat.id, wanted.name, fleet(wanted.fleet))
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
    give(store(), game, seat.id, {"type": "pair", "date": wanted.date})
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
    if wanted.published:
        give(store(), game, seat.id, {"type": "publish", "round": which})
    after: Season = store().load(game).state
    if not 1 <= which <= len(after.played):
        raise BadInput("round", "round %(number)s is not the one that was paired last", number=which)
    return answer(round_json(after, which))


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
    now, settled = after.paired()[pairing]
    shown = next(each for each in round_json(after, now.number)["pairings"] if each["id"] == pairing)
    waits = [player for player in settled.players if settled.proposed and player != settled.proposed_by]
    return answer({**shown, "waits_for": waits}, 202 if settled.proposed else 200)


def as_result(wanted: Reported, seat: str) -> dict[str, Any]:
    """What was reported, as the season's own result."""
    points = wanted.points
    if isinstance(points, int):
        points = {wanted.winner or seat: points} if wanted.winner or seat != UMPIRE else {}
    told: dict[str, Any] = {"winner": wanted.winner, "points": points or {}, "outcome": None, "played": wanted.played}
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


@bp.post("/import")
def import_() -> Response:
    """A season from an exported file, under a new code; the answer holds the organizer's new token."""
    exported = raw()
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
