"""kill -9 amid a season, at each of its steps: what was acknowledged stands, and nothing stands half or twice."""

from __future__ import annotations

import random
import re
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from kit.server import Server
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify

NUMBER = re.compile(r"(?<=/)\d+|(?<=/pairings/)[^/]+")
NAMES = ("Anna", "Bruno", "Carla", "Dino")
FLEET = {"navy": "roman", "ships": [{"type": "quinquereme"}] * 3}


class Club:
    """An organizer who repeats a step when the server died before its answer, unless it has been done."""

    def __init__(self, server: Server, seed: int, kills_always: bool) -> None:
        self.server, self.chance, self.kills_always = server, random.Random(seed), kills_always
        self.killed: list[str] = []
        made = server.ask("POST", "/api/v1/seasons", {"title": "Winter", "rounds": 3})[1]
        self.id, self.token = made["id"], made["token"]

    @property
    def season(self) -> dict[str, Any]:
        found: dict[str, Any] = self.server.ask("GET", f"/api/v1/seasons/{self.id}", token=self.token)[1]
        return found

    def do(self, method: str, path: str, body: Any) -> None:
        """One step; the server is killed while it is on its way, then started, and the step done if it is missing."""
        kind = NUMBER.sub("", path)
        if kind in self.killed and not self.kills_always:
            assert self.server.ask(method, f"/api/v1/seasons/{self.id}{path}", body, self.token)[0] < 300
            return
        self.killed.append(kind)
        before, answers = self.season, []

        def send() -> None:
            with suppress(OSError):
                answers.append(self.server.ask(method, f"/api/v1/seasons/{self.id}{path}", body, self.token)[0])

        sending = threading.Thread(target=send)
        sending.start()
        time.sleep(self.chance.random() * 0.04)
        self.server.kill()
        sending.join()
        self.server.start()
        version = self.season["version"]
        assert version in (before["version"], before["version"] + 1), "done once or not at all"
        if answers:
            assert answers[0] < 300 and version == before["version"] + 1, "what was acknowledged stands"
        if version == before["version"]:
            assert self.server.ask(method, f"/api/v1/seasons/{self.id}{path}", body, self.token)[0] < 300


@pytest.mark.parametrize(
    "kills_always", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["once each", "always"]
)
def test_o10_1_a_season_loses_nothing_when_its_server_is_killed_at_every_step(
    tmp_path: Path, kills_always: bool
) -> None:
    """In `make test` at the first step of each kind."""
    server = Server(tmp_path / "games.db")
    server.start()
    try:
        club = Club(server, 7, kills_always)
        for name in NAMES:
            club.do("POST", "/players", {"name": name, "fleet": FLEET})
        club.do("POST", "/rounds", {"due": "2027-01-10T22:00", "scenario": "strait"})
        club.do("PUT", "/rounds/1", {"published": True})
        for each in club.season["rounds"][0]["pairings"]:
            club.do("POST", f"/pairings/{each['id']}/result", {"winner": each["players"][0]})
        club.do("POST", "/rounds", {})
        club.do("POST", f"/pairings/{club.season['rounds'][1]['pairings'][0]['id']}/battle", None)
        season = club.season
    finally:
        server.stop()
    assert [player["name"] for player in season["players"]] == list(NAMES)
    assert [row["points"] for row in season["standings"]] == [3, 3, 0, 0]
    store = Store(tmp_path / "games.db")
    assert journal_store.look(store) == [] and verify(store, club.id) == []
    battle = season["rounds"][1]["pairings"][0]["game"]
    assert verify(store, battle) == [] and len(store.games()) == 2, "no battle without its pairing"
    assert len(club.killed) == (10 if kills_always else 5)
