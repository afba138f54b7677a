"""Reinforcements, the proconsul and the consuls."""

import pytest

from kit.hannibal_war import asked, dice, do, kinds, offered, refused, the
from strategic.hannibal import HANNIBAL
from strategic.point_to_point.state import Troops


def spring(turn=2, generals=None, spaces=None, **fields):
    """The reinforcement phase of a turn."""
    position = {"turn": turn, "phase": "reinforcements", "generals": generals or {}, "spaces": spaces or {}, **fields}
    return HANNIBAL.start(None, position, {}, dice()).state


def places(state, seat, line):
    return [space for fields in offered(state, seat, "reinforce") if fields["line"] == line for space in fields["at"]]


def rome_next(state):
    """Carthage's units all placed in Carthage or New Carthage."""
    while asked(state) == "reinforce" and HANNIBAL.waiting_for(state) == ("carthage",):
        fields = offered(state, "carthage", "reinforce")[0]
        state = do(state, "carthage", "reinforce", line=fields["line"], at=fields["at"][0]).state
    return state


@pytest.mark.parametrize(
    "paragraph, line, where",
    [
        ("reinforcements.1a", "1a", {"utica", "carthage"}),
        ("reinforcements.1b", "1b", {"new_carthage", "toletum"}),
        ("reinforcements.1c", "1c", {"new_carthage", "toletum"}),
        ("reinforcements.1d", "1d", {"new_carthage", "toletum", "verona", "utica", "carthage"}),
    ],
)
def test_reinforcements_1_carthage_gets_four_units_by_their_lines(paragraph, line, where):
    """Hanno in Africa, Hasdrubal in Iberia, Mago in Italy; each line is one CU."""
    state = spring(
        generals={"hanno": {"space": "utica"}, "hasdrubal": {"space": "toletum"}, "mago": {"space": "verona"}}
    )
    assert set(places(state, "carthage", line)) == where
    for at in {"utica", "toletum", "verona", "carthage", "new_carthage"} - where:
        refused(state, "carthage", "reinforce", paragraph, line=line, at=at)
    at = min(where - {"carthage", "new_carthage"})
    state = do(state, "carthage", "reinforce", line=line, at=at).state
    assert state.spaces[at].carthage == Troops(1) and places(state, "carthage", line) == []
    refused(state, "carthage", "reinforce", "reinforcements.1", line=line, at=at)


def test_reinforcements_1b_new_carthage_and_reinforcements_1c_baetica_must_be_held():
    lost = spring(spaces={"new_carthage": {"control": "rome"}})
    assert places(lost, "carthage", "1b") == [] and lost.agenda[-1].about["left"] == {"1a": 1, "1c": 1, "1d": 1}
    baetica = {space: {"control": None} for space in ("acci", "malaca", "hispalis")}
    assert "1c" not in spring(spaces=baetica).agenda[-1].about["left"]


def test_reinforcements_general_1_and_siege_more_2_no_unit_goes_into_a_besieged_city():
    """reinforcements.general.1, siege.more.2"""
    siege = {"carthage": {"rome": {"units": 5}, "siege": 1, "besieger": "rome", "inside": {"units": 2}}}
    state = spring(spaces=siege, generals={"hasdrubal": {"space": "toletum"}})
    assert "carthage" not in places(state, "carthage", "1a") + places(state, "carthage", "1d")


def test_reinforcements_1e_displaced_generals_return_to_an_unbesieged_space_with_a_friendly_unit():
    state = rome_next(spring(spaces={"toletum": {"carthage": {"units": 1}}}))
    assert asked(state) == "return"
    refused(state, "carthage", "return_general", "reinforcements.1e", general="mago", at="cannae")
    state = do(state, "carthage", "return_general", general="mago", at="toletum").state
    assert state.generals["mago"].space == "toletum" and state.generals["mago"].status == "board"
    hanno = [fields["at"] for fields in offered(state, "carthage", "return_general") if fields["general"] == "hanno"]
    assert all("toletum" not in at for at in hanno)


def test_reinforcements_2_rome_must_build_an_army_of_five():
    people = {"marcellus": {"space": "cannae", "rank": "consul"}, "hannibal": {"space": "toletum"}}
    spaces = {"cannae": {"rome": {"units": 3}}, "rome": {"rome": {"units": 1}}, "toletum": {"carthage": {"units": 1}}}
    state = rome_next(spring(generals=people, spaces=spaces))
    while asked(state) == "return":
        fields = offered(state, "carthage", "return_general")[0]
        state = do(state, "carthage", "return_general", general=fields["general"], at=fields["at"][0]).state
    assert state.agenda[-1].about["left"] == {"2a": 3, "2b": 2}
    for line in ("2a", "2a", "2b"):
        state = do(state, "rome", "reinforce", line=line, at="rome").state
    # Rome has 4, Cannae 3, and two are left: either may still reach five, but after one in Cannae so must the other
    state = do(state, "rome", "reinforce", line="2a", at="cannae").state
    state = do(state, "rome", "reinforce", line="2b", at="cannae").state
    assert state.spaces["cannae"].rome == Troops(5)


def test_reinforcements_2_a_placement_that_makes_five_impossible_is_refused():
    people = {"marcellus": {"space": "cannae", "rank": "consul"}, "hannibal": {"space": "carthage"}}
    spaces = {"carthage": {"carthage": {"units": 1}}, "rome": {"rome": {"units": 1}}}
    state = rome_next(spring(generals=people, spaces=spaces))
    while asked(state) == "return":
        fields = offered(state, "carthage", "return_general")[0]
        state = do(state, "carthage", "return_general", general=fields["general"], at="carthage").state
    state = do(state, "rome", "reinforce", line="2a", at="cannae").state
    state = do(state, "rome", "reinforce", line="2a", at="rome").state
    refused(state, "rome", "reinforce", "reinforcements.2", line="2a", at="cannae")
    assert places(state, "rome", "2a") == ["rome"]


