"""Clocks by side: they run for who is awaited, stand while nobody is, outlive a restart, and force nothing."""

from __future__ import annotations

import html
import random
import re
from pathlib import Path

import pytest

from kit.readers import Reader
from tactical.kernel.dice import random_source
from tactical.kernel.record import BadInput
from webapp import create_app
from webapp.pages.battle.side_heads import clock_text
from webapp.storage.journal.store import Store
from webapp.storage.services import archive, clocks
from webapp.storage.services.clocks import Rule

DUEL = {
    "board": {"columns": 12, "rows": 9},
    "sides": {"rome": {"name": "Rome"}, "carthage": {"name": "Carthage"}},
    "ships": {
        "r1": {"side": "rome", "name": "Aquila", "type": "quinquereme", "at": [2, 2], "facing": "SE", "speed": 0},
        "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "at": [9, 0], "facing": "NW", "speed": 0},
    },
    "turn_limit": 5,
}
BOTH = {"rome", "carthage"}


@pytest.fixture
def wrist(monkeypatch):
    """The world's time, in the hands of the test."""
    time = [1000.0]
    monkeypatch.setattr(clocks, "clock", lambda: time[0])
    return time


class Played:
    """A battle on a server, its seats, and what its clocks show."""

    def __init__(self, path: Path, dice: str = "digital") -> None:
        self.path = path
        self.store = Store(path, source=random_source(random.Random(3).randrange))
        self.app = create_app({"STORE": self.store})
        game, self.tokens = self.store.create("galley", None, DUEL, dice=dice)
        self.game = game.id
        self.seats = {seat: Reader(self.app, game.id, seat, token) for seat, token in self.tokens.items()}

    def say(self, seat: str, **command: object) -> None:
        self.store.submit(self.game, self.store.game(self.game).version, seat, command, "digital")

    def shows(self) -> dict[str, float]:
        kept = clocks.clocks(self.store, self.game)
        return {side: kept.shows(side, clocks.clock()) for side in ("rome", "carthage")}

    def runs(self) -> set[str]:
        return set(clocks.clocks(self.store, self.game).runs)

    def lock(self) -> None:
        for side, ship in (("rome", "r1"), ("carthage", "c1")):
            self.say(side, type="plot", ship=ship, speed=0)
            self.say(side, type="lock", side=side)

    def turn(self) -> None:
        before = self.store.load(self.game).state.turn
        self.lock()
        while self.store.load(self.game).state.turn == before:
            side = self.store.load(self.game).waiting_for[0]
            self.say(side, type="done", side=side)


@pytest.fixture
def played(tmp_path, wrist):
    return Played(tmp_path / "games.db")


def test_a_clock_runs_while_its_side_is_awaited_and_no_longer(played, wrist):
    clocks.set_clocks(played.store, played.game, Rule(600))
    assert played.runs() == BOTH
    wrist[0] += 60
    assert played.shows() == {"rome": 540, "carthage": 540}
    played.say("rome", type="plot", ship="r1", speed=0)
    played.say("rome", type="lock", side="rome")
    wrist[0] += 30
    assert played.runs() == {"carthage"} and played.shows() == {"rome": 540, "carthage": 510}
    assert set(played.store.load(played.game).waiting_for) == played.runs(), "as the API says it to every seat"


def test_it_is_only_counted_where_no_time_is_set(played, wrist):
    clocks.set_clocks(played.store, played.game, Rule())
    wrist[0] += 75
    assert played.shows() == {"rome": 75, "carthage": 75}
    played.turn()
    assert played.shows() == {"rome": 75, "carthage": 75}, "no seconds are added to what is counted"


def test_a_new_turn_brings_its_seconds_once(played, wrist):
    clocks.set_clocks(played.store, played.game, Rule(600, 20))
    played.turn()
    assert played.store.load(played.game).state.turn == 2 and played.shows() == {"rome": 620, "carthage": 620}
    played.store.undo(played.game, played.store.game(played.game).version, "umpire")
    assert played.store.load(played.game).state.turn == 1
    side = played.store.load(played.game).waiting_for[0]
    played.say(side, type="done", side=side)
    assert played.store.load(played.game).state.turn == 2 and played.shows() == {"rome": 620, "carthage": 620}


