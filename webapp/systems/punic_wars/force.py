"""Punic Wars forces in the reader's language."""

from __future__ import annotations

from flask_babel import ngettext


def forces(land: int, naval: int) -> str:
    """A force in words; nothing for a leader alone."""
    parts = []
    if land:
        parts.append(ngettext("%(num)d land point", "%(num)d land points", land))
    if naval:
        parts.append(ngettext("%(num)d naval point", "%(num)d naval points", naval))
    return ", ".join(parts)
