"""Whole battles through the pages: two tablets, two seats, real taps."""

from __future__ import annotations

import pytest

from kit.playing import Player, play

pytestmark = pytest.mark.browser


LONG = pytest.mark.soak


def ends_after(room, game: str, turns: int) -> None:
    """An evening has an end."""
    shorter = {"type": "adjust", "changes": {"turn_limit": turns}, "why": "an evening has an end"}
    room.store.submit(game, 0, "umpire", shorter, None, None)


# In `make test` the duel below is played, with dice thrown by hand; Mylae in the soak.
@pytest.mark.parametrize(
    ("dice", "turns"),
    [
        pytest.param("digital", 2, marks=LONG),
        pytest.param("physical", 2, marks=LONG),
        pytest.param("digital", 5, marks=LONG),
        pytest.param("physical", 5, marks=LONG),
    ],
)
def test_mylae_is_played_to_its_end_by_two_browsers(room, tablet, dice, turns):
    game, tokens = room.battle("mylae", options={"edge": "wall"}, dice=dice)
    ends_after(room, game, turns)
    rome, carthage = tablet(tokens["rome"]), tablet(tokens["carthage"])
    by_hand = dice == "physical"
    players = [Player(rome, physical=by_hand, seed=5), Player(carthage, physical=by_hand, seed=6)]
    play(players, room, game)
    state = room.state(game)
    assert state.is_over and state.result is not None
    assert sum(player.taps for player in players) > 10 * turns
    for each in (rome, carthage):
        assert each.refusals == [], "a button that the page offered was refused"
        each.until(room.store.game(game).version)
        assert each.page.locator("h1.when").inner_text() == "The battle is over"
    shown = rome.page.locator(".heads").inner_text()
    assert f"{state.sides['rome'].points} point" in shown
    thrown = {roll.by for entry in room.store.entries(game) for roll in entry.rolls}
    assert ("table" in thrown) is by_hand


@pytest.mark.parametrize("turns", [1, pytest.param(2, marks=LONG), pytest.param(5, marks=LONG)])
def test_a_battle_with_dice_thrown_by_hand_on_a_tablet_and_a_phone(room, tablet, turns):
    game, tokens = room.battle(dice="physical")
    ends_after(room, game, turns)
    rome, carthage = tablet(tokens["rome"]), tablet(tokens["carthage"], {"width": 390, "height": 844})
    players = [Player(rome, physical=True, seed=1), Player(carthage, physical=True, seed=2)]
    play(players, room, game)
    state = room.state(game)
    assert state.is_over and state.result is not None
    for each in (rome, carthage):
        each.until(room.store.game(game).version)
        assert each.page.locator("h1.when").inner_text() == "The battle is over"
    assert f"{state.sides['rome'].points} point" in rome.page.locator(".heads").inner_text()
    by_hand = [roll for entry in room.store.entries(game) for roll in entry.rolls if roll.by == "table"]
    assert by_hand, "no die was thrown by hand"
    assert any("dice" in player.kinds for player in players)
    assert rome.refusals == [] and carthage.refusals == []
