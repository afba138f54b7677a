"""The measured sea by touch: a chip on the board, the slider, the bow dragged; the hull shows where she comes to lie."""

from __future__ import annotations

import math
import os

import pytest
from playwright.sync_api import expect

from kit.screens import screens
from kit.tablets import PHONE, TABLET

pytestmark = pytest.mark.browser
SHOTS = os.environ.get("SHOTS")
TYPE = {"medium": 2, "archers": 1, "type": "trireme"}
AT_SEA = {
    "board": {"kind": "open", "width": 16, "height": 12, "coast": [[[11, 0], [16, 0], [16, 5], [12.5, 4]]]},
    "sides": {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage"}},
    "ships": {
        "r1": {**TYPE, "side": "rome", "name": "Aquila", "at": [5, 6], "facing": 80, "speed": 3},
        "r2": {**TYPE, "side": "rome", "name": "Lupa", "at": [4, 9], "facing": 70, "speed": 3},
        "c1": {**TYPE, "side": "carthage", "name": "Tanit", "at": [9, 7.2], "facing": 265, "speed": 3},
    },
    "step": "move",
    "phase": 2,
}


@pytest.mark.parametrize("size", screens(PHONE, TABLET))
def test_a_ship_steps_by_chip_slider_and_bow(room, tablet, size):
    game, tokens = room.battle(position=AT_SEA)
    rome = tablet(tokens["rome"], size)
    page = rome.page
    rome.tap(page.locator("#at-r1"))
    expect(page.locator("#bearing")).to_be_attached()
    shot(page, f"selected-{size['width']}")
    slide = page.locator("[data-slide]")
    slide.evaluate("it => { it.value = 20; it.dispatchEvent(new Event('input', { bubbles: true })); }")
    expect(page.locator("#bearing [data-angle]")).to_have_value("20")
    assert "rotate(100)" in page.locator("#aim").get_attribute("transform")
    assert page.locator("#aim.live .aim-hull").count() == 1
    drag_bow(page, 40)
    angle = int(page.locator("#bearing [data-angle]").input_value())
    assert 30 <= angle <= 50, "the bow was dragged to 40 degrees to starboard"
    shot(page, f"dragged-{size['width']}")
    rome.tap(page.locator("#bearing button"))
    stepped = room.state(game).ships["r1"]
    assert stepped.facing == 80 + angle and math.dist(stepped.at, (5, 6)) == pytest.approx(1, abs=1e-5)
    rome.tap(page.locator("#at-r2"))
    rome.tap(page.locator("[id='ghost--30']"))
    assert room.state(game).ships["r2"].facing == 40
    assert rome.refusals == []
    shot(page, f"stepped-{size['width']}")


def drag_bow(page, degrees: float) -> None:
    """Drag the bow of the selected ship by so many degrees to starboard of her heading."""
    middle = page.locator("#aim").evaluate(
        "it => { const at = new DOMPoint(+it.dataset.x, +it.dataset.y).matrixTransform(it.ownerSVGElement.getScreenCTM());"
        " return [at.x, at.y, +it.dataset.facing]; }"
    )
    box = page.locator("#aim .bow").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    way = math.radians(middle[2] + degrees)
    for far in (20, 40, 60):
        page.mouse.move(middle[0] + far * math.sin(way), middle[1] - far * math.cos(way))
    page.mouse.up()


def shot(page, name: str) -> None:
    """A picture to look at, where SHOTS says where."""
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png")
