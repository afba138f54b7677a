"""G7 Breaking oars."""

import pytest

from kit.fleet import do, offered, on, position, ship
from tactical.kernel.protocol import Illegal
from tactical.ship import TYPES, cruise, turn_cycle


def meeting(c1=None, extra=None, board=None, options=None, **fields):
    """An elite r1 has stepped north into c1's hex, headings parallel unless told otherwise."""
    ships = {
        "r1": ship(
            "rome", (4, 4), **{"facing": "N", "crew": "elite", "speed": 3, "contact": "c1", "stepped": True, **fields}
        ),
        "c1": ship("carthage", (4, 3), **{"facing": "N", "speed": 3, **(c1 or {})}),
        "r8": ship("rome", (17, -6), "S", speed=3),
        "c8": ship("carthage", (19, 0), "N", speed=3),
        **(extra or {}),
    }
    return position(ships=ships, step="ram", phase=2, board=board or {}, options=options)


def refused(battle, name="r1"):
    assert not offered(battle, battle.ships[name].side, "rake", ship=name)
    with pytest.raises(Illegal) as wrong:
        do(battle, "umpire", "rake", ship=name)
    return wrong.value.rule


@pytest.mark.parametrize("facing", ["N", "S"])
def test_g7_1_a_better_crew_with_a_parallel_heading_rakes_without_a_die(facing):
    after = do(meeting(c1={"facing": facing}), "rome", "rake", ship="r1").state
    assert after.ships["c1"].oars_broken and after.ships["c1"].raked_by == "r1"
    assert after.ships["c1"].damage == 0 and after.ships["c1"].breaches == 0


@pytest.mark.parametrize(
    "case",
    [
        {"crew": "average"},
        {"c1": {"crew": "elite"}},
        {"c1": {"facing": "NE"}},
        {"c1": {"oars_broken": True}},
        {"board": {"land": [(4, 2)]}},
        {"board": {"wrecks": [(4, 2)]}},
        {"extra": {"c2": ship("carthage", (4, 2))}},
        {"extra": {"r2": ship("rome", (4, 3), crew="elite")}, "c1": {"raked_by": "r2"}},
    ],
)
def test_g7_1_what_forbids_a_rake(case):
    assert refused(meeting(**case)) == "G7.1"


def test_g7_1_the_edge_beyond_is_a_way_out_unless_it_is_a_wall():
    ships = {
        "r1": ship("rome", (4, -1), crew="elite", contact="c1", stepped=True),
        "c1": ship("carthage", (4, -2)),
        "c8": ship("carthage", (19, 0)),
    }
    assert offered(position(ships=ships, step="ram", phase=2), "rome", "rake")
    assert not offered(position(ships=ships, step="ram", phase=2, options={"edge": "wall"}), "rome", "rake")


def test_g7_2_the_raker_enters_the_hex_keeps_its_speed_and_leaves_straight_ahead():
    battle = on(do(meeting(c1={"speed": 0}), "rome", "rake", ship="r1").state)
    raker = battle.ships["r1"]
    assert raker.at == (4, 3) and raker.speed == 3 and raker.passing == "c1" and not raker.stopped
    assert battle.phase == 4
    (fields,) = offered(battle, "rome", "step", ship="r1")
    assert fields["turn"] == "none"
    with pytest.raises(Illegal) as wrong:
        do(battle, "rome", "step", ship="r1", turn="left")
    assert wrong.value.rule == "G7.2"
    battle = do(battle, "rome", "step", ship="r1", turn="none").state
    assert battle.ships["r1"].at == (4, 2) and battle.ships["r1"].passing is None


def within(**fields):
    """A raker in its target's hex at the start of a turn."""
    ships = {
        "r1": ship("rome", (4, 3), crew="elite", speed=1, **fields),
        "c1": ship("carthage", (4, 3), oars_broken=True, raked_by="r1"),
        "r8": ship("rome", (17, -6), "S"),
        "c8": ship("carthage", (19, 0)),
    }
    return position(ships=ships)


