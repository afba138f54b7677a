"""O7.1 Land in little: companies aboard and in ports, landings by a small table, sieges in weeks, raids."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.open_campaign.rules.changes import Handled
from strategic.open_campaign.rules.holding import onlookers
from strategic.open_campaign.rules.money import income, with_money
from strategic.open_campaign.rules.upkeep import weeks
from strategic.open_campaign.rules.weather import ROUGH, sky
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Fleet, Siege, State
from strategic.open_campaign.tables import TABLES
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, event

ASSAULTS = ("land", "besiege", "raid")


def garrison(state: State, port: str) -> int:
    """O7.1 The companies in a port: those that were put there, else its own by its rank."""
    space = chart(state.world).spaces[port]
    own = space.rank // TABLES.land.company if space.garrison is None else space.garrison
    return state.garrisons.get(port, own)


def companies(state: State, fleet: str) -> int:
    """O7.1 The companies aboard a fleet's transports."""
    return sum(state.ships[each].companies for each in state.fleets[fleet].ships)


def with_companies(state: State, fleet: str, left: int) -> State:
    """O7.1 The fleet with so many companies left aboard, the first ships first."""
    ships = {}
    for each in state.fleets[fleet].ships:
        stay = min(left, state.ships[each].companies)
        left -= stay
        if stay != state.ships[each].companies:
            ships[each] = replace(state.ships[each], companies=stay)
    return state.with_ships(ships)


def ashore(state: State, dice: Dice) -> Handled:
    """O3.1, O7.1 Landings, raids and embarking by order, then the sieges, when the days of a turn are over."""
    if not state.options.land:
        return state, ()
    events: list[Event] = []
    for name in tuple(state.at_sea()):
        order, fleet = state.order_of(name), state.fleets[name]
        if fleet.engaged:
            continue  # O3.6: it waits for its battle
        if order is not None and order.do == "embark":
            state = embark(state, name)
        elif fleet.pursuit == "besiege" and fleet.at == fleet.course:
            state, told = assault(state, name, "besiege", dice)
            events += told
        elif order is not None and order.do == "land" and fleet.at == order.to and is_own(state, fleet):
            state = disembark(state, name)
        elif order is not None and order.do in ASSAULTS and fleet.at == order.to:
            state, told = assault(state, name, order.do, dice)
            events += told
    state, told = sieges(state)
    return state, (*events, *told)


def embark(state: State, name: str) -> State:
    """O7.1 In a port of its own side a fleet's empty transports take a company each; the garrison keeps one."""
    fleet, port = state.fleets[name], str(state.fleets[name].at)
    if not is_own(state, fleet):
        return state
    left = garrison(state, port)
    ships = {}
    for each in fleet.ships:
        ship = state.ships[each]
        if not ship.is_warship and not ship.companies and left > 1:
            ships[each] = replace(ship, companies=1)
            left -= 1
    return replace(state.with_ships(ships), garrisons={**state.garrisons, port: left})


def is_own(state: State, fleet: Fleet) -> bool:
    """O7.1 Does a fleet lie in a port of its own side?"""
    return isinstance(fleet.at, str) and state.ports.get(fleet.at) == fleet.side


def disembark(state: State, name: str) -> State:
    """O7.1 Companies that land in a port of their own side join its garrison."""
    port = str(state.fleets[name].at)
    left = garrison(state, port) + companies(state, name)
    return replace(with_companies(state, name, 0), garrisons={**state.garrisons, port: left})


def assault(state: State, name: str, do: str, dice: Dice) -> Handled:
    """O7.1 What a fleet's companies do at a hostile port: storm it, besiege it, or raid its country."""
    fleet = state.fleets[name]
    port = str(fleet.at)
    holder = state.ports.get(port)
    landed = companies(state, name)
    if holder is None or not state.are_hostile(holder, fleet.side) or not (landed or do == "raid"):
        return state, ()
    if do == "raid":
        taken = min(income(state, port, 7), state.money.get(holder, 0))
        state = with_money(with_money(state, holder, -taken), fleet.side, taken)
        told = event("O7.1", "raided", (fleet.side, holder), True, side=fleet.side, of=holder, space=port)
        return state, (told,)
    siege = state.sieges.get(port)
    points = siege.points if siege is not None and siege.side == fleet.side else 0
    begun = replace(state, sieges={**state.sieges, port: Siege(fleet.side, points)})
    if do == "besiege":
        told = event("O7.1", "besieged", (fleet.side, holder), True, side=fleet.side, of=holder, space=port)
        return begun, (told,) if siege is None else ()
    who = onlookers(state, *sorted((fleet.side, holder)))
    total = sum(dice.roll(2, 6, "O7.1", only=who)) + landed - garrison(state, port)
    if total + points >= TABLES.land.taken:
        return capture(with_companies(state, name, 0), port, fleet.side, landed)
    if total + points >= TABLES.land.ashore:
        told = event("O7.1", "besieged", (fleet.side, holder), True, side=fleet.side, of=holder, space=port)
        return begun, (told,)
    told = event("O7.1", "beaten_off", (fleet.side, holder), True, side=fleet.side, of=holder, space=port)
    return with_companies(state, name, landed - -(-landed // 3)), (told,)


def capture(state: State, port: str, side: str, landed: int) -> Handled:
    """O7.1 A port changes hands, and who took it garrisons it."""
    sieges = {name: siege for name, siege in state.sieges.items() if name != port}
    garrisons = {**state.garrisons, port: landed}
    told = event("O7.1", "port_taken", side=side, of=state.ports[port], space=port)
    return replace(state, ports={**state.ports, port: side}, sieges=sieges, garrisons=garrisons), (told,)


def sieges(state: State) -> Handled:
    """O7.1 A point a week, two under a blockade; a siege without companies before the port is lifted."""
    events: list[Event] = []
    passed = weeks(state)
    for port, siege in sorted(state.sieges.items()):
        there = [
            name for name in state.at_sea() if state.fleets[name].side == siege.side and state.fleets[name].at == port
        ]
        before = [name for name in there if companies(state, name)]
        if not before:
            state = replace(state, sieges={name: each for name, each in state.sieges.items() if name != port})
            continue
        points = siege.points + passed * (1 + is_starved(state, port, there))
        state = replace(state, sieges={**state.sieges, port: replace(siege, points=points)})
        if points >= chart(state.world).spaces[port].rank // TABLES.land.falls:
            landed = companies(state, before[0])
            state, told = capture(with_companies(state, before[0], 0), port, siege.side, landed)
            events += told
    return state, tuple(events)


def is_starved(state: State, port: str, there: list[str]) -> bool:
    """O7.1 Ships enough on station, by an order to blockade or besiege, and no gale that drives them off."""
    on = [name for name in there if state.task(name) in ("blockade", "besiege")]
    ships = sum(state.warships(name) for name in on)
    return ships >= TABLES.land.fewest and all(sky(state, state.fleets[name]) not in ROUGH for name in on)
