"""The players' own table: a roster that fills the screen, whole fleets in a tap, contacts and shots in two or three."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import PHONE, TABLET
from tactical.whose_turn import waiting_for

pytestmark = pytest.mark.browser
NAMES = ("Aquila", "Lupa", "Fortuna", "Victoria", "Concordia", "Minerva", "Iuno", "Diana", "Mars", "Apollo")
FOES = ("Tanit", "Melqart", "Elissa", "Baal", "Astarte", "Reshef", "Eshmun", "Kusor", "Dagon", "Anat")
MOST = 25  # taps that a turn of ten ships a side may take


def own_table(each: int) -> dict:
    """So many ships a side on a table without hexes."""
    ships = {}
    for side, names in (("rome", NAMES), ("carthage", FOES)):
        for number, name in enumerate(names[:each]):
            ships[f"{side[0]}{number}"] = {"side": side, "name": name, "type": "quinquereme", "speed": 2}
    sides = {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage"}}
    return {"board": {"kind": "table"}, "sides": sides, "ships": ships}


def pass_over(room, game: str, side: str, until: str) -> None:
    """Let a side do the least there is until a step comes in which it has nothing to do or which is asked for."""
    for _ in range(40):
        state = room.state(game)
        if state.step == until or side not in waiting_for(state):
            return
        version = room.store.game(game).version
        if state.step == "move":
            due = [name for name, ship in state.ships.items() if ship.side == side and state.is_due(ship)]
            steps = [{"type": "step", "ship": name, "turn": "none"} for name in due]
            command = {"type": "together", "commands": [*steps, {"type": "done", "side": side}]}
        else:
            command = {"type": "done", "side": side}
        room.store.submit(game, version, side, command, None, None)


@pytest.mark.parametrize(("size", "scheme"), screens((TABLET, "day"), (PHONE, "night")))
def test_a_turn_of_ten_a_side_takes_few_taps(room, tablet, size, scheme):
    game, tokens = room.battle(position=own_table(10))
    seats = {side: tablet(tokens[side], size, scheme) for side in ("rome", "carthage")}
    taps = dict.fromkeys(seats, 0)
    rows = seats["rome"].page.locator(".roster-row")
    assert rows.count() == 10
    if size is TABLET:
        box = seats["rome"].page.locator("#roster").bounding_box()
        assert rows.nth(9).bounding_box()["y"] < box["y"] + box["height"], "ten ships fill no more than a screen"

    def tap(side: str, name: str) -> None:
        taps[side] += 1
        seats[side].tap(seats[side].page.get_by_role("button", name=name).first)

    for side in seats:
        tap(side, "All cruise")
        tap(side, "Lock the plots")
    while room.state(game).turn == 1:
        state = room.state(game)
        side = waiting_for(state)[0]
        seats[side].until(room.store.game(game).version)
        tap(side, "All went ahead; nobody touches" if state.step == "move" else "Done")
    assert max(taps.values()) <= MOST, taps
    assert all(seat.refusals == [] for seat in seats.values())
    print("taps a turn, ten a side on the own table:", taps)


@pytest.mark.parametrize("size", screens(TABLET, PHONE))
def test_a_contact_is_two_taps_and_a_shot_names_its_range(room, tablet, size):
    game, tokens = room.battle(position=own_table(3))
    for side in ("rome", "carthage"):
        names = [name for name, ship in room.state(game).ships.items() if ship.side == side]
        plots = [{"type": "plot", "ship": name, "speed": 2} for name in names]
        command = {"type": "together", "commands": [*plots, {"type": "lock", "side": side}]}
        room.store.submit(game, room.store.game(game).version, side, command, None, None)
    assert room.state(game).step == "fire"
    rome = tablet(tokens["rome"], size)
    rome.tap(rome.page.locator("#row-r0").get_by_role("link", name="Fire…"))
    volley = rome.page.locator("form.volley").first
    expect(volley.locator(".range").first).to_contain_text("%")
    volley.locator(".range").nth(1).tap()
    rome.tap(volley.get_by_role("button", name="Melqart"))
    shot = room.store.entry(game, room.store.game(game).version).command
    assert (shot["target"], shot["range"]) == ("c1", 2)
    for _ in range(12):
        if room.state(game).step == "move" and waiting_for(room.state(game))[0] == "rome":
            break
        for side in waiting_for(room.state(game)):
            if not (room.state(game).step == "move" and side == "rome"):
                pass_over(room, game, side, "end")
    assert room.state(game).step == "move" and waiting_for(room.state(game))[0] == "rome"
    rome.until(room.store.game(game).version)
    rome.tap(rome.page.locator("#row-r1").get_by_role("link", name="Touches…"))
    rome.tap(rome.page.get_by_role("button", name="Tanit: into her side"))
    assert room.state(game).ships["r1"].contact == "c0"
    expect(rome.page.locator("#row-r1")).to_contain_text("touches Tanit")
    expect(rome.page.locator("#ship-name")).to_have_count(0)
    rome.tap(rome.page.get_by_role("button", name="All the others went ahead").first)
    state = room.state(game)
    assert all(not state.is_due(ship) for ship in state.ships.values() if ship.side == "rome")
