"""9.2, 10 The march and its interceptions shown before it is made."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from msgspec.structs import replace

from strategic.atlas import Reach
from strategic.interception import chance
from strategic.sword_of_rome.rules import interception
from strategic.sword_of_rome.rules.land import lane_of, why_not_step
from strategic.sword_of_rome.rules.moving_army import open_gates
from strategic.sword_of_rome.rules.survey import enemies, enemy_in_the_open, force_of, seat_of
from strategic.sword_of_rome.state import Move, State
from strategic.sword_of_rome.tables import CHART, POWERS, SPACES, cost, is_clear, name_of, tie_rank, way_between, ways
from tactical.kernel.record import BadInput, Reason, Record, because

# -- 10 Interception shown before the move: for each step of a path, who may try, with which chance, and who may not.
#
# Pure and public: it looks at nothing that a seat may not see.


class Chance(Record, frozen=True):
    """10.4 A leader who may lead the interception: the most CUs he may take, and the faces of 6 that succeed."""

    leader: str
    commands: bool
    most: int
    needed: int
    modifier: int
    faces: int
    of: int = 6


class Interceptor(Record, frozen=True):
    """10.3 An army that may try; `rule` is the clause that changes its die, or the plain one."""

    power: str
    seat: str
    space: str
    units: int
    rule: str
    leaders: tuple[Chance, ...]


class Barred(Record, frozen=True):
    """10.2 An army next to the step that may not try: the clause, and why."""

    power: str
    space: str
    rule: str
    why: Reason


class StepShown(Record, frozen=True):
    """One step of the path: what it costs, who may intercept there, who may not, whom the army would attack."""

    space: str
    by: str
    cost: int
    may: tuple[Interceptor, ...]
    may_not: tuple[Barred, ...]
    attacks: str | None = None


def preview(
    state: State, leader: str, path: Sequence[str], units: int | None = None, flank: bool = False
) -> tuple[StepShown, ...]:
    """10.1, 10.2, 10.3 The steps of a path for the army of this leader, from where it stands or is on the move.

    A step to a port that no connection reaches is a voyage. Raises BadInput for a leader or a space unknown,
    or two spaces that nothing joins.
    """
    state, move = lift(state, leader, units, flank)
    shown = []
    for number, space in enumerate(path):
        if space not in SPACES:
            raise BadInput(f"path[{number}]", "there is no space called %(space)s", space=repr(space))
        way = way_between(move.at, space)
        if way is not None:
            clear = is_clear(move.power, way, ("clear",))
            by, price = ("clear" if clear else lane_of(way.kind)), cost(move.power, way)
        elif SPACES[move.at].port and SPACES[space].port and move.at != space:
            by, price = "sea", CHART.costs["sea"]
        else:
            raise BadInput(
                f"path[{number}]",
                "no connection leads from %(name)s to %(other)s",
                name=SPACES[move.at].name,
                other=SPACES[space].name,
            )
        move = replace(move, came_from=move.at, at=space, by=by, steps=move.steps + 1)
        shown.append(at_step(open_gates(state.with_move(move)), by, price))
    return tuple(shown)


def lift(state: State, leader: str, units: int | None, flank: bool) -> tuple[State, Move]:
    """9.1 The position with the army of this leader off its space, ready to go."""
    state = replace(state, reaction=None, pending=())
    if state.move is not None and state.move.leader == leader:
        move = state.move if units is None else replace(state.move, units=units)
        return state.with_move(move), move
    found = force_of(state, leader)
    if found is None:
        raise BadInput("leader", "no leader called %(leader)s stands in the open on the map", leader=repr(leader))
    space, power, force = found
    taken = force.units if units is None else min(units, force.units)
    state = state.moved_out(space, power, taken, (leader,))
    return state, Move(power, 1, 99, leader, (), taken, space, flank=flank)


def at_step(state: State, by: str, price: int) -> StepShown:
    """10.3 Who may intercept the army where it now stands, in tie order, and who may not."""
    move = state.army
    may: list[Interceptor] = []
    may_not: list[Barred] = []
    for power in sorted(POWERS, key=tie_rank):
        if not enemies(state, power, move.power):
            continue
        for origin in interception.neighbours(state, power, move.at):
            wrong = interception.why_not_from(state, power, origin)
            seat = seat_of(state, power)
            if wrong is not None:
                may_not.append(Barred(power, origin, wrong.rule, wrong.why))
            elif seat is None:
                may_not.append(
                    Barred(power, origin, "10.3", because("No player controls %(power)s.", power=name_of(power)))
                )
            else:
                may.append(interceptor(state, power, seat, origin))
    return StepShown(move.at, by, price, tuple(may), tuple(may_not), enemy_in_the_open(state, move.power, move.at))


def interceptor(state: State, power: str, seat: str, origin: str) -> Interceptor:
    """10.3, 10.4 The army's leaders with their chances; a subordinate leaves 1 CU with his commander."""
    move = state.army
    force = state.force(origin, power)
    added = interception.modifier(state, power, move.at)
    leaders = []
    for place, name in enumerate(force.leaders):
        most = force.units if place == 0 else force.units - 1
        if most < 1:
            continue
        rating = state.leaders[name].tactics
        faces, of = chance(rating, added)
        leaders.append(Chance(name, place == 0, most, rating, added, faces, of))
    return Interceptor(power, seat, origin, force.units, "10.3.b" if added else "10.4", tuple(leaders))


# -- 9.2 What the army on the move reaches with its points, and by which way, as far as the enemy lets it.


def ways_ahead(state: State) -> Reach:
    """9.2, 9.4 Each space that the army may come to by land, the points that it takes and the cheapest way; the army
    goes no further than to an enemy in the open."""
    move = state.army
    spent: dict[str, int] = {move.at: 0}
    path: dict[str, tuple[str, ...]] = {move.at: (move.at,)}
    why_not: dict[str, Reason] = {}
    queue = [(0, move.at)]
    while queue:
        so_far, here = heapq.heappop(queue)
        if so_far > spent[here] or (here != move.at and enemy_in_the_open(state, move.power, here)):
            continue
        there = state.with_move(replace(move, at=here, points=move.points - so_far))
        for way in ways(here):
            to, total = way.other(here), so_far + cost(move.power, way)
            if total >= spent.get(to, total + 1):
                continue
            wrong = why_not_step(there, to)
            if wrong is not None:
                why_not.setdefault(to, wrong.why)
                continue
            spent[to], path[to] = total, (*path[here], to)
            heapq.heappush(queue, (total, to))
    return Reach(spent, path, {to: why for to, why in why_not.items() if to not in spent})
