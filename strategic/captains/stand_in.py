"""A stand-in for any campaign: it answers what is asked, gives nothing up, and wins provinces where cards allow.

It sees a seat's view and its own offers, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from strategic.captains import admirals, at_sea, generals, provinces
from strategic.captains.preferences import preferences_of
from tactical.captains import Choice, Considered, Orders
from tactical.captains.choice import reason
from tactical.kernel.protocol import Offer
from tactical.kernel.record import plain

GIVES_UP = ("resign", "agree")
LATER = 900  # the rank of winning provinces when none is open to be won


def choose(system: str, view: Any, seat: str, offers: Sequence[Offer], orders: Orders | None = None) -> Choice:
    """What the seat should command now, out of its own offers. Raises ValueError when there is none.

    A raw stand-in only passes and answers; the others follow the system's preferences.
    """
    if not offers:
        raise ValueError(f"{seat} has no offer to choose from")
    wishes = preferences_of(system)
    raw = orders is not None and orders.level == "raw"
    usual = [offer for offer in offers if offer.type not in GIVES_UP] or list(offers)
    seen = view if isinstance(view, dict) else plain(view)
    if wishes.marches and not raw and (marched := generals.march(system, seen, seat, usual, first)) is not None:
        return marched
    if wishes.tactics and not raw and (sailed := at_sea.answer(system, seen, seat, usual)) is not None:
        return sailed
    if wishes.sails and not raw and (sailed := admirals.answer(seen, seat, usual)) is not None:
        return sailed
    idle = raw or not provinces.any_open(seen)

    def rank(offer: Offer) -> int:
        return LATER if idle and offer.type in wishes.political else wishes.rank(offer.type)

    ranked = sorted(usual, key=rank)
    best = ranked[0]
    same = [offer for offer in ranked if offer.type == best.type]
    command, value = best_of(system, seen, seat, same)
    rest = tuple(Considered(command_of(system, seen, seat, offer), 0.0) for offer in ranked if offer.type != best.type)
    aim = wishes.aims.get(best.type, "careful")
    kind = "careful" if aim == "careful" else f"aim_{aim}"
    return Choice(command, (reason(kind, rule=best.rule),), rest[:7], value)


def best_of(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer]) -> tuple[dict[str, Any], float]:
    """The best command among offers of one kind: the space that wins most, the card that carries most."""
    options = [filled for offer in offers for filled in variants(system, view, seat, offer)]
    return max(options, key=lambda option: option[1])


def variants(system: str, view: Mapping[str, Any], seat: str, offer: Offer) -> list[tuple[dict[str, Any], float]]:
    """An offer's commands over its one field that matters: a space to win, or a card to play."""
    base = command_of(system, view, seat, offer)
    if offer.type == "put" and isinstance(spaces := offer.fields.get("space"), list | tuple):
        return [({**base, "space": at}, provinces.gain(system, view, seat, at)) for at in spaces]
    if offer.type in ("remove", "lose_control") and isinstance(spaces := offer.fields.get("space"), list | tuple):
        return [({**base, "space": at}, -provinces.cost(system, view, seat, at)) for at in spaces]
    if isinstance(cards := offer.fields.get("card"), list | tuple):
        return [({**base, "card": card}, provinces.card_points(system, card)) for card in cards]
    return [(base, provinces.card_points(system, base.get("card")))]


def command_of(system: str, view: Mapping[str, Any], seat: str, offer: Offer) -> dict[str, Any]:
    """The offer with the first choice of each field; a side asked about itself names itself."""
    command = {"type": offer.type, **{name: first(value) for name, value in offer.fields.items()}}
    if offer.type == "first_player" and seat in (offer.fields.get("side") or ()):
        command["side"] = seat
    return command


def first(value: Any) -> Any:
    """A field's first choice; of a range its end, since more is stronger."""
    if isinstance(value, list | tuple):
        return value[0] if value else []
    if isinstance(value, dict) and value.keys() == {"from", "to"}:
        return value["to"]
    return value
