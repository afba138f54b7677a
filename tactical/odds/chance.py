"""Chances as exact fractions: pools of equal dice by convolution, and how a distribution is written down."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T", bound=Hashable)
Chances = dict[T, Fraction]

SIDES = 6
LARGEST_DENOMINATOR = SIDES**6  # beyond six dice a fraction tells a reader less than its decimal
ONE = Fraction(1)


def of_die(outcome: Callable[[int], T], sides: int = SIDES) -> Chances[T]:
    """The chance of each outcome of one die."""
    found: Chances[T] = {}
    for face in range(1, sides + 1):
        what = outcome(face)
        found[what] = found.get(what, Fraction(0)) + Fraction(1, sides)
    return found


def of_faces(faces: tuple[int, ...], sides: int = SIDES) -> Fraction:
    """The chance that a die shows one of these faces."""
    return Fraction(sum(1 for face in faces if 1 <= face <= sides), sides)


def both(one: Chances[T], other: Chances[T], join: Callable[[T, T], T]) -> Chances[T]:
    """Two independent throws taken together."""
    found: Chances[T] = {}
    for first, p in one.items():
        for second, q in other.items():
            what = join(first, second)
            found[what] = found.get(what, Fraction(0)) + p * q
    return found


def map_outcomes(chances: Mapping[T, Fraction], into: Callable[[T], Any]) -> dict[Any, Fraction]:
    """The same chances of what each outcome leads to, in the order of the outcomes."""
    found: dict[Any, Fraction] = {}
    for what, p in chances.items():
        key = into(what)
        found[key] = found.get(key, Fraction(0)) + p
    return found


def successes(dice: int, faces: tuple[int, ...]) -> Chances[int]:
    """How many of so many dice show one of these faces."""
    weights = pool([(dice, faces)])
    whole = SIDES**dice
    return {count: Fraction(int(weight), whole) for count, weight in enumerate(weights) if weight}


def pool(groups: list[tuple[int, tuple[int, ...]]]) -> Any:
    """The number of throws, of all 6^n, with 0, 1, 2 … hits; each group is (dice, faces that hit). Whole numbers."""
    weights = np.array([1], dtype=object)
    for dice, faces in groups:
        hit = sum(1 for face in faces if 1 <= face <= SIDES)
        for _ in range(dice):
            weights = np.convolve(weights, np.array([SIDES - hit, hit], dtype=object))
    return weights


def sort_keys(chances: Mapping[int, Fraction]) -> dict[str, Fraction]:
    """A distribution over whole numbers with its keys as text, lowest first."""
    return {str(count): chances[count] for count in sorted(chances)}


def mean(chances: Mapping[int, Fraction]) -> Fraction:
    """The average of a distribution over whole numbers."""
    return sum((count * p for count, p in chances.items()), Fraction(0))


def decimals(result: Any) -> Any:
    """A calculator's result with every chance as a decimal."""
    if isinstance(result, Fraction):
        return float(result)
    if isinstance(result, dict):
        return {name: decimals(value) for name, value in result.items()}
    if isinstance(result, list | tuple):
        return [decimals(value) for value in result]
    return result


def fractions(result: Any) -> Any:
    """The small fractions of a result in the same shape; None where there is none."""
    if isinstance(result, Fraction):
        return str(result) if result.denominator <= LARGEST_DENOMINATOR else None
    if isinstance(result, dict):
        found = {name: fractions(value) for name, value in result.items()}
        return {name: value for name, value in found.items() if value is not None} or None
    return None


def as_json(result: dict[str, Any]) -> dict[str, Any]:
    """A result as the API and the pages show it: decimals, with the small fractions beside them."""
    return {**decimals(result), "fractions": fractions(result) or {}}
