"""The sequence of play: each box with its paragraph, the commands it takes, and what happens by itself.

A box is either the prompt on top of the agenda or, with an empty agenda, the phase of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from strategic.hannibal import commands as c
from strategic.hannibal.rules import (
    battle_events,
    consuls,
    counters,
    events,
    link,
    operations,
    reinforcements,
    removal,
    sea,
    siege_roll,
    turn,
    umpire,
    victory,
    winter,
)
from strategic.hannibal.state import State
from strategic.naval import settling
from strategic.point_to_point import (
    arrangement,
    avoidance,
    battle,
    clash,
    interception,
    isolation,
    losses,
    movement,
    retreat,
    rounds,
    siege,
    withdrawal,
)
from strategic.point_to_point import commands as p
from strategic.point_to_point.siege import lift_sieges
from strategic.point_to_point.tables import SIDES
from tactical.kernel.dice import Dice
from tactical.kernel.engine import Sequence, attempted
from tactical.kernel.protocol import BOTH, Action, Event, Offer, Prompt, Step

Handled = tuple[State, tuple[Event, ...]]
Handlers = Mapping[type, Callable[[State, Any, Dice], Handled]]
Offering = Callable[[State], tuple[Offer, ...]]
Leave = Callable[[State, Dice], tuple[State, tuple[Event, ...]]]


def always(state: State) -> bool:
    """The side asked must answer."""
    return True


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
    return (*march_choices(state), *movement.halt_offers(state))


def march_open(state: State) -> bool:
    """movement.land.1 Is the army still able to do something?"""
    return state.march is not None and bool(march_choices(state))


def proconsul_open(state: State) -> bool:
    """reinforcements.3 Is there anybody to name?"""
    return bool(consuls.candidates(state))


def land_open(state: State) -> bool:
    """reinforcements.2c Does Africanus arrive, and has he a place?"""
    return bool(reinforcements.landings(state))


def box(
    name: str, rule: str, handlers: Handlers, offers: Offering, is_open: Callable[[State], bool], leave: Leave
) -> Step[State]:
    """One box: each command refuses for itself before it does anything; the offers are the box's as a whole."""
    actions = (Action(kind, rule, do, attempted(do), checks_itself=True) for kind, do in handlers.items())
    return Step(name, rule, tuple(actions), leave, is_open, offers=lambda state, seat: offers(state))


def auto(name: str, rule: str, leave: Leave) -> Step[State]:
    """A box without commands."""
    return Step(name, rule, leave=leave)


PHASES: tuple[Step[State], ...] = (
    auto("reinforcements", "sequence.1", reinforcements.reinforcements),
    auto("deal", "sequence.2", turn.deal),
    auto("first", "sequence.3", turn.first_over),
    auto("strategy", "sequence.3", turn.next_card),
    auto("winter", "sequence.4", winter.winter),
    auto("isolation", "sequence.5", isolation.isolation),
    auto("victory", "sequence.6", victory.victory_check),
    Step("over", "victory.5"),
)

