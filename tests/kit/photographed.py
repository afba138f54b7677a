"""Photographs of a table that never was: a camera with a lens, bases with tags and models on them, light, noise, JPEG.

The picture is cast ray by ray, so that hulls and masts hide what lies behind them. Corner tags lie a little beside their
places and are turned a little, bases are a little thicker or thinner, and the lens is never perfect: on exact tables a
reader's worst faults do not show.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import cos, hypot, radians, sin

import cv2
import numpy as np

from tactical.tabletop import SQUARE, Layout, Model, Tag, corners_of
from webapp.camera.reading import Found

CODES = {"4x4_100": cv2.aruco.DICT_4X4_100, "5x5_250": cv2.aruco.DICT_5X5_250}
INK, PAPER = 30.0, 225.0


@dataclass(frozen=True)
class Wanted:
    """What to photograph: sizes in mm, tilt in degrees, megapixels by the picture's width."""

    table: tuple[float, float] = (1800.0, 1200.0)
    ships: int = 40
    tag: float = 16.0
    tilt: float = 25.0
    width: int = 4000
    careless: float = 1.0  # mm of the corner tags' places; the glue on ships is 0.4 of it
    is_poor: bool = False  # the light
    has_models: bool = True
    dictionary: str = "4x4_100"
    printed: float = 1.0  # 0.95: at 95 %


