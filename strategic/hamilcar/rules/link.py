"""L1 The engagement: opened where two fleets meet, settled in one of three ways by one function."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.rules.aftermath import enter
from strategic.hamilcar.rules.naval_battle import begin
from strategic.hamilcar.rules.sea_interception import catching_force
from strategic.hamilcar.state import BOTH, State
from strategic.naval import settling
from strategic.naval.engagement import (
    Engagement,
    Fleet,
    NavalUnit,
    Transport,
)
from strategic.naval.settling import Assent, ChooseWay, OpenBattle, Report, Settle
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import rating
from strategic.point_to_point.tables import Side, enemy
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


def waiting(state: State, name: str) -> Engagement:
    """L1.4 The engagement that waits; Illegal for one that is settled already or unknown."""
    engagement = settling.waiting(state.engagement, state.settled, name)
    if state.naval is not None:
        raise Illegal("L1.2", "The battle is being fought on the system's own table.")
    return engagement


def choose_way(state: State, command: ChooseWay, dice: Dice) -> Handled:
    """L1.2 A side says how it would settle; when both leave it to the own table, the battle is fought there."""
    engagement, told = settling.choose_way(waiting(state, command.engagement), command)
    state = replace(state, engagement=engagement)
    if not settling.on_own_table(engagement):
        return state, (told,)
    state, more = begin(state.answered(), dice)
    return state, (told, *more)


def only_own_table(state: State, dice: Dice) -> Handled:
    """L1.2.a Where a side has no warship the own table settles without asking."""
    return begin(state.answered(), dice)


def open_battle(state: State, command: OpenBattle, dice: Dice) -> Handled:
    """L1.2, L2.1 The agreed battle goes on the table, with the commanders' re-rolls if the option is on."""
    engagement = waiting(state, command.engagement)
    allowed = state.options.commander_rerolls
    rerolls = {side: fleet.rating if allowed else 0 for side, fleet in engagement.fleets.items()}
    engagement, told = settling.open_battle(engagement, command, rerolls)
    return replace(state, engagement=replace(engagement, facts=rerolls)), (told,)


def settle(state: State, command: Settle, dice: Dice, umpire: bool = False) -> Handled:
    """L1.3, L1.4 Enter an outcome: that of the battle on the table, or one that the umpire has. The same outcome twice
    changes nothing.
    """
    if settling.is_repeated(state.settled, command):
        return state, ()
    engagement = waiting(state, command.engagement)
    settling.check_settle(engagement, command.outcome, umpire)
    return enter(state.answered(), engagement, command.outcome, dice)


def settle_by_umpire(state: State, command: Settle, dice: Dice) -> Handled:
    """L1.4 The umpire enters or corrects an outcome in the open, whatever way was chosen."""
    return settle(state, command, dice, umpire=True)


def report(state: State, command: Report, dice: Dice) -> Handled:
    """L1.2 An outcome from a table elsewhere, within what was sent; it enters when both sides have given the same."""
    if settling.is_repeated(state.settled, command):
        return state, ()
    engagement, told = settling.report(waiting(state, command.engagement), command)
    return _assented(state, engagement, told, dice)


def assent(state: State, command: Assent, dice: Dice) -> Handled:
    """L1.2 The other side agrees to the report."""
    engagement, told = settling.assent(waiting(state, command.engagement), command)
    return _assented(state, engagement, told, dice)


def _assented(state: State, engagement: Engagement, told: Event, dice: Dice) -> Handled:
    outcome = settling.agreed_report(engagement)
    state = replace(state, engagement=engagement)
    if outcome is None:
        return state, (told,)
    state, more = enter(state.answered(), engagement, outcome, dice)
    return state, (told, *more)


def offers(state: State, side: Side) -> tuple[Offer, ...]:
    """L1.2 What a side may say about the engagement; none where only the own table can settle it."""
    engagement = state.engagement
    if engagement is None or engagement.own_table_only():
        return ()
    return settling.offers(engagement, side)
