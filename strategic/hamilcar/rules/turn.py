"""H.turn The order of the turn: what each phase puts on the agenda, and whose card is next."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.rules.displacement import leave_board
from strategic.hamilcar.rules.hand import card_of, check_hand, playable
from strategic.hamilcar.rules.survey import BARCA, XANTHIPPUS
from strategic.hamilcar.rules.troops import General
from strategic.hamilcar.state import NO_CARD, Handled, State
from strategic.hamilcar.tables import CARDS
from strategic.point_to_point.commands import FirstPlayer, OpenCampaign, Pass
from strategic.point_to_point.tables import SIDES, Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event


def reinforcements(state: State, dice: Dice) -> Handled:
    """6, H.turn Carthage, then Rome, then the consuls and their reforms; left out on turn 1."""
    state = replace(state, phase="deal")
    if state.turn <= 1:
        return state, ()
    return state.then(
        Prompt("carthage_due", "", "6.1"),
        Prompt("generals_leave", "", "6.1.1.b"),
        Prompt("rome_due", "", "6.2"),
        Prompt("proconsul", "rome", "6.4"),
        Prompt("consuls", "", "6.4.a"),
    ), (event("6", "reinforcements", turn=state.turn),)


def deck_of(state: State) -> tuple[int, ...]:
    """2.2, 26.12 The cards of the deck; the allies card joins it by an option."""
    return tuple(number for number, card in CARDS.items() if not card.optional or state.options.more_allies)


def deal(state: State, dice: Dice) -> Handled:
    """deal.1 Each side gets the turn's cards; when they run out the discards are shuffled in."""
    count = state.tables.turns.cards[state.turn - 1]
    state = replace(state, phase="first")
    if state.options.cards == "table":
        hands: dict[Side, tuple[int, ...]] = {side: (*state.hands[side], *[NO_CARD] * count) for side in SIDES}
        return replace(state, hands=hands), (event("deal.1", "dealt", cards=count),)
    deck, discard = state.deck, state.discard
    if len(deck) < count * 2:
        deck, discard = dice.shuffled((*deck, *discard)), ()
    hands = {
        "rome": (*state.hands["rome"], *deck[:count]),
        "carthage": (*state.hands["carthage"], *deck[count : 2 * count]),
    }
    state = replace(state, deck=deck[2 * count :], discard=discard, hands=hands)
    return state, (event("deal.1", "dealt", cards=count, reveals=True),)


def first(state: State, dice: Dice) -> Handled:
    """7.3 Carthage may open with a campaign card; else Rome says who plays first."""
    state = replace(state, phase="strategy")
    return state.then(Prompt("open", "carthage", "7.3"), Prompt("first_player", "rome", "7.3")), ()


def opens(state: State, command: OpenCampaign, dice: Dice) -> Handled:
    """7.3 Carthage opens with a campaign card and so plays first; then it must play it, in any way that it may be."""
    card = check_hand(state, "carthage", command.card)
    if not card.campaign:
        raise Illegal("7.3", "card %(card)s is not a campaign card", card=command.card)
    state = replace(state.answered().answered(), first="carthage", active="carthage", opening=command.card)
    return state, (event("7.3", "first_player", side="carthage", card=command.card, reveals=True),)


def not_open(state: State, command: Pass, dice: Dice) -> Handled:
    """7.3 Carthage does not."""
    return state.answered(), ()


def open_offers(state: State) -> tuple[Offer, ...]:
    """7.3 Its campaign cards; asked whatever it holds, so that nothing shows."""
    cards = [number for number in playable(state, "carthage") if card_of(state, number).campaign]
    return (*(Offer("open", "7.3", {"card": card}) for card in cards), Offer("pass", "7.3"))


def first_player(state: State, command: FirstPlayer, dice: Dice) -> Handled:
    """7.3 Rome's choice."""
    state = replace(state.answered(), first=command.side, active=command.side)
    return state, (event("7.3", "first_player", side=command.side),)


def first_offers(state: State) -> tuple[Offer, ...]:
    """7.3 Either side."""
    return (Offer("first_player", "7.3", {"side": list(SIDES)}),)


def strategy(state: State, dice: Dice) -> Handled:
    """strategy.4 Cards are played by turns until both hands are empty; who has none left is passed over."""
    assert state.active is not None
    for side in (state.active, enemy(state.active)):
        if state.hands[side]:
            return replace(state, active=side).then(Prompt("impulse", side, "8.2")), ()
    return replace(state, phase="winter", active=None), (event("strategy.4", "strategy_over", turn=state.turn),)


def impulse_over(state: State) -> State:
    """strategy.4 The next impulse is the other side's."""
    assert state.active is not None
    return replace(state, active=enemy(state.active), play=None, march=None, voyage=None)


def next_turn(state: State, dice: Dice) -> Handled:
    """4 The marker goes on; what is counted by the turn starts again. 26.15 Xanthippus' contract (26.15.example)."""
    events: tuple[Event, ...] = ()
    contract = state.options.extended_contract and state.xanthippus_came and state.turn > state.xanthippus_came
    if contract and state.generals[XANTHIPPUS].status == "board":
        state = leave_board(state, XANTHIPPUS)
        events = (event("26.15", "contract_over", general=XANTHIPPUS),)
    state = replace(
        state,
        turn=state.turn + 1,
        phase="reinforcements",
        spent={"rome": 0, "carthage": 0},
        lost_ships=0,
        seamanship_fell=False,
        first=None,
        active=None,
        opening=None,
    )
    if state.turn == state.tables.turns.barca and state.generals[BARCA].status == "mercenary":
        state = state.with_general(BARCA, General("track"))  # 6.1.3.b he arrives this turn
    return state, (*events, event("4", "turn", turn=state.turn))
