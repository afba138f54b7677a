"""Answers set leader by leader: a switch for each, and how many go with those of an army; one button sends them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Switch:
    """What one leader does: the field's name, who it is, the choices (value, text), the first of them first."""

    field: str
    name: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Amount:
    """So many: the field's name, of what, the bounds, and where it begins."""

    field: str
    label: str
    low: int
    high: int
    begin: int


@dataclass(frozen=True)
class Choice:
    """One of several: the field's name, of what, the choices (value, text)."""

    field: str
    label: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Army:
    """An army that may answer: where it stands and how strong, its leaders' switches, how many go and how."""

    title: str
    leaders: tuple[Switch, ...] = ()
    amounts: tuple[Amount, ...] = ()
    ways: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Switches:
    """All that a seat answers with one button: the kind of command that it makes, its armies, the button's words."""

    kind: str
    armies: tuple[Army, ...]
    button: str
