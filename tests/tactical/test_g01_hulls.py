"""G1.6 Hulls that lie close to one another on the measured sea: what they may not row through, and when they are free."""

from __future__ import annotations

import json
import random
from collections import Counter
from math import cos, radians, sin

import msgspec
import pytest
from shapely import Polygon
from shapely.affinity import rotate, translate

from kit.fleet import do, offered, position, ship
from kit.lengths import HULLS_SWEPT, seeds
from kit.sea import held, moving, sea, stepped
from tactical import GALLEY, board
from tactical.battle import Battle
from tactical.geometry import geometry
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, encode
from tactical.position import invariants
from tactical.rules.missiles import range_between as reach

SPIT = [[[10.3, 15], [10.6, 15], [10.6, 25], [10.3, 25], [10.3, 15]]]
LONG = {"barge": {"hull": 9, "maximum": 3, "cruise": 2, "turn_cycle": 0, "acceleration": 3, "length": 3, "ram": 0}}
FAR = ship("carthage", [35, 35], 0)


def refusal(battle: Battle, seat: str, kind: str, **fields: object) -> Illegal:
    with pytest.raises(Illegal) as refused:
        do(battle, seat, kind, **fields)
    return refused.value


def on_to(battle: Battle, step: str) -> Battle:
    """The battle with `done` and holds said until this step."""
    while battle.step != step:
        battle = do(battle, "umpire", "done", side=GALLEY.waiting_for(battle)[0]).state
    return battle


@pytest.mark.parametrize("lateral", [0.22, 0.25, 0.3, 0.35, 0.4])
@pytest.mark.parametrize(
    "other", [ship("carthage", None), ship("rome", None), ship("carthage", None, status="captured", captured_by="rome")]
)
def test_g1_6_a_no_ship_rows_through_a_hull_alongside(lateral: float, other: dict[str, object]) -> None:
    beside = {**other, "at": [10 + lateral, 20], "facing": 0}
    battle = held({"r1": ship("rome", [10, 20], 0, speed=1), "x1": beside})
    assert refusal(battle, "rome", "step", ship="r1", angle=60).rule == "G4.3"
    assert stepped(battle, "r1", -60).ships["r1"].at == (9.133975, 19.5), "away from it the way is open"


def test_g1_6_a_a_rammed_ship_leaves_to_the_side_from_which_it_was_struck_by_no_way() -> None:
    """r1's ram touches c1's side: c1 goes off before r1's bow, not over it."""
    ships = {
        "r1": ship("rome", [20, 19.2101], 0),
        "c1": ship("carthage", [20, 18.7], 90, speed=1, free_turn="any"),
    }
    battle = held(ships)
    assert do(battle, "carthage", "step", ship="c1", facing=0).state.ships["c1"].at == (20, 17.7)
    assert refusal(battle, "carthage", "step", ship="c1", facing=180).rule == "G4.3"


def across(battle: Battle, one: str, other: str) -> bool:
    return board.overlap(battle.outline(battle.ships[one]), battle.outline(battle.ships[other]))


def rake_from_astern() -> Battle:
    ships = {
        "r1": ship("rome", [20, 20], 0, speed=3, plot=3, crew="elite"),
        "c1": ship("carthage", [20, 18.7], 0, speed=2, plot=2, crew="poor"),
    }
    return on_to(do(stepped(moving(ships, phase=2), "r1"), "rome", "rake", ship="r1").state, "move")


def test_g1_6_f_a_raker_whose_target_has_rowed_on_waits_behind_her_and_leaves_straight_ahead() -> None:
    """G7.2 As on hexes. r1 steps in phases 4 and 6, c1 in 3 and 5."""
    battle = rake_from_astern()
    here = battle.ships["r1"].at
    assert battle.phase == 3 and battle.ships["r1"].passing == "c1" and across(battle, "r1", "c1")
    battle = on_to(stepped(battle, "c1"), "move")
    raker = battle.ships["r1"]
    assert battle.phase == 5 and raker.at == here and not across(battle, "r1", "c1"), "c1 bars the way in phase 4"
    assert raker.passing == "c1" and raker.speed == 3 and not raker.stopped, "she waits, and owes the step"
    assert encode(GALLEY.start(None, json.loads(encode(battle)), {}, Dice()).state) == encode(battle)
    battle = on_to(stepped(battle, "c1"), "move")
    assert refusal(battle, "rome", "step", ship="r1", angle=10).rule == "G7.2"
    free = stepped(battle, "r1").ships["r1"]
    assert free.at == pytest.approx((20, here[1] - 1), abs=1e-5) and free.passing is None and not free.rowed_clear


