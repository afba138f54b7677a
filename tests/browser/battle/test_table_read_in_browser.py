"""The table read in four taps: Read the table, the phone's shutter, use, Confirm; corrected by a finger, agreed by the other."""

from __future__ import annotations

import base64
import math
import os

import pytest
from playwright.sync_api import expect

from kit.models_on_table import afloat, models, photo_of
from kit.photographed import Wanted, photograph
from kit.screens import screens
from kit.tablets import PHONE, TABLET
from webapp.storage.services.archive import keep_layout

pytestmark = pytest.mark.browser
SHOTS = os.environ.get("SHOTS")
READ = 30_000  # milliseconds in which a photograph is read, on a machine that does other things
UPRIGHT = {"width": 820, "height": 1180}
LAYOUT = models(4)
LONG = LAYOUT.base_length
MET = {
    "s0": (200.0, 250.0, 90.0),
    "s1": (200.0 + LONG / 2 + 12.55, 250.0, 0.0),
    "s2": (420.0, 120.0, 200.0),
    "s3": (560.0, 330.0, 300.0),
}
APART = {**MET, "s0": (120.0, 250.0, 90.0), "s1": (350.0, 300.0, 20.0)}
# How light the straightened photograph is at a place of the table, in mm.
LIGHT = """([x, y]) => {
  const canvas = document.getElementById("reading-photo"), box = document.getElementById("reading-ships").viewBox.baseVal;
  const at = [(x - box.x) / box.width * canvas.width, (y - box.y) / box.height * canvas.height].map(Math.round);
  return canvas.getContext("2d").getImageData(...at, 1, 1).data[0];
}"""


def choose(page, photo: bytes) -> None:
    """The phone's own shutter and “use photo”: the first two taps, after “Read the table”."""
    page.locator("#read-table input, #reading .choose input").last.set_input_files(
        {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": photo}
    )


def shot(page, name: str) -> None:
    """A picture to look at, where SHOTS says where."""
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png")


def at(page, x: float, y: float) -> tuple[float, float]:
    """Where a place of the table is on the screen."""
    return tuple(
        page.locator("#reading-ships").evaluate(
            "(it, [x, y]) => { const p = new DOMPoint(x, y).matrixTransform(it.getScreenCTM()); return [p.x, p.y]; }",
            [x, y],
        )
    )


def drag(page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*((a + b) / 2 for a, b in zip(start, end, strict=True)))
    page.mouse.move(*end)
    page.mouse.up()


def place(page, ship: str) -> list[float]:
    """x, y and heading of a ship as the form carries them."""
    return page.locator("#reading-form input[name=ships]").evaluate("(it, ship) => JSON.parse(it.value)[ship]", ship)


@pytest.mark.parametrize(("size", "scheme"), screens((TABLET, "day"), (UPRIGHT, "day"), (PHONE, "dark")))
def test_four_taps_measure_the_players_own_table(room, tablet, size, scheme):
    game, tokens = room.battle(position=afloat(LAYOUT, "table", MET, step="move", phase=3))
    keep_layout(room.store, game, LAYOUT)
    rome = tablet(tokens["rome"], size, scheme)
    page = rome.page
    expect(page.locator("#read-table")).to_be_visible()
    shot(page, f"own-1-{size['width']}")
    choose(page, photo_of(LAYOUT, MET))
    expect(page.locator("#reading-photo")).to_be_visible(timeout=READ)
    assert page.locator("#reading-told .note").count() == 0
    white, ground = page.evaluate(LIGHT, [26.7 + 23, 26.7]), page.evaluate(LIGHT, [120, 400])
    assert white > ground + 40, "the paper of the corner tag lies where the layout says"
    shot(page, f"own-2-{size['width']}")
    page.locator("#reading-confirm").tap()
    touch = page.locator("#row-s0 button").filter(has_text="Touches S1")
    expect(touch).to_be_visible(timeout=READ)
    shot(page, f"own-3-{size['width']}")
    rome.tap(touch)
    assert room.state(game).ships["s0"].contact == "s1" and rome.refusals == []


@pytest.mark.parametrize(("size", "scheme"), screens((TABLET, "day"), (UPRIGHT, "day"), (PHONE, "dark")))
def test_on_the_measured_sea_a_reading_is_corrected_and_the_other_seat_agrees(room, tablet, size, scheme):
    game, tokens = room.battle(position=afloat(LAYOUT, "open", APART))
    keep_layout(room.store, game, LAYOUT)
    rome, carthage = tablet(tokens["rome"], size, scheme), tablet(tokens["carthage"], TABLET)
    page = rome.page
    shot(page, f"sea-1-{size['width']}")
    choose(page, photo_of(LAYOUT, {name: MET[name] for name in ("s0", "s1", "s2")}))
    wait = page.locator("[data-wait=s3]")
    expect(wait).to_be_visible(timeout=READ)
    shot(page, f"sea-2-{size['width']}")
    wait.get_by_role("button", name="As before").tap()
    expect(wait).to_be_hidden()
    assert place(page, "s3") == [560, 330, 300]
    page.locator("#reading-undo").tap()
    expect(wait).to_be_visible()
    name = wait.locator("strong").bounding_box()
    drag(page, (name["x"] + 5, name["y"] + 5), at(page, 560, 330))
    assert place(page, "s3") == [pytest.approx(560, abs=3), pytest.approx(330, abs=3), 0]
    bow = page.locator(".reading-handle circle").bounding_box()
    x, y, _heading = place(page, "s3")
    way = math.radians(300)
    drag(
        page,
        (bow["x"] + bow["width"] / 2, bow["y"] + bow["height"] / 2),
        at(page, x + 120 * math.sin(way), y - 120 * math.cos(way)),
    )
    assert place(page, "s3")[2] == pytest.approx(300, abs=3)
    before = place(page, "s2")
    drag(page, at(page, *before[:2]), at(page, before[0] + 40, before[1] + 10))
    assert place(page, "s2")[:2] == [pytest.approx(before[0] + 40, abs=3), pytest.approx(before[1] + 10, abs=3)]
    shot(page, f"sea-3-{size['width']}")
    page.locator("#reading-undo").tap()
    assert place(page, "s2") == before
    page.locator("#reading-confirm").tap()
    expect(page.locator("#take-back")).to_contain_text("proposes to lay the ships as photographed", timeout=READ)
    shot(page, f"sea-4-{size['width']}")
    other = carthage.page
    expect(other.locator(".proposed").first).to_be_attached()
    shot(other, f"sea-5-{size['width']}")
    carthage.tap(other.get_by_role("button", name="Agree, lay them so"))
    now = room.state(game).ships
    for ship in ("s0", "s1", "s2"):
        assert math.dist(now[ship].at, (MET[ship][0] / LONG, MET[ship][1] / LONG)) < 3 / LONG
    rome.until(1)
    assert rome.refusals == carthage.refusals == []


def test_four_taps_on_the_corners_do_where_their_tags_are_missing(room, tablet):
    game, tokens = room.battle(position=afloat(LAYOUT, "table", MET, step="move", phase=3))
    keep_layout(room.store, game, LAYOUT)
    page = tablet(tokens["rome"], UPRIGHT).page
    scene = photograph(Wanted(table=LAYOUT.table, width=1500), 1, (0, 2), (), LAYOUT, MET)
    choose(page, scene.jpeg())
    expect(page.locator("#reading-taps")).to_be_visible(timeout=READ)
    canvas = page.locator("#reading-photo")
    expect(canvas).to_be_visible()
    shot(page, "taps-1")
    box = canvas.bounding_box()
    width, height = LAYOUT.table
    for x, y in scene.camera.project([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]]):
        across = box["width"] / 1500
        canvas.tap(position={"x": float(x) * across, "y": float(y) * across})
    expect(page.locator("#reading-ships")).to_be_visible(timeout=READ)
    assert {name for name in MET if place(page, name)} == set(MET)
    shot(page, "taps-2")