def test_g7_2_next_turn_it_must_plot_at_least_one():
    battle = within()
    assert battle.ships["r1"].passing == "c1", "the position tells who rows through"
    assert offered(battle, "rome", "plot", ship="r1")[0]["speed"] == {"from": 1, "to": 5}
    with pytest.raises(Illegal) as wrong:
        do(battle, "rome", "plot", ship="r1", speed=0)
    assert wrong.value.rule == "G7.2"


def test_g7_2_when_the_way_out_is_blocked_it_waits_and_owes_the_step():
    ships = {
        "r1": ship("rome", (4, 3), crew="elite", speed=2),
        "c1": ship("carthage", (4, 3), oars_broken=True, raked_by="r1"),
        "c2": ship("carthage", (4, 2), "NW", speed=0),
        "c8": ship("carthage", (19, 0), "N", speed=2),
    }
    battle = position(ships=ships, step="move", phase=3)
    assert not offered(battle, "rome", "step", ship="r1")
    battle = on(do(battle, "carthage", "step", ship="c8", turn="none").state)
    assert battle.phase == 5 and battle.ships["r1"].at == (4, 3)
    assert battle.ships["r1"].speed == 2 and battle.ships["r1"].passing == "c1"


def test_g7_2_a_the_target_goes_on_and_if_it_sinks_the_raker_leaves_the_wreck():
    battle = on(do(meeting(c1={"damage": 5, "breaches": 1, "speed": 0}, speed=2), "rome", "rake", ship="r1").state)
    sunk = do(
        battle, "umpire", "adjust", ship="c1", changes={"status": "sunk", "at": None, "damage": 6}, why="a leak"
    ).state
    sunk = do(
        sunk, "umpire", "adjust", changes={"board": {"columns": 20, "rows": 14, "wrecks": [[4, 3]]}}, why="her hex"
    ).state
    assert sunk.ships["r1"].at == (4, 3) and sunk.ships["r1"].is_afloat
    assert offered(sunk, "rome", "step", ship="r1")[0]["turn"] == "none"


def test_g7_2_a_two_in_a_hex_are_at_range_one_and_may_board_but_for_the_raked():
    battle = position(
        ships={
            "r1": ship("rome", (4, 3), crew="elite", passing="c1", archers=1, medium=2),
            "c1": ship("carthage", (4, 3), oars_broken=True, raked_by="r1", corvus=True),
            "c8": ship("carthage", (19, 0)),
        },
        step="board",
        phase=2,
    )
    assert offered(battle, "rome", "board", ship="r1")[0]["target"] == "c1"
    with pytest.raises(Illegal) as wrong:
        do(battle, "carthage", "board", ship="c1", target="r1")
    assert wrong.value.rule == "G7.3" and not offered(battle, "carthage", "board")


def test_g7_3_cruise_and_turn_cycle_at_once_and_no_speed_above_cruise_from_the_next_plot():
    battle = do(meeting(), "rome", "rake", ship="r1").state
    broken = battle.ships["c1"]
    assert cruise(TYPES["trireme"], broken) == 2 and turn_cycle(TYPES["trireme"], broken) == 2
    assert broken.speed == 3, "it goes on with the steps it has plotted"
    for option in ("above_cruise", "maximum"):
        ships = {"c1": ship("carthage", (4, 3), oars_broken=True, speed=2), "r1": ship("rome", (9, 3))}
        later = position(ships=ships, options={"sprint": option})
        most = 2 if option == "above_cruise" else 4
        assert offered(later, "carthage", "plot", ship="c1")[0]["speed"] == {"from": -1, "to": most}
        with pytest.raises(Illegal) as wrong:
            do(later, "carthage", "plot", ship="c1", speed=most + 1)
        assert wrong.value.rule == "G7.3"


def test_g7_3_the_raked_may_board_others():
    battle = position(
        ships={
            "r1": ship("rome", (4, 3), crew="elite", passing="c1"),
            "r2": ship("rome", (4, 4)),
            "c1": ship("carthage", (4, 3), oars_broken=True, raked_by="r1"),
            "c8": ship("carthage", (19, 0)),
        },
        step="board",
        phase=2,
    )
    assert offered(battle, "carthage", "board", ship="c1")[0]["target"] == "r2"


def test_g7_1_a_transport_has_no_oars_to_spare_for_a_rake():
    assert refused(meeting(kind="transport", speed=2)) == "G7.1"
