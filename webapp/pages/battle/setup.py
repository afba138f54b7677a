"""Before the battle and around it: deploying, seats, the photograph of the table."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, abort

from tactical.battle import Battle
from tactical.board import HEADINGS
from tactical.kernel.protocol import SPECTATOR, Offer
from tactical.kernel.record import BadInput
from tactical.rules.linked import deploys
from webapp.http.language import gettext as _
from webapp.http.photos import Photo, strip_metadata
from webapp.http.seats import current_seat, store
from webapp.pages.battle import roster
from webapp.pages.battle.marks import Ghost
from webapp.pages.battle.orders import Action, Order, command_json
from webapp.presenting.battle_labels import heading_word, hex_name, ship_name, side_name
from webapp.storage.errors import Barred
from webapp.storage.journal.store import Store, touch

# -- L2.5 Deploying on the battle's page: free hexes of one's own rows to tap, and a heading for each ship.


def is_on(battle: Battle) -> bool:
    """L2.5 Do the sides still put their ships where they want them?"""
    return deploys(battle) is not None


def is_quiet(battle: Battle) -> bool:
    """L2.5, L2.5.a Does the battle wait for something that comes before any ship's usual orders?"""
    return is_on(battle) or battle.thrown is not None


def word(battle: Battle, side: str) -> str:
    """L2.5 How far a side has come with its deployment, for the page's head; empty when nobody deploys."""
    if battle.link is None or not is_on(battle):
        return ""
    if deploys(battle) == side:
        return _("deploys")
    return _("deploys next") if side in battle.link.deploying else _("deployed")


def offer_of(offers: Sequence[Offer], ship: str) -> Offer | None:
    """The ship's offer to deploy."""
    return next((each for each in offers if each.type == "deploy" and each.fields.get("ship") == ship), None)


def orders_of(battle: Battle, offers: Sequence[Offer], ship: str) -> list[Order]:
    """L2.5 The six headings in the hex where she stands; the hexes themselves are on the board and in the form."""
    offer, here = offer_of(offers, ship), battle.ships[ship].at
    if offer is None or here is None:
        return []
    found: list[Order] = []
    for way in HEADINGS:
        command = command_json("deploy", ship=ship, at=list(here), facing=way)
        found.append(Action(way, command, "L2.5", heading_word(way), pressed=way == battle.ships[ship].facing))
    return found


def ghosts(battle: Battle, offers: Sequence[Offer], ship: str) -> tuple[Ghost, ...]:
    """L2.5 The free hexes as places on the board that can be tapped; the heading stays."""
    offer, standing = offer_of(offers, ship), battle.ships[ship]
    if offer is None or standing.at is None or not battle.has_hexes:
        return ()
    facing = standing.facing or "N"
    found = []
    for q, r in offer.fields["at"]:
        if (q, r) == standing.at:
            continue
        said = _("%(ship)s deploys at %(hex)s", ship=ship_name(battle, ship), hex=hex_name((q, r)))
        command = command_json("deploy", ship=ship, at=[q, r], facing=facing)
        found.append(Ghost(f"{q}.{r}", facing, (q, r), "place", said, command))
    return tuple(found)


def rows(battle: Battle, todo: Sequence[str]) -> list[roster.Task]:
    """L2.5 The ships that may still be moved about, for the panel: tap one, then a hex."""
    chips = roster.chips(battle, list(todo), ())
    return [roster.Task(chip.id, chip) for chip in chips] if is_on(battle) else []


def form(battle: Battle, offers: Sequence[Offer], ship: str) -> dict[str, Any] | None:
    """L2.5 The same by form: every free hex, every heading."""
    offer, standing = offer_of(offers, ship), battle.ships[ship]
    if offer is None:
        return None
    return {
        "ship": ship,
        "hexes": [(json.dumps(at), hex_name((at[0], at[1])), tuple(at) == standing.at) for at in offer.fields["at"]],
        "headings": [(way, heading_word(way), way == standing.facing) for way in HEADINGS],
    }


def whose(battle: Battle) -> str:
    """L2.5 Who deploys now."""
    side = deploys(battle)
    return side_name(battle, side) if side else ""


# -- G1.5 The players' own table as a photograph to scribble on: kept with the game, seen by its seats alone.
#
# A battle has one photograph; a new one takes its place, and the lines that were drawn go with the old one. Lines are
# whole numbers in thousandths of the picture's width.

