"""O10.1 Standings and records, each number with what it is the sum of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from msgspec.structs import replace

from strategic.season.state import Pairing, Result, Season
from tactical.kernel.record import Record

# -- O10.1 The table of standings: points, tie-breaks in the organizer's order, each number with what it is the sum of.


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
    byes: int = 0


FOUGHT = ("won", "drawn", "lost")  # what a battle that was fought was to a player


def how(pairing: Pairing, player: str) -> str:
    """What a pairing was to a player: won, drawn, lost, a bye, won or lost by forfeit, or unplayed; open while nothing
    is known."""
    if pairing.is_bye:
        return f"{pairing.bye}_bye" if pairing.bye else "bye"
    result = pairing.result
    if result is None:
        return "open"
    if not result.played:
        return "unplayed" if result.winner is None else "forfeit_won" if result.winner == player else "forfeit_lost"
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
        "half_bye": settings.draw,
        "full_bye": settings.win,
        "zero_bye": 0,
        "forfeit_won": settings.win,
        "forfeit_lost": settings.unplayed,
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
    """Tie-break `opponents`: the points of each opponent who was fought (Buchholz)."""
    for line in lines(season, player):
        if line.against is not None and line.how in FOUGHT:
            yield replace(line, points=points[line.against])


def ships(season: Season, player: str) -> Iterator[Line]:
    """Tie-break `ships`: enemy ships sunk and captured in each battle."""
    for played, pairing in season.paired().values():
        if pairing.result is not None and not pairing.is_bye and player in pairing.players:
            foe, what = pairing.other(player), how(pairing, player)
            if what in FOUGHT:
                yield Line(played.number, foe, what, count_prizes(pairing.result, player, foe))


def head_to_head(season: Season, player: str, points: dict[str, int]) -> Iterator[Line]:
    """Tie-break `head_to_head`: points from battles against those who have as many points."""
    for line in lines(season, player):
        if line.against is not None and line.how in FOUGHT and points[line.against] == points[player]:
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
            counts = {what: sum(line.how == what for line in parts) for what in FOUGHT}
            counts["byes"] = sum(line.how in ("bye", "half_bye", "full_bye") for line in parts)
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


# -- O10.1 Records of the season, each with the lines that it is the sum of.

Count = Callable[[Pairing, str], int]


class Part(Record, frozen=True):
    """One addend: the round, the opponent, and how many."""

    round: int
    against: str
    count: int


class Best(Record, frozen=True):
    """A record: its kind, who holds it (several where they are equal), with which ship, and the sum of its parts."""

    kind: str
    players: tuple[str, ...]
    count: int
    parts: tuple[Part, ...] = ()
    ship: str = ""


def rams(pairing: Pairing, player: str) -> int:
    """Rams in a battle that was fought here."""
    deeds = pairing.result.deeds.get(player) if pairing.result else None
    return deeds.rams if deeds else 0


def oars(pairing: Pairing, player: str) -> int:
    """Ships whose oars were broken, in a battle that was fought here."""
    deeds = pairing.result.deeds.get(player) if pairing.result else None
    return deeds.oars if deeds else 0


def prizes(pairing: Pairing, player: str) -> int:
    """Enemy ships captured."""
    outcome = pairing.result.outcome if pairing.result else None
    return outcome.of(pairing.other(player)).captured if outcome else 0


def captures(pairing: Pairing, player: str) -> int:
    """Enemy ships sunk and captured; battle points where no ships were reported."""
    return count_prizes(pairing.result, player, pairing.other(player)) if pairing.result else 0


def balance(pairing: Pairing, player: str) -> int:
    """Ships taken, less own ships lost."""
    return captures(pairing, player) - captures(pairing, pairing.other(player))


SUMS: dict[str, Count] = {"best_captain": balance, "prizes": prizes, "rams": rams, "oars": oars}


def played_pairings(season: Season, player: str) -> Iterator[tuple[int, Pairing]]:
    """The pairings of a player that were played, with their rounds."""
    for now, pairing in season.paired().values():
        if player in pairing.players and not pairing.is_bye and pairing.result is not None and pairing.result.played:
            yield now.number, pairing


def parts(season: Season, player: str, count: Count) -> tuple[Part, ...]:
    """What a player's total is the sum of; battles that add nothing are left out."""
    found = (
        (number, pairing.other(player), count(pairing, player)) for number, pairing in played_pairings(season, player)
    )
    return tuple(Part(number, other, many) for number, other, many in found if many)


def records(season: Season) -> tuple[Best, ...]:
    """O10.1 The records that somebody holds."""
    found = [best_sum(season, kind, count) for kind, count in SUMS.items()]
    found += [best_battle(season), longest_life(season)]
    return tuple(each for each in found if each is not None)


def best_sum(season: Season, kind: str, count: Count) -> Best | None:
    """Who has the greatest total over the season."""
    totals = {player: parts(season, player, count) for player in season.players}
    most = max((sum(part.count for part in each) for each in totals.values()), default=0)
    if most <= 0:
        return None
    holders = tuple(player for player, each in totals.items() if sum(part.count for part in each) == most)
    return Best(kind, holders, most, totals[holders[0]])


def best_battle(season: Season) -> Best | None:
    """The most ships taken in one battle; of equal ones the first."""
    best: Best | None = None
    for player in season.players:
        for part in parts(season, player, captures):
            if best is None or (part.count, -part.round) > (best.count, -best.parts[0].round):
                best = Best("battle", (player,), part.count, (part,))
    return best


def longest_life(season: Season) -> Best | None:
    """The ship that has survived the most battles since she was launched; of equal ones the first."""
    best: Best | None = None
    for player, each in season.players.items():
        for ship in each.ships.values():
            if ship.status == "afloat" and len(ship.rounds) > (best.count if best else 1):
                against = {number: pairing.other(player) for number, pairing in played_pairings(season, player)}
                lived = tuple(Part(number, against.get(number, ""), 1) for number in ship.rounds)
                best = Best("longest_lived", (player,), len(ship.rounds), lived, ship.name)
    return best
