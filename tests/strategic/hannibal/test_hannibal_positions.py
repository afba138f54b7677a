"""Positions, adjustments, options, and secrets."""

import random

import pytest
from msgspec.structs import replace

from kit.hannibal_war import asked, dice, do, force, march, not_yours, refused, step, war
from strategic.hannibal import HANNIBAL
from strategic.hannibal.rules.book import hand_size
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import BadInput, decode, encode

HANNO = force("carthage", "carthage", 4, "hanno")
HOME = force("rome", "rome", 8, "p_scipio")


def start(**position):
    return HANNIBAL.start(None, position, {}, dice()).state


def test_fields_left_out_take_their_defaults():
    state = start(spaces={"saguntum": {"carthage": {"units": 10}}}, generals={"hannibal": {"space": "saguntum"}})
    assert (
        state.turn == 1
        and state.generals["hannibal"].status == "board"
        and state.generals["mago"].status == "displaced"
    )
    assert state.spaces["capua"].control == "rome" and len(state.hands["rome"]) == 7
    assert start(hands={"rome": [1, 2]}, active="rome").hands == {"rome": (1, 2), "carthage": ()}


@pytest.mark.parametrize(
    "position, path",
    [
        ({"generals": {"hannibal": {"space": "atlantis"}}}, "generals.hannibal.space"),
        ({"spaces": {"atlantis": {}}}, "spaces.atlantis"),
        ({"generals": {"caesar": {}}}, "generals.caesar"),
        ({"spaces": {"rome": {"rome": {"units": -1}}}}, "spaces.rome.rome"),
        ({"spaces": {"rome": {"rome": {"units": 500}}}}, "spaces"),
        ({"spaces": {"zama": {"carthage": {"elephants": 5}}}}, "spaces"),
        ({"spaces": {"rome": {"rome": {"elephants": 1}}}}, "spaces.rome.rome.elephants"),
        ({"spaces": {"rome": {"control": "carthage"}}}, "spaces.rome.control"),
        ({"spaces": {"capua": {"control": None}}}, "spaces.capua.control"),
        ({"spaces": {"capua": {"inside": {"units": 3}}}}, "spaces.capua.inside"),
        ({"spaces": {"zama": {"rome": {"units": 1}, "carthage": {"units": 1}}}}, "spaces.zama"),
        ({"spaces": {"cannae": {"siege": 1}}}, "spaces.cannae.siege"),
        ({"spaces": {"capua": {"siege": 1}}}, "spaces.capua.besieger"),
        ({"spaces": {"boii": {"control": "rome"}}}, "spaces.boii.control"),
        ({"spaces": {"cannae": {"tribe": True}}}, "spaces.cannae.tribe"),
        ({"spaces": {"cannae": {"colour": "red"}}}, "spaces.cannae.colour"),
        ({"spaces": {"cannae": {"rome": {"units": "many"}}}}, "spaces[...].rome.units"),
        ({"generals": {"nero": {"space": "cannae", "inside": True}}}, "generals.nero.inside"),
        ({"hands": {"rome": [1], "carthage": [1]}}, "hands"),
        ({"hands": {"rome": [99], "carthage": [1]}}, "deck"),
        ({"turn": 10}, "turn"),
        ({"weather": "fine"}, "weather"),
        ({"agenda": [{"kind": "dance", "seat": "rome", "rule": "x"}]}, "agenda[0].kind"),
        ({"options": {"magic": True}}, "options.magic"),
        ({"lasting": {"siege_train": "mago"}}, "lasting.siege_train"),
    ],
)
def test_a_contradiction_is_refused_with_the_path_to_the_field(position, path):
    with pytest.raises(BadInput) as refusal:
        HANNIBAL.start(None, position, {}, dice())
    assert refusal.value.path == path


def test_unknown_options_and_scenarios_are_refused():
    with pytest.raises(BadInput, match="no such option"):
        HANNIBAL.start(None, None, {"magic": 1}, dice())
    with pytest.raises(BadInput):
        HANNIBAL.start(None, None, {"card_32_ops": 3}, dice())
    with pytest.raises(BadInput, match="no scenario"):
        HANNIBAL.start("peloponnese", None, {}, dice())


