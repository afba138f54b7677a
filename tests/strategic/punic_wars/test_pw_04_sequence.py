"""4.0 The sequence of play, set-up and starts. 2.0"""

from __future__ import annotations

from random import Random

import pytest

from kit.pw_table import after, give, kinds, offered, points, table, took
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.control import control, worth
from strategic.punic_wars.rules.phases import ORDER
from strategic.punic_wars.sequence import STEPS
from strategic.punic_wars.state import Campaign
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import BadInput, decode, plain


def started(scenario, **options):
    """A scenario set up as proposed."""
    state = PUNIC_WARS.start(scenario, None, options, Dice()).state
    for side in PUNIC_WARS.waiting_for(state):
        state = after(state, side, {"type": "accept", "side": side})
    return state


@pytest.mark.parametrize("scenario, rome, carthage", [("1", 27, 28), ("2", 46, 34), ("3", 85, 0)])
def test_14_11_control_at_the_start(scenario, rome, carthage):
    """14.11, 14.12"""
    state = started(scenario)
    assert (worth(state, "rome"), worth(state, "carthage")) == (rome, carthage)


def test_15_0_the_first_revenue_of_scenario_2_is_34():
    """As in the published replay; the treasuries start at nothing (15.11)."""
    state = started("2")
    assert state.treasury == {"carthage": 34, "rome": 0}


def test_4_2_carthage_is_first_and_the_order_of_the_phases():
    """4.1"""
    assert [f"{side[0]} {phase}" for side, phase in ORDER] == [
        "c diplomacy",
        "c tax",
        "c campaign",
        "c supply",
        "c recruit",
        "r election",
        "r tax",
        "r campaign",
        "r supply",
        "r recruit",
    ]
    assert all(phase in STEPS for _, phase in ORDER)


def whole_turn():
    """A turn in which nobody moves or buys: what happens in each phase, and what is offered there, in their order."""
    stacks = {"2908": {"rome": points(3), "carthage": points(3)}, "2516": {"carthage": points(4)}}
    state = table(
        stacks, {"rc": "2908", "cb": "2908"}, side="carthage", phase="diplomacy", options={"open_stacks": True}
    )
    answers = {"diplomacy": "bid", "election": "accept"}
    seen: dict[tuple[str, str], set[str]] = {(state.phasing, state.phase): set()}
    box = (state.phasing, state.phase)
    while state.turn == 2:
        (seat, *_) = PUNIC_WARS.waiting_for(state)
        offers = {offer.type for each in ("carthage", "rome") for offer in PUNIC_WARS.offers(state, each)}
        seen[box] |= offers & {"bid", "move", "attack", "recruit", "place"}
        command = {"type": answers.get(state.phase, "done"), "side": seat}
        more = {"points": 0} if state.phase == "diplomacy" else {}
        faces = {"diplomacy": (3,) if state.bids else (), "campaign": (6,) if seat == "carthage" else ()}
        outcome = give(state, seat, command | more, *faces.get(state.phase, ()))
        for happened in outcome.events:
            if happened.type == "phase":
                box = (happened.data["side"], happened.data["phase"])
                seen.setdefault(box, set())
            elif happened.type in ("diplomacy", "taxes", "supplied", "elected"):
                seen[box].add(happened.type)
        state = outcome.state
    return seen


@pytest.mark.parametrize(
    "paragraph, place, side, phase, work",
    [
        ("4.2.A.1", 1, "carthage", "diplomacy", {"bid", "diplomacy"}),
        ("4.2.A.2", 2, "carthage", "tax", {"taxes"}),
        ("4.2.A.3", 3, "carthage", "campaign", {"move", "attack"}),
        ("4.2.A.4", 4, "carthage", "supply", {"supplied"}),
        ("4.2.A.5", 5, "carthage", "recruit", {"recruit"}),
        ("4.2.B.1", 6, "rome", "election", {"elected", "place"}),
        ("4.2.B.2", 7, "rome", "tax", {"taxes"}),
        ("4.2.B.3", 8, "rome", "campaign", {"move", "attack"}),
        ("4.2.B.4", 9, "rome", "supply", {"supplied"}),
        ("4.2.B.5", 10, "rome", "recruit", {"recruit"}),
    ],
)
def test_4_2_each_phase_comes_in_its_place_with_its_own_work(paragraph, place, side, phase, work):
    seen = whole_turn()
    assert list(seen)[place - 1] == (side, phase) and seen[side, phase] == work


