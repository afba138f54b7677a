"""G1.1 Hexes: one ship to a hex, six headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tactical.battle import Battle
from tactical.commands import Step
from tactical.geometry.places import Heading, Place, StepField, Way
from tactical.hexes import (
    HEADINGS,
    OPPOSITE,
    TURNED,
    Hex,
    ahead,
    astern,
    distance,
    is_forward,
    is_parallel,
    neighbours,
)
from tactical.kernel.protocol import Illegal
from tactical.kernel.reason import Reason, because
from tactical.ship import Ship
from tactical.sight import crosses, is_behind_land

TURN_NAMES = ("none", "left", "right")


class Hexes:
    """G1.1 The board of hexes."""

    declared = False

    def headings(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G4.1, G6.8 By turn or, when it is free, by name."""
        if any_way:
            return {heading: heading for heading in HEADINGS}
        if not turns:
            return {"none": ship.facing}
        if ship.facing is None:
            return dict.fromkeys(TURN_NAMES)
        return {turn: TURNED[ship.facing, turn] for turn in TURN_NAMES}

    def finer(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G1.1 There are six headings and no others."""
        return {}

    def why_not_between(self, battle: Battle, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G1.1 Nothing lies between two sides of a hex."""
        return None

    def course(self, ship: Ship, command: Step) -> tuple[Heading, bool]:
        """G4.1 A turn by 60 degrees, or by G6.8 a heading."""
        turn = command.turn or "none"
        heading = command.facing or (turn if ship.facing is None else TURNED[ship.facing, turn])
        return heading, heading != ship.facing

    def why_not_course(self, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G4.1, G6.8 A turn or a side of the hex, no degrees."""
        if command.angle is not None or isinstance(command.facing, int | float):
            return Illegal(
                "G4.1",
                "On a board of hexes %(ship)s can turn left, right or not at all; angles are for the measured sea.",
                ship=name,
            )
        return None

    def way(self, battle: Battle, name: str, ship: Ship, facing: Heading) -> Way:
        """G4.1, G4.3, G4.4 The hex ahead or, when backing, astern."""
        if ship.at is None or facing is None:
            return Way(facing, None, "open")
        backing = ship.speed < 0
        to = astern(ship.at, facing) if backing else ahead(ship.at, facing)
        board = battle.board
        if not board.holds(to):
            return Way(facing, to, "blocked" if battle.edge_is_wall() else "edge")
        if to in board.blocked:
            return Way(facing, to, "blocked")
        there = battle.ships_at(to)
        if not there:
            return Way(facing, to, "open")
        if backing or ship.passing is not None:
            return Way(facing, to, "blocked")
        if any(other.side == ship.side or other.status == "captured" for other in there):
            return Way(facing, to, "blocked")
        return Way(facing, to, "contact")

    def followers(self, battle: Battle, waiting: list[str], vacated: Place) -> list[str]:
        """G4.6 The one that waited first, if the hex is free now."""
        if vacated is None or vacated in battle.by_hex or vacated in battle.board.blocked:
            return []
        return waiting[:1]

    def way_on(self, battle: Battle, name: str, vacated: Place, rest: float) -> Way:
        """G4.6 Into the hex that was left."""
        return Way(battle.ships[name].facing, vacated, "open")

    def aspect(self, battle: Battle, ship: Ship, target: Ship) -> str | None:
        """G6.1 The headings say it."""
        return None

    def still_passing(self, battle: Battle, ship: Ship, to: Place) -> str | None:
        """G7.2 One step leads out of the hex."""
        return None

    def come_clear(self, battle: Battle, name: str) -> dict[str, Ship]:
        """G7.2 One step leads out of the hex, the raker's own."""
        return {}

    def is_land_between(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G1.1 Nothing lies between neighbouring hexes."""
        return False

    def fields(self, battle: Battle, name: str, ship: Ship, found: dict[str, Way]) -> Iterator[StepField]:
        """G4.1, G6.8 Turns or headings; where two enemies are in one hex, also which of them is met."""
        key = "turn" if set(found) <= set(TURN_NAMES) else "facing"
        met = {turn: self.met_by(battle, way) for turn, way in found.items() if way.meets == "contact"}
        double = {turn: foes for turn, foes in met.items() if len(foes) > 1}
        single = [turn for turn in found if turn not in double]
        if single:
            yield StepField(key, single[0] if len(single) == 1 else single)
        for turn, foes in double.items():
            yield StepField(key, turn, foes)

    def met_by(self, battle: Battle, found: Way) -> tuple[str, ...]:
        """G4.6, G7.2 A raker and the ship that it rakes may be in one hex."""
        if found.meets != "contact":
            return ()
        return tuple(name for name, ship in battle.ships.items() if ship.at == found.to)

    def is_edge_astern(self, battle: Battle, ship: Ship) -> bool:
        """G6.7 Is the hex behind off the board?"""
        if ship.at is None or ship.facing is None:
            return False
        return not battle.board.holds(astern(ship.at, ship.facing))

    def standing_serves(self, battle: Battle, name: str, ship: Ship) -> bool:
        """G6.7 Land, a wreck, a prize and the board's edge serve; a ship afloat in the hex behind does not."""
        if ship.at is None or ship.facing is None:
            return False
        return all(other.is_prize for other in battle.by_hex.get(astern(ship.at, ship.facing), ()))

    def is_bow_to_bow(self, ship: Ship, target: Ship) -> bool:
        """G6.1 Are the headings opposite?"""
        return ship.facing is not None and target.facing == OPPOSITE[ship.facing]

    def why_no_rake(self, battle: Battle, name: str, foe: str) -> Reason | None:
        """G7.1 A parallel heading, no third ship in the target's hex, and the hex beyond open water or the edge."""
        ship, target = battle.ships[name], battle.ships[foe]
        if ship.facing is None or target.facing is None or not is_parallel(ship.facing, target.facing):
            return because("%(ship)s's heading is not parallel to %(target)s's.", ship=name, target=foe)
        if target.at is None:
            return because("%(target)s is no longer in the battle.", target=foe)
        places = battle.places()
        if any(at == target.at for other, at in places.items() if other not in (name, foe)):
            return because("A third ship is in %(target)s's hex.", target=foe)
        beyond = ahead(target.at, ship.facing)
        if not battle.board.holds(beyond):
            return Reason("Beyond lies the edge of the board, which is a wall.") if battle.edge_is_wall() else None
        if beyond in battle.board.blocked or beyond in battle.by_hex or beyond in places.values():
            return because("The hex beyond %(target)s is not free.", target=foe)
        return None

    def raked(self, battle: Battle, name: str, foe: str) -> Place:
        """G7.2 The target's own hex."""
        return battle.ships[foe].at

    def range_between(self, battle: Battle, one: Ship, other: Ship) -> int:
        """G1.3 The range in hexes; ships in one hex are at range 1."""
        assert one.at is not None and other.at is not None
        return max(1, distance(one.at, other.at))

    def sees(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G5.6 Land blocks the line between the hex centres; ships between the two only by the option."""
        one, two = ship.at, other.at
        if one is None or two is None:
            return True
        if battle.board.land and is_behind_land(battle.board.dry, one, two):
            return False
        if battle.options.ships_block_sight:
            between = frozenset(at for at in battle.by_hex if at not in (one, two))
            return not crosses(between, one, two)
        return True

    def in_arc(self, ship: Ship, other: Ship) -> bool:
        """G5.6 Abeam or before the beam, or in one hex."""
        if ship.at is None or other.at is None or ship.facing is None:
            return True
        return ship.at == other.at or is_forward(ship.at, ship.facing, other.at)

    def near_ships(self, battle: Battle, places: Iterable[Place]) -> set[str]:
        """G4.3 The ships in the hexes about."""
        about: set[Hex] = set()
        for at in places:
            about.update(neighbours(at))
        return battle.names_about(about)
