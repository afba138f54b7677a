"""The plate of an army in pixels around its middle: head, name, signs, strength; far away its head and its number."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.presenting.map.zoom_levels import Level
from webapp.presenting.picture import Stack

HIGH = 26.0  # of a plate
HEAD = 30.0  # how wide and high a head is
BARE = 22.0  # a square without a general
STANDARD = 12.0  # an army of which there is room for nothing more
NAME, BOLD, FIGURE = 12.5, 0.64, 9.6  # the height of a name, how wide its letters are of that, and a digit's width
CUT = 6.0  # how deep a plate of these shapes is cut
ENDS = {  # the right ends of some shapes, from the top down: how far from the edge they begin, and their line
    5: (CUT, f"l{CUT} {HIGH / 2} {-CUT} {HIGH / 2}"),
    6: (0.0, f"l{-CUT} {HIGH / 2} {CUT} {HIGH / 2}"),
    7: (CUT, f"a{CUT} {CUT} 0 0 0 {CUT} {CUT}v{HIGH - 2 * CUT}a{CUT} {CUT} 0 0 0 {-CUT} {CUT}"),
}
SIGN = 20.0  # an elephant, a galley, a wagon, with room at both sides
SIGNS = {"E": "elephant", "N": "galley", "T": "wagon"}
CYRILLIC = 1.12  # how much wider its letters are
LONG = 14  # letters; of a longer name the last word stands on the map


@dataclass(frozen=True)
class Plate:
    """An army's plate: its size and outline, its coloured `field`, where its `head` stands in a `frame` (none without a
    general), its name (may be empty), signs as (which, where, number), and its strength."""

    width: float
    height: float
    outline: str
    field: str
    head: float | None
    frame: str
    name: str
    name_at: float
    signs: tuple[tuple[str, float, str], ...]
    figure: str
    figure_at: float


def breadth(text: str) -> float:
    """How many Latin letters wide a text is."""
    return sum(CYRILLIC if "\u0400" <= letter <= "\u04ff" else 1.0 for letter in text)


def leader_text(name: str, rating: str) -> str:
    """A general with his rating."""
    return f"{name} {rating}".strip()


def commander(level: Level, stack: Stack) -> str:
    """Who commands, as his plate says it at this level, and how many more generals are with him."""
    first, *more = stack.leaders
    name = first.name.partition(" (")[0]
    short = name if len(name) <= LONG else name.rpartition(" ")[2]
    said = leader_text(short, first.rating) if level.rates else short
    return f"{said} +{len(more)}" if more else said


def plate(level: Level, stack: Stack, side: int, is_short: bool = False) -> Plate:
    """The plate of an army at a level; `is_short` leaves its general's name out."""
    signs = [_sign(kind, count) for kind, count in stack.extras]
    wide = sum((SIGN if sign else 0) + len(text) * FIGURE for sign, text in signs)
    figure = "" if signs and stack.strength == "0" else stack.strength
    field = max(len(figure) * FIGURE + wide + 10, 18.0)
    if not stack.leaders:
        width = max(BARE, field)
        shape = outline(side, width, -BARE / 2, BARE / 2)
        return Plate(width, BARE, shape, "", None, "", "", 0, *_figures(-width / 2, width, signs, figure))
    name = "" if is_short or not level.names else commander(level, stack)
    named = breadth(name) * BOLD * NAME + 8 if name else 0.0
    width = HEAD - 2 + named + field
    left, begin = -width / 2, width / 2 - field
    return Plate(
        width,
        HEAD,
        outline(side, width, -HIGH / 2, HIGH / 2),
        end(side, begin, width / 2),
        left + HEAD / 2,
        frame(side),
        name,
        left + HEAD + named / 2 - 1,
        *_figures(begin, field, signs, figure),
    )


def standard(side: int) -> Plate:
    """What stands for an army whose plate finds no room near its space: its side's shape and colour alone."""
    shape = outline(side, STANDARD, -STANDARD / 2, STANDARD / 2)
    return Plate(STANDARD, STANDARD, shape, "", None, "", "", 0, (), "", 0)


