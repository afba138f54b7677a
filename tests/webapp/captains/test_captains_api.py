"""Hints, seats in captains' hands and forecasts over the API."""

from __future__ import annotations

import threading
import time

import pytest

from tactical import GALLEY
from tactical.courses import Leg
from webapp import create_app
from webapp.captains.courses import Course, keep
from webapp.captains.seats import CaptainRunner, Held, hand_over, held_in, think
from webapp.storage.journal.store import Store

TOY = {
    "sides": {"rome": {"navy": "roman"}, "carthage": {"navy": "hellenistic"}},
    "board": {"columns": 12, "rows": 9},
    "turn_limit": 3,
    "ships": {
        "r1": {"side": "rome", "type": "quinquereme", "at": [3, 2], "facing": "SE", "speed": 2},
        "c1": {"side": "carthage", "type": "quinquereme", "at": [11, 2], "facing": "NW", "speed": 2},
    },
}


class Game:
    """A battle that a test plays over the API."""

    def __init__(self, app, **wanted):
        self.app, self.client = app, app.test_client()
        made = self.client.post("/api/v1/games", json={"system": "galley", "position": TOY, **wanted}).json
        self.id, self.tokens = made["id"], {seat["id"]: seat["token"] for seat in made["seats"]}

    def get(self, seat, what=""):
        return self.client.get(f"/api/v1/games/{self.id}{what}", headers=self.as_(seat))

    def post(self, by, what, **body):
        return self.client.post(f"/api/v1/games/{self.id}/{what}", json=body, headers=self.as_(by))

    def as_(self, seat):
        return {"Authorization": f"Bearer {self.tokens[seat]}"}

    def until(self, true, patience=120.0):
        """Wait until the umpire's look at the game satisfies `true`."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            shown = self.get("umpire").json
            if true(shown):
                return shown
            time.sleep(0.02)
        raise AssertionError(f"in vain: {self.get('umpire', '/captains').json}")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "games.db", {"galley": GALLEY})


@pytest.fixture
def app(store):
    return create_app(
        {"STORE": store, "TESTING": True, "PROPAGATE_EXCEPTIONS": False, "CAPTAINS_PACE": 0, "FORECAST_WORKERS": 1}
    )


@pytest.fixture
def game(app):
    return Game(app)


def test_a_hint_says_what_why_and_what_else_and_changes_nothing(game):
    answer = game.post("rome", "hint")
    assert answer.status_code == 200
    assert answer.json["command"]["type"] == "plot" and answer.json["command"]["ship"] == "r1"
    assert all(each["text"] for each in answer.json["reasons"]) and answer.json["considered"]
    assert {each["command"]["speed"] for each in answer.json["considered"]} >= {1, 2}
    assert game.get("umpire").json["version"] == 0
    taken = game.post("rome", "commands", command=answer.json["command"], seen=0)
    assert taken.status_code == 200


def test_the_umpire_turns_hints_off_and_on_again(game):
    assert game.post("rome", "hints", on=False).status_code == 403
    assert game.post("umpire", "hints", on=False).json == {"on": False}
    refused = game.post("rome", "hint")
    assert refused.status_code == 403 and "hints" in refused.json["error"]
    assert game.post("umpire", "hint").status_code == 200
    assert game.get("rome", "/captains").json["hints"] is False
    game.post("umpire", "hints", on=True)
    assert game.post("rome", "hint").status_code == 200


def test_a_spectator_gets_no_hint_and_hands_no_seat_over(game):
    assert game.post("spectator", "hint").status_code == 403
    assert game.post("spectator", "captains", seat="rome", level="able").status_code == 403
    assert game.post("carthage", "captains", seat="rome", level="able").status_code == 403
    wrong = game.post("umpire", "captains", seat="sparta", level="able")
    assert wrong.status_code == 400 and wrong.json["detail"]["path"] == "seat"
    wrong = game.post("umpire", "captains", seat="rome", level="divine")
    assert wrong.status_code == 400 and wrong.json["detail"]["path"] == "level"


def test_two_captains_play_a_battle_to_its_end_and_the_journal_says_who(game):
    for seat, level in (("rome", "able"), ("carthage", "seasoned")):
        held = game.post(seat, "captains", seat=seat, level=level)
        assert held.status_code == 200, held.text
    shown = game.until(lambda it: it["over"])
    journal = game.get("umpire", "/journal").json["entries"]
    assert len(journal) == shown["version"]
    marks = [event for entry in journal for event in entry["events"] if event["type"] == "captain"]
    assert len(marks) == len(journal)
    assert {(mark["side"], mark["level"]) for mark in marks} == {("rome", "able"), ("carthage", "seasoned")}
    why = game.get("umpire", f"/journal/{journal[0]['number']}/why").json
    assert why["command"] == journal[0]["command"] and why["reasons"][0]["text"]


def test_the_steps_of_a_players_course_are_not_the_captains_that_it_follows(store, app):
    unarmed = {name: {**ship, "archers": 0, "catapults": 0} for name, ship in TOY["ships"].items()}
    game = Game(app, position={**TOY, "ships": unarmed})
    for command in ({"type": "plot", "ship": "r1", "speed": 2}, {"type": "lock", "side": "rome"}):
        game.post("rome", "commands", command=command, seen=store.game(game.id).version)
    legs = (Leg("none"), Leg("none"))
    keep(store, game.id, [Course("r1", "rome", 1, legs, store.game(game.id).version, seen=("c1",))])
    game.post("carthage", "captains", seat="carthage", level="able")
    game.until(lambda it: it["state"]["ships"]["r1"]["at"] != [3, 2])
    journal = game.get("umpire", "/journal").json["entries"]
    steps = [entry for entry in journal if entry["seat"] == "rome" and entry["command"]["type"] == "step"]
    assert steps and steps[0]["number"] > 3
    by_captain = [entry for entry in journal if any(event["type"] == "captain" for event in entry["events"])]
    assert {entry["seat"] for entry in by_captain} == {"carthage"}
    assert game.get("rome", f"/journal/{steps[0]['number']}/why").status_code == 404


def test_a_captain_takes_its_turn_by_itself_and_gives_the_seat_back(game):
    game.post("umpire", "captains", seat="carthage", level="able", until="prompt")
    game.until(lambda it: it["version"] == 1 and not game.get("rome", "/captains").json["captains"])
    game.post("carthage", "captains", seat="carthage", level="able")
    shown = game.until(lambda it: it["waiting_for"] == ["rome"])
    assert shown["state"]["sides"]["carthage"]["locked"]
    back = game.post("carthage", "captains", seat="carthage", level=None)
    assert back.json["captains"] == []


def test_a_captain_lets_no_player_wait_and_lets_those_who_only_look_on_follow(game, app):
    app.extensions["navarch"].captains.pace = 3600.0
    game.post("umpire", "captains", seat="carthage", level="able")
    shown = game.until(lambda it: it["waiting_for"] == ["rome"])
    assert shown["version"] >= 2, "the plot and the lock, without a pause between them"
    game.post("umpire", "captains", seat="rome", level="able")
    game.until(lambda it: it["version"] > shown["version"])
    time.sleep(0.5)  # nothing more comes
    assert game.get("umpire").json["version"] == shown["version"] + 1


def test_a_seat_is_given_back_with_the_next_turn(game):
    game.post("umpire", "captains", seat="carthage", level="raw", until="turn")
    game.post("umpire", "captains", seat="rome", level="raw")
    game.until(lambda it: it["state"]["turn"] == 2 and it["waiting_for"] == ["carthage"])
    game.until(lambda it: [held["seat"] for held in game.get("rome", "/captains").json["captains"]] == ["rome"])


def test_the_reasons_of_a_hidden_plot_stay_hidden_with_it(game):
    game.post("carthage", "captains", seat="carthage", level="able")
    game.until(lambda it: it["waiting_for"] == ["rome"])
    assert game.get("carthage", "/journal/1/why").status_code == 200
    assert game.get("rome", "/journal/1/why").status_code == 403
    assert "speed" not in str([entry["command"] for entry in game.get("rome", "/journal").json["entries"]])


def test_with_physical_dice_a_captains_roll_waits_for_the_table(app):
    raw = {
        **TOY,
        "step": "board",
        "phase": 6,
        "turn": 2,
        "ships": {
            "r1": {**TOY["ships"]["r1"], "at": [5, 3], "heavy": 10},
            "c1": {**TOY["ships"]["c1"], "at": [6, 3], "medium": 1},
        },
    }
    game = Game(app, position=raw, dice="physical")
    game.post("umpire", "captains", seat="rome", level="able")
    shown = game.until(lambda it: it["roll_needed"] is not None)
    assert shown["roll_needed"]["rule"] == "G8.1" and shown["version"] == 0
    command = shown["roll_needed"]["command"]
    assert command["type"] == "board"
    asked = game.post("umpire", "commands", command=command, seen=0, rolls="digital")
    assert asked.status_code == 200, asked.text
    first = game.get("umpire", "/journal").json["entries"][0]
    assert first["seat"] == "rome" and "captain" in [event["type"] for event in first["events"]]


def test_a_captain_goes_on_after_a_restart(store, game):
    hand_over(store, Held(game.id, "carthage", "able"))
    before = store.game(game.id).version
    again = Store(store.file.path, {"galley": GALLEY})
    keeper = CaptainRunner(again, 0.0, False)
    end = time.monotonic() + 120
    while "carthage" in GALLEY.waiting_for(store.load(game.id).state) and time.monotonic() < end:
        time.sleep(0.02)
    assert store.game(game.id).version > before and keeper.store is again
    assert [held.fault for held in held_in(store, game.id)] == [""]


# Forecasts ------------------------------------------------------------------------------------------------


def finished(client, name, patience=180.0):
    """The forecast when it is done."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found = client.get(f"/api/v1/forecasts/{name}").json
        if found["done"]:
            return found
        time.sleep(0.1)
    raise AssertionError(found)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_in_one_thought_stops_no_captain_for_good(game, monkeypatch):
    has_failed = threading.Event()

    def think_once(*asked):
        if not has_failed.is_set():
            has_failed.set()
            raise LookupError("a fault of ours")
        return think(*asked)

    monkeypatch.setattr("webapp.captains.seats.think", think_once)
    keeper = game.app.extensions["navarch"].captains
    game.post("umpire", "captains", seat="carthage", level="able")
    assert has_failed.wait(60)
    end = time.monotonic() + 60
    while not keeper.is_at_rest and time.monotonic() < end:
        time.sleep(0.01)  # at rest after the fault; or, when it had more than one change to look at, after its plot
    seen = game.get("umpire").json["version"]
    game.post("rome", "commands", command={"type": "plot", "ship": "r1", "speed": 1}, seen=seen)
    game.until(lambda it: it["state"]["sides"]["carthage"]["locked"])


