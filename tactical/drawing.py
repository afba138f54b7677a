"""What people draw and send in: worlds and coasts, bounded in features, corners and bytes before anything reads them.

The limits are for what comes in. A position that is stored already, from before there were any, keeps its drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from math import isfinite

from tactical.kernel.record import BadInput, encode

Box = tuple[float, float, float, float]  # left, low, right, high
DEPTHS: Mapping[str, int] = {
    "Point": 0,
    "MultiPoint": 1,
    "LineString": 1,
    "MultiLineString": 2,
    "Polygon": 2,
    "MultiPolygon": 3,
}  # of a point in the lists of a geometry's coordinates


Check = Callable[[object, object, str], None]  # of what comes in, what it takes the place of, and the path to it


def check_drawings(checks: Mapping[str, Check], position: Mapping[str, object], before: object, at: str) -> None:
    """Raises BadInput where a field of a position that comes in is larger than it may be.

    `checks` are by field. What stood in the position `before`, in plain values, is not asked again.
    """
    known = before if isinstance(before, Mapping) else {}
    for name, check in checks.items():
        drawn, old = position.get(name), known.get(name)
        if drawn is not None and drawn is not old and drawn != old:
            check(drawn, old, f"{at}.{name}" if at else name)


def at_most(most: int) -> Check:
    """A check of how many things a field may hold; a field that held more before may keep as many."""

    def check(drawn: object, before: object, at: str) -> None:
        allowed = max(most, len(before) if isinstance(before, Sized) else 0)
        if isinstance(drawn, Sized) and len(drawn) > allowed:
            raise BadInput(at, "there can be at most %(most)s of these", most=allowed)

    return check


def check_bytes(drawing: object, most: int, at: str) -> None:
    """Raises BadInput for a drawing whose compact JSON has more than so many bytes."""
    try:
        size = len(encode(drawing))
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise BadInput(at, "this is not plain JSON") from None
    check_size(size, most, at)


def check_size(size: int, most: int, at: str) -> None:
    """Raises BadInput for a drawing of more than so many bytes."""
    if size > most:
        raise BadInput(
            at, "this drawing takes %(size)s kB; it may take at most %(most)s kB", size=kilo(size), most=kilo(most)
        )


def kilo(size: int) -> int:
    """Bytes in kB, rounded up.

    >>> kilo(409_601)
    401
    """
    return -(-size // 1024)


def check_number(raw: object, at: str, least: float, most: float) -> None:
    """Raises BadInput unless this is a number, finite and within bounds: no text, no yes or no."""
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not isfinite(raw) or not least <= raw <= most:
        raise BadInput(at, "expected a number from %(least)s to %(most)s", least=f"{least:g}", most=f"{most:g}")


def check_point(raw: object, at: str, box: Box) -> None:
    """Raises BadInput unless this is a point within the box: two numbers, or three with a height."""
    if not isinstance(raw, list | tuple) or not 2 <= len(raw) <= 3:
        raise BadInput(at, "a point must be two numbers, or three with a height")
    left, low, right, high = box
    for number, (least, most) in enumerate(((left, right), (low, high), (-1e6, 1e6))[: len(raw)]):
        check_number(raw[number], f"{at}.{number}", least, most)


def check_shape(shape: Mapping[str, object], at: str, box: Box, most: int) -> None:
    """Raises BadInput unless a GeoJSON geometry has its points in the box, 2 to `most` of them in each line."""
    kind = str(shape.get("type"))
    if kind not in DEPTHS:
        raise BadInput(f"{at}.type", "a geometry must be one of %(kinds)s", kinds=tuple(DEPTHS))
    waiting = [(shape.get("coordinates"), f"{at}.coordinates", DEPTHS[kind])]
    while waiting:
        raw, path, depth = waiting.pop()
        if depth == 0:
            check_point(raw, path, box)
            continue
        fewest = 2 if depth == 1 and kind != "MultiPoint" else 1
        if not isinstance(raw, list | tuple) or not fewest <= len(raw) <= most:
            raise BadInput(path, "expected a list of %(fewest)s to %(most)s points or lines", fewest=fewest, most=most)
        waiting += [(part, f"{path}.{number}", depth - 1) for number, part in enumerate(raw)]
