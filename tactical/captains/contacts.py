"""G6, G7 In contact: to ram, to break the oars, or to hold and board."""

from __future__ import annotations

from typing import Any

from tactical.captains.at_sea import ASPECTS
from tactical.captains.chances import blow, fight, head_on
from tactical.captains.choice import Choice, Reason, best_options, reason
from tactical.captains.sea import Hull, Sea
from tactical.captains.worth import CAPTURED, SUNK, aspect_of, meeting, ram_value
from tactical.kernel.protocol import Offer
from tactical.rules.contacts import is_mutual
from tactical.rules.ramming import has_full_speed


def settle(sea: Sea, offers: list[Offer]) -> Choice:
    """G6.1 The best deed of the side's ships in contact."""
    found = (
        best_act(sea, name, [offer for offer in offers if offer.fields["ship"] == name]) for name in in_turn(offers)
    )
    return max(found, key=lambda choice: choice.value)


def in_turn(offers: list[Offer]) -> list[str]:
    """The ships with a contact, each once."""
    return list(dict.fromkeys(offer.fields["ship"] for offer in offers))


def best_act(sea: Sea, name: str, offers: list[Offer]) -> Choice:
    """G6.1, G6.9, G7.1 One ship's best deed, by its exact odds."""
    battle = sea.battle
    ship = battle.ships[name]
    foe = ship.contact or ""
    target = battle.ships[foe]
    mutual = is_mutual(battle, name)
    if battle.board.kind == "open":
        aspect = ASPECTS[ship.aspect or "side"]
    elif not battle.has_hexes:
        aspect = "head" if ship.aspect == "bow_to_bow" else "beam"
    elif mutual:
        aspect = "head"
    else:
        aspect = aspect_of(ship.facing or "N", target.facing or "N")
    mine, theirs = sea.hull(name), sea.hull(foe)
    fast = has_full_speed(sea.kind(ship), ship)
    theirs_fast = has_full_speed(sea.kind(target), target)
    found = meeting(sea.orders.level, mine, theirs, aspect, fast, theirs_fast, True)
    values = {"ram": found.ram, "rake": found.rake, "hold": found.hold}
    values["ram"] += fights(sea, foe, theirs, ram_value(sea.orders.level, mine, theirs, fast))
    if sea.lead_with_all_sunk < 0:
        values["ram"] -= ram_value(sea.orders.level, mine, theirs, fast)
    offered = {offer.type: values[offer.type] for offer in offers}
    if sea.orders.level == "raw" and "ram" in offered and sum(mine.marines) <= sum(theirs.marines):
        offered["ram"] = max(offered["ram"], 0.1)
    best = max(offered, key=lambda deed: offered[deed])
    commands: dict[str, dict[str, Any]] = {deed: {"type": deed, "ship": name} for deed in offered}
    return Choice(
        commands[best],
        tuple(reasons(best, name, foe, mine, theirs, aspect, fast)),
        best_options([(commands[deed], value) for deed, value in offered.items()]),
        round(offered[best], 3),
    )


def fights(sea: Sea, foe: str, theirs: Hull, hit: float) -> float:
    """G8.4, G10.2 What a ram changes in a fight on or by its target: a friend saved, or a prize lost to the sea."""
    battle = sea.battle
    target = battle.ships[foe]
    if target.boarding is None:
        return 0.0
    boarders = [battle.ships[each] for each in battle.boarders_of(target.boarding)]
    crew = (sum(s.heavy for s in boarders), sum(s.medium for s in boarders), sum(s.light for s in boarders))
    boarded = battle.ships[target.boarding]
    won, _ = fight(crew, (boarded.heavy, boarded.medium, boarded.light))
    if target.boarding == foe:
        return -hit * won * float(CAPTURED / SUNK)  # she will be ours, and worth more afloat
    return float(0.5 * won) * sea.kind(boarded).hull * CAPTURED


def reasons(deed: str, name: str, foe: str, mine: Hull, theirs: Hull, aspect: str, fast: bool) -> list[Reason]:
    """Why this deed, with its odds."""
    if deed == "rake":
        return [reason("rake", rule="G7.1", ship=name, foe=foe)]
    if deed == "hold":
        won, _ = fight(mine.marines, theirs.marines)
        if sum(mine.marines) and won > 0:
            return [reason("hold_to_board", rule="G6.9", odds=won, ship=name, foe=foe)]
        return [reason("hold_still", rule="G6.9", ship=name, foe=foe)]
    struck = blow(mine.ram or 0, fast, theirs.left, theirs.breaches)
    found = [
        reason(
            "ram_sinks",
            rule="G6.2",
            odds=struck.sinks_soon,
            ship=name,
            foe=foe,
            damage=round(struck.damage, 1),
            full_speed=fast,
        )
    ]
    if aspect == "head":
        rams, rammed, both = head_on(mine.crew, theirs.crew)
        rammed = round(rammed + both, 4)
        found.append(reason("ram_head_on", rule="G6.1", odds=rams + both, ship=name, foe=foe, rammed=rammed))
    return found
