"""How much of each rule book is built, as the table of docs/coverage.md: paragraphs by chapter and status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from markupsafe import escape

from tactical.kernel.record import BadInput
from webapp.pages.reference.books import Paragraph, books
from webapp.presenting.words import words_of

BEGIN, END = "<!-- coverage:begin -->", "<!-- coverage:end -->"
HEAD = ("| {what} | done | manual | later | all |", "|---|---:|---:|---:|---:|")


def markdown() -> str:
    """All books in one table, then each book's chapters in a fold of its own."""
    found = books()
    lines = [HEAD[0].format(what="system"), HEAD[1]]
    lines += [row(words_of(book.system).title, book.by_id.values()) for book in found]
    lines.append(row("**together**", [each for book in found for each in book.by_id.values()]))
    for book in found:
        lines += ["", f"<details><summary>{escape(words_of(book.system).title)} by chapter</summary>", ""]
        lines += [HEAD[0].format(what="chapter"), HEAD[1]]
        lines += [row(chapter.title or "Rules", chapter.paragraphs) for chapter in book.chapters]
        lines += ["", "</details>"]
    return "\n".join(lines)


def row(what: str, paragraphs: Iterable[Paragraph]) -> str:
    """One line: how many paragraphs of each status, and of all."""
    counts = Counter(each.status for each in paragraphs if each.inventory)
    shown = [str(counts[status]) for status in ("done", "manual", "later")]
    return f"| {what.replace('|', '/')} | {' | '.join(shown)} | {counts.total()} |"


def update(path: Path) -> None:
    """Write the table between the marks of a file. BadInput when the marks are not there."""
    text = path.read_text()
    begin, end = marks(text)
    path.write_text(f"{text[:begin]}\n{markdown()}\n{text[end:]}")


def current_table(text: str) -> str:
    """The table that a file shows now. BadInput when the marks are not there."""
    begin, end = marks(text)
    return text[begin:end].strip()


def marks(text: str) -> tuple[int, int]:
    """Where the first mark ends and the last begins. BadInput when they are not there, in order."""
    begin, end = text.find(BEGIN), text.find(END)
    if not 0 <= begin < end:
        raise BadInput("", "the file has no %(begin)s … %(end)s", begin=BEGIN, end=END)
    return begin + len(BEGIN), end
