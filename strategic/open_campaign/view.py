"""O3.2, O5.2 Who sees what: a side its own, and of others what it knows; after the end everything is everybody's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strategic.open_campaign.rules.ending import stopped_now
from strategic.open_campaign.rules.fighting import instant
from strategic.open_campaign.rules.holding import position_for
from strategic.open_campaign.rules.waiting import meetings
from strategic.open_campaign.state import Ship, State
from tactical.kernel.hidden import Seats, Secret
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain

PUBLIC = (
    "world",
    "sides",
    "turn",
    "date",
    "turn_length",
    "turns",
    "scenario",
    "step",
    "ports",
    "ready",
    "options",
    "models",
)


def view(state: State, seat: str) -> dict[str, Any]:
    """O3.2, O3.7 The position as this seat may see it; the umpire sees the position itself."""
    waiting = {each.id: plain(each) for each in meetings(state)}
    if seat == UMPIRE or state.result is not None:
        forecast = {each.id: plain(instant(state, each)) for each in meetings(state)}
        return {**plain(state), "engagements": waiting, "instant": forecast, "stopped_now": stopped_now(state, None)}
    told = position_for(state, seat)
    whole = plain(told)
    mine = {name: each for name, each in waiting.items() if seat in each["fleets"]}
    return {
        **{name: whole[name] for name in PUBLIC},
        "fleets": {name: fleet for name, fleet in whole["fleets"].items() if fleet["side"] == seat},
        "ships": {
            name: ship if ship["side"] == seat else lost_ship(ship)
            for name, ship in whole["ships"].items()
            if seat in (ship["side"], ship["was"])
        },
        **{
            name: {side: value for side, value in whole[name].items() if side == seat}
            for name in ("orders", "letters", "known", "pins")
        },
        "treaties": [each for each in whole["treaties"] if seat in (each["by"], each["to"])],
        "mail": [mine_of(each, seat) for each in whole["mail"] if is_mine(each, seat)],
        "stopped_now": stopped_now(told, seat),
        "sieges": whole["sieges"],
        "garrisons": {port: men for port, men in whole["garrisons"].items() if told.ports.get(port) == seat},
        "money": {side: left for side, left in whole["money"].items() if side == seat},
        "debts": {side: owed for side, owed in whole["debts"].items() if side == seat},
        "subsidies": [each for each in whole["subsidies"] if seat in (each["by"], each["to"])],
        "captives": [each for each in whole["captives"] if seat in (each["by"], each["side"])],
        "stocks": [each for each in whole["stocks"] if each["side"] == seat],
        "goals": [goal for goal in whole["goals"] if is_open(state) or goal["side"] == seat],
        "engagement": next(iter(mine.values()), None),
        "engagements": mine,
        "appointed": {name: date for name, date in whole["appointed"].items() if name in mine},
        "instant": {each.id: plain(instant(state, each, seat)) for each in meetings(state) if each.id in mine},
        "result": None,
        **({"house": whole["house"]} if state.house else {}),
    }


def is_open(state: State) -> bool:
    """O9.1 Are the goals open to all? Else they are sealed until the end."""
    return state.result is not None or state.options.goals == "open"


def is_mine(mail: dict[str, Any], seat: str) -> bool:
    """O11.2 One's own letters, and those that have come."""
    return bool(mail["by"] == seat or (mail["to"] == seat and mail["arrived"]))


def mine_of(mail: dict[str, Any], seat: str) -> dict[str, Any]:
    """O11.2 Who has sent a letter does not know what became of it."""
    return mail if mail["to"] == seat else {**mail, "arrived": True, "lost": False, "days": 0}


def lost_ship(ship: dict[str, Any]) -> dict[str, Any]:
    """O6.3 What is left to a side of a ship that floats for an enemy: her name, and that she was taken."""
    return dict(plain(Ship(ship["was"], ship["type"], ship["name"], "captured")))


def own(state: State, stars: tuple[str, ...]) -> Seats:
    """O3.2 The side that the path names, until the end."""
    return None if state.result is not None else stars[:1]


