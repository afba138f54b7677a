"""2, 4 Components and set-up."""

from __future__ import annotations

import pytest

from kit.hamilcar_war import ONE, army, empty, ships, turn_of, war
from strategic.hamilcar import HAMILCAR
from strategic.hamilcar.rules.survey import points
from strategic.hamilcar.setup import scenarios
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import CARDS, CHART, LEADERS, PROVINCES, ground
from strategic.point_to_point.state import Troops
from strategic.point_to_point.survey import controls
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput


def test_2_2_a_one_marker_shows_who_holds_supremacy() -> None:
    assert war().supremacy == "carthage"


def test_2_2_generals_and_cards_of_the_other_war_are_out() -> None:
    """2.2 No Scipio Africanus' father, no card of the second war but those that are named."""
    assert "publius_cornelius_scipio" not in LEADERS
    assert sum(not card.optional for card in CARDS.values()) == 64


def test_2_2_7_a_side_has_at_most_ten_ships() -> None:
    state = ships(empty(), "rome", 10)
    assert state.berths("rome") == 0
    position = {"ships": {"rome": [{"name": f"s{n}"} for n in range(11)], "carthage": []}}
    with pytest.raises(BadInput, match="limit of 10"):
        HAMILCAR.start(None, position, {}, Dice(secret=lambda sides: 1))


def test_2_2_7_b_only_ready_ships_in_port_sail() -> None:
    """2.2.7.a, 2.2.7.b Unready ships and those at sea are not counted among the ready in port."""
    state = ships(empty(), "rome", 2, 1)
    assert len(state.ready("rome")) == 2
    at_sea = state.put_to_sea("rome", state.ready("rome")[:1])
    assert len(at_sea.ready("rome")) == 1
    assert len(at_sea.put_into_port("rome", state.ready("rome")).ready("rome")) == 2


def test_4_turn_1_and_4_a_the_tactics_forgotten_and_4_2_b_a_pc_top_left_in_the_council_and_4_2_c_supremacy_is_carthages() -> (
    None
):
    """11.8.3 Turn 1, Forgotten Tactics, a PC top left in the Council, poor seamanship."""
    state = war()
    assert (state.turn, state.forgotten, state.council, state.supremacy) == (1, True, ((1, 1),), "carthage")
    assert (state.seamanship, state.corvus) == (0, False)


def test_4_b_numidia_etruria_and_sicily_are_neutral() -> None:
    state = war()
    for province in ("numidia", "etruria", "sicilia"):
        assert not controls(state, "rome", province) and not controls(state, "carthage", province)


def test_4_c_seven_lanes_are_marked_with_lightning() -> None:
    stormy = [way for way in CHART.connections if way.about.get("storm")]
    assert len(stormy) == 7 and all(way.kind == "lane" for way in stormy)


def test_4_1_rome_holds_five_provinces_messana_and_cosa_and_4_1_a_one_ready_ship_and_4_1_c_roma_bears_no_fortress_of_two() -> (
    None
):
    """Square spaces are walled cities; that of Rome is without the fortress sign, a great city (20.2.7)."""
    state = war()
    held = {name for name in PROVINCES if controls(state, "rome", name)}
    assert held == {"latium", "campania", "apulia", "lucania", "samnium"}
    assert state.spaces["messana"].control == state.spaces["cosa"].control == "rome"
    assert [ship.ready for ship in state.ships["rome"]] == [True]
    assert CHART.spaces["roma"].about["capital"] == "rome" and CHART.spaces["roma"].about["inside"] == 5
    assert cities(state, "rome") == {
        "roma": True,
        **dict.fromkeys(("capua", "neapolis", "tarentum", "regium", "messana"), False),
    }


def cities(state: State, side: str) -> dict[str, bool]:
    """The walled cities with a side's marker, and which of them are great ones."""
    return {
        name: ground(name).great for name, place in state.spaces.items() if ground(name).city and place.control == side
    }


def test_4_1_b_asina_waits_until_caudex_is_gone() -> None:
    state = war()
    assert state.generals["gnaeus_cornelius_scipio_asina"].status == "out"
    romans = [name for name, leader in LEADERS.items() if leader.side == "rome"]
    assert sum(state.generals[name].status == "pool" for name in romans) == len(romans) - 4


@pytest.mark.parametrize(
    "paragraph, side, space, troops, general",
    [
        ("4.1.1", "rome", "roma", Troops(6, 0, 1), "manius_valerius_maximus"),
        ("4.1.2", "rome", "regium", Troops(4), None),
        ("4.1.3", "rome", "messana", Troops(2, 0, 1), "appius_claudius_caudex"),
        ("4.1.4", "rome", "cosa", Troops(3), "quintus_fulvius_flaccus"),
        ("4.2.1", "carthage", "agrigentum", Troops(1), None),
        ("4.2.2", "carthage", "lilybaeum", Troops(2, 0, 1), "hannibal_gisco"),
        ("4.2.3", "carthage", "carthago", Troops(3, 1, 2), "hanno"),
        ("4.2.4", "carthage", "carales", Troops(1), None),
        ("4.2.5", "carthage", "lipara", Troops(1), None),
    ],
)
def test_4_armies_at_the_start(paragraph, side, space, troops, general) -> None:  # type: ignore[no-untyped-def]
    state = war()
    assert state.spaces[space].outside(side) == troops
    if general:
        assert state.generals[general].space == space


