"""The battle round, losses and retreats that Hamilcar inherits from the older game, by the paragraphs of its rules."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, War, army, control, empty, turn_of
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import ground
from strategic.point_to_point.battle import withdrawals
from strategic.point_to_point.retreat import city_room, ways
from strategic.point_to_point.state import Troops
from strategic.point_to_point.survey import commander, controls, count_on_board, freezing, isolated_pcs, may_trace
from tactical.kernel.protocol import Illegal

REGULUS, DUILIUS, METELLUS = "marcus_atilius_regulus", "gaius_duilius", "lucius_caecilius_metellus"
HANNO, HIMILCO, ADHERBAL = "hanno", "himilco", "adherbal"


def marching(state: State, side: str, general: str) -> War:
    """The general is activated with a card of three."""
    table = turn_of(state, side, THREE)  # type: ignore[arg-type]
    table.say(side, "activate", card=THREE, general=general)
    return table


def refused(table: War, seat: str, word: str, rule: str, **fields: object) -> None:
    """The command is refused by this paragraph."""
    with pytest.raises(Illegal) as refusal:
        table.say(seat, word, **fields)
    assert refusal.value.rule == rule


def field(roman: int = 6, punic: int = 4, start: str = "beneventum", rank: str = "general") -> War:
    """Regulus comes from Beneventum against Himilco in Arpi, who stands."""
    state = army(empty(), "rome", start, roman, REGULUS, rank=rank)
    state = control(army(state, "carthage", "arpi", punic, HIMILCO), None, "arpi")
    state = control(state, "carthage", "cannae", "brundisium")
    table = marching(state, "rome", REGULUS)
    table.say("rome", "step", to="arpi", units=roman, elephants=0)
    table.stands()
    return table


def hands(table: War, rome: tuple[str, ...], carthage: tuple[str, ...], first: str = "rome") -> War:
    """Give both sides these battle cards, and the attack to one of them."""
    battle = replace(table.state.fighting(), hands={"rome": rome, "carthage": carthage}, deck=(), initiative=first)
    prompt = replace(table.state.agenda[-1], seat=first)
    table.state = replace(table.state, battle=battle, agenda=(*table.state.agenda[:-1], prompt))
    return table


# the march


def test_movement_land_1a_ten_units_at_most() -> None:
    """movement.land.1a By Hamilcar's own 11.5."""
    table = marching(army(empty(), "rome", "capua", 12, REGULUS), "rome", REGULUS)
    refused(table, "rome", "step", "11.5", to="beneventum", units=11, elephants=0)
    assert max(o.fields["units"]["to"] for o in table.offers("rome", "step")) == 10


def test_movement_land_1d_a_general_alone_not_among_units_and_movement_land_1e_past_a_general_alone() -> None:
    """Not among CUs; past another general, but not to stop with him."""
    state = army(army(empty(), "rome", "beneventum", 0, REGULUS), "carthage", "cannae", 1)
    state = control(army(state, "carthage", "arpi", 0, HANNO), None, "arpi", "terventum")
    table = marching(state, "rome", REGULUS)
    refused(table, "rome", "step", "movement.land.1d", to="cannae", units=0, elephants=0)
    table.say("rome", "step", to="arpi", units=0, elephants=0)
    refused(table, "rome", "halt", "movement.land.1e")
    table.say("rome", "step", to="terventum", units=0, elephants=0)
    assert table.state.generals[REGULUS].space == "terventum"


def test_movement_command_1_one_commands_and_movement_command_2_the_consul_then_the_rating_and_movement_command_4_the_owner_among_equals() -> (
    None
):
    state = army(army(empty(), "rome", "capua", 8, DUILIUS, rank="consul"), "rome", "capua", 0, METELLUS)
    assert commander(state, (METELLUS, DUILIUS)) == DUILIUS
    proconsul = army(
        army(empty(), "rome", "capua", 8, DUILIUS, rank="consul"), "rome", "capua", 0, REGULUS, rank="proconsul"
    )
    assert commander(proconsul, (REGULUS, DUILIUS)) == DUILIUS  # though his rating is 2 and the other's 3
    peers = army(army(empty(), "rome", "capua", 8, DUILIUS), "rome", "capua", 0, REGULUS)
    assert commander(peers, (DUILIUS, REGULUS)) == REGULUS
    equals = army(army(empty(), "carthage", "lilybaeum", 4, HIMILCO), "carthage", "lilybaeum", 0, ADHERBAL)
    table = turn_of(equals, "carthage", THREE)
    (offer,) = table.offers("carthage", "take_command")
    (other,) = offer.fields["general"]
    table.say("carthage", "take_command", general=other)
    assert commander(table.state, (HIMILCO, ADHERBAL)) == commander(table.state, (ADHERBAL, HIMILCO)) == other


