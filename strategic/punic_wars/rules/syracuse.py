"""17.0 Syracuse: its units, its alliance, its change of side."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.rules.pieces import ENEMY, KINDS, SIDES, SIRACUSA, SYRACUSE
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.protocol import Event, event

HOME = NUMBERS.places.syracuse


def is_neutral(state: Campaign) -> bool:
    """16.35 Has Siracusa no ally yet?"""
    return state.alignment.get(SIRACUSA) == "neutral"


def has_land_points(state: Campaign) -> bool:
    """17.31 Without a Syracusan land point on the map the city cannot defect."""
    return state.in_play(SYRACUSE, "land") > 0


def realign(state: Campaign, to: str) -> Campaign:
    """17.21, 7.34 Siracusa has another friend, by alliance or as a marker goes: postures are settled at once.

    Ruling P19: the Syracusans join their new friends, the others come out, and the town stays whose it was (10.11).
    """
    return settle(state, to, (ENEMY[to],))


def defect(state: Campaign, to: str) -> Campaign:
    """17.32, 17.21, 7.34 Siracusa changes sides: everybody but its own men comes out of the town."""
    return settle(state, to, SIDES)


def settle(state: Campaign, to: str, out: tuple[str, ...]) -> Campaign:
    """17.21, 7.34 Siracusa is `to`'s; as long as there are Syracusans the units of `out` inside stand outside.

    Land points of the Syracusans that are then alone inside hold the town (P18); fleets never do, and come out of a
    town that is the other player's (10.22).
    """
    state = state.aligned(SIRACUSA, to)
    if SYRACUSE not in state.stacks.get(HOME, {}):
        return state
    state = turned_out(state, out)
    nations = {nation for nation, stack in state.stacks[HOME].items() if stack.inside("land")}
    if nations == {SYRACUSE}:
        return replace(state, holders={**state.holders, HOME: SYRACUSE})
    holder = state.owner(state.holders.get(HOME, to))
    return state if holder == to else turned_out(state, (SYRACUSE,))


def invasion(state: Campaign, at: str, side: str) -> tuple[Campaign, tuple[Event, ...]]:
    """17.11, 17.12, 17.13 Combat units that enter neutral Siracusa drive it to the enemy's side for good."""
    if not is_neutral(state) or state.chart.places[at].region != SIRACUSA:
        return state, ()
    ally = ENEMY[side]
    new = replace(realign(state, ally), syracuse_bound=True)
    return new, (event("17.11", "syracuse_allied", to=ally, by="invasion"),)


def treaty(state: Campaign, to: str) -> tuple[Campaign, tuple[Event, ...]]:
    """16.35 While it is neutral Siracusa allies once, with the side that the table names."""
    if not is_neutral(state):
        return state, (event("16.32", "no_effect", why="allied"),)
    return realign(state, to), (event("16.35", "syracuse_allied", to=to, by="treaty"),)


def may_defect(state: Campaign, to: str) -> str | None:
    """16.36.1, 16.36.2, 17.12, 17.31 Why Siracusa does not defect; None when it does.

    Ruling P13: an alliance made by an invasion is final (17.12 stands above 16.35).
    """
    if state.syracuse_bound:
        return "its alliance came from an invasion and is final (17.12)"
    if state.alignment.get(SIRACUSA) != ENEMY[to]:
        return "it is not allied with the other side (16.36.1)"
    if SIRACUSA in state.defected:
        return "it has defected before (16.36.1, 16.36.2)"
    if not has_land_points(state):
        return "no Syracusan land point is left (17.31)"
    return None


def turned_out(state: Campaign, out: tuple[str, ...]) -> Campaign:
    """17.32, 17.21 The units and leaders of these sides inside the city stand outside; its own men stay in.

    Where its new friends stand, its men of that kind come to their posture (7.34). Ruling P17: this is an exception to
    10.25.
    """
    for nation in (nation for nation in state.stacks.get(HOME, {}) if nation in out):
        for kind in KINDS:
            state = state.with_stack(HOME, nation, state.stack(HOME, nation).turned(kind, False))
    for id, leader in state.leaders.items():
        if leader.at == HOME and leader.inside and leader.side in out:
            state = state.with_leader(id, leader.turned(False))
    owner = state.owner(SYRACUSE)
    for kind in KINDS:
        friends = state.stack(HOME, owner) if owner is not None else None
        if friends is not None and friends.points(kind):
            posture = state.stack(HOME, SYRACUSE).turned(kind, friends.inside(kind))
            state = state.with_stack(HOME, SYRACUSE, posture)
    return state
