"""The replay: the board as it stood after each entry of the journal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from webapp.api.serializers import entry_shown
from webapp.http.forms import count
from webapp.http.seats import held_seats, store
from webapp.pages.battle.board.board import Picture, board
from webapp.pages.battle.journal.journal import here
from webapp.pages.battle.replay import moments
from webapp.pages.battle.results.messages import lines
from webapp.pages.battle.roster.ship_list import rows
from webapp.pages.battle.roster.strip import chips
from webapp.presenting.battle_labels import seat_name
from webapp.presenting.labels import translated


def add_to(bp: Blueprint) -> None:
    """The replay's addresses."""
    bp.add_url_rule("/g/<game>/replay", "moment", moment)
    bp.add_url_rule("/g/<game>/replay/<int:number>", "replay", replay)


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
