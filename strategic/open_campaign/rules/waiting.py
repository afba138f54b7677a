"""O6.1 Meetings that wait to be settled: only the fleets that take part wait, and then go on from where they were."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace

from strategic.naval.engagement import BattleOpened, Engagement
from strategic.naval.engagement import Fleet as Sent
from strategic.open_campaign.state import State


def sent_ships(fleet: Sent) -> tuple[str, ...]:
    """L1.1 The warships and transports that a side has sent, by name."""
    return (*(unit.id for unit in fleet.units), *(each.id for each in fleet.transports))


def fleets_there(state: State, engagement: Engagement, side: str) -> tuple[str, ...]:
    """O6.1 The fleets of a side that take part."""
    there = set(sent_ships(engagement.fleets[side]))
    return tuple(name for name in state.at_sea() if not there.isdisjoint(state.fleets[name].ships))


def meetings(state: State) -> tuple[Engagement, ...]:
    """O6.1 All meetings that wait, the one in front first."""
    return () if state.engagement is None else (state.engagement, *state.waiting)


def in_front(state: State, name: str) -> State:
    """O6.1 The position with this meeting in front, where it waits: they are settled in any order."""
    found = next((each for each in state.waiting if each.id == name), None)
    others = tuple(each for each in meetings(state) if each.id != name)
    return replace(state, engagement=found, waiting=others) if found is not None else state


def unopened_first(state: State) -> State:
    """O6.1 In front stands the first meeting that is not on a table yet, so that the umpire sees what he may do."""
    if state.engagement is None or not state.engagement.opened:
        return state
    found = next((each for each in state.waiting if not each.opened), None)
    return state if found is None else in_front(state, found.id)


def hold(state: State, engagement: Engagement) -> State:
    """O6.1 The fleets of a meeting keep their place until it is settled; who has days left goes on from this watch."""
    names = {side: fleets_there(state, engagement, side) for side in engagement.sides}
    for name in (each for fleets in names.values() for each in fleets):
        behind = not state.late or bool(state.fleets[name].halted)
        now = (state.day, state.watch) if behind else ()
        state = state.with_fleet(name, engaged=engagement.id, halted=now)
    one, other = names.values()
    fought = tuple(tuple(sorted(pair)) for pair in product(one, other))
    return replace(state, fought=(*state.fought, *((pair[0], pair[1]) for pair in fought)))


def close_meeting(state: State, engagement: Engagement) -> State:
    """O6.1 A meeting is over: nobody waits for it any more, and the next one stands in front.

    When the last one is settled of those that a turn has stopped for, its days go on.
    """
    for name, fleet in state.fleets.items():
        if fleet.engaged == engagement.id:
            state = state.with_fleet(name, engaged="")
    left = tuple(each for each in meetings(state) if each.id != engagement.id)
    dates = {name: date for name, date in state.appointed.items() if name != engagement.id}
    state = replace(state, engagement=left[0] if left else None, waiting=left[1:], appointed=dates)
    return unopened_first(after_meetings(state))


def after_meetings(state: State) -> State:
    """O3.6, O6.1 A turn that has stopped for meetings goes on when all are settled, or have a date at a table."""
    return replace(state, step="running") if state.step == "engagement" and not is_stopped(state) else state


def is_stopped(state: State) -> bool:
    """O3.6 Does the campaign wait for a meeting? Not for one that has a date of its own."""
    return any(each.id not in state.appointed for each in meetings(state))


def moving(state: State) -> Iterator[str]:
    """O6.1 The fleets that this watch is for: all that wait for no meeting; later those that have days to make up."""
    for name in state.at_sea():
        fleet = state.fleets[name]
        if fleet.engaged:
            continue
        if not state.late or (fleet.halted and fleet.halted <= (state.day, state.watch)):
            yield name


def end_pass(state: State) -> State:
    """O6.1 The days of a turn are over, or those that were to be made up: whoever was not stopped has made them up."""
    if state.late:
        for name, fleet in state.fleets.items():
            if fleet.halted and not fleet.engaged:
                state = state.with_fleet(name, halted=())
    return replace(state, day=state.tables.days[state.turn_length] + 1)


def catch_up(state: State) -> State | None:
    """O6.1 The position at the first day that fleets have to make up; None where none has.

    The weather is that of the day. All others lie where their days ended, and are seen and met there.
    """
    behind = [each.halted for each in state.fleets.values() if each.halted and each.ships and not each.engaged]
    if not behind:
        return None
    day, watch = min(behind)
    weather = state.skies[day - 1] if day <= len(state.skies) else state.weather
    return replace(state, late=True, day=day, watch=watch, met=state.fought, weather=weather)


def openings(before: Any, after: Any) -> tuple[BattleOpened, ...]:
    """L1.2 The effects of a command: the battles that it has opened, whichever meeting stands in front."""
    was = {each.id for each in meetings(before) if each.opened}
    return tuple(BattleOpened(each) for each in meetings(after) if each.opened and each.id not in was)
