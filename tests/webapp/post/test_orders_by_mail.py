"""O3.3.a: a reply to the dispatch, through a real mail server into a Maildir, is given and read back as understood."""

import smtplib
import socket
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Mailbox

from kit.open_war import position
from webapp import create_app
from webapp.post import order_mails


class Club:
    """A war of one's own by mail: its application, its mail server's Maildir, and what the players are sent."""

    def __init__(self, app, box, post):
        self.app, self.box, self.post = app, box, post
        self.store, self.postman = app.extensions["navarch"], app.extensions["navarch-postman"]
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

    def reply(self, lines, quoted, sender="ada@club.example", **headers):
        """Answer a mail as a mail program does, through the server."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, "navarch@club.example", "Re: your turn"
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(
            lines + "\n\nOn Sunday Navarch wrote:\n" + "\n".join(f"> {line}" for line in quoted.splitlines())
        )
        with smtplib.SMTP("127.0.0.1", self.post) as talk:
            talk.send_message(mail)
        self.look()


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
