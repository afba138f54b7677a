"""11 Movement and interception at sea, and what a voyage would mean."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from msgspec.structs import replace

from strategic.hamilcar.commands import (
    Answer,
    Catcher,
    ChooseShips,
    FightAtSea,
    Sail,
    SeaIntercept,
    SeaTry,
    Try,
    TurnBack,
)
from strategic.hamilcar.rules.cards import answers, begin_march, card_of, check_hand, may_answer, spend, why_not_leader
from strategic.hamilcar.rules.survey import home, is_enemy_port, side_of, whose_ships, why_not_ships
from strategic.hamilcar.state import Attempt, Handled, March, Play, State, Voyage
from strategic.hamilcar.tables import ground, is_stormy, ports_beside
from strategic.interception import chance, parties, succeeds
from strategic.point_to_point.commands import Party, Pass, companies, forces
from strategic.point_to_point.meeting import chances as by_land
from strategic.point_to_point.movement import arrive as arrive_by_land
from strategic.point_to_point.movement import (
    cut,
    groups_at,
    is_there,
    loads,
    put,
    set_out,
    told_of,
    why_not_entry,
    why_not_fresh,
    why_not_party,
)
from strategic.point_to_point.rulebook import auto, box
from strategic.point_to_point.state import NONE, Side, Troops, enemy
from strategic.point_to_point.survey import (
    commander,
    companions_of,
    displace_all,
    enemy_outside,
    generals_at,
    is_met_alone,
    is_shut_in,
    rating,
    side_of_prompt,
    why_not_consular,
    why_not_room,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, offer, refuse
from tactical.kernel.record import Record

# -- What an army may take along by sea and must leave, and what trains need.


def why_not_load(state: State, force: Troops) -> Illegal | None:
    """8.2.1, 11.5 Trains move only with CUs, at most ten of them."""
    if force.trains > state.tables.sea.trains:
        return Illegal(
            "11.5",
            "at most %(trains)s supply %(trains|train|trains)s may move at once",
            trains=state.tables.sea.trains,
        )
    if force.trains and not force.size:
        return Illegal("8.2.1", "supply trains move only with CUs")
    return None


def why_not_force(
    state: State, side: Side, space: str, force: Troops, party: tuple[str, ...], alone: bool = False
) -> Illegal | None:
    """18.1, H13 The troops are there, at most 10, and no consul's army comes below 3 CUs by it.

    `alone`: a consul may go without CUs here (option lone_consul_fleet, with ships).
    """
    here = state.spaces[space].all_of(side)
    if not force.is_counted or not here.holds(force):
        return Illegal(
            "movement.land.1",
            "only these are here: %(units)s %(units|CU|CUs)s, %(elephants)s "
            "%(elephants|elephant|elephants)s and %(trains)s supply %(trains|train|trains)s",
            units=here.units,
            elephants=here.elephants,
            trains=here.trains,
        )
    if force.size > state.tables.movement.units:
        return Illegal("11.5", "at most %(units)s %(units|CU|CUs)s may move at once", units=state.tables.movement.units)
    if (wrong := why_not_load(state, force)) is not None:
        return wrong
    staying = [name for name in generals_at(state, side, space) if name not in party]
    return why_not_consular(state, party, force, staying, here, alone)


# -- 11.1 to 11.5 Movement by sea: who may sail where, with what, and the arrival.

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
    state = embark(state, command.companions, force).put_to_sea(side, ships)
    state = replace(state, voyage=Voyage(march.at, command.to, command.inside, ships))
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
    which = whose_ships(state, "ships_sail", side, len(ships), (*ships, *state.ready(side)))
    return state.then(*which, *voyage_prompts(enemy(side))), (told,)


def ships_sail(state: State, command: ChooseShips, dice: Dice) -> Handled:
    """L2.4 The mover's ships are these."""
    refuse(why_not_ships(state, command.ships))
    side, voyage = state.marching().side, state.sailing()
    state = state.answered().put_into_port(side, voyage.ships).put_to_sea(side, command.ships)
    told = event("L2.4", "ships_chosen", side=side, ships=list(command.ships))
    return replace(state, voyage=replace(voyage, ships=command.ships)), (told,)


