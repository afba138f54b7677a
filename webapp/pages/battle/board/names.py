"""The names of ships on the board, prizes too, and below those that fight and are hurt what is left of their hulls.

A name is as large on the screen at every zoom; static/labels.js finds it a place where it covers nothing. Without a
script it stands below its ship.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from markupsafe import Markup

from tactical.battle import Battle
from tactical.ship import Ship
from webapp.pages.battle.board import sea
from webapp.presenting import hulls

BOX, STEP = 5, 6  # pixels of a hull point, and from one to the next
BELOW = 42  # from midship to a name that no script has placed


def draw_names(
    battle: Battle, ships: Sequence[tuple[str, Ship]], shapes: Mapping[str, int], mine: Collection[str]
) -> Markup:
    """The names of the ships that are afloat or prizes, as one element. A prize takes no part (G8.6): no hull stands
    below her name, and no camera seeks her."""
    drawn = (
        draw_name(
            name,
            ship.name or name,
            ship.type,
            sea.place(ship.at),
            shapes[ship.side],
            "prize" if ship.is_prize else "mine" if name in mine else "",
            0 if ship.is_prize else ship.damage,
            battle.kind(ship).hull,
        )
        for name, ship in ships
        if ship.at is not None and (ship.is_afloat or ship.is_prize)
    )
    return Markup('<g id="names" aria-hidden="true">{}</g>').format(Markup("").join(drawn))


@lru_cache(maxsize=4096)
def draw_name(
    ship: str, name: str, kind: str, place: tuple[float, float], shape: int, mark: str, damage: int, whole: int
) -> Markup:
    """One ship's name and hull, with what its place depends on: where she lies, and how large she is. The mark
    says whether she is a prize, or belongs to whoever looks."""
    x, y = place
    left = max(0, whole - damage)
    return Markup(
        '<g id="name-{}" class="name-tag" data-own="transform visibility" data-of="{}" data-x="{}" data-y="{}"'
        ' data-long="{}" data-broad="{}" data-side="{}" data-left="{}"{} transform="translate({} {})">'
        '<text class="nm">{}</text>{}</g>'
    ).format(
        ship,
        ship,
        f"{x:g}",
        f"{y:g}",
        f"{hulls.length(kind):g}",
        f"{hulls.beam(kind):g}",
        shape,
        left,
        Markup(" data-{}").format(mark) if mark else "",
        f"{x:g}",
        f"{y + BELOW:g}",
        name,
        hull_boxes(left, whole) if damage else "",
    )


@lru_cache(maxsize=512)
def hull_boxes(left: int, whole: int) -> Markup:
    """A box for each point of the hull: filled is left, hollow is lost."""
    start = -(STEP * whole - 1) / 2

    def boxes(first: int, end: int) -> str:
        return "".join(f"M{start + STEP * number:g} 6h{BOX}v{BOX}h-{BOX}z" for number in range(first, end))

    drawn = Markup('<path class="pip-lost" d="{}"/><path class="pip-left" d="{}"/>')
    return drawn.format(boxes(left, whole), boxes(0, left))
