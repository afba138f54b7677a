"""The screen never fails the player: colours in place, lost requests, double taps, what is given away, Back."""

from __future__ import annotations

import re
from itertools import count

import pytest
from playwright.sync_api import expect

from kit.playing import Player, play
from kit.screens import screens
from kit.tablets import DUEL, PHONE, TABLET
from tactical.offers import waiting_for
from webapp.captains.courses import keep

pytestmark = pytest.mark.browser


def all_set(room, game: str, side: str) -> None:
    """A side cruises and locks."""
    ships = [name for name, ship in room.state(game).ships.items() if ship.side == side]
    plots = [{"type": "plot", "ship": name, "speed": 2} for name in ships]
    command = {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]}
    room.store.submit(game, room.store.game(game).version, side, command, None, None)


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_colours_and_language_change_in_place_after_any_tap(room, tablet, size):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"], size)
    rome.tap("#chip-r1")
    address = rome.page.url
    rome.page.get_by_label("Menu").tap()
    rome.page.get_by_role("button", name="Night").tap()
    expect(rome.page.locator("html")).to_have_attribute("data-scheme", "night")
    expect(rome.page.locator("#ship-name")).to_have_text("Aquila")
    assert rome.page.url == address
    rome.page.reload()
    expect(rome.page.locator("html")).to_have_attribute("data-scheme", "night")
    rome.tap(rome.page.get_by_role("button", name="2", exact=True))
    expect(rome.page.locator("#ship-name")).to_have_text("Lupa")  # the next ship came by itself
    expect(rome.page).to_have_url(re.compile("ship=r2"))
    address = rome.page.url
    rome.page.get_by_label("Menu").tap()
    rome.page.get_by_label("Русский").tap()
    expect(rome.page.locator("html")).to_have_attribute("lang", "ru")
    expect(rome.page.locator("#ship-name")).to_have_text("Lupa")
    assert rome.page.url == address and rome.page.locator("svg.board").is_visible()
    assert room.state(game).ships["r1"].plot == 2


def test_what_is_told_while_an_older_answer_is_on_its_way_is_fetched_after_it(room, tablet):
    game, tokens = room.battle()
    rome = tablet()
    rome.page.route("**/stream?*", lambda route: route.abort())  # only what this test tells
    rome.sit(tokens["rome"])
    held = []

    def deliver(route):
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    rome.page.route("**/table?*", deliver)
    rome.page.evaluate("navarch.refresh()")
    while not held:
        rome.page.wait_for_timeout(20)
    keep(room.store, game, [])  # nothing but the revision
    rome.page.evaluate("navarch.refresh()")
    route, answer = held[0]
    route.fulfill(response=answer)
    rome.catch_up(0, room.store.game(game).revision)
    rome.faults.clear()


