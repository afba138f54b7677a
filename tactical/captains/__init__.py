"""Galley captains: from a view and its offers to a command with its reasons, at three levels and of three tempers.

A captain never sees the state, only what its side sees; what it weighs is in data/galley/captains.toml.
"""

from __future__ import annotations

from tactical.captains.captain import choose, choose_all
from tactical.captains.reasons import (
    LEVELS,
    MINDS,
    ROLES,
    TEMPERS,
    Choice,
    Considered,
    Level,
    Orders,
    Reason,
    Role,
    Temper,
)

__all__ = [
    "LEVELS",
    "MINDS",
    "ROLES",
    "TEMPERS",
    "Choice",
    "Considered",
    "Level",
    "Orders",
    "Reason",
    "Role",
    "Temper",
    "choose",
    "choose_all",
]
