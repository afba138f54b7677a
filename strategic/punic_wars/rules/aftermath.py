"""What follows by itself from any change on the map: fleets taken, leaders lost, towns held, a capital fallen."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.rules.control import remember
from strategic.punic_wars.rules.pieces import ENEMY
from strategic.punic_wars.rules.towns import captured_fleets, holders_now
from strategic.punic_wars.rules.victory import on_capital_fall
from strategic.punic_wars.state import Campaign
from tactical.kernel.protocol import Event, event


def aftermath(state: Campaign) -> tuple[Campaign, tuple[Event, ...]]:
    """10.35, 8.31, 10.11, 10.12, 18.22, 18.23 In this order, at once."""
    state, events = captured_fleets(state)
    state, lost = lone_leaders(state)
    state = remember(holders_now(state))
    state, end = on_capital_fall(state)
    return state, events + lost + end


def lone_leaders(state: Campaign) -> tuple[Campaign, tuple[Event, ...]]:
    """8.31 A leader, inside or out, is lost where enemy combat points stand and no friendly one does."""
    events: tuple[Event, ...] = ()
    for id in sorted(state.leaders):
        leader = state.leaders[id]
        if leader.at is None or state.total(leader.at, leader.side):
            continue
        if not state.total(leader.at, ENEMY[leader.side]):
            continue
        happened = event("8.31", "leader_lost", side=leader.side, leader=id, value=leader.value, hex=leader.at)
        events += (happened,)
        state = _lose_leader(state, id)
    return state, events


def _lose_leader(state: Campaign, id: str) -> Campaign:
    """8.32, 8.43, 19.24.B, 19.24.C He comes back later; Hannibal as a lesser man; the Roman 3 never."""
    leader, special = state.leaders[id], state.war_rules.special
    gone = leader.value == 3 and (
        special.roman_three_gone if leader.side == "rome" else special.hannibal_returns_as is not None
    )
    new = state.with_leader(id, leader.removed("gone" if gone else "lost"))
    if leader.side == "carthage" and gone:
        spares = [
            other
            for other, man in sorted(new.leaders.items())
            if man.side == "carthage" and man.fate == "pool" and man.value == special.hannibal_returns_as
        ]
        for spare in spares[:1]:
            new = new.with_leader(spare, new.leaders[spare].removed("lost"))
    return replace(
        new,
        consuls_lost=new.consuls_lost + (1 if leader.side == "rome" else 0),
        active=None if new.active == id else new.active,
        must_attack=None if new.must_attack == id else new.must_attack,
    )