def test_a_forecast_runs_in_processes_of_its_own_and_is_read_and_kept(game):
    made = game.client.post(
        "/api/v1/forecasts", json={"position": TOY, "battles": 6, "levels": {"rome": "raw"}, "seed": 3}
    )
    assert made.status_code == 202, made.text
    found = finished(game.client, made.json["id"])
    assert found["battles"] == found["of"] == 6 and found["status"] == "done"
    assert set(found["wins"]) == {"rome", "carthage"} and found["wins"]["rome"].keys() == {"share", "low", "high"}
    assert set(found["losses"]) == {"rome", "carthage"} and set(found["ships"]) == {"r1", "c1"}
    table = game.client.get(f"/api/v1/forecasts/{made.json['id']}?format=csv").text.splitlines()
    assert len(table) == 7 and table[0].startswith("battle,winner,turns")
    kept = game.client.post(f"/api/v1/forecasts/{made.json['id']}/samples/best")
    assert kept.status_code == 201
    token = {"Authorization": f"Bearer {kept.json['tokens']['umpire']}"}
    read = game.client.get(f"/api/v1/games/{kept.json['id']}", headers=token).json
    assert read["over"] and read["version"] > 4
    assert game.client.post(f"/api/v1/forecasts/{made.json['id']}/samples/nicest").status_code == 404


