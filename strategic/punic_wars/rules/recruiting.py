"""13.0 Recruiting land points and building fleets: two treasury points each, by region."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.commands import Recruit
from strategic.punic_wars.rules.aftermath import aftermath
from strategic.punic_wars.rules.control import control
from strategic.punic_wars.rules.pieces import ENEMY
from strategic.punic_wars.rules.stacking import room
from strategic.punic_wars.rules.towns import is_besieged
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, event


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
