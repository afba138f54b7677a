"""Answers set leader by leader: a switch for each, and how many go with those of an army; one button sends them."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.presenting.march_preview import Amount


@dataclass(frozen=True)
class Choice:
    """One of several: the field's name, of whom or of what, the choices (value, text); the first holds at first."""

    field: str
    label: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Army:
    """An army that may answer: its space and how strong it is, its leaders' switches, how many go and how."""

    space: str
    title: str
    leaders: tuple[Choice, ...] = ()
    amounts: tuple[Amount, ...] = ()
    ways: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Switches:
    """All that a seat answers with one button: the kind of command that it makes, its armies, the button's words."""

    kind: str
    armies: tuple[Army, ...]
    button: str
