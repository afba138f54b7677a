"""Sieges of walled cities and the subjugation of tribes as far as they are common; their odds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from strategic.interception import parties
from strategic.point_to_point.commands import Besiege, Party, Sortie, companies
from strategic.point_to_point.movement import groups_at, spend, why_not_fresh
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, Handled, March, Place, S, Side, Troops, enemy, replace
from strategic.point_to_point.survey import (
    clear_lone,
    companions_of,
    enemy_outside,
    generals_at,
    is_shut_in,
    least_consular,
    why_not_consular,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, refuse
from tactical.odds import SIDES, map_outcomes, mean, sort_keys

# -- Sieges of walled cities and the subjugation of tribes as far as they are common, and sorties.
#
# What a siege roll does is each game's own: its box is called "siege", with the general and the space.


def is_target(state: Campaign, side: Side, space: str) -> bool:
    """siege.1, subjugation.1 An enemy city, or a tribe that is no friend."""
    place = state.spaces[space]
    if place.tribe:
        return place.control != side
    return book_of(state).ground(space).city and place.control == enemy(side)


def why_not_target(state: Campaign, march: March) -> Illegal | None:
    """siege.3 One roll a city or tribe and card; never after a battle (siege.more.1)."""
    space = march.at
    if not is_target(state, march.side, space):
        return Illegal("siege.1", "there is no enemy city or tribe in %(space)s", space=space)
    if space in state.playing().rolled_at:
        return Illegal("siege.3", "the siege of %(space)s has already been rolled for during this card", space=space)
    if enemy_outside(state, march.side, space).size:
        return Illegal("siege.1", "enemies still stand before the walls")
    return book_of(state).why_not_siege(state, space)


def besieger(state: Campaign, march: March, command: Besiege) -> Besiege:
    """siege.1 The command with its general and CUs; without a general the mover besieges with all who can."""
    if command.general is not None:
        return command
    fresh = fresh_here(state, march)
    return Besiege(march.general, fresh.units, fresh.elephants)


def fresh_here(state: Campaign, march: March) -> Troops:
    """siege.1, movement.command.5 The CUs here that have not stopped, fought or besieged on this card.

    CUs are all alike: of the ordinary ones and the elephants here the ordinary ones count as fresh first.
    """
    present = state.spaces[march.at].outside(march.side).only_units()
    fresh = sum(group.units for group in groups_at(state, march) if group.spent is not None)
    units = min(present.units, fresh)
    return Troops(units, min(present.elephants, fresh - units))


def why_not_besiege(state: Campaign, march: March, command: Besiege) -> Illegal | None:
    """siege.1 An activated general with 3 CUs in the space; siege.2: or a companion detached with 3, a consul with
    those of a consular army.
    """
    if (wrong := why_not_target(state, march)) is not None:
        return wrong
    needs, general = state.tables.siege.needs, command.general or ""
    if general in state.playing().fought:
        return Illegal("siege.more.1", "an army cannot both fight and conduct a siege on one card")
    force, present = Troops(command.units, command.elephants), state.spaces[march.at].outside(march.side).only_units()
    if not force.is_counted or not present.holds(force):
        return Illegal("siege.1", "there are not that many CUs here")
    if (wrong := why_not_fresh(state, march, (), force.size, 0)) is not None:
        return wrong
    if general == march.general:
        if force != fresh_here(state, march) or force.size < needs:
            return Illegal(
                "siege.1",
                "a siege needs %(needs)s %(needs|CU|CUs)s; "
                "all CUs here that have not fought during this card take part",
                needs=needs,
            )
        return None
    if march.stopped or general not in set(companions_of(state, march.general)) - set(march.detached):
        return Illegal("siege.2", "only a subordinate of the moving army can be detached")
    if force.size < max(needs, least_consular(state, (general,))):
        return Illegal(
            "siege.2",
            "a subordinate needs %(needs)s %(needs|CU|CUs)s to be detached (a consul needs a whole consular army)",
            needs=needs,
        )
    others = [name for name in march.generals if name != general]
    if march.legs and why_not_consular(state, others, present.minus(force), (), present) is not None:
        return Illegal("siege.2", "the rest of the army could not move on")
    return None


def besiege(state: S, command: Besiege, dice: Dice) -> Handled[S]:
    """siege.1 The mover ends his move with it, the detached one does not."""
    march = state.marching()
    command = besieger(state, march, command)
    refuse(why_not_besiege(state, march, command))
    general, space, force = command.general or "", march.at, Troops(command.units, command.elephants)
    roll = Prompt("siege", "", "tables.siege", {"general": general, "space": space})
    told = event("siege.1", "besieged", side=march.side, general=general, space=space)
    if general == march.general:
        calm = book_of(state).moments(state, "weather")
        whole = replace(force, trains=march.force.trains)
        state = replace(state, march=replace(march, stopped=True).with_force(whole))
        return state.then(*calm, roll, Prompt("halted", "", "movement.land.1")), (told,)
    rest = state.spaces[space].outside(march.side).minus(force)
    detached = replace(
        march,
        companions=tuple(name for name in march.companions if name != general),
        detached=(*march.detached, general),
        detached_size=march.detached_size + force.size,
    ).with_force(march.force.shared_with(rest))
    state = spend(replace(state, march=detached), space, force.size, (general,))
    return state.then(roll), (told,)


def bear_losses(state: S, general: str, left: Troops) -> S:
    """tables.siege The besieger's CUs after a roll: those of the moving army, or of the general detached for it."""
    march = state.marching()
    lost = state.spaces[march.at].outside(march.side).size - left.size
    state = state.set_outside(march.at, march.side, left)
    if general in march.detached:
        march = replace(march, detached_size=max(march.detached_size - lost, 0))
    return replace(state, march=march.with_force(march.force.shared_with(left)))


