"""Interception of an army, or a general, that enters a space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strategic.interception import attempt, beside, parties
from strategic.point_to_point.commands import AcceptBattle, Done, GoBack, Intercept, Pass
from strategic.point_to_point.movement import put, told_of
from strategic.point_to_point.offering import forces
from strategic.point_to_point.pieces import Troops, replace
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, Handled, March, S
from strategic.point_to_point.survey import (
    commander,
    enemy_outside,
    generals_at,
    holding,
    is_shut_in,
    side_of_prompt,
    why_not_consular,
    why_not_keep_to,
)
from strategic.point_to_point.tables import ROADS, Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, refuse

Named = dict[str, Any]


def why_not_target(state: Campaign, march: March) -> Illegal | None:
    """interception.general.3 Not where a CU of the mover stands that did not move, nor inside walls.

    interception.general.1 A general who moves without CUs can be intercepted too.
    """
    if (wrong := book_of(state).why_not_interception(state)) is not None:
        return wrong
    if march.inside:
        return Illegal("movement.general.3", "an army inside walls cannot be intercepted")
    if state.spaces[march.at].all_of(march.side).size > march.force.size:
        return Illegal("interception.general.3", "CUs that did not move stand in %(at)s", at=march.at)
    return None


def can_send(state: Campaign, side: Side, space: str, march: March) -> bool:
    """interception.general.1, interception.4 An army with a general next to the target by road, not shut in, one try a
    space and card (interception.general.4)."""
    return (
        space not in state.playing().intercepted_from
        and not is_shut_in(state, side, space)
        and state.spaces[space].all_of(side).size > 0
        and bool(generals_at(state, side, space))
        and book_of(state).may_units_enter(state, side, space, march.at)
    )


def named_tries(state: Campaign) -> list[Named]:
    """interception.more.1 The tries that have been named, all before any die."""
    found = state.agenda[-1].about.get("declared", [])
    if not isinstance(found, dict):
        return list(found)
    return [  # a position of an earlier program: general, and his CUs and trains
        {"space": state.generals[name].space, "generals": [name], "units": u, "elephants": e, "trains": t}
        for name, (u, e, t) in found.items()
    ]


def named_in(state: Campaign, command: Intercept) -> Intercept:
    """interception.1 The command with its space and generals, where it names one general only."""
    if command.general is None:
        return command
    record = state.generals.get(command.general)
    return replace(command, space=(record.space if record else None) or "", generals=(command.general,))


def why_not_intercept(state: Campaign, side: Side, command: Intercept) -> Illegal | None:
    """interception.1 Who tries, and what must stay (interception.1a, interception.1b, reading.5)."""
    march, book = state.marching(), book_of(state)
    if (wrong := why_not_target(state, march)) is not None:
        return wrong
    if command.space not in book.chart.neighbours(march.at, ROADS):
        return Illegal("interception.4", "%(space)s is not next to %(at)s by road", space=command.space, at=march.at)
    spaces = [named["space"] for named in named_tries(state)]
    if command.space in spaces or not can_send(state, side, command.space, march):
        return Illegal(
            "interception.general.4",
            "no army of %(side)s in %(space)s may try to intercept, or try again, during this card",
            side=side,
            space=command.space,
        )
    return why_not_interceptors(state, side, command.space, command.generals, command.force) or why_not_keep_to(
        state, command.generals, march.at
    )


def why_not_interceptors(
    state: Campaign, side: Side, space: str, group: tuple[str, ...], force: Troops
) -> Illegal | None:
    """interception.1a, interception.1b Generals of the space with at least one CU; a general who stays keeps one."""
    here, present = generals_at(state, side, space), state.spaces[space].all_of(side)
    if not group or len(set(group)) != len(group) or not set(group) <= set(here):
        return Illegal("interception.1", "name generals who are in that space")
    if not force.is_counted or not present.holds(force) or not force.size:
        return Illegal("interception.1a", "an interceptor must take at least one CU, and no more than there are")
    if force.size > state.tables.movement.units:
        most = state.tables.movement.units
        return Illegal(
            book_of(state).cite("movement.land.1a"),
            "a general may move with at most %(most)s %(most|CU|CUs)s",
            most=most,
        )
    if (wrong := book_of(state).why_not_load(state, force)) is not None:
        return wrong
    staying = [name for name in here if name not in group]
    if (
        wrong := why_not_consular(state, group, force, staying, present, rules=("reading.5", "interception.1b"))
    ) is not None:
        return wrong
    if staying and force.size == present.size:
        return Illegal("interception.1b", "a general who stays must keep a CU")
    return None


def intercept(state: S, command: Intercept, dice: Dice) -> Handled[S]:
    """interception.1 One more army is named; all are named before any die (interception.more.1)."""
    side, command = side_of_prompt(state), named_in(state, command)
    refuse(why_not_intercept(state, side, command))
    named = {"space": command.space, "generals": list(command.generals), **told_of(command.force)}
    tries, play = [*named_tries(state), named], state.playing()
    state = replace(state, play=replace(play, intercepted_from=(*play.intercepted_from, command.space)))
    return state.asking(declared=tries), (
        event("interception.1", "interception_declared", (), False, side=side, **named),
    )


def intercept_modifier(state: Campaign, side: Side, target: str) -> int:
    """interception.2b +1 if the target has an enemy PC and no friendly CU."""
    return int(holding(state, enemy(side), target) and not state.spaces[target].all_of(side).size)


def let_pass(state: S, command: Pass, dice: Dice) -> Handled[S]:
    """interception.1 Nobody (more) tries."""
    return roll_interceptions(state, Done(), dice)


def roll_interceptions(state: S, command: Done, dice: Dice) -> Handled[S]:
    """interception.2 A die for each; who succeeds moves in (interception.3)."""
    side, tries = side_of_prompt(state), named_tries(state)
    events: tuple[Event, ...] = ()
    state = state.answered()
    modifier = intercept_modifier(state, side, state.marching().at)
    for named in tries:
        state, more = roll_one(state, side, named, modifier, dice)
        events += more
    march = state.marching()
    if march.intercepted:
        state = state.then(Prompt("intercepted", march.side, "interception.3a"))
    return state, events


def roll_one(state: S, side: Side, named: Named, modifier: int, dice: Dice) -> Handled[S]:
    """interception.2a No higher than the battle rating of that army's commander; Varro and Gisgo by ability."""
    march, group, start = state.marching(), tuple(named["generals"]), named["space"]
    leader = commander(state, group) or ""
    limit = book_of(state).limit(state, leader, "intercept", False)
    good, face = attempt(dice, "interception.2", limit, modifier, general=leader, to=march.at)
    told = event(
        "interception.2a",
        "interception",
        side=side,
        general=leader,
        start=start,
        to=march.at,
        dice=[face],
        modifier=modifier,
        rating=limit,
        success=good,
    )
    if not good:
        return replace(state, march=replace(march, failed=(*march.failed, *group))), (told,)
    force = Troops(named["units"], named["elephants"], named.get("trains", 0))
    state = state.take(start, side, force).add(march.at, side, force).move_generals(group, march.at)
    return replace(state, march=replace(march, intercepted=(*march.intercepted, *group))), (told,)


