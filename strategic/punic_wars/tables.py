"""9.4, 9.5, 11.4, 16.5 The tables of the map sheet; the numbers of the rules, counters, leaders, scenarios."""

from __future__ import annotations

from typing import Literal

import data
from tactical.kernel.record import Input, Record


class CombatRow(Input, frozen=True):
    """Losses of both sides in per cent, one for each column of ratios."""

    die: int
    attacker: tuple[int, ...]
    defender: tuple[int, ...]


class Combat(Input, frozen=True):
    """9.4 The combat results: a row for each modified die from `lowest` to `highest`."""

    columns: tuple[str, ...]
    rows: tuple[CombatRow, ...]
    lowest: int
    highest: int
    cite: str = "9.4"
    source: str = "house"
    note: str = ""

    def losses(self, ratio: str, die: int) -> tuple[int, int]:
        """9.25 What attacker and defender lose, in per cent; a die beyond the ends reads the end row."""
        row = self.rows[min(max(die, self.lowest), self.highest) - self.lowest]
        column = self.columns.index(ratio)
        return row.attacker[column], row.defender[column]


class Loss(Input, frozen=True):
    """9.5 Points lost by a force of n points (row n) at each percentage."""

    percents: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    cite: str = "9.5"
    source: str = "house"
    note: str = ""

    def points(self, force: int, percent: int) -> int:
        """9.31 The points lost; beyond the last row the rest of the force is read as a force of its own."""
        if force <= 0 or percent <= 0:
            return 0
        over = max(0, force - len(self.rows))
        row = self.rows[force - over - 1]
        return row[self.percents.index(percent)] + self.points(over, percent)


class AttritionRow(Input, frozen=True):
    """The loss in per cent for a modified die up to `upto`; without it, for all higher ones."""

    loss: int
    upto: int | None = None


class Attrition(Input, frozen=True):
    """11.4 The attrition table, read from the top."""

    rows: tuple[AttritionRow, ...]
    cite: str = "11.4"
    source: str = "house"
    note: str = ""

    def percent(self, die: int) -> int:
        """The loss in per cent for a modified die."""
        return next(row.loss for row in self.rows if row.upto is None or die <= row.upto)


class DiplomacyRow(Input, frozen=True):
    """16.31 One of the five results, and the regions that it speaks of."""

    result: Literal["none", "revolt", "war", "alliance", "defection"]
    upto: int | None = None
    regions: tuple[str, ...] = ()
    to: Literal["rome", "carthage"] | None = None


class Diplomacy(Input, frozen=True):
    """16.5 A diplomacy table, read from the top."""

    name: Literal["one", "two"]
    rows: tuple[DiplomacyRow, ...]
    cite: str = "16.5"
    source: str = "house"
    note: str = ""

    def row(self, die: int) -> DiplomacyRow:
        """The result of a modified die."""
        return next(row for row in self.rows if row.upto is None or die <= row.upto)


class Sheet(Input, frozen=True):
    """3.3 All tables of the map sheet."""

    combat: Combat
    loss: Loss
    attrition: Attrition
    diplomacy: tuple[Diplomacy, ...]

    def diplomatic(self, name: str) -> Diplomacy:
        """16.31 The diplomacy table of a scenario."""
        return next(table for table in self.diplomacy if table.name == name)


class Movement(Record, frozen=True):
    """3.2 (movement allowance), 5.12, 5.44."""

    allowance: int
    hex_cost: int
    safe_odds: int
    cite: str = ""


class CombatNumbers(Record, frozen=True):
    """9.14, 9.32."""

    face_up_cost: int
    inverted_cost: int
    least_attackers: int
    least_defenders: int
    highest_ratio: int


class Walls(Record, frozen=True):
    """9.22 to 9.24."""

    village: int
    city: int
    great_city: int


class PointCost(Record, frozen=True):
    """12.0 Treasury points for a combat point."""

    point_cost: int


class RecruitingNumbers(Record, frozen=True):
    """13.11, 13.24, 13.25."""

    point_cost: int
    nobody_in: tuple[str, ...]
    not_in: dict[str, tuple[str, ...]]


class Elections(Record, frozen=True):
    """8.4."""

    removed: int
    drawn: int


class Places(Record, frozen=True):
    """9.24 The great cities."""

    great_cities: tuple[str, ...]
    rome: str
    syracuse: str
    carthage: str


class Navy(Record, frozen=True):
    """19.14.C, 19.14.D."""

    inexperience: int
    built_on: tuple[int, ...]
    lost_on: int


class Fled(Record, frozen=True):
    """L3.7."""

    percent: int


class Numbers(Record, frozen=True):
    """The numbers that the rules print in their text."""

    movement: Movement
    combat: CombatNumbers
    walls: Walls
    supply: PointCost
    recruiting: RecruitingNumbers
    elections: Elections
    places: Places
    navy: Navy
    fled: Fled


class Limit(Record, frozen=True):
    """7.35 (limits)."""

    land: int
    naval: int


class Counters(Record, frozen=True):
    """7.35 (limits) The counter mix."""

    rome: Limit
    carthage: Limit
    syracuse: Limit
    shown_as: tuple[int, ...]


class LeaderCounter(Record, frozen=True):
    """8.11 A leader counter: the letter only tells it from others."""

    id: str
    side: str
    letter: str
    value: int
    source: str = "reconstructed"
    name: str = ""


class _Leaders(Record, frozen=True):
    leader: tuple[LeaderCounter, ...]


class Levels(Record, frozen=True):
    """Victory levels by the higher total; without them the scenario has none."""

    cite: str
    marginal: int | None = None
    substantial: int | None = None
    decisive: int | None = None


class Special(Record, frozen=True):
    """The special rules of a scenario."""

    without_value: int | None = None
    inexperienced_at_sea: tuple[str, ...] = ()
    hannibal_returns_as: int | None = None
    roman_three_gone: bool = False
    illyrian_war: bool = False
    only_the_fall_of_carthage: bool = False


class ScenarioGroup(Record, frozen=True, rename={"where": "in"}):
    """19.0 (procedure) Units that are set up in a hex or anywhere in a region."""

    side: str
    cite: str
    where: str
    usual: str = ""
    land: int = 0
    naval: int = 0
    leaders: tuple[int, ...] = ()


class Scenario(Record, frozen=True):
    """One of the three wars."""

    id: str
    title: str
    history: str
    source: str
    cite: str
    victory: Levels
    special: Special
    group: tuple[ScenarioGroup, ...]
    diplomacy: str | None = None


NUMBERS: Numbers = data.read("punic_wars/rules.toml", Numbers)
COUNTERS: Counters = data.read("punic_wars/counters.toml", Counters)
PRINTED: Sheet = data.read("punic_wars/tables.toml", Sheet)
LEADERS: dict[str, LeaderCounter] = {
    counter.id: counter for counter in data.read("punic_wars/leaders.toml", _Leaders).leader
}
SCENARIOS: dict[str, Scenario] = {
    scenario.id: scenario for scenario in (data.read(path, Scenario) for path in data.files("punic_wars/scenarios"))
}


def limit(nation: str, kind: str) -> int:
    """7.35 (limits) The most points of a nation and kind that may be in play."""
    bound: Limit = getattr(COUNTERS, nation)
    return bound.land if kind == "land" else bound.naval
