"""G3 The turn and the plot."""

import msgspec
import pytest

from kit.fleet import do, offered, plotted, position, ship
from tactical import GALLEY
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import encode
from tactical.offers import ask_side
from tactical.rules.movement import phases_of
from tactical.sequence import SEQUENCE


def duel(**rome):
    return position(ships={"r1": ship("rome", (2, 2), **rome), "c1": ship("carthage", (12, 4), "S")})


def may_plot(battle, name="r1"):
    (fields,) = offered(battle, battle.ships[name].side, "plot", ship=name)
    speed = fields["speed"]
    return (speed["from"], speed["to"]) if isinstance(speed, dict) else (speed, speed)


def refused(battle, speed, name="r1"):
    with pytest.raises(Illegal) as wrong:
        do(battle, battle.ships[name].side, "plot", ship=name, speed=speed)
    return wrong.value.rule


def test_g3_0_the_sequence_is_plot_then_move_fire_ram_board_then_the_end():
    assert list(SEQUENCE.steps) == ["plot", "move", "fire", "ram", "board", "end", "over"]


def test_g3_1_what_an_average_trireme_may_plot():
    assert may_plot(duel(speed=0)) == (-1, 3)
    assert may_plot(duel(speed=3)) == (0, 5)
    assert may_plot(duel(speed=-1)) == (-1, 2)
    assert may_plot(duel(speed=-1, backed_for_ram=True)) == (-1, 3)
    assert refused(duel(speed=0), 4) == "G3.1" and refused(duel(speed=3), -1) == "G3.1"


def test_g3_1_a_limit_below_reach_may_be_plotted():
    slowed = duel(kind="quinquereme", crew="poor", speed=3, oars_broken=True, raked_by="c1", medium=1)
    assert may_plot(slowed) == (1, 1)


def test_g3_1_a_side_locks_only_when_every_ship_that_can_move_has_a_plot():
    battle = duel()
    assert not offered(battle, "rome", "lock")
    with pytest.raises(Illegal) as wrong:
        do(battle, "rome", "lock", side="rome")
    assert wrong.value.rule == "G3.1" and "r1" in wrong.value.reason
    battle = do(battle, "rome", "plot", ship="r1", speed=2).state
    battle = do(battle, "rome", "lock", side="rome").state
    assert battle.step == "plot" and battle.sides["rome"].locked
    with pytest.raises(Illegal, match="locked"):
        do(battle, "rome", "plot", ship="r1", speed=1)


def test_g3_1_what_a_plot_comes_together_with_has_its_consequences():
    """A lock before a speed that is insisted on still shows the plots; a ship that is marked as sunk still counts."""
    battle = msgspec.structs.replace(duel(), level="advise")
    for name, side in (("r1", "rome"), ("c1", "carthage")):
        battle = do(battle, side, "plot", ship=name, speed=2).state
    battle = do(battle, "rome", "lock", side="rome").state
    late = {"type": "plot", "ship": "c1", "speed": 1, "anyway": True}
    shown = do(battle, "carthage", "together", commands=[{"type": "lock", "side": "carthage"}, late]).state
    assert shown.step == "move" and shown.ships["c1"].speed == 1
    two = position(ships={"r1": ship("rome", (2, 2)), "r2": ship("rome", (2, 5)), "c1": ship("carthage", (12, 4), "S")})
    sunk = {"type": "mark", "ship": "r1", "field": "status", "value": "sunk"}
    kept = msgspec.structs.replace(two, level="record")
    marked = do(kept, "rome", "together", commands=[sunk, {"type": "plot", "ship": "r2", "speed": 1}]).state
    assert marked.sides["carthage"].points == marked.kind(marked.ships["r1"]).hull


def test_g3_1_when_all_have_locked_the_plots_are_shown_together():
    battle = plotted(duel(), r1=2, c1=0)
    assert battle.step == "move" and battle.phase == 3
    assert battle.ships["r1"].speed == 2 and GALLEY.view(battle, "carthage").ships["r1"].plot == 2


def test_g3_1_a_what_ships_may_do_is_the_same_for_who_does_not_know_their_plots():
    """G3.0 The view shares it with the battle, and would find it out by itself alike."""
    battle = position(
        ships={
            f"{side[0]}{at}": ship(side, (at if side == "rome" else at + 6, 3 * at))
            for side in ("rome", "carthage")
            for at in (1, 2)
        }
    )
    for name, speed in (("r1", 2), ("c2", 0), ("r2", 1)):
        battle = do(battle, battle.ships[name].side, "plot", ship=name, speed=speed).state
        for seat in ("rome", "carthage", "spectator"):
            seen = GALLEY.view(battle, seat)
            alone = msgspec.msgpack.decode(msgspec.msgpack.encode(seen), type=type(seen))
            assert [ask_side(seen, side) for side in seen.sides] == [ask_side(alone, side) for side in alone.sides]


def test_g3_1_a_no_seat_can_tell_a_secret_plot_from_none():
    bare = duel()
    one = do(bare, "rome", "plot", ship="r1", speed=1)
    two = do(bare, "rome", "plot", ship="r1", speed=3)
    for seat in ("carthage", "spectator"):
        assert (
            encode(GALLEY.view(one.state, seat))
            == encode(GALLEY.view(two.state, seat))
            == encode(GALLEY.view(bare, seat))
        )
        assert not one.events[0].seen_by(seat)
    assert GALLEY.view(one.state, "rome").ships["r1"].plot == 1
    assert GALLEY.view(one.state, "umpire").ships["r1"].plot == 1
    assert not any(
        offer.type == "plot" and offer.fields["ship"] == "r1" for offer in GALLEY.offers(one.state, "carthage")
    )


