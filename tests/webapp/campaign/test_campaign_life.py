"""Campaign life: who is waited for, calls and their failures, notes, the chronicle, adjustments, the organizer."""

from __future__ import annotations

import http.server
import io
import json
import socket
import threading
from datetime import UTC, datetime, timedelta

import pytest
from test_campaign_page import ready

from kit.open_war import play, position, run_turn
from kit.wars import War
from webapp.post import webhooks
from webapp.post.deadlines import waits, when
from webapp.post.postman import Notifier, Told


def act(war, seat):
    war.post(seat, "command", command=json.dumps(ready(war.page(seat).text)[0]))


# Waiting -----------------------------------------------------------------------------------------------


def test_who_is_waited_for_since_the_entry_that_made_it_his_turn(war, store):
    began = store.entry(war.id, 0).time
    assert [(wait.seat, wait.since) for wait in waits(store, store.load(war.id))] == [("rome", began)]
    act(war, "rome")
    seat = store.load(war.id).system.waiting_for(war.state)[0]
    assert [(wait.seat, wait.since) for wait in waits(store, store.load(war.id))] == [
        (seat, store.entry(war.id, 1).time)
    ]


def test_who_is_waited_for_stays_waited_for_since_then_whatever_others_do_meanwhile(war, store, monkeypatch):
    """Thirty acts of the umpire later it is still the first of them; deadlines do not drift."""
    began = store.entry(war.id, 0).time
    for units in range(30):
        changes = {"spaces.rome.rome.units": 3 + units % 2}
        store.submit(war.id, units, "umpire", {"type": "adjust", "changes": changes, "why": "to and fro"})
        assert [(wait.seat, wait.since) for wait in waits(store, store.load(war.id))] == [("rome", began)]
    read = []
    state_after = store.state_after
    monkeypatch.setattr(store, "state_after", lambda game, number: read.append(number) or state_after(game, number))
    waits(store, store.load(war.id))
    assert read == [], "what was read before is not read again"


def test_a_moment_is_said_by_hour_weekday_or_date(app):
    now = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
    with app.test_request_context():
        assert when("2026-11-20T16:30:00Z", now) == "16:30"
        assert when("2026-11-17T16:30:00Z", now) == "Tuesday"
        assert when("2026-10-02T16:30:00Z", now) == "2 October 2026"


# Calls -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/x",
        "http://localhost/x",
        "http://[::1]/x",
        "http://10.1.2.3/x",
        "http://192.168.0.9/x",
        "http://169.254.169.254/latest",
        "http://[::ffff:127.0.0.1]/x",
        "http://[fe80::1]/x",
        "http://0.0.0.0/x",
        "http://2130706433/x",
        "http://100.64.0.1/x",
        "http://[2002:7f00:1::]/x",
        "http://[::127.0.0.1]/x",
        "http://[::10.0.0.1]/x",
        "http://[::ffff:0:127.0.0.1]/x",
        "http://[fec0::1]/x",
        "http://[3fff::1]/x",
        "http://[5f00::1]/x",
        "http://[2600::5efe:10.0.0.1]/x",
        "http://[64:ff9b:1::1.1.1.1]/x",
        "http://sub.localhost./x",
        "http://0x7f.1/x",
    ],
)
def test_a_call_never_reaches_the_servers_own_network(url):
    with pytest.raises(webhooks.NotAllowed):
        webhooks.read_address(url, near=False)


@pytest.mark.parametrize("machine", ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"])
def test_a_call_reaches_machines_of_the_internet(machine):
    assert webhooks.is_public(machine)


@pytest.fixture
def names(monkeypatch):
    """What names stand for; each that is looked up is noted with the thread that does so."""
    known, asked = {}, []

    def look_up(host, port, *_, **__):
        asked.append((host, threading.current_thread().name))
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (machine, port)) for machine in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known, asked


