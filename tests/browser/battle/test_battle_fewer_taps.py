"""Fewer taps: one pad for a whole volley, the next ship by itself, an enemy is tapped to be fired at or boarded."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import DUEL, PHONE, TABLET
from tactical.offers import waiting_for

pytestmark = pytest.mark.browser
CLOSE = {"r1": [5, 2], "r2": [5, 4], "c1": [7, 1], "c2": [7, 3]}
IN_RANGE = {
    **DUEL,
    "ships": {name: {**ship, "at": CLOSE[name], "speed": 0, "archers": 2} for name, ship in DUEL["ships"].items()},
}


BESIDE = {**IN_RANGE, "step": "board", "phase": 2}
BESIDE["ships"] = {**IN_RANGE["ships"], "c1": {**IN_RANGE["ships"]["c1"], "at": [6, 2], "facing": "N"}}
BESIDE["ships"]["r1"] = {**IN_RANGE["ships"]["r1"], "heavy": 6}


def at_rest(room, game: str) -> None:
    """Everybody stays where it is: the fire step of the first phase opens."""
    for side in room.state(game).sides:
        names = [name for name, ship in room.state(game).ships.items() if ship.side == side]
        plots = [{"type": "plot", "ship": name, "speed": 0} for name in names]
        command = {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]}
        room.store.submit(game, room.store.game(game).version, side, command, None, None)
    assert room.state(game).step == "fire" and "rome" in waiting_for(room.state(game))


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_a_whole_volley_is_one_pad_and_the_last_face_confirms(room, tablet, size):
    many = {**IN_RANGE["ships"], "r1": {**IN_RANGE["ships"]["r1"], "archers": 6}}
    game, tokens = room.battle(position={**IN_RANGE, "ships": many}, dice="physical")
    at_rest(room, game)
    rome = tablet(tokens["rome"], size, patient=False)
    version = room.store.game(game).version
    rome.page.get_by_role("button", name="All fire at Tanit").first.tap()
    slots = rome.page.locator("#dice-form .slot")
    expect(slots).to_have_count(8)
    expect(rome.page.locator("#roll .roll-part")).to_have_count(2)
    expect(rome.page.locator("#roll")).to_contain_text("Dice: Rome")
    expect(rome.page.locator("#roll")).to_contain_text("%")
    widths = rome.page.locator("#roll .roll-part").evaluate_all(
        "all => all.map(it => it.getBoundingClientRect().width)"
    )
    assert min(widths) >= 140, "six dice leave the words no room"
    rome.page.set_viewport_size({**size, "height": 400})  # the rolls are longer than the pad: the faces stay at hand
    for face in ("1", "6"):
        expect(rome.page.locator(f"#dice-form [data-face='{face}']")).to_be_in_viewport(ratio=0.99)
    faces = [1, 6, 2, 6, 3, 4, 1, 5]
    for face in faces:
        rome.page.locator(f"#dice-form [data-face='{face}']").tap()
    rome.until(version + 1)
    thrown = [roll.faces for roll in room.store.entry(game, version + 1).rolls]
    assert [face for roll in thrown for face in roll] == faces
    assert rome.refusals == []


def test_the_next_ship_comes_by_itself(room, tablet):
    _game, tokens = room.battle()
    rome = tablet(tokens["rome"])
    rome.tap("#chip-r1")
    rome.tap(rome.page.locator(".orders.dial").get_by_role("button", name="2", exact=True))
    expect(rome.page.locator("#ship-name")).to_have_text("Lupa")
    expect(rome.page).to_have_url(re.compile("ship=r2"))
    rome.page.reload()
    expect(rome.page.locator("#ship-name")).to_have_text("Lupa")


@pytest.mark.parametrize(("size", "scheme"), screens((PHONE, "dark"), (TABLET, "day")))
def test_an_enemy_is_tapped_for_the_chances_and_again_to_fire(room, tablet, size, scheme):
    game, tokens = room.battle(position=IN_RANGE)
    at_rest(room, game)
    rome = tablet(tokens["rome"], size, scheme)
    rome.tap("#chip-r1")
    version = room.store.game(game).version
    rome.tap(rome.page.locator("#at-c1"))
    aim = rome.page.locator("#aim")
    expect(aim).to_contain_text("Aquila → Tanit")
    expect(aim).to_contain_text("%")
    assert room.store.game(game).version == version
    rome.tap("#strike")
    fired = room.store.entry(game, version + 1).command
    assert {(each["ship"], each["target"]) for each in fired["commands"]} == {("r1", "c1")}
    expect(rome.page.locator("#ship-name")).to_have_text("Lupa")


@pytest.mark.parametrize(("size", "scheme"), screens((PHONE, "night"), (TABLET, "day")))
def test_an_enemy_alongside_is_tapped_for_the_chances_and_again_to_board(room, tablet, size, scheme):
    game, tokens = room.battle(position=BESIDE)
    rome = tablet(tokens["rome"], size, scheme)
    rome.tap("#chip-r1")
    version = room.store.game(game).version
    rome.tap(rome.page.locator("#at-c1"))
    aim = rome.page.locator("#aim")
    expect(aim).to_contain_text("Board Tanit")
    expect(aim).to_contain_text("%")
    assert room.store.game(game).version == version
    rome.tap("#strike")
    boarded = room.store.entry(game, version + 1).command
    assert (boarded["type"], boarded["ship"], boarded["target"]) == ("board", "r1", "c1")
    assert rome.refusals == []
