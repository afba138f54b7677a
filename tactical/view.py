"""G3.1 What a seat may see: everything but the plots that are not shown yet."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.kernel.hidden import Seats, Secret
from tactical.kernel.protocol import UMPIRE
from tactical.ship import Ship
from tactical.todo import share


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
    hidden = {
        name: unplotted(ship) for name, ship in battle.ships.items() if ship.side != seat and ship.plot is not None
    }
    seen = battle.with_ships(hidden)
    if hidden:
        share(battle, seen)
    return seen


def unplotted(ship: Ship) -> Ship:
    """G3.1.a The ship as others see her while her speed is hidden; made once, so that what is drawn of her is too."""
    kept = vars(ship)
    found: Ship | None = kept.get("unplotted")
    if found is None:
        found = kept["unplotted"] = msgspec.structs.replace(ship, plot=None)
    return found
