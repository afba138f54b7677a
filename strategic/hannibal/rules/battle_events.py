"""Cards played in a battle: spies, deserters, unfaithful allies, Maharbal's cavalry; and Hannibal's own Probe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from strategic.hannibal.commands import BattleEvent
from strategic.hannibal.rules.cards import answers, break_truce, may_answer, spend
from strategic.hannibal.rules.survey import region_of
from strategic.hannibal.state import Handled, State
from strategic.hannibal.tables import LEADERS, PROVINCES
from strategic.point_to_point.battle import (
    ATTACK,
    MATCH,
    UNSEEN,
    counter_choices,
    leave_initiative,
    take_initiative,
    without,
)
from strategic.point_to_point.commands import CounterAttack, Pass
from strategic.point_to_point.rulebook import also, always, box
from strategic.point_to_point.state import Side, enemy
from strategic.point_to_point.survey import side_of_prompt
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, offer

SPY, SPANISH_DESERT, NUMIDIANS_DESERT, ALLY_DESERTS, MAHARBAL, FRIGHT = 20, 31, 32, 59, 6, 42
NUMIDIAS = ("eastern_numidia", "western_numidia")
CAVALRY = "maharbal"
CAVALRY_AS = "double_envelopment"
PROBE_AS = ("flank_left", "flank_right", "double_envelopment")


def prompts(state: State) -> tuple[Prompt, ...]:
    """battle.2, battle.3 The attacker, then the defender, may play battle events."""
    battle = state.fighting()
    return (
        Prompt("battle_events", battle.attacker, "battle.2"),
        Prompt("battle_events", battle.defender, "battle.3"),
    )


def battle_cards(state: State) -> tuple[int, ...]:
    """battle.2 The battle events that this battle knows."""
    region = region_of(state.fighting().space)
    spanish = (SPANISH_DESERT,) if region == "iberia" else ()
    numidian = (NUMIDIANS_DESERT,) if region == "africa" else ()
    return (SPY, *spanish, *numidian, ALLY_DESERTS)


def battle_event(state: State, command: BattleEvent, dice: Dice) -> Handled:
    """battle.2 Before the cards: spies, deserters and unfaithful allies take effect at the deal."""
    side = side_of_prompt(state)
    if command.card not in answers(state, side, battle_cards(state)):
        raise Illegal("battle.2", "card %(card)s is not a battle event that this side can play now", card=command.card)
    state, events = spend(state, side, command.card, "battle")
    state, more = break_truce(state, command.card)
    battle, other = state.fighting(), enemy(side)
    if command.card == SPY:
        battle = replace(battle, spies=(*battle.spies, side))
    elif command.card == ALLY_DESERTS:
        battle = replace(battle, deserters=(*battle.deserters, side))
    else:
        spanish = tuple(p.id for p in PROVINCES.values() if p.region == "iberia")
        gone = spanish if command.card == SPANISH_DESERT else NUMIDIAS
        battle = replace(battle, no_allies={**battle.no_allies, other: (*battle.no_allies[other], *gone)})
    return replace(state, battle=battle), (*events, *more)


def events_choices(state: State) -> Iterator[Offer]:
    """battle.2 What the hand has, or nothing, where the side is asked."""
    side, cards, rule = side_of_prompt(state), battle_cards(state), state.agenda[-1].rule
    if may_answer(state, side, cards):
        yield from offer("battle_event", rule, card=answers(state, side, cards))
        yield Offer("pass", rule)


def after_deal(state: State, dice: Dice) -> Handled:
    """strategy.event.2 Deserters, then spies, take effect when the hands are dealt."""
    events: tuple[Event, ...] = ()
    battle = state.fighting()
    for side in battle.deserters:
        state, more = desert(state, side, dice)
        events += more
    for side in battle.spies:
        state, more = spy_on(state, side, dice)
        events += more
    return state, events


def desert(state: State, side: Side, dice: Dice) -> Handled:
    """strategy.event.2 Card 59: a random card of the enemy's battle hand changes hands."""
    battle, other = state.fighting(), enemy(side)
    hand = battle.hands[other]
    if not hand:
        return state, ()
    card = hand[dice.draw(len(hand))] if hand[0] != UNSEEN else UNSEEN
    hands = {**battle.hands, other: without(hand, card), side: (*battle.hands[side], card)}
    shown = {**battle.shown, other: within(battle.shown[other], hands[other])}
    state = replace(state, battle=replace(battle, hands=hands, shown=shown))
    return state, (event("strategy.event.2", "ally_deserted", side=side, card_number=ALLY_DESERTS, reveals=True),)


