"""10.3 Five tokens at one table: what a seat can fetch tells nothing of an answer that is not yet open."""

from pathlib import Path
from typing import Any

import pytest

from strategic.sword_of_rome import SWORD_OF_ROME
from webapp import create_app
from webapp.api import views
from webapp.http import addresses, seats
from webapp.storage.journal.store import Store

BRENNUS = {"power": "gauls", "space": "bononia", "leader": "brennus", "units": 4}
PYRRHUS = {"power": "greeks", "space": "ravenna", "leader": "pyrrhus", "units": 5}


class Table:
    """A game over the API, with each seat's token."""

    def __init__(self, folder: Path, name: str) -> None:
        store = Store(folder / f"{name}.db", {"sword_of_rome": SWORD_OF_ROME})
        blueprints = (seats.bp, addresses.bp, views.bp)
        self.client = create_app({"STORE": store, "TESTING": True, "BLUEPRINTS": blueprints}).test_client()
        wanted = {"system": "sword_of_rome", "scenario": "gauls_before_greeks", "dice": "physical"}
        made = self.client.post("/api/v1/games", json=wanted).json
        self.id, self.seen = made["id"], 0
        self.tokens = {seat["id"]: seat["token"] for seat in made["seats"]}

    def get(self, seat: str, what: str = "") -> Any:
        found = self.client.get(
            f"/api/v1/games/{self.id}{what}", headers={"Authorization": f"Bearer {self.tokens[seat]}"}
        )
        assert found.status_code == 200, found.text
        return found

    def say(self, seat: str, kind: str, *rolls: int, **fields: Any) -> Any:
        body = {"command": {"type": kind, **fields}, "seen": self.seen, "rolls": list(rolls)}
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        said = self.client.post(f"/api/v1/games/{self.id}/commands", json=body, headers=headers)
        assert said.status_code == 200, said.text
        self.seen = said.json["version"]
        return said.json


@pytest.fixture
def tables(tmp_path: Path) -> list[Table]:
    """Two tables: at one the Gauls declare an interception, at the other they let the army pass."""
    both = [Table(tmp_path, "one"), Table(tmp_path, "other")]
    for table, intercepts in zip(both, ([BRENNUS], []), strict=True):
        table.say("romans", "activate", card=2, leader="claudius", units=6)
        table.say("romans", "step", to="ariminum")
        table.say("gauls", "declare", side="gauls", intercepts=intercepts)
    return both


@pytest.mark.parametrize("seat", ["romans", "greeks", "carthaginians", "etruscans_samnites", "spectator"])
def test_10_3_the_table_tells_nobody_what_another_has_declared(tables, seat):
    one, other = ([table.get(seat).text, table.get(seat, "/journal").json] for table in tables)
    for found, table in zip((one, other), tables, strict=True):
        found[0] = found[0].replace(table.id, "game")
        found[1] = str([{**entry, "time": None} for entry in found[1]["entries"]])
    assert one == other
    assert "brennus" not in one[1]


def test_10_3_when_all_are_in_everybody_sees_all(tables):
    table = tables[0]
    asked = table.say("greeks", "declare", side="greeks", intercepts=[PYRRHUS])
    assert "roll_needed" not in asked
    assert [each["leader"] for each in table.get("romans").json["state"]["reaction"]["attempts"]] == [
        "brennus",
        "pyrrhus",
    ]
    table.say("gauls", "set_order", 3, powers=["gauls", "greeks"])
    assert table.get("spectator").json["waiting_for"] == ["romans"]
