"""H.turn The order of play: which question takes which commands, and what goes by itself.

What is asked stands on the agenda; with an empty agenda the phase of the turn goes on.
"""

from __future__ import annotations

from collections.abc import Callable
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
from strategic.point_to_point.sequence import (
    INTERCEPT,
    LAND,
    PURSUIT,
    Handlers,
    auto,
    box,
    by_name,
    intercept_box,
    pursuit_box,
    resign_offers,
)
from strategic.point_to_point.state import SIDES, as_side
from tactical.kernel.corrections import Adjust
from tactical.kernel.dice import Dice
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import Action, Offer, Prompt, Step, by_attempt, own_side, umpires


def drop(state: State, dice: Dice) -> Handled:
    """strategy.event.2 What there is nothing of falls away."""
    return state.answered(), ()


def impulse_offers(state: State) -> tuple[Offer, ...]:
    """8.2 Everything that a card, or a hiring in its place, can do."""
    return (
        *cards.card_offers(state),
        *events.event_offers(state),
        *reinforcements.captain_offers(state),
        *sequence.arrange_offers(state),
        *sequence.command_offers(state),
    )


def impulse_open(state: State) -> bool:
    """8.2 Cards on the table: a side with cards must be asked for them though none is known."""
    return NO_CARD in state.hands[as_side(state.agenda[-1].seat)] or bool(impulse_offers(state))


