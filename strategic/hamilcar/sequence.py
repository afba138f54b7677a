"""H.turn The order of play: which question takes which commands, and what goes by itself.

What is asked stands on the agenda; with an empty agenda the phase of the turn goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from strategic.hamilcar import commands as c
from strategic.hamilcar.rules import aftermath, book, cards, events, land, naval_battle, reinforcements, sea, victory
from strategic.hamilcar.rules.cards import declare, declare_offers
from strategic.hamilcar.rules.checks import name_of, rename_prompt
from strategic.hamilcar.rules.survey import ships_offers
from strategic.hamilcar.state import NO_CARD, Handled, State
from strategic.point_to_point import battle, meeting, movement, sequence, siege, survey
from strategic.point_to_point import commands as p
from strategic.point_to_point.rulebook import also, auto, box, by_name
from strategic.point_to_point.sequence import LAND, resign_offers
from strategic.point_to_point.state import SIDES, as_side
from tactical.kernel.corrections import Adjust
from tactical.kernel.dice import Dice
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import Action, Offer, Prompt, Step, by_attempt, own_side, umpires


def impulse_choices(state: State) -> Iterator[Offer]:
    """8.2 Everything that a card, or a hiring in its place, can do."""
    yield from cards.card_choices(state)
    yield from events.event_choices(state)
    yield from reinforcements.captain_offers(state)
    yield from sequence.arrange_offers(state)
    yield from sequence.command_offers(state)


def impulse_open(state: State) -> bool:
    """8.2 Cards on the table: a side with cards must be asked for them though none is known."""
    return NO_CARD in state.hands[as_side(state.agenda[-1].seat)] or any(True for _ in impulse_choices(state))


PHASES: tuple[Step[Any], ...] = (  # in the order of the turn (H.turn)
    auto("phase: reinforcements", "6", cards.reinforcements),
    auto("phase: deal", "H.turn", cards.deal),
    auto("phase: first", "7.3", cards.first),
    auto("phase: strategy", "8.2", cards.strategy),
    auto("phase: winter", "H.turn", victory.winter),
    auto("phase: isolation", "H.turn", survey.isolation),
    auto("phase: victory", "22", victory.victory),
    auto("phase: budget", "22.2", victory.budget),
    auto("phase: next", "H.turn", cards.next_turn),
)
THE_TURN: tuple[Step[Any], ...] = (
    *reinforcements.BOXES,
    *cards.FIRST,
    box(
        "impulse",
        "8.2",
        {
            c.Activate: cards.activate,
            p.Campaign: cards.campaign,
            c.Points: cards.points,
            c.BuildShips: cards.build_ships,
            p.RaiseUnit: cards.raise_unit,
            c.Training: cards.training,
            c.PlayEvent: events.play_event,
            p.Discard: cards.discard,
            c.Hire: reinforcements.hire,
            p.Arrange: sequence.arrange,
            p.TakeCommand: sequence.take_command,
        },
        impulse_choices,
        impulse_open,
    ),
    auto("impulse_over", "strategy.4", cards.over),
    *cards.PLAYED,
    box(
        "move",
        "movement.land.1",
        {
            p.Step: movement.step,
            c.Sail: sea.sail,
            c.BurnTrains: land.burn_trains,
            p.Besiege: siege.besiege,
            p.Sortie: siege.sortie,
            c.Enter: land.enter,
            p.Halt: movement.halt,
        },
        land.march_choices,
        leave=movement.march_over,
    ),
    also(meeting.INTERCEPT, {p.Pass: meeting.roll_interceptions}),
    also(battle.PURSUIT, {p.Pass: battle.give_up}),
    auto("siege", "tables.siege", land.siege),
    auto("siege_result", "siege.5", land.siege_result),
    box("hold_out", "20.2.8", {c.HoldOut: land.hold_out, p.Pass: None}, land.hold_choices),
    *victory.BOXES,
)
WHICH_SHIPS = {
    "ships_sail": sea.ships_sail,
    "ships_catch": sea.ships_catch,
    "ships_wrecked": events.ships_wrecked,
    "ships_struck": naval_battle.ships_struck,
    "ships_mended": reinforcements.ships_mended,
}
AT_SEA: tuple[Step[Any], ...] = (
    box("storm", "21.1.3", {c.Answer: events.storm, p.Pass: None}, events.storm_choices),
    sea.INTERCEPT,
    *(box(kind, "L2.4", {c.ChooseShips: which}, ships_offers) for kind, which in WHICH_SHIPS.items()),
    *sea.BOXES,
    *naval_battle.BOXES,
    *aftermath.BOXES,
)


def prompts(state: State) -> tuple[Prompt, ...]:
    """H.turn The question on top of the agenda, by today's name."""
    return tuple(replace(prompt, kind=name_of(prompt)) for prompt in state.agenda[-1:])


def tidy(state: State) -> Handled:
    """movement.land.5a, siege.8 On the way: who stands alone where he cannot, and sieges without a besieger."""
    return (state, ()) if state.phase == "over" else siege.tidy_land(rename_prompt(state))


def as_report(state: State, seat: str, command: Any, dice: Dice, do: Callable[[State, Any, Dice], Handled]) -> Handled:
    """L1.2 Whatever a side enters about a battle elsewhere is its report."""
    return do(rename_prompt(state), naval_battle.as_report(state, seat, command), dice)


SEQUENCE: Sequence[State] = Sequence(
    steps=by_name(*PHASES, *LAND, *THE_TURN, *AT_SEA),
    step_of=lambda state: f"phase: {state.phase}",
    prompts=prompts,
    sides=lambda state: SIDES,
    is_over=lambda state: state.phase == "over",
    over=("victory.5", "The war is over."),
    anytime=(
        Action(c.Declare, "8.2", declare, by_attempt(declare), declare_offers, own_side, checks_itself=True),
        Action(p.Resign, "victory.4", victory.resign, whose=own_side, offers=resign_offers),
        Action(Adjust, "reading.6", book.adjust, whose=umpires, after_end=True),
        *naval_battle.MEETING.actions(naval_battle.by_seat),
    ),
    tidy=tidy,
    wrap=as_report,
)
