"""H.turn The order of play: which question takes which commands, and what goes by itself.

What is asked stands on the agenda; with an empty agenda the phase of the turn goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from strategic.hamilcar import commands as c
from strategic.hamilcar.rules import (
    aftermath,
    ending,
    engagements,
    events,
    generals,
    march,
    mercenaries,
    naval_battle,
    operations,
    points,
    reinforcements,
    removal,
    sea,
    sea_interception,
    sieges,
    storms,
    tactics,
    turn,
    umpire,
    victory,
    winter,
)
from strategic.hamilcar.rules.check_pending import name_of, rename_prompt
from strategic.hamilcar.rules.hand import declare, declare_offers
from strategic.hamilcar.state import NO_CARD, Handled, State
from strategic.point_to_point import arrangement, clash, interception, isolation, movement, siege
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
from strategic.point_to_point.tables import SIDES, as_side
from tactical.kernel.adjusting import Adjust
from tactical.kernel.dice import Dice
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import Action, Offer, Prompt, Step
from tactical.kernel.trying import by_attempt
from tactical.kernel.whose import own_side, umpires


def drop(state: State, dice: Dice) -> Handled:
    """strategy.event.2 What there is nothing of falls away."""
    return state.answered(), ()


def impulse_offers(state: State) -> tuple[Offer, ...]:
    """8.2 Everything that a card, or a hiring in its place, can do."""
    return (
        *operations.offers(state),
        *events.offers(state),
        *mercenaries.offers(state),
        *arrangement.arrange_offers(state),
        *arrangement.command_offers(state),
    )


def impulse_open(state: State) -> bool:
    """8.2 Cards on the table: a side with cards must be asked for them though none is known."""
    return NO_CARD in state.hands[as_side(state.agenda[-1].seat)] or bool(impulse_offers(state))


BOUGHT: Handlers = {  # by points and by the war budget; PCs on the map only by points (22.2.d)
    c.CouncilPc: points.council,
    c.Repair: points.repair_ship,
    c.Supply: points.supply,
}
PHASES: tuple[Step[Any], ...] = (  # in the order of the turn (H.turn)
    auto("phase: reinforcements", "6", turn.reinforcements),
    auto("phase: deal", "H.turn", turn.deal),
    auto("phase: first", "7.3", turn.first),
    auto("phase: strategy", "8.2", turn.strategy),
    auto("phase: winter", "H.turn", winter.winter),
    auto("phase: isolation", "H.turn", isolation.isolation),
    auto("phase: victory", "22", victory.victory),
    auto("phase: budget", "22.2", victory.budget),
    auto("phase: next", "H.turn", turn.next_turn),
)
BY_ITSELF: tuple[Step[Any], ...] = (
    auto("carthage_due", "6.1", reinforcements.carthage_due),
    auto("generals_leave", "6.1.1.b", generals.generals_leave),
    auto("rome_due", "6.2", reinforcements.rome_due),
    auto("consuls", "6.4.a", generals.consuls),
    auto("impulse_over", "strategy.4", operations.over),
    auto("arrive", "11.1", sea.arrive),
    auto("caught", "11.6.5", sea_interception.try_to_catch),
    auto("fleets_meet", "L1.1", engagements.meet),
    auto("naval", "11.7.rounds", naval_battle.proceed),
    auto("catcher_home", "11.7.places.2", aftermath.catcher_home),
    auto("mover_home", "11.7.places.1", aftermath.mover_home),
    auto("siege", "tables.siege", sieges.siege),
    auto("siege_result", "siege.5", sieges.siege_result),
    auto("winter_sea", "21.1.4", winter.winter_sea),
    auto("spend_budget", "22.2.b", drop),
)
THE_TURN: tuple[Step[Any], ...] = (
    box("reinforce", "6.1", {c.Reinforce: reinforcements.reinforce}, reinforcements.offers, leave=reinforcements.over),
    box("place_general", "6.4.a", {c.PlaceGeneral: generals.place_general}, generals.place_offers),
    box(
        "proconsul",
        "6.4",
        {p.Proconsul: generals.proconsul},
        generals.proconsul_offers,
        leave=generals.nobody_to_name,
    ),
    box("elect", "26.14", {c.Elect: generals.elect}, generals.elect_offers, leave=generals.few_to_elect),
    box("reform", "6.5.3.b", {c.Reform: generals.reform}, generals.reform_offers),
    box("open", "7.3", {p.OpenCampaign: turn.opens, p.Pass: turn.not_open}, turn.open_offers),
    box("first_player", "7.3", {p.FirstPlayer: turn.first_player}, turn.first_offers),
    box(
        "impulse",
        "8.2",
        {
            c.Activate: operations.activate,
            p.Campaign: operations.campaign,
            c.Points: points.points,
            c.BuildShips: operations.build_ships,
            p.RaiseUnit: operations.raise_unit,
            c.Training: operations.training,
            c.PlayEvent: events.play_event,
            p.Discard: operations.discard,
            c.Hire: mercenaries.hire,
            p.Arrange: arrangement.arrange,
            p.TakeCommand: arrangement.take_command,
        },
        impulse_offers,
        impulse_open,
    ),
    box(
        "campaign",
        "11.1.1.c",
        {p.CampaignMove: operations.campaign_move, p.Done: points.finish},
        operations.campaign_offers,
    ),
    box("points", "8.2", {**BOUGHT, p.Put: points.put, p.Done: points.finish}, points.offers),
    box(
        "move",
        "movement.land.1",
        {
            p.Step: movement.step,
            c.Sail: sea.sail,
            c.BurnTrains: march.burn_trains,
            p.Besiege: siege.besiege,
            p.Sortie: siege.sortie,
            c.Enter: march.enter,
            p.Halt: movement.halt,
        },
        march.offers,
        leave=movement.march_over,
    ),
    intercept_box({**INTERCEPT, p.Pass: interception.let_pass}),
    pursuit_box({**PURSUIT, p.Pass: clash.give_up}),
    box("hold_out", "20.2.8", {c.HoldOut: sieges.hold_out, p.Pass: sieges.give_way}, sieges.hold_offers),
    box(
        "freeze",
        "21.1.1",
        {c.SpendTrain: winter.spend_train, p.Pass: winter.freeze},
        winter.freeze_offers,
        leave=winter.roll,
    ),
    box(
        "remove",
        "losses.5",
        {p.Remove: removal.remove, c.RemoveCouncil: removal.remove_council},
        removal.offers,
        leave=removal.removal_over,
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
    box("storm", "21.1.3", {c.Answer: storms.storm, p.Pass: storms.calm}, storms.offers),
    box(
        "sea_intercept",
        "11.6",
        {c.SeaIntercept: sea_interception.sea_intercept, p.Pass: sea_interception.let_pass},
        sea_interception.intercept_offers,
    ),
    box(
        "lookouts",
        "11.6.4",
        {c.Answer: sea_interception.lookouts, p.Pass: sea_interception.no_lookouts},
        sea_interception.lookouts_offers,
    ),
    box(
        "catcher",
        "H2.a",
        {c.Catcher: sea_interception.catcher},
        sea_interception.catcher_offers,
        leave=sea_interception.one_catcher,
    ),
    box(
        "turn_back",
        "11.6.7",
        {c.TurnBack: sea_interception.turn_back, c.FightAtSea: sea_interception.fight},
        sea_interception.turn_back_offers,
    ),
    Step(
        "engagement",
        "L1.2",
        leave=engagements.by_own_table,
        seats=engagements.may_speak,
        offers=engagements.offers,
        awaited=engagements.who_must_answer,
    ),
    box("manoeuvre", "11.7.manoeuvre", {c.Tactic: tactics.tactic, p.Pass: tactics.no_tactic}, tactics.manoeuvre_offers),
    box("shallows", "11.7.cards.2", {c.PickShip: tactics.pick_ship}, tactics.pick_ship_offers),
    box("hit", "11.7.cards.6", {c.Target: tactics.target}, tactics.target_offers),
    box("fair_wind", "11.7.cards.5", {c.PickTactic: tactics.pick_tactic}, tactics.pick_tactic_offers),
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
    return do(rename_prompt(state), engagements.as_report(state, seat, command), dice)


SEQUENCE: Sequence[State] = Sequence(
    steps=by_name(*PHASES, *LAND, *BY_ITSELF, *THE_TURN, *AT_SEA),
    step_of=lambda state: f"phase: {state.phase}",
    prompts=prompts,
    sides=lambda state: SIDES,
    is_over=lambda state: state.phase == "over",
    over=("victory.5", "The war is over."),
    anytime=(
        Action(c.Declare, "8.2", declare, by_attempt(declare), declare_offers, own_side, checks_itself=True),
        Action(p.Resign, "victory.4", ending.resign, whose=own_side, offers=resign_offers),
        Action(Adjust, "reading.6", umpire.adjust, whose=umpires, after_end=True),
        *engagements.MEETING.actions(engagements.by_seat),
    ),
    tidy=tidy,
    wrap=as_report,
)
