"""The order of a battle, its hands, its rounds."""

from msgspec.structs import replace

from kit.hannibal_war import asked, do, force, kinds, march, offered, refused, step, the, war
from strategic.hannibal.rules.book import hand_size
from strategic.hannibal.tables import BATTLE_DECK
from strategic.point_to_point.state import Troops

FA, FL, FR, DE, PROBE, RESERVE = (
    "frontal_assault",
    "flank_left",
    "flank_right",
    "double_envelopment",
    "probe",
    "reserve",
)


def meeting(
    general="hannibal",
    units=8,
    roman="marcellus",
    romans=6,
    space="arpi",
    start="beneventum",
    elephants=0,
    more=(),
    others=(62,),
    ranks=None,
    **fields,
):
    """Carthage attacks from one space into another where Rome stands and does not avoid."""
    people = (roman,) if roman else ()
    army = force("carthage", start, units - elephants, general, elephants=elephants)
    state = war(army, force("rome", space, romans, *people), *more, others=others, ranks=ranks, **fields)
    state = step(march(state, general), space, units - elephants, elephants=elephants)
    return do(state, "rome", "stand").state if asked(state) == "avoid" else state


def with_hands(state, carthage, rome):
    """The same battle with these cards."""
    rest = list(BATTLE_DECK)
    for card in (*carthage, *rome):
        rest.remove(card)
    hands = {"rome": tuple(rome), "carthage": tuple(carthage)}
    battle = replace(state.fighting(), hands=hands, deck=tuple(rest), discard=())
    return replace(state, battle=battle)


def fight(carthage, rome, **more):
    return with_hands(meeting(**more), carthage, rome)


def play(state, seat, card, kind=None, **more):
    return do(state, seat, "attack", card=card, as_kind=kind or card, **more)


def reply(state, seat, card):
    return do(state, seat, "match", card=card)


# before the cards


def test_battle_1_change_of_command_and_battle_1b_must_be_rolled_when_carthage_attacks_and_battle_1c_on_a_4_the_other_commands():
    """Marcellus commands until a 4 gives Varro the command."""
    people = {"varro": "consul", "marcellus": "consul"}
    more = (force("rome", "arpi", 6, "marcellus", "varro"),)

    def clash(*faces):
        state = war(force("carthage", "beneventum", 8, "hannibal"), *more, ranks=people)
        state = step(march(state, "hannibal"), "arpi", 8)
        return do(state, "rome", "stand", *faces).state

    assert clash(3).fighting().commanders["rome"] == "marcellus"
    assert clash(4).fighting().commanders["rome"] == "varro"


def test_battle_1a_carthage_may_roll_when_it_defends():
    state = war(force("rome", "beneventum", 12, "marcellus", "varro"), force("carthage", "arpi", 6), active="rome")
    state = step(march(state, "marcellus"), "arpi", 10, companions=("varro",))
    assert asked(state) == "command"
    assert do(state, "carthage", "change_command", 6).state.fighting().commanders["rome"] == "varro"
    assert do(state, "carthage", "pass").state.fighting().commanders["rome"] == "marcellus"


def test_battle_2_the_attacker_plays_battle_events_first_and_battle_3_then_the_defender():
    state = meeting(cards=(33, 20), others=(59, 62))
    assert asked(state) == "battle_events" and state.asks().seat == "carthage"
    state = do(state, "carthage", "battle_event", card=20).state
    state = (
        do(state, "carthage", "pass").state
        if asked(state) == "battle_events" and state.asks().seat == "carthage"
        else state
    )
    assert state.asks().seat == "rome" and state.asks().kind == "battle_events"
    state = do(state, "rome", "battle_event", card=59).state
    battle = state.fighting()
    assert len(battle.shown["rome"]) == len(battle.hands["rome"]) // 2
    full = hand_size(state, "carthage")[0]
    assert len(battle.hands["carthage"]) == full - 1


