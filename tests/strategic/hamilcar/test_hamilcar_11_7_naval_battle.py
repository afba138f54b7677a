"""11.7 The naval battle by the game's own table: hands, rounds, the ten cards, the third step, the end."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import TWO, War, army, control, drawn_for, empty, ships, turn_of
from strategic.hamilcar.rules.in_progress import NavalBattle, SeaFleet
from strategic.hamilcar.rules.naval_battle import engage_hits
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import TABLES, TACTICS, TACTICS_DECK
from tactical.kernel.protocol import Illegal

COTTA, DUILIUS = "gaius_aurelius_cotta", "gaius_duilius"  # both 2; Duilius is an admiral
GISCO, ADHERBAL, HANNO = "hannibal_gisco", "adherbal", "hanno"  # 1, 3 and 2; Hanno is no admiral


def met(
    roman: int = 2,
    carthaginian: int = 2,
    units: int = 2,
    general: str = COTTA,
    catcher: str = GISCO,
    supremacy: str = "carthage",
    **facts: Any,
) -> War:
    """Off Lipara: the mover from Messana with ships and CUs, the interceptor from Panormus with ships alone."""
    state = army(army(empty(), "rome", "messana", units, general), "carthage", "panormus", 1, catcher)
    state = control(ships(ships(state, "rome", roman), "carthage", carthaginian), None, "lipara")
    table = turn_of(replace(state, **{"supremacy": supremacy, "seamanship": 2, **facts}), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=general)
    table.say("rome", "sail", to="lipara", ships=roman, units=units, elephants=0)
    table.say("carthage", "sea_intercept", 1, ships=carthaginian, tries=[{"general": catcher}])
    if supremacy == "rome":
        table.say("rome", "fight_at_sea")
    return table


def fight(*cards: str, **facts: Any) -> War:
    """The battle has begun; the deck lies in this order: the holder of supremacy's hand, the other's, then the draws."""
    table = met(**facts)
    name = table.state.engaged().id
    if table.state.naval is None:
        table.say("rome", "choose_way", engagement=name, way="own_table", side="rome", drawn=drawn_for(cards))
    return table


def naval(state: State) -> NavalBattle:
    return state.at_sea()


def rome(table: War) -> SeaFleet:
    return naval(table.state).fleets["rome"]


def carthage(table: War) -> SeaFleet:
    return naval(table.state).fleets["carthage"]


def at_round(table: War, number: int) -> None:
    """The same battle in another round, before the first manoeuvre."""
    table.state = replace(table.state, naval=replace(naval(table.state), round=number))


def test_11_7_hands_example_the_rating_its_number_and_11_2_a_supremacy_gives_one_card() -> None:
    """11.7.hands, H4 Rome with supremacy and a 2: three cards; Carthage with a 1: one."""
    table = fight(supremacy="rome")
    assert (len(rome(table).hand), len(carthage(table).hand)) == (3, 1)


def test_h4_a_fleet_without_general_has_no_card_but_for_supremacy() -> None:
    state = army(ships(ships(empty(), "rome", 1), "carthage", 1), "rome", "messana", 2, COTTA)
    table = turn_of(state, "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="lipara", ships=1, units=2, elephants=0)
    table.say("carthage", "sea_intercept", ships=1, tries=[])
    table.say("rome", "choose_way", engagement=table.state.engaged().id, way="own_table", side="rome")
    assert len(carthage(table).hand) == 1 and carthage(table).rating == 0


def test_11_7_rounds_the_holder_begins_and_a_change_counts_from_the_next_round_and_11_7_steps_three_for_each_side() -> (
    None
):
    """H5 Manoeuvre, engagement, third step; then the other side."""
    table = fight("fair_wind", "run", "run", "pursuit", supremacy="rome")
    assert table.asked() == ("manoeuvre", "rome")
    table = fight("run", "pursuit", "fair_wind", "pursuit")
    table.say("carthage", "pass")
    assert table.asked() == ("engage", "carthage")
    table.say("carthage", "engage", 1, target="ships")
    assert table.asked() == ("regroup", "carthage")
    table.say("carthage", "pass")
    assert table.asked() == ("manoeuvre", "rome")
    table.say("rome", "tactic", card="fair_wind", use="supremacy")
    assert table.state.supremacy == "rome"
    table.say("rome", "engage", 1, target="ships")
    table.say("rome", "pass")
    assert table.asked() == ("manoeuvre", "rome")  # round II is Rome's to begin
    assert naval(table.state).round == 2


def test_11_7_manoeuvre_one_card_a_manoeuvre_and_only_of_the_own_hand() -> None:
    """11.7.manoeuvre, H6"""
    table = fight("ambush", "broken_oars", "run", "run")
    with pytest.raises(Illegal):
        table.say("carthage", "tactic", card="run")
    table.say("carthage", "tactic", card="ambush")
    with pytest.raises(Illegal):
        table.say("carthage", "tactic", card="broken_oars")
    assert naval(table.state).discard == ("ambush",)


@pytest.mark.parametrize(
    "number, face, hits", [(1, 5, 0), (1, 6, 1), (2, 5, 1), (3, 4, 1), (4, 3, 1), (5, 2, 1), (5, 5, 2)]
)
def test_11_7_engage_one_die_in_the_column_of_the_round_and_11_7_engage_c_each_hit_sets_a_ship_aside(
    number: int, face: int, hits: int
) -> None:
    """H.table Hits set ships aside at once."""
    table = fight("run", "run", "pursuit", "pursuit", roman=4)
    at_round(table, number)
    table.say("carthage", "pass")
    table.say("carthage", "engage", face, target="ships")
    assert table.told("engaged")[0]["hits"] == hits
    assert len(rome(table).sunk) == hits and len(rome(table).ready) == 4 - hits


@pytest.mark.parametrize("number", [1, 3, 5])
def test_11_7_engage_the_hits_told_of_each_face_are_those_of_the_roll(number: int) -> None:
    """11.7.engage.d Before the die is thrown."""
    for face in range(1, 7):
        table = fight("run", "run", "pursuit", "pursuit", roman=4)
        at_round(table, number)
        table.say("carthage", "pass")
        told = engage_hits(table.state, "carthage", "ships")
        table.say("carthage", "engage", face, target="ships")
        assert table.told("engaged")[0]["hits"] == told[face - 1]


def test_11_7_engage_b_the_target_is_named_before_the_die_and_spare_hits_are_lost() -> None:
    """11.7.engage.b, H6 Two hits on one transport take one transport and no ship."""
    table = fight("run", "run", "pursuit", "pursuit", units=1)
    at_round(table, 5)
    table.say("carthage", "pass")
    table.say("carthage", "engage", 6, target="transports")
    assert rome(table).transports == 0 and len(rome(table).ready) == 2
    table.say("carthage", "pass")
    table.say("rome", "pass")
    with pytest.raises(Illegal):
        table.say("rome", "engage", 1, target="transports")  # Gisco brought none


def test_11_7_engage_a_a_fleet_without_a_ready_ship_does_nothing_and_h5_a_transports_alone_take_one_enemy_turn() -> (
    None
):
    """L1.2.a Transports alone take one enemy turn, and the round ends the battle; only the own
    table settles this.
    """
    table = fight("pursuit", "pursuit", "run", "run", roman=0, units=2)
    assert naval(table.state).round == 1 and table.asked() == ("manoeuvre", "carthage")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 6, target="transports")
    table.say("carthage", "pass")  # Rome cannot act
    table.rolls_for_prizes(1)
    outcome = next(iter(table.state.settled.values()))
    assert outcome.winner == "carthage" and outcome.of("rome").transports == 1
    assert table.state.spaces["messana"].rome.units == 1


@pytest.mark.parametrize(
    "seamanship, corvus, modifier", [(0, False, -1), (1, False, -1), (2, False, 0), (0, True, 0), (3, True, 1)]
)
def test_11_7_engage_d_seamanship_and_11_7_engage_e_the_corvus_modify_the_roman_die_and_11_8_1_help_him_and_h6_a_not_in_regrouping(
    seamanship: int, corvus: bool, modifier: int
) -> None:
    """Not that of Carthage, and not regrouping."""
    table = fight("run", "run", "pursuit", "pursuit", seamanship=seamanship, corvus=corvus)
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    assert table.told("engaged")[0]["modifier"] == 0
    table.say("carthage", "pass")
    table.say("rome", "pass")
    table.say("rome", "engage", 1, target="ships")
    assert table.told("engaged")[0]["modifier"] == modifier
    table.say("rome", "regroup", 1)  # Cotta is no admiral: a rolled 1 does, whatever the modifiers
    assert table.told("regrouped")[0]["success"] is True


def test_11_7_prizes_on_the_corvus_row_one_hit_is_a_prize() -> None:
    """11.7.prizes, H7 Modified 6 with the corvus against ships: one hit is a prize, the rest sink."""
    table = fight("pursuit", "pursuit", "run", "run", corvus=True, supremacy="rome", carthaginian=3)
    at_round(table, 4)
    table.say("rome", "pass")
    table.say("rome", "engage", 5, target="ships")
    assert (len(carthage(table).taken), len(carthage(table).sunk)) == (1, 1)


@pytest.mark.parametrize("corvus, face", [(False, 6), (True, 4)])
def test_11_7_prizes_without_the_corvus_or_below_its_row_there_is_none(corvus: bool, face: int) -> None:
    table = fight("pursuit", "pursuit", "run", "run", corvus=corvus, supremacy="rome")
    at_round(table, 3)
    table.say("rome", "pass")
    table.say("rome", "engage", face, target="ships")
    assert carthage(table).sunk and not carthage(table).taken


def test_11_7_supremacy_the_trident_row_takes_it_at_once() -> None:
    """11.7.supremacy, H7.a From a modified 7 on."""
    table = fight("run", "run", "pursuit", "pursuit", corvus=True)
    table.say("carthage", "pass")
    table.say("carthage", "engage", 6, target="ships")
    assert table.state.supremacy == "carthage"
    table.say("carthage", "pass")
    table.say("rome", "pass")
    table.say("rome", "engage", 6, target="ships")
    assert table.state.supremacy == "rome"


def test_11_7_cards_1_excellent_leadership_raises_the_rating_and_draws() -> None:
    table = fight("excellent_leadership", "run", "run", "run", "ambush")
    table.say("carthage", "tactic", card="excellent_leadership")
    assert carthage(table).rating == 2 and carthage(table).hand == ("run", "ambush")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "regroup", 2)
    assert table.told("regrouped")[0]["success"] is True


def test_11_7_cards_2_shallows_take_a_ship_for_the_winner() -> None:
    """11.7.cards.2, H7.a To the winner unready; to its owner unready without a winner or when he wins himself."""
    table = fight("shallows", "run", "run", "run", "ambush", roman=2)
    table.say("carthage", "tactic", card="shallows")
    with pytest.raises(Illegal):
        table.say("carthage", "pick_ship", ship="Argo")
    lost = rome(table).ready[1]
    table.say("carthage", "pick_ship", ship=lost)
    assert rome(table).shoaled == (lost,) and carthage(table).hand == ("run", "ambush")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "pass")
    table.say("rome", "tactic", card="run")
    assert table.asked() == ("sea_pursuit", "carthage")
    table.say("carthage", "pass")
    table.rolls_for_prizes(1)
    prize = table.state.ship("carthage", lost)
    assert prize is not None and not prize.ready and table.state.ship("rome", lost) is None


def test_h7_a_a_ship_aground_comes_home_unready_when_nobody_wins() -> None:
    table = fight("shallows", "run", "pursuit", "pursuit", "ambush")
    table.say("carthage", "tactic", card="shallows")
    lost = rome(table).ready[0]
    table.say("carthage", "pick_ship", ship=lost)
    at_round(table, 5)
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "pass")
    table.say("rome", "pass")
    table.say("rome", "engage", 1, target="ships")
    table.say("rome", "pass")
    ship = table.state.ship("rome", lost)
    assert ship is not None and not ship.ready


def test_11_7_cards_3_pursuit_adds_two_against_transports_only() -> None:
    table = fight("pursuit", "run", "run", "run")
    table.say("carthage", "tactic", card="pursuit")
    table.say("carthage", "engage", 4, target="transports")
    assert table.told("engaged")[0]["modifier"] == 2 and rome(table).transports == 1
    table = fight("pursuit", "run", "run", "run")
    table.say("carthage", "tactic", card="pursuit")
    table.say("carthage", "engage", 4, target="ships")
    assert table.told("engaged")[0]["modifier"] == 0


@pytest.mark.parametrize("face, drawn", [(5, 1), (4, 0)])
def test_11_7_cards_4_broken_oars_draw_on_a_hit(face: int, drawn: int) -> None:
    table = fight("broken_oars", "run", "run", "run", "ambush")
    table.say("carthage", "tactic", card="broken_oars")
    table.say("carthage", "engage", face, target="ships")
    assert table.told("engaged")[0]["modifier"] == 1 and len(carthage(table).hand) == 1 + drawn


def test_11_7_cards_5_fair_wind_takes_supremacy_or_any_card_of_the_deck() -> None:
    table = fight("run", "run", "fair_wind", "run")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "pass")
    uses = [offer.fields["use"] for offer in table.offers("rome", "tactic") if offer.fields["card"] == "fair_wind"]
    assert uses == ["supremacy", "draw"]
    with pytest.raises(Illegal):
        table.say("rome", "tactic", card="fair_wind")
    table.say("rome", "tactic", card="fair_wind", use="draw")
    table.say("rome", "pick_tactic", card="shallows")
    assert "shallows" in rome(table).hand and table.state.supremacy == "carthage"
    own = fight("fair_wind", "run", "run", "run")
    with pytest.raises(Illegal):
        own.say("carthage", "tactic", card="fair_wind", use="supremacy")  # it holds it already


def test_11_7_cards_6_splintered_hulls_hit_once() -> None:
    table = fight("splintered_hulls", "run", "run", "run")
    table.say("carthage", "tactic", card="splintered_hulls")
    table.say("carthage", "target", target="ships")
    assert len(rome(table).sunk) == 1


def test_11_7_cards_7_ambush_adds_one_and_takes_the_corvus_bonus_for_this_round() -> None:
    table = fight("ambush", "run", "run", "run", corvus=True)
    table.say("carthage", "tactic", card="ambush")
    table.say("carthage", "engage", 1, target="ships")
    assert table.told("engaged")[0]["modifier"] == 1
    table.say("carthage", "pass")
    table.say("rome", "pass")
    table.say("rome", "engage", 1, target="ships")
    assert table.told("engaged")[0]["modifier"] == 0
    table.say("rome", "pass")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "pass")
    table.say("rome", "pass")
    table.say("rome", "engage", 1, target="ships")
    assert table.told("engaged")[0]["modifier"] == 1  # in the next round it is back


def test_11_7_cards_8_fire_ships_stop_the_next_engagement_of_the_enemy() -> None:
    """11.7.cards.8, H6 He may still manoeuvre and regroup, and the round after he engages again."""
    table = fight("fire_ships", "run", "run", "run")
    table.say("carthage", "tactic", card="fire_ships")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "pass")
    table.say("rome", "pass")
    assert table.asked() == ("regroup", "rome")
    table.say("rome", "pass")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "pass")
    table.say("rome", "pass")
    assert table.asked() == ("engage", "rome")


def test_11_7_cards_9_envelopment_and_run_as_we_propose_them() -> None:
    """11.7.cards.9 Both are data that a table can replace."""
    assert TACTICS["envelopment"].source == TACTICS["run"].source == "reconstructed"
    table = fight("envelopment", "run", "pursuit", "pursuit")
    table.say("carthage", "tactic", card="envelopment")
    table.say("carthage", "engage", 4, target="ships")
    assert table.told("engaged")[0]["modifier"] == 2 and table.told("engaged")[0]["hits"] == 1
    assert len(TACTICS) == 10 and len(TACTICS_DECK) == 20


def test_11_7_regroup_example_an_admiral_with_a_one_regroups_on_a_one() -> None:
    """11.7.regroup, 11.7.regroup.example"""
    for face, good in ((1, True), (2, False)):
        table = fight("run", "run", "pursuit", "pursuit")
        table.say("carthage", "pass")
        table.say("carthage", "engage", 1, target="ships")
        table.say("carthage", "regroup", face)
        assert table.told("regrouped")[0]["success"] is good and len(carthage(table).hand) == 2 + good


def test_6_5_3_a_only_an_admiral_uses_his_rating_to_regroup_or_flee() -> None:
    """H8, 11.7.flee Adherbal (3, admiral) flees on a 3; Hanno (2) needs a 1."""
    for catcher, hand, face, good in ((ADHERBAL, 4, 3, True), (HANNO, 3, 2, False), (HANNO, 3, 1, True)):
        table = fight(*["ambush", "broken_oars", "envelopment", "run"][:hand], catcher=catcher)
        table.say("carthage", "pass")
        table.say("carthage", "engage", 1, target="ships")
        table.say("carthage", "flee", face)
        assert table.told("fled")[0]["success"] is good


def test_11_7_flee_a_failed_try_goes_on_with_the_battle() -> None:
    table = fight("run", "run", "ambush", "ambush")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "flee", 4)
    assert table.asked() == ("manoeuvre", "rome")


def test_11_7_evade_only_the_holder_and_11_2_a_for_supremacy_and_h8_a_without_a_die() -> None:
    """Supremacy passes; the battle ends at once when nobody pursues."""
    table = fight("run", "run", "ambush", "ambush", supremacy="carthage")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "evade")
    assert table.state.supremacy == "rome"
    table.say("rome", "pass")
    assert next(iter(table.state.settled.values())).of("carthage").evaded
    other = fight("run", "run", "run", "ambush", supremacy="rome")
    other.say("rome", "pass")
    other.say("rome", "engage", 1, target="ships")
    other.say("rome", "pass")
    other.say("carthage", "pass")
    other.say("carthage", "engage", 1, target="ships")
    with pytest.raises(Illegal):
        other.say("carthage", "evade")


@pytest.mark.parametrize("way", ["evade", "flee", "run"])
def test_11_7_pursuit_cancels_any_retreat_and_h8_a_supremacy_has_passed(way: str) -> None:
    """H6 Evading, fleeing and Run!; supremacy given up stays given up; besides the manoeuvre card."""
    table = fight("run", "ambush", "pursuit", "ambush")
    if way == "run":
        table.say("carthage", "tactic", card="run")
    else:
        table.say("carthage", "pass")
        table.say("carthage", "engage", 1, target="ships")
        table.say("carthage", way, *([1] if way == "flee" else []))
    assert table.asked() == ("sea_pursuit", "rome")
    table.say("rome", "cancel_retreat")
    assert table.state.naval is not None and rome(table).hand == ("ambush",)
    assert table.state.supremacy == ("rome" if way == "evade" else "carthage")
    if way != "run":
        table.say("rome", "tactic", card="ambush")  # the manoeuvre card is still his


def test_11_7_end_1_a_fleet_without_ready_ships_at_the_end_of_a_round_has_lost() -> None:
    """11.7.end.1, H9 The other half of the round is still played."""
    table = fight("splintered_hulls", "run", "run", "run", roman=1)
    table.say("carthage", "tactic", card="splintered_hulls")
    table.say("carthage", "target", target="ships")
    assert table.state.naval is not None
    table.say("carthage", "engage", 1, target="transports")
    table.say("carthage", "pass")  # the end of the round
    table.rolls_for_prizes(1)
    assert next(iter(table.state.settled.values())).winner == "carthage"


def test_11_7_end_2_who_stays_has_won() -> None:
    table = fight("run", "run", "ambush", "ambush")
    table.say("carthage", "tactic", card="run")
    table.say("rome", "pass")
    outcome = next(iter(table.state.settled.values()))
    assert outcome.winner == "rome" and outcome.of("carthage").fled


def test_11_7_end_3_after_five_rounds_nobody_has_won() -> None:
    """11.7.end.3, H9 All ships unready, supremacy stays, both go back, nobody loses PCs."""
    table = fight("ambush", "broken_oars", "ambush", "broken_oars")
    for _ in range(TABLES.naval.rounds):
        for side in ("carthage", "rome"):
            table.say(side, "pass")
            table.say(side, "engage", 1, target="ships")
            table.say(side, "pass")
    state = table.state
    assert next(iter(state.settled.values())).winner is None
    assert not state.ready("rome") and not state.ready("carthage")
    assert state.supremacy == "carthage" and table.asked() == ("move", "rome") and state.marching().stopped
    assert state.generals[COTTA].space == "messana"


def test_h4_an_empty_deck_gives_no_card() -> None:
    """H4 Regrouping needs a card to be had."""
    table = fight("run", "run", "ambush", "ambush")
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    battle = naval(table.state)
    table.state = replace(table.state, naval=replace(battle, deck=(), discard=battle.deck))
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "regroup", 1)
    assert refusal.value.rule == "H4"
