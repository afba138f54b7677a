"""Servers in processes of their own, and what a request costs them."""

from __future__ import annotations

import copy
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.clock import Sample
from benchmarks.start import NAVARCH

IDLE = 0.01  # seconds of processor time in a fifth of a second
QUIET = 5  # such fifths, one after the other


class Server:
    """A program that serves at a port of this machine."""

    def __init__(self, command: list[str], port: int, **environment: str) -> None:
        self.port = port
        self._spent: dict[tuple[int, str], int] = {}  # nanoseconds by process and thread
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **environment}
        )
        self._link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the server did not start")

    def again(self) -> Server:
        """The same server over another connection."""
        other = copy.copy(self)
        other._link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        return other

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[bytes, int]:
        """The body as it came over the wire, and the status."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            self._link.request(method, path, body, named)
            answer = self._link.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):  # it was kept alive too long
            self._link.close()
            self._link.request(method, path, body, named)
            answer = self._link.getresponse()
        self.headers = answer.headers
        return answer.read(), answer.status

    def told(self, method: str, path: str, value: object = None, token: str = "") -> Any:
        """What the API says."""
        body = None if value is None else json.dumps(value).encode()
        headers = {"Content_Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        answer, status = self.ask(method, f"/api/v1{path}", body, **headers)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {answer.decode()}")
        return json.loads(answer)

    def used(self) -> float:
        """Seconds of processor time of the program and its children, to the nanosecond; threads that ended count on."""
        return sum(self.shares().values())

    def shares(self) -> dict[int, float]:
        """The same of each of its processes."""
        for process in family(self.process.pid):
            for thread in Path(f"/proc/{process}/task").iterdir():
                try:
                    self._spent[process, thread.name] = int((thread / "schedstat").read_text().split()[0])
                except (FileNotFoundError, ProcessLookupError):
                    continue
        found: Counter[int] = Counter()
        for (process, _), spent in self._spent.items():
            found[process] += spent
        return {process: spent / 1e9 for process, spent in found.items()}

    def members(self) -> Iterator[int]:
        """The program's process and its children's."""
        return family(self.process.pid)

    def settle(self) -> None:
        """Wait until it has nothing more to do by itself, such as its post.

        Its port is open before the application is there: what it does later counts from its first answer.
        """
        self.ask("GET", "/healthz")
        quiet = 0
        for _ in range(300):
            before = self.used()
            time.sleep(0.2)
            quiet = quiet + 1 if self.used() - before < IDLE else 0
            if quiet == QUIET:
                return

    def cost(self, work: Callable[[], int]) -> Sample:
        """What a unit of work costs the server."""
        before, begun = self.used(), perf_counter()
        units = work()
        wall = perf_counter() - begun
        return Sample((self.used() - before) / units, wall / units)

    def stop(self) -> None:
        """End it and its children."""
        self._link.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)


def family(process: int) -> Iterator[int]:
    """A process and its descendants."""
    yield process
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        for child in children.read_text().split():
            yield from family(int(child))


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def navarch(folder: Path, *options: str, under: Sequence[str] = ()) -> Iterator[Server]:
    """`navarch serve` on a file in the folder, in one process unless the options say otherwise.

    `under`: the words of a command that starts another one with less memory or fewer cores.
    """
    port = free_port()
    if "--processes" not in options:
        options = (*options, "--processes", "1")
    command = [*under, NAVARCH, "serve", "--port", str(port), "--db", str(folder / "games.db"), *options]
    server = Server([*command, "--backup-minutes", "0"], port)
    server.settle()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def tiny(folder: Path) -> Iterator[Server]:
    """The smallest Flask app, on gunicorn's ordinary threads."""
    port = free_port()
    gunicorn = [sys.executable, "-m", "gunicorn", "-k", "gthread", "--threads", "8", "-b", f"127.0.0.1:{port}"]
    root = str(Path(__file__).parents[1])
    server = Server([*gunicorn, "--chdir", root, "benchmarks.tiny:app"], port, TINY_DB=str(folder / "tiny.db"))
    try:
        yield server
    finally:
        server.stop()
