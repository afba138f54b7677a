"""The battle round: attack, match or lose, the counter-attack."""

from __future__ import annotations

from strategic.interception import attempt
from strategic.point_to_point.battle import UNSEEN, attack_prompt, without
from strategic.point_to_point.commands import Attack, Concede, CounterAttack, Match, Pass
from strategic.point_to_point.losses import lose_battle
from strategic.point_to_point.pieces import replace
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, Handled, S
from strategic.point_to_point.survey import side_of_prompt
from strategic.point_to_point.tables import Side, enemy
from strategic.point_to_point.withdrawal import withdrawals
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, refuse


def meanings(state: Campaign, side: Side, card: str) -> tuple[str, ...]:
    """round.2 The kinds for which a card of the battle hand can stand; a Reserve for any."""
    book = book_of(state)
    if book.battle_cards[card].wild:
        return tuple(each.id for each in book.battle_cards.values() if not each.wild)
    return (card, *book.also_means(state, side, card))


def battle_hand(state: Campaign, side: Side) -> tuple[str, ...]:
    """round.1 The kinds in a battle hand; all of them when hands are not tracked."""
    hand = state.fighting().hands[side]
    return tuple(book_of(state).battle_cards) if UNSEEN in hand else tuple(dict.fromkeys(hand))


def why_not_card(state: Campaign, side: Side, card: str, kind: str) -> Illegal | None:
    """round.1 The card is in the hand and can stand for this kind."""
    book = book_of(state)
    others = book.other_cards(state, side)
    if card not in others and (card not in book.battle_cards or card not in battle_hand(state, side)):
        return Illegal("round.1", "this battle hand does not hold %(card)s", card=card)
    if kind not in ((others[card],) if card in others else meanings(state, side, card)):
        return Illegal("round.2", "%(card)s cannot be played as %(kind)s", card=card, kind=kind)
    return None


def play_card(state: S, side: Side, card: str, kind: str) -> Handled[S]:
    """round.1 The card leaves the hand."""
    book = book_of(state)
    if card in book.other_cards(state, side):
        return book.play_other(state, side, card)
    battle = state.fighting()
    hands = {**battle.hands, side: without(battle.hands[side], card)}
    state = replace(state, battle=replace(battle, hands=hands, discard=(*battle.discard, card)))
    return book.after_card(state, side, card, kind), ()


def is_out(state: Campaign, side: Side) -> bool:
    """round.6 No battle card, nor (as far as the table can know) anything that stands for one?"""
    return not state.fighting().hands[side] and not book_of(state).may_hold_other(state, side)


# the attack


def attack_open(state: Campaign) -> bool:
    """round.6 Has the attacker a card to play?"""
    return not is_out(state, side_of_prompt(state))


def attack(state: S, command: Attack, dice: Dice) -> Handled[S]:
    """round.1 The current attacker plays a card."""
    side = side_of_prompt(state)
    refuse(why_not_card(state, side, command.card, command.as_kind))
    state, events = play_card(state.answered(), side, command.card, command.as_kind)
    battle = state.fighting()
    free = command.card in book_of(state).battle_cards
    battle = replace(battle, played=command.as_kind, free_initiative=free, rounds=battle.rounds + 1)
    told = event(
        "round.1", "attack", side=side, card=command.card, kind=command.as_kind, round=battle.rounds, reveals=True
    )
    return replace(state, battle=battle).then(Prompt("match", enemy(side), "round.2")), (*events, told)


def attack_over(state: S, dice: Dice) -> Handled[S]:
    """round.6 Without a card the attacker loses."""
    side = side_of_prompt(state)
    return lose_battle(state.answered(), side, None, "round.6")


def no_card(state: S, command: Concede, dice: Dice) -> Handled[S]:
    """round.6 The attacker whose hand is empty admits that he has nothing else either."""
    side = side_of_prompt(state)
    if state.fighting().hands[side]:
        raise Illegal("round.6", "an attacker with battle cards must play one or withdraw")
    return lose_battle(state.answered(), side, None, "round.6")


