"""11.7 After the naval battle; L1, L3 the three ways to settle it and the one function that takes it home."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import ONE, TWO, War, army, control, empty, ships, turn_of
from strategic.hamilcar import HAMILCAR
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import ground
from strategic.naval.engagement import NavalOutcome
from strategic.naval.handoff import battle_position, outcome_of
from strategic.point_to_point.pieces import Troops
from tactical import GALLEY
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.random_play import fill, random_offer
from tactical.kernel.record import encode, plain, read

COTTA, GISCO, REGULUS = "gaius_aurelius_cotta", "hannibal_gisco", "marcus_atilius_regulus"


def met(roman: int = 3, carthaginian: int = 4, units: int = 2, trains: int = 1, guard: int = 0, **facts: Any) -> War:
    """Off Lipara: Cotta from Messana, Gisco from Panormus with a CU and a train of his own."""
    state = army(
        army(empty(), "rome", "messana", units, COTTA, trains=trains), "carthage", "panormus", 2, GISCO, trains=1
    )
    state = control(ships(ships(state, "rome", roman), "carthage", carthaginian), None, "lipara")
    if guard:
        state = army(state, "rome", "messana", guard)
    table = turn_of(replace(state, **{"seamanship": 2, **facts}), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="lipara", ships=roman, units=units, elephants=0, trains=trains)
    table.say("carthage", "sea_intercept", 1, ships=carthaginian, tries=[{"general": GISCO, "units": 1, "trains": 1}])
    return table


def settle(table: War, *faces: int, **outcome: Any) -> State:
    """The umpire enters an outcome; with faces the winner rolls for prizes."""
    table.say("umpire", "settle", engagement=table.state.engaged().id, outcome=outcome)
    if faces:
        table.rolls_for_prizes(*faces)
    return table.state


def lost(**counts: Any) -> dict[str, Any]:
    return counts


def test_11_7_after_1_the_losers_ships_are_unready_and_11_7_after_2_the_winners_ready_and_11_7_after_5_supremacy_is_his() -> (
    None
):
    """H10 And the winner takes supremacy."""
    table = met()
    settle(table, winner="rome", turns=2, sides={"carthage": lost(evaded=True)})
    assert len(table.state.ready("rome")) == 3 and not table.state.ready("carthage")
    assert len(table.state.ships["carthage"]) == 4 and table.state.supremacy == "rome"


@pytest.mark.parametrize("how, faces, left", [("fled", (5,), 0), ("evaded", (), 2)])
def test_11_7_after_3_one_roll_in_column_v_and_11_7_after_4_none_if_the_loser_evaded_and_11_7_engage_c_a_train_goes_with_its_unit(
    how: str, faces: tuple[int, ...], left: int
) -> None:
    """A 5 takes two transports: 2 CUs and 1 train."""
    table = met()
    settle(table, *faces, winner="carthage", turns=2, sides={"rome": {how: True}}, supremacy="carthage")
    assert table.state.spaces["messana"].rome == (Troops(left, 0, 1) if left else Troops())


def test_11_7_after_3_corvus_and_seamanship_and_h6_a_modify_the_prize_roll() -> None:
    """Rome's prize roll: +1 for the corvus, -1 for poor seamanship."""
    table = met(corvus=True, seamanship=2)
    settle(table, 1, winner="rome", turns=2, sides={"carthage": lost(fled=True)})
    assert table.told("prize_roll")[0]["modifier"] == 1 and table.told("prize_roll")[0]["hits"] == 1
    assert table.state.spaces["panormus"].carthage == Troops(1)


def test_11_7_after_6_prizes_join_the_captor_unready_under_their_names() -> None:
    """11.7.after.6, 11.7.prizes, L3.6, L3.9 Captured by the winner: his, unready."""
    table = met()
    names = [unit.id for unit in table.state.engaged().fleets["carthage"].units]
    settle(
        table,
        winner="rome",
        turns=2,
        sides={"carthage": lost(captured=1, captured_ships=names[:1], sunk=1, evaded=True)},
    )
    prize = table.state.ship("rome", names[0])
    assert prize is not None and not prize.ready and prize.built_by == "carthage"
    assert len(table.state.ships["carthage"]) == 2


