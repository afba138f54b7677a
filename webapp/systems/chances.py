"""A die that is asked for, in words: what it may show at most, and how likely that is."""

from __future__ import annotations

from strategic.interception import chance, chance_of_least
from webapp.http.language import gettext as _


def at_most(limit: int, modifier: int = 0) -> str:
    """A die that must stay at or under a rating once the modifier is added: "3 or less: 3 of 6 (50%)"."""
    good, of = chance(limit, modifier)
    if good == 0:
        return _("cannot succeed")
    if good == of:
        return _("certain, whatever is rolled")
    return _(
        "a roll of %(most)s or less: %(good)s of %(of)s (%(share)s%%)",
        most=good,
        good=good,
        of=of,
        share=share(good, of),
    )


def at_least(face: int) -> str:
    """A die that must show so much or more."""
    good, of = chance_of_least(face)
    return _(
        "a roll of %(least)s or more: %(good)s of %(of)s (%(share)s%%)",
        least=face,
        good=good,
        of=of,
        share=share(good, of),
    )


def by_face(results: tuple[int, ...]) -> list[tuple[str, int]]:
    """Faces of the die that give alike, together: ("1–2", 0); the first result belongs to the face 1."""
    found: list[tuple[str, int]] = []
    first = 1
    for face in range(1, len(results) + 1):
        if face == len(results) or results[face] != results[face - 1]:
            found.append((f"{first}–{face}" if face > first else str(face), results[face - 1]))
            first = face + 1
    return found


def share(good: int, of: int) -> int:
    """The share of these faces among all, in percent."""
    return round(100 * good / of)