def test_19_0_the_first_turn_has_neither_diplomacy_nor_election():
    state = started("2")
    assert (state.turn, state.phase, state.phasing) == (1, "campaign", "carthage")
    state = after(state, "carthage", {"type": "done", "side": "carthage"})
    assert (state.phase, state.treasury["carthage"]) == ("recruit", 8)
    state = after(state, "carthage", {"type": "done", "side": "carthage"})
    assert (state.phase, state.phasing) == ("campaign", "rome")


def test_4_2_C_after_the_roman_turn_a_new_one_begins_with_diplomacy():
    state = table({"2908": {"rome": points(2)}}, side="rome", phase="recruit", treasury={"rome": 5, "carthage": 0})
    outcome = give(state, "rome", {"type": "done", "side": "rome"})
    assert (outcome.state.turn, outcome.state.phase) == (3, "diplomacy")
    assert "turn" in kinds(outcome)
    assert PUNIC_WARS.waiting_for(outcome.state) == ("carthage", "rome")


def test_4_1_acting_out_of_order_is_refused():
    state = table({"2908": {"rome": points(2)}}, {"rc": "2908"})
    with pytest.raises(Illegal, match=r"4\.1"):
        give(state, "rome", {"type": "recruit", "hex": "2908", "kind": "land", "points": 1})
    with pytest.raises(NotYours):
        give(state, "carthage", took("rc", 1))


def test_19_0_procedure_set_up_in_an_area_is_the_owners_choice_with_a_proposal():
    state = PUNIC_WARS.start("1", None, {}, Dice()).state
    assert PUNIC_WARS.waiting_for(state) == ("carthage", "rome")
    assert state.points("3314", "rome", "land") == 4 and state.stack("3315", "syracuse").naval == 2
    latium = next(n for n, group in enumerate(state.groups) if group.where == "Latium")
    whole, part, leaders = offered(state, "rome", "deploy")
    assert whole["hex"] == part["hex"] == ["2908", "2909", "3008"]
    assert part["land"] == {"from": 1, "to": 4} and part["leaders"] == [True, False]
    assert (leaders["land"], leaders["naval"], leaders["leaders"]) == (0, 0, True)
    state = after(
        state, "rome", {"type": "deploy", "group": latium, "hex": "3008", "land": 1, "naval": 0, "leaders": False}
    )
    state = after(state, "rome", {"type": "deploy", "group": latium, "hex": "2908"})
    assert state.points("3008", "rome", "land") == 1 and state.points("2908", "rome", "land") == 3
    assert state.leaders_at("2908", "rome") == ("rd",)
    with pytest.raises(Illegal, match="19.0"):
        give(state, "carthage", {"type": "deploy", "group": 0, "hex": "2908"})


def test_19_0_fleets_are_not_set_up_inland():
    """5.32"""
    state = PUNIC_WARS.start("2", None, {}, Dice()).state
    number = next(n for n, group in enumerate(state.groups) if group.where == "Zeugitana")
    assert "2317" not in next(f for f in offered(state, "carthage", "deploy") if f["group"] == number)["hex"]
    with pytest.raises(Illegal):
        give(state, "carthage", {"type": "deploy", "group": number, "hex": "2317"})


@pytest.mark.parametrize(
    "paragraph, scenario, side, forces",
    [
        (
            "19.11",
            "1",
            "carthage",
            {
                "Zeugitana": (2, 2, [2]),
                "2915": (2, 2, [2]),
                "3015": (1, 1, []),
                "3013": (1, 1, []),
                "Sardinia": (1, 0, []),
                "Corsica": (1, 0, []),
            },
        ),
        ("19.12", "1", "rome", {"3314": (4, 2, [1]), "Latium": (4, 0, [1])}),
        ("19.13", "1", "syracuse", {"3315": (2, 2, [])}),
        (
            "19.21",
            "2",
            "carthage",
            {
                "Tarraconensis": (10, 0, [3]),
                "Zeugitana": (4, 3, [2]),
                "Nova Carthago": (0, 3, [2]),
                "Hispania": (4, 0, [2]),
                "Saguntum": (1, 0, []),
                "Baleares Insulae": (1, 0, []),
            },
        ),
        (
            "19.22",
            "2",
            "rome",
            {
                "Massilia": (4, 4, [1]),
                "Sicilia": (4, 8, [1]),
                "Gallia Cisalpina": (4, 0, [1]),
                "Latium": (2, 0, [1]),
                "Sardinia": (1, 0, []),
                "Corsica": (1, 0, []),
            },
        ),
        ("19.23", "2", "syracuse", {"3315": (2, 2, [])}),
        ("19.31", "3", "carthage", {"2516": (8, 2, [2, 2])}),
        (
            "19.32",
            "3",
            "rome",
            {
                "2515": (17, 8, [1, 1]),
                "Sicilia": (2, 2, []),
                "Latium": (2, 0, []),
                "Nova Carthago": (2, 0, []),
                "Sardinia": (1, 0, []),
                "Corsica": (1, 0, []),
            },
        ),
        ("19.33", "3", "syracuse", {"3315": (2, 2, [])}),
    ],
)
def test_19_0_the_forces_at_the_start_and_no_others(paragraph, scenario, side, forces):
    """Land points, naval points and the leaders by their values, in each region or hex of the list."""
    state = started(scenario)
    found = {}
    for where in forces:
        hexes = (
            [where]
            if where in state.chart.places
            else [at for at, place in state.chart.places.items() if place.region == where]
        )
        stacks = [state.stack(at, side) for at in hexes]
        men = sorted(man.value for man in state.leaders.values() if man.side == side and man.at in hexes)
        found[where] = (sum(each.land for each in stacks), sum(each.naval for each in stacks), men)
    assert found == forces
    assert [state.in_play(side, kind) for kind in ("land", "naval")] == [
        sum(each[place] for each in forces.values()) for place in (0, 1)
    ]
    standing = [man for man in state.leaders.values() if man.side == side and man.at]
    assert len(standing) == sum(len(men) for *_, men in forces.values())


