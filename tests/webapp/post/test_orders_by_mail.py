"""O3.3.a: a reply to the dispatch, through a real mail server into a Maildir, is given and read back as understood."""

import smtplib
import socket
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Mailbox

from kit import harmless_reader
from kit.open_war import position
from webapp import create_app
from webapp.files import mail_reader
from webapp.files.child_process import Limits
from webapp.post import order_mails


class Club:
    """A war of one's own by mail: its application, its mail server's Maildir, and what the players are sent."""

    def __init__(self, app, box, post, maildir):
        self.app, self.box, self.post, self.maildir = app, box, post, maildir
        self.store, self.postman = app.extensions["navarch"].store, app.extensions["navarch"].postman
        client = app.test_client()
        made = client.post("/api/v1/games", json={"system": "open_campaign", "position": position()}).json
        self.id, tokens = made["id"], {seat["id"]: seat["token"] for seat in made["seats"]}
        for seat, address in (("rhodes", "ada@club.example"), ("cretans", "ben@club.example")):
            client.post(
                f"/api/v1/games/{self.id}/people",
                json={"seat": seat, "name": seat, "address": address},
                headers={"Authorization": f"Bearer {tokens['umpire']}"},
            )
        with self.store.write() as db:
            db.conn.execute("update addresses set answer = 'yes'")
        self.look()

    @property
    def state(self):
        return self.store.load(self.id).state

    def look(self):
        self.postman.round([self.id])

    def reply(self, lines, quoted, sender="ada@club.example", mark="> ", encoding=None, **headers):
        """Answer a mail as a mail program does, through the server; the postman looks when it has come."""
        self.send(lines, quoted, sender, mark, encoding, **headers)
        self.look()

    def send(self, lines, quoted, sender="ada@club.example", mark="> ", encoding=None, **headers):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, "navarch@club.example", "Re: your turn"
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(
            lines + "\n\nOn Sunday Navarch wrote:\n" + "\n".join(mark + line for line in quoted.splitlines()),
            cte=encoding,
        )
        with smtplib.SMTP("127.0.0.1", self.post) as talk:
            talk.send_message(mail)


@pytest.fixture
def club(tmp_path, box):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Controller(Mailbox(tmp_path / "Maildir"), hostname="127.0.0.1", port=port)
    server.start()
    wanted = {
        "DATABASE": str(tmp_path / "games.db"),
        "TESTING": True,
        "MAIL": box[1],
        "MAIL_IN": str(tmp_path / "Maildir"),
    }
    yield Club(
        create_app({**wanted, "MAIL_FROM": "navarch@club.example", "PUBLIC_URL": "https://galleys.example"}),
        box[0],
        port,
        tmp_path / "Maildir",
    )
    server.stop()


def test_o3_3_a_a_reply_is_given_line_by_line_and_read_back(club):
    sent = club.box.text("ada@club.example")
    assert "Reply to this e-mail" in sent and order_mails.MARK in sent
    club.reply("Guard: go Telos, avoid\nEscort: dance Telos\n", sent)
    assert {name: order.to for name, order in club.state.orders["rhodes"].items()} == {"guard": "telos"}
    back = club.box.text("ada@club.example")
    assert "understood as: Guard: Go Telos, avoid" in back and "not accepted: 'dance' is not an order" in back
    club.reply("Guard: stay\n", sent)
    assert club.state.orders["rhodes"]["guard"].do == "stay", "the last before the deadline counts"


def test_o3_3_a_only_the_token_of_ones_own_dispatch_counts(club):
    sent, many = club.box.text("ada@club.example"), len(club.box.mails)
    (line,) = [each for each in sent.splitlines() if each.startswith(order_mails.MARK)]
    for wrong in ("nothing", line[:-1] + ("0" if line[-1] != "0" else "1"), line.replace("-1-", "-2-", 1)):
        club.reply("Guard: go Telos\n", wrong)
    club.reply("Lasthenes: stay\n", sent, Auto_Submitted="auto-replied")
    club.reply("Guard: go Telos\n" + "x" * order_mails.LARGEST, sent)
    assert not club.state.orders and len(club.box.mails) == many
    club.reply("Lasthenes: stay\n", sent, sender="ben@club.example")
    assert not club.state.orders and "There is no fleet" in club.box.text("ada@club.example")


