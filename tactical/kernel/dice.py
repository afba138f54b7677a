"""Dice are an input: faces already thrown come first, then the source is asked.

A rule rolls in the middle of straight-line code. With physical dice the source raises
RollNeeded, the table throws, and the same command runs again with the faces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from tactical.kernel.record import Reason, Record

T = TypeVar("T")
BY_HAND = "table"  # who threw a die


class Roll(Record, frozen=True):
    """One pool of dice: `sides` each, thrown for the paragraph `rule`; `about` names the ship, target or figure."""

    rule: str
    sides: int
    faces: tuple[int, ...]
    about: dict[str, str] = {}
    by: str = BY_HAND  # or "server", or "mixed"


class Asked(Record, frozen=True):
    """The dice a table must throw now: one number of sides for each die still missing."""

    rule: str
    label: str
    dice: tuple[int, ...]
    about: dict[str, str] = {}


class RollNeeded(Exception):
    """Physical dice: nothing has happened, and these dice must be thrown first."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked.label)
        self.asked = asked


class BadFace(ValueError):
    """A face that the die does not have, or more faces than the command rolls."""

    def __init__(self, rule: str | None, reason: str, /, **values: object) -> None:
        self.rule, self.why = rule, Reason(reason, values)
        super().__init__(rule, self.why)

    @property
    def reason(self) -> str:
        """The sentence in English."""
        return str(self.why)

    def __str__(self) -> str:
        return str(self.why)


class Source(Protocol):
    """Where faces come from when none are given."""

    def __call__(self, sides: int) -> int: ...


class Dice:
    """A resource for one command: given faces, then `source`; remembers each roll and each hidden draw.

    `faces` are open dice already thrown. `drawn` are hidden draws (shuffles) already made, for a replay.
    Without `source`, a roll beyond the given faces raises RollNeeded; hidden draws always need `secret`.
    """

    def __init__(
        self,
        faces: Sequence[int] = (),
        source: Source | None = None,
        secret: Source | None = None,
        drawn: Sequence[int] = (),
    ) -> None:
        self._faces = tuple(faces)
        self._source = source
        self._secret = secret
        self._drawn = tuple(drawn)
        self.used = 0
        self.rolls: list[Roll] = []
        self.draws: list[int] = []

    def roll(self, count: int, sides: int, rule: str, **about: str) -> tuple[int, ...]:
        """Throw `count` dice of `sides` for the paragraph `rule`; no dice give no roll.

        Raises BadFace for a given face that such a die does not have, RollNeeded when faces run out.
        """
        if count <= 0:
            return ()
        given = self._faces[self.used : self.used + count]
        for face in given:
            if not 1 <= face <= sides:
                raise BadFace(
                    rule,
                    "%(face)s is not a face of a die with %(sides)s sides (rolled for %(rule)s)",
                    face=face,
                    sides=sides,
                    rule=rule,
                )
        missing = count - len(given)
        if missing and self._source is None:
            raise RollNeeded(Asked(rule, label(rule, count, about), (sides,) * missing, about))
        thrown = [self._source(sides) for _ in range(missing)] if self._source else []
        self.used += len(given)
        by = BY_HAND if not thrown else "server" if not given else "mixed"
        faces = (*given, *thrown)
        self.rolls.append(Roll(rule, sides, faces, about, by))
        return faces

    def draw(self, count: int) -> int:
        """A hidden draw of one of 0 … count-1 (a shuffle, a card); never asked of the table."""
        if len(self.draws) < len(self._drawn):
            value = self._drawn[len(self.draws)]
        elif self._secret is None:
            raise LookupError("this game has no source for hidden draws")
        else:
            value = self._secret(count) - 1
        self.draws.append(value)
        return value

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a hidden random order."""
        rest = list(items)
        return tuple(rest.pop(self.draw(len(rest))) for _ in range(len(rest)))

    def finish(self) -> None:
        """Refuse faces that nothing asked for."""
        spare = len(self._faces) - self.used
        if spare:
            rule = self.rolls[-1].rule if self.rolls else None
            raise BadFace(
                rule,
                "this command rolls only %(used)s %(used|die|dice)s, "
                "but %(more)s %(more|face|faces)s too many %(more|was|were)s given",
                more=spare,
                used=self.used,
            )

    @property
    def faces(self) -> tuple[int, ...]:
        """All open faces of the command, in order."""
        return tuple(face for roll in self.rolls for face in roll.faces)


def random_source(below: Callable[[int], int]) -> Source:
    """A source over any generator's `randrange`: faces 1 … sides."""
    return lambda sides: below(sides) + 1


def label(rule: str, count: int, about: dict[str, str]) -> str:
    """A plain English label for a roll, for programs; pages make their own from `rule` and `about`."""
    names = ", ".join(f"{key} {value}" for key, value in about.items())
    dice = "1 die" if count == 1 else f"{count} dice"
    return f"{rule}: {dice}" + (f" ({names})" if names else "")
