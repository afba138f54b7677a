"""Winter, isolation, the count and the end."""

from kit.hannibal_war import asked, do, force, march, refused, the, war
from strategic.hannibal import HANNIBAL
from strategic.hannibal.rules.preview import army_reach, count, isolated_now
from strategic.hannibal.rules.survey import points
from strategic.hannibal.tables import PROVINCES
from strategic.point_to_point.meeting import watchers_at
from strategic.point_to_point.state import Troops
from strategic.point_to_point.survey import controls, freezing, isolated_pcs

HOME = force("rome", "rome", 5, "p_scipio")


def last_card(*forces, faces=(), turn=2, **more):
    """Carthage discards the last card of a turn."""
    state = war(HOME, *forces, cards=(35,), others=(), turn=turn, **more)
    return do(state, "carthage", "discard", *faces, card=35)


def test_winter_stacks_on_enemy_ground_roll_unmodified_and_winter_a_not_inside_a_city():
    """winter, winter.a: five on a Roman PC lose one to a 3; besiegers too; a garrison does not roll."""
    outcome = last_card(force("carthage", "cannae", 5, "mago"), faces=(3,))
    assert outcome.state.spaces["cannae"].carthage == Troops(4)
    state = war(
        HOME, force("carthage", "capua", 3, "mago"), force("rome", "capua", 0, inside=2), force("rome", "averni", 2)
    )
    assert freezing(state, "carthage") == ("capua",) and freezing(state, "rome") == ("averni",)


def test_tables_attrition_when_winter_comes_and_when_an_event_says_so():
    """Five CUs each time, a 3: as winter, so the Hostile Tribes; who spends the winter at home does not roll."""
    winter = last_card(force("carthage", "cannae", 5, "mago"), force("carthage", "zama", 5, "hanno"), faces=(3,))
    assert the(winter, "attrition")["space"] == "cannae"
    hostile = war(HOME, force("carthage", "tolosa", 5, "hannibal"), active="rome", cards=(8, 61))
    hostile = do(hostile, "rome", "event", card=8).state
    assert the(do(hostile, "rome", "choose", 3, choice="tolosa"), "attrition")["space"] == "tolosa"


def test_isolation_6_empty_spaces_carry_the_path():
    """From Bilbilis over Iberus and Ilerda, where nobody has a marker, to the port of Tarraco."""
    empty = {"iberus": None, "ilerda": None, "emporiae": None, "dertosa": None, "azaila": None}
    ours = {"bilbilis": "rome", "tarraco": "rome"}
    assert "bilbilis" not in isolated_pcs(war(HOME, control={**ours, **empty}), "rome")
    shut = {space: "carthage" for space in ("iberus", "azaila", "segovia", "segobriga", "numantia")}
    assert "bilbilis" in isolated_pcs(war(HOME, control={**ours, **empty, **shut}), "rome")


def test_isolation_2_what_keeps_a_pc():
    alone = war(HOME, control={"bilbilis": "rome", "massilia": "carthage"}, places={"emporiae": {"control": None}})
    assert "bilbilis" in isolated_pcs(alone, "rome")
    by_unit = war(HOME, force("rome", "iberus", 1), control={"bilbilis": "rome", "massilia": "carthage"})
    assert "bilbilis" not in isolated_pcs(by_unit, "rome")
    by_port = war(HOME, control={"bilbilis": "rome", "massilia": "carthage", "tarraco": "rome"})
    assert "bilbilis" not in isolated_pcs(by_port, "rome")
    assert "heraclea" not in isolated_pcs(war(HOME, control={"heraclea": "carthage"}), "carthage")  # the Bruttians


def test_isolation_3_passes_block_and_straits_are_an_option():
    """isolation.3"""
    around = {"boii": "carthage", "mutina": "rome", "ariminum": "carthage", "verona": None}
    state = war(HOME, control=around, places={"insubrians": {"control": "carthage"}})
    assert "mutina" in isolated_pcs(state, "rome")
    island = {"sassari": None, "oristano": None, "carales": None}
    assert "nuoro" not in isolated_pcs(war(HOME, control=island), "rome")
    assert "nuoro" in isolated_pcs(war(HOME, control=island, options={"isolation_straits": "blocked"}), "rome")


def test_isolation_4_enemy_markers_and_neutral_tribes_block_unless_a_friendly_unit_is_there():
    """isolation.4"""
    control = {"zama": "rome", "carthage": "carthage"}
    assert isolated_pcs(war(HOME, control=control), "rome") == ("zama",)
    assert isolated_pcs(war(HOME, force("rome", "thapsus", 1), control=control), "rome") == ()


