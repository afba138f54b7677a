"""A campaign by post: its application, a real mail server, and a program that plays for every seat."""

from __future__ import annotations

import email
import email.policy
import re
import socket
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from flask import Flask
from flask.testing import FlaskClient

from webapp import create_app
from webapp.post.postman import Postman


class Box:
    """What a mail server has taken; addresses that begin with "nobody" it refuses."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address.startswith("nobody"):
            return "550 there is nobody of that name"
        if address.startswith("later"):
            return "450 come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.mails.append(email.message_from_bytes(envelope.content, policy=email.policy.default))
        return "250 OK"

    def to(self, address: str) -> list[str]:
        """The subjects of the mails to an address."""
        return [str(mail["Subject"]) for mail in self.mails if mail["To"] == address]

    def text(self, address: str) -> str:
        """The newest mail to an address."""
        return str([mail for mail in self.mails if mail["To"] == address][-1].get_content())


@pytest.fixture
def box() -> Iterator[tuple[Box, str]]:
    found = Box()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Controller(found, hostname="127.0.0.1", port=port)
    server.start()
    yield found, f"smtp://127.0.0.1:{port}"
    server.stop()


@pytest.fixture
def app(tmp_path: Path, box: tuple[Box, str]) -> Flask:
    return create_app(
        {
            "DATABASE": str(tmp_path / "games.db"),
            "TESTING": True,
            "MAIL": box[1],
            "MAIL_FROM": "navarch@club.example",
            "PUBLIC_URL": "https://galleys.example",
            "MAILS_A_MINUTE": 1000,
            "LETTERS_A_MINUTE": 1000,
        }
    )


@pytest.fixture
def postman(app: Flask) -> Postman:
    found: Postman = app.extensions["navarch"].postman
    return found


class Group:
    """A game and its tokens, over the API."""

    def __init__(self, client: FlaskClient, system: str, scenario: str | None, **more: Any) -> None:
        self.client = client
        where = {} if scenario is None else {"scenario": scenario}
        made = client.post("/api/v1/games", json={"system": system, **where, **more})
        assert made.status_code == 201, made.text
        self.id = made.json["id"]
        self.tokens = {seat["id"]: seat["token"] for seat in made.json["seats"]}

    def ask(self, method: str, seat: str, what: str, body: Any = None, token: str | None = None) -> Any:
        return self.client.open(
            f"/api/v1/games/{self.id}{what}",
            method=method,
            json=body,
            headers={"Authorization": f"Bearer {token or self.tokens[seat]}"},
        )

    def put_in(self, seat: str, name: str, address: str = "", **more: str) -> dict[str, Any]:
        """Put somebody into a seat; the owner of the address, if he has one, says yes to mail."""
        found = self.invite(seat, name, address, **more)
        if address:
            assert self.say("yes", address).status_code == 200
        return found

    def invite(self, seat: str, name: str, address: str = "", **more: str) -> dict[str, Any]:
        answer = self.ask("POST", "umpire", "/people", {"seat": seat, "name": name, "address": address, **more})
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json
        return found

    def say(self, answer: str, address: str) -> Any:
        """What the owner of an address answers by the links of his mail: "yes" or "stop"."""
        store = self.client.application.extensions["navarch"].store
        asked = "select secret from addresses where game = ? and address = ?"
        return self.tap(f"/post/{answer}/{store.file.rows(asked, self.id, address.lower())[0]['secret']}")

    def tap(self, link: str) -> Any:
        """Open the page of a link and tap its button."""
        (token,) = set(
            re.findall(r'name="csrf_token" value="([^"]+)"', self.client.get(link).text.partition("<main")[2])
        )
        return self.client.post(link, data={"csrf_token": token})

    def state(self, seat: str = "umpire") -> dict[str, Any]:
        found: dict[str, Any] = self.ask("GET", seat, "").json
        return found

    def command(self, seat: str, command: dict[str, Any]) -> Any:
        return self.ask("POST", seat, "/commands", {"command": command, "seen": self.state()["version"]})


@pytest.fixture
def group(app: Flask) -> Group:
    return Group(app.test_client(), "hannibal", "second_punic_war")
