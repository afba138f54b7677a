"""At the table: undo across a squadron's action, live updates, a withdrawn seat, refusals, the television, print."""

from __future__ import annotations

import io
import json
import re

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from kit.tablets import PHONE
from tactical.offers import to_act, waiting_for

pytestmark = pytest.mark.browser


def test_the_other_screen_follows_within_a_second_and_keeps_the_plots_secret(room, tablet):
    _game, tokens = room.battle()
    rome, carthage = tablet(tokens["rome"]), tablet(tokens["carthage"], PHONE)
    rome.tap(rome.page.get_by_role("button", name="All cruise").first)
    carthage.catch_up(1, 0, patience=1500)
    assert "plotted" not in carthage.page.content()
    rome.tap(rome.page.get_by_role("button", name="Lock the plots"))
    carthage.catch_up(2, 0, patience=1500)
    assert "Rome has locked its plots" in carthage.page.locator("#news").inner_text()


def test_a_withdrawn_seat_is_shown_the_door_and_a_new_link_lets_it_in(room, tablet):
    game, tokens = room.battle()
    rome, umpire = tablet(tokens["rome"]), tablet(tokens["umpire"])
    umpire.go(f"/g/{game}/seats")
    umpire.page.locator("#seat-rome").get_by_role("button", name="Withdraw").tap()
    rome.page.get_by_role("button", name="All cruise").first.tap()
    rome.page.get_by_text("its link was withdrawn").wait_for()
    umpire.page.locator("#seat-rome").get_by_role("button", name="New link").tap()
    link = umpire.page.locator("#seat-rome a.qr-link").get_attribute("href")
    assert umpire.page.locator("#seat-rome svg.qr").is_visible()
    rome.page.goto(link)
    assert rome.page.locator("#table").get_attribute("data-seat") == "rome"
    rome.faults.clear()


def test_what_cannot_be_done_says_why_and_at_advise_may_be_insisted_on(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"], at=f"/g/{game}?ship=r1")
    grey = rome.page.locator(".orders .cannot").first
    assert not grey.locator("p").is_visible()
    grey.locator("summary").tap()
    assert "G3.1" in grey.inner_text()
    assert not grey.get_by_role("button", name="Do it anyway").count()
    room.store.submit(game, 0, "umpire", {"type": "level", "level": "advise"}, None, None)
    rome.until(1)
    if not grey.locator("p").is_visible():
        grey.locator("summary").tap()
    rome.tap(grey.get_by_role("button", name="Do it anyway"))
    assert room.state(game).ships["r1"].plot is not None
    assert "although a rule forbids it" in rome.page.locator("#news").inner_text()


def test_marks_by_hand_are_tapped_and_a_long_press_takes_one_back(room, tablet):
    game, tokens = room.battle()
    room.store.submit(game, 0, "umpire", {"type": "level", "level": "record"}, None, None)
    rome = tablet(tokens["rome"], at=f"/g/{game}?ship=r1")
    rome.tap(rome.page.get_by_role("button", name="Hull: mark"))
    rome.tap(rome.page.get_by_role("button", name="Hull: mark"))
    assert room.state(game).ships["r1"].damage == 2
    mark = rome.page.get_by_role("button", name="Hull: mark")
    rome.page.evaluate("document.getElementById('state').dataset.old = '1'")
    mark.dispatch_event("pointerdown")
    rome.page.locator("#state:not([data-old])").wait_for(state="attached")
    assert room.state(game).ships["r1"].damage == 1


def test_pinch_changes_the_view_and_a_swap_keeps_it(room, tablet):
    _game, tokens = room.battle()
    rome = tablet(tokens["rome"])
    home = rome.page.locator("svg.board").get_attribute("viewBox")
    session = rome.context.new_cdp_session(rome.page)
    for kind, gap in (("touchStart", 40), ("touchMove", 70), ("touchMove", 110), ("touchEnd", 0)):
        points = [{"x": 300 - gap, "y": 300, "id": 1}, {"x": 300 + gap, "y": 300, "id": 2}] if gap else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    close = rome.page.locator("svg.board").get_attribute("viewBox")
    assert float(close.split()[2]) < float(home.split()[2]) * 0.7
    rome.tap("#chip-r2")
    after = rome.page.locator("svg.board").get_attribute("viewBox")
    assert float(after.split()[2]) == pytest.approx(float(close.split()[2]), abs=1)
    expect(rome.page.locator("svg.board")).to_have_class(re.compile(r"\bnear\b"))  # hex numbers and names stay


def test_a_ghost_on_the_board_is_a_button(room, tablet):
    game, tokens = room.battle()
    for side, ships in (("rome", ("r1", "r2")), ("carthage", ("c1", "c2"))):
        plots = [{"type": "plot", "ship": name, "speed": 3} for name in ships]
        version = room.store.game(game).version
        room.store.submit(
            game, version, side, {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]}, None, None
        )
    while "r1" not in to_act(room.state(game), "rome") or room.state(game).step != "move":
        version, waiting = room.store.game(game).version, waiting_for(room.state(game))
        room.store.submit(game, version, waiting[0], {"type": "done", "side": waiting[0]}, None, None)
    state = room.state(game)
    rome = tablet(tokens["rome"], at=f"/g/{game}?ship=r1")
    before = state.ships["r1"].at
    rome.tap("#ghost-none")
    assert room.state(game).ships["r1"].at != before


