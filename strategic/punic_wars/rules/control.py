"""14.0, 17.0, 18.0 Control, Syracuse, victory, and what follows by itself."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.commands import Agree, Resign
from strategic.punic_wars.rules.pieces import ENEMY, KINDS, SIDES, SIRACUSA, SYRACUSE, Result, Side
from strategic.punic_wars.rules.towns import captured_fleets, holders_now, unbesieged_land
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event

# -- 14.0 Who controls a region, and what his regions are worth.

Strengths = dict[str, dict[str, int]]


def strengths(state: Campaign) -> Strengths:
    """14.14 Land points of each side that are not besieged, by region; fleets and the besieged never count.

    Reckoned once for a position, which never changes, and kept beside it.
    """
    known: Strengths | None = state.__dict__.get("strengths")
    if known is not None:
        return known
    found: Strengths = {}
    state.__dict__["strengths"] = found
    for at in state.stacks:
        region = state.chart.places[at].region
        if region is None:
            continue
        here = found.setdefault(region, {"carthage": 0, "rome": 0})
        for side in SIDES:
            here[side] += unbesieged_land(state, at, side)
    return found


def half(value: int) -> int:
    """14.13 Half the value of a region; Ruling P8: half of an odd value rounds up."""
    return (value + 1) // 2


def holds_by_force(state: Campaign, region: str, side: str, found: Strengths | None = None) -> bool:
    """14.13, 14.15 At least half the value in land points, and at least double the enemy's where he has any.

    Ruling P8: besieged land points count for neither side.
    """
    here = (strengths(state) if found is None else found).get(region, {})
    own, other = here.get(side, 0), here.get(ENEMY[side], 0)
    return own > 0 and own >= half(state.chart.regions[region].value) and own >= 2 * other


def controller(state: Campaign, region: str, found: Strengths | None = None) -> str | None:
    """14.12, 14.16 Who controls a region now: by force, else by alignment, else nobody."""
    found = strengths(state) if found is None else found
    for side in SIDES:
        if holds_by_force(state, region, side, found):
            return side
    aligned = state.alignment.get(region)
    return aligned if aligned in SIDES else None


def control(state: Campaign) -> dict[str, str]:
    """14.11 All controlled regions and their lords; reckoned once for a position."""
    known: dict[str, str] | None = state.__dict__.get("control")
    if known is not None:
        return known
    found = strengths(state)
    lords = {region: controller(state, region, found) for region in state.chart.regions}
    held = {region: lord for region, lord in lords.items() if lord is not None}
    state.__dict__["control"] = held
    return held


def worth(state: Campaign, side: str, lords: dict[str, str] | None = None) -> int:
    """15.0, 18.0 The values of the regions that a side controls; closed regions give nothing (19.14.E)."""
    lords = control(state) if lords is None else lords
    return sum(state.chart.regions[region].value for region, lord in lords.items() if lord == side)


def is_friendly(state: Campaign, region: str, side: str, lords: dict[str, str]) -> bool:
    """14.12 A region of one's own alignment that is still under one's own control."""
    return state.alignment.get(region) == side and lords.get(region) == side


def remember(state: Campaign) -> Campaign:
    """10.12 Keep who controlled each region last."""
    now = {**state.last_control, **control(state)}
    return state if now == state.last_control else replace(state, last_control=now)


# -- 17.0 Syracuse: its units, its alliance, its change of side.

HOME = NUMBERS.places.syracuse


def is_neutral(state: Campaign) -> bool:
    """16.35 Has Siracusa no ally yet?"""
    return state.alignment.get(SIRACUSA) == "neutral"


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


def invasion(state: Campaign, at: str, side: str) -> Handled:
    """17.11, 17.12, 17.13 Combat units that enter neutral Siracusa drive it to the enemy's side for good."""
    if not is_neutral(state) or state.chart.places[at].region != SIRACUSA:
        return state, ()
    ally = ENEMY[side]
    new = replace(realign(state, ally), syracuse_bound=True)
    return new, (event("17.11", "syracuse_allied", to=ally, by="invasion"),)


def treaty(state: Campaign, to: str) -> Handled:
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
    if not state.in_play(SYRACUSE, "land"):
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


