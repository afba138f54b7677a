"""6.1.1, 6.4, 6.5 The generals of each turn: Carthage's arrivals, Rome's consuls, naval reforms."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import Elect, PlaceGeneral, Reform
from strategic.hamilcar.rules.displacement import leave_board
from strategic.hamilcar.rules.landings import landings
from strategic.hamilcar.rules.ships import build, improve, repair
from strategic.hamilcar.rules.survey import (
    BARCA,
    XANTHIPPUS,
    council_counts,
)
from strategic.hamilcar.rules.troops import General
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import ground
from strategic.point_to_point.commands import Proconsul
from strategic.point_to_point.displacement import is_met_alone
from strategic.point_to_point.survey import on_board
from strategic.point_to_point.tables import Side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event


def generals_leave(state: State, dice: Dice) -> Handled:
    """6.1.1.b After the reinforcements all but Xanthippus and Barca go to the reserve (6.1.1.e); then the new arrive.

    6.1.1 One from the turn track and one drawn (two drawn where the track names nobody), and up to two more drawn
    by the Council (19.5.c).
    """
    state = state.answered()
    leaving = tuple(name for name in on_board(state, "carthage") if name not in (XANTHIPPUS, BARCA))
    for name in leaving:
        state = leave_board(state, name)
    track = tuple(
        name
        for name, general in state.generals.items()
        if general.status == "track" and (state.leaders[name].arrives == state.turn or name == BARCA)
    )
    reserve = tuple(
        name
        for name, general in state.generals.items()
        if general.status == "pool" and state.leaders[name].side == "carthage"
    )
    extra = council_counts(state, state.council)[1]
    count = min(state.tables.reinforcement.generals + extra, state.tables.reinforcement.most_generals) - len(track)
    drawn = dice.shuffled(reserve)[:count]
    told = event("6.1.1", "generals_arrived", track=list(track), drawn=list(drawn), reveals=True)
    arriving = [*track, *drawn]
    return state.then(Prompt("place_general", "carthage", "6.1.1.c", {"generals": arriving})), (
        event("6.1.1.b", "generals_left", generals=list(leaving)),
        told,
    )


def posts(state: State, general: str) -> tuple[str, ...]:
    """6.1.1.c With Carthaginian CUs or in a city that Carthage controls, not besieged unless nothing else is left.

    6.1.3.a Hamilcar Barca goes where he would land if he were hired, but not alone to a Roman alone if he can choose.
    6.4.a A consul goes where at least 3 Roman CUs stand (18.1), not into besieged Rome unless nothing else is left.
    """
    side = state.leaders[general].side
    if general == BARCA:
        ports = landings(state, BARCA)
        free_ports = [port for port in ports if _stack(state, port, side) or not is_met_alone(state, side, port)]
        return tuple(free_ports) or ports
    if side == "carthage":
        found = [
            space
            for space, place in state.spaces.items()
            if place.all_of(side).size or (place.control == side and ground(space).city)
        ]
    else:
        sizes = {space: _stack(state, space, "rome") for space in state.spaces}
        found = [space for space, size in sizes.items() if size >= state.tables.movement.consular]
        most = max(sizes.values())
        found = found or [space for space, size in sizes.items() if size == most and most] or ["roma"]
    free = [space for space in found if not (state.spaces[space].control == side and state.spaces[space].besieged())]
    return tuple(free or found)


def _stack(state: State, space: str, side: Side) -> int:
    place = state.spaces[space]
    return max(place.outside(side).size, place.within(side).size)


def place_general(state: State, command: PlaceGeneral, dice: Dice) -> Handled:
    """6.1.1.c, 6.4.a A general takes up his place, outside the walls if CUs of his stand there, else inside."""
    prompt = state.agenda[-1]
    waiting: list[str] = prompt.about["generals"]
    if command.general not in waiting:
        raise Illegal(prompt.rule, "%(general)s cannot arrive now", general=command.general)
    if command.at not in posts(state, command.general):
        raise Illegal(prompt.rule, "%(general)s cannot be put into %(at)s", general=command.general, at=command.at)
    side = state.leaders[command.general].side
    left = [name for name in waiting if name != command.general]
    state = state.asking(generals=left) if left else state.answered()
    place = state.spaces[command.at]
    inside = place.within(side).size > place.outside(side).size or (
        not place.outside(side).size and ground(command.at).city and place.control == side
    )
    rank = state.generals[command.general].rank
    state = state.with_general(command.general, General("board", command.at, inside, rank))
    told = event(prompt.rule, "general_placed", general=command.general, space=command.at)
    return state, (told,)


def place_offers(state: State) -> tuple[Offer, ...]:
    """6.1.1.c Each arriving general and his places."""
    prompt = state.agenda[-1]
    return tuple(
        Offer("place_general", prompt.rule, {"general": name, "at": list(posts(state, name))})
        for name in prompt.about["generals"]
        if posts(state, name)
    )


def candidates(state: State) -> tuple[str, ...]:
    """6.4 Last turn's consuls who are still on the board."""
    return tuple(name for name in on_board(state, "rome") if state.generals[name].rank == "consul")


