"""Where a sheet has land, as a grid of small squares: asked by many threads at once, which GEOS does not bear."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from webapp.presenting.map.sheet import KEPT, Sheet

GRAIN = 4.0  # units of the drawing: the side of a square


@lru_cache(KEPT)
def grid(paper: Sheet) -> NDArray[np.bool_]:
    """Which squares have land in their middle, row by row. It is made of a copy of the land: asking prepares what is
    asked, and a geometry must not be prepared by one thread while another one reads it."""
    own = shapely.from_wkb(shapely.to_wkb(paper.land))
    x = np.arange(int(paper.width / GRAIN) + 1) * GRAIN + GRAIN / 2
    y = np.arange(int(paper.height / GRAIN) + 1) * GRAIN + GRAIN / 2
    return np.asarray(shapely.contains_xy(own, *np.meshgrid(x, y)))


def is_land(paper: Sheet, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """For each point, is it land? Off the paper there is sea."""
    squares = grid(paper)
    rows, columns = (y // GRAIN).astype(int), (x // GRAIN).astype(int)
    inside = (rows >= 0) & (columns >= 0) & (rows < squares.shape[0]) & (columns < squares.shape[1])
    found = squares[np.clip(rows, 0, squares.shape[0] - 1), np.clip(columns, 0, squares.shape[1] - 1)]
    return np.asarray(found & inside)
