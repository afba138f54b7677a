"""The sides in the page's head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tactical.battle import Battle
from tactical.kernel.protocol import UMPIRE
from webapp.pages.battle.setup import deploying
from webapp.presenting.battle_labels import letters, side_name, tones


@dataclass(frozen=True)
class SideHead:
    """A side in the page's head: who it is, how many still have something to do, whether it is locked or done."""

    id: str
    name: str
    letter: str
    shape: int
    to_go: int | None
    locked: bool
    done: bool
    points: int
    afloat: int
    agreed: bool
    deployment: str


def heads(battle: Battle, acting: Mapping[str, tuple[str, ...]], seat: str) -> list[SideHead]:
    """The sides in the page's head. How far another side's plot has come is its own affair."""
    pennants, shapes = letters(battle), tones(battle)
    found = []
    for side_id, side in battle.sides.items():
        secret = battle.step == "plot" and seat not in (side_id, UMPIRE)
        count = None if secret else len(acting.get(side_id, ()))
        found.append(
            SideHead(
                side_id,
                side_name(battle, side_id),
                pennants[side_id],
                shapes[side_id],
                count,
                side.locked,
                side.done,
                side.points,
                len(battle.afloat(side_id)),
                side.agreed,
                deploying.word(battle, side_id),
            )
        )
    return found
