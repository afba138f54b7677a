"""Punic Wars forces, and why a step is closed, in the reader's language."""

from __future__ import annotations

from flask_babel import ngettext

from strategic.punic_wars.rules.geography import Barred
from webapp.presenting.refusals import refusal_text
from webapp.presenting.sentences import join_parts


def forces(land: int, naval: int) -> str:
    """A force in words; nothing for a leader alone."""
    parts = []
    if land:
        parts.append(ngettext("%(num)d land point", "%(num)d land points", land))
    if naval:
        parts.append(ngettext("%(num)d naval point", "%(num)d naval points", naval))
    return join_parts(parts)


def why_barred(barred: Barred) -> str:
    """Why a step is closed, in the reader's language."""
    return refusal_text("punic_wars", barred.reason)
