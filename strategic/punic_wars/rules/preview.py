"""Looking ahead without dice: paths, attacks, money, and exact odds."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from msgspec.structs import replace

from strategic.interception import FACES
from strategic.punic_wars.rules import attrition as rules_attrition
from strategic.punic_wars.rules import combat as rules_combat
from strategic.punic_wars.rules import movement, towns
from strategic.punic_wars.rules.combat import ratio
from strategic.punic_wars.rules.control import worth
from strategic.punic_wars.rules.geography import Barred, Reach
from strategic.punic_wars.rules.pieces import ENEMY, Leader
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import NUMBERS, PRINTED
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import Record
from tactical.odds import Calculator, Field, map_outcomes, mean, of_die, sort_keys

# -- Punic Wars: combat by ratio, and attrition, as points lost.

MODIFIER = Field("modifier", "count", 0, low=-9, high=9)
MOST = 99


def combat(attackers: int, defenders: int, modifier: int) -> dict[str, Any]:
    """9.25, 9.31 One attack: points that both sides lose. `modifier` is the leader's value less the defender's and
    the walls' (9.21 to 9.27). Illegal below 1:2 (9.32).
    """
    column = ratio(attackers, defenders)
    if column is None:
        raise Illegal(
            "9.32",
            "%(attackers)s %(attackers|point|points)s against %(defenders)s: that ratio is less than 1:2.",
            attackers=attackers,
            defenders=defenders,
        )

    def lost(face: int) -> tuple[int, int]:
        mine, theirs = PRINTED.combat.losses(column, face + modifier)
        return PRINTED.loss.points(attackers, mine), PRINTED.loss.points(defenders, theirs)

    both = of_die(lost)
    own, enemy = map_outcomes(both, lambda each: each[0]), map_outcomes(both, lambda each: each[1])
    return {
        "ratio": column,
        "attacker_loses": sort_keys(own),
        "defender_loses": sort_keys(enemy),
        "mean_attacker_loses": mean(own),
        "mean_defender_loses": mean(enemy),
    }


def attrition(points: int, modifier: int) -> dict[str, Any]:
    """11.0, 11.4 One attrition roll: points lost. `modifier` is the leader's value and what the cause adds."""
    lost = of_die(lambda face: PRINTED.loss.points(points, PRINTED.attrition.percent(face + modifier)))
    return {"losses": sort_keys(lost), "mean_losses": mean(lost)}


CALCULATORS: tuple[Calculator, ...] = (
    Calculator(
        "combat",
        "punic_wars",
        ("9.25", "9.31", "9.4"),
        (
            Field("attackers", "count", low=1, high=MOST, example="12"),
            Field("defenders", "count", low=1, high=MOST, example="5"),
            MODIFIER,
        ),
        combat,
        "attackers=12&defenders=5&modifier=1",
    ),
    Calculator(
        "attrition",
        "punic_wars",
        ("11.0", "11.4"),
        (Field("points", "count", low=1, high=MOST, example="10"), MODIFIER),
        attrition,
        "points=10&modifier=1",
    ),
)


# -- Looking ahead without dice: a leader's path with points and attrition, an attack's odds, and the money.

Forces = dict[tuple[int, int], float]
RiskOf = Callable[[Campaign, Leader, str, int, int], rules_attrition.Risk | None]


class Danger(Record, frozen=True):
    """One attrition roll on the way, as it meets the force that set out: loss in points for each face."""

    rule: str
    cause: str
    percent: tuple[int, ...]
    points: tuple[int, ...]


class Leg(Record, frozen=True):
    """One hex of a path: points spent when it is entered, the rolls that it costs, and whether one may stop there.

    `unknown`: enemies stand there that the seat has not seen. `refused` is the first reason why it cannot be entered.
    """

    hex: str
    spent: int
    dangers: tuple[Danger, ...] = ()
    can_stop: bool = True
    unknown: bool = False
    refused: Barred | None = None