def fleets_side(state: State, stars: tuple[str, ...]) -> Seats:
    """O5.2 A fleet is known to its own side, until the end."""
    found = state.fleets.get(stars[0])
    return None if state.result is not None else (found.side,) if found else ()


def ships_side(state: State, stars: tuple[str, ...]) -> Seats:
    """O5.2 A ship is known to her own side, a prize's name to whoever lost her, until the end."""
    found = state.ships.get(stars[0])
    if state.result is not None:
        return None
    if found is None:
        return ()
    return (found.side, found.was) if found.was and stars[1] in ("name", "type", "was") else (found.side,)


def goals_side(state: State, stars: tuple[str, ...]) -> Seats:
    """O9.1 A goal is known to its own side, until the end."""
    return None if is_open(state) else row("goals", "side")(state, stars)


def row(field: str, *names: str) -> Callable[[State, tuple[str, ...]], Seats]:
    """A row of a list is known to the sides that it names in these fields, until the end."""

    def sides(state: State, stars: tuple[str, ...]) -> Seats:
        rows, number = getattr(state, field), stars[0]
        if state.result is not None:
            return None
        return tuple(getattr(rows[int(number)], name) for name in names) if number in map(str, range(len(rows))) else ()

    return sides


def garrison_side(state: State, stars: tuple[str, ...]) -> Seats:
    """O7.1 A garrison is known to the side that holds the port, until the end."""
    holder = state.ports.get(stars[0])
    return None if state.result is not None else (holder,) if holder else ()


def mail_sides(state: State, stars: tuple[str, ...]) -> Seats:
    """O11.2 A letter is known to its writer, and to its reader when it has come; its way to the reader alone."""
    number = int(stars[0]) if stars[0].isdigit() else len(state.mail)
    if state.result is not None:
        return None
    if number >= len(state.mail):
        return ()
    mail = state.mail[number]
    reader = (mail.to,) if mail.arrived else ()
    if stars[1] == "arrived":
        return (mail.to,)
    return reader if stars[1] in ("days", "lost") else (mail.by, *reader)


def meets(state: State, stars: tuple[str, ...]) -> Seats:
    """O6.1 A meeting is known to those who meet."""
    if state.result is not None:
        return None
    return tuple(state.engagement.fleets) if state.engagement is not None else ()


def meets_later(state: State, stars: tuple[str, ...]) -> Seats:
    """O6.1 A meeting is known to those who meet, also when another stands in front."""
    number = int(stars[0]) if stars[0].isdigit() else len(state.waiting)
    if state.result is not None:
        return None
    return tuple(state.waiting[number].fleets) if number < len(state.waiting) else ()


def dates_sides(state: State, stars: tuple[str, ...]) -> Seats:
    """O3.6 The date of a meeting is known to those who meet."""
    found = next((each for each in meetings(state) if each.id == stars[0]), None)
    return None if state.result is not None else tuple(found.fleets) if found else ()


def umpires(state: State, stars: tuple[str, ...]) -> Seats:
    """O3.7 Known to the umpire alone, until the end."""
    return None if state.result is not None else ()


HIDDEN: tuple[Secret[State], ...] = (
    Secret("fleets.*", fleets_side),
    Secret("ships.*.*", ships_side),
    Secret("orders.*.*", own),
    Secret("letters.*.*", own),
    Secret("known.*", own),
    Secret("pins.*", own),
    Secret("money.*", own),
    Secret("garrisons.*", garrison_side),
    Secret("debts.*", own),
    Secret("subsidies.*", row("subsidies", "by", "to")),
    Secret("captives.*", row("captives", "side", "by")),
    Secret("stocks.*", row("stocks", "side")),
    Secret("treaties.*", row("treaties", "by", "to")),
    Secret("mail.*.*", mail_sides),
    Secret("goals.*", goals_side),
    Secret("engagement", meets),
    Secret("waiting.*", meets_later),
    Secret("appointed.*", dates_sides),
    *(
        Secret(name, umpires)
        for name in (
            "day",
            "watch",
            "pairs.*",
            "met.*",
            "settled.*",
            "weather.*",
            "before.*",
            "skies.*",
            "fought.*",
            "late",
            "squadrons.*",
            "unsent.*",
        )
    ),
)
