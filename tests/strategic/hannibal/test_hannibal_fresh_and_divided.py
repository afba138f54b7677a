"""siege.1, retreat.12, cities.3 Who is fresh besieges, the part that goes is compared, and walls hold CUs in."""

import pytest
from msgspec.structs import replace
from test_hannibal_losses import FL, FR, clash, deal, goals, lost_by

from kit.hannibal_war import asked, do, force, offered, refused, step, war
from strategic.point_to_point.retreat import entry_cost, is_goal
from strategic.point_to_point.state import Troops


def hannibal_has_won_before_capua(second=5):
    """A campaign: Hannibal has beaten Marcellus before Capua with eight, and Hasdrubal comes with fresh CUs."""
    state = war(
        force("carthage", "beneventum", 8, "hannibal"),
        force("carthage", "terventum", second, "hasdrubal"),
        force("rome", "capua", 3, "marcellus"),
        force("rome", "cosa", 8, "p_scipio"),
        control={"beneventum": "carthage", "terventum": "carthage"},
    )
    state = do(do(state, "carthage", "campaign", card=33).state, "carthage", "campaign_move", general="hannibal").state
    state = step(state, "capua", 8)
    state = do(state, "rome", "stand").state if asked(state) == "avoid" else state
    state = lost_by(state, FL, 1, 1).state
    if asked(state) == "retreat":
        state = do(state, "rome", "retreat", to="rome").state
    while asked(state) == "remove":
        state = do(state, "rome", "remove", space=offered(state, "rome", "remove")[0]["space"][0]).state
    state = do(state, "carthage", "campaign_move", general="hasdrubal").state
    return step(state, "capua", second)


def test_siege_1_fresh_units_besiege_where_a_spent_army_stands():
    """movement.command.5 Who has fought takes no part, so it is five and not thirteen."""
    state = hannibal_has_won_before_capua()
    present = state.spaces["capua"].carthage.size
    assert present > 5
    assert offered(state, "carthage", "besiege") == [{"general": "hasdrubal", "units": 5, "elephants": 0}]
    refused(state, "carthage", "besiege", "movement.command.5", general="hasdrubal", units=present, elephants=0)
    state = do(state, "carthage", "besiege", 3, general="hasdrubal", units=5, elephants=0).state
    assert state.spaces["capua"].siege == 0 and state.spaces["capua"].carthage.size == present


def test_siege_1_two_fresh_units_are_too_few_whoever_else_stands_there():
    state = hannibal_has_won_before_capua(second=2)
    assert offered(state, "carthage", "besiege") == []
    refused(state, "carthage", "besiege", "siege.1", general="hasdrubal", units=2, elephants=0)


def test_siege_1_all_who_took_part_have_ended_their_card():
    """movement.command.5 Hannibal brings two to Mago's three before Capua; none of the five goes on under Mago."""
    state = war(
        force("carthage", "capua", 3, "mago"),
        force("carthage", "beneventum", 2, "hannibal"),
        force("rome", "cosa", 8, "p_scipio"),
        control={"beneventum": "carthage"},
    )
    state = do(do(state, "carthage", "campaign", card=33).state, "carthage", "campaign_move", general="hannibal").state
    state = step(state, "capua", 2)
    state = do(state, "carthage", "besiege", 2, general="hannibal", units=5, elephants=0).state
    state = do(state, "carthage", "campaign_move", general="mago").state
    refused(state, "carthage", "step", "movement.command.5", to="terventum", units=1, elephants=0)


def beaten_at_capua():
    """Five Romans are left at Capua, and five stand at Terventum, which has no PC."""
    more = (force("rome", "terventum", 5),)
    return lost_by(clash(space="capua", romans=7, control={"terventum": None}, more=more), FL, 1, 1).state


def test_retreat_12_of_a_split_retreat_the_part_that_goes_is_compared():
    """retreat.1 More CUs than retreat: five are not more than five, but more than three."""
    state = beaten_at_capua()
    assert state.spaces["capua"].rome == Troops(5)
    refused(state, "rome", "retreat", "retreat.1", to="terventum")
    to = {fields["units_inside"]["to"]: "terventum" in fields["to"] for fields in offered(state, "rome", "retreat")}
    assert to == {0: False, 1: True, 2: True}
    state = do(state, "rome", "retreat", to="terventum", units_inside=2).state
    assert state.spaces["capua"].inside == Troops(2) and state.spaces["terventum"].rome == Troops(8)


def test_retreat_1_whole_armies_go_where_they_went_before():
    assert "rome" in goals(beaten_at_capua())


@pytest.mark.parametrize("outside, inside, stops, cost", [(0, 2, False, 1), (2, 0, False, 3), (0, 2, True, 1)])
def test_retreat_9_units_inside_walls_cost_no_toll(outside, inside, stops, cost):
    """retreat.8, cities.3 The enemy PC costs one; of the enemy CUs passed only those outside."""
    state = war(force("carthage", "capua", outside, inside=inside), control={"capua": "carthage"})
    assert entry_cost(state, "rome", "capua", stops) == cost


def test_retreat_1_a_garrison_bars_nobody_from_the_camp_before_it():
    """cities.3 Six Romans besiege Capua: three more may retreat to them, seven may not."""
    state = war(force("rome", "capua", 6), control={"capua": "carthage"}, places={"capua": {"inside": {"units": 1}}})
    assert is_goal(state, "rome", "capua", 3) and not is_goal(state, "rome", "capua", 7)


def test_movement_command_5_who_went_back_into_his_city_after_a_sortie_moves_no_more():
    """round.1c.5 Of a campaign: Mago sorties from Tarentum and withdraws into it; Hannibal leads the two nowhere."""
    state = war(
        force("carthage", "tarentum", 0, "mago", "hannibal", inside=2),
        force("rome", "tarentum", 5, "marcellus"),
        control={"tarentum": "carthage"},
        places={"tarentum": {"inside": {"units": 2}}},
    )
    people = {name: replace(state.generals[name], inside=True) for name in ("mago", "hannibal")}
    state = replace(state, generals={**state.generals, **people})
    state = do(do(state, "carthage", "campaign", card=33).state, "carthage", "campaign_move", general="mago").state
    state = do(state, "carthage", "sortie", units=2, elephants=0, companions=[]).state
    state = do(deal(state, [FL, FR], [FL, FR]), "carthage", "withdraw", 1, to="city").state
    state = do(state, "rome", "cancel", 6).state
    state = do(state, "carthage", "campaign_move", general="hannibal").state
    refused(state, "carthage", "sortie", "movement.command.5", units=2, elephants=0, companions=[])
