"""Inside or outside the walls, and who commands among equals: free acts of the side that is to play a card."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.commands import Arrange, TakeCommand
from strategic.hannibal.rules.operations import seat_side
from strategic.hannibal.state import State, Troops
from strategic.hannibal.survey import (
    commander,
    enemy_units,
    generals_at,
    side_of,
    standing,
)
from strategic.hannibal.tables import Side, ground, room
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, event


def check_arrange(state: State, side: Side, command: Arrange) -> None:
    """movement.general.4 The owner of a city says who is inside, while no enemy CU is before the walls.

    With an enemy there, going in is avoiding and coming out a sortie (avoid.1a, siege.6).
    """
    if command.space not in state.spaces or not ground(command.space).city:
        raise Illegal("movement.general.4", "only a walled city has an inside")
    place = state.spaces[command.space]
    if place.control != side or enemy_units(state, side, command.space):
        raise Illegal("movement.general.4", "the city must be friendly, without enemy CUs before it")
    wanted = Troops(command.units, command.elephants)
    if command.units < 0 or command.elephants < 0 or not place.all_of(side).holds(wanted):
        raise Illegal("movement.general.4", "there are not so many CUs here")
    if wanted.size > room(command.space):
        raise Illegal("cities.2", f"{command.space} holds at most {room(command.space)} CUs")
    if not set(command.generals) <= set(generals_at(state, side, command.space)):
        raise Illegal("movement.general.4", "these generals are not all here")


def arrange(state: State, command: Arrange, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """movement.general.4 These CUs and generals are inside, the rest outside."""
    side = seat_side(state)
    check_arrange(state, side, command)
    place, inside = state.spaces[command.space], Troops(command.units, command.elephants)
    outside = place.all_of(side).minus(inside)
    state = state.with_place(command.space, replace(place.with_outside(side, outside), inside=inside))
    for name in generals_at(state, side, command.space):
        general = replace(state.generals[name], inside=name in command.generals)
        state = state.with_general(name, general)
    told = event(
        "movement.general.4",
        "arranged",
        side=side,
        space=command.space,
        units=command.units,
        elephants=command.elephants,
        generals=list(command.generals),
    )
    return state, (told,)


def arrange_offers(state: State) -> tuple[Offer, ...]:
    """movement.general.4 Every change of the garrison, with all generals inside or all outside."""
    side = seat_side(state)
    offers = []
    for space, place in state.spaces.items():
        if place.control != side or not ground(space).city or enemy_units(state, side, space):
            continue
        here, people = place.all_of(side), generals_at(state, side, space)
        if not here.size and not people:
            continue
        parties = [[], list(people)] if people else [[]]
        for elephants in range(min(here.elephants, room(space)) + 1):
            most = min(here.units, room(space) - elephants)
            fields = {"space": space, "units": {"from": 0, "to": most}, "elephants": elephants, "generals": parties}
            offers.append(Offer("arrange", "movement.general.4", fields))
    return tuple(offers)


def check_command(state: State, side: Side, general: str) -> None:
    """movement.command.4 Only where the rules leave it open: among generals of equal standing in one space."""
    record = state.generals.get(general)
    if record is None or record.status != "board" or side_of(general) != side:
        raise Illegal("movement.command.4", f"{general} is no general of {side} on the board")
    peers = generals_at(state, side, record.space or "", record.inside)
    now = commander(state, peers)
    if now is None or now == general or standing(state, now) != standing(state, general):
        raise Illegal("movement.command.4", f"{general} has no equal in command here whom he could replace")


def take_command(state: State, command: TakeCommand, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """movement.command.4 The owner names the commander."""
    side = seat_side(state)
    check_command(state, side, command.general)
    record = state.generals[command.general]
    peers = generals_at(state, side, record.space or "", record.inside)
    kept = tuple(name for name in state.preferred if name not in peers)
    state = replace(state, preferred=(*kept, command.general))
    return state, (event("movement.command.4", "commands", general=command.general, space=record.space),)


def command_offers(state: State) -> tuple[Offer, ...]:
    """movement.command.4 The equals who could take over."""
    side, able = seat_side(state), []
    for name in state.generals:
        try:
            check_command(state, side, name)
        except Illegal:
            continue
        able.append(name)
    return (Offer("take_command", "movement.command.4", {"general": able}),) if able else ()
