"""What must hold in every position; random play asks after each command."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.rules.checks import complaints
from strategic.sword_of_rome.rules.survey import powers_of, seat_of
from strategic.sword_of_rome.rules.waiting_cards import seen_wishes
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import SEATS
from strategic.sword_of_rome.view import view
from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import encode


def invariants(state: State) -> tuple[str, ...]:
    """3, 10.3 Complaints: contradictions (CUs and leaders unaccounted for), nobody to act, secrets that leak."""
    found = [f"{path}: {reason}" for path, reason in complaints(state)]
    return (*found, *stuck(state), *leaks(state))


def stuck(state: State) -> list[str]:
    """9 Somebody must act until the game is over, and only one thing is asked at a time."""
    found = []
    if not state.is_over and not waiting_for(state):
        found.append("nobody has to act and the game is not over")
    if len({prompt.kind for prompt in state.pending}) > 1:
        found.append("several things are asked at once")
    if state.move is None and (state.reaction or state.battle) and state.fleeing is None:
        found.append("a reaction or a battle has outlived its move")
    return found


def waiting_for(state: State) -> tuple[str, ...]:
    """9, 10.3 The seats that must act now: those who are asked, else the mover, else the active player."""
    if state.is_over:
        return ()
    if state.pending:
        if state.engagement is not None:
            return state.engagement.asked()
        return tuple(prompt.seat for prompt in state.pending)
    if state.move is not None:
        seat = seat_of(state, state.move.power)
        return (seat,) if seat is not None else ()
    return (state.active,) if state.active is not None else ()


def blank(state: State, seat: str) -> State:
    """The position with everything forgotten that the seat may not know."""
    hands = {owner: hand if owner == seat else (1,) * len(hand) for owner, hand in state.hands.items()}
    reaction, mine = state.reaction, powers_of(state, seat)
    if reaction is not None and not reaction.closed:
        reaction = replace(
            reaction,
            attempts=tuple(each for each in reaction.attempts if each.power in mine),
            avoidances=tuple(each for each in reaction.avoidances if each.power in mine),
        )
    return replace(state, hands=hands, reaction=reaction, wishes=seen_wishes(state, seat))


def leaks(state: State) -> list[str]:
    """10.3 A seat sees the same bytes whatever the others hold and have declared."""
    return [
        f"{seat} can tell another's secret"
        for seat in (*SEATS, SPECTATOR)
        if encode(view(state, seat)) != encode(view(blank(state, seat), seat))
    ]