def test_11_7_prizes_a_when_rome_loses_its_prizes_go_back_unready() -> None:
    table = met()
    settle(table, 1, winner="carthage", turns=2, sides={"carthage": lost(captured=2), "rome": lost(fled=True)})
    assert len(table.state.ships["carthage"]) == 4 and len(table.state.ready("carthage")) == 2
    assert len(table.state.ships["rome"]) == 3


def test_h7_a_draw_keeps_the_prizes() -> None:
    """H7, L3.6 Nobody won: captured ships stay with the captor."""
    table = met()
    settle(table, winner=None, turns=5, sides={"carthage": lost(captured=1)})
    assert len(table.state.ships["rome"]) == 4 and not table.state.ready("rome")
    assert not table.state.ready("carthage") and table.state.supremacy == "carthage"


def test_l3_6_above_ten_ships_prizes_are_broken_up() -> None:
    table = met(roman=9, carthaginian=3)
    settle(table, 1, winner="rome", turns=5, sides={"carthage": lost(captured=3)})
    assert len(table.state.ships["rome"]) == 10 and len(table.state.ships["carthage"]) == 0
    assert len(table.told("prizes")[0]["broken_up"]) == 2


def test_11_7_places_1_a_winning_mover_arrives_and_stops_or_goes_back() -> None:
    for choice, space in (("land", "lipara"), ("home", "messana")):
        table = met()
        settle(table, winner="rome", turns=2, sides={"carthage": lost(evaded=True)})
        table.say("rome", "after_sea", choice=choice)
        assert table.state.generals[COTTA].space == space and table.state.marching().stopped
        assert table.state.spaces[space].rome.units == 2
        assert table.state.generals[GISCO].space == "panormus"


def test_11_7_places_1_without_units_left_he_must_go_back() -> None:
    table = met()
    settle(table, winner="rome", turns=2, sides={"rome": lost(transports=2), "carthage": lost(evaded=True)})
    assert table.asked() == ("move", "rome") and table.state.generals[COTTA].space == "messana"


def test_11_7_places_1_who_had_none_may_arrive() -> None:
    table = met(units=0, trains=0)
    settle(table, winner="rome", turns=2, sides={"carthage": lost(evaded=True)})
    table.say("rome", "after_sea", choice="land")
    assert table.state.generals[COTTA].space == "lipara"


def test_11_7_places_2_a_winning_interceptor_goes_home_or_lands() -> None:
    """11.7.places.2, H10.a Only where no enemy CU stands; the mover is back in his last port."""
    table = met()
    settle(table, 1, winner="carthage", turns=2, sides={"rome": lost(fled=True)})
    table.say("carthage", "after_sea", choice="land")
    assert table.state.generals[GISCO].space == "lipara"
    assert table.state.spaces["lipara"].carthage == Troops(1, 0, 1)
    assert table.state.spaces["panormus"].carthage == Troops(1)
    assert table.state.generals[COTTA].space == "messana"


def test_11_7_places_3_everyone_else_goes_back_to_his_port() -> None:
    """11.7.places.3, H10.a A draw: both."""
    table = met()
    settle(table, winner=None, turns=5, sides={"rome": lost(transports=1)})
    assert table.state.generals[COTTA].space == "messana" and table.state.spaces["messana"].rome == Troops(1)
    assert table.state.generals[GISCO].space == "panormus"


