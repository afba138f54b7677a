"""Models on a real table: layouts, rigid fits, hulls that settle until the board takes them, a reading as a proposal."""

from __future__ import annotations

import math
import random
from typing import Any

import msgspec
import numpy as np
import pytest
from shapely import Polygon

from kit.fleet import position, ship
from tactical import tabletop
from tactical.board import TOUCH, axes, hull_outline, overlap, passage, round_off
from tactical.kernel.record import BadInput
from tactical.ship import TYPES
from tactical.tabletop import Layout, Lies, Model, Tag, Tape, propose, read_layout, settle

LAYOUT: dict[str, Any] = {
    "table": [1800, 1200],
    "dictionary": "4x4_100",
    "base_length": 80,
    "corners": {"0": [26.7, 26.7, 40]},
    "ships": {"s0": {"base": [80, 25], "height": 3, "tags": [{"id": 10, "along": 29, "across": 0, "size": 16}]}},
}


def test_a_layout_reads_as_it_was_written() -> None:
    layout = read_layout(LAYOUT)
    assert layout.corners == {0: (26.7, 26.7, 40.0)} and layout.tags[10][0] == "s0"
    assert read_layout(msgspec.to_builtins(layout, str_keys=True)) == layout


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"table": [1800]}, "layout.table"),
        ({"table": [1800, 90]}, "layout.table[1]"),
        ({"dictionary": "6x6_50"}, "layout.dictionary"),
        ({"corners": {"100": [0, 0, 40]}}, "layout.corners.100"),
        ({"corners": {"10": [0, 0, 40]}}, "layout.ships.s0.tags[0].id"),
        ({"ships": {"s0": {"base": [80, 25], "tags": []}}}, "layout.ships[...].tags"),
        (
            {"ships": {"s0": {"base": [80, 0], "tags": [{"id": 1, "along": 0, "size": 16}]}}},
            "layout.ships[...].base[1]",
        ),
        ({"base_length": 1e9}, "layout.base_length"),
    ],
)
def test_a_layout_with_a_fault_is_refused_by_its_field(change: dict[str, Any], path: str) -> None:
    with pytest.raises(BadInput) as fault:
        read_layout(LAYOUT | change)
    assert fault.value.path == path


def test_g1_6_hulls_become_as_large_as_the_bases_and_those_that_are_stay() -> None:
    own = tabletop.hulls_of_bases({}, {"trireme": (80, 25), "quinquereme": (80, 20.8)}, 80)
    assert own == {"trireme": msgspec.structs.replace(TYPES["trireme"], length=1.0, beam=0.3125, source="house")}
    assert tabletop.hulls_of_bases(own, {"trireme": (80, 25)}, 80) == own


def test_a_base_is_laid_by_its_tags_whatever_its_heading() -> None:
    tags = (Tag(1, 30.0, 16.0), Tag(2, -30.0, 16.0, 2.0))
    for heading in (0.0, 35.0, 180.0, 300.0):
        angle = math.radians(heading)
        bow, starboard = np.array([math.sin(angle), -math.cos(angle)]), np.array([math.cos(angle), math.sin(angle)])
        corners = [tabletop.corners_of(tag) for tag in tags]
        seen = np.stack([np.array([400, 300]) + each[:, :1] * starboard - each[:, 1:] * bow for each in corners])
        lies = tabletop.lay(tags, seen)
        assert (lies.x, lies.y, lies.tags) == (pytest.approx(400), pytest.approx(300), 2)
        assert lies.heading == pytest.approx(heading, abs=1e-6) and lies.spread < 1e-9


# -- Settling.

SIZES = ((0.7, 0.2), (0.8, 0.22), (0.9, 0.24), (1.0, 0.26), (1.1, 0.3))
Hull = tuple[tuple[float, float], float, tuple[float, float]]


def outline_of(hull: Hull) -> tuple[tuple[float, float], ...]:
    return hull_outline(hull[0], hull[1], *hull[2])


