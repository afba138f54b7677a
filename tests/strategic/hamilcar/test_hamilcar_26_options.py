"""26 The optional rules."""

from __future__ import annotations

from msgspec.structs import replace

from kit.hamilcar_war import THREE, army, control, empty, ships, turn_of, war
from kit.hamilcar_winter import REGULUS, XANTHIPPUS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Prompt


def test_26_8_no_units_for_ships() -> None:
    from strategic.hamilcar.rules.reinforcements import may_be_unit

    five = ships(war(crews_at_sea=True), "carthage", 2)
    assert not may_be_unit(five, "carthage", "ship") and may_be_unit(ships(war(), "carthage", 2), "carthage", "ship")


def test_26_9_sigus_starts_empty() -> None:
    place = war(war_in_numidia=True).spaces["sigus"]
    assert not place.tribe and place.control is None and war().spaces["sigus"].tribe


def test_26_10_a_unit_for_the_ship_whenever_carthage_likes() -> None:
    from strategic.hamilcar.rules.reinforcements import may_be_unit

    assert may_be_unit(war(carthaginian_militia=True), "carthage", "ship")
    assert not may_be_unit(war(), "carthage", "ship")


def test_26_11_rome_always_gets_five() -> None:
    from strategic.hamilcar.rules.reinforcements import rome_due

    state = control(war(fixed_roman_reinforcements=True), None, "capua", "arpi", "cannae", "beneventum")
    state = control(state, "rome", "capua")
    state, _ = rome_due(state.then(Prompt("rome_due", "", "6.2")), Dice())
    assert sum(state.agenda[-1].about["left"].values()) == 5


def test_26_12_the_allies_card_joins_the_deck_and_brings_two_units() -> None:
    state = war(more_allies=True)
    assert 48 in state.deck and 48 not in war().deck
    table = turn_of(army(empty(more_allies=True), "rome", "capua", 3, REGULUS), "rome", 48)
    table.say("rome", "event", card=48, choice="capua")
    assert table.state.spaces["capua"].rome.units == 5


def test_26_13_epic_battles_lift_the_limits() -> None:
    """26.13 Both limits of 14.1 go: a general of 3 with 25 CUs and no allies gets 28 cards."""
    state = army(empty(epic_battles=True), "rome", "tacapae", 25, REGULUS)
    state = control(army(state, "carthage", "hadrumetum", 6, "hanno"), None, "tacapae", "hadrumetum")
    table = turn_of(state, "carthage", THREE)
    table.say("carthage", "activate", card=THREE, general="hanno")
    table.say("carthage", "step", to="tacapae", units=6, elephants=0)
    table.stands()
    assert len(table.state.fighting().hands["rome"]) == 28


def test_26_14_rome_chooses_one_consul_or_both() -> None:
    from strategic.hamilcar.rules.reinforcements import consuls

    for chosen in (1, 2):
        state = empty(elected_consuls=chosen).then(Prompt("consuls", "", "6.4.a"))
        state, _ = consuls(state, Dice(secret=lambda sides: 1))
        prompt = state.asks()
        assert prompt is not None and (prompt.kind, len(prompt.about["elected"])) == ("elect", 2 - chosen)


def test_26_15_example_xanthippus_leaves_after_the_turn_after_his_arrival() -> None:
    """26.15, 26.15.example Come on turn 3, he is there at the end of turn 3 and gone after turn 4."""
    from strategic.hamilcar.rules.cards import next_turn

    state = army(empty(extended_contract=True), "carthage", "utica", 1, XANTHIPPUS)
    state, _ = next_turn(replace(state, turn=3, xanthippus_came=3, phase="next"), Dice())
    assert state.generals[XANTHIPPUS].status == "board"
    state, _ = next_turn(state, Dice())
    assert state.generals[XANTHIPPUS].status == "out"
