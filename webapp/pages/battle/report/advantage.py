"""The advantage turn by turn: what the ships of two fleets are still worth, and the turn in which that changed most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from webapp.http.seats import store
from webapp.http.signs import signed
from webapp.pages.battle.replay.film import turn_starts
from webapp.pages.battle.replay.moments import knows
from webapp.pages.lobby.fleet_values import TABLE, worth
from webapp.presenting.battle_labels import ship_name, status_word
from webapp.presenting.ships.strokes import points
from webapp.storage.journal.records import Table

WIDE, HIGH, EDGE = 560, 220, 24  # the graph, and what is left free around its lines
LEAST = 10.0  # points at the upper edge at least: a quinquereme
MOST = 60  # turns that are looked at


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


def worth_left(battle: Battle, side: str) -> float:
    """What the ships of a side that are afloat are worth, each by the share of her hull that is left."""
    found = 0.0
    for ship in battle.ships.values():
        if ship.side == side and ship.is_afloat:
            hull = battle.kind(ship).hull
            found += worth([ship.type]).points * max(0, hull - ship.damage) / hull
    return found


def gone(before: Battle, after: Battle) -> tuple[str, ...]:
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
    leads = [worth_left(then, first) - worth_left(then, other) for _turn, then in positions]
    most = max(LEAST, *map(abs, leads))
    zero, step = HIGH / 2, (WIDE - 2 * EDGE) / max(1, len(leads) - 1)
    turns = tuple(
        Turn(
            turn,
            round(lead, 1),
            round(EDGE + step * place, 1),
            round(zero - (HIGH / 2 - EDGE) * lead / most, 1),
            gone(positions[place - 1][1], then) if place else (),
        )
        for place, ((turn, then), lead) in enumerate(zip(positions, leads, strict=True))
    )
    line = " ".join(points((each.x, each.y)) for each in turns)
    area = f"{points((turns[0].x, zero))} {line} {points((turns[-1].x, zero))}"
    tick = max(5, round(most / 2 / 5) * 5)
    marks = tuple((lead_word(lead), round(zero - (HIGH / 2 - EDGE) * lead / most, 1)) for lead in (tick, 0, -tick))
    return Advantage(first, turns, line, area, zero, turning(battle, turns), marks)


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
    return signed(round(lead)) if round(lead) else "0"
