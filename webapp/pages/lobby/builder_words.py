"""What the fleet builder's fields are called in its refusals, and how its ships look; which ships a navy never had."""

from __future__ import annotations

import re

from markupsafe import Markup

from tactical.ship import FIGURES, TYPES, complement_of
from webapp.api.fleets import NATIONS, FleetsWanted
from webapp.http.language import gettext as _
from webapp.pages.lobby.forms import PLACES
from webapp.presenting.battle_labels import figure_word
from webapp.presenting.labels import type_word
from webapp.presenting.ships.galley import Galley, picture
from webapp.presenting.ships.measures import DRAWING


def in_form(wanted: FleetsWanted | None, path: str) -> str:
    """The form's own name for the field of a position's path, such as `first.trireme`; other paths as they are."""
    known = re.match(r"sides\.([^.]*)\.(?:ships\[(\d+)\]|(nation|ships))", path)
    if wanted is None or known is None or known[1] not in wanted.sides:
        return path.removeprefix("board.")
    place = PLACES[list(wanted.sides).index(known[1])]
    return f"{place}.{wanted.sides[known[1]].ships[int(known[2])].type if known[2] else known[3]}"


def field_text(path: str) -> str:
    """A field of the form as the page calls it: the side, and what of it; empty for what has no field."""
    first, _dot, rest = path.partition(".")
    if first not in PLACES:
        return {
            "columns": _("Columns"),
            "rows": _("Rows"),
            "board": _("The board"),
            "turn_limit": _("Turn limit"),
            "speed": _("Speed at the start"),
        }.get(first, "")
    said = [_("First side") if first == PLACES[0] else _("Second side")]
    words = {"nation": _("Nation"), "ships": _("Number"), "crew": _("Rowers")}
    for part in rest.split("."):
        if part in TYPES:
            said.append(type_word(part))
        elif part in FIGURES:
            said.append(figure_word(part))
        elif part in words:
            said.append(words[part])
    return ", ".join(said)


def lacks(nation: str, kind: str) -> bool:
    """G2.1 Does the source give this nation's navy no such ship, so that she needs figures of her own?"""
    return nation in NATIONS and complement_of(TYPES[kind], NATIONS[nation].navy) is None


def ship_picture(nation: str, kind: str, side: int) -> Markup:
    """A ship of that type as a nation builds her, in the colours of the first or the second side."""
    navy = NATIONS[nation].navy if nation in NATIONS else "hellenistic"
    look = next((look for called, look in DRAWING.nations.items() if called in nation), navy)
    return picture(Galley(kind, look, side), 60)
