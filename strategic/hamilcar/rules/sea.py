"""11.1 to 11.5 Movement by sea: who may sail where, with what, and the arrival."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.hamilcar.commands import Sail
from strategic.hamilcar.rules.forces import check_force, check_party, choices, span
from strategic.hamilcar.rules.ships import home
from strategic.hamilcar.state import State
from strategic.hamilcar.survey import enemy_outside, enemy_units, is_enemy_port
from strategic.hamilcar.tables import Side, enemy, ground, is_lane, ports_beside
from strategic.hamilcar.troops import Troops
from strategic.hamilcar.undertakings import Voyage
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

Handled = tuple[State, tuple[Event, ...]]


def may_land_in(state: State, side: Side, start: str, to: str, general: str, event_card: bool = False) -> bool:
    """11.8.2 Rome goes by sea to Africa only with excellent seamanship (11.8.2.1); good and Syracuse held (11.8.2.2);
    an African in command (11.8.2.3, 6.5.2); or by card 83 (11.8.2.4). Within Africa it sails freely.
    """
    if side == "carthage" or ground(to).region != "africa" or ground(start).region == "africa":
        return True
    levels = state.tables.sea.levels
    if state.seamanship >= levels.index("excellent"):
        return True
    if state.seamanship >= levels.index("good") and state.spaces["syracusae"].control == "rome":
        return True
    return state.leaders[general].african or event_card


def check_lane(state: State, to: str, inside: bool) -> None:
    """11.1, 11.4 The lane (11.1.2: the strait of Messana is one), the points, Africa, the walls."""
    march = state.marching()
    if march.stopped:
        raise Illegal("11.3", f"{march.general} has ended his move")
    if to not in ports_beside(march.at):
        raise Illegal("11.1", f"no sea lane leads from {march.at} to {to}")
    if march.points < 1:
        raise Illegal("11.1.a", "a lane costs 1 movement point, and none is left")
    if march.sailed >= state.tables.sea.points:
        raise Illegal("11.1.b", f"at most {state.tables.sea.points} movement points of a move are spent at sea")
    if march.inside and state.spaces[march.at].besieged():
        raise Illegal("11.4", f"nobody sails out of besieged {march.at}")
    if not may_land_in(state, march.side, march.at, to, march.general, march.africa):
        raise Illegal("11.8.2", "Rome may not sail to Africa yet: seamanship, an African, or card 83 is needed")
    if inside:
        place = state.spaces[to]
        if not ground(to).city or place.control != march.side:
            raise Illegal("11.4", f"{to} is no city of {march.side}")
        if place.besieged():
            raise Illegal("11.4", f"nobody sails into besieged {to}")


def check_sail(state: State, command: Sail) -> None:
    """11.1 What forbids this voyage."""
    march = state.marching()
    check_lane(state, command.to, command.inside)
    check_party(state, march.side, march.general, command.companions)
    force = Troops(command.units, command.elephants, command.trains)
    ready = len(state.ready(march.side))
    if not 0 <= command.ships <= min(ready, state.tables.sea.ships):
        raise Illegal("11.1.c", f"{march.side} has {ready} ready ships in port")
    lone = state.options.lone_consul_fleet and command.ships > 0
    check_force(state, march.side, march.at, march.inside, force, (march.general, *command.companions), lone)
    if not force.size and command.trains:
        raise Illegal("11.1.1", "trains sail with CUs, each in its transport")
    if force.size == 0 and not command.inside and enemy_units(state, march.side, command.to):
        raise Illegal("movement.land.1d", f"a general needs an army to land among the enemy at {command.to}")
    if command.inside:
        if state.room_left(command.to) < force.size:
            raise Illegal("cities.2", f"only {state.room_left(command.to)} more CUs fit inside {command.to}")
        if state.train_room(command.to) < force.trains:
            raise Illegal("8.2.1.limit", f"only {state.train_room(command.to)} more trains fit inside {command.to}")


def sail(state: State, command: Sail, dice: Dice) -> Handled:
    """11.1, H1 Put to sea over one lane. Storms, interception and the arrival follow, in this order."""
    check_sail(state, command)
    march = state.marching()
    side, force = march.side, Troops(command.units, command.elephants, command.trains)
    ships = state.ready(side)[: command.ships]
    state = state.put_to_sea(side, ships)
    state = replace(
        state,
        march=replace(
            march, points=march.points - 1, sailed=march.sailed + 1, force=force, companions=command.companions,
            acted=True,
        ),
        voyage=Voyage(march.at, command.to, command.inside, ships),
    )  # fmt: skip
    told = event(
        "11.1", "sails", side=side, general=march.general, companions=list(command.companions), start=march.at,
        to=command.to, ships=list(ships), units=force.units, elephants=force.elephants, trains=force.trains,
    )  # fmt: skip
    return state.then(*voyage_prompts(enemy(side))), (told,)


def voyage_prompts(other: Side) -> tuple[Prompt, ...]:
    """H1 What follows a departure: the storm, the interception (11.6.note: of the mover only), the arrival."""
    return (
        Prompt("storm", other, "21.1.3"),
        Prompt("sea_intercept", other, "11.6"),
        Prompt("arrive", "", "11.1"),
    )


def is_fleet(state: State) -> bool:
    """11.1.1.b Ships, transports or both are a fleet; a lone general is none."""
    return bool(state.sailing().ships or state.marching().force.size)


def arrive(state: State, dice: Dice) -> Handled:
    """11.1, 11.2.c The voyage ends. An enemy port reached with a warship, not intercepted, gives supremacy (11.2.d)."""
    state = state.answered()
    march, voyage = state.marching(), state.sailing()
    if voyage.ended:
        return replace(state, voyage=None, march=replace(march, stopped=True)), ()
    side = march.side
    events: tuple[Event, ...] = ()
    if voyage.ships and not voyage.caught and is_enemy_port(state, side, voyage.to) and state.supremacy != side:
        state = replace(state, supremacy=side)
        events = (event("11.2.c", "supremacy", side=side, space=voyage.to),)
    state, more = home(state, side, voyage.ships)
    state = ashore(state, voyage.start, voyage.to, voyage.inside)
    stops = voyage.caught or voyage.back or enemy_units(state, side, voyage.to) > 0
    march = state.marching()
    march = replace(march, stopped=march.stopped or stops, escort=voyage.ships)
    state = replace(state, voyage=None, march=march)
    told = event("11.1", "arrives", side=side, general=march.general, space=voyage.to, inside=voyage.inside)
    events += (*more, told)
    if voyage.inside or voyage.back:
        return state, events
    return state.then(Prompt("intercept", enemy(side), "11.7.second"), Prompt("entered", "", "11.3")), events


def ashore(state: State, start: str, to: str, inside: bool) -> State:
    """11.1 The troops and generals of the march step from the last port to the next."""
    march = state.marching()
    state = state.take(start, march.side, march.force, march.inside)
    state = state.add(to, march.side, march.force, inside)
    state = state.move_generals(march.generals, to, inside)
    if not march.inside:
        state = lift_siege(state, start)
    return replace(state, march=replace(march, path=(*march.path, to), legs=(*march.legs, "lane"), inside=inside))


def lift_siege(state: State, space: str) -> State:
    """siege.8 Siege points vanish when no CU of the besieger is left outside the walls."""
    place = state.spaces[space]
    if place.siege and place.besieger is not None and not place.outside(place.besieger).size:
        return state.with_place(space, replace(place, siege=0, besieger=None))
    return state


def sail_offers(state: State) -> tuple[Offer, ...]:
    """11.1 For each lane and party: forces, and the ready ships that may go along."""
    march = state.marching()
    ready = min(len(state.ready(march.side)), state.tables.sea.ships)
    found = []
    for to in ports_beside(march.at):
        for inside in (False, True):
            try:
                check_lane(state, to, inside)
            except Illegal:
                continue
            for fields in choices(state, march.side, march.at, march.inside, march.general):
                found += _of(state, to, inside, fields, 0, ready)
            if state.options.lone_consul_fleet and ready:
                for fields in choices(state, march.side, march.at, march.inside, march.general, alone=True):
                    if fields["units"] == 0 and fields["elephants"] == 0:
                        found += _of(state, to, inside, fields, 1, ready)
    return tuple(found)


def _of(state: State, to: str, inside: bool, fields: dict[str, Any], low: int, ready: int) -> list[Offer]:
    units = fields["units"]
    most = units["to"] if isinstance(units, dict) else units
    command = Sail(to, low, most, fields["elephants"], fields["trains"], tuple(fields["companions"][0]), inside)
    try:
        check_sail(state, command)
    except Illegal:
        return []
    return [Offer("sail", "11.1", {"to": to, "ships": span(low, ready), **fields, "inside": inside})]


def is_passage(start: str, to: str) -> bool:
    """11.1 Are the two joined by a lane?"""
    return is_lane(start, to)


def lands_among_enemies(state: State, side: Side, space: str) -> bool:
    """11.6.7.a Do enemy CUs stand where somebody would land?"""
    return enemy_units(state, side, space) > 0 or enemy_outside(state, side, space).size > 0
