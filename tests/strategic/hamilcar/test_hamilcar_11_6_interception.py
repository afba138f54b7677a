"""11.6 Interception at sea; 11.7.second the second interception, on land."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import FLEETING, TWO, War, army, control, empty, hold, ships, turn_of
from strategic.hamilcar.rules.events import modifier as storm_modifier
from strategic.hamilcar.state import State
from strategic.point_to_point.state import Side
from tactical.kernel.protocol import Illegal, Prompt

COTTA, METELLUS, VULSO = "gaius_aurelius_cotta", "lucius_caecilius_metellus", "lucius_manlius_vulso_longus"
GISCO, HANNO, ADHERBAL, CARTHALO = "hannibal_gisco", "hanno", "adherbal", "carthalo"


def waters(roman: int = 1, carthaginian: int = 1, units: int = 3, lipara: str | None = None) -> State:
    """Cotta at Messana bound for Lipara, which is nobody's unless said; Gisco (1) at Panormus with 2 CUs."""
    state = army(army(empty(), "rome", "messana", units, COTTA), "carthage", "panormus", 2, GISCO, trains=1)
    state = ships(ships(state, "rome", roman), "carthage", carthaginian)
    return control(state, lipara, "lipara")  # type: ignore[arg-type]


def sail(state: State, ships_: int = 1, units: int = 3, to: str = "lipara", general: str = COTTA) -> War:
    table = turn_of(state, "rome", TWO)
    table.say("rome", "activate", card=TWO, general=general)
    table.say("rome", "sail", to=to, ships=ships_, units=units, elephants=0)
    return table


def test_11_6_1_at_least_one_ready_ship_must_intercept() -> None:
    """11.6, 11.6.1 Without a ready ship nobody is asked; unready ones do not count."""
    table = sail(waters(carthaginian=0))
    assert table.state.marching().at == "lipara"
    table = sail(waters(carthaginian=2))
    for count in (0, 3):
        with pytest.raises(Illegal) as refusal:
            table.say("carthage", "sea_intercept", ships=count, tries=[{"general": GISCO}])
        assert refusal.value.rule == "11.6.1"


def test_11_6_2_a_die_no_higher_than_the_rating_and_11_6_5_catches_and_11_6_7_c_who_failed_may_try_again() -> None:
    """A 1 catches for Gisco, a 2 does not; the ships are back in port, and the move goes on."""
    caught = sail(waters())
    caught.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO}])
    assert caught.state.engagement is not None
    missed = sail(waters())
    missed.say("carthage", "sea_intercept", 2, ships=1, tries=[{"general": GISCO}])
    assert missed.state.marching().at == "lipara" and len(missed.state.ready("carthage")) == 1
    missed.say("rome", "sail", to="panormus", ships=1, units=3, elephants=0)
    missed.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO}])  # they may try again
    assert missed.state.engagement is not None


def test_11_6_2_only_from_the_port_or_one_lane_away() -> None:
    state = army(waters(), "carthage", "drepanum", 1, ADHERBAL)
    table = sail(state)
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "sea_intercept", ships=1, tries=[{"general": ADHERBAL}])
    assert refusal.value.rule == "11.6.2"


def test_11_6_2_a_the_corvus_adds_one_to_a_roman_die_and_11_8_1_hinders_him() -> None:
    """Cotta (2) catches with a 2, with the corvus he needs a 1."""
    state = army(army(empty(), "carthage", "panormus", 2, HANNO), "rome", "messana", 3, COTTA)
    state = control(ships(ships(state, "rome", 1), "carthage", 1), None, "lipara")
    for corvus, met in ((False, True), (True, False)):
        table = turn_of(replace(state, corvus=corvus), "carthage", 37)
        table.say("carthage", "campaign", card=37)
        table.say("carthage", "campaign_move", general=HANNO)
        table.say("carthage", "sail", to="lipara", ships=1, units=2, elephants=0)
        table.say("rome", "sea_intercept", 2, ships=1, tries=[{"general": COTTA, "units": 3}])
        assert table.told("sea_interception")[0]["success"] is met


