"""How one ship lies from another, in words."""

from __future__ import annotations

from math import atan2, degrees

from tactical.hexes import HEADINGS, bearing
from tactical.places import Place
from tactical.ship import Ship
from webapp.http.language import gettext as _
from webapp.presenting.battle_labels import heading_word


def bearing_word(here: Ship, ship: Ship) -> str:
    """How a ship lies from another: the compass, and ahead, on the bow, on the quarter or astern; at sea in degrees."""
    if here.at is None or ship.at is None or here.at == ship.at:
        return ""
    if isinstance(here.at[0], float):
        return degrees_word(here.at, ship.at, float(here.facing or 0))
    way = bearing(here.at, ship.at)
    if here.facing is None:
        return heading_word(way)
    turns = (HEADINGS.index(way) - HEADINGS.index(here.facing)) % 6
    relative = (
        _("ahead"),
        _("on the starboard bow"),
        _("on the starboard quarter"),
        _("astern"),
        _("on the port quarter"),
        _("on the port bow"),
    )[turns]
    return f"{heading_word(way)}, {relative}"


def degrees_word(here: Place, there: Place, heading: float) -> str:
    """G1.6 Which way one place lies from another: in degrees from north, and from the bow of who heads so."""
    north = round(degrees(atan2(there[0] - here[0], here[1] - there[1]))) % 360
    off = (north - round(heading) + 180) % 360 - 180
    if off == 0:
        return _("%(north)s°, ahead", north=north)
    side = _("%(angle)s° to starboard", angle=off) if off > 0 else _("%(angle)s° to port", angle=-off)
    return f"{north}°, {side}"
