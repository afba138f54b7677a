"""6 The generals of each turn, units and ships that arrive, captains for hire."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from strategic.hamilcar.commands import ChooseShips, Elect, Hire, PlaceGeneral, Reform, Reinforce
from strategic.hamilcar.rules.cards import impulse_over, why_not_opening
from strategic.hamilcar.rules.survey import (
    BARCA,
    XANTHIPPUS,
    build,
    capital,
    council_counts,
    improve,
    leave_board,
    own_cities,
    repair,
    whose_ships,
    why_not_ships,
)
from strategic.hamilcar.state import General, Handled, State
from strategic.hamilcar.tables import CHART, ground
from strategic.point_to_point.commands import Proconsul
from strategic.point_to_point.rulebook import auto, box
from strategic.point_to_point.state import Side, Troops
from strategic.point_to_point.survey import (
    generals_at,
    is_met_alone,
    is_shut_in,
    italian,
    may_muster,
    muster,
    on_board,
    side_of_prompt,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, offer, refuse

# -- 6.1.2.a, 6.1.3.a Where Carthage's hired captains come ashore.


def landings(state: State, general: str, units: int = 1) -> tuple[str, ...]:
    """6.1.2.a Xanthippus: an own unbesieged port of Africa. 6.1.3.a Barca: an own port of Sicily, else Carthage.

    `units`: how many CUs come with him.
    """
    coast = [port for port in CHART.ports() if ground(port).region == coast_of(general)]
    found = tuple(port for port in coast if why_not_ashore(state, general, port, units) is None)
    if found or general == XANTHIPPUS:
        return found
    home = capital("carthage")
    return (home,) if why_not_ashore(state, general, home, units) is None else ()


def coast_of(general: str) -> str:
    """6.1.2.a, 6.1.3.a The region in whose ports a hired captain lands."""
    return "africa" if general == XANTHIPPUS else "sicily"


def why_not_ashore(state: State, general: str, to: str, units: int) -> Illegal | None:
    """6.1.2.a, 6.1.3.a Another's port, a besieged city, full walls. siege.7: besieged is a city from its first siege
    point; enemies who only stand before it keep nobody out (reinforcements.general.1).
    """
    rule = "6.1.2.a" if general == XANTHIPPUS else "6.1.3.a"
    if state.spaces[to].control != "carthage":
        return Illegal(rule, "%(general)s cannot land at %(at)s: Carthage does not control it", general=general, at=to)
    if state.spaces[to].besieged():
        return Illegal(rule, "%(general)s cannot land at %(at)s: it is besieged", general=general, at=to)
    if not may_muster(state, "carthage", to, units if ground(to).city else 1):
        return Illegal(
            rule, "%(general)s cannot land at %(at)s: enemies are there, and no walls have room", general=general, at=to
        )
    return None


def why_not_landing(state: State, general: str, to: str) -> Illegal | None:
    """6.1.2.a, 6.1.3.a Why a hired captain with his CU may not land there; None where he may."""
    if to in landings(state, general):
        return None
    rule, home = "6.1.2.a" if general == XANTHIPPUS else "6.1.3.a", capital("carthage")
    at_home = general == BARCA and to == home
    if to not in CHART.ports() or not (at_home or ground(to).region == coast_of(general)):
        if general == XANTHIPPUS:
            return Illegal(rule, "%(general)s lands only in a port of Africa", general=general)
        return Illegal(rule, "%(general)s lands only in a port of Sicily, or at Carthage", general=general)
    return why_not_ashore(state, general, to, 1) or Illegal(
        rule, "%(general)s lands at %(at)s only if no port of Sicily is open to him", general=general, at=to
    )


# -- 6.1.1, 6.4, 6.5 The generals of each turn: Carthage's arrivals, Rome's consuls, naval reforms.


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
        ports = landings(state, BARCA, units=0)
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


def place_choices(state: State) -> Iterator[Offer]:
    """6.1.1.c Each arriving general and his places."""
    prompt = state.agenda[-1]
    for name in prompt.about["generals"]:
        yield from offer("place_general", prompt.rule, general=name, at=posts(state, name))


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


def proconsul_choices(state: State) -> tuple[Offer, ...]:
    """6.4 The candidates."""
    return offer("proconsul", "6.4", general=candidates(state))


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


def elect_choices(state: State) -> tuple[Offer, ...]:
    """26.14 The electable."""
    elected = state.agenda[-1].about["elected"]
    return offer("elect", "26.14", general=[name for name in electable(state) if name not in elected])


def few_to_elect(state: State, dice: Dice) -> Handled:
    """26.14 Nobody is left to be chosen."""
    return _take_office(state.answered(), tuple(state.agenda[-1].about["elected"])), ()


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
        worn, most = state.unready("rome"), state.tables.sea.reform_repairs
        if which := whose_ships(state, "ships_mended", "rome", most, worn):
            return state.then(*which), (told,)
        state, more = repair(state, "rome", worn[:most], "6.5.3.b.4")
    return state, (told, *more)


def ships_mended(state: State, command: ChooseShips, dice: Dice) -> Handled:
    """L2.4, 6.5.3.b.4 Rome says which ships the reform repairs."""
    refuse(why_not_ships(state, command.ships))
    return repair(state.answered(), "rome", command.ships, "6.5.3.b.4")


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


def reform_choices(state: State) -> tuple[Offer, ...]:
    """6.5.3.b The choices."""
    return offer("reform", "6.5.3.b", kind=reforms(state))


# -- 6.1.2, 6.1.3 Hiring Xanthippus and Hamilcar Barca for PCs of the Council, in place of a card.


def price(state: State) -> int:
    """6.1.2 The sword on the turn track."""
    cost: int = state.tables.turns.mercenary_price[state.turn - 1]
    return cost


def may_hire(state: State, general: str) -> bool:
    """6.1.2, 6.1.3 Xanthippus from the start, Barca only after him; the price must lie in the Council."""
    if state.generals[general].status != "mercenary" or len(state.council) < price(state):
        return False
    return general == XANTHIPPUS or state.xanthippus_came > 0


def hire(state: State, command: Hire, dice: Dice) -> Handled:
    """6.1.2, 6.1.3 The PCs leave the Council; this stands for the play of a card and counts 0 in the war budget."""
    side = side_of_prompt(state)
    refuse(why_not_opening(state, side))
    if side != "carthage" or command.general not in (XANTHIPPUS, BARCA):
        raise Illegal("6.1.2", "only Carthage can hire generals, and only Xanthippus and Hamilcar Barca")
    if not may_hire(state, command.general):
        raise Illegal(
            "6.1.3" if command.general == BARCA else "6.1.2", "%(general)s cannot be hired now", general=command.general
        )
    refuse(why_not_landing(state, command.general, command.at))
    cells = set(command.cells)
    if len(cells) != len(command.cells) or len(cells) != price(state) or not cells <= set(state.council):
        raise Illegal(
            "6.1.2",
            "this general costs %(price)s %(price|PC|PCs)s from the Council; "
            "choose %(price|one PC|that many different PCs)s",
            price=price(state),
        )
    state = replace(state.answered(), council=tuple(cell for cell in state.council if cell not in cells))
    state = state.with_general(command.general, General("board", command.at, is_shut_in(state, side, command.at)))
    state = muster(state, side, command.at, Troops(0, 1) if command.general == XANTHIPPUS else Troops(1))
    events: tuple[Event, ...] = (
        event(
            "6.1.2", "hired", general=command.general, space=command.at, cells=[list(cell) for cell in command.cells]
        ),
    )
    if command.general == XANTHIPPUS:
        state = replace(state, forgotten=False, xanthippus_came=state.turn)
        events += (event("6.1.2.a", "tactics_remembered"),)
    return impulse_over(state), events


def captain_offers(state: State) -> Iterator[Offer]:
    """6.1.2, 6.1.3 Who can be hired, where he lands, and which PCs pay."""
    if side_of_prompt(state) != "carthage" or state.opening is not None:
        return
    for general in (XANTHIPPUS, BARCA):
        if may_hire(state, general):
            cells = [[list(cell) for cell in group] for group in combinations(state.council, price(state))]
            yield from offer("hire", "6.1.2", general=general, at=landings(state, general), cells=cells)


# -- 6.1, 6.2 Reinforcements of both sides: units, ships, and what each may be in place of the other.

SHIP, UNIT, COUNCIL, ROME, ANY = "ship", "unit", "council", "roma", "generals"
RULES = {SHIP: "6.1", UNIT: "6.1.a", COUNCIL: "6.1.b", ROME: "6.2", ANY: "6.2.a"}


def carthage_due(state: State, dice: Dice) -> Handled:
    """6.1 A ship, a CU, and as many CUs as the Council gives (6.1.b)."""
    table = state.tables.reinforcement
    left = {SHIP: table.carthage_ships, UNIT: table.carthage_units, COUNCIL: council_counts(state, state.council)[0]}
    return _ask(state.answered(), "carthage", left)


def rome_due(state: State, dice: Dice) -> Handled:
    """6.2, 26.11 A CU for each province of Italy held, at most 6 (or always 5); up to 2 with generals (6.2.a)."""
    table = state.tables.reinforcement
    count = min(italian(state, "rome"), table.rome_most)
    if state.options.fixed_roman_reinforcements:
        count = table.rome_fixed
    free = min(count, table.rome_with_generals)
    return _ask(state.answered(), "rome", {ANY: free, ROME: count - free})


def _ask(state: State, side: Side, left: dict[str, int]) -> Handled:
    left = {line: count for line, count in left.items() if count}
    return state.then(Prompt("reinforce", side, "6.1" if side == "carthage" else "6.2", {"left": left})), ()


def may_be_ship(state: State, side: Side, line: str) -> bool:
    """6.1.b, 6.2.b A unit of the Council or of Rome may be a ready ship instead; never more than ten ships (2.2.7)."""
    return line in (SHIP, COUNCIL, ROME, ANY) and state.berths(side) > 0


def may_be_unit(state: State, side: Side, line: str) -> bool:
    """6.1, 26.10, 26.8 The Carthaginian ship may be a CU when there are 5 ships, or always, or never, by option."""
    if line != SHIP:
        return True
    if state.options.crews_at_sea:
        return False
    enough = len(state.fleet(side)) >= state.tables.sea.carthage_unit_for_ship
    return state.options.carthaginian_militia or enough


def places_for(state: State, side: Side, line: str) -> tuple[str, ...]:
    """6.1.a, 6.1.b, 6.2.a Where the unit may go: with a general, in an unbesieged own city, or only in the capital."""
    if not may_be_unit(state, side, line):
        return ()
    home = capital(side)
    home_open = state.spaces[home].control == side and may_muster(state, side, home)
    if line in (COUNCIL, ROME):
        return (home,) if home_open else ()
    with_generals = {state.generals[name].space for name in on_board(state, side)}
    cities = set(own_cities(state, side)) if side == "carthage" else {home}
    return tuple(
        space
        for space in CHART.spaces
        if space in with_generals | cities
        and may_muster(state, side, space)
        and (space in cities or generals_at(state, side, space))
    )


def why_not_reinforce(state: State, command: Reinforce) -> Illegal | None:
    """6.1, 6.2 The line has something left, and the ship or the place is open."""
    side = side_of_prompt(state)
    if command.line not in state.agenda[-1].about["left"]:
        return Illegal("6.1", "line %(line)s of the reinforcements has nothing left to place", line=command.line)
    rule = RULES[command.line]
    if command.what == "ship":
        if command.at is not None:
            return Illegal(rule, "a ship must be put into the port box, not into a space")
        if not may_be_ship(state, side, command.line):
            return Illegal(rule, "this reinforcement is not a ship, or there are already ten ships")
    elif not may_be_unit(state, side, command.line):
        return Illegal("26.8" if state.options.crews_at_sea else rule, "this reinforcement is a ship, not a CU")
    elif command.at not in places_for(state, side, command.line):
        return Illegal(rule, "a CU of this line of reinforcements may not be put into %(at)s", at=command.at)
    return None


def reinforce(state: State, command: Reinforce, dice: Dice) -> Handled:
    """6.1, 6.2 One ship in port, or one CU on the board."""
    refuse(why_not_reinforce(state, command))
    side, line = side_of_prompt(state), command.line
    left = {name: count - (name == line) for name, count in state.agenda[-1].about["left"].items()}
    state = state.asking(left={name: count for name, count in left.items() if count})
    if command.what == "ship":
        return build(state, side, 1, "6.2.b" if side == "rome" else RULES[line])
    assert command.at is not None
    state = muster(state, side, command.at, Troops(1))
    return state, (event(RULES[line], "reinforced", side=side, space=command.at, units=1),)


def reinforcement_choices(state: State) -> Iterator[Offer]:
    """6.1, 6.2 For each line a ship, or its places."""
    side = side_of_prompt(state)
    for line in state.agenda[-1].about["left"]:
        if may_be_ship(state, side, line):
            yield Offer("reinforce", RULES[line], {"line": line, "what": "ship"})
        yield from offer("reinforce", RULES[line], line=line, what="unit", at=places_for(state, side, line))


def over(state: State, dice: Dice) -> Handled:
    """reinforcements.general.1 What has no place is lost."""
    prompt = state.agenda[-1]
    lost = sum(prompt.about["left"].values())
    told = (event("6.1", "reinforcements_lost", side=prompt.seat, units=lost),) if lost else ()
    return state.answered(), told


BOXES = (
    box("reinforce", "6.1", {Reinforce: reinforce}, reinforcement_choices, leave=over),
    box("place_general", "6.4.a", {PlaceGeneral: place_general}, place_choices),
    box("proconsul", "6.4", {Proconsul: proconsul}, proconsul_choices, leave=nobody_to_name),
    box("elect", "26.14", {Elect: elect}, elect_choices, leave=few_to_elect),
    box("reform", "6.5.3.b", {Reform: reform}, reform_choices),
    auto("carthage_due", "6.1", carthage_due),
    auto("generals_leave", "6.1.1.b", generals_leave),
    auto("rome_due", "6.2", rome_due),
    auto("consuls", "6.4.a", consuls),
)