def test_11_6_2_b_one_try_a_space_and_all_declared_before_the_dice_and_h2_a_the_owner_picks_one_of_several() -> None:
    """H2 Two from two spaces roll together; of several successes the owner picks one."""
    state = army(waters(), "carthage", "panormus", 0, ADHERBAL)
    state = control(army(state, "carthage", "neapolis", 1, HANNO), "carthage", "neapolis")
    table = sail(state)
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "sea_intercept", ships=1, tries=[{"general": GISCO}, {"general": ADHERBAL}])
    assert refusal.value.rule == "11.6.2.b"
    table.say("carthage", "sea_intercept", 3, 2, ships=1, tries=[{"general": ADHERBAL}, {"general": HANNO, "units": 1}])
    assert table.asked() == ("catcher", "carthage")
    with pytest.raises(Illegal):
        table.say("carthage", "catcher", general=GISCO)
    table.say("carthage", "catcher", general=HANNO)
    fleet = table.state.engaged().fleets["carthage"]
    assert fleet.commander == HANNO and len(fleet.transports) == 1
    assert table.state.generals[ADHERBAL].space == "panormus"  # the other stays where he was


def test_h2_not_from_inside_a_besieged_city() -> None:
    state = army(empty(), "carthage", "agrigentum", 2, GISCO, inside=True)
    state = army(army(state, "rome", "agrigentum", 3), "rome", "regium", 3, COTTA)
    place = replace(state.spaces["agrigentum"], siege=1, besieger="rome")
    state = ships(ships(state.with_place("agrigentum", place), "rome", 1), "carthage", 1)
    table = turn_of(replace(state, supremacy="rome"), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="syracusae", ships=1, units=3, elephants=0)
    assert table.state.marching().at == "syracusae"  # nobody was asked


def test_11_6_3_supremacy_and_an_own_marker_intercept_and_11_6_5_without_a_die_and_h2_b_though_all_dice_failed() -> (
    None
):
    """H2 Ships only, no general and no CU; also when nobody tries with a general."""
    table = sail(waters(lipara="carthage"))
    table.say("carthage", "sea_intercept", ships=1, tries=[])
    fleet = table.state.engaged().fleets["carthage"]
    assert fleet.commander is None and fleet.transports == ()
    table = sail(waters(lipara="carthage"))
    table.say("carthage", "sea_intercept", 5, ships=1, tries=[{"general": GISCO, "units": 2}])
    fleet = table.state.engaged().fleets["carthage"]
    assert fleet.commander is None and fleet.transports == ()


def test_11_6_3_a_marker_without_supremacy_is_not_enough_and_11_6_example_2_supremacy_alone_needs_a_die() -> None:
    """With supremacy alone a die is needed; with the own PC in Lipara too it is certain."""
    for state in (waters(), replace(waters(lipara="carthage"), supremacy="rome")):
        table = sail(state)
        if table.asked() == ("sea_intercept", "carthage"):
            with pytest.raises(Illegal) as refusal:
                table.say("carthage", "sea_intercept", ships=1, tries=[])
            assert refusal.value.rule == "11.6.3"
    for lipara, met in ((None, False), ("carthage", True)):
        table = sail(waters(lipara=lipara))
        table.say("carthage", "sea_intercept", 6, ships=1, tries=[{"general": GISCO}])
        assert (table.state.engagement is not None) is met


def test_11_6_4_a_card_after_the_dice_may_still_catch() -> None:
    """11.6.4 Two less on the die that it helps most."""
    state = hold(waters(), "carthage", 201)
    table = turn_of(state, "rome", TWO, storms=True)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="lipara", ships=1, units=3, elephants=0)
    table.say("carthage", "pass")
    table.say("carthage", "sea_intercept", 3, ships=1, tries=[{"general": GISCO}])
    assert {offer.type for offer in table.offers("carthage")} == {"answer", "pass", "resign"}
    table.say("carthage", "answer", card=201)
    assert table.state.engaged().fleets["carthage"].commander == GISCO
    assert table.state.spent["carthage"] == 1


