"""The organizer's pages: all games of this server, imports and backups."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from flask import Blueprint, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput
from webapp.http import operations
from webapp.http.addresses import seat_path
from webapp.http.forms import parse, whole
from webapp.http.language import gettext as _
from webapp.http.seats import (
    REFUSALS,
    NoSeat,
    allow_new_game,
    has_password,
    held_games,
    held_seats,
    is_organizer,
    log_in,
    log_out,
    remember,
    store,
)
from webapp.pages import lobby
from webapp.post import deadlines, people
from webapp.post.api import by_whom, perform
from webapp.post.deadlines import Wait, said_until, turn_sentence, waits, when
from webapp.post.seating import no_seat, unknown
from webapp.post.webhooks import Call, calls
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.labels import system_word
from webapp.presenting.refusals import Flash, flash_of
from webapp.storage.errors import Barred, Refused, Unknown
from webapp.storage.file.database import Damaged, trouble
from webapp.storage.journal import store as journal_store
from webapp.storage.journal import transfer
from webapp.storage.journal.records import Game
from webapp.storage.journal.store import Store, archived_battles
from webapp.storage.services import archive, backups
from webapp.storage.services.archive import ArchiveEntry

# -- What the organizer sees: all campaigns and battles of this server, their state, and the backups.
#
# Whoever sits at the server itself sees every game; anybody else the games in which his browser has a seat.

ON_PAGE = 50  # games


@dataclass(frozen=True)
class Row:
    """One game on the list."""

    game: Game
    title: str
    mine: tuple[str, ...]
    seats: tuple[tuple[str, str], ...] = ()
    sentence: str = ""  # who must do what
    last: str = ""
    failures: tuple[Call, ...] = ()
    trouble: str = ""  # what keeps its position from being read
    until: tuple[str, ...] = ()  # who must have acted until when, as sentences; with `late` those whose time is over
    late: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()  # what was done about it, as sentences

    @property
    def may_keep(self) -> bool:
        """Is it a campaign, which can be paused, copied and archived?"""
        return self.game.system != "galley"

    @property
    def may_export(self) -> bool:
        """Only an umpire may: the file holds every side's secrets."""
        return UMPIRE in self.mine


@dataclass(frozen=True)
class Page:
    """A page of a list of games: these games, its number from 1 on, and how many pages there are."""

    games: tuple[Game, ...]
    number: int
    pages: int


