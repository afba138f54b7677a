"""The fixtures of this folder; what tests import by name stands in `kit.wars`."""

from kit.wars import app, client, store, war

__all__ = ["app", "client", "store", "war"]
