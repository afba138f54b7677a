"""Galley captains: from a view and its offers to a command with its reasons, at three levels.

A captain never sees the state, only what its side sees; what it weighs is in data/galley/captains.toml.
"""

from __future__ import annotations

from tactical.captains.captain import choose, choose_all
from tactical.captains.reasons import LEVELS, ROLES, Choice, Considered, Level, Orders, Reason, Role

__all__ = ["LEVELS", "ROLES", "Choice", "Considered", "Level", "Orders", "Reason", "Role", "choose", "choose_all"]