def test_round_6_with_an_empty_battle_hand_card_59_may_still_bring_a_card():
    """battle.2, strategy.event.2 "Before or during the battle": it takes a card of the enemy's, which may match."""
    state = do(
        with_hands(pass_all(meeting(others=(59, 62))), [PROBE, PROBE], []),
        "carthage",
        "attack",
        card=PROBE,
        as_kind=PROBE,
    )
    assert asked(state.state) == "match" and offered(state.state, "rome", "battle_event")
    state = do(state.state, "rome", "battle_event", card=59).state
    state = reply(state, "rome", PROBE)
    assert state.state.battle is not None and state.state.fighting().winner is None


def test_round_6_nobody_is_asked_when_the_enemy_has_no_card_left_to_take():
    state = with_hands(pass_all(meeting(others=(59, 62))), [PROBE], [])
    state = do(state, "carthage", "attack", 1, 1, card=PROBE, as_kind=PROBE)
    assert "battle_lost" in kinds(state)


def test_strategy_event_2_card_59_waits_for_a_card_that_could_desert():
    """The attack with the last card is on the table: the defender has the card, and there is nothing to take."""
    state = with_hands(pass_all(meeting(others=(59, 62))), [PROBE], [PROBE])
    state = do(state, "carthage", "attack", card=PROBE, as_kind=PROBE).state
    assert asked(state) == "match" and not offered(state, "rome", "battle_event")
    assert "could desert" in refused(state, "rome", "battle_event", "strategy.event.2", card=59)


def test_round_6_the_attacker_too_before_the_next_round():
    """round.3 The last card was matched and nobody counter-attacked: Hannibal is asked, though his hand is empty."""
    state = with_hands(pass_all(meeting(cards=(33, 59))), [PROBE], [PROBE, PROBE])
    state = reply(play(state, "carthage", PROBE).state, "rome", PROBE).state
    state = do(state, "rome", "pass").state if asked(state) == "counter_attack" else state
    assert asked(state) == "attack" and offered(state, "carthage", "battle_event")
    assert offered(state, "carthage", "concede") == [{}]


def test_strategy_event_2_whoever_may_hold_card_59_is_asked():
    """With counter_prompts "always" the question tells the enemy nothing."""
    hands = ([PROBE, PROBE], [])
    asked_of = {
        others: asked(
            play(
                with_hands(pass_all(meeting(others=others, options={"counter_prompts": "always"})), *hands),
                "carthage",
                PROBE,
            ).state
        )
        for others in ((59, 62), (61, 62))
    }
    assert asked_of == {(59, 62): "match", (61, 62): "match"}


def pass_all(state):
    """The same when both have let the battle events go by."""
    while asked(state) in ("battle_events", "elephants", "counter"):
        state = do(state, state.asks().seat, "pass").state
    return state


def test_battle_4_elephants_charge_and_elephants_2_before_cards_are_seen_and_battle_4a_beat_the_roman_rating():
    """Two elephants, die 4 against Marcellus' 3."""
    state = meeting(elephants=2)
    assert asked(state) == "elephants" and state.fighting().hands == {"rome": (), "carthage": ()}
    good = do(state, "carthage", "charge", 4)
    assert len(good.state.fighting().hands["rome"]) == hand_size(good.state, "rome")[0] - 2
    bad = do(state, "carthage", "charge", 3)
    assert len(bad.state.fighting().hands["rome"]) == hand_size(bad.state, "rome")[0]


def test_battle_4c_each_elephant_takes_a_card_and_battle_5a_off_the_full_hand():
    """Three elephants take three of the twenty cards (hands.1), not of the 23 that Rome would have without a limit."""
    state = do(meeting(elephants=3, romans=20), "carthage", "charge", 4).state
    assert hand_size(state, "rome")[0] == 20 and len(state.fighting().hands["rome"]) == 17


def test_battle_4b_without_a_roman_general_a_2_is_enough():
    state = meeting(elephants=2, roman=None)
    assert the(do(state, "carthage", "charge", 2), "elephant_roll")["success"]


def test_battle_4d_a_1_costs_carthage_a_card():
    state = do(meeting(elephants=2), "carthage", "charge", 1).state
    assert len(state.fighting().hands["carthage"]) == hand_size(state, "carthage")[0] - 1


