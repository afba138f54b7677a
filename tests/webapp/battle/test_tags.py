"""G1.5, G1.6 The page of the tags: sizes asked once, the sheet to print, the layout kept with the battle, hulls as bases."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from pypdf import PdfReader

from tactical.tabletop import read_layout
from webapp.storage.services import backups
from webapp.storage.services.archive import keep_layout, layout_of

SIDES = {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage"}}
SHIPS: dict[str, dict[str, Any]] = {
    "r1": {"side": "rome", "name": "Aquila", "type": "quinquereme", "at": [3, 4], "facing": 90},
    "c1": {"side": "carthage", "name": "Tanit", "type": "trireme", "at": [3, 9], "facing": 90},
}
SEA = {"board": {"kind": "open", "width": 20, "height": 14}, "sides": SIDES, "ships": SHIPS}
TABLE = {
    "board": {"kind": "table"},
    "sides": SIDES,
    "ships": {name: {"side": ship["side"], "type": ship["type"], "name": ship["name"]} for name, ship in SHIPS.items()},
}
SIZES = {"width": "1800", "depth": "1200", "tag": "16", "length.trireme": "70", "beam.trireme": "22,5"}


def refusal(page: Any) -> str:
    found = re.search(r'id="refusal">([^<]*)<', page.text)
    return found[1] if found else ""


@pytest.mark.parametrize("position", [SEA, TABLE])
def test_the_sizes_are_kept_and_the_sheet_is_printed(battle, store, position):
    rome = battle(position)["rome"]
    assert rome.get("/table/sheet.pdf").status_code == 404 and 'id="sheet"' not in rome.get("/table/sheet").text
    assert rome.post("/table/sheet", **SIZES).status_code == 303
    layout = layout_of(store, rome.game)
    assert (
        layout.table == (1800, 1200) and layout.ships["c1"].base == (70, 22.5) and layout.ships["r1"].base == (80, 25)
    )
    assert 'id="sheet"' in rome.get("/table/sheet").text
    pdf = PdfReader(io.BytesIO(rome.get("/table/sheet.pdf", paper="letter").data))
    assert float(pdf.pages[0].mediabox.width) == pytest.approx(612) and "Tanit" in pdf.pages[1].extract_text()
    assert "Aquila" in rome.get("/table/sheet.svg", page=2).text
    assert rome.get("/table/sheet.svg", page=3).status_code == 404
    assert read_layout(json.loads(rome.get("/table/sheet.json").data)) == layout


def test_the_page_shows_before_anything_is_kept_how_large_a_tag_will_be(battle, store):
    rome = battle(TABLE)["rome"]
    page = rome.get("/table/sheet", width="2400", depth="1200", tag="16").text
    assert 'class="tag-strip"><svg' in page and 'class="tag-table"><svg' in page
    rows = re.findall(r"<th scope=\"row\">([^<]* megapixels)</th>(.*?)</tr>", page)
    twelve = re.findall(r"<strong>(\d+)</strong> \((\d+)\) <span class=\"quiet\">([^<]*)<", dict(rows)["12 megapixels"])
    assert twelve == [("26", "26", "enough"), ("20", "16", "enough"), ("14", "10", "too few")]
    assert layout_of(store, rome.game) is None


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"width": "99"}, "The table from west to east: expected a number from 100 to 5000."),
        ({"depth": "nan"}, "The table from north to south: expected a number from 100 to 5000."),
        ({"tag": "1e9"}, "Side of a tag: expected a number from 6 to 60."),
        (
            {"tag": "20", "length.trireme": "60", "beam.trireme": "25"},
            "Side of a tag: two tags of 20 mm need a base 63.3 mm long.",
        ),
        ({"beam.trireme": "Nike"}, "Width of the base, trireme: expected a number from 10 to 400."),
        ({"ruler": "50"}, "What the rulers of 100 mm measure: expected a number from 80 to 120."),
        ({"length.quinquereme": "300"}, "The bases: a base of this size does not fit on the paper."),
    ],
)
def test_a_size_that_cannot_be_is_refused_by_its_field_and_stays_as_typed(battle, store, wrong, said):
    rome = battle(TABLE)["rome"]
    for page, status in (
        (rome.get("/table/sheet", **SIZES | wrong), 200),
        (rome.post("/table/sheet", **SIZES | wrong), 422),
    ):
        assert page.status_code == status and refusal(page) == said
        assert all(f'name="{name}" value="{value}"' in page.text for name, value in wrong.items())
    assert layout_of(store, rome.game) is None


def test_what_the_ruler_measures_makes_the_layout_and_not_the_sheet(battle, store):
    rome = battle(TABLE)["rome"]
    rome.post("/table/sheet", **SIZES)
    drawn = rome.get("/table/sheet.svg", page=2).data
    rome.post("/table/sheet", ruler="97.5")
    assert layout_of(store, rome.game).ships["r1"].tags[0].size == pytest.approx(15.6)
    assert rome.get("/table/sheet.svg", page=2).data == drawn
    assert 'name="tag" value="16"' in rome.get("/table/sheet").text


def test_a_page_says_which_ships_need_new_tags(battle):
    rome = battle(TABLE)["rome"]
    rome.post("/table/sheet", **SIZES)
    assert "printed and glued once more" not in rome.get("/table/sheet", **SIZES, ruler="98").text
    assert "printed and glued once more: Tanit<" in rome.get("/table/sheet", **SIZES | {"length.trireme": "75"}).text


def test_g2_1_the_umpire_makes_the_hulls_as_large_as_the_bases(battle, store):
    seats = battle(SEA)
    umpire, rome = seats["umpire"], seats["rome"]
    rome.post("/table/sheet", **SIZES)
    assert 'value="hulls"' in umpire.get("/table/sheet").text and 'value="hulls"' not in rome.get("/table/sheet").text
    assert rome.post("/table/sheet", do="hulls").status_code == 422 and not store.load(rome.game).state.types
    assert umpire.post("/table/sheet", do="hulls").status_code == 303
    found = store.load(rome.game).state
    assert [(found.kind(ship).length, found.kind(ship).beam) for ship in found.ships.values()] == [
        (1.0, 0.3125),
        (0.875, 0.2812),
    ]
    assert 'id="hulls"' not in umpire.get("/table/sheet").text
    assert "trireme: a hull of 0.875 × 0.2812 base lengths" in rome.get("/log").text


def test_hulls_that_would_overlap_are_refused(battle, store):
    near = {**SHIPS, "c1": {**SHIPS["c1"], "at": [3, 4.245]}}
    umpire = battle(SEA | {"ships": near})["umpire"]
    umpire.post("/table/sheet", **SIZES)
    refused = umpire.post("/table/sheet", do="hulls")
    assert refused.status_code == 422 and "overlap" in refusal(refused) and not store.load(umpire.game).state.types


def test_a_spectator_and_a_board_of_hexes_have_no_tags(battle):
    assert battle(TABLE)["spectator"].get("/table/sheet").status_code == 403
    assert "Tags for the models" not in battle(TABLE)["spectator"].get().text
    rome = battle()["rome"]
    assert rome.get("/table/sheet").status_code == 404 and "Tags for the models" not in rome.get().text


def test_the_menu_and_the_page_of_the_seats_lead_to_the_tags(battle):
    seats = battle(SEA)
    assert f"/g/{seats['rome'].game}/table/sheet" in seats["rome"].get().text
    assert "Tags for the models" in seats["umpire"].client.get(f"/seats/{seats['umpire'].game}").text


def test_a_printed_sheet_of_a_ship_names_her_base_and_her_tags(battle):
    rome = battle(TABLE)["rome"]
    rome.post("/table/sheet", **SIZES)
    assert "70 × 22.5 mm · tags 6/7" in rome.get("/print", layout="four").text


def test_the_layout_moves_and_ends_with_its_battle(battle, store):
    rome = battle(TABLE)["rome"]
    rome.post("/table/sheet", **SIZES)
    layout = layout_of(store, rome.game)
    keep_layout(store, rome.game, layout)
    bundle = backups.leave(store, rome.game)
    assert layout_of(store, rome.game) is None
    backups.arrive(store, bundle)
    assert layout_of(store, rome.game) == layout
    store.delete(rome.game)
    assert layout_of(store, rome.game) is None
