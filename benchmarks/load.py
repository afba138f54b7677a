"""`make load`: a hall of tablets that play, each with its stream, which brings its fresh view after each change.

One battle of forty ships for five tablets: two for each side, one that looks on. A command is given in every battle
each second. Printed: how late a change is on a tablet's screen, refusals and faults, memory at the beginning and end,
processor time, the machine's load.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.behind_nginx import MISSING, Hall, hall, nginx
from benchmarks.fleets import fleets
from benchmarks.fragments import Page
from benchmarks.memory import proportional
from benchmarks.served import Server, navarch
from webapp.cli.serve import cores

SEATS = ("rome", "carthage", "rome", "carthage", "spectator")
PROMPT = 0.5  # seconds in which 99 of 100 changes should be on every screen
WAIT = 20.0  # seconds after which an answer is a fault
PACKED = b"\x1f\x8b"  # how gzip begins


@dataclass
class Tally:
    """What the run has seen."""

    shown: list[tuple[Battle, int, float]] = field(default_factory=list)  # a version on a screen, and when
    late: list[float] = field(default_factory=list)
    commands: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    received: int = 0


@dataclass
class Battle:
    """One battle and the moment at which each of its versions was acknowledged."""

    id: str
    tokens: dict[str, str]
    version: int = 0
    given: dict[int, float] = field(default_factory=dict)


async def asked(port: int, source: str, request: bytes) -> tuple[int, bytes, dict[str, str]]:
    """One request on a connection of its own: the status, the body as it came, the headers by their small names."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        writer.write(request)
        answer = await reader.read()
    finally:
        writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = [line.partition(": ") for line in head.decode("latin-1").split("\r\n")[1:]]
    return int(head.split(b" ", 2)[1]) if head else 0, body, {name.lower(): value for name, _, value in lines}


async def events(reader: asyncio.StreamReader, tally: Tally) -> AsyncIterator[dict[str, str]]:
    """The fields of each event of a stream, as they come: in chunks."""
    while (await reader.readline()).strip():
        pass
    left = ""
    while size := int((await reader.readline()).strip() or b"0", 16):
        chunk = (await reader.readexactly(size + 2))[:-2]
        tally.received += size
        *told, left = (left + chunk.decode()).split("\n\n")
        for event in told:
            yield dict(line.split(": ", 1) for line in event.split("\n") if ": " in line)


def request(method: str, path: str, token: str, body: bytes = b"", *more: str) -> bytes:
    """The bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *more]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


async def tablet(port: int, number: int, battle: Battle, seat: str, tally: Tally, stop: asyncio.Event) -> None:
    """Follow the stream, which says that there is something new, and fetch it, as the page's scripts do."""
    source = f"127.0.{1 + number // 250}.{1 + number % 250}"
    token, page = battle.tokens[seat], Page()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    stream = request("GET", f"/api/v1/games/{battle.id}/stream", token, b"")
    writer.write(stream.replace(b"Connection: close\r\n", b""))
    shown = 0
    try:
        async for event in events(reader, tally):
            if stop.is_set():
                return
            version = int(event.get("id", 0))
            if version <= shown:
                continue
            version = max(battle.version, version)  # the stream may be quicker than the command's answer
            said = ("HX-Request: true", "Accept-Encoding: gzip", f"X-Fragments: {page.has()}")
            look = request("GET", f"/g/{battle.id}/table", token, b"", *said)
            status, body, _headers = await asyncio.wait_for(asked(port, source, look), WAIT)
            tally.received += len(body)
            if status != 200:
                tally.faults.append(f"a table: {status}")
                continue
            page.put((gzip.decompress(body) if body.startswith(PACKED) else body).decode())
            now = time.perf_counter()
            tally.shown += [(battle, each, now) for each in range(shown + 1, version + 1)]
            shown = version
        if not stop.is_set():
            tally.faults.append("a stream ended")
    except (OSError, TimeoutError, asyncio.IncompleteReadError) as fault:
        tally.faults.append(f"a tablet: {fault!r}")
    finally:
        writer.close()


