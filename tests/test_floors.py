"""The floors of the house: imports go one way, and engines touch no web, database, clock or chance."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import networkx
import pytest

from strategic import NAMES
from webapp.presenting.words import words_of

ROOT = Path(__file__).parent.parent
FLOORS = ("data", "tactical", "strategic", "webapp")
BANNED = {"flask", "sqlite3", "sqlite_utils", "random", "time", "datetime", "secrets", "requests", "urllib"}


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


def test_no_file_is_called_by_what_it_is_not():
    vague = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
    assert not [str(path) for floor in FLOORS for path in modules(floor) if path.stem in vague]


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


def test_every_import_names_a_module_of_the_house():
    """Also in tests and docs: a module that has moved is found by its new name at once."""
    known = set(house())
    named = re.compile(rf"^ *from ((?:{'|'.join(FLOORS)})(?:\.\w+)*) import", re.MULTILINE)
    paths = (path for folder in (*FLOORS, "tests", "docs") for path in (ROOT / folder).rglob("*.py"))
    assert not [f"{path}: {name}" for path in paths for name in named.findall(path.read_text()) if name not in known]


def test_no_module_needs_one_that_needs_it():
    trees = house()
    graph = networkx.DiGraph()
    for name, tree in trees.items():
        for node in tree:
            if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
                graph.add_edges_from((name, other) for other in imported(node, set(trees)) if other != name)
    circles = [circle for circle in networkx.strongly_connected_components(graph) if len(circle) > 1]
    assert not [sorted(circle) for circle in circles]


# The rooms of the web from top to bottom: an import goes down or stays. Folders that are not named belong to theirs.
ROOMS = (
    "webapp.cli",
    "webapp",  # create_app
    "webapp.lab",
    "webapp.pages.seats",
    "webapp.pages.game",
    "webapp.pages.public",
    "webapp.pages.organizer",
    "webapp.pages.wars",
    "webapp.pages.positions",
    "webapp.pages.house",
    "webapp.pages.learn",
    "webapp.pages.captains",
    "webapp.pages.group",
    "webapp.pages.season",
    "webapp.pages.open_campaign",
    "webapp.pages.campaign.engagement",
    "webapp.pages.campaign.panel",
    "webapp.pages.campaign.hand",
    "webapp.pages.campaign.history",
    "webapp.pages.campaign.umpire",
    "webapp.pages.campaign.calls",
    "webapp.pages.campaign.map",
    "webapp.pages.campaign",  # what the blueprints of its folders have in common
    "webapp.pages.battle",  # the page itself, which puts its folders together
    "webapp.pages.battle.television",
    "webapp.pages.battle.printing",
    "webapp.pages.battle.report",
    "webapp.pages.battle.replay",
    "webapp.pages.battle.journal",
    "webapp.pages.battle.head",
    "webapp.pages.battle.setup",
    "webapp.pages.battle.results",
    "webapp.pages.battle.dice",
    "webapp.pages.battle.roster",
    "webapp.pages.battle.sheet",
    "webapp.pages.battle.orders",
    "webapp.pages.battle.board",
    "webapp.pages.lobby",
    "webapp.pages.reference",
    "webapp.pages",
    "webapp.seating",
    "webapp.post",
    "webapp.captains",
    "webapp.courses",
    "webapp.seasons",
    "webapp.api",
    "webapp.systems",
    "webapp.presenting",
    "webapp.spreadsheets",
    "webapp.files",
    "webapp.http",
    "webapp.engagements",
    "webapp.storage.services",
    "webapp.storage.journal",
    "webapp.storage.file",
    "webapp.storage",  # what its shelves refuse with
)


def room_of(module):
    """The number of a module's room, from the top: that of the innermost folder that is named."""
    parts = module.split(".")
    return next(ROOMS.index(name) for end in range(len(parts), 0, -1) if (name := ".".join(parts[:end])) in ROOMS)


def test_every_folder_of_the_web_and_of_its_pages_is_a_room():
    pages = ROOT / "webapp" / "pages"
    houses = (ROOT / "webapp", ROOT / "webapp" / "storage", pages, pages / "battle", pages / "campaign")
    folders = {path.parent for house in houses for path in house.glob("*/__init__.py")}
    assert {module_name(folder / "__init__.py") for folder in folders} | {"webapp"} == set(ROOMS)


