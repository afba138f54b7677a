"""14, 17, 20 War on land: what an army takes along, its march, its battles, its sieges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from strategic.hamilcar.commands import BurnTrains, Enter, HoldOut
from strategic.hamilcar.rules.sea import may_land_in, sail_offers
from strategic.hamilcar.rules.survey import has_admiral
from strategic.hamilcar.rules.victory import end
from strategic.hamilcar.state import Battle, Handled, State
from strategic.hamilcar.tables import PROVINCES, ground, ports_beside
from strategic.interception import FACES, parties
from strategic.point_to_point.battle import allied_cards
from strategic.point_to_point.commands import Party, companies
from strategic.point_to_point.movement import halt_offers, is_there, step_offers, why_not_fresh, why_not_leave_alone
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.siege import bear_losses, siege_offers, sortie_offers
from strategic.point_to_point.state import Side, Troops, enemy
from strategic.point_to_point.survey import (
    companions_of,
    displace_all,
    enemy_units,
    generals_at,
    is_enemy_ground,
    is_own_city,
    rating,
    why_not_consular,
    why_not_room,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, refuse

# -- Besides steps and lanes: trains burnt on the way, and going inside walls.


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


def enter_offers(state: State) -> Iterator[Offer]:
    """cities.4 Every party that may go in."""
    march = state.marching()
    outside, groups = state.spaces[march.at].outside(march.side), parties(companions_of(state, march.general), least=0)

    def why_not(group: Party, force: Troops) -> Illegal | None:
        return why_not_enter(state, Enter(force.units, force.elephants, force.trains, group))

    for fields in companies("companions", groups, outside, outside.size, why_not):
        yield Offer("enter", "cities.4", fields)


def march_choices(state: State) -> Iterator[Offer]:
    """movement.land.1 Steps, lanes, sieges, walls, or the end of the move."""
    march = state.march
    if march is None or not is_there(state, march):
        return
    yield from step_offers(state)
    yield from sail_offers(state)
    if most_burnt(state):
        yield Offer("burn_trains", "8.2.1.burn", {"count": {"from": 1, "to": most_burnt(state)}})
    yield from enter_offers(state)
    yield from siege_offers(state)
    yield from sortie_offers(state)
    yield from halt_offers(state)


# -- 14, 17, 11.9 What a battle on land has of its own: hands, elephants without tactics, ways over the sea.


def battle_of(state: State, facts: Mapping[str, Any]) -> Battle:
    """battle.1 A battle begins; battle.5d, battle.5e: the defender has intercepted, or tried to avoid it in vain."""
    march = state.marching()
    other = enemy(march.side)
    return Battle(
        **facts,
        interceptor=other if march.intercepted else None,
        failed_avoid=other if march.failed_avoid else None,
    )


def charge_modifier(state: State) -> int:
    """17 -2 until Xanthippus has come and the tactics are remembered."""
    return state.tables.battle.forgotten if state.forgotten else 0


def is_near(state: State, province: str) -> bool:
    """hands.4 Does a province's help come to this battle? Within its region; from an island only to battles in that
    very province (option island_allies "island": on that island).
    """
    here, record = ground(state.fighting().space), PROVINCES[province]
    if record.region != "italia" and record.region != "africa" and state.options.island_allies == "province":
        return here.province == province
    return record.region == here.region


def hand_size(state: State, side: Side) -> tuple[int, dict[str, int]]:
    """14.1 Rating, CUs (10 at most), allies and the rest; 15 at most, before elephants. 26.13 lifts these limits.

    14.1.example A 1-1 general with 15 CUs and no allies gets 11.
    """
    battle, table = state.fighting(), state.tables.battle
    place, size = state.spaces[battle.space], battle.start[side]
    parts = {
        "commander": rating(state, battle.commanders[side]),
        "units": size if state.options.epic_battles else min(size, table.unit_cards),
        "interception": table.interception * (battle.interceptor == side),
        "failed_avoid": -table.failed_avoid * (battle.failed_avoid == side),
        "latium": table.latium * (side == "rome" and ground(battle.space).province == "latium"),
        "tribe": table.tribe * (side == "carthage" and place.tribe and place.control == side),
        "allies": allied_cards(state, side, lambda province: is_near(state, province)),
    }
    total = max(sum(parts.values()), 0)
    cards = total if state.options.epic_battles else min(total, table.hand)
    return cards, {name: count for name, count in parts.items() if count}


def sea_ways(state: State, side: Side) -> tuple[str, ...]:
    """11.9 By sea: an admiral there (11.9.1), supremacy (11.9.3), a lane to a port without enemy PC and CU (11.9.2).

    11.9.4, 11.9.6 Nobody intercepts it and it goes no further. 11.9.5: part of a beaten army may enter its city first.
    """
    battle = state.fighting()
    names = generals_at(state, side, battle.space, inside=False)
    if state.supremacy != side or not has_admiral(state, names):
        return ()
    if state.spaces[battle.space].outside(side).size > state.tables.sea.units:
        return ()
    leads = battle.commanders[side]
    leaders = (leads,) if leads in names else names
    return tuple(
        port
        for port in ports_beside(battle.space)
        if not is_enemy_ground(state, side, port)
        and not enemy_units(state, side, port)
        and may_land_in(state, side, battle.space, port, leaders)
    )


# -- 20 Sieges: the red and the white die, the three great ports, stubborn defence, and the fall of a city or tribe.


def colour(state: State, side: Side, space: str) -> Literal["red", "white"]:
    """20.2.3, 20.2.7 The holder of supremacy rolls the red die, the other the white; the great ports only white."""
    if ground(space).great or state.supremacy != side:
        return "white"
    return "red"


def siege_results(state: State, side: Side, space: str) -> tuple[tuple[int, int], ...]:
    """20.2.3 What each face of the besieger's die gives, from 1 to 6: siege points, and CUs that he loses."""
    shade = colour(state, side, space)
    return tuple(state.tables.siege.read(shade, face) for face in FACES)