def embark(state: State, companions: tuple[str, ...], force: Troops) -> State:
    """11.1 These have left for the next port, with what the lane costs paid."""
    march = state.marching()
    state = set_out(state, march, companions, force.size, LANE, lanes=1)
    march, play = state.marching(), state.playing()
    lanes = {**play.lanes, **{name: play.lanes.get(name, 0) + 1 for name in (march.general, *companions)}}
    march = replace(
        march,
        points=march.points - LANE,
        sailed=march.sailed + 1,
        force=force,
        companions=companions,
        acted=True,
        detached=(),
        detached_size=0,
    )
    return replace(state, march=march, play=replace(play, lanes=lanes))


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


def sail_offers(state: State) -> Iterator[Offer]:
    """11.1 For each lane every party and force, and the ready ships that may go along."""
    march = state.marching()
    ready = min(len(state.ready(march.side)), state.tables.sea.ships)
    for to in ports_beside(march.at):
        for inside in (False, True):
            if why_not_lane(state, to, inside) is None:
                yield from _offers_of(state, to, inside, 0, ready)
                if state.options.lone_consul_fleet and ready:
                    yield from _offers_of(state, to, inside, 1, ready, bare=True)


def _offers_of(state: State, to: str, inside: bool, least: int, most: int, bare: bool = False) -> Iterator[Offer]:
    """11.1 The voyages over one lane with at least so many ships; `bare`: only those that need ships to be legal."""
    march = state.marching()
    here = Troops() if bare else state.spaces[march.at].all_of(march.side)

    def why_not(group: Party, force: Troops) -> Illegal | bool | None:
        command = Sail(to, least, force.units, force.elephants, force.trains, group, inside)
        needless = bare and why_not_sail(state, replace(command, ships=0)) is None
        return why_not_sail(state, command) or needless or None

    groups = parties(companions_of(state, march.general), least=0)
    for fields in companies("companions", groups, here, state.tables.sea.units, why_not):
        ships = {"from": least, "to": most}
        yield Offer("sail", "11.1", {"to": to, "ships": ships, **fields, "inside": inside})


# -- 11.6 Interception at sea: who may try, the dice, the automatic one, turning back.


def modifier(state: State, side: Side) -> int:
    """11.6.2.a The corvus makes Roman interception harder."""
    return state.tables.naval.corvus_interception if side == "rome" and state.corvus else 0


def may_try(state: State, side: Side, general: str, to: str) -> bool:
    """11.6.2 A general in the port of arrival or one lane from it, not inside a besieged city."""
    record = state.generals[general]
    if record.status != "board" or state.leaders[general].side != side or record.space is None:
        return False
    if record.inside and state.spaces[record.space].besieged():
        return False
    return record.space == to or record.space in ports_beside(to)


def candidates(state: State, side: Side, to: str) -> dict[str, tuple[str, ...]]:
    """11.6.2.b The generals who may try, by the space that they stand in."""
    found: dict[str, tuple[str, ...]] = {}
    for space in (to, *ports_beside(to)):
        here = tuple(name for name in generals_at(state, side, space) if may_try(state, side, name, to))
        if here:
            found[space] = here
    return found


def is_automatic(state: State, side: Side, to: str) -> bool:
    """11.6.3 Supremacy and an own marker in the port of arrival catch even when the dice fail."""
    return state.supremacy == side and state.spaces[to].control == side


def may_intercept(state: State, side: Side, to: str) -> bool:
    """11.6.1 A ready ship, and a general who may try or an automatic interception (11.6.example.2).

    11.6.7.d, 11.6.example.1 CUs that stand in the port do not bar it.
    """
    if not state.ready(side):
        return False
    if is_automatic(state, side, to):
        return True
    return any(can_try(state, side, name, to) for names in candidates(state, side, to).values() for name in names)


def can_try(state: State, side: Side, general: str, to: str) -> bool:
    """11.6.2, 18.1 Is there anything with which this general may try, be it alone?"""
    return why_not_try(state, side, Try(general), to) is None or _whole(state, side, general, to) is not None


def why_not_try(state: State, side: Side, attempt: Try, to: str) -> Illegal | None:
    """11.6.2, H13 Who may try, and with what."""
    if attempt.general not in state.generals or not may_try(state, side, attempt.general, to):
        return Illegal(
            "11.6.2",
            "%(general)s cannot try to intercept: a general must be free to "
            "put to sea, and in %(to)s or one lane from it",
            general=attempt.general,
            to=to,
        )
    record = state.generals[attempt.general]
    assert record.space is not None
    return why_not_force(
        state,
        side,
        record.space,
        attempt.force,
        (attempt.general,),
        state.options.lone_consul_fleet,
    )


