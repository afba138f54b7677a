"""4, 5, 6, 7, 13, 15, 16, 20 What the players do by hand, with the log kept; turns, hands, positions, the umpire."""

import random

import pytest

from kit.legions import army, do, march, outcome, position, refused, stands
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.rules.survey import are_allied
from strategic.sword_of_rome.view import view
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import NotYours
from tactical.kernel.record import BadInput, encode, plain, read


def table():
    return position(army("romans", "roma", 5, "claudius"), army("gauls", "luna", 4, "brennus"))


def by_hand(state, seat, kind, **fields):
    """The rule of the event that the log keeps; it must be marked as done by hand."""
    result = outcome(state, seat, kind, **fields)
    logged = next(each for each in result.events if each.data.get("by_hand"))
    return result.state, logged.rule


def test_5_10_reinforcements_are_placed_by_hand_and_accounted_for():
    state, rule = by_hand(table(), "romans", "place", power="romans", space="capua", units=2, leaders=["valerius"])
    assert rule == "5.10" and stands(state, "capua", "romans") == 2 and state.tallies["romans"].placed == 7
    assert refused(state, "romans", "place", power="romans", space="luna", units=1) == "5.10"
    assert refused(state, "romans", "place", power="romans", space="roma", leaders=["valerius"]) == "5.10"
    assert refused(state, "romans", "place", power="romans", space="roma", leaders=["brennus"]) == "5.10"


def test_5_5_losses_are_taken_by_hand():
    state, rule = by_hand(table(), "romans", "remove", power="romans", space="roma", units=2, leaders=["claudius"])
    assert rule == "5.5" and stands(state, "roma", "romans") == 3 and state.displaced == ("claudius",)
    assert refused(state, "romans", "remove", power="romans", space="roma", units=4) == "5.5"


def test_7_what_an_event_moves_is_not_intercepted():
    """10.1 Placing and events open no reaction."""
    state = position(army("romans", "roma", 5, "claudius"), army("gauls", "praeneste", 4, "brennus"))
    state, rule = by_hand(
        state, "romans", "move_by_hand", power="romans", space="roma", to="velitrae", units=5, leaders=["claudius"]
    )
    assert rule == "7" and not state.pending and stands(state, "velitrae", "romans") == 5


def test_7_3_control_and_loyalty():
    state, rule = by_hand(table(), "gauls", "set_control", space="pisae", power="gauls", loyalty=1)
    assert rule == "7.3" and state.controller("pisae") == "gauls" and state.loyalty_of("pisae") == 1
    assert do(state, "gauls", "set_control", space="pisae", power="etruscans").control == {}
    with pytest.raises(NotYours):
        do(table(), "gauls", "set_control", space="roma", power="greeks")
    assert refused(table(), "gauls", "set_control", space="luna", power="gauls", loyalty=2) == "7.3"


def test_8_2_1_the_owner_says_who_commands():
    state = position(army("greeks", "tarentum", 5, "pyrrhus", "timoleon", "minor_greeks_a"))
    command = {"power": "greeks", "space": "tarentum"}
    state, rule = by_hand(state, "greeks", "set_commander", leader="timoleon", **command)
    assert rule == "8.2.1" and state.force("tarentum", "greeks").leaders[0] == "timoleon"
    assert refused(state, "greeks", "set_commander", leader="minor_greeks_a", **command) == "8.2.1"
    assert refused(state, "greeks", "set_commander", leader="brennus", **command) == "8.2.1"


def test_15_an_alliance_holds_when_both_have_said_so():
    state, rule = by_hand(table(), "romans", "set_alliance", power="romans", other="greeks")
    assert rule == "15" and state.alliances == ()
    state = do(state, "greeks", "set_alliance", power="greeks", other="romans")
    assert state.alliances == (("greeks", "romans"),) and state.proposals == ()
    assert do(state, "greeks", "set_alliance", power="greeks", other="romans", allied=False).alliances == ()
    assert refused(state, "etruscans_samnites", "set_alliance", power="etruscans", other="samnites") == "15"