def shut_out(harbour: bool, card: int = TWO) -> War:
    """Cotta has left Lilybaeum, where by the umpire's hand an enemy army now stands, and is met off Agrigentum."""
    state = army(empty(), "rome", "lilybaeum", 2, COTTA)
    state = army(state, "carthage", "syracusae", 1, GISCO)
    state = control(ships(ships(state, "rome", 1), "carthage", 1), "rome" if harbour else None, "drepanum")
    if card != TWO:
        state = army(state, "rome", "neapolis", 1, REGULUS)
    if not harbour:
        for space in state.spaces:
            if state.spaces[space].control == "rome":
                state = army(state, "carthage", space, 1)
    table = turn_of(state, "rome", card)
    if card == TWO:
        table.say("rome", "activate", card=card, general=COTTA)
    else:
        table.say("rome", "campaign", card=card)
        table.say("rome", "campaign_move", general=COTTA)
    table.say("rome", "sail", to="agrigentum", ships=1, units=2, elephants=0)
    table.say("umpire", "adjust", changes={"spaces.lilybaeum.carthage.units": 1}, why="they came on our table")
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO}])
    settle(table, 1, winner="carthage", turns=2, sides={"rome": lost(fled=True)})
    table.say("carthage", "after_sea", choice="home")
    return table


def test_h10_b_a_lost_last_port_sends_them_to_the_nearest_own_port() -> None:
    table = shut_out(True)
    assert table.state.generals[COTTA].space == "drepanum" and table.state.spaces["drepanum"].rome.units == 2
    assert table.state.spaces["lilybaeum"].rome.size == 0


def test_h10_b_and_movement_command_5_who_found_another_port_moves_no_more_on_this_card() -> None:
    """Regulus at Neapolis keeps the campaign open."""
    table = shut_out(True, card=37)
    play = table.state.playing()
    assert play.spent[COTTA] is None and [(group.units, group.spent) for group in play.walked["drepanum"]] == [
        (2, None)
    ]
    assert [offer.fields["general"] for offer in table.offers("rome", "campaign_move")] == [[REGULUS]]


def test_h10_b_without_any_port_the_units_are_lost_and_the_general_displaced() -> None:
    table = shut_out(False)
    assert table.state.generals[COTTA].status == "pool"
    assert not any(place.rome.size for place in table.state.spaces.values())


def test_11_7_political_half_the_ships_lost_in_pcs_and_h10_c_the_councils_first() -> None:
    """19.5.a, L3.6.a Three ships: one PC, and Carthage's first comes from the Council."""
    table = met()
    settle(table, winner="rome", turns=2, sides={"carthage": lost(sunk=3, evaded=True)})
    assert table.asked() == ("remove", "carthage")
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "remove", space="lipara")
    assert refusal.value.rule == "19.5.a"
    table.say("carthage", "remove_council", cell=(1, 1))
    assert table.asked() == ("after_sea", "rome")


def test_11_7_political_rome_pays_on_the_map_and_h10_c_neither_cities_nor_tribes() -> None:
    table = met(roman=4)
    settle(table, 1, winner="carthage", turns=2, sides={"rome": lost(sunk=4)})
    assert table.state.agenda[-1].about["left"] == 2
    with pytest.raises(Illegal):
        table.say("rome", "remove", space="capua")
    table.say("rome", "remove", space="arpi")
    table.say("rome", "remove", space="cannae")
    assert table.state.spaces["arpi"].control is None and table.asked() == ("after_sea", "carthage")


def test_11_7_political_who_cannot_pay_and_h10_c_sues_for_peace() -> None:
    table = met(council=())
    state = table.state
    for space, place in state.spaces.items():
        if place.control == "carthage" and not ground(space).city:
            state = state.with_place(space, replace(place, control=None))
    table.state = state
    settle(table, 1, winner="rome", turns=2, sides={"carthage": lost(sunk=4)})
    assert table.state.result is not None and table.state.result.winner == "rome"


def test_11_8_3_b_losses_at_sea_count_for_seamanship() -> None:
    """11.8.3.b, L3.6.a"""
    table = met(roman=6, seamanship=3)
    settle(table, winner=None, turns=5, sides={"rome": lost(sunk=4, captured=1)})
    assert table.state.seamanship == 2 and table.state.lost_ships == 5


