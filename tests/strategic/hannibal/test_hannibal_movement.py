"""Movement by land: command, limits, passes, straits, overruns, displacement."""

from kit.hannibal_war import asked, do, force, kinds, march, offered, refused, step, the, war
from strategic.point_to_point.state import Troops
from strategic.point_to_point.survey import commander

ROME = force("rome", "rome", 8, "p_scipio")


def test_movement_general_1_units_move_only_with_a_general_and_movement_land_1_four_spaces():
    """movement.general.1, movement.land.1"""
    state = march(war(force("carthage", "toletum", 5, "hasdrubal"), ROME), "hasdrubal")
    assert state.marching().points == 4
    refused(state, "carthage", "step", "movement.general.1", to="salaria", units=6, elephants=0, companions=[])
    for to in ("segobriga", "bilbilis", "azaila", "ilerda"):
        state = step(state, to, 5)
    assert state.spaces["ilerda"].carthage == Troops(5) and state.march is None


def test_movement_land_1a_ten_units_with_a_general():
    state = march(war(force("carthage", "toletum", 12, "hasdrubal"), ROME), "hasdrubal")
    refused(state, "carthage", "step", "movement.land.1a", to="salaria", units=11, elephants=0, companions=[])
    assert step(state, "salaria", 10).spaces["toletum"].carthage == Troops(2)


def test_movement_land_1b_subordinates_are_dropped_and_picked_up():
    """movement.land.1b, movement.command.5: companions go where he goes until they are left."""
    state = war(force("carthage", "toletum", 8, "hannibal", "mago"), force("carthage", "salaria", 2, "hasdrubal"), ROME)
    state = step(march(state, "hannibal"), "salaria", 8, companions=("mago",))
    assert state.generals["mago"].space == "salaria"
    state = step(state, "corduba", 6, companions=("hasdrubal",))
    assert state.generals["mago"].space == "salaria" and state.generals["hasdrubal"].space == "corduba"
    assert state.spaces["salaria"].carthage == Troops(4)


def test_movement_land_1c_nobody_picks_up_hannibal_and_movement_command_3_a_proconsul_no_consul():
    state = march(war(force("carthage", "toletum", 8, "hannibal", "mago"), ROME, cards=(35,)), "mago", 35)
    refused(state, "carthage", "step", "movement.land.1c", to="salaria", units=3, elephants=0, companions=["hannibal"])
    armies = war(
        force("rome", "cannae", 12, "scipio_africanus", "varro"),
        active="rome",
        ranks={"varro": "consul", "scipio_africanus": "proconsul"},
    )
    assert commander(armies, ("scipio_africanus", "varro")) == "varro"
    roman = march(armies, "scipio_africanus")
    refused(roman, "rome", "step", "movement.land.1c", to="arpi", units=5, elephants=0, companions=["varro"])


def test_movement_command_1_the_best_rating_commands_and_movement_command_2_hannibal_all():
    state = war(force("carthage", "toletum", 8, "h_gisgo", "hasdrubal", "hannibal"), ROME)
    assert commander(state, ("h_gisgo", "hasdrubal")) == "hasdrubal"
    assert commander(state, ("h_gisgo", "hasdrubal", "hannibal")) == "hannibal"


def test_movement_land_1d_a_general_needs_units_to_enter_among_units():
    state = march(
        war(force("carthage", "ilerda", 3, "hasdrubal"), force("rome", "tarraco", 2, "nero"), ROME), "hasdrubal"
    )
    refused(state, "carthage", "step", "movement.land.1d", to="tarraco", units=0, elephants=0, companions=[])


def test_movement_land_1e_a_lone_general_passes_a_lone_general():
    state = march(
        war(force("carthage", "ilerda", 0, "hasdrubal"), force("rome", "tarraco", 0, "nero"), ROME), "hasdrubal"
    )
    state = step(state, "tarraco", 0)
    state = step(state, "dertosa", 0)
    assert state.generals["hasdrubal"].space == "dertosa" and state.generals["nero"].status == "board"


def test_movement_general_2_a_consul_is_not_left_with_fewer_than_five():
    """movement.general.2, movement.land.3"""
    state = march(war(force("rome", "cannae", 9, "marcellus", "varro"), active="rome"), "marcellus")
    refused(state, "rome", "step", "movement.general.2", to="arpi", units=5, elephants=0, companions=[])
    refused(state, "rome", "step", "movement.land.3", to="arpi", units=4, elephants=0, companions=[])
    assert step(state, "arpi", 9, companions=("varro",)).spaces["arpi"].rome == Troops(9)
    ten = march(war(force("rome", "cannae", 10, "marcellus", "varro"), active="rome"), "marcellus")
    assert step(ten, "arpi", 5).spaces["cannae"].rome == Troops(5)


