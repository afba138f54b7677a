"""The links of a new game's seats, as addresses and as QR codes; kept for the umpire's browser only."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

import segno
from flask import session
from markupsafe import Markup

from tactical.kernel.protocol import UMPIRE
from webapp.http.addresses import root
from webapp.http.organizer import is_organizer
from webapp.http.seats import held_seats, remember, store
from webapp.storage.journal.records import Game

FRESH = "made"  # the session's place for the newest game's tokens; an older game's are withdrawn and given anew


class SeatLink(NamedTuple):
    """A seat with its link, or without one when this browser does not know its token. `name`: its side's, if any."""

    seat: str
    name: str
    url: str | None
    qr: Markup


def keep(game: Game, tokens: dict[str, str]) -> None:
    """Seat this browser as the game's umpire, and keep the other seats' tokens until the next game is made."""
    umpire = next(seat for seat in store().seats(game.id) if seat.id == UMPIRE)
    remember(umpire, tokens[UMPIRE])
    session[FRESH] = {"game": game.id, "tokens": tokens}


def renew(game: str, seat: str, token: str) -> None:
    """Keep a token that was given anew; the umpire's own goes on in this browser."""
    if seat == UMPIRE:
        remember(next(each for each in store().seats(game) if each.id == UMPIRE), token)
    fresh = session.get(FRESH, {})
    known = fresh.get("tokens", {}) if fresh.get("game") == game else {}
    session[FRESH] = {"game": game, "tokens": {**known, seat: token}}


def stay_here() -> bool:
    """Do links of this address lead only to the machine that serves them, so that no other tablet can use them?"""
    return (urlsplit(root()).hostname or "") in ("localhost", "127.0.0.1", "::1")


def is_umpire(game: str) -> bool:
    """Has this browser joined the game as its umpire?"""
    return any(seat.id == UMPIRE for seat in held_seats(game))


def may_give(game: str) -> bool:
    """May this browser give out the game's seats: its umpire's, or the organizer's of this server?"""
    return is_umpire(game) or is_organizer()


def links(game: str) -> list[SeatLink]:
    """The game's seats with the links that this browser knows and that still stand."""
    fresh = session.get(FRESH, {})
    tokens: dict[str, str] = fresh.get("tokens", {}) if fresh.get("game") == game else {}
    return links_of(game, tokens)


def links_of(game: str, tokens: dict[str, str]) -> list[SeatLink]:
    """The game's seats with the links of these tokens; one that was withdrawn meanwhile is left out."""
    found = []
    sides = getattr(store().load(game).state, "sides", {})
    for seat in store().seats(game):
        token = tokens.get(seat.id)
        known = store().seat_of(token) if token else None
        url = f"{root()}/join/{token}" if known is not None and known.id == seat.id else None
        side = sides.get(seat.id) if isinstance(sides, dict) else None
        name = seat.name or getattr(side, "name", "")
        found.append(SeatLink(seat.id, name, url, qr(url) if url else Markup()))
    return found


def qr(url: str) -> Markup:
    """The QR code of an address as inline SVG, black on white in every scheme."""
    return Markup(segno.make(url, micro=False).svg_inline(border=2, svgclass="qr", omitsize=True))
