"""L2.6, L3.8 Carthage sails and Rome may come out: with the option, a contested crossing can be fought on the table."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.sea import after_storm, land, lose_at_sea, naval_modifier, return_to_port, roll_naval
from strategic.hannibal.state import Handled, State
from strategic.hannibal.tables import LEADERS
from strategic.naval import settling
from strategic.naval.engagement import Engagement, Fleet, NavalOutcome, NavalUnit, Transport
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import commander, rating
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import event

ESCORTS = 2  # L2.6: escorts are 2 and half the troop units; the Roman squadron the escorts, 2 and the modifiers
ROMAN_MORE = 2
MOST_LOST = 3  # L3.8: at the limit it arrives if it lost at most one in so many of its transports


def meet(state: State, dice: Dice) -> Handled:
    """L1.1, L2.6 The crossing is contested: the campaign waits on the engagement and on nothing else."""
    state = state.answered()
    march = state.marching()
    crossing = march.crossing
    assert crossing is not None, "a contested crossing is under way"
    generals = (march.general, *crossing.companions)
    modifier, _ = naval_modifier(state, march.at, crossing.to, crossing.force.size, generals)
    escorts = ESCORTS + crossing.force.size // 2
    squadron = max(1, escorts + ROMAN_MORE + modifier)
    leader = commander(state, generals) or march.general
    engagement = Engagement(
        id=f"{state.turn}.{len(state.settled) + 1}",
        system="hannibal",
        place=crossing.to,
        fleets={
            "carthage": Fleet(
                units_of("carthage", escorts),
                tuple(Transport(f"carthage-t{number + 1}") for number in range(crossing.force.size)),
                leader,
                LEADERS[leader].name,
                rating(state, leader),
            ),
            "rome": Fleet(units_of("rome", squadron)),
        },
        mover="carthage",
        rule="tables.naval",
        start=march.at,
        turn=state.turn,
        deciding=state.options.sea_battles,
    ).decided()
    told = event(
        "L1.1",
        "engagement",
        engagement=engagement.id,
        place=crossing.to,
        mover="carthage",
        ships={"carthage": escorts, "rome": squadron},
        transports={"carthage": crossing.force.size},
    )
    return replace(state, engagement=engagement), (told,)


def units_of(side: str, count: int) -> tuple[NavalUnit, ...]:
    """L2.6 Quinqueremes that stand for no counter of the campaign: nothing of them is kept but the record."""
    return tuple(NavalUnit(f"{side}-{number + 1}", "") for number in range(count))


def enter(state: State, engagement: Engagement, outcome: NavalOutcome, dice: Dice) -> Handled:
    """L1.3, L3.8 The one way home: transports lost are CUs lost; then the rest lands, returns or is gone.

    It arrives if Carthage won, or if nobody did and at most a third of its transports are lost; a convoy without
    escort and transport is sunk and its generals are displaced, without political loss.
    """
    state = replace(state, engagement=None, settled={**state.settled, engagement.id: outcome})
    lost = outcome.of("carthage")
    told = settling.outcome_event(engagement, outcome)
    sent = engagement.fleets["carthage"]
    escort_gone = lost.lost >= len(sent.units) and not lost.fled
    if escort_gone and lost.transports >= len(sent.transports):
        state, more = lose_at_sea(state)
        return state, (told, *more)
    crossing = state.marching().crossing
    assert crossing is not None
    state = after_storm(state, survivors(crossing.force, lost.transports))
    arrives = outcome.winner == "carthage" or (
        outcome.winner is None and MOST_LOST * lost.transports <= len(sent.transports)
    )
    state, more = land(state) if arrives else return_to_port(state)
    return state, (told, event("L3.8", "convoy", arrives=arrives, lost=lost.transports), *more)


def survivors(force: Troops, lost: int) -> Troops:
    """L3.8 Every transport lost is a troop unit lost: ordinary CUs first, then elephants."""
    units = min(force.units, lost)
    return Troops(force.units - units, force.elephants - (lost - units))


def by_own_table(state: State, dice: Dice) -> Handled:
    """L1.2 Both leave it to the naval roll."""
    return roll_naval(replace(state, engagement=None), dice)


MEETING: settling.Meeting[State] = settling.Meeting(by_own_table, enter)
