"""A server of its own process group, which a test may kill, and clients that insist."""

from __future__ import annotations

import html
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPErrorProcessor, build_opener

from kit.command_line import COMMAND, SURROUNDINGS

PATIENCE = 90  # seconds until the server answers, on a busy machine


def bound(largest: int) -> None:
    """Let no file of this process grow beyond so many bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


class Server:
    """`navarch serve` over a file of games; `largest` is what the system lets a file grow to, in bytes.

    `host` is where it is asked, and `before` what stands before its command line, such as another network's name.
    """

    host = "127.0.0.1"
    before: tuple[str, ...] = ()
    program = COMMAND

    def __init__(self, database: Path, *options: str, largest: int | None = None) -> None:
        self.database, self.options, self.largest = database, options, largest
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, subcommand: str = "serve") -> None:
        """Start it, and wait until it answers; `promote` makes it the writer first."""
        command = [
            *self.before,
            *self.program,
            subcommand,
            "--db",
            str(self.database),
            "--port",
            str(self.port),
            "--backup-minutes",
            "0",
            *self.options,
        ]
        log = (self.database.parent / "server.log").open("ab")
        bounded = None if self.largest is None else partial(bound, self.largest)
        self.process = subprocess.Popen(
            command,
            env=SURROUNDINGS,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=bounded,
            cwd=self.database.parent,
        )
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.ask("GET", "/healthz")[0] == 200:
                    return
            except OSError:
                said = (self.database.parent / "server.log").read_text()
                assert self.process.poll() is None, f"the server did not start: {said[-3000:]}"
                time.sleep(0.1)
        raise AssertionError("the server did not answer")

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """One request. Raises OSError when there is no whole answer."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except http.client.HTTPException as cut:
            raise ConnectionError(str(cut)) from None
        finally:
            connection.close()

    def browse(self, path: str, token: str | None = None, fields: dict[str, str] | None = None) -> tuple[int, str]:
        """A page, for the browser that opened this seat's link; with `fields`, what it answers to that form."""
        opener = build_opener(HTTPCookieProcessor(), Unfailing())
        root = f"http://{self.host}:{self.port}"
        home = opener.open(f"{root}/join/{token}" if token else root, timeout=30).read().decode()
        data = None
        if fields is not None:
            found = re.search(r'name="csrf-token" content="([^"]+)"', home)
            assert found is not None
            data = urlencode({"csrf_token": found.group(1), **fields}).encode()
        answer = opener.open(root + path, data, timeout=60)
        return answer.status, html.unescape(answer.read().decode())

    def workers(self) -> list[int]:
        """The processes that the server has started."""
        assert self.process is not None
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(each) for each in listed]

    def kill(self, everything: bool = True) -> None:
        """End it with -9: its whole group, or the parent alone."""
        assert self.process is not None
        if everything:
            os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """End what is left of it."""
        if self.process is not None and self.process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Unfailing(HTTPErrorProcessor):
    """Answers of 400 and more are answers, too."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response if response.status >= 400 else super().http_response(request, response)


class Client(threading.Thread):
    """Gives commands to one game until the server is gone, each with a key; remembers what was acknowledged."""

    def __init__(self, server: Server, name: str, game: str, token: str, count: int) -> None:
        super().__init__(daemon=True)
        self.server, self.label, self.game, self.token, self.count = server, name, game, token, count
        self.acknowledged: dict[str, int] = {}
        self.unsure: dict[str, dict[str, Any]] = {}

    def run(self) -> None:
        for number in range(self.count):
            key = f"{self.label}-{number}"
            command = {"type": "adjust", "ship": "r1", "changes": {"name": key}, "why": key}
            try:
                if not self.insist(key, command):
                    return
            except OSError:
                self.unsure[key] = command
                return

    def insist(self, key: str, command: dict[str, Any]) -> bool:
        """Give one command until it is taken; False when the server refuses it for good."""
        while True:
            _, known = self.server.ask("GET", f"/api/v1/games/{self.game}", token=self.token)
            body = {"command": command, "seen": known["version"], "key": key}
            status, answer = self.server.ask("POST", f"/api/v1/games/{self.game}/commands", body, self.token)
            if status == 200:
                self.acknowledged[key] = answer["version"]
                return True
            if status != 409:
                return False
