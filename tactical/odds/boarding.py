"""G8.3, G8.4 A boarding fight of any two crews to its end, as a Markov chain over how many marines are left.

The lightest fall first, so a crew of n survivors is always the same crew: a state is two numbers. Hits, losses and
the verdict are the rules' own functions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tactical.kernel.record import BadInput
from tactical.odds.answer_cache import with_memory
from tactical.odds.chance import of_faces
from tactical.rules.boarding import HITS, lightest_fall, verdict
from tactical.ship import MARINES, Ship

Crew = dict[str, int]
Table = NDArray[Any]  # floats, or Fractions as objects

MOST = 60  # marines of one crew: six hundred men; twice as many cost eight times the time
EXACT_UP_TO = 40  # states: a fight as small as this is reckoned in fractions
TAIL = 1e-12  # the chance of still longer fights that the last round's bucket carries
FAINT = 1e-18  # states less likely than this are left out of the count of rounds
WINNERS = {"captured": "attacker", "thrown_back": "defender", "over": "neither"}


@with_memory
def boarding(attacker: Crew, defender: Crew) -> dict[str, Any]:
    """G8.4 Who wins, in which round, and with how many left. `neither`: both crews fell to the last.

    `survivors` gives for each crew the chance of each number of marines left when the fight ends; `rounds` the
    chance that it ends with round 1, 2, 3 … (the last carries the tail). BadInput for a boarder without marines,
    and for crews beyond MOST.
    """
    a, d = sum(attacker.values()), sum(defender.values())
    if a == 0:
        raise BadInput("attacker", "a ship must have at least one marine to board (G8.1)")
    for name, marines in (("attacker", a), ("defender", d)):
        if marines > MOST:
            raise BadInput(
                name,
                "%(marines)s marines are too many: the calculator can take at most %(most)s",
                marines=marines,
                most=MOST,
            )
    if d == 0:
        return unfought(a)
    exact = (a + 1) * (d + 1) <= EXACT_UP_TO
    left_a, left_d = left_tables(attacker, defender, exact)
    ends = fought_out(left_a, left_d)
    won = {winner: Fraction(0) for winner in WINNERS.values()}
    left = {"attacker": [Fraction(0)] * (a + 1), "defender": [Fraction(0)] * (d + 1)}
    for x, y in np.argwhere(ends).tolist():
        chance = ends[x, y]
        won[WINNERS[verdict(x, y)]] += chance
        left["attacker"][x] += chance
        left["defender"][y] += chance
    survivors = {crew: {str(n): plain(chance) for n, chance in enumerate(row) if chance} for crew, row in left.items()}
    return {
        **{winner: plain(chance) for winner, chance in won.items()},
        "rounds": rounds(left_a.astype(float), left_d.astype(float)),
        "survivors": survivors,
        "mean_survivors": {
            crew: sum((int(n) * chance for n, chance in row.items()), Fraction(0)) for crew, row in survivors.items()
        },
    }


def plain(chance: Any) -> Any:
    """A Fraction as it is; a number of numpy's as a float."""
    return chance if isinstance(chance, Fraction) else float(chance)


def unfought(attackers: int) -> dict[str, Any]:
    """G8.5 A ship without marines surrenders at the first round, and nobody rolls."""
    one, none = Fraction(1), Fraction(0)
    return {
        "attacker": one,
        "defender": none,
        "neither": none,
        "rounds": [1.0],
        "survivors": {"attacker": {str(attackers): one}, "defender": {"0": one}},
        "mean_survivors": {"attacker": Fraction(attackers), "defender": none},
    }


def remaining_crew(crew: Crew, left: int) -> Crew:
    """G8.3 What remains of a crew when `left` are alive: the lightest fell first."""
    ship = msgspec.structs.replace(Ship(side="a", type="trireme"), **{kind: crew.get(kind, 0) for kind in MARINES})
    after = lightest_fall({"a": ship}, ship.marines - left)["a"]
    return {kind: getattr(after, kind) for kind in MARINES}


