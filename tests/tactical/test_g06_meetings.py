"""G6.10, G6.3 Two that step at each other: who may still choose, full speed for both, places of the step's start."""

from __future__ import annotations

from itertools import permutations

import pytest

from kit.fleet import do, go, offered, position, ship
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import encode


def meeting(r1=None, c1=None, **extra) -> Battle:
    """r1 going north and c1 going south have stepped at each other; far away r8 and c8 keep the battle going."""
    ships = {
        "r1": ship(
            "rome", (5, 5), "N", **{"contact": "c1", "stepped": True, "steps_made": 1, "speed": 3, **(r1 or {})}
        ),
        "c1": ship(
            "carthage", (5, 4), "S", **{"contact": "r1", "stepped": True, "steps_made": 1, "speed": 3, **(c1 or {})}
        ),
        "r8": ship("rome", (17, -6)),
        "c8": ship("carthage", (19, 0)),
        **extra,
    }
    return position(ships=ships, step="ram", phase=2)


def refused(battle: Battle, kind: str, **fields: str) -> str:
    before = encode(battle)
    with pytest.raises(Illegal) as wrong:
        do(battle, "umpire", kind, **fields)
    assert encode(battle) == before
    return wrong.value.rule


def test_g6_10_a_hold_settles_only_the_holders_own_choice():
    for kind, fields in (("hold", {"ship": "c1"}), ("done", {"side": "carthage"})):
        held = do(meeting(c1={"damage": 5}), "carthage", kind, **fields).state
        assert held.step == "ram" and held.ships["r1"].contact == "c1" and GALLEY.waiting_for(held) == ("rome",)
        rammed = do(held, "rome", "ram", 1, 5, 1, ship="r1").state
        assert rammed.ships["c1"].status == "sunk", "bow to bow all the same: c1's die 1 against r1's 5, damage 1"


def test_g6_10_if_both_hold_nothing_happens():
    battle = go(meeting(), ("hold", {"ship": "c1"}), ("hold", {"ship": "r1"}))
    assert all(battle.ships[name].stopped and not battle.ships[name].breaches for name in ("r1", "c1"))
    assert battle.step != "ram"


def test_g6_10_a_ram_after_the_others_hold_is_the_ram_without_it():
    alone = do(meeting(), "rome", "ram", 4, 2, 3, ship="r1").state
    after = go(meeting(), ("hold", {"ship": "c1"}), ("ram", {"ship": "r1"}, (4, 2, 3)))
    assert encode(alone) == encode(after)


def test_g6_10_nobodys_done_takes_the_choice_of_a_crew_that_may_rake():
    battle = meeting(r1={"crew": "elite"}, c1={"crew": "poor"})
    assert GALLEY.waiting_for(battle) == ("rome",)
    assert {offer.type for offer in GALLEY.offers(battle, "carthage")} == {"resign", "agree", "forgo"}
    assert refused(battle, "done", side="carthage") == "G3.0"
    assert refused(battle, "hold", ship="c1") == "G6.10"
    held = do(battle, "rome", "hold", ship="r1").state
    assert GALLEY.waiting_for(held) == ("carthage",)
    assert offered(held, "carthage", "ram") == [{"ship": "c1"}]


def test_g6_10_done_leaves_a_contact_that_another_crew_settles_first():
    """c1 waits for the elite r1, c2 is free to choose: `done` holds c2 and no more."""
    battle = meeting(
        r1={"crew": "elite"},
        c1={"crew": "poor"},
        c2=ship("carthage", (12, 4), "N", contact="r2", stepped=True),
        r2=ship("rome", (12, 3), "NE"),
    )
    battle = do(battle, "carthage", "done", side="carthage").state
    assert battle.ships["c2"].stopped and battle.ships["c1"].contact == "r1" and not battle.sides["carthage"].done
    battle = do(battle, "rome", "hold", ship="r1").state
    assert GALLEY.waiting_for(battle) == ("carthage",)
    assert do(battle, "carthage", "done", side="carthage").state.ships["c1"].contact is None


