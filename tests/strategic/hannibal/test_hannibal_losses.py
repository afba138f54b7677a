"""Battle losses, the retreat, displacement, political consequences."""

import pytest
from msgspec.structs import replace

from kit.hannibal_war import asked, do, force, kinds, march, offered, refused, sail, step, the, war
from strategic.hannibal.tables import BATTLE_CARDS, BATTLE_DECK, TABLES
from strategic.point_to_point.state import Troops

FA, FL, FR, DE, PROBE = "frontal_assault", "flank_left", "flank_right", "double_envelopment", "probe"


def deal(state, carthage, rome):
    """The same battle with these hands."""
    rest = list(BATTLE_DECK)
    for card in (*carthage, *rome):
        rest.remove(card)
    hands = {"rome": tuple(rome), "carthage": tuple(carthage)}
    return replace(state, battle=replace(state.fighting(), hands=hands, deck=tuple(rest), discard=()))


def lost_by(state, card, *faces, loser="rome"):
    """The attacker plays a card which the defender does not match."""
    winner = "carthage" if loser == "rome" else "rome"
    hands = ([card], [FR]) if winner == "carthage" else ([FR], [card])
    state = do(deal(state, *hands), winner, "attack", card=card, as_kind=card).state
    return do(state, loser, "concede", *faces)


def clash(
    units=8,
    romans=6,
    elephants=0,
    general="hannibal",
    roman="marcellus",
    space="arpi",
    start="beneventum",
    more=(),
    **fields,
):
    """Carthage attacks and Rome stands."""
    army = force("carthage", start, units - elephants, general, elephants=elephants)
    people = (roman,) if roman else ()
    state = war(army, force("rome", space, romans, *people), *more, **fields)
    state = step(march(state, general), space, units - elephants, elephants=elephants)
    state = do(state, "rome", "stand").state if asked(state) == "avoid" else state
    return do(state, "carthage", "pass").state if asked(state) == "elephants" else state


@pytest.mark.parametrize(
    "die, row",
    [
        (1, [0, 0, 0, 0, 0, 1, 1]),
        (2, [0, 0, 0, 0, 1, 1, 1]),
        (3, [0, 0, 0, 1, 1, 1, 2]),
        (4, [0, 0, 1, 1, 1, 2, 2]),
        (5, [0, 1, 1, 1, 2, 2, 3]),
        (6, [1, 1, 1, 2, 2, 3, 3]),
        (7, [1, 1, 2, 2, 3, 3, 4]),
    ],
)
def test_tables_attrition_row_by_row(die, row):
    """Columns 1, 2, 3, 4, 5-6, 7-9, 10 and more."""
    assert [TABLES.attrition.read(die, force)[0] for force in (1, 2, 3, 4, 6, 9, 12)] == row
    assert TABLES.attrition.read(die, 5)[1] == (die >= 6)
    assert TABLES.attrition.read(-2, 10) == (1, False) and TABLES.attrition.read(9, 1) == (1, True)


def test_check_3_four_rounds_and_losses_1_a_die_of_five_and_tables_attrition_column_of_rounds_cost_each_side_one():
    """losses.2: the last, unmatched round counts."""
    assert TABLES.attrition.read(5, 4)[0] == 1
    state = deal(clash(), [FL, FL, FL, FL], [FL, FL, FL, FA])
    for _ in range(3):
        state = do(state, "carthage", "attack", card=FL, as_kind=FL).state
        state = do(do(state, "rome", "match", card=FL).state, "rome", "pass").state
    state = do(state, "carthage", "attack", card=FL, as_kind=FL).state
    outcome = do(state, "rome", "concede", 5, 1)
    assert the(outcome, "casualties")["rounds"] == 4 and the(outcome, "casualties")["lost"] == {
        "rome": 1,
        "carthage": 1,
    }


def test_losses_2_the_last_round_counts_and_a_failed_withdrawal_does_not():
    state = deal(clash(control={"beneventum": "carthage"}), [FL, FL], [FL, FA])
    state = do(state, "carthage", "attack", card=FL, as_kind=FL).state
    state = do(do(state, "rome", "match", card=FL).state, "rome", "pass").state
    state = do(state, "carthage", "withdraw", 5, to="beneventum").state
    state = do(state, "rome", "attack", card=FA, as_kind=FA).state
    assert the(do(state, "carthage", "concede", 3, 1), "casualties")["rounds"] == 2


