"""The proconsul and the yearly consuls."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.commands import PlaceConsul
from strategic.hannibal.rules.survey import keeps_to
from strategic.hannibal.state import General, State
from strategic.hannibal.tables import LEADERS, TABLES
from strategic.point_to_point.commands import Pass, Proconsul
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event


def romans(state: State, status: str) -> tuple[str, ...]:
    """reinforcements.4a Roman generals of a status."""
    return tuple(
        name for name, general in state.generals.items() if LEADERS[name].side == "rome" and general.status == status
    )


def candidates(state: State) -> tuple[str, ...]:
    """reinforcements.3 Generals on the board who may become (or stay) proconsul; Africanus is one for good."""
    return tuple(name for name in romans(state, "board") if not LEADERS[name].arrives)


def proconsul(state: State, command: Proconsul, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """reinforcements.3 Rome names a proconsul; the one of last year, if another, is relieved."""
    if command.general not in candidates(state):
        raise Illegal(
            "reinforcements.3",
            "%(general)s is not a Roman general on the board who may be named proconsul",
            general=command.general,
        )
    state = state.answered()
    for name in candidates(state):
        rank = "proconsul" if name == command.general else "consul"
        state = state.with_general(name, replace(state.generals[name], rank=rank))
    return state, (event("reinforcements.3", "proconsul", general=command.general),)


def no_proconsul(state: State, command: Pass, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """reinforcements.3 It need not name one."""
    state = state.answered()
    for name in candidates(state):
        state = state.with_general(name, replace(state.generals[name], rank="consul"))
    return state, (event("reinforcements.3", "no_proconsul"),)


def proconsul_offers(state: State) -> tuple[Offer, ...]:
    """reinforcements.3 The candidates, or nobody."""
    return (
        Offer("proconsul", "reinforcements.3", {"general": list(candidates(state))}),
        Offer("pass", "reinforcements.3"),
    )


def draw_consuls(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """reinforcements.4 Old generals leave (4a); two are drawn blind, last turn's consuls set aside (4b)."""
    state = state.answered()
    leaving = tuple(name for name in romans(state, "board") if state.generals[name].rank != "proconsul")
    for name in leaving:
        state = state.with_general(name, General("pool", rank="consul"))
    pool = [name for name in romans(state, "pool") if name not in state.consuls]
    drawn = dice.shuffled(tuple(pool))[:2]
    for name in drawn:
        state = state.with_general(name, General("pool", rank="consul"))
    state = replace(state, consuls=drawn)
    prompt = Prompt("place_consul", "rome", "reinforcements.4c", {"consuls": list(drawn)})
    return state.then(prompt), (
        event("reinforcements.4a", "generals_left", generals=list(leaving)),
        event("reinforcements.4b", "consuls_drawn", generals=list(drawn), reveals=True),
    )


def posts(state: State, general: str) -> tuple[str, ...]:
    """reinforcements.4c Spaces with 5 Roman CUs. reinforcements.4c.1: besieged Rome only if there is no other.

    Ruling: if no space has 5 CUs, the largest Roman stacks will do, any of Italy's for Fabius, who does not leave it,
    and without any CU the city of Rome.
    """
    sizes = {space: place.all_of("rome").size for space, place in state.spaces.items() if keeps_to(general, space)}
    full = [space for space, size in sizes.items() if size >= TABLES.movement.consular]
    open_ones = [space for space in full if not _is_besieged(state, space)]
    if open_ones or full:
        return tuple(open_ones or full)
    most = max(sizes.values(), default=0)
    least = 1 if LEADERS[general].keeps_to else most
    return tuple(space for space, size in sizes.items() if size >= least) if most else ("rome",)


def _is_besieged(state: State, space: str) -> bool:
    place = state.spaces[space]
    return place.control == "rome" and place.besieged()


def place_consul(state: State, command: PlaceConsul, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """reinforcements.4c A consul takes up his army."""
    waiting: list[str] = state.agenda[-1].about["consuls"]
    if command.general not in waiting:
        raise Illegal(
            "reinforcements.4c", "%(general)s is not one of the consuls who must be placed", general=command.general
        )
    if command.at not in posts(state, command.general):
        raise Illegal(
            "reinforcements.4c", "a consul must be placed with at least 5 Roman CUs, and not in besieged Rome"
        )
    left = [name for name in waiting if name != command.general]
    state = state.asking(consuls=left) if left else state.answered()
    place = state.spaces[command.at]
    inside = not place.rome.size and place.within("rome").size + place.carthage.size > 0
    consul = General("board", command.at, inside, "consul")
    told = event("reinforcements.4c", "consul_placed", general=command.general, space=command.at)
    return state.with_general(command.general, consul), (told,)


def place_offers(state: State) -> tuple[Offer, ...]:
    """reinforcements.4c Each consul and his posts."""
    waiting: list[str] = state.agenda[-1].about["consuls"]
    return tuple(
        Offer("place_consul", "reinforcements.4c", {"general": name, "at": list(posts(state, name))})
        for name in waiting
    )
