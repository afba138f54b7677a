"""`navarch coverage`: how many paragraphs of each source are played, by hand, or for later."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

import data
from webapp.pages.reference import books

STATUSES = ("done", "manual", "later")


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "coverage",
        help="count the rule paragraphs of each system by status: done, manual, later",
        description="Counts the paragraphs of each rule book by status. An entry without a status gives exit code 1.",
        epilog="Example: navarch coverage --update docs/coverage.md",
    )
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.add_argument("--markdown", action="store_true", help="report as the table of docs/coverage.md, by chapter")
    parser.add_argument("--update", metavar="FILE", help="write that table between the markers in FILE")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Report the counts; 1 when an entry has no known status."""
    counts = count_paragraphs()
    if given.update:
        books.update(Path(given.update))
    elif given.json:
        print(json.dumps(counts, indent=2))
    elif given.markdown:
        print(books.markdown())
    else:
        print(f"{'system':<16}{'done':>6}{'manual':>8}{'later':>7}{'all':>6}")
        for system, count in counts.items():
            print(f"{system:<16}{count['done']:>6}{count['manual']:>8}{count['later']:>7}{count['paragraphs']:>6}")
    return 1 if any(count["unmarked"] for count in counts.values()) else 0


def count_paragraphs(root: Path = data.ROOT) -> dict[str, dict[str, int]]:
    """For each system the number of paragraphs of its inventory by status; what we added to it is not counted."""
    found: dict[str, dict[str, int]] = {}
    for path in sorted(root.glob("*/paragraphs.toml")):
        listed = msgspec.toml.decode(path.read_bytes())["paragraph"]
        entries = [entry for entry in listed if entry.get("inventory", True)]
        by_status = Counter(entry.get("status") for entry in entries)
        count = {status: by_status[status] for status in STATUSES}
        unmarked = len(entries) - sum(count.values())
        found[path.parent.name] = {**count, "unmarked": unmarked, "paragraphs": len(entries)}
    return found
