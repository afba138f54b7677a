"""Orders in words: the six, those behind "more", the three stances, and an order as a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import lazy_gettext as _l

from strategic.open_campaign.rules.world import chart
from webapp.presenting.place_names import place_name

DO = {
    "go": _l("Go"),
    "patrol": _l("Patrol"),
    "blockade": _l("Blockade"),
    "escort": _l("Escort"),
    "land": _l("Land"),
    "stay": _l("Stay"),
}
MORE = {
    "scout": _l("Scout"),
    "join": _l("Join the fleet"),
    "raid": _l("Raid"),
    "besiege": _l("Besiege"),
    "embark": _l("Embark companies"),
}  # the orders behind "more" (O3.3)
ON_LAND = ("raid", "besiege", "embark")  # of these, those of the war on land (O7.1)
WITHOUT_A_GOAL = ("stay", "embark")
WITH_A_FLEET = ("escort", "join")
STANCE = {"seek": _l("Seek"), "accept": _l("Accept"), "avoid": _l("Avoid")}
STANCE_MEANS = {
    "seek": _l("attack them"),
    "accept": _l("if they come"),
    "avoid": _l("keep away"),
}
DO_MEANS = {  # of the orders whose one word does not say it (O3.3)
    "patrol": _l("At its station a patrol looks out as a scout does, and nobody catches it at anchor."),
}
THEN = {"": _l("Nothing else"), "avoid": _l("Avoid them"), "home": _l("Go home")}
AFTER = {
    "": _l("As the order says"),
    "follow": _l("Pursue the beaten fleet"),
    "blockade": _l("Blockade them"),
    "besiege": _l("Besiege them"),
    "home": _l("Go home"),
}
PACE = {"easy": _l("Easy"), "cruise": _l("Cruise"), "hard": _l("Hard")}


def verb_words(do: str) -> str:
    """An order's verb; one that has no word yet by its own name."""
    return str({**DO, **MORE}.get(do, do.replace("_", " ").capitalize()))


def goal_words(view: Mapping[str, Any], order: Mapping[str, Any]) -> str:
    """Where an order leads: a space, or the fleet that is escorted or joined; empty where it leads nowhere."""
    to = order.get("to") or ""
    if to in view["fleets"]:
        return str(view["fleets"][to]["name"])
    space = chart(view["world"]).spaces.get(to)
    return place_name(space.name) if space is not None else to


def order_line(view: Mapping[str, Any], order: Mapping[str, Any] | None) -> str:
    """An order as a line: "Blockade Panormus, accept"; empty where there is none."""
    if not order:
        return ""
    goal = goal_words(view, order)
    stance = str(STANCE.get(order.get("stance", ""), "")).lower()
    return ", ".join(part for part in (f"{verb_words(order['do'])} {goal}".strip(), stance) if part)
