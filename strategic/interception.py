"""What the campaign games share: ratings against a die, and who stands where an enemy army passes.

Plain functions over ratings, dice and spaces. Hannibal, Hamilcar and The Sword of Rome call them with their own
numbers and paragraphs; each keeps its own limits on who may try.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import combinations

from strategic.atlas import Atlas
from tactical.kernel.dice import Dice

FACES = range(1, 7)  # of a die


def attempt(dice: Dice, rule: str, rating: int, modifier: int = 0, **about: str) -> tuple[bool, int]:
    """Roll one die for the paragraph `rule`: does it, modified, stay at or under the rating? And its face."""
    (face,) = dice.roll(1, 6, rule, **about)
    return succeeds(face, rating, modifier), face


def succeeds(face: int, rating: int, modifier: int = 0) -> bool:
    """Does this face stay at or under the rating?"""
    return face + modifier <= rating


def chance(rating: int, modifier: int = 0) -> tuple[int, int]:
    """The exact odds of `attempt`: so many of 6 faces."""
    return sum(succeeds(face, rating, modifier) for face in FACES), len(FACES)


def chance_of_least(face: int) -> tuple[int, int]:
    """The exact odds of a die that must show so much or more: so many of 6 faces."""
    return sum(each >= face for each in FACES), len(FACES)


def beside(atlas: Atlas, target: str, kinds: Collection[str], holds_army: Callable[[str], bool]) -> tuple[str, ...]:
    """The spaces next to the target, over connections of these kinds, from which an army could come."""
    return tuple(space for space in dict.fromkeys(atlas.neighbours(target, kinds)) if holds_army(space))


def outs(
    atlas: Atlas, space: str, kinds: Collection[str], came_from: str | None, may_enter: Callable[[str], bool]
) -> tuple[str, ...]:
    """Where an army may step aside: next spaces over these kinds, never the one that the enemy came from."""
    found = dict.fromkeys(atlas.neighbours(space, kinds))
    return tuple(there for there in found if there != came_from and may_enter(there))


def parties(names: Iterable[str], least: int = 1) -> tuple[tuple[str, ...], ...]:
    """Every group of at least so many of the names, larger groups first."""
    people = tuple(names)
    sizes = range(len(people), least - 1, -1)
    return tuple(group for size in sizes for group in combinations(people, size))
