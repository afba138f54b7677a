"""A recorded game: the first two turns of the second war, with its dice.

4.1, 4.2: a landing with attrition at sea, a siege and its relief, combat, recruiting, diplomacy, an election; every
phase of both player turns is passed through, and the replay gives the same bytes.
"""

from __future__ import annotations

from kit.pw_table import kinds, told
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.towns import is_besieged
from tactical.kernel.dice import Dice
from tactical.kernel.journal import Entry, replay
from tactical.kernel.record import encode, read

SCRIPT = (
    ("carthage", {"type": "accept", "side": "carthage"}, ()),
    ("rome", {"type": "accept", "side": "rome"}, ()),
    ("carthage", {"type": "march", "leader": "ca", "land": 10, "path": ["1606", "1605", "1705", "1805", "1906"]}, ()),
    ("carthage", {"type": "attack", "leader": "ca", "kind": "land"}, ()),
    ("rome", {"type": "invert", "inside": True}, ()),
    ("carthage", {"type": "attack", "leader": "ca", "kind": "land"}, (4,)),
    ("carthage", {"type": "finish", "leader": "ca"}, ()),
    ("carthage", {"type": "done", "side": "carthage"}, ()),
    ("carthage", {"type": "recruit", "hex": "2516", "kind": "land", "points": 1}, ()),
    ("carthage", {"type": "done", "side": "carthage"}, ()),
    ("rome", {"type": "march", "leader": "rc", "naval": 4, "path": ["2006", "2106", "2205"]}, ()),
    ("rome", {"type": "finish", "leader": "rc"}, ()),
    (
        "rome",
        {"type": "march", "leader": "rd", "land": 4, "naval": 8, "path": ["2814", "2714", "2614", "2515"]},
        (5, 5, 2),
    ),
    ("rome", {"type": "move", "leader": "rd", "to": "2515"}, ()),
    ("rome", {"type": "finish", "leader": "rd"}, ()),
    ("rome", {"type": "done", "side": "rome"}, (6, 6, 3)),
    ("rome", {"type": "lose", "hex": "2515", "nation": "rome", "kind": "naval", "points": 1}, ()),
    ("rome", {"type": "accept", "side": "rome"}, ()),
    ("rome", {"type": "recruit", "hex": "2908", "kind": "land", "points": 2}, ()),
    ("rome", {"type": "done", "side": "rome"}, ()),
    ("rome", {"type": "bid", "side": "rome", "points": 2}, ()),
    ("carthage", {"type": "bid", "side": "carthage", "points": 3}, (3,)),
    ("carthage", {"type": "march", "leader": "cb", "land": 5, "path": ["2515"]}, ()),
    ("carthage", {"type": "attack", "leader": "cb", "kind": "land"}, ()),
    ("rome", {"type": "invert", "inside": False}, (5,)),
    ("carthage", {"type": "done", "side": "carthage"}, ()),
    ("carthage", {"type": "done", "side": "carthage"}, ()),
    ("rome", {"type": "retire", "leader": "rc"}, ()),
    ("rome", {"type": "accept", "side": "rome"}, ()),
    ("rome", {"type": "accept", "side": "rome"}, ()),
    ("rome", {"type": "place", "leader": "rb", "hex": "2508"}, ()),
    (
        "rome",
        {"type": "march", "leader": "ra", "land": 4, "path": ["2403", "2304", "2204", "2105", "2005", "1906"]},
        (5, 6),
    ),
    ("rome", {"type": "attack", "leader": "ra", "kind": "land"}, (6,)),
)


def played():
    """The start, the journal, and the outcome of every command."""
    state = start = PUNIC_WARS.start("2", None, {}, Dice()).state
    entries, outcomes = [], []
    for number, (seat, command, faces) in enumerate(SCRIPT, start=1):
        dice = Dice(faces, secret=lambda sides: 1)
        outcome = PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), dice)
        dice.finish()
        assert PUNIC_WARS.invariants(outcome.state) == ()
        rolls, draws = tuple(dice.rolls), tuple(dice.draws)
        entries.append(Entry(number, number - 1, seat, "", command, rolls, draws, outcome.events))
        outcomes.append(outcome)
        state = outcome.state
    return start, entries, outcomes


