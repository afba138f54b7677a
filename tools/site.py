"""Gathers the pages of the docs site in build/docs: these pages, the handbooks, the changes and the API.

`make docs` runs it and then builds the site, strictly: a link that leads nowhere stops it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from tools import formats
from webapp import create_app
from webapp.api.openapi import CALLS, Call, others
from webapp.pages.reference.views import TITLES, handbook
from webapp.storage.journal.store import Store, all_systems

ROOT = Path(__file__).parents[1]
OUT = ROOT / "build" / "docs"
PICTURES = ROOT / "webapp/pages/reference/static/handbook"
SHIPPED = (".md", ".png", ".jpg", ".conf")


def handbook_page(who: str) -> str:
    """The English handbook of a player, an umpire or an organizer, with its pictures."""
    lines = [f"# For the {who}", ""]
    for step in handbook(who, "en").step:
        lines += [f"## {step.title}", "", step.text, "", f"![{step.title}](handbook/{who}-{step.id}.jpg)", ""]
    return "\n".join(lines)


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


def pages() -> Iterator[tuple[str, str]]:
    """The pages that are made here, by the name of their file."""
    for who in TITLES:
        yield f"{who}.md", handbook_page(who)
    app = create_app({"STORE": Store(ROOT / "build" / "docs.db", all_systems())})
    yield "api.md", api_page([*CALLS, *others(app)])
    yield "formats.md", formats.page(each() for each in formats.SECTIONS)
    yield "changes.md", (ROOT / "CHANGELOG.md").read_text().replace("](docs/", "](")


def gather() -> None:
    """Write everything anew."""
    shutil.rmtree(OUT, ignore_errors=True)
    for path in (ROOT / "docs").rglob("*"):
        if path.suffix in SHIPPED:
            target = OUT / path.relative_to(ROOT / "docs")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    shutil.copytree(PICTURES, OUT / "handbook")
    for name, text in pages():
        (OUT / name).write_text(text)
    (OUT / formats.FOLDER).mkdir()
    for section in formats.SECTIONS:
        for example in section().examples:
            (OUT / formats.FOLDER / example.name).write_bytes(example.data)


if __name__ == "__main__":
    gather()
