"""O10.1 Pairings: Swiss as a matching of least cost, round robin by the circle method."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import networkx as nx

from strategic.season.rules.standings import points_of
from strategic.season.state import Pairing, Season, Why
from tactical.kernel.dice import Dice

BYE = ""  # stands for the empty place of an odd number of players


def count_meetings(season: Season) -> dict[frozenset[str], int]:
    """How often two players have met."""
    found: dict[frozenset[str], int] = {}
    for _round, pairing in season.paired().values():
        if not pairing.is_bye:
            pair = frozenset(pairing.players)
            found[pair] = found.get(pair, 0) + 1
    return found


def byes(season: Season) -> dict[str, int]:
    """How many byes each player has had."""
    found = dict.fromkeys(season.players, 0)
    for _round, pairing in season.paired().values():
        if pairing.is_bye:
            found[pairing.players[0]] += 1
    return found


def firsts(season: Season) -> dict[str, int]:
    """How often each player was named first, so that he deployed first."""
    found = dict.fromkeys(season.players, 0)
    for _round, pairing in season.paired().values():
        if not pairing.is_bye:
            found[pairing.players[0]] += 1
    return found


class Costs:
    """What each possible pairing of a round of these players costs: whole numbers, the less the better.

    Another bye weighs more than all else in the round together, then a rematch, then the score of who has the bye, then
    the squares of the differences of scores; whatever a win is worth.
    """

    def __init__(self, season: Season, players: Sequence[str]) -> None:
        self.points = points_of(season)
        self.met, self.byes = count_meetings(season), byes(season)
        scores = [self.points[player] for player in players]
        self.lowest, pairs = min(scores, default=0), len(players) // 2
        spread = max(scores, default=0) - self.lowest
        self.score = pairs * spread**2 + 1
        self.rematch = self.score * (spread + 1)
        self.again = self.rematch * (pairs * max(self.met.values(), default=0) + 1)

    def of(self, one: str, other: str) -> int:
        """O10.1 No rematch while one can be avoided, near scores, a bye once each and to the lowest scores."""
        if BYE in (one, other):
            player = one or other
            return self.again * self.byes[player] + self.score * (self.points[player] - self.lowest)
        apart = self.points[one] - self.points[other]
        return self.rematch * self.met.get(frozenset((one, other)), 0) + apart * apart


def match(costs: Costs, players: Sequence[str]) -> list[tuple[str, str]]:
    """Everybody in one pair, at the least total cost: a matching of greatest weight (networkx).

    With an odd number of players one of them is paired with BYE.
    """
    everybody = [*players, BYE] if len(players) % 2 else list(players)
    graph: nx.Graph[str] = nx.Graph()
    for one, other in combinations(everybody, 2):
        graph.add_edge(one, other, weight=-costs.of(one, other))
    found = nx.max_weight_matching(graph, maxcardinality=True)
    place = {name: number for number, name in enumerate(everybody)}
    return sorted((tuple(sorted(pair, key=place.__getitem__)) for pair in found), key=lambda pair: place[pair[0]])


def in_turn(season: Season, one: str, other: str) -> tuple[str, str]:
    """Who has deployed first less often does so now; of two alike, the one who came first."""
    before = firsts(season)
    order = list(season.players)
    first, second = sorted((one, other), key=lambda name: (before[name], order.index(name)))
    return first, second


def swiss(season: Season, players: Sequence[str], dice: Dice) -> list[Pairing]:
    """O10.1 The next Swiss round; the first is drawn by lot, two by two, and the last of an odd number has the bye."""
    if not season.played:
        lot = dice.shuffled(players)
        pairs = [Pairing(in_turn(season, *lot[at : at + 2]), Why("lot")) for at in range(0, len(lot) - 1, 2)]
        return pairs + [Pairing(lot[-1:], Why("lot_bye"))] * (len(lot) % 2)
    costs = Costs(season, players)
    ranked = sorted(players, key=lambda name: -costs.points[name])
    return byes_last(_pairing(season, costs, pair) for pair in match(costs, ranked))


def byes_last(found: Iterable[Pairing]) -> list[Pairing]:
    """Pairings of two, then whoever sits out."""
    return sorted(found, key=lambda pairing: pairing.is_bye)


def _pairing(season: Season, costs: Costs, pair: tuple[str, str]) -> Pairing:
    if BYE in pair:
        player = pair[0] or pair[1]
        return Pairing((player,), Why("bye", {"points": costs.points[player], "byes": costs.byes[player]}))
    one, other = in_turn(season, *pair)
    values = {"one": costs.points[one], "other": costs.points[other]}
    again = costs.met.get(frozenset(pair), 0)
    if again:
        return Pairing((one, other), Why("rematch", {**values, "met": again}))
    return Pairing((one, other), Why("near" if values["one"] != values["other"] else "same", values))


def circle(players: Sequence[str], number: int) -> list[tuple[str, str]]:
    """Round `number` (from 1) of a round robin by the circle method; an odd one out is paired with BYE.

    The first player stands still and the others go round, so that each pair meets once in n - 1 rounds (n even).
    """
    everybody = [*players, BYE] if len(players) % 2 else list(players)
    turn = (number - 1) % (len(everybody) - 1)
    around = everybody[1:]
    ring = [everybody[0], *around[-turn:], *around[:-turn]] if turn else everybody
    half = len(ring) // 2
    return list(zip(ring[:half], reversed(ring[half:]), strict=True))


def round_robin(season: Season, players: Sequence[str], number: int) -> list[Pairing]:
    """O10.1 A round of everybody against everybody: by the circle while nobody has come or gone.

    Otherwise as many as can be of those who have not met; whoever has no such opponent left sits the round out.
    """
    together = all(season.entered(each.number) == tuple(players) for each in season.played)
    costs = Costs(season, players)
    pairs = circle(players, number) if together else match(costs, players)
    found = []
    for one, other in pairs:
        if BYE in (one, other):
            found.append(Pairing((one or other,), Why("bye_in_turn", {"round": number})))
        elif costs.met.get(frozenset((one, other)), 0):
            found += [Pairing((player,), Why("nobody_left", {"round": number})) for player in (one, other)]
        else:
            found.append(Pairing(in_turn(season, one, other), Why("circle", {"round": number})))
    return byes_last(found)


def has_everybody_met(season: Season, players: Sequence[str]) -> bool:
    """Has each of these met each?"""
    known = count_meetings(season)
    return all(known.get(frozenset(pair), 0) for pair in combinations(players, 2))


def count_rounds(way: str, count: int) -> int:
    """O10.1 How many rounds a season of so many players has, where nobody has said: all against all, or log2."""
    if count < 2:
        return 0
    if way == "round_robin":
        return count - 1 if count % 2 == 0 else count
    return max(1, (count - 1).bit_length())
