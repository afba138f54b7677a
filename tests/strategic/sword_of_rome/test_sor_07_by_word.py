"""7 What a player sets by hand and is not his own affair waits in the position for the word of the others."""

import random

import pytest
from msgspec.structs import replace

from kit.legions import army, do, march, outcome, position, refused
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.view import view
from tactical.kernel.corrections import MOST, wishes_in, with_wishes
from tactical.kernel.dice import Dice
from tactical.kernel.journal import Entry, command_seen_by
from tactical.kernel.protocol import NotYours
from tactical.kernel.record import BadInput, encode, plain, read

OTHERS = ("gauls", "etruscans_samnites", "greeks", "carthaginians")


def table(word="one", **fields):
    """The Romans are to act; whatever is set by hand off turn needs this word."""
    armies = (army("romans", "roma", 5, "claudius", "valerius"), army("gauls", "luna", 4, "brennus"))
    return position(*armies, options={"by_hand": word}, **fields)


def points(state, seat, number=12):
    power = {"etruscans_samnites": "etruscans"}.get(seat, seat)
    return do(state, seat, "by_hand", changes={f"vp.{power}": number})


def approve(state, side, allow=True, wish=1, seat=None):
    return do(state, seat or side, "approve", side=side, wish=wish, allow=allow)


def test_7_points_off_turn_wait_until_one_other_agrees():
    state = points(table(), "gauls")
    assert state.vp == table().vp and wishes_in(state)["1"].seat == "gauls"
    assert refused(state, "gauls", "approve", side="gauls", wish=1, allow=True) == "7"
    granted = outcome(state, "greeks", "approve", side="greeks", wish=1, allow=True)
    assert granted.state.vp["gauls"] == 12 and not wishes_in(granted.state)
    assert [each.type for each in granted.events] == ["wish_agreed", "set_points"]
    assert encode(granted.state) == encode(points(table("at_once"), "gauls")).replace(b'"at_once"', b'"one"')


def test_7_points_are_nobodys_own_to_give_in_his_own_action_either():
    assert points(table(), "romans").vp == table().vp
    assert points(table("at_once"), "romans").vp["romans"] == 12


def test_7_what_is_a_players_own_affair_counts_at_once():
    """8.2.1, 15 His pieces in his own action; at any time a note, an alliance, the order of his leaders."""
    state = table()
    mine = {"forces.roma.romans.units": 7}
    assert do(state, "romans", "by_hand", changes=mine).force("roma", "romans").units == 7
    assert do(state, "gauls", "by_hand", changes={"alliances.gauls.greeks": True}).proposals == (("gauls", "greeks"),)
    noted = outcome(state, "gauls", "by_hand", note="Peace.", side="gauls")
    assert [each.type for each in noted.events] == ["note"] and noted.state == state
    other = table(active="gauls")
    swapped = {"forces.roma.romans.leaders": ["valerius", "claudius"]}
    assert do(other, "romans", "by_hand", changes=swapped).force("roma", "romans").leaders == ("valerius", "claudius")
    assert wishes_in(do(other, "romans", "by_hand", changes=mine)) and not wishes_in(
        do(other, "umpire", "by_hand", changes=mine)
    )


@pytest.mark.parametrize("old", [{"type": "set_points", "power": "gauls", "points": 12}])
def test_7_a_command_of_an_earlier_version_waits_as_what_it_has_become(old):
    state = do(table(), "gauls", old["type"], power="gauls", points=12)
    assert wishes_in(state) and approve(state, "romans").vp["gauls"] == 12


def test_7_all_others_must_agree_where_the_group_wants_it_and_one_refusal_ends_it():
    state = points(table("all"), "gauls")
    for seat in ("romans", "greeks", "carthaginians"):
        state = approve(state, seat)
        assert refused(state, seat, "approve", side=seat, wish=1, allow=True) == "7"
    assert state.vp == table().vp and wishes_in(state)["1"].agreed == ("romans", "greeks", "carthaginians")
    assert approve(state, "etruscans_samnites").vp["gauls"] == 12
    refusal = outcome(state, "etruscans_samnites", "approve", side="etruscans_samnites", wish=1, allow=False)
    assert not wishes_in(refusal.state) and [each.type for each in refusal.events] == ["wish_refused"]