def test_battle_5_the_hand_is_and_battle_5b_the_rating_and_battle_5c_the_units():
    """Hannibal 4 and 8 CUs; Marcellus 3, 6 CUs and two allies in Italy."""
    state = meeting()
    size, parts = hand_size(state, "carthage")
    assert (size, parts) == (12, {"commander": 4, "units": 8})
    assert hand_size(state, "rome") == (11, {"commander": 3, "units": 6, "allies": 2})
    assert len(state.fighting().hands["carthage"]) == 12 and len(state.fighting().hands["rome"]) == 11


def test_battle_5h_3_rome_has_two_allies_in_italy_at_most_and_latium_none():
    """battle.5h, battle.5h.3"""
    lost = {
        space: "carthage"
        for space in (
            "pisae",
            "faesulae",
            "falerii",
            "ariminum",
            "firmum_picenum",
            "sena",
            "cannae",
            "beneventum",
            "brundisium",
            "heraclea",
            "paestium",
            "croton",
        )
    }
    assert hand_size(meeting(control=lost, places={"capua": {"control": "carthage"}}), "rome")[1] == {
        "commander": 3,
        "units": 6,
    }
    assert hand_size(meeting(control=lost), "rome")[1]["allies"] == 1


def test_battle_5h_1_eastern_and_battle_5h_2_western_numidia_give_two():
    """Carthage, Carthaginia and both Numidias: six cards in Africa."""
    state = meeting(general="hasdrubal", space="cirta", start="thubursicu", romans=6)
    assert hand_size(state, "carthage")[1]["allies"] == 6
    one = meeting(
        general="hasdrubal",
        space="cirta",
        start="thubursicu",
        control={space: "rome" for space in ("sitilis", "thamugadi", "thevestis")},
    )
    assert hand_size(one, "carthage")[1]["allies"] == 4


def test_battle_5h_4_islands_count_only_there_and_hands_3_corsica_sardinia_is_one():
    """battle.5h.4, hands.3 By the source an island's province helps only where it is; by option on the whole island."""
    for option, cards in (("province", 1), ("island", 2)):
        sicily = meeting(
            general="mago",
            space="agrigentum",
            start="lilybaeum",
            control={"lilybaeum": "carthage"},
            options={"island_allies": option},
        )
        assert hand_size(sicily, "rome")[1]["allies"] == cards
    sardinia = meeting(general="mago", space="nuoro", start="oristano")
    assert hand_size(sardinia, "rome")[1]["allies"] == 1


def test_hands_2_no_allies_without_a_general():
    """hands.2"""
    assert "allies" not in hand_size(meeting(roman=None), "rome")[1]


def test_battle_5f_rome_has_two_more_in_latium_and_battle_5g_carthage_one_on_a_tribe():
    latium = war(force("carthage", "praeneste", 8, "hannibal"), force("rome", "rome", 6, "marcellus"))
    latium = do(step(march(latium, "hannibal"), "rome", 8), "rome", "stand").state
    assert hand_size(latium, "rome")[1]["latium"] == 2
    tribe = war(force("carthage", "boii", 6, "hasdrubal"), force("rome", "verona", 8, "marcellus"), active="rome")
    tribe = step(march(tribe, "marcellus"), "boii", 8)
    tribe = do(tribe, "carthage", "stand").state if asked(tribe) == "avoid" else tribe
    assert hand_size(tribe, "carthage")[1]["tribe"] == 1


def test_hands_1_twenty_cards_before_elephants():
    """hands.1"""
    state = war(force("carthage", "beneventum", 10, "hannibal"), force("rome", "arpi", 20, "marcellus"))
    state = step(march(state, "hannibal"), "arpi", 10)
    state = do(state, "rome", "stand").state
    assert hand_size(state, "rome")[0] == 20 and len(state.fighting().hands["rome"]) == 20


def test_elephants_1_only_four_exist():
    """elephants.1"""
    state = war(
        force("carthage", "carthage", 2, "hanno"),
        force("carthage", "zama", 0, "mago", elephants=3),
        force("rome", "cosa", 5, "nero"),
        cards=(12,),
    )
    assert do(state, "carthage", "event", card=12).state.spaces["carthage"].carthage == Troops(3, 1)


# the rounds


