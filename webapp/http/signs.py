"""Numbers as pages show them: with a minus sign, which is not a hyphen, and the percent sign of the language."""

from __future__ import annotations

from collections.abc import Iterable

from webapp.http.language import gettext as _


def minus(number: int | float) -> str:
    """A number; −2 with the minus sign."""
    return str(number).replace("-", "−")


def with_sign(number: int) -> str:
    """A modifier: +1, −2, +0."""
    return f"{number:+d}".replace("-", "−")


def percent(number: int | float | str) -> str:
    """A number of hundredths as the reader's language writes it: 65%, in Russian with a space."""
    return _("%(number)s%%", number=number)


def faces(shown: Iterable[int]) -> str:
    """Faces of a die, as in 4–6."""
    found = sorted(shown)
    if len(found) > 1 and found[-1] - found[0] == len(found) - 1:
        return f"{found[0]}–{found[-1]}"
    return ", ".join(map(str, found))
