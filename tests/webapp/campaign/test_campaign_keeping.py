"""Copy, pause, end, archive: refused with a sentence, recorded, out of the lists and back; deadlines stand."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from test_campaign_page import ready
from test_campaign_replay import played

from navarch import main
from webapp.captains.seats import CaptainRunner, Held, hand_over
from webapp.pages import organizer
from webapp.post import api, deadlines
from webapp.post.deadlines import Deadline, waits
from webapp.storage.errors import Refused
from webapp.storage.journal import transfer
from webapp.storage.journal.store import link_battle
from webapp.storage.services import archive as stored

from kit.wars import War  # isort: skip

AWAY = {"REMOTE_ADDR": "203.0.113.9"}


def keep(war: War, act: str) -> Any:
    return war.client.post("/organizer/keep", data={"csrf_token": war.csrf(), "game": war.id, "act": act})


def ask(war: War, method: str, what: str, seat: str, body: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {war.tokens[seat]}"}
    return war.client.open(f"/api/v1/games/{war.id}{what}", method=method, json=body, headers=headers)


def a_command(war: War) -> dict[str, Any]:
    found: dict[str, Any] = ready(war.page("rome").text)[0]
    return found


@pytest.mark.parametrize(
    ("act", "back", "words"),
    [
        ("pause", "go_on", "This game is paused"),
        ("end", "go_on", "This game was ended"),
        ("archive", "open_again", "This game is in the archive"),
    ],
)
def test_a_halted_campaign_takes_no_command_and_no_undo_and_says_why(war: War, act: str, back: str, words: str) -> None:
    command = a_command(war)
    assert war.post("rome", "command", command=json.dumps(command)).status_code == 303
    assert keep(war, act).status_code == 303
    before = war.store.state_after(war.id, war.version)
    for seat in ("rome", "carthage", "umpire"):
        refused = ask(war, "POST", "/commands", seat, {"command": command, "seen": war.version})
        assert refused.status_code == 422 and words in refused.json["error"]
        undo = ask(war, "POST", "/undo", seat, {"seen": war.version})
        assert undo.status_code == 422 and words in undo.json["error"]
        shown = ask(war, "GET", "", seat).json
        assert shown["offers"] == [] and shown["waiting_for"] == [] and words in shown["undo_barred"]
        assert words in war.page(seat).text
    assert waits(war.store, war.store.load(war.id)) == ()
    assert (war.version, war.store.state_after(war.id, war.version)) == (1, before)
    assert keep(war, back).status_code == 303
    assert ask(war, "POST", "/undo", "umpire", {"seen": 1}).status_code == 200


def test_a_command_on_its_way_does_not_slip_past_the_pause(war: War, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine has run, the pause comes, the transaction begins: it is refused all the same."""
    command, load = a_command(war), war.store.load
    calls = []

    def paused_after_loading(game: str) -> Any:
        found = load(game)
        if not calls:
            calls.append(game)
            stored.perform(war.store, game, "pause", "umpire")
        return found

    monkeypatch.setattr(war.store, "load", paused_after_loading)
    with pytest.raises(Refused, match="paused"):
        war.store.submit(war.id, 0, "rome", command)
    assert war.version == 0


def test_what_changes_nothing_is_refused_with_a_sentence(war: War) -> None:
    for act in ("go_on", "open_again", "hide"):
        assert keep(war, act).status_code == 422
    assert keep(war, "blow_up").status_code == 422
    keep(war, "pause")
    assert "nothing to pause" in html.unescape(keep(war, "pause").text)
    battle, _ = war.store.create("galley", "mylae")
    with pytest.raises(Refused):
        stored.perform(war.store, battle.id, "pause", "umpire")


