"""L1 The engagement: opened where fleets meet in the open, settled in one of three ways, taken in by one function."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.naval.engagement import Engagement, Fleet, NavalUnit
from strategic.punic_wars.rules.pieces import ENEMY
from strategic.punic_wars.state import Campaign, Handled
from tactical.kernel.protocol import Prompt, event


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
