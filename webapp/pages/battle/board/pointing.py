"""Pointing at a place of the board: the place that a tap means, and the marks that the seats see of it."""

from __future__ import annotations

from dataclasses import dataclass

from tactical.battle import Battle
from tactical.kernel.record import BadInput
from tactical.places import Place
from webapp.http.forms import read_hex
from webapp.pages.battle.board import open_sea, sea
from webapp.pages.battle.board.looking import point
from webapp.presenting.battle_labels import hex_name, seat_name, tones
from webapp.storage.journal.store import Store
from webapp.storage.services import pings

NO_PLACE = "this is not a place on the board"


@dataclass(frozen=True)
class Mark:
    """A ping as a page shows it: who points, where in words and in the drawing; `shape` is the side's number."""

    name: str
    who: str
    where: str
    x: float
    y: float
    shape: int | None
    is_open: bool


def read_place(battle: Battle, tapped: str, typed: str) -> Place:
    """The place that was tapped (x,y as the board is drawn) or typed. Raises BadInput."""
    if not tapped:
        return spot(battle, typed.strip()[:30])
    at = point(tapped)
    if at is None:
        raise BadInput("place", NO_PLACE)
    if battle.has_hexes:
        return on_board(battle, sea.hex_at(at))
    return on_board(battle, (round(at[0] / open_sea.BASE, 1), round(at[1] / open_sea.BASE, 1)))


def spot(battle: Battle, text: str) -> Place:
    """A place as it is typed: a printed hex number, or x,y at sea. Raises BadInput."""
    if battle.has_hexes:
        q, r = read_hex(text, "place")
        return on_board(battle, (q, r))
    x, _comma, y = text.partition(",")
    try:
        return on_board(battle, (float(x), float(y)))
    except ValueError:
        raise BadInput("place", NO_PLACE) from None


def place_text(battle: Battle, at: Place) -> str:
    """A place as somebody would type it."""
    return hex_name(at) if battle.has_hexes else f"{at[0]:g},{at[1]:g}"


def on_board(battle: Battle, at: Place) -> Place:
    """A place that the board has. Raises BadInput."""
    if battle.has_hexes:
        holds = battle.board.holds((int(at[0]), int(at[1])))
    else:
        holds = all(0 <= part <= size for part, size in zip(at, battle.board.size, strict=True))
    if not holds:
        raise BadInput("place", NO_PLACE)
    return at


def marks(store: Store, game: str, battle: Battle, seat: str) -> tuple[Mark, ...]:
    """What a seat sees of the pings of these seconds."""
    if not battle.has_places:
        return ()
    return tuple(mark(battle, each) for each in pings.pings(store, game, seat))


def mark(battle: Battle, ping: pings.Ping) -> Mark:
    """One of them."""
    at: Place = (int(ping.x), int(ping.y)) if battle.has_hexes else (ping.x, ping.y)
    shape = tones(battle).get(ping.seat)
    return Mark(ping.name, seat_name(battle, ping.seat), hex_name(at), *sea.place(at), shape, ping.is_open)