def tidy_land(state: S) -> Handled[S]:
    """movement.land.5a, siege.8 What follows by itself from who stands where: asked after every change."""
    state, events = clear_lone(state)
    state, more = lift_sieges(state)
    return state, (*events, *more)


def lift_sieges(state: S) -> Handled[S]:
    """siege.8, siege.more.3 Points go as soon as no CU of the besieger is left in the space."""
    events: tuple[Event, ...] = ()
    for space, place in state.spaces.items():
        if is_over(place):
            state = state.with_place(space, replace(place, siege=0, besieger=None))
            events += (event("siege.8", "siege_lifted", space=space),)
    return state, events


def is_over(place: Place) -> bool:
    """siege.8 Are there siege points without a besieger?"""
    return place.siege > 0 and (place.besieger is None or not place.outside(place.besieger).size)


def siege_offers(state: Campaign) -> Iterator[Offer]:
    """siege.1, siege.2 The mover with all who are here and fresh, or a companion with part of them."""
    march = state.marching()
    if why_not_target(state, march) is not None:
        return
    present, fresh = state.spaces[march.at].outside(march.side).only_units(), fresh_here(state, march)
    if why_not_besiege(state, march, Besiege(march.general, fresh.units, fresh.elephants)) is None:
        mover = {"general": march.general, "units": fresh.units, "elephants": fresh.elephants}
        yield Offer("besiege", "siege.1", mover)

    def why_not(group: Party, force: Troops) -> Illegal | None:
        return why_not_besiege(state, march, Besiege(group[0], force.units, force.elephants))

    alone = ((name,) for name in companions_of(state, march.general))
    for fields in companies("general", alone, present, present.size, why_not):
        yield Offer("besiege", "siege.2", {**fields, "general": fields["general"][0][0]})


# sorties


def why_not_sortie(state: Campaign, march: March, command: Sortie) -> Illegal | None:
    """siege.6 A general inside leads CUs out against those before the walls."""
    if march.stopped or march.legs or not state.generals[march.general].inside:
        return Illegal("siege.6", "only a general inside the walls can make a sortie")
    if not is_shut_in(state, march.side, march.at):
        return Illegal("siege.6", "no enemy CUs are before the walls")
    if (wrong := book_of(state).why_not_sortie(state)) is not None:
        return wrong
    force, group = command.force, command.companions
    inside = state.spaces[march.at].within(march.side)
    if not force.size or not force.is_counted or not inside.holds(force):
        return Illegal("siege.6", "a sortie needs at least one CU, and no more than are inside")
    here = companions_of(state, march.general)
    if len(set(group)) != len(group) or not set(group) <= set(here):
        return Illegal("movement.land.1c", "companions must be other generals inside, none of higher rank")
    party = (march.general, *group)
    staying = [name for name in generals_at(state, march.side, march.at) if name not in party]
    return why_not_consular(state, party, force, staying, inside) or why_not_fresh(state, march, group, force.size, 0)


