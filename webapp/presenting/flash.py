"""A refusal as the page says it: one sentence, its paragraph, and the status that goes with it."""

from __future__ import annotations

from dataclasses import dataclass

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.reason import Reason
from tactical.kernel.record import BadInput
from webapp.http.error_pages import LOST_MOVES
from webapp.http.input_words import reason_text
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import field_word, seat_word
from webapp.presenting.refusals import refusal_text
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.journal.writing import sentence


@dataclass(frozen=True)
class Flash:
    """What the page says above its offers."""

    text: str
    rule: str = ""
    status: int = 422
    kind: str = "refused"


def flash_of(fault: Exception, system: str = "") -> Flash:
    """A refusal as a flash, in the reader's language; `system` says whose engine refused."""
    match fault:
        case Stale(is_lost=True):
            return Flash(_(LOST_MOVES), status=409)
        case Stale():
            return Flash(_("The game has moved on: look again, then decide."), status=409)
        case BadInput(path=path, why=why):
            name = field_word(system, path.removeprefix("command.")) if path else ""
            said = reason_text(why)
            return Flash(_("%(field)s: %(reason)s.", field=name, reason=said) if name else sentence(said))
        case Illegal(rule=rule, why=why) | Refused(rule=rule, why=why):
            return Flash(reason_sentence(system, why), rule or "")
        case Barred(missing=missing, why=why) if missing:
            sides = ", ".join(seat_word(side) for side in missing)
            return Flash(f"{reason_sentence(system, why)} " + _("Consent is missing from: %(sides)s.", sides=sides))
        case NotYours(why=why) | Barred(why=why):
            return Flash(reason_sentence(system, why))
        case _:
            return Flash(reason_sentence(system, Reason(str(fault))))


def reason_sentence(system: str, why: Reason) -> str:
    """A reason as a sentence in the reader's language."""
    return sentence(refusal_text(system, why))