def intercept_open(state: Campaign) -> bool:
    """interception.general.1 May anybody still try?"""
    march = state.march
    if march is None or why_not_target(state, march) is not None:
        return False
    return bool(named_tries(state)) or bool(watchers(state))


def watchers(state: Campaign) -> tuple[str, ...]:
    """interception.general.1 The spaces from which an army could try now."""
    side, march = side_of_prompt(state), state.marching()
    spaces = [named["space"] for named in named_tries(state)]
    near = beside(book_of(state).chart, march.at, ROADS, lambda space: can_send(state, side, space, march))
    return tuple(space for space in near if space not in spaces and any(True for _ in _tries(state, side, space)))


def _tries(state: Campaign, side: Side, space: str) -> Iterator[Named]:
    """interception.1a Every group of generals of a space with the CUs that they may take, as fields."""
    here, at = state.spaces[space].all_of(side), state.marching().at
    for group in parties(generals_at(state, side, space)):
        if why_not_keep_to(state, group, at) is None:

            def may_go(force: Troops, group: tuple[str, ...] = group) -> bool:
                return why_not_interceptors(state, side, space, group, force) is None

            for fields in forces(here, state.tables.movement.units, may_go):
                yield {"space": space, "generals": [list(group)], **fields}


def intercept_offers(state: Campaign) -> tuple[Offer, ...]:
    """interception.1 The armies that may try, or no (more) of them."""
    side = side_of_prompt(state)
    tries = [fields for space in watchers(state) for fields in _tries(state, side, space)]
    return (*(Offer("intercept", "interception.1", fields) for fields in tries), Offer("done", "interception.2"))


def intercept_over(state: S, dice: Dice) -> Handled[S]:
    """interception.general.1 Nobody may try."""
    return state.answered(), ()


# the army that was caught


def can_go_back(state: Campaign) -> bool:
    """interception.3a Is the space that it came from open (over sea too)?"""
    march = state.marching()
    if len(march.path) < 2 or enemy_outside(state, march.side, march.path[-2]).size:
        return False
    return not march.landed() or book_of(state).may_sail_back(state)


def go_back(state: S, command: GoBack, dice: Dice) -> Handled[S]:
    """interception.3a One space back, and the move is over. naval.3, 11.7.second.a: over the sea as its game does it.

    Ruling: the source does not say whether it may move on; like an army that failed to pursue it stops there,
    but may still make its siege roll.
    """
    if not can_go_back(state):
        raise Illegal("interception.3a", "the space that the army came from is closed to it")
    state = state.answered()
    march, book = state.marching(), book_of(state)
    start, to = march.at, march.path[-2]
    told = event("interception.3a", "went_back", side=march.side, general=march.general, start=start, to=to)
    if march.landed():
        state, events = book.sail_back(state)
        return state, (told, *events)
    state = put(state, march, start, to)
    back = replace(march, path=march.path[:-1], legs=march.legs[:-1], intercepted=(), stopped=True)
    state, events = book.on_step(replace(state, march=back), march.legs[-1], True, dice)
    return state, (told, *events)


def accept_battle(state: S, command: AcceptBattle, dice: Dice) -> Handled[S]:
    """interception.3a It fights where it was caught."""
    march = state.marching()
    return state.answered(), (
        event("interception.3a", "accepted", side=march.side, general=march.general, space=march.at),
    )


def caught_offers(state: Campaign) -> tuple[Offer, ...]:
    """interception.3a Back or battle."""
    back = (Offer("go_back", "interception.3a"),) if can_go_back(state) else ()
    return (*back, Offer("accept_battle", "interception.3a"))
