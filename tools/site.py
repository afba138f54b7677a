"""Gathers the pages of the docs site in build/docs: the pages of docs, and those that are made of the program.

`make docs` runs it and then builds the site, strictly: a link that leads nowhere stops it. Four pages that are made
here lie in docs as well, for whoever reads them there: `python -m tools.site write` writes them anew.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tools import formats
from webapp import create_app
from webapp.api.openapi import CALLS, Call, others
from webapp.pages.reference.books import Book, books
from webapp.pages.reference.views import TITLES, handbook
from webapp.presenting.labels import words_of
from webapp.storage.journal.store import Store, all_systems

ROOT = Path(__file__).parents[1]
OUT = ROOT / "build" / "docs"
PICTURES = "webapp/pages/reference/static/handbook"
SHIPPED = (".md", ".png", ".jpg", ".conf")


def handbook_page(who: str) -> str:
    """The English handbook of a player, an umpire or an organizer, with its pictures."""
    lines = [f"# For the {who}", ""]
    for step in handbook(who, "en").step:
        lines += [f"## {step.title}", "", step.text, "", f"![{step.title}](../{PICTURES}/{who}-{step.id}.jpg)", ""]
    return "\n".join(lines)


# -- Rulings: what the rules leave open, from the paragraphs, the options and the code that has the rules.

CODE = {
    "galley": ("tactical",),
    "hannibal": ("strategic/hannibal", "strategic/point_to_point"),
}  # else strategic/<system>
RULING = re.compile(r"\bRuling(?: (\w+))?: (.+)")


class Ruling(NamedTuple):
    """A doubtful place of a rule book: its paragraphs, what they are about, and how the program plays it."""

    paragraphs: str
    about: str
    answer: str


def rulings_page() -> str:
    """How the program reads what a rule book leaves open, system by system."""
    lines = [
        "# Rulings: how the program reads doubtful rules",
        "",
        "Rule books leave things open, and contradict themselves. Here is each place of which we know, what we",
        "decided, and where you may decide otherwise: an option is chosen when a game begins, and an umpire may",
        "correct anything at any time. The tests of a paragraph have its number in their names (G6.10:",
        "`test_g6_10_…`, in [tests](../tests)). If you read a rule in another way, [tell us](../CONTRIBUTING.md): the",
        "paragraph, what the page did, and what you expected.",
        "",
    ]
    for book in books():
        found, options = [*readings(book), *rulings(book)], options_of(book)
        if found or options:
            lines += [f"## {words_of(book.system).title}", ""]
        if found:
            lines += ["| paragraph | what is open | how the program plays it |", "|---|---|---|", *map(row, found), ""]
        if options:
            lines += ["Options where groups differ:", "", "| paragraph | option | what it decides |", "|---|---|---|"]
            lines += [*map(row, options), ""]
    return "\n".join(lines)


def row(cells: Iterable[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def readings(book: Book) -> Iterator[Ruling]:
    """The paragraphs of a book that are our readings."""
    for each in book.by_id.values():
        if each.kind == "reading":
            yield Ruling(each.id, each.title, f"{each.text} {each.note}".strip())


def rulings(book: Book) -> Iterator[Ruling]:
    """What docstrings of the code that has a book's rules say after the word Ruling."""
    for folder in CODE.get(book.system, (f"strategic/{book.system}",)):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                said = isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node)
                if said and (ruled := RULING.search(text := " ".join(said.split()))):
                    paragraphs, about = numbered(text[: ruled.start()].strip())
                    named = f"{paragraphs}, {ruled[1]}" if ruled[1] else paragraphs
                    yield Ruling(named, about, ruled[2][0].upper() + ruled[2][1:])


def numbered(text: str) -> tuple[str, str]:
    """The paragraphs that a docstring begins with, and the rest of its text."""
    known = sorted((number for each in books() for number in each.by_id), key=len, reverse=True)
    found: list[str] = []
    while number := next((each for each in known if re.match(rf"{re.escape(each)}(?:,|\s|$)", text)), None):
        found.append(number)
        text = text[len(number) :].lstrip(", ")
    return ", ".join(found), text


def options_of(book: Book) -> list[tuple[str, str, str]]:
    """The options that belong to paragraphs of a book: number, the option's name, what it decides."""
    system = all_systems().get(book.system)
    found = system.options if system else ()
    return [(each.rule, f"`{each.name}`", each.meaning) for each in found if each.rule in book.by_id]


def api_page(calls: list[Call]) -> str:
    """A table of the API's calls; the whole description is what a server serves at `/api/v1/openapi.json`."""
    lines = [
        "# The API",
        "",
        "Every server describes its API at `/api/v1/openapi.json` (OpenAPI 3.1), with the types of all commands and",
        "positions. A seat is named by `Authorization: Bearer TOKEN`. These are the calls; each begins with `/api/v1`.",
        "",
        "| call | what it does | needs a seat |",
        "|---|---|---|",
    ]
    for call in sorted(calls, key=lambda each: (each.path, each.method)):
        seat = "no" if call.public else "yes"
        lines.append(f"| `{call.method.upper()} {call.path}` | {re.sub('[|]', '/', call.summary)} | {seat} |")
    return "\n".join([*lines, ""])


def written() -> Iterator[tuple[str, str]]:
    """The pages that lie in docs as well, by the name of their file."""
    for who in TITLES:
        yield f"{who}.md", handbook_page(who)
    yield "rulings.md", rulings_page()


def pages() -> Iterator[tuple[str, str]]:
    """The other pages that are made here."""
    app = create_app({"STORE": Store(ROOT / "build" / "docs.db", all_systems())})
    yield "api.md", api_page([*CALLS, *others(app)])
    yield "formats.md", formats.page(each() for each in formats.SECTIONS)
    yield "changes.md", in_site((ROOT / "CHANGELOG.md").read_text())
    yield "notice.md", (ROOT / "NOTICE.md").read_text()


def in_site(text: str, outside: str = "../") -> str:
    """A page with its links as they are on the site, which has only these pages; `outside` is the way to others."""
    ours = {
        "docs/": "",
        f"{outside}{PICTURES}/": "handbook/",
        f"{outside}CHANGELOG.md": "changes.md",
        f"{outside}CONTRIBUTING.md": "contributing.md",
        f"{outside}NOTICE.md": "notice.md",
    }
    for here, there in ours.items():
        text = text.replace(f"]({here}", f"]({there}")
    return re.sub(rf"\[([^\]]+)\]\({re.escape(outside)}[^)]*\)", r"\1", text)


def gather() -> None:
    """Write everything anew."""
    shutil.rmtree(OUT, ignore_errors=True)
    for path in (ROOT / "docs").rglob("*"):
        if path.suffix in SHIPPED:
            target = OUT / path.relative_to(ROOT / "docs")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
            if path.suffix == ".md":
                target.write_text(in_site(path.read_text(), "../" * len(path.relative_to(ROOT / "docs").parts)))
    shutil.copytree(ROOT / PICTURES, OUT / "handbook")
    for name, text in pages():
        (OUT / name).write_text(text)
    (OUT / formats.FOLDER).mkdir()
    for section in formats.SECTIONS:
        for example in section().examples:
            (OUT / formats.FOLDER / example.name).write_bytes(example.data)


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        for page, text in written():
            (ROOT / "docs" / page).write_text(text)
    else:
        gather()
