"""G3.1 What a seat may see: everything but the plots that are not shown yet."""

from __future__ import annotations

from tactical.battle import Battle
from tactical.kernel.hidden import Seats, Secret
from tactical.kernel.protocol import UMPIRE
from tactical.todo import todo


def plotter(battle: Battle, stars: tuple[str, ...]) -> Seats:
    """G3.1.a In the plot a ship's speed is known to its own side; afterwards to everybody."""
    ship = battle.ships.get(stars[0])
    if battle.step != "plot":
        return None
    return () if ship is None else (ship.side,)


HIDDEN: tuple[Secret[Battle], ...] = (Secret("ships.*.plot", plotter),)


def view(battle: Battle, seat: str) -> Battle:
    """G3.1.a The battle without other sides' plots until all have locked; the umpire sees all.

    A side that has plotted and one that has not look the same to the others; only `locked` is public.
    """
    if seat == UMPIRE or battle.step != "plot":
        return battle
    others = ((name, ship) for name, ship in battle.ships.items() if ship.side != seat)
    hidden = {name: ship.unplotted for name, ship in others if ship.plot is not None}
    todo(battle)  # worked out before, it serves all seats
    return battle.with_plots(hidden)
