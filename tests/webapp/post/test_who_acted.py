"""Who of several people in one seat acted stands in the journal, by his own link and nobody else's; his role is asked."""

from __future__ import annotations

import html
import re
from datetime import UTC, date, datetime
from typing import Any

from flask import Flask

from kit.by_post import Box, Group
from navarch import main
from tactical.kernel.dice import Roll
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import Event, event
from webapp.api.serializers import entry_for
from webapp.post import people as post_people
from webapp.post.people import in_charge, people
from webapp.post.postman import Postman
from webapp.storage.journal.store import link_battle


def token_of(person: dict[str, Any]) -> str:
    return str(person["link"]).rpartition("/")[2]


def acts(group: Group, seat: str, token: str | None = None) -> dict[str, Any]:
    """Let a question pass; the newest entry of the journal."""
    body = {"command": {"type": "pass"}, "seen": group.state()["version"]}
    answer = group.ask("POST", seat, "/commands", body, token=token)
    assert answer.status_code == 200, answer.text
    entry: dict[str, Any] = group.ask("GET", "spectator", "/journal").json["entries"][-1]
    return entry


def test_the_journal_names_him_where_the_seat_has_several(app: Flask, group: Group):
    seat = group.state()["waiting_for"][0]
    ada = group.put_in(seat, "Ada <b>", duty="admiral of the western fleet")
    group.put_in(seat, "Bruno")
    entry = acts(group, seat, token_of(ada))
    assert entry["seat"] == seat
    assert entry["events"][-1] == {
        "rule": "",
        "type": "acted",
        "side": seat,
        "name": "Ada <b>",
        "duty": "admiral of the western fleet",
    }
    client = app.test_client()
    client.get(f"/join/{group.tokens['spectator']}")
    page = client.get(f"/g/{group.id}/log").text
    assert "Ada <b>" not in page and "Ada <b> (admiral of the western fleet) gave this command for" in html.unescape(
        page
    )
    assert main(["verify", group.id, "--db", str(app.extensions["navarch"].store.file.path)]) == 0


def test_who_plays_alone_and_the_seats_own_link_are_the_seat(group: Group):
    seat = group.state()["waiting_for"][0]
    ada = group.put_in(seat, "Ada")
    assert "acted" not in {each["type"] for each in acts(group, seat, token_of(ada))["events"]}
    assert group.ask("POST", "umpire", "/undo", {"seen": 1}).status_code == 200
    group.put_in(seat, "Bruno")
    assert "acted" not in {each["type"] for each in acts(group, seat)["events"]}


def test_in_the_battle_of_a_campaign_too(app: Flask, group: Group):
    store = app.extensions["navarch"].store
    ada = group.put_in("rome", "Ada")
    group.put_in("rome", "Bruno")
    battle, _ = store.create("galley", "mylae")
    link_battle(store, battle.id, group.id, "e1")
    ship = next(name for name, ship in store.load(battle.id).state.ships.items() if ship.side == "rome")
    body = {"command": {"type": "plot", "ship": ship, "speed": 2}, "seen": 0}
    headers = {"Authorization": f"Bearer {token_of(ada)}"}
    answer = group.client.post(f"/api/v1/games/{battle.id}/commands", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    marks = [each for each in store.entry(battle.id, 1).events if each.type == post_people.ACTED]
    assert [mark.data["name"] for mark in marks] == ["Ada"]


def test_a_mark_uncovers_no_dice_of_a_hidden_command():
    hidden = Event("9", "chosen", {"card": 3}, ("carthage",))
    mark = event("", post_people.ACTED, side="carthage", name="Dido", duty="")
    entry = Entry(
        1,
        0,
        "carthage",
        "2026-11-22T10:00:00Z",
        {"type": "choose", "card": 3},
        events=(hidden, mark),
        rolls=(Roll("9", 6, (4,), by="server"),),
    )
    seen = entry_for(entry, "rome")
    assert seen.dice == [] and "card" not in seen.command and [each["type"] for each in seen.events] == ["acted"]
    assert entry_for(entry, "carthage").dice != []


def test_a_deputy_is_called_while_every_player_is_away_and_an_admiral_always(
    app: Flask, postman: Postman, group: Group, box: tuple[Box, str]
):
    """The roles: both admirals of a seat are called; the deputy only while both are away."""
    seat = group.state()["waiting_for"][0]
    for name, role, duty in (
        ("ada", "player", "admiral of the west"),
        ("bruno", "player", "admiral of the east"),
        ("dido", "deputy", ""),
    ):
        group.put_in(seat, name, f"{name}@club.example", role=role, duty=duty)
    postman.round([group.id])
    turn = [name for name in ("ada", "bruno", "dido") if any("turn" in s for s in box[0].to(f"{name}@club.example"))]
    assert turn == ["ada", "bruno"]
    shown = group.ask("GET", "carthage", "/people").json["people"]
    assert [(each["name"], each["duty"]) for each in shown][:2] == [
        ("ada", "admiral of the west"),
        ("bruno", "admiral of the east"),
    ]
    today = datetime.now(UTC).date().isoformat()
    for each in shown[:2]:
        group.ask("PATCH", "umpire", f"/people/{each['id']}", {"away_from": today, "away_until": today})
    those = people(app.extensions["navarch"].store, group.id)
    assert [each.name for each in in_charge(those, seat, date.fromisoformat(today))] == ["dido"]
    postman.round([group.id])
    assert any("turn" in subject for subject in box[0].to("dido@club.example"))


def test_the_groups_page_says_who_has_charge_of_what(app: Flask, group: Group):
    group.put_in("rome", "Ada", duty="admiral of the western fleet")
    client = app.test_client()
    client.get(f"/join/{group.tokens['carthage']}")
    page = re.sub(r"<[^>]+>", " ", client.get(f"/g/{group.id}/group").text)
    assert re.search(r"Ada\s*,\s*Rome,\s*player\s*: admiral of the western fleet", page)