def test_isolation_5_enemy_units_block_unless_a_friendly_pc_is_there():
    """isolation.5"""
    control = {"numantia": "carthage", "segovia": None, "bilbilis": "rome", "araceli": None, "iberus": None}
    enemies = [force("rome", space, 1) for space in ("segovia", "araceli", "iberus")]
    assert "numantia" in isolated_pcs(war(HOME, *enemies, control=control), "carthage")
    friendly = {**control, "segovia": "carthage"}
    assert "numantia" not in isolated_pcs(war(HOME, *enemies, control=friendly), "carthage")


def test_isolation_1_rome_removes_first_and_then_carthage():
    """isolation.1: Carthage's PC is freed when Rome's around it go first."""
    control = {"zama": "rome", "segobriga": "rome"}
    outcome = last_card(control=control)
    gone = [e.data["side"] for e in outcome.events if e.type == "isolated"]
    assert gone[0] == "rome" and outcome.state.spaces["zama"].control is None


def test_victory_1_control_by_the_needed_majority():
    """victory.1"""
    state = war(HOME, control={"pisae": None, "faesulae": None})
    assert controls(state, "rome", "etruria")
    assert not controls(war(HOME, control={"pisae": None, "faesulae": None, "cosa": None}), "rome", "etruria")


def test_victory_2_four_provinces_score_nothing():
    """victory.2"""
    none = {province.id for province in PROVINCES.values() if not province.scores}
    assert none == {"gallia_transalpina", "massilia", "liguria", "balearic_islands"}
    state = war(HOME)
    assert "balearic_islands" in [p.id for p in count(state).provinces if p.controller == "carthage"]
    assert (points(state, "rome"), points(state, "carthage")) == (9, 7)


def test_victory_3_the_side_behind_removes_the_difference():
    """victory.3"""
    state = last_card().state
    assert asked(state) == "remove" and state.asks().about["left"] == 2 and state.asks().seat == "carthage"
    refused(state, "carthage", "remove", "reading.3", space="gades")
    state = do(state, "carthage", "remove", space="arsa").state
    assert do(state, "carthage", "remove", space="acci").state.spaces["acci"].control is None


def test_victory_4_who_cannot_sues_for_peace():
    """victory.4"""
    bare = {
        space: None
        for space, place in war(HOME).spaces.items()
        if place.control == "carthage"
        and not place.tribe
        and space not in ("gades", "new_carthage", "saguntum", "utica", "carthage")
    }
    outcome = last_card(control=bare)
    assert outcome.state.result.winner == "rome"


def test_victory_5_after_turn_9_more_points_win_and_a_tie_is_carthages():
    """victory.5"""
    assert last_card(turn=9).state.result.winner == "rome"
    tie = last_card(
        turn=9,
        control={"lilybaeum": None, "panormus": None, "enna": None, "aleria": None, "sassari": None, "carales": None},
    ).state
    assert tie.result.winner == "carthage"


def test_victory_7_italy_without_latium_wins():
    """victory.7"""
    italy = {
        space: "carthage"
        for name in ("gallia_cisalpina", "etruria", "samnium", "campania", "apulia", "lucania")
        for space in PROVINCES[name].spaces
    }
    outcome = last_card(control=italy)
    assert the(outcome, "over")["why"] == "Carthage controls all Italy but Latium"


def test_victory_4_a_side_may_resign():
    state = war(HOME, cards=(35,))
    assert do(state, "carthage", "resign", side="carthage").state.result.winner == "rome"
    assert HANNIBAL.is_over(do(state, "umpire", "resign", side="rome").state)


def test_the_previews_agree_with_the_rules():
    state = war(HOME, force("carthage", "beneventum", 8, "hannibal"), control={"zama": "rome"})
    assert isolated_now(state)["rome"] == ("zama",)
    found = army_reach(state, "hannibal")
    assert found.cost["rome"] == 2 and found.path["capua"] == ("beneventum", "capua")
    assert "tarquini" not in found.cost and "in the way" in str(found.why_not["tarquini"])
    watchers = watchers_at(march(state, "hannibal"), "capua")
    assert [(w.general, w.success * 6) for w in watchers] == [("p_scipio", 2)]


def test_isolation_2_the_second_side_is_asked_when_the_first_sides_pcs_are_gone():
    """Tolosa traces over Narbo, which is empty by then, to the CU at Nemausus."""
    state = war(
        force("carthage", "nemausus", 1),
        control={"narbo": "rome", "tolosa": "carthage", "nemausus": "carthage", "emporiae": "carthage"},
    )
    assert isolated_now(state)["rome"] == ("narbo",)
    assert "tolosa" not in isolated_now(state)["carthage"]


def test_movement_land_1_a_consuls_whole_force_reaches_what_it_may_enter():
    """movement.general.2 Fewer than 5 CUs go where the enemy stands when all of them go."""
    state = war(force("rome", "capua", 4, "nero"), force("carthage", "beneventum", 2), ranks={"nero": "consul"})
    assert army_reach(state, "nero").path["beneventum"] == ("capua", "beneventum")
