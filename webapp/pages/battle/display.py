"""The television: what a spectator may see, readable across the room, with nothing to tap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import render_template, request, url_for

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR
from tactical.offers import to_act
from webapp.api.serializers import entry_for
from webapp.http.seats import store
from webapp.pages.battle import looking, marks, report, side_heads
from webapp.pages.battle.board import Picture, board
from webapp.pages.battle.dice import roll_title
from webapp.pages.battle.replay import WEIGHT, place_of
from webapp.pages.battle.results import Line, happenings, line, lines, title_of
from webapp.pages.battle.roster import chips
from webapp.pages.battle.side_heads import SideHead, heads
from webapp.post.seating import sitters
from webapp.presenting.battle_labels import letters, seat_name, tones
from webapp.presenting.labels import translate

# -- The television's banner: the newest event that decides something, in two or three words, and where it happened.

SHORT = 16  # letters of a banner that are written large


@dataclass(frozen=True)
class Banner:
    """An entry of weight: its number, its banner, how it came about, and `x y` of each ship in it."""

    number: int
    title: str
    text: str
    focus: str

    @property
    def is_long(self) -> bool:
        """Does the banner need smaller letters?"""
        return len(self.title) > SHORT


def newest(game: str, battle: Battle, late: Sequence[Entry]) -> Banner | None:
    """The banner of the newest of the late entries that has one, as a spectator may know it."""
    for entry in reversed(late):
        if entry.taken_back is not None:
            continue
        events = [event for event in entry_for(entry, SPECTATOR).events if title_of(battle, event)]
        if events:
            event = max(events, key=lambda each: WEIGHT.get(str(each.get("type")), 0))
            how = next((each for each in events if each is not event), event)  # the ram that sank her
            said = line(battle, how)
            return Banner(entry.number, title_of(battle, event), said.text, focus_of(game, battle, entry, events))
    return None


def focus_of(game: str, battle: Battle, entry: Entry, events: Sequence[Mapping[str, Any]]) -> str:
    """Where the ships of an entry's events lie, or lay before it, as `x y x y`; nothing where they have no place."""
    names = [str(event[key]) for event in events for key in ("ship", "target") if event.get(key)]
    if not battle.has_places or not names:
        return ""
    before = battle
    if any(name in battle.ships and battle.ships[name].at is None for name in names):
        before = (
            store().table_after(game, entry.parent if entry.parent is not None else entry.number - 1).view(SPECTATOR)
        )
    spots = [marks.place(at) for name in names if (at := place_of(name, battle, before)) is not None]
    return " ".join(f"{x:g} {y:g}" for x, y in spots)


# -- The television: what a spectator may see, readable across the room, with nothing to tap.

LATEST = 25  # entries looked at for the newest lines
LINES = 4
NAMED = 4  # ships that act at once and are all named


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
    pings = looking.marks(store(), game, battle, SPECTATOR)
    acts = who_acts(late)
    picture = board(battle, Picture(still=True, pings=pings, named=acts)) if battle.has_places else None
    won = report.fleets(battle) if battle.is_over and battle.result is not None else []
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
        "banner": newest(game, battle, late),
        "happenings": happenings(battle, late, SPECTATOR),
        "picture": picture,
        "worth": {side: report.remaining_worth(battle, side) for side in battle.sides},
        "won": won,
        "scores": report.scores(battle),
        "flags": letters(battle),
        "tones": tones(battle),
        "said": said[:LINES],
        "roll": roll,
        "pings": pings,
        "clocks": {each.side: each for each in side_heads.faces(store(), game, battle)},
    }


def who_acts(late: Sequence[Entry]) -> frozenset[str]:
    """The ships whose names are shown: of the last action of ships, as a spectator may know it, all that took part.

    When a whole fleet acts at once these are only the ships that struck or were struck.
    """
    for entry in reversed(late):
        events = entry_for(entry, SPECTATOR).events if entry.taken_back is None else ()
        found = [each for each in events if each.get("ship")]
        if found:
            some = found if len(found) <= NAMED else [each for each in found if each.get("target")]
            return frozenset(str(each[key]) for each in some for key in ("ship", "target") if each.get(key))
    return frozenset()


def is_awaited(battle: Battle, side: SideHead) -> bool:
    """Is the battle waiting for this side, as far as everybody may know?"""
    if battle.is_over:
        return False
    return not side.locked if battle.step == "plot" else bool(side.to_go)