def test_7_who_leaves_is_not_waited_for_and_his_wishes_go_with_him():
    state = points(table("all"), "gauls")
    for seat in ("romans", "greeks", "carthaginians"):
        state = approve(state, seat)
    left = do(state, "etruscans_samnites", "resign", side="etruscans_samnites")
    assert approve(left, "romans").vp["gauls"] == 12, "nobody is left to be asked: any of them may say so again"
    assert not wishes_in(do(state, "gauls", "resign", side="gauls"))
    assert wishes_in(do(state, "romans", "resign", side="romans"))["1"].agreed == ("greeks", "carthaginians")


def test_7_the_umpires_word_alone_where_the_group_wants_it_and_always():
    state = points(table("umpire"), "gauls")
    assert refused(state, "greeks", "approve", side="greeks", wish=1, allow=True) == "7"
    assert approve(state, "umpire").vp["gauls"] == 12
    assert approve(points(table("all"), "gauls"), "umpire").vp["gauls"] == 12
    with pytest.raises(NotYours):
        approve(state, "umpire", seat="gauls")


def test_7_who_has_set_it_takes_it_back():
    taken = outcome(points(table(), "gauls"), "gauls", "approve", side="gauls", wish=1, allow=False)
    assert encode(taken.state) == encode(table()) and [each.type for each in taken.events] == ["wish_taken_back"]


def test_7_where_nobody_else_plays_it_counts_at_once():
    alone = table(resigned=["gauls", "greeks", "carthaginians", "etruscans_samnites"])
    assert points(alone, "romans").vp["romans"] == 12


def test_7_what_is_not_possible_does_not_wait_and_what_has_changed_meanwhile_is_not_granted():
    assert refused(table(), "gauls", "by_hand", changes={"vp.gauls": 99}) == "4"
    state = do(table(active="gauls"), "romans", "by_hand", changes={"forces.roma.romans.units": 6})
    changed = do(state, "umpire", "adjust", changes={"forces.roma.romans.units": 2}, why="as at the table")
    assert refused(changed, "gauls", "approve", side="gauls", wish=1, allow=True) == "7"
    assert [offer.fields["allow"] for offer in SWORD_OF_ROME.offers(changed, "gauls") if offer.type == "approve"] == [
        False
    ]
    under_way = march(
        do(table(), "gauls", "by_hand", changes={"control.pisae": "gauls"}), "romans", "claudius", "velitrae"
    )
    assert refused(under_way, "greeks", "approve", side="greeks", wish=1, allow=True) == "7.3"


def test_7_only_so_many_wishes_of_a_seat_wait():
    state = table()
    for number in range(MOST):
        state = points(state, "gauls", number % 12 + 1)
    assert refused(state, "gauls", "by_hand", changes={"vp.gauls": 1}) == "7"
    assert wishes_in(points(state, "greeks"))


def test_6_2_of_a_card_that_waits_nobody_else_sees_the_value():
    one, other = (outcome(table(), "gauls", "take_card", side="gauls", card=card) for card in (1, 3))
    for seat in ("romans", "greeks", "spectator"):
        assert encode(view(one.state, seat)) == encode(view(other.state, seat))
        told = [
            (
                command_seen_by(Entry(1, 0, "gauls", "", command, events=each.events), seat),
                [happened.flat() for happened in each.events if happened.seen_by(seat)],
            )
            for each, command in (
                (one, {"type": "take_card", "side": "gauls", "card": 1}),
                (other, {"type": "take_card", "side": "gauls", "card": 3}),
            )
        ]
        assert told[0] == told[1]
    assert '"card":3' in view(other.state, "gauls").wishes["1"].command
    typed = replace(wishes_in(other.state)["1"], command='{"type": "take_card", "side": "gauls", "card": 3}')
    assert not view(with_wishes(other.state, {"1": typed}), "romans").wishes["1"].command, "also when typed with spaces"
    assert approve(other.state, "romans").hands["gauls"].count(3) == table().hands.get("gauls", ()).count(3) + 1
    entered = position(army("gauls", "luna", 4, "brennus"), options={"by_hand": "one", "cards": "entered"})
    assert not wishes_in(do(entered, "gauls", "take_card", side="gauls", card=3)), "his own cards he types himself"