def test_a_photograph_that_cannot_be_read_says_why_and_another_can_be_taken(room, tablet):
    game, tokens = room.battle(position=afloat(LAYOUT, "table", MET, step="move", phase=3))
    keep_layout(room.store, game, LAYOUT)
    page = tablet(tokens["rome"], PHONE).page
    choose(page, b"\0\0\0\x18ftypheic" + b"\0" * 40)
    expect(page.get_by_role("alert").filter(has_text="HEIC")).to_be_visible(timeout=READ)
    shot(page, "heic")
    choose(page, b"\xff\xd8\xff" + b"\0" * (15 << 20))
    expect(page.get_by_role("alert").filter(has_text="at most 15 MB")).to_be_visible()
    choose(page, photo_of(LAYOUT, MET))
    expect(page.locator("#reading-photo")).to_be_visible(timeout=READ)


# A browser before whose camera the table lies.
LIES_BEFORE = """async (written) => {
  const bytes = Uint8Array.from(atob(written), (each) => each.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" })), canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  const draw = () => { canvas.getContext("2d").drawImage(picture, 0, 0); requestAnimationFrame(draw); };
  draw();
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
}"""


def test_where_the_page_may_a_live_picture_says_how_large_the_tags_are_and_is_read(room, tablet):
    game, tokens = room.battle(position=afloat(LAYOUT, "table", MET, step="move", phase=3))
    keep_layout(room.store, game, LAYOUT)
    page = tablet(tokens["rome"], UPRIGHT, at=f"/g/{game}/table/read?seat=rome").page
    page.evaluate(LIES_BEFORE, base64.b64encode(photo_of(LAYOUT, MET)).decode())
    page.locator("#reading-live").tap()
    expect(page.locator(".reading-live p")).to_have_text("The tags are about 31 pixels wide: that is enough.")
    shot(page, "live-1")
    page.get_by_role("button", name="Take the photograph").tap()
    expect(page.locator("#reading-count")).to_have_text("4", timeout=READ)
    expect(page.locator("#reading-photo")).to_be_visible(timeout=READ)
    shot(page, "live-2")
