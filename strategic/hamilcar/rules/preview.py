"""11.1, 11.6 What a voyage would mean before it is committed: lanes, points, interceptors and their chance, storms.

Only what is open on the table is used: nobody's cards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from msgspec.structs import replace

from strategic.hamilcar.rules.in_progress import March
from strategic.hamilcar.rules.operations import why_not_leader
from strategic.hamilcar.rules.sea import why_not_africa, why_not_lane
from strategic.hamilcar.rules.sea_interception import candidates, is_automatic, modifier
from strategic.hamilcar.rules.survey import is_enemy_port, side_of
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import CARDS, is_stormy, ports_beside
from strategic.interception import chance, parties
from strategic.point_to_point.survey import companions_of, enemy_units, rating
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.protocol import Illegal, refuse
from tactical.kernel.reason import Reason
from tactical.kernel.record import Record


class Interceptor(Record, frozen=True):
    """11.6.2 A general who may try: from where, his battle rating, the modifier, and `good` faces of 6."""

    general: str
    name: str
    space: str
    rating: int
    modifier: int
    good: int
    of: int = 6


class Lane(Record, frozen=True):
    """One lane of a voyage: whether it is open, the points left after it, and what may happen on it.

    `automatic`: the enemy catches even when the dice fail (11.6.3). `caught` is the chance, as a decimal and as a
    fraction, that the movement is caught if every enemy general who may try does. `storms` are the storm cards that
    nobody has seen played and that could strike here.
    """

    start: str
    to: str
    open: bool
    rule: str | None
    why: Reason | None
    points_left: int
    sea_points_left: int
    stormy: bool
    storms: tuple[int, ...]
    enemy_ready_ships: int
    interceptors: tuple[Interceptor, ...]
    automatic: bool
    caught: float
    caught_as: str
    enemy_port: bool
    wins_supremacy: bool
    may_turn_back: bool
    enemy_units: int


class Route(Record, frozen=True):
    """The way with the fewest lanes to a port: its lanes in order, and the chance to come through uncaught."""

    to: str
    lanes: tuple[Lane, ...]
    open: bool
    uncaught: float
    uncaught_as: str


class Preview(Record, frozen=True):
    """11.1 What a general can reach by sea from where he stands, before he commits himself."""

    general: str
    start: str
    points: int
    sea_points: int
    ready_ships: int
    routes: tuple[Route, ...]


def sea_preview(state: State, general: str | None = None) -> Preview:
    """11.1 The voyages of the general who moves, or of one who might be activated. Illegal names what forbids it."""
    if general is None:
        if state.march is None:
            raise Illegal("11.1", "nobody is moving; name a general")
        march = state.march
    elif state.march is not None and state.march.general == general:
        march = state.march
    else:
        march = would_march(state, general)
    routes = tuple(_route(state, march, path) for path in _paths(state, march))
    return Preview(
        march.general,
        march.at,
        march.points,
        state.tables.sea.points - march.sailed,
        len(state.ready(march.side)),
        routes,
    )


def would_march(state: State, general: str) -> March:
    """11.1 The move that an activation would begin."""
    if general not in state.leaders:
        raise Illegal("8.2", "there is no general called %(general)s", general=repr(general))
    refuse(why_not_leader(state, side_of(general), general))
    record = state.generals[general]
    assert record.space is not None
    return March(side_of(general), general, state.tables.movement.points, (record.space,), inside=record.inside)


def _paths(state: State, march: March) -> Iterator[tuple[str, ...]]:
    """11.1.b The ports within the points at sea, each by a way with the fewest lanes; enemy CUs end a way (11.3)."""
    most = min(march.points, state.tables.sea.points - march.sailed)
    queue: deque[tuple[str, ...]] = deque([(march.at,)])
    seen = {march.at}
    while queue:
        path = queue.popleft()
        if len(path) > 1:
            yield path
            if enemy_units(state, march.side, path[-1]) or not _lane(state, march, path).open:
                continue
        if len(path) <= most:
            for there in ports_beside(path[-1]):
                if there not in seen:
                    seen.add(there)
                    queue.append((*path, there))


def _lane(state: State, march: March, path: tuple[str, ...]) -> Lane:
    return lane_preview(state, march, path[-2], path[-1], len(path) - 2)


def _route(state: State, march: March, path: tuple[str, ...]) -> Route:
    lanes = tuple(lane_preview(state, march, start, to, number) for number, (start, to) in enumerate(pairwise(path)))
    through = Fraction(1)
    for lane in lanes:
        through *= 1 - Fraction(lane.caught_as)
    return Route(path[-1], lanes, all(lane.open for lane in lanes), float(through), str(through))


def lane_preview(state: State, march: March, start: str, to: str, before: int = 0) -> Lane:
    """11.1 One lane, after `before` others of the same move."""
    side, other = march.side, enemy(march.side)
    path = (*march.path, start) if start != march.at else march.path
    then = replace(
        march,
        path=path,
        points=march.points - before,
        sailed=march.sailed + before,
        inside=march.inside and not before,
    )
    rule, why = _forbids(state, then, to)
    ships = len(state.ready(other))
    tries = interceptors(state, other, to) if ships else ()
    automatic = bool(ships) and is_automatic(state, other, to)
    odds = caught_chance(tries, automatic)
    enemy_port = is_enemy_port(state, side, to)
    return Lane(
        start,
        to,
        why is None,
        rule,
        why,
        then.points - 1,
        state.tables.sea.points - then.sailed - 1,
        is_stormy(start, to),
        storm_cards(state, side, start, to),
        ships,
        tries,
        automatic,
        float(odds),
        str(odds),
        enemy_port,
        enemy_port and state.supremacy != side,
        state.supremacy == side,
        enemy_units(state, side, to),
    )


def _forbids(state: State, march: March, to: str) -> tuple[str | None, Reason | None]:
    """11.1 Why the lane is closed to every party that the general may lead from where he stands now."""
    then = replace(state, march=march)
    wrong = why_not_lane(then, to, inside=False)
    if wrong is None:
        groups = parties(companions_of(state, march.general), least=0)
        found = [why_not_africa(then, to, group) for group in groups]
        wrong = found[0] if all(found) else None
    return (None, None) if wrong is None else (wrong.rule, wrong.why)


def interceptors(state: State, side: Side, to: str) -> tuple[Interceptor, ...]:
    """11.6.2 Every general who may try against a fleet bound for this port, with his chance."""
    plus = modifier(state, side)
    found = []
    for space, names in candidates(state, side, to).items():
        for name in names:
            good, of = chance(rating(state, name), plus)
            found.append(Interceptor(name, state.leaders[name].name, space, rating(state, name), plus, good, of))
    return tuple(found)


def caught_chance(tries: tuple[Interceptor, ...], automatic: bool) -> Fraction:
    """11.6.5 At least one success, the best general of each space trying (11.6.2.b), or the automatic interception."""
    if automatic:
        return Fraction(1)
    best: dict[str, Fraction] = {}
    for each in tries:
        best[each.space] = max(best.get(each.space, Fraction(0)), Fraction(each.good, each.of))
    missed = Fraction(1)
    for odds in best.values():
        missed *= 1 - odds
    return 1 - missed


def storm_cards(state: State, side: Side, start: str, to: str) -> tuple[int, ...]:
    """21.1.3, 4.c The storm cards not yet seen this deal that could strike this side on this lane."""
    kinds = {"storm"} | ({"terrible_sea"} if side == "rome" and is_stormy(start, to) else set())
    seen = {*state.discard, *state.removed}
    return tuple(number for number, card in CARDS.items() if card.answer in kinds and number not in seen)
