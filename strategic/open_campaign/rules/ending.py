"""O9.1 The end: by date, by giving up; points for strength and goals, and what if we stopped now."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.holding import close_meeting, meetings
from strategic.open_campaign.rules.orders import missing, run_on
from strategic.open_campaign.state import Goal, Handled, Result, State
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, event


def points(state: State) -> dict[str, int]:
    """O9.1 What each side has: a point for each of its ships' value, and its goals."""
    found = dict.fromkeys(state.sides, 0.0)
    for ship in state.ships.values():
        if ship.status == "afloat":
            found[ship.side] += state.tables.type[ship.type].value
    for goal in state.goals:
        found[goal.side] += worth(state, goal) if goal.won is None else goal.won
    return {side: round(sum_) for side, sum_ in found.items()}


def worth(state: State, goal: Goal) -> int:
    """O9.1 What a goal brings now: transports one by one, a station of warships or a cleared place once."""
    here = {
        side: [
            state.ships[ship]
            for name in state.at_sea()
            if state.fleets[name].side == side and state.fleets[name].at == goal.space
            for ship in state.fleets[name].ships
        ]
        for side in state.sides
    }
    if goal.what == "taken":
        now = (name for name, ship in state.ships.items() if ship.captured_by == goal.side != ship.origin)
        return goal.points * len({*state.taken.get(goal.side, ()), *now})
    if goal.what == "port":
        return goal.points * (state.ports.get(goal.space) == goal.side)
    if goal.what == "transports":
        return goal.points * sum(not ship.is_warship for ship in here[goal.side])
    if goal.what == "warships":
        return goal.points * any(ship.is_warship for ship in here[goal.side])
    return goal.points * (not any(here[side] for side in state.sides if state.are_hostile(goal.side, side)))


def count_goals(state: State) -> State:
    """O9.1 A goal with a date counts as it stands at the end of that turn."""
    goals = tuple(
        replace(goal, won=worth(state, goal)) if goal.by == state.turn and goal.won is None else goal
        for goal in state.goals
    )
    return replace(state, goals=goals)


def points_for(state: State, side: str) -> int:
    """O5.2, O9.1 What if we stopped now: a side's points by what it knows, of a position that holds nothing else.

    A place counts as cleared while the side's map shows no enemy there.
    """
    shown = {each.near for each in state.known.get(side, ()) if state.are_hostile(side, each.side)}
    goals = tuple(
        replace(goal, won=0) if goal.what == "cleared" and goal.won is None and goal.space in shown else goal
        for goal in state.goals
    )
    return points(replace(state, goals=goals))[side]


def lost_by(state: State, side: str) -> int:
    """O9.1 How many ships a side has lost: the tie-break."""
    return sum(ship.origin == side and (ship.status != "afloat" or bool(ship.was)) for ship in state.ships.values())


def why_not_judge(state: State, command: c.Judge) -> Illegal | None:
    """O9.1 Who has won is a side that plays."""
    plays = command.winner is None or command.winner in state.playing
    return None if plays else Illegal("O9.1", "Only a side that is still playing can win.")


def judge(state: State, command: c.Judge, dice: Dice) -> Handled:
    """O9.1 The campaign ends by the umpire's word, whatever the points say."""
    state, (told,) = end(state, "umpire")
    assert state.result is not None
    result = replace(state.result, winner=command.winner)
    return replace(state, result=result), (replace(told, data={**told.data, "winner": command.winner}),)


def end(state: State, why: str) -> Handled:
    """O9.1 The campaign is over: who is a fifth ahead of everybody has won.

    Of those who are within the fifth of the first who has lost fewer ships than the others; else nobody.
    """
    told = points(state)
    most = max((told[side] for side in state.playing), default=0)
    among = [side for side in state.playing if told[side] == most or most < state.tables.end.ahead * told[side]]
    fewest = min((lost_by(state, side) for side in among), default=0)
    first = [side for side in among if lost_by(state, side) == fewest]
    winner = first[0] if len(first) == 1 else None
    result = Result(winner, told, why)
    fleets = {name: replace(fleet, engaged="", halted=()) for name, fleet in state.fleets.items()}
    state = replace(
        state, result=result, engagement=None, waiting=(), appointed={}, fleets=fleets, pairs=(), step="orders"
    )
    return state, (event("O9.1", "over", winner=winner, points=told, why=why),)


def why_not_resign(state: State, command: c.Resign) -> Illegal | None:
    """O9.1 Once is enough."""
    if state.sides[command.side].resigned:
        return Illegal("O9.1", "%(side)s %(side|has|have)s given up.", side=command.side)
    return None


def resign(state: State, command: c.Resign, dice: Dice) -> Handled:
    """O9.1 A side gives up; when no two enemies are left, the campaign is over."""
    sides = {**state.sides, command.side: replace(state.sides[command.side], resigned=True)}
    state = replace(state, sides=sides)
    told: tuple[Event, ...] = (event("O9.1", "resigned", side=command.side),)
    for each in meetings(state):
        state = close_meeting(state, each) if command.side in each.fleets else state
    if not any(state.are_hostile(one, other) for one, other in combinations(state.playing, 2)):
        state, more = end(state, "resigned")
        return state, (*told, *more)
    if state.step == "orders" and not missing(state):
        state = run_on(state)
    return state, told


def offer_resign(state: State, seat: str) -> Iterator[Offer]:
    """O9.1 At any time."""
    if not state.sides[seat].resigned:
        yield Offer("resign", "O9.1", {"side": seat})
