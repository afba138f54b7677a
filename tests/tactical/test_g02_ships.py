"""G2 The ship sheet."""

import msgspec
import pytest

from kit.fleet import do, position, ship
from tactical import GALLEY
from tactical.kernel.protocol import NotYours
from tactical.kernel.record import BadInput, read
from tactical.setup import all_scenarios
from tactical.ship import FIGURES, TYPES, Ship, acceleration, complement_of, cruise, maximum, turn_cycle


@pytest.mark.parametrize(
    "name, row",
    [
        ("bireme", (-1, 4, 5, 3, 0, 3)),
        ("trireme", (0, 6, 5, 3, 1, 3)),
        ("quadrireme", (0, 7, 4, 3, 1, 3)),
        ("quinquereme", (1, 8, 3, 2, 2, 2)),
        ("hepteres", (2, 10, 3, 2, 3, 2)),
    ],
)
def test_g2_0_the_table_of_ship_types(name, row):
    kind = TYPES[name]
    assert (kind.ram, kind.hull, kind.maximum, kind.cruise, kind.turn_cycle, kind.acceleration) == row


def figures(name, navy):
    crew = complement_of(TYPES[name], navy)
    return None if crew is None else tuple(getattr(crew, figure) for figure in FIGURES)


@pytest.mark.parametrize(
    "name, crew",
    [
        ("bireme", None),
        ("trireme", None),
        ("quadrireme", (5, 0, 0, 1, 0, 0)),
        ("quinquereme", (10, 0, 0, 1, 1, 0)),
        ("hepteres", None),
    ],
)
def test_g2_0_a_roman_complements(name, crew):
    assert figures(name, "roman") == crew


@pytest.mark.parametrize(
    "name, crew",
    [
        ("bireme", (0, 1, 0, 1, 0, 0)),
        ("trireme", (0, 2, 0, 1, 0, 0)),
        ("quadrireme", (0, 4, 0, 2, 0, 0)),
        ("quinquereme", (0, 8, 0, 2, 2, 0)),
        ("hepteres", (0, 15, 0, 4, 3, 2)),
    ],
)
def test_g2_0_b_hellenistic_complements(name, crew):
    assert figures(name, "hellenistic") == crew


def bare(side, kind, **fields):
    return {"side": side, "type": kind, "at": (2, 2) if side == "rome" else (8, 4), "facing": "N", **fields}


def test_g2_1_a_roman_trireme_is_refused_and_the_error_says_why():
    with pytest.raises(BadInput) as refused:
        position(ships={"r1": bare("rome", "trireme"), "c1": bare("carthage", "trireme")})
    assert refused.value.path == "position.ships.r1.type" and "roman navy no trireme" in refused.value.reason


def test_g2_1_one_figure_even_nought_makes_the_complement_the_players_own():
    battle = position(ships={"r1": bare("rome", "trireme", heavy=0), "c1": bare("carthage", "quinquereme", archers=3)})
    assert all(getattr(battle.ships["r1"], figure) == 0 for figure in FIGURES)
    assert battle.ships["c1"].archers == 3 and battle.ships["c1"].medium == 0


def test_g2_1_a_table_may_add_types_of_its_own():
    lembos = {"hull": 3, "maximum": 6, "cruise": 4, "turn_cycle": 0, "acceleration": 4, "ram": -1}
    battle = position(
        ships={"r1": bare("rome", "lembos", light=2), "c1": bare("carthage", "trireme")}, types={"lembos": lembos}
    )
    assert battle.kind(battle.ships["r1"]).hull == 3
    with pytest.raises(BadInput, match="r1.type"):
        position(ships={"r1": bare("rome", "galleass", light=2), "c1": bare("carthage", "trireme")})


def limits(name, crew, **fields):
    kind, sheet = TYPES[name], Ship("rome", name, crew=crew, **fields)
    return maximum(kind, sheet), cruise(kind, sheet), acceleration(kind, sheet), turn_cycle(kind, sheet)


def test_g2_2_the_worked_limits_of_elite_and_poor_crews():
    assert limits("trireme", "elite") == (6, 3, 4, 0)
    assert limits("hepteres", "poor") == (3, 2, 1, 4)


def test_g2_2_floors_of_cruise_acceleration_and_turn_cycle():
    assert limits("bireme", "elite")[3] == 0
    assert limits("transport", "poor")[2] == 1
    assert limits("transport", "average", oars_broken=True)[1] == 1


def test_g2_3_a_sheet_that_contradicts_itself_is_refused_with_its_path():
    for wrong, path in [
        ({"damage": 6}, "damage"),
        ({"damage": -1}, "damage"),
        ({"status": "captured"}, "captured_by"),
        ({"boarding": "c1"}, "boarding"),
        ({"contact": "zz"}, "contact"),
        ({"speed": 9}, "speed"),
        ({"crew": "bad"}, "crew"),
        ({"hat": 1}, "hat"),
    ]:
        with pytest.raises(BadInput) as refused:
            position(ships={"r1": ship("rome", (2, 2), **wrong), "c1": ship("carthage", (8, 4))})
        assert refused.value.path == f"position.ships.r1.{path}", wrong


def test_g2_3_the_umpire_adjusts_any_field_with_a_reason_in_the_journal():
    battle = position(ships={"r1": ship("rome", (2, 2)), "c1": ship("carthage", (8, 4))})
    outcome = do(battle, "umpire", "adjust", ship="r1", changes={"damage": 2, "crew": "elite"}, why="a wrong box")
    assert outcome.state.ships["r1"].damage == 2 and outcome.state.ships["r1"].crew == "elite"
    assert outcome.events[0].data["why"] == "a wrong box" and outcome.events[0].data["before"]["ships.r1.damage"] == 0
    with pytest.raises(NotYours):
        do(battle, "rome", "adjust", ship="r1", changes={"damage": 2}, why="please")
    with pytest.raises(BadInput, match="damage"):
        do(battle, "umpire", "adjust", ship="r1", changes={"damage": 6}, why="too much")
    with pytest.raises(BadInput, match=r"changes\.dammage"):
        do(battle, "umpire", "adjust", ship="r1", changes={"dammage": 6}, why="typo")