class Preview(Record, frozen=True):
    """A path before it is walked: its legs, and the chances of what arrives, as land and naval points."""

    legs: tuple[Leg, ...]
    left: int
    arrives: tuple[tuple[int, int, float], ...]
    legal: bool


def path_preview(
    state: Campaign, id: str, path: tuple[str, ...], land: int | None = None, naval: int | None = None
) -> Preview:
    """5.0, 11.0 Walk a path in thought, with the force named (or the one that follows now), by what its side can see.

    Losses are carried along exactly as chances; a mixed force that may choose its losses takes them from land points
    first. Enemies that nobody has looked at (9.12) are marked and left out.
    """
    leader = state.leaders[id]
    walker = leader.leading(leader.land if land is None else land, leader.naval if naval is None else naval)
    chances: Forces = {(walker.land, walker.naval): 1.0}
    legs: tuple[Leg, ...] = ()
    for to in path:
        refused = _refusal(state, id, walker, to)
        if refused is not None:
            legs += (Leg(to, walker.spent, refused=refused),)
            break
        walker, chances, leg = _leg(state, walker, to, chances)
        legs += (leg,)
    stops = bool(legs) and legs[-1].refused is None and legs[-1].can_stop
    arrives = tuple((land, naval, round(chance, 6)) for (land, naval), chance in sorted(chances.items(), reverse=True))
    return Preview(legs, towns.remaining_points(walker), arrives, stops)


def _refusal(state: Campaign, id: str, walker: Leader, to: str) -> Barred | None:
    """Why the leader, come as far as the walker, may not go on to this hex."""
    try:
        movement.check_way(replace(state, leaders={**state.leaders, id: walker}), id, to)
    except Illegal as illegal:
        return Barred(illegal.rule, illegal.why)
    return None


def _leg(state: Campaign, walker: Leader, to: str, chances: Forces) -> tuple[Leader, Forces, Leg]:
    """One step: the roll for leaving, where one has looked at what stands there (9.12), then the roll for entering."""
    side, origin = walker.side, walker.at or ""
    dangers: tuple[Danger, ...] = ()
    rolls: list[tuple[str, RiskOf]] = [(to, rules_attrition.entering)]
    if state.occupied(origin, side):
        rolls.insert(0, (origin, rules_attrition.leaving))
    for where, risk_of in rolls:
        risk = risk_of(state, walker, where, walker.land, walker.naval)
        if risk is not None:
            losses = [risk.loss(state, face) for face in FACES]
            dangers += (Danger(risk.rule, risk.cause, tuple(r[0] for r in losses), tuple(r[1] for r in losses)),)
        chances = _spread(state, walker, where, risk_of, chances)
    walker = replace(walker, at=to, spent=walker.spent + NUMBERS.movement.hex_cost)
    unknown = state.occupied(to, ENEMY[side]) and not state.occupied(to, side)
    return walker, chances, Leg(to, walker.spent, dangers, state.chart.places[to].can_stop, unknown)


def _spread(state: Campaign, walker: Leader, at: str, risk_of: RiskOf, chances: Forces) -> Forces:
    """The chances of every force after one roll of its own."""
    after: Forces = {}
    for (land, naval), chance in chances.items():
        risk = risk_of(state, walker.leading(land, naval), at, land, naval)
        if risk is None:
            after[land, naval] = after.get((land, naval), 0.0) + chance
            continue
        for face in FACES:
            _, lost = risk.loss(state, face)
            from_land = min(lost, land) if "land" in risk.kinds else 0
            left = (land - from_land, naval - min(naval, lost - from_land))
            if risk.cause == "sea":
                left = (min(left[0], left[1]), left[1])
            after[left] = after.get(left, 0.0) + chance / 6
    return after