def test_g3_1_one_side_may_not_plot_for_another():
    with pytest.raises(NotYours):
        do(duel(), "carthage", "plot", ship="r1", speed=1)
    with pytest.raises(NotYours):
        do(duel(), "spectator", "plot", ship="r1", speed=1)


@pytest.mark.parametrize(
    "speed, phases",
    [
        (1, (6,)),
        (2, (3, 5)),
        (3, (2, 4, 6)),
        (4, (1, 3, 4, 6)),
        (5, (1, 2, 3, 5, 6)),
        (6, (1, 2, 3, 4, 5, 6)),
        (-1, (6,)),
        (0, ()),
    ],
)
def test_g3_2_in_which_phases_a_speed_steps(speed, phases):
    assert phases_of(speed) == phases


def test_g3_3_a_plot_above_cruise_spends_a_sprint_whatever_is_moved():
    assert plotted(duel(speed=3), r1=4).ships["r1"].sprints == 1
    assert plotted(duel(speed=3), r1=3).ships["r1"].sprints == 0


def test_g3_3_a_fourth_sprint_cannot_be_plotted():
    battle = duel(speed=3, sprints=3)
    assert may_plot(battle) == (0, 3)
    assert refused(battle, 4) == "G3.3"


def test_g3_3_with_the_option_maximum_only_the_maximum_counts():
    ships = {"r1": ship("rome", (2, 2), speed=3), "c1": ship("carthage", (12, 4))}
    assert plotted(position(ships=ships, options={"sprint": "maximum"}), r1=4).ships["r1"].sprints == 0
    assert plotted(position(ships=ships, options={"sprint": "maximum"}), r1=5).ships["r1"].sprints == 1
    spent = {**ships, "r1": ship("rome", (2, 2), speed=3, sprints=3)}
    assert may_plot(position(ships=spent, options={"sprint": "maximum"})) == (0, 4)


def test_g3_3_the_refusal_names_the_first_rule():
    owing = duel(must_back=True, oars_broken=True, raked_by="c1", sprints=3)
    assert refused(owing, 5) == "G6.7"
    broken = duel(oars_broken=True, raked_by="c1", sprints=3, speed=2)
    assert refused(broken, 5) == "G7.3"
    assert refused(duel(sprints=3, speed=3), 5) == "G3.3"


def test_g3_4_with_initiative_the_lower_die_moves_first_and_ties_are_rolled_again():
    ships = {"r1": ship("rome", (2, 2)), "c1": ship("carthage", (12, 2), "S")}
    battle = position(ships=ships, options={"order": "initiative"})
    battle = plotted(battle, 4, 4, 2, 5, r1=1, c1=1)
    assert battle.first == "carthage", "sides roll in order of id: Carthage 2, Rome 5"
    assert GALLEY.waiting_for(battle) == ("carthage",)
    with pytest.raises(Illegal) as wrong:
        do(battle, "rome", "step", ship="r1", turn="none")
    assert wrong.value.rule == "G3.4"
    battle = do(battle, "carthage", "step", ship="c1", turn="none").state
    assert do(battle, "rome", "step", ship="r1", turn="none").state.turn == 2


def test_g3_4_free_order_lets_any_side_move():
    battle = plotted(duel(), r1=1, c1=1)
    assert set(GALLEY.waiting_for(battle)) == {"rome", "carthage"} and battle.first is None


def test_g3_0_empty_steps_and_phases_pass_by_themselves():
    battle = plotted(duel(), r1=0, c1=0)
    assert battle.turn == 2 and battle.step == "plot"


def test_g3_1_ships_in_a_fight_are_not_plotted():
    ships = {
        "r1": ship("rome", (2, 2), boarding="c1", medium=3),
        "c1": ship("carthage", (2, 3), boarding="c1", medium=3),
        "c2": ship("carthage", (9, 3)),
    }
    battle = position(ships=ships)
    with pytest.raises(Illegal) as wrong:
        do(battle, "rome", "plot", ship="r1", speed=0)
    assert wrong.value.rule == "G8.2"
    assert GALLEY.waiting_for(battle) == ("carthage",), "Rome has nothing to plot and need not lock"
    after = do(do(battle, "carthage", "plot", ship="c2", speed=2).state, "carthage", "lock", side="carthage").state
    assert after.ships["r1"].stopped and after.ships["c1"].stopped and not after.ships["c2"].stopped


def test_g3_1_apply_never_changes_its_argument():
    battle = duel()
    before = msgspec.json.encode(battle)
    do(battle, "rome", "plot", ship="r1", speed=2)
    assert msgspec.json.encode(battle) == before


def test_g3_0_a_ship_may_be_done_with_for_one_step():
    ships = {
        "r1": ship("rome", (4, 4), archers=1, medium=1),
        "r2": ship("rome", (6, 2), archers=1, medium=1),
        "c1": ship("carthage", (4, 3)),
        "c2": ship("carthage", (6, 1)),
    }
    battle = position(ships=ships, step="fire", phase=1)
    battle = do(battle, "rome", "finish", ship="r1").state
    assert not offered(battle, "rome", "fire", ship="r1") and offered(battle, "rome", "fire", ship="r2")
    with pytest.raises(Illegal, match="nothing to do"):
        do(battle, "rome", "finish", ship="r1")
    battle = do(battle, "rome", "finish", ship="r2").state
    assert battle.step == "board", "when nobody is left the step is over"
    assert not battle.ships["r1"].finished and offered(battle, "rome", "board", ship="r1")
    squadron = [{"type": "finish", "ship": "r1"}, {"type": "finish", "ship": "r2"}]
    battle = do(battle, "rome", "together", commands=squadron).state
    assert not offered(battle, "rome", "board")