def test_movement_land_3_a_consul_with_fewer_than_five_goes_with_all_of_them():
    """movement.land.3, movement.general.2 Below five already, he drops nobody and goes with all that he has."""
    state = march(war(force("rome", "cannae", 3, "marcellus"), active="rome"), "marcellus")
    refused(state, "rome", "step", "movement.land.3", to="arpi", units=2, elephants=0, companions=[])
    refused(state, "rome", "step", "movement.land.3", to="arpi", units=0, elephants=0, companions=[])
    assert step(state, "arpi", 3).spaces["arpi"].rome == Troops(3)
    alone = march(war(force("rome", "cannae", 0, "marcellus"), active="rome"), "marcellus")
    assert step(alone, "arpi", 0).generals["marcellus"].space == "arpi"


def test_movement_general_2_a_consul_neither_strips_his_army_nor_walks_off_alone():
    """movement.general.2 Eight CUs: he may leave three behind, but then not the other five."""
    state = march(
        war(force("rome", "rome", 8, "scipio_africanus"), active="rome", ranks={"scipio_africanus": "consul"}),
        "scipio_africanus",
    )
    state = step(state, "capua", 5)
    refused(state, "rome", "step", "movement.land.3", to="beneventum", units=0, elephants=0, companions=[])
    assert not [each for each in offered(state, "rome", "step") if each["units"]["from"] < 5]


def test_movement_land_2_passes_and_straits_cost_two_and_movement_land_2a_wear_the_army_at_once():
    """Ten CUs over an Alpine pass, die 5: three are lost."""
    state = march(war(force("carthage", "druentia", 8, "hannibal", elephants=2), ROME), "hannibal")
    state = step(state, "taurini", 8, 5, elephants=2)
    assert state.marching().points == 2 and state.spaces["taurini"].carthage == Troops(5, 2)


def test_movement_land_2b_a_pass_outside_the_alps_has_minus_two():
    state = march(war(force("carthage", "ilerda", 10, "hannibal"), ROME), "hannibal")
    assert step(state, "tolosa", 10, 4).spaces["tolosa"].carthage == Troops(9)


def test_tables_attrition_when_a_pass_is_crossed_each_time_and_never_on_a_road():
    state = march(war(force("carthage", "druentia", 10, "hannibal"), ROME), "hannibal")
    over = do(state, "carthage", "step", 1, to="taurini", units=10, elephants=0, companions=[])
    back = do(over.state, "carthage", "step", 1, to="druentia", units=9, elephants=0, companions=[])
    assert [the(each, "attrition")["space"] for each in (over, back)] == ["taurini", "druentia"]
    road = do(state, "carthage", "step", to="massilia", units=10, elephants=0, companions=[])
    assert "attrition" not in kinds(road)


def test_tables_attrition_modifiers_the_native_guide_takes_three_off():
    """tables.attrition.modifiers: Alps with the guide: 6 - 3 = 3, ten CUs lose 2."""
    state = war(force("carthage", "druentia", 10, "hannibal"), ROME, cards=(5,))
    state = step(march(state, "hannibal", 5, "event"), "taurini", 10, 6)
    assert state.spaces["taurini"].carthage == Troops(8)


def test_tables_attrition_elephant_one_of_the_dead_is_an_elephant():
    state = march(war(force("carthage", "druentia", 8, "hannibal", elephants=2), ROME), "hannibal")
    assert step(state, "taurini", 8, 6, elephants=2).spaces["taurini"].carthage == Troops(6, 1)


def test_tables_attrition_generals_are_unhurt():
    state = march(war(force("carthage", "druentia", 1, "hannibal"), ROME), "hannibal")
    state = step(state, "taurini", 1, 6)
    assert state.spaces["taurini"].carthage == Troops() and state.generals["hannibal"].space == "taurini"


def test_movement_land_2c_the_strait_of_messana_needs_both_ends():
    state = march(war(force("carthage", "messana", 4, "mago"), ROME, control={"messana": "carthage"}), "mago")
    refused(state, "carthage", "step", "movement.land.2c", to="rhegium", units=4, elephants=0, companions=[])
    both = war(force("carthage", "messana", 4, "mago"), ROME, control={"messana": "carthage", "rhegium": "carthage"})
    state = step(march(both, "mago"), "rhegium", 4)
    assert state.marching().points == 2 and state.spaces["rhegium"].carthage == Troops(4)


