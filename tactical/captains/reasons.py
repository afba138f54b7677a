"""What a captain answers: a command, every kind of reason for it, and what each level holds dear."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import msgspec

import data
from tactical.kernel.record import Input, Record

# -- What a captain answers: a command, why, and what else it weighed. Reasons are data; the pages put them in words.

Level = Literal["raw", "able", "seasoned", "still"]
Temper = Literal["careful", "boarder", "rammer"]
Mind = str  # by what a captain weighs: its level, and its temper if it has one, such as "able" or "able-boarder"
Role = Literal["line", "screen", "reserve", "guard"]

LEVELS: tuple[Level, ...] = ("raw", "able", "seasoned")  # who plays a battle; "still" stands in lessons and puzzles
TEMPERS: tuple[Temper, ...] = ("careful", "boarder", "rammer")
ROLES: tuple[Role, ...] = ("line", "screen", "reserve", "guard")


class Reason(Record, frozen=True):
    """One reason: its kind, the ships and numbers that it speaks of, the paragraph, and the chance it rests on."""

    kind: str
    data: dict[str, Any] = {}
    rule: str | None = None
    odds: float | None = None


class Considered(Record, frozen=True):
    """Another command that was weighed, and its value in points of hull (G10.2)."""

    command: dict[str, Any]
    value: float


class Choice(Record, frozen=True):
    """The command that a captain gives, its value, its reasons, and what else it considered, the best first."""

    command: dict[str, Any]
    reasons: tuple[Reason, ...] = ()
    considered: tuple[Considered, ...] = ()
    value: float = 0.0


class Orders(Record, frozen=True):
    """What a captain is told: its level and temper, and the role of each squadron by name (others are of the line).

    From the turn `breaks_off` on it gives up a battle that is lost; 0: it never does.
    """

    level: Level = "able"
    roles: dict[str, Role] = {}
    breaks_off: int = 0
    temper: Temper | None = None

    @property
    def mind(self) -> Mind:
        """By what this captain weighs."""
        return f"{self.level}-{self.temper}" if self.temper else self.level


MINDS: dict[Mind, Orders] = {
    orders.mind: orders for level in LEVELS for temper in (None, *TEMPERS) for orders in (Orders(level, temper=temper),)
}  # everybody who plays a battle


def reason(kind: str, /, rule: str | None = None, odds: float | None = None, **data: Any) -> Reason:
    """A reason with its data as keywords."""
    return Reason(kind, data, rule, None if odds is None else round(odds, 4))


def best_options(options: list[tuple[dict[str, Any], float]], most: int = 8) -> tuple[Considered, ...]:
    """The options by value, the best first, no more than `most`."""
    ranked = sorted(options, key=lambda option: -option[1])[:most]
    return tuple(Considered(command, round(value, 3)) for command, value in ranked)


# -- data/galley/captains.toml: what a captain of each level holds dear.


class Weights(Input, frozen=True):
    """One level's weights; their meaning stands in the file."""

    approach: float
    slow: float
    sprint: float
    shore: float
    edge: float
    crowd: float
    bearing: float
    exposure: float
    damage: float
    owing: float
    oars: float
    marine: float
    prize: float
    ram: float
    retaken: float
    risk: float
    forward: int
    likely: float
    reserve: int
    guard: int
    ahead: int
    last: int
    keep: float
    patience: int
    saves_fire: int
    spreads: float
    helpers: int
    yields: float
    prizes_win: int


class Table(Input, frozen=True):
    """The whole file: the meanings, for each level what differs from the one it is like, and each temper's factors."""

    meaning: dict[str, str]
    temper: dict[str, dict[str, float]]
    raw: dict[str, int | float | str]
    able: dict[str, int | float | str]
    seasoned: dict[str, int | float | str]


@cache
def weights_of(mind: Mind) -> Weights:
    """A captain's weights: its level's, with what that takes over from the level it is like, by those of its temper."""
    table = data.read("galley/captains.toml", Table)
    level, _dash, temper = mind.partition("-")
    weights = msgspec.convert(whole(table, level), Weights)
    times = table.temper[temper] if temper else {}
    return msgspec.structs.replace(weights, **{name: getattr(weights, name) * by for name, by in times.items()})


def whole(table: Table, level: str) -> dict[str, int | float | str]:
    """A level's own row over the row it is like."""
    row: dict[str, int | float | str] = dict(getattr(table, level))
    like = row.pop("like", None)
    return row if like is None else {**whole(table, str(like)), **row}


# -- Every kind of reason that a captain gives; the pages have a sentence for each, in each language.

KINDS: frozenset[str] = frozenset(
    (
        "agree_ahead",
        "aim_fight",
        "aim_guard",
        "aim_hunt",
        "aim_keep_lead",
        "aim_keep_off",
        "aim_march",
        "aim_march_ends",
        "aim_siege",
        "aim_no_enemy",
        "aim_intercept",
        "aim_leave_sea",
        "aim_let_go",
        "aim_let_pass",
        "aim_no_tactic",
        "aim_tactic",
        "aim_turn_back",
        "aim_province",
        "aim_reserve",
        "aim_safety",
        "aim_strength",
        "board_die",
        "fleet_besieges",
        "fleet_embarks",
        "fleet_gathers",
        "fleet_lands",
        "fleet_raids",
        "side_agrees",
        "side_builds",
        "side_proposes",
        "fleet_blockades",
        "fleet_convoys",
        "fleet_feeds",
        "fleet_hunts",
        "fleet_joins",
        "fleet_mends",
        "fleet_runs",
        "fleet_wants",
        "fleet_watches",
        "fleet_winters",
        "board_joins",
        "board_not",
        "board_wins",
        "board_with_friends",
        "careful",
        "deployed",
        "done",
        "evade",
        "fire_hull",
        "fire_kill",
        "fire_waits",
        "hold_still",
        "hold_to_board",
        "keep",
        "lock",
        "nothing_else",
        "plot_cruise",
        "plot_meet",
        "plot_meet_likely",
        "plot_only",
        "plot_owed",
        "plot_sprint",
        "plot_stays",
        "rake",
        "ram_head_on",
        "ram_sinks",
        "reroll",
        "stay",
        "step_blind",
        "step_meet",
        "step_only",
        "step_risk",
    )
)
