"""The floors of the house: imports go one way, and engines touch no web, database, clock or chance."""

import ast
import re
from functools import cache
from pathlib import Path

import networkx
import pytest

from strategic import NAMES
from webapp.presenting.labels import words_of

ROOT = Path(__file__).parent.parent
FLOORS = ("data", "tactical", "strategic", "webapp")
BANNED = {"flask", "sqlite3", "sqlite_utils", "random", "time", "datetime", "secrets", "requests", "urllib"}

# The rooms from top to bottom: an import goes down or stays. A module of `webapp` itself belongs to `webapp`.
ROOMS = (
    "webapp.cli",
    "webapp",  # create_app
    "webapp.lab",
    "webapp.pages",
    "webapp.post",
    "webapp.captains",
    "webapp.api",
    "webapp.systems",
    "webapp.presenting",
    "webapp.camera",
    "webapp.files",
    "webapp.http",
    "webapp.storage",
)


@cache
def nodes(path):
    """Every node of a module's syntax tree, for all tests of this file."""
    return tuple(ast.walk(ast.parse(path.read_text())))


def imports(path):
    """The top-level names that a module imports."""
    for node in nodes(path):
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


def module_name(path):
    """A file as a module: a package by its own name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(node, known):
    """The modules of the house that an import statement names."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names} & known
    inner = {f"{node.module}.{alias.name}" for alias in node.names} & known
    rest = len(inner) < len(node.names)
    return inner | ({node.module} & known if rest else set())


def house():
    """Every module of the house with the nodes of its syntax tree."""
    return {module_name(path): nodes(path) for floor in FLOORS for path in modules(floor)}


def arrows():
    """Every import of one module of the house by another, wherever in the module it stands."""
    trees = house()
    for name, tree in trees.items():
        for node in tree:
            if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
                yield from ((name, other) for other in imported(node, set(trees)) if other != name)


def test_every_import_names_a_module_of_the_house():
    """Also in tests and docs: a module that has moved is found by its new name at once."""
    known = set(house())
    named = re.compile(rf"^ *from ((?:{'|'.join(FLOORS)})(?:\.\w+)*) import", re.MULTILINE)
    paths = (path for folder in (*FLOORS, "tests", "tools") for path in (ROOT / folder).rglob("*.py"))
    assert not [f"{path}: {name}" for path in paths for name in named.findall(path.read_text()) if name not in known]


def test_no_module_needs_one_that_needs_it():
    circles = [
        circle for circle in networkx.strongly_connected_components(networkx.DiGraph(arrows())) if len(circle) > 1
    ]
    assert not [sorted(circle) for circle in circles]


def room_of(module):
    """The number of a module's room, from the top."""
    return ROOMS.index(room if (room := ".".join(module.split(".")[:2])) in ROOMS else "webapp")


def test_the_web_imports_from_no_room_above():
    web = ((name, other) for name, other in arrows() if name.startswith("webapp") and other.startswith("webapp"))
    assert not sorted((name, other) for name, other in web if room_of(other) < room_of(name))


def test_every_folder_of_the_web_with_code_in_it_is_a_room():
    folders = {f"webapp.{path.parent.name}" for path in (ROOT / "webapp").glob("*/__init__.py")}
    assert folders | {"webapp"} == set(ROOMS)


@pytest.mark.parametrize("system", NAMES)
def test_a_campaign_system_is_a_folder_with_its_rules(system):
    folder = ROOT / "strategic" / system
    wanted = {"__init__", "commands", "sequence", "setup", "state", "tables"}
    assert wanted <= {path.stem for path in folder.glob("*.py")} and list((folder / "rules").glob("*.py"))


SHARED = ("tactical", "strategic", "webapp", "benchmarks")  # where whatever is not a system's own knows none by name
OWN = [f"{place}/{name}/" for place in ("strategic", "webapp/systems", "webapp/pages") for name in NAMES]
NAMED = {
    "strategic/__init__.py": "the list of systems",
    "strategic/captains/admirals.py": "admirals command its fleets, and decide what its sides build and agree to",
    "benchmarks/great_war.py": "measures a turn of it, its file and its page of orders",
    "benchmarks/cuts.py": "measures cuts of its map",
    "benchmarks/walk.py": "counts what an order of the open campaign walks through, and a question of the land war",
    "webapp/__init__.py": "the blueprints of a system with pages of its own",
    "webapp/api/worlds.py": "the worlds that an open campaign is cut from",
    "strategic/interception.py": "says in its docstring whose rules it serves",
    "strategic/point_to_point/__init__.py": "says in its docstring which games are of the family",
    "strategic/point_to_point/survey.py": "a general is called Hannibal, and the rule names him",
}


def test_no_system_is_named_outside_its_own_folders():
    """A sixth system is its folders, its data and one line: nothing else knows systems by their names."""
    called = [*NAMES, *(name.replace("_", " ") for name in NAMES), *(words_of(name).title for name in NAMES)]
    wanted = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in called), re.IGNORECASE)
    found = {
        inside
        for place in SHARED
        for path in (ROOT / place).rglob("*")
        if path.suffix in (".py", ".html", ".js", ".css")
        and not (inside := str(path.relative_to(ROOT))).startswith(tuple(OWN))
        if wanted.search(path.read_text())
    }
    assert found == set(NAMED)
