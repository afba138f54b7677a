"""The sequence of play: each box with its paragraph, the commands it takes, and what happens by itself.

A box is either the prompt on top of the agenda or, with an empty agenda, the phase of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from strategic.hannibal import commands as c
from strategic.hannibal.rules import (
    arrangement,
    avoidance,
    battle,
    consuls,
    counters,
    events,
    interception,
    isolation,
    losses,
    movement,
    operations,
    reinforcements,
    removal,
    retreat,
    rounds,
    sea,
    siege,
    turn,
    victory,
    winter,
)
from strategic.hannibal.state import State
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Offer, Step

Handlers = Mapping[type, Callable[[State, Any, Dice], tuple[State, tuple[Event, ...]]]]
Offering = Callable[[State], tuple[Offer, ...]]
Leave = Callable[[State, Dice], tuple[State, tuple[Event, ...]]]


def always(state: State) -> bool:
    """The side asked must answer."""
    return True


def never(state: State) -> bool:
    """The engine goes on by itself."""
    return False


def card_offers(state: State) -> tuple[Offer, ...]:
    """strategy.3 Everything that a card may be played for, and the free acts before it."""
    return (
        *operations.card_offers(state),
        *events.event_offers(state),
        *arrangement.arrange_offers(state),
        *arrangement.command_offers(state),
    )


def march_choices(state: State) -> tuple[Offer, ...]:
    """movement.land.1 What a marching army can do besides halting."""
    return (
        *movement.step_offers(state),
        *sea.sail_offers(state),
        *siege.siege_offers(state),
        *siege.sortie_offers(state),
    )


def march_offers(state: State) -> tuple[Offer, ...]:
    """movement.land.1 The same, or halting."""
    return (*march_choices(state), Offer("halt", "movement.land.1"))


def march_open(state: State) -> bool:
    """movement.land.1 Is the army still able to do something?"""
    return state.march is not None and bool(march_choices(state))


def attack_open(state: State) -> bool:
    """round.6 Has the attacker a card to play?"""
    return not rounds.is_out(state, operations.seat_side(state))


def match_open(state: State) -> bool:
    """round.2 Has the defender any card that could match?"""
    side = operations.seat_side(state)
    if state.fighting().hands[side]:
        return True
    return state.fighting().played == "double_envelopment" and not rounds.is_out(state, side)


def proconsul_open(state: State) -> bool:
    """reinforcements.3 Is there anybody to name?"""
    return bool(consuls.candidates(state))


def land_open(state: State) -> bool:
    """reinforcements.2c Does Africanus arrive, and has he a place?"""
    return bool(reinforcements.landings(state))


def box(
    name: str, rule: str, handlers: Handlers, offers: Offering, is_open: Callable[[State], bool], leave: Leave
) -> tuple[Step[State], Offering]:
    """One box with its offers."""
    return Step(name, rule, handlers, is_open, leave), offers


def auto(name: str, rule: str, leave: Leave) -> tuple[Step[State], Offering]:
    """A box without commands."""
    return box(name, rule, {}, lambda state: (), never, leave)


PHASES = (
    auto("reinforcements", "sequence.1", reinforcements.reinforcements),
    auto("deal", "sequence.2", turn.deal),
    auto("first", "sequence.3", turn.first_over),
    auto("strategy", "sequence.3", turn.next_card),
    auto("winter", "sequence.4", winter.winter),
    auto("isolation", "sequence.5", isolation.isolation),
    auto("victory", "sequence.6", victory.victory_check),
    box("over", "victory.5", {}, lambda state: (), always, battle.nothing),
)

BOXES = (
    # reinforcements
    box(
        "reinforce",
        "reinforcements.1",
        {c.Reinforce: reinforcements.reinforce},
        reinforcements.reinforce_offers,
        reinforcements.reinforce_open,
        reinforcements.reinforce_over,
    ),
    box(
        "return",
        "reinforcements.1e",
        {c.ReturnGeneral: reinforcements.return_general},
        reinforcements.return_offers,
        reinforcements.return_open,
        battle.nothing,
    ),
    box(
        "land",
        "reinforcements.2c",
        {c.Land: reinforcements.land},
        reinforcements.land_offers,
        land_open,
        battle.nothing,
    ),
    box(
        "proconsul",
        "reinforcements.3",
        {c.Proconsul: consuls.proconsul, c.Pass: consuls.no_proconsul},
        consuls.proconsul_offers,
        proconsul_open,
        battle.nothing,
    ),
    auto("consuls", "reinforcements.4", consuls.draw_consuls),
    box(
        "place_consul",
        "reinforcements.4c",
        {c.PlaceConsul: consuls.place_consul},
        consuls.place_offers,
        always,
        battle.nothing,
    ),
    # who is first, and the card
    box("open", "strategy.1", {c.Open: turn.open_, c.Pass: turn.leave_it}, turn.open_offers, always, battle.nothing),
    box("who_first", "strategy.2", {c.FirstPlayer: turn.first_player}, turn.first_offers, always, battle.nothing),
    box(
        "card",
        "strategy.4",
        {
            c.Activate: operations.activate,
            c.Campaign: operations.campaign,
            c.PlacePcs: operations.place_pcs,
            c.RaiseUnit: operations.raise_unit,
            c.Discard: operations.discard,
            c.PlayEvent: events.play_event,
            c.Arrange: arrangement.arrange,
            c.TakeCommand: arrangement.take_command,
        },
        card_offers,
        always,
        battle.nothing,
    ),
    box(
        "put",
        "strategy.ops.2",
        {c.Put: operations.put, c.Done: operations.end_put},
        operations.put_offers,
        operations.put_open,
        battle.nothing,
    ),
    box(
        "campaign",
        "strategy.3",
        {c.CampaignMove: operations.campaign_move, c.Done: operations.end_campaign},
        operations.campaign_offers,
        operations.campaign_open,
        battle.nothing,
    ),
    box(
        "choose",
        "strategy.3",
        {c.Choose: events.choose, c.Done: events.choose_done},
        events.choose_offers,
        events.choose_open,
        events.choose_over,
    ),
    auto("end_play", "strategy.4", events.end_play),
    # the march
    box(
        "march",
        "movement.land.1",
        {
            c.Step: movement.step,
            c.Sail: sea.sail,
            c.Besiege: siege.besiege,
            c.Sortie: siege.sortie,
            c.Halt: movement.halt,
        },
        march_offers,
        march_open,
        movement.march_over,
    ),
    box(
        "counter",
        "strategy.event.2",
        {c.Counter: counters.counter, c.Pass: counters.pass_counter},
        counters.counter_offers,
        counters.counter_open,
        counters.counter_over,
    ),
    auto("naval", "tables.naval", sea.naval),
    box(
        "intercept",
        "interception.1",
        {c.Intercept: interception.intercept, c.Done: interception.roll_interceptions},
        interception.intercept_offers,
        interception.intercept_open,
        interception.intercept_over,
    ),
    box(
        "intercepted",
        "interception.3a",
        {c.GoBack: interception.go_back, c.AcceptBattle: interception.accept_battle},
        interception.caught_offers,
        always,
        battle.nothing,
    ),
    auto("meet", "movement.land.1d", avoidance.meet),
    box(
        "avoid",
        "avoid.1",
        {c.Shelter: avoidance.shelter, c.Avoid: avoidance.avoid, c.Stand: avoidance.stand},
        avoidance.avoid_offers,
        avoidance.avoid_open,
        avoidance.avoid_over,
    ),
    auto("clash", "movement.land.4", avoidance.clash),
    box(
        "pursuit",
        "pursuit.1",
        {c.Pursue: avoidance.pursue, c.Done: avoidance.give_up},
        avoidance.pursuit_offers,
        avoidance.pursuit_open,
        avoidance.no_pursuit,
    ),
    auto("halted", "movement.land.1", movement.halted),
    auto("siege", "tables.siege", siege.siege),
    # the battle
    auto("battle", "battle.1", battle.begin),
    box(
        "join",
        "siege.6",
        {c.Join: battle.join, c.Pass: battle.pass_by},
        battle.join_offers,
        battle.join_open,
        battle.nothing,
    ),
    box(
        "command",
        "battle.1",
        {c.ChangeCommand: battle.change_command, c.Pass: battle.pass_by},
        battle.command_offers,
        battle.command_open,
        battle.command_over,
    ),
    box(
        "battle_events",
        "battle.2",
        {c.BattleEvent: battle.battle_event, c.Pass: battle.pass_by},
        battle.events_offers,
        battle.events_open,
        battle.nothing,
    ),
    box(
        "elephants",
        "battle.4",
        {c.Charge: battle.charge, c.Pass: battle.pass_by},
        battle.charge_offers,
        battle.elephants_open,
        battle.nothing,
    ),
    auto("charge_roll", "battle.4", battle.charge_roll),
    auto("deal_battle", "battle.5", battle.deal_battle),
    box(
        "attack",
        "round.1",
        {
            c.Attack: rounds.attack,
            c.Withdraw: rounds.withdraw,
            c.Concede: rounds.no_card,
            c.BattleEvent: rounds.round_event,
        },
        rounds.attack_offers,
        attack_open,
        rounds.attack_over,
    ),
    box(
        "match",
        "round.2",
        {c.Match: rounds.match, c.Concede: rounds.concede, c.BattleEvent: rounds.round_event},
        rounds.match_offers,
        match_open,
        rounds.match_over,
    ),
    box(
        "counter_attack",
        "round.3",
        {c.CounterAttack: rounds.counter_attack, c.Pass: rounds.no_counter},
        rounds.counter_offers,
        rounds.counter_open,
        rounds.counter_over,
    ),
    box(
        "cancel",
        "round.1b",
        {c.Cancel: rounds.cancel, c.Pass: rounds.let_go},
        rounds.cancel_offers,
        rounds.cancel_open,
        rounds.cancel_over,
    ),
    box(
        "take_initiative",
        "withdrawal.2",
        {c.CounterAttack: rounds.take_initiative, c.Pass: rounds.leave_initiative},
        rounds.counter_offers,
        always,
        battle.nothing,
    ),
    auto("losses", "losses.1", losses.losses),
    box(
        "retreat",
        "retreat.1",
        {c.RetreatTo: retreat.retreat},
        retreat.retreat_offers,
        retreat.retreat_open,
        retreat.no_retreat,
    ),
    auto("consequences", "losses.5", losses.consequences),
    auto("battle_over", "round.7", losses.battle_over),
    box("remove", "losses.5", {c.Remove: removal.remove}, removal.offers, removal.must_remove, removal.removal_over),
)

SEQUENCE: dict[str, Step[State]] = {step.name: step for step, _ in (*PHASES, *BOXES)}
OFFERS: dict[str, Offering] = {step.name: offers for step, offers in (*PHASES, *BOXES)}


def current(state: State) -> str:
    """The box that is next."""
    prompt = state.asks()
    return prompt.kind if prompt else state.phase
