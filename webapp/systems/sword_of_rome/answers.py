"""What a power may answer to a march, in words: who comes, and each way to meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.pages.campaign import naming
from webapp.pages.campaign.labels import seat_said
from webapp.systems.picture import Asked, View

SYSTEM = "sword_of_rome"


def name(value: Any) -> str:
    """A space or a leader by its name."""
    return naming.said(SYSTEM, value)


def units(count: int) -> str:
    """So many combat units."""
    return ngettext("%(num)d unit", "%(num)d units", count)


def who_comes(view: View) -> str:
    """The army on the march: whose, under whom, how strong, from where, with what points left."""
    move = view.get("move")
    if not move:
        return ""
    leaders = ", ".join(name(one) for one in (move.get("leader"), *move.get("companions", ())) if one)
    return _(
        "%(power)s on the march: %(leaders)s with %(units)s, from %(start)s to %(place)s, %(points)s points left.",
        power=seat_said(move["power"]),
        leaders=leaders or _("no leader"),
        units=units(int(move.get("units") or 0)),
        start=name(move.get("came_from") or move["at"]),
        place=name(move["at"]),
        points=move.get("points", 0),
    )


def asked(view: View, found: Asked | None) -> Asked | None:
    """A question with the army that it is about."""
    if found is None or found.kind not in ("declare", "decline", "permit", "order"):
        return found
    text = who_comes(view)
    return Asked(found.kind, found.seat, found.rule, found.about, text) if text else found


def answer(view: View, command: Mapping[str, Any]) -> str:
    """A whole declaration as one sentence; empty for other commands and for parts that are still to be chosen."""
    if command.get("type") != "declare" or any(key in command for key in ("space", "units", "inside", "leader")):
        return ""
    place = (view.get("reaction") or {}).get("space") or (view.get("move") or {}).get("at")
    parts = [intercepts(one) for one in command.get("intercepts", ())]
    parts += [avoids(one, name(place)) for one in command.get("avoids", ())]
    return "; ".join(parts) if parts else _("Let it pass: stay where you are")


def intercepts(attempt: Mapping[str, Any]) -> str:
    """An interception: who, from where, with how many."""
    leaders = ", ".join(name(one) for one in (attempt.get("leader"), *attempt.get("companions", ())) if one)
    return _(
        "Intercept from %(place)s: %(leaders)s with %(units)s",
        place=name(attempt["space"]),
        leaders=leaders,
        units=units(int(attempt.get("units") or 0)),
    )


def avoids(slip: Mapping[str, Any], place: str) -> str:
    """An avoidance: who slips away, by land or by sea, and who goes inside the walls."""
    parts = []
    away, inside = int(slip.get("units") or 0), int(slip.get("inside") or 0)
    leaders = ", ".join(name(one) for one in slip.get("leaders") or ())
    if away or leaders:
        troops = ", ".join(part for part in (leaders, units(away) if away else "") if part)
        if slip.get("port"):
            parts.append(_("Leave by sea for %(port)s: %(troops)s", port=name(slip["port"]), troops=troops))
        else:
            parts.append(_("Avoid battle: %(troops)s", troops=troops))
    within = ", ".join(name(one) for one in slip.get("inside_leaders") or ())
    if inside or within:
        troops = ", ".join(part for part in (within, units(inside) if inside else "") if part)
        parts.append(_("Go inside the walls of %(place)s: %(troops)s", place=place, troops=troops))
    return ", ".join(parts) or _("Stay and fight outside")