def attack_preview(state: Campaign, id: str, kind: str, commander: str | None = None) -> dict[str, Any] | None:
    """9.0 (procedure) Ratio, modifier, price, and the losses of both sides for each face; None below 1:2."""
    plan = rules_combat.odds(state, id, kind, commander)
    return None if plan is None else attack_facts(state, plan)


def attack_ahead(state: Campaign, id: str, to: str, kind: str, points: int) -> dict[str, Any] | None:
    """9.0 (procedure) The same for a hex that the leader would come to with so many points."""
    plan = rules_combat.odds_ahead(state, id, to, kind, points)
    return None if plan is None else attack_facts(state, plan)


def attack_facts(state: Campaign, plan: rules_combat.Odds) -> dict[str, Any]:
    """9.0 (procedure) An attack with the losses of both sides for each face."""
    faces = []
    for face in FACES:
        percents = state.sheet.combat.losses(plan.ratio, face + plan.modifier)
        faces.append(
            {
                "face": face,
                "attacker": state.sheet.loss.points(plan.attackers, percents[0]),
                "defender": state.sheet.loss.points(plan.defenders, percents[1]),
            }
        )
    return {
        "attackers": plan.attackers,
        "defenders": plan.defenders,
        "ratio": plan.ratio,
        "modifier": plan.modifier,
        "cost": plan.cost,
        "faces": faces,
    }


def outlook(state: Campaign, side: str) -> dict[str, Any]:
    """12.0, 15.0, 18.0 Live: revenue of the next tax phase, the supply bill, victory points, what lacks supply.

    Reckoned once for a position, which never changes, and kept beside it.
    """
    known: dict[str, dict[str, Any]] = state.__dict__.setdefault("outlook", {})
    if side not in known:
        known[side] = _outlook(state, side)
    return known[side]


def _outlook(state: Campaign, side: str) -> dict[str, Any]:
    due = rules_attrition.bill(state, side)
    return {
        "revenue": worth(state, side),
        "supply": due.cost,
        "beyond_treasury": due.beyond_treasury,
        "unsupplied": list(due.unsupplied),
        "victory": worth(state, side),
        "besieged": [at for at in state.hexes_of(side) if towns.is_besieged(state, at, side)],
    }


def reach_of(state: Campaign, id: str, land: int | None = None, naval: int | None = None) -> Reach:
    """5.0 Where a leader may march with a force: the way of fewest points and then of fewest attrition rolls.

    `why_not` tells why hexes beside these stay out. Hexes of enemies that nobody has seen count as free of danger.
    """
    leader = state.leaders[id]
    walker = leader.leading(leader.land if land is None else land, leader.naval if naval is None else naval)
    start = leader.at or ""
    best: dict[str, tuple[int, int]] = {start: (0, 0)}
    path: dict[str, tuple[str, ...]] = {start: (start,)}
    waiting, refusals = [(0, 0, start)], {}
    looked = {at for at in state.stacks if state.total(at, leader.side)}  # where one knows what stands there (9.12)
    looked |= {man.at for man in state.leaders.values() if man.at is not None and man.side == leader.side}
    while waiting:
        spent, rolls, at = heappop(waiting)
        if (spent, rolls) > best[at]:
            continue
        here = replace(walker, at=at, spent=leader.spent + spent)
        for to in state.chart.sides[at]:
            why_not = _refusal(state, id, here, to)
            if why_not is not None:
                refusals[to] = why_not
                continue
            danger = rules_attrition.entering(state, here, to, walker.land, walker.naval) is not None
            if at in looked:
                danger |= rules_attrition.leaving(state, here, at, walker.land, walker.naval) is not None
            now = (spent + NUMBERS.movement.hex_cost, rolls + danger)
            if to not in best or now < best[to]:
                best[to], path[to] = now, (*path[at], to)
                heappush(waiting, (*now, to))
    cost = {at: spent for at, (spent, _) in best.items()}
    return Reach(cost, path, {at: why for at, why in refusals.items() if at not in best})