def test_the_web_imports_from_no_room_above():
    trees = house()
    wrong = {
        (name, other)
        for name, tree in trees.items()
        if name.startswith("webapp")
        for node in tree
        if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0)
        for other in imported(node, set(trees))
        if other.startswith("webapp") and room_of(other) < room_of(name)
    }
    assert not sorted(wrong)


def test_nobody_writes_into_another_modules_table_at_import():
    """A table is made where it stands: no `module.TABLE[...] = ...` or `module.TABLE.update(...)` beside the functions."""
    wrong = set()
    for path in modules("webapp"):
        tree = ast.parse(path.read_text())
        for node in tree.body:
            for inner in ast.walk(node) if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr) else ():
                targets = inner.targets if isinstance(inner, ast.Assign) else ()
                held = [each.value for each in targets if isinstance(each, ast.Subscript)]
                if (
                    isinstance(inner, ast.Call)
                    and isinstance(inner.func, ast.Attribute)
                    and inner.func.attr == "update"
                ):
                    held.append(inner.func.value)
                wrong |= {module_name(path) for each in held if isinstance(each, ast.Attribute)}
    assert not sorted(wrong)


def test_no_import_stands_inside_a_function():
    local = set()
    for name, tree in house().items():
        for function in tree:
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = (node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom))
                local |= {f"{name}.{function.name}" for _ in inner}
    assert not sorted(local)


# A function's name is a verb or a noun and should not be a participle. At most so many are left in each room, elsewhere none; these numbers
# only get smaller.
PARTICIPLE = re.compile(
    r"\w{2,}ed|begun|built|caught|chosen|done|drawn|driven|fallen|felt|fought|given|gone|heard|held|hidden|kept|known|laid"
    r"|led|left|lent|lost|made|meant|met|paid|said|seen|sent|shown|sold|spent|struck|stood|sunk|sworn|taken|thrown|told"
    r"|torn|understood|won|worn|written"
)
NO_PARTICIPLE = re.compile(r"(em)?bed|exceed|feed|heed|hundred|indeed|need|proceed|red|seed|shed|speed")
QUESTION = re.compile(r"(are|can|has|is|may|must|was|were|why)_")
PARTICIPLES_LEFT = {
    "strategic.captains": 1,
    "strategic.hamilcar": 7,
    "strategic.hannibal": 6,
    "strategic.naval": 4,
    "strategic.point_to_point": 23,
    "strategic.punic_wars": 22,
    "strategic.season": 2,
    "strategic.sword_of_rome": 2,
    "tactical": 16,
    "tactical.captains": 5,
    "tactical.geometry": 4,
    "tactical.kernel": 5,
    "webapp.api": 2,
    "webapp.captains": 1,
    "webapp.http": 5,
    "webapp.lab": 1,
    "webapp.pages.battle": 1,
    "webapp.pages.battle.results": 2,
    "webapp.pages.campaign.engagement": 1,
    "webapp.pages.campaign.panel": 1,
    "webapp.pages.campaign.umpire": 2,
    "webapp.pages.learn": 3,
    "webapp.pages.open_campaign": 21,
    "webapp.pages.positions": 1,
    "webapp.pages.reference": 1,
    "webapp.pages.season": 2,
    "webapp.pages.seats": 2,
    "webapp.post": 1,
    "webapp.presenting": 7,
    "webapp.storage.file": 1,
    "webapp.storage.journal": 1,
    "webapp.systems": 8,
}


def is_participle(name):
    """Does a function's name end in a participle, where the name is not a question (`is_called`)?"""
    last = name.strip("_").split("_")[-1]
    return PARTICIPLE.fullmatch(last) and not NO_PARTICIPLE.fullmatch(last) and not QUESTION.match(name.strip("_"))


def place_of(path):
    """The folder whose functions are counted together: a room of the web, else the floor or what lies right below it."""
    module = module_name(path)
    if module.startswith("webapp"):
        return ROOMS[room_of(module)]
    return ".".join(path.parent.relative_to(ROOT).parts[:2])


