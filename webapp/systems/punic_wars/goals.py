"""8.32, 11.13, 13.11, 19.0 (procedure) The goals of Punic Wars: set-up, leaders, recruits, points that are lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask_babel import lazy_gettext as _l
from flask_babel import ngettext

from strategic.punic_wars.rules.control import control
from strategic.punic_wars.rules.recruiting import affordable
from strategic.punic_wars.rules.supply import can_be_supplied
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.protocol import Offer
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import Words, kind_word, seat_word
from webapp.presenting.march_preview import Goals
from webapp.presenting.naming import say_value
from webapp.systems.goal_answers import Command, Fields, Naming, Price, goals
from webapp.systems.punic_wars.force import forces

SYSTEM = "punic_wars"
GROUNDS: Words = {
    "city": _l("city"),
    "village": _l("village"),
    "coast": _l("on the coast"),
    "land": _l("inland"),
    "sea": _l("sea"),
}


def ground(state: Campaign, at: str) -> tuple[str, ...]:
    """4.3, 10.0 What a hex is: its settlement, its ground, whose region it is."""
    place = state.chart.places[at]
    parts = [say_value(SYSTEM, place.region)] if place.region else []
    parts.append(str(GROUNDS[place.settlement.kind if place.settlement else place.terrain]))
    lord = control(state).get(place.region or "")
    if lord:
        parts.append(_("controlled by %(side)s", side=seat_word(lord)))
    return (", ".join(parts) + ".",)


def stands(state: Campaign, side: str, at: str) -> tuple[str, ...]:
    """The side's own points in a hex, and whether they can be supplied there."""
    land, naval = state.points(at, side, "land"), state.points(at, side, "naval")
    told = [_("There already: %(force)s.", force=forces(land, naval))] if land + naval else []
    if not can_be_supplied(state, at, side, control(state)):
        told.append(_("Supply does not reach this hex now."))
    return tuple(told)


def follow_deployment(state: Campaign, command: Command) -> tuple[str, ...]:
    """19.0 (procedure) Where a group comes to stand."""
    side, at = state.groups[command["group"]].side, command["hex"]
    return (*ground(state, at), *stands(state, side, at))


def follow_placing(state: Campaign, command: Command) -> tuple[str, ...]:
    """8.32 Whom a leader finds there."""
    side, at = state.leaders[command["leader"]].side, command["hex"]
    return (*ground(state, at), *stands(state, side, at))


def follow_recruiting(state: Campaign, command: Command) -> tuple[str, ...]:
    """13.11, 13.22 What the region still allows, and what the treasury holds."""
    side, at = state.phasing, command["hex"]
    left = affordable(state, state.chart.places[at].region or "", side)
    return (
        *ground(state, at),
        *stands(state, side, at),
        _(
            "Each point costs %(price)s; the region allows %(left)s more. In the treasury: %(points)s.",
            price=NUMBERS.recruiting.point_cost,
            left=left,
            points=state.treasury[side],
        ),
    )


def recruit_price(state: Campaign, command: Command) -> Price:
    """13.11 The price of one point."""
    cost = NUMBERS.recruiting.point_cost
    return Price(str(cost), ngettext("%(num)d for each point", "%(num)d for each point", cost))


def who_loses(state: Campaign, command: Command) -> str:
    """11.13 Whose points of which kind."""
    return f"{seat_word(command['nation'])}, {kind_word(command['kind'])}"


def follow_loss(state: Campaign, command: Command) -> tuple[str, ...]:
    """11.13 How many are lost in all, and what stands in the hex."""
    side, at = state.pending.seat if state.pending else "", command["hex"]
    stand = forces(state.points(at, side, "land"), state.points(at, side, "naval"))
    told = (_("There: %(force)s.", force=stand),) if stand else ()
    lost = state.owed[0].amount
    return (*told, ngettext("%(num)d point is lost in all.", "%(num)d points are lost in all.", lost))


def whole(fields: Fields) -> int:
    """19.0 (procedure) A tap means the whole group."""
    return int("land" not in fields)


NAMINGS: Mapping[str, Naming] = {
    "deploy": Naming("hex", ("group",), usual=whole, follows=follow_deployment),
    "place": Naming(
        "hex", ("leader",), lambda state, command: say_value(SYSTEM, command["leader"]), follows=follow_placing
    ),
    "lose": Naming(
        "hex", ("nation", "kind"), who_loses, follows=follow_loss, amount="points", begins=lambda high: None
    ),
    "recruit": Naming(
        "hex",
        ("kind",),
        lambda state, command: kind_word(command["kind"]),
        price=recruit_price,
        follows=follow_recruiting,
        amount="points",
        begins=lambda high: None,
    ),
}


def answer_goals(
    state: Campaign, seat: str, offers: Sequence[Offer], picked: str | None, where: str | None
) -> Goals | None:
    """The goals of what a side may place. Of a set-up's groups one is picked first, from the list of them all."""
    group = count(picked)
    offers = [offer for offer in offers if offer.type != "deploy" or offer.fields["group"] == group]
    return goals(SYSTEM, NAMINGS, state, seat, offers, picked, where)
