"""The sequence of play: each box with its paragraph, the commands it takes, and what happens by itself.

A box is either the prompt on top of the agenda or, with an empty agenda, the phase of the turn.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from strategic.point_to_point import commands as p
from strategic.point_to_point import movement, sequence, siege, survey
from strategic.point_to_point.rulebook import always, auto, box, by_name
from strategic.point_to_point.sequence import LAND, resign_offers
from strategic.point_to_point.siege import tidy_land
from strategic.point_to_point.state import SIDES
from tactical.kernel.corrections import Adjust
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import BOTH, Action, Offer, Prompt, Step, own_side, umpires


def card_choices(state: State) -> Iterator[Offer]:
    """strategy.3 Everything that a card may be played for, and the free acts before it."""
    yield from cards.card_choices(state)
    yield from events.event_offers(state)
    yield from sequence.arrange_offers(state)
    yield from sequence.command_offers(state)


def march_choices(state: State) -> Iterator[Offer]:
    """movement.land.1 What a marching army can do; where it can do nothing but halt it does so by itself."""
    if state.march is None:
        return
    found = (*movement.step_offers(state), *sea.sail_offers(state))
    found += (*siege.siege_offers(state), *siege.sortie_offers(state))
    yield from (*found, *movement.halt_offers(state)) if found else ()


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
    *reinforcements.BOXES,
    *cards.FIRST,
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
        card_choices,
        always,
    ),
    *cards.PLAYED,
    *events.BOXES,
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
        march_choices,
        leave=movement.march_over,
    ),
    cards.COUNTER,
    auto("naval", "tables.naval", sea.naval),
    auto("contested", "L2.6", sea.meet),
    auto("siege", "tables.siege", siege_roll.siege),
    *battle_events.BOXES,
    victory.BOX,
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