def test_who_keeps_a_game(war: War, app: Flask) -> None:
    for seat in ("rome", "spectator"):
        assert ask(war, "POST", "/keeping", seat, {"act": "pause"}).status_code == 403
    with app.test_client() as stranger:
        page = stranger.get("/organizer", environ_base=AWAY).text
        token = re.search(r'name="csrf-token" content="([^"]+)"', page)
        sent = {"csrf_token": token[1] if token else "", "game": war.id, "act": "pause"}
        assert stranger.post("/organizer/keep", data=sent, environ_base=AWAY).status_code == 422
        assert stranger.post("/organizer/copy", data=sent, environ_base=AWAY).status_code == 422
        assert not war.store.game(war.id).halted
        assert stranger.post("/organizer/keep", data=sent).status_code == 303, "the organizer sits at the server"
    assert [act.by for act in stored.acts(war.store, war.id)] == ["organizer"]
    assert ask(war, "POST", "/keeping", "umpire", {"act": "go_on"}).json["acts"][-1]["by"] == "umpire"


def test_deadlines_stand_with_the_game_and_go_on_with_it(war: War) -> None:
    deadlines.keep(war.store, war.id, Deadline(days=3))
    wait = waits(war.store, war.store.load(war.id))[0]
    rule = deadlines.deadline(war.store, war.id)
    assert rule is not None
    end = deadlines.due(rule, wait)
    for act, back in (("pause", "go_on"), ("archive", "open_again")):
        api.perform(war.store, war.id, act, "umpire")
        rule = deadlines.deadline(war.store, war.id)
        assert rule is not None and rule.is_paused and deadlines.due(rule, wait) is None
        api.perform(war.store, war.id, back, "umpire")
    rule = deadlines.deadline(war.store, war.id)
    assert rule is not None and not rule.is_paused and len(rule.pauses) == 2
    stood = sum((deadlines.moment(last) - deadlines.moment(first) for first, last in rule.pauses), timedelta())
    later = deadlines.due(rule, wait)
    assert end is not None and later is not None and later == end + stood


def test_captains_rest_while_it_is_paused(war: War) -> None:
    keeper = CaptainRunner(war.store, 0, apart=False)
    seat = war.store.load(war.id).waiting_for[0]
    stored.perform(war.store, war.id, "pause", "umpire")
    hand_over(war.store, Held(war.id, seat, "able", "recalled", "", {}, "umpire", war.store.now()))
    assert not keeper.play(war.id) and war.version == 0
    stored.perform(war.store, war.id, "go_on", "umpire")
    assert keeper.play(war.id) and war.version == 1


def test_the_archive_is_out_of_the_lists_with_its_battles_and_can_be_exported_and_opened(war: War) -> None:
    battle, _ = war.store.create("galley", "mylae")
    link_battle(war.store, battle.id, war.id, "e1")
    listed = war.client.get("/organizer").text
    assert f'<tr id="game-{war.id}"' in listed and f'<tr id="game-{battle.id}"' in listed
    keep(war, "archive")
    listed = war.client.get("/organizer").text
    assert f'<tr id="game-{war.id}"' not in listed and f'id="game-{battle.id}"' not in listed
    assert f'<li id="game-{war.id}"' in listed
    assert war.id not in war.client.get("/").text
    exported = ask(war, "GET", "/export", "umpire")
    assert exported.status_code == 200 and exported.json["game"]["id"] == war.id
    keep(war, "open_again")
    assert f'<tr id="game-{war.id}"' in war.client.get("/organizer").text and war.id in war.client.get("/").text


def test_a_copy_is_a_new_game_as_it_stood_after_any_entry(war: War) -> None:
    played(war, 8)
    ask(war, "POST", "/undo", "umpire", {"seen": 8})
    played(war, 2)
    whole = transfer.export(war.store, war.id)
    for number in range(war.version + 1):
        made, tokens = stored.copy(war.store, war.id, "umpire", number, "What if")
        assert (made.version, made.title) == (number, "What if") and set(tokens) == set(war.tokens)
        assert made.id != war.id and not set(tokens.values()) & set(war.tokens.values())
        head = war.store.head_after(war.id, number)
        assert war.store.load(made.id).state == war.store.table_after(war.id, head).state
        assert made.head == head
        taken = [entry.number for entry in war.store.entries(made.id) if entry.taken_back]
        assert taken == ([8] if number >= 9 else [])
        assert main(["verify", made.id, "--db", str(war.store.file.path)]) == 0
    assert transfer.export(war.store, war.id) == whole, "the game itself is as it was"
    played_on = war.store.load(made.id)
    war.store.submit(made.id, made.version, "umpire", {"type": "adjust", "changes": {"turn": 1}, "why": "in the copy"})
    assert war.store.load(war.id).state == played_on.state


