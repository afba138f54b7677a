"""5.0, 7.0, 10.0 Stacking, leading, cities and villages."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.commands import ComeOut, Turn
from strategic.punic_wars.rules.pieces import ENEMY, KINDS, SIDES, SYRACUSE, Leader
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import NUMBERS, limit
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event

# -- 7.0, 7.31 Stacking: any units of both sides share a hex; posture and points served are kept by kind.
#
# 7.33 The order in a stack has no bearing on anything but what shows (7.32, view.py). 6.0 There are no zones of
# control:
# nothing here or in movement looks at a neighbouring hex.


def bound(state: Campaign, id: str, kind: str) -> Campaign:
    """5.24 The points under a leader are his for the rest of the phase (P26: once they move or fight)."""
    leader = state.leaders[id]
    at = leader.at or ""
    stack = state.stack(at, leader.side)
    served = max(stack.served(kind).get(id, 0), leader.force(kind))
    return state.with_stack(at, leader.side, stack.serving(kind, id, served)) if served else state


def carry(state: Campaign, id: str, to: str) -> Campaign:
    """7.11, 7.34 The force goes from the leader's stack to the one in the next hex, where its kinds stand face up."""
    leader = state.leaders[id]
    side, origin = leader.side, leader.at or ""
    for kind in KINDS:
        points = leader.force(kind)
        if not points:
            continue
        here = state.stack(origin, side)
        left = here.served(kind).get(id, 0) - points
        state = state.with_stack(
            origin, side, here.serving(kind, id, left).with_points(kind, here.points(kind) - points)
        )
        there = state.stack(to, side)
        serving = there.served(kind).get(id, 0) + points
        there = there.with_points(kind, there.points(kind) + points).serving(kind, id, serving)
        state = state.with_stack(to, side, there).turned(to, side, kind, False)
    return state


def room(state: Campaign, nation: str, kind: str) -> int:
    """7.35, 7.35 (limits) How many points may still be added under the counter mix."""
    return limit(nation, kind) - state.in_play(nation, kind)


