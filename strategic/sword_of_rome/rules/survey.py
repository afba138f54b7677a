"""Questions about a position that many chapters ask, and which affairs are a player's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from strategic.sword_of_rome.commands import BY_HAND, ByHand, SetModifier, TakeCard
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.tables import (
    CARTHAGE,
    INDEPENDENT,
    LEADERS,
    PLAYED,
    POWERS,
    SEATS,
    TABLES,
    is_city,
    tie_rank,
)

# -- Questions about a position that many chapters ask: who is whose friend, who stands where, who decides.


def pair(one: str, other: str) -> tuple[str, str]:
    """15 Two powers in tie order."""
    return (one, other) if tie_rank(one) < tie_rank(other) else (other, one)


def with_pairs_in_order(state: State) -> State:
    """15 The position with its alliances in tie order, in whatever order people have written them."""
    known = all(power in POWERS for each in state.alliances for power in each)
    return replace(state, alliances=tuple(pair(*each) for each in state.alliances)) if known else state


def are_allied(state: State, one: str, other: str) -> bool:
    """15.2 Are the two powers allied? Ruling: those for which one player decides are, for he does not fight himself."""
    if one == other or INDEPENDENT in (one, other):
        return one == other
    if master(state, one) is not None and master(state, one) == master(state, other):
        return True
    return pair(one, other) in state.alliances


def master(state: State, power: str) -> str | None:
    """16 The seat that plays the power or runs it, whether it is still in the game or not."""
    return PLAYED.get(power) or state.runners.get(power)


def enemies(state: State, one: str, other: str) -> bool:
    """Glossary: who is not a friend is an enemy; the independents are everybody's."""
    return one != other and not are_allied(state, one, other)


def are_apart(state: State, one: str, other: str) -> bool:
    """15.3 Are these two powers, friends or not, for which no one player decides?"""
    return one != other and (master(state, one) is None or master(state, one) != master(state, other))


def is_friendly(state: State, power: str, space: str) -> bool:
    """15.2 Does the power, or an ally of it, control the space?"""
    holder = state.controller(space)
    return holder == power or (holder != INDEPENDENT and are_allied(state, power, holder))


def seat_of(state: State, power: str) -> str | None:
    """16 Who decides for the power; nobody when it has no player or he has left."""
    seat = master(state, power)
    return None if seat is None or seat in state.resigned else seat


def powers_of(state: State, seat: str) -> tuple[str, ...]:
    """The powers for which the seat decides."""
    return tuple(power for power in POWERS if seat_of(state, power) == seat)


def standing(state: State, space: str) -> tuple[str, ...]:
    """The powers with CUs in the open of the space, in tie order; the moving army is not among them."""
    here = state.forces.get(space, {})
    return tuple(power for power in POWERS if power in here and here[power].units)


def enemy_in_the_open(state: State, power: str, space: str) -> str | None:
    """The enemy power whose CUs stand in the open of the space."""
    return next((other for other in standing(state, space) if enemies(state, power, other)), None)


def strangers(state: State, power: str, space: str) -> bool:
    """15.3 Has another power CUs in the open of the space?

    11.1.a (reading): a leader alone is no army and bars nothing, neither here nor in a retreat (12.4).
    """
    return any(force.units for other, force in state.forces.get(space, {}).items() if other != power)


def is_besieged(state: State, space: str, power: str) -> bool:
    """10.2.c (reading) Behind the walls of a space with a siege marker; an enemy before them is no siege yet."""
    force = state.force(space, power)
    return bool(force.inside or force.inside_leaders) and space in state.sieges


def enemy_units_with(state: State, power: str, space: str) -> bool:
    """10.2.b Are enemy CUs in the open of the same space, the moving army included?"""
    mover = state.move
    if mover is not None and mover.at == space and mover.units and enemies(state, power, mover.power):
        return True
    return enemy_in_the_open(state, power, space) is not None


def others_before(state: State, power: str, space: str) -> bool:
    """9.3.1 Do CUs of another player's power stand before the walls, the moving army included?"""
    mover = state.move
    if mover is not None and mover.at == space and mover.units and are_apart(state, power, mover.power):
        return True
    return any(are_apart(state, power, other) for other in standing(state, space))


def room_inside(state: State, space: str, power: str) -> int:
    """9.3.1 How many more CUs of the power its city holds; none in a space that is no city of its own."""
    if not is_city(space) or state.controller(space) != power:
        return 0
    return max(0, TABLES.avoidance.in_city - state.force(space, power).inside)