def test_l2_4_hull_damage_is_kept_until_repair_and_winter() -> None:
    """L2.4 A ship keeps its name and damage; made ready, it is whole."""
    table = met()
    name = table.state.engaged().fleets["rome"].units[0].id
    settle(table, winner=None, turns=5, sides={"rome": lost(damage={name: 3})})
    ship = table.state.ship("rome", name)
    assert ship is not None and ship.damage == 3
    assert table.state.made_ready("rome", (name,)).ship("rome", name).damage == 0  # type: ignore[union-attr]


# L1 the ways


def test_l1_2_the_own_table_needs_no_consent_the_others_both() -> None:
    table = met()
    name = table.state.engaged().id
    table.say("rome", "choose_way", engagement=name, way="battle", side="rome")
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "open_battle", engagement=name, models_per_unit=1)
    assert refusal.value.rule == "L1.2"
    table.say("carthage", "choose_way", engagement=name, way="own_table", side="carthage")
    assert table.state.naval is not None


def test_l1_2_with_both_consents_the_battle_opens_and_the_way_is_fixed() -> None:
    """L1.2, L2.1, L1.2.a Only both together leave it again, for the own table."""
    table = met()
    name = table.state.engaged().id
    for side in ("rome", "carthage"):
        table.say(side, "choose_way", engagement=name, way="battle", side=side)
    with pytest.raises(Illegal):
        table.say("rome", "open_battle", engagement=name, models_per_unit=6)
    table.say("rome", "open_battle", engagement=name, models_per_unit=2)
    opened = table.told("battle_opened")[0]
    assert opened["models_per_unit"] == 2 and table.state.engaged().opened
    with pytest.raises(Illegal):
        table.say("rome", "choose_way", engagement=name, way="report", side="rome")
    table.say("rome", "choose_way", engagement=name, way="own_table", side="rome")
    assert table.state.naval is None
    table.say("carthage", "choose_way", engagement=name, way="own_table", side="carthage")
    assert table.state.naval is not None and not table.state.engaged().opened


def test_l1_2_a_seat_speaks_only_for_itself() -> None:
    table = met()
    with pytest.raises(NotYours):
        table.say("rome", "choose_way", engagement=table.state.engaged().id, way="battle", side="carthage")


OUTCOME = {
    "winner": "rome",
    "turns": 4,
    "sides": {"carthage": {"sunk": 1, "captured": 1, "fled": True}, "rome": {"sunk": 1, "transports": 1}},
}


def by_battle() -> War:
    table = met()
    name = table.state.engaged().id
    for side in ("rome", "carthage"):
        table.say(side, "choose_way", engagement=name, way="battle", side=side)
    table.say("carthage", "open_battle", engagement=name, models_per_unit=1)
    table.say("rome", "settle", engagement=name, outcome=OUTCOME)
    table.rolls_for_prizes(5)
    return table


def by_report() -> War:
    table = met()
    name = table.state.engaged().id
    for side in ("rome", "carthage"):
        table.say(side, "choose_way", engagement=name, way="report", side=side)
    table.say("rome", "report", engagement=name, outcome=OUTCOME, side="rome")
    assert name not in table.state.settled
    table.say("carthage", "assent", engagement=name, side="carthage")
    table.rolls_for_prizes(5)
    return table