def why_not_intercept(state: State, command: SeaIntercept) -> Illegal | None:
    """11.6.1, 11.6.2.b At least one ready ship; one try a space; all declared before any die."""
    side, to = side_of_prompt(state), state.sailing().to
    ready = len(state.ready(side))
    if not 1 <= command.ships <= ready:
        return Illegal(
            "11.6.1", "an interception needs at least 1 and at most %(ready)s ready %(ready|ship|ships)s", ready=ready
        )
    named = tuple(each.general for each in state.sailing().attempts)
    names = (*named, *(each.general for each in command.tries))
    spaces = [state.generals[name].space for name in names if name in state.generals]
    if len(set(spaces)) != len(spaces):
        return Illegal("11.6.2.b", "only one general may try from each space")
    for each in command.tries:
        if (wrong := why_not_try(state, side, each, to)) is not None:
            return wrong
    if not named and not command.tries and not is_automatic(state, side, to):
        return Illegal("11.6.3", "without a general, interception needs supremacy and a friendly marker in the port")
    return None


def why_not_part(state: State, command: SeaTry) -> Illegal | None:
    """11.6.2, H2 Another general of another space, with part of what he could take: all or nothing is named when the
    ships put to sea.
    """
    side, voyage = side_of_prompt(state), state.sailing()
    if (wrong := why_not_try(state, side, command, voyage.to)) is not None:
        return wrong
    if state.generals[command.general].space in {each.space for each in voyage.attempts}:
        return Illegal("11.6.2.b", "only one general may try from each space")
    if command.force in _all_or_nothing(state, side, command.general, voyage.to):
        return Illegal("11.6.2", "a general who takes all or nothing along is named when the ships put to sea")
    return None


def _all_or_nothing(state: State, side: Side, general: str, to: str) -> tuple[Troops, ...]:
    whole = _whole(state, side, general, to)
    return (NONE, whole.force) if whole else (NONE,)


def sea_try(state: State, command: SeaTry, dice: Dice) -> Handled:
    """11.6.2.b A try is named; all are, before any die."""
    refuse(why_not_part(state, command))
    voyage, space = state.sailing(), state.generals[command.general].space
    assert space is not None
    attempts = (*voyage.attempts, Attempt(command.general, space, command.force))
    told = event(
        "11.6.2.b",
        "interception_declared",
        side=state.leaders[command.general].side,
        space=space,
        generals=[command.general],
        **told_of(command.force),
    )
    return replace(state, voyage=replace(voyage, attempts=attempts)), (told,)


def sea_intercept(state: State, command: SeaIntercept, dice: Dice) -> Handled:
    """11.6 The ships put to sea; L2.4: which, where they differ; then the dice."""
    refuse(why_not_intercept(state, command))
    side, voyage = side_of_prompt(state), state.sailing()
    ships = state.ready(side)[: command.ships]
    state = state.answered().put_to_sea(side, ships)
    found = list(voyage.attempts)
    for each in command.tries:
        space = state.generals[each.general].space
        assert space is not None
        found.append(Attempt(each.general, space, each.force))
    order = list(candidates(state, side, voyage.to))  # the dice fall in one order, however the tries were named
    found.sort(key=lambda each: order.index(each.space))
    state = replace(state, voyage=replace(voyage, attempts=tuple(found), catching=ships))
    told = event("11.6", "put_to_sea", side=side, ships=list(ships), space=voyage.to)
    prompts = (
        *whose_ships(state, "ships_catch", side, len(ships), (*ships, *state.ready(side))),
        Prompt("sea_dice", "", "11.6.2"),
        Prompt("lookouts", side, "11.6.4"),
        Prompt("catcher", side, "H2.a"),
        Prompt("caught", "", "11.6.5"),
    )
    return state.then(*prompts), (told,)


def ships_catch(state: State, command: ChooseShips, dice: Dice) -> Handled:
    """L2.4 The interceptor's ships are these."""
    refuse(why_not_ships(state, command.ships))
    side, voyage = enemy(state.marching().side), state.sailing()
    state = state.answered().put_into_port(side, voyage.catching).put_to_sea(side, command.ships)
    told = event("L2.4", "ships_chosen", side=side, ships=list(command.ships))
    return replace(state, voyage=replace(voyage, catching=command.ships)), (told,)


