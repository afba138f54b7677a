"""The API of hints, of seats in captains' hands, and of forecasts."""

from __future__ import annotations

from secrets import token_hex
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, current_app, request
from msgspec import Meta

from tactical.captains import Level, Orders, Role, Temper
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput, Input, plain
from webapp.api.errors import answer, answer_in_json
from webapp.captains import seats
from webapp.captains.forecasts import ORGANIZER, Asker, Forecast, Jobs, check_levels, keep_sample, rows, start_of
from webapp.captains.hints import explanation, hint_for
from webapp.captains.matches import csv_of
from webapp.captains.seats import CaptainRunner, turn_of
from webapp.http.forms import read_input
from webapp.http.rate_limit import asker, slow_down
from webapp.http.seats import acting_seat, allow_new_game, current_seat, is_organizer, store
from webapp.storage.errors import Barred
from webapp.storage.journal.store import Store
from webapp.storage.services.archive import most

bp = Blueprint("captains_api", __name__, url_prefix="/api/v1")
answer_in_json(bp)
MOST = most("battles")  # battles of one forecast
PACE = 0.7  # seconds between two commands of a captain at which people only look on
WORKERS = 2  # processes that fight forecasts
Name = Annotated[str, Meta(min_length=1, max_length=60)]


class HintWanted(Input, frozen=True):
    """Which captain to ask."""

    level: Level = "able"
    temper: Temper | None = None


class HandedOver(Input, frozen=True):
    """A seat to hand to a captain, or with level null to take back."""

    seat: Name
    level: Level | None = None
    until: seats.Until = "recalled"
    roles: dict[Name, Role] = {}
    temper: Temper | None = None


class HintsAllowed(Input, frozen=True):
    """Whether players may ask for hints."""

    on: bool


class Wanted(Input, frozen=True):
    """What to forecast, by how many battles, by which captains."""

    game: str | None = None
    system: Literal["galley"] | None = None
    scenario: str | None = None
    options: dict[str, Any] = {}
    battles: Annotated[int, Meta(ge=1, le=MOST)] = 200
    level: Level = "able"  # of the captains of all sides that `levels` does not name
    levels: dict[str, str] = {}  # by side, a temper behind a dash: able-boarder
    seed: Annotated[str, Meta(max_length=200)] | int | None = None


class ForecastWanted(Wanted, frozen=True):
    """What to forecast, by how many battles, by which captains."""

    position: dict[str, Any] | None = None


@bp.record_once
def install(state: Any) -> None:
    """The application gets its keeper of held seats and its forecasts; a command by a captain is marked as such."""
    app = state.app
    known: Store = app.extensions["navarch"].store
    known.transaction_hooks.append(seats.mark_captain)
    known.agreeing.append(seats.agree_to_undo)
    apart = bool(app.config.setdefault("CAPTAINS_APART", not app.config.get("TESTING")))
    pace = float(app.config.setdefault("CAPTAINS_PACE", PACE))
    app.extensions["navarch"].captains = CaptainRunner(known, pace, apart)
    app.extensions["navarch"].forecasts = Jobs(known, int(app.config.setdefault("FORECAST_WORKERS", WORKERS)))


def runner() -> CaptainRunner:
    """The thread that plays the held seats of this application."""
    found: CaptainRunner = current_app.extensions["navarch"].captains
    return found


def jobs() -> Jobs:
    """The forecasts of this application."""
    found: Jobs = current_app.extensions["navarch"].forecasts
    return found


# Hints -----------------------------------------------------------------------------------------------


@bp.post("/games/<game>/hint")
def hint(game: str) -> Response:
    """What a captain would do now in this seat, why, and what else it weighed; nothing changes."""
    seat = acting_seat(game)
    wanted = read_input(HintWanted)
    return answer(hint_for(store(), game, seat.id, Orders(wanted.level, temper=wanted.temper)))


@bp.post("/games/<game>/hints")
def hints(game: str) -> Response:
    """Turn hints on or off for this game; the umpire's alone."""
    if acting_seat(game).id != UMPIRE:
        raise Barred("Only the umpire can turn hints on or off.")
    wanted = read_input(HintsAllowed)
    seats.allow_hints(store(), game, wanted.on)
    return answer({"on": wanted.on})


# Seats -----------------------------------------------------------------------------------------------


