"""Builds what a release consists of, installs each product where nothing of ours is, and says what was built.

`make release` runs it, after `make docs`. In dist it leaves the wheel, the source archive, the docs site, the image of
the container (where root has buildah and debootstrap), the licences of all libraries, and RELEASE.md: sizes, digests,
and what was tried with each product. Whatever fails stops it.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
OUT = ROOT / "dist"
VERSION = str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])
BUILD, LICENSES = "build==1.6.1", "pip-licenses==5.5.5"
LICENCE_FILE = "THIRD_PARTY_LICENSES.txt"


def run(*words: str | Path, cwd: Path = ROOT, **variables: str) -> str:
    """What a command prints. Ends the release with all that it said where it fails."""
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, capture_output=True, text=True, env={**os.environ, **variables}
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout.strip()


def environment(folder: Path, *packages: str | Path, python: str = sys.executable) -> Path:
    """The folder of the programs of a new environment with these packages, none of them from pip's cache."""
    run(python, "-m", "venv", folder)
    run(folder / "bin/pip", "install", "-q", "--no-cache-dir", "--disable-pip-version-check", *packages)
    return folder / "bin"


def tree(folder: Path) -> Path:
    """A copy of what is committed, so that nothing else gets into a release."""
    archive = folder / "tree.tar"
    run("git", "archive", "--format=tar", "-o", archive, "HEAD")
    with tarfile.open(archive) as files:
        files.extractall(folder / "tree", filter="data")
    return folder / "tree"


def build(folder: Path) -> tuple[Path, Path]:
    """The source archive of a fresh tree, and the wheel that is built from the archive alone."""
    run(environment(folder / "build", BUILD) / "python", "-m", "build", "-o", OUT, tree(folder))
    return OUT / f"navarch-{VERSION}.tar.gz", OUT / f"navarch-{VERSION}-py3-none-any.whl"


def docs() -> Path:
    """The docs site, which `make docs` has built, as one file."""
    target = OUT / f"navarch-{VERSION}-docs.tar.gz"
    with tarfile.open(target, "w:gz") as files:
        files.add(ROOT / "build/site", f"navarch-{VERSION}-docs")
    return target


# What is tried with each product ---------------------------------------------------------------------------


def names_nobody_else_has(wheel: Path, programs: Path) -> str:
    """The wheel brings one package and its own data about itself."""
    found = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert found == {"navarch", f"navarch-{VERSION}.dist-info"}, found
    said = run(programs / "pip", "check")
    assert "django" not in run(programs / "pip", "list").lower()
    return f"one package, `navarch`; pip check: {said}"


