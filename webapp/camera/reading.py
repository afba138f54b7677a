"""A photograph of the table becomes a reading: where each ship lies, and what was not seen, seen twice or strange.

Nothing is guessed and nothing is stored. The bytes go to a child process with limits (`tag_finder`), which answers with
the tags' corners; all else is reckoned from those.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import combinations
from math import hypot
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import Meta

from tactical.kernel.record import BadInput, Reason, Record, because
from tactical.tabletop import (
    SQUARE,
    Layout,
    Lies,
    Points,
    Tag,
    base_outline,
    corners_of,
    depth_of,
    fit_rigid,
    lay,
)
from webapp.camera.fitting import Anchor, Body, Camera, first_guess, fit_camera, square_at
from webapp.files.child_process import Limits, Unreadable, read_apart
from webapp.http.photos import JPEG, PNG, jpeg, png

# -- What a photograph may be: its kind and size are read from its head, before anything is unpacked.

READER = Path(__file__).with_name("tag_finder.py")
LARGEST = 15 * 1024 * 1024  # bytes
MILLIONS = 50  # of pixels
LIMITS = Limits(memory=1536 << 20, processor=12, seconds=55.0, answer=1 << 20)
MODERN = {b"heic": "HEIC", b"heix": "HEIC", b"hevc": "HEIC", b"mif1": "HEIC", b"msf1": "HEIC", b"avif": "AVIF"}


def is_installed() -> bool:
    """Is OpenCV there, the optional extra that reads photographs?"""
    return find_spec("cv2") is not None


def check_photo(data: bytes, at: str = "photo") -> None:
    """Raises BadInput for what is no photograph that can be read here."""
    if not data:
        raise BadInput(at, "this file is empty: choose a photograph")
    if len(data) > LARGEST:
        raise BadInput(at, "a photograph may have at most %(most)s MB", most=LARGEST >> 20)
    modern = MODERN.get(data[8:12]) if data[4:8] == b"ftyp" else None
    if modern is not None:
        raise BadInput(
            at,
            "this photograph is in the format %(kind)s, which cannot be read here: send a JPEG (on an iPhone: "
            "Settings, Camera, Formats, Most Compatible)",
            kind=modern,
        )
    try:
        size = size_of(data)
    except (struct.error, IndexError):
        size = None
    if size is None or not all(size):
        raise BadInput(at, "a photograph must be a whole JPEG, PNG or WebP file")
    if size[0] * size[1] > MILLIONS * 1_000_000:
        raise BadInput(at, "a photograph may have at most %(most)s million pixels", most=MILLIONS)


def size_of(data: bytes) -> tuple[int, int] | None:
    """The width and the height in pixels that a whole file names; None for another kind, and for half a file."""
    if data.startswith((JPEG, PNG)):
        photo = (jpeg if data.startswith(JPEG) else png)(data)
        return None if photo is None else (photo.width, photo.height)
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) < 8 + struct.unpack("<I", data[4:8])[0]:
        return None
    kind = data[12:16]
    if kind == b"VP8X":
        return tuple(int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))  # type: ignore[return-value]
    if kind == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


class Found(Record, frozen=True):
    """What the child process says of a picture: its size in pixels, upright, and the tags in it (`tag_finder.read`)."""

    width: int
    height: int
    tags: list[tuple[int, list[tuple[float, float]]]]
    mirrored: int = 0


def find_tags(data: bytes, layout: Layout, waits: bool = False) -> Found:
    """The tags in a photograph. Raises BadInput with the path `photo`, TooMany."""
    check_photo(data)
    if not is_installed():
        raise BadInput("photo", "photographs cannot be read here: install the extra with 'pip install navarch[camera]'")
    try:
        return read_apart(
            READER,
            data,
            Found,
            "photo",
            LIMITS,
            waits,
            dictionary=layout.dictionary,
            needed=sorted(layout.corners),
        )
    except Unreadable:
        raise BadInput("photo", "this photograph is damaged: take another one") from None


# -- The reading.

FEWEST = 3  # corner tags
PLACED, TAPPED = 1.0, 4.0  # mm to which corner tags lie where the layout says, and to which people tap a corner
GAP, WORST_GAP = 2.5, 6.0  # mm of a corner tag from its place: told; refused. Of taps: TAPPED times as much
CORNER_SIGMA, SHIP_SIGMA = 0.2, 0.6  # pixels to which a tag's shape is measured: corner tags; those of ships
SHIP_LEAST = 1.0  # mm to which the tags of a ship lie where the layout says
TAPPED_SIGMA = 0.3  # pixels of the ships' tags where they are the only ruler
SQUARE_ERROR = 0.12  # of a tag's size: what is farther from a square of this size is not that tag
DISAGREE = 1.5  # mm of spread: two tags of a ship that disagree by more than twice that contradict each other
THROUGH = 8.0  # mm by which two bases cannot lie through each other
OFF_TABLE = 60.0  # mm
SCALE_OFF = 0.02  # a print that is off by more is told
ENOUGH = 16.0  # pixels of a ship's tag


class View(Record, frozen=True):
    """How the camera stood: degrees from straight down, the worst gap, and how many pixels wide a ship's tag is.

    The gap is what a corner tag lies off in mm, or what the scale of the print makes of a base length.
    """

    tilt: float
    corner_gap: float
    tag_pixels: float


Millimetres = Annotated[float, Meta(description="Millimetres.")]


class ShipSeen(Record, frozen=True):
    """Where a ship's base lies (its middle) and heads, by how many tags, and how far those disagree."""

    x: Millimetres
    y: Millimetres
    heading: float
    tags: int
    spread: Millimetres


