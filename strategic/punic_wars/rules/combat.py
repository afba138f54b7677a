"""9.0, L1 Combat, losses, and fleets that meet."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.naval.engagement import Engagement, Fleet, NavalOutcome, NavalUnit, SideOutcome, stops
from strategic.punic_wars.commands import Attack, Invert, Lose
from strategic.punic_wars.commands import Command as NameCommander
from strategic.punic_wars.rules import towns
from strategic.punic_wars.rules.control import aftermath
from strategic.punic_wars.rules.pieces import ENEMY, KINDS, SIDES, SYRACUSE, Battle, Kind, Owed, Pool
from strategic.punic_wars.rules.towns import mover
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Prompt, by_check, event
from tactical.kernel.record import Record

# -- 9.31, 11.13, 12.32 Taking losses: forced ones at once, a choice as a question to the owner.


def owing(state: Campaign, *owed: Owed) -> Campaign:
    """These losses come next, in this order."""
    return replace(state, owed=(*state.owed, *owed))


def side_pools(state: Campaign, at: str, side: str, kinds: tuple[Kind, ...]) -> tuple[Pool, ...]:
    """All of a side's points of those kinds in a hex (17.21: Syracusans with their ally)."""
    return tuple(
        Pool(at, nation, kind, stack.points(kind))
        for nation, stack in state.nations(at, side).items()
        for kind in kinds
        if stack.points(kind)
    )


def take_losses(state: Campaign) -> Handled:
    """Take every loss that leaves no choice; stop with a question at the first that does."""
    events: tuple[Event, ...] = ()
    while state.owed:
        head = state.owed[0]
        amount = min(head.amount, sum(pool.points for pool in head.pools))
        head = replace(head, amount=amount, pools=tuple(pool for pool in head.pools if pool.points))
        state = replace(state, owed=(head, *state.owed[1:]))
        if amount == 0:
            state = replace(state, owed=state.owed[1:])
            continue
        choices = [(pool, most(head, pool)) for pool in head.pools if most(head, pool)]
        forced = [(pool, least(head, pool)) for pool in head.pools if least(head, pool)]
        if len(choices) > 1 and not forced:
            prompt = Prompt("losses", head.side, head.rule, {"points": amount, "cause": head.cause})
            return state.asking(prompt), events
        pool, points = forced[0] if forced else choices[0]
        state, more = _take(state, pool, points)
        events += more
    return state.asking(None) if state.pending and state.pending.kind == "losses" else state, events


def most(owed: Owed, pool: Pool) -> int:
    """The most points that may still be taken from a pool."""
    return min(owed.amount, pool.points, owed.amount - sum(least(owed, o) for o in owed.pools if o != pool))


def least(owed: Owed, pool: Pool) -> int:
    """The points that must come from a pool whatever the owner chooses."""
    others = sum(other.points for other in owed.pools if other != pool)
    must = max(0, owed.amount - others)
    return min(must, pool.points, owed.amount)


def check_lose(state: Campaign, command: Lose) -> Pool:
    """11.13 The points named belong to what may be lost, and are not too many."""
    if state.pending is None or state.pending.kind != "losses":
        raise Illegal("9.31", "No losses have to be chosen now.")
    owed = state.owed[0]
    for pool in owed.pools:
        if (pool.hex, pool.nation, pool.kind) == (command.hex, command.nation, command.kind):
            if command.points > most(owed, pool):
                raise Illegal(
                    owed.rule, "At most %(most)s %(most|point|points)s can be taken there.", most=most(owed, pool)
                )
            return pool
    raise Illegal(
        owed.rule,
        "This loss does not concern %(kind)s points of %(nation)s at %(hex)s.",
        kind=command.kind,
        nation=command.nation,
        hex=command.hex,
    )


def choose(state: Campaign, command: Lose) -> Handled:
    """11.13 The owner's choice, then whatever is left without a choice."""
    pool = check_lose(state, command)
    state, events = _take(state, pool, command.points)
    state, more = take_losses(state)
    return state, events + more


def propose(state: Campaign) -> Handled:
    """The proposal: always from the largest stack, own points before Syracusan ones (17.42), land before naval."""
    events: tuple[Event, ...] = ()
    while state.pending is not None and state.pending.kind == "losses":
        owed = state.owed[0]
        pools = [pool for pool in owed.pools if most(owed, pool)]
        best = max(pools, key=lambda pool: (pool.nation != SYRACUSE, pool.points, pool.kind == "land", pool.hex))
        state, more = _take(state, best, 1)
        state, rest = take_losses(state)
        events += more + rest
    return state, events


