"""O1.4 Who of a side has charge of single fleets: what he may order, and what he knows where letters go by ship."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.forecast import known_position
from strategic.open_campaign.rules.holding import fleets_there, meetings, position_for
from strategic.open_campaign.rules.upkeep import age
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Sighting, State
from tactical.kernel.protocol import SPECTATOR, Charges, Event

Charge = tuple[str, ...]
PAPERS = (
    *("pins", "garrisons", "money", "debts", "squadrons", "appointed", "treaties", "mail", "subsidies", "captives"),
    *("stocks", "waiting", "skies", "fought"),
)  # of his side, of which he is told nothing


def is_in(charge: Charge, fleet: str) -> bool:
    """O1.4, O2.2 Is a fleet in this charge, or was it detached from one that is?"""
    return any(fleet == each or fleet.startswith(f"{each}-") for each in charge)


def pieces(state: State, side: str) -> Mapping[str, str]:
    """O1.4 The fleets of a side that somebody may have charge of, by id, with their names."""
    return {id: state.fleets[id].name for id in state.at_sea() if state.fleets[id].side == side}


def may_give(state: State, command: object, charge: Charge) -> bool:
    """O1.4 He orders his fleets and no others; where he knows what his side knows he also writes and sets pins."""
    if isinstance(command, c.Order | c.CancelOrder | c.Detach):
        return is_in(charge, command.fleet)
    return isinstance(command, c.Write | c.Mark) and state.options.letters == "at_once"


def knowledge(state: State, side: str, charge: Charge) -> State:
    """O1.4, O11.2 What his fleets and dispatch boats have told him; the position itself where letters come at once."""
    if state.options.letters == "at_once" or state.result is not None:
        return state
    state = position_for(state, side)
    own = {name: fleet for name, fleet in state.fleets.items() if fleet.side == side and is_in(charge, name)}
    places = {chart(state.world).near(fleet.at) for fleet in own.values() if fleet.ships}
    orders = {name: order for name, order in state.orders.get(side, {}).items() if is_in(charge, name)}
    known = tuple(seen for seen in state.known.get(side, ()) if has_come(state, seen, places))
    nothing = {name: type(getattr(state, name))() for name in PAPERS}
    return known_position(replace(state, fleets=own, orders={side: orders}, known={side: known}, **nothing), side)


def has_come(state: State, seen: Sighting, places: Collection[str]) -> bool:
    """O11.2 Has a boat had the days to bring word of a sighting from where it was made to one of these places?"""
    world, most = chart(state.world), (age(state, seen.turn, seen.day) + 1) * state.tables.letters.boat
    far = world.from_(seen.near) if seen.near in world.spaces else {}
    return any(far[place][0] < most for place in places if place in far)


def concerns(state: State, happened: Event, side: str, charge: Charge) -> bool:
    """O1.4 Does he hear of it: of what everybody does, and of what his side does what his fleets did or saw?"""
    called = happened.data.get("fleet", "")  # a fleet's id, or its name
    mine = {id for id, fleet in state.fleets.items() if fleet.side == side and called in (id, fleet.name)} or {called}
    return happened.seen_by(SPECTATOR) or (happened.seen_by(side) and all(is_in(charge, each) for each in mine))


def fights(state: State, engagement: str, side: str, charge: Charge) -> bool:
    """O1.4, O6.1 Does one of his fleets take part in a meeting that waits?"""
    there = (each for each in meetings(state) if each.id == engagement and side in each.fleets)
    return any(is_in(charge, name) for each in there for name in fleets_there(state, each, side))


CHARGES = Charges(pieces, may_give, knowledge, concerns, fights)
