"""Small pictures: one ship as an icon for chips, sheets and cards; QR codes."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from markupsafe import Markup, escape

from webapp.pages.battle.drawing import condition
from webapp.pages.battle.fleet import Chip
from webapp.presenting import hulls


@lru_cache(maxsize=256)
def ship_icon(
    kind: str,
    shape: int,
    broken: bool = False,
    corvus: bool = False,
    letter: str = "",
    damage: int = 0,
    whole: int = 0,
    breaches: int = 0,
) -> Markup:
    """A galley heading right, as a small SVG that is told apart at 24 pixels; holed, and with water in her."""
    plank = hulls.plank(kind) if corvus else ""
    text = f'<text class="pennant" y="5">{escape(letter)}</text>' if letter else ""
    return Markup(
        f'<svg class="ship-icon side{shape}" viewBox="-36 -19 72 38" aria-hidden="true"><g transform="rotate(90)">'
        f'<path class="oars" d="{hulls.oars_path(kind, broken)}"/>{hulls.beak(kind)}'
        f'<path class="hull" d="{hulls.hull_path(kind, shape)}"/>'
        f"{hulls.deck(kind)}"
        f"{plank}{condition.holes(kind, damage, whole)}{condition.waves_aboard(kind, breaches)}</g>{text}</svg>"
    )


def picture_of(chip: Chip) -> Markup:
    """The ship of a chip as she fares: her oars, her corvus, the holes in her planks, the water that comes in."""
    damage = 0 if chip.gone else chip.hull - chip.left
    breaches = next((int(count) for kind, count in chip.signs if kind == "breach"), 0)
    return ship_icon(chip.kind, chip.shape, chip.broken, chip.corvus, chip.letter, damage, chip.hull, breaches)


@lru_cache(maxsize=256)
def qr(link: str) -> Markup:
    """A link as a QR code, inline."""
    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, nl=False, svgclass="qr", lineclass=None, border=2, omitsize=True
    )
    return Markup(out.getvalue().decode())
