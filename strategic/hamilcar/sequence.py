"""H.turn The order of play: which prompt takes which commands, what goes by itself, and `apply`, which runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from strategic.hamilcar import commands as c
from strategic.hamilcar.hand import declare
from strategic.hamilcar.rules import (
    aftermath,
    ending,
    events,
    generals,
    link,
    march,
    mercenaries,
    naval_battle,
    operations,
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
from strategic.hamilcar.state import BOTH, NO_CARD, State
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
from strategic.point_to_point.tables import SIDES, Side
from tactical.kernel.dice import Dice
from tactical.kernel.play import SPECTATOR, UMPIRE, Event, Illegal, NotYours, Offer, Outcome, Prompt

Handled = tuple[State, tuple[Event, ...]]
Handler = Callable[[State, Any, Dice], Handled]
Auto = Callable[[State, Dice], Handled]


def drop(state: State, dice: Dice) -> Handled:
    """strategy.event.2 A question that nobody can answer falls away."""
    return state.answered(), ()


@dataclass(frozen=True)
class Question:
    """A kind of prompt: the commands that answer it, what is offered, and what happens when nothing is.

    `is_open` says whether anybody is asked; without it, somebody is whenever there are offers.
    """

    handlers: Mapping[type, Handler]
    offers: Callable[[State], tuple[Offer, ...]]
    leave: Auto = drop
    is_open: Callable[[State], bool] | None = None


# the phases, in the order of the turn (H.turn)
PHASES: dict[str, Auto] = {
    "reinforcements": turn.reinforcements,
    "deal": turn.deal,
    "first": turn.first,
    "strategy": turn.strategy,
    "winter": winter.winter,
    "isolation": isolation.isolation,
    "victory": victory.victory,
    "budget": victory.budget,
    "next": turn.next_turn,
}

# steps that the engine takes by itself
AUTOMATIC: dict[str, Auto] = {
    "carthage_due": reinforcements.carthage_due,
    "generals_leave": generals.generals_leave,
    "rome_due": reinforcements.rome_due,
    "consuls": generals.consuls,
    "impulse_over": operations.over,
    "arrive": sea.arrive,
    "caught": sea_interception.caught,
    "fleets_meet": link.meet,
    "naval": naval_battle.proceed,
    "catcher_home": aftermath.catcher_home,
    "mover_home": aftermath.mover_home,
    "meet": avoidance.meet,
    "clash": clash.clash,
    "halted": movement.halted,
    "siege": sieges.siege,
    "battle": battle.begin,
    "charge_roll": battle.charge_roll,
    "deal_battle": battle.deal_battle,
    "losses": losses.losses,
    "consequences": losses.consequences,
    "battle_over": losses.battle_over,
    "siege_result": sieges.siege_result,
    "winter_sea": winter.winter_sea,
    "spend_budget": drop,
}


def impulse_offers(state: State) -> tuple[Offer, ...]:
    """8.2 Everything that a card, or a hiring in its place, can do."""
    return (
        *operations.offers(state), *events.offers(state), *mercenaries.offers(state),
        *arrangement.arrange_offers(state), *arrangement.command_offers(state),
    )  # fmt: skip


BOUGHT: dict[type, Handler] = {  # by points and by the war budget; PCs on the map only by points (22.2.d)
    c.CouncilPc: operations.council,
    c.Repair: operations.repair_ship,
    c.Supply: operations.supply,
}

QUESTIONS: dict[str, Question] = {
    "reinforce": Question({c.Reinforce: reinforcements.reinforce}, reinforcements.offers, reinforcements.over),
    "place_general": Question({c.PlaceGeneral: generals.place_general}, generals.place_offers),
    "proconsul": Question({c.Proconsul: generals.proconsul}, generals.proconsul_offers, generals.nobody_to_name),
    "elect": Question({c.Elect: generals.elect}, generals.elect_offers, generals.few_to_elect),
    "reform": Question({c.Reform: generals.reform}, generals.reform_offers),
    "open": Question({c.OpenCampaign: turn.opens, p.Pass: turn.not_open}, turn.open_offers),
    "first_player": Question({p.FirstPlayer: turn.first_player}, turn.first_offers),
    "impulse": Question(
        {
            c.Activate: operations.activate, c.Campaign: operations.campaign, c.Points: operations.points,
            c.BuildShips: operations.build_ships, c.RaiseUnit: operations.raise_unit,
            c.Training: operations.training, c.PlayEvent: events.play_event, c.Discard: operations.discard,
            c.Hire: mercenaries.hire, p.Arrange: arrangement.arrange, p.TakeCommand: arrangement.take_command,
        },
        impulse_offers,
    ),
    "campaign": Question(
        {p.CampaignMove: operations.campaign_move, p.Done: operations.done}, operations.campaign_offers
    ),
    "points": Question({**BOUGHT, c.Put: operations.put, p.Done: operations.done}, operations.points_offers),
    "move": Question(
        {
            p.Step: movement.step, c.Sail: sea.sail, c.BurnTrains: march.burn_trains, p.Besiege: siege.besiege,
            p.Sortie: siege.sortie, c.Enter: march.enter, p.Halt: movement.halt,
        },
        march.offers,
        movement.march_over,
    ),
    "storm": Question({c.Answer: storms.storm, p.Pass: storms.calm}, storms.offers),
    "sea_intercept": Question(
        {c.SeaIntercept: sea_interception.sea_intercept, p.Pass: sea_interception.let_pass},
        sea_interception.intercept_offers,
    ),
    "lookouts": Question(
        {c.Answer: sea_interception.lookouts, p.Pass: sea_interception.no_lookouts},
        sea_interception.lookouts_offers,
    ),
    "catcher": Question(
        {c.Catcher: sea_interception.catcher}, sea_interception.catcher_offers, sea_interception.one_catcher
    ),
    "turn_back": Question(
        {c.TurnBack: sea_interception.turn_back, c.FightAtSea: sea_interception.fight},
        sea_interception.turn_back_offers,
    ),
    "engagement": Question(
        {
            settling.ChooseWay: link.choose_way, settling.OpenBattle: link.open_battle, settling.Settle: link.settle,
            settling.Report: link.report, settling.Assent: link.assent,
        },
        lambda state: (*link.offers(state, "rome"), *link.offers(state, "carthage")),
        link.only_own_table,
    ),
    "manoeuvre": Question(
        {c.Tactic: tactics.tactic, p.Pass: tactics.no_tactic}, tactics.manoeuvre_offers
    ),
    "shallows": Question({c.PickShip: tactics.pick_ship}, tactics.pick_ship_offers),
    "hit": Question({c.Target: tactics.target}, tactics.target_offers),
    "fair_wind": Question({c.PickTactic: tactics.pick_tactic}, tactics.pick_tactic_offers),
    "engage": Question({c.Engage: naval_battle.engage}, naval_battle.engage_offers),
    "regroup": Question(
        {
            c.Regroup: naval_battle.regroup, c.Flee: naval_battle.flee, c.Evade: naval_battle.evade,
            p.Pass: naval_battle.stay,
        },
        naval_battle.regroup_offers,
    ),
    "sea_pursuit": Question(
        {c.CancelRetreat: naval_battle.cancel_retreat, p.Pass: naval_battle.let_go},
        naval_battle.pursuit_offers,
        naval_battle.gone,
    ),
    "after_sea": Question({c.AfterSea: aftermath.after_sea}, aftermath.after_offers, aftermath.nobody_lands),
    "prize_roll": Question(
        {c.PrizeRoll: aftermath.prize_roll, p.Pass: aftermath.no_prizes}, aftermath.prize_offers
    ),
    "intercept": Question(
        {
            p.Intercept: interception.intercept, p.Done: interception.roll_interceptions,
            p.Pass: interception.let_pass,
        },
        interception.intercept_offers,
        interception.intercept_over,
        interception.intercept_open,
    ),
    "intercepted": Question(
        {p.GoBack: interception.go_back, p.AcceptBattle: interception.accept_battle}, interception.caught_offers
    ),
    "avoid": Question(
        {p.Shelter: avoidance.shelter, p.Avoid: avoidance.avoid, p.Stand: avoidance.stand},
        avoidance.avoid_offers,
        avoidance.avoid_over,
        avoidance.avoid_open,
    ),
    "pursuit": Question(
        {p.Pursue: clash.pursue, p.Done: clash.give_up, p.Pass: clash.give_up},
        clash.pursuit_offers,
        clash.no_pursuit,
        clash.pursuit_open,
    ),
    "join": Question(
        {p.Join: battle.join, p.Pass: battle.pass_by}, battle.join_offers, battle.no_choice, battle.join_open
    ),
    "command": Question(
        {p.ChangeCommand: battle.change_command, p.Pass: battle.pass_by},
        battle.command_offers,
        battle.command_over,
        battle.command_open,
    ),
    "elephants": Question(
        {p.Charge: battle.charge, p.Pass: battle.pass_by},
        battle.charge_offers,
        battle.no_choice,
        battle.elephants_open,
    ),
    "attack": Question(
        {p.Attack: rounds.attack, p.Withdraw: withdrawal.withdraw, p.Concede: rounds.no_card},
        rounds.attack_offers,
        rounds.attack_over,
        rounds.attack_open,
    ),
    "match": Question(
        {p.Match: rounds.match, p.Concede: rounds.concede},
        rounds.match_offers,
        rounds.match_over,
        rounds.match_open,
    ),
    "counter_attack": Question(
        {p.CounterAttack: rounds.counter_attack, p.Pass: rounds.no_counter},
        rounds.counter_offers,
        rounds.counter_over,
        rounds.counter_open,
    ),
    "cancel": Question(
        {p.Cancel: withdrawal.cancel, p.Pass: withdrawal.let_go},
        withdrawal.cancel_offers,
        withdrawal.cancel_over,
        withdrawal.cancel_open,
    ),
    "retreat": Question(
        {p.RetreatTo: retreat.retreat}, retreat.retreat_offers, retreat.no_retreat, retreat.retreat_open
    ),
    "hold_out": Question({c.HoldOut: sieges.hold_out, p.Pass: sieges.give_way}, sieges.hold_offers),
    "freeze": Question({c.SpendTrain: winter.spend_train, p.Pass: winter.freeze}, winter.freeze_offers, winter.roll),
    "remove": Question(
        {p.Remove: removal.remove, c.RemoveCouncil: removal.remove_council}, removal.offers, removal.removal_over
    ),
    "burn": Question({c.SpendTrain: victory.burn, p.Done: victory.burnt}, victory.burn_offers, victory.to_spend),
    "budget": Question(
        {**BOUGHT, c.BuildShip: victory.build_ship, c.Recruit: victory.recruit, p.Done: victory.stop},
        victory.budget_offers,
    ),
}  # fmt: skip

# questions by the names that earlier programs gave them, in positions that they wrote
OLD_NAMES = {
    "entered": "meet", "meeting": "clash", "pursue": "pursuit", "change_command": "command", "charge": "elephants",
}  # fmt: skip
AT_SEA = {("meet", "L1.1"): "fleets_meet", ("pursuit", "11.7.pursuit"): "sea_pursuit"}


def name_of(prompt: Prompt) -> str:
    """H.turn What a question is called today."""
    return AT_SEA.get((prompt.kind, prompt.rule)) or OLD_NAMES.get(prompt.kind, prompt.kind)


def renamed(state: State) -> State:
    """H.turn A position of an earlier program: its current question by today's name."""
    prompt = state.asks()
    if prompt is None or name_of(prompt) == prompt.kind:
        return state
    came = tuple(prompt.about.get("interceptors", ()))
    if came and state.march is not None:
        state = replace(state, march=replace(state.march, intercepted=came))
    asked = replace(prompt, kind=name_of(prompt))
    return replace(state, agenda=(*state.agenda[:-1], asked))


