"""G10 Ending and scoring."""

from kit.fleet import do, plotted, position, ship
from tactical import GALLEY
from tactical.rules.ending import points


def test_g10_1_a_battle_ends_at_the_end_of_the_turn_in_which_a_side_has_no_ship_left():
    ships = {"r1": ship("rome", (4, -2), "N"), "c1": ship("carthage", (12, 0))}
    battle = plotted(position(ships=ships), r1=1)
    battle = do(battle, "rome", "step", ship="r1", turn="none").state
    assert battle.is_over and battle.result.why == "no_ships"
    assert battle.result.points == {"rome": 0, "carthage": 3} and battle.result.winner == "carthage"
    assert GALLEY.waiting_for(battle) == () and GALLEY.offers(battle, "rome") == ()


def test_g10_1_it_ends_at_the_turn_limit():
    ships = {"r1": ship("rome", (4, 4)), "c1": ship("carthage", (12, 0))}
    battle = plotted(position(ships=ships, turn=3, turn_limit=3))
    assert battle.is_over and battle.result.why == "turn_limit" and battle.result.winner is None


def test_g10_1_who_resigns_loses_whatever_the_points():
    ships = {
        "r1": ship("rome", (4, 4)),
        "c1": ship("carthage", None, None, status="sunk", damage=6),
        "c2": ship("carthage", (12, 0)),
    }
    battle = do(position(ships=ships), "rome", "resign", side="rome").state
    assert battle.is_over and battle.result.winner == "carthage" and battle.result.points["rome"] == 6


def test_g10_1_it_ends_when_all_sides_have_agreed():
    ships = {"r1": ship("rome", (4, 4)), "c1": ship("carthage", (12, 0))}
    battle = do(position(ships=ships), "rome", "agree", side="rome").state
    assert not battle.is_over and battle.sides["rome"].agreed
    battle = do(battle, "carthage", "agree", side="carthage").state
    assert battle.is_over and battle.result.why == "agreed" and battle.result.winner is None


def test_g10_1_a_ship_in_a_fight_and_a_transport_count_as_left():
    ships = {
        "r1": ship("rome", (4, 4), kind="transport", heavy=1),
        "c1": ship("carthage", (12, 0)),
        "c2": ship("carthage", (14, 0)),
    }
    assert not plotted(position(ships=ships)).is_over


def test_g10_2_the_points_of_sunk_captured_and_withdrawn():
    ships = {
        "r1": ship("rome", (4, 4)),
        "c1": ship("carthage", None, None, kind="quadrireme", medium=1, status="sunk", damage=7),
        "c2": ship("carthage", (8, 0), kind="quadrireme", medium=1, status="captured", captured_by="rome"),
        "c3": ship("carthage", None, None, kind="quadrireme", medium=1, status="withdrawn"),
        "c4": ship("carthage", (12, 0)),
    }
    battle = position(ships=ships)
    assert points(battle) == {"rome": 7 + 14 + 3, "carthage": 0}
    assert battle.sides["rome"].points == 24
