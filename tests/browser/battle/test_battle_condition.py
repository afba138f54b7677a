"""One sees how things stand: pips, crews, wounded hulls, names, bows, targets; big battles are near enough to tap."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kit.colours import OTHERS, wear
from kit.screens import screens
from kit.tablets import DUEL, PHONE, TABLET
from tactical.offers import waiting_for

pytestmark = pytest.mark.browser
HURT = {
    **DUEL,
    "ships": {
        **DUEL["ships"],
        "r1": {**DUEL["ships"]["r1"], "damage": 6, "breaches": 1},
        "c1": {**DUEL["ships"]["c1"], "at": [4, 2], "speed": 0},
    },
}


def set_out(room, game: str, speed: int) -> None:
    """All ships plot a speed and both sides lock."""
    for side in room.state(game).sides:
        names = [name for name, ship in room.state(game).ships.items() if ship.side == side]
        plots = [{"type": "plot", "ship": name, "speed": speed} for name in names]
        command = {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]}
        room.store.submit(game, room.store.game(game).version, side, command, None, None)


@pytest.mark.parametrize(("size", "scheme"), screens((TABLET, "day"), (PHONE, "night")))
def test_damage_and_crew_are_seen_on_chip_and_board(room, tablet, size, scheme):
    _game, tokens = room.battle(position=HURT)
    rome = tablet(tokens["rome"], size, scheme)
    chip = rome.page.locator("#chip-r1")
    assert "crippled" in chip.get_attribute("class").split()
    left, lost = (chip.locator(f".pip-{kind}").get_attribute("d").count("M") for kind in ("left", "lost"))
    assert (left, lost) == (2, 6)
    assert chip.locator(".chip-crew").inner_text().startswith("10")
    assert "hull 2 of 8" in chip.inner_text()
    rome.tap(chip)
    name = rome.page.locator("#name-r1")
    expect(name.locator(".pip-lost")).to_be_visible()
    expect(rome.page.locator("#at-r1 .bite")).to_be_attached()
    expect(name.locator(".nm")).to_be_visible()
    assert name.locator(".nm").evaluate("each => each.getBoundingClientRect().height") >= 12


PIPS = """kind => [...new Set([...document.querySelectorAll(`.pip-${kind}`)].filter((it) => it.getAttribute("d"))
  .map((it) => getComputedStyle(it).fill))]"""
INK = """name => { const it = document.body.appendChild(document.createElement("i"));
  it.style.color = `var(--${name})`; const said = getComputedStyle(it).color; it.remove(); return said; }"""


def test_a_filled_pip_is_hull_that_is_left_in_every_scheme_and_place(room, tablet):
    ships = {**HURT["ships"], "c2": {**HURT["ships"]["c2"], "damage": 5}, "r2": {**HURT["ships"]["r2"], "damage": 1}}
    for board, views in ((HURT["board"], ("board", "fleet", "list")), ({"kind": "table"}, ("fleet", "list"))):
        placed = ships if "columns" in board else {name: no_place(ship) for name, ship in ships.items()}
        game, tokens = room.battle(position={**HURT, "board": board, "ships": placed})
        rome = tablet(tokens["rome"])
        for view in views:
            rome.go(f"/g/{game}?view={view}&ship=r1")
            for scheme in ("day", *OTHERS):
                wear(rome.page, scheme)
                ink, ground = (rome.page.evaluate(INK, name) for name in ("mark", "panel"))
                assert rome.page.evaluate(PIPS, "left") == [ink], (view, scheme)
                assert rome.page.evaluate(PIPS, "lost") == [ground], (view, scheme)


def no_place(ship: dict) -> dict:
    """A ship as she stands on the players' own table."""
    return {name: value for name, value in ship.items() if name not in ("at", "facing")}


def test_ghosts_have_bows_and_targets_have_names(room, tablet):
    game, tokens = room.battle(position=HURT)
    set_out(room, game, 0)
    assert room.state(game).step == "fire"
    rome = tablet(tokens["rome"], at=f"/g/{game}?ship=r1")
    expect(rome.page.locator("#at-c1 .target")).to_be_attached()
    expect(rome.page.locator("#name-c1 .nm")).to_be_visible()
    moving, tokens = room.battle()
    set_out(room, moving, 3)
    while room.state(moving).step != "move":
        side = waiting_for(room.state(moving))[0]
        room.store.submit(moving, room.store.game(moving).version, side, {"type": "done", "side": side}, None, None)
    rome = tablet(tokens["rome"], at=f"/g/{moving}?ship=r1")
    expect(rome.page.locator(".ghosts .ghost-bow").first).to_be_visible()


@pytest.mark.parametrize("size", screens(TABLET, PHONE))
def test_sixty_ships_are_near_enough_to_tap_and_the_camera_leads_about(room, tablet, size):
    game, tokens = room.battle("ecnomus")
    side = next(iter(room.state(game).sides))
    seat = tablet(tokens[side], size)
    board = seat.page.locator("svg.board")
    first = seat.page.locator("svg.board .todo").first.evaluate("each => each.getBoundingClientRect().width")
    assert first >= (38 if size is PHONE else 40)  # thirty ships lie between the cards of a phone, none beneath them
    if size is PHONE:
        seat.page.locator("#cameras-more").tap()
    before = board.get_attribute("viewBox")
    seat.page.locator("[data-camera=both]").tap()
    expect(seat.page.locator("[data-camera=both]")).to_have_attribute("aria-pressed", "true")
    expect(board).not_to_have_attribute("viewBox", before)
