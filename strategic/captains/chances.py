"""Offers cut down to what has a chance or better with every die: what a standing order with a threshold asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tactical.kernel.protocol import Offer, System

SETS = ("tries", "intercepts")  # fields whose choices are sets of attempts
DECLARED = "declare"  # the answer that may hold interceptions and avoidances at once


def at_least(system: System, state: Any, offers: Sequence[Offer], percent: int) -> list[Offer]:
    """The offers of which every die has this chance, the largest sets of attempts first.

    Of answers that may also hold avoidances it is the interceptions alone: who would slip away is asked.
    """
    cut = (_cut(system, state, offer, percent) for offer in offers)
    return [offer for offer in cut if offer is not None]


def _cut(system: System, state: Any, offer: Offer, percent: int) -> Offer | None:
    name = next((name for name in SETS if name in offer.fields), None)
    if name is None:
        return offer if _is_good(system, state, {"type": offer.type, **_first(offer.fields)}, percent) else None
    if offer.type == DECLARED and "power" in offer.fields:
        return None  # one army in part: the whole answers stand in an offer of their own
    sets = [
        attempts
        for attempts in offer.fields[name]
        if (attempts or offer.type != DECLARED)
        and _is_good(system, state, {"type": offer.type, name: attempts}, percent)
    ]
    if not sets:
        return None
    others: dict[str, Any] = {"avoids": []} if offer.type == DECLARED else {}
    return Offer(offer.type, offer.rule, {**offer.fields, **others, name: sorted(sets, key=len, reverse=True)})


def _first(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value[0] if isinstance(value, list | tuple) and value else value for name, value in fields.items()}


def _is_good(system: System, state: Any, command: Mapping[str, Any], percent: int) -> bool:
    return all(round(100 * each) >= percent for each in system.chances(state, command))
