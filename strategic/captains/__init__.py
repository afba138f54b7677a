"""Stand-ins for absent players of a campaign: from a view and its offers to a command with its reason."""

from __future__ import annotations

from strategic.captains.stand_in import choose

__all__ = ["choose"]
