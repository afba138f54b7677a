"""A captain's word on what a person has set by hand: it agrees once no other person is left to be asked. No Flask."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tactical.kernel.approval import Approve
from tactical.kernel.protocol import System, tag_of
from tactical.solving import one_of

APPROVE = tag_of(Approve)


def agreement(system: System, state: Any, held: Collection[str]) -> tuple[str, dict[str, Any]] | None:
    """A seat that a captain holds and its word, where only captains can still give it; None where a person can.

    So a person who plays against captains alone is never kept waiting, and among several people no captain decides.
    """
    if not getattr(state, "wishes", None):
        return None
    may_agree = [
        (seat, {"type": APPROVE, **offer.fields, "allow": True})
        for seat in system.sides(state)
        for offer in system.offers(state, seat)
        if offer.type == APPROVE and True in one_of(offer.fields["allow"])
    ]
    asked_of_people = {command["wish"] for seat, command in may_agree if seat not in held}
    return next((each for each in may_agree if each[0] in held and each[1]["wish"] not in asked_of_people), None)