def test_a_request_that_is_lost_is_sent_again_and_counts_once(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"])
    lost = iter(("abort", "answer", "go", "go", "go"))

    def deliver(route):
        what = next(lost, "go")
        if what == "answer":
            route.fetch()  # the server takes it; its answer never arrives
        if what == "go":
            route.continue_()
        else:
            route.abort()

    rome.page.route("**/command?*", deliver)
    rome.page.get_by_role("button", name="All cruise").first.tap()
    rome.until(1)
    assert room.store.game(game).version == 1
    assert rome.page.locator("#refused").count() == 0
    assert not rome.page.locator("#link-state").is_visible()
    rome.tap(rome.page.get_by_role("button", name="Lock the plots"))
    assert room.state(game).sides["rome"].locked
    rome.faults.clear()


def test_an_undo_whose_answer_is_lost_takes_back_once_and_is_not_refused(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"])
    rome.tap(rome.page.get_by_role("button", name="All cruise").first)
    answers = iter(("lost", "go"))

    def deliver(route):
        if next(answers, "go") == "lost":
            route.fetch()
            route.abort()
        else:
            route.continue_()

    rome.page.route("**/undo?*", deliver)
    rome.page.locator("#undo").tap()
    rome.until(2)
    assert room.store.game(game).version == 2
    assert rome.page.locator("#refused").count() == 0
    rome.faults.clear()


def test_when_nothing_gets_through_it_is_said_and_the_tap_is_kept(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"])
    button = rome.page.get_by_role("button", name="All cruise").first
    button.wait_for()
    rome.context.set_offline(True)
    button.tap()
    bar = rome.page.locator("#link-state")
    expect(bar).to_be_visible(timeout=30_000)
    expect(bar).to_contain_text("Your last tap is kept")
    head = rome.page.locator(".top").bounding_box()
    assert bar.bounding_box()["y"] >= head["y"] + head["height"], "it covers nothing of the head"
    expect(button).to_be_disabled()
    rome.context.set_offline(False)
    rome.until(1)
    expect(bar).to_be_hidden()
    expect(rome.page.get_by_role("button", name="All cruise").first).to_be_enabled()
    assert room.store.game(game).version == 1
    rome.faults.clear()


@pytest.mark.parametrize("turns", [1, pytest.param(5, marks=pytest.mark.soak)])
def test_requests_are_dropped_for_a_battle_and_nobody_reloads(room, tablet, turns):
    game, tokens = room.battle(position={**DUEL, "turn_limit": turns})
    rome, carthage = tablet(tokens["rome"]), tablet(tokens["carthage"], PHONE)
    loads, dropped = list[str](), list[str]()
    for each, start in ((rome, 3), (carthage, 7)):
        numbers = {"POST": count(start), "GET": count()}

        def deliver(route, request, numbers=numbers):  # every tenth act; of the few looks every second
            if next(numbers[request.method]) % (10 if request.method == "POST" else 2):
                route.continue_()
            else:
                dropped.append(request.method)
                route.abort()

        each.page.route(re.compile(r"/g/\w+/(command|table|undo)"), deliver)
        each.page.on("load", lambda page: loads.append(page.url))
    play([Player(rome, seed=1), Player(carthage, seed=2)], room, game)
    assert room.state(game).is_over
    assert loads == [], "somebody had to load the page anew"
    assert "POST" in dropped
    rome.faults.clear()
    carthage.faults.clear()


def test_a_double_tap_locks_and_forfeits_nothing(room, tablet):
    game, tokens = room.battle()
    all_set(room, game, "carthage")
    rome = tablet(tokens["rome"], patient=False)
    rome.page.wait_for_timeout(600)  # a page takes no tap in its first half second
    rome.page.get_by_role("button", name="All cruise").first.tap()
    lock = rome.page.get_by_role("button", name="Lock the plots")
    lock.wait_for()
    expect(lock).to_be_visible()
    box = lock.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    while not room.state(game).sides["rome"].locked and room.state(game).step == "plot":
        rome.page.touchscreen.tap(x, y)  # until the half second after the plots is over
    version = room.store.game(game).version
    rome.catch_up(version, 0)
    for _ in range(4):
        rome.page.touchscreen.tap(x, y)
    assert room.store.game(game).version == version
    assert rome.page.evaluate("document.getElementById('table').dataset.version") == str(version)


def test_what_gives_something_away_is_asked_once_in_the_button_itself(room, tablet):
    near = {"r1": [5, 2], "r2": [5, 4], "c1": [7, 1], "c2": [7, 3]}
    ships = {name: {**ship, "at": near[name], "speed": 0, "archers": 2} for name, ship in DUEL["ships"].items()}
    game, tokens = room.battle(position={**DUEL, "ships": ships})
    for side in ("rome", "carthage"):
        names = [name for name, ship in room.state(game).ships.items() if ship.side == side]
        plots = [{"type": "plot", "ship": name, "speed": 0} for name in names]
        command = {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]}
        room.store.submit(game, room.store.game(game).version, side, command, None, None)
    assert room.state(game).step == "fire" and "rome" in waiting_for(room.state(game))
    rome = tablet(tokens["rome"])
    version = room.store.game(game).version
    rome.page.locator(".tray .ask", has_text="Done firing").tap()
    question = rome.page.locator(".tray .asks[open] .asked")
    expect(question).to_contain_text("2 ships can still act")
    under = rome.page.locator(".tray .ask").bounding_box()
    box = question.get_by_role("button").bounding_box()
    middle = under["x"] + under["width"] / 2, under["y"] + under["height"] / 2
    assert box["x"] <= middle[0] <= box["x"] + box["width"] and box["y"] <= middle[1] <= box["y"] + box["height"]
    rome.page.locator("h1.when").tap()
    expect(question).to_be_hidden()
    assert room.store.game(game).version == version
    rome.page.get_by_label("Menu").tap()
    rome.page.locator(".menu .ask", has_text="Record").tap()
    expect(rome.page.locator(".menu .asks[open] .asked")).to_contain_text("for all seats")
    rome.page.locator(".menu .ask", has_text="Give up for Rome").tap()
    expect(rome.page.locator(".menu .asks[open] .asked").last).to_contain_text("loses the battle at once")
    assert room.store.game(game).version == version
    rome.tap(rome.page.locator(".menu .asks[open] .asked button.danger"))
    assert room.state(game).is_over


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_rules_and_odds_open_over_the_battle_and_back_stays_in_it(room, tablet, size):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"], size)
    rome.tap("#chip-r1")
    rome.tap("#chip-r2")
    assert rome.page.locator("#ship-name").inner_text() == "Lupa"
    rome.page.go_back()
    expect(rome.page.locator("#ship-name")).to_have_text("Aquila")
    rome.page.locator(".odds-links a", has_text="she rams").tap()
    over = rome.page.locator("#over")
    expect(over).to_be_visible()
    expect(over.locator("select[name=type]")).to_have_value("quinquereme")
    over.get_by_role("button", name="Calculate").tap()
    expect(over.locator(".answer")).to_contain_text("%")
    rome.page.go_back()
    expect(over).to_be_hidden()
    expect(rome.page.locator("#ship-name")).to_have_text("Aquila")
    rome.page.locator("#v-hull summary").tap()
    rome.page.locator("#v-hull a.rule").tap()
    expect(over).to_be_visible()
    rome.page.locator("#over-close").tap()
    expect(over).to_be_hidden()
    assert rome.page.url.endswith(f"/g/{game}?seat=rome&ship=r1")
    assert len(rome.context.pages) == 1
