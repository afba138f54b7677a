"""19.0 (procedure) Setting up: fixed hexes at once, areas by their owner's choice, all units face up."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.commands import Deploy
from strategic.punic_wars.rules.pieces import SYRACUSE, Group
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import LEADERS, Scenario
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event


def groups_of(scenario: Scenario) -> tuple[Group, ...]:
    """19.11 to 19.33 The set-up list with leader counters of the values named, in order of their letters (8.11)."""
    free = {id: counter for id, counter in LEADERS.items()}
    groups: tuple[Group, ...] = ()
    for listed in scenario.group:
        leaders: tuple[str, ...] = ()
        for value in listed.leaders:
            id = next(id for id, c in free.items() if c.side == listed.side and c.value == value)
            del free[id]
            leaders += (id,)
        groups += (
            Group(
                listed.side, listed.where, listed.usual or listed.where, listed.cite, listed.land, listed.naval, leaders
            ),
        )
    return groups


def hexes_for(state: Campaign, group: Group, naval: bool) -> tuple[str, ...]:
    """19.0 (procedure) The hexes for a group: any of the region where such units may stand (5.25, 5.32)."""
    places = state.chart.places
    named = (group.where,) if group.where in places else state.chart.region_hexes[group.where]
    return tuple(at for at in named if places[at].can_stop and not (naval and places[at].terrain != "coast"))


def check_deploy(state: Campaign, command: Deploy) -> tuple[int, int]:
    """19.0 (procedure) Points that the group still has, in a hex of its area."""
    if state.phase != "setup" or command.group >= len(state.groups):
        raise Illegal("19.0 (procedure)", "There is no such group to set up.")
    group = state.groups[command.group]
    land = group.land if command.land is None else command.land
    naval = group.naval if command.naval is None else command.naval
    if land > group.land or naval > group.naval:
        raise Illegal(
            "19.0 (procedure)",
            "Points left in this group: %(land)s land, %(naval)s naval.",
            land=group.land,
            naval=group.naval,
        )
    if not land + naval and not (command.leaders and group.leaders):
        raise Illegal("19.0 (procedure)", "This group has nothing to set up.")
    if command.hex not in hexes_for(state, group, naval > 0):
        raise Illegal(
            "19.0 (procedure)",
            "These units must be set up in %(where)s, where they may stand (5.25, 5.32).",
            where=group.where,
        )
    return land, naval


def deploy(state: Campaign, command: Deploy, dice: Dice) -> Handled:
    """19.0 (procedure) The owner sets up part of a group or all of it."""
    land, naval = check_deploy(state, command)
    group = state.groups[command.group]
    leaders = group.leaders if command.leaders else ()
    state = put(state, group.side, command.hex, land, naval, leaders)
    left = replace(
        group,
        land=group.land - land,
        naval=group.naval - naval,
        leaders=() if command.leaders else group.leaders,
    )
    rest = (left,) if left.land + left.naval or left.leaders else ()
    groups = state.groups[: command.group] + rest + state.groups[command.group + 1 :]
    happened = event(
        group.cite,
        "set_up",
        only=(group.side,),
        side=group.side,
        hex=command.hex,
        land=land,
        naval=naval,
        leaders=list(leaders),
    )
    return replace(state, groups=groups), (happened,)


def put(state: Campaign, side: str, at: str, land: int, naval: int, leaders: tuple[str, ...]) -> Campaign:
    """Units on the map, face up."""
    state = state.raised(at, side, "land", land).raised(at, side, "naval", naval)
    for id in leaders:
        state = state.with_leader(id, state.leaders[id].placed(at))
    return state


def fixed_set_up(state: Campaign) -> Campaign:
    """17.0, 19.0 (procedure) Groups that the list puts in one hex, the Syracusans among them."""
    for group in state.groups:
        if group.where in state.chart.places or group.side == SYRACUSE:
            state = put(state, group.side, group.where, group.land, group.naval, group.leaders)
    left = tuple(group for group in state.groups if group.where not in state.chart.places)
    return replace(state, groups=left)


def usual_hex(state: Campaign, group: Group) -> str:
    """The hex proposed, or another of the region where a group's own map does not allow it."""
    possible = hexes_for(state, group, group.naval > 0)
    return group.usual if group.usual in possible else possible[0]


def usual_set_up(state: Campaign, side: str) -> Handled:
    """19.0 (procedure) All that the side has still to set up goes to the hexes proposed in the scenario file."""
    events: tuple[Event, ...] = ()
    for group in state.groups:
        if group.side == side:
            at = usual_hex(state, group)
            state = put(state, side, at, group.land, group.naval, group.leaders)
            events += (
                event(
                    group.cite,
                    "set_up",
                    only=(side,),
                    side=side,
                    hex=at,
                    land=group.land,
                    naval=group.naval,
                    leaders=list(group.leaders),
                ),
            )
    if not events:
        raise Illegal("19.0 (procedure)", "You have set up everything.")
    return replace(state, groups=tuple(group for group in state.groups if group.side != side)), events