async def commander(port: int, number: int, battle: Battle, tally: Tally, stop: asyncio.Event) -> None:
    """A plot each second, for Rome."""
    source = f"127.0.100.{1 + number % 250}"
    await asyncio.sleep(random.Random(number).random())
    while not stop.is_set():
        ship = f"r{battle.version % 20}"
        command = {"type": "plot", "ship": ship, "speed": 1 + battle.version // 20 % 2}
        body = json.dumps({"seen": battle.version, "command": command}).encode()
        given = request("POST", f"/api/v1/games/{battle.id}/commands", battle.tokens["rome"], body)
        begun = time.perf_counter()
        try:
            status, answer, _headers = await asyncio.wait_for(asked(port, source, given), WAIT)
        except (OSError, TimeoutError) as fault:
            tally.faults.append(f"a command: {fault!r}")
            continue
        now = time.perf_counter()
        if status == 200:
            battle.version += 1
            battle.given[battle.version] = begun
            tally.commands.append(now - begun)
        else:
            tally.faults.append(f"a command: {status} {answer[:120]!r}")
        await asyncio.sleep(max(0.0, 1 - (now - begun)))


async def play(server: Server | Hall, battles: list[Battle], tablets: int, seconds: float, tally: Tally) -> None:
    """Everybody at once for so long."""
    stop = asyncio.Event()
    each = [(number, battles[number % len(battles)]) for number in range(tablets)]
    seats = [SEATS[number // len(battles) % len(SEATS)] for number, _ in each]
    watching = [
        asyncio.create_task(tablet(server.port, number, battle, seat, tally, stop))
        for (number, battle), seat in zip(each, seats, strict=True)
    ]
    await asyncio.sleep(2)
    acting = [asyncio.create_task(commander(server.port, n, battle, tally, stop)) for n, battle in enumerate(battles)]
    await asyncio.sleep(seconds)
    stop.set()
    await asyncio.gather(*acting)
    await asyncio.sleep(1)
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    tally.late = [now - battle.given[version] for battle, version, now in tally.shown if version in battle.given]


def main(arguments: list[str] | None = None) -> int:
    """Run it; 1 when there was a fault or changes came late."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description="A hall of tablets that play.")
    parser.add_argument("--tablets", type=int, default=100)
    parser.add_argument("--battles", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--processes", type=int, default=cores())
    parser.add_argument("--nginx", action="store_true", help="each process at a port of its own, behind nginx")
    parser.add_argument(
        "--under",
        metavar="COMMAND",
        type=shlex.split,
        default=[],
        help='what limits the server, such as "systemd-run --scope -q -p MemoryMax=512M taskset -c 0"',
    )
    given = parser.parse_args(arguments)
    if given.nginx and nginx() is None:
        parser.error(MISSING)
    tally = Tally()
    with tempfile.TemporaryDirectory() as name, served(Path(name), given) as server:
        battles = [_begun(server, number) for number in range(given.battles)]
        at_first, spent, begun = proportional(server), server.used(), time.perf_counter()
        asyncio.run(play(server, battles, given.tablets, given.seconds, tally))
        share = (server.used() - spent) / (time.perf_counter() - begun)
        found = summary(tally, given.tablets, given.battles, given.seconds)
        found |= {"processes": given.processes, "nginx": given.nginx, "cores_used": round(share, 2)}
        found |= {"memory_mb": [round(at_first), round(proportional(server))], "under": shlex.join(given.under)}
    print(json.dumps(found, indent=1))
    return 1 if tally.faults or found["within_500_ms"] < 0.99 else 0


def _begun(server: Server | Hall, number: int) -> Battle:
    """A new battle; one address may begin only so many games a minute, so each comes from its own."""
    body = json.dumps({"system": "galley", "position": fleets(20)}).encode()
    ask = request("POST", "/api/v1/games", "", body)
    status, answer, _headers = asyncio.run(asked(server.port, f"127.0.200.{1 + number % 250}", ask))
    if status != 201:
        raise RuntimeError(f"a battle was refused: {status} {answer[:200]!r}")
    made = json.loads(answer)
    return Battle(made["id"], {seat["id"]: seat["token"] for seat in made["seats"]})


@contextmanager
def served(folder: Path, given: argparse.Namespace) -> Iterator[Server | Hall]:
    """One server of so many processes, or as many servers behind nginx."""
    if given.nginx:
        with hall(folder, given.processes) as behind:
            yield behind
    else:
        with navarch(folder, "--processes", str(given.processes), under=given.under) as alone:
            yield alone


def summary(tally: Tally, tablets: int, battles: int, seconds: float) -> dict[str, object]:
    """The figures of a run."""
    late = [1000 * each for each in tally.late] or [float("inf")]
    taken = [1000 * each for each in tally.commands] or [float("inf")]
    return {
        "tablets": tablets,
        "battles": battles,
        "seconds": seconds,
        "load": os.getloadavg()[0],
        "cores": os.cpu_count(),
        "commands": len(tally.commands),
        "wanted": round(battles * seconds),
        "views": len(tally.late),
        "faults": len(tally.faults),
        "first_faults": tally.faults[:5],
        "late_ms": {"median": round(statistics.median(late)), "p99": round(cut(late)), "most": round(max(late))},
        "command_ms": {"median": round(statistics.median(taken)), "p99": round(cut(taken))},
        "within_500_ms": round(sum(each <= 1000 * PROMPT for each in late) / len(late), 4),
        "received_mb": round(tally.received / 1e6, 1),
    }


def cut(values: list[float]) -> float:
    """What 99 of 100 stay below."""
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.99))]


if __name__ == "__main__":
    sys.exit(main())
