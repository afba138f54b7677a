"""G1.6 The open sea, measured: hulls at any point and heading, a step of one base length, contact where hulls touch.

Its rulings, where the rules speak of hexes, are the paragraphs G1.6 to G1.6.g of data/galley/paragraphs.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import floor

import msgspec
from shapely import LineString

from tactical import measured
from tactical.battle import Battle
from tactical.commands import Step
from tactical.geometry.places import Heading, Place, StepField, Way
from tactical.geometry.rowing import BESIDE, around, at_place, backwards, heading_of, holds, is_roomy, reach, row
from tactical.kernel.protocol import Illegal
from tactical.kernel.reason import Reason, because
from tactical.measured import STEP, TOUCH
from tactical.ship import Ship

MOST = 60  # degrees of a turn
FINE = 5  # degrees between the angles that are looked at in narrow water
HEAD_ON = 150  # degrees between two headings from which on they count as opposite; below 180 less this, as the same


class OpenSea:
    """G1.6 The board without hexes that the program measures."""

    declared = False

    def headings(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G1.6.g Every five degrees to either side: enough to see whether a ship has a way to go."""
        angles = range(-180 + FINE, 181, FINE) if any_way else range(-MOST, MOST + 1, FINE) if turns else (0,)
        return {str(angle): measured.turn_by(heading_of(ship), angle) for angle in angles}

    def finer(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G1.6.g Every whole degree, for a ship that none of five is open to."""
        angles = range(-179, 181) if any_way else range(-MOST, MOST + 1) if turns else ()
        return {str(angle): measured.turn_by(heading_of(ship), angle) for angle in angles}

    def course(self, ship: Ship, command: Step) -> tuple[Heading, bool]:
        """G4.1 A turn by an angle, or by G6.8 a heading in degrees."""
        heading = measured.turn_by(heading_of(ship), command.angle or 0)
        if isinstance(command.facing, int | float):
            heading = measured.turn_by(float(command.facing), 0)
        return heading, heading != ship.facing

    def why_not_course(self, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G4.1, G6.8 Angles and degrees, no sides of a hex."""
        if command.turn is not None:
            return Illegal(
                "G4.1", "On the measured sea give %(ship)s's turn as an angle of -60 to 60 degrees.", ship=name
            )
        if isinstance(command.facing, str):
            return Illegal(
                "G6.8", "On the measured sea give %(ship)s's facing in degrees, clockwise from north.", ship=name
            )
        if command.angle is not None and command.facing is not None:
            return Illegal("G4.1", "Say by what angle the ship turns or which way she is to face, not both.")
        return None

    def why_not_between(self, battle: Battle, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G1.6.g An angle between two whole degrees is free where both are: so a step that is offered to nobody is
        taken from nobody."""
        angle = command.angle or 0.0
        if float(angle).is_integer():
            return None
        for whole_degree in (floor(angle), floor(angle) + 1):
            heading = measured.turn_by(heading_of(ship), whole_degree)
            if self.way(battle, name, ship, heading).meets == "blocked":
                return Illegal(
                    "G4.3",
                    "%(ship)s's path is blocked at %(count)s %(count|degree|degrees)s, "
                    "and the angle that you chose is too close to that.",
                    ship=name,
                    count=whole_degree,
                )
        return None

    def way(self, battle: Battle, name: str, ship: Ship, facing: Heading) -> Way:
        """G4.1, G4.3, G4.4 One base length ahead or, when backing, astern."""
        if ship.at is None or facing is None:
            return Way(facing, None, "open")
        return row(battle, name, ship, facing, STEP)

    def way_on(self, battle: Battle, name: str, vacated: Place, rest: float) -> Way:
        """G1.6.e, G4.6 The rest of a step that a contact had cut short."""
        ship = battle.ships[name]
        return row(battle, name, ship, heading_of(ship), rest)

    def followers(self, battle: Battle, waiting: list[str], vacated: Place) -> list[str]:
        """G4.6 Whoever waited on the ship that has moved, in order, tries to complete its step."""
        return [] if vacated is None else waiting

    def met_by(self, battle: Battle, found: Way) -> tuple[str, ...]:
        """G4.6 The enemies that are touched first."""
        return found.foes

    def aspect(self, battle: Battle, ship: Ship, target: Ship) -> str | None:
        """G6.1, G7.1 How a ship touches another: by the angle of the headings and where her ram meets.

        G1.6.b Headings within 30 degrees of opposite meet bow to bow when the ram lies before the other's midship,
        within 30 degrees of the same heading from astern when it lies abaft it; otherwise such ships lie parallel.
        All other meetings are on the side.
        """
        angle = measured.between(heading_of(ship), heading_of(target))
        if 180 - HEAD_ON < angle < HEAD_ON:
            return "side"
        assert ship.at is not None and target.at is not None
        ram = battle.outline(ship)[0]
        ahead = measured.unit(heading_of(target))
        along = (ram[0] - target.at[0]) * ahead[0] + (ram[1] - target.at[1]) * ahead[1]
        if angle >= HEAD_ON:
            return "bow_to_bow" if along > 0 else "parallel"
        return "stern" if along < 0 else "parallel"

    def still_passing(self, battle: Battle, ship: Ship, to: Place) -> str | None:
        """G7.2 The ship that a raker has not come clear of yet: she rows on along it, straight ahead."""
        foe = ship.passing
        if foe is None or to is None:
            return None
        there = battle.outline(at_place(ship, to))
        other = battle.ships[foe]
        across = other.at is not None and measured.overlap(there, battle.outline(other))
        over = any(measured.overlap(there, wreck.coordinates[0][:-1]) for wreck in battle.board.covered)
        return foe if across or over else None

    def come_clear(self, battle: Battle, name: str) -> dict[str, Ship]:
        """G1.6.f, G7.2 The rakers, this ship or those that row along it, whose hulls have come clear by its move."""
        clear = {}
        for each, ship in battle.ships.items():
            if ship.passing is None or (each != name and ship.passing != name) or ship.at is None:
                continue
            if self.still_passing(battle, ship, ship.at) is None:
                clear[each] = msgspec.structs.replace(ship, passing=None)
        return clear

    def is_land_between(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G1.6.c, G8.1 Does a coast cross the line from midpoint to midpoint?"""
        if not battle.board.coasts or ship.at is None or other.at is None:
            return False
        return bool(battle.board.shore.intersects(LineString([ship.at, other.at])))

    def is_edge_astern(self, battle: Battle, ship: Ship) -> bool:
        """G6.7 Does a base length astern lead over the edge?"""
        if ship.at is None:
            return False
        back = measured.onward(ship.at, measured.unit(heading_of(ship)), -STEP)
        return not holds(battle, back)

    def standing_serves(self, battle: Battle, name: str, ship: Ship) -> bool:
        """G6.7 Nothing afloat lies in the water astern: land, a wreck, a prize or the edge does."""
        way, shape = backwards(ship), battle.outline(ship)
        for _, other, lies in around(battle, name, ship):
            span = measured.passage(shape, way, lies)
            if span is not None and span[1] > 0 and span[0] < STEP and other.is_afloat:
                return False
        return True

    def is_bow_to_bow(self, ship: Ship, target: Ship) -> bool:
        """G6.1 As it was measured when they touched."""
        return ship.aspect == "bow_to_bow"

    def why_no_rake(self, battle: Battle, name: str, foe: str) -> Reason | None:
        """G7.1 A heading within 30 degrees of the target's or its opposite, and free water until she is clear of it."""
        ship, target = battle.ships[name], battle.ships[foe]
        if target.at is None:
            return because("%(target)s is no longer in the battle.", target=foe)
        if (ship.aspect or "side") == "side":
            return because("%(ship)s's heading is not parallel to %(target)s's.", ship=name, target=foe)
        if ship.stood is None and ship.at is None:
            return because("%(target)s is no longer in the battle.", target=name)
        here = ship if ship.at is not None else at_place(ship, ship.stood)
        way, shape = measured.unit(heading_of(ship)), battle.outline(here)
        span = measured.passage(shape, way, battle.outline(target))
        length = max(rest_of(ship), span[1] + TOUCH if span is not None else 0.0)
        for other, at in battle.places().items():
            if other in (name, foe):
                continue
            lies = battle.outline(at_place(battle.ships[other], at))
            third = measured.passage(shape, way, lies)
            if third is not None and third[1] > 0 and third[0] < length:
                return because("The water beyond %(target)s is not clear.", target=foe)
        if battle.board.closed.intersects(measured.swept(shape, way, length)):
            return because("The water beyond %(target)s is not clear.", target=foe)
        assert here.at is not None
        if battle.edge_is_wall() and not holds(battle, measured.onward(here.at, way, length)):
            return Reason("Beyond lies the edge of the board, which is a wall here.")
        return None

    def raked(self, battle: Battle, name: str, foe: str) -> Place:
        """G1.6.f, G7.2 She completes her step along the target's side, on the board."""
        ship = battle.ships[name]
        if ship.at is None:
            return ship.stood
        way = measured.unit(heading_of(ship))
        to = measured.onward(ship.at, way, rest_of(ship))
        return to if holds(battle, to) else ship.at

    def range_between(self, battle: Battle, one: Ship, other: Ship) -> int:
        """G1.3, G1.6.c From hull to hull in base lengths, rounded up; a gap of a whole one is range 2."""
        return measured.range_of(battle.hull(one), battle.hull(other))

    def sees(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G1.6.c, G5.6 From midship to midship: a coast that the line crosses blocks it; hulls only by the option."""
        if ship.at is None or other.at is None:
            return True
        if self.is_land_between(battle, ship, other):
            return False
        if not battle.options.ships_block_sight:
            return True
        line = LineString([ship.at, other.at])
        rest = (each for each in battle.ships.values() if each is not ship and each is not other)
        return not any(each.at is not None and battle.hull(each).intersects(line) for each in rest)

    def in_arc(self, ship: Ship, other: Ship) -> bool:
        """G5.6 Midship abeam or before the beam."""
        if ship.at is None or other.at is None:
            return True
        ahead = measured.unit(heading_of(ship))
        along: float = (other.at[0] - ship.at[0]) * ahead[0] + (other.at[1] - ship.at[1]) * ahead[1]
        return along >= -TOUCH

    def near_ships(self, battle: Battle, places: Iterable[Place]) -> set[str]:
        """G4.3 The ships whose next step could bring them to a hull that lay or lies in one of these places."""
        spots = list(places)
        longest = max(reach(battle, ship) for ship in battle.ships.values())
        return {
            name
            for name, ship in battle.ships.items()
            if ship.at is not None
            and any(measured.apart(ship.at, at) <= reach(battle, ship) + longest + BESIDE for at in spots)
        }

    def fields(self, battle: Battle, name: str, ship: Ship, found: dict[str, Way]) -> Iterator[StepField]:
        """G1.6.g The angles or headings of a step: all in roomy water, else each run of degrees that is free."""
        any_way = ship.free_turn == "any" and not ship.steps_made and ship.passing is None
        key, every = ("facing", range(360)) if any_way else ("angle", range(-MOST, MOST + 1))
        if not found:
            return
        if len(found) == 1 and not any_way:
            yield StepField(key, int(next(iter(found))))
            return
        free = list(every)
        if not is_roomy(battle, name, ship):
            near, own = around(battle, name, ship), "0" in found
            headings = {at: measured.turn_by(0 if any_way else heading_of(ship), at) for at in every}
            free = [
                at
                for at, heading in headings.items()
                if (own and heading == ship.facing) or row(battle, name, ship, heading, STEP, near).meets != "blocked"
            ]
        runs = runs_of(free) or [(whole(way.facing) if any_way else int(angle),) * 2 for angle, way in found.items()]
        for first, last in runs:
            yield StepField(key, first if first == last else {"from": first, "to": last})


def runs_of(numbers: list[int]) -> list[tuple[float, float]]:
    """Rising whole numbers as runs without a gap, each by its ends.

    >>> runs_of([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    runs: list[tuple[float, float]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def whole(value: float) -> float:
    """A heading as an offer gives it: whole where it can be."""
    return int(value) if value.is_integer() else value


def rest_of(ship: Ship) -> float:
    """G4.6 What is left of the step that ended in contact."""
    return ship.rest if isinstance(ship.rest, float) else 0.0
