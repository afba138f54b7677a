"""Questions about a position that many chapters ask; generals who are displaced; ships built, repaired, lost."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from strategic.hamilcar.state import General, Handled, State
from strategic.hamilcar.tables import CHART, LEADERS, ground
from strategic.point_to_point.state import Side, Troops, enemy
from strategic.point_to_point.survey import controls, is_enemy_ground, train_room
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event

# -- Questions about a position that many chapters ask: who holds what, who stands where, who commands.

ASINA, CAUDEX, FLACCUS = "gnaeus_cornelius_scipio_asina", "appius_claudius_caudex", "quintus_fulvius_flaccus"
XANTHIPPUS, BARCA = "xanthippus", "hamilcar_barca"


def side_of(general: str) -> Side:
    """The side of a general."""
    return LEADERS[general].side


def standing(state: State, general: str) -> tuple[int, ...]:
    """movement.command.2 What decides who commands: consuls before the proconsul, then the battle rating."""
    return int(state.generals[general].rank == "consul"), state.leaders[general].battle


def has_admiral(state: State, names: Iterable[str]) -> bool:
    """6.5.3 Is an admiral among them?"""
    return any(state.leaders[name].admiral for name in names)


def is_enemy_port(state: State, side: Side, space: str) -> bool:
    """H12 A port with an enemy PC, city or tribe."""
    return ground(space).port and is_enemy_ground(state, side, space)


def own_cities(state: State, side: Side) -> tuple[str, ...]:
    """The walled cities that a side holds."""
    return tuple(space for space, place in state.spaces.items() if place.control == side and ground(space).city)


def trains_of(state: State, side: Side) -> tuple[tuple[str, bool], ...]:
    """Where a side has trains: the space, and whether inside its walls."""
    found = []
    for space, place in state.spaces.items():
        if place.outside(side).trains:
            found.append((space, False))
        if place.within(side).trains:
            found.append((space, True))
    return tuple(found)


def capital(side: Side) -> str:
    """22.2.h Rome or Carthage."""
    return next(space for space in CHART.spaces if ground(space).capital == side)


def council_counts(state: State, cells: Iterable[tuple[int, int]]) -> tuple[int, int, bool]:
    """19.5, H.council What the Council gives: CUs (19.5.b), generals (19.5.c), and is it on a war footing (19.5.d)?

    H.council.a, 19.5.example Cells (1,1), (2,2), (2,3): one CU, no general, a point.
    """
    table, filled = state.tables.council, set(cells)
    size = range(1, table.size + 1)
    units = generals = 0
    for index in size:
        row = sum((index, column) in filled for column in size)
        column_count = sum((row_, index) in filled for row_ in size)
        for picture, count in ((table.rows[index - 1], row), (table.columns[index - 1], column_count)):
            units += picture == "cu" and count >= table.line
            generals += picture == "general" and count >= table.line
    return units, generals, len(filled) >= table.war_footing and tuple(table.centre) in filled


def points(state: State, side: Side) -> int:
    """22.1 Scoring provinces, and one each for Lilybaeum (22.1.a), supremacy (22.1.b, 11.2.b) and, for Carthage, the
    Council on a war footing (22.1.c).
    """
    total = sum(controls(state, side, province) for province in state.scoring)
    total += state.spaces[state.tables.victory.point_space].control == side
    total += state.supremacy == side
    return total + (side == "carthage" and council_counts(state, state.council)[2])


# -- Displacement of generals (6.1.1.d, 6.5.1).


def displace(state: State, general: str, rule: str) -> Handled:
    """6.1.1.d Take a general off the board: to the reserve (6.1.3.c) or the pool; Xanthippus leaves (6.1.2.b).

    6.5.1 A Roman Aristocrat costs PCs equal to his battle rating.
    """
    leader, record = state.leaders[general], state.generals[general]
    state = leave_board(state, general)
    told = event(rule, "displaced", general=general, space=record.space, out=state.generals[general].status == "out")
    if leader.aristocrat and leader.side == "rome":
        about = {"left": leader.battle, "why": general}
        state = state.then(Prompt("remove", "rome", "6.5.1", about))
    return state, (told,)


def leave_board(state: State, general: str) -> State:
    """6.4.c A general leaves the board; Caudex leaves the game, and Asina joins the draw (4.1.b).

    6.4.d Flaccus leaves for good however it happens (option flaccus_leaves).
    """
    if state.march is not None and general in state.march.companions:
        march = state.march
        companions = tuple(name for name in march.companions if name != general)
        state = replace(state, march=replace(march, companions=companions))
    flaccus = general == FLACCUS and state.options.flaccus_leaves
    if general in (XANTHIPPUS, CAUDEX) or flaccus:
        state = state.with_general(general, General("out"))
    else:
        state = state.with_general(general, General("pool"))
    if general == CAUDEX and state.generals[ASINA].status == "out":
        state = state.with_general(ASINA, General("pool"))
    return state


def take_trains(state: State, loser: Side, space: str) -> Handled:
    """8.2.1.capture Trains left outside the walls go to the enemy who holds the field.

    Ruling: a garrison without CUs before its walls brings in what fits there (8.2.1.limit) and burns the rest.
    """
    left = state.spaces[space].outside(loser)
    winner = enemy(loser)
    if not left.trains:
        return state, ()
    state = state.set_outside(space, loser, replace(left, trains=0))
    told = event("8.2.1.capture", "trains_captured", side=winner, space=space, trains=left.trains)
    place = state.spaces[space]
    if place.outside(winner).size or not place.within(winner).size:
        return state.add(space, winner, left.only_trains()), (told,)
    fit = max(min(left.trains, train_room(state, space)), 0)
    state = state.add(space, winner, Troops(0, 0, fit), inside=True)
    if fit == left.trains:
        return state, (told,)
    burnt = event("8.2.1.burn", "trains_destroyed", side=winner, space=space, trains=left.trains - fit)
    return state, (told, burnt)


def leave_trains(state: State, side: Side, names: tuple[str, ...], space: str, how: str) -> Handled:
    """8.2.1.capture An army that retreats leaves its trains; one that slips away or withdraws takes them along."""
    return take_trains(state, side, space) if how == "retreat" else (state, ())


# -- 2.2.7 Ships: building, repair, losses, naval stores (26.7), and what losses do to seamanship (11.8.3).


def build(state: State, side: Side, count: int, rule: str) -> Handled:
    """2.2.7 Put up to so many ready ships in port, never more than ten a side."""
    count = min(count, state.berths(side))
    before = {ship.name for ship in state.fleet(side)}
    for _ in range(count):
        state = state.built(side)
    names = [ship.name for ship in state.fleet(side) if ship.name not in before]
    return state, (event(rule, "ships_built", side=side, ships=names),) if names else ()


def why_not_repair(state: State, side: Side, name: str) -> Illegal | None:
    """2.2.7.c Only an unready ship of one's own side is repaired."""
    if name not in state.unready(side):
        return Illegal("2.2.7.c", "%(name)s is not a ship of %(side)s that needs repair", name=name, side=side)
    return None


