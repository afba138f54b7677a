"""L2.6, L3.8 A contested crossing can be fought on the table; the result comes home by `sea.settle_crossing`."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.naval import settling
from strategic.naval.engagement import Engagement, Fleet, NavalOutcome, NavalUnit, Transport
from strategic.sword_of_rome.rules import sea
from strategic.sword_of_rome.rules.survey import seat_of
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import CARTHAGE, SYSTEM
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, Handled, Illegal, NotYours, Prompt, event

ESCORTS, MORE_TO_A_FRIEND = 3, 2  # L2.6
PUNIC, PUNIC_EACH_POINT = 1, 2
MOST_LOST = 3  # L3.8: at the limit it arrives if it lost at most one in so many of its transports


def meets(state: State, dice: Dice) -> Handled[State]:
    """L1.1, L2.6 Carthage comes out against a convoy: both seats are asked how to settle it."""
    crossing = state.voyage
    seat = seat_of(state, crossing.power)
    assert seat is not None
    escorts = ESCORTS + (MORE_TO_A_FRIEND if crossing.friendly else 0)
    squadron = PUNIC + PUNIC_EACH_POINT * (crossing.contest or 0)
    number = len(state.settled) + 1
    engagement = Engagement(
        id=f"{state.turn}.{number}",
        system=SYSTEM,
        place=crossing.end,
        fleets={
            seat: Fleet(
                units_of(seat, escorts),
                tuple(Transport(f"{seat}-t{each + 1}") for each in range(crossing.units)),
            ),
            CARTHAGE: Fleet(units_of(CARTHAGE, squadron)),
        },
        mover=seat,
        rule="9.6.4",
        start=crossing.start,
        turn=state.turn,
        deciding=state.options.sea_battles,
    ).decided()
    told = event(
        "L1.1",
        "engagement",
        engagement=engagement.id,
        place=crossing.end,
        mover=seat,
        ships={seat: escorts, CARTHAGE: squadron},
        transports={seat: crossing.units},
    )
    about = {"engagement": engagement.id}
    asked = tuple(Prompt("engagement", each, "L1.2", about) for each in (seat, CARTHAGE))
    return replace(state, engagement=engagement, pending=asked), (told,)


def units_of(side: str, count: int) -> tuple[NavalUnit, ...]:
    """L2.6 Quinqueremes that stand for no counter: nothing of them is kept but the record."""
    return tuple(NavalUnit(f"{side}-{number + 1}", "") for number in range(count))


def by_seat(state: State, seat: str, given: Any) -> Illegal | NotYours | None:
    """L1.2, L1.4 The seats whose fleets have met settle it; without a battle only the umpire enters an outcome."""
    if isinstance(given, settling.Settle | settling.Report) and given.engagement in state.settled:
        return None
    engagement = state.engagement
    if seat == UMPIRE or engagement is None or engagement.id != given.engagement:
        return None
    if seat not in engagement.fleets:
        return NotYours("This meeting is between %(list)s.", list=tuple(engagement.fleets))
    return settling.only_umpire_enters(state, seat, given)


def check(state: State, given: Any) -> None:
    """L1.1 Only who has a fleet there speaks."""
    side = getattr(given, "side", None)
    if side not in (None, UMPIRE) and state.engagement is not None and side not in state.engagement.fleets:
        raise Illegal("L1.1", "%(side)s %(side|takes|take)s no part in this engagement.", side=side)


def by_own_table(state: State, dice: Dice) -> Handled[State]:
    """L1.2 Both leave it to the crossing roll."""
    return sea.roll(replace(state, engagement=None).asking(), dice)


def enter(state: State, engagement: Engagement, outcome: NavalOutcome, dice: Dice) -> Handled[State]:
    """L1.3, L3.8 Transports lost are CUs lost; arriving with losses stands for attrition.

    It arrives if the mover won, or if nobody did and at most a third of the transports are lost; a convoy without
    escort and transport is gone; any other returns with the rest.
    """
    state = replace(state, engagement=None, settled={**state.settled, engagement.id: outcome})
    mover, sent = engagement.mover, engagement.fleets[engagement.mover]
    lost = outcome.of(mover).transports
    told: tuple[Event, ...] = (settling.outcome_event(engagement, outcome),)
    few = outcome.winner is None and MOST_LOST * lost <= len(sent.transports)
    arrives = outcome.winner == mover or few
    result = ("attrition" if lost else "success") if arrives else "return"
    told += (event("L3.8", "convoy", arrives=arrives, lost=lost),)
    state, more = sea.settle_crossing(state, result, dice, lost)
    return state, (*told, *more)


MEETING: settling.Meeting[State] = settling.Meeting(by_own_table, enter, check)
