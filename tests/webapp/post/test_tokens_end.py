"""Whatever somebody has got by a token ends with it: links, feeds, calendars, webhooks, devices, streams, sessions."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.by_post import Group
from kit.push_service import PushBrowser, Service
from webapp.http.streams import Hub
from webapp.post import devices
from webapp.storage.errors import Barred
from webapp.storage.file.database import HOLDERS, OF_A_GAME, WITH_TOKEN, WITHOUT
from webapp.storage.file.migrations import tokens_of_calls
from webapp.storage.journal import records
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.store import Store


def test_every_table_says_whether_its_rows_end_with_a_token(app: Flask) -> None:
    found = app.extensions["navarch"].store.file.db.table_names()
    assert sorted(found) == sorted([*HOLDERS, *WITH_TOKEN, *WITHOUT])


def test_every_table_of_a_game_goes_with_it(app: Flask) -> None:
    db = app.extensions["navarch"].store.file.db
    of_a_game = {name for name in db.table_names() if "game" in db.table(name).columns_dict}
    assert of_a_game == set(OF_A_GAME)


class Seated(NamedTuple):
    """Somebody in Rome's seat by a token, and all that he has got by it."""

    browser: FlaskClient
    token: str
    feed: str
    stream: Any


@pytest.fixture
def store(app: Flask) -> Store:
    app.config["CALLS_MAY_STAY_HOME"] = True
    found: Store = app.extensions["navarch"].store
    return found


def seated(app: Flask, group: Group, token: str, service: Service) -> Seated:
    """He opens his link and takes a feed, a webhook, a device, a stream."""
    browser = app.test_client()
    browser.get(f"/join/{token}")
    page = browser.get(f"/campaign/{group.id}/chronicle").text
    csrf = re.search(r'name="csrf-token" content="([^"]+)"', page)
    feed = re.search(r'type="application/atom\+xml"[^>]* href="([^"]+)"', page)
    assert csrf and feed
    form = {"csrf_token": csrf[1], "url": f"{service.url}/hook/{token}", "daily": "1"}
    assert browser.post(f"/campaign/{group.id}/calls", data=form).status_code == 303
    asks = PushBrowser(service, token).asks
    assert group.ask("POST", "", "/devices", asks, token=token).status_code == 201
    hub: Hub = app.extensions["navarch"].hub
    stream = hub.stream(group.id, None, token=records.token_hash(token))
    return Seated(browser, token, html.unescape(feed[1]), stream)


def follow(stream: Any) -> threading.Event:
    """Set when the stream has ended."""
    ended = threading.Event()

    def listen() -> None:
        for _ in stream:
            pass
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    return ended


def put_out(group: Group, id: int) -> None:
    assert group.ask("DELETE", "umpire", f"/people/{id}").status_code == 200


def new_link(group: Group, id: int) -> None:
    assert group.ask("POST", "umpire", f"/people/{id}/link").status_code == 200


def rows(store: Store, table: str, column: str) -> list[str]:
    return [row[column] for row in store.file.rows(f"select {column} from {table}")]


@pytest.mark.parametrize("act", [put_out, new_link])
def test_all_ends_for_a_person_who_is_put_out_or_gets_a_new_link(
    app: Flask,
    store: Store,
    group: Group,
    service: Service,
    act: Callable[[Group, int], None],
) -> None:
    ada, bea = group.put_in("rome", "Ada", "ada@rome.example"), group.put_in("rome", "Bea")
    hers = seated(app, group, bea["link"].rpartition("/")[2], service)
    his = seated(app, group, ada["link"].rpartition("/")[2], service)
    ended, others_ended = follow(his.stream), follow(hers.stream)
    group.ask("PUT", "umpire", "/deadline", {"days": 1})
    assert his.browser.get(his.feed).status_code == 200
    assert his.browser.get(f"/g/{group.id}/deadlines.ics").status_code == 200
    group.ask("POST", "umpire", "/letters", {"to": "rome", "text": "Wait for me."})
    act(group, ada["id"])
    assert ended.wait(30)
    assert group.ask("GET", "", "", token=his.token).status_code == 401
    assert app.test_client().get(f"/join/{his.token}").status_code == 404
    assert his.browser.get(his.feed).status_code == 404
    assert his.browser.get(f"/g/{group.id}/deadlines.ics").status_code == 401
    assert {his.browser.get(f"/campaign/{group.id}{page}").status_code for page in ("/chronicle", "/calls")} == {401}
    assert not any(his.token in address for address in rows(store, "calls", "url"))
    assert [address.rpartition("/")[2] for address in rows(store, "devices", "endpoint")] == [hers.token]
    sent = "select count(*) as many from outbox where person = ? and sent is null and body not like '%/join/%'"
    assert store.file.rows(sent, ada["id"])[0]["many"] == (act is new_link), "the letter goes to who stays"
    older = "select count(*) as many from outbox where body like ?"
    assert store.file.rows(older, f"%{his.token}%")[0]["many"] == 0
    assert not others_ended.is_set() and group.ask("GET", "", "", token=hers.token).status_code == 200
    assert hers.browser.get(hers.feed).status_code == 200


