"""Cards leaving a hand, and the moments at which a side may answer with one."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from strategic.hannibal.state import NO_CARD, State
from strategic.hannibal.tables import CARDS
from strategic.point_to_point.tables import Side
from tactical.kernel.protocol import Event, Illegal, event

TRUCE = 64


def ops_of(state: State, card: int) -> int:
    """strategy.ops.2 The operations number of a card (card 32: option card_32_ops)."""
    return state.options.card_32_ops if card == 32 else CARDS[card].ops


def why_not_held(state: State, side: Side, card: int) -> Illegal | None:
    """strategy.4 A side plays cards of its own hand."""
    if card not in CARDS:
        return Illegal("strategy.3", "there is no card %(card)s", card=card)
    if not state.holds(side, card):
        return Illegal("strategy.4", "card %(number)s is not in this hand", number=card)
    return None


def playable_numbers(state: State, side: Side) -> tuple[int, ...]:
    """strategy.4 The cards that a side may play: its hand, or every card not yet seen when hands are not tracked."""
    if NO_CARD in state.hands[side]:
        return tuple(card for card in CARDS if state.holds(side, card))
    return tuple(sorted(set(state.hands[side])))


def spend(state: State, side: Side, card: int, how: str, out: bool = False) -> tuple[State, tuple[Event, ...]]:
    """strategy.4 The card leaves the hand, face up; `out` takes it out of the game. deal.2: Truce marks a reshuffle."""
    state = state.without_card(side, card)
    state = replace(state, removed=(*state.removed, card)) if out else state.discarded(card)
    if card == TRUCE:
        state = state.now(reshuffle=True)
    return state, (event("strategy.4", "card_played", side=side, card=card, how=how, reveals=True),)


def break_truce(state: State, card: int) -> tuple[State, tuple[Event, ...]]:
    """strategy.event.1 Card 64: an event that breaks the truce ends it."""
    if state.lasting.truce and CARDS[card].breaks_truce:
        return state.now(truce=False), (event("strategy.event.1", "truce_broken", card=card),)
    return state, ()


def may_answer(state: State, side: Side, cards: Iterable[int]) -> bool:
    """strategy.event.2 Is this side asked for one of these counter-events?

    With counter_prompts "always" everyone is asked whose hand may hold one as far as the table can know, so that
    the question tells the enemy nothing; with "held" only who holds one.
    """
    own = [card for card in cards if CARDS[card].may_be_event_of(side)]
    if state.options.counter_prompts == "held":
        return any(state.holds(side, card) for card in own)
    seen = {*state.discard, *state.removed}
    return bool(state.hands[side]) and any(card not in seen for card in own)


def answers(state: State, side: Side, cards: Iterable[int]) -> tuple[int, ...]:
    """strategy.event.2 The counter-events among these that the side can play."""
    return tuple(card for card in cards if CARDS[card].may_be_event_of(side) and state.holds(side, card))
