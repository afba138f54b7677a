"""L1 The engagement: opened where two fleets meet, settled in one of three ways by one function."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.engagement import (
    MOST_MODELS,
    WAYS,
    Engagement,
    Fleet,
    NavalUnit,
    Transport,
    check_outcome,
    find,
)
from strategic.hamilcar.commands import Assent, ChooseWay, OpenBattle, Report, Settle
from strategic.hamilcar.rules.aftermath import enter
from strategic.hamilcar.rules.naval_battle import begin
from strategic.hamilcar.rules.sea_interception import catching_force
from strategic.hamilcar.state import BOTH, State
from strategic.hamilcar.survey import rating
from strategic.hamilcar.tables import Side, enemy
from strategic.hamilcar.troops import Troops
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

Handled = tuple[State, tuple[Event, ...]]


def fleet_of(state: State, side: Side, ships: tuple[str, ...], force: Troops, general: str | None) -> Fleet:
    """L1.1 One side as it enters: each ready ship a unit (L2.1), each CU with its train a transport (L2.3)."""
    units = []
    for name in ships:
        ship = state.ship(side, name)
        units.append(NavalUnit(name, name, ship.damage if ship else 0))
    transports = tuple(
        Transport(
            f"{side}-{number + 1}",
            int(number < force.size),
            force.units <= number < force.size,
            int(number < force.trains),
        )
        for number in range(force.transports)
    )
    return Fleet(
        tuple(units),
        transports,
        general,
        state.leaders[general].name if general else None,
        rating(state, general),
        general is not None and state.leaders[general].admiral,
        side == "rome" and state.corvus,
        state.tables.sea.levels[state.seamanship] if side == "rome" else None,
    )


def meet(state: State, dice: Dice) -> Handled:
    """L1.1 The fleets meet: the campaign waits on the engagement and on nothing else. L1.1.a: all choices are made."""
    state = state.answered()
    march, voyage = state.marching(), state.sailing()
    side, other = march.side, enemy(march.side)
    engagement = Engagement(
        id=f"{state.turn}.{len(state.settled) + 1}",
        system="hamilcar",
        place=voyage.to,
        fleets={
            side: fleet_of(state, side, voyage.ships, march.force, march.general),
            other: fleet_of(state, other, voyage.catching, catching_force(state), voyage.catcher),
        },
        mover=side,
        rule="11.7",
        start=voyage.start,
        turn=state.turn,
        supremacy=state.supremacy,
    )
    state = replace(state, engagement=engagement)
    told = event(
        "L1.1", "engagement", engagement=engagement.id, place=voyage.to, mover=side,
        ships={name: [unit.name for unit in fleet.units] for name, fleet in engagement.fleets.items()},
        transports={name: len(fleet.transports) for name, fleet in engagement.fleets.items()},
    )  # fmt: skip
    return state.then(Prompt("engagement", BOTH, "L1.2", {"engagement": engagement.id})), (told,)


def check_open(state: State, name: str) -> Engagement:
    """L1.4 The engagement that waits; Illegal for one that is settled already or unknown."""
    engagement = find(state.engagement, state.settled, name)
    if engagement is None:
        raise Illegal("L1.4", f"engagement {name} is settled already")
    if state.naval is not None:
        raise Illegal("L1.2", "the battle is being fought on the system's own table")
    return engagement


def choose_way(state: State, command: ChooseWay, dice: Dice) -> Handled:
    """L1.2 A side says how it would settle; the own table needs no consent, a battle or a report both sides'.

    L1.2.a Once the battle is on the table only both together can leave it, for the own table.
    """
    engagement = check_open(state, command.engagement)
    if command.way != "own_table" and engagement.own_table_only():
        raise Illegal("L1.2.a", "a side has no warship, so only the system's own table settles")
    if engagement.opened:
        if command.way != "own_table":
            raise Illegal("L1.2", "the battle is on the table and the way is fixed; only both together leave it")
        engagement = engagement.abandoning(command.side)
    else:
        engagement = engagement.wishing(command.side, command.way)
    state = replace(state, engagement=engagement)
    told = event("L1.2", "way", engagement=engagement.id, side=command.side, way=command.way, agreed=engagement.way)
    if engagement.way == "own_table":
        state, more = begin(state.answered(), dice)
        return state, (told, *more)
    return state, (told,)


def only_own_table(state: State, dice: Dice) -> Handled:
    """L1.2.a Where a side has no warship the own table settles without asking."""
    return begin(state.answered(), dice)


def open_battle(state: State, command: OpenBattle, dice: Dice) -> Handled:
    """L1.2, L2.1 The agreed battle goes on the table; the event carries the whole engagement for the hand-over."""
    engagement = check_open(state, command.engagement)
    if engagement.way != "battle":
        raise Illegal("L1.2", "both sides must first consent to a battle on the table (choose_way)")
    if engagement.opened:
        raise Illegal("L1.2", "this battle is on the table already")
    if not 1 <= command.models_per_unit <= MOST_MODELS:
        raise Illegal("L2.1", f"a naval unit becomes 1 to {MOST_MODELS} models")
    engagement = engagement.on_table(command.models_per_unit)
    allowed = state.options.commander_rerolls
    rerolls = {side: fleet.rating if allowed else 0 for side, fleet in engagement.fleets.items()}
    told = event(
        "L1.2", "battle_opened", engagement=engagement.id, models_per_unit=command.models_per_unit,
        place=engagement.place, rerolls=rerolls,
    )  # fmt: skip
    return replace(state, engagement=replace(engagement, facts=rerolls)), (told,)


def settle(state: State, command: Settle, dice: Dice) -> Handled:
    """L1.3, L1.4 Enter an outcome: that of the battle on the table, or one that the umpire has. The same outcome twice
    changes nothing.
    """
    engagement = find(state.engagement, state.settled, command.engagement)
    if engagement is None:
        if state.settled[command.engagement] == command.outcome:
            return state, ()
        raise Illegal("L1.4", f"engagement {command.engagement} is settled already, with another outcome")
    check_open(state, command.engagement)
    if not engagement.opened:
        raise Illegal("L1.2", "no battle is on the table; a report needs the assent of both sides (report)")
    check_outcome(engagement, command.outcome)
    return enter(state.answered(), engagement, command.outcome, dice)


def settle_by_umpire(state: State, command: Settle, dice: Dice) -> Handled:
    """L1.4 The umpire enters or corrects an outcome in the open, whatever way was chosen."""
    engagement = find(state.engagement, state.settled, command.engagement)
    if engagement is None or engagement.opened:
        return settle(state, command, dice)
    check_open(state, command.engagement)
    check_outcome(engagement, command.outcome)
    return enter(state.answered(), engagement, command.outcome, dice)


def report(state: State, command: Report, dice: Dice) -> Handled:
    """L1.2 An outcome from a table elsewhere, within what was sent; it enters when both sides have given the same."""
    engagement = find(state.engagement, state.settled, command.engagement)
    if engagement is None:
        return settle(state, Settle(command.engagement, command.outcome), dice)
    check_open(state, command.engagement)
    if engagement.opened or engagement.way == "battle":
        raise Illegal("L1.2", "a battle on the table was agreed; its own outcome settles")
    if engagement.own_table_only():
        raise Illegal("L1.2.a", "a side has no warship, so only the system's own table settles")
    check_outcome(engagement, command.outcome)
    engagement = engagement.proposing(command.outcome, command.side)
    return _assented(replace(state, engagement=engagement), engagement, command.side, dice)


def assent(state: State, command: Assent, dice: Dice) -> Handled:
    """L1.2 The other side agrees to the report."""
    engagement = check_open(state, command.engagement)
    if engagement.proposed is None or command.side in engagement.assents:
        raise Illegal("L1.2", "there is no report of the other side to agree to")
    engagement = engagement.proposing(engagement.proposed, command.side)
    return _assented(replace(state, engagement=engagement), engagement, command.side, dice)


def _assented(state: State, engagement: Engagement, side: str, dice: Dice) -> Handled:
    outcome = engagement.proposed
    assert outcome is not None
    told = event("L1.2", "report", engagement=engagement.id, side=side, assents=list(engagement.assents))
    if len(engagement.assents) < len(engagement.fleets):
        return state, (told,)
    state, more = enter(state.answered(), engagement, outcome, dice)
    return state, (told, *more)


def offers(state: State, side: Side) -> tuple[Offer, ...]:
    """L1.2 What a side may say about the engagement; none where only the own table can settle it."""
    engagement = state.engagement
    if engagement is None or engagement.own_table_only():
        return ()
    base: dict[str, Any] = {"engagement": engagement.id}
    if engagement.opened:
        if engagement.chosen.get(side) == "own_table":
            return ()
        return (Offer("choose_way", "L1.2.a", {**base, "way": "own_table", "side": side}),)
    wished = engagement.chosen.get(side)
    ways = [way for way in WAYS if way != wished]
    found = [Offer("choose_way", "L1.2", {**base, "way": ways, "side": side})]
    if engagement.way == "battle":
        found.append(Offer("open_battle", "L1.2", {**base, "models_per_unit": {"from": 1, "to": MOST_MODELS}}))
    if engagement.proposed is not None and side not in engagement.assents:
        found.append(Offer("assent", "L1.2", {**base, "side": side}))
    return tuple(found)
