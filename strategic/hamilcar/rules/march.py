"""Besides steps and lanes: trains burnt on the way, and going inside walls."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import BurnTrains, Enter
from strategic.hamilcar.rules.sea import sail_offers
from strategic.hamilcar.state import Handled, State
from strategic.interception import parties
from strategic.point_to_point.fatigue import why_not_fresh
from strategic.point_to_point.movement import halt_offers, is_there, step_offers, why_not_leave_alone
from strategic.point_to_point.offering import forces
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.siege import siege_offers, sortie_offers
from strategic.point_to_point.survey import (
    companions_of,
    enemy_units,
    generals_at,
    is_own_city,
    why_not_consular,
    why_not_room,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, event, refuse


def burn_trains(state: State, command: BurnTrains, dice: Dice) -> Handled:
    """8.2.1.burn The commander destroys trains where he stands, 1 movement point each."""
    march = state.marching()
    if not 1 <= command.count <= most_burnt(state):
        raise Illegal(
            "8.2.1.burn",
            "the points left allow only %(most_burnt)s supply %(most_burnt|train|trains)s to be destroyed here",
            most_burnt=most_burnt(state),
        )
    state = state.take(march.at, march.side, Troops(0, 0, command.count))
    left = min(march.force.trains, state.spaces[march.at].all_of(march.side).trains)
    points = march.points - command.count * state.tables.movement.burn
    march = replace(march, points=points, force=replace(march.force, trains=left))
    told = event("8.2.1.burn", "trains_destroyed", side=march.side, space=march.at, trains=command.count)
    return replace(state, march=march), (told,)


def most_burnt(state: State) -> int:
    """8.2.1.burn How many trains can be destroyed: those here, within the points."""
    march = state.marching()
    here = state.spaces[march.at].all_of(march.side).trains
    return 0 if march.stopped else min(here, march.points // state.tables.movement.burn)


def why_not_enter(state: State, command: Enter) -> Illegal | None:
    """cities.4 Into an own city with room, from outside; a consul with all that he has, or with a consular army."""
    march = state.marching()
    if march.stopped:
        return Illegal("movement.land.1", "%(general)s has ended his move", general=march.general)
    if state.generals[march.general].inside or not is_own_city(state, march.side, march.at):
        return Illegal("cities.4", "%(at)s is not a friendly city that this general may enter", at=march.at)
    if enemy_units(state, march.side, march.at):
        return Illegal("cities.4", "the enemy stands before the walls")
    here = generals_at(state, march.side, march.at, inside=False)
    party = (march.general, *command.companions)
    followers = set(companions_of(state, march.general)) & set(here)
    if len(set(party)) != len(party) or not set(command.companions) <= followers:
        return Illegal("movement.land.1c", "companions must be other generals before the walls, none of higher rank")
    outside = state.spaces[march.at].outside(march.side)
    if not command.force.is_counted or not outside.holds(command.force):
        return Illegal("movement.land.1", "there are not that many CUs and supply trains before the walls")
    staying = [name for name in here if name not in party]
    return (
        why_not_consular(state, party, command.force, staying, outside)
        or why_not_leave_alone(state, march.side, march.at, staying, outside.minus(command.force))
        or why_not_fresh(state, march, command.companions, command.force.size, 0)
        or why_not_room(state, march.at, command.force)
    )


def enter(state: State, command: Enter, dice: Dice) -> Handled:
    """cities.4 The army goes inside the walls, and its move is over."""
    refuse(why_not_enter(state, command))
    march, force = state.marching(), command.force
    state = state.enter_walls(march.at, march.side, force)
    state = state.move_generals((march.general, *command.companions), march.at, inside=True)
    march = replace(march, inside=True, stopped=True, companions=command.companions, force=force)
    told = event("cities.4", "entered_city", side=march.side, general=march.general, space=march.at, units=force.size)
    return replace(state, march=march), (told,)


def enter_offers(state: State) -> tuple[Offer, ...]:
    """cities.4 Every party that may go in."""
    march, offers = state.marching(), []
    outside = state.spaces[march.at].outside(march.side)
    for group in parties(companions_of(state, march.general), least=0):

        def may_enter(force: Troops, group: tuple[str, ...] = group) -> bool:
            return why_not_enter(state, Enter(force.units, force.elephants, force.trains, group)) is None

        for fields in forces(outside, outside.size, may_enter):
            offers.append(Offer("enter", "cities.4", {"companions": [list(group)], **fields}))
    return tuple(offers)


def offers(state: State) -> tuple[Offer, ...]:
    """movement.land.1 Steps, lanes, sieges, walls, or the end of the move."""
    march = state.march
    if march is None or not is_there(state, march):
        return ()
    found = [*step_offers(state), *sail_offers(state)]
    if most_burnt(state):
        found.append(Offer("burn_trains", "8.2.1.burn", {"count": {"from": 1, "to": most_burnt(state)}}))
    found += [*enter_offers(state), *siege_offers(state), *sortie_offers(state)]
    return (*found, *halt_offers(state))
