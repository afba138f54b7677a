"""What a side may command now. Each offer is made by the predicates that refuse commands, so they cannot disagree."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from tactical.battle import Battle, Thrown
from tactical.commands import Evade, Resign
from tactical.kernel.protocol import UMPIRE, Offer
from tactical.rules import ending, linked, plotting, rerolls
from tactical.rules.forgoing import STEPS
from tactical.ship_offers import choice
from tactical.todo import ask_side, of_side
from tactical.whose_turn import may_be_done


def in_step(battle: Battle, side: str) -> Iterable[Offer]:
    """G3.0 What a side may command in the step: its ships, then lock, done or evade. Dice come first (L2.5.a)."""
    if battle.thrown is not None:
        return of_dice(battle, side, battle.thrown)
    if battle.has_resigned(side):
        return ()
    own = of_side(battle, side) if speaks(battle, side) else ()
    return own + of_step(battle, side)


def at_any_time(battle: Battle, seat: str) -> tuple[Offer, ...]:
    """G10.1, G3.0.a What a side may say in every step: that it gives up, agrees to an end, goes without a step.

    To the umpire that the battle goes on, where a position stands before its dice (G2.3.a).
    """
    if battle.is_over:
        return ()
    if seat == UMPIRE:
        return (Offer("go_on", "G2.3.a", {}),) if battle.stands else ()
    side = battle.sides[seat]
    if battle.thrown is not None or side.resigned:
        return ()
    may_resign = ending.why_not_resign(battle, Resign(seat)) is None
    return spoken_at_any_time(seat, may_resign, side.agreed, side.forgoes)


@lru_cache(maxsize=1024)
def spoken_at_any_time(side: str, may_resign: bool, agreed: bool, forgoes: tuple[str, ...]) -> tuple[Offer, ...]:
    """G10.1, G3.0.a What a side of which this is true may say of itself, and which of its words it may take back."""
    gone = [step for step in STEPS if step in forgoes]
    left = [step for step in STEPS if step not in forgoes]
    giving_up = spoken("resign", "G10.1", side) if may_resign else None
    agreeing = Offer("agree", "G10.1", {"side": side, "agreed": False} if agreed else {"side": side})
    without = Offer("forgo", "G3.0.a", {"side": side, "step": choice(left), "forgone": True}) if left else None
    again = Offer("forgo", "G3.0.a", {"side": side, "step": choice(gone), "forgone": False}) if gone else None
    return tuple(offer for offer in (giving_up, agreeing, without, again) if offer is not None)


def speaks(battle: Battle, side: str) -> bool:
    """G3.0 May ships of the side still be commanded in this step? Not once it is locked or done."""
    if battle.step in ("end", "over"):
        return False
    if battle.step == "plot":
        return not battle.sides[side].locked or linked.deploys(battle) is not None
    return battle.step not in ("fire", "board") or not battle.sides[side].done


def of_step(battle: Battle, side: str) -> tuple[Offer, ...]:
    """The side's own offers: lock, done, evade."""
    step, deploying = battle.step, linked.deploys(battle)
    if deploying is not None:
        return (spoken("done", "L2.5", side),) if deploying == side else ()
    if step == "plot":
        return (spoken("lock", "G3.1", side),) if plotting.may_lock(battle, side) else ()
    if step != "end":
        return (spoken("done", "G3.0", side),) if may_be_done(battle, side) else ()
    evades = linked.why_not_evade(battle, Evade(side)) is None
    found = [spoken("evade", "L3.5", side)] if evades else []
    if may_be_done(battle, side):
        found.append(spoken("done", "L3.5" if evades else "G9.1", side))
    return tuple(found)


@lru_cache(maxsize=1024)
def spoken(kind: str, rule: str, side: str) -> Offer:
    """What a side says of itself alone."""
    return Offer(kind, rule, {"side": side})


def of_dice(battle: Battle, side: str, thrown: Thrown) -> tuple[Offer, ...]:
    """L2.5.a Letting the dice on the table lie, or throwing one of one's own again."""
    if side not in thrown.waits:
        return ()
    dice: list[Any] = list(rerolls.own_dice(battle, side))
    again = Offer("reroll", "L2.5.a", {"side": side, "die": dice[0] if len(dice) == 1 else dice})
    return spoken("keep", "L2.5.a", side), again


def to_act(battle: Battle, side: str) -> tuple[str, ...]:
    """The side's ships that have something to do in this step: the rings on the page."""
    if not speaks(battle, side):
        return ()
    plotting_now, ships = battle.step == "plot", battle.ships
    return tuple(
        name
        for name, found in ask_side(battle, side).items()
        if found and not (plotting_now and ships[name].plot is not None)
    )
