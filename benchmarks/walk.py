"""What a tap walks through, and how large the house is, by counting: files, functions, calls, positions, SQL."""

from __future__ import annotations

import argparse
import ast
import json
import re
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import networkx

parser = argparse.ArgumentParser(
    prog="python -m benchmarks.walk", description=__doc__, epilog="Example: python -m benchmarks.walk ../before"
)
parser.add_argument(
    "folder",
    type=Path,
    nargs="?",
    metavar="FOLDER",
    default=Path(__file__).parents[1],
    help="another revision's working tree (default: this one)",
)
ROOT = parser.parse_args().folder.resolve()  # before the program is imported, for it is that folder's
if not (ROOT / "webapp").is_dir():
    parser.error(f"there is no webapp in {ROOT}")
sys.path.insert(0, str(ROOT))
FLOORS = ("data", "tactical", "strategic", "webapp")
LONG = 400
SEA = "off_mylae"  # a scenario that begins with an engagement
statements: list[str] = []


class Traced(sqlite3.Connection):
    """A connection that notes each statement."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.set_trace_callback(statements.append)


real = sqlite3.connect
sqlite3.connect = lambda *given, **more: real(*given, **{**more, "factory": Traced})  # type: ignore[assignment]

from webapp import create_app  # noqa: E402
from webapp.storage.journal.store import all_systems  # noqa: E402

try:
    from webapp.storage.journal.store import Store
except ModuleNotFoundError:  # as it was called before
    from webapp.store import Store  # type: ignore[no-redef, import-not-found]


STATES = [each.state for each in all_systems().values()]


class Walk:
    """Everything of the house that one request calls, while it is watched."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.templates: set[str] = set()
        self.functions: set[Any] = set()
        self.calls = self.decoded = self.loads = 0

    def watch(self, frame: FrameType, what: str, extra: Any) -> None:
        """For sys.setprofile."""
        if what == "c_call" and getattr(extra, "__name__", "") in ("decode", "json_decode"):
            self.decoded += frame.f_locals.get("kind") in STATES
        if what != "call":
            return
        code, name = frame.f_code, frame.f_code.co_filename
        if not name.startswith(str(ROOT)) or "/.venv/" in name:
            return
        if not name.endswith(".py"):
            self.templates.add(name)
            return
        self.files.add(name)
        self.functions.add(code)
        self.calls += 1
        self.loads += code.co_name == "load" and re.search(r"/(games|store)\.py$", name) is not None

    def row(self, what: str, table: Table, do: Callable[[], Any], is_shown: bool = True) -> None:
        """Do it watched; print what it took."""
        table.seen = int(table.store.game(table.id).version)
        statements.clear()
        sys.setprofile(self.watch)
        try:
            answer = do()
        finally:
            sys.setprofile(None)
        if answer.status_code >= 400:
            raise RuntimeError(f"{what}: {answer.status_code} {answer.text[:500]}")
        if not is_shown:
            return
        reads = sum(each.lstrip().upper().startswith("SELECT") for each in statements)
        writes = sum(each.upper().startswith("COMMIT") for each in statements)
        print(
            f"| {what} | {len(self.files)} | {len(self.templates)} | {len(self.functions)} | {self.calls:,} |"
            f" {self.loads} | {self.decoded} | {reads} | {writes} |"
        )


