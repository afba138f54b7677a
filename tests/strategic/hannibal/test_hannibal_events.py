"""The 64 cards: each event by what it does, and the counter-events at their moments."""

import pytest

from kit.hannibal_war import asked, do, force, kinds, march, not_yours, offered, refused, sail, step, the, war
from strategic.hannibal.rules.events import EVENTS, no_options
from strategic.hannibal.tables import CARDS, PROVINCES
from strategic.point_to_point.state import Troops

HANNO = force("carthage", "carthage", 4, "hanno")
HOME = force("rome", "rome", 8, "p_scipio")


def event(card, side="carthage", *forces, choices=(), faces=(), **more):
    """The card played as an event, with its choices answered."""
    people = {name for each in forces for name in each["generals"]}
    usual = [each for each in (HANNO, HOME) if not people & set(each["generals"])]
    usual = [each for each in usual if each["space"] not in {f["space"] for f in forces}]
    state = war(*usual, *forces, active=side, cards=(card, 61), **more)
    if not choices:
        return do(state, side, "event", *faces, card=card).state
    state = do(state, side, "event", card=card).state
    for choice in choices[:-1]:
        state = do(state, side, "choose", choice=choice).state
    return do(state, side, "choose", *faces, choice=choices[-1]).state


def barred(card, side="carthage", *forces, rule="strategy.3", **more):
    usual = [] if forces else [HANNO, HOME]
    state = war(*usual, *forces, active=side, cards=(card, 61), **more)
    refused(state, side, "event", rule, card=card)


def test_every_card_has_its_event_and_every_event_its_handler():
    """reading.6: no event is left to the players except drawing from a hand that the program does not know."""
    for card in CARDS.values():
        assert bool(card.use) + bool(card.campaign) + bool(card.event) == 1, card.number
        if card.event and not card.answer_only:
            assert card.event in EVENTS, card.number
    assert len(CARDS) == 64
    assert all((kind.act is None) == (kind.options is no_options) for kind in EVENTS.values())


def test_cards_1_2_4_revolts():
    """strategy.3: PCs that no own CU covers."""
    state = event(1)
    assert all(state.spaces[s].control is None for s in PROVINCES["corsica_sardinia"].spaces)
    sicily = event(2, "carthage", force("rome", "enna", 1))
    assert sicily.spaces["enna"].control == "rome" and sicily.spaces["messana"].control == "rome"
    assert sicily.spaces["panormus"].control is None
    assert event(4, "rome").spaces["arsa"].control is None
    barred(4)


def test_card_3_numidia_revolts():
    state = event(3, "rome", choices=("eastern_numidia",))
    assert state.spaces["cirta"].control is None and state.spaces["icosium"].control == "carthage"


def test_card_9_macedon_first_for_carthage_then_against():
    state = event(9, others=(35, 36))
    assert state.lasting.macedon == "allied" and len(state.hands["rome"]) == 1 and 9 in state.discard
    barred(9, lasting={"macedon": "allied"})
    ended = event(9, "rome", others=(35, 36), lasting={"macedon": "allied"})
    assert ended.lasting.macedon == "ended" and 9 in ended.removed
    barred(9, "rome")


def test_card_10_macedonians_need_the_alliance():
    barred(10)
    state = event(10, choices=("tacapae",), lasting={"macedon": "allied"})
    assert state.spaces["tacapae"].carthage == Troops(2)


def test_card_11_slingers_for_who_holds_the_baleares():
    assert event(11, choices=("malaca",)).spaces["malaca"].carthage == Troops(1)
    barred(11, "rome")


def test_card_12_elephants_in_carthage():
    assert event(12).spaces["carthage"].carthage == Troops(4, 2)
    besieged = {"carthage": {"siege": 1, "besieger": "rome", "inside": {"units": 1}}}
    barred(12, "carthage", force("rome", "carthage", 5, "nero"), places=besieged)