def hit_table(crew: Crew, exact: bool) -> Table:
    """G8.3 table[n, k]: the chance that the n survivors of a crew kill k in a round."""
    most = sum(crew.values())
    table = np.zeros((most + 1, most + 1), dtype=object if exact else float)
    row = np.array([Fraction(1) if exact else 1.0])
    before = dict.fromkeys(MARINES, 0)
    for left in range(most + 1):
        alive = remaining_crew(crew, left)
        for kind in MARINES:
            if alive[kind] > before[kind]:
                hits = of_faces(HITS[kind])
                row = np.convolve(row, np.array([1 - hits, hits], dtype=object if exact else float))
        before = alive
        table[left, : left + 1] = row
    return table


def left_tables(attacker: Crew, defender: Crew, exact: bool) -> tuple[Table, Table]:
    """G8.3 left_a[x, y, n]: the chance that of x attackers facing y defenders n live; left_d[y, x, n] the same."""
    hits_a, hits_d = hit_table(attacker, exact), hit_table(defender, exact)
    return left_after(hits_d, len(hits_a) - 1), left_after(hits_a, len(hits_d) - 1)


def left_after(hits: Table, struck: int) -> Table:
    """G8.3 table[x, y, n]: of x struck by y strikers n live; hits beyond the last are lost."""
    strikers = len(hits)
    table = np.zeros((struck + 1, strikers, struck + 1), dtype=hits.dtype)
    for x in range(struck + 1):
        dead = np.zeros((strikers, x + 1), dtype=hits.dtype)
        dead[:, : min(x, strikers)] = hits[:, :x]
        if x < strikers:
            dead[:, x] = hits[:, x:].sum(axis=1)
        table[x, :, : x + 1] = dead[:, ::-1]
    return table


def fought_out(left_a: Table, left_d: Table) -> Table:
    """G8.4 ends[x, y]: the chance that the fight ends with x attackers and y defenders alive.

    Rounds in which nobody falls only repeat the state: its visits are divided by the chance of leaving it. The
    first round is fought however lopsided the crews are, and ends such a fight even if nobody falls.
    """
    a, d = len(left_a) - 1, len(left_d) - 1
    undecided = goes_on(a, d).tolist()
    visits = np.zeros((a + 1, d + 1), dtype=left_a.dtype)
    ends = visits.copy()
    visits[a, d] = 1
    for x in range(a, -1, -1):
        for y in range(d, -1, -1):
            weight = visits[x, y]
            if not weight:
                continue
            is_open = undecided[x][y]
            if (x, y) != (a, d) and not is_open:
                ends[x, y] += weight
                continue
            after_a, after_d = left_a[x, y, : x + 1], left_d[y, x, : y + 1]
            stay = after_a[x] * after_d[y]
            if not is_open:
                ends[x, y] += stay * weight
            after = (after_a * (weight / (1 - stay) if is_open else weight))[:, None] * after_d
            after[x, y] = 0
            visits[: x + 1, : y + 1] += after
    return ends


@lru_cache(maxsize=256)
def goes_on(attackers: int, defenders: int) -> Table:
    """G8.4 table[x, y]: does the fight go on when x attackers and y defenders are left?"""
    found = [[verdict(x, y) == "goes_on" for y in range(defenders + 1)] for x in range(attackers + 1)]
    table = np.array(found)
    table.flags.writeable = False
    return table


def rounds(left_a: Table, left_d: Table) -> list[float]:
    """G8.4 The chance that the fight ends with round 1, 2, 3 …"""
    a, d = len(left_a) - 1, len(left_d) - 1
    open_states = goes_on(a, d)
    xs, ys, weights = np.array([a]), np.array([d]), np.array([1.0])
    lengths: list[float] = []
    going = 1.0
    while going > TAIL:
        after = (left_a[xs, ys] * weights[:, None]).T @ left_d[ys, xs]
        still = np.where(open_states, after, 0.0)
        xs, ys = np.nonzero(still > FAINT)
        weights = still[xs, ys]
        left = float(weights.sum())
        lengths.append(going - left)
        going = left
    lengths[-1] += going
    return lengths
