"""The fixtures of this folder; what tests import by name stands in `kit.tablets`."""

from kit.tablets import room, tablet

__all__ = ["room", "tablet"]
