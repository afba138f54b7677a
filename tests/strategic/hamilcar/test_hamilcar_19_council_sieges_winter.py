"""19 The Council and isolation, 20 sieges and the sea, 21 attrition, 22 points and the war budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, War, army, control, empty, no_storms, ships, turn_of, war
from strategic.hamilcar.rules.reinforcements import carthage_due
from strategic.hamilcar.rules.sieges import siege_results
from strategic.hamilcar.rules.survey import council_counts, points
from strategic.hamilcar.rules.troops import General
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import PROVINCES, TABLES
from strategic.point_to_point.isolation import isolated, isolation
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import controls
from strategic.point_to_point.tables import Side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, NotYours, Prompt

REGULUS, GISCO, HANNO, XANTHIPPUS = "marcus_atilius_regulus", "hannibal_gisco", "hanno", "xanthippus"


# 19


@pytest.mark.parametrize(
    "paragraph, cells, expected",
    [
        ("H.council", [(1, 1)], (0, 0, False)),
        ("H.council.a", [(1, 1), (2, 2), (2, 3)], (1, 0, True)),
        ("19.5.c", [(1, 1), (2, 1)], (0, 1, False)),
        ("19.5.c", [(1, 1), (2, 1), (1, 3), (2, 3)], (2, 2, False)),
        ("19.5.b", [(1, 1), (1, 2)], (1, 0, False)),
        ("19.5.d", [(1, 1), (1, 2), (1, 3)], (1, 0, False)),  # three, but none in the centre
        ("19.5.d", [(1, 1), (2, 2), (3, 3)], (0, 0, True)),
        ("H.council", [(2, 2), (1, 2)], (0, 0, False)),
    ],
)
def test_19_5_council_lines_give_units_and_generals(
    paragraph: str, cells: list[tuple[int, int]], expected: tuple[int, int, bool]
) -> None:
    """Two PCs in a row: a CU; in an outer column: a general; three with the centre: war footing, which is a point."""
    assert council_counts(war(), cells) == expected
    state = replace(war(), council=tuple(cells))
    assert points(state, "carthage") == points(replace(war(), council=()), "carthage") + expected[2]
    due, _ = carthage_due(state.then(Prompt("carthage_due", "", "6.1")), Dice())
    assert due.agenda[-1].about["left"].get("council", 0) == expected[0]


def test_19_5_example_one_extra_unit_and_a_point() -> None:
    state = replace(war(), council=((1, 1), (2, 2), (2, 3)))
    state, _ = carthage_due(state.then(Prompt("carthage_due", "", "6.1")), Dice())
    assert state.agenda[-1].about["left"] == {"ship": 1, "unit": 1, "council": 1}
    assert points(state, "carthage") == points(war(), "carthage") + 1
    assert points(state, "rome") == points(war(), "rome")


def test_19_5_a_only_the_first_pc_of_a_price_must_come_from_the_council() -> None:
    table = turn_of(empty(), "rome", THREE)
    table.state = table.state.then(Prompt("remove", "carthage", "11.7.political", {"left": 2, "why": "test"}))
    table.state = replace(table.state, council=((1, 1), (2, 2)))
    assert [offer.type for offer in table.offers("carthage") if offer.type != "resign"] == ["remove_council"]
    table.say("carthage", "remove_council", cell=(2, 2))
    table.say("carthage", "remove", space="tunes")
    assert table.state.council == ((1, 1),)


def test_19_4_carthage_takes_its_isolated_pcs_off_first() -> None:
    """19.4 A Roman chain through a Carthaginian marker: Carthage's goes first, and Rome's then hangs together."""
    state = control(empty(), None, *[space for space in PROVINCES["etruria"].spaces])
    state = state.with_place("volsinii", replace(state.spaces["volsinii"], tribe=False))
    state = control(state, "carthage", "faesulae")
    state = control(state, "rome", "pisae")
    state = control(state, "carthage", "cosa", "faesulae")
    state = control(state, None, "cosa")
    assert isolated(control(state, "carthage", "cosa"), "rome") == ("pisae",)  # no way out between enemy markers
    state, events = isolation(replace(state, phase="isolation"), Dice())
    assert [event.data["side"] for event in events] == ["carthage"]
    assert state.spaces["faesulae"].control is None and state.spaces["pisae"].control == "rome"


# 20


def siege(
    supremacy: str = "rome",
    space: str = "agrigentum",
    units: int = 3,
    inside: tuple[int, int] = (1, 1),
    points_: int = 0,
) -> War:
    """Regulus before a Carthaginian city with CUs and trains inside."""
    state = army(
        army(empty(), "rome", space, units, REGULUS), "carthage", space, inside[0], trains=inside[1], inside=True
    )
    if points_:
        state = state.with_place(space, replace(state.spaces[space], siege=points_, besieger="rome"))
    table = turn_of(replace(state, supremacy=supremacy), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    return table


@pytest.mark.parametrize("supremacy, colour, points_, lost", [("rome", "red", 1, 1), ("carthage", "white", 0, 0)])
def test_20_2_3_red_with_supremacy_white_without(supremacy: str, colour: str, points_: int, lost: int) -> None:
    """20.2.3, 11.2, H.dice A 3 on the red die scores 1 and costs 1; on the white one nothing."""
    table = siege(supremacy, inside=(0, 0))
    assert siege_results(table.state, "rome", "agrigentum")[3 - 1] == (points_, lost)
    table.say("rome", "besiege", 3)
    told = table.told("siege_roll")[0]
    assert (told["colour"], told["points"], told["lost"]) == (colour, points_, lost)
    assert table.state.spaces["agrigentum"].siege == points_


def test_h_dice_the_white_die_is_one_worse() -> None:
    """H.dice Faces 1 to 6: 0/1, 0/1, 0/0, 1/1, 1/0, 1/0; the red one as in the older game."""
    white = [TABLES.siege.read("white", face) for face in range(1, 7)]
    assert white == [(0, 1), (0, 1), (0, 0), (1, 1), (1, 0), (1, 0)]
    assert [TABLES.siege.read("red", face) for face in range(1, 7)] == [(0, 1), (0, 0), (1, 1), (1, 0), (1, 0), (2, 0)]


def test_20_2_7_the_three_great_ports_need_supremacy_and_the_white_die() -> None:
    """20.2.7, 11.2 Carthago, Roma, Syracusae."""
    for space in ("carthago", "syracusae"):
        table = siege("rome", space, inside=(0, 0))
        table.say("rome", "besiege", 6)
        assert table.told("siege_roll")[0]["colour"] == "white" and table.told("siege_roll")[0]["points"] == 1
        with pytest.raises(Illegal) as refusal:
            siege("carthage", space).say("rome", "besiege", 6)
        assert refusal.value.rule == "20.2.7"


def test_20_2_7_a_points_stay_when_supremacy_is_lost_and_siege_more_3_until_the_last_unit_leaves() -> None:
    """20.2.7.a They vanish only with the besieger's last CU."""
    table = siege("carthage", "syracusae", units=3, points_=2)
    assert table.state.spaces["syracusae"].siege == 2
    with pytest.raises(Illegal):
        table.say("rome", "besiege", 6)
    table.say("rome", "step", to="camarina", units=2, elephants=0)
    assert table.state.spaces["syracusae"].siege == 2
    table.say("rome", "halt")
    table.state = table.state.with_place("syracusae", table.state.spaces["syracusae"])
    gone = siege("carthage", "syracusae", units=3, points_=2)
    gone.say("rome", "step", to="camarina", units=3, elephants=0)
    assert gone.state.spaces["syracusae"].siege == 0


