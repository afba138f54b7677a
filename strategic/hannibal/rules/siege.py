"""Sieges of walled cities, the subjugation of tribes, and sorties."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.commands import Besiege, Sortie
from strategic.hannibal.rules.displacement import displace_all
from strategic.hannibal.rules.movement import fits, ranges
from strategic.hannibal.rules.operations import companions_of
from strategic.hannibal.rules.victory import capital_taken
from strategic.hannibal.state import NONE, March, State, Troops
from strategic.hannibal.survey import enemy_outside, generals_at, is_shut_in, least_consular
from strategic.hannibal.tables import LEADERS, TABLES, Side, enemy, ground
from strategic.interception import parties
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

TRAITOR_CITY = "tarentum"


def is_target(state: State, side: Side, space: str) -> bool:
    """siege.1, subjugation.1 An enemy city, or a tribe that is no friend."""
    place = state.spaces[space]
    if place.tribe:
        return place.control != side
    return ground(space).city and place.control == enemy(side)


def check_target(state: State, march: March) -> None:
    """siege.3 One roll a city or tribe and card; no siege rolls in a truce; never after a battle (siege.more.1)."""
    space = march.at
    if not is_target(state, march.side, space):
        raise Illegal("siege.1", f"there is no enemy city or tribe in {space}")
    if space in state.playing().rolled_at:
        raise Illegal("siege.3", f"{space} has been rolled against on this card")
    if state.lasting.truce:
        raise Illegal("strategy.event.1", "there are no siege rolls during the truce (card 64)")
    if enemy_outside(state, march.side, space).size:
        raise Illegal("siege.1", "enemies still stand before the walls")


def check_besiege(state: State, march: March, command: Besiege) -> None:
    """siege.1 An activated general with 3 CUs in the space; siege.2: or a companion detached with 3, a consul 5."""
    check_target(state, march)
    if command.general in state.playing().fought:
        raise Illegal("siege.more.1", "an army does not fight and besiege on one card")
    force, present = Troops(command.units, command.elephants), state.spaces[march.at].outside(march.side)
    if command.units < 0 or command.elephants < 0 or not present.holds(force):
        raise Illegal("siege.1", "there are not so many CUs here")
    if command.general == march.general:
        if force != present or force.size < TABLES.siege.needs:
            raise Illegal("siege.1", f"a siege needs {TABLES.siege.needs} CUs, and all who are here take part")
        return
    if march.stopped or command.general not in set(companions_of(state, march.general)) - set(march.detached):
        raise Illegal("siege.2", "only a subordinate of the moving army can be detached")
    if force.size < max(TABLES.siege.needs, least_consular(state, (command.general,))):
        raise Illegal("siege.2", "he needs 3 CUs, a consul 5")
    if march.legs and not fits(lambda: check_remainder(state, march, command.general, present.minus(force))):
        raise Illegal("siege.2", "the rest could not move on")


def check_remainder(state: State, march: March, detached: str, rest: Troops) -> None:
    """movement.general.2 A consul who leads on keeps his five."""
    others = [name for name in march.generals if name != detached]
    if rest.size and rest.size < least_consular(state, others):
        raise Illegal("movement.general.2", "a consul keeps at least 5 CUs")


def besiege(state: State, command: Besiege, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """siege.1 The mover ends his move with it, the detached one does not."""
    march = state.marching()
    check_besiege(state, march, command)
    roll = Prompt("siege", "", "tables.siege", {"general": command.general, "space": march.at})
    if command.general == march.general:
        calm = Prompt("counter", enemy(march.side), "strategy.event.2", {"moment": "weather"})
        state = state.then(calm, roll, Prompt("halted", "", "movement.land.1"))
    else:
        kept = tuple(name for name in march.companions if name != command.general)
        rest = state.spaces[march.at].outside(march.side).minus(Troops(command.units, command.elephants))
        force = Troops(min(march.units, rest.units), min(march.elephants, rest.elephants))
        detached = replace(
            march,
            companions=kept,
            detached=(*march.detached, command.general),
            detached_size=march.detached_size + command.units + command.elephants,
        ).with_force(force)
        state = replace(state, march=detached).then(roll)
    return state, (event("siege.1", "besieges", general=command.general, space=march.at),)


def siege(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """tables.siege Roll for points and for the besieger's losses."""
    about = state.agenda[-1].about
    general, space = about["general"], about["space"]
    state = state.answered()
    if state.march is None or state.march.weathered or state.march.at != space:
        return state, ()
    play = state.playing()
    state = replace(state, play=replace(play, rolled_at=(*play.rolled_at, space)))
    if play.use == "traitor" and space == TRAITOR_CITY:
        state, fallen = taken(state, LEADERS[general].side, space)
        return state, (event("strategy.3", "betrayed", space=space, card=play.card), *fallen)
    events: tuple[Event, ...] = ()
    for _ in range(siege_dice(state, general, space)):
        if is_target(state, LEADERS[general].side, space) and state.result is None:
            state, more = siege_roll(state, general, space, dice)
            events += more
    return state, events


