"""The deal, who goes first, and whose card is next."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.hand import playable_numbers, why_not_held
from strategic.hannibal.state import NO_CARD, State
from strategic.hannibal.tables import CARDS, TABLES
from strategic.point_to_point.commands import FirstPlayer, OpenCampaign, Pass
from strategic.point_to_point.tables import SIDES, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, refuse


def reshuffle(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """deal.2 The discards go back into the deck; cards 57 and 58 end with it."""
    deck = () if state.options.cards_on_table else dice.shuffled((*state.deck, *state.discard))
    state = replace(state.now(reshuffle=False, hanno_counsels=False, cato_counsels=False), deck=deck, discard=())
    return state, (event("deal.2", "reshuffled", cards=len(deck)),)


def unseen(state: State) -> int:
    """deal.2 How many cards are left to deal."""
    if state.options.cards_on_table:
        return len(CARDS) - len(state.discard) - len(state.removed)
    return len(state.deck)


def deal(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """deal.1 Each side gets its cards. deal.2: reshuffle first when they do not suffice, or after Truce."""
    each = state.tables.turns.cards[min(state.turn, TABLES.turns.last) - 1]
    events: tuple[Event, ...] = ()
    if unseen(state) < 2 * each or state.lasting.reshuffle:
        state, events = reshuffle(state, dice)
    if state.options.cards_on_table:
        state = replace(state, hands={side: (NO_CARD,) * each for side in SIDES})
    else:
        state = replace(
            state,
            hands={"rome": state.deck[0 : 2 * each : 2], "carthage": state.deck[1 : 2 * each : 2]},
            deck=state.deck[2 * each :],
        )
        for side in SIDES:
            events += (event("deal.1", "hand", only=(side,), reveals=True, side=side, cards=list(state.hands[side])),)
    events += (event("deal.1", "dealt", turn=state.turn, cards=each, reveals=True),)
    return replace(state, phase="first").then(Prompt("open", "rome", "strategy.1")), events


def why_not_opening(state: State, card: int) -> Illegal | None:
    """strategy.1 Only a campaign card lets Rome go first."""
    if (wrong := why_not_held(state, "rome", card)) is not None:
        return wrong
    if not CARDS[card].campaign:
        return Illegal("strategy.1", "card %(card)s is not a campaign card", card=card)
    return None


def open_(state: State, command: OpenCampaign, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.1 Rome goes first with a campaign card, which must then be its first play."""
    refuse(why_not_opening(state, command.card))
    state = replace(state.answered(), first="rome", opening=command.card)
    return state, (event("strategy.1", "rome_opened", card=command.card, reveals=True),)


def leave_it(state: State, command: Pass, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.2 Rome does not open: Carthage decides."""
    state = state.answered().then(Prompt("who_first", "carthage", "strategy.2"))
    return state, (event("strategy.2", "carthage_decided"),)


def first_player(state: State, command: FirstPlayer, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.2 Carthage names the side that plays first."""
    state = replace(state.answered(), first=command.side)
    return state, (event("strategy.2", "first_player", side=command.side),)


def first_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """sequence.3 The strategy phase begins."""
    return replace(state, phase="strategy", active=None), ()


def next_card(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.4 The sides alternate; who has no card left is passed over; with no cards left winter comes."""
    if not any(state.hands[side] for side in SIDES):
        return replace(state, phase="winter", active=None, opening=None), ()
    wanted = enemy(state.active) if state.active else (state.first or "carthage")
    side = wanted if state.hands[wanted] else enemy(wanted)
    return replace(state, active=side).then(Prompt("card", side, "strategy.4")), ()


def open_offers(state: State) -> tuple[Offer, ...]:
    """strategy.1 Rome's campaign cards, or leaving it to Carthage."""
    campaigns = [card for card in playable_numbers(state, "rome") if CARDS[card].campaign]
    offers = (Offer("open", "strategy.1", {"card": campaigns}),) if campaigns else ()
    return (*offers, Offer("pass", "strategy.2"))


def first_offers(state: State) -> tuple[Offer, ...]:
    """strategy.2 Either side."""
    return (Offer("first_player", "strategy.2", {"side": list(SIDES)}),)