def test_20_2_8_a_unit_and_8_2_1_b_a_train_inside_cancel_the_point_just_scored_and_8_2_1_b_example_one_of_each() -> (
    None
):
    table = siege()
    table.say("rome", "besiege", 4)
    assert table.asked() == ("hold_out", "carthage")
    table.say("carthage", "hold_out")
    place = table.state.spaces["agrigentum"]
    assert place.siege == 0 and place.inside == Troops()
    without = siege(inside=(1, 0))
    without.say("rome", "besiege", 4)
    assert without.asked() == ("impulse", "carthage") and without.state.spaces["agrigentum"].siege == 1


def test_20_2_8_only_points_just_scored_can_be_cancelled() -> None:
    table = siege(inside=(2, 2), points_=1)
    table.say("rome", "besiege", 4)
    table.say("carthage", "hold_out")
    assert table.state.spaces["agrigentum"].siege == 1 and table.asked() == ("impulse", "carthage")


def test_siege_5_three_points_take_the_city_with_its_trains() -> None:
    """8.2.1.capture, siege.5 The CUs inside die; the trains change sides."""
    table = siege(points_=2)
    table.say("rome", "besiege", 4)
    table.say("carthage", "pass")
    place = table.state.spaces["agrigentum"]
    assert place.control == "rome" and place.inside == Troops(0, 0, 1) and place.siege == 0


def test_siege_3_one_roll_a_card() -> None:
    table = siege(inside=(0, 0))
    table.say("rome", "besiege", 2)
    assert table.asked() == ("impulse", "carthage")  # and the move is over with it
    table = siege(inside=(0, 0))
    table.state = replace(table.state, play=replace(table.state.playing(), rolled_at=("agrigentum",)))
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "besiege", 6)
    assert refusal.value.rule == "siege.3" and not table.offers("rome", "besiege")


