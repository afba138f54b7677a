"""How a side's ships look: as it says itself, else as its nation built them, else as its navy did."""

from __future__ import annotations

from tactical.battle import Battle
from tactical.ship import Ship
from webapp.presenting.ships.galley import Galley
from webapp.presenting.ships.measures import DRAWING


def look_of(battle: Battle, side: str) -> str:
    """The look of a side's ships."""
    it = battle.sides[side]
    if isinstance(it.look, str):
        return it.look
    called = f"{side} {it.name}".lower()
    return next((look for nation, look in DRAWING.nations.items() if nation in called), it.navy)


def galley_of(
    ship: Ship, whole: int, look: str, side: int, letter: str = "", captor: tuple[int, str] | None = None
) -> Galley:
    """What is drawn of a ship whose type has `whole` hull; `captor` is the number and letter of who took her."""
    gone = ship.status in ("sunk", "withdrawn")
    taken = ship.is_prize and captor is not None
    return Galley(
        ship.type,
        look,
        side,
        captor[1] if taken and captor else letter,
        0 if gone or whole <= 0 else min(1, ship.damage / whole),
        ship.oars_broken,
        0 if ship.is_prize or ship.boarding else ship.speed,
        ship.corvus and ship.boarding is None,
        ship.corvus and ship.boarding is not None,
        ship.flagship,
        captor[0] if taken and captor else None,
    )
