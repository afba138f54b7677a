"""The war step by step on the map: each position as the seat may know it, with arrows for what moved and the dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import plain
from webapp.api.serializers import entry_for
from webapp.http.forms import count
from webapp.http.seats import current_seat, held_seats, seat_and_table, store
from webapp.pages.campaign.blueprint import campaign_blueprint
from webapp.pages.campaign.history import moments
from webapp.pages.campaign.history.journal import lines
from webapp.presenting.map.drawing import Drawing, drawing
from webapp.presenting.map.layout import has_map
from webapp.presenting.map.zoom_levels import level_of
from webapp.presenting.picture import Picture
from webapp.presenting.sides import side_number
from webapp.storage.journal.records import Table
from webapp.systems.presentations import presentation

bp = campaign_blueprint("replay")
FROM = ("start", "origin", "from")  # what events call where a move began, and where it went
TO = ("to", "space", "at", "hex", "place")
SIZE = (1000, 600)  # pixels that the map has here


@dataclass(frozen=True)
class Arrow:
    """A move on the map, from point to point, of a side."""

    x: float
    y: float
    to_x: float
    to_y: float
    tone: int


@bp.get("/<game>/replay")
def since(game: str) -> ResponseReturnValue:
    """A link to a moment (`?at=`); without one, from where the seat looked last: its own last act or replay."""
    seat = current_seat(game).id
    version = store().game(game).newest(seat)
    number = min(store().last_look(game, seat) + 1, version)
    wanted = count(request.args.get("at"))
    if wanted is not None:
        number = wanted
    if number > version:
        abort(404)
    return redirect(url_for("replay.replay", game=game, number=number, seat=seat), 303)


@bp.get("/<game>/replay/<int:number>")
def replay(game: str, number: int) -> str:
    """The map as it stood after an entry, and what had happened; for htmx the part of the page that changes."""
    seat, table = seat_and_table(game)
    if number > table.game.version:
        abort(404)
    if number == table.game.version and seat != SPECTATOR:
        store().looked(game, seat, number)
    system = table.game.system
    how = presentation(system)
    then = plain(store().table_after(game, number).view(seat))
    entry = store().entry(game, number, seat)
    before = picture_after(game, entry.parent, table, seat) if number else None
    picture, drawn, near = how.picture(then), None, 3
    arrows: tuple[Arrow, ...] = ()
    if has_map(system):
        box = drawing(system, how.picture(plain(table.view(seat)))).in_play  # the same for every step: it keeps still
        drawn = replace(drawing(system, picture), in_play=box)
        arrows = moves(drawn, system, before, entry_for(entry, seat).events)
        near = level_of(box, *SIZE)
    entries = store().entries(game, seat=seat)
    earlier, later = moments.beside(moments.of_weight(system, entries, seat), number)
    turns = moments.turn_starts(entries, seat)
    partial = bool(request.headers.get("HX-Request"))
    return render_template(
        "campaign/_replay.html" if partial else "campaign/replay.html",
        earlier=earlier,
        later=later,
        turns=turns,
        now=next((turn for turn, begun in reversed(turns) if begun <= number), 0),
        seats=[each.id for each in held_seats(game)],
        game=table.game,
        seat=seat,
        number=number,
        last=table.game.version,
        drawing=drawn,
        arrows=arrows,
        near=near,
        strip=how.strip(then),
        entry=lines(system, entry, seat),
        address=url_for("replay.since", game=game),
        asked=f"?seat={seat}",
    )


def picture_after(game: str, number: int, table: Table, seat: str) -> Picture:
    """What the seat knew of the map after an entry."""
    return presentation(table.game.system).picture(plain(store().table_after(game, number).view(seat)))


def moves(
    drawn: Drawing, system: str, before: Picture | None, events: Iterable[Mapping[str, Any]]
) -> tuple[Arrow, ...]:
    """Who stands elsewhere than before, and what the events say of moves; each way once."""
    ways: dict[tuple[str, str], str] = {}
    stood = places(before) if before else {}
    for leader, (space, side) in places(drawn.picture).items():
        if leader in stood and stood[leader][0] != space:
            ways[stood[leader][0], space] = side
    for event in events:
        start = next((event[name] for name in FROM if isinstance(event.get(name), str)), None)
        end = next((event[name] for name in TO if isinstance(event.get(name), str)), None)
        if start and end and start != end:
            ways.setdefault((start, end), str(event.get("side") or event.get("power") or ""))
    spots, number = drawn.sheet.spots, partial(side_number, system, drawn.picture.sides)
    return tuple(
        Arrow(spots[start].x, spots[start].y, spots[end].x, spots[end].y, number(side))
        for (start, end), side in ways.items()
        if start in spots and end in spots
    )


def places(picture: Picture) -> dict[str, tuple[str, str]]:
    """Where each leader stands, and whose he is."""
    return {leader.id: (stack.space, stack.side) for stack in picture.stacks for leader in stack.leaders}
