"""G5 Missile fire."""

import pytest

from kit.fleet import do, offered, position, ship
from kit.sea import sea
from tactical import GALLEY
from tactical.geometry import geometry
from tactical.kernel.protocol import Illegal
from tactical.rules.missiles import WEAPONS, kill
from tactical.ship import Ship


def firing(options=None, board=None, phase=1, **ships):
    return position(ships=ships, step="fire", phase=phase, options=options, board=board or {})


def at_range(reach, weapon="archer", count=1, **target):
    fields = {"archers": 0, "catapults": 0, "stone_throwers": 0, "medium": 2, WEAPONS[weapon].field: count}
    return firing(
        r1=ship("rome", (2, 0), **fields),
        c1=ship("carthage", (2, reach), **target),
        r2=ship("rome", (14, 0), archers=1),
        c2=ship("carthage", (14, 1)),
        board={"columns": 20, "rows": 24},
    )


def shot(battle, *dice, weapon="archer", count=1, target="c1", name="r1"):
    return do(battle, "rome", "fire", *dice, ship=name, weapon=weapon, count=count, target=target).state


def refused(battle, **fields):
    with pytest.raises(Illegal) as wrong:
        do(battle, "rome", "fire", **{"ship": "r1", "weapon": "archer", "count": 1, "target": "c1", **fields})
    return wrong.value


@pytest.mark.parametrize(
    "weapon, reach, kills, damage",
    [
        ("archer", 1, {5: 1, 6: 1}, {}),
        ("archer", 2, {6: 1}, {}),
        ("archer", 4, {6: 1}, {}),
        ("catapult", 1, {5: 1, 6: 1}, {}),
        ("catapult", 3, {5: 1, 6: 1}, {}),
        ("catapult", 4, {6: 1}, {}),
        ("catapult", 10, {6: 1}, {}),
        ("stone_thrower", 1, {6: 1}, {5: 1, 6: 2}),
        ("stone_thrower", 3, {6: 1}, {5: 1, 6: 2}),
        ("stone_thrower", 4, {}, {6: 1}),
        ("stone_thrower", 10, {}, {6: 1}),
    ],
)
def test_g5_2_what_each_face_does_at_each_range(weapon, reach, kills, damage):
    for face in range(1, 7):
        after = shot(at_range(reach, weapon), face, weapon=weapon)
        assert 2 - after.ships["c1"].marines == kills.get(face, 0), face
        assert after.ships["c1"].damage == damage.get(face, 0), face


@pytest.mark.parametrize("weapon, reach", [("archer", 4), ("catapult", 10), ("stone_thrower", 10)])
def test_g5_3_at_the_very_end_of_its_reach_a_weapon_is_offered_the_shot(weapon, reach):
    (fields,) = offered(at_range(reach, weapon), "rome", "fire", ship="r1")
    assert fields["target"] == "c1" and not offered(at_range(reach + 1, weapon), "rome", "fire", ship="r1")


@pytest.mark.parametrize("weapon, reach", [("archer", 5), ("catapult", 11), ("stone_thrower", 11)])
def test_g5_3_beyond_the_long_range_the_error_names_range_and_reach(weapon, reach):
    wrong = refused(at_range(reach, weapon), weapon=weapon)
    assert wrong.rule == "G5.3" and str(reach) in wrong.reason and str(WEAPONS[weapon].reach) in wrong.reason


def test_g5_1_a_group_may_be_split_over_targets_and_phases_but_fires_once_a_turn():
    battle = firing(
        r1=ship("rome", (4, 4), archers=3, speed=1),
        c1=ship("carthage", (4, 3)),
        c2=ship("carthage", (4, 2)),
        r2=ship("rome", (9, 4), speed=3),
    )
    battle = shot(battle, 1)
    battle = shot(battle, 1, target="c2")
    (left,) = offered(battle, "rome", "fire", ship="r1")
    assert left["count"] == 1
    assert refused(battle, count=2).rule == "G5.1"
    battle = shot(battle, 1)
    assert battle.ships["r1"].fired == {"archer": 3}
    battle = position(
        ships={
            "r1": ship("rome", (4, 4), archers=3, fired={"archer": 3}),
            "r2": ship("rome", (9, 2), archers=1),
            "c1": ship("carthage", (4, 3)),
            "c2": ship("carthage", (9, 3)),
        },
        step="fire",
        phase=5,
    )
    assert refused(battle).rule == "G5.1" and not offered(battle, "rome", "fire", ship="r1")


def test_g5_4_three_hits_on_a_hellenistic_quinquereme():
    crew = {"medium": 8, "archers": 2, "catapults": 2}
    after, dead = kill(Ship("carthage", "quinquereme", **crew), 3)
    assert (after.archers, after.catapults, after.medium) == (0, 1, 8) and dead == {"archers": 2, "catapults": 1}


