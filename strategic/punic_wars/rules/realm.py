"""13.0, 15.0, 16.0 Taxes, recruiting, diplomacy."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.commands import Bid, Recruit
from strategic.punic_wars.rules import control as rules_control
from strategic.punic_wars.rules.attrition import revolt_tolls
from strategic.punic_wars.rules.control import aftermath, control, holds_by_force, region_total, worth
from strategic.punic_wars.rules.pieces import ENEMY, SIDES, SIRACUSA
from strategic.punic_wars.rules.towns import is_besieged, room
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import NUMBERS, DiplomacyRow
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event

# -- 16.0 Diplomacy: secret bids, the losses of the year, one die, and what the table says.

SOUTH_ITALY = ("Campania", "Lucania", "Bruttium", "Apulia-Calabria")
ILLYRIA = "Illyria"


def is_held(state: Campaign) -> bool:
    """19.0, 19.34.C No diplomatic phase on turn 1, and none at all where the scenario has no table."""
    return state.turn > 1 and state.war_rules.diplomacy is not None


def check_bid(state: Campaign, command: Bid) -> None:
    """16.11, 16.13 Once, any amount from nothing to the whole treasury."""
    if command.side in state.bids:
        raise Illegal("16.11", "Your bid is already written down.")
    most = state.treasury[command.side]
    if command.points > most:
        raise Illegal("16.11", "Your treasury holds only %(treasury)s %(treasury|point|points)s.", treasury=most)


def bid(state: Campaign, command: Bid, dice: Dice) -> Handled:
    """16.11, 16.13 Written in secret; when both have written, both are shown, paid and lost for good."""
    check_bid(state, command)
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
        return rules_control.treaty(state, row.to or "rome")
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
            refusal = rules_control.may_defect(state, to)
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
        rules_control.defect(state, to) if region == SIRACUSA else state.aligned(region, to),
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
            state = rules_control.realign(state, side) if region == SIRACUSA else state.aligned(region, side)
            state = replace(state, markers=markers)
            events += (event("16.42", "marker_removed", region=region, to=side),)
    return state, events


def conclude(state: Campaign) -> Campaign:
    """16.21 The counts of losses start anew, and so do the bids.

    Ruling P10: losses of a revolt fall in the count that closes here.
    """
    return replace(state, losses={"carthage": 0, "rome": 0}, bids={})


# -- 15.0 Taxes: the value of all controlled regions, kept from turn to turn.


def tax(state: Campaign) -> Handled:
    """4.2.A.2, 4.2.B.2, 15.0 Markers go first (16.42), then a win by region total (18.21), then the revenue."""
    state, events = remove_markers(state)
    state, over = region_total(state)
    if state.result is not None:
        return state, events + over
    lords = control(state)
    revenue = worth(state, state.phasing, lords)
    happened = event("15.0", "taxes", side=state.phasing, points=revenue)
    return state.taxed(state.phasing, revenue), (*events, happened)


def record(points: int) -> dict[str, int]:
    """15.11, 15.12, 15.2 The treasury as the record shows it: hundreds noted beside, tens and units marked."""
    return {"hundreds": points // 100, "tens": points % 100 // 10, "units": points % 10}


# -- 13.0 Recruiting land points and building fleets: two treasury points each, by region.


def open_phase(state: Campaign, dice: Dice) -> Handled:
    """13.21 Control is established once, at the start of the phase; then Rome's shipwrights try (19.14.D)."""
    state = replace(state, recruit_control=control(state))
    if state.shipbuilding or state.phasing not in state.war_rules.special.inexperienced_at_sea:
        return state, ()
    (face,) = dice.roll(1, 6, "19.14.D", side=state.phasing)
    learned = face in NUMBERS.navy.built_on
    return replace(state, shipbuilding=learned), (event("19.14.D", "shipwrights", dice=[face], learned=learned),)


def cap(state: Campaign, region: str, side: str) -> int:
    """13.22, 13.23, 13.28 Treasury points that may be spent in a region in one phase.

    Ruling P7: the value when controlled, half of it when nobody controls it, nothing when the enemy does; an odd point
    that buys nothing is lost (13.12).
    """
    value = state.chart.regions[region].value
    lord = state.recruit_control.get(region)
    if lord == ENEMY[side]:
        return 0
    return value if lord == side else value // 2


