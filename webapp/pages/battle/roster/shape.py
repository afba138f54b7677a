"""Small pictures: one ship as an icon for chips, sheets and cards; QR codes."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from markupsafe import Markup

from webapp.pages.battle.roster.strip import Chip
from webapp.presenting.ships.galley import picture


def picture_of(chip: Chip, size: float = 30) -> Markup:
    """The ship of a chip as she fares, for `size` pixels of a quinquereme's length."""
    return picture(chip.galley, size)


@lru_cache(maxsize=256)
def qr(link: str) -> Markup:
    """A link as a QR code, inline."""
    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, nl=False, svgclass="qr", lineclass=None, border=2, omitsize=True
    )
    return Markup(out.getvalue().decode())