def test_reading_6_the_umpire_adjusts_with_a_reason_and_nobody_else():
    state = war(HANNO, HOME, cards=(35, 36))
    changes = {"spaces.cannae.control": "carthage", "spaces.rome.rome.units": 6, "generals.hanno.space": "zama"}
    not_yours(state, "carthage", "adjust", changes=changes, why="wrong board")
    with pytest.raises(BadInput, match="why"):
        do(state, "umpire", "adjust", changes=changes, why=" ")
    after = do(state, "umpire", "adjust", changes=changes, why="the board was set up wrongly").state
    assert after.spaces["cannae"].control == "carthage" and after.spaces["rome"].rome.units == 6
    assert after.generals["hanno"].space == "zama"
    for changes, path in (
        ({"spaces.rome.rome.units": 999}, "changes.spaces"),
        ({"spaces.utopia.control": "rome"}, "changes.spaces.utopia"),
    ):
        with pytest.raises(BadInput) as refusal:
            do(state, "umpire", "adjust", changes=changes, why="a slip")
        assert refusal.value.path == path


def test_an_adjusted_secret_is_not_told():
    state = war(HANNO, HOME, cards=(35, 36), others=(62,))
    at = state.deck.index(61)
    outcome = do(state, "umpire", "adjust", changes={"hands.rome": [61], f"deck.{at}": 62}, why="misdealt")
    told = [e for e in outcome.events if e.type == "adjusted"]
    assert set(told[0].data["changes"].values()) == set(told[0].data["before"].values()) == {"(hidden)"}
    assert [(e.only, list(e.data["changes"])) for e in told[1:]] == [
        (("umpire",), [f"deck.{at}"]),
        (("rome",), ["hands.rome"]),
    ]


# secrets


def swapped(state, side):
    """The same state but for the side's hand and the deck."""
    hand, deck = list(state.hands[side]), list(state.deck)
    hand[0], deck[0] = deck[0], hand[0]
    return replace(state, hands={**state.hands, side: tuple(hand)}, deck=tuple(deck))


def test_two_states_that_differ_in_a_hand_give_equal_bytes_to_the_other_seat():
    state = HANNIBAL.start(None, None, {}, dice()).state
    for side, other in (("rome", "carthage"), ("carthage", "rome")):
        changed = swapped(state, side)
        for seat in (other, "spectator"):
            assert encode(HANNIBAL.view(state, seat)) == encode(HANNIBAL.view(changed, seat))
            assert encode(HANNIBAL.offers(state, seat)) == encode(HANNIBAL.offers(changed, seat))
        assert encode(HANNIBAL.view(state, side)) != encode(HANNIBAL.view(changed, side))
        assert encode(HANNIBAL.view(state, "umpire")) != encode(HANNIBAL.view(changed, "umpire"))


def test_the_order_of_the_decks_is_nobodys():
    state = HANNIBAL.start(None, None, {}, dice()).state
    turned = replace(state, deck=tuple(reversed(state.deck)))
    for seat in ("rome", "carthage", "spectator"):
        assert encode(HANNIBAL.view(state, seat)) == encode(HANNIBAL.view(turned, seat))


def test_battle_hands_are_hidden_but_for_their_number_and_what_lies_open():
    state = war(force("carthage", "beneventum", 8, "hannibal"), force("rome", "arpi", 6, "marcellus"))
    state = do(step(march(state, "hannibal"), "arpi", 8), "rome", "stand").state
    battle = state.fighting()
    hand, deck = list(battle.hands["rome"]), list(battle.deck)
    other = next(i for i, card in enumerate(deck) if card != hand[0])
    hand[0], deck[other] = deck[other], hand[0]
    hands = {**battle.hands, "rome": tuple(hand)}
    changed = replace(state, battle=replace(battle, hands=hands, deck=tuple(deck)))
    assert HANNIBAL.invariants(changed) == ()
    assert encode(HANNIBAL.view(state, "carthage")) == encode(HANNIBAL.view(changed, "carthage"))
    assert encode(HANNIBAL.offers(state, "carthage")) == encode(HANNIBAL.offers(changed, "carthage"))
    assert encode(HANNIBAL.view(state, "rome")) != encode(HANNIBAL.view(changed, "rome"))


