"""What the board shows entry after entry: where ships went, and what rises from those that were struck."""

from __future__ import annotations

import html
import json
import re

from test_battle_seen import RAMMING, give, until_contact


def happenings(page):
    return json.loads(html.unescape(re.search(r'id="happenings"[^>]*data-entries="([^"]*)"', page)[1]))


def test_each_entry_says_where_ships_went_and_what_rises_from_whom(battle, store):
    seats = battle(RAMMING)
    game = seats["rome"].game
    until_contact(store, game)
    give(store, game, "rome", {"type": "ram", "ship": "r1"})
    ram = store.entry(game, store.game(game).version)
    damage = next(event.data["damage"] for event in ram.events if event.type == "ram")
    for seat in ("rome", "carthage", "spectator"):
        found = happenings(seats[seat].get("").text)
        assert found[-1][0] == ram.number and ["c1", f"−{damage}"] in found[-1][2]
        numbers = [number for number, _moves, _said in found]
        gone = {ship for _number, moves, _said in found for ship, *_place in moves}
        assert "r1" in gone and numbers == sorted(set(numbers))
    store.undo(game, ram.number, "umpire")
    assert all(number != ram.number for number, *_rest in happenings(seats["rome"].get("").text))


def test_what_is_plotted_in_secret_is_no_happening(battle, store):
    seats = battle(RAMMING)
    game = seats["rome"].game
    give(store, game, "rome", {"type": "plot", "ship": "r1", "speed": 3})
    assert happenings(seats["carthage"].get("").text) == [] == happenings(seats["rome"].get("").text)