LINES, POINTS, ACROSS = 400, 400, 1000
LINE = re.compile(r"[0-9]{1,4},[0-9]{1,4}( [0-9]{1,4},[0-9]{1,4})+")


@dataclass(frozen=True)
class Line:
    """A line that a seat has drawn: points as an SVG says them."""

    seat: str
    points: str
    shape: int


@dataclass(frozen=True)
class Picture:
    """The photograph of the table: how often one was taken, its height in thousandths of its width, its lines."""

    number: int
    height: int
    lines: tuple[Line, ...]


def take(store: Store, game: str, seat: str, data: bytes) -> None:
    """Put a photograph in the place of the one before. Raises BadInput, Barred."""
    may_draw(seat)
    photo = strip_metadata(data)
    with store.write() as db:
        number = db.conn.execute("select max(number) from table_photos where game = ?", (game,)).fetchone()[0] or 0
        db.conn.execute("delete from table_photos where game = ?", (game,))
        db.conn.execute("delete from table_lines where game = ?", (game,))
        db.conn.execute(
            "insert into table_photos (game, number, kind, width, height, data) values (?, ?, ?, ?, ?, ?)",
            (game, number + 1, *photo),
        )
        touch(store, game)


def table_photo(store: Store, game: str) -> Photo | None:
    """The photograph; None where none was taken."""
    rows = store.file.rows("select kind, width, height, data from table_photos where game = ?", game)
    return Photo(**rows[0]) if rows else None


def picture(store: Store, game: str, shapes: Mapping[str, int]) -> Picture | None:
    """The photograph as the page shows it; `shapes` are the sides' numbers, anybody else draws as the last of four."""
    rows = store.file.rows("select number, width, height from table_photos where game = ?", game)
    if not rows:
        return None
    drawn = store.file.rows("select seat, points from table_lines where game = ? order by id", game)
    lines = tuple(Line(row["seat"], row["points"], shapes.get(row["seat"], 3)) for row in drawn)
    return Picture(rows[0]["number"], round(rows[0]["height"] * ACROSS / rows[0]["width"]), lines)


def draw(store: Store, game: str, seat: str, points: str) -> None:
    """Draw a line. Raises BadInput, Barred."""
    may_draw(seat)
    if LINE.fullmatch(points) is None or points.count(" ") >= POINTS:
        raise BadInput("line", "a line must have from 2 to %(most)s points", most=POINTS)
    with store.write() as db:
        if not db.conn.execute("select 1 from table_photos where game = ?", (game,)).fetchone():
            raise BadInput("line", "there is no photo of the table yet")
        if db.conn.execute("select count(*) from table_lines where game = ?", (game,)).fetchone()[0] >= LINES:
            raise BadInput("line", "at most %(most)s lines can be kept; erase some", most=LINES)
        db.conn.execute("insert into table_lines (game, seat, points) values (?, ?, ?)", (game, seat, points))
        touch(store, game)


def rub_out(store: Store, game: str, seat: str, everything: bool) -> None:
    """Rub out the last line that the seat has drawn, or all lines. Raises Barred."""
    may_draw(seat)
    last = "and id = (select max(id) from table_lines where game = ? and seat = ?)"
    with store.write() as db:
        if everything:
            db.conn.execute("delete from table_lines where game = ?", (game,))
        else:
            db.conn.execute(f"delete from table_lines where game = ? {last}", (game, game, seat))
        touch(store, game)


def may_draw(seat: str) -> None:
    """Barred for who only looks on."""
    if seat == SPECTATOR:
        raise Barred("A spectator only watches and cannot point, draw or leave notes.")


# -- The photograph of the players' own table: taken, served to who has a seat, drawn on.


def photo(game: str) -> Response:
    """The photograph itself, for those who have a seat at this battle."""
    current_seat(game)
    found = table_photo(store(), game)
    if found is None:
        abort(404)
    headers = {"Content-Security-Policy": "default-src 'none'", "Cache-Control": "private, max-age=86400"}
    return Response(found.data, mimetype=found.kind, headers=headers)


def own_table(game: str) -> None:
    """Aborts with 404 for a battle that has a board of its own."""
    if store().load(game).state.has_places:
        abort(404)
