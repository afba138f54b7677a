"""G1.6 The measured sea: what a ruler measures, and where it stands for the hexes."""

from __future__ import annotations

import json

import msgspec
import pytest

from kit.fleet import do, go, position, ship
from kit.sea import held, long_coast, moving, sea, stepped
from tactical import GALLEY
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, encode
from tactical.position import AREAS, CORNERS, HEXES
from tactical.rules.missiles import range_between

LAND = [[[10, 0], [20, 0], [20, 8], [10, 8], [10, 0]]]


def refusal(battle, seat, kind, **fields):
    with pytest.raises(Illegal) as refused:
        do(battle, seat, kind, **fields)
    return refused.value


def far(**more):
    """An enemy out of everybody's way."""
    return ship("carthage", [35, 35], 0, **more)


def test_g1_6_a_step_is_one_base_length_ahead_after_the_turn():
    battle = moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": far()})
    assert stepped(battle, "r1").ships["r1"].at == (20, 19)
    turned = stepped(battle, "r1", 60).ships["r1"]
    assert turned.at == (20.866025, 19.5) and turned.facing == 60 and turned.straight == 0
    assert stepped(battle, "r1", -12.5).ships["r1"].facing == 347.5


def test_g1_6_any_angle_but_none_is_a_turn_and_waits_for_the_cycle():
    ships = {"r1": ship("rome", [20, 20], 0, speed=1, straight=0), "c1": far()}
    assert refusal(moving(ships), "rome", "step", ship="r1", angle=1).rule == "G4.2"
    assert stepped(moving(ships), "r1").ships["r1"].straight == 1
    offers = [offer for offer in GALLEY.offers(moving(ships), "rome") if offer.type == "step"]
    assert [offer.fields for offer in offers] == [{"ship": "r1", "angle": 0}]


def test_g1_6_the_fields_of_a_step_are_those_of_its_board():
    battle = moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": far()})
    assert refusal(battle, "rome", "step", ship="r1", turn="left").rule == "G4.1"
    assert refusal(battle, "rome", "step", ship="r1", facing=90).rule == "G6.8"
    hexes = position(ships={"r1": ship("rome", (3, 3), speed=1), "c1": ship("carthage", (9, 3))}, step="move", phase=6)
    assert refusal(hexes, "rome", "step", ship="r1", angle=30).rule == "G4.1"
    free = moving({"r1": ship("rome", [20, 20], 0, speed=1, free_turn="any"), "c1": far()})
    assert refusal(free, "rome", "step", ship="r1", facing="N").rule == "G6.8"
    assert refusal(free, "rome", "step", ship="r1", facing=90, angle=10).rule == "G4.1"
    assert do(free, "rome", "step", ship="r1", facing=100).state.ships["r1"].at == (20.984808, 20.173648)
    offer = next(offer for offer in GALLEY.offers(free, "rome") if offer.type == "step")
    assert offer.fields == {"ship": "r1", "facing": {"from": 0, "to": 359}}


def test_g1_6_a_hull_that_touches_an_enemys_is_in_contact_and_waits_there():
    battle = moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": ship("carthage", [20, 18.7], 90)})
    after = stepped(battle, "r1")
    met = after.ships["r1"]
    assert after.step == "ram" and met.contact == "c1" and met.aspect == "side"
    assert after.hull(met).distance(after.hull(after.ships["c1"])) == pytest.approx(0, abs=2e-4)
    assert met.at[1] == pytest.approx(18.7 + 0.11 + 0.4, abs=2e-4)  # half her beam and half our length
    assert met.rest == pytest.approx(1 - (20 - met.at[1]), abs=1e-6)


def test_g1_6_a_hulls_that_pass_do_not_touch():
    battle = moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": ship("carthage", [20.23, 19], 180)})
    assert stepped(battle, "r1").ships["r1"].contact is None
    touching = moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": ship("carthage", [20.2, 19], 180)})
    assert stepped(touching, "r1").ships["r1"].contact == "c1"


