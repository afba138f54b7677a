"""Make the pictures of docs/camera.md: `python tools/table_pictures.py [FOLDER]`.

The printed page is that of the PDF. The photographs are those of the tests; about each tag that the reader finds in
them is a line.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
import pypdfium2

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from kit.photographed import Scene, Wanted, photograph  # noqa: E402
from webapp.camera import tag_finder  # noqa: E402
from webapp.camera.sheet import PAPERS, as_pdf, draw_up, pages  # noqa: E402
from webapp.camera.sheet import Wanted as SheetWanted  # noqa: E402

WIDE = 900  # pixels of a picture
FOUND = (60, 200, 90)  # blue, green, red
OAR = (2.2, 34.0)  # mm of its width and its length


def main(folder: Path) -> int:
    """Write the five pictures."""
    table = photograph(Wanted(table=(1200.0, 800.0), ships=14, width=2400, careless=0.5), 3)
    dark = photograph(Wanted(table=(1200.0, 800.0), ships=14, width=2400, careless=0.5, is_poor=True), 6)
    near = photograph(Wanted(table=(420.0, 315.0), ships=3, width=1600, tilt=35.0, careless=0.5), 4)
    write(folder / "camera-print.png", printed_page())
    write(folder / "camera-glue.jpg", smaller(cv2.cvtColor(near.picture, cv2.COLOR_GRAY2BGR)))
    write(folder / "camera-photograph.jpg", smaller(marked(table)))
    write(folder / "camera-light.jpg", smaller(marked(dark)))
    write(folder / "camera-oars.jpg", smaller(oars(near)))
    return 0


def printed_page() -> np.ndarray:
    """The page with the strips of six ships, as it is printed."""
    names = ("Aquila", "Lupa", "Nike", "Tanit", "Melqart", "Tyche of Syracuse")
    ships = {f"s{number}": name for number, name in enumerate(names)}
    pdf = as_pdf(pages(draw_up(SheetWanted((1800.0, 1200.0), (80.0, 25.0), 16.0, ships)), PAPERS["a4"]), PAPERS["a4"])
    page = pypdfium2.PdfDocument(pdf)[1].render(scale=200 / 72, grayscale=True).to_numpy()
    upper = np.asarray(page).squeeze()
    grey = cv2.cvtColor(upper[: len(upper) // 2], cv2.COLOR_GRAY2BGR)
    return cv2.copyMakeBorder(smaller(grey), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(150, 150, 150))


def oars(scene: Scene) -> np.ndarray:
    """A ship's tag that is found, and the same with an oar across it, 8 mm above the table, side by side."""
    seen = {id for id, _ in tag_finder.find_tags(scene.picture, scene.layout.dictionary)}
    name, tag = next(each for id, each in scene.layout.tags.items() if id in seen)
    x, y, heading = scene.truth[name]
    angle = np.radians(heading)
    bow, starboard = np.array([np.sin(angle), -np.cos(angle)]), np.array([np.cos(angle), np.sin(angle)])
    middle, slant = np.array([x, y]) + tag.along * bow, 0.9 * starboard + 0.44 * bow
    across = np.array([-slant[1], slant[0]])
    corners = [
        [*(middle + i * OAR[1] / 2 * slant + j * OAR[0] / 2 * across), -8.0]
        for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    rim = scene.camera.project(corners).round().astype(np.int32)
    left, top = (scene.camera.project([[x, y, 0.0]])[0] - (320, 240)).round().astype(int)
    bare = marked(scene)
    scene.picture = cv2.fillPoly(scene.picture, [rim], 40, cv2.LINE_AA)
    return np.hstack([each[top : top + 480, left : left + 640] for each in (bare, marked(scene))])


def marked(scene: Scene) -> np.ndarray:
    """The photograph with a line about each tag that is found in it."""
    picture = cv2.cvtColor(scene.picture, cv2.COLOR_GRAY2BGR)
    for _, corners in tag_finder.find_tags(scene.picture, scene.layout.dictionary):
        middle = corners.mean(0)
        rim = (middle + (corners - middle) * 1.45).round().astype(np.int32)
        cv2.polylines(picture, [rim], True, FOUND, max(3, picture.shape[1] // 500), cv2.LINE_AA)
    return picture


def smaller(picture: np.ndarray) -> np.ndarray:
    """The picture as wide as a page needs it."""
    return cv2.resize(picture, (WIDE, round(WIDE * len(picture) / picture.shape[1])), interpolation=cv2.INTER_AREA)


def write(file: Path, picture: np.ndarray) -> None:
    """Write a small file."""
    how = [cv2.IMWRITE_JPEG_QUALITY, 62] if file.suffix == ".jpg" else [cv2.IMWRITE_PNG_COMPRESSION, 9]
    cv2.imwrite(str(file), picture, how)
    print(file, file.stat().st_size >> 10, "kB")


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/pictures"))
