"""The war stopped off Mylae, with browsers at its seats, and ways to fight its battle quickly or at random."""

from __future__ import annotations

import html
import random
import re
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from tactical.kernel.dice import random_source
from tactical.kernel.protocol import Offer
from webapp import create_app
from webapp.api.serializers import offers_of
from webapp.storage.journal.store import Store

SIDES = ("rome", "carthage")
WITHOUT = ("agree", "evade", "forgo")  # a battle that is played at random gets on without these


class Sea:
    """A campaign of Hamilcar whose fleets have met, its store and its pages."""

    def __init__(self, path: Path, scenario: str | None = "off_mylae", seed: int = 7, **wanted: Any) -> None:
        self.random = random.Random(seed)
        self.store = Store(path, source=random_source(self.random.randrange))
        self.app = create_app({"STORE": self.store, "TESTING": True})
        game, self.tokens = self.store.create(wanted.pop("system", "hamilcar"), scenario, **wanted)
        self.id = game.id
        self.battle = ""

    @property
    def state(self) -> Any:
        return self.store.load(self.id).state

    def client(self, seat: str) -> FlaskClient:
        client = self.app.test_client()
        client.get(f"/join/{self.tokens[seat]}")
        return client

    def page(self, seat: str, path: str | None = None) -> str:
        """A page's text, without its tags."""
        answer = self.client(seat).get(path or f"/g/{self.id}?seat={seat}")
        assert answer.status_code == 200, answer.text[:400]
        return said(answer.text)

    def fetch(self, seat: str, path: str | None = None) -> str:
        """A page as it is."""
        return self.client(seat).get(path or f"/g/{self.id}?seat={seat}").text

    def post(self, seat: str, path: str, **fields: Any) -> Any:
        """Send a form as this seat's browser does."""
        client = self.client(seat)
        token = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/").text)
        assert token is not None
        return client.post(f"{path}?seat={seat}", data={"csrf_token": token.group(1), **fields})

    def enter(self, seat: str, **changed: Any) -> Any:
        """Press the button that enters the battle's outcome into the campaign."""
        page = self.fetch(seat, f"/linked/{self.battle}/review?seat={seat}")
        fields = dict(re.findall(r'name="(seen|command)" value="([^"]+)"', page))
        fields = {name: html.unescape(value) for name, value in fields.items()}
        return self.post(seat, f"/linked/{self.battle}/settle", **{**fields, **changed})

    def give(self, seat: str, game: str | None = None, **command: Any) -> Any:
        code = game or self.id
        return self.store.submit(code, self.store.game(code).version, seat, command, "digital")

    def agree_on(self, way: str) -> None:
        for side in SIDES:
            self.give(side, type="choose_way", engagement=self.state.engagement.id, way=way, side=side)

    def open(self, models: int = 1) -> str:
        self.agree_on("battle")
        answer = self.give("rome", type="open_battle", engagement=self.state.engagement.id, models_per_unit=models)
        self.battle = answer.events[-1]["game"]
        return self.battle

    def draw(self) -> None:
        """Both agree to end the battle."""
        for side in SIDES:
            self.give(side, self.battle, type="agree", side=side)

    def deploy(self) -> None:
        """Nobody moves a ship before the first plot."""
        while (link := self.store.load(self.battle).state.link) and link.deploying:
            self.give(link.deploying[0], self.battle, type="done", side=link.deploying[0])

    def sink(self, *ships: str, status: str = "sunk", **changes: Any) -> None:
        """The umpire says what has happened to ships."""
        for ship in ships:
            fields = {"status": status, **changes, **({} if status == "captured" else {"at": None})}
            self.give("umpire", self.battle, type="adjust", ship=ship, changes=fields, why="the table says so")

    def play(self, limit: int = 4000) -> None:
        """Offered commands at random until the battle is over."""
        for _ in range(limit):
            table = self.store.load(self.battle)
            if table.game.over:
                return
            for side in table.sides:
                offers = [each for each in offers_of(self.store, table, side) if each.type not in WITHOUT]
                if offers:
                    self.give(side, self.battle, **chosen(self.random.choice(offers), self.random))
                    break
        raise AssertionError("the battle does not end")


def chosen(offer: Offer, dice: random.Random) -> dict[str, Any]:
    """One command of an offer."""
    fields = {}
    for name, value in offer.fields.items():
        if isinstance(value, list):
            fields[name] = dice.choice(value)
        elif isinstance(value, dict):
            fields[name] = dice.randint(value["from"], value["to"])
        else:
            fields[name] = value
    return {"type": offer.type, **fields}


def said(page: str) -> str:
    """The text of a page, in one line."""
    text = re.sub(r"<(script|style)[^>]*>.*?</\1>", " ", page, flags=re.S)
    text = re.sub(r"<[^>]+>", " ", text)
    for sign, letter in (("&#39;", "'"), ("&amp;", "&"), ("&quot;", '"'), ("&#34;", '"')):
        text = text.replace(sign, letter)
    return " ".join(text.split())
