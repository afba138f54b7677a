"""The journal as pages: all of it or a turn, replay, the report after the action, and luck."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from webapp.api.serializers import entry_shown
from webapp.http.csv_rows import Rows
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.seats import current_seat, held_seats, store
from webapp.pages.battle import clock_faces, dice_stats, moments
from webapp.pages.battle.drawing.board import Picture, board
from webapp.pages.battle.fleet import chips, rows
from webapp.pages.battle.looking import looking
from webapp.pages.battle.messages import MARKS, Line, line, lines
from webapp.presenting.battle_labels import seat_name, ship_name, ship_state, side_name, status_word
from webapp.presenting.labels import translated, type_word
from webapp.presenting.rules_version import mark
from webapp.storage.records import Table

SHORT = 40  # entries in the journal beside the board


@dataclass(frozen=True)
class Told:
    """One entry in words: its number, time, who acted, its lines; struck when it was taken back."""

    number: int
    time: str
    who: str
    lines: list[Line]
    struck: bool
    new: bool
    mark: str = ""  # where another version of the rules goes on
    sign: str = ""  # that a captain gave the command


@dataclass
class Chapter:
    """The entries of a turn."""

    turn: int
    entries: list[Told] = field(default_factory=list)


def add_to(bp: Blueprint) -> None:
    """The journal's addresses."""
    bp.add_url_rule("/g/<game>/journal", "journal", short)
    bp.add_url_rule("/g/<game>/replay", "moment", moment)
    bp.add_url_rule("/g/<game>/replay/<int:number>", "replay", replay)
    bp.add_url_rule("/g/<game>/report", "report", report)
    bp.add_url_rule("/g/<game>/report.txt", "report_text", report_text)
    bp.add_url_rule("/g/<game>/report.csv", "report_csv", report_csv)


def told(battle: Battle, entries: Sequence[Entry], seat: str, last_look: int = -1) -> list[Told]:
    """Entries in words, without what the seat may not see; an entry of which nothing is seen is left out."""
    found = []
    engine = ""
    for entry in entries:
        shown = entry_shown(entry, seat)
        said = lines(battle, shown.events)
        if entry.command.get("type") == "undo":
            said = [
                Line("", _("Entry %(number)s is taken back.", number=entry.command.get("entry")), (), "soft", "undo")
            ]
        if not said:
            continue
        who = seat_name(battle, entry.seat)
        if entry.on_behalf:
            who = _("%(who)s for %(side)s", who=who, side=side_name(battle, entry.on_behalf))
        found.append(
            Told(
                entry.number,
                entry.time[11:16],
                who,
                said,
                entry.taken_back is not None,
                0 <= last_look < entry.number,
                mark(engine, entry.engine),
                sign(battle, shown.events),
            )
        )
        engine = entry.engine
    return found


def sign(battle: Battle, events: Sequence[Mapping[str, Any]]) -> str:
    """How an entry came about, for the small sign beside it; empty where a player gave the command."""
    return next((line(battle, happened).text for happened in events if happened.get("type") in MARKS), "")


def chapters(battle: Battle, entries: Sequence[Entry], seat: str, last_look: int = -1) -> list[Chapter]:
    """The journal by turns; an entry that ends a turn belongs to that turn."""
    found = [Chapter(1)]
    turn = 1
    for entry, said in _paired(battle, entries, seat, last_look):
        if said is not None:
            if found[-1].turn != turn:
                found.append(Chapter(turn))
            found[-1].entries.append(said)
        for happened in entry.events:
            if happened.type == "turn" and entry.taken_back is None:
                turn = int(happened.data["turn"])
    return [chapter for chapter in found if chapter.entries]


def _paired(battle: Battle, entries: Sequence[Entry], seat: str, last_look: int) -> list[tuple[Entry, Told | None]]:
    by_number = {each.number: each for each in told(battle, entries, seat, last_look)}
    return [(entry, by_number.get(entry.number)) for entry in entries]


def short(game: str) -> Any:
    """The newest entries, beside the board."""
    at, table, battle = here(game)
    version = table.game.version
    found = told(battle, store().entries(game, max(-1, version - SHORT)), at.seat)
    return render_template("battle/_journal.html", at=at, told=list(reversed(found)), b=battle)


def log(game: str) -> Any:
    """The whole journal, a turn of it, or what happened since this seat last looked."""
    at, table, battle = here(game)
    last = store().last_look(game, at.seat)
    entries = store().entries(game)
    found = chapters(battle, entries, at.seat, last)
    turns = [chapter.turn for chapter in found]
    wanted = request.args.get("turn", "")
    if (turn := count(wanted)) is not None:
        found = [chapter for chapter in found if chapter.turn == turn]
    if request.args.get("since") == "look":
        for chapter in found:
            chapter.entries = [entry for entry in chapter.entries if entry.new]
        found = [chapter for chapter in found if chapter.entries]
    if at.seat != "spectator":
        store().looked(game, at.seat, table.game.version)
    return render_template(
        "battle/log.html",
        at=at,
        chapters=found,
        turns=turns,
        wanted=wanted,
        since=request.args.get("since"),
        title=translated(table.game.title),
        b=battle,
        version=table.game.version,
    )


def moment(game: str) -> Any:
    """A link to a moment (`?at=`); without one, from where this seat looked last."""
    at, table, _battle = here(game)
    last = table.game.version
    number = count(request.args.get("at"))
    if number is None:
        number = min(store().last_look(game, at.seat), last)
    if number > last:
        abort(404)
    return redirect(at.url("battle.replay", number=number), 303)


