"""H1 to H13 Our readings that no other test carries in its name."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import TWO, War, army, control, drawn_for, empty, ships, turn_of, war
from strategic.hamilcar.rules.naval_battle import winner
from strategic.hamilcar.rules.reinforcements import landings, posts
from strategic.hamilcar.rules.survey import is_enemy_port
from strategic.hamilcar.state import NavalBattle, SeaFleet, State
from strategic.point_to_point.state import Troops
from tactical.kernel.protocol import Illegal

COTTA, GISCO, ADHERBAL = "gaius_aurelius_cotta", "hannibal_gisco", "adherbal"


def sea(roman: int = 2, carthaginian: int = 2, units: int = 2, catcher: str = GISCO, **facts: Any) -> State:
    state = army(army(empty(), "rome", "messana", 2, COTTA), "carthage", "panormus", 1, catcher)
    state = control(ships(ships(state, "rome", roman), "carthage", carthaginian), None, "lipara")
    return replace(state, **{"seamanship": 2, **facts})


def caught(state: State, roman: int = 2, units: int = 2, catcher: str = GISCO) -> War:
    table = turn_of(state, "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="lipara", ships=roman, units=units, elephants=0)
    table.say("carthage", "sea_intercept", 1, ships=len(state.ready("carthage")), tries=[{"general": catcher}])
    return table


def fight(*cards: str, **facts: Any) -> War:
    table = caught(sea(**facts), catcher=facts.get("catcher", GISCO))
    name = table.state.engaged().id
    table.say("rome", "choose_way", engagement=name, way="own_table", side="rome", drawn=drawn_for(cards))
    return table


def test_h3_a_lone_general_is_displaced_even_when_his_side_holds_supremacy() -> None:
    """H3 He has no choice to turn back; supremacy stays."""
    table = caught(sea(supremacy="rome"), roman=0, units=0)
    assert table.state.generals[COTTA].status == "pool" and table.state.supremacy == "rome"


def test_h3_a_fleet_of_ships_alone_may_turn_back() -> None:
    table = caught(sea(supremacy="rome"), units=0)
    table.say("rome", "turn_back")
    assert len(table.state.ready("rome")) == 2 and table.state.generals[COTTA].space == "messana"


def test_h5_who_goes_first_is_fixed_when_the_round_begins() -> None:
    """H5 Carthage gives supremacy up in its part of round I and is stopped; Rome still goes second, and first in II."""
    table = fight("run", "ambush", "pursuit", "ambush")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "evade")
    table.say("rome", "cancel_retreat")
    assert table.state.at_sea().order == ("carthage", "rome") and table.asked() == ("manoeuvre", "rome")
    table.say("rome", "pass")
    table.say("rome", "engage", 1, target="ships")
    table.say("rome", "pass")
    assert table.state.at_sea().order == ("rome", "carthage")


def test_h6_hits_beyond_the_target_are_lost() -> None:
    """H6 Two hits, one transport: no ship is touched."""
    table = fight("run", "ambush", "pursuit", "ambush")
    naval = table.state.at_sea()
    rome = replace(naval.fleets["rome"], transports=1, transports_lost=1)
    table.state = replace(table.state, naval=replace(naval, round=5, fleets={**naval.fleets, "rome": rome}))
    table.say("carthage", "pass")
    table.say("carthage", "engage", 6, target="transports")
    fleet = table.state.at_sea().fleets["rome"]
    assert (fleet.transports, len(fleet.ready)) == (0, 2)


def test_h7_a_prize_needs_a_hit_on_ships() -> None:
    """H7 Transports hit on the corvus row are no prizes."""
    table = fight("run", "ambush", "pursuit", "ambush", corvus=True)
    naval = table.state.at_sea()
    carthage = replace(naval.fleets["carthage"], transports=1)
    table.state = replace(table.state, naval=replace(naval, fleets={**naval.fleets, "carthage": carthage}))
    table.state = replace(
        table.state,
        engagement=replace(
            table.state.engaged(),
            fleets={
                **table.state.engaged().fleets,
                "carthage": replace(
                    table.state.engaged().fleets["carthage"],
                    transports=table.state.engaged().fleets["rome"].transports[:1],
                ),
            },
        ),
    )
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "pass")
    table.say("rome", "pass")
    table.say("rome", "engage", 5, target="transports")
    assert table.told("engaged")[0]["hits"] == 1 and table.told("engaged")[0]["prize"] is False


def test_h8_the_third_step_is_one_of_three() -> None:
    """H8 Who has tried to regroup cannot flee in the same part of the round."""
    table = fight("run", "ambush", "pursuit", "ambush")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "regroup", 6)
    assert table.asked() == ("manoeuvre", "rome")


def test_h9_when_neither_fleet_has_a_ready_ship_nobody_has_won() -> None:
    """H9 One has: it won."""
    fleets = {"rome": SeaFleet(sunk=("a",)), "carthage": SeaFleet(sunk=("b",))}
    assert winner(NavalBattle("1", fleets, order=("rome", "carthage"))) is None
    fleets = {"rome": SeaFleet(ready=("a",)), "carthage": SeaFleet(sunk=("b",))}
    assert winner(NavalBattle("1", fleets, order=("rome", "carthage"))) == "rome"
    assert winner(NavalBattle("1", fleets, order=("rome",), retreat="flee")) == "carthage"


def test_h10_a_winner_with_units_arrives_and_the_loser_is_unready() -> None:
    """H10, H10.a The winner's ships are ready, he holds supremacy, and he stops where he arrives."""
    table = caught(sea())
    outcome = {"winner": "rome", "turns": 3, "sides": {"carthage": {"sunk": 1, "fled": True}}}
    table.say("umpire", "settle", engagement=table.state.engaged().id, outcome=outcome)
    table.say("rome", "after_sea", choice="land")
    state = table.state
    assert (len(state.ready("rome")), len(state.ready("carthage")), state.supremacy) == (2, 0, "rome")
    assert state.spaces["lipara"].rome.units == 2 and state.marching().stopped