class Table:
    """A game on a server of its own, with a browser for each seat."""

    def __init__(self, **wanted: Any) -> None:
        self.store = Store(Path(tempfile.mkdtemp()) / "games.db", all_systems())
        app = create_app({"STORE": self.store, "TESTING": True})
        app.extensions["navarch"].csrf.protect = lambda: None
        self.program = app.test_client()
        made = self.program.post("/api/v1/games", json={"dice": "digital", **wanted})
        self.id = made.json["id"]
        self.tokens = {each["id"]: each["token"] for each in made.json["seats"]}
        self.browsers = {seat: app.test_client() for seat in self.tokens}
        for seat, token in self.tokens.items():
            self.browsers[seat].get(f"/join/{token}")
        self.seen = 0

    def say(self, seat: str, command: dict[str, Any]) -> Any:
        """A program's command."""
        sent = {"command": command, "seen": self.seen}
        bearer = {"Authorization": f"Bearer {self.tokens[seat]}"}
        return self.program.post(f"/api/v1/games/{self.id}/commands", json=sent, headers=bearer)

    def done(self, seat: str, command: dict[str, Any]) -> None:
        """A command that is not measured."""
        self.seen = int(self.store.game(self.id).version)
        answer = self.say(seat, command)
        if answer.status_code >= 400:
            raise RuntimeError(answer.text[:500])

    def state(self, seat: str) -> Any:
        """The game as a seat sees it, with its offers."""
        bearer = {"Authorization": f"Bearer {self.tokens[seat]}"}
        return self.program.get(f"/api/v1/games/{self.id}", headers=bearer).json

    def tap(self, seat: str, command: dict[str, Any]) -> Any:
        """A tap on the page, by htmx."""
        sent = {"command": json.dumps(command)}
        return self.browsers[seat].post(
            f"/g/{self.id}/command", data={**sent, "seen": self.seen}, headers={"HX-Request": "true"}
        )

    def look(self, seat: str) -> Any:
        """What a tablet fetches when something has changed."""
        headers = {"HX-Request": "true"}
        found = self.browsers[seat].get(f"/g/{self.id}/table", headers=headers)
        return found if found.status_code < 400 else self.browsers[seat].get(f"/g/{self.id}", headers=headers)


def ship(side: str, at: tuple[int, int], facing: str, **more: Any) -> dict[str, Any]:
    """A quinquereme."""
    kind = "quinquereme"
    return {"side": side, "name": f"{side} {at[0]}", "type": kind, "at": at, "facing": facing, "speed": 3, **more}


