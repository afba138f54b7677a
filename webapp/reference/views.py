"""Reference pages."""

from flask import Blueprint

bp = Blueprint(
    "reference", __name__, template_folder="templates", static_folder="static", static_url_path="/reference-files"
)