def repair(state: State, side: Side, names: tuple[str, ...], rule: str) -> Handled:
    """2.2.7.c Unready ships become ready; their hull damage is cleared (L2.4)."""
    return state.made_ready(side, names), (event(rule, "ships_repaired", side=side, ships=list(names)),)


def whose_ships(state: State, kind: str, side: Side, count: int, of: Iterable[str], **about: Any) -> tuple[Prompt, ...]:
    """L2.4 The question which so many of these ships it is, the soundest first; none where it makes no difference."""
    ships = sorted((ship for ship in state.fleet(side) if ship.name in set(of)), key=lambda ship: ship.damage)
    if not 0 < count < len(ships) or ships[0].damage == ships[-1].damage:
        return ()
    return (Prompt(kind, side, "L2.4", {"count": count, "of": [ship.name for ship in ships], **about}),)


def why_not_ships(state: State, names: tuple[str, ...]) -> Illegal | None:
    """L2.4 So many different ships of those that are asked about."""
    count, of = state.agenda[-1].about["count"], state.agenda[-1].about["of"]
    if len(names) != count or len(set(names)) != count or not set(names) <= set(of):
        return Illegal("L2.4", "name %(count)s of these ships: %(ships)s", count=count, ships=tuple(of))
    return None


def ships_offers(state: State) -> tuple[Offer, ...]:
    """L2.4 Every choice: first the soundest ships, or of those that are lost the worst; a prize is named first."""
    about = state.agenda[-1].about
    of = about["of"][::-1] if about.get("lost") else about["of"]
    chosen = [list(group) for group in combinations(of, about["count"])]
    if about.get("prize"):
        chosen = [[name, *(one for one in group if one != name)] for group in chosen for name in group]
    return (Offer("choose_ships", "L2.4", {"ships": chosen}),)


def lose(state: State, side: Side, names: tuple[str, ...], rule: str, how: str) -> Handled:
    """11.8.3.b Ships leave the map; Roman ones are counted for the turn."""
    if not names:
        return state, ()
    state = state.without_ships(side, names)
    events: tuple[Event, ...] = (event(rule, "ships_lost", side=side, ships=list(names), how=how),)
    if side == "rome":
        state, more = count_losses(state, len(names))
        events += more
    return state, events


def count_losses(state: State, count: int) -> Handled:
    """11.8.3.b Five Roman ships off the map in a turn: seamanship falls one level, at most once a turn (H.fallen).

    11.8.3.example Three lost in battle and two in a storm are five.
    """
    state = replace(state, lost_ships=state.lost_ships + count)
    if state.lost_ships < state.tables.sea.fall or state.seamanship_fell:
        return state, ()
    level = max(state.seamanship - 1, 0)
    state = replace(state, seamanship=level, seamanship_fell=True)
    return state, (event("11.8.3.b", "seamanship", level=state.tables.sea.levels[level], lost=state.lost_ships),)


def improve(state: State, rule: str) -> Handled:
    """11.8.3.a Roman seamanship rises one level."""
    level = min(state.seamanship + 1, len(state.tables.sea.levels) - 1)
    state = replace(state, seamanship=level)
    return state, (event(rule, "seamanship", level=state.tables.sea.levels[level]),)


def is_unskilled(state: State) -> bool:
    """11.7.engage.d Is Roman seamanship poor or fair?"""
    return state.seamanship <= 1


def home(state: State, side: Side, names: tuple[str, ...]) -> Handled:
    """2.2.7.a, 26.7 Ships come back to the port box; with naval stores all who took part unready (26.7.example)."""
    state = state.put_into_port(side, names)
    if not state.options.naval_stores or not names:
        return state, ()
    left = tuple(name for name in names if state.ship(side, name) is not None)
    return state.made_unready(side, left), (event("26.7", "ships_unready", side=side, ships=list(left)),)
