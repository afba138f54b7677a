"""Small pictures: one ship as an icon for chips, sheets and cards; QR codes."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from markupsafe import Markup

from webapp.pages.battle.roster.strip import Chip
from webapp.presenting.ships.galley import galley, icon, picture
from webapp.presenting.ships.strokes import use

SIZE = 30  # pixels of a quinquereme's length in a chip


def picture_of(chip: Chip, size: float = SIZE) -> Markup:
    """The ship of a chip as she fares, for `size` pixels of a quinquereme's length."""
    return picture(chip.galley, size)


def ship_drawing(chip: Chip) -> Markup:
    """The same as a part of a picture, for `shows`."""
    return galley(chip.galley, 90, SIZE)


@lru_cache(maxsize=256)
def shows(name: str) -> Markup:
    """The picture of a ship whose drawing stands on the page under this id."""
    return icon(use(name))


@lru_cache(maxsize=256)
def qr(link: str) -> Markup:
    """A link as a QR code, inline."""
    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, nl=False, svgclass="qr", lineclass=None, border=2, omitsize=True
    )
    return Markup(out.getvalue().decode())
