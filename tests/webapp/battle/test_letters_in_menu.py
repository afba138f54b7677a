"""The battle's menu says how many letters a seat has not opened; nobody else's page tells of them."""

from __future__ import annotations

import re

from webapp.storage.services import letters


def new_ones(page: str) -> int:
    found = re.search(r'id="letters-new">(\d+)<', page)
    assert (found is None) == (re.search(r"\d+ new letters?\"", page) is None), "the button says what the line says"
    return int(found[1]) if found else 0


def test_letters_are_counted_for_who_may_read_them_until_they_are_opened(battle, store):
    seats = battle()
    game = seats["rome"].game
    revision = store.game(game).revision
    letters.send(store, game, "rome", "carthage", "Shall we share Sicily?")
    letters.send(store, game, "umpire", letters.ALL, "We play on Friday.")
    assert store.game(game).revision == revision + 1, "all pages look again for what all may read, and for nothing else"
    counts = {seat: new_ones(reader.get().text) for seat, reader in seats.items()}
    assert counts == {"rome": 1, "carthage": 2, "umpire": 0, "spectator": 0}
    assert "2 new letters" in seats["carthage"].get().text and "1 new letter" in seats["rome"].get().text
    assert seats["carthage"].get("/letters").status_code == 200
    assert new_ones(seats["carthage"].get().text) == 0 and new_ones(seats["rome"].get().text) == 1


def test_the_count_is_that_of_the_letters_that_may_be_read(battle, store):
    game = battle()["rome"].game
    for sender, receiver in (("rome", "carthage"), ("carthage", "rome"), ("umpire", "all"), ("rome", "umpire")):
        letters.send(store, game, sender, receiver, "Hail.")
    for seat in ("rome", "carthage", "umpire"):
        others = [each for each in letters.letters(store, game, seat) if each.sender != seat]
        assert letters.unread(store, game, seat) == len(others)