def test_h12_an_enemy_port_has_an_enemy_pc_city_or_tribe() -> None:
    """H12 Neutral ports are none, inland spaces neither."""
    state = war()
    assert is_enemy_port(state, "rome", "lipara") and is_enemy_port(state, "rome", "lilybaeum")
    assert not is_enemy_port(state, "rome", "panormus") and not is_enemy_port(state, "rome", "tunes")
    tribal = state.with_place("panormus", replace(state.spaces["panormus"], tribe=True))
    assert is_enemy_port(tribal, "rome", "panormus")
    friendly = state.with_place("panormus", replace(state.spaces["panormus"], tribe=True, control="rome"))
    assert not is_enemy_port(friendly, "rome", "panormus")


def test_h13_a_consul_intercepts_with_three_units_or_not_at_all() -> None:
    """H13 At sea too; the option lets him come with ships alone."""
    for lone in (False, True):
        state = army(empty(lone_consul_fleet=lone), "rome", "messana", 4, COTTA, rank="consul")
        state = army(state, "carthage", "panormus", 2, ADHERBAL)
        state = control(ships(ships(state, "rome", 1), "carthage", 1), None, "lipara")
        table = turn_of(state, "carthage", TWO)
        table.say("carthage", "activate", card=TWO, general=ADHERBAL)
        table.say("carthage", "sail", to="lipara", ships=1, units=2, elephants=0)
        if lone:
            table.say("rome", "sea_intercept", 6, ships=1, tries=[{"general": COTTA}])
        else:
            with pytest.raises(Illegal) as refusal:
                table.say("rome", "sea_intercept", 6, ships=1, tries=[{"general": COTTA}])
            assert refusal.value.rule == "18.1"
            table.say("rome", "sea_intercept", 6, ships=1, tries=[{"general": COTTA, "units": 3}])