def spy_on(state: State, side: Side, dice: Dice) -> Handled:
    """strategy.event.2 Card 20: half of the enemy's cards, drawn at random, lie open from now on."""
    battle, other = state.fighting(), enemy(side)
    hand = battle.hands[other]
    if not hand or hand[0] == UNSEEN:
        return state, (event("strategy.event.2", "spied", side=side, cards=len(hand) // 2, by_hand=True),)
    seen = tuple(sorted(dice.shuffled(hand)[: len(hand) // 2]))
    state = replace(state, battle=replace(battle, shown={**battle.shown, other: seen}))
    return state, (event("strategy.event.2", "spied", side=side, open=list(seen), reveals=True),)


def within(shown: tuple[str, ...], hand: tuple[str, ...]) -> tuple[str, ...]:
    """strategy.event.2 The open cards that are still in the hand."""
    kept: list[str] = []
    for card in shown:
        if kept.count(card) < hand.count(card):
            kept.append(card)
    return tuple(kept)


# in the rounds


def probe_as(state: State, side: Side, card: str) -> tuple[str, ...]:
    """movement.command.6 Once in a battle the commander (Hannibal) may play a Probe as another card."""
    battle = state.fighting()
    leader = battle.commanders[side]
    able = leader is not None and LEADERS[leader].probe_as_other and not battle.probe_used
    return PROBE_AS if card == "probe" and able else ()


def after_card(state: State, side: Side, card: str, kind: str) -> State:
    """movement.command.6, strategy.event.2 Hannibal's Probe is used; what a spy saw and is played lies open no more."""
    battle = state.fighting()
    used = battle.probe_used or (card == "probe" and kind != "probe")
    shown = {**battle.shown, side: within(battle.shown[side], battle.hands[side])}
    return replace(state, battle=replace(battle, probe_used=used, shown=shown))


def cavalry(state: State, side: Side) -> Mapping[str, str]:
    """strategy.event.2 Card 6, Maharbal's cavalry, stands for a Double Envelopment."""
    return {CAVALRY: CAVALRY_AS} if answers(state, side, (MAHARBAL,)) else {}


def may_hold_cavalry(state: State, side: Side) -> bool:
    """strategy.event.2 May this side hold Maharbal's cavalry, as far as the table can know?"""
    return may_answer(state, side, (MAHARBAL,))


def may_win_deserters(state: State, side: Side) -> bool:
    """strategy.event.2 May this side hold card 59, as far as the table can know, and is there a card to take?"""
    return bool(state.fighting().hands[enemy(side)]) and may_answer(state, side, (ALLY_DESERTS,))


def play_cavalry(state: State, side: Side, card: str) -> Handled:
    """strategy.event.2 The strategy card leaves the hand."""
    return spend(state, side, MAHARBAL, "battle")


def round_event(state: State, command: BattleEvent, dice: Dice) -> Handled:
    """strategy.event.2 Card 59 may also be played during the battle.

    Ruling: only while the enemy has a battle card that could desert.
    """
    side = side_of_prompt(state)
    if not state.fighting().hands[enemy(side)]:
        raise Illegal("strategy.event.2", "the enemy has no battle card that could desert")
    if command.card not in answers(state, side, (ALLY_DESERTS,)):
        raise Illegal("battle.2", "card %(card)s cannot be played during a battle by this side", card=command.card)
    state, events = spend(state, side, command.card, "battle")
    state, more = break_truce(state, command.card)
    state, last = desert(state, side, dice)
    return state, (*events, *more, *last)


def deserters(state: State) -> tuple[Offer, ...]:
    """strategy.event.2 Card 59, in a round of the battle, while the enemy has a card that could desert."""
    side = side_of_prompt(state)
    cards = answers(state, side, (ALLY_DESERTS,)) if state.fighting().hands[enemy(side)] else ()
    return offer("battle_event", "battle.2", card=cards)


BOXES = (
    box("battle_events", "battle.2", {BattleEvent: battle_event, Pass: None}, events_choices),
    also(ATTACK, {BattleEvent: round_event}, deserters),
    also(MATCH, {BattleEvent: round_event}, deserters),
    box(
        "take_initiative",
        "withdrawal.2",
        {CounterAttack: take_initiative, Pass: leave_initiative},
        counter_choices,
        always,
    ),
)
