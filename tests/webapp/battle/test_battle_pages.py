"""The battle's pages without scripts: what they show, what they refuse, and what they keep secret."""

from __future__ import annotations

import html
import json
import re

import pytest

from kit.readers import commands_on
from tactical.kernel.record import encode
from tactical.offers import waiting_for

PLOT = '{"type":"plot","ship":"r1","speed":2}'


def test_the_page_works_without_scripts(battle, store):
    rome = battle()["rome"]
    answer = rome.post("/command", command=PLOT, seen=0, show="r1")
    assert answer.status_code == 303 and "ship=r1" in answer.headers["Location"]
    assert store.load(rome.game).state.ships["r1"].plot == 2


def test_a_partial_is_the_table_alone(battle):
    rome = battle()["rome"]
    part = rome.give(PLOT, 0).text
    assert part.lstrip().startswith('<div id="table"') and "<html" not in part


def without_numbers(page):
    """A page without what every version changes: tokens, versions, and the count of what is new (at the journal)."""
    page = re.sub(r'id="(tabs|to-journal)" data-fragment="[^"]*"', "", page)
    page = re.sub(r'(csrf-token" content|csrf_token" value|seen" value)="[^"]*"', "", page)
    return re.sub(r'data-(version|revision)="\d+"|after=\d+|<span class="badge">.*?</span></span>', "", page)


def test_g3_1_a_no_page_of_the_other_side_tells_a_plot(battle, store):
    """Two plots that differ give carthage the same pages, letter by letter."""
    seats = battle()
    rome, carthage = seats["rome"], seats["carthage"]

    def pages():
        tables = [carthage.get("", **query).text for query in ({}, {"ship": "r1"}, {"view": "fleet"}, {"view": "list"})]
        return [
            without_numbers(page) for page in (*tables, carthage.get("/report").text, carthage.get("/report.csv").text)
        ]

    rome.give(PLOT, 0)
    fast = pages()
    store.undo(rome.game, 1, "umpire")
    rome.give(PLOT.replace("2}", "1}"), 2)
    assert store.load(rome.game).state.ships["r1"].plot == 1
    assert pages() == fast
    told = carthage.get("/log").text + carthage.get("/journal").text + carthage.get("/replay/1").text
    assert "is plotted at" not in told + "".join(fast)


def test_a_stale_command_gets_409_and_the_fresh_table(battle):
    seats = battle()
    seats["rome"].give(PLOT, 0)
    answer = seats["rome"].give('{"type":"plot","ship":"r2","speed":2}', 0)
    assert answer.status_code == 409
    assert 'id="refused"' in answer.text and 'data-version="1"' in answer.text


def test_a_refusal_is_422_with_the_sentence_the_rule_and_the_ships_name(battle):
    answer = battle()["rome"].give('{"type":"plot","ship":"r1","speed":9}', 0)
    assert answer.status_code == 422
    said = re.search(r'id="refused">(.*?)</div>', answer.text, re.S)[1]
    assert "Aquila may plot" in said and "G3.1" in said and "r1" not in said


@pytest.mark.parametrize("written", ["", "{", "[]", '{"type":"nothing"}', '{"type":"plot","ship":"r1","speed":"x"}'])
def test_a_broken_form_is_refused_and_changes_nothing(battle, store, written):
    rome = battle()["rome"]
    assert rome.post("/command", partial=True, command=written, seen=0).status_code == 422
    assert rome.post("/command", partial=True, command=PLOT, seen="soon").status_code == 422
    assert store.game(rome.game).version == 0


def test_another_sides_ship_is_not_mine_to_command(battle):
    answer = battle()["carthage"].give(PLOT, 0)
    assert answer.status_code == 422 and "not for Carthage" in answer.text


def test_at_advise_the_refusal_offers_to_insist(battle, store):
    rome = battle()["rome"]
    rome.give('{"type":"level","level":"advise"}', 0)
    answer = rome.give('{"type":"plot","ship":"r1","speed":-1}', 1)
    assert answer.status_code == 422
    insist = re.search(r'id="insist" value="([^"]+)"', answer.text)[1]
    wanted = [json.loads(html.unescape(insist))]
    assert wanted == [{"type": "plot", "ship": "r1", "speed": -1, "anyway": True}]
    assert rome.give(json.dumps(wanted[0]), 1).status_code == 200
    assert store.load(rome.game).state.ships["r1"].plot == -1


