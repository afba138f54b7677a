"""O11.1 A dispatch as lines of a mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.http.language import gettext as _
from webapp.systems.open_campaign.dispatch import Dispatch, Tell, dispatch

View = Mapping[str, Any]


def dispatch_lines(
    before: View, after: View, now: View, events: Sequence[Mapping[str, Any]], side: str, tell: Tell
) -> list[str]:
    """The dispatch of a turn as plain lines, for people who read nothing else."""
    return list(lines_of(dispatch(before, after, now, events, side, tell)))


def lines_of(told: Dispatch) -> Sequence[str]:
    """The lines: the headline, what happened, the fleets, what is known of others, what wants an order."""
    found = [_("Dispatch %(number)s of %(side)s", number=told.number, side=told.side_name) + f", {told.span}"]
    found += ["", told.headline + ".", ""]
    for day in told.days:
        found.append("- " + (f"{day.date}: " if day.date else "") + " ".join(day.sentences))
    found += ["", _("Your fleets:")]
    for fleet in told.fleets:
        food = _("food for %(days)s days", days=fleet.food)
        order = fleet.order or _("no order")
        found.append(f"- {fleet.name}: {fleet.where}; {fleet.ships}; {food}; {order}")
    if told.beliefs:
        found += ["", _("What we believe they have:")]
        found += [f"- {seen.title}, {seen.detail}" for seen in told.beliefs]
    for each in told.asked:
        found += ["", _("Your message to the umpire") + f": {each.text}", each.answer or _("Not answered yet.")]
    found += ["", *told.stands]
    if told.wants:
        found += ["", _("Needs an order") + ": " + ", ".join(fleet.name for fleet in told.wants)]
    return found