def _sign(kind: str, count: int) -> tuple[str, str]:
    """A sign and the number beside it; what has no sign keeps its letter."""
    if kind not in SIGNS:
        return "", f"{kind}{count}"
    return SIGNS[kind], "" if count == 1 else str(count)


def frame(side: int) -> str:
    """The frame of a head: square for the first side, round for the second, else as the side's plates."""
    half = HEAD / 2 - 1
    if side == 0:
        long = 2 * half - 6
        return f"M{-half} {3 - half}a3 3 0 0 1 3-3h{long}a3 3 0 0 1 3 3v{long}a3 3 0 0 1-3 3h{-long}a3 3 0 0 1-3-3z"
    return outline(side, 2 * half, -half, half)


def _figures(
    left: float, width: float, signs: list[tuple[str, str]], figure: str
) -> tuple[tuple[tuple[str, float, str], ...], str, float]:
    """The signs with their numbers from left to right, then where the strength stands: all of it in the middle."""
    used = len(figure) * FIGURE + sum((SIGN if sign else 0) + len(text) * FIGURE for sign, text in signs)
    at = left + (width - used) / 2
    figure_at = at + len(figure) * FIGURE / 2
    at += len(figure) * FIGURE
    placed = []
    for sign, text in signs:
        placed.append((sign, at + SIGN / 2, text))
        at += (SIGN if sign else 0) + len(text) * FIGURE
    return tuple(placed), figure, figure_at


def end(side: int, left: float, right: float) -> str:
    """The coloured end of a plate with the strength, with the plate's own corners."""
    half = HIGH / 2
    if side in ENDS:
        inset, line = ENDS[side]
        return f"M{left:.1f} {-half}H{right - inset:.1f}{line}H{left:.1f}z"
    r = {0: 3.0, 1: HIGH / 2}.get(side, 6.0)
    r = min(r, right - left)
    return f"M{left:.1f} {-half}H{right - r:.1f}a{r} {r} 0 0 1 {r} {r}V{half - r}a{r} {r} 0 0 1 {-r} {r}H{left:.1f}z"


def outline(side: int, wide: float, top: float, foot: float) -> str:
    """The shape of a side's plates: square, round-ended, pointed, notched, arched; a pennant, a ribbon, with hollow
    corners; and slanted, of whoever plays no side."""
    w, h = round(wide / 2, 1), foot - top
    middle = (top + foot) / 2
    match side:
        case 0:
            return f"M{-w} {top}h{2 * w}v{h}h{-2 * w}z"
        case 1:
            r = h / 2
            flat = round(max(2 * w - h, 0), 1)
            return f"M{-flat / 2} {top}h{flat}a{r} {r} 0 0 1 0 {h}h{-flat}a{r} {r} 0 0 1 0 {-h}z"
        case 2:
            return f"M{-w} {middle}L{-w + 6} {top}H{w - 6}L{w} {middle}L{w - 6} {foot}H{-w + 6}z"
        case 3:
            return f"M{-w} {top}H{w}V{foot - 6}L{w - 6} {foot}H{-w + 6}L{-w} {foot - 6}z"
        case 4:
            return f"M{-w} {foot}V{top + 8}Q{-w} {top} {-w + 8} {top}H{w - 8}Q{w} {top} {w} {top + 8}V{foot}z"
        case 5:
            return f"M{-w} {top}H{w - CUT}L{w} {middle}L{w - CUT} {foot}H{-w}z"
        case 6:
            return f"M{-w} {top}H{w}L{w - CUT} {middle}L{w} {foot}H{-w}L{-w + CUT} {middle}z"
        case 7:
            r = CUT
            return (
                f"M{-w + r} {top}H{w - r}a{r} {r} 0 0 0 {r} {r}V{foot - r}a{r} {r} 0 0 0 {-r} {r}"
                f"H{-w + r}a{r} {r} 0 0 0 {-r} {-r}V{top + r}a{r} {r} 0 0 0 {r} {-r}z"
            )
        case _:
            return f"M{-w + 5} {top}H{w}L{w - 5} {foot}H{-w}z"
