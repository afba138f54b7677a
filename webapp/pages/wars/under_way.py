"""The umpire's hand upon a game under way: the page of campaigns by hand, whose changes go in as one adjustment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from werkzeug.datastructures import MultiDict

from tactical.kernel.protocol import UMPIRE, Illegal, NotYours
from tactical.kernel.record import BadInput, read
from webapp.pages.campaign.umpire.umpires_hand import with_deck
from webapp.pages.wars.draft import Draft, source
from webapp.storage.errors import Stale
from webapp.storage.journal.records import Table

TRIED = "-"  # the reason while nobody has written one


def draft_of(table: Table, of: str = "game") -> Draft:
    """A game as it stands, to be changed."""
    position = msgspec.json.decode(table.json)
    return Draft(table.game.system, position, of=of, game=table.game.id, seen=table.game.version)


def changes(table: Table, draft: Draft) -> dict[str, Any]:
    """What was changed, by path, with the deck that goes with other hands. Raises Stale when the game has moved on."""
    if table.game.version != draft.seen:
        raise Stale(table.game.version, draft.seen)
    put = dict(differences(msgspec.json.decode(table.json), draft.position))
    return with_deck(table, put) | put


def differences(old: Mapping[str, Any], new: Mapping[str, Any], at: str = "") -> Iterator[tuple[str, Any]]:
    """Each field that differs, as deep as mappings go, with what stands there now; None where nothing does."""
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name), new.get(name)
        if isinstance(was, Mapping) and isinstance(now, Mapping):
            yield from differences(was, now, f"{at}{name}.")
        elif was != now:
            yield f"{at}{name}", now


def fault(table: Table, draft: Draft) -> Exception | None:
    """What the engine has against the changes; None when they may be put, or there are none."""
    try:
        put = changes(table, draft)
        if put:
            adjust = read({"type": "adjust", "changes": put, "why": TRIED}, table.system.command)
            table.system.apply(table.state, UMPIRE, adjust, source())
    except (BadInput, Illegal, NotYours, Stale) as found:
        return found
    return None


def command(table: Table, draft: Draft, form: MultiDict[str, str]) -> dict[str, Any]:
    """The adjustment that puts the changes into the game. Raises BadInput, Stale."""
    put = changes(table, draft)
    if not put:
        raise BadInput("", "nothing was changed")
    return {"type": "adjust", "changes": put, "why": form.get("title", "").strip()}
