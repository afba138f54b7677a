"""Whose a command is, for the `whose` of an `Action`: the answers that every system needs."""

from __future__ import annotations

from typing import Any


def own_side(state: object, command: Any) -> tuple[str, ...]:
    """The side that the command names."""
    return (command.side,)


def umpires(state: object, command: object) -> tuple[str, ...]:
    """The umpire's alone."""
    return ()


def anybody(state: object, command: object) -> None:
    """Any side's."""
    return None
