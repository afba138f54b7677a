"""The resources of API v1: each view reads the request, calls the store, and answers."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app, request

from data import TableError
from strategic import atlas
from strategic.reference import CALCULATORS
from strategic.reference import routes as cheapest_way
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput
from tactical.odds import GALLEY, Calculator, as_json
from webapp.api import openapi as api_openapi
from webapp.api.errors import answer, answer_in_json
from webapp.api.openapi import CALLS, description, others
from webapp.api.serializers import game_json, journal_json, system_json
from webapp.http.addresses import root
from webapp.http.forms import body, count, raw
from webapp.http.rate_limit import reckon_apart, slow_down
from webapp.http.seats import acting_seat, allow_new_game, current_seat, is_organizer, listen, must_exist, store
from webapp.storage.errors import Barred, Unknown
from webapp.storage.journal import transfer
from webapp.storage.journal.engagements import abandon
from webapp.storage.journal.records import Game
from webapp.storage.journal.writing import umpire_only
from webapp.storage.services import letters

# -- `/api/v1/odds`: every calculator of every system, reckoned by the engines' own rules.

odds_bp = Blueprint("odds_api", __name__, url_prefix="/api/v1/odds")
answer_in_json(odds_bp)


def calculators() -> tuple[Calculator, ...]:
    """All calculators, the galley's first."""
    return (*GALLEY, *CALCULATORS)


def calculator(system: str, name: str) -> Calculator:
    """One calculator. Raises Unknown."""
    for each in calculators():
        if (each.system, each.name) == (system, name):
            return each
    raise Unknown(f"There are no odds called '{name}' for {system}.")


def address(each: Calculator) -> str:
    """Where the API has a calculator: the galley's names stand alone, the others' after their system."""
    return f"/api/v1/odds/{each.name}" if each.system == "galley" else f"/api/v1/odds/{each.system}/{each.name}"


@odds_bp.get("")
def index() -> Response:
    """Which calculators there are, with their parameters and an example each."""
    listed = [
        {
            "name": each.name,
            "system": each.system,
            "cites": each.cites,
            "parameters": [field.name for field in each.fields],
            "example": f"{address(each)}?{each.example}",
        }
        for each in calculators()
    ]
    return answer({"odds": listed})


@odds_bp.get("/<name>")
@reckon_apart("odds")
def galley(name: str) -> Response:
    """A calculator of the galley rules."""
    return reckon("galley", name)


@odds_bp.get("/<system>/<name>")
@reckon_apart("odds")
def of_system(system: str, name: str) -> Response:
    """A calculator of any system."""
    return reckon(system, name)


def reckon(system: str, name: str) -> Response:
    """The odds for the query's parameters; a parameter given twice is refused."""
    found = calculator(system, name)
    for parameter, values in request.args.lists():
        if len(values) > 1:
            raise BadInput(parameter, "this parameter is given twice")
    return answer(as_json(found.answer(request.args.to_dict())))


# -- The resources of API v1: each view reads the request, calls the store, and answers.

bp = Blueprint("api", __name__, url_prefix="/api/v1")
answer_in_json(bp)
PAGE = 10_000  # journal entries in one answer, unless the caller asks for fewer


# Systems ---------------------------------------------------------------------------------------------


@bp.get("/systems")
def all_systems() -> Response:
    """The systems with their scenarios, options and seats."""
    return answer(api_openapi.SystemsShown([system_json(system) for system in store().systems.values()]))


@bp.get("/openapi.json")
def openapi() -> Response:
    """This API, described."""
    return answer(description(store().systems, [*CALLS, *others(current_app)]))


# Games -----------------------------------------------------------------------------------------------


@bp.post("/games")
def create() -> Response:
    """A new game."""
    wanted = body(api_openapi.NewGame)
    transfer.check_least({"least": wanted.least, "navarch": wanted.navarch})
    allow_new_game()
    if wanted.system not in store().systems:
        raise BadInput("system", "there is no system called '%(system)s' here", system=wanted.system)
    game, tokens = store().create(
        wanted.system, wanted.scenario, wanted.position, wanted.options, wanted.title, wanted.dice
    )
    return created_answer(game, tokens)


def created_answer(game: Game, tokens: dict[str, str]) -> Response:
    """A new game with the links of its seats."""
    given = [api_openapi.SeatGiven(seat, token, join_url(token)) for seat, token in tokens.items()]
    made = answer(api_openapi.Created(game.id, game.version, given), 201)
    made.headers["Location"] = f"/api/v1/games/{game.id}"
    return made


def join_url(token: str) -> str:
    """The link that seats a browser."""
    return f"{root()}/join/{token}"


@bp.get("/games/<game>")
def show(game: str) -> Response:
    """The game as this seat may see it."""
    seat = current_seat(game)
    table = store().load(game)
    return answer(game_json(store(), table.knowledge_for(seat.side, seat.charge), seat.side, seat.charge))


@bp.post("/games/<game>/commands")
def command(game: str) -> Response:
    """Give one command."""
    seat = acting_seat(game)
    given = body(api_openapi.GiveCommand)
    return answer(store().submit(game, given.seen, seat.side, given.command, given.rolls, given.key))


