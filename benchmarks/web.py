"""The server over the wire: commands, taps, pages, and twenty who follow one battle."""

from __future__ import annotations

import gzip
import html
import http.client
import re
import statistics
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import Any
from urllib.parse import urlencode

from benchmarks import clock
from benchmarks.fleets import fleets
from benchmarks.fragments import Page
from benchmarks.row import Row, cost
from benchmarks.served import Server, free_port, navarch, tiny
from benchmarks.start import NAVARCH
from strategic import SYSTEMS

EACH = 25  # requests in one round
SMALL = "the smallest GET of a Flask app"
FOLLOWERS = 20
BUTTON = re.compile(r'name="(course|command)"[^>]* value="([^"]*)"')


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures over the wire by their ids."""
    return {
        "start.page": lambda: _start(rounds),
        "http.command": lambda: _command(rounds),
        "http.tap.bytes": lambda: _tap("http.tap.bytes", plots, 6),
        "http.step.bytes": lambda: _tap("http.step.bytes", steps, 12),
        "page.battle.40": lambda: _battle_page(rounds),
        **{f"page.campaign.{name}": _campaign_page(name, rounds) for name in SYSTEMS},
        "followers.20": lambda: _followers(rounds),
        "captains.step": _captains_step,
        "tap.whole_turn": lambda: _whole_turn(rounds),
    }


@contextmanager
def both() -> Iterator[tuple[Server, Server]]:
    """Our server and the smallest one."""
    with tempfile.TemporaryDirectory() as name, navarch(Path(name)) as ours, tiny(Path(name)) as anchor:
        for _ in range(30):
            anchor.ask("GET", "/small")
            anchor.ask("POST", "/write", b"")
        yield ours, anchor


class Battle:
    """A battle on that server: of 40 ships, in which Rome plots to and fro, or from another position."""

    def __init__(self, server: Server, position: dict[str, Any] | None = None) -> None:
        made = server.told("POST", "/games", {"system": "galley", "position": position or fleets(20)})
        self.server, self.id = server, made["id"]
        self.tokens = {seat["id"]: seat["token"] for seat in made["seats"]}
        self.seen = 0

    def plot(self) -> int:
        """A command over the API."""
        self.give("rome", {"type": "plot", "ship": f"r{self.seen % 20}", "speed": 1 + self.seen // 20 % 2})
        return 1

    def give(self, seat: str, command: dict[str, Any]) -> None:
        """The same for any command."""
        wanted = {"seen": self.seen, "command": command}
        self.seen = self.server.told("POST", f"/games/{self.id}/commands", wanted, self.tokens[seat])["version"]

    def shown(self) -> Any:
        """The battle as the API shows it to the umpire."""
        return self.server.told("GET", f"/games/{self.id}", token=self.tokens["umpire"])

    def page(self, seat: str, what: str = "/table", **headers: str) -> bytes:
        """A page of the seat."""
        answer, status = self.server.ask(
            "GET", f"/g/{self.id}{what}", Authorization=f"Bearer {self.tokens[seat]}", **headers
        )
        if status != 200:
            raise RuntimeError(f"{what}: {status}")
        return answer

    def shown_page(self, seat: str, what: str = "/table") -> Page:
        """The seat's page as a browser has it."""
        found = Page()
        found.put(self.page(seat, what, HX_Request="true", X_Fragments="").decode())
        return found

    def tap(self, seat: str, page: Page, what: str, **fields: Any) -> bytes:
        """A form that the seat sends from its page, and the answer as it comes over the wire."""
        answer, status = self.server.ask(
            "POST",
            f"/g/{self.id}/{what}?seat={seat}",
            urlencode({"seen": self.seen, **fields}).encode(),
            Content_Type="application/x-www-form-urlencoded",
            Authorization=f"Bearer {self.tokens[seat]}",
            HX_Request="true",
            Accept_Encoding="gzip",
            X_Fragments=page.has(),
        )
        if status != 200:
            raise RuntimeError(f"a tap: {status}")
        return answer


