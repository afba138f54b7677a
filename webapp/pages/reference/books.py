"""The rule books as the pages show them: paragraphs in our own words, by chapter, with status and source."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import data
from strategic import NAMES
from tactical.kernel.record import Record

SYSTEMS = ("galley", *NAMES, "linking")
CHAPTER = re.compile(r"^# -- (.+)$|^id = \"(.+)\"$", re.MULTILINE)
NUMBER = re.compile(r"\b[A-Z]{0,2}\d+(?:\.\w+)+\b")


class Paragraph(Record, frozen=True):
    """One entry of a paragraphs.toml. `source` is set where the paragraph is not from the rule book itself.

    `inventory` is false for readings and neighbouring numbers that we added: they are shown, but not counted.
    """

    id: str
    title: str
    text: str
    kind: str
    enforce: bool = False
    status: str = "later"
    note: str = ""
    source: str = ""
    inventory: bool = True

    @property
    def origin(self) -> str:
        """rules, published, derived or reconstructed: a reading is derived, what the tables add was published."""
        if self.source:
            return self.source
        if self.kind == "reading":
            return "derived"
        return "published" if self.id.startswith("tables.") else "rules"


class Paragraphs(Record, frozen=True):
    """A paragraphs.toml."""

    paragraph: tuple[Paragraph, ...]


class Chapter(NamedTuple):
    """A chapter with its paragraphs, in order."""

    title: str
    paragraphs: tuple[Paragraph, ...]


class Book(NamedTuple):
    """One system's paragraphs by chapter and by id."""

    system: str
    chapters: tuple[Chapter, ...]
    by_id: dict[str, Paragraph]

    def beside(self, paragraph: str) -> tuple[Paragraph | None, Paragraph | None]:
        """The paragraphs before and after."""
        ids = list(self.by_id)
        place = ids.index(paragraph)
        before = self.by_id[ids[place - 1]] if place else None
        after = self.by_id[ids[place + 1]] if place + 1 < len(ids) else None
        return before, after

    def chapter_of(self, paragraph: str) -> str:
        """The chapter's title."""
        return next(
            chapter.title for chapter in self.chapters if any(each.id == paragraph for each in chapter.paragraphs)
        )


def books() -> tuple[Book, ...]:
    """The books that are there."""
    return tuple(book(system) for system in SYSTEMS if (data.ROOT / system / "paragraphs.toml").exists())


@cache
def book(system: str) -> Book:
    """One book. FileNotFoundError when there is none."""
    path = f"{system}/paragraphs.toml"
    entries = {each.id: each for each in data.read(path, Paragraphs).paragraph}
    chapters: list[tuple[str, list[Paragraph]]] = []
    for title, paragraph in CHAPTER.findall((data.ROOT / path).read_text()):
        if title:
            chapters.append((title, []))
        elif paragraph in entries:
            if not chapters:
                chapters.append(("", []))
            chapters[-1][1].append(entries[paragraph])
    return Book(system, tuple(Chapter(title, tuple(each)) for title, each in chapters if each), entries)


def find(system: str, number: str) -> tuple[str, str] | None:
    """The book and paragraph that a rule number means: itself, in another book, or the nearest one above it."""
    here = [each for each in books() if each.system == system]
    others = [each for each in books() if each.system != system]
    wanted = number
    while wanted:
        for each in (*here, *others):
            if wanted in each.by_id:
                return each.system, wanted
            beginning = next((known for known in each.by_id if known.startswith(f"{wanted}.")), None)
            if beginning and each in here:
                return each.system, beginning
        wanted = wanted.rpartition(".")[0]
    return None


def pieces_with_links(system: str, text: str) -> list[tuple[str, str | None]]:
    """The text in pieces; a piece that is a paragraph's number comes with its address."""
    known = book(system).by_id
    pieces: list[tuple[str, str | None]] = []
    at = 0
    for found in NUMBER.finditer(text):
        if found.group() in known:
            pieces.append((text[at : found.start()], None))
            pieces.append((found.group(), f"/reference/{system}/{found.group()}"))
            at = found.end()
    pieces.append((text[at:], None))
    return [piece for piece in pieces if piece[0]]