def test_no_name_is_looked_up_while_a_request_waits(war, store, names):
    known, asked = names
    known["slow.example"] = ["10.0.0.1"]
    answer = war.post("rome", "calls", url="http://slow.example/hook", at_once="1")
    assert answer.status_code == 303 and webhooks.call_of(store, war.id, "rome").url == "http://slow.example/hook"
    assert all(thread == "navarch-call" for _, thread in asked)


def test_a_name_is_looked_up_when_it_is_called_and_all_its_machines_must_be_public(names):
    known, asked = names
    known["two.example"] = ["1.1.1.1", "10.0.0.1"]
    with pytest.raises(webhooks.Failed, match="own network"):
        webhooks.post("http://two.example/hook", {}, near=False)
    assert [host for host, _ in asked] == ["two.example"]


def test_the_machine_that_was_checked_is_the_one_that_is_called(names, monkeypatch):
    known, asked = names
    known["one.example"] = ["1.1.1.1"]
    reached = []

    def connect(place, *_):
        reached.append(place)
        raise OSError("no way there")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(webhooks.Failed, match="no way there"):
        webhooks.post("http://one.example:8080/hook", {}, near=False)
    assert reached == [("1.1.1.1", 8080)] and len(asked) == 1


def test_an_address_says_only_so_often_where_it_is_to_be_called(war, app):
    for _ in range(app.config["CALLS_A_MINUTE"]):
        assert war.post("rome", "calls", url="").status_code == 303
    assert war.post("rome", "calls", url="").status_code == 429


@pytest.mark.parametrize(
    "url", ["ftp://example.org/x", "file:///etc/passwd", "https://me:you@example.org/", "x", "https://a:99999/"]
)
def test_a_call_goes_to_a_plain_web_address(url):
    with pytest.raises(webhooks.NotAllowed):
        webhooks.read_address(url, near=True)


def test_an_address_at_home_is_refused_on_the_page_and_not_kept(war, store):
    answer = war.post("rome", "calls", url="http://127.0.0.1:1/hook", at_once="1")
    assert answer.status_code == 422 and "own network" in answer.text
    assert webhooks.call_of(store, war.id, "rome") is None


class Hook(http.server.BaseHTTPRequestHandler):
    heard: list = []
    status = 204

    def do_POST(self):
        size = int(self.headers["Content-Length"])
        self.heard.append(json.loads(self.rfile.read(size)))
        self.send_response(self.status)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *args):
        pass


@pytest.fixture
def hook():
    Hook.heard, Hook.status = [], 204
    server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook"
    server.shutdown()
    server.server_close()


@pytest.fixture
def notifier(app, store):
    app.config["CALLS_MAY_STAY_HOME"] = True
    made = Notifier(app, store)
    made.start = lambda: None  # the tests run it themselves
    return made


def ring(notifier, game, now=None):
    notifier.run(game, now)


def test_a_seat_is_told_once_when_it_becomes_its_turn(war, store, hook, notifier):
    webhooks.keep(store, war.id, "rome", hook, True, False, "http://house", near=True)
    ring(notifier, war.id)
    ring(notifier, war.id)
    assert [(heard["seat"], heard["game"]) for heard in Hook.heard] == [("rome", war.id)]
    assert Hook.heard[0]["link"] == f"http://house/g/{war.id}/home?seat=rome"
    assert webhooks.call_of(store, war.id, "rome").told == 0


def test_a_seat_that_need_not_act_is_left_in_peace(war, store, hook, notifier):
    webhooks.keep(store, war.id, "carthage", hook, True, True, "", near=True)
    ring(notifier, war.id)
    ring(notifier, None, datetime.now(UTC) + timedelta(days=9))
    assert Hook.heard == []


def test_the_daily_digest_comes_once_a_day_as_long_as_it_is_the_seats_turn(war, store, hook, notifier):
    webhooks.keep(store, war.id, "rome", hook, False, True, "", near=True)
    ring(notifier, None)
    assert Hook.heard == []
    ring(notifier, None, datetime.now(UTC) + timedelta(days=1))
    ring(notifier, None, datetime.now(UTC) + timedelta(hours=1))
    assert len(Hook.heard) == 1


