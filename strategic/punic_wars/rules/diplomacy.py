"""16.0 Diplomacy: secret bids, the losses of the year, one die, and what the table says."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.commands import Bid
from strategic.punic_wars.rules import syracuse
from strategic.punic_wars.rules.aftermath import aftermath
from strategic.punic_wars.rules.attrition import revolt_tolls
from strategic.punic_wars.rules.control import holds_by_force
from strategic.punic_wars.rules.pieces import SIDES, SIRACUSA
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import DiplomacyRow
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event

SOUTH_ITALY = ("Campania", "Lucania", "Bruttium", "Apulia-Calabria")
ILLYRIA = "Illyria"


def is_held(state: Campaign) -> bool:
    """19.0, 19.34.C No diplomatic phase on turn 1, and none at all where the scenario has no table."""
    return state.turn > 1 and state.war_rules.diplomacy is not None


def check_bid(state: Campaign, side: str, points: int) -> None:
    """16.11, 16.13 Once, any amount from nothing to the whole treasury."""
    if side in state.bids:
        raise Illegal("16.11", "Your bid is already written down.")
    if points > state.treasury[side]:
        raise Illegal(
            "16.11", "Your treasury holds only %(treasury)s %(treasury|point|points)s.", treasury=state.treasury[side]
        )


def bid(state: Campaign, command: Bid, dice: Dice) -> Handled:
    """16.11, 16.13 Written in secret; when both have written, both are shown, paid and lost for good."""
    check_bid(state, command.side, command.points)
    state = replace(state, bids={**state.bids, command.side: command.points})
    events: tuple[Event, ...] = (
        event("16.11", "bid_written", side=command.side),
        event("16.11", "bid", only=(command.side,), side=command.side, points=command.points),
    )
    if len(state.bids) < len(SIDES):
        return state, events
    for side in SIDES:
        state = state.paid(side, state.bids[side], "bids")
    shown = event("16.11", "bids", reveals=True, carthage=state.bids["carthage"], rome=state.bids["rome"])
    state, more = roll(state, dice)
    return state, (*events, shown, *more)


def modifier(state: Campaign) -> int:
    """16.12, 16.22 One for the higher bid (Rome's counts down); Roman losses less Carthaginian ones."""
    bids = {side: state.bids.get(side, 0) for side in SIDES}
    spent = (bids["carthage"] > bids["rome"]) - (bids["rome"] > bids["carthage"])
    return spent + state.losses["rome"] - state.losses["carthage"]


def roll(state: Campaign, dice: Dice) -> Handled:
    """16.0, 4.2.A.1, 16.31 Carthage rolls one die; the modified result takes effect at once."""
    (face,) = dice.roll(1, 6, "16.0", side="carthage")
    change = modifier(state)
    table = state.sheet.diplomatic(state.war_rules.diplomacy or "")
    row = table.row(face + change)
    told = event(
        "16.0", "diplomacy", dice=[face], modifier=change, result=row.result, regions=list(row.regions), to=row.to
    )
    state, events = take_effect(state, row)
    state, more = aftermath(state)
    return state, (told, *events, *more)


def take_effect(state: Campaign, row: DiplomacyRow) -> Handled:
    """16.31 One of the five results."""
    if row.result == "revolt":
        return revolt(state, row.regions)
    if row.result == "war":
        return war(state)
    if row.result == "alliance":
        return syracuse.treaty(state, row.to or "rome")
    if row.result == "defection":
        return defection(state, row.regions, row.to or "rome")
    return state, (event("16.32", "no_effect"),)


def revolt(state: Campaign, regions: tuple[str, ...]) -> Handled:
    """16.33 All forces in the regions undergo attrition at once (11.31)."""
    tolls = revolt_tolls(state, regions)
    return state.with_tolls(tolls), (event("16.33", "revolt", regions=list(regions)),)


def war(state: Campaign) -> Handled:
    """16.34 Once a game, in scenario 2: Illyria is open and Pro-Carthaginian for good.

    Ruling P14: until then it is closed in scenarios 1 and 2; in scenario 3 it is Pro-Roman (19.34.A).
    """
    if state.war or not state.war_rules.special.illyrian_war:
        return state, (event("16.32", "no_effect", why="war_been"),)
    new = replace(state.aligned(ILLYRIA, "carthage"), war=True)
    return new, (event("16.34", "war", region=ILLYRIA),)


def defection(state: Campaign, regions: tuple[str, ...], to: str) -> Handled:
    """16.36 Each region named changes sides when its own conditions are met; else nothing happens."""
    events: tuple[Event, ...] = ()
    if set(regions) == set(SOUTH_ITALY):
        if _leader_in(state, regions, to) and not any(name in state.defected for name in regions):
            for name in regions:
                state, more = _defect(state, name, to)
                events += more
            return state, events
        return state, (event("16.36.4", "no_effect", why="no_leader"),)
    for name in regions:
        if name == SIRACUSA:
            refusal = syracuse.may_defect(state, to)
            if refusal is None:
                state, more = _defect(state, name, to)
                events += more
        elif _leader_in(state, (name,), to) and name not in state.defected:
            state, more = _defect(state, name, to)
            events += more
    return state, events or (event("16.32", "no_effect", why="unmet"),)


def _leader_in(state: Campaign, regions: tuple[str, ...], side: str) -> bool:
    """16.36.3, 16.36.4 Is a leader of the side in one of the regions at this moment?"""
    return any(
        leader.at is not None and leader.side == side and state.chart.places[leader.at].region in regions
        for leader in state.leaders.values()
    )


def _defect(state: Campaign, region: str, to: str) -> Handled:
    """16.41 The region is Pro-(other side); a marker lies in one of its empty hexes (in any, if none is empty)."""
    rule = {SIRACUSA: "16.36.1" if state.scenario == "1" else "16.36.2"}.get(
        region, "16.36.4" if region in SOUTH_ITALY else "16.36.3"
    )
    hexes = state.chart.region_hexes[region]
    empty = [at for at in hexes if not any(state.occupied(at, side) for side in SIDES) and at not in state.stacks]
    new = replace(
        syracuse.defect(state, to) if region == SIRACUSA else state.aligned(region, to),
        defected=(*state.defected, region),
        markers={**state.markers, region: (empty or list(hexes))[0]},
    )
    return new, (event(rule, "defected", region=region, to=to, marker=new.markers[region]),)


def remove_markers(state: Campaign) -> Handled:
    """16.42, 16.43, 16.44 At the start of the first owner's tax phase, where he controls the region again by force.

    Ruling P13: 14.13 or 14.15 will do. P19: Syracusans come to the posture of their friends there, and only the others
    come out.
    """
    events: tuple[Event, ...] = ()
    side = state.phasing
    for region in sorted(state.markers):
        first = state.chart.regions[region].alignment[state.scenario]
        if first == side and holds_by_force(state, region, side):
            markers = {name: at for name, at in state.markers.items() if name != region}
            state = syracuse.realign(state, side) if region == SIRACUSA else state.aligned(region, side)
            state = replace(state, markers=markers)
            events += (event("16.42", "marker_removed", region=region, to=side),)
    return state, events


def conclude(state: Campaign) -> Campaign:
    """16.21 The counts of losses start anew, and so do the bids.

    Ruling P10: losses of a revolt fall in the count that closes here.
    """
    return replace(state, losses={"carthage": 0, "rome": 0}, bids={})
