"""A forecast: so many battles from one position by captains of chosen levels, and what they add up to. No Flask.

Each battle hangs on its seed and number alone, so that any process may fight it and a stopped forecast goes on.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tactical import GALLEY
from tactical.battle import Battle
from tactical.captains.playing import Fought, play
from tactical.captains.tally import Share, wilson
from tactical.kernel.record import Record, decode, encode
from tactical.rules.ending import HALVES
from webapp.captains.matches import player

LOST = ("sunk", "captured", "withdrawn")


class Result(Record, frozen=True):
    """One battle: its number, who won, each side's points and losses by value, its length, and every ship's fate."""

    number: int
    winner: str | None
    points: dict[str, int]
    losses: dict[str, int]
    turns: int
    fates: dict[str, str]


class Losses(Record, frozen=True):
    """What a side probably loses: the mean, and the chance of each value (in points of hull, G10.2)."""

    mean: float
    distribution: dict[str, float]


class Fates(Record, frozen=True):
    """How often a ship is lost, and how."""

    name: str
    side: str
    type: str
    sunk: float
    captured: float
    withdrawn: float


class Sample(Record, frozen=True):
    """A battle to read: the first side's best, a middling one, or its worst."""

    kind: str
    number: int
    winner: str | None
    points: dict[str, int]
    turns: int


class Summary(Record, frozen=True):
    """What the battles so far add up to."""

    battles: int
    wins: dict[str, Share]
    draw: Share
    losses: dict[str, Losses]
    ships: dict[str, Fates]
    turns: Losses
    margin: dict[str, float]
    samples: tuple[Sample, ...]


def fight_one(start: Battle, levels: Mapping[str, str], seed: str, number: int, keep: bool = False) -> Fought:
    """One battle of a forecast."""
    players = {side: player(levels.get(side, "able"), f"levels.{side}") for side in start.sides}
    return play(GALLEY, start, players, random.Random(f"{seed}:{number}"), keep)


def fight(start: bytes, levels: Mapping[str, str], seed: str, numbers: Sequence[int]) -> list[bytes]:
    """Some battles of a forecast, from and to JSON: what a worker process runs."""
    battle = decode(start, Battle)
    return [encode(result(number, battle, fight_one(battle, levels, seed, number).state)) for number in numbers]


def result(number: int, start: Battle, end: Battle) -> Result:
    """What is kept of a battle."""
    fates: dict[str, str] = {name: ship.status for name, ship in end.ships.items() if not ship.is_afloat}
    losses = dict.fromkeys(end.sides, 0)
    for name, fate in fates.items():
        if start.ships[name].status == "afloat":
            losses[end.ships[name].side] += end.kind(end.ships[name]).hull * HALVES[fate] // HALVES["sunk"]
    won = end.result.winner if end.result is not None else None
    points = {name: side.points for name, side in end.sides.items()}
    return Result(number, won, points, losses, end.turn, fates)


def summarize(start: Battle, results: Sequence[Result]) -> Summary:
    """The chances with their intervals, the losses, the length, and three battles to read."""
    count = len(results)
    won = Counter(each.winner for each in results)
    sides = list(start.sides)
    fates = {name: Counter(each.fates.get(name) for each in results) for name in start.ships}
    return Summary(
        count,
        {side: wilson(won[side], count) for side in sides},
        wilson(won[None], count),
        {side: spread([each.losses[side] for each in results]) for side in sides},
        {
            name: Fates(
                ship.name or name,
                ship.side,
                ship.type,
                *(round(fates[name][fate] / count, 4) if count else 0.0 for fate in LOST),
            )
            for name, ship in start.ships.items()
            if ship.status == "afloat"
        },
        spread([each.turns for each in results]),
        spread([margin(each, sides[0]) for each in results]).distribution,
        samples(results, sides[0]),
    )


def spread(values: Sequence[int]) -> Losses:
    """The mean and the share of each value, lowest first."""
    if not values:
        return Losses(0.0, {})
    counted = Counter(values)
    shares = {str(value): round(counted[value] / len(values), 4) for value in sorted(counted)}
    return Losses(round(sum(values) / len(values), 3), shares)


def margin(result: Result, side: str) -> int:
    """By how many points the side leads at the end."""
    return result.points[side] - max((points for other, points in result.points.items() if other != side), default=0)


def samples(results: Sequence[Result], side: str) -> tuple[Sample, ...]:
    """The side's best battle, a middling one and its worst."""
    if not results:
        return ()
    ranked = sorted(results, key=lambda each: (-margin(each, side), each.number))
    picked = (("best", ranked[0]), ("median", ranked[len(ranked) // 2]), ("worst", ranked[-1]))
    return tuple(Sample(kind, each.number, each.winner, each.points, each.turns) for kind, each in picked)


def rows(start: Battle, results: Sequence[Result]) -> list[dict[str, Any]]:
    """One flat row for each battle, for CSV."""
    return [
        {
            "battle": each.number,
            "winner": each.winner or "",
            "turns": each.turns,
            **{f"points_{side}": each.points[side] for side in start.sides},
            **{f"losses_{side}": each.losses[side] for side in start.sides},
        }
        for each in results
    ]
