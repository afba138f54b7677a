"""Captains against one another, and plots of what came out."""

from __future__ import annotations

import csv
import hashlib
import io
import random
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from tactical import GALLEY
from tactical.battle import Battle
from tactical.captains import MINDS
from tactical.captains.captain import Player, play, wilson
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import BadInput, Record, encode

# -- Rows as CSV text.


def csv_of(rows: Sequence[dict[str, Any]]) -> str:
    """The rows with a header; nothing for no rows."""
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


# -- Captains against one another. Two different players exchange the sides and keep the dice, so that neither a side
# nor a lucky throw decides; of equal ones that would be the same battle again: they have other dice each time.

RANDOM = "random"
PLAYERS = (*MINDS, RANDOM)


class Match(Record, frozen=True):
    """What a match gave: games won by either, the share of `a` (a draw counts half) with its Wilson interval."""

    scenario: str
    players: dict[str, str]
    games: int
    a: int
    b: int
    draws: int
    share: float
    low: float
    high: float
    seconds: float
    commands: int
    sides: dict[str, int]


class Played(NamedTuple):
    """One game of a match: who won ("a", "b" or nobody), which side that was, the commands, a's and b's points, and how
    many ships each lost (sunk or taken) and had taken.

    `end` is a mark of the last position and of the dice: two games with the same one are the same game.
    """

    won: str | None
    side: str | None
    commands: int
    turns: int
    points: tuple[int, int]
    lost: tuple[int, int] = (0, 0)
    taken: tuple[int, int] = (0, 0)
    end: str = ""


def player(name: str, at: str, breaks_off: int = 0) -> Player:
    """A captain of a level ("able") and perhaps a temper ("able-boarder"), or random play; see `Orders`.

    Raises BadInput with the field's name.
    """
    if name == RANDOM:
        return None
    if name in MINDS:
        return msgspec.structs.replace(MINDS[name], breaks_off=breaks_off)
    raise BadInput(at, "there is no level '%(name)s'; there are %(players)s", name=name, players=tuple(PLAYERS))


def opening(
    scenario: str | None, position: dict[str, Any] | None = None, options: dict[str, Any] | None = None
) -> Battle:
    """The battle before its first command. Raises BadInput for an unknown scenario or a bad position."""
    source = random_source(random.Random(0).randrange)
    state: Battle = GALLEY.start(scenario, position, options or {}, Dice(source=source)).state
    return state


def seated(start: Battle, a: str, b: str, number: int) -> tuple[str, str]:
    """The sides of a and b in the game of this number: players of different levels exchange them every other game."""
    first, second = list(start.sides)[:2]
    return (first, second) if a == b or number % 2 == 0 else (second, first)


def dice_of(a: str, b: str, seed: str, number: int) -> random.Random:
    """The dice of the game of this number: those of the game before it only where the sides were exchanged."""
    return random.Random(f"{seed}:{number // 2}" if a != b else f"{seed}:{number}:own")


def game(start: Battle, a: str, b: str, seed: str, number: int, breaks_off: int = 0) -> Played:
    """One game. Games 0 and 1 of different players have the same dice with the sides exchanged; of equal ones all have
    other dice, and the first side is a's.

    From the turn `breaks_off` on, where it is not 0, captains give up what is lost; ships that are held in a boarding
    fight then are the enemy's.
    """
    first, second = seated(start, a, b, number)
    players = {first: player(a, "a", breaks_off), second: player(b, "b", breaks_off)}
    dice = dice_of(a, b, seed, number)
    fought = play(GALLEY, start, players, dice)
    won = {first: "a", second: "b"}.get(fought.winner or "")
    points = (fought.state.sides[first].points, fought.state.sides[second].points)
    ships = fought.state.ships.values()
    gave_up = {name for name, side in fought.state.sides.items() if side.resigned}
    gone = [
        ["captured" if ship.boarding and side in gave_up else ship.status for ship in ships if ship.side == side]
        for side in (first, second)
    ]
    lost = [sum(status in ("sunk", "captured") for status in own) for own in gone]
    taken = [own.count("captured") for own in gone]
    end = hashlib.sha256(encode(fought.state) + repr(dice.getstate()).encode()).hexdigest()[:16]
    return Played(
        won, fought.winner, fought.commands, fought.state.turn, points, (lost[0], lost[1]), (taken[0], taken[1]), end
    )


def games(start: Battle, a: str, b: str, seed: str, count: int) -> Iterator[Played]:
    """All games of a match, one after another."""
    for number in range(count):
        yield game(start, a, b, seed, number)


def match(scenario: str, a: str, b: str, count: int, seed: str) -> Match:
    """Play a match. Raises BadInput for unknown players or scenarios."""
    player(a, "a"), player(b, "b")
    start = opening(scenario)
    begun = perf_counter()
    return totals(scenario, start, a, b, list(games(start, a, b, seed, count)), perf_counter() - begun)


def totals(scenario: str, start: Battle, a: str, b: str, played: list[Played], seconds: float) -> Match:
    """The sums of a match."""
    won = {each: sum(game.won == each for game in played) for each in ("a", "b")}
    draws = len(played) - won["a"] - won["b"]
    share = wilson(won["a"] + draws / 2, len(played))
    sides = {side: sum(game.side == side for game in played) for side in start.sides}
    return Match(
        scenario,
        {"a": a, "b": b},
        len(played),
        won["a"],
        won["b"],
        draws,
        share.share,
        share.low,
        share.high,
        round(seconds, 2),
        sum(game.commands for game in played),
        sides,
    )