@pytest.mark.parametrize("card, space", [(13, "heraclea"), (14, "taurini"), (16, "tolosa"), (15, "toletum")])
def test_cards_13_to_16_recruits_with_a_general(card, space):
    state = event(card, "carthage", force("carthage", space, 1, "mago"), choices=(space,))
    assert state.spaces[space].carthage == Troops(3)
    barred(card)


def test_card_17_surprise_sortie_49_the_fleet_and_53_the_tribes():
    places = {"gades": {"siege": 2, "besieger": "rome"}, "averni": {"siege": 1, "besieger": "rome"}}
    forces = (force("rome", "gades", 3, "nero"), force("rome", "averni", 3, "varro"))
    assert event(17, "carthage", *forces, choices=("gades",), places=places).spaces["gades"].siege == 1
    assert event(49, "carthage", *forces, choices=("gades",), places=places).spaces["gades"].siege == 0
    assert event(53, "carthage", *forces, choices=("averni",), places=places).spaces["averni"].siege == 0


def test_card_49_capua_is_no_port():
    places = {"capua": {"siege": 2, "besieger": "carthage"}}
    barred(49, "rome", HANNO, HOME, force("carthage", "capua", 3, "mago"), places=places)


def test_card_18_a_traitor_opens_tarentum():
    state = war(
        HANNO,
        HOME,
        force("carthage", "tarentum", 3, "hannibal"),
        cards=(18, 61),
        places={"tarentum": {"inside": {"units": 2}}},
    )
    state = march(state, "hannibal", 18, "event")
    state = do(state, "carthage", "besiege", general="hannibal", units=3, elephants=0).state
    assert state.spaces["tarentum"].control == "carthage" and state.spaces["tarentum"].inside == Troops()


def test_card_19_a_proconsul_is_dismissed_but_never_africanus():
    forces = (force("rome", "cannae", 5, "nero"),)
    state = event(19, "carthage", *forces, choices=("fabius",), ranks={"nero": "proconsul"})
    assert state.generals["fabius"].space == "cannae" and state.generals["fabius"].rank == "proconsul"
    assert state.generals["nero"].status == "pool"
    barred(
        19,
        "carthage",
        HANNO,
        HOME,
        force("rome", "cannae", 5, "scipio_africanus"),
        ranks={"scipio_africanus": "proconsul"},
    )


def test_card_21_mercenaries_desert_unless_their_general_holds_them():
    forces = (force("carthage", "cannae", 5, "mago"), force("carthage", "gades", 4))
    lost = event(21, "rome", *forces, faces=(3, 4))
    assert lost.spaces["cannae"].carthage == Troops(4) and lost.spaces["gades"].carthage == Troops(4)
    assert event(21, "rome", *forces, faces=(2,)).spaces["cannae"].carthage == Troops(5)


def test_card_22_mutins_numidians():
    state = event(22, choices=("enna",))
    assert state.spaces["enna"].carthage == Troops(1) and state.spaces["enna"].control == "carthage"


def test_cards_23_and_24_pcs_in_numidia():
    state = event(23, "rome", choices=("cirta", "sitilis", "thamugadi"))
    assert [state.spaces[s].control for s in ("cirta", "sitilis", "thamugadi")] == ["rome"] * 3
    taken = {space: "rome" for name in ("eastern_numidia", "western_numidia") for space in PROVINCES[name].spaces}
    state = war(HANNO, HOME, cards=(24, 61), control=taken)
    state = do(do(state, "carthage", "event", card=24).state, "carthage", "choose", choice="cirta").state
    assert set(offered(state, "carthage", "choose")[0]["choice"]) <= set(PROVINCES["eastern_numidia"].spaces)
    assert do(state, "carthage", "done").state.spaces["cirta"].control == "carthage"


