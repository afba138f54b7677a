"""Named marks in a journal: who sets them and who reads them, in chronicle and replay and over the API."""

from __future__ import annotations

import html

import pytest
from flask.testing import FlaskClient

from kit.wars import War, app, client, store
from tactical.kernel.protocol import UMPIRE
from webapp.storage.journal.store import Store
from webapp.storage.services import letters

__all__ = ["app", "client", "store"]


@pytest.fixture
def war(store: Store, client: FlaskClient) -> War:
    """A war whose first seat has acted."""
    war = War(store, client)
    seat = store.load(war.id).waiting_for[0]
    store.submit(war.id, 0, seat, {"type": "resign", "side": seat})
    return war


def as_(war: War, seat: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {war.tokens[seat]}"}


def names(war: War, seat: str) -> list[tuple[int, str]]:
    told = war.client.get(f"/api/v1/games/{war.id}/marks", headers=as_(war, seat)).json["marks"]
    return [(each["entry"], each["name"]) for each in told]


def test_a_mark_is_set_read_and_removed_over_the_api(war: War):
    url = f"/api/v1/games/{war.id}/marks"
    made = war.client.post(url, json={"name": " The  bold stroke "}, headers=as_(war, "rome"))
    assert made.status_code == 201 and (made.json["entry"], made.json["name"]) == (1, "The bold stroke")
    war.client.post(url, json={"name": "Our plan", "entry": 0, "seen_by": "side"}, headers=as_(war, "rome"))
    assert names(war, "rome") == names(war, UMPIRE) == [(0, "Our plan"), (1, "The bold stroke")]
    assert names(war, "carthage") == names(war, "spectator") == [(1, "The bold stroke")]
    mark = f"{url}/{made.json['id']}"
    assert war.client.delete(mark, headers=as_(war, "carthage")).status_code == 404
    assert war.client.delete(mark, headers=as_(war, UMPIRE)).status_code == 200
    assert names(war, "carthage") == []


@pytest.mark.parametrize(
    ("seat", "body", "status"),
    [
        ("spectator", {"name": "Here"}, 403),
        ("rome", {"name": " "}, 400),
        ("rome", {"name": "x" * 81}, 400),
        ("rome", {"name": "Here", "entry": 2}, 400),
        ("rome", {"name": "Here", "seen_by": "me"}, 400),
    ],
)
def test_a_bad_mark_is_refused(war: War, seat: str, body: dict[str, object], status: int):
    answer = war.client.post(f"/api/v1/games/{war.id}/marks", json=body, headers=as_(war, seat))
    assert answer.status_code == status and names(war, UMPIRE) == []


def test_a_mark_on_an_entry_that_is_still_secret_is_known_to_those_who_know_the_entry(
    war: War, monkeypatch: pytest.MonkeyPatch
):
    letters.set_mark(war.store, war.id, UMPIRE, 1, "What they plan", "all")
    with war.store.write() as db:
        db.conn.execute("""update games set behind = '{"rome": 0}' where id = ?""", (war.id,))
    assert names(war, "rome") == [] and names(war, UMPIRE) == [(1, "What they plan")]


def test_a_mark_is_set_in_the_replay_and_stands_in_it_and_in_the_chronicle(war: War):
    form = {"csrf_token": war.csrf(), "name": "The <bold> stroke", "entry": "1", "seen_by": "all"}
    back = f"/campaign/{war.id}/replay/1?seat=rome"
    assert 'id="set-mark"' in war.client.get(back).text
    set_ = war.client.post(f"/g/{war.id}/marks?seat=rome", data={**form, "back": back})
    assert set_.status_code == 303 and set_.headers["Location"] == back
    chronicle = war.client.get(f"/campaign/{war.id}/chronicle?seat=carthage").text
    for page in (war.client.get(back).text, chronicle):
        assert "<bold>" not in page and "The <bold> stroke" in html.unescape(page)
    assert f"/campaign/{war.id}/replay/1?seat=carthage" in chronicle
    looking_on = war.client.get(f"/campaign/{war.id}/replay/1?seat=spectator").text
    assert "The &lt;bold&gt; stroke" in looking_on and 'id="set-mark"' not in looking_on
    assert war.client.post(f"/g/{war.id}/marks?seat=rome", data={**form, "name": ""}).status_code == 422
    (mark,) = letters.marks(war.store, war.id, UMPIRE)
    war.client.post(f"/g/{war.id}/marks?seat=rome", data={**form, "strike": str(mark.id), "back": back})
    assert letters.marks(war.store, war.id, UMPIRE) == ()


def test_a_mark_stands_in_the_replay_of_a_battle(client: FlaskClient, store: Store):
    battle = War(store, client, "galley")
    letters.set_mark(store, battle.id, "umpire", 0, "Before the storm", "all")
    page = client.get(f"/g/{battle.id}/replay/0?seat=umpire").text
    assert "Before the storm" in page and 'id="set-mark"' in page
