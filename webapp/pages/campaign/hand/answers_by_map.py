"""Which of the groups of offers are answered by a tap on the map, and which by a card of the hand."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from webapp.pages.campaign.hand.offer_forms import FEW, Control, Group


def on_the_map(found: Iterable[Group], spots: Collection[str]) -> tuple[Group, ...]:
    """The groups; those whose answers are many and each a space of the map are answered by tapping it."""
    return tuple(replace(group, **_rest(group, spots)) for group in found)


def _rest(group: Group, spots: Collection[str]) -> dict[str, Any]:
    """What of a group is left to be seen when its spaces are tapped on the map."""
    many = len(group.ready) > FEW and all(one.about & frozenset(spots) for one in group.ready)
    asks = tuple(ask for ask in group.asks if not any(_is_of(control, spots) for control in ask.controls))
    return {"by_map": many or len(asks) < len(group.asks), "asks": asks}


def _is_of(control: Control, spots: Collection[str]) -> bool:
    """Is it a choice among many spaces?"""
    return len(control.options) > FEW and all(
        json.loads(value) in spots for value, _text in control.options if value[:1] == '"'
    )


def without_cards(found: Iterable[Group]) -> tuple[Group, ...]:
    """The groups that are not about a card in hand."""
    return tuple(group for group in found if not group.cards)
