"""Reinforcements, the proconsul and the consuls."""

from hannibal_war import asked, dice, do, offered, refused, the

from strategic.hannibal import HANNIBAL
from strategic.point_to_point.pieces import Troops


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


def test_reinforcements_1_carthage_gets_four_units_by_their_lines():
    """reinforcements.1a, reinforcements.1b, reinforcements.1c, reinforcements.1d: where each of the four may go."""
    state = spring(
        generals={"hanno": {"space": "utica"}, "hasdrubal": {"space": "toletum"}, "mago": {"space": "verona"}}
    )
    assert places(state, "carthage", "1a") == ["utica", "carthage"]
    assert places(state, "carthage", "1b") == places(state, "carthage", "1c") == ["new_carthage", "toletum"]
    assert set(places(state, "carthage", "1d")) == {"new_carthage", "toletum", "verona", "utica", "carthage"}
    state = do(state, "carthage", "reinforce", line="1a", at="utica").state
    assert state.spaces["utica"].carthage == Troops(1) and places(state, "carthage", "1a") == []
    refused(state, "carthage", "reinforce", "reinforcements.1", line="1a", at="utica")
    refused(state, "carthage", "reinforce", "reinforcements.1b", line="1b", at="utica")


def test_reinforcements_1b_and_1c_new_carthage_and_baetica_must_be_held():
    """reinforcements.1b, reinforcements.1c"""
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
    """reinforcements.2, reinforcements.2a, reinforcements.2b"""
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


def test_reinforcements_2c_africanus_lands_on_turn_6_in_a_friendly_free_space_outside_walls():
    """reinforcements.2c, reinforcements.2c.1, reinforcements.2c.2"""
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


def test_reinforcements_3_a_proconsul_may_be_named_and_4a_the_others_leave():
    """reinforcements.3, reinforcements.4, reinforcements.4a"""
    outcome = do(rome_done(), "rome", "proconsul", general="varro")
    assert outcome.state.generals["varro"].rank == "proconsul" and outcome.state.generals["varro"].space == "cannae"
    assert outcome.state.generals["flaminius"].status == "pool"
    without = do(rome_done(), "rome", "pass").state
    assert without.generals["varro"].status == without.generals["flaminius"].status == "pool"


def test_reinforcements_4b_two_consuls_are_drawn_without_last_years():
    for seed in range(12):
        state = rome_done()
        outcome = do(state, "rome", "pass", seed=seed)
        drawn = the(outcome, "consuls_drawn")["generals"]
        assert len(set(drawn)) == 2 and not {"flaminius", "varro", "scipio_africanus"} & set(drawn)


def test_reinforcements_4c_consuls_go_to_five_units_and_4c_1_besieged_rome_only_in_need():
    """reinforcements.4c, reinforcements.4c.1"""
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