def test_the_page_copies_seats_this_browser_and_records_it_in_both(war: War) -> None:
    played(war, 3)
    sent = {"csrf_token": war.csrf(), "game": war.id, "entry": "2", "title": "Zama <b>again"}
    answer = war.client.post("/organizer/copy", data=sent)
    assert answer.status_code == 303
    made = answer.headers["Location"].rpartition("/")[2]
    assert war.client.get(f"/seats/{made}").status_code == 200, "this browser is the copy's umpire"
    listed = html.unescape(war.client.get("/organizer").text)
    assert f"Copied as it stood after entry 2: {made}." in listed
    assert f"A copy of {war.id} as it stood after entry 2." in listed
    assert "Zama <b>again" not in war.client.get("/organizer").text
    for entry in ("4", "-1", "x"):
        assert war.client.post("/organizer/copy", data={**sent, "entry": entry}).status_code == 422


def test_copies_by_the_api_are_the_umpires_and_say_nothing_of_themselves_to_others(war: War) -> None:
    played(war, 2)
    assert ask(war, "POST", "/copy", "rome", {}).status_code == 403
    made = ask(war, "POST", "/copy", "umpire", {"entry": 1})
    assert made.status_code == 201 and made.json["version"] == 1
    assert {seat["id"] for seat in made.json["seats"]} == set(war.tokens)
    assert ask(war, "POST", "/copy", "umpire", {"entry": 3}).status_code == 400
    assert made.json["id"] in ask(war, "GET", "/keeping", "umpire").text
    assert made.json["id"] not in ask(war, "GET", "/keeping", "rome").text


def test_the_command_line_keeps_and_copies(war: War, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(war.store.file.path)
    assert main(["keep", "pause", war.id.lower(), "--db", file]) == 0
    assert capsys.readouterr().out.strip().endswith(": paused")
    assert main(["keep", "pause", war.id, "--db", file]) == 2
    assert "nothing to pause" in capsys.readouterr().err
    assert main(["keep", "go_on", war.id, "--db", file]) == 0 and war.store.game(war.id).is_open
    assert main(["copy", war.id, "--entry", "0", "--db", file]) == 0
    code, *_ = capsys.readouterr().out.splitlines()[1].split()
    assert war.store.game(code).version == 0
    assert main(["copy", war.id, "--entry", "99", "--db", file]) == 2


def test_a_deleted_game_leaves_no_acts(war: War) -> None:
    keep(war, "pause")
    war.store.delete(war.id)
    assert war.store.file.rows("select * from acts") == []


def test_the_organizers_list_has_pages_and_finds_the_page_of_a_game(war: War, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(organizer, "ON_PAGE", 3)
    for _ in range(6):
        war.store.create("galley", "mylae")
    codes = [game.id for game in war.store.games()]
    loads: list[str] = []
    load = war.store.load
    monkeypatch.setattr(war.store, "load", lambda game: loads.append(game) or load(game))
    for number in (1, 2, 3):
        loads.clear()
        page = war.client.get(f"/organizer?page={number}").text
        here = codes[(number - 1) * 3 : number * 3]
        assert [code for code in codes if f'id="game-{code}"' in page] == here and set(loads) <= set(here)
    assert "page=2" in page and "page=4" not in page, "the last one leads back alone"
    assert f'id="game-{codes[4]}"' in war.client.get(f"/organizer?game={codes[4]}").text
    assert f'id="game-{codes[6]}"' in war.client.get("/organizer?page=99").text
    away = war.client.get("/organizer", environ_base=AWAY).text
    assert [code for code in codes if code in away] == [war.id], "others see the games of their seats alone"
    assert war.client.get("/organizer?page=x").status_code == 400