@pytest.mark.parametrize("paragraph, scenario, lord", [("19.14.A", "1", "neutral"), ("19.24.A", "2", "rome")])
def test_19_0_whose_siracusa_is_at_the_start(paragraph, scenario, lord):
    state = started(scenario)
    assert state.alignment["Siracusa"] == lord
    assert control(state).get("Siracusa") == (lord if lord == "rome" else None)


def test_19_34_a_every_region_but_four_is_pro_roman():
    state = started("3")
    assert {name for name, lord in state.alignment.items() if lord != "rome"} == {
        "Hispania",
        "Gallia",
        "Mauretania",
        "Zeugitana",
    }
    assert control(state)["Zeugitana"] == "rome"  # by the army before Carthage (14.13)


@pytest.mark.parametrize("paragraph, scenario, best", [("19.14.B", "1", 2), ("19.34.B", "3", 2), ("19.24.C", "2", 3)])
def test_19_0_the_best_leaders_of_each_war(paragraph, scenario, best):
    for side in ("rome", "carthage"):
        assert max(man.value for man in started(scenario).leaders.values() if man.side == side) == best


def test_19_34_C_the_third_war_has_no_diplomatic_phase():
    state = table({"2908": {"rome": points(2)}}, {"cb": "0612"}, "3", "rome", "recruit", treasury={"rome": 4})
    state = after(state, "rome", {"type": "done", "side": "rome"})
    assert (state.turn, state.phase, state.phasing) == (3, "campaign", "carthage")


NEUTRAL = {"alignment": {"Siracusa": "neutral"}}


@pytest.mark.parametrize(
    "scenario, change, path",
    [
        ("1", {"leaders": {"ra": {"side": "rome", "value": 3, "letter": "A", "at": "2908"}}}, "leaders.ra"),
        ("3", {"leaders": {"ca": {"side": "carthage", "value": 3, "letter": "A", "at": "2516"}}}, "leaders.ca"),
        ("1", {"stacks": {"3315": {"syracuse": points(2), "rome": points(1)}}, **NEUTRAL}, "stacks.3315.rome"),
        ("1", {"stacks": {"3215": {"carthage": points(1)}}, **NEUTRAL}, "stacks.3215.carthage"),
        (
            "1",
            {"stacks": {"3315": {"syracuse": points(2, inside="land")}}, **NEUTRAL},
            "stacks.3315.syracuse.land_inside",
        ),
        ("3", {"markers": {"Siracusa": "3215"}}, "markers.Siracusa"),
        ("1", {"defected": ["Lucania"]}, "defected.Lucania"),
        ("1", {"war": True}, "war"),
    ],
)
def test_19_14_a_position_that_its_scenario_rules_out_is_refused(scenario, change, path):
    """19.14.B, 19.34.B, 17.11, 16.36, 16.34"""
    raw = {"scenario": scenario, "stacks": {"2908": {"rome": points(2)}}, "phase": "campaign", **change}
    with pytest.raises(BadInput) as refused:
        PUNIC_WARS.start(None, raw, {}, Dice())
    assert refused.value.path == path


