"""A game's page, its table, its journal, and the three acts on it: one way for battles and campaigns."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Blueprint, current_app, g, make_response, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from webapp.http.addresses import local_path
from webapp.http.forms import count, read_form, whole
from webapp.http.rate_limit import slow_down
from webapp.http.seats import REFUSALS, GamePages, NoSeat, current_seat, listen, store
from webapp.pages.battle.views import PAGES as BATTLE
from webapp.pages.campaign.views import PAGES as CAMPAIGN
from webapp.pages.season import PAGES as SEASON
from webapp.post.seating import no_seat, unknown
from webapp.presenting.refusals import flash_of
from webapp.storage.errors import Stale, Unknown
from webapp.storage.journal.writing import umpire_only
from webapp.storage.services import letters
from webapp.systems import PRESENTATIONS

KINDS = {"galley": BATTLE, "season": SEASON, **dict.fromkeys(PRESENTATIONS, CAMPAIGN)}
bp = Blueprint("game", __name__)
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)


def kind(system: str) -> GamePages:
    """The pages of a system's games. Raises Unknown for one that is played over the API alone."""
    if system not in KINDS:
        raise Unknown("There is no such game.")
    return KINDS[system]


def pages(game: str) -> GamePages:
    """The pages of this game's kind."""
    return kind(store().game(game).system)


@bp.get("/g/<game>")
def page(game: str) -> ResponseReturnValue:
    """The game as this seat may see it."""
    return pages(game).page(game)


@bp.get("/g/<game>/home")
def home(game: str) -> ResponseReturnValue:
    """Whither a seat's link leads: to the game's page, or to the one where this seat has most to do."""
    return redirect(pages(game).home(game), 302)


@bp.get("/g/<game>/seats")
def seats(game: str) -> ResponseReturnValue:
    """Whither the umpire's pages of a game lead for its seats: to their one page."""
    umpire_only(current_seat(game).id)
    return redirect(f"/seats/{game}", 302)


@bp.get("/g/<game>/table")
def table(game: str) -> ResponseReturnValue:
    """The same, as the part that live updates and taps swap in."""
    return pages(game).table(game)


@bp.get("/g/<game>/log")
def log(game: str) -> ResponseReturnValue:
    """The journal."""
    return pages(game).log(game)


@bp.get("/display/<game>")
def display(game: str) -> ResponseReturnValue:
    """The television: what a spectator may see; the game's code is enough to look on."""
    return pages(game).display(game)


@bp.get("/display/<game>/table")
def display_table(game: str) -> ResponseReturnValue:
    """The same, as the part that live updates swap in."""
    return pages(game).display_table(game)


@bp.get("/display/<game>/stream")
def display_stream(game: str) -> ResponseReturnValue:
    """One event for each change; it carries a number and nothing else."""
    return listen(game, count(request.args.get("after")), is_seated=False)


@bp.post("/g/<game>/command")
def command(game: str) -> ResponseReturnValue:
    """Give one command; what is refused is said beside the table.

    A command that other seats' acts have overtaken is carried out where the page would show it as it did.
    """
    seat = current_seat(game).id

    def act() -> None:
        form, its = read_form(request.form), pages(game)
        read, version = its.read(seat, form.seen), form.seen
        while True:
            try:
                store().submit(game, version, seat, form.command, form.faces, form.key, read)
                return
            except Stale as stale:
                if stale.is_lost or isinstance(form.faces, list):
                    raise
                if not its.is_still_shown(game, seat, form.seen, form.command):
                    raise
                version = stale.version

    return perform(game, act)


@bp.post("/g/<game>/undo")
def undo(game: str) -> ResponseReturnValue:
    """Take back the last command, or consent to it; give one's word on what is proposed; or refuse what others ask."""
    seat = current_seat(game).id

    def act() -> None:
        seen, consent = whole(request.form.get("seen"), "seen"), bool(request.form.get("consent"))
        if request.form.get("refuse"):
            store().refuse_undo(game, seen, seat)
            return
        if request.form.get("word"):
            store().agree(game, seen, seat)
            return
        try:
            store().undo(game, seen, seat, consent)
        except Stale:
            if not was_heard(game, seat, seen):
                raise

    return perform(game, act)


@bp.post("/g/<game>/cancel-roll")
def cancel_roll(game: str) -> ResponseReturnValue:
    """Let go of the command that waits for dice; the umpire's alone."""
    seat = current_seat(game).id
    return perform(game, lambda: store().cancel_roll(game, whole(request.form.get("seen"), "seen"), seat))


@bp.post("/g/<game>/marks")
def mark(game: str) -> ResponseReturnValue:
    """Mark a moment of the journal by a name, or remove a mark; then back to the replay."""
    seat, form = current_seat(game).id, request.form
    try:
        if form.get("strike"):
            letters.strike_mark(store(), game, seat, whole(form["strike"], "strike"))
        else:
            slow_down("notes")
            entry, seen_by = whole(form.get("entry"), "entry"), form.get("seen_by", letters.ALL)
            letters.set_mark(store(), game, seat, entry, form.get("name", ""), seen_by)
    except REFUSALS as fault:
        g.mark_refused = flash_of(fault, store().game(game).system)
        return replay_page(form.get("back", "")) or pages(game).refused(game, fault)
    return redirect(local_path(form.get("back", f"/g/{game}?seat={seat}")), 303)


def replay_page(address: str) -> ResponseReturnValue | None:
    """The page of the replay from which a form came, for what was refused there; None if it came from elsewhere."""
    try:
        endpoint, values = current_app.url_map.bind("localhost").match(urlsplit(address).path, "GET")
    except (HTTPException, RequestRedirect):
        return None
    return make_response(current_app.view_functions[endpoint](**values), 422) if endpoint.endswith(".replay") else None


def perform(game: str, act: Callable[[], object]) -> ResponseReturnValue:
    try:
        act()
    except REFUSALS as fault:
        return pages(game).refused(game, fault)
    return pages(game).again(game)


def was_heard(game: str, seat: str, seen: int) -> bool:
    """Is this request sent once more because its answer was lost, and had the first one taken the act back?"""
    if "X-Retry" not in request.headers or seen >= store().game(game).version:
        return False
    following = store().entry(game, seen + 1)
    return following.command.get("type") == "undo" and following.seat == seat