@pytest.mark.parametrize("acts", [80, pytest.param(160, marks=pytest.mark.soak)])
def test_every_button_of_the_page_is_a_legal_command(battle, store, acts):
    """Played by its own buttons, the page never offers what the engine refuses."""
    import random

    chance = random.Random(5)
    seats = battle(options={"edge": "wall"})
    game = seats["rome"].game
    for _ in range(acts):
        table = store.load(game)
        if table.game.over:
            break
        seat = chance.choice(waiting_for(table.state))
        mine = [name for name, ship in table.state.ships.items() if ship.side == seat]
        page = seats[seat].get("", ship=chance.choice([*mine, ""])).text
        body = page[page.index('<section class="stage"') :]
        found = [each for each in commands_on(body) if json.loads(each)["type"] not in ("level", "paper", "mark")]
        if not found:
            page = seats[seat].get().text
            found = commands_on(page[page.index('<section class="stage"') :])
        command = chance.choice(found)
        answer = seats[seat].give(command, table.game.version)
        assert answer.status_code == 200, command + re.sub(r"<[^>]+>", " ", answer.text)[:600]


def test_undo_says_why_it_is_barred_and_asks_for_consent(battle, store):
    seats = battle()
    rome, carthage = seats["rome"], seats["carthage"]
    rome.give(PLOT, 0)
    assert "Ask the others to take it back" in carthage.get().text
    assert carthage.post("/undo", partial=True, seen=1, consent=1).status_code == 200
    asked = rome.get().text
    assert "asks to take the last action back" in asked and "Agree, take it back" in asked
    assert rome.post("/undo", partial=True, seen=1, refuse=1).status_code == 200
    told = carthage.get().text
    assert "has refused to take the last action back" in told and "Agree, take it back" not in told
    carthage.post("/undo", partial=True, seen=1, consent=1)
    rome.post("/undo", partial=True, seen=1, consent=1)
    assert store.load(rome.game).state.ships["r1"].plot is None
    assert "taken back" in rome.get("/log").text and "struck" in rome.get("/log").text


def test_physical_dice_wait_are_seen_by_the_other_and_may_be_let_go_by_the_umpire(battle, store):
    position = {
        "board": {"columns": 12, "rows": 9},
        "step": "ram",
        "phase": 6,
        "sides": {"rome": {"name": "Rome"}, "carthage": {"name": "Carthage"}},
        "ships": {
            "r1": {
                "side": "rome",
                "name": "Aquila",
                "type": "quinquereme",
                "at": [3, 3],
                "facing": "SE",
                "speed": 2,
                "contact": "c1",
                "stepped": True,
            },
            "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "at": [4, 3], "facing": "N", "speed": 0},
        },
    }
    seats = battle(position, dice="physical")
    rome, carthage, umpire = seats["rome"], seats["carthage"], seats["umpire"]
    page = rome.get("", ship="r1").text
    assert "Ram Tanit" in page and "damage and a breach" in page
    waits = rome.give('{"type":"ram","ship":"r1"}', 0).text
    assert "Ram damage: Aquila at Tanit" in waits and 'id="dice-form"' in waits
    assert "1 die to be thrown by Rome" in carthage.get().text and 'id="dice-form"' not in carthage.get().text
    while_they_lie = commands_on(rome.get("", ship="r1").text)
    assert [found for found in while_they_lie if '"ram"' not in found] == []  # nothing can be pressed but the dice
    assert "Dice must be rolled first" in rome.give('{"type":"hold","ship":"r1"}', 0).text
    assert "Cancel this roll" in umpire.get().text and "Cancel this roll" not in rome.get().text
    assert rome.give('{"type":"ram","ship":"r1"}', 0, rolls="7").status_code == 422
    assert rome.post("/cancel-roll", partial=True, seen=0).status_code == 422
    umpire.post("/cancel-roll", partial=True, seen=0)
    assert store.game(rome.game).waiting is None
    rome.give('{"type":"ram","ship":"r1"}', 0)
    done = rome.give('{"type":"ram","ship":"r1"}', 0, rolls="6")
    assert "Aquila rams Tanit: 6, ram +1" in done.text and "7 hull damage and a breach" in done.text


def test_an_offer_to_end_stands_before_the_other_side_and_can_be_taken_back(battle, store):
    seats = battle()
    rome, carthage = seats["rome"], seats["carthage"]
    assert 'id="agreed"' not in carthage.get().text
    rome.give('{"type":"agree","side":"rome"}', 0)
    assert "ready to end the battle here and now: Rome" in carthage.get().text
    assert "Agree for Carthage to end the battle" in carthage.get().text
    assert "Take back the agreement of Rome" in rome.get().text
    rome.give('{"type":"agree","side":"rome","agreed":false}', 1)
    assert 'id="agreed"' not in carthage.get().text
    rome.give('{"type":"agree","side":"rome"}', 2)
    carthage.give('{"type":"agree","side":"carthage"}', 3)
    assert store.load(rome.game).state.is_over