def test_cards_25_and_26_cities_go_over():
    italy = {s: "carthage" for name in ("gallia_cisalpina", "etruria", "samnium") for s in PROVINCES[name].spaces}
    state = event(25, control=italy, places={"capua": {"inside": {"units": 2}}})
    assert (state.spaces["capua"].control, state.spaces["capua"].inside) == (
        "carthage",
        Troops(),
    ) and 25 in state.removed
    barred(25)
    syracuse = event(26)
    assert syracuse.spaces["syracuse"].control == "carthage" and 26 in syracuse.removed
    barred(26, control={"syracuse": "carthage"})


def test_card_27_hannibal_in_italy_flips_two():
    state = event(27, "carthage", force("carthage", "arpi", 5, "hannibal"), choices=("cannae", "cosa"))
    assert state.spaces["cannae"].control == state.spaces["cosa"].control == "carthage"
    barred(27)


def test_card_28_hannibal_charms_the_spaces_that_he_enters():
    state = war(HANNO, HOME, force("carthage", "beneventum", 5, "hannibal"), cards=(28, 61))
    state = step(march(state, "hannibal", 28, "event"), "arpi", 5)
    assert state.spaces["arpi"].control is None and state.spaces["beneventum"].control == "rome"


def test_card_29_only_campaigns_carry_rome_by_sea():
    state = event(29)
    assert state.lasting.naval_victory
    rome = war(
        HANNO, force("rome", "cosa", 5, "p_scipio"), active="rome", cards=(3, 61), lasting={"naval_victory": True}
    )
    rome = march(rome, "p_scipio", 3)
    refused(rome, "rome", "sail", "strategy.event.1", to="massilia", units=5, elephants=0, companions=[])


def test_card_30_the_siege_train_and_where_it_cannot_go():
    state = event(30, choices=("hanno",))
    assert state.lasting.siege_train == "hanno"
    alps = war(HANNO, HOME, force("carthage", "druentia", 10, "hannibal"), lasting={"siege_train": "hannibal"})
    assert step(march(alps, "hannibal"), "taurini", 10, 1).lasting.siege_train is None


def test_cards_31_and_32_allies_desert_in_hispania_and_africa():
    def hand(card, space, start, defender):
        state = war(
            HOME,
            force("rome", start, 6, "marcellus"),
            force("carthage", space, 6, defender),
            active="rome",
            cards=(33, card, 61),
        )
        state = step(march(state, "marcellus"), space, 6)
        state = do(state, "carthage", "stand").state if asked(state) == "avoid" else state
        outcome = do(state, "rome", "battle_event", card=card)
        if asked(outcome.state) == "battle_events":
            outcome = do(outcome.state, "rome", "pass")
        return next(
            e.data["parts"].get("allies", 0)
            for e in outcome.events
            if e.type == "battle_hand" and e.data["side"] == "carthage"
        )

    assert hand(31, "toletum", "segovia", "mago") == 0
    assert hand(32, "cirta", "sitilis", "hasdrubal") == 2


@pytest.mark.parametrize("card", [35, 36])
def test_cards_35_and_36_diplomacy(card):
    state = event(card, "carthage", force("rome", "cannae", 1), choices=("cosa",))
    assert state.spaces["cosa"].control == "carthage"
    refused(
        do(war(HANNO, HOME, force("rome", "cannae", 1), cards=(card, 61)), "carthage", "event", card=card).state,
        "carthage",
        "choose",
        "strategy.3",
        choice="cannae",
    )


def test_card_43_volones_when_italy_falls():
    barred(43, "rome")
    italy = {s: "carthage" for name in ("gallia_cisalpina", "etruria", "samnium") for s in PROVINCES[name].spaces}
    assert event(43, "rome", control=italy).spaces["rome"].rome == Troops(12)


@pytest.mark.parametrize(
    "card, province", [(44, "apulia"), (45, "etruria"), (46, "samnium"), (47, "lucania"), (48, "campania")]
)
def test_cards_44_to_48_auxiliaries(card, province):
    assert event(card, "rome", choices=("rome",)).spaces["rome"].rome == Troops(10)
    lost = dict.fromkeys(PROVINCES[province].spaces, "carthage")
    barred(card, "rome", control=lost)


