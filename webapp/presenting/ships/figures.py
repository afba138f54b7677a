"""Who stands on a deck, as signs of 20 by 20: a shield for each kind of marine, a bow, an engine."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

FIGURES: dict[str, Markup] = {
    "heavy": Markup(
        '<path class="f-full" d="M-6.5-9h13v14q-3 4-6.5 4.5q-3.5-.5-6.5-4.5z"/><path class="f-line" d="M0-9v18"/>'
        '<circle class="f-boss" r="3.2"/>'
    ),
    "medium": Markup('<ellipse class="f-full" rx="5.8" ry="9"/><path class="f-spine" d="M0-6.5v13"/>'),
    "light": Markup('<circle class="f-hollow" r="5.6"/><circle class="f-dot" r="1.7"/>'),
    "archers": Markup(
        '<path class="f-bow" d="M-3-9q9 9 0 18"/><path class="f-string" d="M-3-9v18M-8 0h15m-3.5-3l4 3l-4 3"/>'
    ),
    "catapults": Markup(
        '<path class="f-bow" d="M2-9q7 9 0 18"/><path class="f-stock" d="M-9 0h15"/>'
        '<path class="f-string" d="M2-9l-6 9l6 9"/><path class="f-head" d="M6-3.5l6 3.5l-6 3.5z"/>'
    ),
    "stone_throwers": Markup(
        '<path class="f-frame" d="M-8-7h16M-8 7h16M-6-7v14M6-7v14"/><circle class="f-ball" r="4"/>'
    ),
}


@lru_cache(maxsize=64)
def figure_sign(kind: str, side: int = 0) -> Markup:
    """The sign of a kind of figure beside its number."""
    return Markup('<svg class="figure-sign side{}" viewBox="-12 -12 24 24" aria-hidden="true">{}</svg>').format(
        side, FIGURES[kind]
    )