def test_the_events_of_a_deal_show_each_hand_to_its_owner_alone():
    events = HANNIBAL.start(None, None, {}, dice()).events
    hands = [happened for happened in events if happened.type == "hand"]
    assert [(e.only, e.data["side"]) for e in hands] == [(("rome",), "rome"), (("carthage",), "carthage")]
    assert all(not e.seen_by("spectator") and e.reveals for e in hands)


def test_a_whole_game_shows_nobody_the_others_hand():
    """After every tenth command of a random game, the enemy's cards in other order change no byte of a view."""
    played = play_at_random(HANNIBAL, None, random.Random(11), {}, limit=300)
    for written in played.states[::10]:
        state = decode(written, HANNIBAL.state)
        if not state.hands["rome"] or not state.deck:
            continue
        changed = swapped(state, "rome")
        assert encode(HANNIBAL.view(state, "carthage")) == encode(HANNIBAL.view(changed, "carthage"))


# cards on the table


def test_cards_on_the_table_hands_are_not_tracked():
    """strategy.4: the seat says which card it plays; a card seen before is refused."""
    options = {"cards_on_table": True}
    state = HANNIBAL.start(None, None, options, dice()).state
    assert state.hands["rome"] == (0,) * 7 and state.deck == ()
    state = do(state, "rome", "open", card=33).state
    state = do(state, "rome", "place_pcs", card=33).state
    state = do(state, "rome", "done").state
    refused(state, "carthage", "place_pcs", "strategy.4", card=33)
    assert len(state.hands["rome"]) == 6 and asked(state) == "card"


def test_option_card_32_ops():
    """strategy.ops.2: the card shows 1, one printed list 2."""
    for number in (1, 2):
        state = war(HANNO, HOME, cards=(32, 61), options={"card_32_ops": number})
        assert do(state, "carthage", "place_pcs", card=32).state.asks().about["left"] == number


def test_option_gallic_allies():
    """battle.5h: off, as the source counts Africa, Iberia, Italy and islands only."""
    for option, cards in (("none", 0), ("province", 1)):
        state = war(
            force("rome", "narbo", 6, "marcellus"),
            force("carthage", "nemausus", 6, "mago"),
            active="rome",
            control={"narbo": "rome", "emporiae": "rome"},
            options={"gallic_allies": option},
        )
        state = step(march(state, "marcellus"), "nemausus", 6)
        state = do(state, "carthage", "stand").state if asked(state) == "avoid" else state
        assert hand_size(state, "rome")[1].get("allies", 0) == cards


@pytest.mark.parametrize(
    "position, path",
    [
        ({"agenda": [{"kind": "attack", "seat": "rome", "rule": "round.1"}]}, "agenda[0].kind"),
        (
            {"agenda": [{"kind": "put", "seat": "rome", "rule": "strategy.ops.2", "about": {"left": 2}}]},
            "agenda[0].kind",
        ),
        ({"agenda": [{"kind": "remove", "seat": "rome", "rule": "losses.5"}]}, "agenda[0].about.left"),
        ({"agenda": [{"kind": "card", "seat": "greece", "rule": "strategy.4"}]}, "agenda[0].seat"),
        ({"agenda": [{"kind": "naval", "seat": "rome", "rule": "tables.naval"}]}, "agenda[0].seat"),
        ({"march": {"side": "rome", "general": "nero", "points": 4, "path": []}}, "play"),
        ({"phase": "over"}, "result"),
        ({"play": {"card": 99, "side": "rome", "ops": 1}}, "play.card"),
    ],
)
def test_what_is_under_way_must_hang_together(position, path):
    with pytest.raises(BadInput) as refusal:
        HANNIBAL.start(None, position, {}, dice())
    assert refusal.value.path == path
