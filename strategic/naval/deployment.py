"""L2.4, L2.5 What a campaign with named sheets knows besides of a meeting: how two fleets met, and what ships bear."""

from __future__ import annotations

from tactical.kernel.record import Input, Record


class Wounds(Input, frozen=True, omit_defaults=True):
    """L2.4 What a named ship bears besides her hull's damage: open breaches, oars of one side, marines gone."""

    breaches: int = 0
    oars: bool = False
    marines: int = 0


class Deployment(Record, frozen=True, omit_defaults=True):
    """L2.5 How two fleets have met, where the campaign knows it.

    `anchored` are the sides that lay at anchor, `shore` the one that has the land behind it, `windward` the one that
    has the wind; `late` are units that come in later, with the turn of the battle in which they do.
    """

    anchored: tuple[str, ...] = ()
    shore: str = ""
    windward: str = ""
    late: dict[str, int] = {}
