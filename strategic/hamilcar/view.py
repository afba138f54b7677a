"""What a seat may see: everything but the decks, the other side's cards, and cards in battles."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.state import NO_CARD, State
from strategic.point_to_point.state import SIDES, Side
from tactical.kernel.protocol import UMPIRE, Seats, Secret, its_own

UNSEEN = "unseen"


def hand(state: State, stars: tuple[str, ...]) -> Seats:
    """8.2 A card belongs to its holder until the war is over."""
    return None if state.phase == "over" else its_own(state, stars)


def deck(state: State, stars: tuple[str, ...]) -> Seats:
    """8.2 Nobody knows what lies in a deck until the war is over."""
    return None if state.phase == "over" else ()


HIDDEN: tuple[Secret[State], ...] = (
    Secret("deck", deck),
    Secret("hands.*", hand),
    Secret("battle.deck", deck),
    Secret("battle.hands.*", hand),
    Secret("naval.deck", deck),
    Secret("naval.fleets.*.hand", hand),
)


def view(state: State, seat: str) -> State:
    """8.2 The position as this seat may see it; hidden cards are counted, not named. The umpire sees all."""
    if seat == UMPIRE or state.phase == "over":
        return state
    hands: dict[Side, tuple[int, ...]] = {
        side: hand if side == seat else tuple(card if card in state.declared else NO_CARD for card in hand)
        for side, hand in state.hands.items()
    }
    state = replace(state, deck=(NO_CARD,) * len(state.deck), hands=hands)
    if state.battle is not None:
        battle = state.battle
        cards = {side: _of(battle.hands.get(side, ()), side == seat) for side in SIDES if side in battle.hands}
        state = replace(state, battle=replace(battle, deck=_of(battle.deck, False), hands=cards))
    if state.naval is not None:
        naval = state.naval
        fleets = {side: replace(fleet, hand=_of(fleet.hand, side == seat)) for side, fleet in naval.fleets.items()}
        state = replace(state, naval=replace(naval, deck=_deck(naval.deck, state, seat), fleets=fleets))
    return state


def _of(cards: tuple[str, ...], seen: bool) -> tuple[str, ...]:
    return cards if seen else (UNSEEN,) * len(cards)


def _deck(deck: tuple[str, ...], state: State, seat: str) -> tuple[str, ...]:
    """11.7.cards.5 Who chooses a card of the deck by Fair Wind sees which there are, not their order."""
    prompt = state.asks()
    if prompt is not None and prompt.kind == "fair_wind" and prompt.seat == seat:
        return tuple(sorted(deck))
    return _of(deck, False)
