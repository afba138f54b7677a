"""L2.6, L3.8 Carthage sails and Rome may come out: with the option, a contested crossing can be fought on the table."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.hannibal.rules.sea import after_storm, landed, naval_modifier, returned, roll_naval, sunk
from strategic.hannibal.state import State
from strategic.hannibal.tables import LEADERS
from strategic.naval import settling
from strategic.naval.engagement import Engagement, Fleet, NavalOutcome, NavalUnit, Transport
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.tables import SIDES
from tactical.kernel.dice import Dice
from tactical.kernel.engine import tried
from tactical.kernel.protocol import UMPIRE, Event, Illegal, NotYours, Offer, event

Handled = tuple[State, tuple[Event, ...]]
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
    leader = LEADERS[march.general]
    engagement = Engagement(
        id=f"{state.turn}.{len(state.settled) + 1}",
        system="hannibal",
        place=crossing.to,
        fleets={
            "carthage": Fleet(
                units_of("carthage", escorts),
                tuple(Transport(f"carthage-t{number + 1}") for number in range(crossing.force.size)),
                march.general,
                leader.name,
                leader.battle,
            ),
            "rome": Fleet(units_of("rome", squadron)),
        },
        mover="carthage",
        rule="tables.naval",
        start=march.at,
        turn=state.turn,
    )
    told = event(
        "L1.1", "engagement", engagement=engagement.id, place=crossing.to, mover="carthage",
        ships={"carthage": escorts, "rome": squadron}, transports={"carthage": crossing.force.size},
    )  # fmt: skip
    return replace(state, engagement=engagement), (told,)


def units_of(side: str, count: int) -> tuple[NavalUnit, ...]:
    """L2.6 Quinqueremes that stand for no counter of the campaign: nothing of them is kept but the record."""
    return tuple(NavalUnit(f"{side}-{number + 1}", "") for number in range(count))


def by_seat(state: State, seat: str, given: Any) -> Illegal | NotYours | None:
    """L1.4 Without a battle only the umpire enters an outcome."""
    engagement = state.engagement
    if seat == UMPIRE or not isinstance(given, settling.Settle) or given.engagement in state.settled:
        return None
    if engagement is None or engagement.id != given.engagement:
        return None
    return tried(lambda _, said: settling.check_settle(engagement, said.outcome, False))(state, given)


def command(state: State, given: Any, dice: Dice) -> Handled:
    """L1.2 to L1.4 One command about the engagement."""
    if isinstance(given, settling.Settle | settling.Report) and settling.is_repeated(state.settled, given):
        return state, ()
    engagement = settling.waiting(state.engagement, state.settled, given.engagement)
    if isinstance(given, settling.Settle):
        settling.check_settle(engagement, given.outcome, True)
        return enter(state, engagement, given.outcome)
    if isinstance(given, settling.ChooseWay):
        engagement, told = settling.choose_way(engagement, given)
        state = replace(state, engagement=engagement)
        if not settling.on_own_table(engagement):
            return state, (told,)
        state, more = roll_naval(replace(state, engagement=None), dice)
        return state, (told, *more)
    if isinstance(given, settling.OpenBattle):
        rerolls = dict.fromkeys(engagement.fleets, 0)
        engagement, told = settling.open_battle(engagement, given, rerolls)
        return replace(state, engagement=engagement), (told,)
    engagement, told = (
        settling.report(engagement, given) if isinstance(given, settling.Report) else settling.assent(engagement, given)
    )
    outcome = settling.agreed_report(engagement)
    if outcome is None:
        return replace(state, engagement=engagement), (told,)
    state, more = enter(state, engagement, outcome)
    return state, (told, *more)


def enter(state: State, engagement: Engagement, outcome: NavalOutcome) -> Handled:
    """L1.3, L3.8 The one way home: transports lost are CUs lost; then the rest lands, returns or is gone.

    It arrives if Carthage won, or if nobody did and at most a third of its transports are lost; a convoy without
    escort and transport is sunk and its generals are displaced, without political loss.
    """
    state = replace(state, engagement=None, settled={**state.settled, engagement.id: outcome})
    lost = outcome.of("carthage")
    told = event(
        "L1.3", "settled", engagement=engagement.id, winner=outcome.winner, turns=outcome.turns,
        sides={side: {"sunk": outcome.of(side).sunk, "captured": outcome.of(side).captured,
                      "transports": outcome.of(side).transports} for side in engagement.fleets},
    )  # fmt: skip
    sent = engagement.fleets["carthage"]
    escort_gone = lost.lost >= len(sent.units) and not lost.fled
    if escort_gone and lost.transports >= len(sent.transports):
        state, more = sunk(state)
        return state, (told, *more)
    crossing = state.marching().crossing
    assert crossing is not None
    state = after_storm(state, survivors(crossing.force, lost.transports))
    arrives = outcome.winner == "carthage" or (
        outcome.winner is None and MOST_LOST * lost.transports <= len(sent.transports)
    )
    state, more = landed(state) if arrives else returned(state)
    return state, (told, event("L3.8", "convoy", arrives=arrives, lost=lost.transports), *more)


def survivors(force: Troops, lost: int) -> Troops:
    """L3.8 Every transport lost is a troop unit lost: ordinary CUs first, then elephants."""
    units = min(force.units, lost)
    return Troops(force.units - units, force.elephants - (lost - units))


def offers(state: State, seat: str) -> tuple[Offer, ...]:
    """L1.2 What a side may say about the engagement; to the umpire both sides' words."""
    assert state.engagement is not None
    sides = SIDES if seat == UMPIRE else tuple(side for side in SIDES if side == seat)
    return tuple(offer for side in sides for offer in settling.offers(state.engagement, side))
