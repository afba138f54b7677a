"""11.7.example The source's worked naval battle, from the march out of Capua to the last marker."""

from __future__ import annotations

from msgspec.structs import replace

from kit.hamilcar_war import War, army, drawn_for, empty, hold, ships

VALERIUS, GISCO = "manius_valerius_maximus", "hannibal_gisco"
CARDS = (
    "excellent_leadership",
    "ambush",
    "shallows",
    "pursuit",  # the hands
    "fire_ships",  # Excellent Leadership
    "broken_oars",  # Shallows
    "envelopment",  # Broken Oars hits
    "fair_wind",  # Carthage regroups in round 3
    "run",  # Rome regroups in round 4
    "splintered_hulls",  # Carthage regroups in round 4
)


def capua() -> War:
    """Carthage holds supremacy, and Roman seamanship is good, so no -1 applies."""
    state = army(empty(), "rome", "capua", 5, VALERIUS, trains=2, rank="consul")
    state = army(state, "carthage", "agrigentum", 1, GISCO)
    state = ships(ships(state, "rome", 5, 1), "carthage", 4)
    state = hold(hold(state, "rome", 35), "carthage", 201, 204)
    return War(replace(state, active="rome", corvus=True, seamanship=2, supremacy="carthage"))


def at_battle() -> War:
    """The march to Neapolis, the lanes to Regium and Syracusae, and Gisco's interception with a card."""
    war = capua()
    war.say("rome", "activate", card=35, general=VALERIUS)
    war.say("rome", "step", to="neapolis", units=5, elephants=0, trains=2)
    war.say("rome", "sail", to="regium", ships=5, units=5, elephants=0, trains=2)
    war.say("carthage", "pass")  # no storm
    assert war.state.march is not None and war.state.march.at == "regium"
    war.say("rome", "sail", to="syracusae", ships=5, units=5, elephants=0, trains=2)
    war.say("carthage", "pass")
    war.say("carthage", "sea_intercept", 3, ships=4, tries=[{"general": GISCO}])
    assert war.told("sea_interception")[0]["success"] is False
    war.say("carthage", "answer", card=201)
    assert war.told("die_lowered")[0]["success"] is True
    return war