@pytest.mark.parametrize("kind, fields", [("hold", {"ship": "c1"}), ("done", {"side": "carthage"})])
def test_l2_3_a_a_transports_hold_does_not_stop_the_warships_ram(kind, fields):
    battle = do(meeting(c1={"kind": "transport", "medium": 2, "speed": 2}), "carthage", kind, **fields).state
    after = do(battle, "rome", "ram", 4, ship="r1").state
    assert after.ships["c1"].status == "sunk" and after.ships["r1"].must_back, "one die: its damage, no roll bow to bow"


def stepping() -> Battle:
    ships = {
        "r1": ship("rome", (5, 5), "N", speed=3),
        "c1": ship("carthage", (5, 4), "NE", speed=3),
        "r8": ship("rome", (17, -6)),
        "c8": ship("carthage", (19, 0)),
    }
    return position(ships=ships, step="move", phase=2)


def test_g6_9_holding_belongs_to_the_ram_step():
    battle = do(stepping(), "rome", "step", ship="r1", turn="none").state
    assert battle.step == "move" and battle.ships["r1"].contact == "c1"
    assert refused(battle, "hold", ship="r1") == "G6.9" and refused(battle, "hold", ship="c1") == "G6.9"
    after = do(battle, "carthage", "step", ship="c1", turn="none").state
    assert after.ships["r1"].at == (5, 4), "the waiting ship completes its step into the hex that c1 left"


@pytest.mark.parametrize("first", ["r1", "c1"])
def test_g6_3_both_ships_of_a_meeting_on_their_first_step_have_full_speed(first):
    """One hex lies between them: whoever moves second steps at the other, and both came at their maximum."""
    ships = {
        "r1": ship("rome", (5, 6), "N", speed=5, plot=5),
        "c1": ship("carthage", (5, 4), "S", speed=5, plot=5),
        "r8": ship("rome", (17, -6)),
        "c8": ship("carthage", (19, 0)),
    }
    battle = position(ships=ships, step="move", phase=1)
    second = "c1" if first == "r1" else "r1"
    for name in (first, second):
        battle = do(battle, "umpire", "step", ship=name, turn="none").state
    outcome = do(battle, "umpire", "ram", 3, 3, 1, 1, ship=second)
    assert {event.data["ship"]: event.data["full_speed"] for event in outcome.events if event.type == "ram"} == {
        "c1": True,
        "r1": True,
    }


def test_g6_3_oars_that_break_in_this_ram_step_still_gave_their_full_speed():
    """r1 rakes c1 while c1 rams r2: the two are simultaneous, in whichever order they are said."""
    ships = {
        "r1": ship("rome", (5, 5), "N", crew="elite", contact="c1", stepped=True, speed=3, steps_made=1),
        "c1": ship("carthage", (5, 4), "N", contact="r2", stepped=True, speed=5, plot=5, steps_made=1),
        "r2": ship("rome", (4, 4), "NE"),
        "r8": ship("rome", (17, -6)),
        "c8": ship("carthage", (19, 0)),
    }
    battle = position(ships=ships, step="ram", phase=1)
    rake, ram = ("rake", {"ship": "r1"}), ("ram", {"ship": "c1"}, (3,))
    one, other = go(battle, rake, ram), go(battle, ram, rake)
    assert one.ships["r2"].damage == 4 and one.ships["c1"].oars_broken
    assert encode(one) == encode(other)


def raker_under_the_ram(**fields) -> Battle:
    """r1 is about to rake t1 and has e1 astern, about to ram it."""
    ships = {
        "r1": ship("rome", (5, 5), "N", crew="elite", contact="t1", stepped=True, speed=3, damage=5),
        "t1": ship("carthage", (5, 4), "N", **fields),
        "e1": ship("carthage", (5, 6), "N", contact="r1", stepped=True, speed=3),
        "r8": ship("rome", (17, -6)),
        "c8": ship("carthage", (19, 0)),
    }
    return position(ships=ships, step="ram", phase=2)


