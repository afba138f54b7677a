"""G9 The end of the turn."""

from kit.fleet import do, position, ship
from tactical import GALLEY


def end(*dice, options=None, **sheets):
    """The end of turn 1, from a last board step in which only Rome's r9 could do anything."""
    ships = {"r9": ship("rome", (9, 0), heavy=1), "c9": ship("carthage", (9, 1), medium=0, archers=1), **sheets}
    battle = position(ships=ships, step="board", phase=6, options=options)
    assert GALLEY.waiting_for(battle) == ("rome",)
    return do(battle, "rome", "done", *dice, side="rome")


def test_g9_1_fights_come_before_repairs_and_repairs_before_flooding():
    outcome = end(
        1,
        1,
        6,
        1,
        r1=ship("rome", (4, 4), boarding="c1", heavy=1),
        c1=ship("carthage", (4, 3), boarding="c1", medium=1, breaches=1, damage=3),
        r2=ship("rome", (15, 0), breaches=1, damage=5),
    )
    order = [(event.rule, event.data.get("ship")) for event in outcome.events if event.rule.startswith(("G8", "G9"))]
    assert order == [("G8.3", "c1"), ("G9.2", "c1"), ("G9.2", "r2"), ("G9.3", "r2"), ("G9.3", "r2")]
    assert outcome.state.ships["c1"].breaches == 0, "on 6 in a fight"


def test_g6_3_who_has_rowed_every_step_at_its_maximum_has_full_speed_in_the_next_turn():
    rowing = {"kind": "quinquereme", "heavy": 1, "speed": 3}
    after = end(
        r1=ship("rome", (2, 5), plot=3, steps_made=3, **rowing),
        r2=ship("rome", (5, 5), plot=3, steps_made=2, **rowing),
        r3=ship("rome", (8, 5), plot=2, steps_made=3, **rowing),
    ).state.ships
    assert [after[name].full_speed_last for name in ("r1", "r2", "r3")] == [True, False, False]


def test_g9_2_one_die_for_each_open_breach_closes_it_for_good_on_five_or_six():
    after = end(4, 5, 6, r1=ship("rome", (4, 4), breaches=3)).state.ships["r1"]
    assert after.breaches == 1 and after.repaired == 2 and after.damage == 1


def test_g9_2_in_a_fight_only_a_six_closes():
    sheets = {
        "r1": ship("rome", (4, 4), boarding="c1", heavy=1, breaches=2),
        "c1": ship("carthage", (4, 3), boarding="c1", medium=1),
    }
    after = end(1, 1, 5, 6, **sheets).state.ships["r1"]
    assert after.breaches == 1 and after.repaired == 1


def test_g9_2_a_fight_that_ended_this_turn_no_longer_counts():
    sheets = {
        "r1": ship("rome", (4, 4), boarding="c1", heavy=4),
        "c1": ship("carthage", (4, 3), boarding="c1", medium=1, breaches=1),
    }
    after = end(1, 4, 4, 1, 1, 5, **sheets).state.ships["c1"]
    assert after.status == "captured" and after.breaches == 0, "a prize repairs on 5"


def test_g9_3_at_the_hull_the_ship_sinks_and_its_hex_is_a_wreck():
    after = end(1, r1=ship("rome", (4, 4), breaches=1, damage=5)).state
    assert after.ships["r1"].status == "sunk" and after.ships["r1"].at is None and (4, 4) in after.board.wrecks


def test_g9_3_ships_that_fight_a_sinking_ship_are_free():
    after = end(
        1,
        1,
        1,
        r1=ship("rome", (4, 4), boarding="c1", heavy=1),
        c1=ship("carthage", (4, 3), boarding="c1", medium=1, breaches=1, damage=5),
    ).state
    assert after.ships["c1"].status == "sunk" and after.ships["r1"].boarding is None


def test_g9_3_a_boarder_that_sinks_loses_its_marines_and_the_others_fight_on():
    after = end(
        1,
        1,
        1,
        1,
        1,
        1,
        r1=ship("rome", (4, 4), boarding="c1", heavy=2, breaches=1, damage=5),
        r2=ship("rome", (3, 4), boarding="c1", heavy=1),
        c1=ship("carthage", (4, 3), boarding="c1", medium=2),
    ).state
    assert after.ships["r1"].status == "sunk"
    assert after.boarders_of("c1") == ("r2",) and after.ships["c1"].boarding == "c1"


def test_g9_3_when_the_last_boarder_sinks_the_boarded_ship_is_free():
    after = end(
        1,
        1,
        1,
        1,
        r1=ship("rome", (4, 4), boarding="c1", heavy=1, breaches=1, damage=5),
        c1=ship("carthage", (4, 3), boarding="c1", medium=1, breaches=1),
    ).state
    assert after.ships["r1"].status == "sunk" and after.ships["c1"].boarding is None


def test_g9_4_a_prize_that_sinks_is_scored_as_sunk():
    prize = ship("carthage", (4, 3), status="captured", captured_by="rome", breaches=1, damage=5)
    after = end(2, c1=prize).state
    assert after.ships["c1"].status == "sunk" and (4, 3) in after.board.wrecks
    assert after.sides["rome"].points == 6, "the hull, not twice the hull"


def test_g9_2_prizes_repair_on_five():
    prize = ship("carthage", (4, 3), status="captured", captured_by="rome", breaches=1)
    assert end(5, c1=prize).state.ships["c1"].breaches == 0
