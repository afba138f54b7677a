"""What our figures are held against: other people's code, or the plainest that does the same."""

from __future__ import annotations

import random
from functools import cache

import chess
import numpy as np

LONGEST = 300  # moves of one game of chess


def chess_moves(seed: int, most: int) -> int:
    """python-chess's random play: so many moves, over as many games as it takes."""
    generator, played = random.Random(seed), 0
    while played < most:
        board = chess.Board()
        for _ in range(min(LONGEST, most - played)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(generator.choice(moves))
            played += 1
    return played


def convolution(attackers: int, defenders: int, chance: float = 1 / 3) -> float:
    """A fight to the end by a plain convolution in numpy: who is left, over all states, the strongest first.

    Each figure hits with the same chance; hits are convolved figure by figure; a round without any is left out.
    """
    hits = [np.ones(1)]
    for _ in range(max(attackers, defenders)):
        hits.append(np.convolve(hits[-1], [1 - chance, chance]))
    left = np.zeros((attackers + 1, defenders + 1))
    left[attackers, defenders] = 1.0
    for a in range(attackers, 0, -1):
        for d in range(defenders, 0, -1):
            here = left[a, d]
            falls = np.outer(capped(hits[d], a), capped(hits[a], d))
            falls /= 1 - falls[0, 0]
            falls[0, 0] = 0
            left[a, d] = 0
            left[: a + 1, : d + 1] += here * falls[::-1, ::-1]
    return float(left[1:, 0].sum())


def capped(hits: np.ndarray, most: int) -> np.ndarray:
    """The chances of 0 to `most` falling: more hits than men fell all."""
    if len(hits) > most + 1:
        return np.append(hits[:most], hits[most:].sum())
    return np.pad(hits, (0, most + 1 - len(hits)))


@cache
def kept(number: int) -> tuple[int, int]:
    """An answer that functools keeps."""
    return (number, number + 1)