def test_movement_land_2c_the_other_strait_is_open_to_all():
    state = march(war(force("carthage", "aleria", 4, "mago"), ROME), "mago")
    assert step(state, "sassari", 4).spaces["sassari"].carthage == Troops(4)


def test_movement_land_4_five_overrun_one_and_march_on():
    state = war(force("carthage", "ilerda", 5, "hasdrubal"), force("rome", "tarraco", 1), ROME)
    state = step(march(state, "hasdrubal"), "tarraco", 5)
    assert state.spaces["tarraco"].rome == Troops() and state.marching().at == "tarraco"
    assert step(state, "dertosa", 5).spaces["dertosa"].carthage == Troops(5)


def test_movement_land_4_four_do_not_overrun_but_fight():
    state = war(force("carthage", "ilerda", 4, "hasdrubal"), force("rome", "tarraco", 1), ROME)
    assert step(march(state, "hasdrubal"), "tarraco", 4).battle is not None


def test_reading_2_the_single_unit_may_first_slip_into_its_city_and_cities_4_friendly_walls():
    state = war(force("carthage", "cannae", 5, "hannibal"), force("rome", "capua", 1), force("rome", "agrigentum", 8))
    state = step(march(state, "hannibal"), "beneventum", 5)
    state = step(state, "capua", 5)
    assert asked(state) == "avoid"
    state = do(state, "rome", "shelter", generals=[], units=1, elephants=0).state
    assert state.spaces["capua"].inside == Troops(1) and state.spaces["capua"].rome == Troops()


def test_movement_land_5a_a_general_alone_is_displaced_when_units_enter_and_movement_land_5_not_by_a_general():
    """Without a way out there is no question."""
    state = war(force("carthage", "ilerda", 2, "hasdrubal"), force("rome", "tarraco", 0, "nero"), ROME)
    state = step(march(state, "hasdrubal"), "tarraco", 2)
    if asked(state) == "avoid":
        state = do(state, "rome", "stand").state
    assert state.generals["nero"].status == "pool" and state.generals["nero"].space is None
    alone = war(force("carthage", "ilerda", 0, "hasdrubal"), force("rome", "tarraco", 0, "nero"), ROME)
    state = step(march(alone, "hasdrubal"), "tarraco", 0)
    if asked(state) == "avoid":
        state = do(state, "rome", "stand").state
    assert state.generals["nero"].space == state.generals["hasdrubal"].space == "tarraco"


def test_movement_command_6_hanno_stays_in_africa_and_clears_a_roman_pc_where_he_halts():
    """movement.command.6"""
    state = war(force("carthage", "carthage", 4, "hanno"), ROME, control={"zama": "rome", "utica": "carthage"})
    state = march(state, "hanno")
    refused(state, "carthage", "sail", "movement.command.6", to="gades", units=1, elephants=0, companions=[])
    state = step(state, "zama", 4)
    assert state.spaces["zama"].control == "rome"
    assert do(state, "carthage", "halt").state.spaces["zama"].control is None


def test_movement_command_6_a_subordinates_ability_sleeps():
    """Hanno clears nothing while another leads him."""
    state = war(force("carthage", "utica", 4, "hasdrubal", "hanno"), ROME, control={"zama": "rome"})
    state = step(march(state, "hasdrubal"), "carthage", 4, companions=("hanno",))
    state = step(state, "zama", 4, companions=("hanno",))
    assert do(state, "carthage", "halt").state.spaces["zama"].control == "rome"


def test_movement_land_1_a_force_march_has_six_points_and_nero_on_a_campaign_too():
    state = war(force("carthage", "toletum", 5, "hannibal"), ROME, cards=(61,))
    assert march(state, "hannibal", 61, "event").marching().points == 6
    roman = war(force("rome", "cannae", 5, "nero"), active="rome", cards=(37,))
    roman = do(roman, "rome", "campaign", card=37).state
    assert do(roman, "rome", "campaign_move", general="nero").state.marching().points == 6


def test_movement_land_1_fabius_does_not_leave_italy():
    state = march(war(force("rome", "taurini", 6, "fabius"), active="rome"), "fabius")
    refused(state, "rome", "step", "movement.command.6", to="eastern_ligurians", units=6, elephants=0, companions=[])


def test_movement_land_1_an_army_with_nothing_more_to_do_halts_by_itself():
    state = march(war(force("carthage", "toletum", 5, "hasdrubal"), ROME, others=(36,)), "hasdrubal")
    outcome = do(state, "carthage", "halt")
    assert kinds(outcome)[0] == "halted" and outcome.state.active == "rome"
