"""11.0, 12.0 Attrition and supply."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.rules.combat import owing, side_pools, take_losses
from strategic.punic_wars.rules.control import control
from strategic.punic_wars.rules.pieces import ENEMY, KINDS, Kind, Leader, Owed, Pool, Toll
from strategic.punic_wars.rules.towns import is_besieged
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import event
from tactical.kernel.record import Record

# -- 12.0 Supply: every point that can be paid for must be; the rest undergo attrition.


class Bill(Record, frozen=True):
    """What a supply phase would cost now: points that can be paid for, and hexes that cannot."""

    points: int
    cost: int
    unsupplied: tuple[str, ...]
    beyond_treasury: int


def can_be_supplied(state: Campaign, at: str, side: str, lords: dict[str, str]) -> bool:
    """12.1 Not besieged, and in a region under friendly control."""
    return lords.get(state.chart.places[at].region or "") == side and not is_besieged(state, at, side)


def bill(state: Campaign, side: str) -> Bill:
    """12.0, 12.1, 12.2, 17.22 Combat points only: leaders need nothing; Syracusans are paid by their ally, if any."""
    lords = control(state)
    points, unsupplied = 0, []
    for at in state.hexes_of(side):
        if can_be_supplied(state, at, side, lords):
            points += state.total(at, side)
        else:
            unsupplied.append(at)
    cost = points * NUMBERS.supply.point_cost
    beyond = max(0, cost - state.treasury[side])
    return Bill(points, cost, tuple(unsupplied), beyond)


def pay(state: Campaign) -> Handled:
    """4.2.A.4, 4.2.B.4, 12.33 Payment is compulsory; then attrition for hexes without supply and for points unpaid.

    12.2 Points that cannot be supplied cost nothing. 12.31, 12.32 Points beyond the treasury: one unmodified die.
    """
    side = state.phasing
    due = bill(state, side)
    spent = min(due.cost, state.treasury[side])
    state = state.paid(side, spent, "supply")
    tolls = tuple(Toll("11.21", side, at) for at in due.unsupplied)
    if due.beyond_treasury:
        tolls += (Toll("12.31", side, None, due.beyond_treasury),)
    happened = event("12.0", "supplied", side=side, paid=spent, beyond=due.beyond_treasury, hexes=len(due.unsupplied))
    return state.with_tolls(tolls), (happened,)


# -- 11.0 Attrition: who is subject, what is counted, what the die is changed by, what is lost.


class Risk(Record, frozen=True):
    """One attrition roll before it is made: per cent of `base` points, at most `subject` lost, of `kinds`."""

    rule: str
    cause: str
    base: int
    subject: int
    modifier: int
    kinds: tuple[Kind, ...]

    def loss(self, state: Campaign, face: int) -> tuple[int, int]:
        """The percentage and the points lost for a face."""
        percent = state.sheet.attrition.percent(face + self.modifier)
        return percent, min(self.subject, state.sheet.loss.points(self.base, percent))


def leaving(state: Campaign, leader: Leader, at: str, land: int, naval: int) -> Risk | None:
    """5.43, 7.12 What a force faces that leaves face-up enemies of its own type; None when it goes freely.

    5.41, 11.14 Inverted enemies do not count. 5.42 Nor do enemies of the other type. 5.44 Nor does a force ten times
    weaker. 5.45 In a mixed force only the land points beyond the naval ones are subject to enemy land points.
    11.13 The percentage is of the enemy's points. 11.16 The best enemy leader there is subtracted.
    Ruling P6: naval points of a mixed force are subject to enemy naval points; with both, one roll on the sum, and
    then P21: the whole force is the limit of the loss.
    Ruling P12: ten to one counts the points of the type concerned.
    """
    enemy = ENEMY[leader.side]
    foes: dict[Kind, int] = {
        "land": state.outside(at, enemy, "land") if land else 0,
        "naval": state.outside(at, enemy, "naval") if naval else 0,
    }
    own: dict[Kind, int] = {"land": land, "naval": naval}
    subject: dict[Kind, int] = {"land": max(0, land - naval), "naval": naval}
    kinds: tuple[Kind, ...] = tuple(kind for kind in KINDS if foes[kind])
    base = sum(foes[kind] for kind in kinds)
    at_risk = sum(subject[kind] for kind in kinds)
    if not kinds or not at_risk:
        return None
    if sum(own[kind] for kind in kinds) >= NUMBERS.movement.safe_odds * base:
        return None
    there = state.leaders_at(at, enemy)
    modifier = leader.value - (state.leaders[there[0]].value if there else 0)
    limit = at_risk if len(kinds) == 1 else land + naval
    return Risk("11.13", "leaving", base, limit, modifier, kinds)


def entering(state: Campaign, leader: Leader, to: str, land: int, naval: int) -> Risk | None:
    """5.33, 5.34, 5.35 What a force faces that enters an all-sea or a mountain hex.

    11.11 At sea the percentage is of the naval points. 11.12, 5.34 In mountains of the land points beyond the naval
    ones. 5.36 A leader alone never. 19.14.C Romans at sea in the first war take 2 from the die.
    Ruling P12: 5.42 and 5.44 do not excuse from this.
    """
    place = state.chart.places[to]
    if place.terrain == "sea":
        raw = leader.side in state.war_rules.special.inexperienced_at_sea
        modifier = leader.value - (NUMBERS.navy.inexperience if raw else 0)
        return Risk("11.11", "sea", naval, naval, modifier, ("naval",)) if naval else None
    if place.mountain and land > naval:
        return Risk("11.12" if naval else "5.34", "mountain", land - naval, land - naval, leader.value, ("land",))
    return None


def suffer(state: Campaign, id: str, risk: Risk, dice: Dice) -> Handled:
    """11.0 (procedure), 11.15 The phasing owner rolls one die, adds his leader's value, and loses at once.

    11.13 What goes beyond the force is ignored. 11.11 After a loss at sea the land points beyond the naval ones go too.
    """
    leader = state.leaders[id]
    at = leader.at or ""
    (face,) = dice.roll(1, 6, risk.rule, side=leader.side, hex=at)
    percent, points = risk.loss(state, face)
    happened = event(
        risk.rule,
        "attrition",
        side=leader.side,
        hex=at,
        cause=risk.cause,
        dice=[face],
        modifier=risk.modifier,
        percent=percent,
        points=points,
    )
    if risk.cause == "leaving" and len(risk.kinds) > 1:
        pools = tuple(Pool(at, leader.side, kind, leader.force(kind)) for kind in KINDS)
    else:
        pools = tuple(Pool(at, leader.side, kind, min(leader.force(kind), risk.subject)) for kind in risk.kinds)
    state = owing(state, Owed(leader.side, risk.rule, risk.cause, points, pools, id))
    state, events = take_losses(state)
    if risk.cause == "sea":
        state = replace(state, shipbuilding=_still_builds(state, leader, percent))
        left = state.leaders[id]
        drowned = Pool(at, leader.side, "land", left.land)
        state = owing(state, Owed(leader.side, "11.11", "sea", max(0, left.land - left.naval), (drowned,), id))
        state, more = take_losses(state)
        events += more
    return state, (happened, *events)


def _still_builds(state: Campaign, leader: Leader, percent: int) -> bool:
    """19.14.D A 75 % loss at sea takes the Roman art of shipbuilding away again."""
    raw = leader.side in state.war_rules.special.inexperienced_at_sea
    return state.shipbuilding and not (raw and percent == NUMBERS.navy.lost_on)


def next_toll(state: Campaign, dice: Dice) -> Handled:
    """11.21, 11.22, 11.31, 11.32, 12.31 One roll for a hex (with the best leader there) or for points unpaid."""
    toll, state = state.tolls[0], state.with_tolls(state.tolls[1:])
    if toll.hex is None:
        base, modifier = toll.points, 0
        pools = tuple(pool for at in state.hexes_of(toll.side) for pool in side_pools(state, at, toll.side, KINDS))
    else:
        base = state.total(toll.hex, toll.side)
        there = state.leaders_at(toll.hex, toll.side)
        modifier = state.leaders[there[0]].value if there else 0
        pools = side_pools(state, toll.hex, toll.side, KINDS)
    if not base:
        return state, ()
    (face,) = dice.roll(1, 6, toll.rule, side=toll.side, hex=toll.hex or "treasury")
    percent = state.sheet.attrition.percent(face + modifier)
    points = state.sheet.loss.points(base, percent)
    cause = {"11.31": "revolt", "11.21": "unsupplied"}.get(toll.rule, "unpaid")
    happened = event(
        toll.rule,
        "attrition",
        side=toll.side,
        hex=toll.hex,
        cause=cause,
        dice=[face],
        modifier=modifier,
        percent=percent,
        points=points,
    )
    state, events = take_losses(owing(state, Owed(toll.side, toll.rule, cause, points, pools)))
    return state, (happened, *events)


def revolt_tolls(state: Campaign, regions: tuple[str, ...]) -> tuple[Toll, ...]:
    """11.31, 16.33 Every hex with units of a side in the region; neutral Syracusans are immune (17.22).

    Ruling P25: their owner chooses the losses, whoever is in phase.
    """
    return tuple(
        Toll("11.31", side, at)
        for side in ("carthage", "rome")
        for at in state.hexes_of(side)
        if state.chart.places[at].region in regions
    )