def tactics(state: State, leaders: tuple[str, ...]) -> int:
    """8.1 The tactics of an army: those of its commander, 0 without one."""
    return state.leaders[leaders[0]].tactics if leaders else 0


def named_leaders(leaders: tuple[str, ...]) -> tuple[str, ...]:
    """8.2 The leaders whom history names."""
    return tuple(name for name in leaders if not LEADERS[name].minor)


def may_follow(leader: str, companions: tuple[str, ...]) -> bool:
    """8.2.1 Named leaders are not subordinate to a minor one."""
    return not (LEADERS[leader].minor and named_leaders(companions))


def where(state: State, leader: str) -> str | None:
    """In which space a leader stands; None when he moves, is displaced or is out of play."""
    for space, here in state.forces.items():
        for force in here.values():
            if leader in force.people:
                return space
    return None


def force_of(state: State, leader: str) -> tuple[str, str, Force] | None:
    """Space, power and force of a leader who stands in the open."""
    power = LEADERS[leader].power if leader in LEADERS else ""
    for space, here in state.forces.items():
        if power in here and leader in here[power].leaders:
            return space, power, here[power]
    return None


def players(state: State) -> tuple[str, ...]:
    """The seats that have not left, in the order of play."""
    return tuple(seat for seat in (state.order or tuple(SEATS)) if seat not in state.resigned)


def in_tie_order(state: State, seats: Iterable[str]) -> tuple[str, ...]:
    """10.3 (reading of ties) These players as they win ties: each by the best rank among the powers he decides for."""
    ranks = {seat: min((tie_rank(power) for power in powers_of(state, seat)), default=len(POWERS)) for seat in seats}
    return tuple(sorted(ranks, key=lambda seat: ranks[seat]))


def sea_card_value(value: int) -> int:
    """9.6.3 How many CUs Carthage's ships carry for a card."""
    return TABLES.sea.carthage[value - 1]


def carries(state: State, power: str, value: int, start: str, end: str, lent: int = 0) -> int:
    """9.6.3 How many CUs the power may ship from port to port with this card; 0 when it may not sail at all."""
    sea = TABLES.sea
    for port in (start, end):
        if sea.closed_to_others.get(port, power) != power:
            return 0
    own = 0
    if power == CARTHAGE:
        own = sea_card_value(value)
    elif power == "greeks" and value >= sea.card:
        ends = {start, end}
        if ends & {"syracusae", "lilybaeum"} and state.controller("lilybaeum") == power:
            own = sea.greek_lilybaeum
        elif "syracusae" in ends:
            own = sea.greek_syracusae
        else:
            own = sea.small
    elif power in sea.needs and sea.needs[power] in state.events and (value >= sea.card or power in sea.any_card):
        own = sea.small
    return max(own, sea_card_value(lent) if lent else 0)


# -- 7 Which of what is set by hand is a player's own affair, and what waits for the word of the others.

MAY_WAIT = BY_HAND - {"discard"}  # a card is laid away without anybody's word


def is_own(state: State, seat: str, command: Any) -> bool:
    """7 Is it the player's own affair? In his action what he sets is, but for points; at any time a note, an
    alliance that is wished or ended, and the order of his own leaders; cards that he types from his own hand; a card
    in a battle of his own. Victory points are never his to give."""
    if isinstance(command, TakeCard):
        return state.options.cards == "entered"
    if isinstance(command, SetModifier):
        return state.battle is None or seat in (
            seat_of(state, state.battle.attacker),
            seat_of(state, state.battle.defender),
        )
    changes = command.changes if isinstance(command, ByHand) else {}
    return all(is_own_field(state, seat, path, value) for path, value in changes.items())


def is_own_field(state: State, seat: str, path: str, value: Any) -> bool:
    """7 Is one field the player's own affair?"""
    head, *names = path.split(".")
    if head == "alliances" or (head == "forces" and is_same_company(state, names, value)):
        return True
    return head != "vp" and seat == state.active


def is_same_company(state: State, names: list[str], value: Any) -> bool:
    """8.2.1 Do the same leaders stand there afterwards, in another order at most?"""
    if len(names) != 3 or names[2] != "leaders" or not isinstance(value, list | tuple):
        return False
    return sorted(map(str, value)) == sorted(state.force(names[0], names[1]).leaders)


def others(state: State, seat: str) -> tuple[str, ...]:
    """The seats besides this one that are still in the game; none when it is not one of them."""
    seats = players(state)
    return tuple(each for each in seats if each != seat) if seat in seats else ()
