"""The map: what is drawn where, and that names and counters keep off each other."""

from __future__ import annotations

import itertools
import random
import re
import threading
from pathlib import Path

import pytest
import shapely
from flask import render_template
from flask_babel import force_locale
from shapely.geometry import MultiPoint

from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain
from webapp.pages.campaign import chronicle
from webapp.presenting.map import placement
from webapp.presenting.map import sheet as map_svg
from webapp.presenting.map.drawing import drawing, home
from webapp.presenting.map.placement import LEVELS, WORKS, extent, place_labels, rank
from webapp.presenting.map.sheet import APART, has_map, hinterland, projected_rivers, sheet
from webapp.presenting.presentation import Leader, Picture, Siege, Stack
from webapp.storage.journal.store import all_systems
from webapp.systems import presentation

MAPPED = [name for name in all_systems() if has_map(name) and name != "open_campaign"]  # which has a chart of its own
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
    cells = map_svg.cells(sheet(system))
    assert set(cells) == set(paper.spots)
    assert all(shape.startswith("M") for shape in cells.values())
    assert all(spot.cell.contains(shapely.Point(spot.at)) for spot in paper.spots.values())


def test_what_is_shaded_ends_a_little_beyond_the_last_space_and_road():
    """The ground that is tapped goes on to the paper's edge; what is shaded does not."""
    paper, shaded = sheet("hamilcar"), map_svg.grounds(sheet("hamilcar"))
    known = hinterland(paper.spots, paper.ways)
    south = paper.spots["tacapae"].cell
    assert known.intersection(south).area < south.area / 2
    assert known.covers(MultiPoint([spot.at for spot in paper.spots.values()]))
    assert shaded["tacapae"] != map_svg.path(south) and set(shaded) == set(paper.spots)
    assert map_svg.grounds(sheet("punic_wars")) == map_svg.cells(sheet("punic_wars"))


def test_spaces_stand_on_or_at_the_land():
    paper = sheet("hannibal")
    far = {spot.id: paper.land.distance(shapely.Point(spot.at)) for spot in paper.spots.values()}
    assert {space: distance for space, distance in far.items() if distance > 6} == {}


@pytest.mark.parametrize("system", MAPPED)
def test_rivers_run_over_the_land_of_every_map(system):
    paper = sheet(system)
    rivers = projected_rivers(paper)
    assert rivers.length > paper.width / 2 and paper.land.buffer(3).covers(rivers)
    assert f'<path class="river" d="{map_svg.path(rivers)}"/>' in map_svg.ground(sheet(system))


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


WIDTHS = {"area": 0.94, "sea": 0.72, "city": 0.6, "capital": 0.6}


def boxes_of_names(found):
    for name in found.names:
        high = found.level.units(name.size)
        wide = len(name.text) * WIDTHS.get(name.kind, 0.55) * high
        left = name.x - {"start": 0, "middle": wide / 2, "end": wide}[name.anchor]
        yield name, shapely.box(left, name.y - high * 0.75, left + wide, name.y + high * 0.1)


def boxes_of_plates(found):
    return [
        shapely.box(c.x - c.width / 2, c.y - c.height / 2, c.x + c.width / 2, c.y + c.height / 2)
        for c in found.counters
    ]


def collisions(paper, found):
    """What lies over what at a level: plates over plates, names over plates, signs and names, plates over spaces."""
    plates, names = boxes_of_plates(found), list(boxes_of_names(found))
    for one, other in itertools.combinations(plates, 2):
        if one.intersection(other).area > 0.5:
            yield "two plates", one.bounds
    tree = shapely.STRtree(plates)
    for name, box in names:
        if any(box.intersection(plates[at]).area > 0.5 for at in tree.query(box)):
            yield "a plate under a name", name.text
    for (one, first), (other, second) in itertools.combinations(names, 2):
        if first.intersection(second).area > 0.5:
            yield one.text, other.text
    for name, box in names:
        if name.kind == "area":
            for other in paper.areas.values():
                if other.id != name.id and box.intersection(other.shape).area > 0.1 * box.area:
                    yield "a province's name in another", f"{name.text} in {other.name}"
    for spot in paper.spots.values():
        if paper.hexes and not rank(spot):
            continue
        reach = extent(found.level, spot) * 0.9
        sign = shapely.box(spot.x - reach, spot.y - reach, spot.x + reach, spot.y + reach)
        for name, box in names:
            if name.kind != "sea" and box.intersection(sign).area > 0.05 * sign.area:
                yield name.text, spot.id


LANGUAGES = ("en", "ru", "it")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", MAPPED)
def test_11_5_at_every_opening_nothing_is_printed_over_anything(app, system, language):
    rules, source = all_systems()[system], random_source(random.Random(3).randrange)
    paper = sheet(system)
    for scenario in rules.scenarios():
        state = rules.start(scenario.id, None, {}, Dice(source=source, secret=source)).state
        with app.test_request_context(), force_locale(language):
            picture = presentation(system).picture(plain(rules.view(state, UMPIRE)))
            levels = place_labels(sheet(system), tuple(each for each in picture.stacks if each.space in paper.spots))
        for found in levels:
            assert list(collisions(paper, found)) == [], (scenario.id, found.level)
            covered = [
                spot.id
                for spot in paper.spots.values()
                if (not paper.hexes or rank(spot))
                and any(plate.contains(shapely.Point(spot.at)) for plate in boxes_of_plates(found))
            ]
            assert covered == [], (scenario.id, found.level)


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", MAPPED)
def test_11_5_in_a_crowd_nothing_is_printed_over_anything(app, system, language):
    stacks = crowd(system)
    with app.test_request_context(), force_locale(language):
        levels = place_labels(sheet(system), stacks, frozenset(stack.space for stack in stacks[:6]))
    for found in levels:
        assert len(found.counters) == len(stacks)
        assert list(collisions(sheet(system), found)) == [], found.level