@pytest.mark.parametrize(
    "in_the_way",
    [
        {"ships": {"r2": ship("rome", [20, 18.9], 90)}},
        {"ships": {"c2": ship("carthage", [20, 18.9], 90, status="captured", captured_by="rome")}},
        {"board": {"coast": [[[19, 18], [21, 18], [21, 19], [19, 19]]]}},
        {"board": {"wrecks": [[[19.5, 18.9], [20.5, 18.9], [20.5, 19], [19.5, 19]]]}},
    ],
    ids=["friend", "prize", "land", "wreck"],
)
def test_g1_6_a_what_closes_a_way_stops_a_ship_that_runs_on(in_the_way):
    ships = {"r1": ship("rome", [20, 20], 0, speed=1), "c1": far(), **in_the_way.get("ships", {})}
    battle = held(ships, board=in_the_way.get("board", {}))
    after = stepped(battle, "r1").ships["r1"]
    assert after.at == (20, 20) and after.speed == 0 and after.stopped
    assert refusal(battle, "rome", "step", ship="r1", angle=5).rule == "G4.3"


def test_g1_6_a_a_ship_pushes_off_from_one_that_it_would_lie_across():
    ships = {"r1": ship("rome", [20, 20], 0, speed=1), "r2": ship("rome", [19.7, 20.2], 0), "c1": far()}
    assert stepped(moving(ships), "r1", 60).ships["r1"].facing == 60
    ships["r2"] = ship("rome", [20.65, 19.625], 60)
    assert refusal(moving(ships), "rome", "step", ship="r1", angle=60).rule == "G4.3"


@pytest.mark.parametrize(
    "at, facing, aspect",
    [
        ([20, 18.5], 180, "bow_to_bow"),
        ([19.85, 18.5], 151, "bow_to_bow"),
        ([20, 18.5], 149, "side"),
        ([20, 18.5], 0, "stern"),
        ([20, 18.5], 29, "stern"),
        ([20, 18.5], 31, "side"),
        ([20, 18.7], 90, "side"),
        ([20.2, 18.95], 0, "stern"),
        ([20.27, 19.3], 330.5, "parallel"),
    ],
)
def test_g1_6_b_the_aspect_is_measured(at, facing, aspect):
    battle = moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": ship("carthage", at, facing)})
    met = stepped(battle, "r1").ships["r1"]
    assert (met.contact, met.aspect) == ("c1", aspect)


def test_g1_6_b_bow_to_bow_is_rolled_and_from_the_side_is_not():
    ships = {"r1": ship("rome", [20, 20], 0, speed=1), "c1": ship("carthage", [20, 18.5], 180)}
    after = do(stepped(moving(ships), "r1"), "rome", "ram", 2, 5, 4, ship="r1")
    assert [event.type for event in after.events][:2] == ["bow_to_bow", "ram"] and after.state.ships["c1"].damage == 4
    ships["c1"] = ship("carthage", [20, 18.7], 90)
    after = do(stepped(moving(ships), "r1"), "rome", "ram", 3, ship="r1")
    assert after.state.ships["c1"].damage == 3 and after.state.ships["r1"].must_back


def test_g1_6_b_two_who_touch_each_other_on_the_side_ram_at_once():
    ships = {
        "r1": ship("rome", [20, 20], 0, speed=1, contact="c1", aspect="side", stepped=True, steps_made=1),
        "c1": ship("carthage", [20, 18.7], 90, speed=1, contact="r1", aspect="side", stepped=True, steps_made=1),
    }
    battle = sea(ships, step="ram", phase=6)
    after = do(battle, "rome", "ram", 1, 2, ship="r1").state
    assert after.ships["r1"].damage == 1 and after.ships["c1"].damage == 2, "the dice are in order of id"


def test_g1_6_c_range_is_one_more_than_the_whole_base_lengths_from_hull_to_hull():
    pairs = [(18.6, 1), (18.19, 2), (17.3, 2), (17.2, 3), (10, 10), (9.2, 11)]
    for y, range_ in pairs:
        battle = sea({"r1": ship("rome", [20, 20], 0), "c1": ship("carthage", [20, y], 0)})
        assert range_between(battle, battle.ships["r1"], battle.ships["c1"]) == range_, y
        assert dict(battle.enemies_of(battle.ships["r1"])) == ({"c1": range_} if range_ <= 10 else {})


