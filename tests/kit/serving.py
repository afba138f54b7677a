"""The real server in a process of its own, and how to ask it."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

from kit.command_line import COMMAND, SURROUNDINGS


class Server:
    """`navarch serve --demo` in a process of its own; `options` are further ones."""

    def __init__(self, folder: Path, *options: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.db, self.processes, self.is_safe = folder / "games.db", 1, "--tls" in options
        command = [
            *COMMAND,
            "serve",
            "--demo",
            "--port",
            str(self.port),
            "--db",
            str(self.db),
            *options,
        ]
        self.process = subprocess.Popen(command, cwd=folder, env=SURROUNDINGS, stdout=subprocess.PIPE, text=True)
        self.links: dict[str, str] = {}
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.match(r"  (\w+) +(http://\S+/join/\S+)", line):
                self.links[found.group(1)] = found.group(2)
            if line.startswith("  spectator"):
                break

    def call(self, path: str, token: str | None = None, body: Any = None) -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1{path}", data, headers)
        return urllib.request.urlopen(request, timeout=20)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(15)

    def opened(self, data: bytes, source: str = "127.0.0.1") -> socket.socket:
        """A connection from one of this machine's own addresses, upon which so much was sent."""
        link = socket.create_connection(("127.0.0.1", self.port), 10, (source, 0))
        link.sendall(data)
        return link
