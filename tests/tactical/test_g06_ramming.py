"""G6 The ram."""

import pytest

from kit.fleet import do, go, offered, on, plotted, position, ship
from tactical import GALLEY
from tactical.kernel.dice import RollNeeded
from tactical.kernel.protocol import Illegal


def meeting(phase=2, options=None, extra=None, **fields):
    """r1 has stepped north at c1, which lies across its bow."""
    c1 = {"facing": "NE", "speed": 3, **fields.pop("c1", {})}
    ships = {
        "r1": ship("rome", (4, 4), "N", contact="c1", **{"stepped": True, "speed": 3, "steps_made": 1, **fields}),
        "c1": ship("carthage", (4, 3), **c1),
        "r8": ship("rome", (17, -6), speed=0),
        "c8": ship("carthage", (19, 0), speed=0),
        **(extra or {}),
    }
    return position(ships=ships, step="ram", phase=phase, options=options)


def rest_of_turn(battle, *dice):
    """Hold, step on and pass until the next plot; `dice` are for the end of the turn."""
    for _ in range(60):
        if battle.step in ("plot", "over"):
            return battle
        if battle.step == "move":
            side = GALLEY.waiting_for(battle)[0]
            offer = next(offer for offer in GALLEY.offers(battle, side) if offer.type == "step")
            key = "facing" if "facing" in offer.fields else "turn"
            value = offer.fields[key]
            command = {"ship": offer.fields["ship"], key: value[0] if isinstance(value, list) else value}
            call = (side, "step", command)
        else:
            call = (GALLEY.waiting_for(battle)[0], "done", {"side": GALLEY.waiting_for(battle)[0]})
        try:
            battle = do(battle, call[0], call[1], **call[2]).state
        except RollNeeded:
            battle = do(battle, call[0], call[1], *dice, **call[2]).state
    raise AssertionError("the turn does not end")


@pytest.mark.parametrize("facing", ["N", "NE", "SE", "SW", "NW"])
def test_g6_1_from_any_aspect_but_bow_to_bow_the_moving_ship_rams(facing):
    after = do(meeting(c1={"facing": facing}), "rome", "ram", 3, ship="r1").state
    assert after.ships["c1"].damage == 3 and after.ships["r1"].damage == 0


@pytest.mark.parametrize(
    "crew, dice, hurt",
    [
        ("elite", (3, 3), ("c1",)),
        ("elite", (3, 2), ("r1", "c1")),
        ("elite", (4, 2), ("r1",)),
        ("average", (3, 3), ("r1", "c1")),
        ("average", (2, 3), ("c1",)),
    ],
)
def test_g6_1_bow_to_bow_the_dice_and_the_better_crew_decide(crew, dice, hurt):
    """The dice are those of c1 and then r1, in order of id; r1's crew is the one given, c1's is average."""
    battle = meeting(crew=crew, c1={"facing": "S"})
    damage = (1,) * len(hurt)
    after = do(battle, "rome", "ram", *dice, *damage, ship="r1").state
    assert tuple(name for name in ("r1", "c1") if after.ships[name].breaches) == hurt


def test_g6_1_the_worked_example_of_an_elite_and_an_average_trireme():
    after = do(meeting(crew="elite", c1={"facing": "S"}), "rome", "ram", 3, 3, 2, ship="r1").state
    assert after.ships["c1"].damage == 2 and after.ships["r1"].damage == 0
    after = do(meeting(crew="elite", c1={"facing": "S"}), "rome", "ram", 3, 2, 1, 2, ship="r1").state
    assert after.ships["r1"].damage == 1 and after.ships["c1"].damage == 2, "c1 rolls its damage first"


QUINQUEREME = {"kind": "quinquereme", "heavy": 1, "plot": 3, "speed": 3, "full_speed_last": True}


def test_g6_2_the_worked_quinquereme_sinks_a_trireme_with_a_four():
    after = do(meeting(**QUINQUEREME), "rome", "ram", 4, ship="r1").state
    assert after.ships["c1"].status == "sunk" and after.ships["c1"].damage == 6
    assert (4, 3) in after.board.wrecks and after.ships["r1"].at == (4, 4)