def change(points: int, shown_as: tuple[int, ...]) -> tuple[int, ...]:
    """3.2, 7.35 Counters that show a stack: points are coins, and any composition of equal strength is the same."""
    counters: tuple[int, ...] = ()
    for worth in shown_as:
        counters += (worth,) * (points // worth)
        points %= worth
    return counters


# -- 5.0, 9.11 Who may act now, with how many points, and whom he may lead.


def remaining_points(leader: Leader) -> int:
    """3.2 (movement allowance), 5.0 What a leader may still spend this phase."""
    return NUMBERS.movement.allowance - leader.spent


def mover(state: Campaign, id: str) -> Leader:
    """5.11, 5.0 (procedure) A leader that may act now: phasing, on the map, not finished, nobody else under way."""
    leader = state.leaders.get(id)
    if leader is None or leader.at is None:
        raise Illegal("5.0 (unit types)", "There is no leader called %(id)s on the map.", id=id)
    if leader.side != state.phasing:
        raise Illegal("5.11", "Only the phasing player may move units.")
    if state.returning:
        raise Illegal("8.32", "First place the leaders that come back: they return at the start of the phase.")
    if leader.finished:
        raise Illegal(
            "5.0 (procedure)", "Leader %(letter)s has finished his movement in this phase.", letter=leader.letter
        )
    if state.active not in (None, id):
        other = state.leaders[state.active or ""]
        raise Illegal(
            "5.0 (procedure)", "Leader %(letter)s is under way: finish his movement first.", letter=other.letter
        )
    return leader


def available(state: Campaign, id: str, kind: str) -> int:
    """5.13, 5.24, 8.21 Face-up points of his own nation in his hex that serve no other leader this phase."""
    leader = state.leaders[id]
    stack = state.stack(leader.at or "", leader.side)
    if stack.inside(kind):
        return 0
    bound = sum(points for other, points in stack.served(kind).items() if other != id)
    claimed = sum(
        max(0, man.force(kind) - stack.served(kind).get(other, 0))
        for other, man in state.leaders.items()
        if other != id and man.at == leader.at and man.side == leader.side
    )
    return stack.points(kind) - bound - claimed


# -- 10.0 Cities and villages: who holds them, who is inside, who is besieged, and when units go in and come out.


def garrison(state: Campaign, at: str) -> str | None:
    """10.22 The side that has points inside; only one can have, for only the holder goes in."""
    if not any(stack.land_inside or stack.naval_inside for stack in state.stacks.get(at, {}).values()):
        return None
    return next((side for side in SIDES if any(state.inside(at, side, kind) for kind in KINDS)), None)


def holder(state: Campaign, at: str) -> str | None:
    """10.11, 10.12 Whose is the settlement: of the last land points alone there; before any, the region's last lord.

    Ruling P18: whoever is inside holds it meanwhile, though the region may have got another lord.
    """
    place = state.chart.places[at]
    if place.settlement is None:
        return None
    inside = garrison(state, at)
    if inside is not None:
        return inside
    nation = state.holders.get(at)
    if nation is not None:
        return state.owner(nation)
    return state.last_control.get(place.region or "")


def can_invert(state: Campaign, at: str, side: str) -> bool:
    """10.21, 10.22, 10.24 Only in a settlement, only its controller; any kind and number.

    Ruling P17: a threatened side that does not control the settlement cannot go inside.
    Ruling P18: nor does a besieger while those whom he besieges are inside, whoever controls it.
    """
    return holder(state, at) == side and not any(state.inside(at, ENEMY[side], kind) for kind in KINDS)


def is_besieged(state: Campaign, at: str, side: str, leaving: Leader | None = None) -> bool:
    """10.41, 10.42 Points inside, none outside, and enemies of each kind at least as many as those inside.

    `leaving`: as it will be when this leader has left with his force. Ruling P4: read afresh at every moment; nought
    against nought counts as equal.
    """
    if not any(stack.land_inside or stack.naval_inside for stack in state.stacks.get(at, {}).values()):
        return False
    inside = {kind: state.inside(at, side, kind) for kind in KINDS}
    if not any(inside.values()):
        return False
    gone = leaving if leaving is not None and leaving.at == at else None
    if any(state.outside(at, side, kind) > (gone.force(kind) if gone else 0) for kind in KINDS):
        return False
    enemy = ENEMY[side]
    return all(state.points(at, enemy, kind) >= inside[kind] for kind in KINDS)


def sieges(state: Campaign, side: str, leaving: Leader | None = None) -> frozenset[str]:
    """10.28, 10.29 The hexes where friends are besieged, or will be when this leader has left with his force."""
    return frozenset(at for at in state.stacks if is_besieged(state, at, side, leaving))


def unbesieged_land(state: Campaign, at: str, side: str) -> int:
    """14.14 Land points that count for control."""
    land = state.points(at, side, "land")
    return 0 if land and is_besieged(state, at, side) else land


def check_come_out(state: Campaign, command: ComeOut) -> None:
    """10.25, 10.28 In one's own campaign phase; from a siege only when the besieger has been attacked in it.

    Ruling P3: besieged units turn face up only to take part in an attack on the besieger; else they stay in.
    """
    at, kind, side = command.hex, command.kind, state.phasing
    if state.phase != "campaign":
        raise Illegal("10.25", "Units may come out only in their owner's campaign phase.")
    if not state.inside(at, side, kind):
        raise Illegal("10.25", "You have no %(kind)s points inside %(at)s.", kind=kind, at=at)
    if is_besieged(state, at, side) and at not in state.attacked:
        raise Illegal(
            "10.28", "The units in %(at)s are besieged: attack the besieger first, under a leader there.", at=at
        )


def come_out(state: Campaign, command: ComeOut, dice: Dice) -> Handled:
    """10.25, 10.27 All points of a kind turn face up, free and without a leader (7.34)."""
    check_come_out(state, command)
    side = state.phasing
    new = state.turned(command.hex, side, command.kind, False)
    return new, (event("10.25", "came_out", side=side, hex=command.hex, kind=command.kind),)


def check_turn(state: Campaign, command: Turn) -> None:
    """10.26 A leader on the map, in a settlement of his side, not already so."""
    leader = state.leaders.get(command.leader)
    if leader is None or leader.at is None:
        raise Illegal("10.26", "There is no leader called %(id)s on the map.", id=command.leader)
    if leader.inside == command.inside:
        raise Illegal("10.26", "Leader %(letter)s is already there.", letter=leader.letter)
    if not can_invert(state, leader.at, leader.side):
        raise Illegal("10.26", "Only the side that controls a city or village can move its leaders inside or out.")


def turn(state: Campaign, command: Turn, dice: Dice) -> Handled:
    """10.26 The controller turns a leader at any time; it costs nothing (10.27)."""
    check_turn(state, command)
    leader = state.leaders[command.leader]
    new = state.with_leader(command.leader, leader.turned(command.inside))
    happened = event("10.26", "leader_turned", only=(leader.side,), leader=command.leader, inside=command.inside)
    return new, (happened,)


def turned_out(state: Campaign, at: str, side: str) -> Campaign:
    """10.29 All besieged friends turn face up when relief enters."""
    for kind in KINDS:
        state = state.turned(at, side, kind, False)
    return state


def captured_fleets(state: Campaign) -> Handled:
    """10.35 Fleets inside are gone when an enemy land point and no friendly one is in their hex.

    Ruling P23: they fell neither in combat nor by attrition, and do not count for 16.21.
    """
    events: tuple[Event, ...] = ()
    for at in sorted(state.stacks):
        for side in SIDES:
            if not state.inside(at, side, "naval") or state.points(at, side, "land"):
                continue
            if not state.points(at, ENEMY[side], "land"):
                continue
            for nation, stack in state.nations(at, side).items():
                if stack.inside("naval"):
                    events += (event("10.35", "fleets_taken", side=side, hex=at, nation=nation, naval=stack.naval),)
                    state = state.taken_off(at, nation, "naval", stack.naval)
    return state, events


def holders_now(state: Campaign) -> Campaign:
    """10.11 Whoever's land points are alone in a settlement's hex holds it from now on.

    Ruling P19: Syracusan land points that hold their town alone hold it with whichever side Siracusa is; once they are
    gone, or others' are inside with them, it is the town of the player who was last alone in it, whatever Siracusa does
    later. Fleets never count.
    """

    def has_strangers_inside(at: str) -> bool:
        return any(stack.inside("land") for nation, stack in state.stacks[at].items() if nation != SYRACUSE)

    holders = dict(state.holders)
    for at in state.stacks:
        if state.chart.places[at].settlement is None:
            continue
        nations = [nation for nation, stack in state.stacks[at].items() if stack.land > 0]
        lords = {state.owner(nation) or nation for nation in nations}
        if len(lords) == 1:
            holders[at] = SYRACUSE if SYRACUSE in nations else nations[0]
    for at in [at for at, nation in holders.items() if nation == SYRACUSE]:
        lord = state.owner(SYRACUSE)
        if lord is not None and (not state.stack(at, SYRACUSE).land or has_strangers_inside(at)):
            holders[at] = lord
    return state if holders == state.holders else replace(state, holders=holders)
