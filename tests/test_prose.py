"""What a program can find of the rules of prose in docs/contributing.md, in the README and the docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# These answer findings in short rows of their own form.
ANSWERS = {"language_answered.md", "pages_answered.md", "table_answered.md", "rulings.md", "threats.md"}


PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in ANSWERS),
]
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
CODE = re.compile(r"`[^`]*`")
QUOTED = re.compile(r'"[^"\n]*"')
HEADING = re.compile(r"^#+ .*$", re.MULTILINE)  # a heading such as "What it does" is a noun, not a sentence
LIST_MARK = re.compile(r"^(?:[-*]|\d+\.)\s+")
SENTENCE_END = re.compile(r"(?<=[.!?])[)*_]*\s+(?=[A-Z\[*_(])")
FAULTS = {
    "is no": re.compile(r"\b(?:is|are|was|were) no (?!longer\b|more\b|doubt\b)", re.IGNORECASE),
    "the own": re.compile(r"\b(?:the|an) own\b", re.IGNORECASE),
    "no actor": re.compile(r"\b(?:is|are) (?:awaited|waited for|said)\b", re.IGNORECASE),
}
THERE = re.compile(r"\bthere (?:is|are|was|were) no\b", re.IGNORECASE)
ASKS = re.compile(r"^[*_(\[]*(?:Who|What|Whose)\b(?!ever)")


def sentences(page: str) -> list[str]:
    """The sentences of a page in Markdown, without headings, code, comments and words between double quotes.

    An item of a list and a cell of a table each begin a sentence.
    """
    prose = HEADING.sub("", COMMENT.sub("", FENCED.sub("", page)))
    prose = QUOTED.sub("…", CODE.sub("…", prose))
    blocks: list[str] = [""]
    for line in map(str.strip, prose.splitlines()):
        if line.startswith("|"):
            blocks += [*line.strip("|").split("|"), ""]
        elif not line or LIST_MARK.match(line):
            blocks += [LIST_MARK.sub("", line)]
        else:
            blocks[-1] += f" {line}"
    return [found for block in blocks for each in SENTENCE_END.split(block.strip()) if (found := each.strip())]


def faults(sentence: str) -> set[str]:
    """The rules that a sentence breaks, by the names of FAULTS or "no question mark"."""
    found = {name for name, pattern in FAULTS.items() if pattern.search(THERE.sub("", sentence))}
    asks = ASKS.match(sentence) and len(sentence.split()) > 2 and not sentence.rstrip("*_)]").endswith("?")
    return found | ({"no question mark"} if asks else set())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_written_by_the_rules_of_prose(page: Path) -> None:
    assert {each: faults(each) for each in sentences(page.read_text()) if faults(each)} == {}


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ("A tribe is no city that can be besieged.", {"is no"}),
        ("- These are no ports.", {"is no"}),
        ("There is no such game. There are no accounts.", set()),
        ("The seat is no longer there.", set()),
        ("| what | why |\n|---|---|\n| Who rolls low loses the ship. | fine |", {"no question mark"}),
        ("It ends. What was sent is\ntoo large.", {"no question mark"}),
        ("**Whose turn it is** stands at the top.", {"no question mark"}),
        ("What stops them? Nothing.", set()),
        ("# Whose turn\nWhatever you tap opens.", set()),
        ("Leave it for the own table.", {"the own"}),
        ("Leave it for your own table, with a file of its own.", set()),
        ("A clock runs while its side is awaited.", {"no actor"}),
        ("Nobody\nis waited for, and that is said.", {"no actor"}),
        ('Not "Who rolls low loses", and not `is no`.', set()),
        ("```\nWho rolls low loses the ship.\n```", set()),
    ],
)
def test_a_planted_sentence_is_found(page: str, wanted: set[str]) -> None:
    assert {fault for each in sentences(page) for fault in faults(each)} == wanted


def test_no_rule_has_an_own_without_an_owner() -> None:
    found = [each for path in sorted((ROOT / "data").rglob("*.toml")) for each in path.read_text().splitlines()]
    assert [each for each in found if FAULTS["the own"].search(each) and not each.startswith("#")] == []
