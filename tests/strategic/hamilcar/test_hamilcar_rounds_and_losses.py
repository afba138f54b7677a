"""The battle round, the withdrawal and the losses that Hamilcar inherits of the older game: one test a paragraph."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from test_hamilcar_rounds_and_retreats import HIMILCO, REGULUS, field, hands, marching, refused

from kit.hamilcar_war import THREE, War, army, control, empty, turn_of
from strategic.hamilcar.tables import BATTLE_DECK, TABLES
from strategic.point_to_point.battle import withdrawals
from strategic.point_to_point.retreat import ways
from strategic.point_to_point.state import Troops

FLANK, PROBE, DOUBLE, RESERVE = "flank_left", "probe", "double_envelopment", "reserve"


def matched(table: War, card: str = FLANK) -> War:
    """A round in which Rome's card is matched and Carthage does not counter-attack."""
    table.say("rome", "attack", card=card, as_kind=card)
    table.say("carthage", "match", card=card)
    table.say("carthage", "pass")
    return table


def won(card: str, *faces: int, table: War | None = None, kind: str | None = None) -> War:
    """Rome plays a card that Carthage cannot match: casualties, then the retreat table."""
    table = hands(table or field(), (card,), ())
    table.say("rome", "attack", *faces, card=card, as_kind=kind or card)
    return table


def test_round_1_the_attacker_plays_a_card_or_rolls_to_withdraw_and_withdrawal_1_instead_of_it() -> None:
    table = hands(field(), (FLANK, PROBE), (FLANK, PROBE))
    assert {offer.type for offer in table.offers("rome")} >= {"attack", "withdraw"}
    assert not table.offers("carthage", "attack")
    before = table.state
    table.say("rome", "attack", card=FLANK, as_kind=FLANK)
    assert table.asked() == ("match", "carthage") and table.state.fighting().hands["rome"] == (PROBE,)
    table.state = before
    table.say("rome", "withdraw", 4, to="beneventum")
    assert table.state.fighting().hands["rome"] == (FLANK, PROBE) and table.asked() == ("attack", "carthage")


@pytest.mark.parametrize("die, good", [(1, True), (3, True), (4, False), (6, False)])
def test_round_1a_a_withdrawal_needs_a_die_no_higher_than_the_generals_rating(die: int, good: bool) -> None:
    """Regulus has a 3."""
    table = hands(field(), (FLANK,), (FLANK,))
    table.say("rome", "withdraw", die, to="beneventum")
    assert table.asked() == (("cancel", "carthage") if good else ("attack", "carthage"))


def test_round_1c_2_not_over_a_strait_and_round_1c_3_the_attacker_only_where_he_came_from() -> None:
    """Himilco defends Sassari: Nuoro by road, but neither the strait nor the sea; Regulus back to Oristano alone."""
    state = army(army(empty(), "rome", "oristano", 6, REGULUS), "carthage", "sassari", 4, HIMILCO)
    state = control(control(state, None, "sassari", "nuoro", "aleria"), "rome", "oristano")
    table = marching(state, "rome", REGULUS)
    table.say("rome", "step", to="sassari", units=6, elephants=0)
    table.stands()
    assert withdrawals(table.state, "carthage") == ("nuoro",)
    assert withdrawals(table.state, "rome") == ("oristano",)
    hands(table, (FLANK,), (FLANK,))
    refused(table, "rome", "withdraw", "round.1c.1", to="nuoro")
    by_land = field()
    assert by_land.state.spaces["terventum"].control == "rome"  # his own, and next to Arpi
    assert withdrawals(by_land.state, "rome") == ("beneventum",)


def test_round_7_the_battle_deck_is_whole_again_for_the_next_battle() -> None:
    table = won(FLANK, 1, 1)
    table.say("carthage", "retreat", to="cannae")
    assert table.state.battle is None
    fresh = army(army(empty(), "carthage", "tacapae", 4, HIMILCO), "rome", "hadrumetum", 4, REGULUS)
    second = turn_of(replace(control(fresh, None, "hadrumetum"), deck=table.state.deck), "carthage", THREE)
    second.say("carthage", "activate", card=THREE, general=HIMILCO)
    second.say("carthage", "step", to="hadrumetum", units=4, elephants=0)
    second.stands()
    battle = second.state.fighting()
    assert sorted((*battle.hands["rome"], *battle.hands["carthage"], *battle.deck)) == sorted(BATTLE_DECK)


def test_battle_7_casualties_are_counted_and_then_the_loser_retreats() -> None:
    table = won(FLANK, 6, 1)
    seen = [event.type for event in table.events]
    assert seen.index("battle_lost") < seen.index("casualties") < seen.index("retreat_losses")
    assert table.asked() == ("retreat", "carthage")
    assert table.state.spaces["arpi"].rome == Troops(5) and table.state.spaces["arpi"].carthage == Troops(2)


@pytest.mark.parametrize(
    "die, few, many", [(-1, 0, 1), (0, 0, 1), (1, 1, 2), (2, 1, 2), (3, 2, 3), (4, 2, 3), (5, 2, 4), (6, 3, 5)]
)
def test_tables_retreat_losses_by_die_and_by_the_units_at_the_start(die: int, few: int, many: int) -> None:
    assert TABLES.retreat.read(die, 1) == TABLES.retreat.read(die, 4) == few
    assert TABLES.retreat.read(die, 5) == TABLES.retreat.read(die, 10) == many
    assert TABLES.retreat.read(7, 1) == TABLES.retreat.read(8, 10) == TABLES.retreat.all


