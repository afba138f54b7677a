"""The television: what a spectator may see, readable across the room, with nothing to tap."""

from __future__ import annotations

from typing import Any

from flask import render_template, request, url_for

from tactical.battle import Battle
from tactical.kernel.protocol import SPECTATOR
from tactical.offers import to_act
from webapp.api.serializers import entry_for
from webapp.http.seats import store
from webapp.pages.battle.board import pointing
from webapp.pages.battle.board.board import Picture, board
from webapp.pages.battle.dice.roll_words import roll_title
from webapp.pages.battle.head import clock_faces
from webapp.pages.battle.head.heads import SideHead, heads
from webapp.pages.battle.results.happenings import happenings
from webapp.pages.battle.results.messages import Line, lines
from webapp.pages.battle.roster.strip import chips
from webapp.pages.battle.television import banner
from webapp.presenting.battle_labels import seat_name
from webapp.presenting.labels import translate
from webapp.seating.requests import sitters

LATEST = 25  # entries looked at for the newest lines
LINES = 4


def page(game: str) -> Any:
    """The television's page."""
    return render_template("battle/display.html", **spectators_view(game))


def table(game: str) -> Any:
    """Its contents, for live updates."""
    return render_template("battle/_display.html", **spectators_view(game))


def spectators_view(game: str) -> dict[str, Any]:
    """The battle as a spectator sees it."""
    found = store().load(game)
    battle: Battle = found.view(SPECTATOR)
    acting = {side: () if found.game.over else to_act(battle, side) for side in battle.sides}
    late = store().entries(game, max(-1, found.game.version - LATEST))
    said: list[Line] = []
    for entry in reversed(late):
        if entry.taken_back is None:
            said += [line for line in lines(battle, entry_for(entry, SPECTATOR).events) if line.weight != "soft"]
        if len(said) >= LINES:
            break
    waiting = found.game.waiting
    roll, thrower = "", ""
    if waiting is not None:
        thrower = waiting.on_behalf or waiting.seat
        roll = roll_title(battle, waiting.asked.rule, waiting.asked.about)
    sides = heads(battle, acting, SPECTATOR)
    fleets = {
        side: chips(battle, [name for name, it in battle.ships.items() if it.side == side], ()) for side in acting
    }
    pings = pointing.marks(store(), game, battle, SPECTATOR)
    picture = board(battle, Picture(still=True, pings=pings)) if battle.has_places else None
    return {
        "address": request.host_url.rstrip("/") + url_for("game.page", game=game),
        "sitters": {side: sitters(store(), game, side) for side in battle.sides},
        "game": game,
        "title": translate(found.game.title),
        "b": battle,
        "version": found.game.version,
        "revision": found.game.revision,
        "heads": sides,
        "fleets": fleets,
        "awaited": [] if waiting is not None else [side for side in sides if is_awaited(battle, side)],
        "thrower": seat_name(battle, thrower) if thrower else "",
        "banner": banner.newest(game, battle, late),
        "happenings": happenings(battle, late, SPECTATOR),
        "picture": picture,
        "said": said[:LINES],
        "roll": roll,
        "pings": pings,
        "clocks": {each.side: each for each in clock_faces.faces(store(), game, battle)},
    }


def is_awaited(battle: Battle, side: SideHead) -> bool:
    """Is the battle waiting for this side, as far as everybody may know?"""
    if battle.is_over:
        return False
    return not side.locked if battle.step == "plot" else bool(side.to_go)