def test_round_1_the_attacker_plays_and_round_2_the_defender_matches_or_loses_and_battle_6_round_by_round():
    state = play(fight([FL, FA], [FL, FR]), "carthage", FL).state
    refused(state, "rome", "match", "round.2", card=FR)
    matched = reply(state, "rome", FL).state
    assert asked(matched) == "counter_attack" and asked(do(matched, "rome", "pass").state) == "attack"
    outcome = do(state, "rome", "concede", 1, 3)
    assert the(outcome, "battle_lost") == {"side": "rome", "space": "arpi", "by": FL}


def test_round_2_he_may_lose_on_purpose_and_a_reserve_is_any_card():
    state = play(fight([FL, FA], [RESERVE, FL]), "carthage", FL).state
    assert {card for fields in offered(state, "rome", "match") for card in fields["card"]} == {FL, RESERVE}
    assert reply(state, "rome", RESERVE).state.fighting().hands["rome"] == (FL,)
    assert offered(state, "rome", "concede") == [{}]


def test_round_2_hannibals_probe_once_a_battle():
    """movement.command.6: a Probe as a flank attack, only once."""
    state = fight([PROBE, PROBE, FA], [FL, FL, FA])
    state = play(state, "carthage", PROBE, FL).state
    state = do(reply(state, "rome", FL).state, "rome", "pass").state
    refused(state, "carthage", "attack", "round.2", card=PROBE, as_kind=FL)
    assert state.fighting().probe_used


def test_round_3_a_match_lets_the_defender_roll_and_round_4_no_higher_than_the_rating_and_round_5_he_attacks_next():
    state = reply(play(fight([FL, FA], [FL, FA]), "carthage", FL).state, "rome", FL).state
    assert do(state, "rome", "counter_attack", 3).state.fighting().initiative == "rome"
    assert do(state, "rome", "counter_attack", 4).state.fighting().initiative == "carthage"
    assert do(state, "rome", "pass").state.fighting().initiative == "carthage"


def test_round_3a_a_double_envelopment_takes_the_initiative_without_a_roll():
    state = play(fight([DE, FA], [DE, FA]), "carthage", DE).state
    state = reply(state, "rome", DE).state
    assert asked(state) == "attack" and state.fighting().initiative == "rome"


def test_round_3a_but_not_against_maharbals_cavalry():
    state = fight([FA], [DE, FA], cards=(33, 6))
    state = play(state, "carthage", "maharbal", DE).state
    assert asked(reply(state, "rome", DE).state) == "counter_attack" and 6 in state.discard


def test_round_4_longus_as_attacker_and_paulus_as_defender_have_their_own_limits():
    state = reply(play(fight([FL, FA], [FL, FA], roman="paulus"), "carthage", FL).state, "rome", FL).state
    assert do(state, "rome", "counter_attack", 3).state.fighting().initiative == "rome"


def test_round_4a_without_a_general_there_is_no_counter_attack():
    state = reply(play(fight([FL, FA], [FL, FA], roman=None), "carthage", FL).state, "rome", FL).state
    assert asked(state) == "attack" and state.asks().seat == "carthage"


def test_round_6_an_attacker_without_a_card_loses():
    state = fight([FL], [FL, FA])
    state = reply(play(state, "carthage", FL).state, "rome", FL).state
    outcome = do(state, "rome", "pass", 1, 1)
    assert the(outcome, "battle_lost") == {"side": "carthage", "space": "arpi", "by": None}
    assert the(outcome, "retreat_losses")["modifier"] == 0


def test_round_7_the_battle_deck_is_whole_again():
    state = do(play(fight([FL, FA], [FR]), "carthage", FL).state, "rome", "concede", 1, 1).state
    while asked(state) in ("retreat", "remove"):
        kind = asked(state)
        fields = offered(state, "rome", kind)[0]
        if kind == "retreat":
            state = do(state, "rome", "retreat", to=fields["to"][0]).state
        else:
            state = do(state, "rome", "remove", space=fields["space"][0]).state
    assert state.battle is None and state.march is None


# withdrawal