def test_functions_are_called_by_verbs_and_nouns():
    found = Counter(
        place_of(path)
        for floor in FLOORS
        for path in modules(floor)
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_participle(node.name)
    )
    assert {place: number for place, number in found.items() if number > PARTICIPLES_LEFT.get(place, 0)} == {}


# `Any` says nothing of a value. A view returns Flask's `ResponseReturnValue`, a position has its system's type, what is only
# looked at is an `object`. At most so many are left in each room, imports not counted; these numbers only get smaller.
ANY_AT_FIRST = 10  # in a room that is new
ANY_LEFT = {
    "data": 1,
    "data.geo": 9,
    "strategic": 11,
    "strategic.captains": 82,
    "strategic.hamilcar": 27,
    "strategic.hannibal": 24,
    "strategic.naval": 22,
    "strategic.open_campaign": 34,
    "strategic.point_to_point": 50,
    "strategic.punic_wars": 43,
    "strategic.season": 17,
    "strategic.sword_of_rome": 57,
    "tactical": 98,
    "tactical.captains": 26,
    "tactical.geometry": 4,
    "tactical.kernel": 167,
    "tactical.odds": 30,
    "tactical.rules": 6,
    "webapp": 4,
    "webapp.api": 28,
    "webapp.captains": 29,
    "webapp.cli": 29,
    "webapp.engagements": 7,
    "webapp.http": 50,
    "webapp.lab": 32,
    "webapp.pages": 1,
    "webapp.pages.battle": 71,
    "webapp.pages.campaign": 95,
    "webapp.pages.captains": 8,
    "webapp.pages.group": 4,
    "webapp.pages.house": 30,
    "webapp.pages.learn": 2,
    "webapp.pages.lobby": 12,
    "webapp.pages.open_campaign": 115,
    "webapp.pages.positions": 16,
    "webapp.pages.public": 1,
    "webapp.pages.reference": 33,
    "webapp.pages.season": 13,
    "webapp.pages.seats": 1,
    "webapp.pages.wars": 39,
    "webapp.post": 28,
    "webapp.presenting": 87,
    "webapp.seasons": 17,
    "webapp.seating": 4,
    "webapp.spreadsheets": 21,
    "webapp.storage": 80,
    "webapp.systems": 186,
}


def test_values_have_types():
    found = Counter()
    for path in (path for floor in FLOORS for path in modules(floor)):
        parts = path.parent.relative_to(ROOT).parts
        room = ".".join(parts[:3] if parts[:2] == ("webapp", "pages") else parts[:2])
        found[room] += sum(isinstance(node, ast.Name) and node.id == "Any" for node in nodes(path))
    assert {room: number for room, number in found.items() if number > ANY_LEFT.get(room, ANY_AT_FIRST)} == {}


SEVEN = {"__init__", "commands", "sequence", "setup", "state", "tables", "view"}


@pytest.mark.parametrize("system", NAMES)
def test_a_campaign_system_is_seven_files_and_its_rules(system):
    folder = ROOT / "strategic" / system
    assert {path.stem for path in folder.glob("*.py")} == SEVEN
    assert list((folder / "rules").glob("*.py"))


SHARED = ("tactical", "strategic", "webapp", "benchmarks")  # where whatever is not a system's own knows none by name
OWN = [f"{place}/{name}/" for place in ("strategic", "webapp/systems", "webapp/pages") for name in NAMES]
NAMED = {
    "strategic/__init__.py": "the list of systems",
    "strategic/captains/admirals.py": "admirals command its fleets",
    "strategic/captains/councils.py": "and decide what its sides build and agree to",
    "benchmarks/great_war.py": "measures a turn of it, its file and its page of orders",
    "benchmarks/cuts.py": "measures cuts of its map",
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


def test_no_file_is_longer_than_four_hundred_and_fifty_lines():
    found = {
        str(path.relative_to(ROOT))
        for floor in FLOORS
        for path in modules(floor)
        if len(path.read_text().splitlines()) > 450
    }
    assert not found
