"""O2.3, O4.3, O4.4 Nights, food and hunger, repair and drill."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.open_campaign.rules.holding import moving
from strategic.open_campaign.rules.sailing import is_closed, lies_in_port, month
from strategic.open_campaign.rules.sight import about, eyes_of, is_near, note_sighting, sees
from strategic.open_campaign.rules.world import Space, chart, is_landing
from strategic.open_campaign.state import Fleet, Handled, Ship, State, join_fleets
from strategic.open_campaign.tables import TABLES
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, event

DRILLED = 6  # pips up to which a week in port drills rowers
WEARIEST = 3
SAILED_WATER = 6  # days of water of transports alone
FOUND = 4
QUIET = 3  # days for which a fleet that lies where it was seen is not told again
MOST_SHORT = 10  # tenths
MOST_GAINED, MOST_LOST = 1, -2  # O2.3: pips in one turn
REPLACED = 4  # tenths of her rowers, from which on those who are taken aboard in port cost her a pip
AFLOAT = 4  # nights running at sea that cost a pip


def larder(state: State, fleet: Fleet) -> int:
    """O4.4 Days of food that a fleet carries: those of its hungriest ship, a transport feeding five galleys a day."""
    ships = [state.ships[each] for each in fleet.ships]
    galleys = [ship for ship in ships if ship.is_warship]
    transports = len(ships) - len(galleys)
    if not galleys:
        return state.tables.food.transport
    return state.tables.food.galley + min(
        state.tables.food.transport - state.tables.food.galley, 5 * transports // len(galleys)
    )


def is_fed(state: State, fleet: Fleet) -> bool:
    """O4.4 Does a port fill the fleet tonight? One that no enemy holds, and large enough."""
    if not isinstance(fleet.at, str):
        return False
    space = chart(state.world).spaces[fleet.at]
    holder = state.ports.get(space.id)
    friendly = holder is None or not state.are_hostile(holder, fleet.side)
    return friendly and (space.rank >= state.tables.food.market or lies_in_port(state, fleet))


def night(state: State, dice: Dice) -> Handled:
    """O4.3, O4.4 A night ashore rests and is seen, a night at sea tires; food and water are filled or used up."""
    events: list[Event] = []
    state = rejoining(state, dice)
    for name in tuple(moving(state)):
        state, told = fleets_night(state, name, dice)
        events += told
    state, told = fires(state)
    known = {
        side: tuple(each for each in seen if age(state, each.turn, each.day) < state.tables.sight.forgotten)
        for side, seen in state.known.items()
    }
    return replace(state, known={side: seen for side, seen in known.items() if seen}), (*events, *told)


def rejoining(state: State, dice: Dice) -> State:
    """O4.2 Scattered ships that lie with their fleet, or with others of it, are one with these again.

    The others have word of their fleet on a die of 4 or more each day, and make for where it lies.
    """
    for name in tuple(moving(state)):
        party = state.fleets[name]
        mother = party.strays_of
        if not mother:
            continue
        found = state.fleets[mother]
        if not found.ships:
            state = state.with_fleet(name, strays_of="")
            continue
        others = [each for each in state.at_sea() if each != name and state.fleets[each].strays_of == mother]
        here = [each for each in (mother, *others) if state.fleets[each].at == party.at]
        if free := next((each for each in here if not state.fleets[each].engaged), ""):
            state = join_fleets(state, name, free)
        elif dice.roll(1, 6, "O4.2", only=UMPIRE)[0] >= FOUND:
            state = state.with_fleet(name, course=chart(state.world).near(found.at))
    return state


def fleets_night(state: State, name: str, dice: Dice) -> Handled:
    """O4.3, O4.4 The night of one fleet."""
    fleet, order = state.fleets[name], state.order_of(name)
    ashore = is_landing(chart(state.world), fleet.at)
    rowed = order is not None and order.by_night
    room = has_room(state, name)
    weary = max(0, min(WEARIEST, fleet.weary + (-room if ashore and not rowed else 1)))
    provisions, hungry, water, thirsty = fleet.provisions, fleet.hungry, fleet.water, fleet.thirsty
    told: tuple[Event, ...] = ()
    if not state.options.provisions or is_fed(state, fleet):
        provisions, hungry = larder(state, fleet), 0
    elif provisions:
        provisions -= 1
    else:
        hungry += 1
        if hungry == 1 or hungry % 7 == 0:
            told = (event("O4.4", "hungry", (fleet.side,), fleet=fleet.name, side=fleet.side, days=hungry),)
        if hungry % 2 == 0:
            state = with_pips(state, fleet.ships, -1)
            state = deserters(state, name, dice) if ashore else state
    nights = 0 if ashore else fleet.nights + 1
    if nights and nights % AFLOAT == 0:
        state = with_pips(state, fleet.ships, -1)
    if ashore and room and not rowed:
        state = patch(state, name)
    if not state.options.provisions or ashore:
        water, thirsty = cisterns(state, fleet), 0
    elif water:
        water -= 1
    else:
        thirsty += 1
    new = {
        "weary": weary,
        "provisions": provisions,
        "hungry": hungry,
        "water": water,
        "thirsty": thirsty,
        "kept": False,
        "nights": nights,
    }
    return state.with_fleet(name, **new), told


def yard(state: State, space: Space) -> int:
    """O1.1, O2.3 The hull points that a port's yard mends in a week."""
    return state.tables.yard.get(str(space.rank), 0) if space.yard is None else space.yard


