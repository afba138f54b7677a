"""movement.command.5 How far CUs and generals have moved on one card, for the card's later generals.

A campaign's later general may move CUs or a subordinate again, but within the points of one move in all; a subordinate
who is activated himself has what is left of his own. Whatever stopped, fought, besieged, went back or failed a pursuit
moves no more on that card. CUs are all alike: an army that goes on is the one that came, and what it takes besides are
those that have moved least.
"""

from __future__ import annotations

from collections.abc import Iterable

from strategic.point_to_point.pieces import Walked, replace
from strategic.point_to_point.state import Campaign, March, S
from tactical.kernel.protocol import Illegal

RULE = "movement.command.5"
Groups = tuple[Walked, ...]


def effort(group: Walked) -> float:
    """The order in which CUs go along: those of this march, fresh ones, those that move again; spent ones last."""
    if group.spent is None:
        return float("inf")
    return group.spent + 1 if group.again else 0 if group.spent else 0.5


def cut(groups: Iterable[Walked], size: int, rested_first: bool = True) -> tuple[Groups, Groups]:
    """Take a number of CUs from these groups, and the rest: the least or the most tired first."""
    taken: list[Walked] = []
    left: list[Walked] = []
    for group in sorted(groups, key=effort, reverse=not rested_first):
        units = min(group.units, size)
        size -= units
        if units:
            taken.append(replace(group, units=units))
        if group.units > units:
            left.append(replace(group, units=group.units - units))
    return tuple(taken), tuple(left)


def count(groups: Iterable[Walked]) -> int:
    """How many CUs these are."""
    return sum(group.units for group in groups)


def groups_at(state: Campaign, march: March) -> Groups:
    """The mover's CUs where the march is; where some have died, the most tired are thought to be alive."""
    size = state.spaces[march.at].all_of(march.side).size
    along = cut(march.walked, min(march.force.size, size), rested_first=False)[0]
    before = [replace(group, again=True) for group in state.playing().walked.get(march.at, ())]
    others = cut(before, size - count(along), rested_first=False)[0]
    fresh = size - count(along) - count(others)
    return (*along, *others, *((Walked(fresh, 0),) if fresh else ()))


def why_not_fresh(state: Campaign, march: March, companions: Iterable[str], size: int, cost: int) -> Illegal | None:
    """movement.command.5 Raises Illegal when CUs or a subordinate who move again would go beyond one move in all."""
    most, play = state.tables.movement.points, state.playing()
    for group in cut(groups_at(state, march), size)[0]:
        if group.spent is None:
            return Illegal(
                RULE, "CUs that have stopped, fought or conducted a siege cannot move again during this card"
            )
        if group.again and group.spent + cost > most:
            return Illegal(
                RULE,
                "CUs that move again during this card may spend only %(most)s movement %(most|point|points)s in all",
                most=most,
            )
    for name in companions:
        before = play.spent.get(name, 0)
        if before is None:
            return Illegal(
                RULE,
                "%(name)s has stopped, fought or conducted a siege, and cannot move again during this card",
                name=name,
            )
        if before and before + march.led.get(name, 0) + cost > most:
            return Illegal(
                RULE,
                "%(name)s has already moved during this card, and may spend only "
                "%(most)s movement %(most|point|points)s in all",
                name=name,
                most=most,
            )
    return None


def remaining_points(state: Campaign, general: str, points: int) -> int:
    """movement.command.5 The points of a general who is activated: those of his own that are left."""
    play = state.play
    before = play.spent.get(general, 0) if play is not None else 0
    if before is None:
        return 0
    return min(points, state.tables.movement.points - before) if before else points


def is_spent(state: Campaign, general: str) -> bool:
    """movement.command.5 Can this general not move any more on this card?"""
    return remaining_points(state, general, state.tables.movement.points) <= 0


def set_out(state: S, march: March, companions: tuple[str, ...], size: int, cost: int, lanes: int = 0) -> S:
    """movement.command.5 A party of so many CUs makes a step: what it has spent, and who stays behind with what.

    `lanes`: how many lanes by sea the step is.
    """
    play = state.playing()
    going, staying = cut(groups_at(state, march), size)
    kept = tuple(group for group in staying if group.spent != 0)
    walked = {**play.walked, march.at: kept}
    if not kept:
        del walked[march.at]
    party = (march.general, *companions)
    spent = dict(play.spent)
    for name, now in march.led.items():
        if name not in party:
            spent[name] = _sum(spent.get(name, 0), now)
    tired = tuple(replace(group, spent=_sum(group.spent, cost), lanes=group.lanes + lanes) for group in going)
    led = {name: march.led.get(name, 0) + cost for name in party}
    return replace(state, play=replace(play, walked=walked, spent=spent), march=replace(march, walked=tired, led=led))


def _sum(before: int | None, more: int) -> int | None:
    return None if before is None else before + more


def come_to_rest(state: S, done: bool) -> S:
    """movement.command.5 The march ends where it is; `done`: it has stopped, fought or besieged, and is spent."""
    march, play = state.march, state.play
    if march is None or play is None:
        return state
    spent = dict(play.spent)
    for name in march.generals:
        spent[name] = None if done else _sum(spent.get(name, 0), march.led.get(name, 0))
    groups: Groups = (Walked(march.force.size, None),) if done else march.walked
    here = (*play.walked.get(march.at, ()), *(group for group in groups if group.units and group.spent != 0))
    walked = {**play.walked, march.at: here} if here else play.walked
    return replace(state, play=replace(play, walked=walked, spent=spent))


def spend(state: S, space: str, size: int, generals: Iterable[str]) -> S:
    """movement.command.5 So many CUs in a space, and these generals, move no more on this card."""
    play = state.play
    if play is None:
        return state
    walked = {**play.walked, space: (*play.walked.get(space, ()), Walked(size, None))} if size else play.walked
    spent = {**play.spent, **dict.fromkeys(generals)}
    return replace(state, play=replace(play, walked=walked, spent=spent))