def test_battle_7_casualties_are_counted_and_losses_3_the_loser_rolls_on_the_retreat_table_and_then_retreats():
    outcome = lost_by(clash(), FL, 6, 3)
    seen = kinds(outcome)
    assert seen.index("battle_lost") < seen.index("casualties") < seen.index("retreat_losses")
    assert the(outcome, "casualties")["lost"] == {"rome": 1, "carthage": 1}
    assert the(outcome, "retreat_losses")["side"] == "rome" and asked(outcome.state) == "retreat"
    assert (outcome.state.spaces["arpi"].carthage, outcome.state.spaces["arpi"].rome) == (Troops(7), Troops(2))


def test_losses_6_casualties_the_retreat_table_and_the_way_count_together():
    """One by casualties, two by the table, one for the Carthaginian PC on the way: four dead are two PCs."""
    state = clash(control={"cannae": "carthage", "terventum": None}, more=(force("rome", "cannae", 9),))
    outcome = lost_by(state, FL, 6, 1)
    assert the(outcome, "casualties")["lost"]["rome"] == 1 and the(outcome, "retreat_losses")["lost"] == 2
    gone = do(outcome.state, "rome", "retreat", to="cannae")
    assert the(gone, "retreated")["lost"] == 1
    assert asked(gone.state) == "remove" and gone.state.asks().about["left"] == 2


@pytest.mark.parametrize(
    "die, few, many", [(-2, 0, 1), (0, 0, 1), (1, 1, 2), (2, 1, 2), (3, 2, 3), (4, 2, 3), (5, 2, 4), (6, 3, 5)]
)
def test_tables_retreat_losses_by_die_and_size(die, few, many):
    """tables.retreat"""
    assert TABLES.retreat.read(die, 4) == few and TABLES.retreat.read(die, 5) == many
    assert TABLES.retreat.read(7, 1) == TABLES.retreat.read(8, 12) == TABLES.retreat.all


def test_tables_retreat_modifiers_by_the_card_that_won():
    assert (BATTLE_CARDS[PROBE].retreat, BATTLE_CARDS[DE].retreat, BATTLE_CARDS[FA].retreat) == (-2, 2, 0)
    assert the(lost_by(clash(), PROBE, 1, 3), "retreat_losses") == {
        "side": "rome",
        "dice": [3],
        "modifier": -2,
        "lost": 2,
        "elephants_lost": 0,
    }
    assert the(lost_by(clash(), DE, 1, 3), "retreat_losses")["lost"] == 4


def test_tables_retreat_modifiers_a_hannibal_probe_counts_as_what_it_stood_for():
    state = do(deal(clash(), [PROBE], [FR]), "carthage", "attack", card=PROBE, as_kind=DE).state
    assert the(do(state, "rome", "concede", 1, 3), "retreat_losses")["modifier"] == 2


def test_tables_retreat_elephant_the_first_loss_is_an_elephant():
    """tables.retreat.elephant"""
    state = war(
        force("rome", "beneventum", 8, "marcellus"),
        force("carthage", "arpi", 4, "mago", elephants=2),
        active="rome",
        control={"terventum": "carthage"},
    )
    state = do(step(march(state, "marcellus"), "arpi", 8), "carthage", "stand").state
    state = do(state, "carthage", "pass").state if asked(state) == "elephants" else state
    outcome = lost_by(state, FL, 1, 1, loser="carthage")
    assert the(outcome, "retreat_losses")["lost"] == 2
    assert outcome.state.spaces["arpi"].carthage == Troops(3, 1)


def test_losses_4_only_units_are_lost():
    """losses.4: the casualties of a side with one CU and allied cards end at its last CU."""
    outcome = lost_by(clash(romans=1, units=4), FL, 6)
    assert outcome.state.spaces["arpi"].rome == Troops() and the(outcome, "casualties")["lost"]["rome"] == 1


def test_losses_8_casualties_displace_nobody_and_the_retreat_table_does():
    """losses.8"""
    casualties = lost_by(clash(romans=1, units=4), FL, 6)
    assert "displaced" not in kinds(casualties) and asked(casualties.state) == "retreat"
    table = lost_by(clash(romans=1, units=4), FL, 1, 2)
    assert the(table, "displaced")["general"] == "marcellus"


def test_losses_5_half_the_dead_in_pcs_and_reading_3_of_his_choice():
    state = lost_by(clash(), DE, 1, 4).state
    state = do(state, "rome", "retreat", to=offered(state, "rome", "retreat")[0]["to"][0]).state
    assert asked(state) == "remove" and state.asks().about["left"] == 2
    refused(state, "rome", "remove", "reading.3", space="capua")
    state = do(state, "rome", "remove", space="cosa").state
    assert do(state, "rome", "remove", space="enna").state.spaces["enna"].control is None


