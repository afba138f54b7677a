"""4.0 Two player turns of five phases: which comes next, what happens by itself, who has something to do."""

from __future__ import annotations

from collections.abc import Callable

from strategic.punic_wars import commands as c
from strategic.punic_wars.rules import (
    attrition,
    diplomacy,
    elections,
    movement,
    recruiting,
    supply,
    towns,
    treasury,
    victory,
)
from strategic.punic_wars.rules.aftermath import aftermath
from strategic.punic_wars.rules.control import worth
from strategic.punic_wars.rules.pieces import KINDS, SIDES, Side
from strategic.punic_wars.state import Campaign, Handled
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event

# 4.2 Carthage is first in every scenario; Rome elects instead of diplomacy.
ORDER: tuple[tuple[Side, str], ...] = (
    ("carthage", "diplomacy"),  # 4.2.A.1
    ("carthage", "tax"),  # 4.2.A.2
    ("carthage", "campaign"),  # 4.2.A.3
    ("carthage", "supply"),  # 4.2.A.4
    ("carthage", "recruit"),  # 4.2.A.5
    ("rome", "election"),  # 4.2.B.1
    ("rome", "tax"),  # 4.2.B.2
    ("rome", "campaign"),  # 4.2.B.3
    ("rome", "supply"),  # 4.2.B.4
    ("rome", "recruit"),  # 4.2.B.5
)


def next_phase(state: Campaign) -> Handled:
    """4.1, 4.2.C The next box; after the Roman recruiting phase a new game turn."""
    if state.phase == "setup":
        state, events = aftermath(state)
        return state.in_phase("diplomacy", "carthage", state.turn), events
    at = ORDER.index((state.phasing, state.phase)) + 1
    if at < len(ORDER):
        side, phase = ORDER[at]
        return state.in_phase(phase, side, state.turn), ()
    if is_empty(state) or (state.options.turn_limit and state.turn >= state.options.turn_limit):
        result = victory.judge(state, "18.0")
        told = event("18.0", "over", winner=result.winner, level=result.level, points=result.points)
        return state.ended(result), (told,)
    new = state.in_phase("diplomacy", "carthage", state.turn + 1)
    return new, (event("4.2.C", "turn", turn=new.turn),)


def is_empty(state: Campaign) -> bool:
    """18.0 Has neither side a combat point or a region that pays? Then no turn would ever bring anything again."""
    return not any(state.hexes_of(side) or worth(state, side) for side in SIDES)


def is_held(state: Campaign) -> bool:
    """19.0, 19.34.C Does the phase take place? Neither diplomacy nor election on turn 1, no diplomacy in scenario 3."""
    if state.phase == "diplomacy":
        return diplomacy.is_held(state)
    return state.phase != "election" or state.turn > 1


def begin(state: Campaign, dice: Dice) -> Handled:
    """The automatic part of a phase, once."""
    state, events = aftermath(state.having_begun())
    if state.result is not None:
        return state, events
    if is_held(state):
        events += (event("4.1", "phase", phase=state.phase, side=state.phasing),)
    more: tuple[Event, ...] = ()
    if state.phase == "election":
        state, more = elections.open_phase(state, dice)
    elif state.phase == "tax":
        state, more = treasury.tax(state)
    elif state.phase == "campaign":
        state = elections.bring_back(state)
    elif state.phase == "supply":
        state, more = supply.pay(state)
    elif state.phase == "recruit":
        state, more = recruiting.open_phase(state, dice)
    return state, events + more


def leave(state: Campaign, dice: Dice) -> Handled:
    """What happens by itself: rolls that are due, the beginning of a phase, the next phase."""
    if state.tolls:
        state, events = attrition.next_toll(state, dice)
        if state.pending is not None:
            return state, events
        state, more = aftermath(state)
        return state, events + more
    if not state.begun and state.phase != "setup":
        return begin(state, dice)
    if state.phase == "diplomacy":
        state = diplomacy.conclude(state) if diplomacy.is_held(state) else state
    return next_phase(state)


def can_act_in_campaign(state: Campaign) -> bool:
    """Leaders to place, to move, or units that may come out."""
    if state.returning or any(
        leader.side == state.phasing and leader.at is not None and not leader.finished
        for leader in state.leaders.values()
    ):
        return True
    return any(
        state.inside(at, state.phasing, kind)
        and (not towns.is_besieged(state, at, state.phasing) or at in state.attacked)
        for at in state.hexes_of(state.phasing)
        for kind in KINDS
    )


def can_recruit(state: Campaign) -> bool:
    """13.0 Is there a hex where a point can be added and paid for?"""
    return any(recruit_offers(state))


def recruit_offers(state: Campaign) -> tuple[tuple[str, str, int], ...]:
    """13.0 Every hex and kind with the most points that may be added there now."""
    found: tuple[tuple[str, str, int], ...] = ()
    for at in state.chart.towns:
        for kind in KINDS:
            try:
                points = recruiting.most(state, at, kind)
            except Illegal:
                continue
            if points:
                found += ((at, kind, points),)
    return found


# the boxes of the track, and the set-up before and the end after them
WORK: dict[str, Callable[[Campaign], bool]] = {
    "setup": lambda state: bool(state.groups),
    "diplomacy": lambda state: diplomacy.is_held(state) and len(state.bids) < 2,
    "election": lambda state: bool(state.election.remove or state.election.drawn),
    "tax": lambda state: False,
    "campaign": can_act_in_campaign,
    "supply": lambda state: False,
    "recruit": can_recruit,
    "over": lambda state: True,
}


def is_open(state: Campaign) -> bool:
    """Has anybody something to do or to answer?"""
    if state.result is not None or state.pending is not None:
        return True
    if state.tolls or (not state.begun and state.phase != "setup"):
        return False
    return WORK[state.phase](state)


def check_done(state: Campaign) -> None:
    """5.25, 10.29, 8.32 Nobody is at sea, in mountains or bound to attack, and all leaders are placed."""
    if state.pending is None and not is_open(state):
        return  # a position that waits for the next phase, whose dice could not fall when it was set up
    if state.phase not in ("campaign", "recruit"):
        raise Illegal("4.1", "This phase ends automatically.")
    if state.returning:
        raise Illegal("8.32", "Place the leaders that have come back first.")
    if state.active is not None:
        movement.check_finish(state, state.active)


def finish(state: Campaign, command: c.Done, dice: Dice) -> Handled:
    """4.1 The phasing player has finished his campaign or his recruiting."""
    check_done(state)
    if not is_open(state):
        return state, ()
    state, events = next_phase(state)
    return state, (event("4.1", "phase_done", side=command.side), *events)