# interception and avoidance


def watched() -> War:
    """Metellus goes from Capua to Terventum past Himilco in Beneventum."""
    state = army(army(empty(), "rome", "capua", 6, METELLUS), "carthage", "beneventum", 5, HIMILCO)
    return marching(control(state, None, "beneventum", "terventum"), "rome", METELLUS)


def test_interception_2a_no_higher_than_the_rating_and_interception_2b_one_more_against_a_hostile_marker_and_interception_3_it_comes_and_interception_1a_with_a_part() -> (
    None
):
    table = watched()
    table.say("rome", "step", to="terventum", units=6, elephants=0)
    refused(table, "carthage", "intercept", "interception.1a", general=HIMILCO, units=0, elephants=0)
    refused(table, "carthage", "intercept", "interception.4", space="cannae", generals=[HIMILCO], units=1, elephants=0)
    table.say("carthage", "intercept", general=HIMILCO, units=3, elephants=0)
    table.say("carthage", "done", 3)  # Himilco: 3
    assert table.told("interception")[0]["success"] and table.told("interception")[0]["modifier"] == 0
    assert table.state.spaces["terventum"].carthage == Troops(3)
    hostile = watched()
    hostile.state = control(hostile.state, "rome", "terventum")
    hostile.say("rome", "step", to="terventum", units=6, elephants=0)
    hostile.say("carthage", "intercept", general=HIMILCO, units=3, elephants=0)
    hostile.say("carthage", "done", 3)
    assert hostile.told("interception")[0]["modifier"] == 1 and not hostile.told("interception")[0]["success"]


def test_interception_general_3_not_where_units_of_the_mover_stand_and_interception_general_4_once_a_space_and_card() -> (
    None
):
    table = watched()
    table.state = army(table.state, "rome", "terventum", 1)
    table.say("rome", "step", to="terventum", units=6, elephants=0)
    assert table.asked()[0] == "move"
    again = watched()
    again.say("rome", "step", to="terventum", units=6, elephants=0)
    again.say("carthage", "intercept", general=HIMILCO, units=5, elephants=0)
    again.say("carthage", "done", 6)
    again.say("rome", "step", to="capua", units=6, elephants=0)
    assert again.asked()[0] == "move"  # from Beneventum nobody tries again on this card


def test_interception_general_5_who_has_intercepted_finds_no_refuge() -> None:
    table = watched()
    table.say("rome", "step", to="terventum", units=6, elephants=0)
    table.say("carthage", "intercept", general=HIMILCO, units=5, elephants=0)
    table.say("carthage", "done", 1)
    table.say("rome", "accept_battle")
    assert table.state.battle is not None


def test_avoid_3b_and_4_not_onto_enemy_ground_nor_where_the_attacker_came_from() -> None:
    """avoid.3b"""
    state = army(army(empty(), "rome", "beneventum", 6, REGULUS), "carthage", "arpi", 4, HIMILCO)
    state = control(control(state, None, "arpi"), "rome", "terventum", "beneventum")
    table = marching(control(state, "carthage", "cannae"), "rome", REGULUS)
    table.say("rome", "step", to="arpi", units=6, elephants=0)
    assert {to for o in table.offers("carthage", "avoid") for to in o.fields["to"]} == {"cannae"}
    refused(table, "carthage", "avoid", "avoid.3b", to="beneventum", generals=[HIMILCO], units=4, elephants=0)
    refused(table, "carthage", "avoid", "avoid.3b", to="terventum", generals=[HIMILCO], units=4, elephants=0)


