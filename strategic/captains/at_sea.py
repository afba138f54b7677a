"""War at sea: when to put to sea against a fleet, which tactics card helps, when to leave a battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, NamedTuple

import data
from strategic.captains.preferences import preferences_of
from strategic.interception import chance
from tactical.captains.choice import Choice, Considered, best_options, reason
from tactical.kernel.protocol import Offer

LIKELY = 0.5  # the chance from which ships put to sea; only the corvus and poor admirals bring less
OUTMATCHED = 2  # times the own ships from which one leaves a battle


class Strengths(NamedTuple):
    """Ready ships of the own side and of the enemy."""

    mine: int
    theirs: int


@cache
def ratings(system: str) -> dict[str, int]:
    """The battle rating of each general."""
    return {row["id"]: int(row["battle"]) for row in data.read(f"{system}/leaders.toml", dict[str, Any])["leader"]}


@cache
def weight_of_corvus(system: str) -> int:
    """11.6.2.a What the corvus adds to the dice of an interception."""
    return int(data.read(f"{system}/tables.toml", dict[str, Any])["naval"]["corvus_interception"])


def answer(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer]) -> Choice | None:
    """What is done at sea; None where nothing of it is asked."""
    kinds = {offer.type for offer in offers}
    if "sea_intercept" in kinds and view.get("voyage"):
        return intercept(system, view, seat, offers)
    if "turn_back" in kinds and view.get("voyage"):
        strengths = Strengths(len(view["voyage"]["ships"]), len(view["voyage"]["catching"]))
        return only(offers, "turn_back", "aim_turn_back", strengths) if strengths.mine < strengths.theirs else None
    if not view.get("naval"):
        return None
    if "tactic" in kinds:
        return tactic(system, view, seat, offers)
    fleets = view["naval"]["fleets"]
    strengths = Strengths(*(len(fleet["ready"]) for fleet in (fleets[seat], fleets[other(fleets, seat)])))
    if "flee" in kinds:
        return stay_or_leave(strengths, offers)
    if "cancel_retreat" in kinds and strengths.mine < strengths.theirs:
        return only(offers, "pass", "aim_let_go", strengths)
    return None


def other(fleets: Mapping[str, Any], seat: str) -> str:
    """The enemy at sea."""
    return next(side for side in fleets if side != seat)


def catches(system: str, view: Mapping[str, Any], seat: str, tries: Sequence[Mapping[str, Any]]) -> float:
    """11.6.2, 11.6.3 The chance that one of these generals succeeds; without any it is certain."""
    plus = weight_of_corvus(system) if seat == "rome" and view.get("corvus") else 0
    good = (chance(ratings(system).get(each["general"], 1), plus) for each in tries)
    return 1 - prod(1 - hits / faces for hits, faces in good) if tries else 1.0


def aboard(tries: Sequence[Mapping[str, Any]]) -> int:
    """The troops that these generals take along, and risk."""
    return sum(each["units"] + each["elephants"] for each in tries)


def intercept(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer]) -> Choice | None:
    """11.6 All ready ships against a fleet that is no stronger, under the generals who will probably find it."""
    offer = next(offer for offer in offers if offer.type == "sea_intercept")
    ships = offer.fields["ships"]
    strengths = Strengths(ships["to"] if isinstance(ships, dict) else ships, len(view["voyage"]["ships"]))
    options = [
        ({"type": "sea_intercept", "ships": strengths.mine, "tries": tries}, catches(system, view, seat, tries))
        for tries in offer.fields["tries"]
    ]
    command, odds = max(options, key=lambda option: (option[1], -aboard(option[0]["tries"])))
    if strengths.mine < strengths.theirs or odds < LIKELY:
        return only(offers, "pass", "aim_let_pass", strengths, odds)
    why = reason("aim_intercept", rule=offer.rule, odds=odds, mine=strengths.mine, theirs=strengths.theirs)
    return Choice(command, (why,), best_options([*options, ({"type": "pass"}, 0.0)]), round(odds, 3))


def tactic(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer]) -> Choice:
    """11.7.manoeuvre The card that helps most in this round, by what the preferences say of each; else none."""
    worth = preferences_of(system).tactics
    fleets = view["naval"]["fleets"]
    mine, foe = fleets[seat], fleets[other(fleets, seat)]
    outmatched = len(foe["ready"]) >= OUTMATCHED * len(mine["ready"])
    options: list[tuple[dict[str, Any], float]] = [({"type": "pass"}, 0.0)]
    for offer in offers:
        if offer.type == "tactic":
            card, use = offer.fields["card"], offer.fields["use"]
            value = worth.get(f"{card}.{use}" if use else card, 0.0)
            if card == "run":
                value = -value if not outmatched else value
            if card == "pursuit" and not foe["transports"]:
                value = 0.0
            options.append(({"type": "tactic", "card": card, "use": use}, value))
    command, value = max(options, key=lambda option: option[1])
    kind = (
        "aim_no_tactic" if command["type"] == "pass" else "aim_leave_sea" if command["card"] == "run" else "aim_tactic"
    )
    rule = next(offer.rule for offer in offers if offer.type == command["type"])
    why = reason(kind, rule=rule, mine=len(mine["ready"]), theirs=len(foe["ready"]))
    return Choice(command, (why,), best_options(options), round(value, 3))


def stay_or_leave(strengths: Strengths, offers: Sequence[Offer]) -> Choice | None:
    """11.7.choice Who is outmatched leaves: by giving up supremacy if it holds it, else by a die."""
    if strengths.theirs < OUTMATCHED * strengths.mine:
        return None
    kinds = {offer.type for offer in offers}
    return only(offers, "evade" if "evade" in kinds else "flee", "aim_leave_sea", strengths)


def only(
    offers: Sequence[Offer], kind: str, why: str, strengths: Strengths, odds: float | None = None
) -> Choice | None:
    """One kind of command without fields, and why; None where it is not offered."""
    offer = next((offer for offer in offers if offer.type == kind), None)
    if offer is None:
        return None
    told = reason(why, rule=offer.rule, odds=odds, mine=strengths.mine, theirs=strengths.theirs)
    rest = tuple(Considered({"type": each.type}, 0.0) for each in offers if each.type != kind and not each.fields)
    return Choice({"type": kind}, (told,), rest)