def test_g6_2_with_a_three_it_floats_until_a_repair_die_of_two_floods_it():
    after = do(meeting(**QUINQUEREME), "rome", "ram", 3, ship="r1").state
    assert after.ships["c1"].damage == 5 and after.ships["c1"].breaches == 1
    after = rest_of_turn(after, 2)
    assert after.ships["c1"].status == "sunk" and (4, 3) in after.board.wrecks


def test_g6_4_a_breach_is_made_whatever_the_damage_and_that_is_never_below_nought():
    after = do(meeting(kind="bireme", medium=1), "rome", "ram", 1, ship="r1").state
    assert after.ships["c1"].damage == 0 and after.ships["c1"].breaches == 1


@pytest.mark.parametrize(
    "fields, fast",
    [
        ({"plot": 5, "speed": 5, "full_speed_last": True, "steps_made": 3}, True),
        ({"plot": 5, "speed": 5, "full_speed_last": False, "steps_made": 1}, True),
        ({"plot": 5, "speed": 5, "full_speed_last": False, "steps_made": 0}, True),
        ({"plot": 5, "speed": 5, "full_speed_last": False, "steps_made": 2}, False),
        ({"plot": 4, "speed": 4, "full_speed_last": True, "steps_made": 1}, False),
        (
            {"plot": 5, "speed": 5, "full_speed_last": True, "steps_made": 1, "oars_broken": True, "raked_by": "c8"},
            False,
        ),
        ({"plot": 5, "speed": 5, "full_speed_last": True, "steps_made": 1, "crew": "elite"}, False),
        ({"plot": 6, "speed": 6, "full_speed_last": True, "steps_made": 1, "crew": "elite"}, True),
    ],
)
def test_g6_3_full_speed(fields, fast):
    after = do(meeting(**fields), "rome", "ram", 2, ship="r1").state
    assert after.ships["c1"].damage == 2 + fast


def test_g6_3_a_turn_at_full_speed_is_remembered_only_if_every_step_was_made():
    board = {"columns": 20, "rows": 20}
    ships = {
        "r1": ship("rome", (4, 8), speed=3),
        "r2": ship("rome", (8, 7), speed=3, straight=0),
        "c1": ship("carthage", (15, 4)),
    }
    battle = plotted(position(ships=ships, board={**board, "land": [(8, 5)]}), r1=5, r2=5)
    battle = rest_of_turn(battle)
    assert battle.ships["r1"].full_speed_last and not battle.ships["r2"].full_speed_last


@pytest.mark.parametrize("made, fast", [(4, False), (5, True)])
@pytest.mark.parametrize("what", ["rammed", "holds", "boarded"])
def test_g6_3_what_stops_a_ship_after_her_last_step_takes_no_full_speed_from_her(what, made, fast):
    """r1, an average trireme, is plotted at 5, her maximum, and lies in contact with c1, or c1 with her."""
    fields = {"plot": 5, "speed": 5, "steps_made": made, "stepped": True}
    if what == "holds":
        battle = do(meeting(phase=6, **fields), "rome", "hold", ship="r1").state
    else:
        ram = ship("carthage", (4, 5), "N", contact="r1", stepped=True, speed=3, steps_made=1)
        ships = {"r1": ship("rome", (4, 4), "SE", **fields), "c1": ram, "r8": ship("rome", (17, -6))}
        battle = position(ships=ships, step="ram", phase=6)
        battle = do(
            battle, "carthage", "ram" if what == "rammed" else "hold", *([1] * (what == "rammed")), ship="c1"
        ).state
        if what == "boarded":
            battle = do(battle, "carthage", "board", 6, 1, 1, 1, 1, ship="c1", target="r1").state
    battle = rest_of_turn(battle, 6)
    assert battle.step == "plot" and battle.ships["r1"].full_speed_last is fast
    assert battle.ships["r1"].speed == 0


def test_g6_5_the_rammer_stays_and_the_hex_is_closed():
    after = do(meeting(c1={"damage": 5}), "rome", "ram", 1, ship="r1").state
    assert after.ships["r1"].at == (4, 4) and after.ships["r1"].speed == 0 and (4, 3) in after.board.wrecks