def test_g6_10_all_places_are_those_of_the_steps_start():
    """A raker that is sunk lies where it came from, whether the rake or the ram was said first."""
    rake, ram = ("rake", {"ship": "r1"}), ("ram", {"ship": "e1"}, (4,))
    one, other = (go(raker_under_the_ram(), *order) for order in permutations((rake, ram)))
    assert one.ships["r1"].status == "sunk" and one.ships["t1"].oars_broken and one.board.wrecks == ((5, 5),)
    assert encode(one) == encode(other)


def test_g6_10_a_way_out_that_was_taken_when_the_step_began_stays_taken():
    """r2's way out is the hex that the raker r1 leaves in this very step."""
    ships = {
        "r1": ship("rome", (5, 5), "N", crew="elite", contact="t1", stepped=True, speed=3),
        "t1": ship("carthage", (5, 4), "N"),
        "r2": ship("rome", (7, 4), "SW", crew="elite", contact="t2", stepped=True, speed=3),
        "t2": ship("carthage", (6, 5), "SW"),
        "x1": ship("carthage", (5, 6), "N"),
        "r8": ship("rome", (17, -6)),
        "c8": ship("carthage", (19, 0)),
    }
    ships["t2"] = ship("carthage", (6, 4), "SW")
    ships["r2"] = ship("rome", (7, 3), "SW", crew="elite", contact="t2", stepped=True, speed=3)
    battle = position(ships=ships, step="ram", phase=2)
    assert refused(battle, "rake", ship="r2") == "G7.1"
    assert refused(do(battle, "rome", "rake", ship="r1").state, "rake", ship="r2") == "G7.1"


def test_g1_5_two_contacts_declared_side_to_side_are_two_rams_at_once():
    ships = {"r1": ship("rome", None, None, speed=3), "c1": ship("carthage", None, None, speed=3)}
    battle = position(ships=ships, board={"kind": "table"}, step="move", phase=2)
    for name, foe in (("r1", "c1"), ("c1", "r1")):
        battle = do(battle, "umpire", "contact", ship=name, target=foe, aspect="side").state
    if battle.step == "move":
        battle = do(battle, "umpire", "done", side=GALLEY.waiting_for(battle)[0]).state
    after = do(battle, "rome", "ram", 2, 3, ship="r1").state
    assert (after.ships["r1"].damage, after.ships["c1"].damage) == (2, 3), "c1's die first, in order of id"
    held = do(battle, "carthage", "hold", ship="c1").state
    after = do(held, "rome", "ram", 3, ship="r1").state
    assert (after.ships["r1"].damage, after.ships["c1"].damage) == (0, 3)


def test_g4_6_of_two_enemies_in_one_hex_the_player_chooses_which_it_meets():
    """Three sides: x1 steps at the hex in which red's raker lies beside blue's ship."""
    ships = {
        "r1": ship("rome", (5, 4), crew="elite", speed=1, passing="c1"),
        "c1": ship("carthage", (5, 4), oars_broken=True, raked_by="r1"),
        "x1": ship("egypt", (5, 5), speed=3),
        "r8": ship("rome", (17, -6)),
        "c8": ship("carthage", (19, 0)),
    }
    battle = position(ships=ships, step="move", phase=2, sides={"rome": {}, "carthage": {}, "egypt": {}})
    straight = next(fields for fields in offered(battle, "egypt", "step") if fields.get("target"))
    assert straight == {"ship": "x1", "turn": "none", "target": ["r1", "c1"]}
    for foe in ("r1", "c1"):
        after = do(battle, "egypt", "step", ship="x1", turn="none", target=foe).state
        assert after.ships["x1"].contact == foe
    assert refused(battle, "step", ship="x1", turn="none", target="c8") == "G4.6"
