"""Hannibal's previews: the engine's own answers, put into lines. Nothing in them is hidden from either side."""

from __future__ import annotations

from fractions import Fraction

from flask_babel import ngettext

from strategic.hannibal.rules import preview as engine
from strategic.hannibal.rules.survey import side_of
from strategic.hannibal.state import State
from strategic.hannibal.tables import CHART, ground
from strategic.point_to_point.survey import commander, companions_of, generals_at
from strategic.point_to_point.tables import SIDES
from webapp.http.language import gettext as _
from webapp.http.signs import percent
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.naming import say_value
from webapp.presenting.picture import Preview
from webapp.presenting.place_names import place_name
from webapp.presenting.refusals import refusal_text

MOST = 14  # reasons why not that are listed; the map shows the rest


def previews(state: State, seat: str, where: str | None) -> tuple[Preview, ...]:
    """For the war: who would be isolated, and the count. For a space: reach, voyages, interceptors."""
    found: list[Preview] = []
    if where is not None:
        for side in SIDES:
            general = commander(state, generals_at(state, side, where))
            if general is not None:
                found += [_reach(state, general), *_voyages(state, general, where)]
        if state.march is not None:
            found += _interceptors(state, where)
    return (*found, _isolation(state), _count(state))


def _leaders(general: str) -> str:
    return say_value("hannibal", general)


def _name(space: str) -> str:
    return place_name(CHART.spaces[space].name)


def _reach(state: State, general: str) -> Preview:
    """Where he could go, and for the spaces next to those why not."""
    reached = engine.army_reach(state, general)
    near = sorted(reached.cost, key=lambda space: (reached.cost[space], space))
    lines = []
    for cost in sorted(set(reached.cost.values()) - {0}):
        places = ", ".join(_name(space) for space in near if reached.cost[space] == cost)
        lines.append(ngettext("%(num)d point: %(places)s", "%(num)d points: %(places)s", cost, places=places))
    closed = list(reached.why_not.items())[:MOST]
    barred = [f"{_name(space)}: {refusal_text('hannibal', reason)}" for space, reason in closed]
    if barred:
        lines.append(_("He cannot go to these spaces – %(reasons)s", reasons="; ".join(barred)))
    title = _("Reach of %(general)s", general=_leaders(general))
    return Preview(title, "movement.land.1", tuple(lines), tuple(near))


def _voyages(state: State, general: str, where: str) -> list[Preview]:
    """The naval roll for each port: only Carthage meets it."""
    if side_of(general) != "carthage" or not ground(where).port:
        return []
    size, march = engine.army(state, general).size, state.march
    with_him = march.companions if march is not None and march.general == general else companions_of(state, general)
    lines = []
    for port in CHART.ports():
        if port != where:
            odds = engine.naval_odds(state, where, port, size, (general, *with_him))
            lines.append(
                _(
                    "%(port)s: lands %(lands)s, returns %(returns)s, sinks %(sunk)s",
                    port=_name(port),
                    lands=share(odds.passes),
                    returns=share(odds.returns),
                    sunk=share(odds.sunk),
                )
            )
    return [Preview(_("The naval roll of %(general)s", general=_leaders(general)), "tables.naval", tuple(lines))]


def _interceptors(state: State, where: str) -> list[Preview]:
    """Who could try to intercept the marching army here."""
    watchers = engine.interceptors(state, state.marching().side, (where,))[where]
    lines = tuple(
        _(
            "%(general)s from %(place)s: %(chance)s",
            general=_leaders(watcher.general),
            place=_name(watcher.space),
            chance=share(watcher.success),
        )
        for watcher in watchers
    )
    return [Preview(_("Who may intercept here"), "interception.general.1", lines or (_("Nobody."),))]


def _isolation(state: State) -> Preview:
    gone = engine.isolated_now(state)
    lines = tuple(
        _("%(side)s: %(places)s", side=seat_word(side), places=", ".join(map(_name, gone[side])) or _("none"))
        for side in SIDES
    )
    return Preview(_("Who would be isolated now"), "isolation.2", lines)


def _count(state: State) -> Preview:
    counted = engine.count(state)
    total = _("Rome %(rome)s, Carthage %(carthage)s", rome=counted.rome, carthage=counted.carthage)
    lines = [
        _(
            "%(province)s: Rome %(rome)s, Carthage %(carthage)s of %(needed)s",
            province=place_name(one.name),
            rome=one.rome,
            carthage=one.carthage,
            needed=one.needed,
        )
        + ("" if one.scores else " " + _("(does not count)"))
        for one in counted.provinces
    ]
    return Preview(_("The count of provinces"), "victory.2", (total, *lines))


def share(chance: Fraction) -> str:
    """A chance in sixths as a fraction with its percentage."""
    return f"{chance.numerator}/{chance.denominator} ({percent(round(100 * float(chance)))})"
