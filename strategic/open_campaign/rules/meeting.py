"""O5.3, O6.1 Hostile fleets that see each other, and meetings that wait for their day."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import count

from msgspec import UNSET
from msgspec.structs import replace

from strategic.coast import apart
from strategic.naval.engagement import Deployment, Engagement, NavalUnit, Transport, Wounds
from strategic.naval.engagement import Fleet as Sent
from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.fighting import quick_dice
from strategic.open_campaign.rules.holding import after_meetings, hold, meetings, onlookers, sent_ships
from strategic.open_campaign.rules.sailing import (
    WATCHES,
    WINDS,
    aspect,
    course,
    home,
    is_on_patrol,
    knots,
    lies_in_port,
    quality,
    wind_at,
)
from strategic.open_campaign.rules.world import chart, is_landing
from strategic.open_campaign.state import Appointment, Fleet, Handled, State
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, Illegal, event

# -- O3.6 A date for a battle at a table: the campaign goes on, and only the fleets that take part wait for it.

LONGEST = 200  # letters of a place, or of who plays
DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d", re.ASCII)


def why_not_appoint(state: State, command: c.Appoint) -> Illegal | None:
    """O3.6 The side takes part in a meeting that waits; the date is one."""
    found = next((each for each in meetings(state) if each.id == command.engagement), None)
    if found is None or command.side not in found.fleets:
        return Illegal("O3.6", "There is no such meeting.")
    if max(len(command.where), len(command.who)) > LONGEST:
        return Illegal("O3.6", "A place or a name may have at most %(most)s %(most|letter|letters)s.", most=LONGEST)
    is_date = not command.when or DATE.fullmatch(command.when)
    return None if is_date else Illegal("O3.6", "Give the date in the form 2026-12-31 20:00.")


def appoint(state: State, command: c.Appoint, dice: Dice) -> Handled:
    """O3.6 The meeting has its date, or none any more; when all that wait have one, the campaign goes on without them.

    A date that is taken back while the campaign has gone on leaves it so: the meeting is settled at any time.
    """
    sides = sorted(next(each.fleets for each in meetings(state) if each.id == command.engagement))
    dates = {name: date for name, date in state.appointed.items() if name != command.engagement}
    when, where, who = command.when.replace("T", " "), command.where.strip(), command.who.strip()
    if when or state.step != "engagement":
        dates[command.engagement] = Appointment(when, where, who)
    date = ", ".join(filter(None, (when, where, who))) if when else ""
    told = event("O3.6", "appointed", tuple(sides), sides=sides, when=date)
    return after_meetings(replace(state, appointed=dates)), (told,)


# -- O5.3, O6.1 Hostile fleets that see each other: stances, the chase, and the engagement that a battle is.

SLIPS, BY_DAY, BY_NIGHT = 3, 10, 8  # how many ships slip through a blockade, and on what
LAST = 15  # O5.3: whoever comes later than this turn of the battle does not come in time
TOGETHER = 1.0  # nautical miles within which fleets of one side fight as one


def is_outnumbered(state: State, name: str, enemy: str) -> bool:
    """O3.3, O5.3 Do a fleet's lookouts tell of more sail against it than its order allows?

    Without a number of its own an order to accept battle allows as many as would fight on this side, one to seek it
    any number. Whoever has not counted the enemy turns away from nobody.
    """
    order, counted = state.order_of(name), state.counted.get(name, {})
    seen = sum(counted.get(each, 0) for each in company(state, enemy))
    if order is not None and (order.more_than or order.stance == "seek"):
        return 0 < order.more_than < seen
    return seen > sum(len(state.fleets[each].ships) for each in company(state, name))


def stance(state: State, name: str, enemy: str) -> str:
    """O3.3, O5.3 What a fleet wants of a meeting: its order's stance, unless too many sail are against it."""
    fleet = state.fleets[name]
    if fleet.shy or (fleet.course and not fleet.pursuit) or not state.warships(name):
        return "avoid"
    order = state.order_of(name)
    if order is not None and order.unmet_by and state.day >= order.unmet_by and order.then == "avoid":
        return "avoid"
    if fleet.pursuit and fleet.course:
        return "seek"
    if is_outnumbered(state, name, enemy):
        return "avoid"
    return order.stance if order is not None else "accept"


