"""Interception of an army that enters a space."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.hannibal.commands import AcceptBattle, Done, GoBack, Intercept
from strategic.hannibal.rules.displacement import caught_alone
from strategic.hannibal.rules.movement import crossed, fits, ranges, shifted
from strategic.hannibal.rules.operations import seat_side
from strategic.hannibal.rules.sea import aboard, can_sail_back
from strategic.hannibal.state import Crossing, March, State, Troops
from strategic.hannibal.survey import (
    commander,
    enemy_outside,
    generals_at,
    holding,
    is_shut_in,
    keeps_to,
    least_consular,
    may_units_enter,
    rating,
)
from strategic.hannibal.tables import CHART, LEADERS, TABLES, Side, enemy
from strategic.interception import attempt, beside, parties
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

ROADS = ("road",)


def check_target(state: State, march: March) -> None:
    """interception.general.3 Not where a CU of the mover stands that did not move, nor inside walls, nor in a truce."""
    if state.lasting.truce:
        raise Illegal("strategy.event.1", "nobody intercepts during the truce (card 64)")
    if march.inside or not march.force.size:
        raise Illegal("movement.general.3", "only an army outside walls can be intercepted")
    if state.spaces[march.at].all_of(march.side).size > march.force.size:
        raise Illegal("interception.general.3", f"CUs that did not move stand in {march.at}")


def can_send(state: State, side: Side, space: str, march: March) -> bool:
    """interception.general.1, interception.4 An army with a general next to the target by road, not shut in, one try a
    space and card (interception.general.4)."""
    return (
        space not in state.playing().intercepted_from
        and not is_shut_in(state, side, space)
        and state.spaces[space].all_of(side).size > 0
        and bool(generals_at(state, side, space))
        and may_units_enter(state, side, space, march.at)
    )


def check_intercept(state: State, side: Side, command: Intercept) -> None:
    """interception.1 Who tries, and what must stay (interception.1a, interception.1b, reading.5)."""
    march = state.marching()
    check_target(state, march)
    declared = [told["space"] for told in state.agenda[-1].about["declared"]]
    if command.space not in CHART.neighbours(march.at, ROADS):
        raise Illegal("interception.4", f"{command.space} is not next to {march.at} by road")
    if command.space in declared or not can_send(state, side, command.space, march):
        raise Illegal("interception.general.4", f"no army of {side} in {command.space} may try (again) on this card")
    here, group = generals_at(state, side, command.space), command.generals
    if not group or len(set(group)) != len(group) or not set(group) <= set(here):
        raise Illegal("interception.1", "name generals of that space")
    for name in group:
        if not keeps_to(name, march.at):
            raise Illegal("movement.command.6", f"{name} may not leave {LEADERS[name].keeps_to}")
    force, present = Troops(command.units, command.elephants), state.spaces[command.space].all_of(side)
    if command.units < 0 or command.elephants < 0 or not present.holds(force) or not force.size:
        raise Illegal("interception.1a", "an interceptor takes at least one CU, and no more than there are")
    if force.size > TABLES.movement.units:
        raise Illegal("movement.land.1a", f"a general moves with at most {TABLES.movement.units} CUs")
    if force.size < least_consular(state, group):
        raise Illegal("reading.5", f"a consul intercepts with at least {TABLES.movement.consular} CUs")
    staying = [name for name in here if name not in group]
    rest = present.size - force.size
    if staying and rest < max(1, least_consular(state, staying)):
        raise Illegal("interception.1b", "a general who stays keeps a CU, a consul five")


def intercept(state: State, command: Intercept, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """interception.1 One more army is named; all are named before any die (interception.more.1)."""
    side = seat_side(state)
    check_intercept(state, side, command)
    named = {
        "space": command.space,
        "generals": list(command.generals),
        "units": command.units,
        "elephants": command.elephants,
    }
    declared = [*state.agenda[-1].about["declared"], named]
    play = state.playing()
    state = replace(state, play=replace(play, intercepted_from=(*play.intercepted_from, command.space)))
    return state.asking(declared=declared), (
        event("interception.1", "interception_declared", (), False, side=side, **named),
    )


def intercept_modifier(state: State, side: Side, target: str) -> int:
    """interception.2b +1 if the target has an enemy PC and no friendly CU."""
    return int(holding(state, enemy(side), target) and not state.spaces[target].all_of(side).size)


def roll_interceptions(state: State, command: Done, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """interception.2 A die for each; who succeeds moves in (interception.3)."""
    side = seat_side(state)
    declared: list[dict[str, Any]] = state.agenda[-1].about["declared"]
    events: tuple[Event, ...] = ()
    state = state.answered()
    modifier = intercept_modifier(state, side, state.marching().at)
    for named in declared:
        state, more = roll_one(state, side, named, modifier, dice)
        events += more
    march = state.marching()
    if march.intercepted:
        state = state.then(Prompt("intercepted", march.side, "interception.3a"))
    return state, events


def roll_one(
    state: State, side: Side, named: dict[str, Any], modifier: int, dice: Dice
) -> tuple[State, tuple[Event, ...]]:
    """interception.2a No higher than the battle rating of that army's commander; Varro and Gisgo by ability."""
    march, group = state.marching(), tuple(named["generals"])
    leader = commander(state, group)
    limit = (LEADERS[leader].intercept if leader else 0) or rating(leader)
    good, face = attempt(dice, "interception.2", limit, modifier, general=leader or "", to=march.at)
    told = event(
        "interception.2a",
        "interception",
        side=side,
        general=leader,
        start=named["space"],
        to=march.at,
        dice=[face],
        modifier=modifier,
        rating=limit,
        success=good,
    )
    if not good:
        return replace(state, march=replace(march, failed=(*march.failed, *group))), (told,)
    force = Troops(named["units"], named["elephants"])
    state = state.take(named["space"], side, force).add(march.at, side, force).move_generals(group, march.at)
    return replace(state, march=replace(march, intercepted=(*march.intercepted, *group))), (told,)


