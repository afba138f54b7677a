"""Which fields of a position are secret, and from whom. Each system declares its own, beside its `view`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

S = TypeVar("S")
Seats = tuple[str, ...] | None  # None: everybody
EVERY = "*"


def nobody(state: object, stars: tuple[str, ...]) -> Seats:
    """Hidden from every seat but the umpire's."""
    return ()


def its_own(state: object, stars: tuple[str, ...]) -> Seats:
    """Seen by the seat that the path itself names last, as in `hands.*`."""
    return stars[-1:]


@dataclass(frozen=True)
class Secret(Generic[S]):
    """A path that may be secret, as `hands.*` (a star stands for any one name), and the seats that may see it.

    `seen_by` gets the position and what the stars stand for; None says that everybody may see it now. The umpire
    always may and need not be named.
    """

    path: str
    seen_by: Callable[[S, tuple[str, ...]], Seats] = nobody


def seen_by(state: S, path: str, secrets: Iterable[Secret[S]]) -> Seats:
    """Who may see the field in this position; None for everybody, nobody's is ()."""
    seats: Seats = None
    way = steps_of(path)
    for secret in secrets:
        pattern = steps_of(secret.path)
        if pattern[0] in (EVERY, way[0]) and all(
            one in (EVERY, other) for one, other in zip(pattern, way, strict=False)
        ):
            if len(way) < len(pattern):  # a record that has the secret in it, among others
                seats = ()
            else:
                stars = tuple(other for one, other in zip(pattern, way, strict=False) if one == EVERY)
                seats = common(seats, secret.seen_by(state, stars))
    return seats


@lru_cache(maxsize=4096)
def steps_of(path: str) -> tuple[str, ...]:
    """The names of a path, from the outermost."""
    return tuple(path.split("."))


def common(one: Seats, other: Seats) -> Seats:
    """The seats in both."""
    if one is None or other is None:
        return other if one is None else one
    return tuple(sorted(set(one) & set(other)))
