"""A war of one's own by mail: a real mail server that fills a Maildir, and replies to its dispatches."""

from __future__ import annotations

import re
import smtplib
import socket
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Mailbox
from flask import Flask

from kit.by_post import Box
from kit.open_war import position
from webapp import create_app


class Club:
    """A war of one's own by mail: its application, its mail server's Maildir, and what the players are sent."""

    def __init__(self, app: Flask, box: Box, post: int, maildir: Path) -> None:
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
    def state(self) -> Any:
        return self.store.load(self.id).state

    def look(self) -> None:
        self.postman.round([self.id])

    def reply(
        self,
        lines: str,
        quoted: str,
        sender: str = "ada@club.example",
        mark: str = "> ",
        encoding: str | None = None,
        **headers: str,
    ) -> None:
        """Answer a mail as a mail program does, through the server; the postman looks when it has come."""
        self.send(lines, quoted, sender, mark, encoding, **headers)
        self.look()

    def send(
        self,
        lines: str,
        quoted: str,
        sender: str = "ada@club.example",
        mark: str = "> ",
        encoding: str | None = None,
        **headers: str,
    ) -> None:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, "navarch@club.example", "Re: your turn"
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(
            lines + "\n\nOn Sunday Navarch wrote:\n" + "\n".join(mark + line for line in quoted.splitlines()),
            cte=encoding,
        )
        self.hand_in(mail.as_bytes(), sender)

    def hand_in(self, content: bytes, sender: str = "ada@club.example") -> None:
        """Hand a mail to the server as it is; the postman does not look yet."""
        with smtplib.SMTP("127.0.0.1", self.post) as talk:
            talk.sendmail(sender, ["navarch@club.example"], re.sub(rb"\r?\n", b"\r\n", content))


@pytest.fixture
def club(tmp_path: Path, box: tuple[Box, str]) -> Iterator[Club]:
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