def _take(state: Campaign, pool: Pool, points: int) -> Handled:
    """Points leave the map and the question gets smaller by them."""
    owed = state.owed[0]
    if owed.leader is not None:
        state = _release_leaders(state, owed.leader, pool, points, owed.cause)
    state = state.fallen(pool.hex, pool.nation, pool.kind, points)
    left = replace(
        owed,
        amount=owed.amount - points,
        pools=tuple(replace(o, points=o.points - points) if o == pool else o for o in owed.pools),
    )
    happened = event(
        owed.rule,
        "lost",
        side=owed.side,
        nation=pool.nation,
        hex=pool.hex,
        kind=pool.kind,
        points=points,
        cause=owed.cause,
    )
    return replace(state, owed=(left, *state.owed[1:])), (happened,)


def _release_leaders(state: Campaign, id: str, pool: Pool, points: int, cause: str) -> Campaign:
    """5.24 Lost points no longer serve their leader."""
    stack = state.stack(pool.hex, pool.nation)
    left = stack.served(pool.kind).get(id, 0) - points
    state = state.with_stack(pool.hex, pool.nation, stack.serving(pool.kind, id, left))
    leader = state.leaders[id]
    if pool.nation != leader.side:
        return state
    force = leader.force(pool.kind)
    force = min(force, left) if cause == "combat" else force - points
    land, naval = (force, leader.naval) if pool.kind == "land" else (leader.land, force)
    return state.with_leader(id, leader.leading(land, naval))


# -- L1 The engagement: opened where fleets meet in the open, settled in one of three ways, taken in by one function.


def meet(state: Campaign, sent: dict[str, int]) -> Handled:
    """L1.1, L1.1.a, L2.1 The campaign waits: the answer to the threat (9.16) is given, the five points are paid.

    Every naval point is a unit. Land points in the hex take no part (L3.7), so there are no transports; names belong
    to the side and damage is not kept (L2.4).
    """
    fight = state.battle
    assert fight is not None
    side, enemy = fight.side, ENEMY[fight.side]
    engagement = Engagement(
        id=f"{state.turn}.{fight.id}",
        system="punic_wars",
        place=fight.hex,
        fleets={
            side: fleet_of(state, side, sent[side], fight.leader),
            enemy: fleet_of(state, enemy, sent[enemy], fight.commander),
        },
        mover=side,
        rule="9.15",
        turn=state.turn,
        deciding=state.options.sea_battles,
    ).decided()
    told = event("L1.1", "engagement", engagement=engagement.id, place=fight.hex, mover=side, ships=sent)
    prompt = Prompt("engagement", side, "L1.2", {"engagement": engagement.id, "hex": fight.hex})
    return replace(state, engagement=engagement, pending=prompt), (told,)


def fleet_of(state: Campaign, side: str, points: int, commander: str | None) -> Fleet:
    """L2.1 One side's naval points as units, with its commander's letter and value (8.11)."""
    leader = state.leaders[commander] if commander else None
    return Fleet(
        tuple(NavalUnit(f"{side}-{number + 1}", "") for number in range(points)),
        commander=commander,
        commander_name=leader.letter if leader else None,
        rating=leader.value if leader else 0,
    )


# -- 9.0 Combat: an attack is a way of spending movement points, one kind of unit against the same kind.


class Odds(Record, frozen=True):
    """9.0 (procedure) An attack before the die: strengths, ratio, what the die is changed by, and its price."""

    attackers: int
    defenders: int
    ratio: str
    modifier: int
    cost: int


def ratio(attackers: int, defenders: int) -> str | None:
    """9.0 (procedure), 9.32 Rounded for the defender; None below 1:2; 9:1 at most.

    Ruling P1: whole times the defender; below one to one, 1:2 when twice the attacker reaches the defender.
    """
    numbers = NUMBERS.combat
    if defenders <= 0 or attackers <= 0:
        return None
    if attackers >= defenders:
        return f"{min(attackers // defenders, numbers.highest_ratio)}:1"
    if attackers * numbers.least_defenders >= defenders * numbers.least_attackers:
        return f"{numbers.least_attackers}:{numbers.least_defenders}"
    return None


