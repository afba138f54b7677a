"""11.7 The ten cards of the naval battle."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kit.hamilcar_naval_battle import (
    at_round,
    carthage,
    fight,
    naval,
    rome,
)
from strategic.hamilcar.tables import TACTICS, TACTICS_DECK
from tactical.kernel.protocol import Illegal


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