def test_a_digest_tells_only_what_the_seat_may_know(war, store, hook, notifier):
    webhooks.keep(store, war.id, "rome", hook, True, False, "", near=True)
    ring(notifier, war.id)
    whole = json.dumps(Hook.heard)
    assert "hands" not in whole and "state" not in whole


def test_a_seat_is_told_once_who_asks_for_its_word(store, client, hook, notifier):
    war = War(store, client, "open_campaign", position=position())
    run_turn(war)
    webhooks.keep(store, war.id, "cretans", hook, True, False, "", near=True)
    ring(notifier, war.id)
    play(war, {"type": "propose", "side": "rhodes", "to": "cretans", "terms": ["peace"], "text": "Not for others."})
    ring(notifier, war.id)
    ring(notifier, war.id)
    _turn, asked = Hook.heard
    assert asked["text"].startswith(f"{asked['title']}: A treaty from Rhodes is waiting for your answer.")
    assert "Not for others" not in asked["text"]
    play(war, {"type": "denounce", "side": "cretans", "to": "rhodes"})
    play(war, {"type": "propose", "side": "rhodes", "to": "cretans", "terms": ["markets"]})
    ring(notifier, None, datetime.now(UTC) + timedelta(days=9))
    assert len(Hook.heard) == 2, "a seat that wants no digest gets none"
    ring(notifier, war.id)
    assert len(Hook.heard) == 3


def test_a_failure_is_kept_and_shown_and_a_success_clears_it(war, store, hook, notifier):
    webhooks.keep(store, war.id, "rome", hook, True, False, "", near=True)
    Hook.status = 500
    ring(notifier, war.id)
    assert "500" in webhooks.call_of(store, war.id, "rome").failure
    assert "answered 500" in war.page("rome", "calls").text
    assert "answered 500" in war.client.get("/organizer").text
    Hook.status = 200
    with notifier.app.app_context():
        table = store.load(war.id)
        notifier.tell(webhooks.call_of(store, war.id, "rome"), table, Told(waits(store, table)[0], (), ""))
    assert webhooks.call_of(store, war.id, "rome").failure is None


@pytest.mark.parametrize(("lang", "words"), [("en", "Rome, you must"), ("ru", "Рим, вам нужно"), ("it", "Roma: devi")])
def test_a_call_speaks_the_language_in_which_it_was_asked_for(war, store, hook, notifier, lang, words):
    war.client.get(f"/?lang={lang}")
    war.post("rome", "calls", url=hook, at_once="1")
    assert webhooks.call_of(store, war.id, "rome").lang == lang
    ring(notifier, war.id)
    assert words in Hook.heard[0]["text"]


def test_a_redirect_is_not_followed(war, store, hook, notifier):
    webhooks.keep(store, war.id, "rome", hook, True, False, "", near=True)
    Hook.status = 302
    ring(notifier, war.id)
    assert len(Hook.heard) == 1
    assert "302" in webhooks.call_of(store, war.id, "rome").failure


def test_a_change_reaches_the_thread(war, store, hook, app):
    app.config["CALLS_MAY_STAY_HOME"] = True
    webhooks.keep(store, war.id, "rome", hook, True, False, "", near=True)
    Notifier(app, store)
    store.announce(war.id, 0, 1)
    for _wait in range(100):
        if webhooks.call_of(store, war.id, "rome").told == 0:
            break
        threading.Event().wait(0.05)
    assert len(Hook.heard) == 1


# Notes and the chronicle -------------------------------------------------------------------------------


def test_a_note_is_read_by_those_whom_its_writer_chose(war):
    war.post("rome", "chronicle", text="We mean to cross to Africa.", seen_by="side")
    war.post("rome", "chronicle", text="The Senate trusts its consuls.", seen_by="all")
    assert "cross to Africa" in war.page("rome", "chronicle").text
    assert "cross to Africa" in war.page("umpire", "chronicle").text
    assert "cross to Africa" not in war.page("carthage", "chronicle").text
    assert "trusts its consuls" in war.page("carthage", "chronicle").text


