"""The television of a campaign: the map large, whose turn it is, what happened last."""

from __future__ import annotations

from typing import Any

from flask import request, url_for

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from webapp.api.serializers import events_for
from webapp.http import fragments
from webapp.http.seats import store
from webapp.pages.campaign.chronicle import is_worth
from webapp.pages.campaign.screen import screen
from webapp.post.seating import sitters
from webapp.presenting.campaign_labels import seat_name
from webapp.presenting.map.placement import level_of
from webapp.presenting.meetings import engagement_in, place_name
from webapp.presenting.sides import side_number
from webapp.storage.journal.records import Game, Table
from webapp.storage.journal.store import Store
from webapp.systems.messages import Told, lines_of

LATEST = 25  # entries looked at for the newest lines
LINES = 7
SCREEN = (1350, 930)  # pixels that a television has for the map
PHONE = (370, 300)  # the same of a phone that shows the whole of a game's own world


def page(game: str) -> Any:
    """The television's page."""
    drawn, found = drawing_of(game)
    return drawn.within("campaign/display.html", found.version, game=found)


def table(game: str) -> Any:
    """The fragments that a television lacks, for live updates."""
    drawn, found = drawing_of(game)
    return drawn.answer(found.version)


def drawing_of(game: str) -> tuple[fragments.Drawing, Game]:
    """The screen in fragments, and the game that it shows."""
    seen = spectators_view(game)
    return fragments.drawing("campaign/_display.html", **seen), seen["game"]


def spectators_view(game: str, size: tuple[int, int] = SCREEN) -> dict[str, Any]:
    """The campaign as a spectator sees it, its map in so many pixels."""
    found = store().load(game).for_seat(SPECTATOR)
    seen = screen(store(), found, SPECTATOR)
    engagement = engagement_in(seen.view)
    waiting = {wait.seat for wait in seen.waits}
    return {
        "address": request.host_url.rstrip("/") + url_for("game.page", game=game),
        "game": found.game,
        "screen": seen,
        "drawing": seen.drawing,
        "near": level_of(seen.drawing.in_play, *size) if seen.drawing else None,
        "narrow": level_of(seen.drawing.in_play, *PHONE) if seen.drawing and seen.picture.sheet else None,
        "seats": [
            (
                seat,
                seat_name(found.state, seat),
                side_number(found.game.system, found.sides, seat),
                sitters(store(), game, seat),
                seat in waiting,
            )
            for seat in (*found.sides, *(waiting & {UMPIRE}))
        ],
        "news": newest(store(), found),
        "meeting": place_name(found.game.system, engagement.place) if engagement else "",
    }


def newest(store: Store, table: Table) -> list[Told]:
    """The newest lines that a spectator may know, the newest first."""
    found: list[Told] = []
    for entry in reversed(store.entries(table.game.id, max(-1, table.game.version - LATEST), seat=SPECTATOR)):
        if entry.taken_back is None:
            lines = lines_of(table.game.system, events_for(entry.events, SPECTATOR))
            found += [line for line in reversed(lines) if is_worth(table.game.system, line.kind)]
        if len(found) >= LINES:
            break
    return found[:LINES]