def sea_dice(state: State, dice: Dice) -> Handled:
    """11.6.2 Each general rolls at most his battle rating; the corvus adds 1 (11.6.2.a)."""
    state, voyage = state.answered(), state.sailing()
    side = enemy(state.marching().side)
    plus = modifier(state, side)
    attempts, events = list[Attempt](), list[Event]()
    for each in voyage.attempts:
        (face,) = dice.roll(1, 6, "11.6.2", general=each.general, space=voyage.to)
        good = succeeds(face, rating(state, each.general), plus)
        attempts.append(replace(each, face=face, succeeded=good))
        told = event(
            "11.6.2", "sea_interception", side=side, general=each.general, dice=[face], modifier=plus, success=good
        )
        events.append(told)
    return replace(state, voyage=replace(voyage, attempts=tuple(attempts))), tuple(events)


def let_pass(state: State, command: Pass, dice: Dice) -> Handled:
    """11.6 No interception here; who was named tries nothing."""
    return replace(state.answered(), voyage=replace(state.sailing(), attempts=())), ()


def intercept_choices(state: State) -> Iterator[Offer]:
    """11.6 Every set of tries by all or nobody, and the ships; parts of a force are named one by one before.

    H11 Nobody intercepts the way back over the last lane of a side with supremacy.
    """
    side, voyage = side_of_prompt(state), state.sailing()
    if (voyage.back and state.supremacy == state.marching().side) or not may_intercept(state, side, voyage.to):
        return
    ready = len(state.ready(side))
    ships = 1 if ready == 1 else {"from": 1, "to": ready}
    yield from offer("sea_intercept", "11.6", ships=ships, tries=list(_sets(state, side, voyage.to)))
    yield from _part_offers(state, side, voyage.to)
    yield Offer("pass", "11.6")


def _part_offers(state: State, side: Side, to: str) -> Iterator[Offer]:
    """11.6.2 Each general of a space that is not named yet, with the parts of a force that he may take."""
    named = {each.space for each in state.sailing().attempts}
    for space, names in candidates(state, side, to).items():
        here = state.spaces[space].all_of(side)
        for name in names if space not in named else ():
            others = _all_or_nothing(state, side, name, to)

            def may_part(force: Troops, name: str = name, others: tuple[Troops, ...] = others) -> bool:
                attempt = Try(name, force.units, force.elephants, force.trains)
                return force not in others and why_not_try(state, side, attempt, to) is None

            for fields in forces(here, state.tables.sea.units, may_part):
                yield Offer("sea_try", "11.6.2", {"general": name, **fields})


def _whole(state: State, side: Side, general: str, to: str) -> Try | None:
    """All the troops that a general can take along, leaving what must stay."""
    record = state.generals[general]
    assert record.space is not None
    here = state.spaces[record.space].all_of(side)
    elephants = min(here.elephants, state.tables.sea.units)
    for units in range(min(here.units, state.tables.sea.units - elephants), -1, -1):
        attempt = Try(general, units, elephants, min(here.trains, state.tables.sea.trains) if units + elephants else 0)
        if why_not_try(state, side, attempt, to) is None:
            return attempt
    return None


def _sets(state: State, side: Side, to: str) -> Iterator[list[dict[str, Any]]]:
    """For each space that is not named yet nobody, or one general alone or with all that he can take; not the empty set
    unless somebody is named or it is automatic.
    """
    per_space: list[list[Try | None]] = []
    named = {each.space for each in state.sailing().attempts}
    for space, names in candidates(state, side, to).items():
        if space in named:
            continue
        options: list[Try | None] = [None]
        for name in names:
            bare, whole = Try(name), _whole(state, side, name, to)
            options += [
                each for each in (whole, bare) if each is not None and why_not_try(state, side, each, to) is None
            ]
        per_space.append(list(dict.fromkeys(options)))
    for group in product(*per_space):
        tries = [each for each in group if each is not None]
        if tries or named or is_automatic(state, side, to):
            yield [
                {"general": t.general, "units": t.units, "elephants": t.elephants, "trains": t.trains} for t in tries
            ]