def test_all_stand_when_the_battle_is_over_and_while_the_umpire_has_stopped_them(played, wrist):
    clocks.set_clocks(played.store, played.game, Rule(600))
    clocks.stop(played.store, played.game, True)
    wrist[0] += 1000
    played.say("rome", type="plot", ship="r1", speed=0)
    assert played.shows() == {"rome": 600, "carthage": 600}
    clocks.stop(played.store, played.game, False)
    wrist[0] += 10
    assert played.shows() == {"rome": 590, "carthage": 590}
    played.say("rome", type="resign", side="rome")
    wrist[0] += 1000
    assert played.runs() == set() and played.shows() == {"rome": 590, "carthage": 590}


def test_they_stand_while_the_battles_campaign_is_paused(played, wrist):
    campaign, _tokens = played.store.create("hannibal", played.store.systems["hannibal"].scenarios()[0].id)
    with played.store.write() as db:
        db.conn.execute("insert into links values (?, ?, 'e1')", (played.game, campaign.id))
    clocks.set_clocks(played.store, played.game, Rule(600))
    wrist[0] += 5
    archive.perform(played.store, campaign.id, "pause", "the umpire")
    wrist[0] += 500
    assert played.runs() == set() and played.shows() == {"rome": 595, "carthage": 595}
    archive.perform(played.store, campaign.id, "go_on", "the umpire")
    wrist[0] += 5
    assert played.shows() == {"rome": 590, "carthage": 590}


def test_while_dice_are_awaited_the_thrower_is(tmp_path, wrist):
    played = Played(tmp_path / "own.db", dice="physical")
    close = {"r1": {"at": [2, 2], "facing": "SE", "archers": 2}, "c1": {"at": [3, 2], "facing": "NW"}}
    ships = {name: {**ship, **close[name]} for name, ship in DUEL["ships"].items()}
    game, _tokens = played.store.create("galley", None, {**DUEL, "ships": ships}, dice="physical")
    played.game = game.id
    clocks.set_clocks(played.store, game.id, Rule())
    played.lock()
    offers = {side: played.store.load(game.id).offers(side) for side in BOTH}
    shooter = next(side for side in ("rome", "carthage") if any(each.type == "fire" for each in offers[side]))
    shot = {"type": "fire", "ship": "r1" if shooter == "rome" else "c1", "target": "c1" if shooter == "rome" else "r1"}
    weapon = next(each for each in offers[shooter] if each.type == "fire").fields["weapon"]
    version = played.store.game(game.id).version
    asked = played.store.submit(game.id, version, shooter, {**shot, "weapon": weapon, "count": 1}, None)
    assert asked.roll_needed is not None and played.runs() == {shooter}
    played.store.cancel_roll(game.id, version, "umpire")
    assert played.runs() == set(played.store.load(game.id).waiting_for)


def test_a_restart_changes_nothing(played, wrist):
    clocks.set_clocks(played.store, played.game, Rule(600, 5))
    wrist[0] += 100
    before = clocks.clocks(played.store, played.game)
    played.store.file.close()
    played.store = Store(played.path)
    create_app({"STORE": played.store})
    assert clocks.clocks(played.store, played.game) == before
    assert played.shows() == {"rome": 500, "carthage": 500}
    wrist[0] -= 5000  # the world's clock was put back
    assert played.shows() == {"rome": 600, "carthage": 600}


def test_time_that_is_up_is_said_and_forces_nothing(played, wrist):
    clocks.set_clocks(played.store, played.game, Rule(60))
    wrist[0] += 100
    report = played.seats["rome"].get("/report").text
    assert (
        re.findall(r"<td class=\"number\">(1:40)</td><td class=\"number\">(−0:40) <strong", report)
        == [("1:40", "−0:40")] * 2
    )
    assert "time is up" in report
    played.turn()
    assert played.store.load(played.game).state.turn == 2 and not played.store.game(played.game).over


def test_nothing_of_them_stands_in_the_game(played, wrist):
    entries = played.store.entries(played.game)
    revision = played.store.game(played.game).revision
    clocks.set_clocks(played.store, played.game, Rule(60))
    clocks.give(played.store, played.game, "rome", 300)
    assert played.store.entries(played.game) == entries
    assert played.store.game(played.game).revision == revision + 2, "pages that are open look again"
    played.store.delete(played.game)
    assert played.store.file.rows("select * from clocks") == []


