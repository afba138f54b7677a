"""O2.3, O4.3, O4.4 Nights, food and hunger, repair and drill."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.open_campaign.rules.orders import Handled
from strategic.open_campaign.rules.sailing import lies_in_port
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Fleet, Ship, State
from tactical.kernel.protocol import Event, event

DRILLED = 6  # pips up to which a week in port drills rowers
WEARIEST = 3


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


def night(state: State) -> Handled:
    """O4.3, O4.4 A night ashore rests, a night at sea tires; food is filled or eaten, and hunger costs rowers."""
    events: list[Event] = []
    for name in state.at_sea():
        fleet = state.fleets[name]
        ashore = isinstance(fleet.at, str)
        weary = max(0, min(WEARIEST, fleet.weary + (-1 if ashore else 1)))
        provisions, hungry = fleet.provisions, fleet.hungry
        if not state.options.provisions or is_fed(state, fleet):
            provisions, hungry = larder(state, fleet), 0
        elif provisions:
            provisions -= 1
        else:
            hungry += 1
            events.append(event("O4.4", "hungry", (fleet.side,), fleet=name, side=fleet.side, days=hungry))
            if hungry % 2 == 0:
                state = with_pips(state, fleet.ships, -1)
        if (weary, provisions, hungry) != (fleet.weary, fleet.provisions, fleet.hungry):
            state = state.with_fleet(name, weary=weary, provisions=provisions, hungry=hungry)
    known = {
        side: tuple(each for each in seen if age(state, each.turn, each.day) < state.tables.sight.forgotten)
        for side, seen in state.known.items()
    }
    return replace(state, known={side: seen for side, seen in known.items() if seen}), tuple(events)


def age(state: State, turn: int, day: int) -> int:
    """O5.2 How many days ago that was."""
    return (state.turn - turn) * state.tables.days[state.turn_length] + state.day - day


def with_pips(state: State, ships: tuple[str, ...], more: int) -> State:
    """O2.3 Rowers gain or lose; from 1 to 9."""
    return state.with_ships(
        {each: replace(state.ships[each], pips=max(1, min(9, state.ships[each].pips + more))) for each in ships}
    )


def refit(state: State) -> State:
    """O2.3 At the end of a week or a month, yards mend hulls, and rowers in port drill."""
    if state.turn_length == "day":
        return state
    world = chart(state.world)
    points = {space: state.tables.yard.get(str(world.spaces[space].rank), 0) for space in state.ports}
    for name in state.at_sea():
        fleet = state.fleets[name]
        if not lies_in_port(state, fleet):
            continue
        mended: dict[str, Ship] = {}
        for each in fleet.ships:
            ship = state.ships[each]
            mend = min(ship.damage, points[str(fleet.at)])
            points[str(fleet.at)] -= mend
            pips = ship.pips + (ship.pips < DRILLED)
            if mend or pips != ship.pips:
                mended[each] = replace(ship, damage=ship.damage - mend, pips=pips)
        state = state.with_ships(mended)
    return state
