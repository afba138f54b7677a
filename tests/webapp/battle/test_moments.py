"""A battle's moments of weight: jumps in the replay, links to a moment, who knows what of it, pictures in the report."""

from __future__ import annotations

import random
import re

from kit.readers import DUEL
from tactical.kernel.random_play import QUITTING, fill
from webapp.pages.battle.replay import BEST
from webapp.pages.battle.results import LOUD

NEAR = {
    **DUEL,
    "turn_limit": 3,
    "ships": {
        "r1": {"side": "rome", "name": "Aquila", "type": "quinquereme", "at": [3, 2], "facing": "SE", "speed": 3},
        "r2": {"side": "rome", "name": "Lupa", "type": "quadrireme", "at": [3, 4], "facing": "NE", "speed": 3},
        "c1": {
            "side": "carthage",
            "name": "Tanit",
            "type": "quinquereme",
            "at": [6, 2],
            "facing": "NW",
            "speed": 3,
            "damage": 6,
        },
        "c2": {
            "side": "carthage",
            "name": "Melqart",
            "type": "trireme",
            "at": [5, 1],
            "facing": "SW",
            "speed": 3,
            "damage": 4,
        },
    },
}


def goes_on(store, game, until, seed=5):
    """Offers are taken by chance, and dice thrown by the server, until something is so."""
    chance = random.Random(seed)
    for _ in range(2000):
        table = store.load(game)
        if table.game.over or until(table.state):
            return
        seat = table.waiting_for[0]
        offers = [each for each in table.offers(seat) if each.type not in QUITTING]
        rams = [each for each in offers if each.type == "ram"]
        store.submit(game, table.game.version, seat, fill(chance.choice(rams or offers), chance), "digital")
    raise AssertionError("the battle does not get there")


def weighty(store, game):
    return [
        entry.number
        for entry in store.entries(game)
        if entry.number and entry.taken_back is None and any(event.type in LOUD for event in entry.events)
    ]


def jump(page, name):
    found = re.search(rf'id="{name}"[^>]*?data-to="(\d+)"', page)
    return int(found.group(1)) if found else None


def test_jumps_lead_from_one_event_of_weight_to_the_next_and_back(battle, store):
    rome = battle(NEAR)["rome"]
    goes_on(store, rome.game, lambda state: False)
    wanted = weighty(store, rome.game)
    assert len(wanted) > 2
    there, number = [], 0
    while (number := jump(rome.get(f"/replay/{number}").text, "later")) is not None:
        there.append(number)
    back, number = [], store.game(rome.game).version + 0
    if number in wanted:
        back.append(number)
    while (number := jump(rome.get(f"/replay/{number}").text, "earlier")) is not None:
        back.append(number)
    assert there == wanted == back[::-1]


def test_a_link_leads_to_a_moment_and_without_one_to_where_the_seat_looked_last(battle, store):
    rome = battle(NEAR)["rome"]
    goes_on(store, rome.game, lambda state: state.turn > 1)
    led = rome.get("/replay", at="3")
    assert (led.status_code, led.headers["Location"]) == (303, f"/g/{rome.game}/replay/3?seat=rome")
    assert f'href="/g/{rome.game}/replay?at=3"' in rome.get("/replay/3").text
    store.looked(rome.game, "rome", 2)
    for wanted in ({}, {"at": "x"}, {"at": "-1"}, {"at": "9" * 30}):
        assert rome.get("/replay", **wanted).headers["Location"].startswith(f"/g/{rome.game}/replay/2")
    assert rome.get("/replay", at="99999").status_code == 404


def test_after_the_battle_all_is_known_that_was_shown_in_it_and_no_more(battle, store):
    seats = battle(NEAR)
    rome, carthage = seats["rome"], seats["carthage"]
    rome.give('{"type":"plot","ship":"r1","speed":2}', 0)
    goes_on(store, rome.game, lambda state: state.turn == 2 and state.step == "plot")
    version = store.game(rome.game).version
    ship = next(
        name for name, ship in store.load(rome.game).state.ships.items() if ship.side == "rome" and ship.is_afloat
    )
    low = store.load(rome.game).offers("rome")
    speed = next(fill(each, random.Random(1)) for each in low if each.type == "plot" and each.fields["ship"] == ship)
    store.submit(rome.game, version, "rome", speed)
    said = "is plotted at"
    for seat in (carthage, seats["spectator"]):
        assert said not in seat.get("/replay/1").text and said not in seat.get(f"/replay/{version + 1}").text
    store.submit(rome.game, version + 1, "carthage", {"type": "resign", "side": "carthage"})
    for seat in (carthage, seats["spectator"]):
        assert said in seat.get("/replay/1").text, "the first turn's plots were shown long ago"
        assert said not in seat.get(f"/replay/{version + 1}").text, "the last turn's never were"
    assert said in rome.get(f"/replay/{version + 1}").text
    store.undo(rome.game, version + 2, "umpire")
    assert said not in carthage.get("/replay/1").text, "the battle goes on"


def test_the_best_moments_stand_in_the_report_as_small_pictures(battle, store):
    seats = battle(NEAR)
    rome = seats["rome"]
    assert "The best moments" not in rome.get("/report").text
    goes_on(store, rome.game, lambda state: False)
    wanted = weighty(store, rome.game)
    for seat in seats.values():
        page = seat.get("/report").text
        shown = [int(number) for number in re.findall(rf'<li><a href="/g/{rome.game}/replay/(\d+)', page)]
        assert 0 < len(shown) <= BEST and set(shown) <= set(wanted) and shown == sorted(shown)
        assert page.split('class="moments"')[1].count('class="board board-picture"') == len(shown)
    sunk = [entry.number for entry in store.entries(rome.game) if any(event.type == "sunk" for event in entry.events)]
    assert set(sunk[:BEST]) <= set(shown), "sinkings weigh more than rams"


def test_the_players_own_table_has_its_jumps_and_no_pictures(battle, store):
    ships = {
        name: {key: value for key, value in ship.items() if key not in ("at", "facing")}
        for name, ship in NEAR["ships"].items()
    }
    rome = battle({**NEAR, "board": {"kind": "table"}, "ships": ships})["rome"]
    goes_on(store, rome.game, lambda state: False)
    page = rome.get("/report").text
    assert "board-picture" not in page and rome.get("/replay/0").status_code == 200