def test_pursuit_2b_after_a_success_the_army_moves_on_and_pursuit_3_without_points_there_is_no_roll() -> None:
    for points, asked in ((4, "pursuit"), (1, "move")):
        state = army(army(empty(), "rome", "beneventum", 6, REGULUS), "carthage", "arpi", 4, HIMILCO)
        table = marching(control(control(state, None, "arpi"), "carthage", "cannae", "brundisium"), "rome", REGULUS)
        table.state = replace(table.state, march=replace(table.state.marching(), points=points))
        table.say("rome", "step", to="arpi", units=6, elephants=0)
        table.say("carthage", "avoid", 1, to="cannae", generals=[HIMILCO], units=4, elephants=0)
        assert table.asked()[0] == asked
        if asked == "pursuit":
            table.say("rome", "pursue", 3)
            assert not table.state.marching().stopped and table.offers("rome", "step")
            table.say("rome", "step", to="cannae", units=6, elephants=0)
            assert table.asked() == ("avoid", "carthage")  # caught again, he may slip away again


# the round


def test_round_3a_a_double_envelopment_takes_the_initiative_and_round_4_else_a_die_and_round_5_with_it_the_next_attack() -> (
    None
):
    """A Double Envelopment without a roll, else no higher than the rating."""
    table = hands(field(), ("double_envelopment", "probe"), ("double_envelopment", "probe"))
    table.say("rome", "attack", card="double_envelopment", as_kind="double_envelopment")
    table.say("carthage", "match", card="double_envelopment")
    assert table.asked() == ("attack", "carthage")
    other = hands(field(), ("probe", "probe"), ("probe", "probe"))
    other.say("rome", "attack", card="probe", as_kind="probe")
    other.say("carthage", "match", card="probe")
    before = other.state
    other.say("carthage", "counter_attack", 3)  # Himilco's rating
    assert other.asked() == ("attack", "carthage")
    other.state = before
    other.say("carthage", "counter_attack", 4)
    assert other.asked() == ("attack", "rome")


def test_round_4a_without_a_general_there_is_no_counter_attack() -> None:
    state = army(army(empty(), "rome", "beneventum", 6, REGULUS), "carthage", "arpi", 4)
    table = marching(control(state, None, "arpi"), "rome", REGULUS)
    table.say("rome", "step", to="arpi", units=6, elephants=0)
    hands(table, ("probe", "probe"), ("probe", "probe"))
    table.say("rome", "attack", card="probe", as_kind="probe")
    table.say("carthage", "match", card="probe")
    assert table.asked() == ("attack", "rome")


def test_round_6_an_attacker_without_a_card_has_lost() -> None:
    table = hands(field(), ("probe",), ("probe",))
    refused(table, "rome", "concede", "round.6")
    table.say("rome", "attack", card="probe", as_kind="probe")
    table.say("carthage", "match", card="probe")
    table.say("carthage", "pass", 1, 1)  # Rome is to attack and has nothing: casualties, retreat table
    assert table.told("battle_lost")[0]["side"] == "rome"


def test_round_1b_a_cancelled_withdrawal_and_round_1d_a_failed_one_gives_the_attack_away() -> None:
    table = hands(field(), ("probe",), ("probe",))
    assert withdrawals(table.state, "rome") == ("beneventum",)
    table.say("rome", "withdraw", 1, to="beneventum")
    table.say("carthage", "cancel", 3)
    assert table.asked() == ("attack", "carthage")
    failed = hands(field(), ("probe",), ("probe",))
    failed.say("rome", "withdraw", 6, to="beneventum")
    assert failed.asked() == ("attack", "carthage")


def test_round_1c_1_not_onto_enemy_ground_and_round_1c_4_the_defender_never_where_the_attacker_came_from() -> None:
    """The defender anywhere near by road that is not the enemy's."""
    table = hands(field(), ("probe",), ("probe",), "carthage")
    assert "beneventum" not in withdrawals(table.state, "carthage") and "cannae" in withdrawals(table.state, "carthage")
    table.state = control(table.state, "rome", "cannae")
    assert "cannae" not in withdrawals(table.state, "carthage")
    refused(table, "carthage", "withdraw", "round.1c.1", to="cannae")


