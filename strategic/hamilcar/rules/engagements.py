"""L1 The engagement: opened where two fleets meet, settled in one of three ways by one function."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.hamilcar.rules.aftermath import enter
from strategic.hamilcar.rules.naval_battle import begin
from strategic.hamilcar.rules.sea_interception import catching_force
from strategic.hamilcar.state import BOTH, Handled, State
from strategic.naval import settling
from strategic.naval.engagement import (
    Engagement,
    Fleet,
    NavalOutcome,
    NavalUnit,
    Transport,
    stops,
)
from strategic.naval.settling import Report, Settle
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import commander, rating
from strategic.point_to_point.tables import SIDES, Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours, Offer, Prompt, event
from tactical.kernel.trying import by_attempt


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
            side: fleet_of(state, side, voyage.ships, march.force, commander(state, march.generals)),
            other: fleet_of(state, other, voyage.catching, catching_force(state), voyage.catcher),
        },
        mover=side,
        rule="11.7",
        start=voyage.start,
        turn=state.turn,
        deciding=state.options.sea_battles,
        supremacy=state.supremacy,
    ).decided()
    state = replace(state, engagement=engagement)
    told = event(
        "L1.1",
        "engagement",
        engagement=engagement.id,
        place=voyage.to,
        mover=side,
        ships={name: [unit.name for unit in fleet.units] for name, fleet in engagement.fleets.items()},
        transports={name: len(fleet.transports) for name, fleet in engagement.fleets.items()},
    )
    return state.then(Prompt("engagement", BOTH, "L1.2", {"engagement": engagement.id})), (told,)


def check(state: State, command: Any) -> None:
    """L1.2 What the system's own table has begun, it ends."""
    if state.naval is not None:
        raise Illegal("L1.2", "The battle is being settled by the game's dice table.")


def by_own_table(state: State, dice: Dice) -> Handled:
    """L1.2 The battle is fought on the own table. L1.2.a Where a side has no warship that settles without asking."""
    return begin(state.answered(), dice)


def by_outcome(state: State, engagement: Engagement, outcome: NavalOutcome, dice: Dice) -> Handled:
    """L1.3 An outcome is taken in."""
    return enter(state.answered(), engagement, outcome, dice)


def rerolls(state: State) -> dict[str, int]:
    """L2.5.a The commanders' re-rolls on the table, if the option is on."""
    allowed = state.options.commander_rerolls
    return {side: fleet.rating if allowed else 0 for side, fleet in state.engaged().fleets.items()}


MEETING: settling.Meeting[State] = settling.Meeting(by_own_table, by_outcome, check, rerolls)


def as_report(state: State, seat: str, command: Any) -> Any:
    """L1.2 Without a battle on the table an outcome that a side enters is its report, which the other must agree to."""
    if not isinstance(command, Settle) or seat == UMPIRE or command.engagement in state.settled:
        return command
    if state.engagement is None or state.engagement.id != command.engagement or state.engagement.opened:
        return command
    return Report(command.engagement, command.outcome, seat)


def by_seat(state: State, seat: str, command: Any) -> Illegal | NotYours | None:
    """L1.2 A side's outcome is refused as its report would be."""
    meant = as_report(state, seat, command)
    return None if meant is command else by_attempt(MEETING.carry_out)(state, meant)


def may_speak(state: State) -> tuple[str, ...]:
    """L1.2 Who can still say something about the engagement."""
    return tuple(seat for seat in (*SIDES, UMPIRE) if offers(state, seat))


def who_must_answer(state: State) -> tuple[str, ...]:
    """L1.2 Who has still to answer."""
    assert state.engagement is not None
    return state.engagement.asked()


def offers(state: State, side: str) -> tuple[Offer, ...]:
    """L1.2 What a side may say about the engagement; none where only the own table can settle it."""
    engagement = state.engagement
    if engagement is None or engagement.own_table_only() or not stops(engagement.deciding, True):
        return ()
    return settling.offers(engagement, side)
