"""The umpire, and what must hold in every position."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.commands import Adjust
from strategic.sword_of_rome.rules.by_hand import seen_wishes, with_counts
from strategic.sword_of_rome.rules.checks import check, complaints
from strategic.sword_of_rome.rules.survey import powers_of, seat_of, with_pairs_in_order
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import SEATS
from strategic.sword_of_rome.view import HIDDEN, view
from tactical.kernel import corrections
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import SPECTATOR, Handled
from tactical.kernel.record import encode

# -- The umpire's hand.


def adjust(state: State, command: Adjust, dice: Dice) -> Handled[State]:
    """By the umpire: any field by its path (`forces.roma.romans.units`), with a reason; it must still be a position.

    How many CUs of a power have come and gone follows from the map, unless he sets that too.
    """

    def finish(raw: State) -> State:
        ordered = with_pairs_in_order(raw)
        is_counted = bool(state.tallies) and not any(path.startswith("tallies") for path in command.changes)
        return with_counts(state, ordered) if is_counted else ordered

    return corrections.adjust(state, command.changes, command.why, "7", HIDDEN, check, finish)


# -- What must hold in every position; random play asks after each command.


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
