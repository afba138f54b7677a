"""What a seat may command now. Each offer is made by the predicates that `apply` uses, so they cannot disagree.

Offers look only at what the seat may see: a lone leader is not offered a hex where enemies stand, whatever they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from strategic.punic_wars.pieces import ENEMY, KINDS, SIDES, Group, Leader
from strategic.punic_wars.rules import (
    combat,
    deployment,
    elections,
    engagements,
    leading,
    losses,
    movement,
    towns,
    victory,
)
from strategic.punic_wars.sequence import check_done, is_open, recruit_offers
from strategic.punic_wars.state import Campaign
from tactical.kernel.play import UMPIRE, Illegal, Offer


def offers(state: Campaign, seat: str) -> tuple[Offer, ...]:
    """4.1 Everything that the seat may command now; the umpire sees the offers of both sides."""
    if state.result is not None:
        return ()
    sides = SIDES if seat == UMPIRE else (seat,) if seat in SIDES else ()
    return tuple(offer for side in sides for offer in of_side(state, side))


def is_legal(check: Callable[..., object], *arguments: object) -> bool:
    """Does the rule's own check let it pass?"""
    try:
        check(*arguments)
    except Illegal:
        return False
    return True


def waiting_for(state: Campaign) -> tuple[str, ...]:
    """4.1 Who must act: the one who is asked, both for set-up and bids, else the phasing player."""
    if state.result is not None:
        return ()
    if state.pending is not None:
        return SIDES if state.pending.kind == "engagement" else (state.pending.seat,)
    if state.phase == "setup":
        return tuple(side for side in SIDES if any(group.side == side for group in state.groups))
    if state.phase == "diplomacy":
        return tuple(side for side in SIDES if side not in state.bids)
    return (state.phasing,)


def of_side(state: Campaign, side: str) -> Iterator[Offer]:
    """4.1 The offers of one side."""
    if side in waiting_for(state):
        if state.pending is not None:
            yield from answers(state, side)
        elif not is_open(state):
            yield Offer("done", "4.1", {"side": side})
        elif state.phase == "setup":
            yield from set_up(state, side)
        elif state.phase == "diplomacy":
            yield Offer("bid", "16.11", {"side": side, "points": {"from": 0, "to": state.treasury[side]}})
        elif state.phase == "election":
            yield from election(state)
        elif state.phase == "campaign":
            yield from campaign(state, side)
        elif state.phase == "recruit":
            for at, kind, points in recruit_offers(state):
                yield Offer("recruit", "13.11", {"hex": at, "kind": kind, "points": {"from": 1, "to": points}})
            yield Offer("done", "4.1", {"side": side})
    if is_legal(victory.check_agree, state, side):
        yield Offer("agree", "18.1", {"side": side})
    yield Offer("resign", "18.1", {"side": side})


def answers(state: Campaign, side: str) -> Iterator[Offer]:
    """What the pending question allows."""
    asked = state.pending
    assert asked is not None
    if asked.kind == "threat":
        yield Offer("invert", "9.16", {"inside": [True, False]})
    elif asked.kind == "commander":
        yield Offer("command", "8.22", {"leader": asked.about["leaders"]})
        yield Offer("accept", "8.22", {"side": side})
    elif asked.kind == "engagement":
        yield from engagements.offers(state, side)
    elif asked.kind == "losses":
        owed = state.owed[0]
        for pool in owed.pools:
            if losses.most(owed, pool):
                points = {"from": 1, "to": losses.most(owed, pool)}
                where = {"hex": pool.hex, "nation": pool.nation, "kind": pool.kind}
                yield Offer("lose", owed.rule, {**where, "points": points})
        yield Offer("accept", owed.rule, {"side": side})


