"""docs/new_system.md followed to the letter in a copy of the repository: what it says is all that a system needs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "new_system.md").read_text()
BLOCKS = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COPIED = (
    "data",
    "tactical",
    "strategic",
    "webapp",
    "tests",
    "benchmarks",
    "docs",
    "navarch.py",
    "pyproject.toml",
    "Makefile",
    "README.md",
)
PLAYED = """
import re, sys, html, random
from webapp import create_app
from webapp.storage.journal.store import Store
from webapp.storage.journal.systems import systems

store = Store(sys.argv[1], systems())
client = create_app({"STORE": store, "TESTING": True, "WTF_CSRF_ENABLED": False}).test_client()
client.application.extensions["navarch-csrf"].protect = lambda: None
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
    for kind, place, text in BLOCKS:
        if kind == "diff":
            new = re.findall(r"^\+(.*)$", text, re.MULTILINE)
            before = re.findall(r"^ (.*)$", text, re.MULTILINE)[0] + "\n"
            was = (root / place).read_text()
            assert was.count(before) == 1
            (root / place).write_text(was.replace(before, before + "".join(f"{line}\n" for line in new)))
        elif place:
            assert not (root / place).exists(), place
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            (root / place).write_text(text)
    return root


def ran(root: Path, *command: str) -> str:
    """What a command says in the clone; it must go well."""
    surroundings = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=root, env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def test_every_line_of_the_page_that_is_to_be_run_goes_well(copy: Path) -> None:
    lines = [line for kind, _, text in BLOCKS if kind == "bash" for line in text.splitlines()]
    assert len(lines) == 7
    for line in lines:  # what make has installed before is not installed again
        said = ran(copy, "bash", "-c", line.replace("make ", "make -o .venv/.test-stamp ", 1))
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