def test_g6_6_both_have_speed_nought_and_make_no_more_steps():
    after = do(meeting(), "rome", "ram", 1, ship="r1").state
    assert all(after.ships[name].speed == 0 and after.ships[name].stopped for name in ("r1", "c1"))


def test_g6_7_the_rammer_must_back_one_step_next_turn():
    battle = rest_of_turn(do(meeting(), "rome", "ram", 1, ship="r1").state, 6)
    (fields,) = offered(battle, "rome", "plot", ship="r1")
    assert fields["speed"] == -1
    with pytest.raises(Illegal) as wrong:
        do(battle, "rome", "plot", ship="r1", speed=0)
    assert wrong.value.rule == "G6.7"
    battle = on(plotted(battle, r1=-1, c1=0))
    assert battle.phase == 6
    battle = do(battle, "rome", "step", ship="r1", turn="none").state
    battle = rest_of_turn(battle)
    sheet = battle.ships["r1"]
    assert sheet.at == (4, 5) and not sheet.must_back and sheet.backed_for_ram and sheet.free_turn == "one_side"
    (fields,) = offered(battle, "rome", "plot", ship="r1")
    assert fields["speed"] == {"from": -1, "to": 3}, "full acceleration after the owed backing (G4.4)"


def test_g6_7_the_debt_stands_even_when_the_target_is_gone():
    battle = rest_of_turn(do(meeting(c1={"damage": 5}), "rome", "ram", 1, ship="r1").state)
    assert battle.ships["r1"].must_back
    assert offered(battle, "rome", "plot", ship="r1")[0]["speed"] == -1


def owing(behind=None, **board):
    ships = {
        "r1": ship("rome", (4, 4), "N", must_back=True),
        "c8": ship("carthage", (17, 0)),
        "r8": ship("rome", (17, -6)),
    }
    if behind:
        ships["x1"] = ship(behind, (4, 5), "NE")
    return rest_of_turn(plotted(position(ships=ships, board=board), r1=-1))


def test_g6_7_a_ship_behind_keeps_the_debt_open():
    for side in ("rome", "carthage"):
        sheet = owing(side).ships["r1"]
        assert sheet.at == (4, 4) and sheet.must_back and sheet.speed == 0


@pytest.mark.parametrize("board", [{"land": [(4, 5)]}, {"wrecks": [(4, 5)]}])
def test_g6_7_before_land_or_a_wreck_standing_still_serves(board):
    sheet = owing(**board).ships["r1"]
    assert sheet.at == (4, 4) and not sheet.must_back


def test_g6_7_in_a_fight_the_debt_waits():
    battle = do(meeting(medium=9), "rome", "ram", 1, ship="r1").state
    assert battle.step == "board"
    battle = do(battle, "rome", "board", 4, *(1,) * (2 + 9), 6, ship="r1", target="c1").state
    sheet = battle.ships["r1"]
    assert sheet.boarding is None and battle.ships["c1"].status == "captured" and sheet.must_back
    assert offered(battle, "rome", "plot", ship="r1")[0]["speed"] == -1


def test_g6_7_a_after_a_tie_both_must_back_and_neither_is_free():
    battle = do(meeting(c1={"facing": "S"}), "rome", "ram", 3, 3, 1, 1, ship="r1").state
    battle = rest_of_turn(battle, 6, 6)
    for name in ("r1", "c1"):
        assert battle.ships[name].must_back and battle.ships[name].free_turn is False


def test_g6_7_a_the_first_step_after_the_backing_may_turn_whatever_the_cycle():
    ships = {
        "r1": ship(
            "rome",
            (6, 4),
            "N",
            kind="hepteres",
            medium=1,
            straight=0,
            speed=-1,
            backed_for_ram=True,
            free_turn="one_side",
        ),
        "c1": ship("carthage", (15, 0)),
    }
    battle = plotted(position(ships=ships), r1=2)
    assert offered(battle, "rome", "step", ship="r1")[0]["turn"] == ["none", "left", "right"]
    battle = do(battle, "rome", "step", ship="r1", turn="left").state
    assert battle.phase == 5 and offered(battle, "rome", "step", ship="r1")[0]["turn"] == "none"