def test_11_6_note_only_the_active_players_moves_are_intercepted() -> None:
    """11.6.note An interceptor who sails home or lands is himself safe."""
    table = sail(replace(waters(), supremacy="rome"))
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO, "units": 2}])
    table.say("rome", "turn_back")
    table.say("carthage", "after_sea", choice="land")
    assert table.asked() == ("move", "rome")


def test_11_6_6_a_lone_general_caught_is_displaced() -> None:
    """11.6.6, H3 Neither ships nor CUs: off the board, and the move is over."""
    table = sail(waters(), ships_=0, units=0)
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO}])
    assert table.state.generals[COTTA].status == "pool" and table.state.engagement is None
    assert table.state.march is None and table.asked() == ("impulse", "carthage")
    assert table.state.spaces["messana"].rome.units == 3


@pytest.mark.parametrize("ships_, units, fleet", [(1, 0, True), (0, 3, True), (1, 3, True), (0, 0, False)])
def test_11_1_1_b_ships_or_transports_or_both_are_a_fleet_and_a_lone_general_is_none(
    ships_: int, units: int, fleet: bool
) -> None:
    """A fleet that is caught fights; a general who is none is taken (11.6.6)."""
    table = sail(waters(), ships_=ships_, units=units)
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO}])
    assert (table.state.engagement is not None) is fleet
    assert table.state.generals[COTTA].status == ("board" if fleet else "pool")


def test_11_6_7_the_mover_may_give_up_supremacy_and_turn_back() -> None:
    """11.6.7, H3 No ship is turned, the move is over in the last port, the interceptor may land (11.6.7.a)."""
    table = sail(replace(waters(), supremacy="rome"))
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO, "units": 2, "trains": 1}])
    assert table.asked() == ("turn_back", "rome")
    table.say("rome", "turn_back")
    assert table.state.supremacy == "carthage"
    assert len(table.state.ready("rome")) == 1 and len(table.state.ready("carthage")) == 1
    assert table.asked() == ("after_sea", "carthage")
    table.say("carthage", "after_sea", choice="land")
    assert table.state.generals[GISCO].space == "lipara" and table.state.spaces["lipara"].carthage.units == 2
    assert table.state.generals[COTTA].space == "messana" and table.state.marching().stopped
    assert table.state.spaces["messana"].rome.units == 3


def test_11_6_7_a_where_enemy_units_stand_the_interceptor_goes_home_and_11_6_7_d_they_do_not_bar_him_and_11_6_example_1_at_lipara() -> (
    None
):
    """A Roman garrison of Lipara, whose units stop neither the interception of their own side's enemy nor let Gisco land."""
    state = army(replace(waters(), supremacy="rome"), "rome", "lipara", 1)
    table = sail(state)
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO, "units": 2}])
    table.say("rome", "turn_back")
    assert table.asked() == ("move", "rome") and table.state.generals[GISCO].space == "panormus"


def test_11_6_7_b_otherwise_there_is_a_battle() -> None:
    """11.6.7.b, L1.1.a Without supremacy no choice is asked; with it the mover may fight."""
    table = sail(waters())
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO}])
    assert table.asked() == ("engagement", "both")
    table = sail(replace(waters(), supremacy="rome"))
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO}])
    table.say("rome", "fight_at_sea")
    assert table.asked() == ("engagement", "both")


def test_h1_each_lane_is_a_step_and_the_last_port_where_it_began() -> None:
    """H1 Caught on the second lane, he goes back to where that lane began."""
    state = replace(control(waters(), None, "lipara"), supremacy="rome")
    state = control(army(state, "carthage", "drepanum", 1, ADHERBAL), None, "panormus", "drepanum")
    state = state.with_general(GISCO, replace(state.generals[GISCO], space="drepanum"))
    state = state.take("panormus", "carthage", state.spaces["panormus"].carthage)
    table = sail(state)
    table.say("rome", "sail", to="panormus", ships=1, units=3, elephants=0)
    table.say("carthage", "sea_intercept", 3, ships=1, tries=[{"general": ADHERBAL, "units": 1}])
    assert table.state.sailing().start == "lipara"
    table.say("rome", "turn_back")
    table.say("carthage", "after_sea", choice="home")
    assert table.state.generals[COTTA].space == "lipara"