def test_g1_6_f_a_raker_whose_target_has_rowed_on_may_be_met_by_her() -> None:
    battle = on_to(stepped(rake_from_astern(), "c1"), "move")
    raw = msgspec.to_builtins(battle)
    raw["ships"]["c1"] |= {"at": [20, 20.5]}
    met = stepped(GALLEY.start(None, raw, {}, Dice()).state, "c1")
    assert met.ships["c1"].contact == "r1" and not across(met, "r1", "c1")


def test_g1_6_c_nobody_boards_across_land() -> None:
    ships = {
        "r1": ship("rome", [10, 20], 0, corvus=True, archers=1, medium=2),
        "c1": ship("carthage", [10.9, 20], 0),
    }
    battle = sea(ships, step="board", phase=6)
    assert [each["target"] for each in offered(battle, "rome", "board")] == ["c1"], "without land she is at range 1"
    dry = sea({**ships, "r2": ship("rome", [11.2, 20], 0)}, step="board", phase=6, board={"coast": SPIT})
    assert offered(dry, "rome", "board", ship="r1") == []
    assert refusal(dry, "rome", "board", ship="r1", target="c1").rule == "G8.1"


@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_g1_6_a_long_ships_do_not_pass_through_each_other(length: float) -> None:
    types = {"barge": {**LONG["barge"], "length": length}}
    ships = {
        "r1": ship("rome", [20, 20], 0, "barge", speed=1),
        "c1": ship("carthage", [20, 20 - length - 0.5], 180, "barge"),
    }
    battle = stepped(moving(ships, types=types), "r1")
    assert battle.ships["r1"].contact == "c1" and not across(battle, "r1", "c1")


def test_g1_6_c_a_gap_of_whole_base_lengths_is_the_range_that_hexes_give() -> None:
    """As on hexes after the backing that a ram owes."""
    met = stepped(moving({"r1": ship("rome", [20, 20], 0, speed=1), "c1": ship("carthage", [20, 18.7], 90)}), "r1")
    owing = ship("rome", met.ships["r1"].at, 0, speed=-1, must_back=True)
    battle = stepped(held({"r1": owing, "c1": ship("carthage", [20, 18.7], 90)}), "r1")
    backed = battle.hull(battle.ships["r1"]), battle.hull(battle.ships["c1"])
    assert backed[0].distance(backed[1]) == pytest.approx(1, abs=3e-4) and board.range_of(*backed) == 2
    for gap, far in ((0.5, 1), (0.99, 1), (1.0, 2), (1.5, 2), (2.0, 3), (2.1, 3), (3.0, 4), (9.0, 10), (9.5, 10)):
        near = sea({"r1": ship("rome", [20, 20], 0), "c1": ship("carthage", [20, 20 - 0.8 - gap], 0)})
        assert board.range_of(near.hull(near.ships["r1"]), near.hull(near.ships["c1"])) == far, gap
    for away in range(1, 12):  # quinqueremes are a base length long
        ships = {
            "r1": ship("rome", (0, 13), "N", "quinquereme"),
            "c1": ship("carthage", (0, 13 - away), "N", "quinquereme"),
        }
        hexes = position(ships=ships)
        laid = sea({name: {**each, "at": [20, 7 + each["at"][1]], "facing": 0} for name, each in ships.items()})
        ranges = {reach(each, each.ships["r1"], each.ships["c1"]) for each in (hexes, laid)}
        assert ranges == {away}, (away, ranges)


NARROW = {  # where r1 lies with four friends about it only these whole degrees are open
    "f0": ship("rome", [19.51, 19.99], 150),
    "f1": ship("rome", [20.3, 19.05], 340),
    "f2": ship("rome", [19.7, 19.02], 50),
    "f3": ship("rome", [21.02, 19.24], 300),
}


@pytest.mark.parametrize("others_due", [True, False])
def test_g1_6_g_every_whole_degree_that_is_free_is_offered_whoever_steps_first(others_due: bool) -> None:
    """None of the angles in steps of five degrees is open."""
    ships = {"r1": ship("rome", [20, 20], 0, speed=1), **NARROW, "c1": FAR}
    battle = held(ships) if others_due else moving(ships)
    assert [each["angle"] for each in offered(battle, "rome", "step", ship="r1")] == [{"from": -49, "to": -48}, 0], (
        "running on and stopping is a choice as long as there is a way"
    )
    for angle in (-48, -49, -48.5):
        assert stepped(battle, "r1", angle).ships["r1"].at != (20, 20)
    for angle in (-50, -47, -49.2, -47.8):
        assert refusal(battle, "rome", "step", ship="r1", angle=angle).rule == "G4.3"