def sortie(state: S, command: Sortie, dice: Dice) -> Handled[S]:
    """siege.6 They come out and fight.

    Ruling: avoid.1 speaks of a space that an enemy army enters, so a sortie cannot be avoided.
    """
    march, force = state.marching(), command.force
    refuse(why_not_sortie(state, march, command))
    state = come_out(state, march.side, march.at, force, (march.general, *command.companions))
    march = replace(march, companions=command.companions, inside=False).with_force(force)
    battle = Prompt("battle", "", "battle.1", {"space": march.at, "sortie": True})
    told = event("siege.6", "sortie", side=march.side, general=march.general, space=march.at, units=force.size)
    return replace(state, march=march).then(battle), (told,)


def come_out(state: S, side: Side, space: str, force: Troops, party: tuple[str, ...]) -> S:
    """siege.6 From inside the walls to outside."""
    place = state.spaces[space]
    place = replace(place, inside=place.inside.minus(force))
    state = state.with_place(space, place.with_outside(side, place.outside(side).plus(force)))
    return state.move_generals(party, space, inside=False)


def sortie_offers(state: Campaign) -> Iterator[Offer]:
    """siege.6 The parties that may come out."""
    march = state.marching()
    inside, groups = state.spaces[march.at].within(march.side), parties(companions_of(state, march.general), least=0)

    def why_not(group: Party, force: Troops) -> Illegal | None:
        return why_not_sortie(state, march, Sortie(force.units, force.elephants, group, force.trains))

    for fields in companies("companions", groups, inside, inside.size, why_not):
        yield Offer("sortie", "siege.6", fields)


# -- A siege roll by roll: the points that take the walls, and the besieger's losses.

Course = dict[tuple[int, int], Fraction]  # (siege points, CUs lost) and its chance


def course(
    read: Callable[[int], tuple[int, int]], takes: int, needs: int, points: int, units: int, rolls: int
) -> dict[str, Any]:
    """The siege after 1 … `rolls` rolls. `read` gives points won and CUs lost by a face of the die.

    It ends when `takes` points are reached; and without more CUs coming up it stops when fewer than `needs` are
    left. `taken` is the chance that the walls have fallen after so many rolls.
    """
    now: Course = {(min(points, takes), 0): Fraction(1)}
    coming = []
    for number in range(1, rolls + 1):
        now = after_roll(now, read, takes, needs, units)
        lost = map_outcomes(now, lambda each: each[1])
        taken = sum((p for (won, _), p in now.items() if won >= takes), Fraction(0))
        stopped = sum((p for (won, dead), p in now.items() if won < takes and units - dead < needs), Fraction(0))
        coming.append({"roll": number, "taken": taken, "stopped": stopped, "mean_losses": mean(lost)})
    last: dict[str, Any] = coming[-1]
    return {
        "taken": last["taken"],
        "stopped": last["stopped"],
        "goes_on": 1 - last["taken"] - last["stopped"],
        "points": sort_keys(map_outcomes(now, lambda each: each[0])),
        "losses": sort_keys(map_outcomes(now, lambda each: each[1])),
        "rolls": coming,
    }


def after_roll(now: Course, read: Callable[[int], tuple[int, int]], takes: int, needs: int, units: int) -> Course:
    """One more roll wherever the siege still goes on."""
    found: Course = {}
    for (points, dead), p in now.items():
        if points >= takes or units - dead < needs:
            found[points, dead] = found.get((points, dead), Fraction(0)) + p
            continue
        for face in range(1, SIDES + 1):
            won, lost = read(face)
            key = (min(points + won, takes), min(dead + lost, units))
            found[key] = found.get(key, Fraction(0)) + p / SIDES
    return found
