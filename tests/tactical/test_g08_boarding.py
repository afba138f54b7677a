"""G8 Boarding."""

import pytest

from kit.fleet import do, offered, position, ship
from tactical import GALLEY
from tactical.kernel.protocol import Illegal
from tactical.rules.boarding import HITS, lightest_fall, verdict
from tactical.ship import Ship


def boarding(phase=2, extra=None, options=None, c1=None, **fields):
    ships = {
        "r1": ship("rome", (4, 4), **{"heavy": 5, **fields}),
        "c1": ship("carthage", (4, 3), **{"medium": 2, **(c1 or {})}),
        "c9": ship("carthage", (17, -6), "S", speed=3),
        "r9": ship("rome", (19, 0), speed=3),
        **(extra or {}),
    }
    return position(ships=ships, step="board", phase=phase, options=options)


def refused(battle, name="r1", foe="c1"):
    with pytest.raises(Illegal) as wrong:
        do(battle, "umpire", "board", ship=name, target=foe)
    return wrong.value.rule


@pytest.mark.parametrize("face, success", [(1, False), (2, False), (3, False), (4, True), (5, True), (6, True)])
def test_g8_1_without_a_corvus_a_die_of_four_to_six(face, success):
    after = do(boarding(), "rome", "board", face, ship="r1", target="c1").state
    assert (after.ships["r1"].boarding == "c1") is success and after.ships["r1"].tried_boarding


def test_g8_1_with_its_own_corvus_it_is_automatic_if_used():
    battle = boarding(corvus=True)
    assert do(battle, "rome", "board", ship="r1", target="c1").state.ships["c1"].boarding == "c1"
    kept_up = do(battle, "rome", "board", 2, ship="r1", target="c1", corvus=False).state
    assert kept_up.ships["r1"].boarding is None


def test_g8_1_one_attempt_a_turn():
    after = do(boarding(extra={"c2": ship("carthage", (5, 3))}), "rome", "board", 1, ship="r1", target="c1").state
    assert refused(after, foe="c2") == "G8.1" and not offered(after, "rome", "board", ship="r1")


def test_g8_1_it_needs_a_marine_and_range_one():
    assert refused(boarding(heavy=0, archers=2)) == "G8.1"
    assert refused(boarding(), foe="c9") == "G8.1"


def test_g8_1_only_the_enemy_at_range_one_is_offered():
    """An enemy two hexes away stays out of it."""
    battle = boarding(extra={"c2": ship("carthage", (4, 2), heavy=1)})
    assert [fields["target"] for fields in offered(battle, "rome", "board", ship="r1")] == ["c1"]


def test_g8_2_several_boarders_fight_one_ship_and_a_ship_is_in_one_fight():
    battle = boarding(
        extra={
            "r2": ship("rome", (3, 4), heavy=1, corvus=True),
            "c2": ship("carthage", (5, 3), corvus=True),
            "r3": ship("rome", (6, 2), heavy=1),
        },
        corvus=True,
    )
    battle = do(battle, "rome", "board", ship="r1", target="c1").state
    battle = do(battle, "rome", "board", ship="r2", target="c1").state
    assert battle.boarders_of("c1") == ("r1", "r2")
    assert refused(battle, "c1", "r1") == "G8.2"
    assert refused(battle, "c2", "r1") == "G8.2", "nobody boards a boarder while it fights"
    assert offered(battle, "carthage", "board", ship="c2") == [{"ship": "c2", "target": "r3"}]


def test_g8_2_the_first_to_declare_is_the_boarder():
    battle = boarding(corvus=True, c1={"corvus": True, "medium": 3})
    after = do(battle, "carthage", "board", ship="c1", target="r1").state
    assert after.ships["r1"].boarding == after.ships["c1"].boarding == "r1"


def test_g8_2_a_who_enters_a_fight_has_speed_nought():
    after = do(
        boarding(corvus=True, speed=3, c1={"medium": 2, "speed": 3}), "rome", "board", ship="r1", target="c1"
    ).state
    assert all(after.ships[name].speed == 0 and after.ships[name].stopped for name in ("r1", "c1"))


def test_g8_2_a_losses_are_lightest_first_over_all_boarders_in_order_of_id():
    fallen = lightest_fall({"r2": Ship("rome", "x", light=1, heavy=1), "r1": Ship("rome", "x", medium=1, light=1)}, 3)
    assert (fallen["r1"].marines, fallen["r2"].marines) == (0, 1) and fallen["r2"].heavy == 1


@pytest.mark.parametrize("kind, faces", [("heavy", (4, 5, 6)), ("medium", (5, 6)), ("light", (6,))])
def test_g8_3_what_each_marine_kills_on(kind, faces):
    assert HITS[kind] == faces


def fight(*dice, phase=6, options=None, **sheets):
    """Run the round at the end of the turn from a position in the last board step."""
    ships = {
        "r1": ship("rome", (4, 4), boarding="c1", **sheets["r1"]),
        "c1": ship("carthage", (4, 3), boarding="c1", **sheets["c1"]),
        "r9": ship("rome", (4, 2), "S", heavy=1, tried_boarding=False),
        "c9": ship("carthage", (19, 0)),
        **sheets.get("extra", {}),
    }
    battle = position(ships=ships, step="board", phase=phase, options=options)
    side = GALLEY.waiting_for(battle)
    assert side == ("rome",), "r9 could join the fight"
    return do(battle, "rome", "done", *dice, side="rome").state


