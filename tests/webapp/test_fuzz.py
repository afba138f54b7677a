"""Strange forms, commands, positions, imports, options and house rules of every system: never an error of ours, nothing
that takes a second, and a refusal changes nothing. Values are drawn by chance from the real ones, and spoilt."""

from __future__ import annotations

import gc
import json
import random
import re
import resource
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from kit.lengths import FUZZ_SECONDS, scaled
from kit.real_house import Browser
from tactical.kernel.random_play import fill
from tactical.kernel.record import plain
from webapp import create_app
from webapp.cli.serve import sweep_no_more
from webapp.storage.journal import transfer
from webapp.storage.journal.store import Store, all_systems

FREE = dict.fromkeys(
    (
        "GAMES_A_MINUTE",
        "IMPORTS_A_MINUTE",
        "OWN_GAMES_A_MINUTE",
        "FORECASTS_A_MINUTE",
        "CUTS_A_MINUTE",
        "ODDS_A_MINUTE",
        "BAD_TOKENS_A_MINUTE",
        "UNKNOWN_CODES_A_MINUTE",
    ),
    1_000_000,
)
STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2,
    10**6,
    10**9,
    2**53 - 1,
    2**53,
    1.5,
    "",
    "x",
    "__proto__",
    '"><i hx-get=/x>',
    "a" * 300,
    "\u0000",
    "\ud800",
    "ж",
    [],
    {},
    [[]],
    {"x": {}},
    ["x"] * 50,
    "9" * 40,
    "-0",
    "1e9",
    "null",
    "..",
    "rome",
)
SECOND = 1.0  # of the processor's time, however busy the machine is
MEMORY = 2 << 30  # bytes: what asks for more is an error here, and not the end of the machine
HOUSE = 250  # requests until the games are set up anew
WEBAPP = Path(__file__).parents[2] / "webapp"
LEFT_OUT = (  # what never ends, begins processes or goes to other servers, ends seats, or is the organizer's to break
    "stream",
    "forecast",
    "captains.",
    "captains_api.",
    "demo",
    "static",
    "restore",
    "log_in",
    "calls",
    "set_call",
    "renew",
    "seats_change",
    "seats.leave",
    "abandoned",
)


def names_of_fields() -> list[str]:
    """What the forms and addresses of our pages name."""
    found: set[str] = set()
    for file in WEBAPP.rglob("*.html"):
        found |= set(re.findall(r'name="([a-z_.:]+)"', file.read_text()))
    for file in WEBAPP.rglob("*.py"):
        found |= set(re.findall(r'request\.(?:form|args)(?:\.get|\.getlist)?[\[(]"([a-z_]+)"', file.read_text()))
    return sorted(found - {"csrf_token"})


