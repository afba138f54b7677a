"""Strange forms, commands, positions, imports and house rules of every system: never an error of ours, and a refusal
changes nothing. Values are drawn by chance from the real ones, and spoilt."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path
from typing import Any

import pytest
from real_house import Browser

from tactical.kernel.record import plain
from webapp import create_app
from webapp.storage import transfer
from webapp.storage.games import Store
from webapp.systems import systems

FREE = dict.fromkeys(
    ("GAMES_A_MINUTE", "IMPORTS_A_MINUTE", "OWN_GAMES_A_MINUTE", "FORECASTS_A_MINUTE", "BAD_TOKENS_A_MINUTE",
     "UNKNOWN_CODES_A_MINUTE"), 1_000_000,
)  # fmt: skip
STRANGE: tuple[Any, ...] = (
    None, True, -1, 0, 10**9, 2**53, 1.5, "", "x", "__proto__", '"><i hx-get=/x>', "a" * 300, "\u0000", "ж", [], {}, [[]],
    {"x": {}}, ["x"] * 50, "9" * 40, "-0", "1e9", "null",
)  # fmt: skip


class Fuzzer:
    """A house with a game of every system, asked what nobody asks."""

    def __init__(self, path: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.store = Store(path)
        self.app = create_app({"STORE": self.store, "PROPAGATE_EXCEPTIONS": False, **FREE})
        self.app.test_client_class = Browser
        self.games: dict[str, tuple[str, dict[str, str]]] = {}
        for name, system in systems().items():
            game, tokens = self.store.create(name, scenario=system.scenarios()[0].id)
            self.games[name] = game.id, tokens
        self.browser = self.app.test_client()
        self.asked = 0
        for _, tokens in self.games.values():
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
            return {**value, name: self.spoilt(value[name])}
        if isinstance(value, list) and value and self.chance.random() < 0.8:
            place = self.chance.randrange(len(value))
            return [*value[:place], self.spoilt(value[place]), *value[place + self.chance.randrange(2) :]]
        return self.chance.choice(STRANGE)

    def command(self, name: str) -> dict[str, Any]:
        """An offer of some seat, or an adjustment, spoilt once or twice."""
        game, _ = self.games[name]
        table = self.store.load(game)
        offers = [offer for seat in (*table.sides, "umpire") for offer in table.system.offers(table.state, seat)]
        state = plain(table.state)
        field = self.chance.choice(list(state))
        adjust = {"type": "adjust", "changes": {field: self.spoilt(state[field])}, "why": "chance"}
        real = [{"type": offer.type, **offer.fields} for offer in offers] or [adjust]
        found = self.chance.choice([*real[:40], adjust])
        return self.spoilt(found) if self.chance.random() < 0.9 else found

    def one(self) -> None:
        """One strange request."""
        name = self.chance.choice(list(self.games))
        game, tokens = self.games[name]
        version = self.store.game(game).version
        seat = {"Authorization": f"Bearer {self.chance.choice(list(tokens.values()))}"}
        match self.chance.randrange(6):
            case 0:
                self.ask("post", f"/api/v1/games/{game}/commands", seat, json={"command": self.command(name), "seen": version})
            case 1:
                position = self.spoilt(plain(self.store.load(game).state))
                self.ask("post", "/api/v1/games", {}, json={"system": name, "position": position})
            case 2:
                saved = self.spoilt(json.loads(json.dumps(plain(transfer.export(self.store, game)))))
                self.ask("post", "/api/v1/games/import", {}, json=saved)
            case 3:
                command = self.command(name)
                fields = {"seen": str(version), "command": json.dumps(command)}
                self.ask("post", f"/g/{game}/{self.chance.choice(['command', 'undo', 'cancel-roll'])}", {}, data=fields)
            case 4:
                fields = {str(key): str(self.chance.choice(STRANGE)) for key in
                          ("path", "value", "why", "seen", "strike", "text", "seen_by", "seat", "act", "name")}  # fmt: skip
                where = self.chance.choice(["adjust", "chronicle"]) if name != "galley" else ""
                self.ask("post", f"/campaign/{game}/{where}" if where else f"/g/{game}/seats", {}, data=fields)
            case _:
                own = self.spoilt(json.loads(self.browser.get("/campaign/house/punic_wars/tables.json").text))
                self.ask("post", "/campaign/house/punic_wars", {}, data={"text": json.dumps(own), "do": "start"})

    def standing(self) -> dict[str, tuple[int, int]]:
        return {game.id: (game.version, game.pulse) for game in self.store.games()}

    def ask(self, method: str, address: str, headers: dict[str, str], **body: Any) -> None:
        self.asked += 1
        before = self.standing()
        client = self.browser if "data" in body else self.app.test_client()
        began = time.process_time()
        answer = getattr(client, method)(address, headers=headers, **body)
        spent = time.process_time() - began
        what = (address, json.dumps(body)[:600], re.sub(r"<[^>]+>|\s+", " ", answer.text)[:300])
        assert answer.status_code < 500, what
        assert spent < 10, what
        if answer.status_code >= 400:
            assert self.standing() == before, ("a refusal changed something", *what)


def test_strange_requests_are_refused_in_peace(tmp_path: Path) -> None:
    fuzzer = Fuzzer(tmp_path / "games.db", seed=1)
    for _ in range(60):
        fuzzer.one()


@pytest.mark.soak
def test_half_an_hour_of_strange_requests(tmp_path: Path) -> None:
    fuzzer = Fuzzer(tmp_path / "games.db", seed=2)
    end = time.monotonic() + 30 * 60
    while time.monotonic() < end:
        fuzzer.one()
    print(f"{fuzzer.asked} requests")