class Lens(Record, frozen=True):
    """The camera that was fitted, for whoever draws the photograph as if seen from above: see `fitting.Camera`.

    `turn` is the rotation from the table's axes to the camera's, by rows; `middle` where its axis meets the picture.
    """

    width: int
    height: int
    focal: float
    k1: float
    k2: float
    middle: tuple[float, float]
    turn: list[list[float]]
    place: list[float]


class Reading(Record, frozen=True):
    """What a photograph says of a table; with `why_not` it says nothing.

    `places`: of ships to ask about, where each may lie. `wants_taps`: four taps on the table's corners would do.
    """

    ships: dict[str, ShipSeen]
    not_seen: tuple[str, ...]
    twice: tuple[int, ...] = ()
    strangers: tuple[int, ...] = ()
    ask: tuple[str, ...] = ()
    camera: View | None = None
    warnings: tuple[Reason, ...] = ()
    why_not: Reason | None = None
    places: dict[str, tuple[ShipSeen, ...]] = {}
    lens: Lens | None = None
    wants_taps: bool = False


def read_photo(data: bytes, layout: Layout, taps: Sequence[tuple[float, float]] = (), waits: bool = False) -> Reading:
    """What a photograph says; `why_not` of what is no photograph, too. Raises TooMany, and BadInput for the taps."""
    try:
        found = find_tags(data, layout, waits)
    except BadInput as fault:
        return Reading({}, tuple(layout.ships), why_not=fault.why)
    return read_tags(found, layout, taps)


def read_taps(text: str) -> list[tuple[float, float]]:
    """Four taps written as "x,y x,y x,y x,y"; none of an empty text. Raises BadInput."""
    try:
        taps = [tuple(float(part) for part in tap.split(",")) for tap in text.replace(";", " ").split()]
    except ValueError:
        taps = [()]
    if taps and (len(taps) != 4 or any(len(tap) != 2 or not all(abs(part) < 1e5 for part in tap) for tap in taps)):
        raise BadInput("corners", "write four corners in pixels as x,y x,y x,y x,y, clockwise from the north-west")
    return [(tap[0], tap[1]) for tap in taps]


def read_tags(found: Found, layout: Layout, taps: Sequence[tuple[float, float]] = ()) -> Reading:
    """What the tags in a picture say; `taps` are the table's corners in pixels, clockwise from the north-west."""
    if taps and len(taps) != 4:
        raise BadInput("corners", "tap the four corners of the table, clockwise from the north-west")
    seen: dict[int, list[Points]] = {}
    for id, corners in found.tags:
        seen.setdefault(id, []).append(np.array(corners))
    strangers = tuple(sorted(id for id in seen if id not in layout.corners and id not in layout.tags))
    doubled = [id for id in sorted(layout.corners) if len(seen.get(id, ())) > 1]
    at_corners = {id: seen[id][0] for id in sorted(layout.corners) if len(seen.get(id, ())) == 1}

    def refuse(why: Reason, wants_taps: bool = False) -> Reading:
        return Reading({}, tuple(layout.ships), tuple(doubled), strangers, why_not=why, wants_taps=wants_taps)

    if found.mirrored >= max(FEWEST, 2 * len(found.tags)) and len(at_corners) < FEWEST and not taps:
        return refuse(because("the tags are mirrored: print the sheet as it is, and photograph the table itself"))
    if len(at_corners) < FEWEST and not taps:
        return refuse(
            because(
                "only %(seen)s of %(all)s corner tags were seen, and three are needed; not seen: %(missing)s",
                seen=len(at_corners),
                all=len(layout.corners),
                missing=tuple(id for id in sorted(layout.corners) if id not in at_corners) or "-",
            ),
            wants_taps=True,
        )
    placed = {id: layout.corners[id] for id in at_corners}
    anchors = [Anchor((x, y), at_corners[id]) for id, (x, y, _) in placed.items()]
    squares = [square_at((x, y), size) for x, y, size in placed.values()]
    if taps:
        width, height = layout.table
        outline = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
        tapped = [Anchor(corner, np.array([tap])) for corner, tap in zip(outline, taps, strict=True)]
        anchors, squares = tapped + anchors, [*(np.array([each.at]) for each in tapped), *squares]
    if is_line([each.at for each in anchors]):
        why = because("the corner tags that were seen lie in one line: a third one beside it is needed")
        return refuse(why, wants_taps=not taps)
    guess = first_guess(anchors, squares, (found.width, found.height))
    if guess is None:
        return refuse(because("the corners do not fit a table seen from above: lay them where the layout says"))
    fine = guess.mm_a_pixel
    corner_bodies = [Body(SQUARE * size, at_corners[id], np.zeros(4)) for id, (_, _, size) in placed.items()]
    camera, gaps, scale = fit_camera(
        guess,
        anchors,
        TAPPED if taps else PLACED,
        [
            (corner_bodies, CORNER_SIGMA * fine),
            (bodies_of(seen, layout), TAPPED_SIGMA * fine if taps else max(SHIP_LEAST, SHIP_SIGMA * fine)),
        ],
        is_ruler=bool(taps),
    )
    worst = float(gaps.max())
    if not np.isfinite(worst) or worst > WORST_GAP * (TAPPED if taps else 1):
        return refuse(
            because(
                "the corners contradict each other by %(gap)s mm: lay them where the layout says",
                gap=f"{worst:.0f}",
            )
        )
    return place_ships(camera, worst, scale, seen, layout, strangers, doubled, bool(taps))


