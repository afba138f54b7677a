"""What `make` does to a machine, and when a run of tests has failed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def make_browser(folder: Path, user: int) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """`make browser` where Chromium is missing, by a user of that number; what it wanted of the system."""
    asked = folder / "asked"
    for name, does in (
        ("id", f"echo {user}"),
        *((name, f'echo "{name} $*" >> {asked}') for name in ("apt-get", "sudo")),
    ):
        (folder / name).write_text(f"#!/bin/sh\n{does}\n")
        (folder / name).chmod(0o755)
    path = {"PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["make", "browser", f"CHROMIUM={folder}/chromium"],
        cwd=ROOT,
        env={**os.environ, **path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done, asked.read_text().splitlines() if asked.exists() else []


def test_nobody_but_root_has_anything_installed_and_is_told_the_command(tmp_path: Path) -> None:
    done, asked = make_browser(tmp_path, 1000)
    assert done.returncode and asked == []
    assert "sudo apt-get install chromium" in done.stderr


def test_root_has_the_browser_installed_without_sudo(tmp_path: Path) -> None:
    _done, asked = make_browser(tmp_path, 0)
    assert [line.split()[:2] for line in asked] == [["apt-get", "update"], ["apt-get", "install"]]
    assert "chromium" in asked[1].split()


@pytest.mark.parametrize(("failing", "code"), [(3, 0), (4, 1)])
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_run_fails_with_more_than_three_tests_that_had_to_be_tried_again(
    tmp_path: Path, failing: int, code: int, workers: str
) -> None:
    text = (ROOT / "tests/conftest.py").read_text()
    counted = text[text.index("RETRIED =") : text.index("def pytest_terminal_summary")]
    (tmp_path / "conftest.py").write_text(f"import pytest\n\n{counted}")
    (tmp_path / "test_again.py").write_text(
        "import os\nimport pytest\n\n"
        f"@pytest.mark.flaky(reruns=1)\n@pytest.mark.parametrize('number', range({failing}))\n"
        "def test_again(number, tmp_path_factory):\n"
        f"    mark = {str(tmp_path)!r} + f'/{{number}}'\n"
        "    was = os.path.exists(mark)\n    open(mark, 'w').close()\n    assert was\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", workers, str(tmp_path), "--rootdir", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == code, done.stdout