def test_siege_5_a_tribe_is_subdued_like_a_city() -> None:
    state = army(empty(), "rome", "volsinii", 3, REGULUS)
    state = state.with_place("volsinii", replace(state.spaces["volsinii"], siege=2, besieger="rome"))
    table = turn_of(replace(state, supremacy="rome"), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "besiege", 4)
    assert table.state.spaces["volsinii"].control == "rome" and not table.state.spaces["volsinii"].tribe


def test_victory_5_the_fall_of_carthage_ends_the_war() -> None:
    table = siege("rome", "carthago", points_=2, inside=(0, 0))
    table.say("rome", "besiege", 6)
    assert table.state.result is not None and table.state.result.winner == "rome"


# 21


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


# 22


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


def count(state: State) -> War:
    """The victory check."""
    from kit.hamilcar_war import read_plain, secret
    from strategic.hamilcar import HAMILCAR

    state = no_storms(replace(state, phase="victory", active=None, hands={"rome": (), "carthage": ()}))
    table = War.__new__(War)
    outcome = HAMILCAR.start(None, read_plain(state), {}, Dice(secret=secret))
    table.state, table.events = outcome.state, outcome.events
    return table


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


def budget(spent: dict[str, int], state: State | None = None, **changes: Any) -> War:
    return count(replace(state or war(), spent=spent, **changes))


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


# 26


def test_26_8_no_units_for_ships() -> None:
    from strategic.hamilcar.rules.reinforcements import may_be_unit

    five = ships(war(crews_at_sea=True), "carthage", 2)
    assert not may_be_unit(five, "carthage", "ship") and may_be_unit(ships(war(), "carthage", 2), "carthage", "ship")


def test_26_9_sigus_starts_empty() -> None:
    place = war(war_in_numidia=True).spaces["sigus"]
    assert not place.tribe and place.control is None and war().spaces["sigus"].tribe


def test_26_10_a_unit_for_the_ship_whenever_carthage_likes() -> None:
    from strategic.hamilcar.rules.reinforcements import may_be_unit

    assert may_be_unit(war(carthaginian_militia=True), "carthage", "ship")
    assert not may_be_unit(war(), "carthage", "ship")


def test_26_11_rome_always_gets_five() -> None:
    from strategic.hamilcar.rules.reinforcements import rome_due

    state = control(war(fixed_roman_reinforcements=True), None, "capua", "arpi", "cannae", "beneventum")
    state = control(state, "rome", "capua")
    state, _ = rome_due(state.then(Prompt("rome_due", "", "6.2")), Dice())
    assert sum(state.agenda[-1].about["left"].values()) == 5


def test_26_12_the_allies_card_joins_the_deck_and_brings_two_units() -> None:
    state = war(more_allies=True)
    assert 48 in state.deck and 48 not in war().deck
    table = turn_of(army(empty(more_allies=True), "rome", "capua", 3, REGULUS), "rome", 48)
    table.say("rome", "event", card=48, choice="capua")
    assert table.state.spaces["capua"].rome.units == 5


def test_26_13_epic_battles_lift_the_limits() -> None:
    """26.13 Both limits of 14.1 go: a general of 3 with 25 CUs and no allies gets 28 cards."""
    state = army(empty(epic_battles=True), "rome", "tacapae", 25, REGULUS)
    state = control(army(state, "carthage", "hadrumetum", 6, "hanno"), None, "tacapae", "hadrumetum")
    table = turn_of(state, "carthage", THREE)
    table.say("carthage", "activate", card=THREE, general="hanno")
    table.say("carthage", "step", to="tacapae", units=6, elephants=0)
    table.stands()
    assert len(table.state.fighting().hands["rome"]) == 28


def test_26_14_rome_chooses_one_consul_or_both() -> None:
    from strategic.hamilcar.rules.generals import consuls

    for chosen in (1, 2):
        state = empty(elected_consuls=chosen).then(Prompt("consuls", "", "6.4.a"))
        state, _ = consuls(state, Dice(secret=lambda sides: 1))
        prompt = state.asks()
        assert prompt is not None and (prompt.kind, len(prompt.about["elected"])) == ("elect", 2 - chosen)


def test_26_15_example_xanthippus_leaves_after_the_turn_after_his_arrival() -> None:
    """26.15, 26.15.example Come on turn 3, he is there at the end of turn 3 and gone after turn 4."""
    from strategic.hamilcar.rules.turn import next_turn

    state = army(empty(extended_contract=True), "carthage", "utica", 1, XANTHIPPUS)
    state, _ = next_turn(replace(state, turn=3, xanthippus_came=3, phase="next"), Dice())
    assert state.generals[XANTHIPPUS].status == "board"
    state, _ = next_turn(state, Dice())
    assert state.generals[XANTHIPPUS].status == "out"
