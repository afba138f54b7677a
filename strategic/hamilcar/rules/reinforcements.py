"""6.1, 6.2 Reinforcements of both sides: units, ships, and what each may be in place of the other."""

from __future__ import annotations

from strategic.hamilcar.commands import Reinforce
from strategic.hamilcar.rules.ships import build
from strategic.hamilcar.rules.survey import (
    capital,
    council_counts,
    own_cities,
)
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import CHART
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import (
    generals_at,
    italian,
    may_muster,
    muster,
    on_board,
)
from strategic.point_to_point.tables import Side, as_side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, refuse

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
    side = as_side(state.agenda[-1].seat)
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
    side, line = as_side(state.agenda[-1].seat), command.line
    left = {name: count - (name == line) for name, count in state.agenda[-1].about["left"].items()}
    state = state.asking(left={name: count for name, count in left.items() if count})
    if command.what == "ship":
        return build(state, side, 1, "6.2.b" if side == "rome" else RULES[line])
    assert command.at is not None
    state = muster(state, side, command.at, Troops(1))
    return state, (event(RULES[line], "reinforced", side=side, space=command.at, units=1),)


def offers(state: State) -> tuple[Offer, ...]:
    """6.1, 6.2 For each line a ship, or its places."""
    prompt = state.agenda[-1]
    side, found = as_side(prompt.seat), []
    for line in prompt.about["left"]:
        if may_be_ship(state, side, line):
            found.append(Offer("reinforce", RULES[line], {"line": line, "what": "ship"}))
        places = places_for(state, side, line)
        if places:
            found.append(Offer("reinforce", RULES[line], {"line": line, "what": "unit", "at": list(places)}))
    return tuple(found)


def over(state: State, dice: Dice) -> Handled:
    """reinforcements.general.1 What has no place is lost."""
    prompt = state.agenda[-1]
    lost = sum(prompt.about["left"].values())
    told = (event("6.1", "reinforcements_lost", side=prompt.seat, units=lost),) if lost else ()
    return state.answered(), told