# the second interception, on land


def panormus(supremacy: str = "rome") -> War:
    """11.7.second.example Vulso sails from Messana to Panormus; Carthalo (2) stands in Lilybaeum."""
    state = army(army(empty(), "rome", "messana", 4, VULSO), "carthage", "lilybaeum", 4, CARTHALO)
    state = ships(ships(state, "rome", 3), "carthage", 2)
    table = turn_of(replace(control(state, None, "panormus", "lipara"), supremacy=supremacy), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=VULSO)
    table.say("rome", "sail", to="panormus", ships=3, units=4, elephants=0)
    return table


def won_off_panormus() -> War:
    """Carthalo catches him at sea with 1 ship and loses by a report."""
    table = panormus()
    table.say("carthage", "sea_intercept", 2, ships=1, tries=[{"general": CARTHALO}])
    table.say("rome", "fight_at_sea")
    outcome = {"winner": "rome", "turns": 3, "sides": {"carthage": {"sunk": 1}}}
    table.say("umpire", "settle", engagement=table.state.engaged().id, outcome=outcome)
    table.say("rome", "after_sea", choice="land")
    return table


def test_11_7_second_those_who_lost_at_sea_may_intercept_by_land() -> None:
    """11.7.second, H11"""
    table = won_off_panormus()
    assert table.asked() == ("intercept", "carthage") and table.state.generals[CARTHALO].space == "lilybaeum"
    table.say("carthage", "intercept", general=CARTHALO, units=4, elephants=0)
    table.say("carthage", "done", 2)
    assert table.asked() == ("intercepted", "rome")


def test_11_7_second_example_the_arriver_goes_back_and_11_7_second_a_over_his_last_lane() -> None:
    """H11 With supremacy nobody intercepts the way back over the last lane."""
    table = won_off_panormus()
    table.say("carthage", "intercept", general=CARTHALO, units=4, elephants=0)
    table.say("carthage", "done", 2)
    table.say("rome", "go_back")
    assert table.state.generals[VULSO].space == "messana" and table.state.spaces["messana"].rome.units == 4
    assert table.state.spaces["panormus"].carthage.units == 4 and table.state.engagement is None
    assert table.state.marching().stopped


def test_h11_without_supremacy_the_way_back_can_be_intercepted() -> None:
    table = panormus("carthage")
    table.say("carthage", "pass")
    state = replace(table.state, supremacy="carthage")  # his arrival in a neutral port wins him nothing
    assert table.state.supremacy == "carthage" and state.supremacy == "carthage"
    table.say("carthage", "intercept", general=CARTHALO, units=4, elephants=0)
    table.say("carthage", "done", 2)
    lurking = army(table.state, "carthage", "lipara", 0, ADHERBAL)
    table.state = lurking
    table.say("rome", "go_back")
    assert table.asked() == ("sea_intercept", "carthage") and table.state.sailing().back


def test_11_7_second_no_interception_by_land_where_other_romans_stand() -> None:
    """11.7.second as usual: not where CUs of the mover stand already."""
    state = army(army(empty(), "rome", "messana", 4, VULSO), "carthage", "lilybaeum", 4, CARTHALO)
    state = army(control(state, "rome", "panormus"), "rome", "panormus", 1)
    table = turn_of(state, "rome", TWO)
    table.say("rome", "activate", card=TWO, general=VULSO)
    table.say("rome", "sail", to="panormus", ships=0, units=4, elephants=0)
    assert table.asked() == ("move", "rome")


