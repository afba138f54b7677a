"""O10.1 Records of the season, each with the lines that it is the sum of."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from strategic.season.rules.standings import count_prizes
from strategic.season.state import Pairing, Season
from tactical.kernel.record import Record

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
