"""Two games that differ only in a secret give equal bytes to the seat that may not see it."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from kit.players import Player
from webapp.storage.journal.store import Store

HIDDEN = {"points": {"red": 0, "blue": 0}, "deck": [1, 2, 3]}


def seen_by_blue(client: FlaskClient, number: int, deck: list[int]) -> list[str]:
    game = Player(client, scenario=None, position={**HIDDEN, "deck": deck})
    answers = [
        game.give("red", 0, "plot", side="red", number=number) and game.get("blue").text,
        game.give("red", 1, "draw", side="red") and game.get("blue").text,
        game.give("umpire", 2, "draw", side="red") and game.get("blue").text,
        game.post("umpire", "undo", seen=3).text,
        game.get("blue").text,
        game.get("blue", "/journal").text,
        game.get("spectator").text,
        game.get("spectator", "/journal").text,
        game.post("blue", "undo", seen=4).text,
        game.get("blue", "/export").text,
    ]
    return [re.sub(r'"time":"[^"]*"', "", answer.replace(game.id, "GAME")) for answer in answers]


def test_a_secret_leaves_no_trace(client: FlaskClient) -> None:
    one, other = seen_by_blue(client, 1, [1, 2, 3]), seen_by_blue(client, 5, [3, 1, 2])
    assert one == other


def test_the_comparison_can_fail(client: FlaskClient) -> None:
    """The owner's own bytes do differ."""
    seen = []
    for number in (1, 5):
        game = Player(client, scenario=None, position=HIDDEN)
        game.give("red", 0, "plot", side="red", number=number)
        seen.append(game.get("red").json["state"])
    assert seen[0] != seen[1]


def test_tokens_are_shown_once(game: Player, store: Store) -> None:
    for seat in game.tokens:
        texts = [game.get(seat, what).text for what in ("", "/journal", "/export")]
        assert not any(token in text for token in game.tokens.values() for text in texts)
