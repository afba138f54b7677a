"""The API of asking for a seat: who knows the code asks; the umpire looks and answers; the guest looks again."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response
from flask_babel import get_locale
from msgspec import Meta

from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import Input, plain
from webapp.api.errors import answer, answer_in_json
from webapp.http.addresses import root
from webapp.http.rate_limit import slow_down
from webapp.http.request_body import body
from webapp.http.seats import acting_seat, bearer, current_seat, store
from webapp.seating import requests
from webapp.storage.errors import Barred

bp = Blueprint("seating_api", __name__, url_prefix="/api/v1/games/<game>")
answer_in_json(bp)


class Asked(Input, frozen=True):
    """A seat that somebody asks for, and his name; `token` is that of an earlier request, which this one replaces."""

    seat: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=300)]
    token: Annotated[str, Meta(max_length=200)] = ""


class Answered(Input, frozen=True):
    """Yes or no."""

    yes: bool


@bp.post("/requests")
def ask(game: str) -> Response:
    """Ask for a seat by its side and a name; the `token` in the answer is the seat's once the umpire says yes."""
    wanted = body(Asked)
    store().game(game)
    slow_down("seats")
    guest = requests.Guest(str(get_locale() or "en"), root(), wanted.token)
    made, secret = requests.ask(store(), game, wanted.seat, wanted.name, guest)
    return answer({**request_json(made), "token": secret}, 201)


@bp.get("/requests")
def index(game: str) -> Response:
    """The requests that wait, for the umpire; for whoever has asked (by his token) his own, with its answer."""
    store().game(game)
    token = bearer()
    own = requests.mine(store(), game, token) if token else None
    if own is not None:
        return answer({"requests": [request_json(own)]})
    if current_seat(game).id != UMPIRE:
        raise Barred("Only the umpire can give out seats.")
    return answer({"requests": [request_json(each) for each in requests.waiting_in(store(), game)]})


@bp.post("/requests/<int:id>")
def say(game: str, id: int) -> Response:
    """Say yes or no to a request; the umpire's alone."""
    if acting_seat(game).id != UMPIRE:
        raise Barred("Only the umpire can give out seats.")
    return answer(request_json(requests.answer(store(), game, id, body(Answered).yes)))


def request_json(request: requests.Request) -> dict[str, Any]:
    """A request as those see it whom it concerns; its state is `open`, `given` or `refused`."""
    return {name: value for name, value in plain(request).items() if name != "game"}