def test_a_note_is_text_and_never_markup(war):
    war.post("rome", "chronicle", text="<script>alert(1)</script>")
    assert "<script>alert" not in war.page("carthage", "chronicle").text


def test_an_empty_note_is_refused(war):
    assert war.post("rome", "chronicle", text="  ").status_code == 422
    assert war.post("spectator", "chronicle", text="boo").status_code == 422


def test_only_the_writer_and_the_umpire_remove_a_note(war, store):
    war.post("rome", "chronicle", text="Ours.")
    id = store.file.rows("select id from notes")[0]["id"]
    war.post("carthage", "chronicle", strike=str(id))
    assert "Ours." in war.page("carthage", "chronicle").text
    war.post("rome", "chronicle", strike=str(id))
    assert "Ours." not in war.page("carthage", "chronicle").text


def test_the_chronicle_leaves_out_what_was_taken_back(war):
    war.post("umpire", "adjust", path="spaces.gergovia.control", value="rome", why="for the test")
    told = war.page("rome", "chronicle").text
    assert "for the test" in told
    war.post("umpire", "undo")
    assert "for the test" not in war.page("rome", "chronicle").text


# The umpire and the organizer --------------------------------------------------------------------------


def test_the_umpire_adjusts_with_a_reason(war):
    answer = war.post("umpire", "adjust", path="spaces.rome.rome.units", value="9", why="miscounted")
    assert answer.status_code == 303
    assert war.state.spaces["rome"].rome.units == 9
    assert "miscounted" in war.page("carthage", "log").text


def test_an_adjustment_of_no_field_is_refused_and_changes_nothing(war):
    answer = war.post("umpire", "adjust", path="spaces.rome.rome.unit", value="9", why="a slip")
    assert answer.status_code == 422 and war.version == 0
    assert war.post("umpire", "adjust", path="", value="", why="x").status_code == 422


def test_a_side_does_not_see_the_umpires_form(war):
    assert war.page("rome", "adjust").status_code in (403, 422)
    assert war.post("rome", "adjust", path="turn", value="2", why="x").status_code in (403, 422)
    assert war.version == 0


def test_the_organizer_sees_all_games_at_the_server_and_elsewhere_his_own(war, app):
    with app.test_client() as stranger:
        assert war.id in stranger.get("/organizer").text
        away = stranger.get("/organizer", environ_base={"REMOTE_ADDR": "10.0.0.7"})
        assert away.status_code == 200 and war.id not in away.text
    assert war.id in war.client.get("/organizer", environ_base={"REMOTE_ADDR": "10.0.0.7"}).text


def test_an_exported_game_comes_back_by_the_organizers_form(war, store):
    exported = war.client.get(f"/api/v1/games/{war.id}/export?seat=umpire")
    assert exported.status_code == 200
    sent = {"csrf_token": war.csrf(), "file": (io.BytesIO(exported.data), "war.json")}
    answer = war.client.post("/organizer/import", data=sent)
    assert answer.status_code == 303
    games = store.games()
    assert len(games) == 2
    assert store.load(games[0].id).state == store.load(games[1].id).state


def test_a_broken_file_is_refused_with_a_sentence(war):
    sent = {"csrf_token": war.csrf(), "file": (io.BytesIO(b"{"), "war.json")}
    assert war.client.post("/organizer/import", data=sent).status_code == 422


def test_a_deleted_game_leaves_no_calls_and_no_notes(war, store):
    war.post("rome", "chronicle", text="Gone soon.")
    webhooks.keep(store, war.id, "rome", "http://127.0.0.1:9/", True, False, "", near=True)
    store.delete(war.id)
    assert store.file.rows("select * from notes") == [] and store.file.rows("select * from calls") == []