OLD = [
    ("romans", {"type": "place", "power": "romans", "space": "capua", "units": 2, "leaders": ["valerius"]}, "5.10"),
    ("romans", {"type": "remove", "power": "romans", "space": "roma", "units": 2, "leaders": ["claudius"]}, "5.5"),
    ("romans", {"type": "move_by_hand", "power": "romans", "space": "roma", "to": "velitrae", "units": 2}, "7"),
    ("gauls", {"type": "set_control", "space": "pisae", "power": "gauls", "loyalty": 1}, "7.3"),
    ("gauls", {"type": "set_siege", "space": "pisae", "level": 0}, "13"),
    ("romans", {"type": "set_alliance", "power": "romans", "other": "greeks", "allied": True}, "15"),
    ("romans", {"type": "set_points", "power": "romans", "points": 7}, "4"),
    ("carthaginians", {"type": "set_unrest", "level": 3}, "20"),
    ("romans", {"type": "set_event", "event": "duoviri_navales"}, "7"),
    ("romans", {"type": "set_runner", "power": "volsci", "runner": "gauls"}, "16"),
    ("romans", {"type": "note", "side": "romans", "text": "The Romans promise peace."}, "7"),
]
NEW = [
    {"forces.capua.romans.units": 2, "forces.capua.romans.leaders": ["valerius"]},
    {"forces.roma.romans.units": 3, "forces.roma.romans.leaders": []},
    {"forces.roma.romans.units": 3, "forces.velitrae.romans.units": 2},
    {"control.pisae": "gauls", "loyalty.pisae": 1},
    {"sieges.pisae": 0},
    {"alliances.romans.greeks": True},
    {"vp.romans": 7},
    {"unrest": 3},
    {"events.duoviri_navales": True},
    {"runners.volsci": "gauls"},
    {},
]


@pytest.mark.parametrize(("old", "changes"), list(zip(OLD, NEW, strict=True)))
def test_7_what_is_set_by_hand_is_one_command_and_the_old_ones_are_still_read(old, changes):
    """4, 5.5, 5.10, 7.3, 13, 15, 16, 20"""
    seat, command, rule = old
    note = {"note": command["text"], "side": seat} if command["type"] == "note" else {}
    fields = {name: value for name, value in command.items() if name != "type"}
    before = outcome(table(), seat, command["type"], **fields)
    now = outcome(table(), seat, "by_hand", changes=changes, **note)
    assert (now.state, now.events) == (before.state, before.events)
    assert [each.rule for each in now.events if each.data.get("by_hand")] == [rule]


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"forces.luna.romans.units": 1}, "5.10"),  # Gauls stand there
        ({"forces.roma.romans.leaders": ["claudius", "brennus"]}, "5.10"),  # a leader of the Gauls
        ({"forces.roma.romans.units": -1}, "5.10"),
        ({"forces.roma.romans.inside": 2}, "9.3.1"),  # nobody stands before the walls
        ({"forces.roma.romans.horses": 2}, "7"),
        ({"control.atlantis": "romans"}, "7"),
        ({"control.roma": "persians"}, "7.3"),
        ({"loyalty.roma": 10}, "7.3"),
        ({"sieges.pisae": "many"}, "13"),
        ({"alliances.romans.volsci": True}, "7"),
        ({"unrest": True}, "20"),
        ({"pending": []}, "7"),
        ({}, "7"),
    ],
)
def test_7_what_may_not_be_set_is_refused_with_its_paragraph(changes, rule):
    assert refused(table(), "umpire", "by_hand", changes=changes) == rule


def test_7_a_field_is_its_owners_and_the_umpires():
    for changes in ({"forces.roma.romans.units": 6}, {"vp.romans": 1}, {"control.roma": "greeks"}):
        with pytest.raises(NotYours):
            do(table(), "gauls", "by_hand", changes=changes)
        assert do(table(), "umpire", "by_hand", changes=changes) != table()
    with pytest.raises(NotYours):
        do(table(), "gauls", "by_hand", note="Peace.", side="romans")
    assert refused(table(), "gauls", "by_hand", note="Peace.") == "7"