def test_card_50_pirates_carry_three_past_the_fleet():
    state = war(HOME, force("carthage", "carthage", 5, "hasdrubal"), cards=(50, 61))
    state = march(state, "hasdrubal", 50, "event")
    refused(state, "carthage", "sail", "movement.sea.2", to="croton", units=4, elephants=0, companions=[])
    outcome = sail(state, "croton", 3)
    assert outcome.state.spaces["croton"].carthage == Troops(3) and "naval_roll" not in kinds(outcome)


def test_cards_51_and_52_epidemic_and_pestilence():
    state = event(51, "rome", force("carthage", "toletum", 10, "mago"), choices=("toletum",), faces=(5,))
    assert state.spaces["toletum"].carthage == Troops(7)
    siege = {"capua": {"siege": 1, "besieger": "carthage"}}
    state = event(52, "rome", force("carthage", "capua", 10, "mago"), choices=("capua",), faces=(5,), places=siege)
    assert state.spaces["capua"].carthage == Troops(7)


def test_card_54_treachery_rolls_twice():
    state = march(war(HANNO, HOME, force("carthage", "capua", 5, "hannibal"), cards=(54, 61)), "hannibal", 54, "event")
    outcome = do(state, "carthage", "besiege", 5, 5, general="hannibal", units=5, elephants=0)
    assert outcome.state.spaces["capua"].siege == 2


def test_card_55_a_card_is_taken_unseen():
    state = event(55, others=(35,))
    assert 35 in state.hands["carthage"] and state.hands["rome"] == ()
    barred(55, others=())


def test_card_56_grain_shortage():
    barred(56)
    sicily = {"lilybaeum": "carthage", "panormus": "carthage", "agrigentum": "carthage"}
    state = event(56, choices=("cannae", "cosa", "pisae"), control=sicily)
    assert [state.spaces[s].control for s in ("cannae", "cosa", "pisae")] == [None] * 3


def test_cards_57_and_58_keep_units_out_until_the_reshuffle():
    state = war(HOME, force("carthage", "carthage", 5, "hasdrubal"), cards=(3,), lasting={"hanno_counsels": True})
    state = march(state, "hasdrubal", 3)
    refused(state, "carthage", "sail", "strategy.event.1", to="gades", units=5, elephants=0, companions=[])
    roman = war(HANNO, force("rome", "cosa", 5, "p_scipio"), active="rome", cards=(3,), lasting={"cato_counsels": True})
    refused(
        march(roman, "p_scipio", 3), "rome", "sail", "strategy.event.1", to="utica", units=5, elephants=0, companions=[]
    )
    assert event(57, "rome").lasting.hanno_counsels and event(58).lasting.cato_counsels


def test_cards_61_to_63_force_march():
    for card, limit in ((61, 1), (62, 2), (63, 3)):
        assert CARDS[card].points == 6 and CARDS[card].most_strategy == limit


def test_card_64_the_truce_and_what_breaks_it():
    state = event(64)
    assert state.lasting.truce and state.lasting.reshuffle
    truce = {"truce": True}
    moving = march(
        war(HOME, force("carthage", "ilerda", 5, "hannibal"), force("rome", "tarraco", 2), lasting=truce), "hannibal"
    )
    refused(moving, "carthage", "step", "strategy.event.1", to="tarraco", units=5, elephants=0, companions=[])
    siege = war(HOME, force("carthage", "capua", 5, "hannibal"), lasting=truce, control={"beneventum": None})
    refused(
        march(siege, "hannibal"), "carthage", "besiege", "strategy.event.1", general="hannibal", units=5, elephants=0
    )
    assert not event(35, choices=("cosa",), lasting=truce).lasting.truce
    assert event(64, lasting={}).lasting.truce


# counter-events


