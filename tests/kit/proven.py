"""Which done paragraphs are proven: cited by code of their own system, and named by a test of their own.

A test names a paragraph at the beginning of its own name (`test_11_6_…`, after `_and_` a further one), or in its
parameters. A docstring, a helper or another system's test does not count. `python tests/kit/proven.py docs/coverage.md` writes
the two numbers into that page.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from strategic import NAMES

ROOT = Path(__file__).parents[2]
BEGIN, END = "<!-- proven:begin -->", "<!-- proven:end -->"
LINK = ("strategic/naval/engagement.py", "strategic/naval/settling.py", "strategic/naval/handoff.py", "strategic/naval")


def shared(system: str) -> tuple[str, ...]:
    """What campaigns share and this one plays: the folders and files of `strategic` that its own import, and theirs."""
    found, left = set(), [f"strategic/{system}"]
    while left:
        place = left.pop()
        found.add(place)
        for path in files((place,), (".py",)):
            for name in re.findall(r"^from strategic\.(\w+)", path.read_text(), re.MULTILINE):
                one = f"strategic/{name}" if (ROOT / "strategic" / name).is_dir() else f"strategic/{name}.py"
                left += [one] if one not in (*found, *left) else []
    return tuple(sorted(found))


def places() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """By book the code and tables of data that may cite it, and its tests."""
    campaigns = {name: ((*shared(name), f"data/{name}"), (f"tests/strategic/{name}",)) for name in NAMES}
    code, own = campaigns["open_campaign"]  # its clause O10, the club's season, is a system of its own
    pages = ("webapp/systems/open_campaign", "webapp/pages/open_campaign", "strategic/season", "data/season")
    shown = ("tests/webapp/open_campaign", "tests/webapp/post", "tests/strategic/season")
    campaigns["open_campaign"] = (*code, *pages), (*own, *shown)  # some clauses are about pages and mail
    return {
        "galley": (("tactical", "data/galley"), ("tests/tactical",)),
        "linking": ((*LINK, "strategic", "tactical", "webapp", "data/linking"), ("tests",)),
        **campaigns,
    }


@cache
def inventory(text: str) -> list[dict[str, Any]]:
    """The paragraphs of a book."""
    listed: list[dict[str, Any]] = tomllib.loads(text)["paragraph"]
    return listed


def done(system: str) -> list[str]:
    """The paragraphs that are done."""
    listed = inventory((ROOT / "data" / system / "paragraphs.toml").read_text())
    return [each["id"] for each in listed if each["status"] == "done"]


def files(places: tuple[str, ...], endings: tuple[str, ...]) -> list[Path]:
    """The files of these folders, and those named; neither an inventory nor words of another language cite anything."""
    found: set[Path] = set()
    for place in places:
        path = ROOT / place
        found |= {path} if path.is_file() else {each for end in endings for each in path.rglob(f"*{end}")}
    return sorted(path for path in found if path.name != "paragraphs.toml" and len(path.suffixes) < 2)


PLACES = places()


@cache
def as_word(paragraph: str) -> re.Pattern[str]:
    """The id, and no longer one."""
    return re.compile(rf"(?<![\w.]){re.escape(paragraph)}(?!\w)(?!\.\d)")


def is_cited(paragraph: str, text: str) -> bool:
    """Is the id there as a whole word?"""
    whole, place = as_word(paragraph), text.find(paragraph)
    while place >= 0 and not whole.match(text, place):
        place = text.find(paragraph, place + 1)
    return place >= 0


@cache
def as_name(paragraph: str) -> str:
    """The id as it stands in a test's name."""
    return re.sub(r"\W+", "_", paragraph).strip("_").lower()


def is_named(paragraph: str, name: str) -> bool:
    """Does the test's name begin with the id, or have it after an `_and_`?"""
    told = as_name(paragraph)
    return told in name and re.search(rf"(^test_|_and_){re.escape(told)}(?![a-z0-9])", name) is not None


@cache
def tests(places: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Each test's name, and the texts in its parameters."""
    found: list[tuple[str, str]] = []
    for path in files(places, (".py",)):
        tree = ast.parse(path.read_text())
        tables = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                said = " ".join(text for mark in node.decorator_list for text in texts(mark, tables))
                found.append((node.name.lower(), said))
    return tuple(found)


def texts(node: ast.AST, tables: dict[str, ast.expr]) -> Iterator[str]:
    """The texts within a mark, and within the table that it names."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value
        elif isinstance(inner, ast.Name) and inner.id in tables:
            yield from texts(tables[inner.id], {})


@cache
def proven(system: str) -> list[str]:
    """The done paragraphs that are cited and named."""
    code, own = PLACES[system]
    text = "\n".join(path.read_text() for path in files(code, (".py", ".toml")))
    said = tests(own)
    return [
        each
        for each in done(system)
        if is_cited(each, text) and any(is_named(each, name) or is_cited(each, given) for name, given in said)
    ]


def table() -> str:
    """Both numbers by system, as docs/coverage.md shows them."""
    lines = ["| system | done | of these proven |", "|---|---:|---:|"]
    counts = {system: (len(done(system)), len(proven(system))) for system in PLACES}
    lines += [f"| {system} | {all_} | {shown} |" for system, (all_, shown) in counts.items()]
    together = [sum(count[place] for count in counts.values()) for place in (0, 1)]
    return "\n".join([*lines, f"| **together** | {together[0]} | {together[1]} |"])


def claimed(text: str) -> dict[str, tuple[int, int]]:
    """The numbers that the page has now."""
    shown = text[text.index(BEGIN) + len(BEGIN) : text.index(END)]
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \|$", shown, re.MULTILINE)
    return {system: (int(all_), int(count)) for system, all_, count in rows}


def main(path: str) -> None:
    """Write the numbers between the marks of a file, and say what is not proven yet."""
    text = Path(path).read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    Path(path).write_text(f"{text[:begin]}\n{table()}\n{text[end:]}")
    for system in PLACES:
        shown = proven(system)
        missing = [each for each in done(system) if each not in shown]
        print(f"{system}: {len(missing)} not proven: {', '.join(missing)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