def test_g5_4_then_stone_throwers_then_marines_lightest_first_and_the_rest_is_lost():
    crowd = Ship("carthage", "hepteres", heavy=1, medium=1, light=1, stone_throwers=1)
    for kills, left in [(1, (1, 1, 1, 0)), (2, (1, 1, 0, 0)), (3, (1, 0, 0, 0)), (4, (0, 0, 0, 0)), (9, (0, 0, 0, 0))]:
        after, _ = kill(crowd, kills)
        assert (after.heavy, after.medium, after.light, after.stone_throwers) == left


def boarded(**fields):
    return firing(
        r1=ship("rome", (4, 4), boarding="c1", medium=3, archers=1, catapults=1, **fields),
        c1=ship("carthage", (4, 3), boarding="c1", medium=3),
        c2=ship("carthage", (5, 3)),
        r2=ship("rome", (12, 1), archers=1),
        c3=ship("carthage", (12, 2)),
    )


def test_g5_5_in_a_fight_artillery_is_silent_and_archers_fire_at_anyone():
    battle = boarded()
    assert refused(battle, weapon="catapult", target="c2").rule == "G5.5"
    assert not offered(battle, "rome", "fire", ship="r1", weapon="catapult")
    assert shot(battle, 5).ships["c1"].medium == 2, "the boarders included"
    assert shot(battle, 5, target="c2").ships["c2"].medium == 1


def test_g5_6_land_blocks_when_the_line_crosses_it_not_when_it_touches():
    crossing = firing(
        board={"land": [(4, 3)]},
        r1=ship("rome", (4, 4), archers=1),
        c1=ship("carthage", (4, 2)),
        r2=ship("rome", (9, 0), archers=1),
        c2=ship("carthage", (9, 1)),
    )
    assert refused(crossing).rule == "G5.6"
    assert all("c1" not in fields["target"] for fields in offered(crossing, "rome", "fire", ship="r1"))
    # from (4, 4) to (5, 2) the line runs along the edge between (4, 3) and (5, 3): it touches both, crosses neither
    grazing = firing(
        board={"land": [(5, 3)]},
        r1=ship("rome", (4, 4), archers=1),
        c1=ship("carthage", (5, 2)),
        r2=ship("rome", (9, 0), archers=1),
        c2=ship("carthage", (9, 1)),
    )
    assert shot(grazing, 6).ships["c1"].marines == 1


def test_g5_6_along_the_seam_of_two_land_hexes_there_is_no_sight():
    """From (5, 5) to (7, 4) the line runs along the border between (6, 4) and (6, 5), on the sea of hexes."""
    ships = {"r1": ship("rome", (5, 5), archers=1), "c1": ship("carthage", (7, 4))}
    for land, free in (([], True), ([(6, 4)], True), ([(6, 5)], True), ([(6, 4), (6, 5)], False)):
        battle = firing(
            board={"land": land}, r2=ship("rome", (14, 0), archers=1), c2=ship("carthage", (14, 1)), **ships
        )
        assert bool(offered(battle, "rome", "fire", ship="r1")) is free, land


def test_g5_6_along_the_seam_of_two_that_block_there_is_no_sight_be_they_ships_or_land():
    """The same border, with ships and the coast in the hexes beside it; one of them alone hides nothing."""
    ships = {"r1": ship("rome", (5, 5), archers=1), "c1": ship("carthage", (7, 4))}
    far = {"r2": ship("rome", (14, 0), archers=1), "c2": ship("carthage", (14, 1))}
    one, other = {"r3": ship("rome", (6, 4))}, {"c3": ship("carthage", (6, 5))}
    for blockers, land, free in (
        ({}, [], True),
        (one, [], True),
        (other, [], True),
        (one | other, [], False),
        (one, [(6, 5)], False),
        (other, [(6, 4)], False),
    ):
        for blocks in (True, False):
            given = {"options": {"ships_block_sight": blocks}, "board": {"land": land}}
            targets = [
                each["target"]
                for each in offered(firing(**ships, **far, **blockers, **given), "rome", "fire", ship="r1")
            ]
            seen = any("c1" in ([each] if isinstance(each, str) else each) for each in targets)
            assert seen is (free or not blocks), (list(blockers), land, blocks)