def lookouts(state: State, command: Answer, dice: Dice) -> Handled:
    """11.6.4 A card lowers the die that it helps most."""
    side, voyage = side_of_prompt(state), state.sailing()
    check_hand(state, side, command.card)
    if command.card not in answers(state, side, "lookouts"):
        raise Illegal("11.6.4", "card %(card)s does not help an interception", card=command.card)
    lowered = card_of(state, command.card).die
    state, events = spend(state, side, command.card, "interception")
    best = min(voyage.attempts, key=lambda each: each.face - rating(state, each.general))
    good = succeeds(best.face, rating(state, best.general), modifier(state, side) + lowered)
    attempts = tuple(replace(each, succeeded=good) if each == best else each for each in voyage.attempts)
    state = replace(state.answered(), voyage=replace(voyage, attempts=attempts))
    told = event(
        "11.6.4", "die_lowered", side=side, general=best.general, dice=[best.face], modifier=lowered, success=good
    )
    return state, (*events, told)


def lookouts_choices(state: State) -> Iterator[Offer]:
    """11.6.4 After dice that all failed a card may still help: those held, or none."""
    side, attempts = side_of_prompt(state), state.sailing().attempts
    if attempts and not any(each.succeeded for each in attempts) and may_answer(state, side, "lookouts"):
        for card in answers(state, side, "lookouts"):
            yield Offer("answer", "11.6.4", {"card": card})
        yield Offer("pass", "11.6.4")


def successes(state: State) -> tuple[str, ...]:
    """H2.a The generals whose die was good."""
    return tuple(each.general for each in state.sailing().attempts if each.succeeded)


def catcher(state: State, command: Catcher, dice: Dice) -> Handled:
    """H2.a Of several the owner picks one; the rest stay where they are."""
    if command.general not in successes(state):
        raise Illegal("H2.a", "%(general)s has not intercepted", general=command.general)
    state = replace(state.answered(), voyage=replace(state.sailing(), catcher=command.general))
    return state, (event("H2.a", "catcher", general=command.general),)


def catcher_choices(state: State) -> tuple[Offer, ...]:
    """H2.a Asked only when several succeeded."""
    names = successes(state)
    return offer("catcher", "H2.a", general=names) if len(names) > 1 else ()


def one_catcher(state: State, dice: Dice) -> Handled:
    """H2.a One success needs no choice."""
    names = successes(state)
    return replace(state.answered(), voyage=replace(state.sailing(), catcher=names[0] if names else None)), ()


def catching_force(state: State) -> Troops:
    """H2 The troops that sail with the commander of the interception."""
    voyage = state.sailing()
    return next((each.force for each in voyage.attempts if each.general == voyage.catcher), NONE)


def try_to_catch(state: State, dice: Dice) -> Handled:
    """11.6.5, H2.b Is the movement caught? A lone general is displaced (11.6.6); with supremacy one may turn back."""
    state = state.answered()
    march, voyage = state.marching(), state.sailing()
    side = enemy(march.side)
    if voyage.catcher is None and not is_automatic(state, side, voyage.to):
        state, more = home(state, side, voyage.catching)
        state = replace(state, voyage=replace(voyage, catching=(), attempts=()))
        return state, (event("11.6.7.c", "interception_failed", side=side, space=voyage.to), *more)
    state = replace(state, voyage=replace(voyage, caught=True))
    rule = "11.6.5" if voyage.catcher else "11.6.3"
    told = event(rule, "caught", side=side, general=voyage.catcher, ships=list(voyage.catching), space=voyage.to)
    if not voyage.ships and not march.force.size:
        state = replace(state, voyage=replace(state.sailing(), ended=True))
        state, back = home(state, side, voyage.catching)
        state, more = displace_all(state, march.generals, "11.6.6")
        return state, (told, *more, *back)
    if state.supremacy == march.side:
        return state.then(Prompt("turn_back", march.side, "11.6.7")), (told,)
    return state.then(Prompt("fleets_meet", "", "L1.1")), (told,)


def turn_back(state: State, command: TurnBack, dice: Dice) -> Handled:
    """11.6.7, H3 Supremacy goes to the enemy, the move is over in the last port, and no ship is turned."""
    state = state.answered()
    march, voyage = state.marching(), state.sailing()
    side = enemy(march.side)
    state = replace(state, supremacy=side, voyage=replace(voyage, ended=True))
    state, events = home(state, march.side, voyage.ships)
    state, more = home(state, side, voyage.catching)
    events += more
    told = event("11.6.7", "turned_back", side=march.side, space=voyage.start, supremacy=side)
    prompts = (
        Prompt("after_sea", side, "11.6.7.a", {"role": "catcher"}),
        Prompt("mover_home", "", "H10.b"),
    )
    return state.then(*prompts), (told, *events)