def _start(rounds: int) -> Row:
    """From starting a server of one process to its first page: its processor time, as long as it takes when quiet."""
    taken = [started() for _ in range(rounds + 1)][1:]  # the first one warms the disk
    middle, wall = clock.median(taken), [sample.wall for sample in taken]
    known = {"against": "two seconds", "wall": {"median": middle.wall, "least": min(wall), "most": max(wall)}}
    return Row("start.page", middle.processor, "CPU s", 2.0, middle.processor / 2.0, 1.0, "lower", known)


def started() -> clock.Sample:
    """What a new server takes until it has answered a page."""
    with tempfile.TemporaryDirectory() as name:
        port, begun = free_port(), perf_counter()
        command = [NAVARCH, "serve", "--port", str(port), "--db", str(Path(name) / "games.db"), "--processes", "1"]
        server = Server(command, port)
        try:
            server.ask("GET", "/")
            return clock.Sample(server.used(), perf_counter() - begun)
        finally:
            server.stop()


def small(anchor: Server) -> clock.Measure:
    """The smallest GET, some hundred times."""

    def ask() -> int:
        for _ in range(4 * EACH):
            anchor.ask("GET", "/small")
        return 4 * EACH

    return lambda: anchor.cost(ask)


STEPS = 12  # waits for the captain in a battle


def _captains_step() -> Row:
    """The longest that a player at Mylae waits for the captain of the other fleet, beside the goal of 0.4 s.

    The first wait is told apart: the process that thinks starts in it.
    """
    with tempfile.TemporaryDirectory() as name, navarch(Path(name)) as server:
        made = server.told("POST", "/games", {"system": "galley", "scenario": "mylae"})
        url, token = f"/games/{made['id']}", {seat["id"]: seat["token"] for seat in made["seats"]}
        server.told("POST", f"{url}/captains", {"seat": "carthage", "level": "able"}, token["umpire"])
        waits, commands = [0.0], 0
        while len(waits) <= STEPS:
            begun, before = perf_counter(), None
            while "rome" not in (game := server.told("GET", url, token=token["rome"]))["waiting_for"]:
                if game["over"]:
                    raise RuntimeError("the battle at Mylae ended too early")
                before = game["version"] if before is None else before
                sleep(0.005)
            if before is not None:
                waits.append(perf_counter() - begun)
                commands = max(commands, game["version"] - before)
            with suppress(RuntimeError):  # the captain has played meanwhile: look again
                wanted = server.told("POST", f"{url}/hint", {}, token["rome"])
                given = {"seen": game["version"], "command": wanted["command"]}
                server.told("POST", f"{url}/commands", given, token["rome"])
    first, longest = waits[1], max(waits[2:])
    known = {"against": "0.4 s", "commands": commands, "waits": len(waits) - 1, "first": first}
    return Row("captains.step", longest, "s", 0.4, longest / 0.4, 1.0, "lower", known)


def _command(rounds: int) -> Row:
    with both() as (ours, anchor):
        battle = Battle(ours)
        for _ in range(10):
            battle.plot()

        def write() -> int:
            for _ in range(EACH):
                anchor.ask("POST", "/write", b"")
            return EACH

        found = clock.by_turns(
            lambda: ours.cost(lambda: sum(battle.plot() for _ in range(EACH))), lambda: anchor.cost(write), rounds
        )
        return cost("http.command", found, 1.5, "the smallest durable POST of a Flask app")


def _tap(id: str, taps: Callable[[Battle], Iterator[dict[str, Any]]], kilobytes: int) -> Row:
    """Bytes over the wire of the answer to a tap, as a browser that has the page asks for it."""
    with tempfile.TemporaryDirectory() as name, navarch(Path(name)) as ours:
        battle = Battle(ours)
        sizes = [tapped(battle, fields) for fields in taps(battle)]
        budget = kilobytes * 1024.0
        middle = float(statistics.median(sizes))
        known = {"against": f"{kilobytes} kilobytes", "least": min(sizes), "most": max(sizes)}
        return Row(id, middle, "bytes", budget, middle / budget, 1.0, "lower", known)


