"""Ships are told apart without colour: by type, by navy and by damage, at the size of a table and at that of a list."""

from __future__ import annotations

import base64
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page

from webapp.presenting.ships.galley import DRAWING, LOOKS, Galley, galley

STATIC = Path(__file__).parents[3] / "webapp" / "static"
CELL = 1.5  # of the size: what one drawing is given
SIZES = (96, 48, 24)
PIXELS = """async (data) => { const image = new Image(); image.src = "data:image/png;base64," + data; await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height), ink = canvas.getContext("2d"); ink.drawImage(image, 0, 0);
  const it = ink.getImageData(0, 0, image.width, image.height).data, grey = new Uint8Array(it.length / 4);
  for (let at = 0; at < it.length; at += 4) grey[at / 4] = Math.round(.299 * it[at] + .587 * it[at + 1] + .114 * it[at + 2]);
  let text = "";
  for (let at = 0; at < grey.length; at += 8192) text += String.fromCharCode(...grey.subarray(at, at + 8192));
  return btoa(text); }"""
Grey = NDArray[np.int16]


def drawn(page: Page, ships: list[Galley], size: int) -> Grey:
    """The grey of each pixel of each ship, one below another on a flat sea."""
    cell = round(size * CELL)
    rows = "".join(
        f'<g transform="translate({cell / 2} {cell * (row + 0.5)}) scale({size / 87:.4f})">{galley(it, 90, size)}</g>'
        for row, it in enumerate(ships)
    )
    css = "".join((STATIC / name).read_text() for name in ("app.css", "ships.css"))
    page.set_content(
        f"<style>{css} body {{ margin: 0 }} svg {{ display: block; background: var(--sea-mid) }}</style>"
        f'<svg width="{cell}" height="{cell * len(ships)}">{rows}</svg>'
    )
    shot = base64.b64encode(page.locator("svg").screenshot()).decode()
    found = np.frombuffer(base64.b64decode(page.evaluate(PIXELS, shot)), np.uint8)
    return found.reshape(len(ships), cell * cell).astype(np.int16)


def differ(one: Grey, other: Grey, sea: int) -> float:
    """The share of the pixels of both that differ by more than 20 of 255."""
    both = (one != sea) | (other != sea)
    return float((abs(one - other)[both] > 20).sum() / max(1, both.sum()))


@pytest.fixture(scope="module")
def grey(browser: Browser) -> dict[int, dict[Galley, Grey]]:
    """Every type in every navy, whole and with half of her hull, at each size."""
    whole = [Galley(kind, look, 0) for kind in DRAWING.types for look in LOOKS]
    every = [*whole, *(it._replace(lost=0.5) for it in whole)]
    page = browser.new_page(viewport={"width": 200, "height": 800})
    found = {size: dict(zip(every, drawn(page, every, size), strict=True)) for size in SIZES}
    page.close()
    return found


@pytest.mark.parametrize("size", SIZES)
def test_types_navies_and_damage_are_told_apart_in_grey(grey: dict[int, dict[Galley, Grey]], size: int) -> None:
    seen = grey[size]
    sea = next(iter(seen.values()))[0]

    def least(pairs: list[tuple[Galley, Galley]]) -> float:
        return min(differ(seen[one], seen[other], sea) for one, other in pairs)

    kinds, looks = tuple(DRAWING.types), LOOKS
    types = [(Galley(a, look, 0), Galley(b, look, 0)) for look in looks for a, b in combinations(kinds, 2)]
    navies = [(Galley(kind, a, 0), Galley(kind, b, 0)) for kind in kinds for a, b in combinations(looks, 2)]
    hurt = [(Galley(kind, look, 0), Galley(kind, look, 0, lost=0.5)) for kind in kinds for look in looks]
    measured = {"types": least(types), "navies": least(navies), "hurt": least(hurt)}
    assert measured["types"] >= 0.30, measured
    assert measured["navies"] >= 0.07, measured
    assert measured["hurt"] >= 0.09, measured
