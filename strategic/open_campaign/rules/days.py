"""O3.1 The turn, watch by watch: moving, seeing, meeting; nights; the end of the turn."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from msgspec.structs import replace

from strategic.open_campaign.rules import calendar, ending, meeting
from strategic.open_campaign.rules.orders import Handled
from strategic.open_campaign.rules.sailing import WATCHES, after_watch
from strategic.open_campaign.rules.sight import look
from strategic.open_campaign.rules.upkeep import night, refit
from strategic.open_campaign.rules.world import apart, chart
from strategic.open_campaign.state import State
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, event


def go_on(state: State, dice: Dice) -> Handled:
    """O3.1 The next meeting of this watch, the next watch, the night, or the end of the turn."""
    if state.pairs:
        return meeting.meet(state, dice)
    if state.watch < WATCHES:
        return watch(state, dice)
    state, told = night(state)
    if state.day < state.tables.days[state.turn_length]:
        return replace(state, day=state.day + 1, watch=0, met=()), told
    return end_turn(state, told)


def watch(state: State, dice: Dice) -> Handled:
    """O3.5, O4.1 All fleets move at once; then those that came within sight look at each other."""
    places = {name: after_watch(state, name) for name in state.at_sea()}
    for name, at in places.items():
        if at != state.fleets[name].at:
            state = state.with_fleet(name, at=at)
    state = replace(state, watch=state.watch + 1)
    return seeing(state, dice)


def seeing(state: State, dice: Dice) -> Handled:
    """O5.1 Hostile fleets within sight; the pairs in which one has seen the other may meet."""
    world = chart(state.world)
    points = {name: world.point(state.fleets[name].at) for name in state.at_sea()}
    pairs: list[tuple[str, str]] = []
    events: list[Event] = []
    for one, other in combinations(points, 2):
        if not state.are_hostile(state.fleets[one].side, state.fleets[other].side):
            continue
        miles = apart(points[one], points[other])
        if miles > state.tables.sight.miles:
            continue
        seen = False
        for looker, target in ((one, other), (other, one)):
            state, told = look(state, looker, target, miles, dice)
            events += told
            seen = seen or bool(told)
        if seen and (one, other) not in state.met:
            pairs.append((one, other))
    return replace(state, pairs=tuple(pairs)), tuple(events)


def end_turn(state: State, told: tuple[Event, ...]) -> Handled:
    """O3.1, O9.1 Repair and drill; then the reports are sent, or held for the umpire; or the campaign is over."""
    state = refit(state)
    fleets = {name: replace(fleet, shy=False, course="") for name, fleet in state.fleets.items()}
    state = replace(state, fleets=fleets, orders={}, ready=dict.fromkeys(state.sides, False), met=(), day=0, watch=0)
    if state.options.dispatches == "hold":
        return replace(state, step="held"), (*told, event("O3.7", "held", turn=state.turn))
    return next_turn(state, told)


def next_turn(state: State, told: tuple[Event, ...] = ()) -> Handled:
    """O3.1 Orders for the next turn, or the end of the campaign."""
    date = calendar.after(state.date, state.tables.days[state.turn_length])
    if state.turn >= state.turns:
        ended, last = ending.end(replace(state, date=date, step="orders"), "date")
        return ended, (*told, *last)
    state = replace(state, turn=state.turn + 1, date=date, step="orders")
    return state, (*told, event("O3.1", "turn_begins", turn=state.turn, date=state.date))


def send(state: State, command: Any, dice: Dice) -> Handled:
    """O3.7 The umpire sends what he has held."""
    return next_turn(state)
