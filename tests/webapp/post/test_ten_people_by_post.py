"""A five-power war by post: ten people, mail, standing orders, a lapse, an absence, a substitute; a month in the soak."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from kit.by_post import Box, Group
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.random_play import QUITTING, fill, random_offer
from tactical.kernel.record import read
from webapp.post import postman as post
from webapp.post.deadlines import waits
from webapp.post.postman import Postman
from webapp.storage.journal.store import Store


def act(store: Store, game: str, seat: str, dice: random.Random) -> bool:
    """The seat gives one command, as a player would; False when it has none."""
    table = store.load(game)
    for _ in range(20):
        offers = table.system.offers(table.state, seat)
        command = fill(random_offer(offers, dice, QUITTING | table.system.by_hand), dice)
        source = random_source(dice.randrange)
        table.system.apply(table.state, seat, read(command, table.system.command), Dice(source=source, secret=source))
        store.submit(game, table.game.version, seat, command)
        return True
    return False


@pytest.mark.parametrize("rounds", [14, pytest.param(30, marks=pytest.mark.soak)], ids=["week", "month"])
def test_ten_people_play_by_post(app: Flask, postman: Postman, box: tuple[Box, str], rounds: int):
    client = app.test_client()
    store: Store = app.extensions["navarch"].store
    scenario = next(
        each.id for each in store.systems["sword_of_rome"].scenarios() if "5" in each.id or "five" in each.id
    )
    group = Group(client, "sword_of_rome", scenario)
    sides = store.load(group.id).sides
    assert len(sides) == 5
    for side in sides:
        group.put_in(side, f"First of {side}", f"first-{side}@club.example", duty="general")
        group.put_in(side, f"Deputy of {side}", f"deputy-{side}@club.example", role="deputy")
    group.put_in(UMPIRE, "Max", "max@club.example")
    group.ask(
        "PUT",
        "umpire",
        "/deadline",
        {"days": 1, "hour": 20, "zone": "Europe/Rome", "remind": 6, "grace": 2, "lapse": "orders"},
    )
    for side in sides:
        assert group.ask("PUT", side, "/orders", {"orders": {"declare": "pass", "contest": "pass"}}).status_code == 200
    lazy, away = sides[1], sides[2]
    first = next(
        each
        for each in group.ask("GET", "umpire", "/people").json["people"]
        if each["seat"] == away and each["role"] == "player"
    )
    dice, now = random.Random(7), datetime.now(UTC)
    leave = {"away_from": now.date().isoformat(), "away_until": (now + timedelta(days=40)).date().isoformat()}
    assert group.ask("PATCH", away, f"/people/{first['id']}", leave).status_code == 200
    for _ in range(rounds):
        postman.round([group.id], now)
        waiting = [wait.seat for wait in waits(store, store.load(group.id))]
        if not waiting or store.game(group.id).over:
            break
        if lazy in waiting and post.lapses(store, group.id) == 0:
            now += timedelta(hours=52)  # he sleeps through his deadline, at whatever hour this is played, and the grace
            postman.round([group.id], now)
            group.ask("POST", "umpire", f"/seats/{lazy}/wanted")
            group.put_in(lazy, "Substitute", "substitute@club.example")
            group.ask("POST", "umpire", "/deadline/more", {"seat": lazy, "hours": 72})
            continue
        act(store, group.id, waiting[0], dice)
    assert post.lapses(store, group.id) >= 1
    told = {str(mail["To"]): str(mail["Subject"]) for mail in box[0].mails}
    assert any("substitute is wanted" in str(mail["Subject"]) for mail in box[0].mails)
    assert "substitute@club.example" in told
    turns = [str(mail["To"]) for mail in box[0].mails if "your turn" in str(mail["Subject"])]
    assert f"deputy-{away}@club.example" in turns, "the deputy is asked while the first is away"
    assert f"first-{away}@club.example" not in turns
    assert f"deputy-{sides[0]}@club.example" not in turns, "and not while he is there"
    entries = group.ask("GET", "umpire", "/journal").json["entries"]
    ordered = [each for each in entries if any(event["type"] == "standing_order" for event in each["events"])]
    assert ordered and all(each["command"]["type"] in ("declare", "pass") for each in ordered)
    rows = store.file.rows("select sent from outbox")
    assert len(rows) == len(box[0].mails) and all(row["sent"] for row in rows), "each mail was taken, and once"
