"""O10.1 The table of standings: points, tie-breaks in the organizer's order, each number with what it is the sum of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from msgspec.structs import replace

from strategic.season.state import Pairing, Result, Season
from tactical.kernel.record import Record


class Line(Record, frozen=True):
    """One addend: the round, the opponent (None: a bye), and what it gave."""

    round: int
    against: str | None
    how: str
    points: int


class Row(Record, frozen=True):
    """A player's place, from 1; players whom no tie-break tells apart share it.

    `breaks` by the tie-break's name, `break_sums` what each of them is the sum of.
    """

    player: str
    place: int
    points: int
    sum: tuple[Line, ...]
    breaks: dict[str, int]
    break_sums: dict[str, tuple[Line, ...]]
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


def count_prizes(result: Result, player: str, foe: str) -> int:
    """Ships that a player has sunk or taken in a battle; battle points where no ships were reported."""
    if result.outcome is not None:
        return result.outcome.of(foe).lost
    return result.points.get(player, 0)


def opponents(season: Season, player: str, points: dict[str, int]) -> Iterator[Line]:
    """Tie-break `opponents`: the points of each opponent (Buchholz)."""
    for line in lines(season, player):
        if line.against is not None:
            yield replace(line, points=points[line.against])


def ships(season: Season, player: str) -> Iterator[Line]:
    """Tie-break `ships`: enemy ships sunk and captured in each battle."""
    for played, pairing in season.paired().values():
        if pairing.result is not None and not pairing.is_bye and player in pairing.players:
            foe = pairing.other(player)
            yield Line(played.number, foe, how(pairing, player), count_prizes(pairing.result, player, foe))


def head_to_head(season: Season, player: str, points: dict[str, int]) -> Iterator[Line]:
    """Tie-break `head_to_head`: points from battles against those who have as many points."""
    for line in lines(season, player):
        if line.against is not None and points[line.against] == points[player]:
            yield line


def standings(season: Season) -> tuple[Row, ...]:
    """O10.1 Everybody's place, the best first; those who withdrew keep theirs."""
    points = points_of(season)
    order = season.settings.tie_breaks
    added = {player: sums(season, player, points) for player in season.players}
    reckoned: dict[str, dict[str, int]] = {
        player: {name: sum(line.points for line in added[player][name]) for name in order} for player in season.players
    }

    def rank(player: str) -> tuple[int, ...]:
        return (points[player], *reckoned[player].values())

    rows: list[Row] = []
    ranked = sorted(season.players, key=rank, reverse=True)
    for _rank, group in groupby(ranked, rank):
        place = len(rows) + 1
        for player in group:
            parts = tuple(lines(season, player))
            counts = {what: sum(line.how == what for line in parts) for what in ("won", "drawn", "lost")}
            breaks: dict[str, tuple[Line, ...]] = {name: added[player][name] for name in order}
            rows.append(Row(player, place, points[player], parts, reckoned[player], breaks, **counts))
    return tuple(rows)


def sums(season: Season, player: str, points: dict[str, int]) -> dict[str, tuple[Line, ...]]:
    """What each tie-break of a player is the sum of."""
    return {
        "opponents": tuple(opponents(season, player, points)),
        "ships": tuple(ships(season, player)),
        "head_to_head": tuple(head_to_head(season, player, points)),
    }