def replay(game: str, number: int) -> Any:
    """The board as it stood after an entry, as far as the seat may know it; after the battle, all that was shown."""
    at, table, now = here(game)
    if number > table.game.version:
        abort(404)
    then = store().table_after(game, number)
    seat = moments.knows(table, at.seat, then.state.turn)
    battle: Battle = then.view(seat)
    entry = store().entry(game, number)
    events = entry_shown(entry, seat).events
    entries = store().entries(game)
    earlier, later = moments.beside(moments.of_weight(now, entries, at.seat), number)
    said = lines(battle, events)
    moved = {str(event["ship"]) for event in events if event.get("ship")}
    picture = board(battle, Picture(still=True, moved=moved)) if battle.has_places else None
    everyone = rows(battle, chips(battle, list(battle.ships), ()), None) if picture is None else []
    return render_template(
        "battle/replay.html",
        at=at,
        b=battle,
        number=number,
        last=table.game.version,
        said=said,
        picture=picture,
        rows=everyone,
        who=seat_name(battle, entry.on_behalf or entry.seat),
        struck=entry.taken_back is not None,
        turns=turn_starts(entries),
        title=translated(table.game.title),
        earlier=earlier,
        later=later,
        seats=[(each.id, seat_name(battle, each.id)) for each in held_seats(game)],
    )


def turn_starts(entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """The turns with the entry after which each stands open."""
    found = [(1, 0)]
    for entry in entries:
        if entry.taken_back is None:
            found += [(int(event.data["turn"]), entry.number) for event in entry.events if event.type == "turn"]
    return found


def report(game: str) -> Any:
    """What became of each ship, what it counts, and how lucky the dice were."""
    at, table, battle = here(game)
    entries = store().entries(game)
    return render_template(
        "battle/report.html",
        at=at,
        b=battle,
        title=translated(table.game.title),
        fates=fates(battle),
        best=moments.best(table, at.seat, entries),
        luck=dice_stats.counted(battle, entries),
        loud=loud(table, at.seat),
        created=table.game.created[:10],
        used=clock_faces.used(store(), game, battle),
    )


def fates(battle: Battle) -> list[dict[str, Any]]:
    """Each ship and what became of it."""
    return [
        {
            "id": name,
            "name": ship_name(battle, name),
            "side": side_name(battle, ship.side),
            "type": type_word(ship.type),
            "status": status_word(ship.status),
            "left": max(0, battle.kind(ship).hull - ship.damage),
            "hull": battle.kind(ship).hull,
            "marines": ship.marines,
            "state": ship_state(ship),
            "captor": side_name(battle, ship.captured_by) if ship.captured_by else "",
        }
        for name, ship in battle.ships.items()
    ]


def loud(table: Table, seat: str) -> list[tuple[int, list[Line]]]:
    """What decided the battle, by turn."""
    battle: Battle = table.view(seat)
    found: dict[int, list[Line]] = {}
    for chapter in chapters(battle, store().entries(table.game.id), seat):
        said = [line for entry in chapter.entries if not entry.struck for line in entry.lines if line.weight == "loud"]
        if said:
            found.setdefault(chapter.turn, []).extend(said)
    return list(found.items())


def report_text(game: str) -> Response:
    """The report as plain text."""
    at, table, battle = here(game)
    title = translated(table.game.title)
    parts = [title, "=" * len(title), ""]
    parts += [f"{side_name(battle, side)}: {head.points}" for side, head in battle.sides.items()]
    parts.append("")
    for turn, said in loud(table, at.seat):
        parts.append(_("Turn %(turn)s", turn=turn))
        parts += [f"  {line.text} [{line.rule}]" for line in said]
    parts.append("")
    for fate in fates(battle):
        parts.append(f"{fate['side']}: {fate['name']}, {fate['type']}: {fate['status']}, {fate['left']}/{fate['hull']}")
    return Response("\n".join(parts) + "\n", mimetype="text/plain", headers=attached(game, "txt"))


def report_csv(game: str) -> Response:
    """The ships' fates and the dice as CSV."""
    _at, _table, battle = here(game)
    out = io.StringIO()
    sheet = Rows(out)
    sheet.writerow(
        ["ship", "name", "side", "type", "status", "captured_by", "hull", "hull_left", "breaches", "marines"]
    )
    for name, ship in battle.ships.items():
        hull = battle.kind(ship).hull
        sheet.writerow(
            [
                name,
                ship.name,
                ship.side,
                ship.type,
                ship.status,
                ship.captured_by or "",
                hull,
                max(0, hull - ship.damage),
                ship.breaches,
                ship.marines,
            ]
        )
    sheet.writerow([])
    sheet.writerow(["rule", "side", "dice", "expected", "actual"])
    for row in dice_stats.counted(battle, store().entries(game)):
        sheet.writerow([row.rule, row.side, row.dice, f"{row.expected:.2f}", f"{row.actual:.2f}"])
    return Response(out.getvalue(), mimetype="text/csv", headers=attached(game, "csv"))


def attached(game: str, ending: str) -> dict[str, str]:
    """The header that names a file."""
    return {"Content-Disposition": f'attachment; filename="navarch-{game}.{ending}"'}


def here(game: str) -> tuple[Any, Table, Battle]:
    """Who looks, the table, and the position as that seat sees it."""
    seat = current_seat(game)
    table = store().load(game)
    at = looking(table, seat.id, request.args.get("ship"), request.args.get("view"))
    return at, table, table.view(seat.id)
