"""An address gets one invitation from a game, and nothing else until its owner has said yes by the link in it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from kit.by_post import Box, Group
from tactical.kernel.protocol import SPECTATOR
from webapp.post import mail
from webapp.post.mail import Shares
from webapp.post.postman import Postman
from webapp.storage.file.migrations import consents
from webapp.storage.journal.store import Store

ADA = "ada@rome.example"


def write_everything(group: Group, postman: Postman, id: int) -> None:
    """Whatever sends mail: a letter, a new link, a trial, a call for a substitute, a turn, a lapse."""
    group.ask("POST", "umpire", "/letters", {"to": "all", "text": "Buy our oars!"})
    group.ask("POST", "umpire", f"/people/{id}/link")
    group.ask("POST", "umpire", f"/people/{id}/trial")
    for seat in ("rome", "carthage"):
        group.ask("POST", "umpire", f"/seats/{seat}/wanted")
    group.ask("PUT", "umpire", "/deadline", {"days": 1})
    group.ask("PATCH", "umpire", f"/people/{id}", {"mails": "at_once"})
    postman.round([group.id], datetime.now(UTC) + timedelta(days=3))


def test_nothing_but_one_invitation_goes_to_who_has_not_said_yes(
    postman: Postman, group: Group, box: tuple[Box, str]
) -> None:
    seat = group.state()["waiting_for"][0]
    who = group.invite(seat, "Ada", ADA)
    write_everything(group, postman, who["id"])
    assert len(box[0].to(ADA)) == 1
    assert group.ask("DELETE", "umpire", f"/people/{who['id']}").status_code == 200
    again = group.invite(seat, "Ada", ADA.upper())
    write_everything(group, postman, again["id"])
    assert len(box[0].mails) == 1, "nor by leaving and coming again, nor in capitals"


def test_the_owner_says_yes_by_a_link_that_only_his_mail_holds(
    postman: Postman, group: Group, box: tuple[Box, str]
) -> None:
    seat = group.state()["waiting_for"][0]
    who = group.invite(seat, "Ada", ADA)
    postman.round([group.id])
    link = re.search(r"https://galleys\.example(/post/yes/\S+)", box[0].text(ADA))
    assert link
    seen = [str(who), group.ask("GET", "umpire", "/people").text, group.ask("GET", "umpire", "/export").text]
    group.client.get(f"/join/{group.tokens['umpire']}")
    seen.append(group.client.get(f"/g/{group.id}/group").text)
    assert not any(link[1].rpartition("/")[2] in text for text in seen), "the umpire cannot say yes for him"
    assert "Yes, write to me" in group.client.get(link[1]).text
    write_everything(group, postman, who["id"])
    assert len(box[0].to(ADA)) == 1, "looking says nothing"
    assert "You receive mail" in group.tap(link[1]).text
    write_everything(group, postman, who["id"])
    assert len(box[0].to(ADA)) >= 6
    assert group.ask("GET", "umpire", "/people").json["people"][0]["consent"] == "yes"


def test_who_says_no_gets_nothing_more_until_he_says_yes_himself(
    postman: Postman, group: Group, box: tuple[Box, str]
) -> None:
    who = group.put_in("rome", "Ada", ADA)
    postman.round([group.id])
    group.ask("POST", "umpire", f"/people/{who['id']}/trial")
    assert group.say("stop", ADA).status_code == 200
    before = len(box[0].mails)
    write_everything(group, postman, who["id"])
    assert len(box[0].mails) == before, "also what was written already"
    group.say("yes", ADA)
    write_everything(group, postman, who["id"])
    assert len(box[0].mails) > before


def test_another_address_is_asked_anew(postman: Postman, group: Group, box: tuple[Box, str]) -> None:
    who = group.put_in("rome", "Ada", ADA)
    group.ask("PATCH", "rome", f"/people/{who['id']}", {"address": "bea@rome.example"})
    postman.round([group.id])
    assert "/post/yes/" in box[0].text("bea@rome.example") and "/join/" not in box[0].text("bea@rome.example")
    write_everything(group, postman, who["id"])
    assert len(box[0].to("bea@rome.example")) == 1


def test_a_link_of_nobody_is_a_guess(app: Flask, group: Group) -> None:
    for _ in range(app.config["BAD_TOKENS_A_MINUTE"]):
        assert group.client.get("/post/yes/unknown").status_code == 404
    assert group.client.get("/post/yes/unknown").status_code == 429


def test_a_trial_to_who_has_not_said_yes_is_refused_by_its_field(group: Group) -> None:
    who = group.invite("rome", "Ada", ADA)
    answer = group.ask("POST", "rome", f"/people/{who['id']}/trial")
    assert answer.status_code == 400 and "has said yes" in answer.json["error"]


# How many -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "invited", "sent"),
    [
        (Shares(invitations_to_address=2), ["ada@x.example", "ADA@x.example", "ada+1@x.example"], 2),
        (Shares(invitations=2), ["ada@x.example", "bea@x.example", "cleo@x.example"], 2),
        (Shares(game=2), ["ada@x.example", "bea@x.example", "cleo@x.example"], 3),  # each from another game
        (Shares(server=1), ["ada@x.example", "bea@x.example"], 1),
    ],
)
def test_invitations_of_a_day_are_counted(
    app: Flask, postman: Postman, box: tuple[Box, str], shares: Shares, invited: list[str], sent: int
) -> None:
    app.config["MAIL_SHARES"] = shares
    store: Store = app.extensions["navarch"].store
    for address in invited:
        group = Group(app.test_client(), "hannibal", "second_punic_war")
        group.invite("rome", "Ada", address)
        postman.round([group.id])
        store.delete(group.id)  # which makes no room for more
    assert len(box[0].mails) == sent


def test_letters_to_an_address_and_of_a_game_are_counted(
    app: Flask, postman: Postman, group: Group, box: tuple[Box, str]
) -> None:
    app.config["MAIL_SHARES"] = Shares(address=5, game=8)
    group.put_in("rome", "Ada", ADA)
    group.put_in("carthage", "Cleo", "cleo@x.example")
    for number in range(9):
        group.ask("POST", "umpire", "/letters", {"to": "rome", "text": f"{number}"})
    for number in range(9):
        group.ask("POST", "umpire", "/letters", {"to": "carthage", "text": f"{number}"})
    postman.round([group.id])
    assert (len(box[0].to(ADA)), len(box[0].to("cleo@x.example"))) == (5, 3)
    answer = group.ask("POST", "umpire", "/people/1/trial")
    assert answer.status_code == 400 and "reached its limit of mail for today" in answer.json["error"]


# What is left of them -------------------------------------------------------------------------------


def outbox(app: Flask) -> list[dict[str, Any]]:
    return list(app.extensions["navarch"].store.file.rows("select * from outbox"))


@pytest.mark.parametrize("address", [ADA, "nobody@rome.example"])
def test_no_link_stands_in_the_outbox_once_a_mail_has_left_or_was_given_up(
    app: Flask, postman: Postman, group: Group, address: str
) -> None:
    token = group.invite("rome", "Ada", address)["link"].rpartition("/")[2]
    assert any(token in row["body"] for row in outbox(app))
    postman.round([group.id])
    assert outbox(app) and not any(row["body"] or row["stop"] for row in outbox(app))
    app.extensions["navarch"].store.file.db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert token.encode() not in app.extensions["navarch"].store.file.path.read_bytes()


def test_a_mail_that_waits_keeps_its_text(app: Flask, postman: Postman, group: Group) -> None:
    group.invite("rome", "Ada", "later@rome.example")
    postman.round([group.id])
    assert all("/join/" in row["body"] for row in outbox(app))


def test_a_file_of_an_earlier_version_keeps_its_people_and_loses_its_old_links(app: Flask, group: Group) -> None:
    store: Store = app.extensions["navarch"].store
    who = group.put_in("rome", "Ada", "Ada@rome.example")
    mail.put(store, "sent", group.id, who["id"], ADA, "s", "a /join/link", "/post/stop/old")
    mail.put(store, "waits", group.id, who["id"], ADA, "s", "another /join/link", "/post/stop/old")
    with store.write() as db:
        db.conn.execute("update outbox set sent = made where name = 'sent'")
        db.conn.execute("update people set stop = 'old'")
        db.conn.execute("drop table addresses")
        db.conn.execute("drop table mail_counts")
        consents(db)
    bodies = {row["sent"] is not None: row["body"] for row in outbox(app) if row["subject"] == "s"}
    assert bodies == {True: "", False: "another /join/link"}
    told = group.ask("GET", "umpire", "/people").json["people"][0]
    assert (told["address"], told["consent"]) == ("Ada@rome.example", "yes")
    assert group.client.post("/post/stop/old").status_code == 200
    assert group.ask("GET", SPECTATOR, "/people").status_code == 200
    assert group.ask("GET", "umpire", "/people").json["people"][0]["consent"] == "no"
