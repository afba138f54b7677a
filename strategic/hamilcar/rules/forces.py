"""What an army may take along and must leave: stacks, companions, consular armies (18.1), the choices to offer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from strategic.hamilcar.state import State
from strategic.hamilcar.survey import generals_at, least_consular, standing
from strategic.hamilcar.tables import Side
from strategic.hamilcar.troops import NONE, Troops
from tactical.kernel.play import Illegal


def stack(state: State, side: Side, space: str, inside: bool) -> Troops:
    """The troops of a side outside (or inside) the walls of a space."""
    return state.troops(space, side, inside)


def check_party(state: State, side: Side, leader: str, companions: Iterable[str]) -> None:
    """movement.land.1c Companions stand with the leader and are not of higher standing."""
    record = state.generals[leader]
    assert record.space is not None
    present = generals_at(state, side, record.space, record.inside)
    named = tuple(companions)
    if len(set(named)) != len(named) or leader in named:
        raise Illegal("movement.land.1c", "each companion is named once, the leader not among them")
    for name in named:
        if name not in present:
            raise Illegal("movement.land.1c", f"{name} does not stand with {leader}")
        if standing(state, name) > standing(state, leader):
            raise Illegal("movement.land.1c", f"{name} is of higher standing than {leader} and follows nobody")


def check_force(
    state: State, side: Side, space: str, inside: bool, force: Troops, party: tuple[str, ...], alone: bool = False
) -> None:
    """18.1, H13 The troops are there, at most 10, and no consul goes or is left with fewer than 3 CUs.

    `alone`: a consul may go without CUs here (option lone_consul_fleet, with ships).
    """
    here = stack(state, side, space, inside)
    if min(force.units, force.elephants, force.trains) < 0 or not here.holds(force):
        raise Illegal("movement.land.1", f"here are {here.units} CUs, {here.elephants} elephants, {here.trains} trains")
    if force.size > state.tables.movement.units or force.trains > state.tables.sea.trains:
        raise Illegal(
            "11.5", f"at most {state.tables.movement.units} CUs and {state.tables.sea.trains} trains move together"
        )
    least = least_consular(state, party)
    if force.size < least and not (alone and force.size == 0):
        raise Illegal("18.1", f"a consul moves with at least {least} CUs")
    staying = [name for name in generals_at(state, side, space, inside) if name not in party]
    must_stay = least_consular(state, staying)
    if here.size - force.size < must_stay <= here.size or (must_stay > here.size > here.size - force.size):
        raise Illegal("18.1", f"a consul is left with at least {must_stay} CUs")


def choices(
    state: State, side: Side, space: str, inside: bool, leader: str, alone: bool = False, bare: bool = True
) -> tuple[dict[str, Any], ...]:
    """18.1 Parties and forces that may go from here, as fields of offers; every combination of each is legal.

    For each party (the leader alone, or with everybody who may follow): all CUs that fit, or a range of ordinary CUs
    with all elephants and trains that fit; and, when `bare`, the leader without troops. The companions are the only
    choice of their field.
    """
    here = stack(state, side, space, inside)
    present = generals_at(state, side, space, inside)
    followers = tuple(n for n in present if n != leader and standing(state, n) <= standing(state, leader))
    found: list[dict[str, Any]] = []
    for companions in dict.fromkeys(((), followers)):
        party = (leader, *companions)
        elephants = min(here.elephants, state.tables.movement.units)
        trains = min(here.trains, state.tables.sea.trains)
        legal = [
            units
            for units in range(0, min(here.units, state.tables.movement.units - elephants) + 1)
            if units + elephants and _fits(state, side, space, inside, Troops(units, elephants, trains), party, alone)
        ]
        for low, high in runs(legal):
            found.append({
                "units": low if low == high else {"from": low, "to": high},
                "elephants": elephants, "trains": trains, "companions": [list(companions)],
            })  # fmt: skip
        if bare and _fits(state, side, space, inside, NONE, party, alone):
            found.append({"units": 0, "elephants": 0, "trains": 0, "companions": [list(companions)]})
    return tuple(found)


def _fits(
    state: State, side: Side, space: str, inside: bool, force: Troops, party: tuple[str, ...], alone: bool
) -> bool:
    try:
        check_force(state, side, space, inside, force, party, alone)
    except Illegal:
        return False
    return True


def runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Consecutive numbers as (first, last) pairs."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def span(low: int, high: int) -> Any:
    """A field's only value, or its range."""
    return low if low == high else {"from": low, "to": high}
