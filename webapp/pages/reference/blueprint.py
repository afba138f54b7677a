"""What the blueprints of the reference have in common: its templates and its words."""

from __future__ import annotations

from typing import Any

from flask import Blueprint

from webapp.pages.reference.labels import words


def reference_blueprint(name: str, **more: Any) -> Blueprint:
    """A blueprint for pages of the reference; `more` as for any blueprint."""
    bp = Blueprint(name, __name__, template_folder="templates", **more)
    bp.context_processor(words)
    return bp