def by_own_table() -> War:
    """The same losses on the own table: the battle as it stands before Carthage flees, then its flight."""
    table = met()
    name = table.state.engaged().id
    table.say("rome", "choose_way", engagement=name, way="own_table", side="rome")
    battle = table.state.at_sea()
    rome, carthage = battle.fleets["rome"], battle.fleets["carthage"]
    rome = replace(rome, ready=rome.ready[:2], sunk=rome.ready[2:], transports=1, transports_lost=1, hand=())
    carthage = replace(carthage, ready=carthage.ready[:2], sunk=carthage.ready[2:3], taken=carthage.ready[3:])
    held = [*battle.fleets["rome"].hand]
    battle = replace(
        battle,
        fleets={"rome": rome, "carthage": carthage},
        round=4,
        order=("carthage", "rome"),
        turn=0,
        discard=(*battle.discard, *held),
    )
    table.state = replace(table.state, naval=battle)
    table.say("carthage", "pass")
    table.say("carthage", "engage", 1, target="ships")
    table.say("carthage", "flee", 1)
    table.rolls_for_prizes(5)
    return table


def test_l1_3_three_ways_one_function_the_same_campaign() -> None:
    """L1.3 The same losses by each way leave the same bytes, but for the outcome's own notes of names and supremacy."""
    states = []
    for table in (by_battle(), by_report(), by_own_table()):
        state = table.state
        states.append(replace(state, settled={}))
        assert len(state.ships["rome"]) == 3 and len(state.ships["carthage"]) == 2

    def without_names(state: State) -> bytes:
        return encode(
            replace(
                state,
                ships={
                    side: tuple(
                        sorted(
                            (replace(ship, name="") for ship in fleet),
                            key=lambda ship: (ship.ready, str(ship.built_by)),
                        )
                    )
                    for side, fleet in state.ships.items()
                },
            )
        )

    assert encode(states[0]) == encode(states[1])
    assert without_names(states[1]) == without_names(states[2])


def test_l1_4_the_same_outcome_twice_changes_nothing_and_another_is_refused() -> None:
    table = by_battle()
    name = next(iter(table.state.settled))
    before = encode(table.state)
    table.say("rome", "settle", engagement=name, outcome=OUTCOME)
    assert encode(table.state) == before and table.events == ()
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "settle", engagement=name, outcome={**OUTCOME, "turns": 9})
    assert refusal.value.rule == "L1.4"
    with pytest.raises(Illegal) as refusal:
        table.say("rome", "settle", engagement="9.9", outcome=OUTCOME)


def test_l1_2_a_side_alone_cannot_enter_an_outcome() -> None:
    """L1.2 Without a battle on the table a side's word is a report, which the other must agree to."""
    table = met()
    name = table.state.engaged().id
    table.say("rome", "settle", engagement=name, outcome=OUTCOME)
    assert name not in table.state.settled and table.state.engaged().assents == ("rome",)
    other = {**OUTCOME, "turns": 5}
    table.say("carthage", "report", engagement=name, outcome=other, side="carthage")
    assert table.state.engaged().assents == ("carthage",)  # another report needs a new assent
    table.say("rome", "assent", engagement=name, side="rome")
    assert name in table.state.settled


@pytest.mark.parametrize(
    "rule, outcome",
    [
        ("L1.2", {"winner": "carthage", "sides": {"rome": {"sunk": 4}}}),
        ("L1.2", {"winner": "carthage", "sides": {"rome": {"sunk": 3, "transports": 3}}}),
        ("L3.1", {"winner": "carthage", "sides": {"rome": {"sunk": -1, "fled": True}}}),
        ("L3.1", {"winner": None, "sides": {"rome": {"fled": True}}}),
        ("L3.3", {"winner": "carthage", "sides": {"rome": {"sunk": 1}}}),
        ("L3.1", {"winner": "gaul", "sides": {}}),
        ("L3.1", {"winner": None, "sides": {"gaul": {"sunk": 1}}}),
        ("L2.4", {"winner": None, "sides": {"rome": {"sunk": 1, "sunk_ships": ["Argo"]}}}),
    ],
)
def test_l1_2_an_outcome_may_not_exceed_what_was_sent(rule: str, outcome: dict[str, Any]) -> None:
    """L1.2, L3.1, L3.3 Nothing is changed by a refused outcome."""
    table = met()
    before = encode(table.state)
    with pytest.raises(Illegal) as refusal:
        settle(table, **outcome)
    assert refusal.value.rule == rule and encode(table.state) == before


