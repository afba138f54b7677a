"""The march of Hamilcar by its goal: the land war's, with voyages lane by lane (11.1)."""

from __future__ import annotations

from functools import partial
from typing import Any

from strategic.hamilcar.rules.preview import Lane, sea_preview
from strategic.hamilcar.rules.sea import sail_offers
from strategic.hamilcar.state import State
from tactical.kernel.protocol import Illegal
from webapp.http.language import gettext as _
from webapp.presenting.naming import say_value
from webapp.systems.goal_march import Stage
from webapp.systems.land_march import Voyages, march, no_wear, span, trains


def voyages(state: State, seat: str) -> Voyages:
    """11.1 The ports that the largest party may sail to with all ready ships, lane by lane."""
    try:
        routes = {route.to: route for route in sea_preview(state).routes if route.open}
    except Illegal:
        routes = {}
    best: dict[str, dict[str, Any]] = {}  # by the first port of the way
    for offer in sail_offers(state):
        port = offer.fields["to"][0] if isinstance(offer.fields["to"], list) else offer.fields["to"]
        if offer.fields["inside"] in (False, [False]) and (port not in best or size(offer.fields) > size(best[port])):
            best[port] = offer.fields
    routes = {to: route for to, route in routes.items() if route.lanes[0].to in best}

    def stages(goal: str) -> tuple[Stage, ...]:
        route = routes[goal]
        order = largest(best[route.lanes[0].to])
        return tuple(
            Stage(lane.to, number, dangers(lane), {**order, "to": lane.to})
            for number, lane in enumerate(route.lanes, 1)
        )

    return Voyages(
        {to: len(route.lanes) for to, route in routes.items()},
        stages,
        lambda goal: span(best[routes[goal].lanes[0].to]["units"]),
    )


def largest(fields: dict[str, Any]) -> dict[str, Any]:
    """The command of the whole party of an offer."""
    companions = fields["companions"]
    order = {"type": "sail", "inside": False, "ships": most(fields["ships"]), "units": most(fields["units"])}
    return {
        **order,
        "elephants": most(fields["elephants"]),
        "trains": trains(fields) if isinstance(fields.get("trains"), list) else most(fields.get("trains", 0)),
        "companions": companions[0] if companions and isinstance(companions[0], list) else companions,
    }


def most(value: Any) -> int:
    """The most that a field may be."""
    return int(value["to"] if isinstance(value, dict) else max(value) if isinstance(value, list) else value)


def size(fields: dict[str, Any]) -> tuple[int, int, int]:
    """How large a party of an offer is."""
    order = largest(fields)
    return len(order["companions"]), order["units"] + order["elephants"], order["ships"]


def dangers(lane: Lane) -> tuple[str, ...]:
    """11.6, 21.1 Who may catch the fleet on a lane, and whether a storm may strike."""
    found = [
        _(
            "%(general)s may intercept from %(place)s: %(good)s in 6",
            general=say_value("hamilcar", one.general),
            place=say_value("hamilcar", one.space),
            good=one.good,
        )
        for one in lane.interceptors
        if one.good
    ]
    if lane.automatic:
        found.append(_("The enemy intercepts the fleet even if his roll fails."))
    if lane.stormy:
        found.append(_("A stormy lane."))
    return tuple(found)


walk = partial(march, "hamilcar", no_wear, voyages)