def test_withdrawal_3_the_retreat_table_is_not_read_and_round_1c_6_both_have_casualties() -> None:
    """After one round and a 6 each side has lost a CU."""
    table = hands(field(), ("probe", "probe"), ("probe", "probe"))
    table.say("rome", "attack", card="probe", as_kind="probe")
    table.say("carthage", "match", card="probe")
    table.say("carthage", "pass")
    table.say("rome", "withdraw", 1, to="beneventum")
    table.say("carthage", "pass", 6)
    assert table.state.spaces["beneventum"].rome == Troops(5) and table.state.spaces["arpi"].carthage == Troops(3)
    assert not table.told("retreat_losses")


# losses and retreats


def beaten(faces: tuple[int, int] = (1, 1), punic: int = 4) -> War:
    """Himilco's army in Arpi has lost to a Double Envelopment in the first round."""
    table = hands(field(punic=punic), ("double_envelopment",), ())
    table.say("rome", "attack", *faces, card="double_envelopment", as_kind="double_envelopment")
    return table


def test_losses_3_casualties_for_both_and_the_retreat_table_for_the_loser() -> None:
    """Two more for a Double Envelopment: 1 + 2 is 2."""
    table = beaten()
    told = table.told("retreat_losses")[0]
    assert (told["modifier"], told["lost"]) == (2, 2)
    assert table.state.spaces["arpi"].carthage == Troops(2) and table.state.spaces["arpi"].rome == Troops(6)


def test_losses_8_generals_whom_the_table_leaves_without_a_unit_are_displaced() -> None:
    """losses.8 A 5: all are lost."""
    table = beaten((1, 5))
    assert table.state.generals[HIMILCO].status == "pool"


def test_losses_5_and_6_half_of_all_losses_in_markers() -> None:
    """losses.5"""
    table = beaten((6, 1), punic=6)
    told_lost = 6 - table.state.spaces["arpi"].carthage.size
    table.say("carthage", "retreat", to="cannae")
    assert table.told("political_loss")[0]["pcs"] == told_lost // 2


def test_retreat_2_the_nearest_goals_and_retreat_4_the_attacker_first_back_and_retreat_5_the_defender_never_there() -> (
    None
):
    """The defender never where the attacker came from; the attacker only there."""
    table = beaten()
    found = ways(table.state, table.state.fighting(), "carthage")
    assert set(found) == {"cannae"} and found["cannae"].cost == 0
    lost = replace(table.state, battle=replace(table.state.fighting(), winner="carthage"))
    lost = control(lost, "rome", "beneventum")
    assert all(way.path[0] == "beneventum" for way in ways(lost, lost.fighting(), "rome").values())


def test_retreat_8_hostile_ground_costs_a_unit() -> None:
    """By Cannae, Rome's, to Heraclea."""
    table = beaten()
    state = control(control(table.state, "rome", "cannae", "brundisium"), "carthage", "heraclea")
    found = ways(state, state.fighting(), "carthage")
    assert found["heraclea"].cost == 1
    free = control(state, None, "cannae")
    assert ways(free, free.fighting(), "carthage")["heraclea"].cost == 0


def test_retreat_9_each_enemy_unit_passed_costs_one_and_none_is_where_the_retreat_ends() -> None:
    """Past two Roman CUs in Cannae to Brundisium."""
    table = hands(field(), ("flank_left",), ())
    table.state = army(control(table.state, None, "cannae", "terventum"), "rome", "cannae", 2)
    table.say("rome", "attack", 1, 1, card="flank_left", as_kind="flank_left")
    assert table.told("retreat_losses")[0]["lost"] == 1
    found = ways(table.state, table.state.fighting(), "carthage")
    assert "cannae" not in found and found["brundisium"].cost == 2
    table.say("carthage", "retreat", to="brundisium")
    assert table.told("retreated")[0]["lost"] == 2 and table.state.spaces["brundisium"].carthage == Troops(1)


