"""11.1 to 11.5 Movement by sea: who may sail where, with what, and the arrival."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from strategic.hamilcar.commands import Sail
from strategic.hamilcar.rules.in_progress import March, Voyage
from strategic.hamilcar.rules.ships import home
from strategic.hamilcar.rules.survey import is_enemy_port
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import ground, ports_beside
from strategic.interception import parties
from strategic.point_to_point.fatigue import cut, groups_at, set_out, why_not_fresh
from strategic.point_to_point.movement import arrive as arrive_by_land
from strategic.point_to_point.movement import is_there, put, why_not_entry, why_not_party
from strategic.point_to_point.offering import forces
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import commander, companions_of, is_shut_in, why_not_room
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, refuse

LANE = 1  # 11.1.a: movement points for a lane


def may_land_in(
    state: State, side: Side, start: str, to: str, generals: Iterable[str], event_card: bool = False
) -> bool:
    """11.8.2 Rome goes by sea to Africa only with excellent seamanship (11.8.2.1); good and Syracuse held (11.8.2.2);
    an African in command of those who sail (11.8.2.3, 6.5.2, movement.command.2); or by card 83 (11.8.2.4). Within
    Africa it sails freely.
    """
    if side == "carthage" or ground(to).region != "africa" or ground(start).region == "africa":
        return True
    levels = state.tables.sea.levels
    if state.seamanship >= levels.index("excellent"):
        return True
    if state.seamanship >= levels.index("good") and state.spaces["syracusae"].control == "rome":
        return True
    leader = commander(state, generals)
    return event_card or (leader is not None and state.leaders[leader].african)


def why_not_africa(state: State, to: str, companions: Iterable[str]) -> Illegal | None:
    """11.8.2 May the mover with these companions sail to this port?"""
    march = state.marching()
    if may_land_in(state, march.side, march.at, to, (march.general, *companions), march.africa):
        return None
    return Illegal(
        "11.8.2", "Rome may not sail to Africa yet: it needs better seamanship, an African general, or card 83"
    )


def why_not_lane(state: State, to: str, inside: bool) -> Illegal | None:
    """11.1, 11.4 The lane (11.1.2: the strait of Messana is one), the points, the walls."""
    march = state.marching()
    if march.stopped:
        return Illegal("11.3", "%(general)s has ended his move", general=march.general)
    if to not in ports_beside(march.at):
        return Illegal("11.1", "no sea lane leads from %(at)s to %(to)s", at=march.at, to=to)
    if march.points < 1:
        return Illegal("11.1.a", "a lane costs 1 movement point, and none is left")
    if march.sailed >= state.tables.sea.points:
        return Illegal(
            "11.1.b",
            "at most %(points)s movement %(points|point|points)s of a move may be spent at sea",
            points=state.tables.sea.points,
        )
    if is_shut_in(state, march.side, march.at) and state.spaces[march.at].besieged():
        return Illegal("11.4", "nobody can sail out of %(at)s while it is besieged", at=march.at)
    if inside:
        place = state.spaces[to]
        if not ground(to).city or place.control != march.side:
            return Illegal("11.4", "%(to)s is not a city of %(side)s", to=to, side=march.side)
        if place.besieged():
            return Illegal("11.4", "nobody can sail into %(to)s while it is besieged", to=to)
    return None


def why_not_sail(state: State, command: Sail) -> Illegal | None:
    """11.1 What forbids this voyage."""
    march, force = state.marching(), command.force
    if (wrong := why_not_lane(state, command.to, command.inside)) is not None:
        return wrong
    ready = len(state.ready(march.side))
    if not 0 <= command.ships <= min(ready, state.tables.sea.ships):
        return Illegal(
            "11.1.c", "%(side)s has only %(ready)s ready %(ready|ship|ships)s in port", side=march.side, ready=ready
        )
    if force.trains and not force.size:
        return Illegal("11.1.1", "a supply train can sail only with a CU, in that CU's transport")
    lone = state.options.lone_consul_fleet and command.ships > 0
    wrong = (
        why_not_party(state, march, command.companions, force, lone)
        or why_not_fresh(state, march, command.companions, force.size, LANE)
        or why_not_at_sea(state, march, command.companions, force.size)
        or why_not_africa(state, command.to, command.companions)
    )
    if wrong is not None:
        return wrong
    if command.inside:
        if (wrong := why_not_room(state, command.to, force)) is not None:
            return wrong
    else:
        if (
            wrong := why_not_entry(state, march, command.to, command.companions, force, march.points - LANE)
        ) is not None:
            return wrong
    return None


def why_not_at_sea(state: State, march: March, companions: Iterable[str], size: int) -> Illegal | None:
    """11.1.b Nobody goes farther by sea on one card than a general may, under however many generals."""
    most = state.tables.sea.points
    if any(group.lanes >= most for group in cut(groups_at(state, march), size)[0]):
        return Illegal("11.1.b", "CUs can sail at most %(most)s sea %(most|lane|lanes)s on one card", most=most)
    for name in companions:
        if state.playing().lanes.get(name, 0) >= most:
            return Illegal(
                "11.1.b",
                "%(general)s has already sailed %(most)s sea %(most|lane|lanes)s during this card",
                general=name,
                most=most,
            )
    return None


def sail(state: State, command: Sail, dice: Dice) -> Handled:
    """11.1, H1 Put to sea over one lane. Storms, interception and the arrival follow, in this order."""
    refuse(why_not_sail(state, command))
    march = state.marching()
    side, force = march.side, command.force
    ships = state.ready(side)[: command.ships]
    state = set_out(state, march, command.companions, force.size, LANE, lanes=1)
    state, march = state.put_to_sea(side, ships), state.marching()
    play = state.playing()
    lanes = {**play.lanes, **{name: play.lanes.get(name, 0) + 1 for name in (march.general, *command.companions)}}
    state = replace(state, play=replace(play, lanes=lanes))
    state = replace(
        state,
        march=replace(
            march,
            points=march.points - LANE,
            sailed=march.sailed + 1,
            force=force,
            companions=command.companions,
            acted=True,
            detached=(),
            detached_size=0,
        ),
        voyage=Voyage(march.at, command.to, command.inside, ships),
    )
    told = event(
        "11.1",
        "sailed",
        side=side,
        general=march.general,
        companions=list(command.companions),
        start=march.at,
        to=command.to,
        ships=list(ships),
        units=force.units,
        elephants=force.elephants,
        trains=force.trains,
    )
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
        return replace(state, voyage=None, march=replace(march, stopped=True) if is_there(state, march) else None), ()
    side = march.side
    events: tuple[Event, ...] = ()
    if voyage.ships and not voyage.caught and is_enemy_port(state, side, voyage.to) and state.supremacy != side:
        state = replace(state, supremacy=side)
        events = (event("11.2.c", "supremacy", side=side, space=voyage.to),)
    state, more = home(state, side, voyage.ships)
    state = ashore(state, voyage.start, voyage.to, voyage.inside)
    stops = voyage.caught or voyage.back
    march = state.marching()
    march = replace(march, stopped=march.stopped or stops, escort=voyage.ships)
    state = replace(state, voyage=None, march=march)
    told = event("11.1", "landed", side=side, general=march.general, space=voyage.to, inside=voyage.inside)
    events += (*more, told)
    if voyage.inside or voyage.back:
        return state, events
    return arrive_by_land(state, "11.7.second"), events


def ashore(state: State, start: str, to: str, inside: bool) -> State:
    """11.1 The troops and generals of the march step from the last port to the next."""
    march = state.marching()
    state = put(state, march, start, to, inside)
    return replace(state, march=replace(march, path=(*march.path, to), legs=(*march.legs, "lane"), inside=inside))


def sail_offers(state: State) -> tuple[Offer, ...]:
    """11.1 For each lane every party and force, and the ready ships that may go along."""
    march = state.marching()
    ready = min(len(state.ready(march.side)), state.tables.sea.ships)
    found = []
    for to in ports_beside(march.at):
        for inside in (False, True):
            if why_not_lane(state, to, inside) is None:
                found += [*_offers_of(state, to, inside, 0, ready)]
                if state.options.lone_consul_fleet and ready:
                    found += [*_offers_of(state, to, inside, 1, ready, bare=True)]
    return tuple(found)


def _offers_of(state: State, to: str, inside: bool, least: int, most: int, bare: bool = False) -> Iterator[Offer]:
    """11.1 The voyages over one lane with at least so many ships; `bare`: only those that need ships to be legal."""
    march = state.marching()
    here = Troops() if bare else state.spaces[march.at].all_of(march.side)
    for group in parties(companions_of(state, march.general), least=0):

        def may_sail(force: Troops, group: tuple[str, ...] = group) -> bool:
            command = Sail(to, least, force.units, force.elephants, force.trains, group, inside)
            if why_not_sail(state, command) is not None:
                return False
            return not bare or why_not_sail(state, replace(command, ships=0)) is not None

        for fields in forces(here, state.tables.sea.units, may_sail):
            yield Offer(
                "sail",
                "11.1",
                {
                    "to": to,
                    "ships": {"from": least, "to": most},
                    "companions": [list(group)],
                    **fields,
                    "inside": inside,
                },
            )
