"""What a side decides besides the orders of its fleets at sea: ships to build, treaties to seek and to accept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from strategic.open_campaign.tables import TABLES
from tactical.captains.choice import Choice, reason
from tactical.kernel.protocol import Offer

View = Mapping[str, Any]
MONTHS = 2  # of upkeep that stay in the chest when a ship is laid down
BEATEN = 0.5  # the share of its ships whose loss makes a side seek peace


def decide(view: View, seat: str, offers: Sequence[Offer], mine: Mapping[str, Any]) -> Choice | None:
    """The first of: an answer to a proposal, peace that is sought, a ship laid down; None where there is nothing."""
    return accept(view, seat, offers) or seek(view, seat) or build(view, seat, offers, mine)


def enemies(view: View, seat: str) -> list[str]:
    """O5.4 The sides that still play and have neither alliance nor peace with this one."""
    allies = set(view["sides"][seat]["allies"])
    peace = {
        side
        for each in view["treaties"]
        if each["turn"] and "peace" in each["terms"]
        for side in (each["by"], each["to"])
    }
    others = (side for side, about in view["sides"].items() if side != seat and not about["resigned"])
    return sorted(side for side in others if side not in allies and side not in peace)


def loss_share(view: View, seat: str) -> float:
    """O9.1 How much of its ships a side has lost."""
    own = [ship for ship in view["ships"].values() if seat in (ship["side"], ship["was"])]
    lost = sum(ship["status"] != "afloat" or ship["side"] != seat for ship in own)
    return lost / len(own) if own else 0.0


def accept(view: View, seat: str, offers: Sequence[Offer]) -> Choice | None:
    """O5.4 Peace is accepted by who is beaten, and by who has other enemies left; the last enemy gets none."""
    for offer in offers:
        if offer.type != "agree_treaty":
            continue
        other = str(offer.fields["to"])
        if len(enemies(view, seat)) > 1 or loss_share(view, seat) >= BEATEN:
            command = {"type": "agree_treaty", "side": seat, "to": other}
            return Choice(command, (reason("side_agrees", rule="O5.4"),), (), 2.0)
    return None


def seek(view: View, seat: str) -> Choice | None:
    """O5.4 A beaten side with several enemies proposes peace to the one that holds most ports, once."""
    against = enemies(view, seat)
    if len(against) < 2 or loss_share(view, seat) < BEATEN or view["treaties"]:
        return None
    held = {side: sum(holder == side for holder in view["ports"].values()) for side in against}
    other = max(against, key=lambda side: (held[side], side))
    command = {"type": "propose", "side": seat, "to": other, "terms": ["peace"]}
    return Choice(command, (reason("side_proposes", rule="O5.4"),), (), 1.5)


def build(view: View, seat: str, offers: Sequence[Offer], mine: Mapping[str, Any]) -> Choice | None:
    """O8.1 The strongest ship that the chest pays, with upkeep for two months left in it."""
    due = sum(TABLES.money.upkeep[view["ships"][ship]["type"]] for fleet in mine.values() for ship in fleet["ships"])
    left = view["money"].get(seat, 0) - MONTHS * due
    for offer in offers:
        if offer.type != "build":
            continue
        kinds = offer.fields["ship"]
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)
        paid = [kind for kind in kinds if TABLES.money.price[kind] <= left and kind != "transport"]
        if paid:
            kind = max(paid, key=lambda each: (TABLES.type[each].value, each))
            command = {"type": "build", "side": seat, "port": offer.fields["port"], "ship": kind}
            why = reason("side_builds", rule="O8.1", space=offer.fields["port"])
            return Choice(command, (why,), (), 1.0)
    return None
