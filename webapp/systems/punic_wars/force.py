"""Punic Wars forces, and why a step is closed, in the reader's language."""

from __future__ import annotations

from flask_babel import ngettext

from webapp.pages.campaign.refusals import refusal_said


def forces(land: int, naval: int) -> str:
    """A force in words; nothing for a leader alone."""
    parts = []
    if land:
        parts.append(ngettext("%(num)d land point", "%(num)d land points", land))
    if naval:
        parts.append(ngettext("%(num)d naval point", "%(num)d naval points", naval))
    return ", ".join(parts)


def why_said(told: str) -> str:
    """Why a step is closed, in the reader's language; a preview says the paragraph before it."""
    rule, colon, reason = told.partition(": ")
    return refusal_said("punic_wars", reason if colon and rule[:1].isdigit() else told)
