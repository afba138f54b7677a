"""The tags in a photograph, by their ids and corners. Runs in a child process; it needs OpenCV and numpy alone.

Four passes look for tags, since none of them is enough: the picture as it is, for tags that something lies over;
sharpened and enlarged, for small ones; softened before it is sharpened, for those in poor light; halved, for large ones
in noise. Their union is taken, and each side of a black square is then measured on the picture as it came.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from cv2.typing import MatLike as Picture
from numpy.typing import NDArray

Corners = NDArray[np.float64]

DICTIONARIES = {"4x4_100": cv2.aruco.DICT_4X4_100, "5x5_250": cv2.aruco.DICT_5X5_250}
PLAIN, HALVED = (1.0, 0.0, 0.0), (0.5, 0.0, 0.0)  # a pass: scale, sigma of the softening, and of the sharpening
IN_NOISE = (1.5, 0.8, 3.0)
SMALL, ENLARGED = (2.0, 0.0, 2.0), (2.0, 0.8, 2.0)  # pictures whose tags are of few pixels, and large pictures
FEW = 6_000_000  # pixels of a picture that is sharpened without softening: noise costs time there
SMALLEST = 11  # pixels of a tag's side
MOST = 50_000_000  # pixels of an enlarged picture: a larger photograph is enlarged less
MOST_TAGS = 1000
AMOUNT = 3.0  # of the sharpening
SAMPLES = 17  # across an edge


def read(data: bytes, dictionary: str, needed: list[int]) -> dict[str, Any]:
    """The size of the picture in pixels, upright, and its tags: `[id, four corners clockwise from the upper left]`.

    Whole numbers are the middles of pixels. `mirrored` counts the tags that a mirror would show, looked for only where
    fewer than three of the `needed` ids are there. Raises ValueError for what is not a picture.
    """
    cv2.setNumThreads(1)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE) if data else None
    if picture is None:
        raise ValueError("not a picture")
    del data
    tags = find_tags(picture, dictionary)
    mirrored = 0
    if needed and len({id for id, _ in tags} & set(needed)) < 3:
        known = cv2.aruco.getPredefinedDictionary(DICTIONARIES[dictionary])
        mirrored = len(one_pass(cv2.flip(picture, 1), known, PLAIN))
    return {
        "width": picture.shape[1],
        "height": picture.shape[0],
        "tags": [[id, corners.round(3).tolist()] for id, corners in tags[:MOST_TAGS]],
        "mirrored": mirrored,
    }


def find_tags(picture: Picture, dictionary: str) -> list[tuple[int, Corners]]:
    """All tags of a grey picture with their corners (4 × 2). A place that two passes read as two ids is left out."""
    known = cv2.aruco.getPredefinedDictionary(DICTIONARIES[dictionary])
    found: list[tuple[int, Corners]] = []
    doubtful: set[int] = set()
    most = float(np.sqrt(MOST / picture.size))
    for scale, soften, sharpen in (PLAIN, SMALL if picture.size <= FEW else ENLARGED, IN_NOISE, HALVED):
        for id, corners in one_pass(picture, known, (min(scale, most), soften, sharpen)):
            near = float(np.linalg.norm(corners[0] - corners[2])) * 0.4
            middle = corners.mean(0)
            same = [at for at, (_, each) in enumerate(found) if np.linalg.norm(each.mean(0) - middle) < near]
            doubtful.update(at for at in same if found[at][0] != id)
            if not same:
                found.append((id, corners))
    modules = known.markerSize + 2
    return [(id, refine(picture, corners, modules)) for at, (id, corners) in enumerate(found) if at not in doubtful]


def one_pass(picture: Picture, known: Any, how: tuple[float, float, float]) -> list[tuple[int, Corners]]:
    """The tags that OpenCV sees in one pass; their corners are places in the picture as it came."""
    scale, soften, sharpen = how
    seen = picture if not soften else cv2.GaussianBlur(picture, (0, 0), soften)
    if sharpen:
        soft = cv2.GaussianBlur(picture, (0, 0), sharpen)
        seen = cv2.addWeighted(seen, 1 + AMOUNT, soft, -AMOUNT, 0)
        del soft
    if scale != 1:
        seen = cv2.resize(
            seen, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
        )
    asked = cv2.aruco.DetectorParameters()
    asked.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    asked.perspectiveRemovePixelPerCell = 8
    asked.perspectiveRemoveIgnoredMarginPerCell = 0.33
    asked.minDistanceToBorder = 1
    asked.minMarkerPerimeterRate = 4 * max(SMALLEST * scale, 10) / max(seen.shape)
    corners, ids, _ = cv2.aruco.ArucoDetector(known, asked).detectMarkers(seen)
    if ids is None:
        return []
    return [
        (int(id), (np.asarray(four, np.float64).reshape(4, 2) + 0.5) / scale - 0.5)
        for id, four in zip(ids.ravel(), corners, strict=True)
    ]


# -- Edges: each side of the black square is a line through the places where the light changes most.


def refine(picture: Picture, corners: Corners, modules: int) -> Corners:
    """The corners where the four measured sides meet; as they were where a side cannot be measured."""
    sides = np.roll(corners, -1, 0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() < 4:
        return corners
    module = float(lengths.mean()) / modules
    reach = float(np.clip(0.8 * module, 1.5, 4.0))
    lines = []
    for corner, side, length in zip(corners, sides, lengths, strict=True):
        along = side / length
        outward = np.array([along[1], -along[0]])
        if outward @ (corner - corners.mean(0)) < 0:
            outward = -outward
        offsets = edge_offsets(picture, corner, side, outward, reach)
        if offsets is None:
            return corners
        start, slope = offsets
        lines.append(
            np.cross([*(corner + start * outward), 1.0], [*(corner + side + (start + slope * length) * outward), 1.0])
        )
    met = [np.cross(lines[number - 1], lines[number]) for number in range(4)]
    if min(abs(each[2]) for each in met) < 1e-9:
        return corners
    better = np.array([each[:2] / each[2] for each in met])
    return better if np.abs(better - corners).max() < max(3.0, 1.2 * module) else corners


def edge_offsets(
    picture: Picture, corner: Corners, side: Corners, outward: Corners, reach: float
) -> tuple[float, float] | None:
    """How far outward of a side its edge runs: at its beginning, and more by each pixel; None where none is seen."""
    length = float(np.linalg.norm(side))
    along = np.linspace(0.12, 0.88, int(np.clip(length, 8, 40)))
    across = np.linspace(-reach, reach, SAMPLES)
    points = (corner + along[:, None] * side)[:, None, :] + across[None, :, None] * outward
    at = points.astype(np.float32)
    light = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    rise = np.diff(light, axis=1).clip(min=0)  # a black square is dark within and light without
    total = rise.sum(1)
    clear = total > 0.4 * np.median(total) + 1e-3
    if clear.sum() < 5:
        return None
    off = (rise * (across[1:] + across[:-1]) / 2).sum(1)[clear] / total[clear]
    where = along[clear] * length
    while True:
        terms = np.stack([np.ones_like(where), where], 1)
        line = np.linalg.lstsq(terms, off, rcond=None)[0]
        error = np.abs(off - terms @ line)
        fits = error <= max(0.35, 2.5 * float(np.median(error)))
        if fits.all() or fits.sum() < 5:
            return float(line[0]), float(line[1])
        where, off = where[fits], off[fits]