def test_strategy_event_2_only_the_other_side_answers_and_only_at_the_moment():
    state = war(HOME, force("carthage", "carthage", 5, "hasdrubal"), cards=(3,), others=(60, 62))
    state = sail(march(state, "hasdrubal", 3), "gades", 5).state
    assert asked(state) == "counter" and state.asks().seat == "rome"
    not_yours(state, "carthage", "counter", card=60)
    refused(state, "rome", "counter", "strategy.event.2", card=62)
    outcome = do(state, "rome", "counter", 3, 1, card=60)
    assert outcome.state.spaces["gades"].carthage == Troops(3) and the(outcome, "attrition")["modifier"] == 2


def test_tables_attrition_tribes_cards_7_and_8_always_read_the_column_of_five():
    state = war(HOME, force("carthage", "ilerda", 2, "hannibal"), others=(7, 62))
    state = step(march(state, "hannibal"), "tolosa", 2, 1)
    outcome = do(state, "rome", "counter", 5, card=7)
    assert the(outcome, "attrition")["lost"] == 2
    settled = event(8, "rome", force("carthage", "tolosa", 2, "hannibal"), choices=("tolosa",), faces=(5,))
    assert settled.spaces["tolosa"].carthage == Troops()


def test_card_41_bad_weather_takes_the_general_back_to_the_second_space():
    state = war(HOME, force("carthage", "toletum", 5, "hasdrubal"), others=(41, 62))
    state = march(state, "hasdrubal")
    for space in ("segobriga", "bilbilis", "azaila"):
        state = step(state, space, 5)
    state = do(state, "carthage", "halt").state
    state = do(state, "rome", "counter", card=41).state
    assert state.generals["hasdrubal"].space == "bilbilis" and state.spaces["bilbilis"].carthage == Troops(5)


def test_card_41_undoes_a_voyage_and_prevents_the_battle():
    state = war(
        HOME, force("carthage", "carthage", 5, "hasdrubal"), force("rome", "croton", 5), cards=(3,), others=(41, 62)
    )
    state = sail(march(state, "hasdrubal", 3), "croton", 5, 1).state
    assert asked(state) == "counter"
    state = do(state, "rome", "counter", card=41).state
    assert state.spaces["carthage"].carthage == Troops(5) and state.battle is None


def test_card_41_is_not_asked_for_after_two_spaces():
    state = war(HOME, force("carthage", "toletum", 5, "hasdrubal"), others=(41, 62))
    state = step(march(state, "hasdrubal"), "segobriga", 5)
    assert asked(do(state, "carthage", "halt").state) == "card"


def test_card_42_frightens_the_elephants():
    state = war(
        HOME,
        force("carthage", "beneventum", 6, "hannibal", elephants=2),
        force("rome", "arpi", 6, "marcellus"),
        others=(42, 62),
    )
    state = do(step(march(state, "hannibal"), "arpi", 6, elephants=2), "rome", "stand").state
    state = do(state, "carthage", "charge").state
    outcome = do(state, "rome", "counter", card=42)
    hands = {e.data["side"]: e.data for e in outcome.events if e.type == "battle_hand"}
    assert hands["carthage"]["dealt"] - hands["carthage"]["cards"] == 2
    assert hands["rome"]["dealt"] == hands["rome"]["cards"]


def test_counter_prompts_always_asks_whoever_may_hold_the_card():
    """strategy.event.2: the question tells nothing; a hand without the card is asked all the same."""

    def halted(others, **options):
        state = war(HOME, force("carthage", "toletum", 5, "hasdrubal"), others=others, options=options)
        state = march(state, "hasdrubal")
        for space in ("segobriga", "bilbilis", "azaila"):
            state = step(state, space, 5)
        return asked(do(state, "carthage", "halt").state)

    assert halted((62,), counter_prompts="always") == halted((41,), counter_prompts="always") == "counter"
    assert halted((62,)) == "card" and halted((41,)) == "counter"
