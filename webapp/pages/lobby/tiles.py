"""What the start page shows as pictures: battles, campaigns, and the games that this browser goes on with."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from flask import session
from flask_babel import ngettext
from markupsafe import Markup

from tactical.battle import Battle
from tactical.exercises import is_exercise
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE
from tactical.setup import Scenario, all_scenarios, start
from webapp.http.language import gettext as _
from webapp.http.seats import held_seats, store
from webapp.presenting.battle_labels import side_name
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.labels import translate
from webapp.presenting.small_board import LEAST, Small, small_board, small_ships
from webapp.presenting.small_map import small_map
from webapp.storage.errors import Unknown
from webapp.storage.journal.records import Game

LOOKED_AT = 12  # games of this browser, the newest first, that are asked who must act
SHOWN = 2  # of them on the start page


def short(title: str) -> str:
    """A title's first part: a battle's name without its year and its subtitle.

    >>> short("Mylae, 260 BC: the corvus")
    'Mylae'
    """
    return re.split(r"[:,：]", title)[0].strip()


@lru_cache(maxsize=32)
def picture_of(scenario: str, high: float = 88, least: float = LEAST) -> Small:
    """A scenario's beginning as a small picture."""
    return small_board(start(scenario, None, {}, Dice()).state, high, least)


def small_position(raw: dict[str, Any]) -> Small:
    """A position as a small picture. Raises BadInput."""
    return small_board(start(None, raw, {}, Dice()).state)


def picture_of_position(raw: dict[str, Any]) -> Markup | None:
    """A position as a small picture with its ships; None on the players' own table. Raises BadInput."""
    drawn = small_position(raw)
    return small_ships(drawn.ships) + drawn.svg if drawn.ships else None


class BattleTile(NamedTuple):
    """A scenario on the start page."""

    scenario: Scenario
    title: str
    size: str
    picture: Markup


def battle_tiles() -> list[BattleTile]:
    """All battles, easiest first."""
    return [
        BattleTile(each, short(translate(each.title)), size_of(each), picture_of(each.id).svg)
        for each in all_scenarios().values()
    ]


def size_of(scenario: Scenario) -> str:
    """How many ships and turns."""
    count = sum(len(fleet.names) for fleet in scenario.fleet)
    ships = ngettext("%(num)d ship", "%(num)d ships", count)
    if not scenario.turn_limit:
        return ships
    return " · ".join([ships, ngettext("%(num)d turn", "%(num)d turns", scenario.turn_limit)])


class Beginning(NamedTuple):
    """A way to begin, beside the games that go on."""

    href: str
    title: str
    said: str
    picture: Markup


def ways_to_begin() -> list[Beginning]:
    """What somebody who has no game of his own may begin with."""
    return [
        Beginning("/fleets", _("Fleets of your own"), _("ships, crews, a coast"), picture_of("side").svg),
        Beginning(
            "/positions/draw",
            _("In the middle of a battle?"),
            _("the ships as they lie"),
            picture_of("open_tyndaris").svg,
        ),
    ]


class GoingOn(NamedTuple):
    """A game of this browser: `mine` when it waits for a seat of this browser."""

    game: Game
    title: str
    mine: bool
    who: str
    rest: str
    picture: Markup
    ships: frozenset[tuple[str, str, int]]


def games_going_on() -> list[GoingOn]:
    """The games that this browser holds a seat in, but for the archive: what waits for it first, then the newest."""
    codes = dict.fromkeys(held[0] for held in reversed(session.get("seats", [])))
    games = [game for game in map(store().find, codes) if game is not None and not game.archived]
    found = [each for game in games[:LOOKED_AT] if (each := going_on(game)) is not None]
    return sorted(found, key=lambda each: (each.game.over, not each.mine))


def going_on(game: Game) -> GoingOn | None:
    """How a game stands for this browser; None when its seats were withdrawn, and for lessons and puzzles."""
    seats = [seat.id for seat in held_seats(game.id)]
    if not seats:
        return None
    try:
        table = store().load(game.id)
    except Unknown:
        return None
    if is_exercise(getattr(table.state, "scenario", None)):
        return None  # the pages of lessons and puzzles lead to them
    own = [seat for seat in seats if seat != UMPIRE] or seats
    view = table.view(own[0])
    mine = not game.over and bool(set(own) & set(table.waiting_for))
    turn = getattr(table.state, "turn", None)
    title = short(translate(game.title))
    if isinstance(turn, int):
        title = _("%(title)s, turn %(turn)s", title=title, turn=turn)
    return GoingOn(game, title, mine, who_acts(game, table.waiting_for, mine, view), *rest_of(game, view))


def who_acts(game: Game, waiting: tuple[str, ...], mine: bool, view: Any) -> str:
    """Who must act, in a few words."""
    if game.over:
        return _("over")
    if mine:
        return _("your orders")
    if not waiting:
        return ""
    named = (
        side_name(view, seat) if isinstance(view, Battle) and seat in view.sides else seat_word(seat)
        for seat in waiting
    )
    return _("waits for %(sides)s", sides=", ".join(named))


def rest_of(game: Game, view: Any) -> tuple[str, Markup, frozenset[tuple[str, str, int]]]:
    """What is left, and the picture with its ships."""
    if not isinstance(view, Battle):
        return "", small_map(game.system), frozenset()
    left = sum(ship.is_afloat for ship in view.ships.values())
    drawn = small_board(view, 112)
    return ngettext("%(num)d ship left", "%(num)d ships left", left), drawn.svg, drawn.ships
