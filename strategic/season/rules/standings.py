"""O10.1 The table of standings: points, tie-breaks in the organizer's order, each number with what it is the sum of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from strategic.season.state import Pairing, Result, Season
from tactical.kernel.record import Record


class Line(Record, frozen=True):
    """One addend: the round, the opponent (None: a bye), and what it gave."""

    round: int
    against: str | None
    how: str
    points: int


class Row(Record, frozen=True):
    """A player's place, from 1; players whom no tie-break tells apart share it. `breaks` by the tie-break's name."""

    player: str
    place: int
    points: int
    sum: tuple[Line, ...]
    breaks: dict[str, int]
    won: int = 0
    drawn: int = 0
    lost: int = 0


def how(pairing: Pairing, player: str) -> str:
    """What a pairing was to a player: won, drawn, lost, bye, unplayed; open while nothing is known."""
    if pairing.is_bye:
        return "bye"
    result = pairing.result
    if result is None:
        return "open"
    if not result.played:
        return "unplayed"
    if result.winner is None:
        return "drawn"
    return "won" if result.winner == player else "lost"


def worth(season: Season, what: str) -> int:
    """The points of a result."""
    settings = season.settings
    return {
        "won": settings.win,
        "drawn": settings.draw,
        "lost": settings.loss,
        "bye": settings.bye if season.pairing == "swiss" else 0,  # in a round robin everybody has as many
        "unplayed": settings.unplayed,
        "open": 0,
    }[what]


def lines(season: Season, player: str) -> Iterator[Line]:
    """Each pairing of a player, with its points; a bye counts when its round is published."""
    for each in season.played:
        for pairing in each.pairings.values():
            if player in pairing.players and each.published:
                what = how(pairing, player)
                yield Line(each.number, None if pairing.is_bye else pairing.other(player), what, worth(season, what))


def points_of(season: Season) -> dict[str, int]:
    """The points of every player."""
    return {player: sum(line.points for line in lines(season, player)) for player in season.players}


def ships_taken(result: Result, player: str, foe: str) -> int:
    """Ships that a player has sunk or taken in a battle; battle points where no ships were reported."""
    if result.outcome is not None:
        return result.outcome.of(foe).lost
    return result.points.get(player, 0)


def taken_by(season: Season) -> dict[str, int]:
    """Tie-break `ships`: enemy ships sunk and captured, over the season."""
    found = dict.fromkeys(season.players, 0)
    for _round, pairing in season.paired().values():
        if pairing.result is not None and not pairing.is_bye:
            for player in pairing.players:
                found[player] += ships_taken(pairing.result, player, pairing.other(player))
    return found


def opponents_of(season: Season, points: dict[str, int]) -> dict[str, int]:
    """Tie-break `opponents`: the points of all opponents together (Buchholz)."""
    return {
        player: sum(points[line.against] for line in lines(season, player) if line.against is not None)
        for player in season.players
    }


def head_to_head(season: Season, points: dict[str, int]) -> dict[str, int]:
    """Tie-break `head_to_head`: points from battles against those who have as many points."""
    return {
        player: sum(
            line.points
            for line in lines(season, player)
            if line.against is not None and points[line.against] == points[player]
        )
        for player in season.players
    }


def standings(season: Season) -> tuple[Row, ...]:
    """O10.1 Everybody's place, the best first; those who withdrew keep theirs."""
    points = points_of(season)
    reckoned = {
        "opponents": opponents_of(season, points),
        "ships": taken_by(season),
        "head_to_head": head_to_head(season, points),
    }
    order = season.settings.tie_breaks

    def rank(player: str) -> tuple[int, ...]:
        return (points[player], *(reckoned[name][player] for name in order))

    rows: list[Row] = []
    ranked = sorted(season.players, key=rank, reverse=True)
    for _rank, group in groupby(ranked, rank):
        place = len(rows) + 1
        rows += [
            _row(season, player, place, points, {name: reckoned[name][player] for name in order}) for player in group
        ]
    return tuple(rows)


def _row(season: Season, player: str, place: int, points: dict[str, int], breaks: dict[str, int]) -> Row:
    added = tuple(lines(season, player))
    counts = {what: sum(line.how == what for line in added) for what in ("won", "drawn", "lost")}
    return Row(player, place, points[player], added, breaks, **counts)
