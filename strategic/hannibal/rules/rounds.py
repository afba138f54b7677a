"""The battle round: attack or withdraw, match or lose, the counter-attack."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.commands import (
    Attack,
    BattleEvent,
    Cancel,
    Concede,
    CounterAttack,
    Match,
    Pass,
    Withdraw,
)
from strategic.hannibal.rules.battle import (
    ALLY_DESERTS,
    MAHARBAL,
    attack_prompt,
    desert,
    within,
    without,
)
from strategic.hannibal.rules.displacement import lose_train, train_among
from strategic.hannibal.rules.hand import answers, break_truce, may_answer, spend
from strategic.hannibal.rules.losses import casualties, lost_battle
from strategic.hannibal.rules.operations import seat_side
from strategic.hannibal.state import UNSEEN, Battle, State
from strategic.hannibal.survey import enemy_units, is_enemy_ground, keeps_to, may_units_enter, rating
from strategic.hannibal.tables import BATTLE_CARDS, CHART, LEADERS, Side, enemy, room
from strategic.interception import attempt
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

ROADS = ("road",)
CAVALRY = "maharbal"
PROBE_AS = ("flank_left", "flank_right", "double_envelopment")
KINDS = tuple(card.id for card in BATTLE_CARDS.values() if not card.wild)


def has_probe(state: State, side: Side) -> bool:
    """movement.command.6 May the commander (Hannibal) still play a Probe as another card in this battle?"""
    battle = state.fighting()
    leader = battle.commanders[side]
    return leader is not None and LEADERS[leader].probe_as_other and not battle.probe_used


def meanings(state: State, side: Side, card: str) -> tuple[str, ...]:
    """round.2 The kinds for which a card of the battle hand can stand."""
    if BATTLE_CARDS[card].wild:
        return KINDS
    return (card, *PROBE_AS) if card == "probe" and has_probe(state, side) else (card,)


def battle_hand(state: State, side: Side) -> tuple[str, ...]:
    """round.1 The kinds in a battle hand; all of them when hands are not tracked."""
    hand = state.fighting().hands[side]
    return tuple(BATTLE_CARDS) if UNSEEN in hand else tuple(dict.fromkeys(hand))


def check_card(state: State, side: Side, card: str, kind: str) -> None:
    """round.1 The card is in the hand and can stand for this kind."""
    if card == CAVALRY:
        if MAHARBAL not in answers(state, side, (MAHARBAL,)):
            raise Illegal("strategy.event.2", "Maharbal's cavalry (card 6) is not in this hand")
        if kind != "double_envelopment":
            raise Illegal("strategy.event.2", "Maharbal's cavalry stands for a Double Envelopment")
        return
    if card not in BATTLE_CARDS or card not in battle_hand(state, side):
        raise Illegal("round.1", f"there is no '{card}' in this battle hand")
    if kind not in meanings(state, side, card):
        raise Illegal("round.2", f"'{card}' cannot stand for '{kind}'")


def played(state: State, side: Side, card: str, kind: str) -> tuple[State, tuple[Event, ...]]:
    """round.1 The card leaves the hand."""
    if card == CAVALRY:
        return spend(state, side, MAHARBAL, "battle")
    battle = state.fighting()
    hand = without(battle.hands[side], card)
    probe_used = battle.probe_used or (card == "probe" and kind != "probe")
    battle = replace(
        battle,
        hands={**battle.hands, side: hand},
        discard=(*battle.discard, card),
        probe_used=probe_used,
        shown={**battle.shown, side: within(battle.shown[side], hand)},
    )
    return replace(state, battle=battle), ()


def is_out(state: State, side: Side) -> bool:
    """round.6 No battle card, and (as far as the table can know) no cavalry in hand either."""
    return not state.fighting().hands[side] and not may_answer(state, side, (MAHARBAL,))


def attack(state: State, command: Attack, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.1 The current attacker plays a card."""
    side = seat_side(state)
    check_card(state, side, command.card, command.as_kind)
    state, events = played(state.answered(), side, command.card, command.as_kind)
    battle = state.fighting()
    free = command.card != CAVALRY
    battle = replace(battle, played=command.as_kind, free_initiative=free, rounds=battle.rounds + 1)
    told = event(
        "round.1", "attack", side=side, card=command.card, kind=command.as_kind, round=battle.rounds, reveals=True
    )
    return replace(state, battle=battle).then(Prompt("match", enemy(side), "round.2")), (*events, told)


