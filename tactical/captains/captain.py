"""A captain: from a view and its offers to one command, with the reasons."""

from __future__ import annotations

from collections.abc import Sequence

from tactical.battle import Battle
from tactical.captains import answers, boarders, contacts, plotting, shooting, steering, still
from tactical.captains.choice import Choice, Orders
from tactical.captains.sea import Sea
from tactical.kernel.protocol import Offer

TOGETHER = 200  # commands that one `together` may hold


def choose(view: Battle, side: str, offers: Sequence[Offer], orders: Orders | None = None) -> Choice:
    """G3.0 What the side should command now, out of its own offers; there is always something.

    `view` is what the side sees. Raises ValueError when there is no offer at all.
    """
    if not offers:
        raise ValueError(f"{side} has no offer to choose from")
    kinds = by_type(offers)
    if orders is not None and orders.level == "still":
        return still.stand(view, side, kinds) or answers.anything(side, list(offers))
    sea = Sea(view, side, orders or Orders())
    if (over := answers.ending(sea, kinds) or answers.break_off(sea, kinds)) is not None:
        return over
    return of_step(sea, kinds) or answers.anything(side, list(offers))


def of_step(sea: Sea, kinds: dict[str, list[Offer]]) -> Choice | None:
    """The choice by what is on offer, in the order of the sequence of play."""
    if "keep" in kinds:
        return answers.dice(sea, kinds)
    if "deploy" in kinds:
        return answers.answer_with_nothing(sea, "deployed")
    if "plot" in kinds and ("lock" not in kinds or unset(sea, kinds["plot"])):
        return plotting.plot(sea, {offer.fields["ship"]: offer for offer in kinds["plot"]})
    if "lock" in kinds:
        return answers.lock(sea.side)
    if "step" in kinds and not ("done" in kinds and sea.battle.has_places):  # G6.7: only the edge lies behind
        return steering.steer(sea, kinds["step"])
    if "fire" in kinds and (found := shooting.shoot(sea, kinds["fire"])) is not None:
        return found
    meetings = [offer for kind in ("ram", "rake", "hold") for offer in kinds.get(kind, ()) if is_met(sea, offer)]
    if meetings:
        return contacts.settle(sea, meetings)
    if "board" in kinds and (boarding := boarders.board(sea, kinds["board"])) is not None:
        return boarding
    if "evade" in kinds:
        return answers.end_of_turn(sea, set(kinds))
    if "done" in kinds:
        return answers.answer_with_nothing(
            sea, "fire_waits" if "fire" in kinds else "board_not" if "board" in kinds else "done"
        )
    return None


def is_met(sea: Sea, offer: Offer) -> bool:
    """Is the offer about a contact? On the players' own table a ship may hold without one."""
    return sea.battle.ships[offer.fields["ship"]].contact is not None


def unset(sea: Sea, offers: list[Offer]) -> bool:
    """Is there a ship without a plot?"""
    return any(sea.battle.ships[offer.fields["ship"]].plot is None for offer in offers)


def choose_all(view: Battle, side: str, offers: Sequence[Offer], orders: Orders | None = None) -> Choice:
    """As `choose`, but all plots of a turn as one `together`: what matches and forecasts use."""
    kinds = by_type(offers)
    if "plot" not in kinds or "deploy" in kinds or (orders is not None and orders.level == "still"):
        return choose(view, side, offers, orders)
    sea = Sea(view, side, orders or Orders())
    if (over := answers.break_off(sea, kinds)) is not None:
        return over
    open_plots = {
        offer.fields["ship"]: offer for offer in kinds["plot"] if view.ships[offer.fields["ship"]].plot is None
    }
    if len(open_plots) < 2:
        return choose(view, side, offers, orders)
    found = plotting.plots(sea, open_plots, TOGETHER - 1)
    commands = [choice.command for choice in found]
    if len(found) == len(open_plots):
        commands.append({"type": "lock", "side": side})
    return Choice({"type": "together", "commands": commands}, tuple(why for each in found for why in each.reasons))


def by_type(offers: Sequence[Offer]) -> dict[str, list[Offer]]:
    """The offers by their command."""
    found: dict[str, list[Offer]] = {}
    for offer in offers:
        found.setdefault(offer.type, []).append(offer)
    return found
