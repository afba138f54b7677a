"""Paths of SVG as short as they can be."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from webapp.presenting.ships.measures import Outline


def number(value: float) -> str:
    """A number with at most one place, without a zero before it."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text in ("-0", "0") else text.replace("-0.", "-.").removeprefix("0") or "0"


def path(form: str, *numbers: float) -> str:
    """A path: each ~ of its form is the next number. Raises ValueError when there are more or fewer."""
    first, *rest = form.split("~")
    return first + "".join(number(value) + part for value, part in zip(numbers, rest, strict=True))


def whole_path(form: str, *numbers: float) -> str:
    """The same of whole numbers, for drawings of some hundreds of units."""
    return path(form, *map(round, numbers))


def points(values: Sequence[float]) -> str:
    """Numbers one after another; a minus sign parts them too."""
    return " ".join(map(number, values)).replace(" -", "-")


def both_sides(half: Outline, wide: float, tall: float, top: float = 0) -> str:
    """A closed path from its starboard half, mirrored: across by `wide`, along by `tall` from `top`."""

    def placed(values: Sequence[float], side: int) -> tuple[float, ...]:
        return tuple(value * tall + top if place % 2 else value * wide * side for place, value in enumerate(values))

    def drawn(values: tuple[float, ...]) -> str:
        return ("C" if len(values) == 6 else "L") + points(values)

    start = half[0]
    found = ["M" + points(placed(start, 1)), *(drawn(placed(each, 1)) for each in half[1:])]
    if half[-1][-2]:
        found.append(drawn(placed(half[-1][-2:], -1)))
    ends = [each[-2:] for each in half]
    for place in range(len(half) - 1, 0, -1):
        turned = half[place]
        back = (*turned[2:4], *turned[0:2], *ends[place - 1]) if len(turned) == 6 else ends[place - 1]
        if place > 1 or len(turned) == 6 or ends[0][0]:
            found.append(drawn(placed(back, -1)))
    return "".join(found) + "Z"


def drawn_path(name: str, d: str, width: float | None = None) -> Markup:
    """A path as an element of a class, with a width of its own where it is given; nothing for an empty one."""
    if not d:
        return Markup("")
    if width is None:
        return Markup('<path class="{}" d="{}"/>').format(name, d)
    return Markup('<path class="{}" d="{}" stroke-width="{}"/>').format(name, d, number(width))


def group(inside: Markup, classes: str = "", transform: str = "", name: str = "") -> Markup:
    """Elements together: of some classes, turned or moved, with an id."""
    given = (("class", classes), ("id", name), ("transform", transform))
    attributes = Markup("").join(Markup(' {}="{}"').format(key, value) for key, value in given if value)
    return Markup("<g{}>{}</g>").format(attributes, inside)


def use(name: str, classes: str = "", transform: str = "") -> Markup:
    """A symbol, drawn here."""
    given = (("class", classes), ("transform", transform), ("href", f"#{name}"))
    attributes = Markup("").join(Markup(' {}="{}"').format(key, value) for key, value in given if value)
    return Markup("<use{}/>").format(attributes)
