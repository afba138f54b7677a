"""O3.1, O3.7 The turn, watch by watch; a turn that the umpire holds; his hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from strategic.coast import Point, apart
from strategic.open_campaign import commands as c
from strategic.open_campaign import tables
from strategic.open_campaign.rules import ending, holding, meeting, orders, sight
from strategic.open_campaign.rules.fighting import ashore, float_prizes
from strategic.open_campaign.rules.holding import position_before
from strategic.open_campaign.rules.money import launch, pay_fleets, take_in
from strategic.open_campaign.rules.position import check
from strategic.open_campaign.rules.sailing import WATCHES, WINDS, after_watch, breaking, course, keep_in, morning
from strategic.open_campaign.rules.sight import eye_of, eyes_of, is_near, look, sees
from strategic.open_campaign.rules.upkeep import night, refit, weeks
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.rules.world_reading import read_world
from strategic.open_campaign.state import Handled, Sighting, State, join_fleets
from strategic.open_campaign.view import HIDDEN
from tactical.kernel import corrections
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, Illegal, Offer, event

# -- O5.2 Rumours: what ports hear by their rank, true, late or false by a die; never a name that was invented.

NEEDED = {90: 1, 80: 4, 70: 6}  # a rumour a week from this face on, by the port's rank; 100 hears two
GREATEST = 100
TRUE, LATE = 3, 5  # a die up to these faces; beyond it is false


def rumours(state: State, dice: Dice) -> Handled:
    """O5.2 At the end of a week or a month (every seventh turn of a day) each held port may hear of a hostile fleet."""
    if not weeks(state):
        return state, ()
    world = chart(state.world)
    events: list[Event] = []
    for port, side in sorted(state.ports.items()):
        rank = world.spaces[port].rank
        for _ in range(2 if rank >= GREATEST else 1):
            (face,) = dice.roll(1, 6, "O5.2", only=UMPIRE)
            if rank >= min(NEEDED) and face >= next(least for known, least in NEEDED.items() if rank >= known):
                state, told = hear(state, side, port, dice)
                events += told
    return state, tuple(events)


def hear(state: State, side: str, port: str, dice: Dice) -> Handled:
    """O5.2 One rumour: a fleet of another side, by a die as it is, late with its number wrong, or in a wrong port."""
    others = [name for name in state.at_sea() if state.are_hostile(side, state.fleets[name].side)]
    if not others:
        return state, ()
    world = chart(state.world)
    which, kind, days, wrong = dice.roll(4, 6, "O5.2", only=UMPIRE)
    name = others[(which * len(others) // 7) % len(others)]
    fleet = state.fleets[name]
    number, near = len(fleet.ships), world.near(fleet.at)
    if kind > LATE:
        ports = sorted(state.ports)
        near = ports[(wrong * len(ports) // 7) % len(ports)]
    elif kind > TRUE:
        number, days = (2 * number if wrong % 2 else max(1, number // 2)), days + 3
    lon, lat = world.spaces[near].lonlat
    day = max(1, state.tables.days[state.turn_length] + 1 - days)
    seen = Sighting(fleet.side, number, near, lon, lat, state.turn, day, rumour=True)
    known = {**state.known, side: (*state.known.get(side, ()), seen)}
    told = event("O5.2", "rumour", (side,), True, side=side, of=fleet.side, number=number, space=near, port=port)
    return replace(state, known={each: known[each] for each in sorted(known)}), (told,)


# -- O3.1 The turn, watch by watch: moving, seeing, meeting; nights; the end of the turn.

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
    return holding.end_pass(state), told


def after_days(state: State) -> State:
    """O3.6, O6.1 Meetings without a date wait; or fleets have days to make up; or the days of the turn are over."""
    if holding.is_stopped(state):
        return replace(holding.unopened_first(state), step="engagement")
    again = holding.catch_up(state)
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
        state = keep_in(state, holding.moving(state), dice) if today else state
    elif state.watch == 0:
        state = morning(state, dice)
    state, told = breaking(state, holding.moving(state), dice)
    world = chart(state.world)
    state = joining(state)
    places = {name: after_watch(state, name) for name in holding.moving(state)}
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
    for name in tuple(holding.moving(state)):
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
    now = set(holding.moving(state))
    counted = {} if state.watch == 1 else state.counted
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
            state, told, number = look(state, eye, target, miles, limit, dice)
            events += told
            seen = seen or bool(number)
            if number:
                counted = {**counted, looker: {**counted.get(looker, {}), target: number}}
        if seen and (one, other) not in state.met and not state.has_treaty(*sides, "passage"):
            pairs.append((one, other))
    state, more = watching(state, points, dice)
    return replace(state, pairs=tuple(pairs), counted=counted), (*events, *more)


def watching(state: State, points: dict[str, Point], dice: Dice) -> Handled:
    """O5.1 Watchers in ports see farther than mastheads; by day they look for hostile fleets under way."""
    events: list[Event] = []
    limit = state.tables.sight.watched
    for eye in eyes_of(state):
        for name in holding.moving(state):
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
        name: replace(
            fleet,
            shy=False,
            course=fleet.course if fleet.strays_of else "",
            pursuit="",
            kept=False,
            has_met=False,
            halted=(),
        )
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
        counted={},
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
    date = tables.after(state.date, state.tables.days[state.turn_length])
    state = replace(state, before=None)
    if state.turn >= state.turns:
        ended, last = ending.end(replace(state, date=date, step="orders"), "date")
        return ended, (*told, *last)
    state = replace(state, turn=state.turn + 1, date=date, step="orders")
    told = (*told, event("O3.1", "turn_begins", turn=state.turn, date=state.date))
    state, came = sight.deliver(state, dice)
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


# -- O3.7 The umpire's hand.


def adjust(state: State, command: corrections.Adjust, dice: Dice) -> Handled:
    """O3.7 The umpire sets fields, with a reason; what is hidden stays so, and a world is read as a new one is."""

    def finish(after: State) -> State:
        if isinstance(after.world, str) or after.world == state.world:
            return after
        return replace(after, world=read_world(after.world, "changes.world", state.world).world)

    return corrections.adjust(state, command.changes, command.why, "O3.7", HIDDEN, check, finish)


def why_not_assign(state: State, command: c.Assign) -> Illegal | None:
    """O1.4 A fleet there is, and another side for it."""
    fleet = state.fleets.get(command.fleet)
    if fleet is None or command.to not in state.playing or fleet.side == command.to:
        return Illegal("O1.4", "Choose a fleet, and another side that is in the game.")
    if state.engagement is not None:
        return Illegal("O1.4", "While a meeting is waiting to be settled, no fleet can change hands.")
    return None


def assign(state: State, command: c.Assign, dice: Dice) -> Handled:
    """O1.4 The fleet and its ships are another side's from now on."""
    fleet = state.fleets[command.fleet]
    orders = {
        side: {name: order for name, order in given.items() if name != command.fleet and order.to != command.fleet}
        for side, given in state.orders.items()
    }
    state = replace(state, orders={side: given for side, given in orders.items() if given})
    state = state.with_ships({each: replace(state.ships[each], side=command.to) for each in fleet.ships})
    told = event(
        "O1.4", "assigned", tuple(sorted((fleet.side, command.to))), side=fleet.side, of=command.to, fleet=fleet.name
    )
    return state.with_fleet(command.fleet, side=command.to), (told,)


def nobody(state: State, command: Any) -> tuple[str, ...]:
    """The umpire's alone."""
    return ()


def offers(state: State, seat: str) -> Iterator[Offer]:
    """O3.7 The umpire lets a turn run, or sends what is held."""
    if seat == UMPIRE and state.result is None and state.step in ("orders", "day"):
        yield Offer("run", "O3.7")


def offer_send(state: State, seat: str) -> Iterator[Offer]:
    """O3.7 What is held waits for its sending."""
    yield Offer("send", "O3.7")
