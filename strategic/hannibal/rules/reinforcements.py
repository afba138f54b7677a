"""Reinforcements, proconsul and consuls, and generals who are displaced and return."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from strategic.hannibal.commands import Land, PlaceConsul, Reinforce, ReturnGeneral
from strategic.hannibal.rules.survey import keeps_to, region_of, side_of
from strategic.hannibal.state import General, Handled, State
from strategic.hannibal.tables import CHART, LEADERS, TABLES, Reinforcement, ground
from strategic.point_to_point.commands import Pass, Proconsul
from strategic.point_to_point.rulebook import always, auto, box
from strategic.point_to_point.state import Side, Troops
from strategic.point_to_point.survey import controls, enemy_units, generals_at, holding, may_muster, muster
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, offer, refuse

# -- Displacement of generals, and the siege train that may go with them.


def displace(state: State, general: str, rule: str) -> Handled:
    """movement.land.5 Take a general off the board. losses.9: Hannibal and Africanus die; Hannibal costs 5 PCs."""
    leader, record = LEADERS[general], state.generals[general]
    home = "pool" if leader.side == "rome" else "displaced"
    gone = replace(record, status="dead" if leader.dies else home, space=None, inside=False)
    events: tuple[Event, ...] = (event(rule, "displaced", general=general, space=record.space, dead=leader.dies),)
    state = state.with_general(general, gone)
    if state.lasting.siege_train == general:
        state, more = lose_train(state)
        events += more
    if leader.displaced_pcs:
        about = {"left": leader.displaced_pcs, "why": general}
        state = state.then(Prompt("remove", leader.side, "losses.9", about))
    return state, events


def lose_train(state: State) -> Handled:
    """strategy.event.1 Card 30: the siege train is lost where it cannot go, in a retreat, or alone."""
    general = state.lasting.siege_train
    if general is None:
        return state, ()
    return state.now(siege_train=None), (event("strategy.event.1", "siege_train_lost", card=30, general=general),)


def train_among(state: State, names: tuple[str, ...]) -> bool:
    """strategy.event.1 Is the siege train with one of these generals?"""
    return (
        state.lasting.siege_train is not None
        and side_of(state.lasting.siege_train) == "carthage"
        and (state.lasting.siege_train in names)
    )


def leave_train(state: State, side: Side, names: tuple[str, ...], space: str, how: str) -> Handled:
    """strategy.event.1 The siege train is lost in a retreat; edition.4 it survives avoiding battle and withdrawal."""
    if not train_among(state, names) or (how != "retreat" and state.options.siege_train_survives):
        return state, ()
    return lose_train(state)


# -- The proconsul and the yearly consuls.


def romans(state: State, status: str) -> tuple[str, ...]:
    """reinforcements.4a Roman generals of a status."""
    return tuple(
        name for name, general in state.generals.items() if LEADERS[name].side == "rome" and general.status == status
    )


def candidates(state: State) -> tuple[str, ...]:
    """reinforcements.3 Generals on the board who may become (or stay) proconsul; Africanus is one for good."""
    return tuple(name for name in romans(state, "board") if not LEADERS[name].arrives)


def proconsul(state: State, command: Proconsul, dice: Dice) -> Handled:
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


def no_proconsul(state: State, command: Pass, dice: Dice) -> Handled:
    """reinforcements.3 It need not name one."""
    state = state.answered()
    for name in candidates(state):
        state = state.with_general(name, replace(state.generals[name], rank="consul"))
    return state, (event("reinforcements.3", "no_proconsul"),)


def proconsul_choices(state: State) -> Iterator[Offer]:
    """reinforcements.3 The candidates, or nobody, where there is anybody to name."""
    if candidates(state):
        yield from offer("proconsul", "reinforcements.3", general=candidates(state))
        yield Offer("pass", "reinforcements.3")


def draw_consuls(state: State, dice: Dice) -> Handled:
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
    open_ones = [space for space in full if not (holding(state, "rome", space) and state.spaces[space].besieged())]
    if open_ones or full:
        return tuple(open_ones or full)
    most = max(sizes.values(), default=0)
    least = 1 if LEADERS[general].keeps_to else most
    return tuple(space for space, size in sizes.items() if size >= least) if most else ("rome",)


def place_consul(state: State, command: PlaceConsul, dice: Dice) -> Handled:
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


def place_choices(state: State) -> Iterator[Offer]:
    """reinforcements.4c Each consul and his posts."""
    for name in state.agenda[-1].about["consuls"]:
        yield from offer("place_consul", "reinforcements.4c", general=name, at=posts(state, name))


# -- Reinforcements of both sides, and the return of displaced generals.

LINES: dict[str, Reinforcement] = {line.id: line for line in TABLES.reinforcement}
AFRICANUS = "scipio_africanus"


def reinforcements(state: State, dice: Dice) -> Handled:
    """sequence.1 Carthage, then Rome, then the proconsul and the consuls. The first turn has no such phase."""
    state = replace(state, phase="deal")
    if state.turn <= 1:
        return state, ()
    return state.then(
        Prompt("reinforce", "carthage", "reinforcements.1", {"left": dict(due(state, "carthage"))}),
        Prompt("return", "carthage", "reinforcements.1e"),
        Prompt("reinforce", "rome", "reinforcements.2", {"left": dict(due(state, "rome"))}),
        Prompt("land", "rome", "reinforcements.2c"),
        Prompt("proconsul", "rome", "reinforcements.3"),
        Prompt("consuls", "", "reinforcements.4"),
    ), (event("sequence.1", "reinforcements", turn=state.turn),)


def due(state: State, side: Side) -> dict[str, int]:
    """reinforcements.1 The CUs of each line whose condition is met."""
    return {
        line.id: line.units
        for line in LINES.values()
        if line.side == side
        and (not line.holds or holding(state, side, line.holds))
        and (not line.controls or controls(state, side, line.controls))
    }


def may_receive(state: State, line: Reinforcement, space: str) -> bool:
    """reinforcements.1a … 2b Its cities, or a general where the line allows; never inside a besieged city."""
    if not may_muster(state, line.side, space):
        return False
    if space in line.spaces and holding(state, line.side, space):
        return True
    in_reach = not line.regions or region_of(space) in line.regions
    return in_reach and bool(generals_at(state, line.side, space))


def can_make_five(state: State, left: dict[str, int]) -> bool:
    """reinforcements.2 Is there a Roman army of 5 CUs, or can the CUs still to come make one somewhere?"""
    least, sizes = TABLES.movement.consular, {space: place.all_of("rome").size for space, place in state.spaces.items()}
    return max(sizes.values()) >= least or any(
        size + sum(n for line, n in left.items() if may_receive(state, LINES[line], space)) >= least
        for space, size in sizes.items()
    )


def _after(left: dict[str, int], line: str) -> dict[str, int]:
    return {name: count - (name == line) for name, count in left.items() if count > (name == line)}


def why_not_reinforce(state: State, line: str, space: str) -> Illegal | None:
    """reinforcements.1 The line has a CU left, the space is one of its own, and Rome can still reach an army of 5."""
    left: dict[str, int] = state.agenda[-1].about["left"]
    if line not in left:
        return Illegal("reinforcements.1", "line %(line)s of the reinforcements has no CU left to place", line=line)
    found = LINES[line]
    if space not in CHART.spaces or not may_receive(state, found, space):
        return Illegal(
            found.cite,
            "no CU from line %(line)s of the reinforcements may be put into %(space)s",
            line=line,
            space=space,
        )
    if found.side == "rome" and can_make_five(state, left):
        after = muster(state, "rome", space, Troops(1))
        if not can_make_five(after, _after(left, line)):
            return Illegal("reinforcements.2", "Rome must build an army of 5 CUs, since none stands on the board")
    return None


def reinforce(state: State, command: Reinforce, dice: Dice) -> Handled:
    """reinforcements.1 Put one CU of a line on the board."""
    refuse(why_not_reinforce(state, command.line, command.at))
    line = LINES[command.line]
    state = muster(state, line.side, command.at, Troops(1))
    told = event(line.cite, "reinforced", side=line.side, space=command.at, units=1, line=line.id)
    return state.asking(left=_after(state.agenda[-1].about["left"], command.line)), (told,)


def reinforce_over(state: State, dice: Dice) -> Handled:
    """reinforcements.general.1 CUs without a legal place are lost."""
    left = state.agenda[-1].about["left"]
    lost = sum(left.values())
    side = state.agenda[-1].seat
    told = (event("reinforcements.general.1", "reinforcements_lost", side=side, units=lost),) if lost else ()
    return state.answered(), told


def reinforce_open(state: State) -> bool:
    """reinforcements.1 Is there a CU left that has a place?"""
    lines = [LINES[line] for line in state.agenda[-1].about["left"]]
    return any(may_receive(state, line, space) for line in lines for space in CHART.spaces)


def reinforce_choices(state: State) -> Iterator[Offer]:
    """reinforcements.1 For each line its legal spaces."""
    for line in state.agenda[-1].about["left"]:
        spaces = [space for space in CHART.spaces if why_not_reinforce(state, line, space) is None]
        yield from offer("reinforce", LINES[line].cite, line=line, at=spaces)


def who_may_return(state: State) -> tuple[str, ...]:
    """reinforcements.1e The Carthaginian generals who may come back."""
    return tuple(
        name
        for name, general in state.generals.items()
        if LEADERS[name].side == "carthage" and general.status == "displaced"
    )


def may_return(state: State, general: str, space: str) -> bool:
    """reinforcements.1e An unbesieged space with a friendly CU; Hanno only in Africa."""
    place = state.spaces[space]
    limit = LEADERS[general].keeps_to
    besieged = place.control == "carthage" and place.besieged()
    return place.all_of("carthage").size > 0 and not besieged and (not limit or region_of(space) == limit)


def homes(state: State, general: str) -> tuple[str, ...]:
    """reinforcements.1e Where a displaced general may come back."""
    return tuple(space for space in state.spaces if may_return(state, general, space))


def return_general(state: State, command: ReturnGeneral, dice: Dice) -> Handled:
    """reinforcements.1e A displaced Carthaginian comes back."""
    if command.general not in who_may_return(state):
        raise Illegal(
            "reinforcements.1e", "%(general)s is not a displaced Carthaginian general", general=command.general
        )
    if command.at not in homes(state, command.general):
        raise Illegal(
            "reinforcements.1e", "the general may return only to a space that is not besieged and holds a friendly CU"
        )
    place = state.spaces[command.at]
    inside = not place.carthage.size
    general = replace(state.generals[command.general], status="board", space=command.at, inside=inside)
    return state.with_general(command.general, general), (
        event("reinforcements.1e", "general_returned", general=command.general, space=command.at),
    )


def return_choices(state: State) -> Iterator[Offer]:
    """reinforcements.1e For each displaced general his spaces."""
    for general in who_may_return(state):
        yield from offer("return_general", "reinforcements.1e", general=general, at=homes(state, general))


def landings(state: State) -> tuple[str, ...]:
    """reinforcements.2c Where Scipio Africanus may arrive now.

    reinforcements.2c.1 Italy or an Iberian port, friendly, without enemy CUs. reinforcements.2c.2: outside walls.
    """
    if state.generals[AFRICANUS].status != "waiting" or state.turn < LEADERS[AFRICANUS].arrives:
        return ()
    return tuple(
        space
        for space in state.spaces
        if (region_of(space) == "italia" or (region_of(space) == "iberia" and ground(space).port))
        and holding(state, "rome", space)
        and not enemy_units(state, "rome", space)
    )


def land(state: State, command: Land, dice: Dice) -> Handled:
    """reinforcements.2c Scipio Africanus arrives, a second proconsul, with 5 CUs."""
    if command.at not in landings(state):
        raise Illegal(
            "reinforcements.2c.1",
            "Scipio Africanus must arrive in a friendly space without enemy CUs, in Italy or in an Iberian port",
        )
    troops = LEADERS[AFRICANUS].arrives_with
    general = replace(state.generals[AFRICANUS], status="board", space=command.at, inside=False, rank="proconsul")
    state = state.answered().with_general(AFRICANUS, general).add(command.at, "rome", Troops(troops))
    return state, (event("reinforcements.2c", "africanus_arrived", space=command.at, units=troops),)


def land_choices(state: State) -> tuple[Offer, ...]:
    """reinforcements.2c His landing spaces."""
    return offer("land", "reinforcements.2c", at=landings(state))


BOXES = (
    box("reinforce", "reinforcements.1", {Reinforce: reinforce}, reinforce_choices, reinforce_open, reinforce_over),
    box("return", "reinforcements.1e", {ReturnGeneral: return_general}, return_choices),
    box("land", "reinforcements.2c", {Land: land}, land_choices),
    box("proconsul", "reinforcements.3", {Proconsul: proconsul, Pass: no_proconsul}, proconsul_choices),
    auto("consuls", "reinforcements.4", draw_consuls),
    box("place_consul", "reinforcements.4c", {PlaceConsul: place_consul}, place_choices, always),
)
