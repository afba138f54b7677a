"""A camera fitted to what it saw of a table: where it stood, how it looked, its focal length and its lens.

Pixels are counted with whole numbers in their middles. On the table x runs east, y south and z down, in millimetres, so
a camera above it has a negative z. Eleven numbers describe the camera: the logarithm of the focal length in widths of
the picture, two radial terms, the principal point's offset in widths, a small turn against the first guess, the place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import acos, degrees, exp, log
from typing import NamedTuple

import numpy as np

from tactical.tabletop import SQUARE, Points, fit_rigid

FOCAL, FOCAL_SIGMA = 0.75, 0.10  # in widths of the picture: a phone's main camera, and how much phones differ
K_SIGMA, MIDDLE_SIGMA = 0.03, 0.004  # of each radial term, and of the principal point in widths
PRINT_SIGMA = 0.02  # of the scale at which a sheet is printed
STEPS = np.array([1e-5, 1e-5, 1e-5, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-2, 1e-2, 1e-2, 1e-5])  # for slopes
ROUNDS = 40


class Anchor(NamedTuple):
    """A point of the table (x, y) at a place in the picture, or the middle of a tag by its four corners (n × 2)."""

    at: tuple[float, float]
    pixels: Points


class Body(NamedTuple):
    """Points of known distances from each other (n × 2, mm), where they are in the picture, and their heights."""

    shape: Points
    pixels: Points
    heights: Points


@dataclass(frozen=True)
class Camera:
    """One camera; `numbers` are the eleven, `turn` is the first guess's rotation from table to camera."""

    width: int
    height: int
    turn: Points
    numbers: Points

    @property
    def place(self) -> Points:
        """Where it stood."""
        return self.numbers[8:11]

    @property
    def rotation(self) -> Points:
        """From the table's axes to the camera's."""
        return rotation_by(self.numbers[5:8]) @ self.turn

    @property
    def tilt(self) -> float:
        """Degrees from looking straight down."""
        return degrees(acos(min(1.0, abs(float(self.rotation[2, 2])))))

    @property
    def focal(self) -> float:
        """The focal length in pixels."""
        return exp(self.numbers[0]) * self.width

    @property
    def mm_a_pixel(self) -> float:
        """About how much of the table a pixel in the middle covers."""
        return abs(float(self.place[2])) / self.focal / max(0.2, abs(float(self.rotation[2, 2])))

    def on_table(self, pixels: Points, heights: Points | float = 0.0) -> Points:
        """Where the lines of sight of pixels (… × 2) meet the planes at these heights above the table."""
        _, k1, k2, dx, dy = self.numbers[:5]
        middle = np.array([self.width / 2 - 0.5 + dx * self.width, self.height / 2 - 0.5 + dy * self.width])
        bent = (pixels - middle) / self.focal
        straight = bent
        for _ in range(6):
            square = (straight**2).sum(-1, keepdims=True)
            straight = bent / (1 + k1 * square + k2 * square**2)
        rays = np.concatenate([straight, np.ones_like(straight[..., :1])], -1) @ self.rotation
        down = (-np.asarray(heights) - self.place[2]) / rays[..., 2]
        found: Points = self.place[:2] + down[..., None] * rays[..., :2]
        return found

    def in_picture(self, points: Points) -> Points:
        """The pixels of points (… × 3)."""
        _, k1, k2, dx, dy = self.numbers[:5]
        seen = (points - self.place) @ self.rotation.T
        flat = seen[..., :2] / seen[..., 2:]
        square = (flat**2).sum(-1, keepdims=True)
        middle = np.array([self.width / 2 - 0.5 + dx * self.width, self.height / 2 - 0.5 + dy * self.width])
        found: Points = flat * (1 + k1 * square + k2 * square**2) * self.focal + middle
        return found


def rotation_by(turn: Points) -> Points:
    """The rotation about an axis by its length in radians (Rodrigues' formula)."""
    angle = float(np.linalg.norm(turn))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = turn / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    found: Points = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return found