BOXES: tuple[Step[State], ...] = (
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
        battle.no_choice,
    ),
    box(
        "land",
        "reinforcements.2c",
        {c.Land: reinforcements.land},
        reinforcements.land_offers,
        land_open,
        battle.no_choice,
    ),
    box(
        "proconsul",
        "reinforcements.3",
        {c.Proconsul: consuls.proconsul, p.Pass: consuls.no_proconsul},
        consuls.proconsul_offers,
        proconsul_open,
        battle.no_choice,
    ),
    auto("consuls", "reinforcements.4", consuls.draw_consuls),
    box(
        "place_consul",
        "reinforcements.4c",
        {c.PlaceConsul: consuls.place_consul},
        consuls.place_offers,
        always,
        battle.no_choice,
    ),
    # who is first, and the card
    box("open", "strategy.1", {c.Open: turn.open_, p.Pass: turn.leave_it}, turn.open_offers, always, battle.no_choice),
    box("who_first", "strategy.2", {p.FirstPlayer: turn.first_player}, turn.first_offers, always, battle.no_choice),
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
            p.Arrange: arrangement.arrange,
            p.TakeCommand: arrangement.take_command,
        },
        card_offers,
        always,
        battle.no_choice,
    ),
    box(
        "put",
        "strategy.ops.2",
        {c.Put: operations.put, p.Done: operations.end_put},
        operations.put_offers,
        operations.put_open,
        battle.no_choice,
    ),
    box(
        "campaign",
        "strategy.3",
        {p.CampaignMove: operations.campaign_move, p.Done: operations.end_campaign},
        operations.campaign_offers,
        operations.campaign_open,
        battle.no_choice,
    ),
    box(
        "choose",
        "strategy.3",
        {c.Choose: events.choose, p.Done: events.choose_done},
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
            p.Step: movement.step,
            c.Sail: sea.sail,
            p.Besiege: siege.besiege,
            p.Sortie: siege.sortie,
            p.Halt: movement.halt,
        },
        march_offers,
        march_open,
        movement.march_over,
    ),
    box(
        "counter",
        "strategy.event.2",
        {c.Counter: counters.counter, p.Pass: counters.pass_counter},
        counters.counter_offers,
        counters.counter_open,
        counters.counter_over,
    ),
    auto("naval", "tables.naval", sea.naval),
    auto("contested", "L2.6", link.meet),
    box(
        "intercept",
        "interception.1",
        {p.Intercept: interception.intercept, p.Done: interception.roll_interceptions},
        interception.intercept_offers,
        interception.intercept_open,
        interception.intercept_over,
    ),
    box(
        "intercepted",
        "interception.3a",
        {p.GoBack: interception.go_back, p.AcceptBattle: interception.accept_battle},
        interception.caught_offers,
        always,
        battle.no_choice,
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
    box(
        "pursuit",
        "pursuit.1",
        {p.Pursue: clash.pursue, p.Done: clash.give_up},
        clash.pursuit_offers,
        clash.pursuit_open,
        clash.no_pursuit,
    ),
    auto("halted", "movement.land.1", movement.halted),
    auto("siege", "tables.siege", siege_roll.siege),
    # the battle
    auto("battle", "battle.1", battle.begin),
    box(
        "join",
        "siege.6",
        {p.Join: battle.join, p.Pass: battle.pass_by},
        battle.join_offers,
        battle.join_open,
        battle.no_choice,
    ),
    box(
        "command",
        "battle.1",
        {p.ChangeCommand: battle.change_command, p.Pass: battle.pass_by},
        battle.command_offers,
        battle.command_open,
        battle.command_over,
    ),
    box(
        "battle_events",
        "battle.2",
        {c.BattleEvent: battle_events.battle_event, p.Pass: battle.pass_by},
        battle_events.events_offers,
        battle_events.events_open,
        battle.no_choice,
    ),
    box(
        "elephants",
        "battle.4",
        {p.Charge: battle.charge, p.Pass: battle.pass_by},
        battle.charge_offers,
        battle.elephants_open,
        battle.no_choice,
    ),
    auto("charge_roll", "battle.4", battle.charge_roll),
    auto("deal_battle", "battle.5", battle.deal_battle),
    box(
        "attack",
        "round.1",
        {
            p.Attack: rounds.attack,
            p.Withdraw: withdrawal.withdraw,
            p.Concede: rounds.no_card,
            c.BattleEvent: battle_events.round_event,
        },
        battle_events.attacker_offers,
        rounds.attack_open,
        rounds.attack_over,
    ),
    box(
        "match",
        "round.2",
        {p.Match: rounds.match, p.Concede: rounds.concede, c.BattleEvent: battle_events.round_event},
        battle_events.defender_offers,
        rounds.match_open,
        rounds.match_over,
    ),
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
    box(
        "take_initiative",
        "withdrawal.2",
        {p.CounterAttack: withdrawal.take_initiative, p.Pass: withdrawal.leave_initiative},
        rounds.counter_offers,
        always,
        battle.no_choice,
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
    box("remove", "losses.5", {p.Remove: removal.remove}, removal.offers, removal.must_remove, removal.removal_over),
)


def meeting_sides(state: State) -> tuple[str, ...]:
    """L1.2 Who can still say something about the meeting at sea; the sides, when neither can."""
    assert state.engagement is not None
    return tuple(side for side in SIDES if settling.offers(state.engagement, side)) or SIDES


MEETING = Step("engagement", "L1.1", is_open=always, seats=meeting_sides, offers=link.offers)


def asked(state: State) -> tuple[Prompt, ...]:
    """L1.1 While two fleets have met the campaign waits on that alone; else the prompt on top of the agenda."""
    if state.engagement is not None:
        return (Prompt("engagement", BOTH, "L1.1"),)
    return state.agenda[-1:]


def tidied(state: State) -> Handled:
    """siege.8 Sieges without a besieger are lifted on the way."""
    return (state, ()) if state.engagement is not None else lift_sieges(state)


def own_side(state: State, command: Any) -> tuple[str, ...]:
    """The side that the command names."""
    return (command.side,)


def anybody(state: State, command: Any) -> None:
    """Either side's."""
    return None


def about_meeting(kind: type, whose: Callable[[State, Any], tuple[str, ...] | None]) -> Action[State]:
    """L1.2 A command about a meeting at sea."""
    return Action(
        kind, "L1.2", link.command, attempted(link.command), whose=whose, checks_itself=True, for_seat=link.by_seat
    )


ANYTIME = (
    Action(c.Adjust, "reading.6", umpire.adjust, whose=lambda state, command: (), after_end=True),
    Action(c.Resign, "victory.4", umpire.resign, whose=own_side),
    about_meeting(settling.ChooseWay, own_side),
    about_meeting(settling.OpenBattle, anybody),
    about_meeting(settling.Settle, anybody),
    about_meeting(settling.Report, own_side),
    about_meeting(settling.Assent, own_side),
)
SEQUENCE: Sequence[State] = Sequence(
    steps={step.name: step for step in (*PHASES, *BOXES, MEETING)},
    step_of=lambda state: state.phase,
    prompts=asked,
    sides=lambda state: SIDES,
    is_over=lambda state: state.result is not None,
    over=("victory.5", "The campaign is over."),
    anytime=ANYTIME,
    tidy=tidied,
)
