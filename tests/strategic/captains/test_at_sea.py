"""Hamilcar's stand-in at sea: whom it puts to sea against, which card it plays, when it leaves; each with its reason."""

from __future__ import annotations

import pytest

from strategic.captains import choose
from strategic.captains.stand_in import catches, preferences_of
from strategic.hamilcar.tables import TACTICS
from tactical.captains import Orders
from tactical.kernel.protocol import Offer

METELLUS = {"general": "lucius_caecilius_metellus", "units": 0, "elephants": 0, "trains": 0}
LOADED = {**METELLUS, "units": 3}
HANNO = {**METELLUS, "general": "hanno"}


def voyage(theirs, mine, *tries, seat="rome", **more):
    """What a stand-in answers to so many ships with so many of its own."""
    view = {"voyage": {"ships": [f"s{n}" for n in range(theirs)], "catching": []}, "spaces": {}, **more}
    ships = mine if mine == 1 else {"from": 1, "to": mine}
    offers = (Offer("sea_intercept", "11.6", {"ships": ships, "tries": list(tries)}), Offer("pass", "11.6"))
    return choose("hamilcar", view, seat, offers)


def battle(mine, theirs, offers, transports=0):
    """What a stand-in answers in a battle at sea."""
    fleets = {
        "rome": {"ready": ["a"] * mine, "transports": 0, "hand": []},
        "carthage": {"ready": ["b"] * theirs, "transports": transports, "hand": []},
    }
    return choose("hamilcar", {"naval": {"fleets": fleets}, "voyage": None, "spaces": {}}, "rome", offers)


def tactics(*cards):
    """The offers of a hand."""
    found = []
    for card in cards:
        name, _, use = card.partition(".")
        found.append(Offer("tactic", TACTICS[name].cite, {"card": name, "use": use}))
    return (*found, Offer("pass", "11.7.manoeuvre"))


def test_11_6_all_ready_ships_put_to_sea_against_a_fleet_that_is_no_stronger():
    choice = voyage(3, 5, [LOADED], [METELLUS])
    assert choice.command == {"type": "sea_intercept", "ships": 5, "tries": [METELLUS]}, "no troops are risked"
    (why,) = choice.reasons
    assert (why.kind, why.data, why.odds) == ("aim_intercept", {"mine": 5, "theirs": 3}, 0.5)
    assert voyage(3, 2, [METELLUS]).reasons[0].kind == "aim_let_pass"


def test_11_6_3_an_automatic_interception_is_certain_and_needs_no_general():
    choice = voyage(0, 1, [], seat="carthage")
    assert choice.command["tries"] == [] and choice.reasons[0].odds == 1


def test_11_6_2_a_several_generals_find_more_and_the_corvus_hampers_rome():
    alone, both = ([METELLUS], [METELLUS, HANNO])
    assert catches("hamilcar", {}, "rome", both) > catches("hamilcar", {}, "rome", alone)
    assert catches("hamilcar", {"corvus": True}, "rome", alone) == pytest.approx(
        catches("hamilcar", {}, "rome", alone) - 1 / 6
    )
    assert catches("hamilcar", {"corvus": True}, "carthage", alone) == catches("hamilcar", {}, "carthage", alone)


def test_11_6_7_who_is_caught_by_a_stronger_fleet_turns_back():
    offers = (Offer("turn_back", "11.6.7"), Offer("fight_at_sea", "11.6.7.b"))
    for theirs, told in ((4, "turn_back"), (2, "fight_at_sea")):
        view = {"voyage": {"ships": ["a", "b"], "catching": ["c"] * theirs}, "naval": None, "spaces": {}}
        assert choose("hamilcar", view, "rome", offers).command["type"] == told


def test_11_7_manoeuvre_the_card_that_helps_most_is_played_and_none_that_harms():
    assert battle(4, 4, tactics("broken_oars", "shallows", "run")).command["card"] == "shallows"
    assert battle(4, 4, tactics("run")).command == {"type": "pass"}
    assert battle(4, 4, tactics("pursuit")).reasons[0].kind == "aim_no_tactic"
    assert battle(4, 4, tactics("pursuit"), transports=2).command["card"] == "pursuit"
    use = battle(4, 4, tactics("fair_wind.supremacy", "fair_wind.draw")).command["use"]
    assert use == "supremacy"


def test_11_7_choice_who_is_outmatched_leaves_by_the_surest_way():
    ways = (Offer("regroup", "11.7.regroup"), Offer("flee", "11.7.flee"), Offer("pass", "11.7.choice"))
    assert battle(1, 3, ways).command == {"type": "flee"}
    assert battle(1, 3, (*ways, Offer("evade", "11.7.evade"))).command == {"type": "evade"}
    assert battle(1, 3, tactics("run", "shallows")).reasons[0].kind == "aim_leave_sea"
    assert battle(3, 3, ways).command == {"type": "regroup"}


def test_11_7_pursuit_a_stronger_enemy_is_let_go():
    ways = (Offer("cancel_retreat", "11.7.pursuit"), Offer("pass", "11.7.pursuit"))
    assert battle(2, 3, ways).reasons[0].kind == "aim_let_go"
    assert battle(3, 2, ways).command == {"type": "cancel_retreat"}


def test_11_7_cards_every_tactics_card_has_a_worth():
    named = {card.partition(".")[0] for card in preferences_of("hamilcar").tactics}
    assert named == TACTICS.keys()
    view = {"naval": {"fleets": {}}, "spaces": {}}
    offers = (Offer("pass", "11.7.manoeuvre"),)
    assert choose("hamilcar", view, "rome", offers, Orders("raw")).command == {"type": "pass"}
