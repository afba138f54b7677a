"""The pages of captains: playing alone, hints, seats, forecasts, in three languages and without script."""

from __future__ import annotations

import re
import time

import pytest
from flask_babel import force_locale

from tactical import GALLEY
from tactical.captains.reasons import KINDS, Reason
from webapp import create_app
from webapp.captains.hints import TELLERS, sentence
from webapp.captains.seats import held_in
from webapp.storage.journal.store import Store

NUMBERS = {
    "mine": 3,
    "theirs": 2,
    "ship": "r1",
    "foe": "c1",
    "range": 2,
    "speed": 3,
    "spent": 1,
    "rammed": 0.25,
    "damage": 3.5,
    "face": 2,
    "value": 1.5,
}


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "games.db")


@pytest.fixture
def app(store):
    return create_app({"STORE": store, "TESTING": True, "CAPTAINS_PACE": 0, "FORECAST_WORKERS": 1})


@pytest.fixture
def browser(app):
    return app.test_client()


def token_of(page):
    return re.search(r'name="csrf_token" value="([^"]+)"', page).group(1)


def posted(browser, address, **form):
    """A form of the start page, sent as a browser does."""
    token = token_of(browser.get("/").text)
    return browser.post(address, data={"csrf_token": token, **form})


def begun(browser, side="athens", level="able"):
    """A battle against the computer: its code."""
    answer = posted(browser, "/play", scenario="first_oars", side=side, level=level)
    assert answer.status_code == 303
    return re.search(r"/g/(\w+)\?seat=" + side, answer.headers["Location"]).group(1)


def waited(true, patience=120.0):
    end = time.monotonic() + patience
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    assert true()


def test_a_battle_against_the_computer_begins_with_one_form_and_the_captain_plots(browser, store):
    assert "Play alone" in browser.get("/new?scenario=first_oars").text
    code = begun(browser)
    waited(lambda: store.load(code).state.sides["corinth"].locked)
    page = browser.get(f"/g/{code}?seat=athens").text
    assert "A captain plays Corinth (able)." in page
    assert "What would a captain do?" in page and "did this:" not in page.split("captain-why")[0]
    assert [held.seat for held in held_in(store, code)] == ["corinth"]


def test_a_captains_reasons_are_told_once_the_turn_is_over_and_not_before(browser, store):
    code = begun(browser)
    waited(lambda: store.load(code).state.sides["corinth"].locked)
    for seat in ("athens", "umpire"):
        assert "captain-why" not in browser.get(f"/g/{code}?seat={seat}").text
    posted(browser, f"/g/{code}/captains?seat=athens", act="give", seat="athens", level="able")
    waited(lambda: store.load(code).state.turn > 1)
    assert re.search(r"Why (Athens|Corinth) did this: ", browser.get(f"/g/{code}?seat=umpire").text)


def test_a_battle_against_a_captain_is_played_again_from_either_side(browser, store):
    code = begun(browser, level="raw")
    assert "Play again" not in browser.get(f"/g/{code}/report?seat=athens").text
    waited(lambda: store.load(code).state.sides["corinth"].locked)
    store.submit(code, store.game(code).version, "athens", {"type": "resign", "side": "athens"})
    page = browser.get(f"/g/{code}/report?seat=athens").text
    assert re.search(r'name="side" value="athens".*?name="level" value="raw".*?Play again', page, re.S)
    assert re.search(r'name="side" value="corinth".*?name="level" value="raw".*?Change sides', page, re.S)


def test_a_hint_is_shown_with_its_reasons_and_can_be_done(browser, store):
    code = begun(browser)
    waited(lambda: store.load(code).state.sides["corinth"].locked)
    page = browser.get(f"/g/{code}?seat=athens").text
    answer = browser.post(f"/g/{code}/hint?seat=athens", data={"csrf_token": token_of(page)})
    assert answer.status_code == 200 and "speed" in answer.text and "What else it considered" in answer.text
    command = re.search(r'id="do-hint" name="command" value="([^"]+)"', answer.text).group(1).replace("&#34;", '"')
    seen = store.game(code).version
    form = {"csrf_token": token_of(page), "seen": seen, "command": command}
    assert browser.post(f"/g/{code}/command?seat=athens", data=form).status_code in (200, 303)
    assert store.game(code).version == seen + 1
    part = browser.post(
        f"/g/{code}/hint?seat=athens", data={"csrf_token": token_of(page)}, headers={"HX-Request": "true"}
    )
    assert part.text.lstrip().startswith("<div") and 'hx-target="#table"' in part.text


def test_the_umpire_turns_hints_off_on_the_page(browser, store):
    code = begun(browser)
    page = browser.get(f"/g/{code}/captains?seat=umpire").text
    form = {"csrf_token": token_of(page), "act": "hints", "on": "0"}
    browser.post(f"/g/{code}/captains?seat=umpire", data=form)
    assert "What would a captain do?" not in browser.get(f"/g/{code}?seat=athens").text
    answer = browser.post(f"/g/{code}/hint?seat=athens", data={"csrf_token": token_of(page)})
    assert "turned hints off" in answer.text


def test_a_seat_is_taken_back_and_handed_over_with_a_role(browser, store):
    code = begun(browser, "corinth", "raw")
    page = browser.get(f"/g/{code}/captains?seat=umpire").text
    browser.post(
        f"/g/{code}/captains?seat=umpire", data={"csrf_token": token_of(page), "act": "take", "seat": "athens"}
    )
    assert held_in(store, code) == []
    form = {"csrf_token": token_of(page), "act": "hand", "seat": "corinth", "level": "seasoned", "roles.Van": "screen"}
    browser.post(f"/g/{code}/captains?seat=corinth", data=form)
    (held,) = held_in(store, code)
    assert (held.seat, held.level, held.roles) == ("corinth", "seasoned", {"Van": "screen"})


