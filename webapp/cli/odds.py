"""`navarch odds`: exact chances on the command line."""

from __future__ import annotations

import argparse
import json
from typing import Any

from tactical.odds import Calculator, as_json
from webapp.api.views import calculators


def register(subparsers: Any) -> None:
    """Add the subcommand, with one of its own for each calculator."""
    parser = subparsers.add_parser(
        "odds",
        help="calculate exact chances: boarding, ram, head-on ram, missiles, repairs, and the campaigns' tables",
        description="Calculates exact chances from the tables of the rules.",
        epilog="Example: navarch odds boarding --attacker heavy:10 --defender medium:15",
    )
    which = parser.add_subparsers(dest="calculator", required=True, metavar="CALCULATOR")
    for calculator in calculators():
        add(which, calculator)


def add(which: Any, calculator: Calculator) -> None:
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
    parser.set_defaults(run=run, reckons=calculator)


def command_word(calculator: Calculator) -> str:
    """The word on the command line: the galley's names stand alone, the others' after their system."""
    name = calculator.name.replace("_", "-")
    return name if calculator.system == "galley" else f"{calculator.system.replace('_', '-')}-{name}"


def run(given: argparse.Namespace) -> int:
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