def test_g8_3_the_worked_fight_of_two_quinqueremes():
    """Heavy dice hitting 5 and medium dice hitting 2 leave 8 heavy to 3 medium: captured. c1 rolls first."""
    dice = (5, 6, 1, 1, 1, 1, 1, 1, 4, 4, 5, 5, 6, 1, 1, 2, 2, 3)
    after = fight(*dice, r1={"heavy": 10}, c1={"medium": 8})
    assert after.ships["r1"].heavy == 8 and after.ships["c1"].medium == 3
    assert after.ships["c1"].status == "captured" and after.ships["c1"].captured_by == "rome"
    assert after.ships["r1"].boarding is None


def test_g8_3_archers_and_artillery_neither_fight_nor_die_in_it():
    after = fight(6, 6, 1, 1, 1, r1={"heavy": 3, "archers": 2}, c1={"medium": 2, "archers": 2, "catapults": 1})
    assert after.ships["r1"].archers == 2 and after.ships["r1"].heavy == 1
    assert (after.ships["c1"].archers, after.ships["c1"].catapults) == (2, 1)


@pytest.mark.parametrize(
    "attackers, defenders, result",
    [
        (8, 3, "captured"),
        (4, 2, "captured"),
        (1, 0, "captured"),
        (3, 2, "goes_on"),
        (2, 3, "goes_on"),
        (2, 4, "thrown_back"),
        (0, 1, "thrown_back"),
        (0, 0, "over"),
    ],
)
def test_g8_4_what_a_round_leaves(attackers, defenders, result):
    assert verdict(attackers, defenders) == result


def test_g8_4_a_boarders_thrown_back_lose_the_corvus_and_may_be_boarded_without_a_die():
    after = fight(5, 5, 5, 5, 1, 1, r1={"heavy": 2, "corvus": True}, c1={"medium": 4})
    assert after.ships["r1"].heavy == 0 and not after.ships["r1"].corvus and after.ships["r1"].boarding is None
    assert after.ships["c1"].may_board == ("r1",) and after.turn == 2
    for name in ("r1", "r9", "c1", "c9"):
        after = do(after, "umpire", "plot", ship=name, speed=0).state
    after = do(after, "rome", "lock", side="rome").state
    after = do(after, "carthage", "lock", side="carthage").state
    assert after.phase == 1 and after.step == "board"
    boarded = do(after, "carthage", "board", ship="c1", target="r1")
    assert boarded.events[0].data["how"] == "counter" and boarded.events[0].rule == "G8.4"
    assert boarded.state.ships["r1"].captured_by == "carthage", "without marines she surrendered at the turn's end"


def test_g8_4_a_the_right_lasts_for_the_next_turn_only():
    battle = position(
        ships={
            "c1": ship("carthage", (4, 3), may_board=["r1"]),
            "r1": ship("rome", (4, 4), heavy=0, archers=1, stopped=True),
            "r9": ship("rome", (4, 2), heavy=1),
            "c9": ship("carthage", (19, 0)),
        },
        step="board",
        phase=6,
    )
    battle = do(battle, "carthage", "done", side="carthage").state
    battle = do(battle, "rome", "done", side="rome").state
    assert battle.turn == 2 and battle.ships["c1"].may_board == ()


def test_g8_4_if_neither_side_has_marines_the_fight_ends_and_nothing_is_lost():
    after = fight(r1={"heavy": 0, "corvus": True, "archers": 1}, c1={"medium": 0, "archers": 1})
    assert after.ships["r1"].corvus and after.ships["r1"].boarding is None and after.ships["c1"].is_afloat


def test_g8_4_a_fight_that_is_not_decided_goes_on_and_nobody_in_it_is_plotted():
    after = fight(1, 1, 1, 1, 1, r1={"heavy": 3}, c1={"medium": 2})
    assert after.ships["c1"].boarding == "c1" and after.turn == 2
    assert {offer["ship"] for offer in offered(after, "rome", "plot")} == {"r9"}


def test_g8_5_a_ship_without_marines_surrenders_and_nobody_rolls():
    after = fight(r1={"heavy": 1}, c1={"medium": 0, "archers": 2})
    assert after.ships["c1"].status == "captured" and after.ships["c1"].archers == 2


def test_g8_6_a_prize_stays_as_an_obstacle_that_nobody_touches():
    prize = ship("carthage", (4, 3), status="captured", captured_by="rome", archers=3, medium=3)
    ships = {"r1": ship("rome", (4, 4), archers=1, heavy=2), "c1": prize, "c2": ship("carthage", (5, 3))}
    battle = position(ships=ships, step="board", phase=1)
    assert refused(battle) == "G8.6" and refused(battle, "c1", "r1") == "G8.6"
    assert not offered(battle, "carthage", "board", ship="c1")
    firing = position(ships=ships, step="fire", phase=1)
    with pytest.raises(Illegal) as wrong:
        do(firing, "rome", "fire", 6, ship="r1", weapon="archer", count=1, target="c1")
    assert wrong.value.rule == "G8.6"


def test_g8_2_the_order_of_the_dice_is_by_ship_id_then_heavy_medium_light():
    after = fight(
        4,
        6,
        6,
        1,
        1,
        1,
        r1={"heavy": 2, "light": 1},
        c1={"heavy": 1, "medium": 1, "light": 1},
    )
    assert after.ships["r1"].marines == 0, "c1's three dice 4, 6, 6 all hit"
    assert after.ships["c1"].marines == 3