def test_o3_3_a_a_reply_to_a_turn_that_is_over_changes_nothing_and_says_so(club):
    sent = club.box.text("ada@club.example")
    for side in ("rhodes", "cretans"):
        club.store.submit(club.id, club.store.game(club.id).version, side, {"type": "ready", "side": side})
    assert club.state.turn == 2
    club.reply("Guard: go Telos\n", sent)
    assert not club.state.orders and "The turn of this dispatch is over" in "".join(
        str(each.get_content()) for each in club.box.mails
    )


def test_o3_3_a_what_a_mail_program_quotes_without_marks_is_not_read():
    text = "Guard: stay\n-----Original Message-----\nEscort: go Telos\nnavarch-orders: X-1-1-0"
    assert list(order_mails.own_lines(text)) == ["Guard: stay"]


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64"])
def test_o3_3_a_the_token_is_found_however_the_mail_is_packed_and_whatever_stands_in_its_head(club, encoding):
    sent = club.box.text("ada@club.example")
    seals = " ".join(["b=q83vEjRWeJA"] * 3000)  # as servers on the way add them
    club.reply("Guard: stay\n", sent, mark="> " * 12, encoding=encoding, DKIM_Signature=seals)
    assert club.state.orders["rhodes"]["guard"].do == "stay"


def test_o3_3_a_nothing_is_parsed_of_a_mail_without_a_token_that_holds(club, monkeypatch):
    parsed = []
    monkeypatch.setattr(order_mails, "read_apart", lambda *what, **given: parsed.append(what) or (False, ""))
    sent = club.box.text("ada@club.example")
    (line,) = [each for each in sent.splitlines() if each.startswith(order_mails.MARK)]
    for wrong in ("nothing", line[:-1] + ("0" if line[-1] != "0" else "1"), line.replace("-1-", "-9-", 1)):
        for encoding in ("7bit", "base64"):
            club.reply("Guard: go Telos\n", wrong, encoding=encoding)
    assert parsed == []
    club.reply("Guard: go Telos\n", sent)
    assert len(parsed) == 1


def test_o3_3_a_a_fault_in_one_mail_is_that_mails_alone_and_is_logged(club, monkeypatch, caplog):
    sent, read = club.box.text("ada@club.example"), order_mails.read_apart

    def fail_at_the_first(*what, **given):
        monkeypatch.setattr(order_mails, "read_apart", read)
        raise RecursionError("out of a mail")

    monkeypatch.setattr(order_mails, "read_apart", fail_at_the_first)
    club.send("Guard: go Telos\n", sent)
    club.send("Escort: stay\n", sent)
    club.look()
    assert len(club.state.orders["rhodes"]) == 1, "one of the two was read"
    assert "an e-mail could not be read, and was deleted: RecursionError" in caplog.text
    assert "out of a mail" not in caplog.text and not any((club.maildir / "new").iterdir())


def test_o3_3_a_a_mail_that_takes_too_long_is_given_up_and_the_next_one_is_read(club, monkeypatch, caplog):
    sent = club.box.text("ada@club.example")
    with monkeypatch.context() as slow:
        slow.setattr(order_mails, "READER", Path(harmless_reader.__file__))
        slow.setattr(order_mails, "LIMITS", Limits(seconds=0.2))
        club.reply("Guard: go Telos\n", sent)
    assert not club.state.orders and "could not be read, and was deleted: BadInput" in caplog.text
    club.reply("Guard: stay\n", sent)
    assert club.state.orders["rhodes"]["guard"].do == "stay"


def test_o3_3_a_of_a_head_at_most_16_kb_are_parsed():
    head = b"Subject: x\n" + b"".join(b"Content-Language: %d\n" % number for number in range(2000))
    with pytest.raises(ValueError):
        mail_reader.read(head + b"\nGuard: stay\n", longest_head=order_mails.LONGEST_HEAD, longest=100)
    within = head[:10_000].rpartition(b"\n")[0]
    assert mail_reader.read(within + b"\n\nGuard: stay\n", longest_head=order_mails.LONGEST_HEAD, longest=5) == (
        False,
        "Guard",
    )
