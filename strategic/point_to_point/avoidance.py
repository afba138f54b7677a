"""Meeting an enemy: into the walls or away, or standing for battle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from strategic.interception import attempt, outs, parties
from strategic.point_to_point.commands import Avoid, Shelter, Stand
from strategic.point_to_point.displacement import is_met_alone
from strategic.point_to_point.movement import step_back, told_of
from strategic.point_to_point.offering import forces
from strategic.point_to_point.pieces import Troops, replace
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, Handled, March, S
from strategic.point_to_point.survey import (
    commander,
    enemy_units,
    generals_at,
    is_enemy_ground,
    is_own_city,
    keep_to,
    may_follow,
    side_of_prompt,
    why_not_consular,
    why_not_keep_to,
    why_not_room,
)
from strategic.point_to_point.tables import ROADS, Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, refuse


def meet(state: S, dice: Dice) -> Handled[S]:
    """movement.land.1d Who is here? Nobody outside the walls: go on. Others may avoid battle.

    cities.3: CUs inside a city are not met, and stop nobody. interception.general.5: who has just intercepted finds
    no refuge, nor does an army that stood here before. movement.land.1e: a general without CUs passes one of the
    enemy's; caught by an interception he is displaced.
    """
    state = state.answered()
    march = state.march
    if march is None or march.inside:
        return state, ()
    other = enemy(march.side)
    troops = state.spaces[march.at].outside(other)
    people = generals_at(state, other, march.at, inside=False)
    if not troops.size and not people:
        return state, ()
    if not march.force.size:
        return alone(state, march, other) if troops.size else (state, ())
    if march.intercepted:
        return state.then(Prompt("clash", "", "battle.1")), ()
    return state.then(Prompt("avoid", other, "avoid.1", {"sheltered": False}), Prompt("clash", "", "battle.1")), ()


def alone(state: S, march: March, other: Side) -> Handled[S]:
    """movement.land.1d, movement.land.5a A general among enemy CUs without any: caught, he is displaced; else he steps
    back.
    """
    if not march.intercepted:
        return step_back(state, march)
    return replace(state, march=None), ()


# into the walls


def why_not_shelter(state: Campaign, side: Side, command: Shelter) -> Illegal | None:
    """avoid.1a, cities.4 Into a friendly city in the space that is not besieged, once, as far as there is room."""
    space = state.marching().at
    place = state.spaces[space]
    if not is_own_city(state, side, space) or place.besieged():
        return Illegal("avoid.1a", "there is no friendly city in the space that is not besieged")
    if state.agenda[-1].about.get("sheltered"):
        return Illegal("avoid.1a", "troops have already gone inside the walls; no more may follow")
    force, here = command.force, generals_at(state, side, space, inside=False)
    if len(set(command.generals)) != len(command.generals) or not set(command.generals) <= set(here):
        return Illegal("avoid.1a", "these generals are not before the walls")
    if not force.is_counted or not place.outside(side).holds(force):
        return Illegal("avoid.1a", "there are not that many CUs before the walls")
    if not force.size and not command.generals:
        return Illegal("avoid.1a", "at least one general or CU must go in")
    staying = [name for name in here if name not in command.generals]
    return why_not_consular(state, command.generals, force, staying, place.outside(side)) or why_not_room(
        state, space, force
    )


def shelter(state: S, command: Shelter, dice: Dice) -> Handled[S]:
    """avoid.1a No roll, and no pursuit roll either."""
    side, space = side_of_prompt(state), state.marching().at
    refuse(why_not_shelter(state, side, command))
    state = state.asking(sheltered=True).enter_walls(space, side, command.force)
    state = state.move_generals(command.generals, space, inside=True)
    told = event(
        "avoid.1a", "sheltered", side=side, space=space, generals=list(command.generals), **told_of(command.force)
    )
    return state, (told,)


def shelter_offers(state: Campaign, side: Side) -> Iterator[Offer]:
    """avoid.1a Everybody who may go in."""
    space = state.marching().at
    out = state.spaces[space].outside(side)
    for group in parties(generals_at(state, side, space, inside=False), least=0):

        def may_enter(force: Troops, group: tuple[str, ...] = group) -> bool:
            return why_not_shelter(state, side, Shelter(group, force.units, force.elephants, force.trains)) is None

        for fields in forces(out, out.size, may_enter):
            yield Offer("shelter", "avoid.1a", {"generals": [list(group)], **fields})


# away


def avoid_targets(state: Campaign, side: Side) -> tuple[str, ...]:
    """avoid.3b, avoid.4 By road, not onto enemy PCs, CUs or foreign tribes, nor where the attacker came from."""
    march = state.marching()
    return outs(
        book_of(state).chart,
        march.at,
        ROADS,
        march.came_from(),
        lambda there: not is_enemy_ground(state, side, there) and not enemy_units(state, side, there),
    )


def group_of(state: Campaign, side: Side, command: Avoid) -> tuple[str, ...]:
    """avoid.1 The generals who go: those named, or the one named with all who may follow him."""
    if command.general is None:
        return command.generals
    here = generals_at(state, side, state.marching().at, inside=False)
    if command.general not in here:
        return (command.general,)
    others = (name for name in here if name != command.general and may_follow(state, command.general, name))
    return (command.general, *others)


def why_not_avoid(state: Campaign, side: Side, command: Avoid) -> Illegal | None:
    """avoid.3 All who go, go to one space, up to 10 CUs; some may stay (avoid.3a)."""
    march, book, group = state.marching(), book_of(state), group_of(state, side, command)
    if command.to not in avoid_targets(state, side):
        return Illegal("avoid.3b", "an army may not avoid battle by going to %(to)s", to=command.to)
    if not command.force.size and is_met_alone(state, side, command.to):
        return Illegal(
            "movement.land.1e", "a general without CUs cannot stop at %(to)s, where an enemy general is", to=command.to
        )
    wrong = why_not_avoiders(state, side, group, command.force) or why_not_keep_to(state, group, command.to)
    if wrong is not None:
        return wrong
    if command.force.size and not book.may_units_enter(state, side, march.at, command.to):
        return Illegal("strategy.event.1", "these CUs cannot go there while card 57 or 58 is in force")
    return None


def why_not_avoiders(state: Campaign, side: Side, group: tuple[str, ...], force: Troops) -> Illegal | None:
    """avoid.3a Who goes and what stays. interception.general.6: who failed to stop this army cannot avoid it."""
    march = state.marching()
    here = generals_at(state, side, march.at, inside=False)
    if not group or len(set(group)) != len(group) or not set(group) <= set(here):
        return Illegal("avoid.1", "CUs can avoid battle only under a general in this space")
    if set(group) & set(march.failed):
        return Illegal(
            "interception.general.6", "an army that failed to intercept may not avoid battle with the same enemy"
        )
    outside = state.spaces[march.at].outside(side)
    if not force.is_counted or not outside.holds(force):
        return Illegal("avoid.3", "there are not that many CUs here")
    if force.size > state.tables.movement.units:
        return Illegal(
            "avoid.3",
            "at most %(units)s %(units|CU|CUs)s may avoid battle at once",
            units=state.tables.movement.units,
        )
    return book_of(state).why_not_load(state, force) or why_not_consular(
        state, group, force, [name for name in here if name not in group], outside
    )


def avoid(state: S, command: Avoid, dice: Dice) -> Handled[S]:
    """avoid.2 A die no higher than the battle rating of their commander; Fabius 5, Gisgo 3. One try."""
    side = side_of_prompt(state)
    refuse(why_not_avoid(state, side, command))
    group, force = group_of(state, side, command), command.force
    state = state.answered()
    march, book = state.marching(), book_of(state)
    leader = commander(state, group) or ""
    limit = book.limit(state, leader, "avoid", False)
    good, face = attempt(dice, "avoid.2", limit, general=leader, to=command.to)
    told = event(
        "avoid.2a",
        "avoided",
        side=side,
        general=leader,
        start=march.at,
        to=command.to,
        dice=[face],
        rating=limit,
        success=good,
    )
    if not good:
        return replace(state, march=replace(march, failed_avoid=True)), (told,)
    place = state.spaces[march.at]
    state = state.with_place(march.at, place.with_outside(side, place.outside(side).minus(force)))
    state = state.add(command.to, side, force).move_generals(group, command.to)
    state, more = book.leave_behind(state, side, group, march.at, "avoid")
    return replace(state, march=replace(state.marching(), chased=True)), (told, *more)


def _may_avoid(state: Campaign, side: Side, group: tuple[str, ...], force: Troops) -> bool:
    return why_not_avoiders(state, side, group, force) is None


def avoid_away_offers(state: Campaign, side: Side) -> Iterator[Offer]:
    """avoid.2 Every party, and where it may go."""
    march, book = state.marching(), book_of(state)
    out, targets = state.spaces[march.at].outside(side), avoid_targets(state, side)
    for group in parties(generals_at(state, side, march.at, inside=False)) if targets else ():
        to = [target for target in targets if keep_to(state, group, target)]
        for fields in forces(out, state.tables.movement.units, partial(_may_avoid, state, side, group)):
            units = fields["units"]["to"] + fields["elephants"]
            ends = [
                t
                for t in to
                if (book.may_units_enter(state, side, march.at, t) if units else not is_met_alone(state, side, t))
            ]
            if ends:
                yield Offer("avoid", "avoid.2", {"to": ends, "generals": [list(group)], **fields})


# or neither


def stand(state: S, command: Stand, dice: Dice) -> Handled[S]:
    """avoid.1 They stay."""
    return state.answered(), (event("avoid.1", "stood", side=side_of_prompt(state), space=state.marching().at),)


def avoid_open(state: Campaign) -> bool:
    """avoid.1 Can they do anything but stand?"""
    march = state.march
    if march is None or not _is_somebody_there(state, march):
        return False
    return len(avoid_offers(state)) > 1


def _is_somebody_there(state: Campaign, march: March) -> bool:
    other = enemy(march.side)
    return bool(state.spaces[march.at].outside(other).size or generals_at(state, other, march.at, inside=False))


def avoid_over(state: S, dice: Dice) -> Handled[S]:
    """avoid.1 There is no choice."""
    return state.answered(), ()


def avoid_offers(state: Campaign) -> tuple[Offer, ...]:
    """avoid.1 Into the walls, away, or stand."""
    side = side_of_prompt(state)
    return (*shelter_offers(state, side), *avoid_away_offers(state, side), Offer("stand", "avoid.1"))
