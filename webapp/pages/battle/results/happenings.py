"""What each entry did to the ships on the board, for static/happenings.js, which shows one entry after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask_babel import ngettext

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from tactical.kernel.record import encode
from webapp.api.serializers import entry_for
from webapp.http.language import gettext as _
from webapp.http.signs import minus
from webapp.pages.battle.board import sea
from webapp.pages.battle.board.marks import angle_of

MOST = 16  # entries that are shown one after another
GOES = frozenset(("step", "follow", "rake", "deploy", "contact"))
Data = Mapping[str, Any]


def happenings(battle: Battle, late: Sequence[Entry], seat: str) -> str:
    """The newest entries in which ships moved or were struck, as far as a seat may see them, as JSON.

    Each is [number, [[ship, x, y, degrees]], [[ship, words that rise from her]]]; x, y and degrees may be null.
    """
    if not battle.has_places:
        return "[]"
    found = []
    for entry in reversed(late):
        if entry.taken_back is not None:
            continue
        events = entry_for(entry, seat).events
        goes = [at for event in events if event.get("type") in GOES and (at := place_of(event))]
        said = [word for event in events if (word := words_of(event))]
        if goes or said:
            found.append((entry.number, goes, said))
        if len(found) == MOST:
            break
    return encode(found[::-1]).decode()


def place_of(event: Data) -> tuple[str, float | None, float | None, float | None] | None:
    """Where a ship came to in an event, and how she heads; None for one that did not move."""
    to, facing = event.get("to"), event.get("facing")
    if to is None and facing is None:
        return None
    x, y = sea.place(tuple(to)) if to is not None else (None, None)
    return str(event["ship"]), x, y, None if facing is None else angle_of(facing)


def words_of(event: Data) -> tuple[str, str] | None:
    """The ship from which a result rises, and the result in a word or two; None for an event without one."""
    ship, target = str(event.get("ship", "")), str(event.get("target", ""))
    match event.get("type"):
        case "ram":
            return target, minus(-int(event.get("damage") or 0))
        case "fire":
            return target, shot(event)
        case "rake":
            return target, _("oars broken")
        case "captured":
            return ship, _("taken")
        case "sunk":
            return ship, _("sunk")
        case "withdrawn":
            return ship, _("left")
        case "flood":
            return ship, minus(-int(event.get("damage") or 0))
        case "board" if not event.get("success"):
            return target, _("boarding failed")
    return None


def shot(event: Data) -> str:
    """What a volley did, in a word or two."""
    hull, dead = int(event.get("hull") or 0), sum((event.get("dead") or {}).values())
    said = [minus(-hull)] if hull else []
    said += [ngettext("%(num)d dead", "%(num)d dead", dead)] if dead else []
    return ", ".join(said) or _("missed")
