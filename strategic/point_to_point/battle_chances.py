"""battle.6 Who wins a battle by cards that has not begun, at what chance: the rules' own rounds, played out many times.

No secret goes into it: both hands are dealt from the whole deck, as they will be. What is assumed: each side plays the
card that it holds most of, matches whenever it can and rolls for the initiative; nobody withdraws, no elephants charge,
no event is played.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from strategic.point_to_point.battle import deal_battle
from strategic.point_to_point.commands import Attack, CounterAttack, Match
from strategic.point_to_point.rounds import (
    attack,
    attack_over,
    counter_attack,
    counter_open,
    counter_over,
    match,
    match_over,
    meanings,
)
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign
from strategic.point_to_point.tables import Side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Prompt

BATTLES = 300  # played out for each answer: the share is within three of a hundred in two cases of three


def attackers_share(meeting: Campaign, dice: Dice) -> float | None:
    """The attacker's share of battles won, between 0 and 1; None where battle cards are not dealt by the program.

    `meeting` is a position with a battle whose cards have not been dealt; `dice` are thrown and draw for all battles.
    """
    if book_of(meeting).no_deal(meeting):
        return None
    attacker = meeting.fighting().attacker
    return sum(winner_of(meeting, dice) == attacker for _battle in range(BATTLES)) / BATTLES


def winner_of(meeting: Campaign, dice: Dice) -> Side | None:
    """Who wins the battle, dealt and fought out once."""
    state: Any = meeting.then(Prompt("deal_battle", "", "battle.5"))
    state, _told = deal_battle(state, dice)
    while state.fighting().winner is None:
        state = next_act(state, dice)
    winner: Side | None = state.fighting().winner
    return winner


def next_act(state: Any, dice: Dice) -> Any:
    """The position after what the side that is asked does."""
    prompt = state.agenda[-1]
    hand, kind = state.fighting().hands[prompt.seat], state.fighting().played or ""
    if prompt.kind == "counter_attack":
        does = counter_attack(state, CounterAttack(), dice) if counter_open(state) else counter_over(state, dice)
    elif prompt.kind == "attack":
        card = commonest_kind(state, hand)
        does = (
            attack(state, Attack(card, meanings(state, prompt.seat, card)[0]), dice)
            if card
            else attack_over(state, dice)
        )
    else:
        fitting = [card for card in hand if kind in meanings(state, prompt.seat, card)]
        card = kind if kind in fitting else fitting[0] if fitting else ""
        does = match(state, Match(card), dice) if card else match_over(state, dice)
    return does[0]


def commonest_kind(state: Any, hand: tuple[str, ...]) -> str:
    """The kind of which most are held, cards that stand for any kind last; empty for an empty hand."""
    cards, held = book_of(state).battle_cards, Counter(hand)
    return max(held, key=lambda card: (not cards[card].wild, held[card]), default="")
