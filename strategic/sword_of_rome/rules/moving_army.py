"""9.4, 8.4 The moving army is set down or loses CUs; what every chapter that ends a move needs."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.state import State
from tactical.kernel.protocol import Handled, event


def set_down(state: State) -> Handled[State]:
    """9.4 The moving army stands where it is, and its action is over."""
    move = state.army
    state = state.moved_in(move.at, move.power, move.units, move.leaders)
    state = replace(state, move=None, reaction=None, crossing=None, battle=None, fleeing=None, pending=())
    return state, (event("9.4", "halted", power=move.power, space=move.at, units=move.units),)


def lose_moving(state: State, lost: int) -> Handled[State]:
    """8.4 The moving army loses CUs; without any its leaders are displaced and the move is over."""
    move = state.army
    if not lost:
        return state, ()
    gone = min(lost, move.units)
    state = state.counted(move.power, removed=gone)
    happened = event("12.3", "losses", power=move.power, units=gone, space=move.at)
    if gone < move.units:
        return state.with_move(replace(move, units=move.units - gone)), (happened,)
    state = replace(state.displacing(move.leaders), move=None, reaction=None, crossing=None, pending=())
    return state, (happened, event("8.4", "displaced", power=move.power, leaders=list(move.leaders)))


def going(present: tuple[str, ...], leader: str, companions: tuple[str, ...]) -> bool:
    """10.3.c Are the companions other leaders of the same army, each once?"""
    return (
        leader not in companions
        and len(set(companions)) == len(companions)
        and all(each in present for each in companions)
    )
