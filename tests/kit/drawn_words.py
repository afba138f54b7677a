"""Draw sentences of each kind with a seed, to be read as a native would: how many in a hundred make one stumble?

Example: python tests/kit/drawn_words.py 41 ru
"""

from __future__ import annotations

import random
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from babel.messages.pofile import read_po  # noqa: E402

# These answer findings in short rows of their own form.
ANSWERS = {"rulings.md", "threats.md"}
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


def strings(language: str) -> list[str]:
    """What the pages say: the catalogue's messages, in English their keys; without sentences of events and refusals."""
    with (ROOT / f"webapp/translations/{'it' if language == 'en' else language}/LC_MESSAGES/messages.po").open(
        "rb"
    ) as file:
        messages = [message for message in read_po(file) if message.id]
    said = [message.id if language == "en" else message.string for message in messages]
    return sorted({each if isinstance(each, str) else each[-1] for each in said})


def paragraphs(language: str) -> list[str]:
    """The texts of all rule paragraphs."""
    name = "paragraphs.toml" if language == "en" else f"paragraphs.{language}.toml"
    found = []
    for path in sorted((ROOT / "data").glob(f"*/{name}")):
        rows = tomllib.loads(path.read_text())
        each = rows["paragraph"] if language == "en" else rows.values()
        found += [row["text"] for row in each if isinstance(row, dict) and row.get("text")]
    return found


def approved(kind: str, language: str) -> list[str]:
    """The rendered samples of refusals or events."""
    lines = (ROOT / f"tests/approved/{kind}_{language}.txt").read_text().splitlines()
    texts = (line.partition(": ")[2] if kind == "events" else line for line in lines if not line.startswith("=="))
    return [text for text in texts if text]


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


def docs(language: str) -> list[str]:
    """The sentences of README and docs, which are in English; not what stands alone in the cells of tables."""
    found = [each for page in PAGES for each in sentences(page.read_text())] if language == "en" else []
    return [each for each in found if len(each.split()) > 4 and each.rstrip("*_)").endswith((".", "?", "!"))]


KINDS: dict[str, tuple[int, Callable[[str], list[str]]]] = {
    "strings": (150, strings),
    "paragraphs": (60, paragraphs),
    "refusals": (40, lambda language: approved("refusals", language)),
    "events": (60, lambda language: approved("events", language)),
    "docs": (60, docs),
}


def main(seed: str, language: str) -> None:
    """Print so many of each kind, numbered."""
    for kind, (count, source) in KINDS.items():
        found = source(language)
        print(f"== {kind}, seed {seed}, {language}")
        for number, text in enumerate(random.Random(f"{seed} {kind}").sample(found, min(count, len(found))), start=1):
            print(f"{number}. {text}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