def test_all_ends_with_a_seats_own_link_and_the_people_in_it_stay(
    app: Flask, store: Store, group: Group, service: Service
) -> None:
    bea = group.put_in("rome", "Bea")
    hers = seated(app, group, bea["link"].rpartition("/")[2], service)
    its = seated(app, group, group.tokens["rome"], service)
    ended = follow(its.stream)
    store.withdraw(group.id, "rome")
    assert ended.wait(30)
    assert group.ask("GET", "rome", "").status_code == 401
    assert its.browser.get(its.feed).status_code == 404
    assert rows(store, "calls", "url") == []
    assert [address.rpartition("/")[2] for address in rows(store, "devices", "endpoint")] == [hers.token]
    assert hers.browser.get(hers.feed).status_code == 200


def test_a_guest_who_is_put_out_hears_no_more_by_his_request(store: Store, group: Group) -> None:
    asked = group.client.post(f"/api/v1/games/{group.id}/requests", json={"seat": "rome", "name": "Gaius"}).json
    assert group.ask("POST", "umpire", f"/requests/{asked['id']}", {"yes": True}).status_code == 200
    assert group.ask("GET", "", "/requests", token=asked["token"]).json["requests"]
    (who,) = group.ask("GET", "umpire", "/people").json["people"]
    put_out(group, who["id"])
    assert group.ask("GET", "", "/requests", token=asked["token"]).status_code == 401
    assert rows(store, "seat_requests", "token") == []


def test_a_device_in_a_battle_ends_with_the_campaigns_token_by_which_it_came(
    app: Flask, store: Store, group: Group, service: Service
) -> None:
    battle = Group(app.test_client(), "hannibal", "second_punic_war")
    journal_store.link_battle(store, battle.id, group.id, "1")
    ada = group.put_in("rome", "Ada")
    token = ada["link"].rpartition("/")[2]
    assert battle.ask("POST", "", "/devices", PushBrowser(service).asks, token=token).status_code == 201
    put_out(group, ada["id"])
    assert devices.devices(store, battle.id) == ()


def test_what_is_asked_by_a_token_that_ends_meanwhile_is_not_kept(store: Store, group: Group, service: Service) -> None:
    asks, gone = PushBrowser(service).asks, records.token_hash("withdrawn")
    keys = asks["keys"]
    with pytest.raises(Barred, match="withdrawn"):
        devices.add(
            store, group.id, "rome", 0, asks["endpoint"], keys["p256dh"], keys["auth"], "en", "", True, token=gone
        )
    assert devices.devices(store, group.id) == ()


def test_what_an_earlier_version_kept_ends_with_the_next_token_of_its_seat(
    app: Flask, store: Store, group: Group, service: Service
) -> None:
    ada, bea = group.put_in("rome", "Ada"), group.put_in("rome", "Bea")
    seated(app, group, ada["link"].rpartition("/")[2], service)
    seated(app, group, bea["link"].rpartition("/")[2], service)
    seated(app, group, group.tokens["carthage"], service)
    with store.write() as db:
        for table in ("calls", "devices"):
            db.conn.execute(f"alter table {table} drop column token")
        tokens_of_calls(db)
    put_out(group, ada["id"])
    assert rows(store, "calls", "seat") == ["carthage"], "nobody knows whose Rome's was"
    assert sorted(rows(store, "devices", "seat")) == ["carthage", "rome"], "of devices it was known"
