"""A game's page, its table, its journal, and the three acts on it: one way for battles and campaigns.

What differs between the kinds of games is a `GamePages`, given by the battle's and the campaign's folders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, request

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput
from webapp.http.forms import count, read_form, whole
from webapp.http.seats import NoSeat, current_seat, listen, store
from webapp.seating.no_seat import no_seat, unknown
from webapp.storage.errors import Barred, Refused, Stale, Unknown

REFUSALS = (Illegal, NotYours, Refused, Stale, BadInput, Barred)


@dataclass(frozen=True)
class GamePages:
    """How one kind of game answers.

    `page(game)` the whole page; `table(game)` the part that a live update or a tap swaps in; `again(game)` the answer
    after a change; `refused(game, fault)` the same with the sentence of a refusal; `log(game)` the journal;
    `display(game)` the television's page and `display_table(game)` what of it changes; `read(seat, seen)` says what a
    seat has read that gives a command, by its cursors; `is_still_shown(game, seat, seen, command)` whether a command
    that was sent from the page of version `seen` would stand on today's page as it stood there.
    """

    page: Callable[[str], Any]
    table: Callable[[str], Any]
    again: Callable[[str], Any]
    refused: Callable[[str, Exception], Any]
    log: Callable[[str], Any]
    display: Callable[[str], Any]
    display_table: Callable[[str], Any]
    read: Callable[[str, int], Mapping[str, int]] = lambda seat, seen: {}
    is_still_shown: Callable[[str, str, int, Mapping[str, Any]], bool] = lambda game, seat, seen, command: False


def blueprint(kinds: Callable[[str], GamePages]) -> Blueprint:
    """The addresses under /g/<game>; `kinds` gives the pages of a system's games."""
    bp = Blueprint("game", __name__)
    bp.register_error_handler(NoSeat, no_seat)
    bp.register_error_handler(Unknown, unknown)

    def pages(game: str) -> GamePages:
        return kinds(store().game(game).system)

    @bp.get("/g/<game>")
    def page(game: str) -> Any:
        """The game as this seat may see it."""
        return pages(game).page(game)

    @bp.get("/g/<game>/table")
    def table(game: str) -> Any:
        """The same, as the part that live updates and taps swap in."""
        return pages(game).table(game)

    @bp.get("/g/<game>/log")
    def log(game: str) -> Any:
        """The journal."""
        return pages(game).log(game)

    @bp.get("/display/<game>")
    def display(game: str) -> Any:
        """The television: what a spectator may see; the game's code is enough to look on."""
        return pages(game).display(game)

    @bp.get("/display/<game>/table")
    def display_table(game: str) -> Any:
        """The same, as the part that live updates swap in."""
        return pages(game).display_table(game)

    @bp.get("/display/<game>/stream")
    def display_stream(game: str) -> Any:
        """One event for each change; it carries a number and nothing else."""
        return listen(game, count(request.args.get("after")), is_seated=False)

    @bp.post("/g/<game>/command")
    def command(game: str) -> Any:
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

        return acted(game, act)

    @bp.post("/g/<game>/undo")
    def undo(game: str) -> Any:
        """Take back the last command, or consent to it."""
        seat = current_seat(game).id

        def act() -> None:
            seen, consent = whole(request.form.get("seen"), "seen"), bool(request.form.get("consent"))
            try:
                store().undo(game, seen, seat, consent)
            except Stale:
                if not was_heard(game, seat, seen):
                    raise

        return acted(game, act)

    @bp.post("/g/<game>/cancel-roll")
    def cancel_roll(game: str) -> Any:
        """Let go of the command that waits for dice; the umpire's alone."""
        seat = current_seat(game).id
        return acted(game, lambda: store().cancel_roll(game, whole(request.form.get("seen"), "seen"), seat))

    def acted(game: str, act: Callable[[], object]) -> Any:
        try:
            act()
        except REFUSALS as fault:
            return pages(game).refused(game, fault)
        return pages(game).again(game)

    return bp


def was_heard(game: str, seat: str, seen: int) -> bool:
    """Is this request sent once more because its answer was lost, and had the first one taken the act back?"""
    if "X-Retry" not in request.headers or seen >= store().game(game).version:
        return False
    following = store().entry(game, seen + 1)
    return following.command.get("type") == "undo" and following.seat == seat
