"""Every address of a game, and what a seat is answered there."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from flask import Flask
from flask.testing import FlaskClient

from webapp.storage.journal.store import Store

Answer = tuple[int, str, str]
KINDS: tuple[dict[str, str], ...] = ({}, {"HX-Request": "true", "X-Fragments": ""})  # a page, and a part of one


def addresses(app: Flask, store: Store, game: str, seats: tuple[str, ...]) -> Iterator[str]:
    """Every address that the program answers with this game in it, each gap filled in, and those that list games."""
    state, version = store.load(game).state, store.game(game).version
    gaps = {
        "number": [str(number) for number in range(version + 3)],
        "entry": [str(number) for number in range(version + 3)],
        "side": list(state.sides),
        "seat": list(seats),
        "ship": list(state.ships)[:1],
        "id": ["1"],
        "name": ["1"],
        "player": ["1"],
        "format": ["csv"],
        "kind": ["svg"],
        "digest": ["0"],
    }
    yield from ("/", "/games", "/campaigns", "/organizer", f"/rejoin?code={game}")
    yield f"/api/v1/games/{game}/journal?after=1&limit=2"
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or "<game>" not in rule.rule or rule.rule.endswith("/stream"):
            continue
        if "<key>" in rule.rule:
            continue  # a wrong key counts as a guess; the public feed is the same
        asked = [name for name in re.findall(r"<(?:\w+:)?(\w+)>", rule.rule) if name != "game"]
        for values in itertools.product(*(gaps[name] for name in asked)):
            path = rule.rule.replace("<game>", game)
            for name, value in zip(asked, values, strict=True):
                path = re.sub(rf"<(?:\w+:)?{name}>", value, path)
            yield path


def fetched(
    client: FlaskClient, seat: str, paths: list[str], kinds: tuple[dict[str, str], ...] = KINDS
) -> dict[str, Answer]:
    """What a seat is answered at each address, as a page and as a part of one, without the token of the forms."""
    found = {}
    for path in paths:
        for headers in kinds:
            answer = client.get(f"{path}{'&' if '?' in path else '?'}seat={seat}", headers=headers)
            text = re.sub(r'(csrf-token" content|csrf_token" value)="[^"]*"', r"\1", answer.text)
            found[f"{path} {len(headers)}"] = (answer.status_code, text, answer.headers.get("ETag", ""))
    return found


def parting(one: Answer, other: Answer) -> tuple[int, int, str, str]:
    """Where two answers part."""
    place = next((at for at, pair in enumerate(zip(one[1], other[1], strict=False)) if pair[0] != pair[1]), 0)
    return one[0], other[0], one[1][max(0, place - 200) : place + 60], other[1][max(0, place - 200) : place + 60]
