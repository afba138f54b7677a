"""Which screens, or languages, a browser test is run with: one in `make test`, the others in `make soak`."""

from __future__ import annotations

from typing import Any

import pytest


def screens(first: Any, *others: Any) -> list[Any]:
    """Values for `parametrize`: the first always, the others only in the soak."""
    later = [each if isinstance(each, tuple) else (each,) for each in others]
    return [first, *(pytest.param(*each, marks=pytest.mark.soak) for each in later)]
