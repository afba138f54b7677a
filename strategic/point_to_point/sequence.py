"""The boxes of the land war that every game of the family has, and free acts inside and outside walls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strategic.interception import parties
from strategic.point_to_point import battle, meeting, movement, retreat
from strategic.point_to_point.commands import Arrange, TakeCommand
from strategic.point_to_point.movement import told_of
from strategic.point_to_point.rulebook import auto, book_of
from strategic.point_to_point.state import Campaign, Handled, S, Side, enemy, replace
from strategic.point_to_point.survey import (
    commander,
    enemy_units,
    generals_at,
    is_contested,
    is_met_alone,
    lone_among_enemies,
    lone_pairs,
    side_of_prompt,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Step, event, offer, refuse

# -- Inside or outside the walls, and who commands among equals: free acts of the side that is to play a card.


def why_not_arrange(state: Campaign, side: Side, command: Arrange) -> Illegal | None:
    """movement.general.4 The owner of a city says who is inside, while no enemy CU is before the walls.

    With an enemy there, going in is avoiding and coming out a sortie (avoid.1a, siege.6).
    """
    book = book_of(state)
    if command.space not in state.spaces or not book.ground(command.space).city:
        return Illegal("movement.general.4", "only a walled city can hold troops inside")
    place, wanted = state.spaces[command.space], command.force
    if place.control != side or enemy_units(state, side, command.space):
        return Illegal("movement.general.4", "the city must be friendly, with no enemy CUs before its walls")
    if not wanted.is_counted or not place.all_of(side).holds(wanted):
        return Illegal("movement.general.4", "there are not that many CUs here")
    if wanted.size > book.room(command.space):
        return Illegal(
            "cities.2",
            "%(space)s has room for at most %(room)s %(room|CU|CUs)s",
            space=command.space,
            room=book.room(command.space),
        )
    if wanted.trains > book.room(command.space):
        return Illegal(
            "8.2.1.limit",
            "%(space)s has room for at most %(room)s supply %(room|train|trains)s",
            space=command.space,
            room=book.room(command.space),
        )
    if len(set(command.generals)) != len(command.generals):
        return Illegal("movement.general.4", "name each general once")
    if not set(command.generals) <= set(generals_at(state, side, command.space)):
        return Illegal("movement.general.4", "these generals are not all here")
    others = [name for name in generals_at(state, side, command.space) if name not in command.generals]
    if others and wanted.size == place.all_of(side).size and is_met_alone(state, side, command.space):
        return Illegal("movement.land.1e", "a general without CUs cannot come out into a space with an enemy general")
    return None


def arrange(state: S, command: Arrange, dice: Dice) -> Handled[S]:
    """movement.general.4 These CUs and generals are inside, the rest outside."""
    side, space, inside = side_of_prompt(state), command.space, command.force
    refuse(why_not_arrange(state, side, command))
    place = state.spaces[space]
    outside = place.all_of(side).minus(inside)
    state = state.with_place(space, replace(place.with_outside(side, outside), inside=inside))
    others = tuple(name for name in generals_at(state, side, space) if name not in command.generals)
    state = state.move_generals(command.generals, space, inside=True).move_generals(others, space)
    told = event(
        "movement.general.4", "arranged", side=side, space=space, generals=list(command.generals), **told_of(inside)
    )
    return state, (told,)


def arrange_offers(state: Campaign) -> tuple[Offer, ...]:
    """movement.general.4 Every garrison that each own city may have."""
    side, book, offers = side_of_prompt(state), book_of(state), []
    for space, place in state.spaces.items():
        if place.control != side or not book.ground(space).city or enemy_units(state, side, space):
            continue
        here, people = place.all_of(side), generals_at(state, side, space)
        if here.is_nothing and not people:
            continue
        groups = [list(group) for group in parties(people, least=0)]
        trains = {"trains": {"from": 0, "to": min(here.trains, book.room(space))}} if here.trains else {}
        for elephants in range(min(here.elephants, book.room(space)) + 1):
            most = min(here.units, book.room(space) - elephants)
            for low, high, parts in _inside(state, side, space, elephants, most, groups):
                fields = {"space": space, "generals": parts, "elephants": elephants, "units": {"from": low, "to": high}}
                offers.append(Offer("arrange", "movement.general.4", {**fields, **trains}))
    return tuple(offers)


def _inside(
    state: Campaign, side: Side, space: str, elephants: int, most: int, groups: list[list[str]]
) -> Iterator[tuple[int, int, list[list[str]]]]:
    """movement.general.4 Runs of ordinary CUs inside, with the parties of generals that may be there with them.

    movement.land.1e: where a general of the enemy stands alone, no general stays outside without a CU.
    """
    if elephants + most < state.spaces[space].all_of(side).size or not is_met_alone(state, side, space):
        yield 0, most, groups
        return
    if most:
        yield 0, most - 1, groups
    yield most, most, [max(groups, key=len)]


def why_not_command(state: Campaign, side: Side, general: str) -> Illegal | None:
    """movement.command.4 Only where the rules leave it open: among generals of equal standing in one space."""
    record, standing = state.generals.get(general), book_of(state).standing
    if record is None or record.status != "board" or state.leaders[general].side != side:
        return Illegal(
            "movement.command.4", "%(general)s is not a general of %(side)s on the board", general=general, side=side
        )
    peers = generals_at(state, side, record.space or "", record.inside)
    now = commander(state, peers)
    if now is None or now == general or standing(state, now) != standing(state, general):
        return Illegal(
            "movement.command.4",
            "there is no commander of equal rank here whom %(general)s could replace",
            general=general,
        )
    return None


def take_command(state: S, command: TakeCommand, dice: Dice) -> Handled[S]:
    """movement.command.4 The owner names the commander."""
    refuse(why_not_command(state, side_of_prompt(state), command.general))
    record = state.generals[command.general]
    peers = generals_at(state, side_of_prompt(state), record.space or "", record.inside)
    kept = tuple(name for name in state.preferred if name not in peers)
    told = event(
        "movement.command.4", "took_command", side=side_of_prompt(state), general=command.general, space=record.space
    )
    return replace(state, preferred=(*kept, command.general)), (told,)


def command_offers(state: Campaign) -> tuple[Offer, ...]:
    """movement.command.4 The equals who could take over."""
    able = [name for name in state.generals if why_not_command(state, side_of_prompt(state), name) is None]
    return offer("take_command", "movement.command.4", general=able)


# -- What must hold of the land war in every position that somebody is asked in.


def land_faults(state: Campaign) -> Iterator[str]:
    """Complaints about who stands where, and about what is left open with nobody under way."""
    for side, space in lone_among_enemies(state):
        yield f"{side} stands alone in {space} among enemy CUs"
    for space in lone_pairs(state):
        yield f"generals of both sides stand alone in {space}"
    yield from _outside_under_siege(state)
    if state.march is not None and state.play is None:
        yield "a general marches without a card"
    if not state.agenda and (state.march is not None or state.battle is not None):
        yield "a march or a battle is left open, and nobody is asked about it"


def _outside_under_siege(state: Campaign) -> Iterator[str]:
    """siege.7 Whoever is besieged is inside: CUs, trains and generals, unless relief has just come."""
    for space, place in state.spaces.items():
        owner = place.control
        if not place.besieged() or place.tribe or owner is None or is_contested(state, space):
            continue
        march = state.march
        if march is not None and march.at == space and march.side == owner:
            continue
        if not place.outside(owner).is_nothing or generals_at(state, owner, space, inside=False):
            yield f"{owner} is besieged in {space} by {enemy(owner)}, but not all are inside"


# -- The boxes of the land war that every game of the family has; a game puts its own in place of those that it plays
# otherwise.


def resign_offers(state: Any, seat: str) -> tuple[Offer, ...]:
    """victory.4 A side may sue for peace at any time."""
    return (Offer("resign", "victory.4", {"side": seat}),)


LAND: tuple[Step[Any], ...] = (
    *meeting.BOXES,
    auto("clash", "movement.land.4", battle.clash),
    battle.PURSUIT,
    auto("halted", "movement.land.1", movement.halt_here),
    *battle.BOXES,
    retreat.BOX,
)