def test_retreat_6_after_a_landing_there_is_no_way_by_land() -> None:
    table = beaten()
    landed = replace(table.state.fighting(), landed=True, came_from=None, winner="carthage")
    assert not ways(replace(table.state, battle=landed), landed, "rome")


def test_retreat_12_part_into_the_city_and_the_rest_one_way() -> None:
    """retreat.11"""
    state = army(army(empty(), "rome", "enna", 6, REGULUS), "carthage", "agrigentum", 4, HANNO)
    table = marching(control(state, "rome", "enna"), "rome", REGULUS)
    table.say("rome", "step", to="agrigentum", units=6, elephants=0)
    table.stands()
    hands(table, ("probe",), ())
    table.say("rome", "attack", 1, 1, card="probe", as_kind="probe")
    room = city_room(table.state, table.state.fighting(), "carthage")
    assert room == ground("agrigentum").inside == 2
    to = next(iter(ways(table.state, table.state.fighting(), "carthage")))
    refused(table, "carthage", "retreat", "retreat.11", to=to, units_inside=3)
    table.say("carthage", "retreat", to=to, units_inside=2, generals_inside=[HANNO])
    assert table.state.spaces["agrigentum"].inside == Troops(2) and table.state.generals[HANNO].inside


# sieges, winter, isolation


def test_siege_1_three_units_and_the_end_of_the_move_and_siege_7_the_first_point_besieges() -> None:
    state = army(control(empty(), "rome", "panormus"), "rome", "panormus", 5, REGULUS)
    table = marching(replace(state, supremacy="rome"), "rome", REGULUS)
    table.say("rome", "step", to="lilybaeum", units=5, elephants=0)
    assert not table.state.spaces["lilybaeum"].besieged()
    table.say("rome", "besiege", 4)
    assert table.state.spaces["lilybaeum"].besieged() and table.asked()[0] == "impulse"
    few = marching(replace(state, supremacy="rome"), "rome", REGULUS)
    few.say("rome", "step", to="lilybaeum", units=2, elephants=0)
    refused(few, "rome", "besiege", "siege.1")


def test_subjugation_1_a_tribe_is_besieged_like_a_city_and_subjugation_2_is_gone_for_a_pc_of_the_captor() -> None:
    state = army(empty(), "rome", "volsinii", 3, REGULUS)
    state = state.with_place("volsinii", replace(state.spaces["volsinii"], siege=2, besieger="rome"))
    table = marching(replace(state, supremacy="rome"), "rome", REGULUS)
    table.say("rome", "besiege", 4)
    assert table.state.spaces["volsinii"].control == "rome" and not table.state.spaces["volsinii"].tribe


def test_winter_a_units_inside_their_own_city_do_not_freeze() -> None:
    """winter.a"""
    state = army(army(empty(), "carthage", "lilybaeum", 2, inside=True), "rome", "lilybaeum", 3)
    assert "lilybaeum" not in freezing(state, "carthage") and "lilybaeum" in freezing(state, "rome")


def test_isolation_2_what_holds_a_marker_up_and_isolation_4_no_enemy_marker_and_isolation_5_no_enemy_units_without_one_and_isolation_6_empty_spaces() -> (
    None
):
    state = control(empty(), None, "arpi", "cannae", "terventum")
    state = control(state, "carthage", "arpi")
    assert not may_trace(state, "carthage", "roma") and may_trace(state, "carthage", "terventum")
    assert may_trace(army(state, "carthage", "roma", 1), "carthage", "roma")  # with a friendly unit
    assert not may_trace(state, "carthage", "volsinii")  # a neutral tribe
    guarded = army(state, "rome", "terventum", 2)
    assert not may_trace(guarded, "carthage", "terventum")
    assert may_trace(control(guarded, "carthage", "terventum"), "carthage", "terventum")
    assert "arpi" not in isolated_pcs(army(state, "carthage", "arpi", 1), "carthage")


def test_tribes_2_and_cities_general_1_count_for_their_side() -> None:
    """cities.general.1"""
    state = empty()
    before = count_on_board(state, "carthage", "sicilia")
    assert before and count_on_board(control(state, None, "enna"), "carthage", "sicilia") <= before
    assert controls(control(state, "carthage", "syracusae"), "carthage", "syracuse")
