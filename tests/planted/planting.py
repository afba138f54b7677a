"""Plant one bug at a time in a copy of the program and see which test notices it: `python tests/planted/planting.py [WORD]`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "browser", "docs")


# with bytecode: without it each run compiles the whole program
BYTECODE = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Bug(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is wrong, the text in the file, and what stands there instead."""

    wrong: str
    line: str
    instead: str


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file, its bugs, and the tests that are near it."""

    file: str
    near: tuple[str, ...]
    bug: tuple[Bug, ...]


class Planted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The list. `survives`: what no test notices, by what is wrong, with the reason."""

    place: tuple[Place, ...]
    survives: dict[str, str] = {}


def planted() -> Planted:
    """tests/planted/bugs.toml."""
    return msgspec.toml.decode((HERE / "bugs.toml").read_bytes(), type=Planted)


def bugs() -> Iterator[tuple[Place, Bug]]:
    """Each bug with its place."""
    return ((place, bug) for place in planted().place for bug in place.bug)


def copy_of_the_program(folder: Path) -> Path:
    """A copy of the program with its tests, to plant bugs in."""
    return Path(shutil.copytree(ROOT, folder / "program", ignore=LEFT_OUT))


def write(path: Path, text: str) -> None:
    """Write a file, and forget its bytecode: two versions of one second and one size are told apart by nothing else."""
    path.write_text(text)
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        compiled.unlink()


def notices(copy: Path, place: Place, bug: Bug) -> str:
    """The first test that notices the bug, by name and not by a hash; empty when it survives."""
    path = copy / place.file
    sound = path.read_text()
    write(path, sound.replace(bug.line, bug.instead))
    try:
        for near in place.near:
            said = [sys.executable, "-m", "pytest", "-q", "-x", "-k", "not golden and not readers_language", near]
            done = subprocess.run(
                [*said, "-p", "no:cacheprovider"], cwd=copy, env=BYTECODE, capture_output=True, text=True
            )
            found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
            if done.returncode:
                return found.group(1) if found else f"{near}: it does not run"
    finally:
        write(path, sound)
    return ""


def main(word: str = "", share: str = "0/1") -> None:
    """Plant the bugs whose file or words contain the word, or a share of them, and print who notices each."""
    which, of = map(int, share.split("/"))
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of_the_program(Path(folder))
        for number, (place, bug) in enumerate(bugs()):
            if number % of == which and (word in place.file or word in bug.wrong):
                print(f"{place.file}: {bug.wrong}: {notices(copy, place, bug) or 'SURVIVES'}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
