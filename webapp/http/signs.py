"""Numbers as pages show them: with a minus sign, which is not a hyphen."""

from __future__ import annotations


def minus(number: int | float) -> str:
    """A number; −2 with the minus sign."""
    return str(number).replace("-", "−")


def signed(number: int) -> str:
    """A modifier: +1, −2, +0."""
    return f"{number:+d}".replace("-", "−")