def test_losses_7_who_cannot_pay_sues_for_peace():
    bare = dict.fromkeys(
        (
            "pisae",
            "faesulae",
            "falerii",
            "cosa",
            "tarquini",
            "ariminum",
            "firmum_picenum",
            "sena",
            "praeneste",
            "arpi",
            "cannae",
            "brundisium",
            "heraclea",
            "paestium",
            "croton",
            "lilybaeum",
            "panormus",
            "agrigentum",
            "enna",
            "aleria",
            "sassari",
            "oristano",
            "nuoro",
            "carales",
            "beneventum",
        )
    )
    outcome = lost_by(clash(control=bare), DE, 1, 5)
    state = outcome.state
    if asked(state) == "retreat":
        state = do(state, "rome", "retreat", to=offered(state, "rome", "retreat")[0]["to"][0]).state
    assert state.result.winner == "carthage"


def test_losses_9_hannibal_displaced_is_dead_and_costs_five_pcs():
    """losses.9, movement.land.5"""
    state = war(
        force("carthage", "ilerda", 0, "hannibal"),
        force("rome", "tarraco", 5, "nero"),
        active="rome",
        control={space: None for space in ("iberus",)},
    )
    state = step(march(state, "nero"), "ilerda", 5)
    state = do(state, "carthage", "stand").state if asked(state) == "avoid" else state
    assert state.generals["hannibal"].status == "dead" and asked(state) == "remove" and state.asks().about["left"] == 5


def test_losses_9_africanus_displaced_is_dead():
    state = war(force("carthage", "ilerda", 5, "hasdrubal"), force("rome", "tarraco", 0, "scipio_africanus"))
    state = step(march(state, "hasdrubal"), "tarraco", 5)
    state = do(state, "rome", "stand").state if asked(state) == "avoid" else state
    assert state.generals["scipio_africanus"].status == "dead"


def test_edition_3_battle_casualties_are_not_attrition():
    """edition.3: they are told apart in the journal, and no attrition modifier touches them."""
    outcome = lost_by(clash(), FL, 5, 1)
    assert "attrition" not in kinds(outcome) and the(outcome, "casualties")["result"] == 0


# the retreat


def goals(state, seat="rome"):
    return {to for fields in offered(state, seat, "retreat") for to in fields["to"]}


def test_retreat_1_the_nearest_friendly_pc_and_reading_4_any_of_the_equally_near_and_retreat_5_not_whence_the_attacker_came():
    """Not to Beneventum, whence the enemy came."""
    state = lost_by(clash(), FL, 1, 1).state
    assert goals(state) == {"terventum", "cannae"}
    refused(state, "rome", "retreat", "retreat.1", to="beneventum")
    assert do(state, "rome", "retreat", to="cannae").state.spaces["cannae"].rome == Troops(4)


def test_retreat_1_or_more_friendly_units_than_retreat():
    state = lost_by(
        clash(control={"terventum": None, "cannae": None}, more=(force("rome", "cannae", 9),)), FL, 1, 1
    ).state
    assert goals(state) == {"cannae"}


def test_retreat_2_a_farther_goal_only_if_it_costs_fewer_units_and_retreat_8_an_enemy_pc_costs_one():
    """Cannae is Carthaginian but holds a large army; Praeneste is farther and costs nothing."""
    state = lost_by(
        clash(control={"cannae": "carthage", "terventum": None}, more=(force("rome", "cannae", 9),)), FL, 1, 1
    ).state
    assert {"cannae", "praeneste"} <= goals(state)
    near = do(state, "rome", "retreat", to="cannae")
    assert near.state.spaces["cannae"].rome == Troops(12) and the(near, "retreated")["lost"] == 1
    assert the(do(state, "rome", "retreat", to="praeneste"), "retreated")["lost"] == 0


def test_retreat_3_not_over_passes():
    """retreat.3: Mutina's way over the pass to Faesulae stays closed."""
    state = lost_by(clash(space="mutina", start="boii"), FL, 1, 1).state
    assert goals(state) == {"ariminum"}


def test_retreat_4_the_attacker_first_where_he_came_from():
    """retreat.4"""
    state = clash(control={"beneventum": "carthage", "cannae": "carthage"})
    state = deal(state, [FL], [FL, DE])
    state = do(state, "carthage", "attack", card=FL, as_kind=FL).state
    state = do(state, "rome", "match", card=FL).state
    state = do(state, "rome", "pass", 1, 1).state  # no card is left to attack with
    assert goals(state, "carthage") == {"beneventum"}


