"""The smallest Flask app that does what ours must: a page, and one durable write."""

from __future__ import annotations

import os
import sqlite3
import threading

from flask import Flask, Response

app = Flask(__name__)
mine = threading.local()


@app.get("/small")
def small() -> str:
    """The smallest GET."""
    return "well"


@app.post("/write")
def write() -> dict[str, int]:
    """One durable write."""
    known: sqlite3.Connection | None = getattr(mine, "db", None)
    if known is None:
        known = mine.db = sqlite3.connect(os.environ["TINY_DB"], isolation_level=None, timeout=30)
        known.execute("PRAGMA journal_mode = WAL")
        known.execute("PRAGMA synchronous = FULL")
        known.execute("CREATE TABLE IF NOT EXISTS written (number INTEGER PRIMARY KEY, text TEXT)")
    known.execute("BEGIN IMMEDIATE")
    number = known.execute("INSERT INTO written (text) VALUES (?)", ("a command",)).lastrowid
    known.execute("COMMIT")
    return {"version": number or 0}


@app.get("/static-page/<int:size>")
def static_page(size: int) -> Response:
    """A page of that size that nobody had to make."""
    return Response(b"x" * size, mimetype="text/html")