def test_4_1_every_phase_of_both_player_turns_is_passed_through():
    """4.1, 4.2"""
    _, _, outcomes = played()
    seen = [(e.data["side"], e.data["phase"]) for outcome in outcomes for e in outcome.events if e.type == "phase"]
    one_turn = [(side, phase) for side in ("carthage", "rome") for phase in ("tax", "campaign", "supply", "recruit")]
    for side, first in (("carthage", "diplomacy"), ("rome", "election")):
        one_turn.insert(one_turn.index((side, "tax")), (side, first))
    first_turn = [each for each in one_turn if each[1] not in ("diplomacy", "election")]  # 19.0
    assert seen == (first_turn + one_turn)[: len(seen)]
    assert len(seen) == 16


def test_10_42_the_fleet_leaves_and_massilia_is_besieged_then_relieved():
    """10.42, 10.29, 9.16"""
    _, _, outcomes = played()
    besieged = [is_besieged(outcome.state, "1906", "rome") for outcome in outcomes]
    assert True in besieged and not besieged[-1]
    assert any("relief" in kinds(outcome) for outcome in outcomes)
    last = told(outcomes[-1], "combat").data
    assert (last["attackers"], last["defenders"], last["ratio"]) == (6, 7, "1:2")


def test_11_11_the_landing_at_utica_costs_two_fleets_at_sea():
    """11.11, 11.21: and three points for want of supply, as the owner chooses."""
    _, _, outcomes = played()
    landed = next(outcome.state for outcome in outcomes if outcome.state.points("2515", "rome", "land"))
    assert (landed.points("2515", "rome", "land"), landed.points("2515", "rome", "naval")) == (4, 6)
    wintered = next(
        outcome.state for outcome in outcomes if outcome.state.phase == "recruit" and outcome.state.phasing == "rome"
    )
    assert (wintered.points("2515", "rome", "land"), wintered.points("2515", "rome", "naval")) == (3, 4)


def test_16_22_the_losses_of_the_year_and_the_bids_move_the_die():
    """16.22, 16.12: seven Roman and three Carthaginian points lost, and Carthage spent more."""
    _, _, outcomes = played()
    rolled = next(told(outcome, "diplomacy") for outcome in outcomes if "diplomacy" in kinds(outcome))
    assert rolled.data["modifier"] == 7 - 3 + 1 and rolled.data["result"] == "defection"


def test_4_1_the_journal_replays_to_the_same_bytes():
    """4.1"""
    start, entries, outcomes = played()
    again = list(replay(PUNIC_WARS, start, entries))
    assert [encode(outcome.state) for _, outcome in again] == [encode(outcome.state) for outcome in outcomes]


def test_13_22_the_first_turn_of_the_published_replay():
    """13.22, 15.0, 12.0: 34 come in, 26 go to supply, and the last 8 buy four land points in Hispania."""
    state = PUNIC_WARS.start("2", None, {}, Dice()).state
    for seat in ("carthage", "rome"):
        state = PUNIC_WARS.apply(state, seat, read({"type": "accept", "side": seat}, PUNIC_WARS.command), Dice()).state
    assert state.treasury["carthage"] == 34
    done = read({"type": "done", "side": "carthage"}, PUNIC_WARS.command)
    state = PUNIC_WARS.apply(state, "carthage", done, Dice()).state
    assert state.treasury["carthage"] == 8
    four = {"type": "recruit", "hex": "0612", "kind": "land", "points": 4}
    state = PUNIC_WARS.apply(state, "carthage", read(four, PUNIC_WARS.command), Dice()).state
    assert state.points("0612", "carthage", "land") == 8 and state.treasury["carthage"] == 0