def test_a_forecast_is_stopped_and_its_battles_stay(game):
    made = game.client.post("/api/v1/forecasts", json={"scenario": "mylae", "battles": 2000})
    name = made.json["id"]
    stopped = game.client.delete(f"/api/v1/forecasts/{name}").json
    assert stopped["done"] and stopped["status"] == "stopped" and stopped["battles"] < 2000
    assert game.client.get(f"/api/v1/forecasts/{name}").json["status"] == "stopped"


@pytest.mark.parametrize(
    "wrong, path",
    [
        ({"scenario": "mylae", "battles": 0}, "battles"),
        ({"scenario": "nowhere"}, "scenario"),
        ({}, "scenario"),
        ({"scenario": "mylae", "levels": {"sparta": "able"}}, "levels.sparta"),
        ({"scenario": "mylae", "levels": {"rome": "divine"}}, "levels.rome"),
        ({"scenario": "mylae", "hurry": 1}, "hurry"),
        ({"position": {"ships": {}}}, "position.ships"),
    ],
)
def test_a_bad_forecast_is_refused_with_the_path(game, wrong, path):
    answer = game.client.post("/api/v1/forecasts", json=wrong)
    assert answer.status_code == 400 and answer.json["detail"]["path"] == path


def test_a_forecast_of_a_game_needs_a_seat_in_it(game):
    assert game.client.post("/api/v1/forecasts", json={"game": game.id, "battles": 1}).status_code == 401
    made = game.client.post("/api/v1/forecasts", json={"game": game.id, "battles": 1}, headers=game.as_("rome"))
    assert made.status_code == 202
    assert finished(game.client, made.json["id"])["battles"] == 1
    assert game.client.get("/api/v1/forecasts/unknown").status_code == 404


