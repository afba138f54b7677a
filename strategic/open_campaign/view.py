"""O3.2, O5.2 Who sees what: a side its own, and of others what it knows; after the end everything is everybody's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from strategic.open_campaign.rules.ending import points, points_for
from strategic.open_campaign.rules.fighting import instant
from strategic.open_campaign.rules.holding import meetings, position_for
from strategic.open_campaign.state import Goal, Mail, Ship, State
from tactical.kernel.protocol import UMPIRE, Seats, Secret
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
OWN = (
    *("fleets", "ships", "orders", "letters", "known", "pins", "treaties", "mail", "sieges", "garrisons", "money"),
    *("debts", "subsidies", "captives", "stocks", "goals", "appointed", "taken"),
)  # what a seat sees of its own of these, and of sieges all


def view(state: State, seat: str) -> dict[str, Any]:
    """O3.2, O3.7 The position as this seat may see it; the umpire sees the position itself.

    What a side is told besides is reckoned from what it sees, never from the position.
    """
    if seat == UMPIRE or state.result is not None:
        waiting = {each.id: plain(each) for each in meetings(state)}
        forecast = {each.id: plain(instant(state, each)) for each in meetings(state)}
        return {**plain(state), "engagements": waiting, "instant": forecast, "stopped_now": points(state)}
    seen = seen_position(state, seat)
    mine = [each for each in meetings(state) if seat in each.fleets]
    met = {each.id: plain(each) for each in mine}
    whole = plain(seen)
    return {
        **{name: whole[name] for name in (*PUBLIC, *OWN)},
        "stopped_now": {seat: points_for(seen, seat)} if seat in state.sides else {},
        "engagement": next(iter(met.values()), None),
        "engagements": met,
        "instant": {each.id: plain(instant(state, each, seat)) for each in mine},
        "result": None,
        **({"house": whole["house"]} if state.house else {}),
    }


def seen_position(state: State, seat: str) -> State:
    """O3.2, O5.2 The position with nothing in it but what this seat may see."""
    told = position_for(state, seat)
    mine = {each.id for each in meetings(state) if seat in each.fleets}
    of_side = {
        name: {side: value for side, value in getattr(told, name).items() if side == seat}
        for name in ("orders", "letters", "known", "pins", "money", "debts", "taken")
    }
    named = {
        name: tuple(each for each in getattr(told, name) if seat in (getattr(each, one), getattr(each, other)))
        for name, one, other in (("treaties", "by", "to"), ("subsidies", "by", "to"), ("captives", "by", "side"))
    }
    return replace(
        State(told.world, told.sides, {}, {}),
        **{name: getattr(told, name) for name in (*PUBLIC, "house", "sieges")},
        **of_side,
        **named,
        fleets={name: fleet for name, fleet in told.fleets.items() if fleet.side == seat},
        ships={name: known for name, ship in told.ships.items() if (known := ship_for(ship, seat)) is not None},
        mail=tuple(mine_of(each, seat) for each in told.mail if is_mine(each, seat)),
        garrisons={port: men for port, men in told.garrisons.items() if told.ports.get(port) == seat},
        stocks=tuple(each for each in told.stocks if each.side == seat),
        goals=tuple(goal_for(goal) for goal in told.goals if is_open(state) or goal.side == seat),
        appointed={name: date for name, date in told.appointed.items() if name in mine},
    )


def is_open(state: State) -> bool:
    """O9.1 Are the goals open to all? Else they are sealed until the end."""
    return state.result is not None or state.options.goals == "open"


def is_mine(mail: Mail, seat: str) -> bool:
    """O11.2 One's own letters, and those that have come."""
    return mail.by == seat or (mail.to == seat and mail.arrived)


def mine_of(mail: Mail, seat: str) -> Mail:
    """O11.2 Who has sent a letter does not know what became of it."""
    return mail if mail.to == seat else replace(mail, arrived=True, lost=False, days=0)


def ship_for(ship: Ship, seat: str) -> Ship | None:
    """O6.3 A ship as a side knows her, None where it does not: its own, those it has lost, and those it has taken.

    Of a ship that now floats for an enemy it knows that she was taken; of one that it took, of whom and what she was.
    """
    if ship.side == seat:
        return ship
    if ship.was == seat:
        return Ship(seat, ship.type, ship.name, "captured")
    if ship.status == "captured" and ship.captured_by == seat:
        return Ship(ship.side, ship.type, status="captured", captured_by=seat)
    return None


def goal_for(goal: Goal) -> Goal:
    """O5.2, O9.1 A goal as the sides know it: whether no enemy was where nobody looked is told at the end."""
    return replace(goal, won=None) if goal.what == "cleared" else goal


def own(state: State, stars: tuple[str, ...]) -> Seats:
    """O3.2 The side that the path names, until the end."""
    return None if state.result is not None else stars[:1]


def fleets_side(state: State, stars: tuple[str, ...]) -> Seats:
    """O5.2 A fleet is known to its own side, until the end."""
    found = state.fleets.get(stars[0])
    return None if state.result is not None else (found.side,) if found else ()


def ships_side(state: State, stars: tuple[str, ...]) -> Seats:
    """O5.2 A ship is known to her own side; to whoever has lost or taken her that she was; until the end."""
    found = state.ships.get(stars[0])
    if state.result is not None:
        return None
    if found is None:
        return ()
    lost = (found.was,) if found.was and stars[1] in ("name", "type", "was") else ()
    is_taken = found.status == "captured" and stars[1] in ("type", "side", "status", "captured_by")
    return (found.side, *lost, *((found.captured_by,) if is_taken and found.captured_by else ()))


def goals_side(state: State, stars: tuple[str, ...]) -> Seats:
    """O9.1 A goal is known to its own side, until the end; not what it brought, where that hangs on an enemy (O5.2)."""
    number = int(stars[0]) if stars[0].isdigit() else len(state.goals)
    if state.result is not None:
        return None
    if number >= len(state.goals):
        return ()
    goal = state.goals[number]
    if stars[1] == "won" and goal.what == "cleared":
        return ()
    return None if is_open(state) else (goal.side,)


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
    Secret("taken.*", own),
    Secret("subsidies.*", row("subsidies", "by", "to")),
    Secret("captives.*", row("captives", "side", "by")),
    Secret("stocks.*", row("stocks", "side")),
    Secret("treaties.*", row("treaties", "by", "to")),
    Secret("mail.*.*", mail_sides),
    Secret("goals.*.*", goals_side),
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
            "counted.*",
            "prizes.*",
        )
    ),
)
