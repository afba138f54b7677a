"""Pausing, ending, archiving, copying and showing a campaign, with its deadlines; the API of all that."""

from __future__ import annotations

from typing import Annotated

from flask import Blueprint, Response
from msgspec import Meta

from tactical.kernel.proper_names import Title
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import Input, plain
from webapp.api.errors import answer, answer_in_json
from webapp.api.views import created_answer
from webapp.http.organizer import allow_new_game, is_organizer
from webapp.http.request_body import body
from webapp.http.seats import acting_seat, current_seat, held_seats, store
from webapp.post import deadlines
from webapp.storage.errors import Barred
from webapp.storage.journal.records import Game
from webapp.storage.journal.store import Store
from webapp.storage.services import archive

bp = Blueprint("keeping_api", __name__, url_prefix="/api/v1/games/<game>")
answer_in_json(bp)
ORGANIZER = "organizer"  # who acted without a seat of the game


class Kept(Input, frozen=True):
    """What is to be done about a game."""

    act: Annotated[str, Meta(max_length=20)]


class Copied(Input, frozen=True):
    """A copy as it stood after an entry of the journal; the newest where none is named."""

    entry: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    title: Title = ""


def perform(store: Store, game: str, act: str, by: str) -> Game:
    """Do it; while nobody may command, the clock of the deadlines stands. Raises BadInput, Refused, Unknown."""
    was_open = store.game(game).is_open
    found = archive.perform(store, game, act, by)
    rule = deadlines.deadline(store, game)
    if rule is not None and was_open != found.is_open:
        turn = deadlines.resume if found.is_open else deadlines.pause
        deadlines.keep(store, game, turn(rule, store.now()))
    return store.game(game)


def by_whom(game: str) -> str:
    """Who asks on a page: the game's umpire, or the organizer of this server. Raises Barred for everybody else."""
    if any(seat.id == UMPIRE for seat in held_seats(game)):
        return UMPIRE
    if is_organizer():
        return ORGANIZER
    raise Barred("Only the umpire or the organizer can pause, end or archive a game.")


def umpire(game: str) -> str:
    """The umpire's seat, which alone changes this by the API. Raises Barred."""
    if acting_seat(game).id != UMPIRE:
        raise Barred("Only the umpire or the organizer can pause, end or archive a game.")
    return UMPIRE


@bp.get("/keeping")
def show(game: str) -> Response:
    """Whether the game is paused, ended, archived or shown to everybody, and who made it so when."""
    seat, found = current_seat(game).id, store().game(game)
    acts = [plain(act) for act in archive.acts(store(), game)]
    if seat != UMPIRE:  # which game is a copy, and of what, is the umpire's to know
        acts = [{**act, "about": ""} for act in acts if act["act"] not in (archive.COPIED, archive.COPY)]
    return answer({"halted": found.halted, "archived": found.archived, "is_public": found.is_public, "acts": acts})


@bp.post("/keeping")
def act(game: str) -> Response:
    """Pause, go_on, end, archive, open_again, publish or hide; the umpire's alone."""
    by = umpire(game)
    perform(store(), game, body(Kept).act, by)
    return show(game)


@bp.post("/copy")
def copy(game: str) -> Response:
    """A new game from this one as it stood after an entry; the umpire's alone."""
    by, wanted = umpire(game), body(Copied)
    allow_new_game("imports")
    return created_answer(*archive.copy(store(), game, by, wanted.entry, wanted.title))