def test_the_umpire_sets_values_field_by_field_and_the_reason_is_kept(battle, store):
    seats = battle()
    umpire = seats["umpire"]
    page = umpire.get("", ship="r1").text
    assert (
        'name="changes.damage:int"' in page and 'name="changes.damage:int"' not in seats["rome"].get("", ship="r1").text
    )
    given = {"type": "adjust", "ship": "r1", "seen": 0, "why": "the table says so", "changes.corvus:bool": ""}
    done = umpire.post("/command", partial=True, **given, **{"changes.damage:int": "3", "changes.at:hex": "0304"})
    assert done.status_code == 200
    ship = store.load(umpire.game).state.ships["r1"]
    assert ship.damage == 3 and ship.at == (2, 2) and ship.corvus
    assert "the table says so" in umpire.get("/log").text
    wrong = umpire.post("/command", partial=True, **{**given, "seen": 1}, **{"changes.at:hex": "x"})
    assert wrong.status_code == 422 and "hex number" in wrong.text


def test_dice_may_be_left_to_the_server_roll_by_roll(battle, store):
    seats = battle(dice="physical")
    rome = seats["rome"]
    rome.give('{"type":"level","level":"record"}', 0)
    rome.give('{"type":"throw","side":"rome","count":3}', 1)
    rome.post(
        "/command", partial=True, command='{"type":"throw","side":"rome","count":3}', seen=1, rolls=["", "digital"]
    )
    assert store.entry(rome.game, 2).rolls[0].by == "server"


def test_the_sheet_opens_its_sums(battle):
    text = re.sub(r"\s+", " ", battle()["rome"].get("", ship="r1").text)
    assert "Limit 3: maximum 3, acceleration 2 from 2" in text
    assert "Maximum 3: type 3, average rowers +0" in text
    assert "/reference/galley/G3.1" in text


def test_grey_buttons_say_the_rule(battle):
    page = battle()["rome"].get("", ship="r1").text
    cannot = re.findall(r'<details class="cannot"><summary>(.*?)</summary><p>(.*?)</p>', page, re.S)
    assert any(label == "−1" and "Aquila may plot" in why and "G3.1" in why for label, why in cannot)


def test_a_stranger_may_look_on_but_not_sit(battle, app):
    game = battle()["rome"].game
    with app.test_client() as stranger:
        assert stranger.get(f"/g/{game}").status_code == 401
        assert stranger.get(f"/display/{game}").status_code == 200
        assert stranger.get("/g/NOSUCH").status_code == 404
        assert stranger.get(f"/g/{game}/seats").status_code == 401


def test_only_the_umpire_gives_out_seats(battle, store):
    seats = battle()
    assert seats["rome"].get("/seats").status_code == 403
    game, umpire = seats["rome"].game, seats["umpire"]
    assert umpire.get("/seats").headers["Location"] == f"/seats/{game}", "one page of seats"
    csrf = re.search(r'name="csrf-token" content="([^"]+)"', umpire.get().text)[1]
    umpire.client.post(f"/seats/{game}", data={"csrf_token": csrf, "seat": "rome", "act": "reissue"})
    link = re.search(r'data-copy="[^"]*/join/([\w-]+)"', umpire.client.get(f"/seats/{game}").text)[1]
    assert store.seat_of(link).id == "rome"
    assert seats["rome"].get().status_code == 401
    gone = seats["rome"].client.get(f"/g/{seats['rome'].game}/table?seat=rome", headers={"HX-Request": "true"})
    assert gone.status_code == 204 and gone.headers["HX-Redirect"] == f"/g/{seats['rome'].game}"


def test_a_spectator_has_no_button_that_commands(battle):
    page = battle()["spectator"].get().text
    assert commands_on(page) == []


def test_squadrons_are_grouped_and_act_in_one_command(battle, store):
    rome = battle()["rome"]
    rome.post("/command", partial=True, seen=0, type="squadron", name="Second", **{"ships:list": ["r1", "r2"]})
    assert {ship.squadron for ship in store.load(rome.game).state.ships.values() if ship.side == "rome"} == {"Second"}
    page = rome.get("", ship="r1").text
    assert "Squadron Second" in page
    plots = next(json.loads(found) for found in commands_on(page) if '"together"' in found)
    assert [each["ship"] for each in plots["commands"]] == ["r1", "r2"]


def test_the_teaching_battle_explains_each_step_once_and_can_be_left(battle):
    athens = battle(scenario="first_oars")["athens"]
    assert 'id="lesson"' in athens.get().text
    assert 'id="lesson"' not in athens.post("/lesson", partial=True, name="plot").text
    athens.post("/lesson", partial=True, name="left")
    assert 'id="lesson"' not in athens.get().text