def set_up(state: Campaign, side: str) -> Iterator[Offer]:
    """19.0 (procedure) Each group whole, or its kinds one by one; or all at the proposed hexes."""
    rule = "19.0 (procedure)"
    for number, group in enumerate(state.groups):
        if group.side != side:
            continue
        whole = usual_first(group, deployment.hexes_for(state, group, group.naval > 0))
        yield Offer("deploy", rule, {"group": number, "hex": whole})
        parts = (bool(group.land) + bool(group.naval) + bool(group.leaders)) > 1
        for land, naval in ((group.land, 0), (0, group.naval)):
            if land + naval > 1 or (parts and land + naval):
                hexes = usual_first(group, deployment.hexes_for(state, group, naval > 0))
                fields: dict[str, Any] = {"group": number, "hex": hexes, "leaders": False}
                fields["land"] = {"from": 1, "to": land} if land else 0
                fields["naval"] = {"from": 1, "to": naval} if naval else 0
                yield Offer("deploy", rule, fields)
    yield Offer("accept", rule, {"side": side})


def usual_first(group: Group, hexes: Iterable[str]) -> list[str]:
    """The hexes with the proposed one at their head, so that a form shows it as its first choice."""
    return sorted(hexes, key=lambda at: (at != group.usual, at))


def election(state: Campaign) -> Iterator[Offer]:
    """8.4, 8.42 Who leaves; then where the elected stand."""
    if state.election.remove:
        yield Offer("retire", "8.42", {"leader": list(elections.on_map(state, "rome"))})
        yield Offer("accept", "8.42", {"side": "rome"})
    else:
        yield from placing(state, "rome")


def placing(state: Campaign, side: str) -> Iterator[Offer]:
    """8.32 Leaders that wait for a hex."""
    waiting = elections.to_place(state)
    if waiting:
        yield Offer("place", "8.32", {"leader": list(waiting), "hex": list(state.hexes_of(side))})
        yield Offer("accept", "8.32", {"side": side})


def campaign(state: Campaign, side: str) -> Iterator[Offer]:
    """5.0 The moves and attacks of the phasing player."""
    yield from placing(state, side)
    if state.returning:
        return
    for at in state.hexes_of(side):
        for kind in KINDS:
            if is_legal(towns.check_come_out, state, at, kind):
                yield Offer("come_out", "10.25", {"hex": at, "kind": kind})
    for id, leader in state.leaders.items():
        if leader.at is None or leader.side != side:
            continue
        if is_legal(towns.check_turn, state, id, not leader.inside):
            yield Offer("turn", "10.26", {"leader": id, "inside": not leader.inside})
        if is_legal(leading.mover, state, id):
            yield from of_leader(state, id, leader)
    if is_legal(check_done, state):
        yield Offer("done", "4.1", {"side": side})


def of_leader(state: Campaign, id: str, leader: Leader) -> Iterator[Offer]:
    """5.0 (procedure) Take and drop, move, attack, finish."""
    at = leader.at or ""
    can_drop = state.chart.places[at].can_stop
    force: dict[str, Any] = {}
    for kind in KINDS:
        low = 0 if can_drop else leader.force(kind)
        high = max(low, leading.available(state, id, kind))
        force[kind] = low if low == high else {"from": low, "to": high}
    if any(isinstance(value, dict) for value in force.values()) and is_legal(
        movement.check_take, state, id, leader.land, leader.naval
    ):
        yield Offer("take", "5.13", {"leader": id, **force})
    legal = [beside for beside in state.chart.sides[at] if is_legal(movement.check_move, state, id, beside)]
    safe = [beside for beside in legal if not _is_deadly(state, leader, beside)]
    to = safe if safe or can_drop else legal
    if to:
        yield Offer("move", "5.12", {"leader": id, "to": to})
    kinds = [kind for kind in KINDS if is_legal(combat.check_attack, state, leader, id, kind)]
    if kinds:
        yield Offer("attack", "9.13", {"leader": id, "kind": kinds})
    if state.active == id and is_legal(movement.check_finish, state, id):
        yield Offer("finish", "5.0 (procedure)", {"leader": id})


def _is_deadly(state: Campaign, leader: Leader, to: str) -> bool:
    """8.31 A leader alone is not sent among enemies while he has another way; he may go all the same."""
    alone = not leader.land + leader.naval and not state.total(to, leader.side)
    return alone and state.occupied(to, ENEMY[leader.side])
