"""Rows as CSV text."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any


def csv_of(rows: Sequence[dict[str, Any]]) -> str:
    """The rows with a header; nothing for no rows."""
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