def withdrawing(*faces, **more):
    """Carthage, attacking, rolls to withdraw to Beneventum, which is its own."""
    state = fight([FL, FA], [FL, FA], control={"beneventum": "carthage"}, **more)
    return do(state, "carthage", "withdraw", *faces, to="beneventum")


def test_round_1a_the_withdrawal_roll_and_withdrawal_1_instead_of_a_card_and_round_1d_failure_turns_the_attack():
    assert asked(withdrawing(4).state) == "cancel"
    failed = withdrawing(5).state
    assert asked(failed) == "attack" and failed.asks().seat == "rome"
    assert failed.fighting().hands["carthage"] == (FL, FA)  # no card was played


def test_round_1b_the_defender_may_cancel_and_withdrawal_2_that_counts_as_failed_and_reading_1_as_the_rules_say():
    """Where the source differs (the defender may choose) the condensed rules stand."""
    stopped = do(withdrawing(4).state, "rome", "cancel", 3).state
    assert stopped.fighting().initiative == "rome" and asked(stopped) == "attack"


def test_withdrawal_2_the_option_lets_the_defender_choose():
    state = withdrawing(5, options={"cancelled_withdrawal": "defender_chooses"}).state
    assert asked(state) == "take_initiative"
    assert do(state, "rome", "pass").state.fighting().initiative == "carthage"


def test_round_1c_the_army_leaves_and_round_1c_6_both_take_casualties_and_withdrawal_3_without_the_retreat_table():
    state = fight([FL, FA], [FL, FA], control={"beneventum": "carthage"})
    state = do(reply(play(state, "carthage", FL).state, "rome", FL).state, "rome", "pass").state
    state = do(state, "carthage", "withdraw", 1, to="beneventum").state
    outcome = do(state, "rome", "cancel", 6, 6)
    assert "retreat_losses" not in kinds(outcome) and outcome.state.battle is None
    assert outcome.state.spaces["beneventum"].carthage == Troops(7) and outcome.state.spaces["arpi"].rome == Troops(5)


def test_round_1c_1_not_onto_enemy_ground_and_round_1c_3_the_attacker_only_back():
    state = fight([FL, FA], [FL, FA])
    refused(state, "carthage", "withdraw", "round.1c.1", to="beneventum")
    state = fight([FL, FA], [FL, FA], control={"beneventum": "carthage", "cannae": "carthage"})
    refused(state, "carthage", "withdraw", "round.1c.1", to="cannae")


def test_round_1c_4_the_defender_never_where_the_attacker_came_from():
    state = fight([DE, FL], [DE, FL], control={"beneventum": "rome", "cannae": "carthage"})
    state = reply(play(state, "carthage", DE).state, "rome", DE).state
    assert offered(state, "rome", "withdraw") == [{"to": ["terventum"]}]


def test_round_1c_2_not_over_a_pass():
    state = war(force("carthage", "verona", 8, "hannibal"), force("rome", "mutina", 6, "marcellus"))
    state = do(step(march(state, "hannibal"), "mutina", 8), "rome", "stand").state
    state = with_hands(state, [DE, FL], [DE, FL])
    state = reply(play(state, "carthage", DE).state, "rome", DE).state
    assert all("faesulae" not in fields["to"] for fields in offered(state, "rome", "withdraw"))


def test_round_1c_5_a_sortie_withdraws_only_into_its_city():
    state = war(
        force("carthage", "capua", 3, "mago"),
        force("rome", "capua", 0, "nero", inside=2),
        active="rome",
        places={"capua": {"siege": 1, "besieger": "carthage"}},
    )
    state = do(march(state, "nero"), "rome", "sortie", units=2, elephants=0, companions=[]).state
    state = with_hands(state, [FL], [FL])
    assert offered(state, "rome", "withdraw") == [{"to": ["city"]}]
    state = do(state, "rome", "withdraw", 1, to="city").state
    state = do(state, "carthage", "pass").state
    assert state.spaces["capua"].inside == Troops(2) and state.generals["nero"].inside


def test_round_1b_flaminius_stops_a_withdrawal_on_4():
    assert asked(do(withdrawing(1, roman="flaminius").state, "rome", "cancel", 4).state) == "attack"
