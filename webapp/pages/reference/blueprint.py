"""The blueprint of the reference, alone, so that each of its pages can be a file."""

from __future__ import annotations

from flask import Blueprint

from webapp.pages.reference.labels import words

bp = Blueprint(
    "reference", __name__, template_folder="templates", static_folder="static", static_url_path="/reference-files"
)
bp.context_processor(words)
