"""G1.5 The players' own table: the program sees no places, the players say what their models do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tactical.battle import Battle
from tactical.commands import Step
from tactical.geometry.hexes import TURN_NAMES
from tactical.geometry.places import Heading, Place, StepField, Way
from tactical.kernel.protocol import Illegal
from tactical.kernel.reason import Reason, because
from tactical.ship import Ship


class OwnTable:
    """G1.5 No hexes and no places."""

    declared = True

    def headings(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G4.1, G6.8 A turn to either side; nobody knows which way a free ship faces."""
        return dict.fromkeys(TURN_NAMES) if turns or any_way else {"none": ship.facing}

    def finer(self, ship: Ship, turns: bool, any_way: bool) -> dict[str, Heading]:
        """G1.5 A turn is to the left or to the right."""
        return {}

    def why_not_between(self, battle: Battle, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G1.5 A turn is to the left or to the right."""
        return None

    def course(self, ship: Ship, command: Step) -> tuple[Heading, bool]:
        """G4.1 The turn alone."""
        return ship.facing, (command.turn or "none") != "none"

    def why_not_course(self, name: str, ship: Ship, command: Step) -> Illegal | None:
        """G1.5 A ship has no facing here."""
        if command.facing is not None or command.angle is not None:
            return Illegal(
                "G1.5",
                "On the players' own table the program does not know which way a ship faces; "
                "say how she turns instead.",
            )
        return None

    def way(self, battle: Battle, name: str, ship: Ship, facing: Heading) -> Way:
        """G1.5 Open, as far as the program can see."""
        return Way(facing, None, "open")

    def followers(self, battle: Battle, waiting: list[str], vacated: Place) -> list[str]:
        """G1.5 The players move their models."""
        return []

    def way_on(self, battle: Battle, name: str, vacated: Place, rest: float) -> Way:
        """G1.5 The players move their models."""
        return Way(battle.ships[name].facing, None, "open")

    def aspect(self, battle: Battle, ship: Ship, target: Ship) -> str | None:
        """G6.1 As it was declared."""
        return ship.aspect

    def still_passing(self, battle: Battle, ship: Ship, to: Place) -> str | None:
        """G7.2 One step leads clear."""
        return None

    def come_clear(self, battle: Battle, name: str) -> dict[str, Ship]:
        """G7.2 One step leads clear, the raker's own."""
        return {}

    def is_land_between(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G1.5 The players look."""
        return False

    def fields(self, battle: Battle, name: str, ship: Ship, found: dict[str, Way]) -> Iterator[StepField]:
        """G4.1 The turns."""
        turns = list(found)
        if turns:
            yield StepField("turn", turns[0] if len(turns) == 1 else turns)

    def met_by(self, battle: Battle, found: Way) -> tuple[str, ...]:
        """G1.5 A contact is declared, not met."""
        return ()

    def is_edge_astern(self, battle: Battle, ship: Ship) -> bool:
        """G1.5 The players see to the edge."""
        return False

    def standing_serves(self, battle: Battle, name: str, ship: Ship) -> bool:
        """G6.7 The player says that the model cannot back."""
        return True

    def is_bow_to_bow(self, ship: Ship, target: Ship) -> bool:
        """G6.1 As it was declared."""
        return ship.aspect == "bow_to_bow"

    def why_no_rake(self, battle: Battle, name: str, foe: str) -> Reason | None:
        """G7.1 Parallel, as it was declared."""
        ship = battle.ships[name]
        bow = battle.ships[foe].aspect if battle.ships[foe].contact == name else ship.aspect
        if ship.aspect in ("parallel", "bow_to_bow") or bow == "bow_to_bow":
            return None
        return because("%(ship)s is not parallel to %(target)s.", ship=name, target=foe)

    def raked(self, battle: Battle, name: str, foe: str) -> Place:
        """G7.2 Alongside, wherever that is."""
        return battle.ships[foe].at

    def range_between(self, battle: Battle, one: Ship, other: Ship) -> int:
        """G1.3 The players measure it."""
        return 1

    def sees(self, battle: Battle, ship: Ship, other: Ship) -> bool:
        """G5.6 The players look."""
        return True

    def in_arc(self, ship: Ship, other: Ship) -> bool:
        """G5.6 The players look."""
        return True

    def near_ships(self, battle: Battle, places: Iterable[Place]) -> set[str]:
        """G1.5 Nobody knows."""
        return set()
