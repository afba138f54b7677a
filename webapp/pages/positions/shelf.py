"""The shelf of what people drew: whose a saved position or campaign is, who takes it away, and it as a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Response, abort, session

from webapp.http.organizer import is_organizer
from webapp.http.rate_limit import slow_down
from webapp.http.seats import store
from webapp.storage.services import saved_positions

OWN = "drawn"  # of the session: the codes of what this browser has saved
KEPT = 40  # of them; who saves more asks the organizer to remove the first


def own() -> list[str]:
    """The codes of what this browser has saved, the newest last."""
    codes: list[str] = session.get(OWN, [])
    return codes


def save(title: str, position: Mapping[str, Any], system: str = saved_positions.SYSTEM) -> saved_positions.Saved:
    """Save a position. It counts for the address that asks, unless the organizer does.

    Raises BadInput, Refused, TooMany.
    """
    if not is_organizer():
        saved_positions.check(store(), position, system)  # what is refused is not counted
        slow_down("saved positions")
        slow_down("saved bytes", len(msgspec.json.encode(position)))
    return saved_positions.save(store(), title, position, system)


def keep(kept: saved_positions.Saved) -> None:
    """Remember that this browser saved it."""
    session[OWN] = [*own(), kept.id][-KEPT:]
    session.permanent = True


def may_remove(id: str) -> bool:
    """Is it this browser's, or does the organizer ask?"""
    return id in own() or is_organizer()


def remove(id: str, why_not: str, *, is_battle: bool) -> None:
    """Forget one.

    Raises:
        Unknown: nothing is saved under this code, or it is of the other kind.
        Forbidden: neither this browser nor the organizer saved it (`why_not` is told).
    """
    saved_positions.load(store(), id, is_battle=is_battle)
    if not may_remove(id):
        abort(403, why_not)
    saved_positions.remove(store(), id)


def file_of(system: str, title: str, position: Mapping[str, Any], name: str) -> Response:
    """It as a scenario file: what the API takes for a new game, and what the page opens again."""
    whole = {"system": system, "title": title, "position": position}
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(msgspec.json.format(msgspec.json.encode(whole)), mimetype="application/json", headers=named)
