"""What a table does by hand in The Sword of Rome, as sentences: the pencil's work, and what opens and closes turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.http.signs import signed
from webapp.presenting.campaign_labels import seat_said
from webapp.presenting.naming import said

Data = Mapping[str, Any]


def name(value: Any) -> str:
    """A space, power, leader or event by its name."""
    return said("sword_of_rome", value)


def power(it: Data, key: str = "power") -> str:
    """A power, or the seat that an event is about."""
    return seat_said(str(it.get(key) or it.get("seat") or it.get("side") or ""))


def force(it: Data) -> str:
    """Leaders and units."""
    leaders = ", ".join(name(one) for one in it.get("leaders") or ())
    count = int(it.get("units") or 0)
    units = ngettext("%(num)d unit", "%(num)d units", count) if count or not leaders else ""
    return ", ".join(part for part in (leaders, units) if part)


def why(it: Data) -> str:
    """The reason that was written beside it, if any."""
    return f" ({it['why']})" if it.get("why") else ""


def control(it: Data) -> str:
    if not it.get("power"):
        return _("By hand: nobody holds %(place)s.", place=name(it["space"]))
    return _("By hand: %(power)s holds %(place)s.", power=power(it), place=name(it["space"]))


def alliance(it: Data) -> str:
    if it.get("holds"):
        return _("%(power)s and %(other)s are allies.", power=power(it), other=power(it, "other"))
    if it.get("allied"):
        return _("%(power)s offers %(other)s an alliance.", power=power(it), other=power(it, "other"))
    return _("%(power)s and %(other)s are no allies.", power=power(it), other=power(it, "other"))


def in_force(it: Data) -> str:
    if it.get("in_force"):
        return _("By hand: %(event)s is in force.", event=name(it["event"]))
    return _("By hand: %(event)s is over.", event=name(it["event"]))


def closed(it: Data) -> str:
    late = ", ".join(seat_said(str(one)) for one in it.get("late") or ())
    if late:
        return _("The time for answers is over; %(seats)s let the army pass.", seats=late)
    return _("The time for answers is over.")


BY_HAND: Mapping[str, Callable[[Data], str]] = {
    "card_taken": lambda it: _("%(power)s takes a card.", power=power(it)),
    "closed": closed,
    "dealt": lambda it: ngettext(
        "%(power)s is dealt %(num)d card.",
        "%(power)s is dealt %(num)d cards.",
        int(it.get("cards") or 0),
        power=power(it),
    ),
    "discarded": lambda it: (
        _("%(power)s discards a card of %(card)s.", power=power(it), card=it.get("card", "")) + why(it)
    ),
    "hand": lambda it: _(
        "%(power)s holds: %(cards)s.", power=power(it), cards=", ".join(map(str, it.get("values") or ()))
    ),
    "modifier": lambda it: (
        _("By hand: %(side)s has %(amount)s in this battle.", side=power(it), amount=signed(int(it.get("amount") or 0)))
        + why(it)
    ),
    "move_by_hand": lambda it: _(
        "By hand: %(power)s moves %(force)s from %(start)s to %(to)s.",
        power=power(it),
        force=force(it),
        start=name(it["start"]),
        to=name(it["end"]),
    ),
    "note": lambda it: _("%(power)s notes: %(said)s", power=power(it), said=it.get("text", "")),
    "place": lambda it: _(
        "By hand: %(power)s places %(force)s at %(place)s.", power=power(it), force=force(it), place=name(it["space"])
    ),
    "remove": lambda it: _(
        "By hand: %(power)s removes %(force)s at %(place)s.", power=power(it), force=force(it), place=name(it["space"])
    ),
    "resign": lambda it: _("%(power)s gives up.", power=power(it)),
    "set_active": lambda it: _(
        "The order of play: %(powers)s.", powers=", ".join(seat_said(str(one)) for one in it["order"])
    ),
    "set_alliance": alliance,
    "set_control": control,
    "set_event": in_force,
    "set_points": lambda it: ngettext(
        "By hand: %(power)s has %(num)d point.",
        "By hand: %(power)s has %(num)d points.",
        int(it.get("points") or 0),
        power=power(it),
    ),
    "set_runner": lambda it: (
        _("%(power)s is played by %(runner)s.", power=power(it), runner=power(it, "runner"))
        if it.get("runner")
        else _("Nobody plays %(power)s.", power=power(it))
    ),
    "set_siege": lambda it: (
        _("By hand: the siege of %(place)s is lifted.", place=name(it["space"]))
        if it.get("level") is None
        else _("By hand: the siege of %(place)s stands at %(level)s.", place=name(it["space"]), level=it["level"])
    ),
    "set_unrest": lambda it: _("By hand: the unrest in Carthage stands at %(level)s.", level=it["level"]),
    "start": lambda it: _("The war begins."),
    "turn_ended": lambda it: _("Turn %(turn)s is over; what ends it is done by hand.", turn=it.get("turn", "")),
}