def walls(state: Campaign, at: str, defender: str, kind: str) -> int:
    """9.22, 9.23, 9.24, 10.34 What is taken from the die when the land points attacked are inside.

    Ruling P5: fleets inside have no such help.
    """
    settlement = state.chart.places[at].settlement
    if settlement is None or kind != "land" or not state.inside(at, defender, "land"):
        return 0
    if at in NUMBERS.places.great_cities:
        return NUMBERS.walls.great_city
    return NUMBERS.walls.city if settlement.kind == "city" else NUMBERS.walls.village


def participants(state: Campaign, id: str, at: str, kind: str) -> dict[str, int]:
    """7.21, 9.11, 9.13 The points, by nation, that attack under a leader: all of the kind in the hex as one group.

    Ruling P11: points that have served another leader this phase stay out (5.24, 9.19).
    """
    side = state.leaders[id].side
    found: dict[str, int] = {}
    for nation, stack in state.nations(at, side).items():
        bound = sum(points for other, points in stack.served(kind).items() if other != id)
        if stack.points(kind) > bound:
            found[nation] = stack.points(kind) - bound
    return found


def price(state: Campaign, at: str, defender: str, kind: str) -> int:
    """9.14, 10.33 Five points against units face up, ten against units inside."""
    return NUMBERS.combat.inverted_cost if state.inside(at, defender, kind) else NUMBERS.combat.face_up_cost


def odds(state: Campaign, id: str, kind: str, commander: str | None = None) -> Odds | None:
    """9.0 (procedure), 9.21, 9.26, 9.27 The attack as it would be made; None when the ratio is too low (9.32)."""
    leader = state.leaders[id]
    at, enemy = leader.at or "", ENEMY[leader.side]
    attackers = sum(participants(state, id, at, kind).values())
    defenders = state.points(at, enemy, kind)
    column = ratio(attackers, defenders)
    if column is None:
        return None
    against = state.leaders[commander].value if commander else 0
    modifier = leader.value - against - walls(state, at, enemy, kind)
    return Odds(attackers, defenders, column, modifier, price(state, at, enemy, kind))


def odds_ahead(state: Campaign, id: str, to: str, kind: str, points: int) -> Odds | None:
    """9.0 (procedure) The attack that a leader could make in a hex with so many points brought there, besides those of
    his side that stand there; no enemy leader counted. None without an enemy of this kind, or below 1:2.
    """
    leader, enemy = state.leaders[id], ENEMY[state.leaders[id].side]
    attackers = points + sum(participants(state, id, to, kind).values()) if points else 0
    defenders = state.points(to, enemy, kind)
    column = ratio(attackers, defenders)
    if column is None:
        return None
    return Odds(
        attackers, defenders, column, leader.value - walls(state, to, enemy, kind), price(state, to, enemy, kind)
    )


def relief_is_possible(state: Campaign, id: str, to: str, points: int) -> bool:
    """10.29 With the besieged turned out, could the force attack the besieger at 1:2 or better, and pay for it?

    He stands outside (P18), so the price is that of face-up units; if he goes inside then, nothing is owed any more.
    """
    leader = state.leaders[id]
    for kind in KINDS:
        enemies = state.points(to, ENEMY[leader.side], kind)
        together = leader.force(kind) + sum(participants(state, id, to, kind).values())
        if ratio(together, enemies) and points >= price(state, to, ENEMY[leader.side], kind):
            return True
    return False


def check_attack(state: Campaign, command: Attack) -> Odds:
    """9.13, 9.14, 9.15, 9.32, 7.22 An attack in the leader's own hex that he can pay for, at 1:2 or better.

    10.31 Units inside come out to attack: freely from an unbesieged settlement (10.25); from a siege just for this.
    """
    id, kind = command.leader, command.kind
    leader = mover(state, id)
    at, enemy = leader.at or "", ENEMY[leader.side]
    if not state.points(at, enemy, kind):
        raise Illegal(
            "9.15",
            "There are no enemy %(kind)s points in %(at)s; points can fight only points of their own "
            "kind, in the same hex (7.22).",
            kind=kind,
            at=at,
        )
    if not participants(state, id, at, kind):
        raise Illegal("9.13", "No %(kind)s points in %(at)s can attack under this leader (5.24).", kind=kind, at=at)
    plan = odds(state, id, kind)
    if plan is None:
        raise Illegal("9.32", "An attack at less than 1:2 is not allowed.")
    if NUMBERS.movement.allowance - leader.spent < plan.cost:
        raise Illegal(
            "9.14",
            "The attack costs %(cost)s movement %(cost|point|points)s, more than the leader has left.",
            cost=plan.cost,
        )
    return plan


