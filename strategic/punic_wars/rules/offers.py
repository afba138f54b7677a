"""What a seat may command now. Each offer is made by the predicates that `apply` uses, so they cannot disagree.

Offers look only at what the seat may see: a lone leader is warned (8.31) of a hex where enemies stand, whatever they
are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from strategic.punic_wars import commands as c
from strategic.punic_wars.rules import combat, engagements, movement, phases, towns
from strategic.punic_wars.rules.phases import check_done, is_open, recruit_offers
from strategic.punic_wars.rules.pieces import ENEMY, KINDS, SIDES, Group, Leader
from strategic.punic_wars.state import Campaign
from tactical.kernel.protocol import UMPIRE, Offer, by_check, offer, span


def is_legal(check: Callable[[Campaign, Any], object], state: Campaign, command: object) -> bool:
    """Does the rule's own check let it pass?"""
    return by_check(check)(state, command) is None


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


def may_speak(state: Campaign) -> tuple[str, ...]:
    """L1.2 Who may say something about the meeting at sea."""
    assert state.engagement is not None
    return (UMPIRE,) if state.engagement.is_umpires() else SIDES


def who_must_answer(state: Campaign) -> tuple[str, ...]:
    """L1.2 Who has still to answer."""
    assert state.engagement is not None
    return state.engagement.asked()


def due(phase: Callable[[Campaign, str], Iterable[Offer]]) -> Callable[[Campaign, str], Iterator[Offer]]:
    """4.1 The offers of a phase; only `done` while its dice have still to fall."""

    def found(state: Campaign, side: str) -> Iterator[Offer]:
        if is_open(state):
            yield from phase(state, side)
        else:
            yield Offer("done", "4.1", {"side": side})

    return found


def bidding(state: Campaign, side: str) -> Iterator[Offer]:
    """16.11 Any part of the treasury."""
    yield Offer("bid", "16.11", {"side": side, "points": {"from": 0, "to": state.treasury[side]}})


def recruiting(state: Campaign, side: str) -> Iterator[Offer]:
    """13.0 Where points can be added, and no more."""
    for at, kind, points in recruit_offers(state):
        yield Offer("recruit", "13.11", {"hex": at, "kind": kind, "points": {"from": 1, "to": points}})
    yield Offer("done", "4.1", {"side": side})


def nothing(state: Campaign, side: str) -> tuple[Offer, ...]:
    """4.1 The phase goes by itself."""
    return ()


def turning(state: Campaign, side: str) -> Iterator[Offer]:
    """10.26 One's own leaders in one's own settlements, at any time."""
    for id, leader in state.leaders.items():
        if leader.side == side and is_legal(towns.check_turn, state, c.Turn(id, not leader.inside)):
            yield Offer("turn", "10.26", {"leader": id, "inside": not leader.inside})


def agreeing(state: Campaign, side: str) -> Iterator[Offer]:
    """18.1 To end the game here, or to take the word back."""
    yield Offer("agree", "18.1", {"side": side, "agreed": False} if side in state.agreed else {"side": side})


def resigning(state: Campaign, side: str) -> Iterator[Offer]:
    """18.1 A side may always give up."""
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
            if combat.most(owed, pool):
                where = {"hex": pool.hex, "nation": pool.nation, "kind": pool.kind}
                yield Offer("lose", owed.rule, {**where, "points": {"from": 1, "to": combat.most(owed, pool)}})
        yield Offer("accept", owed.rule, {"side": side})


