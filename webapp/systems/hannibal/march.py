"""The march of Hannibal by its goal: the land war's, with passes and voyages."""

from __future__ import annotations

from functools import partial
from typing import Any

from strategic.hannibal.rules import preview as engine
from strategic.hannibal.rules.passes import pass_losses
from strategic.hannibal.rules.sea import sail_offers
from strategic.hannibal.state import State
from webapp.http.language import gettext as _
from webapp.systems.goal_march import Stage
from webapp.systems.hannibal.previews import share
from webapp.systems.land_march import Voyages, march, span


def voyages(state: State, seat: str) -> Voyages:
    """movement.sea.3 The ports that the largest party may sail to, with the naval roll that waits for it."""
    offers = [offer for offer in sail_offers(state) if not offer.fields["inside"]]
    best: dict[str, dict[str, Any]] = {}
    for offer in offers:
        for port in offer.fields["to"]:
            if port not in best or size(offer.fields) > size(best[port]):
                best[port] = offer.fields
    cost = state.tables.movement.sea

    def stages(goal: str) -> tuple[Stage, ...]:
        fields = best[goal]
        units, party = fields["units"]["to"], fields["companions"][0]
        order = {"type": "sail", "to": goal, "inside": False, "units": units, "elephants": fields["elephants"]}
        return (
            Stage(
                goal, cost, naval_roll(state, goal, units + fields["elephants"], party), {**order, "companions": party}
            ),
        )

    return Voyages(dict.fromkeys(best, cost), stages, lambda goal: span(best[goal]["units"]))


def size(fields: dict[str, Any]) -> tuple[int, int]:
    """How large a party of an offer is."""
    return len(fields["companions"][0]), fields["units"]["to"] + fields["elephants"]


def naval_roll(state: State, goal: str, units: int, party: list[str]) -> tuple[str, ...]:
    """tables.naval The roll that meets a voyage of Carthage."""
    going = state.marching()
    if going.side != "carthage":
        return ()
    odds = engine.naval_odds(state, going.at, goal, units, (going.general, *party))
    return (
        _(
            "The naval roll: lands %(lands)s, returns %(returns)s, sinks %(sunk)s",
            lands=share(odds.passes),
            returns=share(odds.returns),
            sunk=share(odds.sunk),
        ),
    )


walk = partial(march, "hannibal", pass_losses, voyages)