@bp.get("/games/<game>/captains")
def captains(game: str) -> Response:
    """The seats that captains hold in this game, and whether hints are on."""
    current_seat(game)
    fields = ("seat", "level", "temper", "until", "roles", "given_by", "since", "fault")
    held = [{name: plain(getattr(each, name)) for name in fields} for each in seats.held_in(store(), game)]
    return answer({"captains": held, "hints": seats.may_ask_hints(store(), game)})


@bp.post("/games/<game>/captains")
def hand(game: str) -> Response:
    """Hand a seat to a captain, or take it back; the umpire's and the seat's own."""
    seat = acting_seat(game)
    hand_over(game, seat.id, read_input(HandedOver))
    return captains(game)


def hand_over(game: str, by: str, wanted: HandedOver) -> None:
    """Hand over or take back. Raises Barred, BadInput."""
    table = store().load(game)
    if by == SPECTATOR or by not in (UMPIRE, wanted.seat):
        raise Barred("Only the player of a seat, or the umpire, may hand it over.")
    if wanted.seat not in table.sides:
        raise BadInput(
            "seat",
            "there is no side called '%(side)s'; the sides are %(sides)s",
            side=wanted.seat,
            sides=tuple(table.sides),
        )
    if wanted.level is None:
        seats.take_back(store(), game, wanted.seat)
        return
    turn, roles = turn_of(table), dict(wanted.roles)
    since, temper = store().now(), wanted.temper
    held = seats.Held(game, wanted.seat, wanted.level, wanted.until, turn, roles, by, since, temper=temper)
    seats.hand_over(store(), held)
    runner().look_at(game)


@bp.get("/games/<game>/journal/<int:entry>/why")
def why(game: str, entry: int) -> Response:
    """Why a captain gave the command of an entry, as far as this seat may see the command."""
    return answer(explanation(store(), game, current_seat(game).id, entry))


# Forecasts -------------------------------------------------------------------------------------------


@bp.post("/forecasts")
def forecast() -> Response:
    """Begin a forecast: so many battles by captains from a scenario, a position, a battle, or an engagement."""
    wanted = read_input(ForecastWanted)
    name = begin(wanted, wanted.position)
    made = answer({"id": name}, 202)
    made.headers["Location"] = f"/api/v1/forecasts/{name}"
    return made


def begin(wanted: Wanted, position: dict[str, Any] | None, title: str = "") -> str:
    """Begin a forecast for whoever asks; of a game only what its seat sees. The id is the key to it.

    `title` is what a position is called. Raises BadInput, Refused, TooMany, Unknown.
    """
    slow_down("forecasts")
    seat = acting_seat(wanted.game).id if wanted.game else UMPIRE
    start = start_of(store(), seat, wanted.game, wanted.scenario, position, wanted.options)
    levels = check_levels(start, dict.fromkeys(start.sides, wanted.level) | wanted.levels)
    title = store().game(wanted.game).title if wanted.game else wanted.scenario or title
    seed = token_hex(4) if wanted.seed is None else str(wanted.seed)
    by = ORGANIZER if is_organizer() else Asker(asker(), most("open forecasts"))
    return jobs().begin(start, levels, seed, wanted.battles, title, wanted.game, by)


@bp.get("/forecasts/<name>")
def look(name: str) -> Response:
    """A forecast as it stands: partial until it is done. `?format=csv` gives a row for each battle."""
    found = jobs().look(name)
    if request.args.get("format") == "csv":
        return Response(csv_of(rows(found.start, found.results)), mimetype="text/csv")
    return answer(forecast_json(found))


@bp.delete("/forecasts/<name>")
def stop(name: str) -> Response:
    """Stop a forecast; what there is stays to be read."""
    return answer(forecast_json(jobs().stop(name)))


@bp.post("/forecasts/<name>/samples/<kind>")
def sample(name: str, kind: str) -> Response:
    """Keep a sample battle (best, median, worst) as a game with its journal, to be read and replayed."""
    allow_new_game()
    game, tokens = keep_sample(store(), jobs().look(name), kind)
    return answer({"id": game.id, "tokens": tokens}, 201)


def forecast_json(found: Forecast) -> dict[str, Any]:
    """A forecast as the API shows it."""
    return {
        "id": found.id,
        "done": found.done,
        "status": found.status,
        "of": found.of,
        "levels": found.levels,
        "seed": found.seed,
        "title": found.title,
        **plain(found.summary()),
    }