@pytest.mark.parametrize(
    "paragraph, line, size, where",
    [
        ("reinforcements.2a", "2a", 3, {"rome", "cannae"}),
        ("reinforcements.2b", "2b", 2, {"rome", "cannae", "tarraco"}),
    ],
)
def test_reinforcements_2_rome_gets_five_units_by_their_lines(paragraph, line, size, where):
    """Marcellus with his army in Italy, Nero in Iberia."""
    people = {
        "marcellus": {"space": "cannae", "rank": "consul"},
        "nero": {"space": "tarraco", "rank": "consul"},
        **{each: {"space": "carthage"} for each in ("hannibal", "hanno", "mago", "hasdrubal", "h_gisgo")},
    }
    spaces = {"cannae": {"rome": {"units": 5}}, "carthage": {"carthage": {"units": 1}}}
    state = rome_next(spring(generals=people, spaces=spaces))
    assert state.agenda[-1].about["left"][line] == size and set(places(state, "rome", line)) == where
    for at in {"tarraco", "capua"} - where:
        refused(state, "rome", "reinforce", paragraph, line=line, at=at)
    for _ in range(size):
        state = do(state, "rome", "reinforce", line=line, at="cannae").state
    assert state.spaces["cannae"].rome == Troops(5 + size) and places(state, "rome", line) == []


def rome_done(turn=2, **more):
    """Rome has its units, all in the city of Rome."""
    generals = {"flaminius": {"space": "rome", "rank": "consul"}, "varro": {"space": "cannae", "rank": "consul"}}
    state = rome_next(spring(turn, generals=generals, spaces={"rome": {"rome": {"units": 5}}}, **more))
    while asked(state) == "return":
        fields = offered(state, "carthage", "return_general")[0]
        state = do(state, "carthage", "return_general", general=fields["general"], at=fields["at"][0]).state
    for line in ("2a", "2a", "2a", "2b", "2b"):
        state = do(state, "rome", "reinforce", line=line, at="rome").state
    return state


def test_reinforcements_2c_africanus_lands_on_turn_6_and_reinforcements_2c_1_in_a_friendly_free_space_and_reinforcements_2c_2_outside_walls():
    assert asked(rome_done(5)) == "proconsul"
    state = rome_done(6)
    assert asked(state) == "land"
    ports = offered(state, "rome", "land")[0]["at"]
    assert "capua" in ports and "toletum" not in ports and "malaca" not in ports and "agrigentum" not in ports
    refused(state, "rome", "land", "reinforcements.2c.1", at="malaca")
    state = do(state, "rome", "land", at="capua").state
    africanus = state.generals["scipio_africanus"]
    assert (africanus.space, africanus.inside, africanus.rank) == ("capua", False, "proconsul")
    assert state.spaces["capua"].rome == Troops(5) and state.spaces["capua"].inside.size == 0


def test_reinforcements_3_a_proconsul_may_be_named_and_reinforcements_4_then_the_consuls_change_and_reinforcements_4a_the_others_leave():
    outcome = do(rome_done(), "rome", "proconsul", general="varro")
    assert outcome.state.generals["varro"].rank == "proconsul" and outcome.state.generals["varro"].space == "cannae"
    assert outcome.state.generals["flaminius"].status == "pool"
    assert kinds(outcome)[-2:] == ["generals_left", "consuls_drawn"] and asked(outcome.state) == "place_consul"
    without = do(rome_done(), "rome", "pass").state
    assert without.generals["varro"].status == without.generals["flaminius"].status == "pool"


def test_reinforcements_4b_two_consuls_are_drawn_without_last_years():
    for seed in range(12):
        state = rome_done()
        outcome = do(state, "rome", "pass", seed=seed)
        drawn = the(outcome, "consuls_drawn")["generals"]
        assert len(set(drawn)) == 2 and not {"flaminius", "varro", "scipio_africanus"} & set(drawn)


def test_reinforcements_4c_consuls_go_to_five_units_and_reinforcements_4c_1_besieged_rome_only_in_need():
    state = do(rome_done(), "rome", "pass").state
    consul = state.agenda[-1].about["consuls"][0]
    assert {space for fields in offered(state, "rome", "place_consul") for space in fields["at"]} == {"rome"}
    refused(state, "rome", "place_consul", "reinforcements.4c", general=consul, at="cannae")
    state = do(state, "rome", "place_consul", general=consul, at="rome").state
    assert state.generals[consul].space == "rome" and state.generals[consul].rank == "consul"
    besieged = {"rome": {"inside": {"units": 5}, "carthage": {"units": 3}, "siege": 1, "besieger": "carthage"}}
    position = {"turn": 2, "agenda": [{"kind": "consuls", "seat": "", "rule": "reinforcements.4"}], "spaces": besieged}
    need = HANNIBAL.start(None, position, {}, dice()).state
    assert {space for fields in offered(need, "rome", "place_consul") for space in fields["at"]} == {"rome"}
    besieged["cosa"] = {"rome": {"units": 5}}
    free = HANNIBAL.start(None, position, {}, dice()).state
    assert {space for fields in offered(free, "rome", "place_consul") for space in fields["at"]} == {"cosa"}