def why_not_siege(state: State, space: str) -> Illegal | None:
    """20.2.7 Carthage, Rome and Syracuse only with supremacy; without it the points already scored stay (20.2.7.a)."""
    if ground(space).great and state.supremacy != state.marching().side:
        return Illegal(
            "20.2.7",
            "only the side with naval supremacy can besiege %(space)s; earlier siege points remain",
            space=space,
        )
    return None


def siege(state: State, dice: Dice) -> Handled:
    """20.2.3 One roll: siege points, and CUs lost by the besieger."""
    about = state.agenda[-1].about
    general, space = about["general"], about["space"]
    state = state.answered()
    side = state.leaders[general].side
    shade = colour(state, side, space)
    (face,) = dice.roll(1, 6, "20.2.3", side=side, space=space, colour=shade)
    points, losses = siege_results(state, side, space)[face - 1]
    place, play = state.spaces[space], state.playing()
    force = place.outside(side)
    left = force.after_losses(losses)
    total = min(place.siege + points, state.tables.siege.takes)  # what is beyond the last point is not received
    state = state.with_place(space, replace(place, siege=total, besieger=side if total else None))
    state = replace(state, play=replace(play, rolled_at=(*play.rolled_at, space)))
    state = bear_losses(state, general, left)
    told = event(
        "20.2.3",
        "siege_roll",
        side=side,
        general=general,
        space=space,
        dice=[face],
        colour=shade,
        won=points,
        points=total,
        lost=force.size - left.size,
        elephants_lost=force.elephants - left.elephants,
    )
    fate = Prompt("siege_result", "", "siege.5", {"side": side, "space": space})
    received = total - place.siege
    if received and place.control == enemy(side):
        return state.then(Prompt("hold_out", enemy(side), "20.2.8", {"space": space, "left": received}), fate), (told,)
    return state.then(fate), (told,)


def may_hold_out(state: State) -> bool:
    """20.2.8 A CU and a train inside, a point just scored, and points that can be held off so that the city stands."""
    about = state.agenda[-1].about
    place = state.spaces[about["space"]]
    most: int = min(about["left"], place.siege, place.inside.size, place.inside.trains)
    return most > 0 and place.siege - most < state.tables.siege.takes


def hold_out(state: State, command: HoldOut, dice: Dice) -> Handled:
    """20.2.8, 8.2.1.b One CU and one train inside go, and one point just scored with them (8.2.1.b.example)."""
    if not may_hold_out(state):
        raise Illegal(
            "20.2.8", "a stubborn defence needs 1 CU and 1 supply train inside, and a siege point just scored"
        )
    about = state.agenda[-1].about
    space: str = about["space"]
    place = state.spaces[space]
    inside = replace(place.inside.after_losses(1), trains=place.inside.trains - 1)
    left = place.siege - 1
    elephants = place.inside.elephants - inside.elephants
    place = replace(place, inside=inside, siege=left, besieger=place.besieger if left else None)
    state = state.with_place(space, place).asking(left=about["left"] - 1)
    side = state.agenda[-1].seat
    return state, (event("20.2.8", "held_out", side=side, space=space, siege=left, elephants_lost=elephants),)


def hold_choices(state: State) -> Iterator[Offer]:
    """20.2.8 Hold out, or let the point stand."""
    if may_hold_out(state):
        yield Offer("hold_out", "20.2.8")
        yield Offer("pass", "20.2.8")


def siege_result(state: State, dice: Dice) -> Handled:
    """siege.5 Three points take a city or a tribe; Rome or Carthage taken ends the war.

    8.2.1.capture Trains whose last CU has died before the walls go to the garrison; the general stays.
    """
    about, march = state.agenda[-1].about, state.march
    state = state.answered()
    side, space = about.get("side"), about.get("space")
    if side is None or space is None:  # a position of an earlier program
        if march is None:
            return state, ()
        side, space = march.side, march.at
    place = state.spaces[space]
    if place.siege >= state.tables.siege.takes:
        return fall(state, side, space)
    if not place.outside(side).size and enemy_units(state, side, space):
        return book_of(state).spoils(state, side, space)
    return state, ()


def fall(state: State, side: Side, space: str) -> Handled:
    """siege.5, 8.2.1.capture All CUs inside die, generals there are displaced, trains change sides; a tribe is gone."""
    place, other = state.spaces[space], enemy(side)
    if place.tribe:
        state = state.with_place(space, replace(place, tribe=False, control=side, siege=0, besieger=None))
        return state, (event("subjugation.2", "subjugated", side=side, space=space),)
    inside = generals_at(state, other, space, inside=True)
    kept = place.inside.only_trains()
    state = state.with_place(space, replace(place, control=side, inside=kept, siege=0, besieger=None))
    dead = place.inside
    told = event(
        "siege.5",
        "city_taken",
        side=side,
        space=space,
        destroyed=dead.size,
        elephants_lost=dead.elephants,
        trains=kept.trains,
    )
    state, more = displace_all(state, inside, "siege.5")
    if ground(space).capital == other:
        state, over = end(state, side, "victory.5", f"{space} has fallen")
        return state, (told, *more, *over)
    return state, (told, *more)
