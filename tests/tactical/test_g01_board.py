"""G1 The board."""

import pytest

from kit.fleet import do, go, plotted, position, ship
from tactical import GALLEY
from tactical.board import STEPS, ahead, distance, from_column_row, is_forward, is_on_board, rotate
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput


@pytest.mark.parametrize(
    "heading, step",
    [("N", (0, -1)), ("NE", (1, -1)), ("SE", (1, 0)), ("S", (0, 1)), ("SW", (-1, 1)), ("NW", (-1, 0))],
)
def test_g1_1_six_headings_and_their_axial_steps(heading, step):
    assert STEPS[heading] == step
    assert ahead((4, 4), heading) == (4 + step[0], 4 + step[1])


def test_g1_3_the_distance_is_the_fewest_steps():
    """Along the grain and across it: as many as a walk from hex to hex takes."""
    steps, reached = {(0, 0): 0}, [(0, 0)]
    for at in reached:
        for heading in STEPS if steps[at] < 4 else ():
            to = ahead(at, heading)
            if to not in steps:
                steps[to] = steps[at] + 1
                reached.append(to)
    assert len(steps) == 61 and all(distance((0, 0), to) == count for to, count in steps.items())


def test_g1_1_the_first_and_the_last_column_and_row_are_the_boards_ends():
    inside = [(0, 0), (5, 0), (0, 3), (5, 3)]
    beyond = [(-1, 0), (6, 0), (0, -1), (0, 4)]
    assert all(is_on_board(from_column_row(*at), 6, 4) for at in inside)
    assert not any(is_on_board(from_column_row(*at), 6, 4) for at in beyond)


def test_g5_5_a_hex_abeam_is_still_forward():
    for sixths, heading in enumerate(("N", "NE", "SE", "S", "SW", "NW")):
        assert is_forward((0, 0), heading, rotate((2, -1), sixths))
        assert not is_forward((0, 0), heading, rotate((1, 1), sixths))


def test_g1_1_two_ships_in_a_hex_are_a_contradiction():
    with pytest.raises(BadInput) as refused:
        position(ships={"r1": ship("rome", (3, 3)), "c1": ship("carthage", (3, 3))})
    assert refused.value.path == "position.ships.c1.at"


def test_g1_1_columns_and_rows_are_offset_coordinates():
    assert from_column_row(5, 4) == (5, 2)
    assert is_on_board((5, -2), 6, 4) and not is_on_board((5, -3), 6, 4)
    assert is_on_board((5, 1), 6, 4) and not is_on_board((5, 2), 6, 4)


def test_g1_2_a_ship_cannot_stand_on_land_or_on_a_wreck():
    for board in ({"land": [(3, 3)]}, {"wrecks": [(3, 3)]}):
        with pytest.raises(BadInput, match="position.ships.r1.at"):
            position(ships={"r1": ship("rome", (3, 3)), "c1": ship("carthage", (5, 5))}, board=board)


def test_g1_2_a_wreck_does_not_block_sight_and_land_does():
    ships = {
        "r1": ship("rome", (3, 3), archers=1, medium=2),
        "c1": ship("carthage", (3, 5), medium=2),
    }
    battle = position(ships=ships, board={"wrecks": [(3, 4)]}, step="fire", phase=1)
    assert do(battle, "rome", "fire", 6, ship="r1", weapon="archer", count=1, target="c1").state.ships["c1"].medium == 1
    battle = position(
        ships={**ships, "r2": ship("rome", (4, 4), archers=1)}, board={"land": [(3, 4)]}, step="fire", phase=1
    )
    with pytest.raises(Illegal) as refused:
        do(battle, "rome", "fire", 6, ship="r1", weapon="archer", count=1, target="c1")
    assert refused.value.rule == "G5.6"


def test_g1_3_range_is_the_hex_distance_and_one_in_the_same_hex():
    assert distance((0, 0), (3, -1)) == 3
    ships = {
        "r1": ship("rome", (3, 3), crew="elite", archers=1),
        "c1": ship("carthage", (3, 3), raked_by="r1", oars_broken=True),
    }
    battle = position(ships=ships, step="fire", phase=1)
    shot = do(battle, "rome", "fire", 5, ship="r1", weapon="archer", count=1, target="c1")
    assert shot.state.ships["c1"].medium == 1, "5 kills at range 1"


def test_g1_4_a_step_over_the_edge_withdraws_for_good():
    battle = position(
        ships={"r1": ship("rome", (3, -1), "N", speed=1), "c1": ship("carthage", (9, 5))}, step="move", phase=6
    )
    battle = go(battle, ("step", {"ship": "r1", "turn": "none"}))
    assert battle.ships["r1"].status == "withdrawn" and battle.ships["r1"].at is None


def test_g1_4_who_waited_on_its_hex_follows():
    ships = {
        "r1": ship("rome", (3, -1), "N", speed=1),
        "c1": ship("carthage", (3, 0), "N", speed=1),
        "r2": ship("rome", (10, 2), "N"),
    }
    battle = position(ships=ships, step="move", phase=6)
    battle = do(battle, "carthage", "step", ship="c1", turn="none").state
    assert battle.ships["c1"].contact == "r1"
    battle = do(battle, "rome", "step", ship="r1", turn="none").state
    assert battle.ships["r1"].status == "withdrawn"
    assert battle.ships["c1"].at == (3, -1) and battle.ships["c1"].contact is None


def test_g1_4_with_the_option_wall_the_edge_stops_a_ship():
    ships = {"r1": ship("rome", (3, -1), "N", speed=1, straight=0), "c1": ship("carthage", (9, 5))}
    battle = position(ships=ships, step="move", phase=6, options={"edge": "wall"})
    assert battle.turn == 2, "she had no step to choose, so the turn ran on"
    assert battle.ships["r1"].at == (3, -1) and battle.ships["r1"].speed == 0