def test_26_7_naval_stores_turn_every_ship_that_took_part_and_26_7_example_three_of_five() -> None:
    """Three of five sail to Neapolis and are unready; the other two sail on; a failed try too."""
    state = ships(army(empty(naval_stores=True), "rome", "roma", 4, COTTA), "rome", 5)
    table = turn_of(state, "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="neapolis", ships=3, units=4, elephants=0)
    assert len(table.state.ready("rome")) == 2
    with pytest.raises(Illegal):
        table.say("rome", "sail", to="regium", ships=3, units=4, elephants=0)
    table.say("rome", "sail", to="regium", ships=2, units=4, elephants=0)
    assert len(table.state.ready("rome")) == 0
    base = waters()
    table = sail(replace(base, options=replace(base.options, naval_stores=True)))
    table.say("carthage", "sea_intercept", 6, ships=1, tries=[{"general": GISCO}])
    assert len(table.state.unready("carthage")) == 1 and len(table.state.unready("rome")) == 1


def test_11_6_the_card_of_the_other_side_is_still_in_its_hand() -> None:
    """11.6.4 Who lets an interception pass has spent nothing."""
    table = sail(waters())
    table.say("carthage", "pass")
    assert table.state.hands["carthage"] == (FLEETING,)


def test_11_6_2_part_of_a_force_is_named_before_the_ships_put_to_sea() -> None:
    """H2, 11.7.example "He leaves a CU behind": of 2 CUs and a train Gisco takes 1 CU; all or nothing is named at sea."""
    table = sail(waters())
    parts = [offer.fields for offer in table.offers("carthage", "sea_try")]
    assert {(each["units"]["from"], each["units"]["to"], tuple(each["trains"])) for each in parts} == {
        (1, 1, (0, 1)),
        (2, 2, (0,)),
    }
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "sea_try", general=GISCO, units=2, elephants=0, trains=1)
    assert refusal.value.rule == "11.6.2"
    table.say("carthage", "sea_try", general=GISCO, units=1, elephants=0, trains=0)
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "sea_try", general=GISCO, units=1, elephants=0, trains=1)
    assert refusal.value.rule == "11.6.2.b"
    assert [offer.fields["tries"] for offer in table.offers("carthage", "sea_intercept")] == [[[]]]
    table.say("carthage", "sea_intercept", 1, ships=1)
    assert len(table.state.engaged().fleets["carthage"].transports) == 1
    at_once = sail(waters())
    at_once.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO, "units": 1}])
    assert at_once.state == table.state


def worn(state: State, side: Side, *damage: int) -> State:
    """The same with hull damage on the ships of a side."""
    fleet = zip(state.fleet(side), damage, strict=True)
    return state.with_fleet(side, tuple(replace(ship, damage=hull) for ship, hull in fleet))


def choices(table: War, seat: str) -> list[list[str]]:
    """The choices of ships on offer."""
    return table.offers(seat, "choose_ships")[0].fields["ships"]


def test_l2_4_the_owner_says_which_ships_sail_where_they_differ_in_damage() -> None:
    """The soundest are proposed; before any die the interceptor says so too; ships alike are asked about by nobody."""
    state = worn(worn(waters(3, 3), "rome", 4, 0, 2), "carthage", 0, 0, 0)
    table = sail(state, ships_=1)
    worst, sound, middle = [ship.name for ship in state.fleet("rome")]
    assert table.asked() == ("ships_sail", "rome") and choices(table, "rome") == [[sound], [middle], [worst]]
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "choose_ships", ships=[sound, worst])
    assert refusal.value.rule == "L2.4"
    table.say("rome", "choose_ships", ships=[worst])
    assert table.state.sailing().ships == (worst,) and table.asked() == ("sea_intercept", "carthage")
    table.say("carthage", "sea_intercept", 1, ships=2, tries=[{"general": GISCO}])
    assert [unit.damage for unit in table.state.engaged().fleets["rome"].units] == [4]
    against = sail(worn(state, "carthage", 1, 0, 0), ships_=3)
    against.say("carthage", "sea_intercept", ships=1, tries=[{"general": GISCO}])
    assert against.asked() == ("ships_catch", "carthage") and not against.told("sea_interception")
    against.say("carthage", "choose_ships", 1, ships=choices(against, "carthage")[-1])
    assert [unit.damage for unit in against.state.engaged().fleets["carthage"].units] == [1]