RAMS: dict[str, Any] = {  # four ships, one of them with her ram at an enemy's side
    "turn": 1,
    "phase": 1,
    "step": "ram",
    "first": "rome",
    "board": {"kind": "hexes", "columns": 20, "rows": 14},
    "sides": {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage", "navy": "hellenistic"}},
    "ships": {
        "r1": ship("rome", (5, 5), "N", contact="c1", stepped=True, steps_made=1),
        "r2": ship("rome", (7, 5), "N", contact="c2", stepped=True, steps_made=1),
        "c1": ship("carthage", (5, 4), "SE"),
        "c2": ship("carthage", (7, 4), "SE"),
    },
}


def walks() -> None:
    """A ram by a program, by a page, the other tablet; then an engagement from its way to its outcome."""
    print("| walk | files | templates | functions | calls | loads | decoded | SQL reads | commits |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for is_warm in (False, True):
        battle = Table(system="galley", position=RAMS)
        for seat in ("rome", "carthage"):
            battle.look(seat)
        steps: list[tuple[str, Callable[[], Any]]] = [
            ("a ram, by a program", lambda battle=battle: battle.say("rome", {"type": "ram", "ship": "r1"})),
            ("the other tablet's GET", lambda battle=battle: battle.look("carthage")),
            ("a ram, by the page", lambda battle=battle: battle.tap("rome", {"type": "ram", "ship": "r2"})),
        ]
        for what, do in steps:
            Walk().row(what, battle, do, is_warm)
    name = next(name for name, system in all_systems().items() if any(each.id == SEA for each in system.scenarios()))
    war = Table(system=name, scenario=SEA)
    meeting = war.store.load(war.id).state.engagement.id
    way = {"type": "choose_way", "engagement": meeting, "way": "battle"}
    opened = {"type": "open_battle", "engagement": meeting, "models_per_unit": 1}
    war.done("rome", {**way, "side": "rome"})
    Walk().row("an engagement: the other says the same", war, lambda: war.say("carthage", {**way, "side": "carthage"}))
    Walk().row("an engagement: the battle opens", war, lambda: war.say("rome", opened))
    game = next(each.id for each in war.store.games() if each.system == "galley")
    for side in ("rome", "carthage"):
        war.store.submit(game, war.store.game(game).version, "umpire", {"type": "agree", "side": side}, ())
    outcome = next(each for each in war.state("umpire")["offers"] if each["type"] == "settle")["fields"]
    command = {"type": "settle", **{name: one(value) for name, value in outcome.items()}}
    Walk().row("an engagement: its outcome is entered", war, lambda: war.say("umpire", command))
    land = Table(system="hannibal", scenario=all_systems()["hannibal"].scenarios()[0].id)
    (seat,) = land.state("umpire")["waiting_for"]
    offer = next(each for each in land.state(seat)["offers"] if each["type"] != "resign")
    answered = {"type": offer["type"], **{name: one(value) for name, value in offer["fields"].items()}}
    land.look(seat)
    Walk().row("a question of Hannibal, answered by the page", land, lambda: land.tap(seat, answered))
    sea = Table(system="open_campaign", scenario=all_systems()["open_campaign"].scenarios()[0].id)
    fleet, side = next((id, it.side) for id, it in sea.store.load(sea.id).state.fleets.items() if it.ships)
    stay = {"act": "order", "fleet": fleet, "do": "stay", "turn": "1", "near": "1"}
    to = f"/open/{sea.id}/orders?seat={side}"
    Walk().row("an order of the open campaign, by the page", sea, lambda: sea.browsers[side].post(to, data=stay))


def one(value: Any) -> Any:
    """The first choice of a field, of a list or of a range."""
    return (
        value[0] if isinstance(value, list) else value["from"] if isinstance(value, dict) and "from" in value else value
    )


def house() -> None:
    """Lines, files, circles, folders."""
    files = {floor: sorted((ROOT / floor).rglob("*.py")) for floor in FLOORS}
    lengths = {path: len(path.read_text().splitlines()) for those in files.values() for path in those}
    print("| floor | files | lines | median | over 400 |")
    print("|---|---:|---:|---:|---:|")
    for floor, those in files.items():
        own = [lengths[path] for path in those]
        print(f"| {floor} | {len(own)} | {sum(own):,} | {statistics.median(own):.0f} | {sum(n > LONG for n in own)} |")
    own = list(lengths.values())
    print(f"| together | {len(own)} | {sum(own):,} | {statistics.median(own):.0f} | {sum(n > LONG for n in own)} |")
    tests = sorted((ROOT / "tests").rglob("*.py"))
    print(f"| tests | {len(tests)} | {sum(len(path.read_text().splitlines()) for path in tests):,} | | |")
    trees = {path: ast.parse(path.read_text()) for path in lengths}
    print("imports inside functions:", sum(inner(tree) for tree in trees.values()), "; circles:", circles(trees))
    for floor in ("tactical", "strategic", "webapp"):
        print(f"{floor}:", ", ".join(sorted(each.name for each in (ROOT / floor).iterdir() if holds_python(each))))


def holds_python(folder: Path) -> bool:
    """Is it a folder with modules?"""
    return folder.is_dir() and any(folder.rglob("*.py"))


def inner(tree: ast.Module) -> int:
    """Imports inside functions."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return sum(isinstance(node, ast.Import | ast.ImportFrom) for each in functions for node in ast.walk(each))


def circles(trees: dict[Path, ast.Module]) -> int:
    """Groups of modules that need one another, wherever their imports stand."""
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in trees}
    known, graph = set(names.values()), networkx.DiGraph()
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                found = {f"{node.module}.{alias.name}" for alias in node.names} & known
                whole = {node.module} & known if len(found) < len(node.names) else set()
                graph.add_edges_from((names[path], other) for other in found | whole if other != names[path])
    return sum(len(group) > 1 for group in networkx.strongly_connected_components(graph))


if __name__ == "__main__":
    house()
    walks()