def table(**ships):
    """A battle on the players' own table."""
    return position(ships=ships, board={"kind": "table"})


def test_g1_5_the_table_plots_steps_and_fires_by_a_given_range():
    battle = table(r1=ship("rome", None, None, archers=1, medium=2), c1=ship("carthage", None, None))
    battle = plotted(battle, r1=3)
    battle = go(battle, ("done", {"side": "rome"})) if battle.step == "fire" and battle.phase == 1 else battle
    assert battle.phase == 2 and battle.step == "move"
    battle = go(battle, ("step", {"ship": "r1", "turn": "left"}), ("done", {"side": "rome"}))
    assert battle.ships["r1"].straight == 0 and battle.step == "fire"
    with pytest.raises(Illegal) as refused:
        do(battle, "rome", "fire", 6, ship="r1", weapon="archer", count=1, target="c1")
    assert refused.value.rule == "G1.5"
    shot = do(battle, "rome", "fire", 6, ship="r1", weapon="archer", count=1, target="c1", range=4)
    assert shot.state.ships["c1"].medium == 1


@pytest.mark.parametrize("aspect, dice", [("side", (4,)), ("bow_to_bow", (6, 1, 4))])
def test_g1_5_a_declared_contact_can_be_rammed(aspect, dice):
    battle = plotted(table(r1=ship("rome", None, None), c1=ship("carthage", None, None)), r1=1)
    assert (battle.phase, battle.step) == (6, "move")
    battle = go(
        battle,
        ("step", {"ship": "r1", "turn": "none"}),
        ("contact", {"ship": "r1", "target": "c1", "aspect": aspect}),
    )
    assert battle.step == "ram"
    order = (dice[1], dice[0], *dice[2:]) if aspect == "bow_to_bow" else dice
    battle = do(battle, "rome", "ram", *order, ship="r1").state
    assert battle.ships["c1"].damage == 4 and battle.ships["c1"].breaches == 1


def test_g1_5_only_a_parallel_contact_of_a_better_crew_can_rake():
    battle = plotted(table(r1=ship("rome", None, None, crew="elite"), c1=ship("carthage", None, None)), r1=1)
    side = go(battle, ("contact", {"ship": "r1", "target": "c1", "aspect": "side"}))
    with pytest.raises(Illegal) as refused:
        do(side, "rome", "rake", ship="r1")
    assert refused.value.rule == "G7.1"
    raked = go(battle, ("contact", {"ship": "r1", "target": "c1", "aspect": "parallel"}), ("rake", {"ship": "r1"}))
    assert raked.ships["c1"].oars_broken and raked.ships["r1"].passing == "c1"


def test_g1_5_boarding_on_the_table_needs_a_contact_that_still_holds():
    ships = {
        "r1": ship("rome", None, None, heavy=3),
        "c1": ship("carthage", None, None),
        "c2": ship("carthage", None, None),
    }
    battle = plotted(table(**ships), r1=1)
    battle = go(battle, ("contact", {"ship": "r1", "target": "c1", "aspect": "side"}), ("hold", {"ship": "r1"}))
    assert battle.step == "board"
    battle = do(battle, "rome", "board", 4, 1, 1, 1, 1, 1, ship="r1", target="c1").state
    assert battle.turn == 2 and battle.ships["c1"].boarding == "c1"


def test_g1_5_a_way_that_the_table_blocks_is_held():
    battle = plotted(table(r1=ship("rome", None, None), c1=ship("carthage", None, None)), r1=3)
    held = do(battle, "rome", "hold", ship="r1")
    assert held.events[0].rule == "G4.3"
    assert held.state.turn == 2 and held.state.ships["r1"].speed == 0


@pytest.mark.parametrize("sixths", range(1, 6))
def test_g1_1_turning_the_board_changes_nothing_but_names(sixths):
    """The same commands on a turned board give the same sheets."""
    headings = list(STEPS)

    def turned_heading(heading):
        return headings[(headings.index(heading) + sixths) % 6]

    plain = {
        "r1": ship("rome", (0, 2), "N", crew="elite", speed=3, plot=3),
        "c1": ship("carthage", (1, 0), "SW", speed=3, plot=3),
    }
    middle = (10, 0)

    def place(at):
        return [middle[0] + at[0], middle[1] + at[1]]

    one = {k: {**v, "at": place(v["at"])} for k, v in plain.items()}
    other = {
        k: {**v, "at": place(rotate(v["at"], sixths)), "facing": turned_heading(v["facing"])} for k, v in plain.items()
    }
    results = []
    for ships in (one, other):
        battle = position(ships=ships, board={"columns": 40, "rows": 40}, step="move", phase=2)
        battle = go(battle, ("step", {"ship": "r1", "turn": "none"}), ("step", {"ship": "c1", "turn": "left"}))
        while battle.step == "board":
            battle = go(battle, ("done", {"side": GALLEY.waiting_for(battle)[0]}))
        results.append(battle)
    for name in plain:
        a, b = results[0].ships[name], results[1].ships[name]
        assert b.facing == turned_heading(a.facing)
        relative = (a.at[0] - middle[0], a.at[1] - middle[1])
        assert b.at == tuple(place(rotate(relative, sixths)))
        assert (a.straight, a.speed, a.contact) == (b.straight, b.speed, b.contact)


def test_g1_4_unknown_option_values_are_named():
    with pytest.raises(BadInput, match=r"options\.edge"):
        GALLEY.start("first_oars", None, {"edge": "cliff"}, Dice())
