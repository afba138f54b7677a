"""Every event of the engine has a sentence; forms are read; luck is counted by the rules' own tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from werkzeug.datastructures import MultiDict

import tactical
from kit.real_house import shared_app, shared_store  # noqa: F401
from tactical.kernel.dice import Roll
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import event
from tactical.kernel.record import BadInput, because
from tactical.position import read_position
from tactical.setup import all_scenarios, position_of
from webapp.http.forms import read_faces, read_form
from webapp.pages.battle import journal, marks, orders, results
from webapp.pages.battle.marks import reach

SOURCES = "\n".join(path.read_text() for path in Path(tactical.__file__).parent.rglob("*.py"))
KINDS = sorted(set(re.findall(r'event\(\s*(?:"[GL][\d.a-z]+"|rule|wrong\.rule),\s*"(\w+)"', SOURCES)))


@pytest.fixture
def mylae():
    return read_position(position_of(all_scenarios()["mylae"]), {})


def test_the_engine_has_events_to_tell():
    assert len(KINDS) > 25 and {"ram", "fire", "sunk", "reveal", "over"} <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_each_event_has_a_sentence_of_its_own(app, kind):
    assert kind in results.WRITERS or results.KINDS[kind].sentence


def test_a_ram_tells_its_sum(app, mylae):
    with app.test_request_context("/"):
        told = results.line(
            mylae,
            event(
                "G6.2", "ram", ship="r1", target="c1", dice=[4], modifier=1, full_speed=True, damage=6, breaches=1
            ).flat(),
        )
    names = mylae.ships["r1"].name, mylae.ships["c1"].name
    assert told.text == f"{names[0]} rams {names[1]}: 4, ram +1, full speed +1 = 6 hull damage and a breach."
    assert told.dice == (4,) and told.weight == "loud"


def test_an_event_that_nobody_knows_is_not_hidden(app, mylae):
    with app.test_request_context("/"):
        assert "comet" in results.line(mylae, {"type": "comet", "rule": "G0", "size": 3}).text


def test_refusals_name_ships_by_their_names(app, mylae):
    with app.test_request_context("/"):
        assert orders.refusal(mylae, because("%(ship)s has stopped.", ship="r1")).startswith(mylae.ships["r1"].name)


@pytest.mark.parametrize(
    "text, faces",
    [("3 5 6", [3, 5, 6]), ("356", [3, 5, 6]), ("3,5;6", [3, 5, 6]), ("digital", "digital"), ("", None), (None, None)],
)
def test_faces_as_they_are_typed(text, faces):
    assert read_faces(text) == faces


def test_bad_faces_name_their_field():
    with pytest.raises(BadInput) as refused:
        read_faces("three")
    assert refused.value.path == "rolls"


def test_a_form_of_single_fields_becomes_a_command():
    form = read_form(
        MultiDict(
            [
                ("seen", "4"),
                ("type", "fire"),
                ("ship", "r1"),
                ("count:int", "2"),
                ("range:int", ""),
                ("ships:list", "a"),
                ("ships:list", "b"),
                ("show", "r1"),
            ]
        )
    )
    assert form.seen == 4
    assert form.command == {"type": "fire", "ship": "r1", "count": 2, "ships": ["a", "b"]}


def test_luck_compares_with_the_rules_own_average(app, mylae):
    rolls = (
        Roll("G8.1", 6, (6, 1), {"ship": "r1", "target": "c1"}),
        Roll("G6.2", 6, (6,), {"ship": "c1", "target": "r1"}),
    )
    entry = Entry(1, 0, "rome", "2026-01-01T00:00", {"type": "x"}, rolls)
    with app.test_request_context("/"):
        rows = {(row.rule, row.side): row for row in journal.count_dice(mylae, [entry])}
    boarding, ram = rows["G8.1", "Rome"], rows["G6.2", "Carthage"]
    assert (boarding.dice, boarding.expected, boarding.actual) == (2, 1.0, 1)
    assert (ram.expected, ram.actual) == (3.5, 6)


def test_reach_follows_the_engines_own_steps(mylae):
    name = next(iter(mylae.ships))
    ship = mylae.ships[name]
    found = reach(mylae, name, 2)
    assert found and max(found.values()) == 2
    assert ship.at not in found


def test_g1_2_the_coast_keeps_every_land_hex_centre(mylae):
    from shapely import Point

    from tactical.board import centre

    assert mylae.board.land
    land = marks.coast(mylae.board.dry, mylae.board.columns, mylae.board.rows)[0]
    assert land.startswith("M") and land.count("Z") >= 1
    points = [
        tuple(map(float, pair.split())) for ring in land.split("Z") if ring for pair in ring.lstrip("M").split("L")
    ]
    from shapely import Polygon

    shape = Polygon(points).buffer(0)
    inside = [at for at in mylae.board.land if shape.contains(Point(*(part * marks.SIDE for part in centre(at))))]
    assert len(inside) >= 0.9 * len(mylae.board.land)


def test_a_refusal_keeps_its_meaning_when_it_is_told_again(app, mylae):
    said = "%(ship)s may plot %(low)s to %(high)s: her speed last turn was 2, her acceleration is 2 and her limit 3."
    with app.test_request_context("/"):
        told = orders.refusal(mylae, because(said, ship="r1", low=0, high=3))
    assert told == said % {"ship": mylae.ships["r1"].name, "low": 0, "high": 3}
