"""movement.command.2 One function says who commands those who are together, at sea as on land."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, army, control, empty, ships, turn_of
from strategic.hamilcar.rules.sea import sea_preview
from tactical.kernel.protocol import Illegal

REGULUS, DUILIUS, COTTA, CATULUS = (
    "marcus_atilius_regulus",
    "gaius_duilius",
    "gaius_aurelius_cotta",
    "gaius_lutatius_catulus",
)
METELLUS, GISCO, HIMILCO = "lucius_caecilius_metellus", "hannibal_gisco", "himilco"


def test_pursuit_2a_the_commander_pursues_though_another_was_activated() -> None:
    """Cotta has 2 and Regulus 3: on a 3 they catch up."""
    state = army(army(empty(), "rome", "arpi", 5, COTTA), "rome", "arpi", 0, REGULUS)
    state = control(army(state, "carthage", "cannae", 3, HIMILCO), None, "cannae", "heraclea")
    table = turn_of(state, "rome", THREE)
    table.say("rome", "activate", card=THREE, general=COTTA)
    table.say("rome", "step", to="cannae", units=5, elephants=0, companions=[REGULUS])
    table.say("carthage", "avoid", 1, to="heraclea", generals=[HIMILCO], units=3, elephants=0)
    table.say("rome", "pursue", 3)
    (rolled,) = table.told("pursuit")
    assert (rolled["general"], rolled["rating"], rolled["success"]) == (REGULUS, 3, True)


@pytest.mark.parametrize(
    "activated, companion, commands, admiral", [(DUILIUS, METELLUS, METELLUS, False), (COTTA, CATULUS, CATULUS, True)]
)
def test_h4_the_best_general_aboard_commands_the_fleet(
    activated: str, companion: str, commands: str, admiral: bool
) -> None:
    """6.5.3 An admiral under another's command does not lead the battle; one who commands does."""
    state = army(army(empty(), "rome", "messana", 2, activated), "rome", "messana", 0, companion)
    state = army(state, "carthage", "panormus", 2, GISCO)
    state = control(ships(ships(state, "rome", 2), "carthage", 2), None, "lipara")
    table = turn_of(state, "rome", THREE)
    table.say("rome", "activate", card=THREE, general=activated)
    table.say("rome", "sail", to="lipara", ships=2, units=2, elephants=0, companions=[companion])
    table.say("carthage", "sea_intercept", 1, ships=2, tries=[{"general": GISCO, "units": 1}])
    fleet = table.state.engaged().fleets["rome"]
    assert (fleet.commander, fleet.rating, fleet.admiral) == (commands, 3, admiral)


def test_11_8_2_3_an_african_lands_in_africa_only_where_he_commands() -> None:
    """6.5.2 Longus is an African with 2; under Metellus' 3 the fleet turns elsewhere, with Cotta he commands."""
    longus = "lucius_manlius_vulso_longus"
    for companion, allowed in ((METELLUS, False), (COTTA, True)):
        state = army(army(empty(), "rome", "lilybaeum", 4, longus), "rome", "lilybaeum", 0, companion)
        table = turn_of(replace(control(state, "rome", "lilybaeum"), seamanship=0), "rome", THREE)
        table.say("rome", "activate", card=THREE, general=longus)
        assert next(route for route in sea_preview(table.state) if route.to == "clupea").open
        fields = {"to": "clupea", "ships": 0, "units": 4, "elephants": 0, "companions": [companion]}
        offered = [offer for offer in table.offers("rome", "sail") if [companion] in offer.fields["companions"]]
        assert any(offer.fields["to"] == "clupea" for offer in offered) is allowed
        if allowed:
            table.say("rome", "sail", **fields)
        else:
            with pytest.raises(Illegal) as refusal:
                table.say("rome", "sail", **fields)
            assert refusal.value.rule == "11.8.2"


def test_11_8_2_3_whoever_is_activated_an_african_who_commands_opens_africa() -> None:
    """Cotta was activated, Regulus comes along and commands: the preview says so, and they sail."""
    state = army(army(empty(), "rome", "lilybaeum", 4, COTTA), "rome", "lilybaeum", 0, REGULUS)
    table = turn_of(replace(control(state, "rome", "lilybaeum"), seamanship=0), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=COTTA)
    assert next(route for route in sea_preview(table.state) if route.to == "clupea").open
    table.say("rome", "sail", to="clupea", ships=0, units=4, elephants=0, companions=[REGULUS])
    assert table.state.spaces["clupea"].rome.units == 4