def test_11_6_from_port_to_own_port_is_not_safe_from_interception() -> None:
    """11.6 That voyages between own unbesieged ports are safe is a remark; who may intercept is asked."""
    table = caught(control(sea(), "rome", "lipara", "messana"))
    assert table.state.engagement is not None


def test_11_7_cards_7_and_prizes_in_an_ambush_the_corvus_takes_no_prize() -> None:
    """11.7.cards.7, 11.7.prizes A raw 6 sinks as without the corvus."""
    for cards, prizes in ((("ambush", "run", "run", "run"), 0), (("run", "run", "run", "run"), 1)):
        table = fight(*cards, corvus=True, carthaginian=3)
        naval = table.state.at_sea()
        table.state = replace(table.state, naval=replace(naval, round=4))
        if cards[0] == "ambush":
            table.say("carthage", "tactic", card="ambush")
        else:
            table.say("carthage", "pass")
        table.say("carthage", "engage", 1, target="ships")
        table.say("carthage", "pass")
        table.say("rome", "pass")
        table.say("rome", "engage", 6, target="ships")
        fleet = table.state.at_sea().fleets["carthage"]
        assert len(fleet.taken) == prizes and fleet.sunk


def test_11_7_after_3_the_prize_roll_is_the_winners_to_make_or_to_leave() -> None:
    """11.7.after.3"""
    table = caught(sea())
    outcome = {"winner": "carthage", "turns": 2, "sides": {"rome": {"fled": True}}}
    table.say("umpire", "settle", engagement=table.state.engaged().id, outcome=outcome)
    assert table.asked() == ("prize_roll", "carthage")
    assert {offer.type for offer in table.offers("carthage")} >= {"prize_roll", "pass"}
    table.say("carthage", "pass")
    assert not table.told("prize_roll") and table.asked() != ("prize_roll", "carthage")


def test_18_1_a_consul_without_units_may_go_alone() -> None:
    """18.1 He leaves nobody behind."""
    state = control(army(empty(), "rome", "capua", 0, COTTA, rank="consul"), None, "beneventum")
    table = turn_of(state, "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "step", to="beneventum", units=0, elephants=0)
    assert table.state.generals[COTTA].space == "beneventum"


def test_avoid_1_there_is_one_attempt_and_all_who_go_go_to_one_space() -> None:
    """avoid.1, avoid.3 Adherbal, who stays behind, is not asked again."""
    state = army(army(empty(), "rome", "capua", 6, COTTA), "carthage", "beneventum", 8, ADHERBAL)
    state = control(army(state, "carthage", "beneventum", 0, GISCO), "carthage", "cannae")
    table = turn_of(state, "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "step", to="beneventum", units=6, elephants=0)
    to = table.offers("carthage", "avoid")[0].fields["to"][0]
    table.say("carthage", "avoid", 1, to=to, generals=[GISCO], units=3, elephants=0)
    assert len(table.told("avoided")) == 1 and not table.offers("carthage", "avoid")
    assert table.state.battle is not None and table.state.generals[ADHERBAL].space == "beneventum"


def test_6_1_1_no_arriving_general_goes_into_a_besieged_city() -> None:
    """6.1.1.c Into his own city, not besieged; and 6.1.2.a to a port without a siege point."""
    state = control(army(empty(), "carthage", "utica", 2), "carthage", "lilybaeum", "hadrumetum")
    assert {"lilybaeum", "utica"} <= set(posts(state, GISCO))
    place = replace(army(state, "rome", "lilybaeum", 4).spaces["lilybaeum"], siege=1, besieger="rome")
    state = state.with_place("lilybaeum", place)
    assert "lilybaeum" not in posts(state, GISCO) and "utica" in posts(state, GISCO)
    watched = replace(state.spaces["utica"], rome=Troops(3), carthage=Troops(), inside=Troops(1))
    besieged = replace(watched, siege=1, besieger="rome")
    assert "utica" in landings(state.with_place("utica", watched), "xanthippus")
    assert "utica" not in landings(state.with_place("utica", besieged), "xanthippus")
