"""The rule books on the command line: exact chances, and how many of their paragraphs are played."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

import data
from tactical.odds import Calculator, as_json
from webapp.api.views import calculators
from webapp.cli import add
from webapp.pages.reference import books

STATUSES = ("done", "manual", "later")


def register(subparsers: Any) -> None:
    """Add both subcommands; `odds` has one of its own for each calculator."""
    counting = add(
        subparsers,
        "coverage",
        report_coverage,
        "Counts the paragraphs of each rule book by status. An entry without a status gives exit code 1.",
        "coverage --update docs/coverage.md",
    )
    counting.add_argument("--json", action="store_true", help="report as JSON")
    counting.add_argument("--markdown", action="store_true", help="report as the table of docs/coverage.md, by chapter")
    counting.add_argument("--update", metavar="FILE", help="write that table between the markers in FILE")
    reckoning = add(
        subparsers,
        "odds",
        print_odds,
        "Calculates exact chances from the tables of the rules.",
        "odds boarding --attacker heavy:10 --defender medium:15",
    )
    which = reckoning.add_subparsers(dest="calculator", required=True, metavar="CALCULATOR")
    for calculator in calculators():
        add_calculator(which, calculator)


def report_coverage(given: argparse.Namespace) -> int:
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
    """For each system the number of all its paragraphs by status."""
    found: dict[str, dict[str, int]] = {}
    for path in sorted(root.glob("*/paragraphs.toml")):
        entries = msgspec.toml.decode(path.read_bytes())["paragraph"]
        by_status = Counter(entry.get("status") for entry in entries)
        count = {status: by_status[status] for status in STATUSES}
        unmarked = len(entries) - sum(count.values())
        found[path.parent.name] = {**count, "unmarked": unmarked, "paragraphs": len(entries)}
    return found


def add_calculator(which: Any, calculator: Calculator) -> None:
    """One calculator's own parser: an option for each of its fields."""
    example = " ".join(
        f"--{name.replace('_', '-')} {value}"
        for name, _, value in (part.partition("=") for part in calculator.example.split("&"))
    )
    word = command_word(calculator)
    parser = which.add_parser(
        word,
        help=f"{', '.join(calculator.cites)} ({calculator.system})",
        epilog=f"Example: navarch odds {word} {example}",
    )
    for field in calculator.fields:
        bounds = f"{field.low} to {field.high}" if field.kind == "count" else ", ".join(field.choices or field.parts)
        hint = bounds if field.kind != "flag" else "1 or 0"
        parser.add_argument(
            f"--{field.name.replace('_', '-')}",
            dest=field.name,
            metavar="VALUE",
            required=field.default is None,
            help=hint,
        )
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.set_defaults(run=print_odds, reckons=calculator)


def command_word(calculator: Calculator) -> str:
    """The word on the command line: the galley's names stand alone, the others' after their system."""
    name = calculator.name.replace("_", "-")
    return name if calculator.system == "galley" else f"{calculator.system.replace('_', '-')}-{name}"


def print_odds(given: argparse.Namespace) -> int:
    """Print the odds."""
    calculator: Calculator = given.reckons
    asked = {field.name: getattr(given, field.name) for field in calculator.fields}
    result = as_json(calculator.answer({name: value for name, value in asked.items() if value is not None}))
    if given.json:
        print(json.dumps(result, indent=2))
    else:
        small = result.pop("fractions")
        print("\n".join(lines(result, small)))
    return 0


def lines(result: Any, small: Any, indent: str = "", chance: bool = True) -> list[str]:
    """A result as lines of text: names, per cent (averages as numbers), and fractions where they are small."""
    told = []
    for name, value in result.items() if isinstance(result, dict) else enumerate(result, 1):
        fraction = small.get(name) if isinstance(small, dict) else None
        is_chance = chance and not str(name).startswith("mean")
        if isinstance(value, dict | list):
            told += [f"{indent}{name}:", *lines(value, fraction or {}, indent + "  ", is_chance)] if value else []
        elif isinstance(value, float):
            shown = f"{100 * value:8.4f}%" if is_chance else f"{value:8.4f} "
            told.append(f"{indent}{name!s:<16}{shown}" + (f"   {fraction}" if fraction else ""))
        else:
            told.append(f"{indent}{name!s:<16}{value}")
    return told
