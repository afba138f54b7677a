"""The program as its users install it: from the wheel and from the source archive, outside the tree."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("data", "strategic", "tactical", "webapp")
PAGES = {"en": "Reference", "it": "Regole", "ru": "Справочник"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive of a copy of the tree, which has no compiled catalogue."""
    copy, out = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("dist")
    for folder in (*FOLDERS, "navarch", "requirements", "tests/kernel"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "NOTICE.md"):
        shutil.copy(ROOT / name, copy)
    build = "import sys; from setuptools.build_meta import *; out = sys.argv[1]; build_wheel(out); build_sdist(out)"
    subprocess.run([sys.executable, "-c", build, str(out)], cwd=copy, check=True, capture_output=True)
    return out


def test_the_image_is_built_without_games_keys_and_history() -> None:
    """By docker's own rules for .dockerignore: two stars are any folders, one is any letters of a name."""
    rules = (ROOT / ".dockerignore").read_text().split()
    parts = [re.escape(rule).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*") for rule in rules]
    left_out = re.compile(rf"(?:{'|'.join(parts)})(?:/.*)?")
    private = (
        "navarch.db",
        "navarch.db-wal",
        "games/club.db",
        "navarch.db.anchors",
        "tls/authority.key",
        ".git/config",
    )
    assert all(left_out.fullmatch(name) for name in private)
    needed = (
        "webapp/__init__.py",
        "data/galley/boarding.toml",
        "requirements/run.lock",
        "pyproject.toml",
        "navarch/__init__.py",
        "webapp/static/htmx.min.js",
    )
    assert not any(left_out.fullmatch(name) for name in needed)


def files_of_the_tree(catalogue: str) -> set[str]:
    """What must come along: every file of the program's folders, and the catalogues with this ending."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file())
    names = {path.relative_to(ROOT).as_posix() for path in found if path.suffix not in (".pyc", ".mo")}
    return {name.removesuffix(".po") + catalogue if name.endswith(".po") else name for name in names}


def test_the_wheel_is_one_package_with_every_file_of_the_program_and_its_catalogues(built: Path) -> None:
    """Nobody else's `data` or `webapp` meets ours (docs/decisions/044)."""
    wheel = set(zipfile.ZipFile(next(built.glob("*.whl"))).namelist())
    assert not {f"navarch/{name}" for name in files_of_the_tree(".mo")} - wheel
    assert {name.partition("/")[0].partition("-")[0] for name in wheel} == {"navarch"}
    assert not [name for name in wheel if name.endswith(".po")]


def test_the_source_archive_has_every_file_of_the_program_and_its_tests(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    assert not {*files_of_the_tree(".po"), "tests/kernel/morra.py", "NOTICE.md"} - sources


def test_an_installed_navarch_asks_for_ranges_and_brings_neither_django_nor_what_builds_it(built: Path) -> None:
    (metadata,) = (
        zipfile.Path(next(built.glob("*.whl")), at=name).read_text()
        for name in zipfile.ZipFile(next(built.glob("*.whl"))).namelist()
        if name.endswith("dist-info/METADATA")
    )
    wanted = re.findall(r"^Requires-Dist: (\S+)", metadata, re.M)
    assert len(wanted) > 20 and not [each for each in wanted if "==" in each]
    assert not re.search(r"^(?:django|setuptools|wheel|trustme)\b", "\n".join(wanted), re.M | re.I)


@pytest.fixture(params=["*.whl", pytest.param("*.tar.gz", marks=pytest.mark.soak)])
def installed(built: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The `navarch` of a fresh environment; the libraries are those of the tests' own, which the lock pins."""
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    place = next((tmp_path / "env" / "lib").glob("python*")) / "site-packages"
    (place / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    pip = [sys.executable, "-m", "pip", "--python", str(tmp_path / "env" / "bin" / "python"), "install", "-q"]
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--force-reinstall"]
    subprocess.run([*pip, *options, str(next(built.glob(request.param)))], check=True, capture_output=True)
    return tmp_path / "env" / "bin" / "navarch"


@pytest.fixture
def address(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address at which the demo of the installed program answers, in a folder with a `data` of somebody else."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "__init__.py").write_text("raise ImportError('the wrong one')")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    command = [
        str(installed.with_name("python")),
        "-m",
        "navarch",
        "serve",
        "--demo",
        "--processes",
        "1",
        "--port",
        port,
        "--db",
        str(tmp_path / "games.db"),
    ]
    server = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert server.stdout is not None
    said = ""
    for line in server.stdout:
        said += line
        if f"http://127.0.0.1:{port}" in line:
            yield f"http://127.0.0.1:{port}"
            break
    else:
        raise AssertionError(said)
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=60)


def read(address: str, path: str, language: str) -> str:
    """A page as a browser of that language gets it."""
    with urlopen(Request(address + path, headers={"Accept-Language": language}), timeout=60) as answer:
        return str(answer.read().decode())


def test_an_installed_demo_speaks_every_language_and_works_without_a_network(installed: Path, address: str) -> None:
    for language, word in PAGES.items():
        assert word in read(address, "/reference", language)
    assert "/reference" in read(address, "/sw.js", "en")
    said = subprocess.run(
        [str(installed), "random-play", "galley", "--scenario", "first_oars", "--games", "2", "--seed", "1"],
        cwd=installed.parent,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "2" in said
    version = subprocess.run([str(installed), "--version"], check=True, capture_output=True, text=True).stdout
    assert (
        version.strip() == "navarch " + re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.M)[1]
    )