def siege_dice(state: State, general: str, space: str) -> int:
    """tables.siege.marcellus Two dice with card 54, and for Africanus with a Force March (not against tribes)."""
    use = state.playing().use
    if use == "treachery":
        return 2
    if use == "force_march" and not state.spaces[space].tribe:
        return LEADERS[general].force_march_siege_dice or 1
    return 1


def siege_modifier(state: State, general: str, space: str) -> int:
    """tables.siege.carthage, tables.siege.great, tables.siege.marcellus The sum for this besieger and target."""
    leader, total = LEADERS[general], 0
    if leader.side == "carthage" and state.lasting.siege_train != general:
        total += TABLES.siege.carthage
    if state.spaces[space].tribe:
        return total
    if ground(space).great:
        total += TABLES.siege.great
    if state.playing().campaign:
        total += leader.campaign_siege
    return total


def siege_roll(state: State, general: str, space: str, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """tables.siege One die: siege points (siege.4), losses, and the fall at 3 points (siege.5)."""
    side, modifier = LEADERS[general].side, siege_modifier(state, general, space)
    (face,) = dice.roll(1, 6, "tables.siege", general=general, space=space)
    won, lost = TABLES.siege.read(face + modifier)
    place = state.spaces[space]
    force = place.outside(side)
    left = force.after_losses(lost, False)
    before = place.siege if place.besieger in (None, side) else 0
    points = min(before + won, TABLES.siege.takes)
    place = replace(place.with_outside(side, left), siege=points, besieger=side if points else None)
    rule = "subjugation.1" if place.tribe else "siege.4"
    told = event(
        rule,
        "siege_roll",
        general=general,
        space=space,
        dice=[face],
        modifier=modifier,
        won=won,
        points=points,
        lost=force.size - left.size,
    )
    state = state.with_place(space, place)
    if points < TABLES.siege.takes:
        return state, (told,)
    state, events = taken(state, side, space)
    return state, (told, *events)


def taken(state: State, side: Side, space: str) -> tuple[State, tuple[Event, ...]]:
    """siege.5, siege.more.4, subjugation.2 The marker turns to the captor; CUs inside die, generals are displaced."""
    place = state.spaces[space]
    tribe, dead = place.tribe, place.inside.size
    names = generals_at(state, enemy(side), space, inside=True)
    fallen = replace(place, control=side, tribe=False, inside=NONE, siege=0, besieger=None)
    state = state.with_place(space, fallen)
    kind = "subjugated" if tribe else "city_taken"
    rule = "subjugation.2" if tribe else "siege.5"
    told = event(rule, kind, side=side, space=space, destroyed=dead)
    state, events = displace_all(state, names, "siege.5")
    if ground(space).capital == enemy(side):
        state, more = capital_taken(state, side)
        events += more
    return state, (told, *events)


def swept(state: State) -> tuple[State, tuple[Event, ...]]:
    """siege.8, siege.more.3 Points go as soon as no CU of the besieger is left in the space."""
    events: tuple[Event, ...] = ()
    for space, place in state.spaces.items():
        if place.siege and (place.besieger is None or not place.outside(place.besieger).size):
            state = state.with_place(space, replace(place, siege=0, besieger=None))
            events += (event("siege.8", "siege_lifted", space=space),)
    return state, events


# sorties


def check_sortie(state: State, march: March, command: Sortie) -> None:
    """siege.6 A general inside leads CUs out against those before the walls.

    Ruling: a sortie leaves no space, so a consul needs no five CUs for it.
    """
    if march.stopped or march.legs or not state.generals[march.general].inside:
        raise Illegal("siege.6", "only a general inside the walls makes a sortie")
    if not is_shut_in(state, march.side, march.at):
        raise Illegal("siege.6", "no enemy CUs are before the walls")
    if state.lasting.truce:
        raise Illegal("strategy.event.1", "the truce (card 64) forbids it")
    force, group = Troops(command.units, command.elephants), command.companions
    inside = state.spaces[march.at].within(march.side)
    if not force.size or command.units < 0 or command.elephants < 0 or not inside.holds(force):
        raise Illegal("siege.6", "a sortie needs a CU, and no more than are inside")
    if len(set(group)) != len(group) or not set(group) <= set(companions_of(state, march.general)):
        raise Illegal("movement.land.1c", "companions must be other generals inside, none of higher standing")


def sortie(state: State, command: Sortie, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """siege.6 They come out and fight.

    Ruling: avoid.1 speaks of a space that an enemy army enters, so a sortie cannot be avoided.
    """
    march = state.marching()
    check_sortie(state, march, command)
    force = Troops(command.units, command.elephants)
    party = (march.general, *command.companions)
    state = came_out(state, march.side, march.at, force, party)
    march = replace(march, companions=command.companions).with_force(force)
    state = replace(state, march=march).then(Prompt("battle", "", "battle.1", {"space": march.at, "sortie": True}))
    told = event("siege.6", "sortie", general=march.general, space=march.at, units=force.size)
    return state, (told,)


def came_out(state: State, side: Side, space: str, force: Troops, party: tuple[str, ...]) -> State:
    """siege.6 From inside the walls to outside."""
    place = state.spaces[space]
    place = replace(place, inside=place.inside.minus(force))
    state = state.with_place(space, place.with_outside(side, place.outside(side).plus(force)))
    return state.move_generals(party, space, inside=False)


# offers


def siege_offers(state: State) -> tuple[Offer, ...]:
    """siege.1, siege.2 The mover with all who are here, or a companion with part of them."""
    march = state.marching()
    if not fits(lambda: check_target(state, march)):
        return ()
    present, offers = state.spaces[march.at].outside(march.side), []
    whole = Besiege(march.general, present.units, present.elephants)
    if fits(lambda: check_besiege(state, march, whole)):
        fields = {"general": march.general, "units": present.units, "elephants": present.elephants}
        offers.append(Offer("besiege", "siege.1", fields))
    for name in companions_of(state, march.general):
        for elephants in range(present.elephants + 1):

            def may_stay(units: int, name: str = name, elephants: int = elephants) -> bool:
                return fits(lambda: check_besiege(state, march, Besiege(name, units, elephants)))

            for low, high in ranges(0, present.units, may_stay):
                fields = {"general": name, "elephants": elephants, "units": {"from": low, "to": high}}
                offers.append(Offer("besiege", "siege.2", fields))
    return tuple(offers)


def sortie_offers(state: State) -> tuple[Offer, ...]:
    """siege.6 The parties that may come out."""
    march, offers = state.marching(), []
    inside = state.spaces[march.at].within(march.side)
    for group in parties(companions_of(state, march.general), least=0):
        for elephants in range(inside.elephants + 1):

            def may_leave(units: int, group: tuple[str, ...] = group, elephants: int = elephants) -> bool:
                return fits(lambda: check_sortie(state, march, Sortie(units, elephants, group)))

            for low, high in ranges(0, inside.units, may_leave):
                fields = {
                    "companions": [list(group)],
                    "elephants": elephants,
                    "units": {"from": low, "to": high},
                }
                offers.append(Offer("sortie", "siege.6", fields))
    return tuple(offers)
