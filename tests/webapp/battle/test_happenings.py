"""What the board shows entry after entry: where ships went, and what rises from those that were struck."""

from __future__ import annotations

import html
import json
import re

from test_battle_seen import RAMMING, give, state_of, until_contact

from tactical import GALLEY


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
        assert found[-1][0] == ram.number and ["c1", f"−{damage}", None, None, "ram", "r1"] in found[-1][2]
        numbers = [number for number, *_rest in found]
        gone = {ship for _number, moves, *_rest in found for ship, *_place in moves}
        assert "r1" in gone and numbers == sorted(set(numbers))
    store.undo(game, ram.number, "umpire")
    assert all(number != ram.number for number, *_rest in happenings(seats["rome"].get("").text))


def sunk_flagship(battle, store, **more):
    """A battle in which Rome's ram has sunk the flagship of Carthage, by its seats and the number of the entry."""
    ships = {**RAMMING["ships"], "c1": {**RAMMING["ships"]["c1"], "damage": 4, "flagship": True}}
    seats = battle({**RAMMING, "ships": ships, **more})
    game = seats["rome"].game
    until_contact(store, game)
    give(store, game, "rome", {"type": "ram", "ship": "r1"})
    entry = store.entry(game, store.game(game).version)
    assert any(event.type == "sunk" for event in entry.events)
    return seats, entry.number


def test_a_great_moment_is_told_to_everybody_with_how_it_came(battle, store):
    seats, number = sunk_flagship(battle, store)
    for seat in ("rome", "carthage", "spectator"):
        entry, _moves, _said, moments = happenings(seats[seat].get("").text)[-1]
        (title, how, kind), *_more = moments
        assert kind == "sunk"
        assert entry == number and title.startswith("Flagship ") and title.endswith(" sunk") and "rams" in how


def test_a_result_begins_with_its_effect(battle, store):
    seats, _number = sunk_flagship(battle, store)
    card = seats["carthage"].get("").text.split('class="result ')[1].split("</article>")[0]
    assert card.index(" sinks") < card.index(" rams ")


def test_a_volley_says_what_it_did_in_numbers(battle, store):
    near = {"r1": {**RAMMING["ships"]["r1"], "archers": 4}, "c1": {**RAMMING["ships"]["c1"], "at": [5, 2]}}
    seats = battle({**RAMMING, "step": "fire", "phase": 1, "ships": {**RAMMING["ships"], **near}})
    game = seats["rome"].game
    shot = next(offer for offer in GALLEY.offers(state_of(store, game), "rome") if offer.type == "fire")
    give(
        store, game, "rome", {"type": "fire", "ship": "r1", "weapon": shot.fields["weapon"], "target": "c1", "count": 1}
    )
    (fired,) = (event.data for event in store.entry(game, store.game(game).version).events if event.type == "fire")
    *_, (_number, _moves, said, moments) = happenings(seats["carthage"].get("").text)
    ((ship, words, hull, dead, kind, by),) = said
    assert (kind, by) == ("fire", "r1")
    assert (ship, hull, dead) == ("c1", fired.get("hull", 0), sum(fired.get("dead", {}).values())) and words
    assert moments == []


def test_what_is_plotted_in_secret_is_no_happening(battle, store):
    seats = battle(RAMMING)
    game = seats["rome"].game
    give(store, game, "rome", {"type": "plot", "ship": "r1", "speed": 3})
    assert happenings(seats["carthage"].get("").text) == [] == happenings(seats["rome"].get("").text)