def test_4_2_carthage_holds_its_four_provinces_and_4_2_a_three_ships_and_4_2_d_two_cities_without_a_fortress() -> None:
    """22.1 Markers, 1 ready and 2 unready ships; both sides start with 5 points."""
    state = war()
    assert {name for name in PROVINCES if controls(state, "carthage", name)} == {
        "carthage",
        "libya",
        "syracuse",
        "corsica_sardinia",
    }
    assert sorted(ship.ready for ship in state.ships["carthage"]) == [False, False, True]
    great, walled = ("carthago", "syracusae"), ("lilybaeum", "agrigentum", "utica")
    assert cities(state, "carthage") == {**dict.fromkeys(great, True), **dict.fromkeys(walled, False)}
    assert points(state, "rome") == points(state, "carthage") == 5


def test_4_2_6_xanthippus_and_barca_wait_among_the_mercenaries_and_4_2_7_the_others_on_the_turn_track() -> None:
    state = war()
    assert state.generals["xanthippus"].status == state.generals["hamilcar_barca"].status == "mercenary"
    assert [n for n, g in state.generals.items() if g.status == "track"] == [
        "carthalo",
        "adherbal",
        "himilco",
        "hasdrubal_son_of_hanno",
        "hamilcar_the_other",
    ]
    turns = {"hamilcar_the_other": 2, "hasdrubal_son_of_hanno": 3, "himilco": 4, "adherbal": 5, "carthalo": 6}
    assert {name: LEADERS[name].arrives for name in turns} == turns


def test_4_3_six_neutral_tribes() -> None:
    state = war()
    tribes = {space for space, place in state.spaces.items() if place.tribe}
    assert tribes == {"bruttium", "volsinii", "cirta", "madauros", "sigus", "thevestis"}


def test_4_the_map_has_55_spaces_97_connections_and_34_lanes() -> None:
    """4, H.scoring Every record of the map says where it comes from; 11 provinces score."""
    assert len(CHART.spaces) == 55
    assert sum(way.kind == "lane" for way in CHART.connections) == 34
    assert sum(way.kind != "lane" for way in CHART.connections) == 97
    assert all(space.about["source"] in ("rules", "reconstructed", "derived") for space in CHART.spaces.values())
    assert all(way.about["source"] for way in CHART.connections)
    assert sum(province.scores for province in PROVINCES.values()) == 11


def test_11_1_2_the_strait_of_messana_is_a_lane_too() -> None:
    assert any(way.kind == "lane" and {way.start, way.end} == {"messana", "regium"} for way in CHART.connections)


def test_4_the_war_comes_first_among_the_scenarios() -> None:
    assert [each.id for each in scenarios()] == ["first_punic_war", "off_mylae"]


def test_l1_1_off_mylae_the_fleets_have_met() -> None:
    """L1.1 The demo: an engagement waits, with named ships, transports, commanders, corvus and seamanship."""
    outcome = HAMILCAR.start("off_mylae", None, {}, Dice(secret=lambda sides: 1))
    engagement = outcome.state.engaged()
    rome, carthage = engagement.fleets["rome"], engagement.fleets["carthage"]
    assert (len(rome.units), len(rome.transports), len(carthage.units)) == (4, 3, 4)
    assert rome.commander == "gaius_duilius" and carthage.commander == "hannibal_gisco"
    assert rome.corvus and rome.seamanship == "fair" and engagement.supremacy == "carthage"
    assert set(HAMILCAR.waiting_for(outcome.state)) == {"rome", "carthage"}


def test_h_options_all_optional_rules_are_off() -> None:
    """H.options, 26 Only the advice of the translator (6.4.d) is on."""
    on = [option.name for option in HAMILCAR.options if option.default is True]
    assert on == ["flaccus_leaves"]
    with pytest.raises(BadInput, match="no such option"):
        HAMILCAR.start("first_punic_war", None, {"fog": True}, Dice(secret=lambda sides: 1))


def test_2_2_7_c_an_unready_ship_and_8_2_b_is_repaired_for_a_point() -> None:
    """One point, one ship; a ready ship needs none."""
    state = ships(army(empty(), "rome", "roma", 3), "rome", 1, 1)
    table = turn_of(state, "rome", ONE)
    name = table.state.unready("rome")[0]
    table.say("rome", "points", card=ONE)
    with pytest.raises(Illegal, match="needs repair"):
        table.say("rome", "repair", ship=table.state.ready("rome")[0])
    table.say("rome", "repair", ship=name)
    assert len(table.state.ready("rome")) == 2
