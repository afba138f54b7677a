"""What tablets and the television say of a battle, read from the HTML that a browser gets."""

from __future__ import annotations

import html
import json
import re

from kit.readers import DUEL, commands_on
from tactical import GALLEY
from tactical.offers import waiting_for

RAMMING = {
    **DUEL,
    "ships": {
        "r1": {"side": "rome", "name": "Aquila", "type": "quinquereme", "at": [4, 2], "facing": "SE", "speed": 3},
        "r2": {"side": "rome", "name": "Lupa", "type": "quadrireme", "at": [1, 4], "facing": "SE", "speed": 2},
        "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "at": [6, 2], "facing": "N", "speed": 0},
        "c2": {"side": "carthage", "name": "Melqart", "type": "trireme", "at": [9, 2], "facing": "NW", "speed": 2},
    },
}


def give(store, game, seat, command):
    """A command of a seat, by the store."""
    store.submit(game, store.game(game).version, seat, command, None, None)


def state_of(store, game):
    return store.load(game).state


def until_contact(store, game):
    """Both sides plot and lock, and every step goes ahead until a ship may ram."""
    for side, speeds in (("rome", {"r1": 3, "r2": 1}), ("carthage", {"c1": 0, "c2": 1})):
        plots = [{"type": "plot", "ship": name, "speed": speed} for name, speed in speeds.items()]
        give(store, game, side, {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]})
    while state_of(store, game).step != "ram":
        state = state_of(store, game)
        side = waiting_for(state)[0]
        command = {"type": "done", "side": side}
        if state.step == "move":
            step = next(offer for offer in GALLEY.offers(state, side) if offer.type == "step")
            command = {"type": "step", "ship": step.fields["ship"], "turn": "none"}
        give(store, game, side, command)


def first_line(page):
    """The newest line of the news."""
    found = re.search(r'id="news".*?class="[^"]*\bline\b[^"]*"[^>]*>(.*?)</(?:p|li|div)>', page, re.DOTALL)
    assert found is not None
    return html.unescape(re.sub(r"<[^>]+>", " ", found[1]))


def test_done_lines_push_no_result_out_of_the_tray(battle, store):
    seats = battle(RAMMING)
    game = seats["rome"].game
    until_contact(store, game)
    give(store, game, "rome", {"type": "ram", "ship": "r1"})
    for _ in range(4):
        state = state_of(store, game)
        for side in waiting_for(state):
            if state.step in ("fire", "board"):
                give(store, game, side, {"type": "done", "side": side})
    assert "rams Tanit" in first_line(seats["carthage"].get().text)


def test_the_television_shows_the_code_and_who_sits_where(battle, store, app):
    game = battle()["rome"].game
    store.name_seat(game, "rome", "Flavia")
    page = app.test_client().get(f"/display/{game}").text
    code = page[page.index("screen-code") :]
    assert re.search(rf'class="[^"]*\bcode\b[^"]*"[^>]*>\s*{game}\s*<', code) and 'class="qr"' in code
    assert "Flavia" in page[page.index("screen-heads") :]


def test_one_undo_takes_back_a_whole_squadrons_plots(battle, store):
    rome = battle()["rome"]
    page = rome.get().text
    squadron = page[page.index("First") :]
    cruise = next(each for each in commands_on(squadron) if json.loads(each)["type"] == "together")
    assert rome.give(cruise, 0).status_code == 200
    assert [ship.plot for ship in state_of(store, rome.game).ships.values() if ship.side == "rome"] == [2, 2]
    answer = rome.post("/undo", partial=True, seen=1)
    assert answer.status_code == 200 and "taken back" in rome.get().text
    assert [ship.plot for ship in state_of(store, rome.game).ships.values()] == [None] * 4


def test_ones_own_volley_that_missed_stays_to_be_read(battle, store):
    near = {"r1": {**RAMMING["ships"]["r1"], "archers": 1}, "c1": {**RAMMING["ships"]["c1"], "at": [5, 2]}}
    seats = battle({**RAMMING, "step": "fire", "phase": 1, "ships": {**RAMMING["ships"], **near}}, dice="physical")
    game = seats["rome"].game
    shot = next(offer for offer in GALLEY.offers(state_of(store, game), "rome") if offer.type == "fire")
    command = {"type": "fire", "ship": "r1", "weapon": shot.fields["weapon"], "target": "c1", "count": 1}
    store.submit(game, store.game(game).version, "rome", command, [1], None)
    give(store, game, "carthage", {"type": "done", "side": "carthage"})
    assert state_of(store, game).ships["c1"].damage == 0
    assert 'class="result"' in seats["rome"].get().text
    assert 'class="result' not in seats["carthage"].get().text
