"""L2.5 Deploying on the battle's page: free hexes of one's own rows to tap, and a heading for each ship."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tactical.battle import Battle
from tactical.hexes import HEADINGS
from tactical.kernel.protocol import Offer
from tactical.rules.linked import deploys
from webapp.http.language import gettext as _
from webapp.pages.battle.board.marks import Ghost
from webapp.pages.battle.orders.order_records import Action, Order, command_json
from webapp.pages.battle.roster import strip
from webapp.presenting.battle_labels import heading_word, hex_name, ship_name, side_name


def is_on(battle: Battle) -> bool:
    """L2.5 Do the sides still put their ships where they want them?"""
    return deploys(battle) is not None


def is_quiet(battle: Battle) -> bool:
    """L2.5, L2.5.a Does the battle wait for something that comes before any ship's usual orders?"""
    return is_on(battle) or battle.thrown is not None


def word(battle: Battle, side: str) -> str:
    """L2.5 How far a side has come with its deployment, for the page's head; empty when nobody deploys."""
    if battle.link is None or not is_on(battle):
        return ""
    if deploys(battle) == side:
        return _("deploys")
    return _("deploys next") if side in battle.link.deploying else _("deployed")


def offer_of(offers: Sequence[Offer], ship: str) -> Offer | None:
    """The ship's offer to deploy."""
    return next((each for each in offers if each.type == "deploy" and each.fields.get("ship") == ship), None)


def orders_of(battle: Battle, offers: Sequence[Offer], ship: str) -> list[Order]:
    """L2.5 The six headings in the hex where she stands; the hexes themselves are on the board and in the form."""
    offer, here = offer_of(offers, ship), battle.ships[ship].at
    if offer is None or here is None:
        return []
    found: list[Order] = []
    for way in HEADINGS:
        command = command_json("deploy", ship=ship, at=list(here), facing=way)
        found.append(Action(way, command, "L2.5", heading_word(way), pressed=way == battle.ships[ship].facing))
    return found


def ghosts(battle: Battle, offers: Sequence[Offer], ship: str) -> tuple[Ghost, ...]:
    """L2.5 The free hexes as places on the board that can be tapped; the heading stays."""
    offer, standing = offer_of(offers, ship), battle.ships[ship]
    if offer is None or standing.at is None or not battle.has_hexes:
        return ()
    facing = standing.facing or "N"
    found = []
    for q, r in offer.fields["at"]:
        if (q, r) == standing.at:
            continue
        said = _("%(ship)s deploys at %(hex)s", ship=ship_name(battle, ship), hex=hex_name((q, r)))
        command = command_json("deploy", ship=ship, at=[q, r], facing=facing)
        found.append(Ghost(f"{q}.{r}", facing, (q, r), "place", said, command))
    return tuple(found)


def rows(battle: Battle, todo: Sequence[str]) -> list[strip.Task]:
    """L2.5 The ships that may still be moved about, for the panel: tap one, then a hex."""
    chips = strip.chips(battle, list(todo), ())
    return [strip.Task(chip.id, chip) for chip in chips] if is_on(battle) else []


def form(battle: Battle, offers: Sequence[Offer], ship: str) -> dict[str, Any] | None:
    """L2.5 The same by form: every free hex, every heading."""
    offer, standing = offer_of(offers, ship), battle.ships[ship]
    if offer is None:
        return None
    return {
        "ship": ship,
        "hexes": [(json.dumps(at), hex_name((at[0], at[1])), tuple(at) == standing.at) for at in offer.fields["at"]],
        "headings": [(way, heading_word(way), way == standing.facing) for way in HEADINGS],
    }


def whose(battle: Battle) -> str:
    """L2.5 Who deploys now."""
    side = deploys(battle)
    return side_name(battle, side) if side else ""
