"""G7.2, G6.7 A ship that sinks beside another, prizes over wrecks, and what stands astern of a rammer."""

from __future__ import annotations

import pytest

from kit.fleet import do, go, offered, on, plotted, position, ship
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import encode, plain
from tactical.position import invariants

FAR = {"r8": ship("rome", (17, -6)), "c8": ship("carthage", (19, 0))}


def is_sound(battle: Battle) -> bool:
    """The state posts back as a position and takes an adjust that changes nothing."""
    assert invariants(battle) == ()
    assert encode(GALLEY.start(None, plain(battle), {}, Dice()).state) == encode(battle)
    for name, each in battle.ships.items():
        same = do(battle, "umpire", "adjust", ship=name, changes={"damage": each.damage}, why="nothing").state
        assert encode(same) == encode(battle)
    return True


def shared(r1=None, t1=None, **fields) -> Battle:
    ships = {
        "r1": ship("rome", (5, 4), "N", **{"crew": "elite", "speed": 1, "passing": "t1", "medium": 0, **(r1 or {})}),
        "t1": ship("carthage", (5, 4), "N", **{"oars_broken": True, "raked_by": "r1", "medium": 0, **(t1 or {})}),
        **FAR,
        **fields.pop("extra", {}),
    }
    return position(ships=ships, **fields)


def test_g7_2_a_raker_that_sinks_beside_its_victim_leaves_a_wreck_when_that_one_has_left():
    """Its way out is blocked: it waits, its repair die is 1, it floods."""
    in_the_way = {"c2": ship("carthage", (5, 3), "NE", medium=0)}
    battle = plotted(shared(r1={"damage": 5, "breaches": 1}, extra=in_the_way), 1, r1=1)
    assert battle.ships["r1"].status == "sunk" and battle.turn == 2
    assert battle.board.wrecks == () and battle.board.covered == ((5, 4),) and is_sound(battle)
    battle = on(plotted(battle, t1=-1))
    battle = do(battle, "carthage", "step", ship="t1", turn="none").state
    assert battle.ships["t1"].at == (5, 5) and battle.board.wrecks == ((5, 4),) and is_sound(battle)


def test_g7_2_a_victim_that_sinks_leaves_a_wreck_when_the_raker_has_left():
    battle = shared(t1={"damage": 5, "breaches": 1}, step="board", phase=6)
    assert battle.step == "end", "the floods need a die"
    battle = do(battle, "umpire", "done", 1, side="rome").state
    assert battle.ships["t1"].status == "sunk" and battle.board.covered == ((5, 4),) and is_sound(battle)
    battle = on(plotted(battle, r1=1))
    battle = do(battle, "rome", "step", ship="r1", turn="none").state
    assert battle.ships["r1"].at == (5, 3) and battle.board.wrecks == ((5, 4),) and battle.board.covered == ()


def test_g7_2_nobody_follows_into_a_hex_that_a_wreck_closes():
    """e1 waits on the raker's hex; the raker leaves, and the wreck under it is in the way."""
    ships = {
        "r1": ship("rome", (5, 4), "N", crew="elite", speed=3, passing="t1"),
        "t1": ship("carthage", None, None, status="sunk", damage=6),
        "e1": ship("carthage", (5, 5), "N", speed=3),
        **FAR,
    }
    battle = position(ships=ships, board={"covered": [(5, 4)]}, step="move", phase=2)
    battle = do(battle, "carthage", "step", ship="e1", turn="none").state
    assert battle.ships["e1"].contact == "r1"
    battle = do(battle, "rome", "step", ship="r1", turn="none").state
    assert battle.ships["e1"].at == (5, 5) and battle.ships["e1"].contact is None
    assert battle.board.wrecks == ((5, 4),)