def test_11_7_example_the_worked_naval_battle_to_the_last_marker_and_h_example_from_carthages_supremacy_with_good_crews() -> (
    None
):
    war = at_battle()
    engagement = war.state.engaged()
    assert engagement.place == "syracusae" and engagement.start == "regium"
    assert engagement.supremacy == "carthage" and engagement.fleets["rome"].seamanship == "good"
    assert len(engagement.fleets["rome"].transports) == 5
    war.say("rome", "choose_way", engagement=engagement.id, way="own_table", side="rome", drawn=drawn_for(CARDS))
    carthage, rome = war.state.at_sea().fleets["carthage"], war.state.at_sea().fleets["rome"]
    assert carthage.hand == ("excellent_leadership", "ambush")
    assert rome.hand == ("shallows", "pursuit")

    # round I: Carthage first
    war.say("carthage", "tactic", card="excellent_leadership")
    war.say("carthage", "engage", 3, target="transports")
    assert war.told("engaged")[0]["hits"] == 0
    war.say("carthage", "regroup", 3)
    assert war.told("regrouped")[0]["success"] is False
    war.say("rome", "tactic", card="shallows")
    aground = war.state.at_sea().fleets["carthage"].ready[0]
    war.say("rome", "pick_ship", ship=aground)
    war.say("rome", "engage", 5, target="ships")
    assert war.told("engaged")[0]["prize"] is True and war.told("engaged")[0]["modifier"] == 1
    war.say("rome", "regroup", 2)  # no admiral: only a 1 will do
    assert war.told("regrouped")[0]["success"] is False

    # round II
    war.say("carthage", "tactic", card="ambush")
    war.say("carthage", "engage", 4, target="transports")
    assert war.told("transports_hit")[0]["count"] == 1
    war.say("carthage", "evade")
    assert war.state.supremacy == "rome"
    war.say("rome", "cancel_retreat")
    assert war.state.supremacy == "rome"  # H8: it has passed though the retreat was stopped
    war.say("rome", "pass")
    war.say("rome", "engage", 2, target="ships")
    assert war.told("engaged")[0]["modifier"] == 0 and war.told("engaged")[0]["hits"] == 0
    war.say("rome", "regroup", 4)

    # round III: Rome first
    assert war.asked() == ("manoeuvre", "rome")
    war.say("rome", "tactic", card="broken_oars")
    war.say("rome", "engage", 3, target="ships")
    assert war.told("ships_hit")[0]["sunk"] and not war.told("engaged")[0]["prize"]
    assert "envelopment" in war.state.at_sea().fleets["rome"].hand
    war.say("rome", "pass")
    war.say("carthage", "tactic", card="fire_ships")
    war.say("carthage", "engage", 5, target="transports")
    war.say("carthage", "regroup", 2)
    assert "fair_wind" in war.state.at_sea().fleets["carthage"].hand

    # round IV: Rome may not engage
    war.say("rome", "pass")
    assert war.told("no_engagement") and war.asked() == ("regroup", "rome")
    war.say("rome", "regroup", 1)
    assert "run" in war.state.at_sea().fleets["rome"].hand
    war.say("carthage", "tactic", card="fair_wind", use="supremacy")
    assert war.state.supremacy == "carthage"
    war.say("carthage", "engage", 1, target="transports")
    war.say("carthage", "regroup", 1)

    # round V: Carthage first again
    war.say("carthage", "tactic", card="splintered_hulls")
    war.say("carthage", "target", target="transports")
    war.say("carthage", "engage", 5, target="transports")
    assert war.state.at_sea().fleets["rome"].transports == 0
    war.say("carthage", "evade")
    war.say("rome", "pass")  # one Pursuit could still be in the Roman hand

    # after the battle
    state = war.state
    outcome = state.settled[engagement.id]
    assert outcome.winner == "rome" and outcome.of("carthage").evaded
    assert (outcome.of("carthage").sunk, outcome.of("carthage").captured) == (1, 2)
    assert outcome.of("rome").transports == 5 and outcome.of("rome").lost == 0
    assert state.supremacy == "rome"
    assert len(state.ships["carthage"]) == 1 and not state.ships["carthage"][0].ready
    assert len(state.ships["rome"]) == 8
    assert sum(ship.ready for ship in state.ships["rome"]) == 5  # and the one in port and the two prizes are not
    prizes = [ship for ship in state.ships["rome"] if ship.built_by == "carthage"]
    assert len(prizes) == 2 and not any(ship.ready for ship in prizes)
    assert all(place.rome.is_nothing for place in state.spaces.values())  # 5 CUs and 2 trains are gone

    # political consequences: half of 3 ships, rounded down, the Council's PC first
    assert war.asked() == ("remove", "carthage")
    assert [offer.type for offer in war.offers("carthage") if offer.type != "resign"] == ["remove_council"]
    war.say("carthage", "remove_council", cell=(1, 1))
    assert war.state.council == ()
    assert war.state.generals[VALERIUS].space == "regium"  # he must go back: all his CUs are lost
    assert war.state.generals[GISCO].space == "agrigentum"
    assert war.state.march is not None and war.state.march.stopped
    war.say("rome", "halt")
    assert war.state.march is None and war.state.voyage is None


def test_11_7_example_without_the_card_supremacy_and_the_own_port_intercept_with_ships_alone() -> None:
    war = capua()
    war.say("rome", "activate", card=35, general=VALERIUS)
    war.say("rome", "step", to="neapolis", units=5, elephants=0, trains=2)
    for to in ("regium", "syracusae"):
        war.say("rome", "sail", to=to, ships=5, units=5, elephants=0, trains=2)
        war.say("carthage", "pass")
    war.say("carthage", "sea_intercept", 3, ships=4, tries=[{"general": GISCO}])
    war.say("carthage", "pass")
    fleet = war.state.engaged().fleets["carthage"]
    assert fleet.commander is None and fleet.rating == 0 and len(fleet.units) == 4
