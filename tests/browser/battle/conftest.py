"""The fixtures of this folder; what tests import by name stands in `tablets`."""

from tablets import room, tablet

__all__ = ["room", "tablet"]