def proconsul(state: State, command: Proconsul, dice: Dice) -> Handled:
    """6.4 Rome must name one of last turn's consuls proconsul."""
    if command.general not in candidates(state):
        raise Illegal("6.4", "%(general)s is not one of last turn's consuls on the board", general=command.general)
    general = replace(state.generals[command.general], rank="proconsul")
    state = state.answered().with_general(command.general, general)
    for name in on_board(state, "rome"):
        if name != command.general:
            state = leave_board(state, name)
    return state, (event("6.4", "proconsul", general=command.general),)


def proconsul_offers(state: State) -> tuple[Offer, ...]:
    """6.4 The candidates."""
    names = candidates(state)
    return (Offer("proconsul", "6.4", {"general": list(names)}),) if names else ()


def nobody_to_name(state: State, dice: Dice) -> Handled:
    """6.4 With no consul left on the board there is no proconsul; the others leave."""
    state = state.answered()
    for name in on_board(state, "rome"):
        state = leave_board(state, name)
    return state, ()


def electable(state: State) -> tuple[str, ...]:
    """6.4.a Who can be consul: the pool, without last turn's consuls."""
    return tuple(
        name
        for name, general in state.generals.items()
        if general.status == "pool" and state.leaders[name].side == "rome" and name not in state.consuls
    )


def consuls(state: State, dice: Dice) -> Handled:
    """6.4.a, 26.14 Two new consuls are drawn; with elections one of them, or both, are chosen instead."""
    state = state.answered()
    chosen = state.options.elected_consuls
    drawn = dice.shuffled(electable(state))[: 2 - chosen] if chosen < 2 else ()
    told = event("6.4.a", "consuls_drawn", generals=list(drawn), reveals=True)
    if chosen:
        return state.then(Prompt("elect", "rome", "26.14", {"elected": list(drawn)})), (told,)
    return _take_office(state, drawn), (told,)


def elect(state: State, command: Elect, dice: Dice) -> Handled:
    """26.14 Rome chooses a consul."""
    elected: list[str] = state.agenda[-1].about["elected"]
    if command.general not in electable(state) or command.general in elected:
        raise Illegal("26.14", "%(general)s cannot be elected", general=command.general)
    elected = [*elected, command.general]
    told = event("26.14", "elected", general=command.general)
    if len(elected) < 2:
        return state.asking(elected=elected), (told,)
    return _take_office(state.answered(), tuple(elected)), (told,)


def elect_offers(state: State) -> tuple[Offer, ...]:
    """26.14 The electable."""
    elected = state.agenda[-1].about["elected"]
    names = [name for name in electable(state) if name not in elected]
    return (Offer("elect", "26.14", {"general": names}),) if names else ()


def few_to_elect(state: State, dice: Dice) -> Handled:
    """26.14 Nobody is left to be chosen."""
    elected = state.agenda[-1].about["elected"]
    return _take_office(state.answered(), tuple(elected)), ()


def _take_office(state: State, names: tuple[str, ...]) -> State:
    for name in names:
        state = state.with_general(name, General("pool", rank="consul"))
    state = replace(state, consuls=names)
    reforms = tuple(
        Prompt("reform", "rome", "6.5.3.b", {"general": name}) for name in names if state.leaders[name].admiral
    )
    return state.then(Prompt("place_general", "rome", "6.4.a", {"generals": list(names)}), *reforms)


def reform(state: State, command: Reform, dice: Dice) -> Handled:
    """6.5.3.b, 6.4.b A new consul who is an admiral: seamanship, the corvus, a ship, up to 3 repairs, or nothing."""
    if command.kind not in reforms(state):
        raise Illegal("6.5.3.b", "this reform would change nothing")
    told = event("6.5.3.b", "reform", general=state.agenda[-1].about["general"], kind=command.kind)
    state = state.answered()
    more: tuple[Event, ...] = ()
    if command.kind == "seamanship":
        state, more = improve(state, "6.5.3.b.1")
    elif command.kind == "corvus":
        state = replace(state, corvus=not state.corvus)
        more = (event("6.5.3.b.2", "corvus", fitted=state.corvus),)
    elif command.kind == "ship":
        state, more = build(state, "rome", 1, "6.5.3.b.3")
    elif command.kind == "repair":
        state, more = repair(state, "rome", state.unready("rome")[: state.tables.sea.reform_repairs], "6.5.3.b.4")
    return state, (told, *more)


def reforms(state: State) -> tuple[str, ...]:
    """6.5.3.b The reforms that would change something, or none."""
    found = []
    if state.seamanship < len(state.tables.sea.levels) - 1:
        found.append("seamanship")
    found.append("corvus")
    if state.berths("rome"):
        found.append("ship")
    if state.unready("rome"):
        found.append("repair")
    return (*found, "none")


def reform_offers(state: State) -> tuple[Offer, ...]:
    """6.5.3.b The choices."""
    return (Offer("reform", "6.5.3.b", {"kind": list(reforms(state))}),)
