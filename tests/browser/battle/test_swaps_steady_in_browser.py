"""What an answer does not change stays as it stands on the page; afterwards the page is what a swap of the whole makes."""

from __future__ import annotations

import random

import pytest

from kit.random_acts import change
from kit.screens import screens
from kit.staged import STAGE, put
from kit.tablets import Room

pytestmark = pytest.mark.browser


@pytest.fixture
def stage(room, tablet):
    """An empty page with `put`, which puts a text in and says where the page is then not what the text says."""
    page = tablet().go("/handbook/player").page
    page.evaluate(STAGE)
    return page


@pytest.mark.parametrize("changes", screens(24, 60))
@pytest.mark.parametrize("seat", ["rome", "spectator"])
def test_after_each_change_and_look_the_page_is_what_a_swap_of_the_whole_makes(room: Room, stage, seat, changes):
    chance = random.Random(11)
    game, tokens = room.battle("mylae")
    client, ships = room.app.test_client(), list(room.state(game).ships)
    headers = {"Authorization": f"Bearer {tokens[seat]}", "HX-Request": "true"}
    for number in range(changes):
        change(room.store, game, chance)
        query = {"view": chance.choice(("board", "board", "board", "fleet", "list"))}
        query |= {"ship": chance.choice(ships)} if chance.random() < 0.4 else {}
        text = client.get(f"/g/{game}/table", query_string=query, headers=headers).text
        assert not put(stage, text), (number, query)


def test_the_board_and_the_ships_on_it_stay_the_same_elements(room, tablet):
    game, tokens = room.battle()
    carthage = tablet(tokens["carthage"])
    carthage.page.evaluate("() => { for (const it of document.querySelectorAll('#board, [data-ship]')) it.mine = 1; }")
    for ship, speed in (("c1", 1), ("c2", 2)):
        seen = room.store.game(game).version
        room.store.submit(game, seen, "carthage", {"type": "plot", "ship": ship, "speed": speed})
    carthage.until(2)
    assert carthage.page.evaluate("[...document.querySelectorAll('#board, [data-ship]')].every((it) => it.mine)")
    assert carthage.page.locator("[data-ship]").count() == 4


def form(ship: str, seen: int, more: str = "") -> str:
    return (
        f'<div id="table"><p>{seen}</p><form><input type="hidden" name="seen" value="{seen}">'
        f'<input type="hidden" name="ship" value="{ship}"><input name="angle" value="0">'
        f"<select name=count><option>2<option>1</select>{more}</form></div>"
    )


def typed(page) -> list[str]:
    return page.evaluate("[...stage.querySelectorAll('input, select')].map((it) => it.value)")


FILL = "() => { stage.querySelector('[name=angle]').value = '30'; stage.querySelector('select').value = '1'; }"


def test_what_is_typed_stays_while_others_play(stage):
    put(stage, form("r1", 1))
    stage.evaluate(FILL)
    assert not put(stage, form("r1", 2))
    assert typed(stage) == ["2", "r1", "30", "1"]


def test_what_was_typed_for_one_ship_is_not_there_for_another(stage):
    put(stage, form("r1", 1))
    stage.evaluate(FILL)
    assert not put(stage, form("r2", 1))
    assert typed(stage) == ["1", "r2", "0", "2"]


def test_a_form_that_has_another_field_comes_new(stage):
    put(stage, form("r1", 1))
    stage.evaluate(FILL)
    assert not put(stage, form("r1", 2, "<button>Step</button>"))
    assert typed(stage) == ["2", "r1", "0", "2"]


def test_after_an_act_a_form_is_empty_again(stage):
    put(stage, form("r1", 1))
    stage.evaluate(FILL)
    assert not put(stage, form("r1", 2), "POST")
    assert typed(stage) == ["2", "r1", "0", "2"]


def test_what_moves_among_its_like_is_the_same_element_and_what_is_gone_is_gone(stage):
    def ships(*names: str) -> str:
        return '<svg id="table">' + "".join(f'<g data-ship="{name}"><path d="M0 0"/></g>' for name in names) + "</svg>"

    put(stage, ships("a", "b", "c", "d"))
    stage.evaluate("() => { for (const it of stage.querySelectorAll('g')) it.mine = it.dataset.ship; }")
    for names in ("acbd", "bda", "xdab", "x", "abx"):
        assert not put(stage, ships(*names)), names
        stood = stage.evaluate("[...stage.querySelectorAll('g')].map((it) => it.mine || '')")
        assert all(mine in ("", name) for mine, name in zip(stood, names, strict=True)), (names, stood)
        assert names not in ("acbd", "bda") or stood == list(names), stood


def test_what_the_pages_scripts_set_stays_and_focus_with_it(stage):
    def at(version: int) -> str:
        return (
            f'<div id="table" data-version="{version}"><svg class="board" data-own="viewBox class" viewBox="0 0 9 9"'
            f' data-at="{version}"></svg><a id="next" href="/{version}">Next</a></div>'
        )

    put(stage, at(1))
    stage.evaluate(
        "() => { const it = stage.querySelector('svg'); it.setAttribute('viewBox', '1 1 2 2'); it.classList.add('near');"
        " stage.querySelector('a').focus(); }"
    )
    put(stage, at(2))
    told = stage.evaluate(
        "() => { const it = stage.querySelector('svg'); return [it.getAttribute('viewBox'), it.getAttribute('class'),"
        " it.dataset.at, document.activeElement.getAttribute('href')]; }"
    )
    assert told == ["1 1 2 2", "board near", "2", "/2"]


def test_what_htmx_has_to_be_told_of_is_told_to_it(stage, room):
    asked: list[str] = []
    stage.on(
        "request",
        lambda request: (
            asked.append(request.url.rsplit("/", 1)[1])
            if request.is_navigation_request() or "handbook" in request.url
            else None
        ),
    )
    for place in ("player", "umpire"):
        with stage.expect_response(f"**/handbook/{place}"):
            put(stage, f'<div id="table"><div hx-get="/handbook/{place}" hx-trigger="load" hx-swap="none"></div></div>')
            if place == "player":
                stage.evaluate("htmx.process(stage.querySelector('[hx-get]'))")
    assert asked == ["player", "umpire"]


def test_an_answer_that_is_something_else_takes_the_place_as_it_is(stage):
    put(stage, '<div id="table"><p>1</p></div>')
    put(stage, '<section id="other"><p>2</p></section>')
    assert stage.evaluate("stage.innerHTML").replace(' class=""', "") == '<section id="other"><p>2</p></section>'