def test_12_2_a_card_in_anothers_battle_waits_and_in_ones_own_does_not():
    state = table(active="romans")
    state = position(
        army("romans", "roma", 8, "claudius"), army("gauls", "velitrae", 3, "brennus"), options={"by_hand": "one"}
    )
    state = march(state, "romans", "claudius", "velitrae")
    for _ in range(3):
        if state.asks("declare"):
            state = do(state, "gauls", "declare", side="gauls")
    assert state.asks("battle"), state.pending
    card = {"side_of_battle": "attacker", "amount": 2, "why": "a card"}
    assert do(state, "gauls", "modifier", **card).fight.modifiers and not wishes_in(
        do(state, "romans", "modifier", **card)
    )
    waits = do(state, "greeks", "modifier", **card)
    assert not waits.fight.modifiers and approve(waits, "romans").fight.modifiers


@pytest.mark.parametrize(
    ("wishes", "path"),
    [
        ({"0": {"seat": "gauls", "command": '{"type":"note","side":"gauls","text":"a"}'}}, "position.wishes.0"),
        ({"1": {"seat": "persia", "command": '{"type":"by_hand"}'}}, "position.wishes.1.seat"),
        ({"1": {"seat": "gauls", "command": '{"type":"by_hand"}', "agreed": ["persia"]}}, "position.wishes.1.seat"),
        ({"1": {"seat": "gauls", "command": '{"type":"resign","side":"gauls"}'}}, "position.wishes.1.command"),
        ({"1": {"seat": "gauls", "command": '{"type":"by_hand","gold":3}'}}, "position.wishes.1.command"),
    ],
)
def test_7_a_typed_wish_that_cannot_be_is_refused_by_its_path(wishes, path):
    with pytest.raises(BadInput) as error:
        SWORD_OF_ROME.start(None, {"wishes": wishes}, {}, Dice())
    assert error.value.path == path


def test_7_a_position_in_which_something_waits_posts_back_with_the_same_offers():
    state = do(points(table("all"), "gauls"), "greeks", "take_card", side="greeks", card=2)
    again = SWORD_OF_ROME.start(None, plain(view(state, "umpire")), {}, Dice()).state
    assert again == state
    for seat in (*OTHERS, "romans", "umpire"):
        assert SWORD_OF_ROME.offers(again, seat) == SWORD_OF_ROME.offers(state, seat)


def test_7_random_words_on_random_wishes_leave_nothing_that_contradicts_itself():
    rng = random.Random(5)
    state = SWORD_OF_ROME.start("five_powers", None, {"by_hand": "all"}, Dice(secret=lambda sides: 1)).state
    met = set()
    for _ in range(300):
        seat = rng.choice(("romans", *OTHERS))
        mine = [offer for offer in SWORD_OF_ROME.offers(state, seat) if offer.type == "approve"]
        if mine and rng.random() < 0.7:
            offer = rng.choice(mine)
            allow = offer.fields["allow"]
            raw = {"type": "approve", **offer.fields, "allow": rng.choice(allow) if isinstance(allow, list) else allow}
        else:
            each = rng.choice([each for each in SWORD_OF_ROME.settable(state, seat) if not each.several])
            raw = {"type": "by_hand", "changes": {each.path: rng.choice(each.values)}}
        command = read(raw, SWORD_OF_ROME.command)
        if SWORD_OF_ROME.why_not(state, seat, command) is None:
            done = SWORD_OF_ROME.apply(state, seat, command, Dice(secret=lambda sides: 1))
            state = done.state
            met |= {each.type for each in done.events}
            assert not SWORD_OF_ROME.invariants(state), raw
    assert {"wished", "wish_agreed", "wish_refused", "wish_taken_back"} <= met
