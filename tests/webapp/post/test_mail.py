"""The outbox: each mail once, tried again when the server cannot take it, given up and shown when it will not."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from kit.by_post import Box, Group
from tactical.kernel.record import BadInput
from webapp.post import mail
from webapp.post.postman import Postman


def put(app: Flask, name: str, address: str) -> None:
    mail.put(app.extensions["navarch"].store, name, "GAME", 1, address, f"about {name}", "text", "")


def send(app: Flask, postman: Postman, after: float = 0) -> int:
    assert postman.server is not None
    return mail.send_all(app.extensions["navarch"].store, postman.server, datetime.now(UTC) + timedelta(minutes=after))


def test_a_mail_is_written_and_sent_once(app: Flask, postman: Postman, box: tuple[Box, str]):
    put(app, "one", "ada@club.example")
    put(app, "one", "ada@club.example")
    assert send(app, postman) == 1 and send(app, postman) == 0
    assert box[0].to("ada@club.example") == ["about one"]


def test_an_address_that_the_server_does_not_know_is_given_up_and_said(app: Flask, postman: Postman):
    put(app, "one", "nobody@club.example")
    put(app, "two", "ada@club.example")
    assert send(app, postman) == 1, "one bad address holds up no other"
    failed = mail.failures(app.extensions["navarch"].store, "GAME")
    assert [(each.name, each.failure) for each in failed] == [("one", "550 there is nobody of that name")]
    assert mail.outgoing(app.extensions["navarch"].store, datetime.now(UTC) + timedelta(days=9)) == []


def test_a_mail_that_meets_a_fault_of_ours_holds_up_no_other(app: Flask, postman: Postman, monkeypatch):
    deliver = mail.deliver

    def fail_once(by: mail.Server, each: mail.Mail) -> None:
        if each.name == "one":
            raise LookupError("a fault of ours")
        deliver(by, each)

    monkeypatch.setattr(mail, "deliver", fail_once)
    put(app, "one", "ada@club.example")
    put(app, "two", "ada@club.example")
    assert send(app, postman) == 1
    (failed,) = mail.failures(app.extensions["navarch"].store, "GAME")
    assert (failed.name, failed.tries, failed.failure) == ("one", 1, "a fault of ours")


def test_a_server_that_cannot_take_it_now_is_asked_again_later_and_later(app: Flask, postman: Postman):
    put(app, "one", "later@club.example")
    tries = 0
    for minute in range(0, 3000, 1):
        due = mail.outgoing(app.extensions["navarch"].store, datetime.now(UTC) + timedelta(minutes=minute))
        if due:
            send(app, postman, minute)
            tries += 1
    assert tries == len(mail.WAITS) + 1


def test_without_its_server_a_mail_waits_for_it(app: Flask, box: tuple[Box, str]):
    put(app, "one", "ada@club.example")
    store = app.extensions["navarch"].store
    assert mail.send_all(store, mail.server("smtp://127.0.0.1:9", "navarch@club.example")) == 0
    assert mail.failures(store, "GAME")[0].tries == 1
    later = datetime.now(UTC) + timedelta(minutes=6)
    assert mail.send_all(store, mail.server(box[1], "navarch@club.example"), later) == 1
    assert mail.failures(store, "GAME") == []


@pytest.mark.parametrize(
    ("url", "sender", "field"),
    [
        ("http://mail.example", "a@b.example", "--mail"),
        ("smtp://", "a@b.example", "--mail"),
        ("smtp://mail.example:99999", "a@b.example", "--mail"),
        ("smtp://mail.example", "nobody", "--mail-from"),
    ],
)
def test_a_bad_mail_server_is_refused_by_the_name_of_the_option(url: str, sender: str, field: str):
    with pytest.raises(BadInput) as fault:
        mail.server(url, sender)
    assert fault.value.path == field


def test_a_server_is_read_from_its_url():
    found = mail.server("smtps://ada:p%40ss@mail.example", "navarch@club.example")
    assert (found.port, found.user, found.password) == (465, "ada", "p@ss")


def test_a_password_is_not_sent_in_the_open(app: Flask, box: tuple[Box, str]):
    put(app, "one", "ada@club.example")
    store = app.extensions["navarch"].store
    assert mail.send_all(store, mail.server(box[1].replace("//", "//ada:secret@"), "navarch@club.example")) == 0
    assert "no TLS" in str(mail.failures(store, "GAME")[0].failure)


def test_a_trial_says_on_the_page_whether_it_was_taken(postman: Postman, group: Group):
    who = group.put_in("rome", "Ada", "ada@club.example")
    assert group.ask("POST", "rome", f"/people/{who['id']}/trial").status_code == 200
    postman.round([group.id])
    assert group.ask("GET", "rome", "/people").json["people"][0]["last_mail"]["sent"] is not None
    assert group.ask("POST", "carthage", f"/people/{who['id']}/trial").status_code == 403


@pytest.mark.parametrize(
    "written", ["War\r\nBcc: everybody@club.example", "War\x00Bcc: everybody@club.example", "War\x1b"]
)
def test_a_title_with_control_letters_is_one_line_of_a_mail(
    postman: Postman, app: Flask, box: tuple[Box, str], written: str
):
    store = app.extensions["navarch"].store
    game, _ = store.create("galley", "mylae")
    mail.put(store, "x", game.id, 1, "ada@club.example", written, "text", "")
    assert postman.server is not None and mail.send_all(store, postman.server) == 1
    (sent,) = box[0].mails
    assert sent["Subject"] == " ".join(re.split(r"[\x00-\x1f]+", written)).strip() and sent["Bcc"] is None


def test_who_sits_at_the_game_is_not_called_to_it(app: Flask, postman: Postman, box: tuple[Box, str]):
    battle = Group(app.test_client(), "galley", app.extensions["navarch"].store.systems["galley"].scenarios()[0].id)
    side = battle.state()["waiting_for"][0]
    battle.put_in(side, "Ada", "ada@club.example")
    plot = next(offer for offer in battle.state(side)["offers"] if offer["type"] == "plot")["fields"]
    ship = plot["ship"] if isinstance(plot["ship"], str) else plot["ship"][0]
    assert battle.command(side, {"type": "plot", "ship": ship, "speed": 1}).status_code == 200
    assert side in battle.state()["waiting_for"]
    for minutes, called in ((0, False), (14, False), (16, True)):
        postman.round([battle.id], datetime.now(UTC) + timedelta(minutes=minutes))
        assert any("your turn" in subject for subject in box[0].to("ada@club.example")) is called
