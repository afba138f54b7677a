"""What a seat may do now, and what a command does."""

from __future__ import annotations

from typing import Any

from strategic import settling
from strategic.hannibal.commands import Adjust, Resign
from strategic.hannibal.rules import link
from strategic.hannibal.rules.siege import swept
from strategic.hannibal.rules.umpire import adjust, resign
from strategic.hannibal.sequence import OFFERS, SEQUENCE, current
from strategic.hannibal.state import State
from strategic.hannibal.tables import SIDES
from tactical.kernel.dice import Dice
from tactical.kernel.play import UMPIRE, Event, Illegal, NotYours, Offer, Outcome


def settled(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Run what happens by itself until somebody must answer; sieges without a besieger are lifted on the way."""
    events: tuple[Event, ...] = ()
    while state.engagement is None:
        state, lifted = swept(state)
        step = SEQUENCE[current(state)]
        if step.is_open(state):
            return state, (*events, *lifted)
        state, more = step.leave(state, dice)
        events = (*events, *lifted, *more)
    return state, events


def waiting_for(state: State) -> tuple[str, ...]:
    """The seats that must act."""
    if state.engagement is not None and state.result is None:
        return tuple(side for side in SIDES if settling.offers(state.engagement, side)) or SIDES
    prompt = state.asks()
    return (prompt.seat,) if prompt and state.result is None else ()


def offers(state: State, seat: str) -> tuple[Offer, ...]:
    """What the seat may command now; the umpire may act for whoever is waited for."""
    if state.result is not None or not waiting_for(state):
        return ()
    if seat != UMPIRE and seat not in waiting_for(state):
        return ()
    if state.engagement is not None:
        return link.offers(state, seat)
    return OFFERS[current(state)](state)


def apply(state: State, seat: str, command: Any, dice: Dice) -> Outcome[State]:
    """Refuse first, roll next, change last. Raises Illegal, NotYours, BadInput; then nothing has changed."""
    if isinstance(command, Adjust):
        if seat != UMPIRE:
            raise NotYours("Only the umpire adjusts a campaign.")
        state, events = adjust(state, command)
    elif state.result is not None:
        raise Illegal("victory.5", "the campaign is over")
    elif isinstance(command, Resign):
        if seat not in (UMPIRE, command.side):
            raise NotYours(f"Only {command.side} may sue for its peace.")
        state, events = resign(state, command)
    elif isinstance(command, settling.LinkCommand):
        state, events = link.command(state, seat, command, dice)
    elif state.engagement is not None:
        raise Illegal("L1.1", "two fleets have met; the campaign waits until that is settled")
    else:
        state, events = _handled(state, seat, command, dice)
    state, more = settled(state, dice)
    return Outcome(state, (*events, *more))


def _handled(state: State, seat: str, command: Any, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    step = SEQUENCE[current(state)]
    waited = waiting_for(state)
    if seat not in SIDES and seat != UMPIRE:
        raise NotYours("Spectators only watch.")
    if seat != UMPIRE and seat not in waited:
        raise NotYours(f"{', '.join(waited)} must act now.")
    handler = step.handlers.get(type(command))
    if handler is None:
        wanted = ", ".join(str(kind.__struct_config__.tag) for kind in step.handlers)  # type: ignore[attr-defined]
        raise Illegal(step.rule, f"this is not the moment for it; now comes one of: {wanted}")
    return handler(state, command, dice)