def test_l1_1_the_engagement_holds_what_matters_at_sea() -> None:
    """L1.1, L2.2, L2.3"""
    table = met(corvus=True, seamanship=1)
    engagement = table.state.engaged()
    rome, carthage = engagement.fleets["rome"], engagement.fleets["carthage"]
    assert (engagement.mover, engagement.place, engagement.start, engagement.rule) == (
        "rome",
        "lipara",
        "messana",
        "11.7",
    )
    assert rome.corvus and rome.seamanship == "fair" and not carthage.corvus and carthage.seamanship is None
    assert [each.trains for each in rome.transports] == [1, 0] and len(carthage.transports) == 1
    assert (rome.commander, rome.rating, rome.admiral) == (COTTA, 2, False)
    assert (carthage.commander, carthage.rating, carthage.admiral) == (GISCO, 1, True)
    assert engagement.supremacy == "carthage"
    with pytest.raises(Illegal):
        table.say("rome", "halt")  # the campaign waits on it and on nothing else


def test_l2_5_a_the_option_hands_the_ratings_down_as_re_rolls() -> None:
    table = met()
    table.state = replace(table.state, options=replace(table.state.options, commander_rerolls=True))
    name = table.state.engaged().id
    for side in ("rome", "carthage"):
        table.say(side, "choose_way", engagement=name, way="battle", side=side)
    table.say("rome", "open_battle", engagement=name)
    assert table.told("battle_opened")[0]["rerolls"] == {"rome": 2, "carthage": 1}


def test_26_7_with_naval_stores_all_who_fought_are_unready() -> None:
    table = met()
    table.state = replace(table.state, options=replace(table.state.options, naval_stores=True))
    settle(table, winner="rome", turns=2, sides={"carthage": lost(evaded=True)})
    table.say("rome", "after_sea", choice="home")
    assert not table.state.ready("rome") and not table.state.ready("carthage")


@pytest.mark.parametrize("seed", range(3))
def test_l3_a_battle_played_on_the_table_comes_home(seed: int) -> None:
    """L1.3, L2, L3 Random play of the tactical battle; its outcome enters, and every ship and unit is accounted for."""
    generator = random.Random(seed)
    source = random_source(generator.randrange)
    table = met(roman=2, carthaginian=2)
    engagement = table.state.engaged()
    for side in ("rome", "carthage"):
        table.say(side, "choose_way", engagement=engagement.id, way="battle", side=side)
    table.say("rome", "open_battle", engagement=engagement.id)
    battle = GALLEY.start(None, battle_position(table.state.engaged(), 1, campaign="c"), {}, Dice(source=source)).state
    while not GALLEY.is_over(battle):
        seat = generator.choice(GALLEY.waiting_for(battle))
        command = fill(random_offer(GALLEY.offers(battle, seat), generator, {"resign", "agree"}), generator)
        battle = GALLEY.apply(battle, seat, read(command, GALLEY.command), Dice(source=source)).state
    outcome: NavalOutcome = outcome_of(battle, table.state.engaged())
    command = read({"type": "settle", "engagement": engagement.id, "outcome": plain(outcome)}, HAMILCAR.command)
    after = HAMILCAR.apply(table.state, "rome", command, Dice(source=source, secret=source)).state
    assert HAMILCAR.invariants(after) == ()
    total = sum(len(fleet) for fleet in after.ships.values())
    assert total == 4 - sum(outcome.of(side).sunk for side in ("rome", "carthage"))


def test_8_2_the_next_card_comes_after_the_battle() -> None:
    """strategy.4 After the move the other side plays."""
    table = met()
    settle(table, winner=None, turns=5, sides={})
    table.say("rome", "halt")
    assert table.asked() == ("impulse", "carthage") and ONE not in table.state.hands["rome"]