def page_of(games: Sequence[Game], wanted: int, code: str = "") -> Page:
    """The wanted page of the games, or the one on which the game of that code stands; the nearest that there is."""
    pages = max(1, -(-len(games) // ON_PAGE))
    place = next((place for place, game in enumerate(games) if game.id == code), None)
    number = min(max(1, wanted), pages) if place is None else place // ON_PAGE + 1
    return Page(tuple(games[(number - 1) * ON_PAGE : number * ON_PAGE]), number, pages)


def lists(store: Store, codes: Collection[str] | None) -> tuple[list[Game], list[Game]]:
    """The games with these codes, or all, the newest first: those that go on or are over, and the archive's campaigns.

    A battle goes with its campaign.
    """
    games = [game for game in store.games() if codes is None or game.id in codes]
    away = {game.id for game in games if game.archived} | archived_battles(store)
    archive = [game for game in games if game.id in away and game.system != "galley"]
    return [game for game in games if game.id not in away], archive


def row(store: Store, game: Game, mine: tuple[str, ...]) -> Row:
    """A game on the list, with what this browser's seats in it are; one that cannot be read says why."""
    try:
        table = store.load(game.id)
    except (sqlite3.DatabaseError, Damaged) as fault:  # one damaged game hides no other
        return Row(game, system_word(game.system), mine, trouble=operations.in_words(str(trouble(fault) or fault)))
    waiting = waits(store, table)
    until, late = due(store, game.id, waiting)
    known = game.for_seat(UMPIRE if UMPIRE in mine else next(iter(mine), SPECTATOR))
    return Row(
        known,
        system_word(table.system.name),
        mine,
        tuple((seat.id, seat.name) for seat in store.seats(game.id)),
        turn_sentence(store, table, waiting=waiting).text,
        when(store.entry(game.id, known.version).time),
        tuple(call for call in calls(store, game.id) if call.failure),
        until=until,
        late=late,
        acts=tuple(act_text(act) for act in archive.acts(store, game.id)),
    )


def act_text(act: ArchiveEntry) -> str:
    """What was done about a game, as a sentence."""
    code, _space, entry = act.about.partition(" ")
    return {
        "pause": _("Paused."),
        "go_on": _("Resumed."),
        "end": _("Ended."),
        "archive": _("Put into the archive."),
        "open_again": _("Taken out of the archive."),
        "publish": _("Shown to everybody."),
        "hide": _("No longer shown to everybody."),
        archive.COPIED: _("Copied as it stood after entry %(entry)s: %(code)s.", entry=entry, code=code),
        archive.COPY: _("A copy of %(code)s as it stood after entry %(entry)s.", entry=entry, code=code),
    }.get(act.act, act.act) + f" ({when(act.time)})"


def due(store: Store, game: str, waiting: tuple[Wait, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who must have acted until when, and whose time is over, as sentences."""
    rule = deadlines.deadline(store, game)
    if rule is None:
        return (), ()
    table, those = store.load(game), people.people(store, game)
    until: list[str] = []
    late: list[str] = []
    for wait in waiting:
        end = deadlines.due_in(store, table, wait, rule, those)
        if end is not None:
            said = _(
                "%(seat)s until %(when)s", seat=seat_word(wait.seat), when=said_until(deadlines.in_zone(end, rule))
            )
            (late if end < datetime.now(UTC) else until).append(said)
    return tuple(until), tuple(late)


def go_back(store: Store, backup: Path) -> None:
    """Put a backup in the place of the games while they are served. Raises OSError, with nothing changed."""
    backups.check(backup)
    try:
        backups.back_up(store.file.path)
    except OSError:  # it is damaged: whoever can read something in it finds it as it is
        backups.set_aside(store.file.path, is_served=True)
    backups.put(backup, store.file.path)


# -- The organizer's page: all campaigns and battles, what may be done about each, imports and backups.

bp = Blueprint("organizer", __name__, template_folder="templates", url_prefix="/organizer")
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)


@bp.get("")
def organizer_page(flash: Flash | None = None) -> ResponseReturnValue:
    """The campaigns and battles, a page of them, with their state, exports and backups; `?game=` finds its page."""
    local = is_organizer()
    games, archived = lists(store(), None if local else held_games())
    code = request.values.get("game", "")
    shown = page_of(games, number("page"), code)
    archive = page_of(archived, number("archive"), code)
    body = render_template(
        "organizer/organizer.html",
        rows=[found for game in shown.games if (found := row(store(), game, mine(game))).mine or local],
        page=shown,
        archive=[Row(game, system_word(game.system), mine(game)) for game in archive.games if local or mine(game)],
        archive_page=archive,
        local=local,
        book=people.address_book(store()) if local else (),
        asks=has_password(),
        troubles=current_app.extensions["navarch"].troubles.newest()[::-1] if local else [],
        backups=[(path, path.stat()) for path in reversed(backups.backups(store().file.path))] if local else [],
        moment=lambda seconds: when(datetime.fromtimestamp(seconds, UTC).isoformat()),
        lost=journal_store.read(store()) if local else [],
        no_backup=backups.fault(store().file.path) if local else None,
        flash=flash,
    )
    return body, flash.status if flash else 200


def number(field: str) -> int:
    """The page that is asked for; the first where none is."""
    return whole(request.args.get(field) or "1", field)


def mine(game: Game) -> tuple[str, ...]:
    """This browser's seats in a game."""
    return tuple(seat.id for seat in held_seats(game.id))


@bp.post("/login")
def log_in_page() -> ResponseReturnValue:
    """The organizer's password makes this browser his; empty, it is his no more."""
    if not has_password():
        raise Refused(_("This server does not ask for a password: the organizer is the person who sits at it."))
    given = request.form.get("password", "")
    if not given:
        log_out()
    elif not log_in(given):
        return organizer_page(Flash(_("That password is wrong.")))
    return redirect("/organizer", 303)


@bp.post("/book")
def book_page() -> ResponseReturnValue:
    """Write people into the club's address book, or cross somebody out; the organizer's alone."""
    if not is_organizer():
        raise Barred("Only the organizer can read or change the address book.")
    try:
        if request.form.get("strike"):
            people.cross_out(store(), whole(request.form["strike"], "strike"))
        else:
            people.write_down(store(), people.read_list(request.form.get("list", "")))
    except REFUSALS as fault:
        return organizer_page(flash_of(fault))
    return redirect("/organizer#book", 303)


@bp.post("/known")
def known_page() -> ResponseReturnValue:
    """The organizer knows of the moves that were lost."""
    if not is_organizer():
        raise Barred("Only the organizer can acknowledge the lost moves.")
    journal_store.clear(store())
    return redirect("/organizer", 303)


@bp.post("/restore")
def restore_page() -> ResponseReturnValue:
    """Go back to a backup, after a last one of what is there; the organizer's alone."""
    if not is_organizer():
        raise Barred("Only the organizer can go back to a backup.")
    path = store().file.path
    wanted = next((each for each in backups.backups(path) if each.name == request.form.get("backup")), None)
    if wanted is None:
        return organizer_page(Flash(_("There is no such backup.")))
    try:
        go_back(store(), wanted)
    except OSError as fault:
        return organizer_page(
            Flash(_("The backup could not be restored: %(why)s. Nothing has changed.", why=str(fault)))
        )
    return redirect("/organizer", 303)


@bp.post("/keep")
def keep_page() -> ResponseReturnValue:
    """Pause, end, archive or show a campaign; its umpire's and the organizer's."""
    game, act = request.form.get("game", ""), request.form.get("act", "")
    try:
        by = by_whom(game)  # first, so that a stranger does not learn which codes there are
        perform(store(), game, act, by)
    except REFUSALS as fault:
        return organizer_page(flash_of(fault))
    if request.form.get("back") == "seats":
        return redirect(f"/seats/{game}#public", 303)
    return redirect(f"/organizer?game={game}#game-{game}", 303)


@bp.post("/copy")
def copy_page() -> ResponseReturnValue:
    """A new game from one as it stood after an entry; this browser becomes its umpire."""
    form = request.form
    game, entry = form.get("game", ""), form.get("entry", "").strip()
    try:
        by = by_whom(game)  # first, as above
        store().game(game)
        allow_new_game("imports")
        number = whole(entry, "entry") if entry else None
        made, tokens = archive.copy(store(), game, by, number, form.get("title", ""))
    except REFUSALS as fault:
        return organizer_page(flash_of(fault))
    lobby.keep(made, tokens)
    return redirect(f"/seats/{made.id}", 303)


@bp.post("/import")
def import_page() -> ResponseReturnValue:
    """Bring in an exported game; this browser becomes its umpire."""
    allow_new_game("imports")
    sent = request.files.get("file")
    try:
        if sent is None or not sent.filename:
            raise BadInput("file", _("choose a file"))
        game, tokens = transfer.import_(store(), parse(sent.read(), is_saved=True), is_strangers=not is_organizer())
    except REFUSALS as fault:
        return organizer_page(flash_of(fault))
    seat = store().seat_of(tokens[UMPIRE])
    if seat is not None:
        remember(seat, tokens[UMPIRE])
    return redirect(seat_path(game.id, UMPIRE), 303)