def test_7_everything_that_a_side_is_shown_may_be_set_as_it_is():
    """The table of fields and the check agree: what stands there may stand there."""
    state = position(
        army("romans", "roma", 5, "claudius", "valerius"), sieges={"pisae": 2}, alliances=[["romans", "greeks"]]
    )
    for seat in ("romans", "gauls"):
        for each in SWORD_OF_ROME.settable(state, seat):
            if each.path.startswith("control.") and each.now != seat:  # another's, which may be taken but not given
                continue
            after = do(state, seat, "by_hand", changes={each.path: each.now})
            assert after == state or each.path.startswith(("alliances", "vp")), each


def test_7_cards_that_are_played_for_their_text():
    state, rule = by_hand(table(), "romans", "discard", side="romans", card=2, why="Obesus Etruscus")
    assert rule == "7" and state.hands["romans"] == (1, 3)


def test_7_in_the_midst_of_an_action_the_map_is_the_rules():
    state = march(table(), "romans", "claudius", "velitrae")
    assert refused(state, "romans", "place", power="romans", space="roma", units=1) == "5.10"


def test_6_2_a_card_that_is_taken_is_seen_by_its_owner_only():
    one, other = (do(table(), "romans", "take_card", side="romans", card=card) for card in (1, 3))
    for seat in ("gauls", "carthaginians", "spectator"):
        assert encode(view(one, seat)) == encode(view(other, seat))
    assert view(one, "gauls").hands["romans"] == (0, 0, 0, 0) and view(one, "romans").hands["romans"] == (1, 1, 2, 3)
    told = [
        each for each in outcome(table(), "romans", "take_card", side="romans", card=3).events if each.seen_by("gauls")
    ]
    assert [each.data for each in told] == [{"by_hand": True, "seat": "romans"}]


def secret(seed=1):
    source = random_source(random.Random(seed).randrange)
    return Dice(source=source, secret=source)


def test_6_2_hands_are_dealt_at_the_start_and_at_each_turn():
    state = SWORD_OF_ROME.start("five_powers", None, {}, secret()).state
    assert {seat: len(hand) for seat, hand in state.hands.items()} == {
        "gauls": 7,
        "etruscans_samnites": 7,
        "romans": 8,
        "greeks": 7,
        "carthaginians": 7,
    }
    for number in range(25):
        assert state.round == number // 5 + 1
        command = read({"type": "end_action"}, SWORD_OF_ROME.command)
        state = SWORD_OF_ROME.apply(state, state.active, command, secret(number)).state
    assert (state.turn, state.round, len(state.hands["romans"])) == (2, 1, 8)


def test_6_2_carthages_hand_follows_ports_and_unrest():
    from strategic.sword_of_rome.rules.turn import hand_size

    state = position(unrest=4, control={"messana": "carthaginians"})
    assert hand_size(state, "carthaginians") == 5 + 3 - 2


def test_6_2_cards_may_be_entered_instead_of_dealt():
    state = SWORD_OF_ROME.start("five_powers", None, {"cards": "entered"}, Dice()).state
    assert state.hands == {} and do(state, "romans", "take_card", side="romans", card=3).hands["romans"] == (3,)


def test_4_the_game_ends_with_its_last_turn_or_at_the_umpires_word():
    state = position(round=5, active="carthaginians", turn=9)
    over = do(state, "carthaginians", "end_action")
    assert over.is_over and SWORD_OF_ROME.offers(over, "romans") == () and refused(over, "romans", "end_action") == "4"
    assert do(state, "umpire", "end_game", why="by points", winner="gauls").result.winner == "gauls"


def test_4_who_leaves_answers_nothing_and_the_last_one_wins():
    state = position(army("romans", "roma", 5, "claudius"), army("gauls", "praeneste", 4, "brennus"))
    state = do(state, "gauls", "resign", side="gauls")
    assert not march(state, "romans", "claudius", "velitrae").pending
    for seat in ("greeks", "carthaginians", "etruscans_samnites"):
        state = do(state, seat, "resign", side=seat)
    assert state.result.winner == "romans"


def test_3_the_umpires_state_posted_as_position_is_the_same_state():
    state = march(
        position(army("romans", "roma", 5, "claudius"), army("gauls", "praeneste", 4, "brennus")),
        "romans",
        "claudius",
        "velitrae",
    )
    again = SWORD_OF_ROME.start(None, plain(view(state, "umpire")), {}, Dice()).state
    assert again == state
    assert [SWORD_OF_ROME.offers(again, seat) for seat in ("gauls", "romans")] == [
        SWORD_OF_ROME.offers(state, seat) for seat in ("gauls", "romans")
    ]