HULLS = ("bireme", "trireme", "quadrireme", "quinquereme", "hepteres")
FINE = 400  # places along a step at which the hulls are laid beside one another


def drawn_hull(battle: Battle, name: str) -> Polygon:
    """A hull laid out anew, from the ram at the head to the stern, without the program's own outlines."""
    each = battle.ships[name]
    kind = battle.kind(each)
    fore, beam = kind.length / 2, kind.beam / 2
    points = [(0, -fore), (beam, -fore / 2), (beam, fore / 2), (beam * 0.6, fore)]
    shape = Polygon([*points, *((-x, y) for x, y in reversed(points[1:]))])
    return translate(rotate(shape, each.facing, origin=(0, 0)), *each.at)


def crowd(throw: random.Random) -> Battle:
    """r1, due, among one to four others that lie about it."""
    while True:
        ships = {"r1": ship("rome", [20, 20], throw.randrange(360), throw.choice(HULLS), speed=1, medium=1)}
        for number in range(throw.randint(1, 4)):
            whose = throw.choice([{"side": "carthage"}, {"side": "rome"}, {"side": "carthage", "status": "captured"}])
            if "status" in whose:
                whose["captured_by"] = "rome"
            at = [20 + throw.uniform(-1.3, 1.3), 20 + throw.uniform(-1.3, 1.3)]
            kind = throw.choice(HULLS)
            ships[f"x{number}"] = ship(None, at, throw.uniform(0, 360), kind, medium=1) | whose
        try:
            return held(ships)
        except BadInput:
            continue


def meets_by_hand(battle: Battle, angle: float) -> tuple[str, str]:
    """What r1 meets on its way, laid out place by place; "?" where the places are too far apart to say."""
    before = drawn_hull(battle, "r1")
    turned = rotate(before, angle, origin=battle.ships["r1"].at)
    heading = radians(battle.ships["r1"].facing + angle)
    ahead = sin(heading), -cos(heading)
    others = {name: drawn_hull(battle, name) for name in battle.ships if name[0] == "x"}
    spans = {}
    for name, hull in others.items():
        path = [translate(turned, ahead[0] * at / FINE, ahead[1] * at / FINE) for at in range(FINE + 1)]
        over = [at for at, here in enumerate(path) if here.intersection(hull).area > 1e-9]
        if not over and path[-1].distance(hull) < 2 / FINE:
            return "?", name
        if over:
            spans[name] = over[0], over[-1]
    across = {name: span for name, span in spans.items() if span[0] == 0}
    met = sorted((span[0], name) for name, span in spans.items() if name not in across)
    stop = met[0][0] if met else FINE
    if met and (stop <= 2 or stop >= FINE - 2 or any(span - stop <= 2 for span, _ in met[1:])):
        return "?", met[0][1]
    end = translate(turned, ahead[0] * (stop - 1) / FINE, ahead[1] * (stop - 1) / FINE)
    for name, span in across.items():
        if abs(span[1] - stop) <= 2:
            return "?", name
        between = before.union(end).convex_hull.intersection(others[name]).area
        if span[1] > stop or between > 1e-3:
            return "blocked", name
        if between > 1e-9:
            return "?", name
    if not met:
        return "open", ""
    foe = battle.ships[met[0][1]]
    return ("contact" if foe.side == "carthage" and foe.is_afloat else "blocked"), met[0][1]


@pytest.mark.parametrize("seed", seeds(range(2), HULLS_SWEPT))
def test_g1_6_a_what_a_step_meets_is_what_hulls_laid_beside_one_another_meet(seed: int) -> None:
    throw, seen = random.Random(seed), Counter[str]()
    for _ in range(40):
        battle = crowd(throw)
        for angle in throw.sample(range(-60, 61), 3):
            meets, whom = meets_by_hand(battle, angle)
            heading = (battle.ships["r1"].facing + angle) % 360
            found = geometry(battle).way(battle, "r1", battle.ships["r1"], heading)
            seen[meets] += 1
            if meets == "?":
                continue
            assert found.meets == meets, (seed, angle, whom, battle.ships)
            if found.meets == "blocked":
                continue
            after = stepped(battle, "r1", angle)
            assert found.foes == ((whom,) if meets == "contact" else ())
            assert invariants(after) == () and not [
                name for name in battle.ships if name != "r1" and across(after, "r1", name)
            ]
    assert min(seen["open"], seen["contact"], seen["blocked"]) > 3 and seen["?"] < 15, seen