def intercept_open(state: State) -> bool:
    """interception.general.1 May anybody still try?"""
    march = state.march
    if march is None or not fits(lambda: check_target(state, march)):
        return False
    return bool(state.agenda[-1].about["declared"]) or bool(watchers(state))


def watchers(state: State) -> tuple[str, ...]:
    """interception.general.1 The spaces from which an army could try now."""
    side, march = seat_side(state), state.marching()
    declared = [told["space"] for told in state.agenda[-1].about["declared"]]
    near = beside(CHART, march.at, ROADS, lambda space: can_send(state, side, space, march))
    return tuple(space for space in near if space not in declared and _sends(state, side, space))


def _sends(state: State, side: Side, space: str) -> bool:
    return any(True for _ in _parties(state, side, space))


def _parties(state: State, side: Side, space: str) -> list[tuple[tuple[str, ...], int, int, int]]:
    """interception.1a Every group of generals of a space with the runs of CUs that they may take."""
    here, found = state.spaces[space].all_of(side), []
    for group in parties(generals_at(state, side, space)):
        for elephants in range(min(here.elephants, TABLES.movement.units) + 1):

            def may_go(units: int, elephants: int = elephants, group: tuple[str, ...] = group) -> bool:
                return fits(lambda: check_intercept(state, side, Intercept(space, group, units, elephants)))

            top = min(here.units, TABLES.movement.units - elephants)
            found += [(group, elephants, low, high) for low, high in ranges(0, top, may_go)]
    return found


def intercept_offers(state: State) -> tuple[Offer, ...]:
    """interception.1 The armies that may try, or no (more) of them."""
    side, offers = seat_side(state), []
    for space in watchers(state):
        for group, elephants, low, high in _parties(state, side, space):
            fields = {
                "space": space,
                "generals": [list(group)],
                "elephants": elephants,
                "units": {"from": low, "to": high},
            }
            offers.append(Offer("intercept", "interception.1", fields))
    return (*offers, Offer("done", "interception.2"))


def intercept_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """interception.general.1 Nobody may try."""
    return state.answered(), ()


def can_go_back(state: State) -> bool:
    """interception.3a Is the space that it came from open (over sea too)?"""
    march = state.marching()
    if len(march.path) < 2:
        return False
    if march.landed():
        return can_sail_back(state, march)
    return not enemy_outside(state, march.side, march.path[-2]).size


def go_back(state: State, command: GoBack, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """interception.3a One space back, and the move is over. naval.3: by sea Rome rolls again.

    Ruling: the source does not say whether it may move on; like an army that failed to pursue it stops there,
    but may still make its siege roll.
    """
    if not can_go_back(state):
        raise Illegal("interception.3a", "the space that the army came from is closed to it")
    state = state.answered()
    march = state.marching()
    told = event("interception.3a", "went_back", general=march.general, start=march.at, to=march.path[-2])
    if march.landed():
        crossing = Crossing(march.path[-2], False, march.units, march.elephants, march.companions, back=True)
        state, events = aboard(state, march, crossing)
        return state, (told, *events)
    state = shifted(state, march, march.at, march.path[-2])
    back = replace(march, path=march.path[:-1], legs=march.legs[:-1], intercepted=(), stopped=True)
    state, events = crossed(replace(state, march=back), march.legs[-1], dice)
    state, more = caught_alone(state, enemy(march.side), back.at)
    return state, (told, *events, *more)


def accept_battle(state: State, command: AcceptBattle, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """interception.3a It fights where it was caught."""
    march = state.marching()
    return state.answered(), (event("interception.3a", "accepted", general=march.general, space=march.at),)


def caught_offers(state: State) -> tuple[Offer, ...]:
    """interception.3a Back or battle."""
    back = (Offer("go_back", "interception.3a"),) if can_go_back(state) else ()
    return (*back, Offer("accept_battle", "interception.3a"))
