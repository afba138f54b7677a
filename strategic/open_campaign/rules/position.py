"""What no open campaign can come to: contradictions of a position, with the path to the field."""

from __future__ import annotations

from strategic.open_campaign.rules.holding import is_stopped, meetings, sent_ships
from strategic.open_campaign.rules.world import at_on, chart
from strategic.open_campaign.state import State
from strategic.open_campaign.tables import HOUSE, TABLES, parts
from tactical.kernel.record import BadInput

FEWEST, MOST = 2, 8  # sides
TAKEN = ("umpire", "spectator", "both")


def check(state: State) -> None:
    """Raises BadInput for a position that contradicts itself."""
    if not FEWEST <= len(state.sides) <= MOST or any(name in TAKEN for name in state.sides):
        raise BadInput("sides", "an open campaign must have two to eight sides")
    for name, side in state.sides.items():
        if any(ally not in state.sides for ally in side.allies):
            raise BadInput(f"sides.{name}.allies", "an ally must be a side of the campaign")
    parts(state.date)
    HOUSE.check_kept(state.house)
    if state.turn < 1 or state.turns < 1 or min(state.day, state.watch) < 0:
        raise BadInput("turn", "the first turn is turn 1")
    world = chart(state.world)
    for space, holder in state.ports.items():
        if space not in world.spaces or holder not in state.sides:
            raise BadInput(f"ports.{space}", "a port must be a space on the map, held by a side")
    check_ships(state)
    for name, fleet in state.fleets.items():
        if not at_on(world, fleet.at):
            raise BadInput(f"fleets.{name}.at", "there is no such place on this map")
        if fleet.course and fleet.course not in world.spaces:
            raise BadInput(f"fleets.{name}.course", "there is no such space on this map")
    check_papers(state)


def check_ships(state: State) -> None:
    """O2.1, O2.2 Every ship that is afloat sails with one fleet of her side, no other ship with any."""
    for name, sheet in state.ships.items():
        if sheet.side not in state.sides:
            raise BadInput(f"ships.{name}.side", "this is not one of the sides")
        if sheet.type not in TABLES.type:
            raise BadInput(f"ships.{name}.type", "there is no such type of ship")
        if not 1 <= sheet.pips <= 9 or sheet.damage < 0:
            raise BadInput(f"ships.{name}", "rowers must have 1 to 9 points, and damage must be 0 or more")
    sailing: set[str] = set()
    for name, fleet in state.fleets.items():
        if fleet.side not in state.sides:
            raise BadInput(f"fleets.{name}.side", "this is not one of the sides")
        for each in fleet.ships:
            ship = state.ships.get(each)
            if ship is None or ship.side != fleet.side or ship.status != "afloat" or each in sailing:
                raise BadInput(f"fleets.{name}.ships", "%(ship)s cannot sail with this fleet", ship=each)
            sailing.add(each)
    for name, sheet in state.ships.items():
        if sheet.status == "afloat" and name not in sailing:
            raise BadInput(f"ships.{name}", "a ship that is afloat must sail with a fleet")


def check_papers(state: State) -> None:
    """O3.2, O3.4, O5.2 Orders, letters and sightings are of sides and their own fleets."""
    for field in ("orders", "letters", "known", "ready"):
        for side in getattr(state, field):
            if side not in state.sides:
                raise BadInput(f"{field}.{side}", "this is not one of the sides")
    spaces = chart(state.world).spaces
    for side, orders in state.orders.items():
        for fleet, order in orders.items():
            if fleet not in state.fleets or state.fleets[fleet].side != side:
                raise BadInput(f"orders.{side}.{fleet}", "this is not a fleet of this side")
            if order.to and order.to not in spaces and order.to not in state.fleets:
                raise BadInput(f"orders.{side}.{fleet}.to", "there is no such destination")
            if any(space not in spaces for space in order.way):
                raise BadInput(f"orders.{side}.{fleet}.way", "there is no such space on this map")
    for goal in state.goals:
        if goal.side not in state.sides or goal.space not in spaces:
            raise BadInput("goals", "a goal must belong to a side and be a space on the map")
    for pair in (*state.pairs, *state.met):
        if any(each not in state.fleets for each in pair):
            raise BadInput("pairs", "only fleets can meet")
    if (state.engagement is None and state.step == "engagement") or (
        state.step not in ("engagement", "day") and is_stopped(state)
    ):
        raise BadInput("step", "while an engagement is waiting, the step must be 'engagement'")
    for engagement in meetings(state):
        if any(side not in state.sides for side in engagement.fleets):
            raise BadInput("engagement.fleets", "this is not one of the sides")
        units = (each for fleet in engagement.fleets.values() for each in sent_ships(fleet))
        if any(each not in state.ships for each in units):
            raise BadInput("engagement.fleets", "there is no such ship")
    waited = {each.id for each in meetings(state)}
    for each, own in state.fleets.items():
        if own.engaged and own.engaged not in waited:
            raise BadInput(f"fleets.{each}.engaged", "there is no such meeting")
    if (state.waiting and state.engagement is None) or not waited.issuperset(state.appointed):
        raise BadInput("waiting", "there is no such meeting")


def invariants(state: State) -> tuple[str, ...]:
    """What must hold after every command."""
    try:
        check(state)
    except BadInput as fault:
        return (str(fault),)
    return ()
