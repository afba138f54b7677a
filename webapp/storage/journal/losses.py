"""Acknowledged moves that are no longer in the file: noted for the organizer until he knows (see `anchors`)."""

from __future__ import annotations

import json
from collections.abc import Iterable

from webapp.storage.file import anchors
from webapp.storage.file.anchors import Lost
from webapp.storage.journal.store import Store

NOTE = "lost moves"


def look(store: Store) -> list[Lost]:
    """Compare the file with its anchors and note what is missing."""
    found = anchors.look(store.file.path)
    add(store, found)
    return found


def add(store: Store, found: Iterable[Lost]) -> None:
    """Note losses beside those that the organizer does not know of yet."""
    if lost := [*found]:
        store.keep_note(NOTE, json.dumps([*read(store), *lost]))


def read(store: Store) -> list[Lost]:
    """The losses that the organizer has not yet said he knows of."""
    return [Lost(*each) for each in json.loads(store.note(NOTE) or "[]")]


def clear(store: Store) -> None:
    """The organizer knows."""
    store.keep_note(NOTE, "[]")