BOUGHT: Handlers = {  # by points and by the war budget; PCs on the map only by points (22.2.d)
    c.CouncilPc: cards.council,
    c.Repair: cards.repair_ship,
    c.Supply: cards.supply,
}
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
BY_ITSELF: tuple[Step[Any], ...] = (
    auto("carthage_due", "6.1", reinforcements.carthage_due),
    auto("generals_leave", "6.1.1.b", reinforcements.generals_leave),
    auto("rome_due", "6.2", reinforcements.rome_due),
    auto("consuls", "6.4.a", reinforcements.consuls),
    auto("impulse_over", "strategy.4", cards.over),
    auto("arrive", "11.1", sea.arrive),
    auto("sea_dice", "11.6.2", sea.sea_dice),
    auto("caught", "11.6.5", sea.try_to_catch),
    auto("fleets_meet", "L1.1", naval_battle.meet),
    auto("naval", "11.7.rounds", naval_battle.proceed),
    auto("catcher_home", "11.7.places.2", aftermath.catcher_home),
    auto("mover_home", "11.7.places.1", aftermath.mover_home),
    auto("siege", "tables.siege", land.siege),
    auto("siege_result", "siege.5", land.siege_result),
    auto("winter_sea", "21.1.4", victory.winter_sea),
    auto("spend_budget", "22.2.b", drop),
)
THE_TURN: tuple[Step[Any], ...] = (
    box(
        "reinforce",
        "6.1",
        {c.Reinforce: reinforcements.reinforce},
        reinforcements.reinforcement_offers,
        leave=reinforcements.over,
    ),
    box("place_general", "6.4.a", {c.PlaceGeneral: reinforcements.place_general}, reinforcements.place_offers),
    box(
        "proconsul",
        "6.4",
        {p.Proconsul: reinforcements.proconsul},
        reinforcements.proconsul_offers,
        leave=reinforcements.nobody_to_name,
    ),
    box(
        "elect",
        "26.14",
        {c.Elect: reinforcements.elect},
        reinforcements.elect_offers,
        leave=reinforcements.few_to_elect,
    ),
    box("reform", "6.5.3.b", {c.Reform: reinforcements.reform}, reinforcements.reform_offers),
    box("open", "7.3", {p.OpenCampaign: cards.opens, p.Pass: cards.not_open}, cards.open_offers),
    box("first_player", "7.3", {p.FirstPlayer: cards.first_player}, cards.first_offers),
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
        impulse_offers,
        impulse_open,
    ),
    box(
        "campaign",
        "11.1.1.c",
        {p.CampaignMove: cards.campaign_move, p.Done: cards.finish},
        cards.campaign_offers,
    ),
    box("points", "8.2", {**BOUGHT, p.Put: cards.put, p.Done: cards.finish}, cards.point_offers),
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
        land.offers,
        leave=movement.march_over,
    ),
    intercept_box({**INTERCEPT, p.Pass: meeting.let_pass}),
    pursuit_box({**PURSUIT, p.Pass: battle.give_up}),
    box("hold_out", "20.2.8", {c.HoldOut: land.hold_out, p.Pass: land.give_way}, land.hold_offers),
    box(
        "freeze",
        "21.1.1",
        {c.SpendTrain: victory.spend_train, p.Pass: victory.freeze},
        victory.freeze_offers,
        leave=victory.roll,
    ),
    box(
        "remove",
        "losses.5",
        {p.Remove: victory.remove, c.RemoveCouncil: victory.remove_council},
        victory.offers,
        leave=victory.removal_over,
    ),
    box(
        "burn",
        "22.2.a",
        {c.SpendTrain: victory.burn, p.Done: victory.burnt},
        victory.burn_offers,
        leave=victory.to_spend,
    ),
    box(
        "budget",
        "22.2.b",
        {**BOUGHT, c.BuildShip: victory.build_ship, c.Recruit: victory.recruit, p.Done: victory.stop},
        victory.budget_offers,
    ),
)
AT_SEA: tuple[Step[Any], ...] = (
    box("storm", "21.1.3", {c.Answer: events.storm, p.Pass: events.calm}, events.storm_offers),
    box(
        "sea_intercept",
        "11.6",
        {c.SeaIntercept: sea.sea_intercept, c.SeaTry: sea.sea_try, p.Pass: sea.let_pass},
        sea.intercept_offers,
    ),
    *(
        box(kind, "L2.4", {c.ChooseShips: which}, ships_offers)
        for kind, which in {
            "ships_sail": sea.ships_sail,
            "ships_catch": sea.ships_catch,
            "ships_wrecked": events.ships_wrecked,
            "ships_struck": naval_battle.ships_struck,
            "ships_mended": reinforcements.ships_mended,
        }.items()
    ),
    box(
        "lookouts",
        "11.6.4",
        {c.Answer: sea.lookouts, p.Pass: sea.no_lookouts},
        sea.lookouts_offers,
    ),
    box(
        "catcher",
        "H2.a",
        {c.Catcher: sea.catcher},
        sea.catcher_offers,
        leave=sea.one_catcher,
    ),
    box(
        "turn_back",
        "11.6.7",
        {c.TurnBack: sea.turn_back, c.FightAtSea: sea.fight},
        sea.turn_back_offers,
    ),
    Step(
        "engagement",
        "L1.2",
        leave=naval_battle.by_own_table,
        seats=naval_battle.may_speak,
        offers=naval_battle.offers,
        awaited=naval_battle.who_must_answer,
    ),
    box(
        "manoeuvre",
        "11.7.manoeuvre",
        {c.Tactic: naval_battle.tactic, p.Pass: naval_battle.no_tactic},
        naval_battle.manoeuvre_offers,
    ),
    box("shallows", "11.7.cards.2", {c.PickShip: naval_battle.pick_ship}, naval_battle.pick_ship_offers),
    box("hit", "11.7.cards.6", {c.Target: naval_battle.target}, naval_battle.target_offers),
    box("fair_wind", "11.7.cards.5", {c.PickTactic: naval_battle.pick_tactic}, naval_battle.pick_tactic_offers),
    box("engage", "11.7.engage", {c.Engage: naval_battle.engage}, naval_battle.engage_offers),
    box(
        "regroup",
        "11.7.choice",
        {
            c.Regroup: naval_battle.regroup,
            c.Flee: naval_battle.flee,
            c.Evade: naval_battle.evade,
            p.Pass: naval_battle.stay,
        },
        naval_battle.regroup_offers,
    ),
    box(
        "sea_pursuit",
        "11.7.pursuit",
        {c.CancelRetreat: naval_battle.cancel_retreat, p.Pass: naval_battle.let_go},
        naval_battle.pursuit_offers,
        leave=naval_battle.leave_battle,
    ),
    box(
        "after_sea",
        "11.7.places.1",
        {c.AfterSea: aftermath.after_sea},
        aftermath.after_offers,
        leave=aftermath.nobody_lands,
    ),
    box(
        "prize_roll",
        "11.7.after.3",
        {c.PrizeRoll: aftermath.prize_roll, p.Pass: aftermath.no_prizes},
        aftermath.prize_offers,
    ),
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
    steps=by_name(*PHASES, *LAND, *BY_ITSELF, *THE_TURN, *AT_SEA),
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
