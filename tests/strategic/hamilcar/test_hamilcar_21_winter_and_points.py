"""21 Attrition, 22 points and the war budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import War, army, control, empty, no_storms, ships, war
from kit.hamilcar_winter import HANNO, REGULUS, budget, count
from strategic.hamilcar.rules.survey import points
from strategic.hamilcar.state import General, State
from strategic.hamilcar.tables import PROVINCES, TABLES
from strategic.point_to_point.state import Side, Troops
from strategic.point_to_point.survey import controls
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, NotYours


def winter(state: State, *faces: int) -> War:
    """The end of the strategy phase."""
    state = no_storms(replace(state, phase="winter", active=None, hands={"rome": (), "carthage": ()}))
    from kit.hamilcar_war import read_plain, secret
    from strategic.hamilcar import HAMILCAR

    table = War.__new__(War)
    outcome = HAMILCAR.start(None, read_plain(state), {}, Dice(faces, secret=secret))
    table.state, table.events = outcome.state, outcome.events
    return table


def test_21_1_1_a_train_and_8_2_1_c_spent_in_winter_saves_an_army_and_8_2_1_c_example_of_besiegers() -> None:
    """The besiegers of Agrigentum spend a train and do not roll."""
    state = army(empty(), "rome", "agrigentum", 4, REGULUS, trains=1)
    table = winter(replace(state, turn=9))
    assert table.asked() == ("freeze", "rome")
    table.say("rome", "spend_train", space="agrigentum")
    assert table.told("train_spent") and table.state.spaces["agrigentum"].rome == Troops(4)
    table = winter(replace(state, turn=9))
    table.say("rome", "pass", 4)
    assert table.state.spaces["agrigentum"].rome.size == 3


def test_winter_without_a_train_the_army_rolls_by_itself() -> None:
    table = winter(replace(army(empty(), "rome", "agrigentum", 4, REGULUS), turn=9), 6)
    assert table.told("attrition")[0]["lost"] == 2


@pytest.mark.parametrize("ready, face, turned", [(5, 2, 1), (10, 6, 3), (3, 1, 0)])
def test_21_1_4_winter_turns_ready_ships_and_21_1_4_a_trains_do_not_help(ready: int, face: int, turned: int) -> None:
    """The column of the number of ready ships; trains do not help; hull damage is cleared (L2.4)."""
    state = ships(army(empty(), "rome", "roma", 3, trains=5), "rome", ready)
    state = state.damaged("rome", {state.ready("rome")[0]: 3})
    table = winter(replace(state, turn=9), face)
    assert len(table.state.unready("rome")) == turned
    assert not any(ship.damage for ship in table.state.ships["rome"])


def test_22_1_fourteen_points() -> None:
    """H.scoring Eleven provinces, Lilybaeum, supremacy, the Council."""
    assert sum(province.scores for province in PROVINCES.values()) + 3 == TABLES.victory.points == 14
    state = war()
    assert points(replace(state, supremacy="rome"), "rome") == 6
    assert points(control(state, "rome", "lilybaeum"), "rome") == 6
    assert points(control(state, None, "lilybaeum"), "carthage") == 4
    assert not PROVINCES["syracuse"].scores and controls(state, "carthage", "syracuse")


@pytest.mark.parametrize("side", ["rome", "carthage"])
@pytest.mark.parametrize(
    "paragraph, what", [("22.1.a", "lilybaeum"), ("22.1.b and 11.2.b", "supremacy"), ("22.1.c", "council")]
)
def test_22_1_what_is_worth_a_point_besides_the_provinces(paragraph: str, what: str, side: Side) -> None:
    """Lilybaeum, supremacy, and for Carthage alone the Council."""
    other: Side = "carthage" if side == "rome" else "rome"
    bare = replace(control(war(), other, "lilybaeum"), supremacy=other, council=())
    held = {
        "lilybaeum": control(bare, side, "lilybaeum"),
        "supremacy": replace(bare, supremacy=side),
        "council": replace(bare, council=((1, 1), (2, 2), (3, 3))),
    }[what]
    worth = int(what != "council" or side == "carthage")
    assert points(held, side) - points(bare, side) == worth
    assert points(held, other) - points(bare, other) == (-worth if what != "council" else 1 - worth)


def test_22_1_the_side_with_fewer_points_removes_the_difference() -> None:
    """H.turn Points, PCs lost by the difference, then the war budget."""
    table = count(replace(war(), supremacy="rome"))
    assert table.asked() == ("remove", "carthage") and table.state.agenda[-1].about["left"] == 2


def test_22_4_a_tie_on_the_last_turn_is_carthages() -> None:
    """22.4, H.turn The last turn ends before the budget."""
    table = count(replace(war(), turn=9, spent={"rome": 9, "carthage": 0}))
    assert table.state.result is not None and table.state.result.winner == "carthage"
    table = count(replace(war(), turn=9, supremacy="rome"))
    assert table.state.result is not None and table.state.result.winner == "rome"


def test_22_2_example_twelve_against_ten_and_22_2_a_trains_lower_it_and_22_2_b_the_other_spends_the_rest_and_22_2_f_on_a_train() -> (
    None
):
    """8.2.1.d Rome burns one train; Carthage has one point, for one train."""
    table = budget({"rome": 12, "carthage": 10})
    assert table.asked() == ("burn", "rome")
    with pytest.raises(NotYours):
        table.say("carthage", "spend_train", space="carthago")  # only who spent more
    table.say("rome", "spend_train", space="roma")
    table.say("rome", "done")
    assert table.asked() == ("budget", "carthage") and table.state.agenda[-1].about["left"] == 1
    table.say("carthage", "supply", at="carthago")
    assert table.state.spaces["carthago"].carthage.trains == 3
    assert table.state.turn == 2


def test_8_2_1_d_example_two_trains_bring_the_difference_to_nothing() -> None:
    """8.2.1.d.example, H.budget"""
    table = budget({"rome": 12, "carthage": 10})
    table.say("rome", "spend_train", space="roma")
    table.say("rome", "spend_train", space="messana")
    assert table.state.turn == 2


@pytest.mark.parametrize(
    "paragraph, word, fields, price, found",
    [
        ("22.2.c", "repair", {}, 1, lambda state: len(state.ready("carthage")) == 2),
        ("22.2.d", "council", {"cell": (2, 2)}, 1, lambda state: (2, 2) in state.council),
        ("22.2.f", "supply", {"at": "carthago"}, 1, lambda state: state.spaces["carthago"].carthage.trains == 3),
        ("22.2.g", "build_ship", {}, 3, lambda state: len(state.ready("carthage")) == 2),
        ("22.2.h", "recruit", {}, 3, lambda state: state.spaces["carthago"].carthage.units == 4),
    ],
)
def test_22_2_what_the_budget_buys_and_at_what_price(
    paragraph: str, word: str, fields: dict[str, Any], price: int, found: Callable[[State], bool]
) -> None:
    """Twelve points for Carthage; with a point less than the price nothing is bought."""
    table = budget({"rome": 20, "carthage": 8})
    table.say("rome", "done")
    if word == "repair":
        fields = {"ship": table.state.unready("carthage")[0]}
    assert table.state.agenda[-1].about["left"] == 12 and not found(table.state)
    table.say("carthage", word, **fields)
    assert found(table.state) and table.state.agenda[-1].about["left"] == 12 - price
    if price > 1:
        poor = budget({"rome": 8 + price - 1, "carthage": 8})
        poor.say("rome", "done")
        with pytest.raises(Illegal):
            poor.say("carthage", word, **fields)


def test_22_2_d_never_a_pc_on_the_map_and_22_2_e_what_is_left_is_lost() -> None:
    """H.budget.a"""
    table = budget({"rome": 20, "carthage": 8})
    table.say("rome", "done")
    with pytest.raises(Illegal):
        table.say("carthage", "put", space="pisae")
    table.say("carthage", "recruit")
    table.say("carthage", "done")
    assert table.state.turn == 2


def test_h_budget_a_no_troops_in_a_besieged_capital() -> None:
    state = army(war(), "rome", "carthago", 0)
    state = state.take("carthago", "carthage", state.spaces["carthago"].carthage)
    state = state.with_general(HANNO, General("pool"))
    state = army(state, "rome", "carthago", 3)
    state = state.with_place("carthago", replace(state.spaces["carthago"], siege=1, besieger="rome"))
    table = budget({"rome": 20, "carthage": 8}, state)
    table.say("rome", "done")
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "recruit")
    assert refusal.value.rule == "22.2.h"


def test_22_2_equal_spending_leaves_no_budget() -> None:
    assert budget({"rome": 10, "carthage": 10}).state.turn == 2
