"""O3.7, O6.1 Meetings that wait, and a turn that the umpire holds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace

from strategic.naval.engagement import BattleOpened, Engagement
from strategic.naval.engagement import Fleet as Sent
from strategic.open_campaign.rules.orders import KEPT
from strategic.open_campaign.state import State
from tactical.kernel.corrections import Adjust
from tactical.kernel.protocol import UMPIRE, Action, Event, Illegal, Outcome
from tactical.kernel.record import decode, encode, read

# -- O6.1 Meetings that wait to be settled: only the fleets that take part wait, and then go on from where they were.


def sent_ships(fleet: Sent) -> tuple[str, ...]:
    """L1.1 The warships and transports that a side has sent, by name."""
    return (*(unit.id for unit in fleet.units), *(each.id for each in fleet.transports))


def fleets_there(state: State, engagement: Engagement, side: str) -> tuple[str, ...]:
    """O6.1 The fleets of a side that take part."""
    there = set(sent_ships(engagement.fleets[side]))
    return tuple(name for name in state.at_sea() if not there.isdisjoint(state.fleets[name].ships))


def meetings(state: State) -> tuple[Engagement, ...]:
    """O6.1 All meetings that wait, the one in front first."""
    return () if state.engagement is None else (state.engagement, *state.waiting)


def in_front(state: State, name: str) -> State:
    """O6.1 The position with this meeting in front, where it waits: they are settled in any order."""
    found = next((each for each in state.waiting if each.id == name), None)
    others = tuple(each for each in meetings(state) if each.id != name)
    return replace(state, engagement=found, waiting=others) if found is not None else state


def unopened_first(state: State) -> State:
    """O6.1 In front stands the first meeting that is not on a table yet, so that the umpire sees what he may do."""
    if state.engagement is None or not state.engagement.opened:
        return state
    found = next((each for each in state.waiting if not each.opened), None)
    return state if found is None else in_front(state, found.id)


def hold(state: State, engagement: Engagement) -> State:
    """O6.1 The fleets of a meeting keep their place until it is settled; who has days left goes on from this watch."""
    names = {side: fleets_there(state, engagement, side) for side in engagement.sides}
    for name in (each for fleets in names.values() for each in fleets):
        behind = not state.late or bool(state.fleets[name].halted)
        now = (state.day, state.watch) if behind else ()
        state = state.with_fleet(name, engaged=engagement.id, halted=now)
    one, other = names.values()
    fought = tuple(tuple(sorted(pair)) for pair in product(one, other))
    return replace(state, fought=(*state.fought, *((pair[0], pair[1]) for pair in fought)))


def close_meeting(state: State, engagement: Engagement) -> State:
    """O6.1 A meeting is over: nobody waits for it any more, and the next one stands in front.

    When the last one is settled of those that a turn has stopped for, its days go on.
    """
    for name, fleet in state.fleets.items():
        if fleet.engaged == engagement.id:
            state = state.with_fleet(name, engaged="")
    left = tuple(each for each in meetings(state) if each.id != engagement.id)
    dates = {name: date for name, date in state.appointed.items() if name != engagement.id}
    state = replace(state, engagement=left[0] if left else None, waiting=left[1:], appointed=dates)
    return unopened_first(after_meetings(state))


def after_meetings(state: State) -> State:
    """O3.6, O6.1 A turn that has stopped for meetings goes on when all are settled, or have a date at a table."""
    return replace(state, step="running") if state.step == "engagement" and not is_stopped(state) else state


def is_stopped(state: State) -> bool:
    """O3.6 Does the campaign wait for a meeting? Not for one that has a date of its own."""
    return any(each.id not in state.appointed for each in meetings(state))


def moving(state: State) -> Iterator[str]:
    """O6.1 The fleets that this watch is for: all that wait for no meeting; later those that have days to make up."""
    for name in state.at_sea():
        fleet = state.fleets[name]
        if fleet.engaged:
            continue
        if not state.late or (fleet.halted and fleet.halted <= (state.day, state.watch)):
            yield name


def end_pass(state: State) -> State:
    """O6.1 The days of a turn are over, or those that were to be made up: whoever was not stopped has made them up."""
    if state.late:
        for name, fleet in state.fleets.items():
            if fleet.halted and not fleet.engaged:
                state = state.with_fleet(name, halted=())
    return replace(state, day=state.tables.days[state.turn_length] + 1)


def catch_up(state: State) -> State | None:
    """O6.1 The position at the first day that fleets have to make up; None where none has.

    The weather is that of the day. All others lie where their days ended, and are seen and met there.
    """
    behind = [each.halted for each in state.fleets.values() if each.halted and each.ships and not each.engaged]
    if not behind:
        return None
    day, watch = min(behind)
    weather = state.skies[day - 1] if day <= len(state.skies) else state.weather
    return replace(state, late=True, day=day, watch=watch, met=state.fought, weather=weather)


def openings(before: Any, after: Any) -> tuple[BattleOpened, ...]:
    """L1.2 The effects of a command: the battles that it has opened, whichever meeting stands in front."""
    was = {each.id for each in meetings(before) if each.opened}
    return tuple(BattleOpened(each) for each in meetings(after) if each.opened and each.id not in was)


# -- O3.7 A turn that the umpire holds: what it brings is his alone until he sends it.

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
