"""The journal of a campaign as lines to read, what decided it, and its replay on the map."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import plain
from webapp.api.serializers import entry_for, events_for
from webapp.http.forms import count
from webapp.http.fragments import csrf_input
from webapp.http.seats import current_seat, held_seats, seat_and_table, store
from webapp.pages.frame import campaign_blueprint
from webapp.pages.reference.books import book, find
from webapp.post.deadlines import when
from webapp.presenting.campaign_labels import command_title, field_word, way_word
from webapp.presenting.labels import chapter_word, translate
from webapp.presenting.map.drawing import Drawing, drawing
from webapp.presenting.map.placement import level_of
from webapp.presenting.map.sheet import has_map
from webapp.presenting.naming import CARD_FIELDS, say_value
from webapp.presenting.presentation import Picture
from webapp.presenting.refusals import mark
from webapp.presenting.sides import side_number
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store, all_systems
from webapp.storage.services.letters import marks
from webapp.systems import messages, presentation
from webapp.systems.messages import Told, lines_of

# -- The journal of a campaign as lines to read, each entry with its command, its dice and its events.


@dataclass(frozen=True)
class Thrown:
    """A roll in the journal."""

    rule: str
    faces: tuple[int, ...]
    by: str


@dataclass(frozen=True)
class Lines:
    """An entry: who gave which command when, what fell, what happened."""

    number: int
    seat: str
    on_behalf: str | None
    time: str
    title: str
    details: str
    thrown: tuple[Thrown, ...]
    events: tuple[Told, ...]
    taken_back: int | None
    mark: str = ""  # where another version of the rules goes on


def journal(store: Store, table: Table, seat: str, after: int = -1) -> tuple[Lines, ...]:
    """The entries that a seat may see, the newest first."""
    system = table.game.system
    found, engine, told = [], "", set[Hashable]()
    for entry in store.entries(table.game.id, after, seat=seat):
        known = told if entry.taken_back is None else set[Hashable]()
        found.append(replace(lines(system, entry, seat, known), mark=mark(engine, entry.engine)))
        engine = entry.engine
    return tuple(reversed(found))


@cache
def chapter_of(system: str, rule: str) -> tuple[str, str]:
    """The book and the chapter of a paragraph; both empty for one that no book has."""
    found = find(system, rule)
    return (found[0], book(found[0]).chapter_of(found[1])) if found else ("", "")


def chapters(system: str, entries: tuple[Lines, ...]) -> tuple[tuple[str, str], ...]:
    """The chapters that the lines stand under, as keys and in the reader's language."""
    rules = {line.rule for entry in entries for line in entry.events}
    found = {chapter_of(system, rule) for rule in rules} - {("", "")}
    return tuple(sorted(((title, heading(where, title)) for where, title in found), key=lambda each: each[1]))


def heading(where: str, title: str) -> str:
    """A chapter's heading; of one that was added from a file of tables what follows its name."""
    said_there = chapter_word(where, title)
    if ".md: " not in said_there:
        return said_there
    rest = said_there.partition(".md: ")[2]
    return rest[:1].upper() + rest[1:]


def filter_lines(system: str, entries: tuple[Lines, ...], side: str, chapter: str) -> tuple[Lines, ...]:
    """The entries of a side (which gave the command, or of which a line tells) and of a chapter; empty asks for all."""
    found = []
    for entry in entries:
        mine = not side or side in (entry.seat, entry.on_behalf)
        told = tuple(
            line
            for line in entry.events
            if (mine or line.side == side) and (not chapter or chapter_of(system, line.rule)[1] == chapter)
        )
        if told or (mine and not chapter):
            found.append(replace(entry, events=told))
    return tuple(found)


def by_fields(system: str, command: Mapping[str, Any]) -> str:
    """A command without a sentence of its own: what it names, and its numbers with what they count."""
    return ", ".join(
        scenario_title(system, value)
        if name == "scenario"
        else way_word(value)
        if name == "way"
        else say_value(system, value, name)
        if isinstance(value, str) or name in CARD_FIELDS
        else f"{field_word(system, name)} {say_value(system, value, name)}"
        for name, value in command.items()
        if name != "engagement" and value not in ("", None, [], (), {}, 0)
    )


def scenario_title(system: str, scenario: str) -> str:
    """A scenario by its title."""
    found = (each.title for each in all_systems()[system].scenarios() if each.id == scenario)
    return translate(next(found, scenario))


def lines(system: str, entry: Entry, seat: str, told: set[Hashable] | None = None) -> Lines:
    """One entry as the seat may see it, without what the entries before it have `told`."""
    shown = entry_for(entry, seat)
    kind = str(shown.command.get("type", ""))
    return Lines(
        number=shown.number,
        seat=shown.seat,
        on_behalf=shown.on_behalf,
        time=when(shown.time),
        title=command_title(system, kind),
        details=details(system, shown.command, is_whole=shown.command == entry.command),
        thrown=tuple(Thrown(roll.rule, tuple(roll.faces), roll.by) for roll in shown.dice),
        events=lines_of(system, shown.events, told),
        taken_back=shown.taken_back,
    )


def details(system: str, command: Mapping[str, Any], is_whole: bool) -> str:
    """What a command of the journal asked for. Of one that the seat may not read whole, and of one by hand, the reason
    that it gives: its events tell the rest."""
    if not is_whole or command.get("type") in all_systems()[system].by_hand:
        return str(command.get("why", ""))
    fields = {name: value for name, value in command.items() if name != "type"}
    return presentation(system).recount(command) or by_fields(system, fields)


# -- What decided a campaign, moment by moment, and where its turns begin: to jump to in the replay.


def loud(system: str) -> frozenset[str]:
    """The kinds of events that have weight: those of every campaign, and the system's own."""
    return messages.LOUD | presentation(system).loud


def of_weight(system: str, entries: Iterable[Entry], seat: str) -> list[int]:
    """The entries in which something of weight happened that the seat may know, the oldest first."""
    kinds = loud(system)
    return [
        entry.number
        for entry in entries
        if entry.number
        and entry.taken_back is None
        and any(event.type in kinds for event in entry.events)
        and any(event["type"] in kinds for event in events_for(entry.events, seat))
    ]


def beside(moments: Sequence[int], number: int) -> tuple[int | None, int | None]:
    """The moments before and after an entry."""
    before, after = [each for each in moments if each < number], [each for each in moments if each > number]
    return (before[-1] if before else None), (after[0] if after else None)


def turn_starts(entries: Iterable[Entry], seat: str) -> list[tuple[int, int]]:
    """The turns with the entry that opened each."""
    found: list[tuple[int, int]] = []
    for entry in entries:
        for event in events_for(entry.events, seat) if entry.taken_back is None else ():
            turn = event.get("turn")
            if isinstance(turn, int) and (not found or turn > found[-1][0]):
                found.append((turn, entry.number))
    return found


# -- The war step by step on the map: each position as the seat may know it, with arrows for what moved and the dice.

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
    earlier, later = beside(of_weight(system, entries, seat), number)
    turns = turn_starts(entries, seat)
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
        marks=marks(store(), game, seat),
        csrf_input=csrf_input,
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
