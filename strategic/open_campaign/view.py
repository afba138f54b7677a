"""O3.2, O5.2 Who sees what: a side its own, and of others what it knows; after the end everything is everybody's."""

from __future__ import annotations

from typing import Any

from strategic.open_campaign.state import State
from tactical.kernel.hidden import Seats, Secret
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain

PUBLIC = ("world", "sides", "turn", "date", "turn_length", "turns", "scenario", "step", "ports", "ready", "options")


def view(state: State, seat: str) -> dict[str, Any]:
    """O3.2 The position as this seat may see it; the umpire sees the position itself."""
    whole = plain(state)
    waiting = {} if state.engagement is None else {state.engagement.id: whole["engagement"]}
    if seat == UMPIRE or state.result is not None:
        return {**whole, "engagements": waiting}
    mine = state.engagement is not None and seat in state.engagement.fleets
    return {
        **{name: whole[name] for name in PUBLIC},
        "fleets": {name: fleet for name, fleet in whole["fleets"].items() if fleet["side"] == seat},
        "ships": {name: ship for name, ship in whole["ships"].items() if ship["side"] == seat},
        **{
            name: {side: value for side, value in whole[name].items() if side == seat}
            for name in ("orders", "letters", "known")
        },
        "goals": [goal for goal in whole["goals"] if goal["side"] == seat],
        "engagement": whole["engagement"] if mine else None,
        "engagements": waiting if mine else {},
        "result": None,
        **({"house": whole["house"]} if state.house else {}),
    }


def own(state: State, stars: tuple[str, ...]) -> Seats:
    """O3.2 The side that the path names, until the end."""
    return None if state.result is not None else stars[:1]


def fleets_side(state: State, stars: tuple[str, ...]) -> Seats:
    """O5.2 A fleet is known to its own side, until the end."""
    found = state.fleets.get(stars[0])
    return None if state.result is not None else (found.side,) if found else ()


def ships_side(state: State, stars: tuple[str, ...]) -> Seats:
    """O5.2 A ship is known to her own side, until the end."""
    found = state.ships.get(stars[0])
    return None if state.result is not None else (found.side,) if found else ()


def goals_side(state: State, stars: tuple[str, ...]) -> Seats:
    """O9.1 A goal is known to its own side, until the end."""
    number = int(stars[0]) if stars[0].isdigit() else len(state.goals)
    if state.result is not None:
        return None
    return (state.goals[number].side,) if number < len(state.goals) else ()


def meets(state: State, stars: tuple[str, ...]) -> Seats:
    """O6.1 A meeting is known to those who meet."""
    if state.result is not None:
        return None
    return tuple(state.engagement.fleets) if state.engagement is not None else ()


def umpires(state: State, stars: tuple[str, ...]) -> Seats:
    """O3.7 Known to the umpire alone, until the end."""
    return None if state.result is not None else ()


HIDDEN: tuple[Secret[State], ...] = (
    Secret("fleets.*", fleets_side),
    Secret("ships.*", ships_side),
    Secret("orders.*.*", own),
    Secret("letters.*.*", own),
    Secret("known.*", own),
    Secret("goals.*", goals_side),
    Secret("engagement", meets),
    *(Secret(name, umpires) for name in ("day", "watch", "pairs.*", "met.*", "settled.*")),
)