def test_g6_8_the_rammed_ship_is_free_next_turn():
    battle = rest_of_turn(
        do(
            meeting(c1={"facing": "NE", "kind": "hepteres", "medium": 1, "straight": 0}), "rome", "ram", 1, ship="r1"
        ).state,
        6,
    )
    (fields,) = offered(battle, "carthage", "plot", ship="c1")
    assert fields["speed"] == {"from": -1, "to": 3}
    battle = on(plotted(battle, r1=-1, c1=3))
    (fields,) = offered(battle, "carthage", "step", ship="c1")
    assert set(fields["facing"]) == {"N", "NE", "SE", "S", "SW", "NW"}, "south lies the enemy: a contact"
    battle = do(battle, "carthage", "step", ship="c1", facing="SE").state
    assert battle.ships["c1"].at == (5, 3) and battle.ships["c1"].free_turn is False


def test_g6_8_unused_the_freedom_ends_with_that_turn():
    battle = rest_of_turn(do(meeting(), "rome", "ram", 1, ship="r1").state, 6)
    assert battle.ships["c1"].free_turn == "any"
    battle = rest_of_turn(plotted(battle, r1=-1, c1=0))
    assert battle.ships["c1"].free_turn is False


def test_g6_8_backing_with_the_freedom_may_face_any_way_first():
    ships = {"c1": ship("carthage", (6, 4), "N", free_turn="any"), "r1": ship("rome", (15, 0))}
    battle = plotted(position(ships=ships), c1=-1)
    battle = do(battle, "carthage", "step", ship="c1", facing="S").state
    assert battle.ships["c1"].at == (6, 3) and battle.ships["c1"].facing == "S"


def test_g6_9_holding_stops_without_a_ram_and_done_holds():
    for command in (("hold", {"ship": "r1"}), ("done", {"side": "rome"})):
        after = go(meeting(), command)
        assert after.ships["r1"].stopped and after.ships["r1"].speed == 0 and not after.ships["r1"].must_back
        assert after.ships["c1"].breaches == 0


def test_g6_10_a_ship_sunk_in_the_step_still_settles_its_own_contact():
    third = {"r2": ship("rome", (3, 4), "NE", contact="c1", stepped=True), "r1": ship("rome", (4, 4), "N")}
    battle = position(
        ships={
            **third,
            "c1": ship("carthage", (4, 3), "N", damage=5, contact="r3", stepped=True),
            "r3": ship("rome", (4, 2), "NE"),
            "c8": ship("carthage", (19, 0)),
        },
        step="ram",
        phase=2,
    )
    battle = do(battle, "rome", "ram", 1, ship="r2").state
    assert battle.ships["c1"].status == "sunk" and battle.step == "ram"
    assert [offer["ship"] for offer in offered(battle, "carthage", "ram")] == ["c1"]
    battle = do(battle, "carthage", "ram", 4, 6, ship="c1").state
    assert battle.ships["r3"].damage == 4 and battle.ships["c1"].status == "sunk"


def test_g6_10_a_second_contact_with_a_sunk_ship_is_off_and_owes_nothing():
    extra = {"r2": ship("rome", (3, 4), "NE", contact="c1", stepped=True, waited=2)}
    after = do(meeting(c1={"damage": 5}, extra=extra), "rome", "ram", 1, ship="r1").state
    assert after.ships["r2"].contact is None and not after.ships["r2"].must_back and not after.ships["r2"].stopped


def mutual(**fields):
    return meeting(c1={"facing": "S", "contact": "r1", "stepped": True, "steps_made": 1}, **fields)


def test_g6_10_a_ram_by_either_settles_a_meeting():
    after = do(mutual(), "carthage", "ram", 1, 5, 2, ship="c1").state
    assert after.ships["c1"].damage == 2 and after.ships["r1"].contact is None and after.step != "ram"


def test_g6_10_the_crew_that_may_rake_chooses_first():
    battle = mutual(crew="elite")
    with pytest.raises(Illegal) as wrong:
        do(battle, "carthage", "ram", 1, 5, 2, ship="c1")
    assert wrong.value.rule == "G6.10" and GALLEY.waiting_for(battle) == ("rome",)
    assert {offer.type for offer in GALLEY.offers(battle, "rome")} >= {"ram", "rake", "hold"}