@pytest.mark.parametrize("system", MAPPED)
def test_11_5_an_army_without_room_near_its_space_is_a_small_standard(app, system):
    with app.test_request_context():
        found, *_nearer = place_labels(sheet(system), crowd(system))
    spots, whole = sheet(system).spots, [one for one in found.counters if one.plate.figure or one.plate.signs]
    assert 0 < len(whole) < len(found.counters)
    for one in whole:
        spot = spots[one.stack.space]
        gap = max(abs(one.x - spot.x) - one.width / 2, abs(one.y - spot.y) - one.height / 2)
        assert gap <= found.level.units(110), one.stack


def test_11_5_a_besieged_city_keeps_its_name_beside_the_tents(app):
    with app.test_request_context():
        near = place_labels(sheet("hannibal"), (), frozenset({"tarentum"}))[3]
    spot, reach = sheet("hannibal").spots["tarentum"], near.level.units(WORKS * near.level.sign)
    tents = shapely.box(spot.x - reach, spot.y - reach, spot.x + reach, spot.y + reach)
    own = [box for name, box in boxes_of_names(near) if name.id == "tarentum"]
    assert len(own) == 1 and own[0].intersection(tents).area < 0.05 * tents.area


def test_no_two_generals_of_a_game_have_the_same_head():
    for system in MAPPED:
        leaders = list(placement.order(system))
        assert len({placement.head(system, leader) for leader in leaders}) == len(leaders)


def test_far_away_only_what_matters_has_a_name():
    far, *_between, near = place_labels(sheet("hannibal"), ARMIES)
    spots = sheet("hannibal").spots
    occupied = {stack.space for stack in ARMIES}
    assert all(rank(spots[name.id], occupied) >= 3 for name in far.names if name.kind != "area")
    assert len([name for name in near.names if name.kind != "area"]) > 0.9 * len(spots)


def test_the_page_draws_holders_counters_and_sieges(app):
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
    assert svg.count('<g class="works s1">') == 1  # tents in the besieger's colour
    assert svg.count('class="pip won"') == 2 and svg.count('class="pip"') == 1
    assert svg.count('class="counter s1') == 2 * len(LEVELS)  # Saguntum and the besiegers, at every nearness
    assert "Hannibal 1-4" in svg


def test_the_styles_of_a_sign_reach_it_where_it_is_used():
    """A sign is drawn by reference: a rule that begins outside it (`.map #rams circle`) leaves it black."""
    pages = Path(chronicle.__file__).parent
    signs = re.findall(r'<g id="([\w-]+)"', (pages / "templates/campaign/_signs.html").read_text())
    rules = "\n".join(path.read_text() for path in (pages / "static").glob("*.css"))
    assert "rams" in signs and "#rams circle" in rules
    lost = [sign for sign in signs if re.search(rf"[\w)] +#{sign} ", rules)]
    assert lost == []


def test_a_picture_that_stands_alone_has_the_styles_of_what_is_under_way():
    courses = (Path(chronicle.__file__).parent / "templates/campaign/_courses.html").read_text()
    drawn = {name for names in re.findall(r'class="([a-z-]+)', courses) for name in names.split()} - {"size", "meeting"}
    assert {"course", "fleet", "marching"} <= drawn
    assert [name for name in drawn if f".{name}" not in chronicle.styles()] == []


def test_a_map_is_laid_out_by_several_threads_at_once(app):
    """A geometry that one thread prepares while another reads it ends the process: so none is asked where land is."""
    faults = []

    def lay_out(number):
        try:
            with app.test_request_context():
                place_labels(sheet("hannibal"), (Stack("rome", "rome", str(number), ARMIES[0].leaders),))
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=lay_out, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


@pytest.mark.parametrize(
    ("system", "seat", "other"), [("sword_of_rome", "romans", "gauls"), ("hamilcar", "rome", "carthage")]
)
def test_the_view_begins_where_a_seat_has_something(app, system, seat, other):
    rules, source = all_systems()[system], random_source(random.Random(3).randrange)
    state = rules.start(rules.scenarios()[0].id, None, {}, Dice(source=source, secret=source)).state
    with app.test_request_context():
        drawn = drawing(system, presentation(system).picture(plain(rules.view(state, seat))))
    x, y, wide, high = home(drawn, seat)
    own = [drawn.sheet.spots[stack.space] for stack in drawn.picture.stacks if stack.side == seat]
    assert own and all(x < spot.x < x + wide and y < spot.y < y + high for spot in own)
    assert (x, y, wide, high) != home(drawn, other) and home(drawn, "spectator") == drawn.in_play
    assert wide >= 0.4 * drawn.sheet.width - 1