@bp.post("/games/<game>/cancel-roll")
def cancel_roll(game: str) -> Response:
    """Let go of the command that waits for dice; the umpire's alone."""
    seat = acting_seat(game)
    return answer(api_openapi.Done(store().cancel_roll(game, body(api_openapi.CancelRoll).seen, seat.id)))


@bp.post("/games/<game>/undo")
def undo(game: str) -> Response:
    """Take back the last command, or consent to it; or refuse what others ask to take back."""
    seat = acting_seat(game)
    wanted = body(api_openapi.TakeBack)
    if wanted.refuse:
        return answer(store().refuse_undo(game, wanted.seen, seat.id))
    return answer(store().undo(game, wanted.seen, seat.id, wanted.consent))


@bp.post("/games/<game>/abandoned")
def abandoned(game: str) -> Response:
    """L1.2.a Leave a campaign's battle in which nobody has plotted for seven days to the campaign's own table."""
    seat = acting_seat(game)
    return answer(api_openapi.Done(abandon(store(), game, seat.id, body(api_openapi.Abandon).seen)))


@bp.get("/games/<game>/journal")
def journal(game: str) -> Response:
    """The journal as this seat may see it."""
    seat = current_seat(game)
    after, limit = query_number("after"), query_number("limit")
    wanted = PAGE if limit is None else max(1, min(limit, PAGE))
    return answer(journal_json(store(), game, seat.id, after, wanted))


@bp.get("/games/<game>/marks")
def marks(game: str) -> Response:
    """The named marks that this seat may read."""
    return answer(api_openapi.MarksShown(list(letters.marks(store(), game, current_seat(game).id))))


@bp.post("/games/<game>/marks")
def mark(game: str) -> Response:
    """Mark a moment of the journal by a name."""
    seat, wanted = acting_seat(game), body(api_openapi.NewMark)
    slow_down("notes")
    return answer(letters.set_mark(store(), game, seat.id, wanted.entry, wanted.name, wanted.seen_by), 201)


@bp.delete("/games/<game>/marks/<int:mark>")
def strike_mark(game: str, mark: int) -> Response:
    """Remove a mark; who made it may, and the umpire."""
    letters.strike_mark(store(), game, acting_seat(game).id, mark)
    return answer(api_openapi.Done(store().game(game).version))


@bp.post("/games/<game>/looked")
def looked(game: str) -> Response:
    """Remember up to where this seat has read."""
    seat = acting_seat(game)
    version = min(body(api_openapi.Looked).version, store().game(game).newest(seat.id))
    store().looked(game, seat.id, version)
    return answer(api_openapi.Done(version))


@bp.get("/games/<game>/stream")
def stream(game: str) -> Response:
    """One `version` event for each change after `Last-Event-ID` or `?after=`; `waiting` for what changed besides."""
    query_number("revision")
    return listen(game, query_number("after"))


@bp.post("/games/<game>/seats/<seat>/reissue")
def reissue(game: str, seat: str) -> Response:
    """Withdraw a seat's token and give a new one; the umpire's alone."""
    umpire_only(acting_seat(game).id)
    must_exist(seat, game)
    token = store().reissue(game, seat)
    return answer(api_openapi.SeatGiven(seat, token, join_url(token)))


@bp.get("/games/<game>/export")
def export(game: str) -> Response:
    """The whole game with its secrets; the umpire's alone."""
    if current_seat(game).id != UMPIRE:
        raise Barred("Only the umpire can export a game: the file holds every side's secrets.")
    exported = answer(transfer.export(store(), game))
    exported.headers["Content-Disposition"] = f'attachment; filename="navarch-{game}.json"'
    return exported


@bp.post("/games/import")
def import_() -> Response:
    """A game from an exported file, with new seats."""
    exported = raw(is_saved=True)
    allow_new_game("imports")
    game, tokens = transfer.import_(store(), exported, is_strangers=not is_organizer())
    return created_answer(game, tokens)


# Maps ------------------------------------------------------------------------------------------------


@bp.get("/maps/<system>")
def map_(system: str) -> Response:
    """The strategic map of a system as GeoJSON."""
    drawn = answer(_map(system))
    drawn.mimetype = "application/geo+json"
    drawn.headers["Cache-Control"] = "no-cache"
    drawn.add_etag()
    drawn.make_conditional(request)
    return drawn


@bp.get("/maps/<system>/routes")
def routes(system: str) -> Response:
    """The cheapest route between two spaces, by the system's own costs."""
    _map(system)
    try:
        return answer(cheapest_way(system, query_text("from"), query_text("to"), request.args.get("by", "any")))
    except TableError:
        raise Unknown(f"There are no routes on the map of '{system}'.") from None


def _map(system: str) -> dict[str, Any]:
    """The map of a system; Unknown for one that has none."""
    try:
        return atlas.geojson(system)
    except BadInput:
        raise Unknown(f"There is no map of '{system}'.") from None


# Queries ---------------------------------------------------------------------------------------------


def query_text(name: str) -> str:
    """A parameter of the query that must be there."""
    value = request.args.get(name)
    if not value:
        raise BadInput(name, "this parameter is missing")
    return value


def query_number(name: str) -> int | None:
    """A parameter of the query that is a whole number, if it is there."""
    value = request.args.get(name)
    if value is None:
        return None
    number = count(value)
    if number is None:
        raise BadInput(name, "expected a whole number, 0 or more")
    return number
