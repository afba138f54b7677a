"""The fixtures of this folder; what tests import by name stands in `kit.readers`."""

from kit.readers import app, battle, store

__all__ = ["app", "battle", "store"]