@pytest.mark.parametrize("scenario, turn, missing", [("2", 1, {"diplomacy", "election"}), ("3", 2, {"diplomacy"})])
def test_19_0_the_journal_tells_of_no_phase_that_does_not_take_place(scenario, turn, missing):
    """19.0, 19.34.C"""
    played = play_at_random(PUNIC_WARS, scenario, Random(2), {"turn_limit": 2})
    told = [
        (entry.number, event.data["phase"])
        for entry in played.entries
        for event in entry.events
        if event.type == "phase"
    ]
    turns = [decode(state, Campaign).turn for state in played.states]
    phases = {phase for number, phase in told if turns[number] == turn}
    assert {"tax", "campaign"} <= phases and not phases & missing


@pytest.mark.parametrize(
    "change, path",
    [
        ({"stacks": {"9999": {"rome": points(1)}}}, "stacks.9999"),
        ({"stacks": {"2907": {"rome": points(0, 1)}}}, "stacks.2907.rome.naval"),
        ({"stacks": {"2808": {"rome": points(0, 1)}}}, "stacks.2808.rome"),
        ({"stacks": {"2909": {"rome": points(1, inside="land")}}}, "stacks.2909.rome.land_inside"),
        ({"stacks": {"3314": {"syracuse": points(1)}}}, "stacks.3314.syracuse"),
        ({"leaders": {"rz": {"side": "rome", "value": 1, "at": "2908"}}}, "leaders.rz"),
        ({"leaders": {"rc": {"side": "rome", "value": 1, "at": "2908", "land": 5}}}, "leaders.rc.land"),
        ({"treasury": {"rome": -1}}, "treasury.rome"),
        ({"phase": "lunch"}, "phase"),
        ({"alignment": {"Atlantis": "rome"}}, "alignment.Atlantis"),
        ({"holders": {"9999": "rome"}}, "holders.9999"),
        ({"bids": {"rome": 5}}, "bids.rome"),
        ({"active": "rc"}, "active"),
        ({"pending": {"kind": "riddle", "seat": "rome", "rule": "1.0"}}, "pending.kind"),
        ({"pending": {"kind": "threat", "seat": "rome", "rule": "9.16"}}, "battle"),
        ({"pending": {"kind": "losses", "seat": "rome", "rule": "9.31"}}, "owed"),
        ({"step": {"leader": "rc", "to": "2907"}}, "step"),
        ({"battle": {"id": 1, "hex": "2908", "leader": "rc", "kind": "land", "side": "rome"}}, "battle.leader"),
        ({"returning": ["zz"]}, "returning.zz"),
        ({"election": {"remove": 3}}, "election.remove"),
        ({"groups": [{"side": "rome", "where": "Latium", "usual": "2908", "cite": "19.12"}]}, "groups[0]"),
        ({"leaders": {"rc": {"side": "rome", "value": 1, "at": "2908", "fate": "lost"}}}, "leaders.rc.fate"),
    ],
)
def test_4_1_a_position_that_contradicts_itself_is_refused_with_the_path(change, path):
    raw = {"scenario": "2", "stacks": {"2908": {"rome": points(2)}}, "phase": "campaign", **change}
    with pytest.raises(BadInput) as refused:
        PUNIC_WARS.start(None, raw, {}, Dice())
    assert refused.value.path == path


def test_4_1_the_umpires_state_is_a_position():
    state = started("2")
    seen = PUNIC_WARS.view(state, "umpire")
    again = PUNIC_WARS.start(None, seen, {}, Dice()).state
    assert plain(again) == plain(state)
    assert PUNIC_WARS.offers(again, "carthage") == PUNIC_WARS.offers(state, "carthage")


def test_4_1_the_umpire_adjusts_with_a_reason():
    state = started("2")
    command = {"type": "adjust", "changes": {"stacks.2908.rome.land": 5, "treasury.rome": 7}, "why": "mistyped"}
    with pytest.raises(NotYours):
        give(state, "rome", command)
    with pytest.raises(BadInput, match="why"):
        give(state, "umpire", {**command, "why": " "})
    with pytest.raises(BadInput, match="stacks.2907"):
        give(state, "umpire", {**command, "changes": {"stacks.2907.rome": {"naval": 1}}})
    new = after(state, "umpire", command)
    assert new.points("2908", "rome", "land") == 5 and new.treasury["rome"] == 7
    assert not PUNIC_WARS.invariants(new)


def test_4_1_when_nobody_can_do_anything_the_engine_moves_on():
    state = table({"2908": {"rome": points(2)}}, side="carthage", phase="campaign", treasury={"rome": 0})
    assert PUNIC_WARS.waiting_for(state) and state.phase != "supply"
