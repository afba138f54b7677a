"""Numbers as pages show them: with a minus sign, which is not a hyphen."""

from __future__ import annotations

from collections.abc import Iterable


def minus(number: int | float) -> str:
    """A number; −2 with the minus sign."""
    return str(number).replace("-", "−")


def with_sign(number: int) -> str:
    """A modifier: +1, −2, +0."""
    return f"{number:+d}".replace("-", "−")


def faces(shown: Iterable[int]) -> str:
    """Faces of a die, as in 4–6."""
    found = sorted(shown)
    if len(found) > 1 and found[-1] - found[0] == len(found) - 1:
        return f"{found[0]}–{found[-1]}"
    return ", ".join(map(str, found))
