"""One reader a system: what its view shows upon a map, in hand, on the strip and in a space.

A reader is a module named after its system. `read(view)` makes the Picture; the rest may be left out:
`hand(view, seat)`, `strip(view)`, `prompt(view)`, `space(view, id)`, `facts(view)`, `ledger(view)`, `called(view)`,
`previews(view, seat, id)`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from webapp.campaign.marching import Walk
from webapp.campaign.picture import Asked, Card, Fact, Ledger, Picture, Preview, Strip, View
from webapp.campaign.words import phase_word


def picture(system: str, view: View) -> Picture:
    """The picture of a view; an empty one for a system that nobody has taught us to read."""
    return _call(system, "read", Picture(), view)


def hand(system: str, view: View, seat: str) -> tuple[Card, ...]:
    """The cards that the seat holds."""
    return _call(system, "hand", (), view, seat)


def strip(system: str, view: View) -> Strip:
    """The turn and its phases."""
    phase = str(view.get("phase") or view.get("step") or "")
    plain = Strip(str(view.get("turn", "")), ((phase, phase_word(phase), True),) if phase else ())
    return _call(system, "strip", plain, view)


def asked(system: str, view: View, seat: str = "") -> Asked | None:
    """The question that waits for an answer in mid-rule; the seat's own, where several stand at once."""
    return _own(view, seat) or _call(system, "prompt", _prompt(view), view)


def space(system: str, view: View, where: str) -> tuple[Fact, ...]:
    """What else is known of a space."""
    return _call(system, "space", (), view, where)


def facts(system: str, view: View) -> tuple[Fact, ...]:
    """What stands beside the map: points, treasuries, what lasts."""
    return _call(system, "facts", (), view)


def ledger(system: str, view: View) -> Ledger | None:
    """What is counted all the time, side by side, above everything else."""
    return _call(system, "ledger", None, view)


def called(system: str, view: View) -> dict[tuple[str, int], str]:
    """The words for numbers in offers that mean a thing of this position: by field and number."""
    return _call(system, "called", {}, view)


def previews(system: str, state: Any, seat: str, where: str | None) -> tuple[Preview, ...]:
    """What players stop the game to count, asked of the engine's own functions. `state` is the full position:
    a reader gives away only what the seat may know."""
    return _call(system, "previews", (), state, seat, where)


def walk(system: str, state: Any, seat: str, picked: str | None, where: str | None) -> Walk | None:
    """The march of a leader who was chosen, to the space that was tapped, before it is walked."""
    return _call(system, "walk", None, state, seat, picked, where)


def _own(view: View, seat: str) -> Asked | None:
    """The seat's own question among several; none where the questions come one by one."""
    for raw in view.get("pending") or ():
        if isinstance(raw, dict) and raw.get("seat") == seat:
            return Asked(str(raw.get("kind", "")), seat, str(raw.get("rule", "")), raw.get("about") or {})
    return None


def _prompt(view: View) -> Asked | None:
    raw = view.get("pending") or next(iter(reversed(view.get("agenda") or ())), None)
    if not isinstance(raw, dict) or not raw.get("seat"):
        return None
    about = raw.get("about")
    known = about if isinstance(about, dict) else {}
    return Asked(str(raw.get("kind", "")), raw["seat"], str(raw.get("rule", "")), known)


def _call(system: str, name: str, otherwise: Any, *given: Any) -> Any:
    function = getattr(_reader(system), name, None)
    return otherwise if function is None else function(*given)


@cache
def _reader(system: str) -> ModuleType | None:
    name = f"webapp.campaign.readers.{system}"
    return import_module(name) if find_spec(name) is not None else None