def fight(state: State, command: FightAtSea, dice: Dice) -> Handled:
    """11.6.7.b The mover takes the battle."""
    return state.answered().then(Prompt("fleets_meet", "", "L1.1")), ()


def turn_back_choices(state: State) -> Iterator[Offer]:
    """11.6.7 Give up supremacy, or fight."""
    yield Offer("turn_back", "11.6.7")
    yield Offer("fight_at_sea", "11.6.7.b")


def may_catcher_land(state: State) -> bool:
    """11.6.7.a The interceptor's general may land where he intercepted if no enemy CU is there, nor, where he has none
    either, a general of the enemy (movement.land.1e); CUs inside walls bar nobody (cities.3).
    """
    voyage = state.sailing()
    if voyage.catcher is None:
        return False
    side = state.leaders[voyage.catcher].side
    record = state.generals[voyage.catcher]
    if record.space is None or record.space == voyage.to:
        return False
    if state.spaces[voyage.to].outside(enemy(side)).size:
        return False
    if not catching_force(state).size and is_met_alone(state, side, voyage.to):
        return False
    return may_land_in(state, side, record.space, voyage.to, (voyage.catcher,))


# -- The boxes of a voyage: each question with its answers, and what goes by itself.

INTERCEPT = box(
    "sea_intercept", "11.6", {SeaIntercept: sea_intercept, SeaTry: sea_try, Pass: let_pass}, intercept_choices
)
BOXES = (
    auto("arrive", "11.1", arrive),
    auto("sea_dice", "11.6.2", sea_dice),
    auto("caught", "11.6.5", try_to_catch),
    box("lookouts", "11.6.4", {Answer: lookouts, Pass: None}, lookouts_choices),
    box("catcher", "H2.a", {Catcher: catcher}, catcher_choices, leave=one_catcher),
    box("turn_back", "11.6.7", {TurnBack: turn_back, FightAtSea: fight}, turn_back_choices),
)


# -- 11.6.2 The chance of each die of an interception at sea; by land as in the shared land war.


