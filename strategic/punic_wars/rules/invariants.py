"""What must hold after every command, whatever was played."""

from __future__ import annotations

from strategic.punic_wars.rules.leading import available
from strategic.punic_wars.rules.pieces import KINDS, SIDES, SYRACUSE
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import NUMBERS, limit


def invariants(state: Campaign) -> tuple[str, ...]:
    """Points and money accounted for, nobody where he may not stand, counters within the mix; what is broken."""
    return (*accounts(state), *places(state), *leaders(state))


def accounts(state: Campaign) -> tuple[str, ...]:
    """15.0, 7.35 Treasuries and points to the unit."""
    found: tuple[str, ...] = ()
    for side in SIDES:
        if state.treasury[side] < 0 or state.accounts[side].balance != state.treasury[side]:
            found += (f"15.0 the treasury of {side} does not match its accounts",)
    for nation, book in state.ledger.items():
        for kind, present in (("land", book.land_in - book.land_lost), ("naval", book.naval_in - book.naval_lost)):
            if present != state.in_play(nation, kind):
                found += (f"{kind} points of {nation} are not accounted for",)
            if state.in_play(nation, kind) > limit(nation, kind):
                found += (f"7.35 {nation} has more {kind} points than counters",)
    return found


def places(state: Campaign) -> tuple[str, ...]:
    """5.25, 5.32, 5.33, 10.21, 17.0, 19.14.E No unit where it may not stand."""
    found: tuple[str, ...] = ()
    mover = state.leaders.get(state.active or "")
    for at, here in state.stacks.items():
        place = state.chart.places[at]
        for nation, stack in here.items():
            if stack.land < 0 or stack.naval < 0 or not stack.land + stack.naval:
                found += (f"an empty or negative stack in {at}",)
            if stack.naval and place.terrain == "land":
                found += (f"5.32 fleets in the all-land hex {at}",)
            if not place.can_stop and (mover is None or mover.at != at or mover.side != nation):
                found += (f"5.25 points left in {at}",)
            if place.terrain == "sea" and stack.land > stack.naval:
                found += (f"5.33 land points at sea without ships in {at}",)
            if place.region and state.alignment.get(place.region) == "closed":
                found += (f"19.14.E points in closed {place.region}",)
            if nation == SYRACUSE and at != NUMBERS.places.syracuse:
                found += (f"17.0 Syracusans in {at}",)
            for kind in KINDS:
                if stack.inside(kind) and place.settlement is None:
                    found += (f"10.21 units inside without a settlement in {at}",)
                if sum(stack.served(kind).values()) > stack.points(kind):
                    found += (f"5.24 more {kind} points have served in {at} than stand there",)
        for side in SIDES:
            for kind in KINDS:
                if 0 < state.inside(at, side, kind) < state.points(at, side, kind):
                    found += (f"7.34 {kind} points of {side} in two postures in {at}",)
    return found


def leaders(state: Campaign) -> tuple[str, ...]:
    """3.2 (movement allowance), 8.31, 8.41, 5.13 Leaders in play, their points and their forces."""
    found: tuple[str, ...] = ()
    for id, leader in state.leaders.items():
        if not 0 <= leader.spent <= NUMBERS.movement.allowance:
            found += (f"leader {id} has spent {leader.spent}",)
        if (leader.at is None) != bool(leader.fate):
            found += (f"leader {id} is neither on the map nor off it",)
        if leader.at is not None:
            if not state.chart.places[leader.at].can_stop and state.active != id:
                found += (f"5.25 leader {id} has stopped in {leader.at}",)
            for kind in KINDS:
                if leader.force(kind) > available(state, id, kind):
                    found += (f"5.24 leader {id} leads more {kind} points than can follow him",)
    roman = sum(1 for leader in state.leaders.values() if leader.side == "rome" and leader.at is not None)
    if roman > state.roman_leaders:
        found += ("8.41 too many Roman leaders",)
    return found
