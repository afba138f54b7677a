"""A refusal as the page says it: one sentence, its paragraph, and the status that goes with it."""

from __future__ import annotations

from dataclasses import dataclass

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput
from webapp.http.error_pages import LOST_MOVES
from webapp.http.language import gettext as _
from webapp.pages.campaign.labels import field_word, seat_said
from webapp.pages.campaign.refusals import refusal_said
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.writing import sentence


@dataclass(frozen=True)
class Notice:
    """What the page says above its offers."""

    text: str
    rule: str = ""
    status: int = 422
    kind: str = "refused"


def refused(fault: Exception, system: str = "") -> Notice:
    """A refusal as a notice, in the reader's language; `system` says whose engine refused."""
    match fault:
        case Stale(is_lost=True):
            return Notice(_(LOST_MOVES), status=409)
        case Stale():
            return Notice(_("The game has moved on: look again, then decide."), status=409)
        case BadInput(path=path, reason=reason):
            name = field_word(path.removeprefix("command.")) if path else ""
            return Notice(_("%(field)s: %(reason)s.", field=name, reason=reason) if name else sentence(reason))
        case Illegal(rule=rule, reason=reason):
            return Notice(worded(system, reason), rule)
        case Refused(rule=rule):
            return Notice(worded(system, str(fault)), rule or "")
        case Barred(missing=missing) if missing:
            sides = ", ".join(seat_said(side) for side in missing)
            return Notice(f"{worded(system, str(fault))} " + _("Consent is missing from: %(sides)s.", sides=sides))
        case NotYours(reason=reason):
            return Notice(worded(system, reason))
        case _:
            return Notice(worded(system, str(fault)))


def worded(system: str, reason: str) -> str:
    """A reason as a sentence in the reader's language."""
    return sentence(refusal_said(system, reason))