def set_up(state: Campaign, side: str) -> Iterator[Offer]:
    """19.0 (procedure) Each group whole, or any part of it; or all at the proposed hexes."""
    rule = "19.0 (procedure)"
    for number, group in enumerate(state.groups):
        if group.side != side:
            continue
        whole = usual_first(group, phases.hexes_for(state, group, group.naval > 0))
        yield Offer("deploy", rule, {"group": number, "hex": whole})
        leaders: Any = [True, False] if group.leaders else False
        if group.naval:  # any ships, with any men and leaders, on the coast
            parts = {"land": span(0, group.land), "naval": span(1, group.naval), "leaders": leaders}
            if group.land + group.naval > 1 or group.leaders:
                yield Offer("deploy", rule, {"group": number, "hex": whole, **parts})
        if group.land and (group.naval or group.leaders or group.land > 1):
            ashore = usual_first(group, phases.hexes_for(state, group, False))
            parts = {"land": span(1, group.land), "naval": 0, "leaders": leaders}
            yield Offer("deploy", rule, {"group": number, "hex": ashore, **parts})
        if group.leaders and group.land + group.naval:
            ashore = usual_first(group, phases.hexes_for(state, group, False))
            yield Offer("deploy", rule, {"group": number, "hex": ashore, "land": 0, "naval": 0, "leaders": True})
    yield Offer("accept", rule, {"side": side})


def usual_first(group: Group, hexes: Iterable[str]) -> list[str]:
    """The hexes with the proposed one at their head, so that a form shows it as its first choice."""
    return sorted(hexes, key=lambda at: (at != group.usual, at))


def election(state: Campaign) -> Iterator[Offer]:
    """8.4, 8.42 Who leaves; then where the elected stand."""
    if state.election.remove:
        yield Offer("retire", "8.42", {"leader": list(phases.on_map(state, "rome"))})
        yield Offer("accept", "8.42", {"side": "rome"})
    else:
        yield from placing(state, "rome")


def placing(state: Campaign, side: str) -> Iterator[Offer]:
    """8.32 Leaders that wait for a hex."""
    if waiting := phases.to_place(state):
        yield Offer("place", "8.32", {"leader": list(waiting), "hex": list(state.hexes_of(side))})
        yield Offer("accept", "8.32", {"side": side})


def campaign(state: Campaign, side: str) -> Iterator[Offer]:
    """5.0 The moves and attacks of the phasing player."""
    yield from placing(state, side)
    if state.returning:
        return
    for at, kind in product(state.hexes_of(side), KINDS):
        if is_legal(towns.check_come_out, state, c.ComeOut(at, kind)):
            yield Offer("come_out", "10.25", {"hex": at, "kind": kind})
    for id, leader in state.leaders.items():
        if leader.at is not None and leader.side == side and is_legal(towns.mover, state, id):
            yield from of_leader(state, id, leader)
    if is_legal(check_done, state, None):
        yield Offer("done", "4.1", {"side": side})


def of_leader(state: Campaign, id: str, leader: Leader) -> Iterator[Offer]:
    """5.0 (procedure) Take and drop, move, attack, finish."""
    at = leader.at or ""
    force: dict[str, Any] = {}
    for kind in KINDS:
        low = 0 if state.chart.places[at].can_stop else leader.force(kind)
        force[kind] = span(low, max(low, towns.available(state, id, kind)))
    has_choice = any(isinstance(value, dict) for value in force.values())
    if has_choice and is_legal(movement.check_take, state, c.Take(id, leader.land, leader.naval)):
        yield Offer("take", "5.13", {"leader": id, **force})
    legal = [beside for beside in state.chart.sides[at] if is_legal(movement.check_move, state, c.Move(id, beside))]
    deadly = [beside for beside in legal if _is_deadly(state, leader, beside)]
    yield from offer("move", "5.12", leader=id, to=[beside for beside in legal if beside not in deadly])
    yield from offer("move", "8.31", leader=id, to=deadly)
    kinds = [kind for kind in KINDS if is_legal(combat.check_attack, state, c.Attack(id, kind))]
    yield from offer("attack", "9.13", leader=id, kind=kinds)
    if is_legal(movement.check_finish, state, c.Finish(id)):
        yield Offer("finish", "5.0 (procedure)", {"leader": id})


def _is_deadly(state: Campaign, leader: Leader, to: str) -> bool:
    """8.31 A leader alone who goes among enemies may be lost there; it is an offer of its own."""
    alone = not leader.land + leader.naval and not state.total(to, leader.side)
    return alone and state.occupied(to, ENEMY[leader.side])
