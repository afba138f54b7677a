"""The image of the Containerfile: built, started as its own user, its games in its volume."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("buildah", "debootstrap")
SUITE = "bookworm"  # the base is made of Debian's packages, from where the system takes its own
PACKAGES = "python3,python3-venv,ca-certificates"
IMAGE = "localhost/navarch"
pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(
        os.geteuid() != 0 or not all(map(shutil.which, TOOLS)),
        reason=f"an image is built by root with {' and '.join(TOOLS)} (on Debian: apt-get install {' '.join(TOOLS)})",
    ),
]


class Builder:
    """buildah with a storage of its own in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}

    def words(self, *words: str) -> list[str]:
        return ["buildah", "--root", f"{self.folder}/storage", "--runroot", f"{self.folder}/run", *words]

    def __call__(self, *words: str) -> str:
        done = subprocess.run(self.words(*words), capture_output=True, text=True, env=self.environment)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout.strip()

    @contextmanager
    def serving(self, container: str, volume: Path, *words: str) -> Iterator[None]:
        """The container's own command, with more words, until the end; the folder is at /games there.

        Not at /data: run so, buildah puts an empty volume over what is mounted where the image declares one.
        """
        config = self.config()
        command = self.words(
            "run",
            "--network",
            "host",
            "-v",
            f"{volume}:/games",
            container,
            "--",
            *config["Entrypoint"],
            *config["Cmd"],
            *words,
        )
        server = subprocess.Popen(command, env=self.environment, start_new_session=True)
        yield
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)

    def config(self) -> dict[str, Any]:
        """What the image says of itself."""
        found: dict[str, Any] = json.loads(self("inspect", "--type", "image", IMAGE))["Docker"]["config"]
        return found


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Builder]:
    """A builder that has the image."""
    folder = tmp_path_factory.mktemp("container")
    root, wheels = folder / "debian", folder / "wheels"
    options = ["--variant=minbase", f"--include={PACKAGES}", SUITE, str(root)]
    subprocess.run(["debootstrap", *options], check=True, capture_output=True)
    locks = [word for name in ("run", "build") for word in ("-r", f"{ROOT}/requirements/{name}.lock")]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    subprocess.run([*pip, *locks, "-d", str(wheels)], check=True, capture_output=True)
    subprocess.run(["tar", "-C", str(root), "-cf", str(folder / "debian.tar"), "."], check=True)
    builder = Builder(folder)
    base = builder("from", "scratch")
    builder("add", base, str(folder / "debian.tar"), "/")
    builder("commit", base, "localhost/debian")
    arguments = {"BASE": "localhost/debian", "PIP_OPTIONS": "--no-index --find-links /wheels"}
    given = [word for name, value in arguments.items() for word in ("--build-arg", f"{name}={value}")]
    builder(
        "build", "--format", "docker", "--network", "host", "-v", f"{wheels}:/wheels:ro", *given, "-t", IMAGE, str(ROOT)
    )
    yield builder
    shutil.rmtree(folder, ignore_errors=True)  # some gigabytes


def answered(port: int) -> dict[str, Any]:
    """What /healthz says, as soon as it says something."""
    for _ in range(300):
        try:
            with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the container does not answer")


def test_the_image_serves_as_its_own_user_and_keeps_its_games_in_its_volume(builder: Builder, tmp_path: Path) -> None:
    config = builder.config()
    assert config["User"] == "navarch" and "/data" in config["Volumes"] and config["Healthcheck"]["Test"][0] == "CMD"
    games = tmp_path / "games"
    games.mkdir()
    os.chown(games, 10001, -1)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for _ in range(2):  # the second container finds what the first one wrote
        container = builder("from", IMAGE)
        assert builder("run", container, "--", "id", "-un") == "navarch"
        assert builder("run", container, "--", "/opt/navarch/bin/navarch", "--version").startswith("navarch ")
        with builder.serving(
            container, games, "--db", "/games/games.db", "--host", "127.0.0.1", "--port", str(port), "--demo"
        ):
            assert answered(port) == {"well": True}
            look = [word.replace("8000", str(port)) for word in config["Healthcheck"]["Test"][1:]]
            builder("run", "--network", "host", container, "--", *look)
            with urlopen(f"http://127.0.0.1:{port}/reference", timeout=20) as page:
                assert "Reference" in page.read().decode()
        builder("rm", container)
    if target := os.environ.get("IMAGE"):  # `make release` keeps it
        builder("push", IMAGE, f"docker-archive:{target}:{IMAGE}")
    assert (games / "games.db").stat().st_uid == 10001
