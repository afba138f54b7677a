"""The floors of the house: imports go one way, and engines touch no web, database, clock or chance."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = ("data", "tactical", "strategic", "webapp")
BANNED = {"flask", "sqlite3", "sqlite_utils", "random", "time", "datetime", "secrets", "requests", "urllib"}


def imports(path):
    """The top-level names that a module imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def modules(floor):
    return sorted((ROOT / floor).rglob("*.py"))


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_point_downwards(floor):
    above = set(FLOORS[FLOORS.index(floor) + 1 :])
    wrong = [f"{path}: {name}" for path in modules(floor) for name in imports(path) if name in above]
    assert modules(floor) and not wrong


@pytest.mark.parametrize("floor", ["tactical", "strategic"])
def test_engines_import_no_web_no_database_no_clock_and_no_chance(floor):
    assert not [f"{path}: {name}" for path in modules(floor) for name in imports(path) if name in BANNED]


def test_no_file_is_called_by_what_it_is_not():
    vague = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
    assert not [str(path) for floor in FLOORS for path in modules(floor) if path.stem in vague]