def first_guess(anchors: list[Anchor], squares: list[Points], size: tuple[int, int]) -> Camera | None:
    """A camera of the usual focal length without lens errors, by a homography; None where none stands above the table.

    `squares` are the points of the table (n × 2) for the pixels of each anchor.
    """
    width, height = size
    pixels = np.concatenate([anchor.pixels for anchor in anchors])
    points = np.concatenate(squares)
    flat = (pixels - (width / 2 - 0.5, height / 2 - 0.5)) / (FOCAL * width)
    centre, span = points.mean(0), float(points.std()) or 1.0
    x, y = ((points - centre) / span).T
    u, v = flat.T
    one, none = np.ones_like(x), np.zeros_like(x)
    rows = np.concatenate(
        [
            np.stack([x, y, one, none, none, none, -u * x, -u * y, -u], 1),
            np.stack([none, none, none, x, y, one, -v * x, -v * y, -v], 1),
        ]
    )
    map_ = np.linalg.svd(rows)[2][-1].reshape(3, 3)
    map_ = map_ @ np.array([[1 / span, 0, -centre[0] / span], [0, 1 / span, -centre[1] / span], [0, 0, 1]])
    length = (np.linalg.norm(map_[:, 0]) + np.linalg.norm(map_[:, 1])) / 2
    if not np.isfinite(length) or length < 1e-12:
        return None
    map_ = map_ / length
    if (map_ @ np.array([*centre, 1.0]))[2] < 0:
        map_ = -map_
    left, _, right = np.linalg.svd(np.stack([map_[:, 0], map_[:, 1], np.cross(map_[:, 0], map_[:, 1])], 1))
    turn = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
    place = -turn.T @ map_[:, 2]
    if place[2] >= 0:
        return None
    return Camera(width, height, turn, np.array([log(FOCAL), 0, 0, 0, 0, 0, 0, 0, *place]))


def fit_camera(
    guess: Camera, anchors: list[Anchor], place: float, bodies: list[tuple[list[Body], float]], is_ruler: bool
) -> tuple[Camera, Points, float]:
    """The camera that agrees best with anchors, bodies and what phones are like; the anchors' gaps; the scale.

    An anchor counts by its middle, placed to `place` mm. Bodies count by their shape, known to so many mm, wherever
    they lie: nobody has to tape a tag straight. Levenberg and Marquardt's method, with slopes by differences.

    The scale is that at which the bodies were printed: 1 where they are the only ruler (`is_ruler`). Without it a sheet
    printed at 95 % would bend the lens until the middle of the table lay 30 mm off.
    """
    kinds: dict[tuple[int, float], list[Body]] = {}
    for group, sigma in bodies:
        for body in group:
            kinds.setdefault((len(body.shape), sigma), []).append(body)
    stacked = [
        (sigma, Body(*(np.stack([body[part] for body in group]) for part in range(3))))
        for (_, sigma), group in kinds.items()
    ]
    places = np.array([anchor.at for anchor in anchors])
    pixels = [anchor.pixels for anchor in anchors]

    def gaps(camera: Camera) -> Points:
        return np.stack([camera.on_table(each).mean(0) for each in pixels]) - places

    def residuals(numbers: Points) -> Points:
        camera, scale = replace(guess, numbers=numbers[:11]), 1 + numbers[11]
        parts = [(gaps(camera) / place).ravel()]
        for sigma, alike in stacked:
            off = fit_rigid(alike.shape * scale, camera.on_table(alike.pixels, alike.heights)).off / sigma
            parts.append(np.tanh(off / 4).ravel() * 4)  # one that is far off counts no more than four times its error
        return np.concatenate([*parts, (numbers - usual)[known] / sigmas])

    known = [0, 1, 2, 3, 4, 11]
    usual = np.array([log(FOCAL), *[0.0] * 11])
    sigmas = [FOCAL_SIGMA, K_SIGMA, K_SIGMA, MIDDLE_SIGMA, MIDDLE_SIGMA, 1e-6 if is_ruler else PRINT_SIGMA]
    numbers = np.append(guess.numbers, 0.0)
    now = residuals(numbers)
    cost, damping = float(now @ now), 1e-3
    for _ in range(ROUNDS):
        slopes = np.stack(
            [(residuals(numbers + step) - now) / step[number] for number, step in enumerate(np.diag(STEPS))], 1
        )
        normal, gradient = slopes.T @ slopes, slopes.T @ now
        for _ in range(8):
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -gradient)
            then = residuals(numbers + change)
            if (lower := float(then @ then)) < cost:
                break
            damping *= 10
        else:
            break
        is_done = cost - lower < 1e-6 * cost
        numbers, now, cost, damping = numbers + change, then, lower, max(damping / 10, 1e-9)
        if is_done:
            break
    camera = replace(guess, numbers=numbers[:11])
    return camera, np.linalg.norm(gaps(camera), axis=1), 1 + float(numbers[11])


def square_at(at: tuple[float, float], size: float) -> Points:
    """The corners of a tag that lies upright at this middle."""
    return SQUARE * size + at
