"""Movement by land: what may go where, the step, and its weariness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from strategic.atlas import Connection
from strategic.interception import parties
from strategic.point_to_point.commands import Halt, Party, Step, companies, least
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, Handled, March, S, Side, Troops, Walked, enemy, replace
from strategic.point_to_point.survey import (
    companions_of,
    enemy_units,
    generals_at,
    holding,
    is_met_alone,
    is_shut_in,
    why_not_consular,
    why_not_keep_to,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, offer, refuse

# -- movement.command.5 How far CUs and generals have moved on one card, for the card's later generals.
#
# A campaign's later general may move CUs or a subordinate again, but within the points of one move in all; a
# subordinate
# who is activated himself has what is left of his own. Whatever stopped, fought, besieged, went back or failed a
# pursuit
# moves no more on that card. CUs are all alike: an army that goes on is the one that came, and what it takes besides
# are
# those that have moved least.

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


# -- Movement by land: what may go where, the step itself, and the end of a move.


def why_not_moving(march: March) -> Illegal | None:
    """pursuit.2c After a failed pursuit, or going back, the army stops."""
    if march.stopped:
        return Illegal("pursuit.2c", "this army has stopped and cannot move further")
    return None


def why_not_party(
    state: Campaign, march: March, companions: Iterable[str], force: Troops, alone: bool = False
) -> Illegal | None:
    """movement.land.1a, movement.land.1c, movement.general.2, movement.land.3 Who and what may leave this space."""
    book = book_of(state)
    place, here = state.spaces[march.at], generals_at(state, march.side, march.at)
    group = tuple(companions)
    if len(set(group)) != len(group) or not set(group) <= set(here) - {march.general}:
        return Illegal("movement.land.1b", "companions must be other generals in the same space")
    if not set(group) <= set(companions_of(state, march.general)):
        return Illegal(
            "movement.land.1c", "%(general)s cannot take along a general of higher rank", general=march.general
        )
    if not force.is_counted or not place.all_of(march.side).holds(force):
        return Illegal("movement.general.1", "there are not that many CUs in %(at)s", at=march.at)
    if force.size > state.tables.movement.units:
        return Illegal(
            book.cite("movement.land.1a"),
            "a general may move with at most %(most)s %(most|CU|CUs)s",
            most=state.tables.movement.units,
        )
    if (wrong := book.why_not_load(state, force)) is not None:
        return wrong
    party = (march.general, *group)
    staying = [name for name in here if name not in party]
    if (wrong := why_not_consular(state, party, force, staying, place.all_of(march.side), alone)) is not None:
        return wrong
    rest = place.all_of(march.side).size - force.size
    if set(group) & set(march.detached) or rest < march.detached_size:
        return Illegal("siege.2", "a general detached for the siege must stay with his CUs")
    return why_not_leave_alone(state, march.side, march.at, staying, place.outside(march.side).minus(force))


def why_not_leave_alone(
    state: Campaign, side: Side, space: str, staying: Iterable[str], rest: Troops
) -> Illegal | None:
    """movement.land.1e No general is left without CUs beside one of the enemy's, who stands there alone too.

    `staying` are the generals who stay in the space, `rest` the CUs that stay outside the walls there.
    """
    outside = [name for name in staying if not state.generals[name].inside]
    if outside and rest.size <= 0 and is_met_alone(state, side, space):
        return Illegal("movement.land.1e", "a general without CUs cannot be left in a space with an enemy general")
    return None


def why_not_entry(
    state: Campaign, march: March, to: str, companions: Iterable[str], force: Troops, points: int
) -> Illegal | None:
    """movement.land.1d CUs are needed against CUs; movement.land.1e a general alone may pass one of the enemy's, but
    not stop with him, so he needs some of the `points` that he has left there; the regions of Hanno and Fabius.
    """
    if not force.size and enemy_units(state, march.side, to):
        return Illegal("movement.land.1d", "enemy CUs are in %(to)s: a general without CUs may not enter", to=to)
    if not force.size and points < 1 and is_met_alone(state, march.side, to):
        return Illegal(
            "movement.land.1e",
            "a general without CUs may pass the enemy's general at %(to)s, but cannot stop there",
            to=to,
        )
    return why_not_keep_to(state, (march.general, *companions), to) or book_of(state).why_not_entry(state, march, to)


def way_to(state: Campaign, march: March, to: str) -> Connection | None:
    """movement.land.1 The road from where the army stands."""
    chart = book_of(state).chart
    return chart.between(march.at, to) if to in chart.spaces else None


def why_not_way(state: Campaign, march: March, to: str) -> Illegal | None:
    """movement.land.2 A connection, enough points, and for Messana's strait both its ends (movement.land.2c)."""
    way = way_to(state, march, to)
    if way is None:
        return Illegal("movement.land.1", "no road leads from %(at)s to %(to)s", at=march.at, to=to)
    if is_shut_in(state, march.side, march.at):
        return Illegal("siege.6", "enemies are before the walls of %(at)s: only a sortie leads out", at=march.at)
    if way.cost > march.points:
        rule = "movement.land.2" if way.cost > 1 else "movement.land.1"
        return Illegal(
            rule,
            "this step costs %(cost)s %(cost|point|points)s, and %(points)s %(points|is|are)s left",
            cost=way.cost,
            points=march.points,
        )
    if not all(holding(state, march.side, end) for end in way.about.get("needs_control", ())):
        return Illegal("movement.land.2c", "this strait is open only to a side that controls both its ends")
    return None