def test_a_captain_answers_at_once_that_an_act_is_taken_back(app, store, game):
    """Its own orders are locked, so that it has nothing to do meanwhile."""
    plots = ({"type": "plot", "ship": "c1", "speed": 2}, {"type": "lock", "side": "carthage"})
    for seen, command in enumerate((*plots, {"type": "plot", "ship": "r1", "speed": 2})):
        assert game.post("umpire", "commands", command=command, seen=seen).status_code == 200
    hand_over(store, Held(game.id, "carthage", "able", fault="it stands aside"))
    assert game.post("rome", "undo", seen=3, consent=True).json["missing"] == ["carthage"]
    game.post("rome", "undo", seen=3, refuse=True)
    hand_over(store, Held(game.id, "carthage", "able"))
    assert game.post("rome", "undo", seen=3, consent=True).json["undone"]


def test_a_seat_is_handed_to_a_captain_of_a_temper_and_the_old_fields_stay(game):
    handed = game.post("umpire", "captains", seat="carthage", level="able", temper="rammer")
    assert handed.status_code == 200
    (held,) = game.get("umpire", "/captains").json["captains"]
    assert (held["level"], held["temper"]) == ("able", "rammer")
    assert game.post("umpire", "captains", seat="rome", level="raw").status_code == 200, "no temper need be named"
    assert game.post("umpire", "captains", seat="rome", level="raw", temper="gentle").status_code == 400
    assert game.post("rome", "hint", level="able", temper="careful").status_code == 200