@pytest.mark.parametrize(
    "fields, path",
    [
        ({"forces": {"atlantis": {"romans": {"units": 1}}}}, "position.forces.atlantis"),
        ({"forces": {"roma": {"persians": {"units": 1}}}}, "position.forces.roma.persians"),
        ({"forces": {"roma": {"romans": {"units": 1, "horses": 2}}}}, "position.forces.roma.romans.horses"),
        ({"forces": {"roma": {"romans": {"leaders": ["brennus"]}}}}, "position.forces.roma.romans.leaders"),
        ({"forces": {"roma": {"romans": {"leaders": ["xerxes"]}}}}, "position.forces.roma.romans.leaders"),
        ({"forces": {"roma": {"romans": {"units": 2}, "gauls": {"units": 2}}}}, "position.forces.roma"),
        ({"forces": {"luna": {"gauls": {"inside": 2}}}}, "position.forces.luna.gauls.inside"),
        ({"forces": {"roma": {"romans": {"inside": 4}, "gauls": {"units": 1}}}}, "position.forces.roma.romans.inside"),
        ({"forces": {"roma": {"romans": {"units": "many"}}}}, "position.forces.roma.romans.units"),
        ({"displaced": ["claudius"], "forces": {"roma": {"romans": {"leaders": ["claudius"]}}}}, "position.displaced"),
        ({"hands": {"romans": [4]}}, "position.hands.romans"),
        ({"alliances": [["etruscans", "samnites"]]}, "position.alliances"),
        ({"active": "persia"}, "position.active"),
        ({"unrest": 11}, "position.unrest"),
        ({"weather": "fine"}, "position.weather"),
        ({"pending": [{"kind": "battle", "seat": "romans", "rule": "12.2"}]}, "position.pending"),
        ({"pending": [{"kind": "riddle", "seat": "romans", "rule": "12.2"}]}, "position.pending"),
        (
            {
                "move": {
                    "power": "romans",
                    "card": 1,
                    "points": 1,
                    "leader": "claudius",
                    "companions": [],
                    "units": 3,
                    "at": "roma",
                },
                "reaction": {"space": "roma", "asked": []},
                "pending": [
                    {"kind": "permit", "seat": "romans", "rule": "11.1", "about": {"what": "avoid", "power": "gauls"}}
                ],
            },
            "position.pending",
        ),
        ({"reaction": {"space": "roma", "asked": []}}, "position.reaction"),
        ({"tallies": {"romans": {"placed": 3}}}, "position.tallies.romans"),
    ],
)
def test_3_a_position_that_contradicts_itself_is_refused_by_its_path(fields, path):
    with pytest.raises(BadInput) as error:
        SWORD_OF_ROME.start(None, fields, {}, Dice())
    assert error.value.path == path


def test_7_the_umpire_adjusts_any_field_and_says_why():
    state = do(table(), "umpire", "adjust", changes={"acted": True, "control.capua": "samnites"}, why="as at the table")
    assert state.acted and state.controller("capua") == "samnites"
    before = table()
    more = do(before, "umpire", "adjust", changes={"forces.roma.romans.units": 9}, why="they were forgotten")
    came = 9 - before.force("roma", "romans").units
    assert more.tallies["romans"].placed == before.tallies["romans"].placed + came
    with pytest.raises(BadInput):
        do(table(), "umpire", "adjust", changes={"tallies.romans.placed": 9}, why="so many are not there")
    with pytest.raises(BadInput):
        do(table(), "umpire", "adjust", changes={"weather": "fine"}, why="no such field")
    with pytest.raises(NotYours):
        do(table(), "romans", "adjust", changes={"acted": True}, why="mine")


@pytest.mark.parametrize("pair", [["gauls", "samnites"], ["samnites", "gauls"]])
def test_15_an_alliance_may_be_typed_in_either_order(pair):
    state = position(alliances=[pair])
    assert are_allied(state, "samnites", "gauls") and state == position(alliances=[pair[::-1]])
    adjusted = do(position(), "umpire", "adjust", changes={"alliances": [pair]}, why="as agreed")
    assert adjusted.alliances == state.alliances
