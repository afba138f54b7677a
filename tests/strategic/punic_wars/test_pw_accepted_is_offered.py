"""4.1 What is legal is offered: every command that can be thought of is either refused or among the offers."""

from __future__ import annotations

import random
from itertools import product

import pytest

from kit.offered import covered
from kit.pw_bold import wish
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.pieces import KINDS
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, read


def thinkable(state, seat):
    """Every command of the seat but paths (a march is its moves) and engagements, with values at and over the edge."""
    mine = [id for id, leader in state.leaders.items() if leader.side == seat and leader.at is not None]
    for leader in mine:
        at = state.leaders[leader].at
        yield from ({"type": "move", "leader": leader, "to": to} for to in state.chart.sides[at])
        yield from ({"type": "attack", "leader": leader, "kind": kind} for kind in KINDS)
        yield from ({"type": "turn", "leader": leader, "inside": inside} for inside in (True, False))
        yield {"type": "finish", "leader": leader}
        yield {"type": "retire", "leader": leader}
        yield {"type": "command", "leader": leader}
        own = state.stack(at, seat)
        for land, naval in product({0, 1, own.land // 2, own.land, own.land + 1}, {0, 1, own.naval, own.naval + 1}):
            yield {"type": "take", "leader": leader, "land": land, "naval": naval}
    for at in state.hexes_of(seat):
        yield from ({"type": "come_out", "hex": at, "kind": kind} for kind in KINDS)
        for id in (*state.returning, *state.election.drawn):
            yield {"type": "place", "leader": id, "hex": at}
    for at, kind, points in product(state.chart.towns, KINDS, (1, 2, 3, 5)):
        if state.phase == "recruit":
            yield {"type": "recruit", "hex": at, "kind": kind, "points": points}
    for points in {0, 1, state.treasury[seat], state.treasury[seat] + 1}:
        yield {"type": "bid", "side": seat, "points": points}
    for number, group in enumerate(state.groups):
        land, naval = {0, 1, group.land}, {0, 1, group.naval}
        where = state.chart.region_hexes.get(group.where, (group.where,))[:4]
        for at, some, ships, leaders in product(where, land, naval, (True, False) if group.leaders else (False,)):
            if (some, ships) == (group.land, group.naval) and (leaders or not group.leaders):
                yield {"type": "deploy", "group": number, "hex": at}  # the whole group is said without numbers
            else:
                yield {"type": "deploy", "group": number, "hex": at, "land": some, "naval": ships, "leaders": leaders}
    for owed in state.owed[:1]:
        for pool, points in product(owed.pools, (1, 2, owed.amount)):
            where = {"hex": pool.hex, "nation": pool.nation, "kind": pool.kind}
            if points:
                yield {"type": "lose", **where, "points": points}
    yield from ({"type": "invert", "inside": inside} for inside in (True, False))
    yield from ({"type": "agree", "side": seat, "agreed": agreed} for agreed in (True, False))
    yield from ({"type": kind, "side": seat} for kind in ("accept", "done", "resign"))


def accepted(state, seat, command):
    """Does `apply` carry it out, and does it change anything?"""
    source = random_source(random.Random(1).randrange)
    try:
        dice = Dice(source=source, secret=source)
        return PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), dice).state != state
    except (Illegal, NotYours, BadInput):
        return False


@pytest.mark.parametrize("scenario, seed", [("1", 21), ("2", 22), ("3", 23)])
def test_4_1_what_is_accepted_is_offered(scenario, seed):
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    state = PUNIC_WARS.start(scenario, None, {"turn_limit": 9}, Dice(source=source, secret=source)).state
    kinds = set()
    for number in range(200):
        if state.result is not None:
            break
        if number % 11 == 0 or state.pending is not None:
            for seat in PUNIC_WARS.sides(state):
                offers = PUNIC_WARS.offers(state, seat)
                for command in thinkable(state, seat):
                    if accepted(state, seat, command):
                        kinds.add(command["type"])
                        assert covered(PUNIC_WARS, offers, command), (command, state.phase, state.pending)
        seat = rng.choice(PUNIC_WARS.waiting_for(state))
        command = wish(state, seat, PUNIC_WARS.offers(state, seat), rng)
        if state.phase == "setup" and number > 5:
            command = {"type": "accept", "side": seat}
        dice = Dice(source=source, secret=source)
        state = PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), dice).state
    assert {"deploy", "agree", "take", "move"} <= kinds
