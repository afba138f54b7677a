"""round The battle round: attack or withdraw, match or lose, the counter-attack."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import Attack, Cancel, Concede, CounterAttack, Match, Pass, Withdraw
from strategic.hamilcar.rules.battle import attack_prompt
from strategic.hamilcar.rules.losses import casualties, lost_battle, sea_ways, withdrawn
from strategic.hamilcar.state import State
from strategic.hamilcar.survey import as_side, enemy_units, is_enemy_ground, rating
from strategic.hamilcar.tables import BATTLE_CARDS, CHART, Side, enemy
from strategic.interception import attempt
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

Handled = tuple[State, tuple[Event, ...]]
KINDS = tuple(card.id for card in BATTLE_CARDS.values() if not card.wild)


def asked(state: State) -> Side:
    """Whose decision it is."""
    return as_side(state.agenda[-1].seat)


def meanings(card: str) -> tuple[str, ...]:
    """round.2 The kinds for which a battle card can stand: a Reserve for any."""
    return KINDS if BATTLE_CARDS[card].wild else (card,)


def check_card(state: State, side: Side, card: str, kind: str) -> None:
    """round.1 The card is in the hand and can stand for this kind."""
    if card not in state.fighting().hands[side]:
        raise Illegal("round.1", f"there is no {card!r} in this battle hand")
    if kind not in meanings(card):
        raise Illegal("round.2", f"{card!r} cannot stand for {kind!r}")


def played(state: State, side: Side, card: str) -> State:
    """round.1 The card leaves the hand."""
    battle = state.fighting()
    hand = list(battle.hands[side])
    hand.remove(card)
    return replace(state, battle=replace(battle, hands={**battle.hands, side: tuple(hand)}))


def attack(state: State, command: Attack, dice: Dice) -> Handled:
    """round.1 The attacker of this round plays a card."""
    side = asked(state)
    check_card(state, side, command.card, command.as_kind)
    state = played(state.answered(), side, command.card)
    battle = state.fighting()
    battle = replace(battle, played=command.as_kind, rounds=battle.rounds + 1)
    told = event(
        "round.1", "attack", side=side, card=command.card, kind=command.as_kind, round=battle.rounds, reveals=True
    )
    return replace(state, battle=battle).then(Prompt("match", enemy(side), "round.2")), (told,)


def no_card(state: State, dice: Dice) -> Handled:
    """round.6 Without a card the attacker loses."""
    return lost_battle(state.answered(), asked(state), None, "round.6", dice)


def match(state: State, command: Match, dice: Dice) -> Handled:
    """round.2 The same kind; round.3a: a Double Envelopment takes the initiative without a roll."""
    side = asked(state)
    kind = state.fighting().played or ""
    check_card(state, side, command.card, kind)
    state = played(state.answered(), side, command.card)
    told = event("round.2", "matched", side=side, card=command.card, kind=kind, reveals=True)
    battle = replace(state.fighting(), played=None)
    if kind == "double_envelopment":
        state = replace(state, battle=replace(battle, initiative=side))
        return state.then(attack_prompt(state)), (told,)
    return replace(state, battle=battle).then(Prompt("counter_attack", side, "round.3")), (told,)


def concede(state: State, command: Concede, dice: Dice) -> Handled:
    """round.2 Not matched: the battle is lost, on purpose or not."""
    return lost_battle(state.answered(), asked(state), state.fighting().played, "round.2", dice)


def not_matched(state: State, dice: Dice) -> Handled:
    """round.2 An empty hand matches nothing."""
    return lost_battle(state.answered(), asked(state), state.fighting().played, "round.2", dice)


def counter_attack(state: State, command: CounterAttack, dice: Dice) -> Handled:
    """round.4 A die no higher than the battle rating takes the initiative."""
    side = asked(state)
    state, battle = state.answered(), state.fighting()
    good, face = attempt(dice, "round.4", rating(state, battle.commanders[side]), side=side)
    told = event("round.4", "counter_attack", side=side, dice=[face], success=good)
    state = replace(state, battle=replace(battle, initiative=side if good else battle.initiative))
    return state.then(attack_prompt(state)), (told,)


def no_counter(state: State, command: Pass, dice: Dice) -> Handled:
    """round.3 The initiative stays."""
    return counter_over(state, dice)


def counter_over(state: State, dice: Dice) -> Handled:
    """round.4a Without a general there is no counter-attack."""
    state = state.answered()
    return state.then(attack_prompt(state)), ()


# withdrawal


def withdrawals(state: State, side: Side) -> tuple[str, ...]:
    """round.1c Where the side may withdraw: the first attacker where he came from, the defender anywhere but there;
    by road, or by sea (11.9).
    """
    battle = state.fighting()
    near = dict.fromkeys(CHART.neighbours(battle.space, ("road",)))
    back = side == battle.attacker
    roads = (there for there in near if (there == battle.came_from) == back)
    by_land = tuple(
        there for there in roads if not is_enemy_ground(state, side, there) and not enemy_units(state, side, there)
    )
    by_sea = tuple(there for there in sea_ways(state, side) if there not in by_land)
    return () if battle.sortie and back else (*by_land, *by_sea)


def withdraw(state: State, command: Withdraw, dice: Dice) -> Handled:
    """round.1a, 11.9 In place of a card: a die no higher than the battle rating."""
    side, battle = asked(state), state.fighting()
    leader = battle.commanders[side]
    if leader is None or not battle.hands[side]:
        raise Illegal("round.1a", "a withdrawal needs a general, and a battle card left in hand")
    if command.to not in withdrawals(state, side):
        raise Illegal("round.1c", f"the army cannot withdraw to {command.to}")
    good, face = attempt(dice, "round.1a", rating(state, leader), general=leader)
    told = event("round.1a", "withdrawal", side=side, to=command.to, dice=[face], success=good)
    state = state.answered()
    if not good:
        return _failed(state, side), (told,)
    return state.then(Prompt("cancel", enemy(side), "round.1b", {"to": command.to})), (told,)


def _failed(state: State, side: Side) -> State:
    """round.1d The defender attacks in the next round."""
    state = replace(state, battle=replace(state.fighting(), initiative=enemy(side)))
    return state.then(attack_prompt(state))


def cancel(state: State, command: Cancel, dice: Dice) -> Handled:
    """round.1b A die no higher than the battle rating stops it."""
    side, to = asked(state), state.agenda[-1].about["to"]
    good, face = attempt(dice, "round.1b", rating(state, state.fighting().commanders[side]), side=side)
    told = event("round.1b", "withdrawal_stopped", side=side, dice=[face], success=good)
    state = state.answered()
    if good:
        return _failed(state, enemy(side)), (told,)
    state, more = _go(state, enemy(side), to, dice)
    return state, (told, *more)


def let_go(state: State, command: Pass, dice: Dice) -> Handled:
    """round.1b The other side lets it happen."""
    return cancel_over(state, dice)


def cancel_over(state: State, dice: Dice) -> Handled:
    """round.1b Nobody to stop it."""
    side, to = enemy(asked(state)), state.agenda[-1].about["to"]
    return _go(state.answered(), side, to, dice)


def _go(state: State, side: Side, to: str, dice: Dice) -> Handled:
    state, events = casualties(state, dice)
    state, more = withdrawn(state, side, to)
    return state, (*events, *more)


# offers


def attack_offers(state: State) -> tuple[Offer, ...]:
    """round.1 Each card with what it may stand for; the ways to withdraw."""
    side, battle = asked(state), state.fighting()
    found = [
        Offer("attack", "round.1", {"card": card, "as_kind": list(meanings(card))})
        for card in dict.fromkeys(battle.hands[side])
    ]
    if found and battle.commanders[side] is not None and withdrawals(state, side):
        found.append(Offer("withdraw", "round.1a", {"to": list(withdrawals(state, side))}))
    return tuple(found)


def match_offers(state: State) -> tuple[Offer, ...]:
    """round.2 The cards that match, or losing."""
    side, battle = asked(state), state.fighting()
    hand = dict.fromkeys(battle.hands[side])
    if not hand:
        return ()
    cards = [card for card in hand if (battle.played or "") in meanings(card)]
    found = [Offer("match", "round.2", {"card": cards})] if cards else []
    return (*found, Offer("concede", "round.2"))


def counter_offers(state: State) -> tuple[Offer, ...]:
    """round.3 Roll or not; only with a general (round.4a)."""
    if state.fighting().commanders[asked(state)] is None:
        return ()
    return (Offer("counter_attack", "round.4"), Offer("pass", "round.3"))


def cancel_offers(state: State) -> tuple[Offer, ...]:
    """round.1b Roll or let them go; only with a general."""
    if state.fighting().commanders[asked(state)] is None:
        return ()
    return (Offer("cancel", "round.1b"), Offer("pass", "round.1b"))
