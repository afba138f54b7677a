"""Courses: several steps as one plan, each an entry of its own, stopped when something new is seen; lines that follow."""

from __future__ import annotations

import html
import json
import re

import pytest

from tactical.offers import waiting_for
from webapp.captains.courses import courses

SIDES = {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage", "navy": "hellenistic"}}


def fleet(far: int = 11, **more) -> dict:
    """Two Romans of one squadron in column and a Carthaginian who stands so many hexes ahead of them."""
    roman = {
        "side": "rome",
        "type": "quinquereme",
        "facing": "S",
        "speed": 3,
        "squadron": "First",
        "archers": 0,
        "catapults": 0,
    }
    ships = {
        "r1": {**roman, "name": "Aquila", "at": [4, 2], "flagship": True},
        "r2": {**roman, "name": "Lupa", "at": [4, 1]},
        "c1": {
            "side": "carthage",
            "name": "Tanit",
            "type": "quinquereme",
            "at": [4, 2 + far],
            "facing": "N",
            "catapults": 0,
            "archers": 0,
        },
    }
    board = {"columns": 12, "rows": 18}
    return {
        "board": board,
        "sides": SIDES,
        "ships": ships,
        "step": "move",
        "phase": 2,
        "options": {"edge": "wall"},
        **more,
    }


def courses_on(page: str) -> list[dict]:
    """What the buttons of a page that set courses carry."""
    return [json.loads(html.unescape(found)) for found in re.findall(r'name="course"[^>]* value="([^"]*)"', page)]


def steps_of(store, game: str) -> list[tuple[int, str]]:
    """The journal's steps, entry by entry."""
    return [(entry.number, entry.command["ship"]) for entry in store.entries(game) if entry.command["type"] == "step"]


def order(seat, store, wanted: dict):
    return seat.post("/course", partial=True, course=json.dumps(wanted), seen=store.game(seat.game).version)


def done(seats, store, side: str) -> None:
    seat = seats[side]
    seat.give(json.dumps({"type": "done", "side": side}), store.game(seat.game).version)


def test_a_tap_on_a_hex_ahead_shows_the_way_and_the_second_rows_it(battle, store):
    seats = battle(fleet())
    rome = seats["rome"]
    page = rome.get("", ship="r1").text
    leads = re.findall(r'data-to="([\d,-]+)"', page)
    assert "4,4" in leads and "4,5" in leads and store.game(rome.game).version == 0
    shown = rome.get("", ship="r1", to="4,5").text
    assert 'class="route"' in shown and "3 steps to" in shown
    alone, line = courses_on(shown[shown.index('id="plan"') :])[:2]
    assert [leg["turn"] for leg in alone["r1"]["legs"]] == ["none"] * 3 and set(line) == {"r1", "r2"}
    assert order(rome, store, alone).status_code == 200
    assert store.load(rome.game).state.ships["r1"].at == (4, 3), "the step that is due is made at once"
    page = rome.get("", ship="r1").text
    assert "2 more steps" in page and "2 more steps" not in seats["carthage"].get("", ship="r1").text


def test_all_steps_of_a_tap_are_written_at_once_and_only_then_told(battle, store):
    rome, written, heard = battle(fleet())["rome"], [], []
    store.file.db.conn.set_trace_callback(written.append)
    store.listeners.append(lambda game, version, revision: heard.append((version, written.count("COMMIT"))))
    order(rome, store, {name: {"legs": [{"turn": "none"}] * 3} for name in ("r2", "r1")})
    store.file.db.conn.set_trace_callback(None)
    steps = [at for at, said in enumerate(written) if said.startswith("insert into entries")]
    assert len(steps) == 6 and "COMMIT" not in written[steps[0] : steps[-1]]
    assert [told for told in heard if told[0]][:6] == [(version, 2) for version in range(1, 7)], "after the courses"


@pytest.mark.parametrize("at_once", [1, 60])
def test_g4_1_every_step_of_a_course_is_an_entry_of_its_own(battle, store, monkeypatch, at_once):
    monkeypatch.setattr("webapp.captains.courses.AT_ONCE", at_once)
    seats = battle(fleet())
    rome = seats["rome"]
    both = {name: {"legs": [{"turn": "none"}] * 3} for name in ("r2", "r1")}
    order(rome, store, both)
    state = store.load(rome.game).state
    assert (state.turn, state.step) == (2, "plot"), "with nobody in reach the turn runs to its end"
    assert [ship for _number, ship in steps_of(store, rome.game)] == ["r1", "r2"] * 3, "the foremost makes way"
    assert len({number for number, _ship in steps_of(store, rome.game)}) == 6
    assert state.ships["r1"].at == (4, 5) and state.ships["r2"].at == (4, 4)


def test_an_enemys_last_track_and_every_ships_last_two_steps_are_seen(battle, store):
    seats = battle(fleet())
    assert 'class="track"' not in seats["carthage"].get("", ship="r1").text, "nobody has rowed yet"
    order(seats["rome"], store, {name: {"legs": [{"turn": "none"}] * 3} for name in ("r2", "r1")})
    assert store.load(seats["rome"].game).state.step == "plot"
    page = seats["carthage"].get("", ship="r1").text
    track = page[page.index('class="track"') : page.index("</g>", page.index('class="track"'))]
    assert track.count("<circle") == 3, "a dot where each step of the last turn began"
    wakes = page[page.index('id="wakes"') : page.index("</g>", page.index('id="wakes"'))]
    assert wakes.count('class="wake-1"') == wakes.count('class="wake-2"') == 2


@pytest.mark.parametrize("seat, ship", [("rome", "c2"), ("carthage", "c2")])
def test_g3_1_the_plot_shows_how_far_a_ship_may_come_friend_or_foe_and_what_of_it_is_a_sprint(battle, seat, ship):
    page = battle()[seat].get("", ship=ship).text
    drawn = page[page.index('class="reach') : page.index("</g>", page.index('class="reach'))]
    steps = {int(each) for each in re.findall(r">(\d+)</text>", drawn)}
    assert max(steps) == 6, "an elite trireme that rowed 2 may row 6, three of them without a sprint"
    assert drawn.startswith('class="reach threat"') == (seat == "rome")
    assert re.search(r'class="in-reach sprint" d="M', drawn)


def test_g3_1_a_plotted_ship_shows_the_course_of_her_plot(battle, store):
    rome = battle(fleet(step="plot", phase=None))["rome"]
    rome.give('{"type":"plot","ship":"r1","speed":3}', 0)
    page = rome.get("", ship="r1").text
    tapped = {int(steps) for steps in re.findall(r'data-to="[\d,-]+"[^>]*>(\d+)<', page)}
    assert max(tapped) == 3, "her cruise is 2"


def test_a_course_stops_when_an_enemy_comes_near(battle, store):
    seats = battle(fleet(far=4))
    rome = seats["rome"]
    order(rome, store, {"r1": {"legs": [{"turn": "none"}] * 3}})
    rome.give('{"type":"step","ship":"r2","turn":"none"}', store.game(rome.game).version)
    for _ in range(6):
        state = store.load(rome.game).state
        if state.step == "move" and state.phase == 4 and state.ships["r1"].stepped:
            rome.give('{"type":"step","ship":"r2","turn":"none"}', store.game(rome.game).version)
        for side in waiting_for(store.load(rome.game).state):
            if store.load(rome.game).state.step == "fire":
                done(seats, store, side)
    state = store.load(rome.game).state
    assert (state.phase, state.step) == (6, "move") and state.ships["r1"].at == (4, 4)
    assert "Aquila waits: Tanit has come near." in rome.get().text
    assert "has come near" not in seats["carthage"].get().text


def test_a_course_stops_when_the_ship_is_fired_at(battle, store):
    position = fleet(far=5)
    position["ships"]["c1"]["archers"] = 2
    seats = battle(position)
    rome, carthage = seats["rome"], seats["carthage"]
    order(rome, store, {name: {"legs": [{"turn": "none"}] * 3} for name in ("r1", "r2")})
    assert store.load(rome.game).state.step == "fire"
    shot = {"type": "fire", "ship": "c1", "weapon": "archer", "count": 1, "target": "r1"}
    carthage.give(json.dumps(shot), store.game(rome.game).version)
    page = rome.get().text
    assert "Aquila waits: Tanit has attacked her." in page and "Lupa waits" not in page


def test_whatever_becomes_of_a_course_is_told_to_those_who_follow(battle, store):
    position = fleet(far=5)
    position["ships"]["c1"]["archers"] = 2
    seats = battle(position)
    rome, carthage = seats["rome"], seats["carthage"]
    heard = []
    store.listeners.append(lambda *said: heard.append(said))
    order(rome, store, {name: {"legs": [{"turn": "none"}] * 3} for name in ("r1", "r2")})
    now = store.game(rome.game)
    assert max(heard) == (rome.game, now.version, now.revision)
    shot = {"type": "fire", "ship": "c1", "weapon": "archer", "count": 1, "target": "r1"}
    carthage.give(json.dumps(shot), now.version)
    assert "Tanit has attacked her" in rome.get().text
    now = store.game(rome.game)
    assert max(heard) == (rome.game, now.version, now.revision), "also of what the helmsman writes down himself"
    assert sorted(set(heard)) == sorted(heard), "and of nothing twice"


def test_undo_ends_a_course_and_so_does_the_hand_of_the_player(battle, store):
    seats = battle(fleet())
    rome = seats["rome"]
    order(rome, store, {"r1": {"legs": [{"turn": "none"}] * 3}})
    rome.post("/undo", partial=True, seen=store.game(rome.game).version)
    assert store.load(rome.game).state.ships["r1"].at == (4, 2) and "more steps" not in rome.get("", ship="r1").text
    order(rome, store, {"r1": {"legs": [{"turn": "none"}] * 3}})
    assert "2 more steps" in rome.get("", ship="r1").text
    order(rome, store, {"r1": {"legs": []}})
    assert "more steps" not in rome.get("", ship="r1").text


def test_g2_4_a_line_keeps_station_on_its_flagship_and_who_cannot_is_named(battle, store):
    position = fleet()
    position["ships"]["r3"] = {**position["ships"]["r2"], "name": "Fortuna", "at": [6, 1], "speed": 1}
    rome = battle(position)["rome"]
    page = rome.get("", ship="r1", to="4,5").text
    assert "Her squadron follows in line (2)" in page and "Cannot follow: Fortuna." in page


def test_in_the_plot_a_course_sets_the_speed(battle, store):
    position = {**fleet(), "step": "plot", "phase": None}
    rome = battle(position)["rome"]
    page = rome.get("", ship="r1", to="4,4").text
    alone, _line = courses_on(page[page.index('id="plan"') :])
    assert alone["r1"]["speed"] == 2 and len(alone["r1"]["legs"]) == 2
    order(rome, store, alone)
    assert store.load(rome.game).state.ships["r1"].plot == 2
    assert "2 more steps" in rome.get("", ship="r1").text


def test_g2_4_in_the_plot_the_line_is_ordered_at_once_and_spends_no_sprint(battle, store):
    position = {**fleet(), "step": "plot", "phase": None}
    position["ships"]["r3"] = {**position["ships"]["r2"], "name": "Fortuna", "at": [6, -3], "facing": "N"}
    rome = battle(position)["rome"]
    page = rome.get("", ship="r1", to="4,4").text
    assert "Her squadron follows in line (2)" in page and "Cannot follow: Fortuna." in page
    line = courses_on(page[page.index('id="plan"') :])[1]
    assert {name: each["speed"] for name, each in line.items()} == {"r1": 2, "r2": 2}
    order(rome, store, line)
    ships = store.load(rome.game).state.ships
    assert [ships[name].plot for name in ("r1", "r2", "r3")] == [2, 2, None]


def draw(seat, store, way: str, **more):
    return seat.post("/course", partial=True, ship="r1", drawn=way, seen=store.game(seat.game).version, **more)


def test_a_course_that_is_drawn_goes_through_the_hexes_of_the_finger(battle, store):
    rome = battle({**fleet(), "step": "plot", "phase": None})["rome"]
    position = store.load(rome.game).state
    assert draw(rome, store, "4,3;5,3").status_code == 200
    (kept,) = courses(store, rome.game).values()
    assert [leg.turn for leg in kept.legs] == ["none", "left"] and position.ships["r1"].at == (4, 2)
    assert store.load(rome.game).state.ships["r1"].plot == 2


def test_a_finger_that_skips_a_hex_means_the_shortest_course_and_the_line_follows_where_it_can(battle, store):
    rome = battle(fleet())["rome"]
    assert draw(rome, store, "4,5", line="1").status_code == 200
    ships = store.load(rome.game).state.ships
    assert (ships["r1"].at, ships["r2"].at) == ((4, 5), (4, 4)), "both have rowed the three steps of the turn"


@pytest.mark.parametrize("way", ["", "9,9", "4,3;x", "4,3;4,4;4,5;4,6;4,7;4,8;4,9;4,10", "1e9,1"])
def test_what_leads_nowhere_is_refused_and_changes_nothing(battle, store, way):
    rome = battle(fleet())["rome"]
    answer = draw(rome, store, way)
    assert answer.status_code == 422 and "no course leads there in this turn" in answer.text
    assert store.game(rome.game).version == 0 and courses(store, rome.game) == {}


def test_nobody_draws_a_course_for_anothers_ship(battle, store):
    seats = battle(fleet())
    answer = draw(seats["carthage"], store, "4,3")
    assert answer.status_code == 422 and courses(store, seats["rome"].game) == {}
    assert "data-draws" not in seats["carthage"].get("", ship="r1").text
    assert "data-draws" in seats["rome"].get("", ship="r1").text


def test_the_whole_fleet_rows_ahead_with_one_tap(battle, store):
    seats = battle(fleet())
    rome = seats["rome"]
    page = rome.get().text
    assert "All ahead, the whole turn (2)" in page
    order(rome, store, courses_on(page)[0])
    assert store.load(rome.game).state.turn == 2


def test_the_whole_fleet_is_not_sent_again_where_that_would_change_nothing(battle, store):
    """Two who close each other's way, bow to bow: once they were sent ahead in vain, only their bows are left to turn."""
    position = fleet()
    position["ships"]["r1"] |= {"at": [4, 4], "facing": "N"}
    position["ships"]["r2"] |= {"at": [4, 3]}
    rome = battle(position)["rome"]
    page = rome.get().text
    assert "All ahead, the whole turn (2)" in page
    order(rome, store, courses_on(page)[0])
    assert steps_of(store, rome.game) == []
    page = rome.get().text
    assert "All ahead" not in page and "All turn left (2)" in page


def test_on_the_measured_sea_a_point_is_tapped(battle, store):
    roman = {"side": "rome", "type": "quinquereme", "facing": 90, "speed": 3, "straight": 5}
    position = {
        "board": {"kind": "open", "width": 20, "height": 12},
        "sides": SIDES,
        "step": "move",
        "phase": 2,
        "ships": {
            "r1": {**roman, "name": "Aquila", "at": [3, 6]},
            "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "at": [17, 6], "facing": 270},
        },
    }
    rome = battle(position)["rome"]
    assert "data-base=" in rome.get("", ship="r1").text
    page = rome.get("", ship="r1", to="5,8").text
    (alone,) = courses_on(page[page.index('id="plan"') :].split("</section>")[0])
    assert alone["r1"]["legs"][0]["angle"] == 45
    order(rome, store, alone)
    assert store.load(rome.game).state.ships["r1"].facing == 135


@pytest.mark.parametrize(
    "written", ["[]", "{", '{"r1":{"legs":[{"turn":"up","way":1}]}}', '{"r9":{"legs":[]}}', '{"c1":{"legs":[]}}']
)
def test_a_broken_or_foreign_course_is_refused_and_changes_nothing(battle, store, written):
    rome = battle(fleet())["rome"]
    answer = rome.post("/course", partial=True, course=written, seen=0)
    assert answer.status_code == 422 and store.file.rows("select * from courses") == []
    assert rome.post("/course", partial=True, course="{}", seen=7).status_code == 409