def is_line(places: list[tuple[float, float]]) -> bool:
    """Do these points lie nearly in one line?"""
    spread = np.linalg.svd(np.array(places) - np.mean(places, axis=0), compute_uv=False)
    return bool(spread[-1] < 0.1 * spread[0])


def bodies_of(seen: dict[int, list[Points]], layout: Layout) -> list[Body]:
    """For each ship the tags that were seen once, as one body of known shape."""
    bodies = []
    for model in layout.ships.values():
        tags = [tag for tag in model.tags if len(seen.get(tag.id, ())) == 1]
        if tags:
            shape = np.concatenate([corners_of(tag) for tag in tags])
            pixels = np.concatenate([seen[tag.id][0] for tag in tags])
            bodies.append(Body(shape, pixels, np.full(len(shape), model.height)))
    return bodies


def place_ships(
    camera: Camera,
    gap: float,
    scale: float,
    seen: dict[int, list[Points]],
    layout: Layout,
    strangers: tuple[int, ...],
    doubled: list[int],
    is_tapped: bool,
) -> Reading:
    """Each ship laid on the table by the tags that are what the layout says, or asked for."""
    lies: dict[str, Lies] = {}
    ask: set[str] = set()
    doubted: dict[str, list[Lies]] = {}
    twice, warnings = list(doubled), []
    for name, model in layout.ships.items():
        good: list[tuple[Tag, Points]] = []
        alone: list[Lies] = []  # where each tag by itself would have her lie
        for tag in model.tags:
            measured = [camera.on_table(each, model.height) for each in seen.get(tag.id, ())]
            squares = [each for each in measured if is_square(each, tag.size * scale)]
            alone += [lay([tag], each, scale) for each in squares]
            if len(squares) > 1:
                twice.append(tag.id)
                ask.add(name)
            elif squares:
                good.append((tag, squares[0]))
        doubted[name] = alone
        if name in ask or not good:
            continue
        tags, corners = [tag for tag, _ in good], np.stack([each for _, each in good])
        ship = lay(tags, corners, scale)
        if ship.spread > DISAGREE:
            ask.add(name)
            warnings.append(
                because(
                    "the tags of %(ship)s contradict each other by %(gap)s mm", ship=name, gap=f"{2 * ship.spread:.0f}"
                )
            )
        elif off_table(ship, layout) > OFF_TABLE:
            ask.add(name)
            warnings.append(because("%(ship)s does not lie on the table", ship=name))
        else:
            lies[name] = ship
            doubted[name] = [ship]
    for one, other in through_each_other(lies, layout):
        fewest = min(lies[one].tags, lies[other].tags)
        ask.update(name for name in (one, other) if lies[name].tags == fewest)
        warnings.append(because("%(ship)s and %(other)s cannot both lie where they were seen", ship=one, other=other))
    ships = {name: ship_seen(ship) for name, ship in lies.items() if name not in ask}
    pixels = tag_pixels(camera, layout)
    not_seen = tuple(name for name in layout.ships if name not in ships and name not in ask)
    limit = GAP * (TAPPED if is_tapped else 1)
    if abs(scale - 1) > SCALE_OFF:
        warnings.append(
            because("the sheet seems to be printed at %(size)s %%, not at 100 %%", size=f"{100 * scale:.0f}")
        )
    if gap > limit:
        warnings.append(
            because(
                "the corners are off by %(gap)s mm: they lie elsewhere than the layout says, or the sheet was not "
                "printed at 100 %%",
                gap=f"{gap:.1f}",
            )
        )
    missing = tuple(id for id in sorted(layout.corners) if id not in seen)
    if missing and not is_tapped:
        warnings.append(because("these corner tags were not seen: %(tags)s", tags=missing))
    if not_seen and pixels < ENOUGH:
        warnings.append(
            because(
                "the tags are about %(pixels)s pixels wide, and %(enough)s are needed: go nearer, hold the camera more "
                "upright, or print larger tags",
                pixels=f"{pixels:.0f}",
                enough=f"{ENOUGH:.0f}",
            )
        )
    gap = max(gap, abs(scale - 1) * layout.base_length)
    view = View(round(camera.tilt, 1), round(gap, 2), round(pixels, 1))
    return Reading(
        ships,
        not_seen,
        tuple(sorted(twice)),
        strangers,
        tuple(name for name in layout.ships if name in ask),
        view,
        tuple(warnings),
        places={name: apart(doubted[name]) for name in layout.ships if name in ask},
        lens=lens_of(camera),
    )


