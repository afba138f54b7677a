"""movement.command.2 One function says who commands those who are together, and every chapter asks it."""

import pytest

from kit.hannibal_war import do, force, march, step, the, war
from strategic.hannibal.rules.siege_roll import siege_dice, siege_modifier
from strategic.point_to_point.survey import commander

CLEAR = dict.fromkeys(("cannae", "arpi", "heraclea", "brundisium"))


def chase(activated, companion, face=3):
    """The army follows Gisgo, who has slipped away from Cannae to Arpi; the pursuit roll."""
    state = war(
        force("rome", "beneventum", 6, activated, companion),
        force("carthage", "cannae", 2, "h_gisgo"),
        active="rome",
        control=CLEAR,
    )
    state = step(march(state, activated), "cannae", 6, companions=(companion,))
    state = do(state, "carthage", "avoid", 1, to="arpi", generals=["h_gisgo"], units=2, elephants=0).state
    return the(do(state, "rome", "pursue", face), "pursuit")


@pytest.mark.parametrize("activated, companion", [("nero", "marcellus"), ("marcellus", "nero")])
def test_pursuit_2a_the_commander_pursues_whoever_was_activated(activated, companion):
    """Nero has 2 and Marcellus 3: on a 3 they catch up."""
    rolled = chase(activated, companion)
    assert (rolled["general"], rolled["rating"], rolled["success"]) == ("marcellus", 3, True)


def test_movement_command_6_flaminius_pursues_on_four_only_where_he_commands():
    """movement.command.2 Under Marcellus his ability does not work; over Varro it does."""
    assert chase("flaminius", "marcellus", face=4)["success"] is False
    assert chase("flaminius", "varro", face=4)["success"] is True


def test_tables_siege_marcellus_the_abilities_of_a_subordinate_do_not_work_in_a_siege():
    """movement.command.2 Marcellus adds 1 with a campaign card, Africanus has two dice on a Force March."""
    state = war(
        force("rome", "utica", 8, "marcellus", "scipio_africanus"), active="rome", control={"utica": "carthage"}
    )
    state = do(state, "rome", "campaign", card=33).state
    alone = do(state, "rome", "campaign_move", general="marcellus").state
    assert siege_modifier(alone, "marcellus", "utica") == 1
    assert commander(alone, ("marcellus", "scipio_africanus")) == "marcellus"  # a consul over a proconsul
    state = war(force("rome", "utica", 8, "nero", "marcellus"), active="rome", control={"carthage": "carthage"})
    state = do(do(state, "rome", "campaign", card=33).state, "rome", "campaign_move", general="nero").state
    led = step(state, "carthage", 8, companions=("marcellus",))
    assert siege_modifier(led, "nero", "carthage") == 0  # -1 for Carthage, and Marcellus commands: +1
    assert siege_dice(led, "nero", "carthage") == 1


def test_movement_command_6_hanno_clears_a_pc_only_where_he_commands():
    """movement.command.2 With Hasdrubal along he does not, though he was activated."""
    for companions, left in (((), None), (("hasdrubal",), "rome")):
        state = war(force("carthage", "carthage", 4, "hanno", *companions), control={"zama": "rome"})
        state = step(march(state, "hanno"), "zama", 4, companions=companions)
        state = do(state, "carthage", "halt").state
        assert state.spaces["zama"].control == left
