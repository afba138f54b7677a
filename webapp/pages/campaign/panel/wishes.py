"""What was set by hand and waits for the word of others: who wishes what, who has agreed, what a seat may answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tactical.kernel.approval import Approve
from tactical.kernel.protocol import Offer, tag_of
from webapp.http.language import gettext as _
from webapp.presenting.presentation import Presentation

APPROVE = tag_of(Approve)


@dataclass(frozen=True)
class WishShown:
    """One wish: its number, the seat that has set it, the sentences of what it comes to, who has agreed, the answers.

    `answers` are buttons, each a text and its command as JSON; `is_own`: this seat has set it.
    """

    number: int
    seat: str
    is_own: bool
    lines: tuple[str, ...]
    agreed: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]


def list_wishes(
    how: Presentation, view: Mapping[str, Any], seat: str, offers: Iterable[Offer]
) -> tuple[WishShown, ...]:
    """The wishes that wait, each with what the seat may answer for itself; the umpire answers as the umpire."""
    waiting: Mapping[str, Any] = view.get("wishes") or {}
    own = {offer.fields["wish"]: offer for offer in offers if offer.type == APPROVE and offer.fields["side"] == seat}
    return tuple(
        WishShown(
            int(number),
            wish["seat"],
            wish["seat"] == seat,
            tuple(how.sentences[each["type"]](each) for each in wish["what"] if each["type"] in how.sentences),
            tuple(wish["agreed"]),
            answers(own[int(number)], wish["seat"] == seat) if int(number) in own else (),
        )
        for number, wish in waiting.items()
    )


def answers(offer: Offer, is_own: bool) -> tuple[tuple[str, str], ...]:
    """The buttons of an offer: agree, refuse, or take it back."""
    allow = offer.fields["allow"]
    words = {True: _("Agree"), False: _("Take it back") if is_own else _("Refuse")}
    return tuple(
        (words[each], json.dumps({"type": offer.type, **offer.fields, "allow": each}))
        for each in (allow if isinstance(allow, list) else [allow])
    )


def without_answers(offers: Iterable[Offer]) -> list[Offer]:
    """The offers without the answers to what waits, which have their own place."""
    return [offer for offer in offers if offer.type != APPROVE]