def test_g7_2_a_prize_may_lie_on_a_wreck():
    """The victim sank, and then the raker over it is boarded and taken."""
    ships = {
        "r1": ship("rome", (5, 4), "N", crew="elite", passing="t1", medium=1, boarding="r1"),
        "t1": ship("carthage", None, None, status="sunk", damage=6),
        "e1": ship("carthage", (5, 5), "N", medium=9, boarding="r1"),
        **FAR,
    }
    battle = position(ships=ships, board={"covered": [(5, 4)]})
    battle = plotted(battle, *(6,) * 10)
    assert battle.ships["r1"].status == "captured" and is_sound(battle)
    old = position(ships={**plain(battle.ships)}, board={"wrecks": [(5, 4)]})
    assert is_sound(old), "as version 0.1 wrote it"


def test_g7_2_a_covered_hex_holds_a_ship():
    with pytest.raises(Exception, match="board.covered: the wreck in hex .* no ship is on it"):
        position(ships=FAR, board={"covered": [(5, 4)]})


def owing(kind: str, edge: str = "withdraw") -> Battle:
    """r1 must back at (4, 4), or at the board's edge, with something astern."""
    at, extra = (4, 4), {}
    if kind == "prize":
        extra["x1"] = ship("carthage", (4, 5), "NE", status="captured", captured_by="rome")
    if kind == "edge":
        at = (4, 11)
    ships = {"r1": ship("rome", at, "N", must_back=True), **FAR, **extra}
    return on(plotted(position(ships=ships, options={"edge": edge}), r1=-1))


def test_g6_7_before_a_prize_standing_still_serves():
    battle = owing("prize")
    assert battle.turn == 2 and not battle.ships["r1"].must_back and battle.ships["r1"].at == (4, 4)
    assert offered(battle, "rome", "plot", ship="r1")[0]["speed"] == {"from": -1, "to": 3}


def test_g6_7_before_the_open_edge_leaving_is_a_choice():
    battle = owing("edge")
    assert battle.step == "move" and battle.phase == 6 and GALLEY.waiting_for(battle) == ("rome",)
    assert offered(battle, "rome", "step") and offered(battle, "rome", "done")
    left = do(battle, "rome", "step", ship="r1", turn="none").state
    assert left.ships["r1"].status == "withdrawn"
    stays = do(battle, "rome", "done", side="rome").state
    assert stays.ships["r1"].is_afloat and not stays.ships["r1"].must_back and stays.turn == 2
    assert stays.ships["r1"].backed_for_ram and stays.ships["r1"].free_turn == "one_side"


def test_g6_7_before_a_wall_nobody_is_asked():
    battle = owing("edge", "wall")
    assert battle.turn == 2 and not battle.ships["r1"].must_back


def table(**fields) -> Battle:
    ships = {"r1": ship("rome", None, None, **fields), "c1": ship("carthage", None, None, speed=3)}
    return position(ships=ships, board={"kind": "table"}, options=None)


def test_g6_7_on_the_players_own_table_the_player_says_that_the_model_cannot_back():
    battle = on(plotted(table(must_back=True), r1=-1, c1=0))
    assert battle.phase == 6 and {"ship": "r1"} in offered(battle, "rome", "hold")
    battle = do(battle, "rome", "hold", ship="r1").state
    assert not battle.ships["r1"].must_back and battle.turn == 2


def test_g1_4_on_the_players_own_table_a_ship_leaves_by_a_command():
    battle = plotted(table(speed=1), r1=2, c1=0)
    assert {"ship": "r1"} in offered(battle, "rome", "leave")
    after = do(battle, "rome", "leave", ship="r1").state
    assert after.ships["r1"].status == "withdrawn"
    wall = position(ships=plain(battle.ships), board={"kind": "table"}, step="move", phase=3, options={"edge": "wall"})
    assert not offered(wall, "rome", "leave")
    with pytest.raises(Illegal, match="G1.4"):
        do(wall, "rome", "leave", ship="r1")
    hexes = position(ships={"r1": ship("rome", (4, 4), speed=2), **FAR}, step="move", phase=3)
    with pytest.raises(Illegal, match="over the edge"):
        go(hexes, ("leave", {"ship": "r1"}))