def plots(battle: Battle) -> Iterator[dict[str, Any]]:
    """Twelve plots."""
    for _ in range(12):
        yield {"type": "plot", "ship": f"r{battle.seen % 20}", "speed:int": 1 + battle.seen // 20 % 2}


def steps(battle: Battle) -> Iterator[dict[str, Any]]:
    """Twelve steps ahead, when all have plotted."""
    for letter, side in (("r", "rome"), ("c", "carthage")):
        speeds = [{"type": "plot", "ship": f"{letter}{number}", "speed": 2} for number in range(20)]
        battle.give(side, {"type": "together", "commands": [*speeds, {"type": "lock", "side": side}]})
    while (shown := battle.shown())["state"]["step"] != "move":
        side = shown["waiting_for"][0]
        battle.give(side, {"type": "done", "side": side})
    for number in range(12):
        yield {"type": "step", "ship": f"r{number}", "turn": "none"}


def tapped(battle: Battle, wanted: dict[str, Any]) -> int:
    """One command as the page gives it, which says what fragments of the table it has."""
    ship = wanted["ship"]
    answer = battle.tap("rome", battle.shown_page("rome", f"/table?ship={ship}"), "command", **wanted, show=ship)
    battle.seen += 1
    return len(answer)


def _whole_turn(rounds: int) -> Row:
    """The longest of three taps for ten ships, from the tap to its answer, beside the goal of 0.2 s.

    The lock that shows all plots; "All ahead, the whole turn", which makes the steps of both sides; "All fire".
    """
    taps: dict[str, Callable[[Server], float]] = {"lock": lock, "ahead": all_ahead, "fire": all_fire}
    with tempfile.TemporaryDirectory() as name, navarch(Path(name)) as server:
        taken = {what: statistics.median(tap(server) for _ in range(rounds + 1)) for what, tap in taps.items()}
    longest = max(taken.values())
    return Row("tap.whole_turn", longest, "s", 0.2, longest / 0.2, 1.0, "lower", {"against": "0.2 s", **taken})


def lock(server: Server) -> float:
    """The other side has locked: the plots are shown."""
    battle = Battle(server, fleets(10))
    for letter, side in (("c", "carthage"), ("r", "rome")):
        plots = [{"type": "plot", "ship": f"{letter}{number}", "speed": 2} for number in range(10)]
        more = [{"type": "lock", "side": side}] if side == "carthage" else []
        battle.give(side, {"type": "together", "commands": [*plots, *more]})
    return tap_on(battle, "rome", "lock")


def all_ahead(server: Server) -> float:
    """The side that moves first has set its courses: all other steps of the turn are made, fifty."""
    battle = Battle(server, squadrons(34, step="move", phase=1, turn=1, first="rome"))
    tap_on(battle, "rome", "legs")
    return tap_on(battle, "carthage", "legs")


def all_fire(server: Server) -> float:
    """All who reach one enemy."""
    return tap_on(Battle(server, squadrons(-8, step="fire", phase=1, turn=1, first="rome")), "rome", "fire")


def squadrons(farther: int, **more: Any) -> dict[str, Any]:
    """Two times ten ships at speed 3, the second so many hexes farther from the first than usual."""
    found = fleets(10)
    for ship in found["ships"].values():
        column, row = ship["at"]
        ship["speed"] = 3
        if ship["side"] == "carthage":
            ship["at"] = [column + farther, row - farther // 2]
    return {**found, "board": {"columns": 60, "rows": 40}, **more}


def tap_on(battle: Battle, seat: str, word: str) -> float:
    """The seconds that a tap takes on the first button of the fleet whose command has this word in quotes."""
    battle.seen = battle.shown()["version"]
    page = battle.shown_page(seat)
    buttons = (BUTTON.search(each) for each in re.findall("<button[^>]*>", page.text()))
    name, value = next(found.groups() for found in buttons if found and f"&#34;{word}&#34;" in found[2])
    begun = perf_counter()
    battle.tap(seat, page, "course" if name == "course" else "command", **{name: html.unescape(value)})
    return perf_counter() - begun


def _battle_page(rounds: int) -> Row:
    """The table of one seat after a change: nobody has asked for this version before."""
    with both() as (ours, anchor):
        battle = Battle(ours)
        for _ in range(5):
            battle.page("rome")

        def measure() -> clock.Sample:
            taken = []
            for _ in range(EACH):
                battle.plot()
                taken.append(ours.cost(lambda: len(battle.page("rome")) and 1))
            return clock.Sample(
                statistics.mean(sample.processor for sample in taken), statistics.mean(sample.wall for sample in taken)
            )

        return cost("page.battle.40", clock.by_turns(measure, small(anchor), rounds), 10, SMALL)


def _campaign_page(name: str, rounds: int) -> Callable[[], Row]:
    def row() -> Row:
        system = SYSTEMS[name]
        with both() as (ours, anchor):
            made = ours.told("POST", "/games", {"system": name, "scenario": system.scenarios()[0].id})
            tokens = {seat["id"]: seat["token"] for seat in made["seats"]}
            seats = [seat for seat in tokens if seat not in ("umpire", "spectator")]
            path = f"/g/{made['id']}"

            def ask() -> int:
                for number in range(EACH):
                    token = tokens[seats[number % len(seats)]]
                    _, status = ours.ask("GET", path, Authorization=f"Bearer {token}")
                    if status != 200:
                        raise RuntimeError(f"{path}: {status}")
                return EACH

            ask()
            found = clock.by_turns(lambda: ours.cost(ask), small(anchor), rounds)
            return cost(f"page.campaign.{name}", found, 12, SMALL)

    return row


class Follower:
    """A tablet that follows its table as the page's scripts do: its stream rings, and it fetches what it lacks."""

    def __init__(self, battle: Battle, seat: str) -> None:
        self.fresh: list[float] = []
        self._battle, self._page = battle, Page()
        self._headers = {"Authorization": f"Bearer {battle.tokens[seat]}", "Accept-Encoding": "gzip"}
        self._own = http.client.HTTPConnection("127.0.0.1", battle.server.port, timeout=60)
        self.ready, self.told = threading.Event(), threading.Semaphore(0)
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        stream = http.client.HTTPConnection("127.0.0.1", self._battle.server.port, timeout=120)
        stream.request("GET", f"/api/v1/games/{self._battle.id}/stream", headers=self._headers)
        events, left = stream.getresponse(), ""
        self._look()
        self.ready.set()
        with suppress(http.client.IncompleteRead):  # the server ends in the middle of its streams
            while came := events.read1(65536):
                *told, left = (left + came.decode()).split("\n\n")
                for event in told:
                    if self._heard(event):
                        self.fresh.append(perf_counter())
                        self.told.release()

    def _heard(self, event: str) -> bool:
        """Was it told of something new, and is the table up to date?"""
        is_new = event.startswith("id: ") or "event: " in event
        if is_new:
            self._look()
        return is_new

    def _look(self) -> None:
        wanted = {**self._headers, "HX-Request": "true", "X-Fragments": self._page.has()}
        try:
            self._own.request("GET", f"/g/{self._battle.id}/table", headers=wanted)
            answer = self._own.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError):  # it was kept alive for too long
            self._own.close()
            self._own.request("GET", f"/g/{self._battle.id}/table", headers=wanted)
            answer = self._own.getresponse()
        body, packed = answer.read(), answer.headers["Content-Encoding"] == "gzip"
        self._page.put((gzip.decompress(body) if packed else body).decode())


def _followers(rounds: int) -> Row:
    """What a command costs the server with twenty followers on both sides and without a side."""
    with tempfile.TemporaryDirectory() as name, navarch(Path(name)) as ours:
        battle, alone = Battle(ours), Battle(ours)
        seats = ["rome"] * 8 + ["carthage"] * 8 + ["spectator"] * 4
        followers = [Follower(battle, seat) for seat in seats]
        for follower in followers:
            follower.ready.wait(30)
        late: list[float] = []

        def command() -> int:
            begun = perf_counter()
            battle.plot()
            for follower in followers:
                if not follower.told.acquire(timeout=60):
                    raise RuntimeError("a follower heard nothing")
            late.append(1000 * (max(follower.fresh[-1] for follower in followers) - begun))
            return 1

        def table() -> clock.Sample:
            taken = []
            for _ in range(5):
                alone.plot()
                taken.append(ours.cost(lambda: len(alone.page("rome")) and 1))
            return clock.Sample(statistics.mean(s.processor for s in taken), statistics.mean(s.wall for s in taken))

        command()
        found = clock.by_turns(lambda: ours.cost(lambda: sum(command() for _ in range(5))), table, rounds)
        row = cost("followers.20", found, 5.0, "one table of the same server")
        row.more["all_fresh_ms"] = {"median": statistics.median(late), "most": max(late)}
        return row
