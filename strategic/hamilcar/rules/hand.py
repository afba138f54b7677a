"""Cards leaving a hand, what they show, and the moments at which a side may answer with one."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import Declare
from strategic.hamilcar.state import NO_CARD, Handled, State
from strategic.hamilcar.tables import CARDS, Card
from strategic.point_to_point.tables import Side, as_side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, event, refuse


def card_of(state: State, number: int) -> Card:
    """8.2 What a card shows: as declared at the table, or of the deck."""
    found = state.declared.get(number) or CARDS.get(number)
    if found is None:
        raise Illegal("8.2", "there is no card %(card)s", card=number)
    return found


def check_hand(state: State, side: Side, number: int) -> Card:
    """strategy.4 A side plays cards of its own hand."""
    card = card_of(state, number)
    if number == NO_CARD or number not in state.hands[side]:
        raise Illegal("strategy.4", "card %(number)s is not in this hand", number=number)
    refuse(why_not_opening(state, side, number))
    return card


def why_not_opening(state: State, side: Side, number: int | None = None) -> Illegal | None:
    """7.3 Carthage went first by a campaign card: it plays that one now, for operations or as its event."""
    if side == "carthage" and state.opening is not None and number != state.opening:
        return Illegal(
            "7.3", "Carthage named card %(opening)s in order to go first, and must play it now", opening=state.opening
        )
    return None


def playable(state: State, side: Side) -> tuple[int, ...]:
    """strategy.4 The cards of a hand, each number once; 7.3 only the one by which Carthage went first."""
    if side == "carthage" and state.opening is not None:
        return (state.opening,)
    return tuple(sorted({card for card in state.hands[side] if card != NO_CARD}))


def spend(state: State, side: Side, number: int, how: str) -> Handled:
    """22.2 The card leaves the hand face up, and its printed value counts for the war budget, however it was used."""
    card = card_of(state, number)
    state = state.without_card(side, number)
    declared = {key: value for key, value in state.declared.items() if key != number}
    spent = {**state.spent, side: state.spent[side] + card.ops}
    state = replace(state, discard=(*state.discard, number), spent=spent, declared=declared, opening=None)
    told = event("8.2", "card_played", side=side, card=number, title=card.title, ops=card.ops, how=how, reveals=True)
    return state, (told,)


def declare(state: State, command: Declare, dice: Dice) -> Handled:
    """8.2 Cards on the table: one unseen card of the hand becomes the card that is said."""
    side = command.side
    if state.options.cards != "table":
        raise Illegal("8.2", "the program deals the cards of this game, so none can be declared")
    if NO_CARD not in state.hands[side]:
        raise Illegal("strategy.4", "%(side)s has shown all its cards", side=side)
    if state.declared.get(command.number) is not None or any(command.number in hand for hand in state.hands.values()):
        raise Illegal("8.2", "card %(number)s is already on the table", number=command.number)
    if not 1 <= command.ops <= 3 or not 0 <= command.ships <= 2 or not 0 <= command.campaign <= 3 or command.number < 1:
        raise Illegal(
            "8.2", "a card must have a number, 1 to 3 points and 0 to 2 ships; a campaign card moves up to 3 generals"
        )
    if command.ships and command.ops != 3 and not command.event:
        raise Illegal("8.2.e", "only cards of 3 points can show ships")
    card = Card(
        command.number,
        f"Card {command.number}",
        command.ops,
        "both",
        ships=command.ships,
        campaign=command.campaign,
        use=command.use,
        event=command.event,
    )
    state = state.without_card(side, NO_CARD)
    hands = {**state.hands, side: (*state.hands[side], command.number)}
    state = replace(state, hands=hands, declared={**state.declared, command.number: card})
    return state, (event("8.2", "card_declared", side=side, card=command.number, ops=command.ops),)


def declare_offers(state: State, seat: str) -> tuple[Offer, ...]:
    """8.2 A side with unseen cards says what one of them shows, under a number that is free."""
    side = as_side(seat)
    if NO_CARD not in state.hands[side]:
        return ()
    free = next(n for n in range(1, 200) if not any(n in hand for hand in state.hands.values()))
    fields = {"side": side, "number": free, "ops": {"from": 1, "to": 3}, "ships": 0}
    return (Offer("declare", "8.2", fields),)


def kinds(answer: str) -> tuple[int, ...]:
    """11.6.4 The cards that answer such a moment."""
    return tuple(number for number, card in CARDS.items() if card.answer == answer)


def may_answer(state: State, side: Side, *answers: str) -> bool:
    """strategy.event.2 Is this side asked? Whenever its hand may hold such a card as far as the table can know."""
    if not state.hands[side]:
        return False
    seen = {*state.discard, *state.removed}
    return any(
        number not in seen and CARDS[number].may_be_event_of(side) for answer in answers for number in kinds(answer)
    )


def answers(state: State, side: Side, *kinds_: str) -> tuple[int, ...]:
    """strategy.event.2 The answering cards that the side holds."""
    return tuple(
        number
        for answer in kinds_
        for number in kinds(answer)
        if number in state.hands[side] and CARDS[number].may_be_event_of(side)
    )