@dataclass
class Scene:
    """A table with its ships, seen by a camera: the picture in grey, what is true, and the layout."""

    picture: np.ndarray
    layout: Layout
    truth: dict[str, tuple[float, float, float]]
    camera: Eye
    wanted: Wanted = field(default_factory=Wanted)

    def jpeg(self, quality: int = 88) -> bytes:
        """The photograph as a file."""
        return cv2.imencode(".jpg", self.picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


@dataclass
class Eye:
    """A camera: size, focal length in pixels, two radial terms, rotation and place, and where its axis meets the picture."""

    width: int
    height: int
    focal: float
    k1: float
    k2: float
    turn: np.ndarray
    place: np.ndarray
    off: tuple[float, float] = (0.0, 0.0)

    @property
    def middle(self):
        return np.array([self.width / 2 - 0.5 + self.off[0], self.height / 2 - 0.5 + self.off[1]])

    def project(self, points):
        seen = (np.asarray(points, float) - self.place) @ self.turn.T
        flat = seen[..., :2] / seen[..., 2:]
        square = (flat**2).sum(-1, keepdims=True)
        return flat * (1 + self.k1 * square + self.k2 * square**2) * self.focal + self.middle

    def rays(self, u, v):
        bent_x, bent_y = (u - self.middle[0]) / self.focal, (v - self.middle[1]) / self.focal
        x, y = bent_x, bent_y
        for _ in range(6):
            square = x * x + y * y
            shrink = 1 / (1 + self.k1 * square + self.k2 * square * square)
            x, y = bent_x * shrink, bent_y * shrink
        return np.stack([x, y, np.ones_like(x)], -1).astype(np.float32) @ self.turn.astype(np.float32)


def stand(table, tilt, azimuth, distance, roll, aim):
    """A rotation and a place from which a camera looks at a point of the table (given in parts of it)."""
    target = np.array([table[0] * aim[0], table[1] * aim[1], 0.0])
    slope, around, turn = radians(tilt), radians(azimuth), radians(roll)
    place = target + distance * np.array([sin(slope) * sin(around), sin(slope) * cos(around), -cos(slope)])
    forward = (target - place) / distance
    right = np.cross([0.0, 1.0, 0.0], forward)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    spin = np.array([[cos(turn), -sin(turn), 0], [sin(turn), cos(turn), 0], [0, 0, 1]])
    return spin @ np.stack([right, down, forward]), place


def frame_table(table, width, focal, lens, tilt, azimuth, roll):
    """The nearest camera that has the whole table in the picture."""
    height = width * 3 // 4
    rim = np.array(
        [[x, y, 0.0] for x in (-10, table[0] / 2, table[0] + 10) for y in (-10, table[1] / 2, table[1] + 10)]
    )
    aim, distance = [0.5, 0.5], 1.2 * max(table)
    for _ in range(60):
        turn, place = stand(table, tilt, azimuth, distance, roll, aim)
        eye = Eye(width, height, focal, *lens, turn, place)
        if ((rim - place) @ turn.T)[:, 2].min() < 100:
            distance *= 1.1
            continue
        seen = eye.project(rim)
        beside = (seen.min(0) + seen.max(0)) / 2 - (width / 2, height / 2)
        fill = ((seen.max(0) - seen.min(0)) / (0.976 * width, 0.976 * height)).max()
        aim = [aim[0] + beside[0] / width / 2, aim[1] + beside[1] / height / 2]
        distance *= fill**0.7
        if abs(fill - 1) < 0.004 and np.abs(beside).max() < 6:
            break
    return eye


# -- Things in the picture.


def modules(dictionary, id):
    """A tag's modules with its black border, 1 for white."""
    known = cv2.aruco.getPredefinedDictionary(CODES[dictionary])
    side = known.markerSize + 2
    return (cv2.aruco.generateImageMarker(known, id, side * 8)[4::8, 4::8] > 127).astype(np.float32)


def shade_of_tag(right, down, size, bits):
    """The light of points of a tag's paper, by their places from its middle; nan beyond the paper."""
    count = len(bits)
    light = np.full(right.shape, np.nan, np.float32)
    edge = size / 2 + size / count
    light[(np.abs(right) <= edge) & (np.abs(down) <= edge)] = PAPER
    inside = (np.abs(right) < size / 2) & (np.abs(down) < size / 2)
    column = np.clip(((right[inside] / size + 0.5) * count).astype(int), 0, count - 1)
    row = np.clip(((down[inside] / size + 0.5) * count).astype(int), 0, count - 1)
    light[inside] = np.where(bits[row, column] > 0, PAPER, INK)
    return light


class Patch:
    """The part of the picture that some points cover, with several rays to a pixel."""

    def __init__(self, picture, eye, points, fine):
        seen = eye.project(np.array(points))
        self.left, self.top = np.maximum(np.floor(seen.min(0)).astype(int) - 2, 0)
        self.right, self.bottom = np.minimum(np.ceil(seen.max(0)).astype(int) + 3, (eye.width, eye.height))
        self.picture, self.fine = picture, fine
        self.is_empty = self.right - self.left < 3 or self.bottom - self.top < 3
        if self.is_empty:
            return
        within = (np.arange(fine) + 0.5) / fine - 0.5
        columns = (np.arange(self.left, self.right)[:, None] + within).ravel().astype(np.float32)
        rows = (np.arange(self.top, self.bottom)[:, None] + within).ravel().astype(np.float32)
        self.rays = eye.rays(*np.meshgrid(columns, rows))
        was = picture[self.top : self.bottom, self.left : self.right]
        self.light = np.repeat(np.repeat(was, fine, 0), fine, 1)

    def draw(self):
        shape = (self.bottom - self.top, self.fine, self.right - self.left, self.fine)
        self.picture[self.top : self.bottom, self.left : self.right] = self.light.reshape(shape).mean((1, 3))


def axes_of(heading):
    """Towards the bow and to starboard, on the table."""
    angle = radians(heading)
    return np.array([sin(angle), -cos(angle)]), np.array([cos(angle), sin(angle)])


def draw_tag(picture, eye, at, heading, size, bits):
    """A tag that lies on the table."""
    bow, starboard = axes_of(heading)
    edge = size / 2 + size / len(bits)
    rim = [[*(np.array(at) + i * edge * bow + j * edge * starboard), 0.0] for i in (-1, 1) for j in (-1, 1)]
    patch = Patch(picture, eye, rim, 3)
    if patch.is_empty:
        return
    reach = -eye.place[2] / patch.rays[..., 2]
    x, y = (eye.place[axis] + reach * patch.rays[..., axis] - at[axis] for axis in (0, 1))
    light = shade_of_tag(x * starboard[0] + y * starboard[1], -(x * bow[0] + y * bow[1]), size, bits)
    patch.light = np.where(np.isnan(light), patch.light, light)
    patch.draw()


def draw_ship(picture, eye, lies, base, thick, shade, tags, boxes):
    """A base with its tags (id's modules, along, across, size) and the boxes of its model."""
    x, y, heading = lies
    bow, starboard = axes_of(heading)
    top = max([thick, *(-low[2] for low, _, _ in boxes)])
    rim = [
        [*(np.array([x, y]) + i * base[0] / 2 * bow + j * base[1] / 2 * starboard), -height]
        for i in (-1, 1)
        for j in (-1, 1)
        for height in (0, thick, 25)
    ]
    patch = Patch(picture, eye, [*rim, [x, y, -top]], 2)
    if patch.is_empty:
        return
    frame = np.array([[*bow, 0], [*starboard, 0], [0, 0, 1.0]], np.float32)
    start, ray = (frame @ (eye.place - [x, y, 0])).astype(np.float32), patch.rays @ frame.T
    reach = (-thick - start[2]) / ray[..., 2]
    along, across = start[0] + reach * ray[..., 0], start[1] + reach * ray[..., 1]
    is_base = (np.abs(along) <= base[0] / 2) & (np.abs(across) <= base[1] / 2)
    patch.light[is_base] = shade
    for bits, tag_along, tag_across, size in tags:
        light = shade_of_tag(across - tag_across, tag_along - along, size, bits)
        shown = is_base & ~np.isnan(light)
        patch.light[shown] = light[shown]
    nearest = np.full(patch.light.shape, np.inf, np.float32)
    for low, high, dark in boxes:
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = (np.array(low, np.float32) - start) / ray, (np.array(high, np.float32) - start) / ray
        enters, leaves = np.minimum(first, second).max(-1), np.maximum(first, second).min(-1)
        hit = (enters < leaves) & (leaves > 0) & (enters < nearest)
        patch.light[hit], nearest[hit] = dark, enters[hit]
    patch.draw()


def develop(rng, picture, is_poor, width):
    """Light that falls from one side, in poor light a hard shadow and two glaring spots, blur and noise."""
    height, wide = picture.shape
    x = np.linspace(-0.5, 0.5, wide, dtype=np.float32)[None]
    y = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    angle = rng.uniform(0, 2 * np.pi)
    slope = x * cos(angle) + y * sin(angle)
    dim = 0.35 if is_poor else 0.75
    slope = dim + (1.1 - dim) * (slope - slope.min()) / (slope.max() - slope.min())
    picture = picture * slope * (0.8 if is_poor else 1.0)
    if is_poor:
        angle, where, broad = rng.uniform(0, np.pi), rng.uniform(-0.35, 0.35), rng.uniform(0.05, 0.2)
        strip = x * cos(angle) + y * sin(angle) - where
        picture = np.where((strip > 0) & (strip < broad), picture * 0.45, picture)
        for _ in range(2):
            spot_x, spot_y = rng.uniform(0.1, 0.9) * wide, rng.uniform(0.1, 0.9) * height
            radius = rng.uniform(0.02, 0.05) * wide
            far = ((x + 0.5) * wide - spot_x) ** 2 + ((y + 0.5) * height - spot_y) ** 2
            picture = picture + 300 * np.exp(-far / (0.72 * radius**2)).astype(np.float32)
    blur = (rng.uniform(1.3, 1.8) if is_poor else rng.uniform(0.8, 1.2)) * min(1.0, (width / 4000) ** 0.7)
    picture = cv2.GaussianBlur(np.ascontiguousarray(picture, np.float32), (0, 0), blur)
    noise = rng.standard_normal(picture.shape, np.float32) * (9 if is_poor else 4)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


# -- A scene.


def layout_for(wanted: Wanted) -> Layout:
    """Four corner tags of 40 mm, and for each ship a tag at the bow and one at the stern."""
    edge = 20 + 40 / 6
    width, height = wanted.table
    corners = {0: (edge, edge), 1: (width - edge, edge), 2: (width - edge, height - edge), 3: (edge, height - edge)}
    paper = wanted.tag / (6 if wanted.dictionary == "4x4_100" else 7)
    along = 27 + 2 + wanted.tag / 2 + paper
    base = (2 * (along + wanted.tag / 2 + paper) + 1, 25.0)
    ships = {
        f"s{number}": Model(base, (Tag(8 + 2 * number, along, wanted.tag), Tag(9 + 2 * number, -along, wanted.tag)))
        for number in range(wanted.ships)
    }
    return Layout(
        wanted.table, ships, {id: (*at, 40.0) for id, at in corners.items()}, wanted.dictionary, base_length=80.0
    )


def scatter(rng, wanted, layout):
    """Where the ships lie: apart from each other and from the corner tags."""
    truth, spines = {}, []
    for name, model in layout.ships.items():
        half = model.base[0] / 2
        while True:
            x, y = rng.uniform(half, wanted.table[0] - half), rng.uniform(half, wanted.table[1] - half)
            heading = rng.uniform(0, 360)
            bow = axes_of(heading)[0]
            spine = [np.array([x, y]) + part * half * bow for part in (-0.8, 0, 0.8)]
            others = (point for known in spines for point in known)
            if all(min(hypot(*(p - q)) for p in spine) > 34 for q in others) and all(
                min(hypot(*(p - np.array(at[:2]))) for p in spine) > 70 for at in layout.corners.values()
            ):
                break
        spines.append(spine)
        truth[name] = (x, y, heading)
    return truth


def photograph(
    wanted: Wanted, seed: int, hidden: tuple[int, ...] = (), also: tuple = (), layout=None, lies=None
) -> Scene:
    """A table at random, or with its ships where `lies` says (x, y, heading by name).

    `hidden` corner tags are not there, `also` are tags (id, x, y, heading, size) that lie about.
    """
    rng = np.random.default_rng(seed)
    layout = layout or layout_for(wanted)
    eye = set_up_camera(rng, wanted)
    coarse = rng.normal(0, 12, (eye.height // 20 + 1, eye.width // 20 + 1)).astype(np.float32)
    picture = cv2.resize(coarse, (eye.width, eye.height), interpolation=cv2.INTER_LINEAR) + rng.uniform(70, 130)
    for id, (x, y, size) in layout.corners.items():
        beside = rng.normal(0, 1.0, 2) * wanted.careless
        turned = rng.normal(0, 0.5) * wanted.careless
        if id not in hidden:
            at = (x + beside[0], y + beside[1])
            draw_tag(picture, eye, at, turned, size * wanted.printed, modules(layout.dictionary, id))
    for id, x, y, heading, size in also:
        draw_tag(picture, eye, (x, y), heading, size, modules(layout.dictionary, id))
    truth = scatter(rng, wanted, layout) if lies is None else dict(lies)
    glue = 0.4 * wanted.careless
    far_first = sorted(truth.items(), key=lambda each: -np.linalg.norm(np.array([*each[1][:2], 0]) - eye.place))
    for name, lies in far_first:
        model = layout.ships[name]
        tags = [
            (
                modules(layout.dictionary, tag.id),
                tag.along * wanted.printed + rng.normal(0, 1) * glue,
                tag.across + rng.normal(0, 1) * glue,
                tag.size * wanted.printed,
            )
            for tag in model.tags
        ]
        hull = [((-27, -6, -25), (27, 6, -3), rng.uniform(40, 110)), ((-1, -1, -43), (1, 1, -3), 60)]
        thick, shade = model.height + rng.uniform(-0.3, 0.3), rng.uniform(60, 150)
        draw_ship(picture, eye, lies, model.base, thick, shade, tags, hull if wanted.has_models else [])
    picture = develop(rng, picture, wanted.is_poor, wanted.width)
    return Scene(picture, layout, truth, eye, wanted)


def set_up_camera(rng, wanted: Wanted) -> Eye:
    """A camera at random above the table that is wanted."""
    tilt = max(0.0, wanted.tilt + rng.uniform(-3, 3)) if wanted.tilt else rng.uniform(0, 4)
    focal = 0.75 * wanted.width * rng.uniform(0.94, 1.06)
    lens = rng.uniform(-0.06, 0.03), rng.uniform(-0.03, 0.03) if wanted.careless else 0.0
    eye = frame_table(wanted.table, wanted.width, focal, lens, tilt, rng.uniform(-20, 20), rng.uniform(-4, 4))
    return replace(eye, off=tuple(rng.normal(0, 0.004 * wanted.width, 2))) if wanted.careless else eye


def glance(wanted: Wanted, seed: int, noise: float = 0.12, corners: bool = True):
    """A scene without its picture, and the tags as a reader would find them, so many pixels beside their places."""
    rng = np.random.default_rng(seed)
    layout, eye = layout_for(wanted), set_up_camera(rng, wanted)
    truth, tags = scatter(rng, wanted, layout), []
    for id, (x, y, size) in layout.corners.items():
        at = np.array([x, y]) + rng.normal(0, 1.0, 2) * wanted.careless
        if corners:
            tags.append((id, np.c_[at + SQUARE * size * wanted.printed, np.zeros(4)]))
    for name, model in layout.ships.items():
        x, y, heading = truth[name]
        bow, starboard = axes_of(heading)
        for tag in model.tags:
            local = corners_of(tag) * wanted.printed
            flat = np.array([x, y]) + local[:, :1] * starboard - local[:, 1:] * bow
            tags.append((tag.id, np.c_[flat, np.full(4, -model.height)]))
    found = [(id, (eye.project(points) + rng.normal(0, noise, (4, 2))).tolist()) for id, points in tags]
    return Scene(np.zeros((1, 1)), layout, truth, eye, wanted), Found(eye.width, eye.height, found)


# -- How well it was read.


@dataclass
class Score:
    """Ships that were there and that were read, and how far they were off: mm, degrees, mm between neighbours."""

    ships: int = 0
    read: int = 0
    refused: int = 0
    places: list[float] = field(default_factory=list)
    headings: list[float] = field(default_factory=list)  # of ships with both tags seen
    pairs: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    asked: int = 0
    warned: int = 0

    def add(self, scene: Scene, reading) -> None:
        """Hold a reading against what is true."""
        self.ships += len(scene.truth)
        self.read += len(reading.ships)
        self.asked += len(reading.ask)
        self.warned += len(reading.warnings)
        self.refused += reading.why_not is not None
        if reading.camera is not None:
            self.gaps.append(reading.camera.corner_gap)
        for name, ship in reading.ships.items():
            x, y, heading = scene.truth[name]
            self.places.append(hypot(ship.x - x, ship.y - y))
            if ship.tags > 1:
                self.headings.append(abs((ship.heading - heading + 180) % 360 - 180))
        names = sorted(reading.ships)
        for number, one in enumerate(names):
            for other in names[number + 1 :]:
                true = hypot(*(scene.truth[one][axis] - scene.truth[other][axis] for axis in (0, 1)))
                if true < 240:
                    seen = reading.ships[one], reading.ships[other]
                    self.pairs.append(abs(hypot(seen[0].x - seen[1].x, seen[0].y - seen[1].y) - true))

    @property
    def share(self) -> float:
        """Of the ships, how many were read."""
        return self.read / self.ships

    def worst_of_95(self, errors: list[float]) -> float:
        """What 95 % of the errors stay below."""
        return float(np.percentile(errors, 95)) if errors else 0.0

    def told(self) -> str:
        """The figures in a line."""
        return (
            f"ships {100 * self.share:.2f} % of {self.ships}, refused {self.refused}, asked {self.asked}, "
            f"warnings {self.warned}; places 95 % {self.worst_of_95(self.places):.2f} mm, "
            f"worst {max(self.places, default=0):.2f}; pairs {self.worst_of_95(self.pairs):.2f}; "
            f"headings {self.worst_of_95(self.headings):.2f}; corner gap {max(self.gaps, default=0):.2f}"
        )
