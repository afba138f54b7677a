"""G3.0 Whose affair a command is: of the side that it names, or whose ship it names; a side commands its own ships."""

from __future__ import annotations

from typing import Any

from tactical.battle import Battle
from tactical.commands import Adjust, Board, Contact, Fire, Squadron
from tactical.kernel.protocol import UMPIRE, NotYours


def of_ship(battle: Battle, command: Any) -> tuple[str, ...]:
    """G3.0 The ship's side. Raises Illegal for an unknown ship."""
    return (battle.ship(command.ship).side,)


def of_target(battle: Battle, command: Fire | Board | Contact) -> tuple[str, ...]:
    """G3.0 The ship's side; the target must be there, too. Raises Illegal for an unknown ship."""
    battle.ship(command.target)
    return of_ship(battle, command)


def of_ships(battle: Battle, command: Squadron) -> tuple[str, ...]:
    """G2.4 The sides of all these ships. Raises Illegal for an unknown ship."""
    return tuple(sorted({battle.ship(name).side for name in command.ships}))


def of_side(battle: Battle, command: Any) -> tuple[str, ...]:
    """G3.0 The side that speaks. Raises Illegal for an unknown one."""
    battle.side(command.side)
    return (command.side,)


def of_fleet(battle: Battle, command: Any) -> tuple[str, ...]:
    """G3.0 The side whose ships are meant. Raises Illegal for an unknown one."""
    return of_side(battle, command) if command.side is not None else tuple(battle.sides)


def of_anybody(battle: Battle, command: Any) -> None:
    """G2.3 How strictly the rules are kept is for the table to say."""
    return None


def of_umpire(battle: Battle, command: Any) -> tuple[str, ...]:
    """G2.3.a The umpire's alone."""
    return ()


def why_not_all(battle: Battle, seat: str, command: Squadron) -> NotYours | None:
    """G2.4 A squadron is of one's own ships alone."""
    others = [side for side in of_ships(battle, command) if side != seat and seat != UMPIRE]
    return (
        NotYours("This is for %(either)s to command, not for %(seat)s.", either=tuple(others), seat=seat)
        if others
        else None
    )


def why_not_umpires(battle: Battle, seat: str, command: Adjust) -> NotYours | None:
    """G2.3 Nobody but the umpire changes what stands."""
    return None if seat == UMPIRE else NotYours("Only the umpire may adjust a battle.")