def why_not_step(state: Campaign, to: str, companions: tuple[str, ...], force: Troops) -> Illegal | None:
    """movement.land.1 Why these may not make this step; None when they may."""
    march, way = state.marching(), way_to(state, state.marching(), to)
    wrong = why_not_moving(march) or why_not_way(state, march, to)
    if wrong is not None or way is None:
        return wrong
    return (
        why_not_party(state, march, companions, force)
        or why_not_fresh(state, march, companions, force.size, way.cost)
        or why_not_entry(state, march, to, companions, force, march.points - way.cost)
    )


def step(state: S, command: Step, dice: Dice) -> Handled[S]:
    """movement.land.1 Move one space; what the way costs is paid at once; then the enemy may answer."""
    march, force = state.marching(), command.force
    refuse(why_not_step(state, command.to, command.companions, force))
    way = way_to(state, march, command.to)
    assert way is not None
    told = event(
        "movement.land.1",
        "stepped",
        side=march.side,
        general=march.general,
        start=march.at,
        to=command.to,
        kind=way.kind,
        companions=list(command.companions),
        **told_of(force),
    )
    state, events = book_of(state).on_step(come_to(state, way, command.companions, force), way.kind, False, dice)
    return arrive(state), (told, *events)


def come_to(state: S, way: Connection, companions: tuple[str, ...], force: Troops) -> S:
    """movement.land.1 These in the next space, with what the way costs paid; nothing has happened there yet."""
    march = state.marching()
    to = way.other(march.at)
    state = set_out(state, march, companions, force.size, way.cost)
    moved = replace(state.marching(), companions=companions, inside=False, detached=(), detached_size=0)
    moved = moved.with_force(force)
    state = put(state, moved, march.at, to)
    moved = replace(moved, path=(*march.path, to), legs=(*march.legs, way.kind), points=march.points - way.cost)
    return replace(state, march=moved)


def told_of(force: Troops) -> dict[str, Any]:
    """The CUs, and the trains if there are any, as facts of an event."""
    counts = {"units": force.units, "elephants": force.elephants}
    return {**counts, "trains": force.trains} if force.trains else counts


def put(state: S, march: March, start: str, to: str, inside: bool = False) -> S:
    """movement.general.1 The army's CUs and generals taken from one space and put into another."""
    state = state.take(start, march.side, march.force)
    state = state.add(to, march.side, march.force, inside=inside)
    return state.move_generals(march.generals, to, inside=inside)


def lessen(state: S, left: Troops) -> S:
    """tables.attrition.when The moving army after losses, in its space."""
    march = state.marching()
    place = state.spaces[march.at]
    gone = march.force.minus(left)
    state = state.set_outside(march.at, march.side, place.outside(march.side).minus(gone))
    return replace(state, march=march.with_force(left))


def arrive(state: S, rule: str = "interception.1") -> S:
    """movement.general.3 What happens on every entry, in order: hostile tribes, interception, a meeting.

    `rule` is the paragraph by which the enemy may intercept now.
    """
    march = state.marching()
    state = replace(state, march=replace(march, intercepted=(), failed_avoid=False))
    return state.then(
        *book_of(state).moments(state, "tribes"),
        Prompt("intercept", enemy(march.side), rule, {"declared": []}),
        Prompt("meet", "", "movement.land.1d"),
    )


