"""What a seat may command now. Each offer is made by the predicates that `apply` uses, so they cannot disagree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tactical.battle import Battle
from tactical.commands import Evade, Resign
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Offer
from tactical.rules import ending, linked, plotting, rerolls
from tactical.todo import todo
from tactical.whose_turn import may_be_done


def offers(battle: Battle, seat: str) -> tuple[Offer, ...]:
    """G3.0 Everything that the seat may command now; the umpire sees the offers of all sides."""
    if seat == SPECTATOR or battle.is_over:
        return ()
    if battle.thrown is not None:
        return tuple(offer for side in battle.thrown.waits if seat in (side, UMPIRE) for offer in of_dice(battle, side))
    if seat != UMPIRE:
        return tuple(of_side(battle, seat)) if seat in battle.sides else ()
    return tuple(offer for side in battle.sides for offer in of_side(battle, side))


def of_side(battle: Battle, side: str) -> list[Offer]:
    """G3.0 The offers of one side: its ships', then the side's own."""
    found: list[Offer] = []
    if speaks(battle, side):
        found += todo(battle).of_side(side)
    found += of_step(battle, side)
    if ending.why_not_resign(battle, Resign(side)) is None:
        found.append(Offer("resign", "G10.1", {"side": side}))
    agreed = battle.sides[side].agreed
    found.append(Offer("agree", "G10.1", {"side": side, "agreed": False} if agreed else {"side": side}))
    return found


def speaks(battle: Battle, side: str) -> bool:
    """G3.0 May ships of the side still be commanded in this step? Not once it is locked or done."""
    if battle.step in ("end", "over"):
        return False
    if battle.step == "plot":
        return not battle.sides[side].locked or linked.deploys(battle) is not None
    return battle.step not in ("fire", "board") or not battle.sides[side].done


def of_step(battle: Battle, side: str) -> Iterator[Offer]:
    """The side's own offers: lock, done, evade."""
    if linked.deploys(battle) is not None:
        if linked.deploys(battle) == side:
            yield Offer("done", "L2.5", {"side": side})
        return
    if battle.step == "plot":
        if plotting.may_lock(battle, side):
            yield Offer("lock", "G3.1", {"side": side})
        return
    evades = battle.step == "end" and linked.why_not_evade(battle, Evade(side)) is None
    if evades:
        yield Offer("evade", "L3.5", {"side": side})
    if may_be_done(battle, side):
        yield Offer("done", "L3.5" if evades else "G9.1" if battle.step == "end" else "G3.0", {"side": side})


def of_dice(battle: Battle, side: str) -> Iterator[Offer]:
    """L2.5.a Keep the dice on the table, or throw one of one's own again."""
    yield Offer("keep", "L2.5.a", {"side": side})
    dice: list[Any] = list(rerolls.own_dice(battle, side))
    yield Offer("reroll", "L2.5.a", {"side": side, "die": dice[0] if len(dice) == 1 else dice})


def to_act(battle: Battle, side: str) -> tuple[str, ...]:
    """The side's ships that have something to do in this step: the rings on the page."""
    if not speaks(battle, side):
        return ()
    plotting_now, ships = battle.step == "plot", battle.ships
    return tuple(
        name
        for name, found in todo(battle).offers[side].items()
        if found and not (plotting_now and ships[name].plot is not None)
    )