@contextmanager
def served(programs: Path, folder: Path) -> Iterator[str]:
    """The address of the installed program's demo, in a folder where other packages have the names of our folders."""
    for name in ("data", "webapp"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("raise ImportError('this is somebody else\\'s')\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [programs / "python", "-m", "navarch", "serve", "--demo", "--port", str(port), "--db", "games.db"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).close()
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)


def answers(programs: Path, folder: Path) -> str:
    """The demo's pages, and the script that they load."""
    said = run(programs / "navarch", "--version", cwd=folder.parent)
    assert said == f"navarch {VERSION}", said
    with served(programs, folder) as address:
        for path in ("/", "/campaigns", "/reference/galley", "/new?scenario=first_oars", "/api/v1/openapi.json"):
            with urlopen(address + path, timeout=60) as answer:
                assert answer.status == 200 and answer.read()
        with urlopen(f"{address}/static/htmx.min.js", timeout=60) as answer:
            script = answer.read().decode()
    htmx = script.partition('version="')[2].partition('"')[0]
    run(programs / "navarch", "random-play", "galley", "--scenario", "first_oars", "--games", "2", cwd=folder.parent)
    beside = "the demo answers beside other packages called `data` and `webapp`"
    return f"{said} with htmx {htmx}: {beside}; two random battles"


def upgrades(programs: Path, folder: Path) -> str:
    """Games of every earlier version, in files of games of every earlier form, opened and replayed."""
    folder.mkdir()
    saved = sorted((ROOT / "tests/saved_games").glob("v*/*.json.gz"))
    said = run(programs / "python", ROOT / "tools/earlier_files.py", folder, *saved, cwd=folder)
    return said.splitlines()[-1]


def runs_its_tests(archive: Path, folder: Path) -> str:
    """The tests of the archive's own tree, by the tools of this clone."""
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    inside = folder / f"navarch-{VERSION}"
    said = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/kernel", cwd=inside)
    return f"installs; of its tests, tests/kernel: {said.splitlines()[-1]}"


def licences(programs: Path, folder: Path) -> str:
    """The licence of every library that the installed program brings, in one file."""
    tool = environment(folder, LICENSES) / "pip-licenses"
    target = OUT / LICENCE_FILE
    options = ("--with-license-file", "--no-license-path", "--with-urls", "--format=plain-vertical")
    run(tool, f"--python={programs / 'python'}", *options, f"--output-file={target}", "--ignore-packages", "navarch")
    count = len(run(programs / "pip", "list", "--format=freeze").splitlines()) - 2  # navarch and pip
    return f"{count} libraries: {LICENCE_FILE}"


def image() -> str:
    """The container's image, by the test that builds, starts and asks it; left out where nobody can build one."""
    if os.geteuid() or not all(map(shutil.which, ("buildah", "debootstrap"))):
        return "left out: root builds it with buildah and debootstrap"
    target = OUT / f"navarch-{VERSION}-image.tar"
    run(sys.executable, "-m", "pytest", "-q", "-m", "soak", "tests/soak/test_container.py", IMAGE=str(target))
    return "built on Debian, started twice as its own user on one volume of games, and asked"


def main() -> None:
    """Build, try, and write RELEASE.md."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    tried: list[tuple[str, str, float]] = []

    def attempt(what: str, act: Callable[..., str], *given: object) -> None:
        begun = time.monotonic()
        said = act(*given)
        tried.append((what, said, time.monotonic() - begun))
        print(f"{what}: {said} ({tried[-1][2]:.0f} s)", flush=True)

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        archive, wheel = build(folder)
        docs()
        begun = time.monotonic()
        programs = environment(folder / "wheel", wheel)
        tried.append(("wheel installed", "from nothing, without pip's cache", time.monotonic() - begun))
        attempt("wheel", names_nobody_else_has, wheel, programs)
        attempt("wheel", answers, programs, folder / "played")
        attempt("wheel", upgrades, programs, folder / "upgraded")
        attempt("wheel", licences, programs, folder / "licences")
        for python in os.environ.get("PYTHONS", "").split():
            named = run(python, "--version")
            attempt(
                f"wheel, {named}", answers, environment(folder / named, wheel, python=python), folder / f"on {named}"
            )
        attempt("source archive", answers, environment(folder / "source", archive), folder / "from_source")
        attempt("source archive", runs_its_tests, archive, folder / "unpacked")
    attempt("container", image)
    (OUT / "RELEASE.md").write_text(report(tried))
    print((OUT / "RELEASE.md").read_text())


def report(tried: Sequence[tuple[str, str, float]]) -> str:
    """What was built, of what, and what was tried."""
    changes = "" if not run("git", "status", "--porcelain") else ", beside changes that are not committed and not in it"
    lines = [
        f"# Navarch {VERSION}",
        "",
        f"Built {time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC from revision",
        f"{run('git', 'rev-parse', 'HEAD')}{changes},",
        f"with Python {platform.python_version()} on {platform.system()} {platform.machine()}.",
        "",
        "| file | bytes | sha256 |",
        "|---|---:|---|",
    ]
    for path in sorted(OUT.iterdir()):
        lines.append(f"| {path.name} | {path.stat().st_size:,} | `{hashlib.sha256(path.read_bytes()).hexdigest()}` |")
    lines += ["", "| product | tried | seconds |", "|---|---|---:|"]
    lines += [f"| {what} | {said} | {seconds:.0f} |" for what, said, seconds in tried]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