def brought(state: S, space: str, companions: tuple[str, ...], force: Troops) -> S:
    """movement.general.3 The position in which the army on the march has just come to a space with these, however far
    it is, and nobody has answered yet."""
    march = state.marching()
    moved = replace(march, companions=companions, inside=False, detached=(), detached_size=0).with_force(force)
    there = put(state, moved, march.at, space)
    return arrive(replace(there, march=replace(moved, path=(*march.path, space))))


def why_not_halt(state: Campaign, march: March) -> Illegal | None:
    """movement.land.1e Raises Illegal for a general without CUs who stands with one of the enemy's."""
    if not march.force.size and march.legs and is_met_alone(state, march.side, march.at):
        return Illegal("movement.land.1e", "a general without CUs cannot stop in a space with an enemy general")
    return None


def halt_offers(state: Campaign) -> tuple[Offer, ...]:
    """movement.land.1 The move may end, but not beside a general of the enemy alone."""
    march = state.marching()
    return (Offer("halt", "movement.land.1"),) if why_not_halt(state, march) is None else ()


def halt(state: S, command: Halt, dice: Dice) -> Handled[S]:
    """movement.land.1 The move ends here."""
    march = state.marching()
    refuse(why_not_halt(state, march))
    return halting(state), (event("movement.land.1", "halted", side=march.side, space=march.at),)


def is_there(state: Campaign, march: March) -> bool:
    """movement.land.5 Is the general still with his march?"""
    record = state.generals[march.general]
    return record.status == "board" and record.space == march.at


def halting(state: S) -> S:
    """movement.land.1 The weather may still turn (card 41); then the move is over."""
    return state.then(*book_of(state).moments(state, "weather"), Prompt("halted", "", "movement.land.1"))


def halt_here(state: S, dice: Dice) -> Handled[S]:
    """movement.land.1 The move is over. movement.land.1e: a general without CUs who is left with one of the enemy's,
    and can go nowhere, steps back, as far as he must.
    """
    state = state.answered()
    march = state.march
    events: tuple[Event, ...] = ()
    if march is None or not is_there(state, march):
        return replace(state, march=None), ()
    while why_not_halt(state, state.marching()) is not None:
        state, more = step_back(state, state.marching())
        events += more
    state = come_to_rest(state, state.marching().stopped)
    state, more = book_of(state).after_move(state)
    return replace(state, march=None), (*events, *more)


def step_back(state: S, march: March) -> Handled[S]:
    """movement.land.1d A general without CUs steps back where he came from; enemy CUs there displace him.

    Ruling: attrition hurts no general, and he may not enter among CUs alone, nor stop with another general alone
    (movement.land.1e).
    """
    back = replace(march, path=march.path[:-1], legs=march.legs[:-1], stopped=True)
    state = replace(put(state, march, march.at, march.path[-2]), march=back)
    return state, (event("movement.land.1d", "stepped_back", general=march.general, start=march.at, to=back.at),)


def march_over(state: S, dice: Dice) -> Handled[S]:
    """movement.land.1 Nothing more to do: the army halts by itself."""
    return (halting(state) if state.march is not None else state.answered()), ()


# offers


def loads(state: Campaign, march: March, most: int, cost: int = 0) -> Iterator[dict[str, Any]]:
    """movement.land.1b Every party that may leave together, as fields: companions, elephants, runs of units, trains.

    `cost` is what the next step takes of their points.
    """

    def why_not(companions: Party, force: Troops) -> Illegal | None:
        wrong = why_not_party(state, march, companions, force)
        return wrong or why_not_fresh(state, march, companions, force.size, cost)

    groups = parties(companions_of(state, march.general), least=0)
    return companies("companions", groups, state.spaces[march.at].all_of(march.side), most, why_not)


def step_offers(state: Campaign) -> Iterator[Offer]:
    """movement.land.1 For each party the spaces that it may enter; an empty one apart, for it may enter fewer."""
    march, chart = state.marching(), book_of(state).chart
    if march.stopped:
        return
    near = dict.fromkeys(chart.neighbours(march.at))
    ways = {to: chart.between(march.at, to) for to in near if why_not_way(state, march, to) is None}
    for cost in sorted({way.cost for way in ways.values() if way}):
        ends = [to for to, way in ways.items() if way and way.cost == cost]
        for fields in loads(state, march, state.tables.movement.units, cost):
            party, force, left = tuple(fields["companions"][0]), least(fields), march.points - cost
            to = [end for end in ends if why_not_entry(state, march, end, party, force, left) is None]
            yield from offer("step", "movement.land.1", to=to, **fields)