def crowded(rng: random.Random, ships: int = 40, touching: int = 10) -> tuple[list[Hull], set[tuple[int, int]]]:
    """A fleet on a sea of 22 × 15 base lengths, and the pairs of it that touch."""
    hulls: list[Hull] = []
    while len(hulls) < ships:
        size, heading = rng.choice(SIZES), rng.uniform(0, 360)
        at = rng.uniform(1, 21), rng.uniform(1, 14)
        if hulls and len(hulls) < 2 * touching and len(hulls) % 2:
            last, angle = hulls[-1], rng.uniform(0, 2 * math.pi)
            way = math.cos(angle), math.sin(angle)
            far = last[0][0] - 3 * way[0], last[0][1] - 3 * way[1]
            span = passage(hull_outline(far, heading, *size), way, outline_of(last))
            if span is None:
                continue
            at = far[0] + way[0] * span[0], far[1] + way[1] * span[0]
        new: Hull = (at, heading, size)
        others = hulls[:-1] if len(hulls) % 2 and len(hulls) < 2 * touching else hulls
        if not any(overlap(outline_of(new), outline_of(each)) for each in others):
            hulls.append(new)
    shapes = [Polygon(outline_of(hull)) for hull in hulls]
    touch = {(a, b) for b in range(ships) for a in range(b) if shapes[a].distance(shapes[b]) < TOUCH}
    return hulls, touch


def read_badly(rng: random.Random, hulls: list[Hull], mm: float, degrees: float) -> list[Hull]:
    off = mm / 80
    return [
        ((at[0] + rng.gauss(0, off), at[1] + rng.gauss(0, off)), heading + rng.gauss(0, degrees), size)
        for at, heading, size in hulls
    ]