def test_l2_4_the_owner_says_which_ships_are_hit_and_a_prize_is_the_first() -> None:
    """11.7.engage.c, 11.7.prizes Two of three are hit, one is taken: any two, either of them first; alike, the last."""
    table = sail(replace(worn(waters(3, 3), "carthage", 0, 3, 1), corvus=True, seamanship=2), ships_=3)
    table.say("carthage", "sea_intercept", 1, ships=3, tries=[{"general": GISCO}])
    table.say("rome", "choose_way", engagement=table.state.engaged().id, way="own_table", side="rome")
    until_engaged(table, "rome")
    column = range(1, 6)
    number = next(n for n in column if table.state.tables.naval.read(7, n) == 2)
    table.state = replace(table.state, naval=replace(table.state.at_sea(), round=number))
    alike = War(worn(table.state, "carthage", 2, 2, 2))
    table.say("rome", "engage", 6, target="ships")
    assert table.asked() == ("ships_struck", "carthage")
    sound, worst, middle = table.state.at_sea().fleets["carthage"].ready[0], *choices(table, "carthage")[0]
    assert len(choices(table, "carthage")) == 6
    assert [table.state.ship("carthage", name).damage for name in (sound, middle, worst)] == [0, 1, 3]  # type: ignore[union-attr]
    table.say("carthage", "choose_ships", ships=[middle, sound])
    fleet = table.state.at_sea().fleets["carthage"]
    assert (fleet.taken, fleet.sunk, fleet.ready) == ((middle,), (sound,), (worst,))
    alike.say("rome", "engage", 6, target="ships")
    assert alike.told("ships_hit") and alike.asked()[0] != "ships_struck"


def until_engaged(table: War, seat: str) -> None:
    """Nobody plays a card or leaves until this side engages."""
    while table.asked() != ("engage", seat):
        kind, side = table.asked()
        if kind == "engage":
            table.say(side, "engage", 1, target="ships")
        else:
            table.say(side, "pass")


def test_l2_4_a_storm_takes_the_ships_that_the_owner_names() -> None:
    """21.1.3 A card, three ships that differ, one hit."""
    state = hold(worn(waters(3, 1), "rome", 0, 3, 1), "carthage", 60)
    table = turn_of(state, "rome", TWO, storms=True)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="lipara", ships=3, units=3, elephants=0)
    face = next(
        face
        for face in range(1, 7)
        if table.state.tables.attrition.read(face + storm_modifier(table.state, "rome"), 3)[0] == 1
    )
    table.say("carthage", "answer", face, card=60)
    sound, worst, middle = [ship.name for ship in state.fleet("rome")]
    assert table.asked() == ("ships_wrecked", "rome") and choices(table, "rome") == [[worst], [middle], [sound]]
    table.say("rome", "choose_ships", ships=[middle])
    assert table.state.sailing().ships == (sound, worst) and table.state.ship("rome", middle) is None


def test_l2_4_and_6_5_3_b_rome_says_which_ships_a_reform_repairs() -> None:
    """Up to three of the four that need it."""
    state = worn(ships(empty(), "rome", 0, 4), "rome", 2, 0, 1, 0)
    names = [ship.name for ship in state.fleet("rome")]
    for damage, asked in (((2, 0, 1, 0), True), ((0, 0, 0, 0), False)):
        table = turn_of(worn(state, "rome", *damage), "rome", TWO)
        table.state = table.state.then(Prompt("reform", "rome", "6.5.3.b", {"general": COTTA}))
        table.say("rome", "reform", kind="repair")
        assert (table.asked() == ("ships_mended", "rome")) is asked
        if asked:
            assert choices(table, "rome")[0] == [names[1], names[3], names[2]]
            table.say("rome", "choose_ships", ships=names[:3])
        assert [ship.ready for ship in table.state.fleet("rome")] == [True, True, True, False]
