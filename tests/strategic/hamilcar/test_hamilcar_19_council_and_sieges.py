"""19 The Council and isolation, 20 sieges and the sea."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, War, army, control, empty, turn_of, war
from kit.hamilcar_winter import REGULUS
from strategic.hamilcar.rules.land import may_hold_out, siege_results
from strategic.hamilcar.rules.reinforcements import carthage_due
from strategic.hamilcar.rules.survey import council_counts, points
from strategic.hamilcar.tables import PROVINCES, TABLES
from strategic.point_to_point.state import Troops
from strategic.point_to_point.survey import isolated_pcs, isolation
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Prompt


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
    assert isolated_pcs(control(state, "carthage", "cosa"), "rome") == ("pisae",)  # no way out between enemy markers
    state, events = isolation(replace(state, phase="isolation"), Dice())
    assert [event.data["side"] for event in events] == ["carthage"]
    assert state.spaces["faesulae"].control is None and state.spaces["pisae"].control == "rome"


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


def test_siege_5_points_stop_at_three_and_20_2_8_one_held_off_saves_the_city() -> None:
    """A red 6 gives two points, but only one is received where two stand: one CU and one train hold it off."""
    table = siege(inside=(2, 1), points_=2)
    table.state = replace(table.state, supremacy="rome")
    table.say("rome", "besiege", 6)
    told = table.told("siege_roll")[0]
    assert (told["colour"], told["won"], told["points"]) == ("red", 2, 3)
    table.say("carthage", "hold_out")
    place = table.state.spaces["agrigentum"]
    assert (place.control, place.siege, place.inside) == ("carthage", 2, Troops(1))
    assert table.asked() == ("impulse", "carthage")


def test_20_2_8_nobody_is_asked_to_hold_out_where_it_saves_nothing() -> None:
    """A position in which four points stand: one train cannot hold the city."""
    table = siege(inside=(2, 1), points_=2)
    place = replace(table.state.spaces["agrigentum"], siege=4)
    asked = table.state.with_place("agrigentum", place)
    about = {"space": "agrigentum", "left": 2}
    assert not may_hold_out(asked.then(Prompt("hold_out", "carthage", "20.2.8", about)))
    two = asked.with_place("agrigentum", replace(place, inside=Troops(2, 0, 2)))
    assert may_hold_out(two.then(Prompt("hold_out", "carthage", "20.2.8", about)))


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
