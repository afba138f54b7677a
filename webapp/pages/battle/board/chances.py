"""Chances on the board: a ring about each target and a card with the chance, and in a word what it is the chance of.

The first tap on a card arms it, the second does it; a dashed card belongs to a later step. static/labels.js places the
cards, which are as large on the screen at every zoom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tactical.battle import Battle
from webapp.pages.battle.board import sea

RING = 35  # a ring is 1.12 hexes high
ABOVE = 62  # from the target's middle to a card that no script has placed
CARD = Markup('<rect class="chance-card" x="-39" y="-23" width="78" height="46" rx="10"/>')
WORDS = Markup('<text class="chance-number" y="1">{}</text> <text class="chance-word" y="17">{}</text>')
BUTTON = Markup(
    '<foreignObject x="-39" y="-23" width="78" height="46"><button xmlns="http://www.w3.org/1999/xhtml" class="on-card"'
    ' form="orders" name="command" id="do-{}" value="{}" aria-label="{}"></button></foreignObject>'
)


@dataclass(frozen=True)
class Chance:
    """What the selected ship can do to one enemy: how likely, what, and the link that arms or the command that does it.

    With neither of them it belongs to a later step.
    """

    target: str
    name: str
    percent: str
    word: str
    link: str = ""
    command: str = ""


def draw_rings(battle: Battle, found: Sequence[Chance]) -> Markup:
    """A ring about each target."""
    return Markup('<g id="rings">{}</g>').format(Markup("").join(draw_ring(battle, each) for each in found))


def draw_ring(battle: Battle, it: Chance) -> Markup:
    """The ring about one target."""
    at = battle.ships[it.target].at
    assert at is not None
    ring = Markup('<circle class="chance-ring{}" cx="{}" cy="{}" r="{}"/>')
    return ring.format(kind_of(it), *(f"{each:g}" for each in sea.place(at)), RING)


def kind_of(it: Chance) -> str:
    """The class of a chance: armed, to be armed, or of a later step."""
    return " armed" if it.command else "" if it.link else " later"


def draw_chances(battle: Battle, found: Sequence[Chance]) -> Markup:
    """Their cards as one element."""
    return Markup('<g id="chances">{}</g>').format(Markup("").join(draw_chance(battle, each) for each in found))


def draw_chance(battle: Battle, it: Chance) -> Markup:
    """The card of one target."""
    at = battle.ships[it.target].at
    assert at is not None
    x, y = (f"{each:g}" for each in sea.place(at))
    drawn = CARD + WORDS.format(it.percent, it.word)
    said = f"{it.name}: {it.percent} {it.word}"
    if it.command:
        drawn += BUTTON.format(it.target, it.command, said)
    elif it.link:
        link = Markup('<a href="{}" id="arm-{}" data-go tabindex="-1" aria-label="{}">{}</a>')
        drawn = link.format(it.link, it.target, said, drawn)
    return Markup(
        '<g class="chance{}" data-own="transform visibility"'
        ' data-for="{}" data-x="{}" data-y="{}" transform="translate({} {})">{}</g>'
    ).format(kind_of(it), it.target, x, y, x, f"{float(y) - ABOVE:g}", drawn)