def attack_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.6 Without a card the attacker loses."""
    side = seat_side(state)
    return lost_battle(state.answered(), side, None, "round.6")


def no_card(state: State, command: Concede, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.6 The attacker whose hand is empty admits that he has no cavalry either."""
    side = seat_side(state)
    if state.fighting().hands[side]:
        raise Illegal("round.6", "an attacker with battle cards plays one or withdraws")
    return lost_battle(state.answered(), side, None, "round.6")


def match(state: State, command: Match, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.2 The same kind; round.3a: a Double Envelopment takes the initiative without a roll."""
    side, battle = seat_side(state), state.fighting()
    kind = battle.played or ""
    check_card(state, side, command.card, kind)
    state, events = played(state.answered(), side, command.card, kind)
    battle = replace(state.fighting(), played=None)
    told = event("round.2", "matched", side=side, card=command.card, kind=kind, reveals=True)
    free = kind == "double_envelopment" and battle.free_initiative
    if free:
        state = replace(state, battle=replace(battle, initiative=side))
        return state.then(attack_prompt(state)), (*events, told, event("round.3a", "initiative", side=side))
    state = replace(state, battle=battle)
    return state.then(Prompt("counter_attack", side, "round.3")), (*events, told)


def concede(state: State, command: Concede, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.2 Not matched: the battle is lost, on purpose or not."""
    side = seat_side(state)
    return lost_battle(state.answered(), side, state.fighting().played, "round.2")


def match_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.2 An empty hand matches nothing."""
    return lost_battle(state.answered(), seat_side(state), state.fighting().played, "round.2")


def counter_limit(battle: Battle, side: Side) -> int:
    """round.4 The commander's battle rating; Longus and Paulus have their own."""
    leader = battle.commanders[side]
    if leader is None:
        return 0
    record = LEADERS[leader]
    own = record.counter_as_attacker if side == battle.attacker else record.counter_as_defender
    return own or rating(leader)


def counter_open(state: State) -> bool:
    """round.4a Only with a general."""
    return state.fighting().commanders[seat_side(state)] is not None


def counter_attack(state: State, command: CounterAttack, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.4 After a success the defender attacks in the next round (round.5)."""
    side = seat_side(state)
    state = state.answered()
    battle = state.fighting()
    limit = counter_limit(battle, side)
    good, face = attempt(dice, "round.4", limit, side=side)
    told = event("round.4", "counter_attack", side=side, dice=[face], rating=limit, success=good)
    state = replace(state, battle=replace(battle, initiative=side if good else battle.initiative))
    return state.then(attack_prompt(state)), (told,)


def no_counter(state: State, command: Pass, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.3 The defender may leave the initiative where it is."""
    return counter_over(state, dice)


def counter_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.4a Without a general the attacker goes on."""
    state = state.answered()
    return state.then(attack_prompt(state)), ()


# deserters in mid-battle


def round_event(state: State, command: BattleEvent, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.event.2 Card 59 may also be played during the battle."""
    side = seat_side(state)
    if command.card not in answers(state, side, (ALLY_DESERTS,)):
        raise Illegal("battle.2", f"card {command.card} cannot be played during a battle by this side")
    state, events = spend(state, side, command.card, "battle")
    state, more = break_truce(state, command.card)
    state, last = desert(state, side, dice)
    return state, (*events, *more, *last)


# withdrawal


def withdrawals(state: State, side: Side) -> tuple[str, ...]:
    """round.1c Where the side may withdraw: a sortie into its city (round.1c.5), the original attacker where he came
    from (round.1c.3), the defender anywhere near but there (round.1c.4); by road only (round.1c.2).
    """
    battle = state.fighting()
    place = state.spaces[battle.space]
    size = place.outside(side).size
    if side == battle.attacker and battle.sortie:
        return ("city",) if place.inside.size + size <= room(battle.space) else ()
    near = dict.fromkeys(CHART.neighbours(battle.space, ROADS))
    if side == battle.attacker:
        ways = [there for there in near if there == battle.came_from]
    else:
        ways = [there for there in near if there != battle.came_from]
    return tuple(there for there in ways if may_withdraw(state, side, there))


def may_withdraw(state: State, side: Side, there: str) -> bool:
    """round.1c.1 Not onto enemy PCs, CUs or tribes that are no friends."""
    battle = state.fighting()
    return (
        not is_enemy_ground(state, side, there)
        and not enemy_units(state, side, there)
        and all(keeps_to(name, there) for name in battle.generals[side])
        and may_units_enter(state, side, battle.space, there)
    )


def check_withdraw(state: State, side: Side, to: str) -> None:
    """round.1a A general must lead it, and there must be a way."""
    battle = state.fighting()
    if battle.commanders[side] is None:
        raise Illegal("round.1a", "without a general an army cannot withdraw")
    if not battle.hands[side]:
        raise Illegal("round.6", "without a battle card the attacker has lost (withdrawal.1)")
    if to not in withdrawals(state, side):
        raise Illegal("round.1c.1", f"the army cannot withdraw to {to}")


def withdraw(state: State, command: Withdraw, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.1a, withdrawal.1 In place of a card: a die no higher than the battle rating."""
    side, battle = seat_side(state), state.fighting()
    check_withdraw(state, side, command.to)
    leader = battle.commanders[side]
    good, face = attempt(dice, "round.1a", rating(leader), general=leader or "")
    told = event("round.1a", "withdrawal", side=side, to=command.to, dice=[face], rating=rating(leader), success=good)
    state = state.answered()
    if not good:
        return failed_withdrawal(state, side, cancelled=False), (told,)
    return state.then(Prompt("cancel", enemy(side), "round.1b", {"to": command.to})), (told,)


def failed_withdrawal(state: State, side: Side, cancelled: bool) -> State:
    """round.1d The defender attacks in the next round; withdrawal.2: a cancelled try is a failed one
    (reading.1: the condensed rules stand above the tables, which would let the defender choose).

    Option cancelled_withdrawal "defender_chooses": the defender may leave the attack to the other.
    """
    other = enemy(side)
    state = replace(state, battle=replace(state.fighting(), initiative=other))
    if state.options.cancelled_withdrawal == "defender_chooses":
        return state.then(Prompt("take_initiative", other, "withdrawal.2"))
    return state.then(attack_prompt(state))


def cancel_limit(state: State, side: Side) -> int:
    """round.1b The battle rating; Flaminius stops a withdrawal on 1-4."""
    leader = state.fighting().commanders[side]
    return (LEADERS[leader].pursue if leader else 0) or rating(leader)


def cancel_open(state: State) -> bool:
    """round.1b Only a general stops a withdrawal."""
    return state.fighting().commanders[seat_side(state)] is not None


def cancel(state: State, command: Cancel, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.1b A die no higher than the battle rating cancels it."""
    side, to = seat_side(state), state.agenda[-1].about["to"]
    limit = cancel_limit(state, side)
    good, face = attempt(dice, "round.1b", limit, side=side)
    told = event("round.1b", "withdrawal_stopped", side=side, dice=[face], rating=limit, success=good)
    state = state.answered()
    if good:
        return failed_withdrawal(state, enemy(side), cancelled=True), (told,)
    state, events = withdrawn(state, enemy(side), to, dice)
    return state, (told, *events)


def let_go(state: State, command: Pass, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.1b The defender lets it happen."""
    return cancel_over(state, dice)


def cancel_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.1b Nobody to stop it."""
    side, to = enemy(seat_side(state)), state.agenda[-1].about["to"]
    return withdrawn(state.answered(), side, to, dice)


def withdrawn(state: State, side: Side, to: str, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """round.1c, round.1c.6 Casualties for both, then the army is gone; withdrawal.3: no retreat table."""
    state, events = casualties(state, dice)
    battle = state.fighting()
    force = state.spaces[battle.space].outside(side)
    names = battle.generals[side]
    if to == "city":
        state = state.enter_walls(battle.space, side, force).move_generals(names, battle.space, inside=True)
    else:
        place = state.spaces[battle.space]
        state = state.with_place(battle.space, place.with_outside(side, place.outside(side).minus(force)))
        state = state.add(to, side, force).move_generals(names, to)
    if train_among(state, names) and not state.options.siege_train_survives:
        state, more = lose_train(state)
        events += more
    told = event("round.1c", "withdrew", side=side, to=to, units=force.size)
    return state.then(Prompt("battle_over", "", "round.7")), (*events, told)


def take_initiative(state: State, command: CounterAttack, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """withdrawal.2 The defender attacks."""
    state = state.answered()
    return state.then(attack_prompt(state)), ()


def leave_initiative(state: State, command: Pass, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """withdrawal.2 The defender leaves the attack to the other."""
    side = seat_side(state)
    state = replace(state.answered(), battle=replace(state.fighting(), initiative=enemy(side)))
    return state.then(attack_prompt(state)), ()


# offers


def attack_offers(state: State) -> tuple[Offer, ...]:
    """round.1 Each card with what it may stand for; the ways to withdraw; deserters."""
    side, battle = seat_side(state), state.fighting()
    offers = []
    if battle.hands[side]:
        for card in battle_hand(state, side):
            fields = {"card": card, "as_kind": list(meanings(state, side, card))}
            offers.append(Offer("attack", "round.1", fields))
    if answers(state, side, (MAHARBAL,)):
        offers.append(Offer("attack", "strategy.event.2", {"card": CAVALRY, "as_kind": "double_envelopment"}))
    if not battle.hands[side]:
        offers.append(Offer("concede", "round.6"))
    elif battle.commanders[side] is not None and withdrawals(state, side):
        offers.append(Offer("withdraw", "round.1a", {"to": list(withdrawals(state, side))}))
    return (*offers, *_deserter_offers(state, side))


def match_offers(state: State) -> tuple[Offer, ...]:
    """round.2 The cards that match, or losing."""
    side, battle = seat_side(state), state.fighting()
    kind = battle.played or ""
    hand = battle_hand(state, side) if battle.hands[side] else ()
    cards = [card for card in hand if kind in meanings(state, side, card)]
    if kind == "double_envelopment" and answers(state, side, (MAHARBAL,)):
        cards.append(CAVALRY)
    offers = [Offer("match", "round.2", {"card": cards})] if cards else []
    return (*offers, Offer("concede", "round.2"), *_deserter_offers(state, side))


def _deserter_offers(state: State, side: Side) -> tuple[Offer, ...]:
    cards = answers(state, side, (ALLY_DESERTS,))
    return (Offer("battle_event", "battle.2", {"card": list(cards)}),) if cards else ()


def counter_offers(state: State) -> tuple[Offer, ...]:
    """round.3 Roll or not."""
    return (Offer("counter_attack", "round.4"), Offer("pass", "round.3"))


def cancel_offers(state: State) -> tuple[Offer, ...]:
    """round.1b Roll or let them go."""
    return (Offer("cancel", "round.1b"), Offer("pass", "round.1b"))
