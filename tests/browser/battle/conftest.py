"""The fixtures of this folder; what tests import by name stands in `tablets`."""

from tablets import browser, room, tablet

__all__ = ["browser", "room", "tablet"]