def ship_seen(ship: Lies) -> ShipSeen:
    """Where a base lies, as it is told."""
    return ShipSeen(round(ship.x, 2), round(ship.y, 2), round(ship.heading, 2), ship.tags, round(ship.spread, 2))


def apart(lies: list[Lies]) -> tuple[ShipSeen, ...]:
    """Places that are not one and the same, the first of each."""
    found: list[Lies] = []
    for each in lies:
        if all(hypot(each.x - other.x, each.y - other.y) > 2 * DISAGREE for other in found):
            found.append(each)
    return tuple(map(ship_seen, found))


def lens_of(camera: Camera) -> Lens:
    """A camera as it is told."""
    _, k1, k2, dx, dy = camera.numbers[:5].tolist()
    wide, high = camera.width, camera.height
    middle = wide / 2 - 0.5 + dx * wide, high / 2 - 0.5 + dy * wide
    return Lens(wide, high, camera.focal, k1, k2, middle, camera.rotation.tolist(), camera.place.tolist())


def is_square(corners: Points, size: float) -> bool:
    """Are these the corners of a square of this size, more or less?"""
    return bool(fit_rigid(SQUARE * size, corners).spread < SQUARE_ERROR * size)


def off_table(ship: Lies, layout: Layout) -> float:
    """How far the middle of a base lies beyond the table's edge."""
    width, height = layout.table
    return hypot(max(0.0, -ship.x, ship.x - width), max(0.0, -ship.y, ship.y - height))


def through_each_other(lies: dict[str, Lies], layout: Layout) -> list[tuple[str, str]]:
    """The pairs of ships whose bases would lie through each other."""
    outlines = {name: base_outline(ship, layout.ships[name]) for name, ship in lies.items()}
    found = []
    for one, other in combinations(lies, 2):
        far = sum(hypot(*layout.ships[name].base) for name in (one, other)) / 2
        if hypot(lies[one].x - lies[other].x, lies[one].y - lies[other].y) < far:
            deep = depth_of(outlines[one], outlines[other])
            if deep is not None and deep[0] > THROUGH:
                found.append((one, other))
    return found


def tag_pixels(camera: Camera, layout: Layout) -> float:
    """How many pixels wide the smallest tag of a ship is in the middle of the table."""
    smallest = min((tag.size for _, tag in layout.tags.values()), default=0.0)
    middle = np.array([*layout.table, 0.0]) / 2
    edge = camera.in_picture(middle + np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0]]))
    return smallest * float(np.linalg.norm(edge[1:] - edge[0], axis=1).min())


class TableRead(Record, frozen=True):
    """What a photograph of a table says, as the API and the command line answer it: millimetres, sentences in English.

    With `why_not` it says nothing. `ask` are ships that somebody must place; `twice` and `strangers` are ids of tags.
    """

    why_not: str | None
    ships: dict[str, ShipSeen]
    not_seen: list[str]
    twice: list[int]
    strangers: list[int]
    ask: list[str]
    camera: View | None
    warnings: list[str]


def as_answer(reading: Reading) -> TableRead:
    """The reading as it is answered."""
    return TableRead(
        None if reading.why_not is None else str(reading.why_not),
        reading.ships,
        list(reading.not_seen),
        list(reading.twice),
        list(reading.strangers),
        list(reading.ask),
        reading.camera,
        [str(each) for each in reading.warnings],
    )