def test_g1_6_c_a_coast_across_the_line_blocks_sight_and_one_that_touches_it_does_not():
    def targets(coast):
        ships = {"r1": ship("rome", [20, 20], 0, archers=1), "c1": ship("carthage", [24, 20], 0, medium=2)}
        battle = sea(ships, step="fire", phase=1, board={"coast": coast})
        return [offer.fields["target"] for offer in GALLEY.offers(battle, "rome") if offer.type == "fire"]

    assert targets([[[21, 19], [22, 19], [22, 20], [21, 20]]]) == ["c1"]
    assert targets([[[21, 19], [22, 19], [22, 20.1], [21, 20.1]]]) == []


def test_g1_6_d_over_the_edge_is_the_midship_over_it_and_a_wall_stops():
    ships = {"r1": ship("rome", [20, 0.5], 0, speed=1), "c1": far()}
    assert stepped(moving(ships), "r1").ships["r1"].status == "withdrawn"
    ships["r1"] = ship("rome", [20, 1.0], 0, speed=1)
    assert stepped(moving(ships), "r1").ships["r1"].at == (20, 0)
    ships["r1"] = ship("rome", [20, 0.5], 0, speed=1)
    assert stepped(held(ships, options={"edge": "wall"}), "r1").ships["r1"].stopped


def test_g1_6_d_a_wreck_is_the_outline_of_the_hull_that_sank():
    ships = {"r1": ship("rome", [20, 20], 0, speed=1), "c1": ship("carthage", [20, 18.7], 90, damage=5), "c2": far()}
    after = do(stepped(moving(ships), "r1"), "rome", "ram", 3, ship="r1").state
    assert after.ships["c1"].status == "sunk" and len(after.board.wrecks) == 1
    (wreck,) = after.board.wrecks
    assert wreck.type == "Polygon" and wreck.coordinates[0][0] == (20.4, 18.7)
    again = go(after, ("done", {"side": "rome"})) if after.step == "board" else after
    assert encode(GALLEY.start(None, json.loads(encode(again)), {}, Dice()).state) == encode(again)


def test_g1_6_d_a_debt_of_backing_is_served_where_nothing_afloat_lies_astern():
    def owing(**more):
        ships = {"r1": ship("rome", [20, 20], 0, speed=-1, must_back=True), "c1": far(), **more.pop("ships", {})}
        return held(ships, **more)

    assert stepped(owing(), "r1").ships["r1"].at == (20, 21)
    land = owing(board={"coast": [[[19, 20.8], [21, 20.8], [21, 22], [19, 22]]]})
    land = stepped(land, "c9").ships["r1"]
    assert land.must_back is False and land.free_turn == "one_side", "it could not back, and has served"
    afloat = stepped(owing(ships={"r2": ship("rome", [20, 21.2], 0)}), "c9").ships["r1"]
    assert afloat.must_back is True and afloat.at == (20, 20)


def chase(**more):
    """r1 waits with its ram in c1's stern; c1 has a step to make."""
    ships = {
        "r1": ship("rome", [20, 20], 0, speed=3),
        "c1": ship("carthage", [20, 18.7], 0, speed=3),
        "r9": ship("rome", [5, 5], 0, speed=3, stepped=True),
        **more,
    }
    return stepped(moving(ships, phase=2), "r1")


def test_g1_6_e_who_waited_completes_the_rest_of_its_step():
    battle = chase()
    assert battle.ships["r1"].contact == "c1" and battle.ships["r1"].aspect == "stern"
    after = stepped(battle, "c1")
    assert after.ships["c1"].at == (20, 17.7)
    assert after.ships["r1"].at == pytest.approx((20, 19), abs=1e-6) and after.ships["r1"].contact is None
    assert isinstance(after.ships["r1"].rest, msgspec.UnsetType) and after.ships["r1"].steps_made == 1