def attack_offers(state: Campaign) -> tuple[Offer, ...]:
    """round.1 Each card with what it may stand for; the ways to withdraw."""
    side, battle, book = side_of_prompt(state), state.fighting(), book_of(state)
    offers = []
    if battle.hands[side]:
        for card in battle_hand(state, side):
            offers.append(Offer("attack", "round.1", {"card": card, "as_kind": list(meanings(state, side, card))}))
    for card, kind in book.other_cards(state, side).items():
        offers.append(Offer("attack", "strategy.event.2", {"card": card, "as_kind": kind}))
    if not battle.hands[side]:
        offers.append(Offer("concede", "round.6"))
    elif battle.commanders[side] is not None and withdrawals(state, side):
        offers.append(Offer("withdraw", "round.1a", {"to": list(withdrawals(state, side))}))
    return tuple(offers)


# the match


def match_open(state: Campaign) -> bool:
    """round.2 Has the defender any card that could match?"""
    side, battle, book = side_of_prompt(state), state.fighting(), book_of(state)
    return bool(battle.hands[side]) or (battle.played == book.other_kind and not is_out(state, side))


def match(state: S, command: Match, dice: Dice) -> Handled[S]:
    """round.2 The same kind; round.3a: a Double Envelopment takes the initiative without a roll."""
    side, battle = side_of_prompt(state), state.fighting()
    kind = battle.played or ""
    refuse(why_not_card(state, side, command.card, kind))
    state, events = play_card(state.answered(), side, command.card, kind)
    battle = replace(state.fighting(), played=None)
    told = event("round.2", "matched", side=side, card=command.card, kind=kind, reveals=True)
    if kind == "double_envelopment" and battle.free_initiative:
        state = replace(state, battle=replace(battle, initiative=side))
        return state.then(attack_prompt(state)), (*events, told, event("round.3a", "initiative", side=side))
    state = replace(state, battle=battle)
    return state.then(Prompt("counter_attack", side, "round.3")), (*events, told)


def concede(state: S, command: Concede, dice: Dice) -> Handled[S]:
    """round.2 Not matched: the battle is lost, on purpose or not."""
    return match_over(state, dice)


def match_over(state: S, dice: Dice) -> Handled[S]:
    """round.2 An empty hand matches nothing."""
    side, kind = side_of_prompt(state), state.fighting().played
    return lose_battle(state.answered(), side, kind, "round.2")


def match_offers(state: Campaign) -> tuple[Offer, ...]:
    """round.2 The cards that match, or losing."""
    side, battle, book = side_of_prompt(state), state.fighting(), book_of(state)
    kind = battle.played or ""
    hand = battle_hand(state, side) if battle.hands[side] else ()
    cards = [card for card in hand if kind in meanings(state, side, card)]
    cards += [card for card, stands_for in book.other_cards(state, side).items() if kind == stands_for]
    offers = [Offer("match", "round.2", {"card": cards})] if cards else []
    return (*offers, Offer("concede", "round.2"))


# the counter-attack


def counter_open(state: Campaign) -> bool:
    """round.4a Only with a general."""
    return state.fighting().commanders[side_of_prompt(state)] is not None


def counter_attack(state: S, command: CounterAttack, dice: Dice) -> Handled[S]:
    """round.4 After a success the defender attacks in the next round (round.5).

    No higher than the commander's battle rating; Longus and Paulus have their own.
    """
    side = side_of_prompt(state)
    state = state.answered()
    battle = state.fighting()
    limit = book_of(state).limit(state, battle.commanders[side] or "", "counter_attack", side == battle.attacker)
    good, face = attempt(dice, "round.4", limit, side=side)
    told = event("round.4", "counter_attack", side=side, dice=[face], rating=limit, success=good)
    state = replace(state, battle=replace(battle, initiative=side if good else battle.initiative))
    return state.then(attack_prompt(state)), (told,)


def no_counter(state: S, command: Pass, dice: Dice) -> Handled[S]:
    """round.3 The defender may leave the initiative where it is."""
    return counter_over(state, dice)


def counter_over(state: S, dice: Dice) -> Handled[S]:
    """round.4a Without a general the attacker goes on."""
    state = state.answered()
    return state.then(attack_prompt(state)), ()


def counter_offers(state: Campaign) -> tuple[Offer, ...]:
    """round.3 Roll or not."""
    return (Offer("counter_attack", "round.4"), Offer("pass", "round.3"))
