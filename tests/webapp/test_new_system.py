"""docs/new_system.md, docs/linked_system.md and "A new question" of docs/contributing.md followed to the letter in copies of
the repository: they say all that a system and a question need."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEW, LINKED = (BLOCK.findall((ROOT / "docs" / name).read_text()) for name in ("new_system.md", "linked_system.md"))
SECTION = (ROOT / "docs/contributing.md").read_text().partition("### A new question\n")[2].partition("\n### ")[0]
QUESTION = BLOCK.findall(SECTION)
COPIED = (
    "data",
    "tactical",
    "strategic",
    "webapp",
    "tests",
    "benchmarks",
    "docs",
    "tools",
    "navarch",
    "pyproject.toml",
    "Makefile",
    "README.md",
)
PLAYED = """
import re, sys, html, random
from tactical.kernel.dice import random_source
from webapp import create_app
from webapp.storage.journal.store import Store, all_systems

store = Store(sys.argv[1], all_systems(), random_source(random.Random(4).randrange))
client = create_app({"STORE": store, "TESTING": True, "WTF_CSRF_ENABLED": False}).test_client()
client.application.extensions["navarch"].csrf.protect = lambda: None
for language in ("en", "it"):
    start = html.unescape(client.get(f"/?lang={language}").text)
    listed = html.unescape(client.get(f"/campaigns?lang={language}").text)
    assert "Pig" in start and "A duel" in listed, language
made = client.post("/api/v1/games", json={"system": "pig", "scenario": "duel", "dice": "digital"}).json
game = made["id"]
for seat in made["seats"]:
    client.get(f"/join/{seat['token']}")
chance, seen = random.Random(3), set()
for _ in range(400):
    head = store.game(game)
    if head.over:
        break
    (seat,) = store.load(game).waiting_for
    page = client.get(f"/g/{game}?seat={seat}").text
    offers = [html.unescape(each) for each in re.findall(r'name="command" value="([^"]*)"', page)]
    offers = [each for each in offers if "resign" not in each]
    assert offers and "Pot" in page, page
    answer = client.post(f"/g/{game}/command?seat={seat}", data={"command": chance.choice(offers), "seen": head.version})
    assert answer.status_code in (200, 303), answer.text
assert store.game(game).over
log = html.unescape(client.get(f"/g/{game}/log?seat=umpire").text)
assert "Red throws." in log and "Blue keeps" in log and "wins." in log
italian = client.get(f"/g/{game}?seat=red&lang=it")
assert italian.status_code == 200 and "Pot" in italian.text
assert client.get("/reference/pig/P2").status_code == 200
"""
SETTLED = """
import sys
from pathlib import Path
from kit.linked_sea import Sea

sea = Sea(Path(sys.argv[1]), None, system="pig", position={"pot": 15, "options": {"sea_battles": "both"}})
sea.give("red", type="keep", side="red")
name = sea.state.engagement.id
assert "A meeting at sea" in sea.page("red")
for side in ("red", "blue"):
    sea.give(side, type="choose_way", engagement=name, way="battle", side=side)
sea.battle = sea.give("red", type="open_battle", engagement=name, models_per_unit=1).events[-1]["game"]
sea.sink(*(name for name, ship in sea.store.load(sea.battle).state.ships.items() if ship.side == "blue"))
sea.play(300)
assert "Red has won" in sea.page("red", f"/linked/{sea.battle}/review?seat=red")
assert sea.enter("blue").status_code == 303
assert sea.state.kept == {"red": 15, "blue": 0}
assert "The meeting at sea is settled: Red wins" in sea.page("umpire", f"/g/{sea.id}/log?seat=umpire")
"""


DARED = """
import sys
from pathlib import Path
from kit.linked_sea import Sea