def test_twenty_readings_settle_into_positions_that_the_board_takes_with_every_contact() -> None:
    moves = []
    for seed in range(20):
        rng = random.Random(seed)
        hulls, touch = crowded(rng)
        seen = read_badly(rng, hulls, 0.5, 0.2)
        assert any(overlap(outline_of(seen[a]), outline_of(seen[b])) for a, b in touch), "as it was read it is refused"
        settled = settle({str(number): outline_of(hull) for number, hull in enumerate(seen)}, 2 / 80)
        laid = []
        for number, (at, heading, size) in enumerate(seen):
            x, y = settled.shifts[str(number)]
            laid.append(hull_outline((round_off(at[0] + x), round_off(at[1] + y)), heading, *size))
        assert not settled.crossed
        assert not [(a, b) for b in range(40) for a in range(b) if overlap(laid[a], laid[b])]
        assert {(int(a), int(b)) for a, b in settled.contacts} >= touch and len(touch) >= 10
        met = {name for pair in settled.contacts for name in pair}
        assert all(settled.moved(name) == 0 for name in settled.shifts if name not in met), "nothing else moves"
        moves += [settled.moved(name) * 80 for name in met]
    assert sorted(moves)[len(moves) // 2] <= 0.3, "mm, the median"


def test_a_raker_may_lie_across_her_target_and_far_hulls_are_left_alone() -> None:
    hulls = {"a": hull_outline((5, 5), 0, 1, 0.2), "b": hull_outline((5.05, 5), 0, 1, 0.2)}
    assert settle(hulls, 0.02, {frozenset("ab")}).shifts == {"a": (0, 0), "b": (0, 0)}
    apart = settle(hulls, 0.02)
    assert apart.contacts == (("a", "b"),) and apart.moved("a") == pytest.approx(apart.moved("b"))
    far = {"a": hull_outline((5, 5), 0, 1, 0.2), "b": hull_outline((5.24, 5), 0, 1, 0.2)}
    assert settle(far, 0.02).contacts == () and settle(far, 0.05).contacts == (("a", "b"),)


def test_a_range_near_a_whole_length_asks_for_a_ruler() -> None:
    assert [tabletop.ranges_of(gap, 80) for gap in (0, 79.5, 80.5, 100, 159.2, 162)] == [
        (1,),
        (1, 2),
        (1, 2),
        (2,),
        (2, 3),
        (3,),
    ]
    assert axes(tabletop.rectangle((0, 0), 90, 80, 25)), "a base is a shape that hulls are measured by"


# -- A proposal.


def layout_of(*names: str) -> Layout:
    ships = {
        name: Model((80.0, 20.8), (Tag(10 + 2 * number, 29.0, 16.0), Tag(11 + 2 * number, -29.0, 16.0)))
        for number, name in enumerate(names)
    }
    return Layout((1600.0, 800.0), ships)


def test_g1_6_a_reading_becomes_a_position_of_the_measured_sea() -> None:
    battle = position(
        ships={
            "r1": ship("rome", [3, 3], 90, "quinquereme"),
            "c1": ship("carthage", [9, 3], 270, "quinquereme"),
            "c2": ship("carthage", [9, 7], 270),
        },
        board={"kind": "open", "width": 20, "height": 10},
    )
    lies = {"r1": Lies(400, 300, 90, 2, 0.1), "c1": Lies(481.2, 300.4, 270, 2, 0.1), "x9": Lies(800, 80, 0, 2, 0.1)}
    proposal, doubts = propose(battle, layout_of("r1", "c1", "x9"), lies)
    assert set(proposal.ships) == {"r1", "c1"} and proposal.contacts == (("r1", "c1"),)
    assert proposal.ships["r1"].heading == 90 and 0 < proposal.moved < 1
    (met,) = proposal.measured
    assert met.ranges == (1,) and met.in_arc == ("r1", "c1") and met.aspects == {"r1": "bow_to_bow", "c1": "bow_to_bow"}
    assert doubts.not_seen == ("c2",) and [str(each) for each in doubts.reasons] == ["x9 is not on this board"]
    placed = {
        name: msgspec.structs.replace(battle.ships[name], at=each.at, facing=each.heading)
        for name, each in proposal.ships.items()
    }
    tabletop.check_place(battle.with_ships(placed), placed["r1"], "")
    assert not overlap(battle.outline(placed["r1"]), battle.outline(placed["c1"]))


def test_g1_6_a_ship_read_on_land_is_asked_and_a_base_of_another_size_is_told() -> None:
    coast = [{"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 10], [0, 10], [0, 0]]]}]
    board = {"kind": "open", "width": 20, "height": 10, "coast": coast}
    battle = position(ships={"r1": ship("rome", [3, 3], 90), "c1": ship("carthage", [9, 3], 270)}, board=board)
    ships = {"r1": Model((80.0, 40.0), (Tag(10, 0, 16.0),))}
    proposal, doubts = propose(battle, Layout((1600.0, 800.0), ships), {"r1": Lies(100, 300, 90, 1, 0.1)})
    assert not proposal.ships and doubts.ask == ("r1",) and doubts.not_seen == ("c1",)
    told = [str(each) for each in doubts.reasons]
    assert told[0] == "r1: her hull lies on land" and "80 × 40 mm" in told[1]


def test_g1_5_on_the_players_own_table_a_reading_is_a_measuring_tape() -> None:
    fleet = {"r1": ship("rome", None, None), "c1": ship("carthage", None, None), "c2": ship("carthage", None, None)}
    battle = position(ships=fleet, board={"kind": "table"})
    lies = {"r1": Lies(400, 300, 90, 2, 0.1), "c1": Lies(451, 300, 0, 2, 0.1), "c2": Lies(600, 300, 90, 2, 0.1)}
    proposal, _ = propose(battle, layout_of("r1", "c1", "c2"), lies)
    assert proposal.contacts == (("r1", "c1"),)
    assert proposal.ships["c2"].at == (600, 300), "millimetres"
    by_pair = {each.ships: each for each in proposal.measured}
    assert by_pair["r1", "c1"].aspects == {"r1": "side"}, "only her bow touches"
    assert by_pair["r1", "c2"].ranges == (2,) and by_pair["r1", "c2"].in_arc == ("r1",)
    assert by_pair["r1", "c2"].between and not by_pair["r1", "c1"].between, "c1 lies in the line"
    tape = Tape(1, 0, proposal.measured)
    assert list(tape.of("r1")) == ["c1", "c2"] and list(tape.of("c2")) == ["r1"]
    assert tape.holds(battle) == ((battle.turn, battle.phase) == (1, 0))


def test_hexes_are_not_read_from_a_table() -> None:
    with pytest.raises(BadInput):
        propose(
            position(ships={"r1": ship("rome", [3, 3], "N"), "c1": ship("carthage", [9, 3], "N")}), layout_of("r1"), {}
        )