def test_g1_6_e_the_rest_may_end_in_a_new_contact():
    near = {"c1": ship("carthage", [20, 18.5], 60, speed=3), "c2": ship("carthage", [19.87, 18.275], 60)}
    battle = chase(r1=ship("rome", [20, 19.5], 0, speed=3), **near)
    assert battle.ships["r1"].contact == "c1" and battle.ships["r1"].rest > 0.4
    after = stepped(battle, "c1", 30)
    assert after.ships["r1"].contact == "c2" and after.ships["r1"].aspect == "side"


def rake(**more):
    ships = {
        "r1": ship("rome", [20, 20], 0, speed=2, **{"crew": "elite", **more.pop("r1", {})}),
        "c1": ship("carthage", [20, 18.7], 180, crew="poor", speed=0),
        **more.pop("ships", {}),
    }
    return stepped(moving(ships, phase=3, **more), "r1")


def test_g1_6_f_a_raker_rows_along_its_target_until_it_is_clear():
    met = rake()
    assert met.ships["r1"].aspect == "bow_to_bow"
    battle = do(met, "rome", "rake", ship="r1").state
    raker, target = battle.ships["r1"], battle.ships["c1"]
    assert target.oars_broken and target.raked_by == "r1"
    assert raker.passing == "c1" and raker.at == pytest.approx((20, 19), abs=1e-5) and raker.speed == 2
    while battle.step != "move":
        battle = do(battle, "umpire", "done", side=GALLEY.waiting_for(battle)[0]).state
    assert refusal(battle, "rome", "step", ship="r1", angle=10).rule == "G7.2"
    battle = stepped(battle, "r1")
    assert battle.ships["r1"].at == pytest.approx((20, 18), abs=1e-5) and battle.ships["r1"].passing == "c1"
    assert encode(GALLEY.start(None, json.loads(encode(battle)), {}, Dice()).state) == encode(battle)


def test_g1_6_f_the_water_beyond_must_be_free():
    for name, in_the_way in (
        ("ship", {"ships": {"c2": ship("carthage", [20, 17.4], 90)}}),
        ("land", {"board": {"coast": [[[19, 17], [21, 17], [21, 17.6], [19, 17.6]]]}}),
    ):
        assert refusal(rake(**in_the_way), "rome", "rake", ship="r1").rule == "G7.1", name
    assert refusal(rake(r1={"crew": "poor"}), "rome", "rake", ship="r1").rule == "G7.1"


def test_g1_6_f_and_g7_1_a_contact_on_the_side_is_no_rake():
    ships = {
        "r1": ship("rome", [20, 20], 0, crew="elite", speed=1),
        "c1": ship("carthage", [20, 18.7], 90, crew="poor"),
    }
    assert refusal(stepped(moving(ships), "r1"), "rome", "rake", ship="r1").rule == "G7.1"


