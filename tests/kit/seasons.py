"""A season at hand: begun, a command given or refused, a round paired and played."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from strategic.season import SEASON
from strategic.season.rules.pairing import BYE, byes, count_meetings
from strategic.season.rules.standings import points_of
from strategic.season.state import Season
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, read

QUINQUEREMES = [{"type": "quinquereme", "name": name} for name in ("Aquila", "Lupa", "Fortuna", "Minerva")]
OWN = {"liburna": {"hull": 4, "maximum": 6, "cruise": 4, "turn_cycle": 1, "acceleration": 3, "ram": -1}}
OWN["liburna"]["crew"] = {"roman": {"medium": 1}}


# Written by hand from the format's tables: a half-point bye, a late entry, one who leaves, a forfeit, forbidden pairs.
CLUB_2016 = """\
012 Winter cup
022 Ostia
XXR 5
XXP 1 3
XXZ 2
001    1 m    Rossi, Anna                       1850 ITA     1234567 1990/01/31  1.5    2     2 w 1  0000 - H     4 b 0
001    2      Bianchi, Bruno                    1700                             1.0    4     1 b 0     3 w 1
001    3   FM Verdi, Carla                                                       1.0    3  0000 - U     2 b 0     5 w -
001    4      Neri, Dino                                                         1.0    5            0000 - Z     1 w 1
001    5      Núñez, Elsa                                                        1.0    1                         3 b +
"""


def begun(players: int = 0, **fields: Any) -> Season:
    """A season with so many players, each with four quinqueremes."""
    season = SEASON.start(None, {"title": "Winter", **fields}, {}, Dice()).state
    for number in range(players):
        season = do(season, "enroll", name=f"Player {number + 1}", navy="roman", ships=QUINQUEREMES)
    return season


def do(season: Season, kind: str, seat: str = "umpire", **fields: Any) -> Season:
    """The season after a command; lots are drawn in the order in which the players came."""
    command = read({"type": kind, **fields}, SEASON.command)
    found = SEASON.apply(season, seat, command, Dice(secret=lambda sides: 1)).state
    assert SEASON.invariants(found) == ()
    return found


def refused(season: Season, kind: str, seat: str = "umpire", **fields: Any) -> str:
    """The sentence of a refusal."""
    with pytest.raises((Illegal, NotYours, BadInput)) as wrong:
        do(season, kind, seat, **fields)
    return str(wrong.value)


def paired(season: Season) -> Season:
    """The next round, published."""
    season = do(season, "pair")
    return do(season, "publish", round=len(season.played))


def played(season: Season, rng: random.Random | None = None) -> Season:
    """The open pairings of the round settled by the organizer: the first named wins, or by lot."""
    for name in season.now.open():
        players = season.now.pairings[name].players
        winner = rng.choice([*players, None]) if rng else players[0]
        season = do(season, "report", pairing=name, result={"winner": winner})
    return season


def swiss_season(seed: int, most: int = 14) -> Iterator[Season]:
    """A Swiss season by chance as it stands before each round and at its end.

    Players sit out, come late, leave and are kept apart; some battles are not fought. It ends early where a round
    cannot be paired.
    """
    rng = random.Random(seed)
    count = rng.randint(4, most)
    settings = {"win": rng.choice([2, 3]), "bye": 3, "damage": False}
    season = begun(count, rounds=min(7, count - 1), settings=settings)
    for number in range(1, season.rounds + 1):
        who = rng.choice(list(season.players))
        if rng.random() < 0.3:
            season = do(season, "ask_bye", player=who, round=number, bye=rng.choice(["half", "zero", "full"]))
        if rng.random() < 0.15:
            season = do(season, "keep_apart", players=rng.sample(list(season.players), 2))
        if number > 1 and rng.random() < 0.2:
            season = do(season, "enroll", name=f"Late Núñez {number}", rating=1000 + number)
        if number > 1 and rng.random() < 0.1 and season.players[who].until is None:
            season = do(season, "withdraw", player=who)
        yield season
        try:
            season = paired(season)
        except Illegal:
            return
        for name in season.now.open():
            players = season.now.pairings[name].players
            result = {"winner": rng.choice([*players, None])}
            if rng.random() < 0.08:
                result = {"played": False, "winner": rng.choice([players[0], None])}
            season = do(season, "report", pairing=name, result=result)
    yield season


def faults(season: Season, pairs: list[tuple[str, str]]) -> tuple[int, ...]:
    """How bad a round is, the worst first: byes had before, meetings before, the bye's score, scores apart squared."""
    points, met, had = points_of(season), count_meetings(season), byes(season)
    sits = [next(name for name in pair if name != BYE) for pair in pairs if BYE in pair]
    meet = [pair for pair in pairs if BYE not in pair]
    return (
        sum(had[name] for name in sits),
        sum(met.get(frozenset(pair), 0) for pair in meet),
        sum(points[name] for name in sits),
        sum((points[one] - points[other]) ** 2 for one, other in meet),
    )