class Fuzzer:
    """A house with a game of every system, asked what nobody asks."""

    def __init__(self, path: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.store = Store(path)
        self.app = create_app({"STORE": self.store, "PROPAGATE_EXCEPTIONS": False, **FREE})
        self.app.test_client_class = Browser
        self.watch = sqlite3.connect(path, isolation_level=None)
        self.fields = names_of_fields()
        rules = [rule for rule in self.app.url_map.iter_rules() if not any(out in rule.endpoint for out in LEFT_OUT)]
        self.reads = [rule.rule for rule in rules if "GET" in (rule.methods or ())]
        self.forms = [rule.rule for rule in rules if "POST" in (rule.methods or ()) and "/api/" not in rule.rule]
        self.asked, self.answers, self.slowest = 0, Counter[int](), 0.0
        self.set_up()

    def set_up(self) -> None:
        """New games, and a browser that holds every seat of theirs."""
        for game in self.store.games():
            self.store.delete(game.id)
        self.games: dict[str, tuple[str, dict[str, str]]] = {}
        self.browser = self.app.test_client()
        for name, system in all_systems().items():
            dice = self.chance.choice(["digital", "physical"])
            game, tokens = self.store.create(name, scenario=self.chance.choice(system.scenarios()).id, dice=dice)
            self.games[name] = game.id, tokens
            self.browser.get(f"/join/{tokens['umpire']}")

    def spoilt(self, value: Any) -> Any:
        """The value with one part of it strange, missing, doubled or of another place."""
        if isinstance(value, dict) and value and self.chance.random() < 0.9:
            name = self.chance.choice(list(value))
            what = self.chance.random()
            if what < 0.1:
                return {key: part for key, part in value.items() if key != name}
            if what < 0.2:
                return {**value, str(self.chance.choice(STRANGE)): value[name]}
            if what < 0.3:
                return {**value, name: value[self.chance.choice(list(value))]}
            return {**value, name: self.spoilt(value[name])}
        if isinstance(value, list) and value and self.chance.random() < 0.8:
            place = self.chance.randrange(len(value))
            return [*value[:place], self.spoilt(value[place]), *value[place + self.chance.randrange(2) :]]
        return self.chance.choice(STRANGE)

    def command(self, name: str) -> dict[str, Any]:
        """An offer of some seat, or an adjustment: as it is, or spoilt."""
        table = self.store.load(self.games[name][0])
        offers = [offer for seat in (*table.sides, "umpire") for offer in table.system.offers(table.state, seat)]
        state = plain(table.state)
        field = self.chance.choice(list(state))
        adjust = {"type": "adjust", "changes": {field: self.spoilt(state[field])}, "why": "chance"}
        if not offers or self.chance.random() < 0.2:
            return adjust
        offer = self.chance.choice(offers)
        found = fill(offer, self.chance) if self.chance.random() < 0.5 else {"type": offer.type, **offer.fields}
        return self.spoilt(found) if self.chance.random() < 0.7 else found

    def one(self) -> None:
        """One strange request."""
        if self.asked and self.asked % HOUSE == 0:
            self.set_up()
        name = self.chance.choice(list(self.games))
        game, tokens = self.games[name]
        version = self.store.game(game).version
        seat = {"Authorization": f"Bearer {self.chance.choice(list(tokens.values()))}"}
        match self.chance.randrange(9):
            case 0 | 1:
                body = {"command": self.command(name), "seen": version}
                if self.chance.random() < 0.2:
                    body = self.spoilt({**body, "rolls": [1, 2], "key": "x"})
                self.ask("post", f"/api/v1/games/{game}/commands", seat, json=body)
            case 2:
                position = self.spoilt(plain(self.store.load(game).state))
                self.ask("post", "/api/v1/games", {}, json={"system": name, "position": position})
            case 3:
                options = {option.name: option.default for option in all_systems()[name].options}
                asked = {
                    "system": name,
                    "scenario": all_systems()[name].scenarios()[0].id,
                    "options": options,
                    "title": "x",
                }
                self.ask("post", "/api/v1/games", {}, json=self.spoilt(asked))
            case 4:
                saved = self.spoilt(json.loads(json.dumps(plain(transfer.export(self.store, game)))))
                self.ask("post", "/api/v1/games/import", {}, json=saved)
            case 5:
                fields = {"seen": str(version), "command": json.dumps(self.command(name))}
                self.ask("post", f"/g/{game}/{self.chance.choice(['command', 'undo', 'cancel-roll'])}", {}, data=fields)
            case 6:
                fields = {field: self.written(name) for field in self.chance.sample(self.fields, 12)} | {
                    "seen": str(version)
                }
                self.ask("post", self.address(self.chance.choice(self.forms), name), {}, data=fields)
            case 7:
                query = {field: self.written(name) for field in self.chance.sample(self.fields, 4)}
                where = self.address(self.chance.choice(self.reads), name)
                self.ask("get", f"{where}?{urlencode(query, errors='replace')}", self.chance.choice([seat, {}]))
            case _:
                own = self.spoilt(json.loads(self.browser.get("/campaign/house/punic_wars/tables.json").text))
                self.ask("post", "/campaign/house/punic_wars", {}, data={"text": json.dumps(own), "do": "start"})

    def written(self, name: str) -> str:
        """Something strange as forms write it, or something that is really there."""
        if self.chance.random() < 0.5:
            return str(self.chance.choice(STRANGE)).encode("utf-8", "replace").decode()
        state = plain(self.store.load(self.games[name][0]).state)
        inner = self.chance.choice([part for part in state.values() if isinstance(part, dict) and part] or [state])
        return str(self.chance.choice([*state, *inner]))

    def address(self, rule: str, name: str) -> str:
        """A route's address, its game a real one, its other parts real or strange."""
        path = rule.replace("<game>", self.games[name][0]).replace("<system>", self.chance.choice([name, "x"]))
        return re.sub(r"<[^>]+>", lambda part: quote(self.written(name) or "x", safe=""), path)

    def writes(self) -> int:
        """A number that changes with every transaction on the file."""
        return int(self.watch.execute("pragma data_version").fetchone()[0])

    def ask(self, method: str, address: str, headers: dict[str, str], **body: Any) -> None:
        """Ask, and look at what must never be."""
        self.asked += 1
        client = self.browser if "data" in body or not headers else self.app.test_client()
        before = self.writes()
        began = time.thread_time()
        answer = getattr(client, method)(address, headers=headers, **body)
        spent = time.thread_time() - began
        changed = self.writes() != before
        self.answers[answer.status_code] += 1
        self.slowest = max(self.slowest, spent)
        if answer.status_code >= 500 or spent > SECOND or (answer.status_code >= 400 and changed):
            said = re.sub(r"<[^>]+>|\s+", " ", answer.text)[:300]
            fault = f"{answer.status_code} in {spent:.2f} s, {'something' if changed else 'nothing'} changed"
            raise AssertionError(f"{fault}: {method} {address} {json.dumps(body)[:20_000]} gave {said}")


@contextmanager
def bounded_memory() -> Iterator[None]:
    """A request that asks for too much memory is an error, as on a small machine, and not the end of this one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])  # what the tests before have left in this process
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@contextmanager
def swept_seldom() -> Iterator[None]:
    """Memory is swept as a server has it swept."""
    often = gc.get_threshold()
    sweep_no_more()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*often)


def test_strange_requests_are_refused_in_peace(tmp_path: Path) -> None:
    fuzzer = Fuzzer(tmp_path / "games.db", seed=1)
    with swept_seldom(), bounded_memory():
        for _ in range(100):
            fuzzer.one()
    assert {200, 400, 404, 422} <= set(fuzzer.answers)


@pytest.mark.soak
def test_strange_requests_for_minutes(tmp_path: Path) -> None:
    seed = random.randrange(10**9)
    print(f"seed {seed}")
    fuzzer = Fuzzer(tmp_path / "games.db", seed)
    end = time.monotonic() + scaled(FUZZ_SECONDS)
    with bounded_memory():
        while time.monotonic() < end:
            fuzzer.one()
    print(f"{fuzzer.asked} requests, the slowest {fuzzer.slowest:.2f} s, answers {dict(fuzzer.answers)}")