sea = Sea(Path(sys.argv[1]), None, system="pig", position={"pot": 12, "phase": "dare"})
assert "Red, you must throw for the pot or keep half of it" in sea.page("red")
sea.give("red", type="keep", side="red")
assert sea.state.kept == {"red": 6, "blue": 0} and sea.state.active == "blue" and sea.state.phase == "turn"
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with every file of the page in its place; what is compiled of the others comes along."""
    root = tmp_path_factory.mktemp("clone")
    left_out = shutil.ignore_patterns("saved_games", "soak", "browser", "*.png")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=left_out)
        else:
            shutil.copy2(ROOT / name, root / name)
    (root / ".venv").symlink_to(Path(sys.prefix))
    follow(root, NEW)
    return root


@pytest.fixture(scope="module")
def linked(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The clone of the first page, with the second page's changes."""
    root = tmp_path_factory.mktemp("linked") / "clone"
    shutil.copytree(copy, root, symlinks=True)
    follow(root, LINKED)
    return root


def follow(root: Path, blocks: list[tuple[str, str, str]]) -> None:
    """Put each file of a page in its place, and carry out its changes."""
    for kind, place, text in blocks:
        path = root / place
        if kind == "diff":
            before, after = (
                "".join(line[1:] for line in text.splitlines(True) if line[0] in signs) for signs in (" -", " +")
            )
            was = path.read_text()
            assert was.count(before) == 1, (place, before)
            path.write_text(was.replace(before, after))
        elif place:
            assert not path.exists(), place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def lines_to_run(blocks: list[tuple[str, str, str]]) -> list[str]:
    """The lines of a page's shell blocks; what make has installed before is not installed again."""
    lines = [line for kind, _, text in blocks if kind == "bash" for line in text.splitlines()]
    return [line.replace("make ", "make -o .venv/.test-stamp ", 1) for line in lines]


def ran(root: Path, *command: str) -> str:
    """What a command says in the clone; it must go well."""
    surroundings = {**os.environ, "PYTHONPATH": f"{root}:{root}/tests"}
    done = subprocess.run(command, cwd=root, env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def test_every_line_of_the_page_that_is_to_be_run_goes_well(copy: Path) -> None:
    lines = lines_to_run(NEW)
    assert len(lines) == 7
    for line in lines:
        said = ran(copy, "bash", "-c", line)
        if "random-play" in line:
            assert "20 games, 0 with faults" in said
        if "facts_of" in line:
            assert "duel = [2, 2]" in said
    assert "| Pig | 3 |" in (copy / "docs/coverage.md").read_text()
    assert (copy / "tests/goldens/pig_duel.json").stat().st_size > 1000


def test_it_stands_on_the_first_page_is_played_by_its_forms_and_verified(copy: Path, tmp_path: Path) -> None:
    database = str(tmp_path / "games.db")
    ran(copy, sys.executable, "-c", PLAYED, database)
    assert "1 game" in ran(copy, ".venv/bin/navarch", "verify", "--db", database)


def test_with_the_second_page_its_fleets_meet_on_the_table_and_the_outcome_comes_home(
    linked: Path, tmp_path: Path
) -> None:
    play, test, *_ = lines_to_run(LINKED)
    assert "20 games, 0 with faults" in ran(linked, "bash", "-c", play)
    ran(linked, "bash", "-c", test)
    ran(linked, sys.executable, "-c", SETTLED, str(tmp_path / "games.db"))


def test_a_question_is_added_in_three_files(copy: Path, tmp_path: Path) -> None:
    root = tmp_path / "clone"
    shutil.copytree(copy, root, symlinks=True)
    follow(root, QUESTION)
    assert len({place for _kind, place, _text in QUESTION if place}) == 3
    play, labels = lines_to_run(QUESTION)
    assert "20 games, 0 with faults" in ran(root, "bash", "-c", play)
    ran(root, "bash", "-c", labels)
    ran(root, sys.executable, "-c", DARED, str(tmp_path / "games.db"))


@pytest.mark.soak
def test_every_line_of_the_second_page_that_is_to_be_run_goes_well(linked: Path) -> None:
    for line in lines_to_run(LINKED):
        ran(linked, "bash", "-c", line)
    assert "| Pig | 4 |" in (linked / "docs/coverage.md").read_text()