def test_g2_3_marks_by_hand_are_for_ships_on_paper_and_battles_that_are_only_recorded():
    battle = position(ships={"r1": ship("rome", (2, 2)), "c1": ship("carthage", (8, 4))})
    with pytest.raises(Exception, match=r"G2\.3"):
        do(battle, "rome", "mark", ship="r1", field="damage", value=1)
    on_paper = do(battle, "rome", "paper", ship="r1", paper=True).state
    assert do(on_paper, "rome", "mark", ship="r1", field="damage", value=1).state.ships["r1"].damage == 1
    recorded = do(battle, "rome", "level", level="record").state
    assert do(recorded, "carthage", "mark", ship="c1", field="breaches", value=2).state.ships["c1"].breaches == 2
    assert do(recorded, "carthage", "throw", 3, 4, side="carthage", count=2).events[0].data["dice"] == [3, 4]


def test_g2_3_on_advice_an_illegal_command_is_allowed_and_marked():
    battle = position(ships={"r1": ship("rome", (2, 2)), "c1": ship("carthage", (8, 4))})
    battle = do(battle, "rome", "level", level="advise").state
    with pytest.raises(Exception, match=r"G3\.1"):
        do(battle, "rome", "plot", ship="r1", speed=5)
    outcome = do(battle, "rome", "plot", ship="r1", speed=5, anyway=True)
    assert outcome.state.ships["r1"].plot == 5
    assert outcome.events[0].type == "anyway" and outcome.events[0].rule == "G3.1"


def test_g2_4_squadrons_are_labels_and_one_command_for_all_is_one_step():
    battle = position(ships={"r1": ship("rome", (2, 2)), "r2": ship("rome", (4, 2)), "c1": ship("carthage", (8, 4))})
    battle = do(battle, "rome", "squadron", ships=["r1", "r2"], name="Van").state
    assert {battle.ships[name].squadron for name in ("r1", "r2")} == {"Van"}
    outcome = do(
        battle,
        "rome",
        "together",
        commands=[{"type": "plot", "ship": "r1", "speed": 2}, {"type": "plot", "ship": "r2", "speed": 3}],
    )
    assert (outcome.state.ships["r1"].plot, outcome.state.ships["r2"].plot) == (2, 3)
    with pytest.raises(Exception, match=r"G3\.1"):
        do(
            battle,
            "rome",
            "together",
            commands=[{"type": "plot", "ship": "r1", "speed": 2}, {"type": "plot", "ship": "r2", "speed": 9}],
        )
    assert battle.ships["r1"].plot is None


def test_g2_4_nobody_puts_an_enemys_ship_into_a_squadron_but_the_umpire():
    battle = position(ships={"r1": ship("rome", (2, 2)), "c1": ship("carthage", (8, 4))})
    with pytest.raises(NotYours, match="for carthage to command, not for rome"):
        do(battle, "rome", "squadron", ships=["r1", "c1"], name="Van")
    mixed = do(battle, "umpire", "squadron", ships=["r1", "c1"], name="Van").state
    assert {each.squadron for each in mixed.ships.values()} == {"Van"}


@pytest.mark.parametrize(
    "said, whose",
    [
        ({"type": "plot", "ship": "c1", "speed": 1}, ("carthage",)),
        ({"type": "fire", "ship": "r1", "weapon": "archer", "count": 1, "target": "c1"}, ("rome",)),
        ({"type": "squadron", "ships": ["r1", "c1"], "name": "Van"}, ("carthage", "rome")),
        ({"type": "together", "commands": [{"type": "lock", "side": "rome"}]}, ("rome",)),
        ({"type": "level", "level": "record"}, None),
    ],
)
def test_g3_0_a_command_is_the_affair_of_the_side_or_the_ships_that_it_names(said, whose):
    battle = position(ships={"r1": ship("rome", (2, 2)), "c1": ship("carthage", (8, 4))})
    assert GALLEY.whose(battle, read(said, GALLEY.command)) == whose


def test_g2_5_a_roman_flagship_in_the_scenarios_has_average_rowers():
    for scenario in all_scenarios().values():
        for fleet in scenario.fleet:
            if scenario.sides[fleet.side].navy == "roman" and fleet.flagship:
                assert fleet.crew == "average"
            if scenario.sides[fleet.side].navy == "asiatic":
                assert fleet.crew == "poor"


def test_g2_6_asiatic_marines_are_light_in_the_hellenistic_number():
    assert figures("trireme", "asiatic") == (0, 0, 2, 1, 0, 0)
    assert figures("hepteres", "asiatic") == (0, 0, 15, 4, 3, 2)


def test_g2_3_the_umpires_state_posted_as_a_position_is_the_same_state():
    battle = position(ships={"r1": bare("rome", "quinquereme", corvus=True), "c1": bare("carthage", "hepteres")})
    raw = msgspec.to_builtins(battle)
    from tactical import GALLEY
    from tactical.kernel.dice import Dice

    again = GALLEY.start(None, raw, {}, Dice()).state
    assert msgspec.json.encode(again) == msgspec.json.encode(battle)
    assert GALLEY.offers(again, "rome") == GALLEY.offers(battle, "rome")
