"""How templates are read: what all of them know stands in one dictionary for each.

Jinja chains two, the template's and the environment's, and goes through the chain name by name whenever a template
imports macros or includes another. All that templates know is there before the first of them is read.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from flask.templating import Environment


class Templates(Environment):
    """Flask's own, with plain dictionaries."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What a template knows besides what it is given."""
        return {**self.globals, **(d or {})}