def test_the_players_own_table_has_no_board_and_declares_contacts(battle, store):
    position = {
        "board": {"kind": "table"},
        "sides": {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage"}},
        "ships": {
            "r1": {"side": "rome", "name": "Aquila", "type": "quinquereme", "speed": 2},
            "c1": {"side": "carthage", "name": "Tanit", "type": "quinquereme", "speed": 0},
        },
    }
    seats = battle(position)
    rome = seats["rome"]
    assert '<svg id="board"' not in rome.get().text
    for seat, ship, speed in (("rome", "r1", 2), ("carthage", "c1", 0)):
        version = store.game(rome.game).version
        seats[seat].give(json.dumps({"type": "plot", "ship": ship, "speed": speed}), version)
        seats[seat].give(json.dumps({"type": "lock", "side": seat}), version + 1)
    while store.load(rome.game).state.step == "fire":
        state, version = store.load(rome.game).state, store.game(rome.game).version
        page = rome.get("", ship="r1").text
        assert 'name="range:int"' in page or state.sides["rome"].done
        side = waiting_for(state)[0]
        seats[side].give(json.dumps({"type": "done", "side": side}), version)
    page = rome.get("", ship="r1").text
    assert "Her base touches" in page and any('"aspect":"bow_to_bow"' in each for each in commands_on(page))
    version = store.game(rome.game).version
    touch = next(each for each in commands_on(page) if '"contact"' in each and '"side"' in each)
    assert re.findall(r'name="turn" value="(\w+)"[^>]*?( checked)?>', page) == [
        ("none", " checked"),
        ("left", ""),
        ("right", ""),
    ]
    answer = rome.give(touch, version, turn="left")
    ship = store.load(rome.game).state.ships["r1"]
    assert answer.status_code == 200 and (ship.contact, ship.straight) == ("c1", 0)
    assert "Aquila, turning left, meets Tanit, bow to side." in rome.get("/log").text


def test_the_list_gives_bearing_and_range(battle):
    page = battle()["rome"].get("", view="list", ship="r1").text
    row = re.search(r'id="row-c1".*?</tr>', page, re.S)[0]
    assert re.search(r'<td[^>]* class="number">(<span[^>]*>Range </span>)?5</td>', row) and "south-east, ahead" in row


def test_replay_jumps_to_turns_and_keeps_secrets(battle):
    seats = battle()
    seats["rome"].give(PLOT, 0)
    assert "plotted at speed 2" in seats["rome"].get("/replay/1").text
    hidden = seats["carthage"].get("/replay/1").text
    assert "is plotted at" not in hidden and "Nothing happened that this seat may see" in hidden
    assert seats["rome"].get("/replay/99").status_code == 404


def test_what_happened_since_i_last_looked(battle, store):
    seats = battle()
    seats["carthage"].get("/log")
    seats["rome"].give('{"type":"level","level":"advise"}', 0)
    page = seats["carthage"].get("/log", since="look").text
    assert "role from now on: Advise" in page and "The battle begins" not in page
    assert "role from now on" not in seats["carthage"].get("/log", since="look").text


def test_reports_as_text_and_csv(battle):
    rome = battle()["rome"]
    assert "Rome: Aquila, quinquereme: afloat, 8/8" in rome.get("/report.txt").text
    assert "r1,Aquila,rome,quinquereme,afloat,,8,8,0,10" in rome.get("/report.csv").text


def test_scheme_and_language_are_kept(battle):
    rome = battle()["rome"]
    token = re.search(r'name="csrf-token" content="([^"]+)"', rome.get().text)[1]
    answer = rome.client.post("/look", data={"csrf_token": token, "scheme": "night", "back": "/g/x"})
    assert answer.headers["Location"] == "/g/x" and "scheme=night" in answer.headers["Set-Cookie"]
    assert 'data-scheme="night"' in rome.get().text
    away = rome.client.post("/look", data={"csrf_token": token, "lang": "ru", "back": "//elsewhere.example"})
    assert away.headers["Location"] == "/"
    assert '<html lang="ru"' in rome.get().text


def test_no_page_has_inline_style_or_script(battle):
    seats = battle()
    for path in ("", "/log", "/report", "/print", "/seats"):
        page = seats["umpire"].get(path).text
        assert " style=" not in page and "<style" not in page and " onclick" not in page
        assert not re.search(r"<script(?![^>]*src=)", page)


def test_views_of_two_secrets_are_equal_on_the_television(battle, store, app):
    seats = battle()
    seats["rome"].give(PLOT, 0)
    state = store.load(seats["rome"].game)
    other = encode(state.view("spectator"))
    assert b'"plot":2' not in other
    with app.test_client() as stranger:
        assert "plotted" not in stranger.get(f"/display/{seats['rome'].game}").text
