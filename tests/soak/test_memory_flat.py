"""What a server keeps has a bound: once it is full, days of play need no more memory."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from benchmarks.fleets import fleets
from benchmarks.served import Server, navarch
from kit.large_world import large_world
from strategic.open_campaign.rules.world import MOST_LANES, MOST_SPACES
from tactical.kernel.protocol import Offer
from tactical.kernel.random_play import QUITTING, fill

pytestmark = pytest.mark.soak
BATTLES, COMMANDS, EACH = 10, 24_000, 2_000
SEATS = ("rome", "carthage", "spectator")


class Battle:
    """A battle played at random by its umpire over the API, while three seats look at its table."""

    def __init__(self, server: Server, chance: random.Random) -> None:
        self.server, self.chance = server, chance
        self.begin()

    def begin(self) -> None:
        """A new battle of forty ships."""
        made = self.server.told("POST", "/games", {"system": "galley", "position": fleets(20)})
        self.path = f"/games/{made['id']}"
        self.tokens = {seat["id"]: seat["token"] for seat in made["seats"]}

    def play(self) -> None:
        """One command of a seat that is waited for, and a look of all."""
        shown = self.server.told("GET", self.path, token=self.tokens["umpire"])
        if shown["over"]:
            self.begin()
            return
        seat = self.chance.choice(shown["waiting_for"])
        own = self.server.told("GET", self.path, token=self.tokens[seat])
        offers = [Offer(**each) for each in own["offers"] if each["type"] not in QUITTING]
        wanted: dict[str, Any] = {"seen": own["version"], "command": fill(self.chance.choice(offers), self.chance)}
        self.server.told("POST", f"{self.path}/commands", wanted, self.tokens[seat])
        for looks in SEATS:
            self.server.ask("GET", f"/g{self.path[6:]}/table", Authorization=f"Bearer {self.tokens[looks]}")


def processes(server: Server) -> list[int]:
    """Megabytes that the server and each of its children hold."""
    lines = (Path(f"/proc/{process}/status").read_text() for process in server.members())
    return [int(line.split()[1]) // 1024 for text in lines for line in text.splitlines() if line.startswith("VmRSS")]


def memory(server: Server) -> int:
    """Megabytes that the server and its children hold."""
    return sum(processes(server))


def test_a_hundred_worlds_of_the_largest_size_leave_each_process_small(tmp_path: Path) -> None:
    held: list[int] = []
    with navarch(tmp_path) as server:
        for number in range(100):
            world = large_world(MOST_SPACES, MOST_LANES, points=7, number=number)
            made = server.told("POST", "/games", {"system": "open_campaign", "position": war(world)})
            for seat, page in (("umpire", "desk"), ("umpire", "world/edit"), ("a", "orders")):
                token = next(each["token"] for each in made["seats"] if each["id"] == seat)
                _, status = server.ask("GET", f"/open/{made['id']}/{page}?side=a", Authorization=f"Bearer {token}")
                assert status == 200, page
            held.append(max(processes(server)))
        print(f"the largest process held {max(held)} MB, {held[49]} after fifty wars, {held[-1]} in the end")
    assert max(held) < 300, held


def war(world: dict[str, Any]) -> dict[str, Any]:
    """A war of two sides, each with a ship in a port of this world."""
    ships = {f"{side}-1": {"side": side, "type": "trireme"} for side in ("a", "b")}
    fleets = {side: {"side": side, "name": side, "at": "p0", "ships": [f"{side}-1"]} for side in ("a", "b")}
    return {"world": world, "sides": {"a": {"name": "A"}, "b": {"name": "B"}}, "fleets": fleets, "ships": ships}


def test_memory_is_flat_once_what_is_kept_is_full(tmp_path: Path) -> None:
    chance, held = random.Random(1), []
    with navarch(tmp_path) as server:
        battles = [Battle(server, chance) for _ in range(BATTLES)]
        for number in range(COMMANDS):
            battles[number % BATTLES].play()
            if (number + 1) % EACH == 0:
                held.append(memory(server))
                print(f"{number + 1} commands: {held[-1]} MB", flush=True)
    assert max(held[-3:]) <= 1.05 * max(held[:-3]), held