ANY_TIME: dict[type, Handler] = {c.Resign: ending.resign, c.Adjust: umpire.adjust, c.Declare: declare}
SPEAKS_FOR = (settling.ChooseWay, settling.Report, settling.Assent, c.Resign, c.Declare)


def apply(state: State, seat: str, command: Any, dice: Dice) -> Outcome[State]:
    """H.turn Carry out one command of a seat, then run everything that needs no decision.

    Raises NotYours for another seat's affairs, Illegal with the paragraph, RollNeeded for dice of the table.
    """
    state = renamed(state)
    handler = find(state, seat, command)
    state, happened = handler(state, command, dice)
    state, more = run(state, dice)
    dice.finish()
    return Outcome(state, (*happened, *more))


def find(state: State, seat: str, command: Any) -> Handler:
    """H.turn Who resolves this command now, and may this seat give it?"""
    if seat == SPECTATOR:
        raise NotYours("A spectator gives no commands.")
    kind = type(command)
    if kind is settling.Settle and (state.engagement is None or command.engagement != state.engagement.id):
        return link.settle  # L1.4 the same outcome twice changes nothing
    if kind is c.Adjust:
        if seat != UMPIRE:
            raise NotYours("Only the umpire adjusts a campaign.")
        return umpire.adjust
    if state.phase == "over":
        raise Illegal("victory.5", "The war is over.")
    if isinstance(command, SPEAKS_FOR) and seat not in (command.side, UMPIRE):
        raise NotYours(f"This is for {command.side} to say, not for {seat}.")
    if kind in ANY_TIME:
        return ANY_TIME[kind]
    state = renamed(state)
    prompt = state.asks()
    assert prompt is not None, "a position at rest always asks something"
    question = QUESTIONS[prompt.kind]
    if seat not in (prompt.seat, UMPIRE) and prompt.seat != BOTH:
        raise NotYours(f"{prompt.seat} must decide now, not {seat}.")
    handler = question.handlers.get(kind)
    if handler is None:
        word = kind.__struct_config__.tag
        raise Illegal(prompt.rule, f"`{word}` does not answer what is asked now ({prompt.kind}).")
    if kind is settling.Settle and seat == UMPIRE:
        return link.settle_by_umpire
    if kind is settling.Settle and not state.engaged().opened:
        return lambda at, said, dice: link.report(at, settling.Report(said.engagement, said.outcome, _side(seat)), dice)
    return handler


