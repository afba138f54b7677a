"""Several processes over one file of games behind nginx, which sends each game to one of them (docs/nginx.conf)."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.served import Server, free_port, navarch

CONF = Path(__file__).parents[1] / "docs" / "nginx.conf"
MISSING = "nginx is not here: install it (on Debian: apt-get install nginx-light) to try the server behind it."


def nginx() -> str | None:
    """Where nginx is; None where it is not."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


class Hall:
    """The processes and the proxy before them, which listens at `port`."""

    def __init__(self, port: int, servers: list[Server]) -> None:
        self.port, self.servers = port, servers

    def used(self) -> float:
        """Seconds of processor time of the servers."""
        return sum(server.used() for server in self.servers)

    def members(self) -> Iterator[int]:
        """The processes of all servers, without nginx."""
        for server in self.servers:
            yield from server.members()


@contextmanager
def hall(folder: Path, processes: int) -> Iterator[Hall]:
    """Serve a file in the folder. Raises RuntimeError where there is no nginx."""
    if nginx() is None:
        raise RuntimeError(MISSING)
    with ExitStack() as stack:
        first = stack.enter_context(navarch(folder, "--behind-proxy"))  # makes the file; the others find it
        others = [stack.enter_context(navarch(folder, "--behind-proxy")) for _ in range(processes - 1)]
        servers, port = [first, *others], free_port()
        stack.enter_context(proxied(folder, written(folder, port, [server.port for server in servers]), port))
        yield Hall(port, servers)


@contextmanager
def proxied(folder: Path, conf: str, port: int) -> Iterator[None]:
    """Run nginx with the text of its file. Raises RuntimeError where there is none, or where it does not start."""
    program = nginx()
    if program is None:
        raise RuntimeError(MISSING)
    file = folder / "nginx.conf"
    file.write_text(conf)
    with (folder / "nginx.log").open("ab") as told:
        running = subprocess.Popen(
            [program, "-c", str(file), "-e", str(folder / "error.log"), "-g", "daemon off;"], stdout=told, stderr=told
        )
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise RuntimeError(f"nginx did not start: {(folder / 'nginx.log').read_text()}")
        yield
    finally:
        running.terminate()
        running.wait(20)


def written(folder: Path, port: int, behind: list[int]) -> str:
    """The file of the docs with this run's ports, and what `placed` changes."""
    text = CONF.read_text()
    servers = "".join(f"        server 127.0.0.1:{each};\n" for each in behind)
    return placed(folder, port, re.sub(r"(?:        server 127\.0\.0\.1:\d+;\n)+", servers, text))


def placed(folder: Path, port: int, text: str) -> str:
    """A file of the docs with this run's port and paths, and a log of which process answered what."""
    for of_docs, here in {
        "listen 80;": f"listen 127.0.0.1:{port};",
        "/run/nginx.pid": str(folder / "nginx.pid"),
        "/var/log/nginx/error.log": str(folder / "error.log"),
        "access_log off;": f"log_format which '$uri $upstream_addr $status'; access_log {folder}/which.log which;",
    }.items():
        if of_docs not in text:
            raise ValueError(f"{CONF} has no '{of_docs}'")
        text = text.replace(of_docs, here)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    own = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = "user root;\n" if os.geteuid() == 0 else ""  # its workers must reach the run's folder
    return user + text.replace("http {\n", f"http {{\n{own}", 1)
