"""Libraries that few ask for: one is imported when something in it is first used, not at every start."""

from __future__ import annotations

import importlib
from typing import Any


class Later:
    """A module by its name; whatever is asked of it is the module's own."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        found = getattr(importlib.import_module(self._name), name)
        setattr(self, name, found)
        return found
