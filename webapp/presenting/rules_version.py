"""Where a journal goes on by another version of the rules."""

from __future__ import annotations

from webapp.http.language import gettext as _


def mark(before: str, now: str) -> str:
    """What stands at the first entry that another version made than the one before it; nothing at the others."""
    if not before or before == now:
        return ""
    return _("From here on version %(now)s of the rules applies; before, version %(before)s.", now=now, before=before)