def test_retreat_6_after_a_landing_there_is_no_way():
    """retreat.6, retreat.10"""
    state = war(force("carthage", "carthage", 5, "hasdrubal"), force("rome", "croton", 5, "marcellus"), cards=(3,))
    state = sail(march(state, "hasdrubal", 3), "croton", 5, 1).state
    state = do(state, "rome", "stand").state if asked(state) == "avoid" else state
    state = deal(state, [FL], [FL, FA])
    state = do(state, "carthage", "attack", card=FL, as_kind=FL).state
    state = do(state, "rome", "match", card=FL).state
    outcome = do(state, "rome", "pass", 1, 1)
    assert the(outcome, "eliminated")["space"] == "croton"
    assert (
        outcome.state.generals["hasdrubal"].status == "displaced"
        and outcome.state.spaces["croton"].carthage == Troops()
    )


def test_retreat_6_but_what_fits_goes_into_a_friendly_city():
    state = war(force("carthage", "carthage", 5, "hasdrubal"), force("rome", "gades", 6, "marcellus"), cards=(3,))
    state = sail(march(state, "hasdrubal", 3), "gades", 5, 1).state
    state = do(state, "rome", "stand").state if asked(state) == "avoid" else state
    state = deal(state, [FL], [FL, FA])
    state = do(state, "carthage", "attack", card=FL, as_kind=FL).state
    state = do(do(state, "rome", "match", card=FL).state, "rome", "pass", 1, 1).state
    assert offered(state, "carthage", "retreat")[0]["to"] == ["city"]
    state = do(state, "carthage", "retreat", to="city", units_inside=2).state
    assert state.spaces["gades"].inside == Troops(2) and state.spaces["gades"].carthage == Troops()
    assert state.generals["hasdrubal"].inside


def test_retreat_7_smaller_friendly_stacks_on_the_way_come_along():
    """retreat.7: from Arpi by Terventum, which is no goal, to Praeneste."""
    state = clash(control={"terventum": None, "cannae": "carthage"}, more=(force("rome", "terventum", 2),))
    state = lost_by(state, FL, 1, 1).state
    state = do(state, "rome", "retreat", to="praeneste").state
    assert state.spaces["praeneste"].rome == Troops(6) and state.spaces["terventum"].rome == Troops()


def test_retreat_9_enemy_units_on_the_way_cost_one_each():
    """retreat.9: past two CUs in Terventum to Praeneste."""
    state = clash(
        control={"cannae": "carthage", "heraclea": "carthage", "brundisium": "carthage", "terventum": None},
        places={"tarentum": {"control": "carthage"}},
        more=(force("carthage", "terventum", 2),),
    )
    state = lost_by(state, FL, 1, 1).state
    ways = goals(state)
    assert "terventum" not in ways and "praeneste" in ways
    assert the(do(state, "rome", "retreat", to="praeneste"), "retreated")["lost"] == 2


def test_retreat_10_who_has_no_way_is_eliminated():
    """retreat.10: an island without another friendly space."""
    state = war(
        force("carthage", "lilybaeum", 8, "hannibal"),
        force("rome", "agrigentum", 5, "marcellus"),
        control={"panormus": "carthage", "enna": "carthage", "lilybaeum": "carthage"},
        places={"messana": {"control": "carthage"}, "syracuse": {"control": "carthage"}},
    )
    state = step(march(state, "hannibal"), "agrigentum", 8)
    state = do(state, "rome", "stand").state if asked(state) == "avoid" else state
    outcome = lost_by(state, FL, 1, 1)
    assert the(outcome, "eliminated")["units"] == 3 and outcome.state.generals["marcellus"].status == "pool"


def test_retreat_11_into_the_friendly_city_of_the_battle_and_12_split():
    """retreat.11, retreat.12"""
    state = lost_by(clash(space="capua", romans=6), FL, 1, 1).state
    refused(state, "rome", "retreat", "retreat.11", to="rome", units_inside=3)
    state = do(state, "rome", "retreat", to="rome", units_inside=2).state
    assert state.spaces["capua"].inside == Troops(2) and state.spaces["rome"].rome == Troops(2)


def test_edition_4_the_siege_train_survives_withdrawal_and_is_lost_in_a_retreat():
    """edition.4: older errata; the option takes it away."""

    def led(**options):
        return clash(control={"beneventum": "carthage"}, lasting={"siege_train": "hannibal"}, options=options)

    def withdrawn(state):
        state = do(deal(state, [FL, FA], [FL]), "carthage", "withdraw", 1, to="beneventum").state
        return do(state, "rome", "cancel", 6).state.lasting.siege_train

    assert withdrawn(led()) == "hannibal"
    assert withdrawn(led(siege_train_survives=False)) is None
    state = do(deal(led(), [FL], [FL]), "carthage", "attack", card=FL, as_kind=FL).state
    state = do(do(state, "rome", "match", card=FL).state, "rome", "pass", 1, 1).state
    assert do(state, "carthage", "retreat", to="beneventum").state.lasting.siege_train is None
