"""The sequence of play: each box with its paragraph, the commands it takes, and what happens by itself.

A box is either the prompt on top of the agenda or, with an empty agenda, the phase of the turn.
"""

from __future__ import annotations

from typing import Any

from strategic.hannibal import commands as c
from strategic.hannibal.rules import (
    attrition,
    battle_events,
    book,
    cards,
    events,
    reinforcements,
    sea,
    siege_roll,
    victory,
)
from strategic.hannibal.state import Handled, State
from strategic.naval import settling
from strategic.point_to_point import battle, movement, sequence, siege, survey
from strategic.point_to_point import commands as p
from strategic.point_to_point.sequence import (
    ATTACK,
    LAND,
    MATCH,
    always,
    attack_box,
    auto,
    box,
    by_name,
    match_box,
    resign_offers,
)
from strategic.point_to_point.siege import tidy_land
from strategic.point_to_point.state import SIDES
from tactical.kernel.corrections import Adjust
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import BOTH, Action, Offer, Prompt, Step, own_side, umpires


def card_offers(state: State) -> tuple[Offer, ...]:
    """strategy.3 Everything that a card may be played for, and the free acts before it."""
    return (
        *cards.card_offers(state),
        *events.event_offers(state),
        *sequence.arrange_offers(state),
        *sequence.command_offers(state),
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
    return bool(reinforcements.candidates(state))


def land_open(state: State) -> bool:
    """reinforcements.2c Does Africanus arrive, and has he a place?"""
    return bool(reinforcements.landings(state))


PHASES: tuple[Step[State], ...] = (
    auto("reinforcements", "sequence.1", reinforcements.reinforcements),
    auto("deal", "sequence.2", cards.deal),
    auto("first", "sequence.3", cards.first_over),
    auto("strategy", "sequence.3", cards.next_card),
    auto("winter", "sequence.4", attrition.winter),
    auto("isolation", "sequence.5", survey.isolation),
    auto("victory", "sequence.6", victory.victory_check),
    Step("over", "victory.5"),
)

BOXES: tuple[Step[Any], ...] = (
    *LAND,
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
    ),
    box("land", "reinforcements.2c", {c.Land: reinforcements.land}, reinforcements.land_offers, land_open),
    box(
        "proconsul",
        "reinforcements.3",
        {p.Proconsul: reinforcements.proconsul, p.Pass: reinforcements.no_proconsul},
        reinforcements.proconsul_offers,
        proconsul_open,
    ),
    auto("consuls", "reinforcements.4", reinforcements.draw_consuls),
    box(
        "place_consul",
        "reinforcements.4c",
        {c.PlaceConsul: reinforcements.place_consul},
        reinforcements.place_offers,
        always,
    ),
    # who is first, and the card
    box("open", "strategy.1", {p.OpenCampaign: cards.open_, p.Pass: cards.leave_it}, cards.open_offers, always),
    box("who_first", "strategy.2", {p.FirstPlayer: cards.first_player}, cards.first_offers, always),
    box(
        "card",
        "strategy.4",
        {
            c.Activate: cards.activate,
            p.Campaign: cards.campaign,
            c.PlacePcs: cards.place_pcs,
            p.RaiseUnit: cards.raise_unit,
            p.Discard: cards.discard,
            c.PlayEvent: events.play_event,
            p.Arrange: sequence.arrange,
            p.TakeCommand: sequence.take_command,
        },
        card_offers,
        always,
    ),
    box(
        "put",
        "strategy.ops.2",
        {p.Put: cards.put, p.Done: cards.end_put},
        cards.put_offers,
        cards.put_open,
    ),
    box(
        "campaign",
        "strategy.3",
        {p.CampaignMove: cards.campaign_move, p.Done: cards.end_campaign},
        cards.campaign_offers,
        cards.campaign_open,
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
        {c.Counter: cards.counter, p.Pass: cards.pass_counter},
        cards.counter_offers,
        cards.counter_open,
        cards.counter_over,
    ),
    auto("naval", "tables.naval", sea.naval),
    auto("contested", "L2.6", sea.meet),
    auto("siege", "tables.siege", siege_roll.siege),
    # the battle
    box(
        "battle_events",
        "battle.2",
        {c.BattleEvent: battle_events.battle_event, p.Pass: battle.pass_by},
        battle_events.events_offers,
        battle_events.events_open,
    ),
    attack_box({**ATTACK, c.BattleEvent: battle_events.round_event}, battle_events.attacker_offers),
    match_box({**MATCH, c.BattleEvent: battle_events.round_event}, battle_events.defender_offers),
    box(
        "take_initiative",
        "withdrawal.2",
        {p.CounterAttack: battle.take_initiative, p.Pass: battle.leave_initiative},
        battle.counter_offers,
        always,
    ),
    box("remove", "losses.5", {p.Remove: victory.remove}, victory.offers, victory.must_remove, victory.removal_over),
)


def prompts(state: State) -> tuple[Prompt, ...]:
    """L1.1 While two fleets have met the campaign waits on that alone; else the prompt on top of the agenda."""
    if state.engagement is not None:
        return (Prompt("engagement", BOTH, "L1.1"),)
    return state.agenda[-1:]


def tidy(state: State) -> Handled:
    """movement.land.5a, siege.8 On the way: who stands alone where he cannot, and sieges without a besieger."""
    return (state, ()) if state.engagement is not None or state.result is not None else tidy_land(state)


SEQUENCE: Sequence[State] = Sequence(
    steps=by_name(*PHASES, *BOXES, settling.meeting_step(*SIDES)),
    step_of=lambda state: state.phase,
    prompts=prompts,
    sides=lambda state: SIDES,
    is_over=lambda state: state.result is not None,
    over=("victory.5", "The campaign is over."),
    anytime=(
        Action(Adjust, "reading.6", book.adjust, whose=umpires, after_end=True),
        Action(p.Resign, "victory.4", book.resign, whose=own_side, offers=resign_offers),
        *sea.MEETING.actions(),
    ),
    tidy=tidy,
)