def test_g1_6_g_in_roomy_water_every_angle_is_offered_and_in_narrow_water_each_run_that_is_free():
    def angles(battle):
        return next(o.fields["angle"] for o in GALLEY.offers(battle, "rome") if o.type == "step")

    assert angles(moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": far()})) == {"from": -60, "to": 60}
    assert angles(moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": ship("carthage", [20, 18.9], 90)})) == {
        "from": -60,
        "to": 60,
    }
    shore = [[20.5, 17], [24, 17], [24, 22], [20.5, 22]]
    narrow = moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": far()}, board={"coast": [shore]})
    found = angles(narrow)
    assert found == {"from": -60, "to": 19}
    assert stepped(narrow, "r1", 19).ships["r1"].facing == 19
    assert refusal(narrow, "rome", "step", ship="r1", angle=20).rule == "G4.3"
    post = [[19.9, 18.7], [20.1, 18.7], [20.1, 18.8], [19.9, 18.8]]
    split = moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": far()}, board={"coast": [post]})
    runs = [offer.fields["angle"] for offer in GALLEY.offers(split, "rome") if offer.type == "step"]
    assert [run if isinstance(run, int) else (run["from"], run["to"]) for run in runs][1:-1] == [0], runs
    for angle in (runs[0]["to"] + 1, runs[-1]["from"] - 1):
        assert refusal(split, "rome", "step", ship="r1", angle=angle).rule == "G4.3"


def test_g1_6_g_a_ship_that_no_angle_is_open_to_stops_by_itself():
    ring = [[18, 18], [22, 18], [22, 22], [18, 22], [18, 18]]
    hole = [[19.5, 19.5], [20.5, 19.5], [20.5, 20.5], [19.5, 20.5], [19.5, 19.5]]
    battle = moving(
        {"r1": ship("rome", [20, 20], 0, speed=1), "c1": far(speed=1)},
        board={"coast": [{"type": "Polygon", "coordinates": [ring, hole]}]},
    )
    assert GALLEY.waiting_for(battle) == ("carthage",)
    done = do(battle, "carthage", "step", ship="c1", angle=0)
    assert ("stopped", "r1") in [(event.type, event.data.get("ship")) for event in done.events]


def test_g1_6_boarding_needs_range_one_from_hull_to_hull():
    def boards(y):
        ships = {"r1": ship("rome", [20, 20], 0, heavy=2), "c1": ship("carthage", [20, y], 0, medium=1)}
        battle = sea(ships, step="board", phase=6)
        return [offer.fields["target"] for offer in GALLEY.offers(battle, "rome") if offer.type == "board"]

    assert boards(18.21) == ["c1"] and boards(18.19) == []


@pytest.mark.parametrize(
    "wrong, path",
    [
        ({"board": {"width": 0}}, "board.width"),
        ({"board": {"coast": [[[0, 0], [1, 1]]]}}, "board.coast[0].coordinates[0]"),
        ({"board": {"coast": [[[0, 0], [2, 2], [2, 0], [0, 2]]]}}, "board.coast[0].coordinates"),
        ({"board": {"coast": [{"type": "Point", "coordinates": [1, 2]}]}}, "board.coast[0].type"),
        ({"board": {"wrecks": [7]}}, "board.wrecks[0]"),
        ({"board": {"covered": [[[0, 0], [1, 0], [1, 1]]]}}, "board.covered[0]"),
        ({"board": {"land": [[1, 1]]}}, "board.land"),
        ({"r1": {"at": [41, 20]}}, "ships.r1.at"),
        ({"r1": {"at": None}}, "ships.r1.at"),
        ({"r1": {"facing": "N"}}, "ships.r1.facing"),
        ({"r1": {"facing": None}}, "ships.r1.facing"),
        ({"r1": {"at": [15, 5]}, "board": {"coast": LAND}}, "ships.r1.at"),
        ({"r1": {"at": [15, 8.3]}, "board": {"coast": LAND}}, "ships.r1.at"),
        ({"r1": {"at": [15, 5]}, "board": {"wrecks": LAND}}, "ships.r1.at"),
        ({"r1": {"at": [30.1, 30.1]}}, "ships.c1.at"),
        ({"r1": {"at": ["x", 3]}}, "ships.r1.at"),
    ],
)
def test_g1_6_a_position_that_contradicts_itself_is_refused_with_its_path(wrong, path):
    r1 = ship("rome", [20, 20], 0) | wrong.get("r1", {})
    with pytest.raises(BadInput) as refused:
        sea({"r1": r1, "c1": ship("carthage", [30, 30], 45)}, board=wrong.get("board", {}))
    assert refused.value.path.startswith(f"position.{path}")


def test_g1_6_hexes_take_no_fractions_and_no_degrees():
    for wrong, path in (({"at": [3.5, 2]}, "at"), ({"facing": 30}, "facing")):
        with pytest.raises(BadInput) as refused:
            position(ships={"r1": ship("rome", (3, 3)) | wrong, "c1": ship("carthage", (9, 3))})
        assert refused.value.path == f"position.ships.r1.{path}"


def test_g1_6_the_umpire_may_move_a_ship_but_not_onto_another():
    battle = sea({"r1": ship("rome", [20, 20], 0), "c1": ship("carthage", [30, 30], 45)})
    moved = do(battle, "umpire", "adjust", ship="r1", changes={"at": [21.5, 20], "facing": 375}, why="a slip").state
    assert moved.ships["r1"].at == (21.5, 20) and moved.ships["r1"].facing == 15
    for changes in ({"at": [30, 30.2]}, {"facing": "N"}, {"at": [99, 0]}):
        with pytest.raises(BadInput):
            do(battle, "umpire", "adjust", ship="r1", changes=changes, why="a slip")


def test_g1_6_a_position_is_written_as_it_is_read():
    ships = {"r1": ship("rome", [20.12345678, 20], 370), "c1": ship("carthage", [30, 30], -45)}
    battle = sea(ships, board={"coast": [[[0, 0], [3, 0], [0, 3]]]})
    raw = json.loads(encode(battle))
    assert raw["ships"]["r1"]["at"] == [20.123457, 20.0] and raw["ships"]["r1"]["facing"] == 10.0
    assert raw["ships"]["c1"]["facing"] == 315.0
    ring = [[0.0, 0.0], [3.0, 0.0], [0.0, 3.0], [0.0, 0.0]]
    assert raw["board"]["coast"] == [{"coordinates": [ring], "type": "Polygon"}]
    assert encode(GALLEY.start(None, raw, {}, Dice()).state) == encode(battle)


def test_g1_6_a_battle_on_hexes_is_written_as_before():
    raw = json.loads(encode(position(ships={"r1": ship("rome", (3, 3)), "c1": ship("carthage", (9, 3))})))
    assert set(raw["board"]) == {"kind", "columns", "rows", "land", "wrecks", "covered"}
    assert "rest" not in raw["ships"]["r1"] and raw["ships"]["r1"]["at"] == [3, 3]


# What comes in is bounded ---------------------------------------------------------------------------------------


def test_g1_6_the_longest_coast_may_be_drawn_and_posted_back_and_a_longer_one_is_refused():
    ships = {"r1": ship("rome", [20, 20], 0), "c1": ship("carthage", [20, 5], 0)}
    battle = sea(ships, board={"coast": [long_coast(CORNERS)]})
    assert len(battle.board.coasts[0].coordinates[0]) == CORNERS + 1
    again = GALLEY.start(None, json.loads(encode(battle)), {}, Dice()).state
    assert again.board == battle.board
    with pytest.raises(BadInput, match="6000 corners") as refused:
        sea(ships, board={"coast": [long_coast(CORNERS + 1)]})
    assert refused.value.path == "position.board.coast"


@pytest.mark.parametrize(
    ("board", "path"),
    [
        ({"coast": [[[at, 30], [at, 31], [at + 0.5, 31]] for at in range(AREAS + 1)]}, "coast"),
        ({"wrecks": [[[1, 30], [1, 31], [2, 31]]] * (AREAS + 1)}, "wrecks"),
        ({"coast": [[[0, 0], [2000, 0], [0, 5]]]}, "coast[0].coordinates.0.1.0"),
        ({"kind": "hexes", "land": [[1, 1]] * (HEXES + 1)}, "land"),
        ({"kind": "hexes", "wrecks": [[1, 1]] * (HEXES + 1)}, "wrecks"),
    ],
)
def test_g1_6_and_g1_2_a_board_comes_in_with_so_much_land_and_no_more(board, path):
    with pytest.raises(BadInput) as refused:
        position(ships={"r1": ship("rome", [5, 5], "N")}, board={"kind": "open", **board})
    assert refused.value.path == f"position.board.{path}"


def test_g2_0_a_position_brings_so_many_ship_types_of_its_own():
    kind = {"hull": 5, "maximum": 6, "cruise": 4, "turn_cycle": 1, "acceleration": 3, "ram": 0}
    with pytest.raises(BadInput, match="at most 60") as refused:
        position(ships={"r1": ship("rome", [5, 5], "N")}, types={f"type{number}": kind for number in range(61)})
    assert refused.value.path == "position.types"
