"""The television's banner: the newest event that decides something, in two or three words, and where it happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR
from webapp.api.serializers import entry_for
from webapp.http.language import gettext as _
from webapp.http.seats import store
from webapp.pages.battle.board import sea
from webapp.pages.battle.replay.moments import WEIGHT, place_of
from webapp.pages.battle.results.messages import line
from webapp.presenting.battle_labels import ship_name, side_name

SHORT = 16  # letters of a banner that are written large


@dataclass(frozen=True)
class Banner:
    """An entry of weight: its number, its banner, how it came about, and `x y` of each ship in it."""

    number: int
    title: str
    text: str
    focus: str

    @property
    def is_long(self) -> bool:
        """Does the banner need smaller letters?"""
        return len(self.title) > SHORT


def newest(game: str, battle: Battle, late: Sequence[Entry]) -> Banner | None:
    """The banner of the newest of the late entries that has one, as a spectator may know it."""
    for entry in reversed(late):
        if entry.taken_back is not None:
            continue
        events = [event for event in entry_for(entry, SPECTATOR).events if title_of(battle, event)]
        if events:
            event = max(events, key=lambda each: WEIGHT.get(str(each.get("type")), 0))
            how = next((each for each in events if each is not event), event)  # the ram that sank her
            said = line(battle, how)
            return Banner(entry.number, title_of(battle, event), said.text, focus_of(game, battle, entry, events))
    return None


def title_of(battle: Battle, event: Mapping[str, Any]) -> str:
    """An event in two or three words; nothing for one that needs no banner."""
    ship, target = (ship_name(battle, event[key]) if event.get(key) else "" for key in ("ship", "target"))
    match event.get("type"):
        case "over" if event.get("winner"):
            return _("Victory: %(side)s", side=side_name(battle, event["winner"]))
        case "over":
            return _("A draw.").rstrip(".")
        case "sunk":
            return _("%(ship)s sunk", ship=ship)
        case "captured":
            return _("%(ship)s taken", ship=ship)
        case "withdrawn":
            return _("%(ship)s gone", ship=ship)
        case "ram":
            return _("%(ship)s rammed", ship=target)
        case "rake":
            return _("%(ship)s: oars broken", ship=target)
        case "bow_to_bow":
            return _("Bow to bow")
        case "thrown_back":
            return _("Boarders thrown back")
    return ""


def focus_of(game: str, battle: Battle, entry: Entry, events: Sequence[Mapping[str, Any]]) -> str:
    """Where the ships of an entry's events lie, or lay before it, as `x y x y`; nothing where they have no place."""
    names = [str(event[key]) for event in events for key in ("ship", "target") if event.get(key)]
    if not battle.has_places or not names:
        return ""
    before = battle
    if any(name in battle.ships and battle.ships[name].at is None for name in names):
        before = (
            store().table_after(game, entry.parent if entry.parent is not None else entry.number - 1).view(SPECTATOR)
        )
    spots = [sea.place(at) for name in names if (at := place_of(name, battle, before)) is not None]
    return " ".join(f"{x:g} {y:g}" for x, y in spots)
