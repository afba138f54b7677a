"""The hex map: a leader's reach and path before it is walked, and the map page with them drawn upon it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from benchmarks.clock import Row, milliseconds, spread
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.preview import path_preview, reach_of
from strategic.punic_wars.state import Campaign
from tactical.kernel.dice import Dice
from webapp import create_app

LEADERS = {"ca": "an army in Hispania", "cc": "an army with its fleet in Carthage"}


def position() -> dict[str, Any]:
    """The second war, its second turn: three Carthaginian forces that may go twenty points, Romans about them."""
    men = {
        "ca": {"side": "carthage", "value": 3, "letter": "A", "at": "1607", "land": 10},
        "cc": {"side": "carthage", "value": 2, "letter": "C", "at": "2516", "land": 3, "naval": 3},
        "rd": {"side": "rome", "value": 1, "letter": "D", "at": "2908"},
    }
    stacks = {
        "1607": {"carthage": {"land": 10}}, "2516": {"carthage": {"land": 3, "naval": 3}},
        "1508": {"rome": {"land": 4}}, "2908": {"rome": {"land": 4}}, "2915": {"rome": {"land": 3, "naval": 3}},
    }  # fmt: skip
    return {
        "scenario": "2", "turn": 2, "phase": "campaign", "phasing": "carthage", "begun": True, "stacks": stacks,
        "leaders": men, "treasury": {"carthage": 40, "rome": 40}, "roman_leaders": 4,
    }  # fmt: skip


def previews(state: Campaign) -> list[Row]:
    """What a tap on the map asks: how far, and the way to the farthest hex with its chances."""
    found = []
    for id, who in LEADERS.items():
        far = max(reach_of(state, id).path.values(), key=len)[1:]
        found += [
            spread(f"reach, {who}", milliseconds(lambda id=id: reach_of(state, id), 60)),
            spread(
                f"path of {len(far)} hexes, {who}",
                milliseconds(lambda id=id, far=far: path_preview(state, id, far), 60),
            ),
        ]
    return found


def pages(folder: Path) -> list[Row]:
    """The map page: the first that a server makes, then plain, and with a leader's way upon it."""
    app = create_app({"DATABASE": str(folder / "bench.db"), "TESTING": True})
    game, tokens = app.extensions["navarch"].create("punic_wars", position=position())
    client, headers = app.test_client(), {"Authorization": f"Bearer {tokens['carthage']}"}

    def ask(query: str, **more: str) -> bytes:
        return client.get(f"/g/{game.id}{query}", headers={**headers, **more}).get_data()

    way = "?pick=cc&space=2814"
    first = milliseconds(lambda: ask(""), 1)
    return [
        Row("map page, the very first", first[0], "ms", "makes the sheet of the map"),
        spread("map page", milliseconds(lambda: ask(""), 40)),
        spread("map page with a way", milliseconds(lambda: ask(way), 40)),
        spread("changing parts with a way", milliseconds(lambda: ask(way, **{"HX-Request": "true"}), 40)),
    ]


def rows() -> list[Row]:
    """All of it."""
    state = PUNIC_WARS.start(None, position(), {}, Dice(secret=lambda sides: 1)).state
    with tempfile.TemporaryDirectory() as name:
        return [*previews(state), *pages(Path(name))]
