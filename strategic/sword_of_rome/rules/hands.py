"""11.1.1 Which cards of a hand may be spent: what pays for a declared attempt is bound until the attempt is over."""

from __future__ import annotations

from collections import Counter

from strategic.sword_of_rome.rules.survey import seat_of
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import name_of
from tactical.kernel.protocol import Illegal


def bound(state: State, seat: str) -> Counter[int]:
    """11.1.1 The cards, with their numbers, that the seat has named for armies that are still to leave by sea.

    An army that is at sea has paid; once the moving army is intercepted nobody leaves any more (10.5.2).
    """
    reaction, crossing = state.reaction, state.crossing
    if reaction is None or reaction.intercepted_by is not None:
        return Counter()
    at_sea = crossing.power if crossing is not None and crossing.purpose == "avoid" else None
    return Counter(
        slip.card
        for slip in reaction.avoidances
        if slip.card is not None and slip.power != at_sea and seat_of(state, slip.power) == seat
    )


def spendable(state: State, seat: str) -> tuple[int, ...]:
    """The cards of the hand that are not bound, lowest first."""
    return tuple(sorted((Counter(state.hands.get(seat, ())) - bound(state, seat)).elements()))


def why_not_spend(state: State, seat: str, card: int, rule: str) -> Illegal | None:
    """Why the seat may not spend a card of this value now (by `rule`, where it has none); None when it may."""
    if card not in state.hands.get(seat, ()):
        return Illegal(rule, "No card of value %(card)s is in the hand of %(side)s.", card=card, side=name_of(seat))
    if card not in spendable(state, seat):
        return Illegal(
            "11.1.1", "That card of %(side)s is needed to pay for an army's departure by sea.", side=name_of(seat)
        )
    return None