def harbour(state: State, space: Space) -> int:
    """O1.1 How many ships a place holds: a port by its rank, a beach or a cape its own number."""
    if space.harbour is not None:
        return space.harbour
    row = state.tables.harbour
    return next(
        (row[rank] for rank in sorted(row, reverse=True) if space.kind == "port" and space.rank >= int(rank)), row["0"]
    )


def has_room(state: State, name: str) -> bool:
    """O1.1 Does a harbour or beach hold the fleet? Its own side's come first, then as they are called.

    Whoever finds no room rides at anchor before it: it neither rests nor mends, drills or is hauled out.
    """
    at = state.fleets[name].at
    if not isinstance(at, str):
        return True
    holder, left = state.ports.get(at), harbour(state, chart(state.world).spaces[at])
    here = sorted((state.fleets[each].side != holder, each) for each in state.at_sea() if state.fleets[each].at == at)
    for _, each in here:
        left -= len(state.fleets[each].ships)
        if each == name:
            return left >= 0
    return True


def cisterns(state: State, fleet: Fleet) -> int:
    """O4.4 Days of water that a fleet carries: more in the cool of the year, and with transports alone."""
    winter = month(state) >= 10 or month(state) <= 4
    if not any(state.ships[each].is_warship for each in fleet.ships):
        return SAILED_WATER
    return state.tables.food.water_in_winter if winter else state.tables.food.water


def deserters(state: State, name: str, dice: Dice) -> State:
    """O4.4 Ashore and without food each ship throws a die: on a six a tenth of her rowers is gone."""
    ships = state.fleets[name].ships
    faces = dice.roll(len(ships), 6, "O4.4", only=UMPIRE)
    left = {
        each: replace(state.ships[each], short=min(MOST_SHORT, state.ships[each].short + 1))
        for each, face in zip(ships, faces, strict=True)
        if face == 6
    }
    return state.with_ships(left)


def fires(state: State) -> Handled:
    """O4.3 A night ashore is known to whoever watches that coast."""
    world = chart(state.world)
    limit = state.tables.sight.watched
    events: list[Event] = []
    for eye in eyes_of(state):
        for name in moving(state):
            fleet = state.fleets[name]
            if not is_landing(world, fleet.at) or not state.are_hostile(eye.side, fleet.side):
                continue
            at = world.point(fleet.at)
            if is_near(eye.at, at, limit) and sees(state, eye.at, at):
                state, told = note_sighting(state, eye, name, about(len(fleet.ships), 1.0), QUIET)
                events += told
    return state, tuple(events)


def weeks(state: State) -> int:
    """O3.1 Whole weeks that end with this turn."""
    return int(state.turn % 7 == 0) if state.turn_length == "day" else state.tables.days[state.turn_length] // 7


def age(state: State, turn: int, day: int) -> int:
    """O5.2 How many days ago that was."""
    return (state.turn - turn) * state.tables.days[state.turn_length] + state.day - day


def with_pips(state: State, ships: tuple[str, ...], more: int) -> State:
    """O2.3 Rowers gain or lose."""
    return state.with_ships({each: swung(state.ships[each], more) for each in ships})


def swung(ship: Ship, more: int) -> Ship:
    """O2.3 Her sheet with so many pips more or less: from 1 to 9, in one turn one more at most and two less."""
    swing = max(MOST_LOST, min(MOST_GAINED, ship.swing + more))
    pips = max(1, min(9, ship.pips + swing - ship.swing))
    return replace(ship, pips=pips, swing=ship.swing + pips - ship.pips)


def patch(state: State, name: str) -> State:
    """O2.3 On a beach or in port a crew mends one breach a day, or one bank of oars."""
    mended = {}
    for each in state.fleets[name].ships:
        ship = state.ships[each]
        if ship.breaches:
            mended[each] = replace(ship, breaches=ship.breaches - 1)
        elif ship.oars:
            mended[each] = replace(ship, oars=False)
    return state.with_ships(mended)


def refit(state: State) -> State:
    """O2.3 For each week that ends with this turn yards mend hulls; rowers in port drill, and are made up.

    Ashore she is hauled out; afloat she grows foul, and a month of winter at sea costs her rowers (O4.1).
    """
    passed = weeks(state)
    if not passed:
        return state
    world = chart(state.world)
    points = {space: passed * yard(state, world.spaces[space]) for space in state.ports}
    for name in state.at_sea():
        fleet = state.fleets[name]
        ashore = is_landing(world, fleet.at) and has_room(state, name)
        port = str(fleet.at) if ashore and lies_in_port(state, fleet) else ""
        changed: dict[str, Ship] = {}
        for each in fleet.ships:
            ship = state.ships[each]
            mend = min(ship.damage, points.get(port, 0))
            if state.options.money != "none":  # O8.1: repair is paid
                mend = min(mend, state.money.get(fleet.side, 0) // TABLES.money.mend)
                left = state.money.get(fleet.side, 0) - mend * TABLES.money.mend
                state = replace(state, money={**state.money, fleet.side: left})
            if port:
                points[port] -= mend
            winter = not ashore and state.turn_length == "month" and is_closed(state)
            green = port and ship.short >= REPLACED
            ship = swung(ship, bool(port and ship.pips < DRILLED) - winter - bool(green))
            changed[each] = replace(
                ship,
                damage=ship.damage - mend,
                marines=0 if port else ship.marines,
                short=0 if port else ship.short,
                weeks=0 if ashore else ship.weeks + passed,
            )
        state = state.with_ships(changed)
    return state
