"""O3.1 The turn, watch by watch: moving, seeing, meeting; nights; the end of the turn."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from msgspec.structs import replace

from strategic import calendar
from strategic.coast import Point, apart
from strategic.open_campaign.rules import ending, letters, meeting, orders, waiting
from strategic.open_campaign.rules.ashore import ashore
from strategic.open_campaign.rules.changes import Handled, join_fleets
from strategic.open_campaign.rules.fighting import float_prizes
from strategic.open_campaign.rules.holding import position_before
from strategic.open_campaign.rules.money import launch, pay_fleets, take_in
from strategic.open_campaign.rules.rumours import rumours
from strategic.open_campaign.rules.sailing import WATCHES, after_watch
from strategic.open_campaign.rules.sight import eye_of, eyes_of, is_near, look, sees
from strategic.open_campaign.rules.upkeep import night, refit
from strategic.open_campaign.rules.weather import WINDS, breaking, course, keep_in, morning
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import State
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, Illegal, event

ILL = 2


def go_on(state: State, dice: Dice) -> Handled:
    """O3.1, O6.1 The next meeting of this watch, the next watch, the night; the meetings that wait; the days made up.

    When no fleet has a day left, ashore (O7.1).
    """
    days = state.tables.days[state.turn_length]
    if state.day > days:
        return after_days(state), ()
    if state.pairs:
        return meeting.meet(state, dice)
    if state.watch < WATCHES:
        return watch(state, dice)
    state, told = night(state, dice)
    if state.day < days:
        state = replace(state, day=state.day + 1, watch=0, met=())
        return (replace(state, step="day") if state.options.dispatches == "days" and not state.late else state), told
    return waiting.end_pass(state), told


def after_days(state: State) -> State:
    """O3.6, O6.1 Meetings without a date wait; or fleets have days to make up; or the days of the turn are over."""
    if waiting.is_stopped(state):
        return replace(waiting.unopened_first(state), step="engagement")
    again = waiting.catch_up(state)
    return again if again is not None else replace(state, day=state.tables.days[state.turn_length], step="landings")


def watch(state: State, dice: Dice) -> Handled:
    """O3.5, O4.1, O4.2 Weather breaks, all fleets move at once, and those that came within sight look at each other.

    Where the umpire moves by hand (O3.7) nothing of it happens by itself.
    """
    if state.options.dispatches == "hand":
        return replace(state, watch=state.watch + 1), ()
    if state.watch == 0 and state.late:
        today = state.skies[state.day - 1 : state.day]
        state = replace(state, weather=today[0]) if today else state
        state = keep_in(state, waiting.moving(state), dice) if today else state
    elif state.watch == 0:
        state = morning(state, dice)
    state, told = breaking(state, waiting.moving(state), dice)
    world = chart(state.world)
    state = joining(state)
    places = {name: after_watch(state, name) for name in waiting.moving(state)}
    for name, at in places.items():
        here = state.fleets[name].at
        if at != here:
            towards = WINDS[round(course(world.point(here), world.point(at)) / 45) % 8]
            state = state.with_fleet(name, at=at, heading=towards)
        elif state.fleets[name].heading:
            state = state.with_fleet(name, heading="")
    state = joining(state)
    state = replace(state, watch=state.watch + 1)
    state, seen = seeing(state, dice)
    return state, (*told, *seen)


def joining(state: State) -> State:
    """O2.2 A fleet that was ordered to join another and lies with it becomes a part of it."""
    for name in tuple(waiting.moving(state)):
        order = state.order_of(name)
        if order is None or order.do != "join" or order.to not in state.at_sea() or state.fleets[order.to].engaged:
            continue
        if state.fleets[name].at == state.fleets[order.to].at and state.fleets[name].ships:
            state = join_fleets(state, name, order.to)
    return state


def seeing(state: State, dice: Dice) -> Handled:
    """O5.1 Hostile fleets within sight, and watchers ashore; the pairs in which one has seen the other may meet."""
    world = chart(state.world)
    points = {name: world.point(state.fleets[name].at) for name in state.at_sea()}
    pairs: list[tuple[str, str]] = []
    events: list[Event] = []
    limit = state.tables.sight.miles
    now = set(waiting.moving(state))
    for one, other in combinations(points, 2):
        if one not in now and other not in now:
            continue
        sides = state.fleets[one].side, state.fleets[other].side
        if sides[0] == sides[1] or not is_near(points[one], points[other], limit) or not state.are_hostile(*sides):
            continue
        if not sees(state, points[one], points[other]):
            continue
        miles = apart(points[one], points[other])
        seen = False
        for looker, target in ((one, other), (other, one)):
            eye = eye_of(state, looker, state.fleets[looker], points[looker])
            state, told, found = look(state, eye, target, miles, limit, dice)
            events += told
            seen = seen or found
        if seen and (one, other) not in state.met and not state.has_treaty(*sides, "passage"):
            pairs.append((one, other))
    state, more = watching(state, points, dice)
    return replace(state, pairs=tuple(pairs)), (*events, *more)


def watching(state: State, points: dict[str, Point], dice: Dice) -> Handled:
    """O5.1 Watchers in ports see farther than mastheads; by day they look for hostile fleets under way."""
    events: list[Event] = []
    limit = state.tables.sight.watched
    for eye in eyes_of(state):
        for name in waiting.moving(state):
            fleet, at = state.fleets[name], points[name]
            if fleet.side == eye.side or not fleet.heading or not is_near(eye.at, at, limit):
                continue
            if state.are_hostile(eye.side, fleet.side) and sees(state, eye.at, at):
                state, told, _ = look(state, eye, name, apart(eye.at, at), limit, dice)
                events += told
    return state, tuple(events)


def land(state: State, dice: Dice) -> Handled:
    """O3.1, O7.1 Landings, sieges and blockades, when the days of a turn are over."""
    state, told = ashore(state, dice)
    return replace(state, step="refit"), told


def repair(state: State, dice: Dice) -> Handled:
    """O3.1 Repair, drill and building."""
    state, told = launch(refit(state))
    return replace(state, step="upkeep"), told


def keep(state: State, dice: Dice) -> Handled:
    """O3.1, O8.1 What the fleets cost."""
    state, told = pay_fleets(state, dice)
    return replace(state, step="reports"), told


def report(state: State, dice: Dice) -> Handled:
    """O3.1, O9.1 What is heard, won and counted; the turn is sent, or held for the umpire."""
    state, told = rumours(state, dice)
    state = admirals_health(state, dice)
    state = ending.count_goals(state)
    state, won = float_prizes(state, dice)
    told = (*told, *won)
    fleets = {
        name: replace(fleet, shy=False, course="", pursuit="", kept=False, has_met=False, halted=())
        for name, fleet in state.fleets.items()
    }
    rested = {name: replace(ship, swing=0) for name, ship in state.ships.items() if ship.swing}
    state = replace(
        state,
        fleets=fleets,
        ships={**state.ships, **rested},
        orders=orders.standing(state),
        ready=dict.fromkeys(state.sides, False),
        met=(),
        fought=(),
        skies=(),
        late=False,
        day=0,
        watch=0,
    )
    if state.options.dispatches != "run":
        return replace(state, step="held"), (*told, event("O3.7", "held", turn=state.turn))
    return next_turn(state, dice, told)


def admirals_health(state: State, dice: Dice) -> State:
    """O2.4 On two ones an admiral is ill in the next turn, and his ratings do not count."""
    for name in tuple(state.at_sea()):
        fleet = state.fleets[name]
        if fleet.admiral:
            ill = sum(dice.roll(2, 6, "O2.4", only=UMPIRE)) == ILL
            state = state.with_fleet(name, ill=ill)
    return state


def next_turn(state: State, dice: Dice, told: tuple[Event, ...] = ()) -> Handled:
    """O3.1 Letters, income and orders of the next turn, or the end; what is sent is not taken back any more."""
    date = calendar.after(state.date, state.tables.days[state.turn_length])
    state = replace(state, before=None)
    if state.turn >= state.turns:
        ended, last = ending.end(replace(state, date=date, step="orders"), "date")
        return ended, (*told, *last)
    state = replace(state, turn=state.turn + 1, date=date, step="orders")
    told = (*told, event("O3.1", "turn_begins", turn=state.turn, date=state.date))
    state, came = letters.deliver(state, dice)
    state, earned = take_in(state)
    return state, (*told, *came, *earned)


def next_day(state: State, command: object, dice: Dice) -> Handled:
    """O3.7 Day by day: the umpire has looked at the day, and the next one runs."""
    return replace(state, step="running"), ()


def send(state: State, command: Any, dice: Dice) -> Handled:
    """O3.7 The umpire sends what he has held."""
    return next_turn(state, dice)


def why_not_take_back(state: State, command: Any) -> Illegal | None:
    """O3.7 A turn can be taken back until it is sent."""
    return None if state.before is not None else Illegal("O3.7", "The dispatches of all turns so far have been sent.")


def take_back(state: State, command: Any, dice: Dice) -> Handled:
    """O3.7 The position as it was when the turn ran, its orders too; nobody is ready."""
    ready = dict.fromkeys(state.sides, False)
    state = replace(position_before(state), ready=ready, step="orders", day=0, watch=0)
    return state, (event("O3.7", "turn_taken_back", turn=state.turn),)
