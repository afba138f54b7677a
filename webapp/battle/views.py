"""The battle's pages."""

from __future__ import annotations

from flask import Blueprint

from webapp.battle import look

bp = Blueprint("battle", __name__, template_folder="templates")
bp.app_context_processor(look.look)
bp.add_url_rule("/look", "look", look.choose, methods=["POST"])