def affordable(state: Campaign, region: str, side: str) -> int:
    """13.11, 13.12 Points that cap and treasury still allow in a region."""
    left = cap(state, region, side) - state.recruited.get(region, 0)
    return max(0, min(left, state.treasury[side])) // NUMBERS.recruiting.point_cost


def check_where(state: Campaign, at: str, kind: str) -> str:
    """13.24 to 13.28, 13.32 to 13.34, 17.41, 19.24.E The region, when points of the kind may be added in this hex."""
    side = state.phasing
    place = state.chart.places.get(at)
    if place is None or place.settlement is None or place.region is None:
        raise Illegal("13.33", "New points must be placed in a hex with a city or village.")
    region = place.region
    if state.alignment.get(region) == "closed":
        raise Illegal(
            "19.14.E" if state.scenario == "1" else "19.24.E", "Nobody can recruit in %(region)s.", region=region
        )
    if region in NUMBERS.recruiting.nobody_in:
        rule = "17.41" if region == "Siracusa" else "13.24" if side == "carthage" else "13.25"
        raise Illegal(rule, "Nobody can recruit in %(region)s.", region=region)
    if region in NUMBERS.recruiting.not_in[side]:
        raise Illegal("13.24" if side == "carthage" else "13.25", "You may not recruit in %(region)s.", region=region)
    lords = state.recruit_control
    if lords.get(region) == ENEMY[side]:
        raise Illegal("13.28", "%(region)s is under enemy control.", region=region)
    own_land = state.alignment.get(region) == side and lords.get(region) == side
    if not own_land and not state.leaders_at(at, side):
        raise Illegal(
            "13.27", "Without a leader in the hex you may recruit only in a friendly region of your alignment."
        )
    if kind == "naval" and place.terrain != "coast":
        raise Illegal("13.32", "Fleets can be built only in coastal settlements.")
    if is_besieged(state, at, side):
        raise Illegal("13.26", "Nobody can recruit inside a besieged settlement.")
    if state.occupied(at, ENEMY[side]) and not state.occupied(at, side):
        raise Illegal("13.34", "Only enemy units stand in this hex.")
    if kind == "naval" and side in state.war_rules.special.inexperienced_at_sea and not state.shipbuilding:
        raise Illegal("19.14.D", "The Roman shipwrights have not learned to build fleets yet.")
    return region


def most(state: Campaign, at: str, kind: str) -> int:
    """How many points of a kind may be added here now; refuses like `recruit`."""
    region = check_where(state, at, kind)
    return min(affordable(state, region, state.phasing), max(0, room(state, state.phasing, kind)))


def recruit(state: Campaign, command: Recruit, dice: Dice) -> Handled:
    """13.11, 13.31 New points stand at once, two treasury points each; face up, or inside with their kind (7.34)."""
    side = state.phasing
    region = check_where(state, command.hex, command.kind)
    if command.points > max(0, room(state, side, command.kind)):
        raise Illegal(
            "7.35 (limits)", "The counter mix allows only %(kind)s more.", kind=max(0, room(state, side, command.kind))
        )
    if command.points > affordable(state, region, side):
        poor = command.points * NUMBERS.recruiting.point_cost > state.treasury[side]
        rule = "13.11" if poor else "13.22" if state.recruit_control.get(region) == side else "13.23"
        raise Illegal(
            rule,
            "At most %(affordable)s more %(affordable|point|points)s can be paid for in %(region)s.",
            affordable=affordable(state, region, side),
            region=region,
        )
    cost = command.points * NUMBERS.recruiting.point_cost
    state = state.paid(side, cost, "recruiting").raised(command.hex, side, command.kind, command.points)
    state = replace(state, recruited={**state.recruited, region: state.recruited.get(region, 0) + cost})
    spent = event("13.11", "recruiting", side=side, cost=cost)
    own = event(
        "13.11", "recruited", only=(side,), side=side, hex=command.hex, kind=command.kind, points=command.points
    )
    state, events = aftermath(state)  # 10.11 new land points alone in a settlement hold it
    return state, (spent, own, *events)