@pytest.mark.parametrize(
    "card, kind, modifier, lost",
    [
        (PROBE, PROBE, -2, 1),
        (DOUBLE, DOUBLE, 2, 2),
        (FLANK, FLANK, 0, 2),
        (RESERVE, DOUBLE, 2, 2),
        (RESERVE, PROBE, -2, 1),
    ],
)
def test_tables_retreat_modifiers_by_the_card_that_won_or_what_a_reserve_stood_for(
    card: str, kind: str, modifier: int, lost: int
) -> None:
    """A 3 against four CUs."""
    told = won(card, 1, 3, kind=kind).told("retreat_losses")[0]
    assert (told["modifier"], told["lost"]) == (modifier, lost)


def test_tables_retreat_modifiers_none_when_the_attacker_had_no_card() -> None:
    table = hands(field(), (PROBE,), (PROBE,))
    table.say("rome", "attack", card=PROBE, as_kind=PROBE)
    table.say("carthage", "match", card=PROBE)
    table.say("carthage", "pass", 1, 3)
    told = table.told("retreat_losses")[0]
    assert (told["side"], told["modifier"]) == ("rome", 0)


@pytest.mark.parametrize("die, left", [(0, Troops(3, 1)), (1, Troops(2, 1)), (3, Troops(1, 1))])
def test_tables_retreat_elephant_the_first_unit_lost_is_an_elephant(die: int, left: Troops) -> None:
    """Two elephants among five CUs; a Probe makes a 2 a 0."""
    state = army(army(empty(), "rome", "beneventum", 6, REGULUS), "carthage", "arpi", 3, HIMILCO, elephants=2)
    table = marching(control(control(state, None, "arpi"), "carthage", "cannae"), "rome", REGULUS)
    table.say("rome", "step", to="arpi", units=6, elephants=0)
    table.stands()
    assert table.asked() == ("elephants", "carthage")
    table.say("carthage", "pass")
    won(PROBE if die == 0 else FLANK, 1, die or 2, table=table)
    assert table.state.spaces["arpi"].carthage == left


def test_losses_2_the_last_round_counts_and_a_failed_withdrawal_does_not() -> None:
    table = matched(hands(field(), (FLANK, FLANK), (FLANK, PROBE)))
    table.say("rome", "withdraw", 6, to="beneventum")
    table.say("carthage", "attack", card=PROBE, as_kind=PROBE)
    table.say("rome", "concede", 3, 1)
    assert table.told("casualties")[0]["rounds"] == 2


def test_losses_4_only_units_are_lost() -> None:
    """Three are due after seven rounds; Himilco has a single CU, and allies in his hand."""
    table = field(roman=4, punic=1)
    table.state = replace(table.state, battle=replace(table.state.fighting(), rounds=6))
    won(FLANK, 6, table=table)
    told = table.told("casualties")[0]
    assert told["result"] == 3 and told["lost"] == {"rome": 3, "carthage": 1}
    assert table.state.spaces["arpi"].rome == Troops(1) and table.state.spaces["arpi"].carthage == Troops()


def test_losses_6_casualties_the_retreat_table_and_the_way_count_together() -> None:
    """One by casualties, two by the table, one for the Roman marker on the way: four dead are two PCs."""
    table = field(punic=6)
    table.state = army(control(table.state, "rome", "cannae"), "carthage", "cannae", 9)
    won(FLANK, 6, 1, table=table)
    assert table.told("casualties")[0]["lost"]["carthage"] == 1 and table.told("retreat_losses")[0]["lost"] == 2
    assert ways(table.state, table.state.fighting(), "carthage")["cannae"].cost == 1
    table.say("carthage", "retreat", to="cannae")
    assert table.told("retreated")[0]["lost"] == 1
    told = table.told("political_loss")[0]
    assert (told["lost"], told["pcs"]) == (4, 2)


def sassari() -> War:
    """Himilco defends Sassari against Regulus from Oristano; across the strait Aleria is his, and so is Carales."""
    state = army(army(empty(), "rome", "oristano", 6, REGULUS), "carthage", "sassari", 4, HIMILCO)
    state = control(control(state, None, "sassari", "nuoro"), "carthage", "aleria", "carales")
    table = marching(control(state, "rome", "oristano"), "rome", REGULUS)
    table.say("rome", "step", to="sassari", units=6, elephants=0)
    table.stands()
    return table


def test_retreat_3_not_over_a_strait_and_not_back_through_the_battle() -> None:
    table = won(FLANK, 1, 1, table=sassari())
    found = ways(table.state, table.state.fighting(), "carthage")
    assert set(found) == {"carales"} and found["carales"].path == ("nuoro", "carales")
    refused(table, "carthage", "retreat", "retreat.1", to="aleria", units_inside=0)


def test_retreat_10_who_has_only_the_strait_is_eliminated() -> None:
    table = sassari()
    table.state = control(table.state, "rome", "carales", "nuoro")
    won(FLANK, 1, 1, table=table)
    assert table.told("eliminated")[0]["units"] == 3 and table.state.generals[HIMILCO].status == "pool"
