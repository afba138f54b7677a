"""The advantage turn by turn: what the ships of two fleets are still worth, and the turn in which that changed most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from webapp.http.seats import store
from webapp.http.signs import with_sign
from webapp.pages.battle.replay.film import turn_starts
from webapp.pages.battle.replay.moments import knows
from webapp.pages.lobby.fleet_values import TABLE, worth
from webapp.presenting.battle_labels import ship_name, status_word
from webapp.presenting.ships.strokes import points
from webapp.storage.journal.records import Table

WIDE, HIGH, EDGE = 560, 220, 24  # the graph, and what is left free around its lines
LEAST = 10.0  # points at the upper edge at least: a quinquereme
MOST = 60  # turns that are looked at
LETTER, LINE, FROM_DOT = 11.5, 22.0, 12.0  # of a word in the graph: a letter's width, its height, how far from its dot


@dataclass(frozen=True)
class Turn:
    """The lead of the first side when a turn began, in fitted points, its place in the graph, who was lost before."""

    turn: int
    lead: float
    x: float
    y: float
    lost: tuple[str, ...]

    @property
    def word(self) -> str:
        """Who was lost, as short as a graph has room for."""
        return self.lost[0] + (f" +{len(self.lost) - 1}" if len(self.lost) > 1 else "") if self.lost else ""


@dataclass(frozen=True)
class Word:
    """Who was lost, in the graph: the middle of the text, and the line it stands on."""

    text: str
    x: float
    y: float

    def meets(self, x: float, y: float, wide: float) -> bool:
        """Would a text of this width in this place lie over it?"""
        return abs(self.x - x) < (len(self.text) * LETTER + wide) / 2 and abs(self.y - y) < LINE


@dataclass(frozen=True)
class Advantage:
    """The graph: `line` and `area` as points of SVG, `zero` the height of an even battle, `turning` what turned it,
    `marks` leads beside their heights."""

    first: str
    turns: tuple[Turn, ...]
    line: str
    area: str
    zero: float
    turning: Turn | None
    marks: tuple[tuple[str, float], ...] = ()
    words: tuple[Word, ...] = ()


def remaining_worth(battle: Battle, side: str) -> float:
    """What the ships of a side that are afloat are worth, each by the share of her hull that is left."""
    found = 0.0
    for ship in battle.ships.values():
        if ship.side == side and ship.is_afloat:
            hull = battle.kind(ship).hull
            found += worth([ship.type]).points * max(0, hull - ship.damage) / hull
    return found


def missing_ships(before: Battle, after: Battle) -> tuple[str, ...]:
    """The ships that were afloat before and are no longer, each with what became of her."""
    return tuple(
        f"{ship_name(after, name)}: {status_word(ship.status)}"
        for name, ship in after.ships.items()
        if not ship.is_afloat and before.ships[name].is_afloat
    )


def advantage(table: Table, seat: str, entries: Sequence[Entry]) -> Advantage | None:
    """The graph of a battle that is over; None for more sides than two, and for ships without fitted points."""
    battle: Battle = table.view(seat)
    kinds = {ship.type for ship in battle.ships.values()}
    starts = turn_starts(entries)[:MOST]
    if not battle.is_over or len(battle.sides) != 2 or not kinds <= TABLE.points.keys():
        return None
    positions: list[tuple[int, Battle]] = []
    for turn, number in starts:
        then = store().table_after(table.game.id, number)
        positions.append((turn, then.view(knows(table, seat, then.state.turn))))
    positions.append((battle.turn + 1, battle))
    first, other = battle.sides
    leads = [remaining_worth(then, first) - remaining_worth(then, other) for _turn, then in positions]
    most = max(LEAST, *map(abs, leads))
    zero, step = HIGH / 2, (WIDE - 2 * EDGE) / max(1, len(leads) - 1)
    turns = tuple(
        Turn(
            turn,
            round(lead, 1),
            round(EDGE + step * place, 1),
            round(zero - (HIGH / 2 - EDGE) * lead / most, 1),
            missing_ships(positions[place - 1][1], then) if place else (),
        )
        for place, ((turn, then), lead) in enumerate(zip(positions, leads, strict=True))
    )
    line = " ".join(points((each.x, each.y)) for each in turns)
    area = f"{points((turns[0].x, zero))} {line} {points((turns[-1].x, zero))}"
    tick = max(5, round(most / 2 / 5) * 5)
    marks = tuple((lead_word(lead), round(zero - (HIGH / 2 - EDGE) * lead / most, 1)) for lead in (tick, 0, -tick))
    return Advantage(first, turns, line, area, zero, turning(battle, turns), marks, place_words(turns))


def place_words(turns: Sequence[Turn]) -> tuple[Word, ...]:
    """Who was lost, beside the dot of each turn: inside the graph, over no dot and no other word, and
    where there is room above the line or below it.

    A word for which nothing is free is left out; the list below the graph has them all.
    """
    dots, words = [each for each in turns if each.lost], list[Word]()
    for each in dots:
        wide = len(each.word) * LETTER
        beside = wide / 2 + FROM_DOT
        for x, y in (
            (each.x, each.y - FROM_DOT),
            (each.x, each.y + FROM_DOT + LINE / 2),
            (min(max(each.x, EDGE + wide / 2), WIDE - wide / 2), each.y - FROM_DOT),
            (min(max(each.x, EDGE + wide / 2), WIDE - wide / 2), each.y + FROM_DOT + LINE / 2),
            (each.x + beside, each.y + LINE / 4),
            (each.x - beside, each.y + LINE / 4),
        ):
            is_inside = x - wide / 2 >= EDGE and x + wide / 2 <= WIDE and LINE <= y <= HIGH
            is_over_dot = any(abs(dot.x - x) < wide / 2 + 7 and -7 < y - dot.y < LINE for dot in dots)
            if is_inside and not is_over_dot and not any(word.meets(x, y, wide) for word in words):
                words.append(Word(each.word, round(x, 1), round(y, 1)))
                break
    return tuple(words)


def turning(battle: Battle, turns: Sequence[Turn]) -> Turn | None:
    """The turn that brought the winner most, or that changed most in a draw; None where nothing changed."""
    winner, first = battle.result.winner if battle.result else None, next(iter(battle.sides))
    swings = [
        (
            abs(after.lead - before.lead)
            if winner is None
            else (after.lead - before.lead) * (1 if winner == first else -1)
        )
        for before, after in pairwise(turns)
    ]
    most = max(swings, default=0.0)
    return turns[swings.index(most)] if most > 0 else None


def lead_word(lead: float) -> str:
    """A lead in whole points with its sign; none without one."""
    return with_sign(round(lead)) if round(lead) else "0"
