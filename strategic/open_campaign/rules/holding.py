"""O3.7 A turn that the umpire holds: what it brings is his alone until he sends it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.open_campaign.rules.orders import KEPT
from strategic.open_campaign.rules.waiting import fleets_there, meetings
from strategic.open_campaign.state import State
from tactical.kernel.adjusting import Adjust
from tactical.kernel.protocol import UMPIRE, Action, Event, Illegal, Outcome
from tactical.kernel.record import decode, encode, read

MEETS = ("engagement", "way", "battle_opened", "report")  # told at once to those whose meeting waits
LETTERS = ("letter", "letter_answered", "letter_waits", "marked", "posted", "proposed", "agreed", "denounced")
PAPERS = (*LETTERS, "ready", "run", "held", "turn_taken_back", "resigned", "appointed", "registered")  # at once, too


def is_held(state: State) -> bool:
    """O3.7 Has a turn run that the umpire will send, and has not sent yet?"""
    return state.before is not None and state.options.dispatches != "run" and state.result is None


def position_before(state: State) -> State:
    """O3.7 The position as it was when the turn ran, with the letters, treaties, pins and models of today."""
    assert state.before is not None
    old: State = read({**state.before, "world": "", "sides": {}}, State, "before")
    return replace(old, models=state.models, **{name: getattr(state, name) for name in KEPT})


def position_for(state: State, side: str) -> State:
    """O3.7 The position as a side may know it: of a turn that is held its own ships that meet an enemy, and no more."""
    if not is_held(state):
        return state
    old, mine = position_before(state), [each for each in meetings(state) if side in each.fleets]
    there = {name: state.fleets[name] for each in mine for name in fleets_there(state, each, side)}
    aboard = {ship: state.ships[ship] for fleet in there.values() for ship in fleet.ships}
    stayed = {
        name: replace(fleet, ships=tuple(ship for ship in fleet.ships if ship not in aboard))
        for name, fleet in old.fleets.items()
    }
    is_asked = state.step == "engagement" and any(each.id not in state.appointed for each in mine)
    return replace(
        old,
        step="engagement" if is_asked else "held",
        fleets={**stayed, **there},
        ships={**old.ships, **aboard},
        engagement=state.engagement,
        waiting=state.waiting,
        appointed=state.appointed,
    )


def why_not_meeting(state: State, seat: str, command: Any) -> Illegal | None:
    """O3.7, O6.1 A meeting of which this seat may not know is not told from one that there is not."""
    name = getattr(command, "engagement", None)
    if name is None or seat == UMPIRE or state.result is not None:
        return None
    settled = (position_before(state) if is_held(state) else state).settled
    there = {side for each in meetings(state) if each.id == name for side in each.fleets}
    is_known = seat in there or (name in settled and seat in settled[name].sides)
    return None if is_known else Illegal("O6.1", "There is no such meeting.")


def release(state: State) -> Outcome[State]:
    """O3.7 The position as the sides will know it when a held turn is sent, and the events that they will be told."""
    return Outcome(replace(state, before=None, unsent=()), state.unsent) if is_held(state) else Outcome(state)


def onlookers(state: State, *sides: str) -> str:
    """O3.7 Who sees dice that these sides would see: while the turn is held, the umpire alone."""
    return UMPIRE if is_held(state) else " ".join(sides)


def hold_back(command: object, outcome: Outcome[State]) -> Outcome[State]:
    """O3.7 What a command has brought, its events for the umpire alone while the turn is held; the sending tells them.

    The umpire's corrections are told to nobody: a dispatch tells what comes of them.
    """
    state = outcome.state
    if not is_held(state):
        return Outcome(replace(state, unsent=()), (*state.unsent, *outcome.events)) if state.unsent else outcome
    waiting = {each.id for each in meetings(state)}
    events, unsent = [], []
    for each in outcome.events:
        if each.type in PAPERS or (each.type in MEETS and each.data["engagement"] in waiting):
            events.append(each)
            continue
        events.append(replace(each, only=(UMPIRE,)))
        if not isinstance(command, Adjust):
            unsent.append(replace(decode(encode(each), Event), again=True))
    return Outcome(replace(state, unsent=(*state.unsent, *unsent)) if unsent else state, tuple(events))


def wait_for_sending(action: Action[State]) -> Action[State]:
    """O3.7 The action, but not while a turn is held: nobody acts on what he has not been told."""

    def why_not(state: State, command: Any) -> Illegal | None:
        if is_held(state):
            return Illegal("O3.7", "The umpire has not sent the dispatches of this turn yet.")
        return action.why_not(state, command)

    return Action(
        action.command,
        action.rule,
        action.do,
        why_not,
        lambda state, seat: () if is_held(state) else action.offers(state, seat),
        action.whose,
    )
