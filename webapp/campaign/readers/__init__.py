"""One reader a system: what its view shows upon a map."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from webapp.campaign.picture import Picture, View


def picture(system: str, view: View) -> Picture:
    """The picture of a view; an empty one for a system that nobody has taught us to read."""
    if find_spec(f"webapp.campaign.readers.{system}") is None:
        return Picture()
    found: Picture = import_module(f"webapp.campaign.readers.{system}").read(view)
    return found
