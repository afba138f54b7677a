"""The boxes of the land war that every game of the family has: each question with its answers, and what goes by itself.

A game takes these by name and puts its own in place of those that it plays otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from strategic.point_to_point import (
    avoidance,
    battle,
    clash,
    interception,
    losses,
    movement,
    retreat,
    rounds,
    withdrawal,
)
from strategic.point_to_point import commands as p
from strategic.point_to_point.state import Handled
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Action, Offer, Step
from tactical.kernel.trying import by_attempt

Handlers = Mapping[type, Callable[[Any, Any, Dice], Handled[Any]]]
Offering = Callable[[Any], tuple[Offer, ...]]
Leave = Callable[[Any, Dice], Handled[Any]]
Open = Callable[[Any], bool]


def always(state: Any) -> bool:
    """The side asked must answer."""
    return True


def box(
    name: str,
    rule: str,
    handlers: Handlers,
    offers: Offering,
    is_open: Open | None = None,
    leave: Leave = battle.no_choice,
) -> Step[Any]:
    """One question: each command refuses for itself before it does anything; the offers are the box's as a whole.

    Somebody is asked if `is_open` says so; without it, if anything is offered. If not, `leave` goes on.
    """
    actions = (Action(kind, rule, do, by_attempt(do), checks_itself=True) for kind, do in handlers.items())
    return Step(name, rule, tuple(actions), leave, is_open, offers=lambda state, seat: offers(state))


def auto(name: str, rule: str, leave: Leave) -> Step[Any]:
    """A box without commands."""
    return Step(name, rule, leave=leave)


def by_name(*steps: Step[Any]) -> dict[str, Step[Any]]:
    """The boxes by their names; of two with one name the later."""
    return {step.name: step for step in steps}


def resign_offers(state: Any, seat: str) -> tuple[Offer, ...]:
    """victory.4 A side may sue for peace at any time."""
    return (Offer("resign", "victory.4", {"side": seat}),)


INTERCEPT: Handlers = {p.Intercept: interception.intercept, p.Done: interception.roll_interceptions}
PURSUIT: Handlers = {p.Pursue: clash.pursue, p.Done: clash.give_up}
ATTACK: Handlers = {p.Attack: rounds.attack, p.Withdraw: withdrawal.withdraw, p.Concede: rounds.no_card}
MATCH: Handlers = {p.Match: rounds.match, p.Concede: rounds.concede}


def intercept_box(handlers: Handlers = INTERCEPT) -> Step[Any]:
    """interception.1 Who tries to intercept."""
    return box(
        "intercept",
        "interception.1",
        handlers,
        interception.intercept_offers,
        interception.intercept_open,
        interception.intercept_over,
    )


def pursuit_box(handlers: Handlers = PURSUIT) -> Step[Any]:
    """pursuit.1 Whether an army that was avoided goes after the other."""
    return box("pursuit", "pursuit.1", handlers, clash.pursuit_offers, clash.pursuit_open, clash.no_pursuit)


def attack_box(handlers: Handlers = ATTACK, offers: Offering = rounds.attack_offers) -> Step[Any]:
    """round.1 The attacker's part of a round."""
    return box("attack", "round.1", handlers, offers, rounds.attack_open, rounds.attack_over)


def match_box(handlers: Handlers = MATCH, offers: Offering = rounds.match_offers) -> Step[Any]:
    """round.2 The defender's part of a round."""
    return box("match", "round.2", handlers, offers, rounds.match_open, rounds.match_over)


MARCH: tuple[Step[Any], ...] = (
    intercept_box(),
    box(
        "intercepted",
        "interception.3a",
        {p.GoBack: interception.go_back, p.AcceptBattle: interception.accept_battle},
        interception.caught_offers,
        always,
    ),
    auto("meet", "movement.land.1d", avoidance.meet),
    box(
        "avoid",
        "avoid.1",
        {p.Shelter: avoidance.shelter, p.Avoid: avoidance.avoid, p.Stand: avoidance.stand},
        avoidance.avoid_offers,
        avoidance.avoid_open,
        avoidance.avoid_over,
    ),
    auto("clash", "movement.land.4", clash.clash),
    pursuit_box(),
    auto("halted", "movement.land.1", movement.halt_here),
)

BATTLE: tuple[Step[Any], ...] = (
    auto("battle", "battle.1", battle.begin),
    box("join", "siege.6", {p.Join: battle.join, p.Pass: battle.pass_by}, battle.join_offers, battle.join_open),
    box(
        "command",
        "battle.1",
        {p.ChangeCommand: battle.change_command, p.Pass: battle.pass_by},
        battle.command_offers,
        battle.command_open,
        battle.command_over,
    ),
    box(
        "elephants",
        "battle.4",
        {p.Charge: battle.charge, p.Pass: battle.pass_by},
        battle.charge_offers,
        battle.elephants_open,
    ),
    auto("charge_roll", "battle.4", battle.charge_roll),
    auto("deal_battle", "battle.5", battle.deal_battle),
    attack_box(),
    match_box(),
    box(
        "counter_attack",
        "round.3",
        {p.CounterAttack: rounds.counter_attack, p.Pass: rounds.no_counter},
        rounds.counter_offers,
        rounds.counter_open,
        rounds.counter_over,
    ),
    box(
        "cancel",
        "round.1b",
        {p.Cancel: withdrawal.cancel, p.Pass: withdrawal.let_go},
        withdrawal.cancel_offers,
        withdrawal.cancel_open,
        withdrawal.cancel_over,
    ),
    auto("losses", "losses.1", losses.losses),
    box(
        "retreat",
        "retreat.1",
        {p.RetreatTo: retreat.retreat},
        retreat.retreat_offers,
        retreat.retreat_open,
        retreat.no_retreat,
    ),
    auto("consequences", "losses.5", losses.consequences),
    auto("battle_over", "round.7", losses.battle_over),
)
LAND: tuple[Step[Any], ...] = (*MARCH, *BATTLE)