def owes_attack(state: Campaign, id: str) -> bool:
    """10.29 Must this leader's force attack the besieger before anything else? Not when no attack is left to it."""
    may_attack = by_check(check_attack)
    return state.must_attack == id and any(may_attack(state, Attack(id, kind)) is None for kind in KINDS)


def attack(state: Campaign, command: Attack, dice: Dice) -> Handled:
    """9.0 The phasing player threatens; a side that may go inside is asked first (9.16)."""
    id, kind = command.leader, command.kind
    leader = state.leaders[id]
    check_attack(state, command)
    at, enemy = leader.at or "", ENEMY[leader.side]
    fight = Battle(state.battles + 1, at, id, kind, leader.side)
    state = replace(state, active=id, battle=fight, battles=fight.id)
    declared = event("9.13", "attack", side=leader.side, hex=at, kind=kind, battle=fight.id)
    if not state.inside(at, enemy, kind) and towns.can_invert(state, at, enemy):
        about = {"hex": at, "kind": kind}
        return state.asking(Prompt("threat", enemy, "9.16", about)), (declared,)
    state, events = _name_commander(state, dice)
    return state, (declared, *events)


def invert(state: Campaign, command: Invert, dice: Dice) -> Handled:
    """9.16, 10.23, 10.32 All of the threatened kind go inside, or stand and are attacked at once.

    Inside, they cost the attacker nothing until he attacks again at the higher price (9.14), and stay there until their
    owner's own campaign phase (10.25). Ruling P18: a relief that they evade so is no longer owed (10.29).
    """
    if state.pending is None or state.pending.kind != "threat" or state.battle is None:
        raise Illegal("10.23", "Units may go inside only when an attack threatens them.")
    fight, side = state.battle, state.pending.seat
    state = state.asking(None)
    if not command.inside:
        happened = event("9.16", "stood", side=side, hex=fight.hex, kind=fight.kind)
        state, events = _name_commander(state, dice)
        return state, (happened, *events)
    state = replace(state.turned(fight.hex, side, fight.kind, True), battle=None, must_attack=None)
    state, events = aftermath(state)
    return state, (event("9.16", "went_inside", side=side, hex=fight.hex, kind=fight.kind), *events)


def _name_commander(state: Campaign, dice: Dice) -> Handled:
    """8.22 One commander for the defence; with leaders of different value the owner names him."""
    fight = _fight(state)
    enemy = ENEMY[fight.side]
    there = state.leaders_at(fight.hex, enemy)
    if len({state.leaders[id].value for id in there}) > 1:
        about = {"hex": fight.hex, "kind": fight.kind, "leaders": list(there)}
        return state.asking(Prompt("commander", enemy, "8.22", about)), ()
    return _join(state, there[0] if there else None, dice)


def command(state: Campaign, command: NameCommander, dice: Dice) -> Handled:
    """8.22 The owner of several leaders names the one who commands the defence."""
    if state.pending is None or state.pending.kind != "commander":
        raise Illegal("8.22", "No commander has to be named now.")
    if command.leader not in state.pending.about["leaders"]:
        raise Illegal("8.22", "That leader is not in the hex.")
    return _join(state.asking(None), command.leader, dice)


