"""The map: what is drawn where, and that names and counters keep off each other."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
import shapely
from flask_babel import force_locale

from webapp.pages.campaign.history import chronicle_pages
from webapp.presenting.map import svg as map_svg
from webapp.presenting.map.label_placement import extent, placed, rank
from webapp.presenting.map.layout import APART, has_map, sheet
from webapp.presenting.map.sheet import projected_rivers
from webapp.presenting.map.zoom_levels import LEVELS
from webapp.presenting.picture import Leader, Picture, Siege, Stack
from webapp.storage.systems import systems

MAPPED = [name for name in systems() if has_map(name)]
ARMIES = (
    Stack("rome", "rome", "8", (Leader("p_scipio", "Publius Scipio", "3-2"),)),
    Stack(
        "saguntum", "carthage", "8", (Leader("hannibal", "Hannibal", "1-4"), Leader("mago", "Mago", "2-2")), (("E", 2),)
    ),
    Stack("capua", "carthage", "5"),
    Stack("capua", "rome", "2", inside=True),
    Stack("neapolis", "rome", "4"),
)


@pytest.mark.parametrize("system", MAPPED)
def test_every_space_has_ground_to_tap_on(system):
    paper = sheet(system)
    cells = map_svg.cells(system)
    assert set(cells) == set(paper.spots)
    assert all(shape.startswith("M") for shape in cells.values())
    assert all(spot.cell.contains(shapely.Point(spot.at)) for spot in paper.spots.values())


def test_spaces_stand_on_or_at_the_land():
    paper = sheet("hannibal")
    far = {spot.id: paper.land.distance(shapely.Point(spot.at)) for spot in paper.spots.values()}
    assert {space: distance for space, distance in far.items() if distance > 6} == {}


@pytest.mark.parametrize("system", [name for name in systems() if has_map(name)])
def test_rivers_run_over_the_land_of_every_map(system):
    paper = sheet(system)
    rivers = projected_rivers(paper)
    assert rivers.length > paper.width / 2 and paper.land.buffer(3).covers(rivers)
    assert f'<path class="river" d="{map_svg.path(rivers)}"/>' in map_svg.ground(system)


def test_spaces_that_would_collide_are_nudged_apart():
    spots = sheet("hannibal").spots.values()
    nearest = min(shapely.Point(a.at).distance(shapely.Point(b.at)) for a, b in itertools.combinations(spots, 2))
    assert nearest > APART - 1


def test_provinces_cover_their_spaces_and_not_each_other():
    paper = sheet("hannibal")
    for spot in paper.spots.values():
        assert paper.areas[spot.province].shape.distance(shapely.Point(spot.at)) < 8, spot.id
    for one, other in itertools.combinations(paper.areas.values(), 2):
        assert one.shape.intersection(other.shape).area < 0.02 * min(one.shape.area, other.shape.area)


def boxes_of_names(found):
    for name in found.names:
        wide = len(name.text) * 0.56 * name.size * (1.68 if name.kind == "area" else 1)
        left = name.x - {"start": 0, "middle": wide / 2, "end": wide}[name.anchor]
        yield name, shapely.box(left, name.y - name.size * 0.8, left + wide, name.y + name.size * 0.12)


@pytest.mark.parametrize("language", ["en", "ru", "it"])
@pytest.mark.parametrize("number", [level.number for level in LEVELS])
def test_no_name_covers_a_counter_a_mark_or_another_name(app, number, language):
    paper = sheet("hannibal")
    with app.test_request_context(), force_locale(language):
        found = placed("hannibal", ARMIES)[number - 1]
    counters = [
        shapely.box(c.x - c.width / 2, c.y - c.height / 2, c.x + c.width / 2, c.y + c.height / 2)
        for c in found.counters
    ]
    names = list(boxes_of_names(found))
    assert names
    for name, box in names:
        assert all(box.intersection(counter).area < 0.5 for counter in counters), name
        for spot in paper.spots.values():
            reach = extent(found.level, spot) * 0.95
            mark = shapely.box(spot.x - reach, spot.y - reach, spot.x + reach, spot.y + reach)
            assert box.intersection(mark).area < 0.05 * mark.area, (name, spot.id)
    for (one, first), (other, second) in itertools.combinations(names, 2):
        assert first.intersection(second).area < 0.5, (one, other)


def test_no_counter_covers_another():
    for found in placed("hannibal", ARMIES):
        assert len(found.counters) == len(ARMIES)
        frames = [
            (c.x - c.width / 2, c.y - c.height / 2, c.x + c.width / 2, c.y + c.height / 2) for c in found.counters
        ]
        for one, other in itertools.combinations(frames, 2):
            assert shapely.box(*one).intersection(shapely.box(*other)).area < 1


def crowd(system):
    """Twelve neighbouring spaces, two armies with generals in each: as tight as a war ever is."""
    paper = sheet(system)
    middle = shapely.Point(next(iter(paper.spots.values())).at)
    near = sorted(paper.spots.values(), key=lambda spot: middle.distance(shapely.Point(spot.at)))[:12]
    led = tuple(Leader(f"g{n}", name, "3-2") for n, name in enumerate(("Gaius Flaminius", "Hasdrubal")))
    return tuple(
        Stack(spot.id, side, str(3 + n), led[: n % 3], (("E", 2),) if n % 4 == 0 else (), inside=n % 2 == 1)
        for n, (spot, side) in enumerate(itertools.product(near, ("rome", "carthage")))
    )


@pytest.mark.parametrize("language", ["en", "ru", "it"])
@pytest.mark.parametrize("system", MAPPED)
def test_in_a_crowd_no_counter_covers_another_and_no_name_a_counter(app, system, language):
    stacks = crowd(system)
    with app.test_request_context(), force_locale(language):
        levels = placed(system, stacks)
    for found in levels:
        assert len(found.counters) == len(stacks)
        boxes = [
            shapely.box(c.x - c.width / 2, c.y - c.height / 2, c.x + c.width / 2, c.y + c.height / 2)
            for c in found.counters
        ]
        for one, other in itertools.combinations(boxes, 2):
            assert one.intersection(other).area < 0.5, found.level
        for name, box in boxes_of_names(found):
            assert all(box.intersection(counter).area < 0.5 for counter in boxes), (found.level, name)


def test_far_away_only_what_matters_has_a_name():
    far, *_between, near = placed("hannibal", ARMIES)
    spots = sheet("hannibal").spots
    occupied = {stack.space for stack in ARMIES}
    assert all(rank(spots[name.id], occupied) >= 3 for name in far.names if name.kind != "area")
    assert len([name for name in near.names if name.kind != "area"]) > 0.9 * len(spots)


def test_the_page_draws_holders_counters_and_sieges(app):
    from flask import render_template

    from webapp.presenting.map.drawing import drawing

    picture = Picture(
        holders={"rome": "rome", "capua": "rome", "saguntum": "carthage"},
        areas={"latium": "rome"},
        stacks=ARMIES,
        sieges={"capua": Siege("capua", "carthage", 2)},
    )
    drawn = drawing("hannibal", picture)
    with app.test_request_context():
        svg = render_template("campaign/_overlay.html", drawing=drawn, hot=frozenset(), chosen="capua")
    assert svg.count("#held-0") == 2 and svg.count("#held-1") == 1
    assert '<use href="#area-latium" class="held s0"/>' in svg
    assert svg.count('<use href="#works" class="works s1"/>') == 1  # tents in the besieger's colour
    assert svg.count('<text class="siege"') == 1 and ">2</text>" in svg
    assert svg.count('class="counter s1') == 2 * len(LEVELS)  # Saguntum and the besiegers, at every nearness
    assert "Hannibal 1-4" in svg


def test_the_styles_of_a_sign_reach_it_where_it_is_used():
    """A sign is drawn by reference: a rule that begins outside it (`.map #rams circle`) leaves it black."""
    pages = Path(chronicle_pages.__file__).parents[1]
    signs = re.findall(r'<g id="([\w-]+)"', (pages / "templates/campaign/_signs.html").read_text())
    rules = "\n".join(path.read_text() for path in (pages / "static").glob("*.css"))
    assert "rams" in signs and "#rams circle" in rules
    lost = [sign for sign in signs if re.search(rf"[\w)] +#{sign} ", rules)]
    assert lost == []


def test_a_picture_that_stands_alone_has_the_styles_of_what_is_under_way():
    courses = (Path(chronicle_pages.__file__).parents[1] / "templates/campaign/_courses.html").read_text()
    drawn = {name for names in re.findall(r'class="([a-z-]+)', courses) for name in names.split()} - {"size", "meeting"}
    assert {"course", "fleet", "marching"} <= drawn
    assert [name for name in drawn if f".{name}" not in chronicle_pages.styles()] == []
