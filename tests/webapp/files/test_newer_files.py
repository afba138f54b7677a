"""Files that say what they are: a file of a newer program is refused with the version it wants, by every door."""

from __future__ import annotations

import gzip
import io
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from kit.real_house import real_app, real_store
from tactical.kernel.record import BadInput, plain
from webapp.files.scenario import EXAMPLE
from webapp.storage.journal import transfer
from webapp.storage.journal.store import Store

__all__ = ["real_app", "real_store"]
OLD = Path(__file__).parents[2] / "saved_games" / "v0.1" / "galley_mylae.json.gz"


def exported(store: Store) -> dict[str, Any]:
    """A game with a command, as it is exported."""
    game, _tokens = store.create("galley", "mylae", title="Mylae")
    ship = next(iter(store.load(game.id).state.ships))
    store.submit(game.id, 0, "umpire", {"type": "adjust", "ship": ship, "changes": {"damage": 1}, "why": "a test"})
    found: dict[str, Any] = json.loads(json.dumps(plain(transfer.export(store, game.id))))
    return found


def changed(raw: dict[str, Any], *path: str | int, value: Any) -> dict[str, Any]:
    at: Any = raw
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    return raw


def test_an_export_says_its_format_and_the_least_program_that_reads_it(store: Store, app: Any) -> None:
    raw = exported(store)
    assert raw["navarch"] == transfer.FORMAT and raw["least"] == transfer.LEAST
    saved = app.test_client().post("/api/v1/positions", json={"title": "Two", "position": EXAMPLE}).json["id"]
    file = app.test_client().get(f"/positions/{saved}/file").json
    assert file["navarch"] == transfer.FORMAT and file["least"] == transfer.LEAST
    assert app.test_client().post("/api/v1/games", json=file).status_code == 201


NEWER: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("least",), "99.1", "99.1"),
    (("navarch",), 2, "format 2"),
    (("game", "engine"), "99", "version 99"),
    (("entries", 1, "engine"), "99", "version 99"),
]


@pytest.mark.parametrize(("path", "value", "said"), NEWER)
def test_a_file_of_a_newer_program_is_refused_with_what_it_wants(
    store: Store, app: Any, path: tuple[str | int, ...], value: Any, said: str
) -> None:
    raw = changed(exported(store), *path, value=value)
    raw["a field of later"] = 1  # which alone would be called unknown
    games = len(store.file.rows("select id from games"))
    answer = app.test_client().post("/api/v1/games/import", json=raw)
    assert answer.status_code == 400 and "newer Navarch" in answer.json["error"] and said in answer.json["error"]
    client = app.test_client()
    page = client.post("/organizer/import", data={"file": (io.BytesIO(json.dumps(raw).encode()), "game.json")})
    assert page.status_code == 404 or said in page.text
    assert len(store.file.rows("select id from games")) == games


@pytest.mark.parametrize("wanted", ["99", "0.99.0", "1.0"])
def test_a_position_of_a_newer_program_is_refused_too(app: Any, wanted: str) -> None:
    client = app.test_client()
    whole = {"least": wanted, "system": "galley", "title": "Later", "position": EXAMPLE}
    for answer in (
        client.post("/api/v1/games", json=whole),
        client.post("/api/v1/positions", json=whole),
        client.post("/positions/draw", data={"file": (io.BytesIO(json.dumps(whole).encode()), "p.json")}),
    ):
        assert answer.status_code in (400, 422) and wanted in answer.text and version("navarch") in answer.text


@pytest.mark.parametrize(
    ("path", "at"),
    [
        (("entries", 0, "state", "weather"), "entries[0].state.weather"),
        (("entries", 0, "state", "ships", "r1", "sails"), "entries[0].state.ships.r1.sails"),
        (("entries", 1, "changes"), "entries[1].state.ships.r1.sails"),
    ],
)
def test_a_field_that_this_program_does_not_know_is_refused_by_its_path(
    store: Store, path: tuple[str | int, ...], at: str
) -> None:
    raw = exported(store)
    more = [*raw["entries"][1]["changes"], [["ships", "r1", "sails"], 3]]
    with pytest.raises(BadInput) as wrong:
        transfer.import_(store, changed(raw, *path, value=more if path[-1] == "changes" else 3))
    assert wrong.value.path == at


def test_a_game_of_an_earlier_version_keeps_fields_that_are_no_more(store: Store) -> None:
    raw = json.loads(gzip.decompress(OLD.read_bytes()))
    assert "least" not in raw and raw["game"]["engine"] != store.rules["galley"].version
    raw["entries"][0]["state"]["a field of before"] = 1
    assert transfer.import_(store, raw)
    assert transfer.import_(store, exported(store))