def test_a_plot_that_nobody_sees_is_not_seen_by_the_clocks(played, wrist):
    """What a side has plotted before it locks changes no other's clock, and none of the page's figures."""
    clocks.set_clocks(played.store, played.game, Rule(600))
    wrist[0] += 7
    before = clocks.clocks(played.store, played.game)
    shown = re.findall(r"<span class=\"clock\"[^>]*>", played.seats["carthage"].get().text)
    played.say("rome", type="plot", ship="r1", speed=1)
    wrist[0] += 7
    assert clocks.clocks(played.store, played.game) == before and len(shown) == 2
    assert re.findall(r"<span class=\"clock\"[^>]*>", played.seats["carthage"].get().text) == shown


def test_every_seat_and_the_television_see_them_and_only_the_umpire_sets_them(played, wrist):
    assert "data-clock" not in played.seats["rome"].get().text
    umpire = played.seats["umpire"]
    answer = umpire.post("/clocks", act="set", clock="down", minutes="30", extra="15")
    assert answer.status_code == 303 and clocks.clocks(played.store, played.game).rule == Rule(1800, 15)
    for seat in played.seats.values():
        assert (
            seat.get().text.count('data-clock="1800.0"') == 2
            and "This battle has no clocks" not in seat.get("/clocks").text
        )
    assert played.app.test_client().get(f"/display/{played.game}").text.count('data-clock="1800.0"') == 2
    umpire.post("/clocks", act="give", side="rome", minutes="5")
    umpire.post("/clocks", act="stop")
    assert played.shows() == {"rome": 2100, "carthage": 1800} and clocks.clocks(played.store, played.game).is_stopped
    assert "The umpire has stopped the clocks." in played.seats["carthage"].get("/clocks").text
    for seat in ("rome", "spectator"):
        assert played.seats[seat].post("/clocks", act="go_on").status_code in (403, 422)
        assert (
            '<form method="post"'
            not in played.seats[seat].get("/clocks").text.partition("<main")[2].partition("</main")[0]
        )
    assert clocks.clocks(played.store, played.game).is_stopped
    umpire.post("/clocks", act="set", clock="")
    assert clocks.clocks(played.store, played.game) is None and "data-clock" not in played.seats["rome"].get().text


@pytest.mark.parametrize(
    "wrong", [{"minutes": "0"}, {"minutes": "601"}, {"minutes": "x"}, {"minutes": "5", "extra": "3601"}]
)
def test_what_is_no_clock_is_refused_in_a_sentence(played, wrist, wrong):
    answer = played.seats["umpire"].post("/clocks", act="set", clock="down", **wrong)
    assert answer.status_code == 422 and 'role="alert"' in answer.text
    assert clocks.clocks(played.store, played.game) is None
    with pytest.raises(BadInput):
        clocks.give(played.store, played.game, "nobody", 60)


def test_they_are_chosen_when_a_battle_is_set_up(tmp_path, wrist):
    played = Played(tmp_path / "games.db")
    client = played.seats["umpire"].client
    page = client.get("/new?system=galley&scenario=first_oars").text
    assert 'name="clock"' in page and 'name="clock"' not in client.get("/new?system=hannibal").text
    token = html.unescape(re.search(r'name="csrf_token" value="([^"]+)"', page)[1])
    form = {"csrf_token": token, "system": "galley", "scenario": "first_oars", "dice": "digital"}
    known = {game.id for game in played.store.games()}
    wrong = client.post("/new", data={**form, "clock": "down", "minutes": "0"})
    assert wrong.status_code == 400 and "from 1 to 600 minutes" in wrong.text
    assert {game.id for game in played.store.games()} == known
    for sent, rule in (
        ({}, None),
        ({"clock": "count"}, Rule()),
        ({"clock": "down", "minutes": "45", "extra": "30"}, Rule(2700, 30)),
    ):
        made = client.post("/new", data={**form, **sent}).location.rpartition("/")[2]
        kept = clocks.clocks(played.store, made)
        assert (kept and kept.rule) == rule


def test_how_a_clock_is_written():
    assert [clock_text(each) for each in (0, 59.9, 61, 3605, -0.5, -42)] == [
        "0:00",
        "0:59",
        "1:01",
        "1:00:05",
        "0:00",
        "−0:42",
    ]