def test_g5_6_on_the_measured_sea_two_hulls_that_touch_leave_no_gap_to_look_through():
    ships = {
        "r1": ship("rome", [20, 20], 0, archers=1),
        "c1": ship("carthage", [20, 17], 0),
        "r3": ship("rome", [19.88995, 18.5], 0),
        "c3": ship("carthage", [20.11005, 18.5], 0),
    }
    for width, free in ((0.0, False), (0.01, True)):
        apart = {
            **ships,
            "r3": {**ships["r3"], "at": [19.88995 - width, 18.5]},
            "c3": {**ships["c3"], "at": [20.11005 + width, 18.5]},
        }
        battle = sea(apart, step="fire", phase=1, options={"ships_block_sight": True})
        assert geometry(battle).sees(battle, battle.ships["r1"], battle.ships["c1"]) is free, width


def test_g5_6_ships_block_sight_only_by_the_option():
    ships = {
        "r1": ship("rome", (4, 4), archers=1),
        "c1": ship("carthage", (4, 2)),
        "r3": ship("rome", (4, 3)),
        "r2": ship("rome", (9, 0), archers=1),
        "c2": ship("carthage", (9, 1)),
    }
    assert shot(firing(**ships), 6).ships["c1"].marines == 1
    assert refused(firing(options={"ships_block_sight": True}, **ships)).rule == "G5.6"


def test_g5_6_there_are_no_arcs_unless_the_table_wants_them():
    ships = {
        "r1": ship("rome", (4, 4), "N", archers=1),
        "c1": ship("carthage", (4, 6)),
        "r2": ship("rome", (9, 0), archers=1),
        "c2": ship("carthage", (9, -1)),
    }
    assert shot(firing(**ships), 6).ships["c1"].marines == 1
    assert refused(firing(options={"arcs": "forward"}, **ships)).rule == "G5.6"


def test_g5_7_who_is_killed_in_this_fire_step_may_still_fire_in_it():
    battle = firing(
        r1=ship("rome", (4, 4), archers=1, medium=2),
        c1=ship("carthage", (4, 3), archers=1, medium=2),
        r2=ship("rome", (9, 0), archers=1),
        c2=ship("carthage", (9, 1)),
    )
    battle = shot(battle, 6)
    assert battle.ships["c1"].archers == 0 and battle.ships["c1"].lost_this_step == {"archer": 1}
    battle = do(battle, "carthage", "fire", 6, ship="c1", weapon="archer", count=1, target="r1").state
    assert battle.ships["r1"].archers == 0
    later = position(
        ships={"c1": ship("carthage", (4, 3), archers=0), "r1": ship("rome", (4, 4), archers=1)}, step="fire", phase=2
    )
    assert not offered(later, "carthage", "fire")


def test_g5_8_a_ship_shot_to_pieces_sinks_when_the_step_ends_and_its_own_fire_stands():
    battle = firing(
        r1=ship("rome", (4, 4), stone_throwers=1),
        c1=ship("carthage", (4, 3), damage=5, archers=1),
        r2=ship("rome", (9, 3)),
        c2=ship("carthage", (17, -1)),
    )
    battle = shot(battle, 5, weapon="stone_thrower")
    assert battle.ships["c1"].damage == 6 and battle.ships["c1"].is_afloat
    battle = do(battle, "carthage", "fire", 6, ship="c1", weapon="archer", count=1, target="r1").state
    assert battle.ships["c1"].status == "sunk" and battle.ships["c1"].at is None
    assert (4, 3) in battle.board.wrecks and battle.ships["r1"].medium + battle.ships["r1"].stone_throwers < 3


def test_g5_3_the_refusal_names_the_first_rule():
    """Range, then sight, then the fight, then the count."""
    battle = boarded(fired={"archer": 1})
    assert refused(battle, weapon="catapult", target="c3", count=9).rule == "G5.5"
    assert refused(battle, target="c3", count=9).rule == "G5.3"
    assert refused(battle, target="c2", count=9).rule == "G5.1"


def test_g8_6_on_the_players_own_table_too_nobody_is_offered_a_prize_or_a_wreck_to_fire_at():
    battle = firing(
        r1=ship("rome", None, None, archers=1),
        c1=ship("carthage", None, None, status="captured", captured_by="rome"),
        c2=ship("carthage", None, None),
        c3=ship("carthage", None, None, status="sunk"),
        board={"kind": "table"},
    )
    (fields,) = offered(battle, "rome", "fire", ship="r1")
    assert fields["target"] == "c2"


def test_g5_1_nobody_fires_at_friends_prizes_or_from_the_deep():
    battle = firing(
        r1=ship("rome", (4, 4), archers=1),
        r2=ship("rome", (4, 3)),
        c1=ship("carthage", (5, 3), status="captured", captured_by="rome"),
        c2=ship("carthage", (3, 4)),
    )
    assert refused(battle, target="r2").rule == "G5.1"
    assert refused(battle, target="c1").rule == "G8.6"
    (fields,) = offered(battle, "rome", "fire", ship="r1")
    assert fields["target"] == "c2" and GALLEY.waiting_for(battle) == ("rome",)
