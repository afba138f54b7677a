"""The replay as a film, and the moments that decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tactical.battle import Battle
from tactical.board import Place, distance
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.ship import Ship
from webapp.api.serializers import entry_for, events_for
from webapp.http.forms import count
from webapp.http.fragments import csrf_input
from webapp.http.rate_limit import slow_down
from webapp.http.seats import acting_seat, held_seats, store
from webapp.pages.battle.board import Hulls, about, board, hulls_of, still
from webapp.pages.battle.board import Picture as BoardPicture
from webapp.pages.battle.journal import here
from webapp.pages.battle.results import LOUD, Line, happenings, lines
from webapp.pages.battle.roster import chips, list_rows
from webapp.presenting.battle_labels import seat_name
from webapp.presenting.labels import translate
from webapp.storage.journal.records import Table
from webapp.storage.services import archive
from webapp.storage.services.letters import marks

# -- What decided a battle, moment by moment: to jump to in the replay, and as small pictures in the report.

BEST = 6  # moments with a picture
AROUND = 2  # hexes or base lengths around what happened
WEIGHT = {"over": 6, "sunk": 5, "captured": 4, "ram": 3, "bow_to_bow": 3, "rake": 2, "thrown_back": 1}


@dataclass(frozen=True)
class Moment:
    """An entry with something of weight in it, in words; `picture` is the sea around it, where that is drawn."""

    number: int
    turn: int
    lines: tuple[Line, ...]
    picture: Markup | None = None


def knows(table: Table, seat: str, turn: int) -> str:
    """As which seat a moment of a turn is seen: after the battle everybody knows all that was shown in it.

    What was plotted in the last turn may never have been shown, and a campaign's secrets outlast its battle.
    """
    battle: Battle = table.state
    return UMPIRE if table.game.over and battle.link is None and turn < battle.turn else seat


def of_weight(battle: Battle, entries: Iterable[Entry], seat: str) -> list[Moment]:
    """The entries in which something of weight happened that the seat may know, the oldest first."""
    found, turn = [], 1
    for entry in entries:
        if entry.taken_back is not None or entry.number == 0:
            continue
        if any(event.type in LOUD for event in entry.events):
            said = [line for line in lines(battle, events_for(entry.events, seat)) if line.weight == "loud"]
            found += [Moment(entry.number, turn, tuple(said))] if said else []
        for event in entry.events:
            turn = int(event.data["turn"]) if event.type == "turn" else turn
    return found


def beside(moments: Sequence[Moment], number: int) -> tuple[int | None, int | None]:
    """The entries of the moments before and after an entry."""
    before = [each.number for each in moments if each.number < number]
    after = [each.number for each in moments if each.number > number]
    return (before[-1] if before else None), (after[0] if after else None)


def best(table: Table, seat: str, entries: Sequence[Entry]) -> list[Moment]:
    """The weightiest moments in the order in which they came, each with its picture."""
    known = {entry.number: entry for entry in entries}
    found = of_weight(table.view(seat), entries, seat)
    chosen = sorted(found, key=lambda each: (-max(WEIGHT.get(line.kind, 0) for line in each.lines), each.number))[:BEST]
    drawn: list[Moment] = []
    hulls: Hulls = hulls_of(table.view(seat))
    for each in sorted(chosen, key=lambda each: each.number):
        picture = draw_moment(table, seat, known[each.number], each.lines[0].text, hulls)
        hulls = hulls if picture is None else ()  # the first has drawn them
        drawn.append(Moment(each.number, each.turn, each.lines, picture))
    return drawn


def best_ram(entries: Sequence[Entry], seat: str) -> int | None:
    """The entry of the ram that did most: one that sank its target, else the most damage; None without a ram."""
    found = {}
    for entry in entries:
        events = events_for(entry.events, seat) if entry.taken_back is None else []
        hulls = [int(event.get("damage") or 0) for event in events if event["type"] == "ram"]
        if hulls:
            found[entry.number] = (any(event["type"] == "sunk" for event in events), max(hulls))
    return max(found, key=lambda number: found[number], default=None)


def draw_moment(table: Table, seat: str, entry: Entry, caption: str, hulls: Hulls) -> Markup | None:
    """The sea around what happened in an entry, as the seat saw it; None where the program knows no places."""
    if not table.state.has_places:
        return None
    after: Battle = store().table_after(table.game.id, entry.number).view(seat)
    before: Battle = store().table_after(table.game.id, entry.parent).view(seat)
    names = [
        str(event[field])
        for event in events_for(entry.events, seat)
        if event["type"] in LOUD
        for field in ("ship", "target")
        if event.get(field)
    ]
    spots = [place_of(name, after, before) for name in names]
    there = [spot for spot in spots if spot is not None]
    if not there:
        return None
    there = [spot for spot in there if far(after, spot, there[0]) <= 2 * AROUND]  # one picture shows one place
    ships = {
        name: ship
        for name, ship in (dict(after.ships) | ships_lying(after, before)).items()
        if ship.at is not None and any(far(after, ship.at, spot) <= AROUND for spot in there)
    }
    sea = msgspec.structs.replace(after, ships=ships)
    return still(sea, caption, about((sea,), there), "name", hulls)


def ships_lying(after: Battle, before: Battle) -> dict[str, Ship]:
    """The ships that went down in a moment, where they lay, with no hull left."""
    return {
        name: msgspec.structs.replace(ship, damage=before.kind(ship).hull)
        for name, ship in before.ships.items()
        if ship.at is not None and after.ships[name].at is None
    }


def place_of(name: str, after: Battle, before: Battle) -> Place | None:
    """Where a ship lies, or lay until she sank."""
    for battle in (after, before):
        ship = battle.ships.get(name)
        if ship is not None and ship.at is not None:
            return ship.at
    return None


def far(battle: Battle, one: Place, other: Place) -> float:
    """How far apart two places are, in hexes or base lengths."""
    if battle.has_hexes:
        return distance((int(one[0]), int(one[1])), (int(other[0]), int(other[1])))
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


# -- A moment of a replay as a page shows it: the board, the words beside it, and the timeline with what decided.

WIDE = 1000  # units of the timeline
BESIDE = 6  # earlier acts of the turn that stand beside the board
MARKS = {"ram": "ram", "bow_to_bow": "ram", "sunk": "sunk", "captured": "captured", "over": "over"}
SEEN = LOUD | {"step", "contact", "fire", "board", "fight", "fight_over", "flood", "follow", "reveal", "turn"}


@dataclass(frozen=True)
class Mark:
    """A moment on the timeline: its entry, where it stands, what kind it is, and its sentence."""

    number: int
    x: int
    kind: str
    text: str


def film(game: str, table: Table, number: int, seat: str) -> dict[str, Any]:
    """What the page shows of a moment as a seat may know it; after the battle, all that was shown in it.

    Raises Unknown for an entry that is not there.
    """
    last = table.game.version
    then = store().table_after(game, number)
    knower = knows(table, seat, then.state.turn)
    battle: Battle = then.view(knower)
    entries = store().entries(game)
    entry = next((each for each in entries if each.number == number), None) or store().entry(game, number)
    weighty = of_weight(table.view(seat), entries, seat)
    earlier, later = beside(weighty, number)
    events = entry_for(entry, knower).events
    moved = {str(event["ship"]) for event in events if event.get("ship")}
    picture = board(battle, BoardPicture(still=True, moved=moved)) if battle.has_places else None
    turns = turn_starts(entries)
    return {
        "b": battle,
        "number": number,
        "last": last,
        "following": next((each.number for each in entries if each.number > number and is_seen(each)), last),
        "said": lines(battle, events),
        "before": earlier_acts(battle, entries, turns, number, knower),
        "picture": picture,
        "happenings": happenings(battle, [entry], knower),
        "rows": list_rows(battle, chips(battle, list(battle.ships), ()), None) if picture is None else [],
        "who": seat_name(battle, entry.on_behalf or entry.seat),
        "struck": entry.taken_back is not None,
        "turns": turns,
        "places": {start: WIDE * start // max(1, last) for _turn, start in turns},
        "marks": [mark(each, last) for each in weighty],
        "at_now": WIDE * number // max(1, last),
        "title": translate(table.game.title),
        "earlier": earlier,
        "later": later,
    }


def is_seen(entry: Entry) -> bool:
    """Does a film stop at an entry? What is plotted and said in between goes by."""
    return entry.taken_back is None and any(event.type in SEEN for event in entry.events)


def mark(moment: Moment, last: int) -> Mark:
    """A moment on the timeline, by the weightiest thing that happened in it."""
    line = max(moment.lines, key=lambda each: WEIGHT.get(each.kind, 0))
    kind = MARKS.get(line.kind, "other")
    return Mark(moment.number, WIDE * moment.number // max(1, last), kind, line.text)


def earlier_acts(
    battle: Battle, entries: Sequence[Entry], turns: Sequence[tuple[int, int]], number: int, seat: str
) -> list[Line]:
    """What happened in the same turn before an entry, the oldest first; book-keeping is left out."""
    start = max((entry for _turn, entry in turns if entry <= number), default=0)
    found: list[Line] = []
    for entry in reversed(entries):
        if start < entry.number < number and entry.taken_back is None:
            said = lines(battle, entry_for(entry, seat).events)
            found = [line for line in said if line.weight != "soft"] + found
            if len(found) >= BESIDE:
                break
    return found[-BESIDE:]


def turn_starts(entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """The turns with the entry after which each stands open."""
    found = [(1, 0)]
    for entry in entries:
        if entry.taken_back is None:
            found += [(int(event.data["turn"]), entry.number) for event in entry.events if event.type == "turn"]
    return found


# -- The replay as a film, for those who sat at the battle, and for everybody while a battle that is over is shared.


def moment(game: str) -> ResponseReturnValue:
    """A link to a moment (`?at=`); without one, from where this seat looked last."""
    at, table, _battle = here(game)
    last = table.game.version
    number = count(request.args.get("at"))
    if number is None:
        number = min(store().last_look(game, at.seat), last)
    if number > last:
        abort(404)
    return redirect(at.url("battle.replay", number=number), 303)


def replay(game: str, number: int) -> ResponseReturnValue:
    """The film at an entry, as far as the seat may know it."""
    at, table, now = here(game)
    if number > table.game.version:
        abort(404)
    seats = [(each.id, seat_name(now, each.id)) for each in held_seats(game)]
    to = "/".join((at.url("battle.replay", number=0).partition("/replay/")[0], "replay"))
    shown = {"at": at, "seats": seats, "asked": f"?seat={at.seat}", "address": to}
    return draw({**film(game, table, number, at.seat), **shown, "named": marks(store(), game, at.seat)})


def share_film(game: str, number: int = 0) -> ResponseReturnValue:
    """The film for everybody, while a battle that is over is shared: what a spectator knows. 404 for any other."""
    slow_down("public")
    if not store().game(game).is_public:
        abort(404)
    table = store().load(game)
    if number > table.game.version or not table.game.over:
        abort(404)
    address = url_for("battle.shared_start", game=game)
    shown: dict[str, Any] = {
        "at": None,
        "seats": [],
        "asked": "",
        "address": address,
        "named": marks(store(), game, SPECTATOR),
    }
    answer = make_response(draw({**film(game, table, number, SPECTATOR), **shown}))
    answer.headers["X-Robots-Tag"] = "noindex, nofollow"
    return answer


def draw(found: dict[str, Any]) -> str:
    """The page, or for htmx the part of it that changes."""
    partial = bool(request.headers.get("HX-Request"))
    page = "battle/_replay.html" if partial else "battle/replay.html"
    return render_template(page, csrf_input=csrf_input, **found)


def share(game: str) -> ResponseReturnValue:
    """Show the film of a battle that is over to everybody, or to nobody any more.

    404 for spectators, before the end, and for a campaign's battles, whose secrets outlast them.
    """
    seat = acting_seat(game)
    table = store().load(game)
    if seat.id == SPECTATOR or table.state.link is not None or not table.game.over:
        abort(404)
    wanted = "hide" if table.game.is_public else "publish"
    archive.perform(store(), game, wanted, seat.id)
    return redirect(url_for("battle.report", game=game, seat=seat.id) + "#share", 303)
