"""9.31, 11.13, 12.32 Taking losses: forced ones at once, a choice as a question to the owner."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.commands import Lose
from strategic.punic_wars.rules.pieces import SYRACUSE, Kind, Owed, Pool
from strategic.punic_wars.state import Campaign
from tactical.kernel.protocol import Event, Illegal, Prompt, event


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


def take_losses(state: Campaign) -> tuple[Campaign, tuple[Event, ...]]:
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


def choose(state: Campaign, command: Lose) -> tuple[Campaign, tuple[Event, ...]]:
    """11.13 The owner's choice, then whatever is left without a choice."""
    pool = check_lose(state, command)
    state, events = _take(state, pool, command.points)
    state, more = take_losses(state)
    return state, events + more


def propose(state: Campaign) -> tuple[Campaign, tuple[Event, ...]]:
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


def _take(state: Campaign, pool: Pool, points: int) -> tuple[Campaign, tuple[Event, ...]]:
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
