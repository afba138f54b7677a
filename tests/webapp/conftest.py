"""The fixtures of this folder; what tests import by name stands in `kit.players`."""

from kit.players import app, client, game, physical, store

__all__ = ["app", "client", "game", "physical", "store"]