# -- 18.0 Victory points, levels, the automatic wins, and an end by agreement.

Level = str


def totals(state: Campaign) -> dict[str, int]:
    """18.0 Victory points: the value of the regions that each side controls; neutral ones give none."""
    return {side: worth(state, side) for side in SIDES}


def judge(state: Campaign, rule: str) -> Result:
    """18.0, 19.15, 19.25 The higher total against the scenario's levels; without levels nobody wins (19.34.D)."""
    points = totals(state)
    levels = state.war_rules.victory
    best: Side = "rome" if points["rome"] > points["carthage"] else "carthage"
    if levels.marginal is None or points["rome"] == points["carthage"] or points[best] < levels.marginal:
        return Result(None, "draw", rule, points)
    if levels.decisive is not None and points[best] >= levels.decisive:
        return Result(best, "decisive", rule, points)
    if levels.substantial is not None and points[best] >= levels.substantial:
        return Result(best, "substantial", rule, points)
    return Result(best, "marginal", rule, points)


def win(state: Campaign, side: Side, rule: str) -> Handled:
    """18.2 A decisive victory at once."""
    result = Result(side, "decisive", rule, totals(state))
    return state.ended(result), (event(rule, "over", winner=side, level="decisive", points=result.points),)


def on_capital_fall(state: Campaign) -> Handled:
    """18.22, 18.23, 19.34.D The phasing player's land points in the enemy's capital, with no enemy land point there.

    Ruling P9: that is what "inside" means.
    """
    if state.result is not None or state.phase == "setup":
        return state, ()
    side = state.phasing
    places = NUMBERS.places
    goal, rule = (places.carthage, "18.23") if side == "rome" else (places.rome, "18.22")
    if state.war_rules.special.only_the_fall_of_carthage:
        if side == "carthage":
            return state, ()
        rule = "19.34.D"
    if state.points(goal, side, "land") and not state.points(goal, ENEMY[side], "land"):
        return win(state, side, rule)
    return state, ()


def region_total(state: Campaign) -> Handled:
    """18.21 In his tax phase the phasing player wins when his regions reach the automatic level."""
    level = state.war_rules.victory.decisive
    if level is not None and worth(state, state.phasing) >= level:
        return win(state, state.phasing, "18.21")
    return state, ()


def check_agree(state: Campaign, command: Agree) -> None:
    """18.1 Each side says it once, and may take it back."""
    if command.agreed and command.side in state.agreed:
        raise Illegal("18.1", "You have already agreed; the other side has not.")
    if not command.agreed and command.side not in state.agreed:
        raise Illegal("18.1", "You have not agreed to end the game.")


def agree(state: Campaign, command: Agree, dice: Dice) -> Handled:
    """18.1 The game ends at any time when both players agree, and is judged by region values.

    Ruling P24: an agreement is of one moment: it can be taken back, and lapses with the phase.
    """
    check_agree(state, command)
    if not command.agreed:
        rest = tuple(side for side in state.agreed if side != command.side)
        return replace(state, agreed=rest), (event("18.1", "agreed", side=command.side, agreed=False),)
    new = replace(state, agreed=(*state.agreed, command.side))
    events: tuple[Event, ...] = (event("18.1", "agreed", side=command.side),)
    if set(new.agreed) < set(SIDES):
        return new, events
    result = judge(new, "18.1")
    over = event("18.1", "over", winner=result.winner, level=result.level, points=result.points)
    return new.ended(result), (*events, over)


def resign(state: Campaign, command: Resign, dice: Dice) -> Handled:
    """18.1 Giving up: the other side has won decisively."""
    winner: Side = "rome" if command.side == "carthage" else "carthage"
    over, events = win(state, winner, "18.1")
    return over, (event("18.1", "resigned", side=command.side), *events)


# -- What follows by itself from any change on the map: fleets taken, leaders lost, towns held, a capital fallen.


def aftermath(state: Campaign) -> Handled:
    """10.35, 8.31, 10.11, 10.12, 18.22, 18.23 In this order, at once."""
    state, events = captured_fleets(state)
    state, lost = lone_leaders(state)
    state = remember(holders_now(state))
    state, end = on_capital_fall(state)
    return state, events + lost + end


def lone_leaders(state: Campaign) -> Handled:
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