def test_the_television_shows_the_battle_and_nothing_to_tap(room, tablet):
    game, _tokens = room.battle()
    room.store.submit(game, 0, "rome", {"type": "plot", "ship": "r1", "speed": 1}, None, None)
    screen = tablet().go(f"/display/{game}")
    assert "Turn 1" in screen.page.locator("h1 + p, .screen-when").first.inner_text()
    assert screen.page.locator("button, a, form, input").count() == 0
    assert json.dumps("plotted") not in screen.page.content() and "plotted at" not in screen.page.content()
    room.store.submit(game, 1, "umpire", {"type": "level", "level": "advise"}, None, None)
    screen.until(2)


@pytest.mark.parametrize(
    ("paper", "layout", "pages"),
    [
        *((paper, "four", 1) for paper in ("a4", "letter")),
        *(("a4", layout, pages) for layout, pages in (("sheet", 4), ("nine", 1), ("fleet", 1), ("board", 1))),
        *(
            pytest.param("letter", layout, pages, marks=pytest.mark.soak)
            for layout, pages in (("sheet", 4), ("nine", 1), ("fleet", 1), ("board", 1))
        ),
    ],
)
def test_print_has_the_right_pages_and_cuts_nothing_off(room, tablet, paper, layout, pages):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"], at=f"/g/{game}/print?layout={layout}&paper={paper}")
    rome.page.emulate_media(media="print")
    printed = PdfReader(io.BytesIO(rome.page.pdf(prefer_css_page_size=True, print_background=True)))
    assert len(printed.pages) == pages
    cut = "css => [...document.querySelectorAll(css)].filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).length"
    assert rome.page.evaluate(cut, ".ship-card, .sheet-page, .board-page") == 0
    width = float(printed.pages[0].mediabox.width)
    assert width == pytest.approx(595 if paper == "a4" else 612, abs=2)
    if layout != "board":
        assert "Aquila" in printed.pages[0].extract_text()


def test_a_name_without_a_space_stays_on_the_paper(room, tablet):
    game, tokens = room.battle()
    named = {"type": "adjust", "ship": "r1", "changes": {"name": "Ж" * 60}, "why": "a test"}
    room.store.submit(game, 0, "umpire", named)
    rome = tablet(tokens["rome"], at=f"/g/{game}/print?layout=fleet&paper=a4")
    rome.page.emulate_media(media="print")
    rome.page.set_viewport_size({"width": 718, "height": 1000})  # what A4 has between its margins
    assert rome.page.evaluate("document.documentElement.scrollWidth") <= 718


SHIPS_IN_SIGHT = """() => [...document.querySelectorAll('#board [data-of]:not([data-prize])')].filter((it) => {
  const box = it.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  return x > 0 && x < innerWidth && y > 0 && y < innerHeight; }).length"""


def test_a_reload_shows_the_ships_where_they_are_now_not_the_empty_sea_that_was_looked_at(room, tablet):
    """While captains fight, the fleets leave the water at which a page has looked before."""
    game, tokens = room.battle()
    page = tablet(tokens["rome"]).page
    seen = {"x": 5000, "y": 5000, "unit": 3, "chosen": ""}
    page.evaluate(
        "([game, eye]) => sessionStorage.setItem(`navarch-camera ${game}`, JSON.stringify(eye))", [game, seen]
    )
    page.reload()
    page.wait_for_function(f"({SHIPS_IN_SIGHT})() > 0")
