"""H.table, H.dice, H.council, H.scoring A group's own values in place of the reconstructed ones."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, army, empty, read_plain, secret, turn_of, war
from strategic.hamilcar import HAMILCAR
from strategic.hamilcar.rules.survey import council_counts, points
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import HOUSE
from strategic.point_to_point.survey import rating
from tactical.kernel.dice import Dice
from tactical.kernel.record import BadInput

REGULUS = "marcus_atilius_regulus"
DICE = {
    "red_points": [0, 0, 0, 0, 0, 3],
    "red_losses": [0] * 6,
    "white_points": [0] * 6,
    "white_losses": [1] * 6,
}


def own(state: State, **house: Any) -> State:
    """The same game with a group's own values."""
    return replace(state, house=HOUSE.read(house))


def test_h_dice_a_group_rolls_its_own_siege_dice() -> None:
    state = army(empty(), "rome", "agrigentum", 3, REGULUS)
    table = turn_of(own(replace(state, supremacy="carthage"), siege=DICE), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "besiege", 6)
    assert table.told("siege_roll")[0]["points"] == 0 and table.told("siege_roll")[0]["lost"] == 1


def test_h_council_a_group_has_its_own_grid() -> None:
    grid = {"rows": ["general", "", ""], "columns": ["cu", "cu", "cu"], "line": 1}
    assert council_counts(own(war(), council=grid), [(1, 1)]) == (1, 1, False)
    assert council_counts(war(), [(1, 1)]) == (0, 0, False)


def test_h_table_a_group_moves_the_signs_and_counts_its_cards() -> None:
    state = own(war(), trident_row=5, corvus_row=4, tactics={"run": 0, "pursuit": 3})
    assert (state.tables.naval.trident_row, state.tables.naval.corvus_row) == (5, 4)
    assert state.tactics_deck.count("run") == 0 and state.tactics_deck.count("pursuit") == 3


def test_h_scoring_a_group_scores_its_own_provinces() -> None:
    assert points(own(war(), scoring=["syracuse"]), "carthage") == 3  # Syracuse, Lilybaeum, supremacy


def test_6_5_a_group_reads_the_ratings_off_its_own_counters() -> None:
    state = own(war(), generals={REGULUS: {"strategy": 1, "battle": 5, "admiral": True}})
    assert rating(state, REGULUS) == 5 and state.leaders[REGULUS].admiral and rating(war(), REGULUS) == 3


@pytest.mark.parametrize(
    "path, house",
    [
        ("options.house.siege.red_points", {"siege": {**DICE, "red_points": [1]}}),
        ("options.house.council.rows", {"council": {"rows": ["cu"], "columns": ["", "", ""]}}),
        ("options.house.trident_row", {"trident_row": 0}),
        ("options.house.cards", {"cards": [7]}),
        ("options.house.tactics.fog", {"tactics": {"fog": 1}}),
        ("options.house.generals.scipio", {"generals": {"scipio": {"strategy": 1, "battle": 4}}}),
        ("options.house.scoring", {"scoring": ["gallia"]}),
        ("options.house.dice", {"dice": 3}),
    ],
)
def test_a_house_table_that_is_wrong_is_refused_with_its_field(path: str, house: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refusal:
        HAMILCAR.start("first_punic_war", None, {"house": house}, Dice(secret=secret))
    assert refusal.value.path == path


def test_a_game_keeps_its_house_tables() -> None:
    """H.table Recorded in the game, and in its position."""
    state = HAMILCAR.start("first_punic_war", None, {"house": {"trident_row": 5}}, Dice(secret=secret)).state
    again = HAMILCAR.start(None, read_plain(state), {}, Dice(secret=secret)).state
    assert again.tables.naval.trident_row == 5 and again == state