def meet(state: State, dice: Dice) -> Handled:
    """O5.3 The next pair: both seek or accept, and there is battle; one will not, and is chased; or both go on."""
    (one, other), rest = state.pairs[0], state.pairs[1:]
    state = replace(state, pairs=rest)
    if not (state.fleets[one].ships and state.fleets[other].ships) or (one, other) in state.met:
        return state, ()
    if state.fleets[one].engaged or state.fleets[other].engaged:
        return state, ()  # O6.1: it waits for another meeting
    wants = {name: stance(state, name, enemy) for name, enemy in ((one, other), (other, one))}
    for name in (one, other):  # in a port of its own nobody need come out
        if lies_in_port(state, state.fleets[name]) and wants[name] != "seek":
            return state, ()
    state = replace(state, met=(*state.met, (one, other)))
    for name, enemy in ((one, other), (other, one)):
        order = state.order_of(name)
        flees = order is not None and order.then == "home" and order.more_than and is_outnumbered(state, name, enemy)
        course = (home(state, name) or "") if flees else state.fleets[name].course
        state = state.with_fleet(name, has_met=True, course=course)
    if slips_through(state, one, other, dice) or slips_through(state, other, one, dice):
        return state, ()
    willing = [name for name in (one, other) if wants[name] != "avoid"]
    if not willing:
        return state, ()
    mover = max(willing, key=lambda name: (wants[name] == "seek", name == one))
    enemy = other if mover == one else one
    if len(willing) == 1:
        state, events, caught = chase(state, mover, enemy, wants[mover], dice)
        if not caught:
            return state, events
    else:
        events = ()
    state, more = battle(state, mover, enemy, dice)
    return state, (*events, *more)


def slips_through(state: State, name: str, blockader: str, dice: Dice) -> bool:
    """O5.3, O7.1 One to three ships slip through a blockade on two dice: 10 or more by day, 8 or more by night."""
    order = state.order_of(name)
    if state.task(blockader) != "blockade" or order is None or len(state.fleets[name].ships) > SLIPS:
        return False
    return sum(dice.roll(2, 6, "O5.3", only=UMPIRE)) >= (BY_NIGHT if order.by_night else BY_DAY)


def chase(state: State, hunter: str, quarry: str, wish: str, dice: Dice) -> tuple[State, tuple[Event, ...], bool]:
    """O5.3 Hour by hour: the lead changes by their speeds and a die each; caught, out of sight, or given up."""
    world, row = chart(state.world), state.tables.chase
    lead = apart(world.point(state.fleets[hunter].at), world.point(state.fleets[quarry].at))
    hours = (WATCHES - state.watch + 1) * row.watch_hours
    hours = min(hours, row.accept_hours) if wish == "accept" else hours
    sides = tuple(sorted({state.fleets[hunter].side, state.fleets[quarry].side}))
    port, far = shelter(state, quarry)
    ran = 0.0
    faster = knots(state, quarry) - knots(state, hunter)
    while row.caught < lead < row.free and hours and not (port and ran >= far):
        mine, his = dice.roll(2, 6, "O5.3", only=onlookers(state, *sides))
        lead += faster + row.die * (his - mine)
        ran += knots(state, quarry)
        hours -= 1
    caught = lead <= row.caught
    if port and ran >= far and not caught:
        state = state.with_fleet(quarry, at=port)
    told = event(
        "O5.3",
        "chased",
        sides,
        True,
        side=state.fleets[hunter].side,
        of=state.fleets[quarry].side,
        space=world.near(state.fleets[quarry].at),
        caught=caught,
    )
    return (state if caught else state.with_fleet(quarry, shy=True)), (told,), caught


def shelter(state: State, quarry: str) -> tuple[str | None, float]:
    """O5.3 A port of its own side near enough for the quarry to run into, and how far it is."""
    port = home(state, quarry)
    world = chart(state.world)
    if port is None:
        return None, 0.0
    far = apart(world.point(state.fleets[quarry].at), world.spaces[port].lonlat)
    return (port, far) if far <= state.tables.chase.port else (None, 0.0)


def company(state: State, name: str) -> tuple[str, ...]:
    """O6.1 The fleets of one side that lie together there."""
    world, fleet = chart(state.world), state.fleets[name]
    here = world.point(fleet.at)
    return tuple(
        each
        for each in state.at_sea()
        if state.fleets[each].side == fleet.side
        and not state.fleets[each].engaged
        and apart(here, world.point(state.fleets[each].at)) <= TOGETHER
    )


def contingent(state: State, names: tuple[str, ...], late: Collection[str] = ()) -> Sent:
    """L1.1, L2.5 What a side brings: its warships as units, its transports, the best of its admirals on his ship.

    Transports of a fleet that comes in late stay out of it, and its admiral commands nobody else.
    """
    there = [name for name in names if late and not any(ship in late for ship in state.fleets[name].ships)] or list(
        names
    )
    ships = [each for name in names for each in state.fleets[name].ships if name in there or each in late]
    weary = {each: state.fleets[name].weary for name in names for each in state.fleets[name].ships}
    led = max(there, key=lambda name: (state.warships(name) > 0, state.skill(name)[1], state.fleets[name].admiral > ""))
    return Sent(
        units=tuple(unit(state, each, weary[each]) for each in ships if state.ships[each].is_warship),
        transports=tuple(
            Transport(each, name=state.ships[each].name) for each in ships if not state.ships[each].is_warship
        ),
        commander=led,
        commander_name=state.fleets[led].admiral or None,
        rating=state.skill(led)[1],
        corvus=any(state.ships[each].corvus for each in ships),
        flagship=state.flagship(led),
    )


def unit(state: State, name: str, weary: int = 0) -> NavalUnit:
    """L2.1, L2.4, O4.3 A warship as the table gets her: her own type, crew (weary: a quality lower), wounds, corvus."""
    ship = state.ships[name]
    hurt = Wounds(ship.breaches, ship.oars, ship.marines)
    wounds = UNSET if hurt == Wounds() else hurt
    return NavalUnit(name, ship.name, ship.damage, ship.type, quality(ship, weary), wounds, ship.corvus)


