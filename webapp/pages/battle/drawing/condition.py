"""How a ship fares, drawn: the hull left as pips, holes in the planks, who is aboard; and the board in small."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup, escape

from tactical.battle import Battle
from tactical.places import Place
from tactical.ship import Ship
from webapp.pages.battle.drawing import open_sea, sea

PIP, GAP = 3.6, 0.8  # of one hull point on the board, in the drawing's units
WIDEST = 40.0  # all pips of a ship together
NAME = 12  # letters of a name on the board


@lru_cache(maxsize=512)
def pips(left: int, whole: int, y: float = 21) -> Markup:
    """The hull as a row of small boxes about x = 0: those that are left filled, those lost hollow."""
    step = min(PIP + GAP, WIDEST / max(1, whole))
    wide, start = step * 0.82, -step * whole / 2

    def boxes(first: int, end: int) -> str:
        starts = (start + step * number for number in range(first, end))
        return "".join(f"M{x:.1f} {y:g}h{wide:.1f}v4.5h{-wide:.1f}z" for x in starts)

    return Markup('<path class="pip-lost" d="{}"/><path class="pip-left" d="{}"/>').format(
        boxes(left, whole), boxes(0, left)
    )


@lru_cache(maxsize=512)
def pip_row(left: int, whole: int) -> Markup:
    """The same for a chip: as wide as it is given."""
    frame = '<svg class="pips" viewBox="-20.5 20 41 6.5" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    return Markup(frame).format(pips(left, whole))


def fares(ship: Ship, whole: int) -> str:
    """The class of a ship's state by her hull: whole, wounded, or near her end."""
    left = max(0, whole - ship.damage)
    return "" if not ship.damage else " crippled" if left * 3 <= whole else " wounded"


def aboard(ship: Ship) -> str:
    """Marines, and archers behind a plus, as few figures as can be."""
    return f"{ship.marines}+{ship.archers}" if ship.archers else str(ship.marines)


def short_name(name: str) -> str:
    """A name that runs over no neighbour."""
    return name if len(name) <= NAME else name[: NAME - 1].rstrip() + "…"


def overview(battle: Battle, order: Mapping[str, int]) -> Markup:
    """The whole board in small, to jump by: land, and a dot for each ship."""
    left, top, width, height = sea.frame(battle.board)
    board = battle.board
    if board.kind == "open":
        water, land = open_sea.water(board), open_sea.land(board.coasts, *board.size)[0]
    else:
        water, land = sea.water(board.columns, board.rows)[0], sea.coast(board.dry, board.columns, board.rows)[0]
    dots = tuple(
        (order[ship.side], ship.at) for ship in battle.ships.values() if ship.at is not None and ship.is_afloat
    )
    return _small((left, top, width, height), water, land, dots)


@lru_cache(maxsize=64)
def _small(box: tuple[int, int, int, int], water: str, land: str, dots: tuple[tuple[int, Place], ...]) -> Markup:
    left, top, width, height = box
    places = ((shape, *sea.place(at)) for shape, at in dots)
    drawn = "".join(f'<circle class="dot side{shape:d}" cx="{x:g}" cy="{y:g}" r="24"/>' for shape, x, y in places)
    return Markup(
        f'<svg id="overview" class="overview" data-own="hidden" viewBox="{left:d} {top:d} {width:d} {height:d}"'
        ' aria-hidden="true" hidden>'
        f'<path class="water" d="{escape(water)}"/><path class="land" d="{escape(land)}"/>{drawn}'
        '<rect class="window" data-own="x y width height"/></svg>'
    )