def _join(state: Campaign, commander: str | None, dice: Dice) -> Handled:
    """9.14, 9.17, 10.28, 10.29 The price is paid, the group is bound to its leader (5.24), and the fight begins.

    This is the one place where a battle starts: fleets against fleets in the open may go down to the table (L1.1).
    """
    fight = _fight(state)
    id, at = fight.leader, fight.hex
    plan = odds(state, id, fight.kind, commander)
    assert plan is not None
    side = fight.side
    in_open = not state.inside(at, ENEMY[side], fight.kind)
    group = participants(state, id, at, fight.kind)
    for nation, points in group.items():
        stack = state.stack(at, nation).turned(fight.kind, False).serving(fight.kind, id, points)
        state = state.with_stack(at, nation, stack)
    for other in state.leaders_at(at, side):  # what others had picked up here but not used fights here now
        man = state.leaders[other]
        if other != id and man.force(fight.kind):
            land, naval = (0, man.naval) if fight.kind == "land" else (man.land, 0)
            state = state.with_leader(other, man.leading(land, naval))
    state = state.with_leader(id, state.leaders[id].paid(plan.cost))
    state = replace(
        state,
        must_attack=None,
        attacked=tuple(dict.fromkeys((*state.attacked, at))),
        battle=replace(fight, answered=True, commander=commander),
    )
    if fight.kind == "naval" and in_open and stops(state.options.sea_battles, state.options.naval_battles == "ask"):
        return meet(state, fleets(state))
    return by_dice(state, dice)


def by_dice(state: Campaign, dice: Dice) -> Handled:
    """9.0 (procedure), 9.25, 9.31 One die, modified, read in the column of the ratio; both sides lose their share."""
    fight = _fight(state)
    side, enemy = fight.side, ENEMY[fight.side]
    plan = odds(state, fight.leader, fight.kind, fight.commander)
    assert plan is not None
    about = {"commander": fight.commander} if fight.commander else {}
    (face,) = dice.roll(1, 6, "9.25", leader=fight.leader, hex=fight.hex, **about)
    percents = state.sheet.combat.losses(plan.ratio, face + plan.modifier)
    lost = {
        side: state.sheet.loss.points(plan.attackers, percents[0]),
        enemy: state.sheet.loss.points(plan.defenders, percents[1]),
    }
    happened = event(
        "9.25",
        "combat",
        reveals=True,
        side=side,
        hex=fight.hex,
        kind=fight.kind,
        attackers=plan.attackers,
        defenders=plan.defenders,
        ratio=plan.ratio,
        dice=[face],
        modifier=plan.modifier,
        percents=list(percents),
        losses=lost,
    )
    if fight.kind == "naval":
        state, events = at_sea(state, NavalOutcome(sides={name: SideOutcome(sunk) for name, sunk in lost.items()}))
    else:
        state, events = _take_losses(state, lost, "9.31")
    return state, (happened, *events)


def fleets(state: Campaign) -> dict[str, int]:
    """L2.1 The naval points of each side in the battle under way."""
    fight = _fight(state)
    return {
        fight.side: sum(participants(state, fight.leader, fight.hex, "naval").values()),
        ENEMY[fight.side]: state.points(fight.hex, ENEMY[fight.side], "naval"),
    }


def at_sea(state: Campaign, outcome: NavalOutcome) -> Handled:
    """L1.3, L3.7 The one function that takes a naval outcome, however it came about, into the campaign.

    Sunk and captured points are gone (no prizes) and count for 16.2; a side that fled loses besides a share of the
    points that fled; land points take no part; both sides stay in the hex.
    """
    sent = fleets(state)
    lost: dict[str, int] = {}
    for side in SIDES:
        told = outcome.of(side)
        lost[side] = told.lost
        if told.fled:
            lost[side] += state.sheet.loss.points(sent[side] - told.lost, NUMBERS.fled.percent)
    return _take_losses(state, lost, "9.31")


def _take_losses(state: Campaign, lost: dict[str, int], rule: str) -> Handled:
    """9.31 The attacker's losses come from his group, the defender's from all his points of the kind."""
    fight = _fight(state)
    side, enemy = fight.side, ENEMY[fight.side]
    group = participants(state, fight.leader, fight.hex, fight.kind)
    own = tuple(Pool(fight.hex, nation, fight.kind, points) for nation, points in group.items())
    state = owing(
        state,
        Owed(side, rule, "combat", lost[side], own, fight.leader),
        Owed(
            "rome" if enemy == "rome" else "carthage",
            rule,
            "combat",
            lost[enemy],
            side_pools(state, fight.hex, enemy, (fight.kind,)),
        ),
    )
    state, events = take_losses(state)
    if state.pending is not None:
        return state, events
    state, more = close(state)
    return state, events + more


def close(state: Campaign) -> Handled:
    """9.17, 9.18 The attack is over; the leader may go on, and both sides may stay in the hex."""
    return aftermath(replace(state, battle=None))


def _fight(state: Campaign) -> Battle:
    assert state.battle is not None
    return state.battle