def battle(state: State, mover: str, enemy: str, dice: Dice) -> Handled:
    """O6.1 The meeting becomes an engagement; a small one is settled by quick dice without asking."""
    sides = {state.fleets[name].side: company(state, name) for name in (mover, enemy)}
    sides[state.fleets[mover].side] = tuple(dict.fromkeys((mover, *sides[state.fleets[mover].side])))
    world = chart(state.world)
    coming = arrivals(state, sides, dice)
    late = {
        ship: turn for name, turn in coming.items() for ship in state.fleets[name].ships if state.ships[ship].is_warship
    }
    all_ = {
        side: (*names, *(name for name in coming if state.fleets[name].side == side)) for side, names in sides.items()
    }
    engagement = Engagement(
        id=name_of_meeting(state),
        system="open_campaign",
        place=world.near(state.fleets[enemy].at),
        fleets={side: contingent(state, names, late) for side, names in all_.items()},
        mover=state.fleets[mover].side,
        rule="O6.1",
        turn=state.turn,
        deployment=replace(deployment(state, mover, enemy), late=late),
    )
    told = event(
        "O6.1",
        "engagement",
        tuple(sorted(sides)),
        True,
        engagement=engagement.id,
        sides=list(sides),
        space=engagement.place,
        ships=[len(sent_ships(fleet)) for fleet in engagement.fleets.values()],
    )
    state = replace(state, engagement=engagement.decided(), waiting=meetings(state))
    if engagement.own_table_only() or (state.options.small_battles and is_small(state, engagement)):
        state, more = quick_dice(state, dice)
        return state, (told, *more)
    return hold(state, engagement), (told,)


def name_of_meeting(state: State) -> str:
    """L1.1 A name that no other meeting has: the turn, its day and watch, and a number."""
    names = (f"t{state.turn}-{state.day}-{state.watch}-{number}" for number in count(len(state.met)))
    return next(each for each in names if each not in state.settled and all(each != it.id for it in meetings(state)))


def deployment(state: State, mover: str, enemy: str) -> Deployment:
    """O6.1 Who lay at anchor, who has the shore behind him, who has the wind.

    Who did not move in this watch and lies at a landing place is at anchor, with the shore behind him, unless both do
    and the port is the other's, or he patrols there (O3.3). The wind is his from whom it blows towards the other; of
    two in one place his who came with it.
    """
    world = chart(state.world)
    lies = [
        name
        for name in (enemy, mover)
        if is_landing(world, state.fleets[name].at) and not state.fleets[name].heading and not is_on_patrol(state, name)
    ]
    holder = next((name for name in lies if lies_in_port(state, state.fleets[name])), lies[0] if lies else "")
    here, there = (world.point(state.fleets[name].at) for name in (mover, enemy))
    wind = wind_at(state, state.fleets[mover])
    windward = ""
    if wind and here != there:
        windward = {0: mover, 2: enemy}.get(aspect(wind, course(here, there)), "")
    elif wind:
        came = [name for name in (mover, enemy) if state.fleets[name].heading]
        windward = next((name for name in came if aspect(wind, heading(state.fleets[name])) == 0), "")
    return Deployment(
        anchored=tuple(dict.fromkeys(state.fleets[name].side for name in lies)),
        shore=state.fleets[holder].side if holder else "",
        windward=state.fleets[windward].side if windward else "",
    )


def heading(fleet: Fleet) -> float:
    """O5.1 The course that a fleet made in this watch, in degrees."""
    return 45.0 * WINDS.index(fleet.heading)


def arrivals(state: State, sides: dict[str, tuple[str, ...]], dice: Dice) -> dict[str, int]:
    """O5.3 On which turn of the battle other fleets of the two sides come in: those near that do not avoid a fight."""
    world = chart(state.world)
    here = world.point(state.fleets[next(iter(sides.values()))[0]].at)
    found: dict[str, int] = {}
    for name in state.at_sea():
        fleet = state.fleets[name]
        if (
            fleet.side not in sides
            or name in sides[fleet.side]
            or fleet.engaged
            or fleet.shy
            or not state.warships(name)
        ):
            continue
        miles = apart(here, world.point(fleet.at))
        order = state.order_of(name)
        if miles > state.tables.chase.late or (order is not None and order.stance == "avoid"):
            continue
        (face,) = dice.roll(1, 6, "O5.3", only=UMPIRE)
        turn = 2 + round(6 * miles / knots(state, name)) + face
        if turn <= LAST:
            found[name] = turn
    return found


def is_small(state: State, engagement: Engagement) -> bool:
    """O6.1 Under ten ships on a side, or at two to one."""
    numbers = sorted(
        sum(unit.id not in engagement.late for unit in fleet.units) for fleet in engagement.fleets.values()
    )
    return numbers[0] < state.tables.quick.few or numbers[1] >= state.tables.quick.odds * numbers[0]