def chances(state: State, command: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """11.6.2, 11.6.2.a The battle rating of each general who tries; the corvus hampers Rome."""
    if command["type"] not in ("sea_intercept", "sea_try"):
        return by_land(state, command)
    plus = modifier(state, side_of_prompt(state))
    named = [each.general for each in state.sailing().attempts]
    named += (
        [command["general"]] if command["type"] == "sea_try" else [one["general"] for one in command.get("tries", ())]
    )
    return tuple(Fraction(*chance(rating(state, name), plus)) for name in named)


# -- 11.1, 11.6 What a voyage would mean before it is committed: lanes, points, interceptors and their chance, storms.
#
# Only what is open on the table is used: nobody's cards.


class Interceptor(Record, frozen=True):
    """11.6.2 A general who may try: from where, and with how many `good` faces of 6."""

    general: str
    space: str
    good: int
    of: int = 6


class Lane(Record, frozen=True):
    """One lane of a voyage: what forbids it, and what may happen on it.

    `automatic`: the enemy catches even when the dice fail (11.6.3). `caught` is the chance that the movement is caught
    if every enemy general who may try does.
    """

    to: str
    wrong: Illegal | None
    stormy: bool
    interceptors: tuple[Interceptor, ...]
    automatic: bool
    caught: Fraction


class Route(Record, frozen=True):
    """The way with the fewest lanes to a port: its lanes in order, and the chance to come through uncaught."""

    to: str
    lanes: tuple[Lane, ...]
    open: bool
    uncaught: Fraction


Fleet = tuple[State, tuple[str, ...], Troops]  # the position with a party in a port, who sails on, and with what


def sea_preview(state: State, general: str | None = None) -> tuple[Route, ...]:
    """11.1 The ways by sea of the general who moves, or of one who might be activated, before he commits himself.

    Raises Illegal with what forbids it.
    """
    if general is None and state.march is None:
        raise Illegal("11.1", "nobody is moving; name a general")
    if general is not None and (state.march is None or state.march.general != general):
        if general not in state.leaders:
            raise Illegal("8.2", "there is no general called %(general)s", general=repr(general))
        side = side_of(general)
        refuse(why_not_leader(state, side, general))
        state = begin_march(replace(state, play=state.play or Play(0, side, 0)), general)
    return tuple(_routes(state))


def _fleets(state: State) -> tuple[Fleet, ...]:
    """11.1 The parties that may put to sea, each with the most and with the fewest units of a kind; where nobody may,
    all who are there, for the reason why not.
    """
    march = state.marching()
    found: dict[tuple[tuple[str, ...], Troops], None] = {}
    for fields in loads(state, march, state.tables.sea.units, LANE):
        companions, trains = tuple(fields["companions"][0]), max(fields.get("trains", (0,)))
        for end in ("to", "from"):
            found[companions, Troops(fields["units"][end], fields["elephants"], trains)] = None
    followers = companions_of(state, march.general)
    if state.options.lone_consul_fleet and state.ready(march.side):
        found |= dict.fromkeys((group, NONE) for group in parties(followers, least=0))
    if not found:
        found[followers, state.spaces[march.at].all_of(march.side)] = None
    return tuple((state, *party) for party in found)


def _routes(state: State) -> Iterator[Route]:
    """11.1.b The ports within the points at sea, each by a way with the fewest lanes, as far as one party may sail it;
    enemy CUs before whom it must stop end a way (11.3).
    """
    march = state.marching()
    most = min(march.points, state.tables.sea.points - march.sailed)
    ships = min(len(state.ready(march.side)), state.tables.sea.ships)
    queue: deque[tuple[tuple[Lane, ...], str, tuple[Fleet, ...]]] = deque([((), march.at, _fleets(state))])
    seen, closed = {march.at}, dict[str, Route]()
    while queue:
        lanes, here, fleets = queue.popleft()
        for there in ports_beside(here) if len(lanes) < most else ():
            if there in seen:
                continue
            wrong = [
                why_not_sail(at_port, Sail(there, ships, force.units, force.elephants, force.trains, group))
                for at_port, group, force in fleets
            ]
            along = tuple(fleet for fleet, why in zip(fleets, wrong, strict=True) if why is None)
            way = (*lanes, lane_preview(state, here, there, None if along else wrong[0]))
            route = Route(there, way, bool(along), prod((1 - lane.caught for lane in way), start=Fraction(1)))
            if not along:
                closed.setdefault(there, route)
                continue
            seen.add(there)
            yield route
            if not enemy_outside(state, march.side, there).size:
                onward = tuple((_landed(fleet, here, there), *fleet[1:]) for fleet in along)
                queue.append((way, there, onward))
    yield from (route for there, route in closed.items() if there not in seen)


def _landed(fleet: Fleet, start: str, to: str) -> State:
    """11.1 The position with this party in the next port, nobody having answered."""
    state, companions, force = fleet
    return ashore(embark(state, companions, force), start, to, inside=False)


def lane_preview(state: State, start: str, to: str, wrong: Illegal | None) -> Lane:
    """11.1 One lane of the move; `wrong`: what forbids it to every party."""
    other = enemy(state.marching().side)
    ships = len(state.ready(other))
    tries = interceptors(state, other, to) if ships else ()
    automatic = bool(ships) and is_automatic(state, other, to)
    return Lane(to, wrong, is_stormy(start, to), tries, automatic, caught_chance(tries, automatic))


def interceptors(state: State, side: Side, to: str) -> tuple[Interceptor, ...]:
    """11.6.2 Every general who may try against a fleet bound for this port, with his chance."""
    plus = modifier(state, side)
    found = []
    for space, names in candidates(state, side, to).items():
        for name in names:
            if not can_try(state, side, name, to):
                continue
            found.append(Interceptor(name, space, *chance(rating(state, name), plus)))
    return tuple(found)


def caught_chance(tries: tuple[Interceptor, ...], automatic: bool) -> Fraction:
    """11.6.5 At least one success, the best general of each space trying (11.6.2.b), or the automatic interception."""
    if automatic:
        return Fraction(1)
    best: dict[str, Fraction] = {}
    for each in tries:
        best[each.space] = max(best.get(each.space, Fraction(0)), Fraction(each.good, each.of))
    missed = Fraction(1)
    for odds in best.values():
        missed *= 1 - odds
    return 1 - missed