def _side(seat: str) -> Side:
    return "rome" if seat == "rome" else "carthage"


def run(state: State, dice: Dice) -> Handled:
    """H.turn Go on until somebody must decide or the war is over."""
    told: tuple[Event, ...] = ()
    while state.phase != "over":
        state, lifted = siege.lift_sieges(renamed(state))
        told += lifted
        prompt = state.asks()
        if prompt is None:
            state, more = PHASES[state.phase](state, dice)
        elif not prompt.seat:
            state, more = AUTOMATIC[prompt.kind](state, dice)
        else:
            question = QUESTIONS[prompt.kind]
            if is_asked(question, state) or _unseen(state):
                break
            state, more = question.leave(state, dice)
        told += more
    return state, told


def is_asked(question: Question, state: State) -> bool:
    """H.turn Is there anything to decide?"""
    return question.is_open(state) if question.is_open is not None else bool(question.offers(state))


def _unseen(state: State) -> bool:
    """8.2 Cards on the table: a side with cards must be asked for them though none is known."""
    prompt = state.asks()
    assert prompt is not None
    return prompt.kind == "impulse" and NO_CARD in state.hands[_side(prompt.seat)]


def offers(state: State, seat: str) -> tuple[Offer, ...]:
    """H.turn What the seat may command now; the umpire sees the offers of both sides."""
    if state.phase == "over" or seat == SPECTATOR:
        return ()
    state = renamed(state)
    prompt = state.asks()
    found: tuple[Offer, ...] = ()
    if prompt is not None and prompt.seat == BOTH:
        found = tuple(o for side in SIDES if seat in (side, UMPIRE) for o in link.offers(state, side))
    elif prompt is not None and seat in (prompt.seat, UMPIRE):
        found = QUESTIONS[prompt.kind].offers(state)
    sides = SIDES if seat == UMPIRE else tuple(side for side in SIDES if side == seat)
    return (*found, *(offer for side in sides for offer in _of_side(state, side)))


def _of_side(state: State, side: Side) -> list[Offer]:
    found = [Offer("resign", "victory.4", {"side": side})]
    if NO_CARD in state.hands[side]:
        free = next(n for n in range(1, 200) if not any(n in hand for hand in state.hands.values()))
        fields = {"side": side, "number": free, "ops": {"from": 1, "to": 3}, "ships": 0}
        found.insert(0, Offer("declare", "8.2", fields))
    return found


def waiting_for(state: State) -> tuple[str, ...]:
    """H.turn Who must act."""
    prompt = state.asks()
    if state.phase == "over" or prompt is None:
        return ()
    if prompt.seat == BOTH:
        return tuple(side for side in SIDES if link.offers(state, side))
    return (prompt.seat,)
