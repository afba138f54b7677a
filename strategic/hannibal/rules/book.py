"""The Rulebook of Hannibal, and the umpire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strategic.hannibal.rules import attrition, battle_events, cards
from strategic.hannibal.rules.checks import check
from strategic.hannibal.rules.reinforcements import displace, leave_train
from strategic.hannibal.rules.sea import sail_back
from strategic.hannibal.rules.survey import keeps_to, may_units_enter, standing
from strategic.hannibal.state import Battle, Handled, State
from strategic.hannibal.tables import (
    BATTLE_CARDS,
    BATTLE_DECK,
    CHART,
    LEADERS,
    PROVINCES,
    TABLES,
    ground,
    is_pass,
    room,
)
from strategic.hannibal.view import HIDDEN
from strategic.point_to_point.battle import allied_cards
from strategic.point_to_point.commands import Resign
from strategic.point_to_point.rulebook import Moment, Rulebook, Task
from strategic.point_to_point.state import SIDES, Side, enemy, over
from strategic.point_to_point.survey import rating
from tactical.kernel import corrections
from tactical.kernel.corrections import Adjust
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Prompt

# -- The Rulebook of Hannibal: what this game does in its own way in the chapters that the family shares.


def limit(state: State, general: str, task: Task, attacks: bool) -> int:
    """movement.command.6 The battle rating, or what the general's ability says: Varro and Gisgo intercept, Fabius and
    Gisgo avoid, Flaminius pursues and stops withdrawals, Longus and Paulus counter-attack by numbers of their own.
    """
    if not general:
        return 0
    leader = state.leaders[general]
    counter = leader.counter_as_attacker if attacks else leader.counter_as_defender
    own = {
        "intercept": leader.intercept,
        "avoid": leader.avoid,
        "pursue": leader.pursue,
        "stop": leader.pursue,
        "counter_attack": counter,
    }
    return own.get(task, 0) or rating(state, general)


def follows(leader: str, other: str) -> bool:
    """movement.land.1c No Carthaginian takes Hannibal along."""
    return not LEADERS[other].outranks


def moments(state: State, moment: Moment) -> tuple[Prompt, ...]:
    """strategy.event.2 The enemy may play a counter-event now."""
    seat: Side = "rome" if moment == "fright" else enemy(state.marching().side)
    return (Prompt("counter", seat, "strategy.event.2", {"moment": moment}),)


def battle_of(state: State, facts: Mapping[str, Any]) -> Battle:
    """battle.1 A battle begins; battle.5d, battle.5e: the defender has intercepted, or tried to avoid it in vain."""
    march = state.marching()
    return Battle(
        **facts,
        interceptor=bool(march.intercepted),
        failed_avoid=march.failed_avoid,
        shown={each: () for each in SIDES},
        no_allies={each: () for each in SIDES},
    )


def is_near(state: State, side: Side, province: str) -> bool:
    """battle.5h.4, hands.3 Does a province's help come to this battle? Within its region; from an island only to
    battles in that very province (option island_allies "island": on that island); from Gaul by option.
    """
    battle, record = state.fighting(), PROVINCES[province]
    here = ground(battle.space)
    if province in battle.no_allies[side]:
        return False
    if record.ally_scope == "province_only":
        return state.options.gallic_allies == "province" and here.province == province
    if record.ally_scope == "island" and state.options.island_allies == "province":
        return here.province == province
    return record.region == here.region


def hand_size(state: State, side: Side) -> tuple[int, dict[str, int]]:
    """battle.5 At most 20 (hands.1), and its parts for the players.

    battle.5b the commander, battle.5c the CUs, battle.5d and interception.general.2 the interceptor's advantage,
    battle.5e and avoid.more.1 a failed try to avoid, battle.5f Latium, battle.5g a friendly tribe, battle.5h allies.
    """
    battle, numbers = state.fighting(), TABLES.battle
    place = state.spaces[battle.space]
    defends = side == battle.defender
    parts = {
        "commander": rating(state, battle.commanders[side]),
        "units": place.outside(side).size,
        "interception": numbers.interception * (defends and battle.interceptor),
        "failed_avoid": -numbers.failed_avoid * (defends and battle.failed_avoid),
        "latium": numbers.latium * (side == "rome" and ground(battle.space).province == "latium"),
        "tribe": numbers.tribe * (side == "carthage" and place.tribe and place.control == "carthage"),
        "allies": allied_cards(state, side, lambda province: is_near(state, side, province)),
    }
    return min(max(sum(parts.values()), 0), numbers.hand), {name: n for name, n in parts.items() if n}


def isolating(state: State, kind: str) -> bool:
    """isolation.3 Passes block a path; straits by option."""
    return is_pass(kind) or (kind == "strait" and state.options.isolation_straits == "blocked")


BOOK: Rulebook[State] = Rulebook(
    chart=CHART,
    ground=ground,
    room=room,
    provinces=PROVINCES,
    battle_cards=BATTLE_CARDS,
    battle_deck=BATTLE_DECK,
    cites={},
    isolation_order=SIDES,
    standing=standing,
    limit=limit,
    displace=displace,
    follows=follows,
    keeps_to=keeps_to,
    why_not_entry=cards.why_not_entry,
    may_units_enter=may_units_enter,
    on_step=attrition.on_step,
    after_move=attrition.after_move,
    moments=moments,
    why_not_interception=cards.why_not_interception,
    sail_back=sail_back,
    leave_behind=leave_train,
    battle=battle_of,
    hand_size=hand_size,
    battle_prompts=battle_events.prompts,
    after_deal=battle_events.after_deal,
    no_deal=lambda state: state.options.cards_on_table,
    also_means=battle_events.probe_as,
    after_card=battle_events.after_card,
    other_cards=battle_events.cavalry,
    other_kind=battle_events.CAVALRY_AS,
    may_hold_other=battle_events.may_hold_cavalry,
    may_take_card=battle_events.may_win_deserters,
    play_other=battle_events.play_cavalry,
    chooses_initiative=lambda state: state.options.cancelled_withdrawal == "defender_chooses",
    why_not_siege=cards.why_not_siege,
    why_not_sortie=cards.why_not_sortie,
    isolating=isolating,
)


# -- What stands outside the rules: the umpire's hand, and giving up.


def resign(state: State, command: Resign, dice: Dice) -> Handled:
    """victory.4 A side sues for peace."""
    return over(state, enemy(command.side), "victory.4", f"{command.side} sues for peace")


def adjust(state: State, command: Adjust, dice: Dice) -> Handled:
    """reading.6 Fields set by their paths, as `spaces.rome.control`, with a reason; a contradiction is refused."""
    return corrections.adjust(state, command.changes, command.why, "reading.6", HIDDEN, check)