def test_the_journal_tells_a_captains_command_in_words(browser, store):
    code = begun(browser)
    waited(lambda: store.load(code).state.sides["corinth"].locked)
    mark = "A captain gave this command (able)."
    journal = browser.get(f"/g/{code}/log?seat=umpire").text
    assert mark in journal and not re.search(rf'class="line[^>]*>\s*{re.escape(mark)}', journal), "a sign, no line"
    for page in (f"/g/{code}?seat=umpire", f"/display/{code}", f"/g/{code}/replay/1?seat=umpire"):
        assert mark not in browser.get(page).text, page


def test_a_forecast_on_the_page_runs_and_shows_plots_and_samples(browser):
    answer = posted(browser, "/forecast", scenario="first_oars", battles="4", level="raw")
    assert answer.status_code == 303, answer.text
    address = answer.headers["Location"]
    waited(lambda: "4 of 4 battles" in browser.get(address).text, 180)
    page = browser.get(address).text
    assert page.count("<svg") >= 5 and "95% interval" in page and "hx-get" not in page.split('id="forecast"')[1][:200]
    bars = re.findall(r'class="plot-name">([^<]+)<.*?class="plot-bar ([^"]+)"', page)
    assert bars == [("Athens", "plot-side0"), ("Corinth", "plot-side1"), ("Drawn", "plot-2")], "in the battle's colours"
    kept = posted(browser, f"{address}/sample", kind="best")
    assert kept.status_code == 303 and browser.get(kept.headers["Location"]).status_code == 200
    wrong = posted(browser, "/forecast", scenario="first_oars", battles="many")
    assert wrong.status_code == 422 and "battles" in wrong.text


def test_the_forecast_of_a_game_leads_back_to_it(browser):
    code = begun(browser)
    assert f'href="/g/{code}?seat=umpire">◂ Back to the game' in browser.get(f"/forecast?game={code}&seat=umpire").text
    begun_one = posted(browser, f"/forecast?game={code}", game=code, battles="4", level="raw")
    page = browser.get(begun_one.headers["Location"]).text
    assert f'href="/g/{code}">◂ Back to the game' in page


def test_a_campaign_has_the_same_page_and_a_stand_in_plays_its_prompts(browser, store):
    answer = posted(browser, "/new", system="hannibal", scenario="second_punic_war")
    code = re.search(r"/seats/(\w+)", answer.headers["Location"]).group(1)
    assert "/captains?seat=umpire" in browser.get(f"/g/{code}?seat=umpire").text
    page = browser.get(f"/g/{code}/captains?seat=umpire").text
    hint = browser.post(f"/g/{code}/hint?seat=umpire", data={"csrf_token": token_of(page)})
    assert hint.status_code == 200 and 'id="hinted"' in hint.text
    for side in ("rome", "carthage"):
        form = {"csrf_token": token_of(page), "act": "hand", "seat": side, "level": "able"}
        browser.post(f"/g/{code}/captains?seat=umpire", data=form)
    waited(lambda: store.game(code).version > 12)
    assert [held.fault for held in held_in(store, code)] == ["", ""]
    for side in ("rome", "carthage"):
        form = {"csrf_token": token_of(page), "act": "take", "seat": side}
        browser.post(f"/g/{code}/captains?seat=umpire", data=form)
    assert browser.get(f"/g/{code}/log?seat=umpire").status_code == 200


@pytest.mark.parametrize("lang", ["en", "ru", "it"])
def test_every_reason_has_a_sentence_in_every_language(app, lang):
    assert TELLERS.keys() == KINDS
    with app.test_request_context(), force_locale(lang):
        for kind in KINDS:
            text = sentence(Reason(kind, NUMBERS, None, 0.5), None).text
            assert text and "%(" not in text
            if lang != "en":
                with force_locale("en"):
                    assert text != sentence(Reason(kind, NUMBERS, None, 0.5), None).text
    assert GALLEY.name == "galley"


def test_a_temper_is_chosen_for_the_captain_and_the_page_tells_it(browser, store):
    answer = posted(browser, "/play", scenario="first_oars", side="athens", level="raw", temper="boarder")
    code = re.search(r"/g/(\w+)\?seat=athens", answer.headers["Location"]).group(1)
    assert [(held.level, held.temper) for held in held_in(store, code)] == [("raw", "boarder")]
    page = browser.get(f"/g/{code}?seat=athens").text
    assert "A captain plays Corinth (raw, boarder)." in page
    assert posted(browser, "/play", scenario="first_oars", side="athens", temper="gentle").status_code == 404


def test_while_a_captain_thinks_the_page_says_so_and_an_undo_is_asked_of_nobody_else(browser, store, app):
    app.extensions["navarch"].captains.play = lambda game: False  # it thinks for as long as this test looks
    code = begun(browser)
    for name, ship in store.load(code).state.ships.items():
        if ship.side == "athens":
            store.submit(code, store.game(code).version, "athens", read_plot(name, 1))
    store.submit(code, store.game(code).version, "athens", {"type": "lock", "side": "athens"})
    page = browser.get(f"/g/{code}?seat=athens").text
    assert "A captain thinks for Corinth" in page and "It is the other side" not in page
    assert "Ask the others to take it back" not in page


def read_plot(name, speed):
    return {"type": "plot", "ship": name, "speed": speed}
