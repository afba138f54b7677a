"""14, 17, 18 Armies on land as in the older game, and 11.9 retreat by sea."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, TWO, War, army, control, empty, ships, turn_of
from strategic.hamilcar.rules.land import sea_ways
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import CHART
from strategic.point_to_point.state import Troops
from tactical.kernel.protocol import Illegal

REGULUS, DUILIUS, COTTA, PATERCULUS = (
    "marcus_atilius_regulus",
    "gaius_duilius",
    "gaius_aurelius_cotta",
    "gaius_sulpicius_paterculus",
)
GISCO, HANNO, HIMILCO, XANTHIPPUS = "hannibal_gisco", "hanno", "himilco", "xanthippus"


def field(roman: int = 5, punic: int = 4, general: str = REGULUS, foe: str | None = HANNO, **more: Any) -> State:
    """A Roman army in Beneventum, a Carthaginian one in Arpi, which has no marker."""
    state = army(empty(), "rome", "beneventum", roman, general)
    return control(army(state, "carthage", "arpi", punic, foe, **more), None, "arpi")


def attack(state: State, units: int | None = None) -> War:
    """Rome marches on Arpi; the enemy stands."""
    table = turn_of(state, "rome", THREE)
    general = next(name for name, each in state.generals.items() if each.space == "beneventum")
    table.say("rome", "activate", card=THREE, general=general)
    table.say("rome", "step", to="arpi", units=units or state.spaces["beneventum"].rome.units, elephants=0)
    return table


def hands(table: War, rome: tuple[str, ...], carthage: tuple[str, ...]) -> None:
    """Give both sides these battle cards."""
    battle = table.state.fighting()
    table.state = replace(table.state, battle=replace(battle, hands={"rome": rome, "carthage": carthage}, deck=()))


def test_14_1_example_fifteen_units_and_a_one_get_eleven_cards() -> None:
    """14.1, 14.1.example Ten cards for 15 CUs and one for the rating; without the limit (26.13) sixteen."""
    for epic, cards in ((False, 11), (True, 16)):
        state = army(empty(epic_battles=epic), "rome", "tacapae", 15, PATERCULUS)
        state = control(army(state, "carthage", "hadrumetum", 3, HANNO), None, "tacapae", "hadrumetum")
        table = turn_of(state, "carthage", THREE)
        table.say("carthage", "activate", card=THREE, general=HANNO)
        table.say("carthage", "step", to="tacapae", units=3, elephants=0)
        table.stands()
        assert len(table.state.fighting().hands["rome"]) == cards


def test_14_1_fifteen_cards_at_most() -> None:
    """14.1 10 for CUs, 3 for Regulus, 2 for allies in Italy: 15 and no more, though an interception would add one."""
    table = attack(field(10))
    table.stands()
    assert len(table.state.fighting().hands["rome"]) == 15


@pytest.mark.parametrize("forgotten, face, fewer", [(True, 5, 0), (False, 5, 2), (True, 6, 2)])
def test_17_elephants_have_two_less_until_xanthippus(forgotten: bool, face: int, fewer: int) -> None:
    """17 Against Regulus (3): 5 - 2 is not above 3; two elephant CUs cost Rome two cards."""
    table = attack(replace(field(5, 2, elephants=2), forgotten=forgotten))
    table.stands()
    table.say("carthage", "charge", face)
    assert table.told("elephant_roll")[0]["fewer"] == {"rome": fewer, "carthage": 0}


@pytest.mark.parametrize("face", [1, 2, 3])
def test_17_a_a_modified_one_or_less_costs_carthage_exactly_one_card(face: int) -> None:
    table = attack(field(5, 2, elephants=2))
    table.stands()
    table.say("carthage", "charge", face)
    assert table.told("elephant_roll")[0]["fewer"] == {"rome": 0, "carthage": 1}
    allies = len(table.state.fighting().hands["carthage"])
    assert allies == 2 + 4 - 1  # Hanno 2, four CUs, one lost


def battle(**more: Any) -> War:
    table = attack(field(**more))
    table.stands()
    return table


def test_round_2_an_unmatched_attack_wins_and_losses_1_a_die_costs_both_and_losses_2_in_the_column_of_the_one_round() -> (
    None
):
    """One round: casualties in column 1, then the retreat table for the loser."""
    table = battle()
    hands(table, ("probe",), ("flank_left",))
    table.say("rome", "attack", card="probe", as_kind="probe")
    with pytest.raises(Illegal):
        table.say("carthage", "match", card="flank_left")
    table.say("carthage", "concede", 6, 3)
    told = table.told("retreat_losses")[0]
    assert (told["modifier"], told["lost"]) == (-2, 1)
    assert table.told("casualties")[0]["lost"] == {"rome": 1, "carthage": 1}
    assert table.state.spaces["arpi"].rome.units == 4


def test_round_2_a_match_gives_a_roll_for_the_initiative() -> None:
    table = battle()
    hands(table, ("probe", "probe"), ("reserve",))
    table.say("rome", "attack", card="probe", as_kind="probe")
    table.say("carthage", "match", card="reserve")
    table.say("carthage", "counter_attack", 3)  # above Hanno's 2: Rome attacks again, and Carthage has no card
    table.say("rome", "attack", 1, 1, card="probe", as_kind="probe")
    assert table.state.battle is None or table.state.battle.winner == "rome"


def test_round_3_a_double_envelopment_takes_the_initiative() -> None:
    table = battle()
    hands(table, ("double_envelopment",), ("double_envelopment", "probe"))
    table.say("rome", "attack", card="double_envelopment", as_kind="double_envelopment")
    table.say("carthage", "match", card="double_envelopment")
    assert table.asked() == ("attack", "carthage")


def test_retreat_1_a_beaten_army_leaves_its_trains_and_goes_to_the_nearest_own_space() -> None:
    """8.2.1.capture The trains fall to the winner."""
    state = control(field(5, 4, trains=2), "carthage", "cannae")
    table = attack(state)
    table.stands()
    hands(table, ("probe",), ("flank_left",))
    table.say("rome", "attack", card="probe", as_kind="probe")
    table.say("carthage", "concede", 1, 1)
    table.say("carthage", "retreat", to="cannae")
    assert table.state.spaces["arpi"].rome == Troops(5, 0, 2)
    assert table.state.spaces["cannae"].carthage == Troops(4) and table.state.generals[HANNO].space == "cannae"
    assert table.state.march is None  # the battle was the end of the move


def test_retreat_10_without_a_way_out_what_is_left_of_the_army_is_eliminated() -> None:
    table = battle()
    hands(table, ("double_envelopment",), ())
    table.say("rome", "attack", 1, 4, card="double_envelopment", as_kind="double_envelopment")
    assert table.told("retreat_losses")[0]["lost"] == 3 and table.told("eliminated")[0]["units"] == 1
    assert table.state.spaces["arpi"].carthage.is_nothing and table.state.generals[HANNO].status == "pool"
    assert table.asked() == ("remove", "carthage")  # half of 4, rounded down
    assert table.state.agenda[-1].about["left"] == 2


def coast(
    general: str = GISCO, supremacy: str = "carthage", port: str | None = "carthage", units: int = 4, trains: int = 0
) -> War:
    """11.9 Rome attacks an army before Panormus; Drepanum and Lipara are one lane away."""
    state = army(empty(), "rome", "tyndaris", 6 if units > 1 else 4, REGULUS)
    state = army(state, "carthage", "panormus", units, general, trains=trains)
    state = control(state, "rome", "tyndaris", "enna", "drepanum", "lilybaeum", "agrigentum", "messana", "carales")
    state = control(state, port, "lipara")  # type: ignore[arg-type]
    table = turn_of(replace(state, supremacy=supremacy), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "step", to="panormus", units=state.spaces["tyndaris"].rome.units, elephants=0)
    table.stands()
    hands(table, ("probe",), ("flank_left",))
    table.say("rome", "attack", card="probe", as_kind="probe")
    return table


def test_11_9_a_beaten_army_with_an_admiral_and_supremacy_goes_off_by_sea_and_11_9_4_no_further() -> None:
    """11.9.1, 11.9.2, 11.9.3, 6.5.3 No interception, and no port that is two lanes away."""
    table = coast()
    table.say("carthage", "concede", 1, 1)
    ways = [to for offer in table.offers("carthage", "retreat") for to in offer.fields["to"]]
    assert "lipara" in ways and "drepanum" not in ways  # a Roman marker is there
    lanes = {space for way in CHART.water["panormus"] for space in (way.start, way.end)}
    assert set(sea_ways(table.state, "carthage")) <= lanes
    table.say("carthage", "retreat", to="lipara")
    assert table.state.spaces["lipara"].carthage.units == 4 and table.told("retreated")[0]["path"] == ["lipara"]
    assert any(event.rule == "11.9" for event in table.events)
    assert table.asked() == ("impulse", "carthage")


@pytest.mark.parametrize("paragraph, change", [("11.9.1", {"general": HANNO}), ("11.9.3", {"supremacy": "rome"})])
def test_11_9_without_an_admiral_or_supremacy_there_is_no_way_by_sea(paragraph: str, change: dict[str, Any]) -> None:
    """11.9.1, 11.9.3"""
    table = coast(**change)
    table.say("carthage", "concede", 1, 1)
    ways = [to for offer in table.offers("carthage", "retreat") for to in offer.fields["to"]]
    assert ways and "lipara" not in ways
    with pytest.raises(Illegal):
        table.say("carthage", "retreat", to="lipara")


def test_11_9_2_a_port_with_enemy_units_is_closed() -> None:
    table = coast()
    table.state = army(table.state, "rome", "lipara", 1)
    table.say("carthage", "concede", 1, 1)
    with pytest.raises(Illegal):
        table.say("carthage", "retreat", to="lipara")


def test_11_9_6_the_other_rules_of_retreat_and_displacement_apply_at_sea_too() -> None:
    """Casualties and the retreat table as ever, the trains left to the winner, half the dead in PCs; and whom the table
    leaves without a unit, he does not sail but is displaced.
    """
    table = coast(trains=2)
    table.say("carthage", "concede", 6, 4)  # a CU of each side, and one more of the loser: a 4 less 2 for the Probe
    table.say("carthage", "retreat", to="lipara")
    assert table.state.spaces["lipara"].carthage == Troops(2) and table.state.spaces["panormus"].rome == Troops(5, 0, 2)
    assert table.told("political_loss")[0]["pcs"] == 1
    gone = coast(units=1)
    gone.say("carthage", "concede", 1, 3)
    assert gone.state.generals[GISCO].status == "pool" and gone.state.spaces["lipara"].carthage.size == 0


def test_11_9_an_army_withdraws_by_sea_too() -> None:
    """11.9 round.1a In place of a card, with the roll for the withdrawal."""
    table = coast()
    battle_ = table.state.fighting()
    table.state = replace(
        table.state, battle=replace(battle_, initiative="carthage", played=None), agenda=table.state.agenda[:-1]
    )
    from strategic.point_to_point.battle import attack_prompt

    table.state = table.state.then(attack_prompt(table.state))
    ways = table.offers("carthage", "withdraw")[0].fields["to"]
    assert "lipara" in ways
    table.say("carthage", "withdraw", 1, to="lipara")
    table.say("rome", "pass", 1)
    assert table.state.spaces["lipara"].carthage.units == 4
    assert any(event.rule == "11.9" for event in table.events)


def test_11_9_5_part_of_the_army_may_go_into_the_city_first() -> None:
    """11.9.5 Before Agrigentum: two CUs inside, the rest over the sea to Syracusae."""
    state = army(empty(), "rome", "enna", 6, REGULUS)
    state = control(
        army(state, "carthage", "agrigentum", 4, GISCO), "rome", "enna", "camarina", "panormus", "lilybaeum"
    )
    table = turn_of(state, "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "step", to="agrigentum", units=6, elephants=0)
    table.stands()
    hands(table, ("probe",), ("flank_left",))
    table.say("rome", "attack", card="probe", as_kind="probe")
    table.say("carthage", "concede", 1, 1)
    table.say("carthage", "retreat", to="syracusae", units_inside=2)
    assert table.state.spaces["agrigentum"].inside.units == 2
    assert table.state.spaces["syracusae"].carthage.units == 2


def test_interception_1_an_army_beside_the_way_intercepts_and_interception_3a_the_mover_goes_back_or_fights() -> None:
    """The interceptor has a card more in the battle."""
    state = army(army(empty(), "rome", "beneventum", 5, REGULUS), "carthage", "cannae", 4, HIMILCO)
    table = turn_of(control(state, None, "arpi"), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "step", to="arpi", units=5, elephants=0)
    table.say("carthage", "intercept", general=HIMILCO, units=4, elephants=0)
    table.say("carthage", "done", 3)
    caught = table.state
    table.say("rome", "go_back")
    assert table.state.generals[REGULUS].space == "beneventum" and table.state.spaces["arpi"].carthage == Troops(4)
    assert table.state.spaces["beneventum"].rome == Troops(5) and table.state.battle is None
    table.state = caught
    table.say("rome", "accept_battle")
    assert len(table.state.fighting().hands["carthage"]) == 3 + 4 + 1


def test_avoid_2_an_army_slips_away_and_may_be_pursued() -> None:
    """avoid.2, pursuit.2"""
    state = control(field(5, 4, foe=HIMILCO), None, "cannae")
    table = attack(state)
    with pytest.raises(Illegal):
        table.say("carthage", "avoid", to="beneventum", general=HIMILCO, units=4, elephants=0)
    table.say("carthage", "avoid", 3, to="cannae", general=HIMILCO, units=4, elephants=0)
    assert table.state.spaces["cannae"].carthage.units == 4
    table.say("rome", "pursue", 4)
    assert table.state.marching().stopped


def test_avoid_2_a_failed_try_costs_a_battle_card() -> None:
    table = attack(control(field(5, 4, foe=HIMILCO), None, "cannae"))
    table.say("carthage", "avoid", 5, to="cannae", general=HIMILCO, units=4, elephants=0)
    assert len(table.state.fighting().hands["carthage"]) == 3 + 4 - 1


def test_movement_land_4_five_units_overrun_one() -> None:
    table = attack(field(5, 1, foe=None))
    table.stands()
    assert table.state.spaces["arpi"].carthage.is_nothing and not table.state.marching().stopped


def test_siege_6_the_besieged_join_the_battle_of_their_relief() -> None:
    state = army(army(empty(), "carthage", "agrigentum", 2, GISCO, inside=True), "rome", "agrigentum", 3, REGULUS)
    state = state.with_place("agrigentum", replace(state.spaces["agrigentum"], siege=1, besieger="rome"))
    table = turn_of(army(state, "carthage", "lilybaeum", 4, HANNO), "carthage", THREE)
    table.say("carthage", "activate", card=THREE, general=HANNO)
    table.say("carthage", "step", to="agrigentum", units=4, elephants=0)
    table.stands()
    with pytest.raises(Illegal):
        table.say("carthage", "join", generals=[], units=2, elephants=0)
    table.say("carthage", "join", generals=[GISCO], units=2, elephants=0)
    battle_ = table.state.fighting()
    assert battle_.start == {"rome": 3, "carthage": 6} and set(battle_.generals["carthage"]) == {GISCO, HANNO}
    assert battle_.commanders["carthage"] == HANNO and table.state.spaces["agrigentum"].inside == Troops()


def test_siege_8_an_overrun_of_the_last_besieger_lifts_the_siege() -> None:
    state = army(army(empty(), "carthage", "panormus", 6, HANNO), "rome", "lilybaeum", 1)
    state = state.with_place("lilybaeum", replace(state.spaces["lilybaeum"], siege=2, besieger="rome"))
    table = turn_of(state, "carthage", THREE)
    table.say("carthage", "activate", card=THREE, general=HANNO)
    table.say("carthage", "step", to="lilybaeum", units=6, elephants=0)
    table.stands()
    assert table.state.spaces["lilybaeum"].siege == 0


def test_movement_land_5_a_lone_general_is_displaced_by_units() -> None:
    table = attack(field(5, 0))
    assert table.state.generals[HANNO].status == "pool"


def test_avoid_1a_an_army_shelters_and_cities_4_in_its_friendly_city() -> None:
    """8.2.1.limit With as many trains as fit."""
    state = army(empty(), "rome", "enna", 6, REGULUS)
    table = turn_of(army(state, "carthage", "agrigentum", 2, GISCO, trains=1), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "step", to="agrigentum", units=6, elephants=0)
    table.say("carthage", "shelter", units=2, elephants=0, trains=1, generals=[GISCO])
    assert table.state.spaces["agrigentum"].inside == Troops(2, 0, 1)
    assert not table.state.marching().stopped and table.offers("rome", "besiege")


def test_18_1_a_consul_is_not_left_before_the_walls_with_fewer_than_three() -> None:
    state = army(army(empty(), "rome", "regium", 4, COTTA, rank="consul"), "carthage", "bruttium", 5, HANNO)
    state = state.with_place("bruttium", replace(state.spaces["bruttium"], tribe=False))
    table = turn_of(state, "carthage", THREE)
    table.say("carthage", "activate", card=THREE, general=HANNO)
    table.say("carthage", "step", to="regium", units=5, elephants=0)
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "shelter", units=2, elephants=0)
    assert refusal.value.rule == "18.1"
    assert [offer.fields["units"] for offer in table.offers("rome", "shelter")] == [{"from": 1, "to": 1}]
    table.say("rome", "shelter", units=1, elephants=0)
    assert table.state.spaces["regium"].inside.units == 1


def test_movement_land_2c_the_strait_needs_both_cities_by_land() -> None:
    """11.1.2 And 2 points."""
    table = turn_of(army(empty(), "rome", "regium", 3, COTTA), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "step", to="messana", units=3, elephants=0)
    assert table.state.marching().points == 2


def test_battle_1_carthage_may_change_the_roman_command() -> None:
    state = army(field(6, 4), "rome", "beneventum", 0, DUILIUS, rank="consul")
    state = state.with_general(REGULUS, replace(state.generals[REGULUS], rank="consul"))
    table = turn_of(state, "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "step", to="arpi", units=6, elephants=0, companions=[DUILIUS])
    table.stands()
    table.say("carthage", "change_command", 4)
    assert table.state.fighting().commanders["rome"] == DUILIUS


def test_siege_6_a_besieged_army_sorties() -> None:
    state = army(army(empty(), "carthage", "agrigentum", 2, GISCO, inside=True), "rome", "agrigentum", 3, REGULUS)
    table = turn_of(ships(state, "carthage", 1), "carthage", THREE)
    table.say("carthage", "activate", card=THREE, general=GISCO)
    with pytest.raises(Illegal):
        table.say("carthage", "step", to="enna", units=2, elephants=0)
    table.say("carthage", "sortie", units=2, elephants=0)
    assert table.state.fighting().sortie and table.state.fighting().attacker == "carthage"
