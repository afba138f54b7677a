"""movement.land.1 The march of a land war by its goal: reach, way, who may cut in and at what chance, what it wears."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from flask_babel import ngettext

from strategic.atlas import Reach
from strategic.point_to_point.battle_ahead import meeting_there
from strategic.point_to_point.march_ahead import watchers, ways_ahead, whole_party
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, S
from strategic.point_to_point.survey import generals_at
from strategic.point_to_point.tables import enemy
from tactical.kernel.protocol import UMPIRE
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.march_preview import Walk
from webapp.presenting.naming import say_value
from webapp.presenting.refusals import refusal_text
from webapp.systems.chances import by_face
from webapp.systems.goal_march import Ahead, Stage, walk
from webapp.systems.land_party import troops, with_force
from webapp.systems.land_stakes import battle_words

Wear = Callable[[S, str, int], tuple[int, ...]]  # what an army of a size loses on a connection, by the die
MARCHING = ("march", "move")


@dataclass(frozen=True)
class Voyages:
    """The ports that the army may sail to: the points that each takes, and the way there."""

    cost: Mapping[str, int]
    stages: Callable[[str], tuple[Stage, ...]]
    units: Callable[[str], tuple[int, int] | None]


def no_wear(state: Campaign, kind: str, units: int) -> tuple[int, ...]:
    """No connection wears an army."""
    return ()


def march(
    system: str,
    wear: Wear[S],
    voyages: Callable[[S, str], Voyages],
    state: S,
    seat: str,
    picked: str | None,
    where: str | None,
) -> Walk | None:
    """The march that waits for this seat; None when none does."""
    asked = state.agenda[-1] if state.agenda else None
    going = state.march
    if (
        asked is None
        or asked.kind not in MARCHING
        or going is None
        or going.stopped
        or seat not in (asked.seat, UMPIRE)
    ):
        return None
    fields = whole_party(state)
    reach = ways_ahead(state)
    sailing = voyages(state, asked.seat)
    cost = {**sailing.cost, **reach.cost}
    if fields is None:
        fields = {"companions": [[]], "units": {"from": 0, "to": 0}, "elephants": 0}
    units = fields["units"]
    party = [going.general, *fields["companions"][0]]
    force = with_force(
        ", ".join(say_value(system, name) for name in party),
        troops({**fields, "units": units["to"], "trains": trains(fields)}),
    )
    ahead = Ahead(
        going.general,
        force,
        going.at,
        going.points,
        cost,
        lambda goal: by_land(system, wear, state, fields, reach, goal) if goal in reach.cost else sailing.stages(goal),
        partial(why_not, system, reach),
        partial(outlook, system, state, fields),
        lambda goal: span(units) if goal in reach.cost else sailing.units(goal),
        frozenset(sailing.cost) - frozenset(reach.cost),
        lambda goal: sailing.stages(goal) if goal in sailing.cost and goal in reach.cost else (),
    )
    return walk(system, ahead, where)


def span(units: Mapping[str, int]) -> tuple[int, int] | None:
    """The fewest and the most units, where there is a choice."""
    return (units["from"], units["to"]) if units["to"] > units["from"] else None


def trains(fields: Mapping[str, Any]) -> int:
    """As many supply trains as may go."""
    return max(fields.get("trains") or (0,))


def by_land(
    system: str, wear: Wear[S], state: S, fields: Mapping[str, Any], reach: Reach, goal: str
) -> tuple[Stage, ...]:
    """The way step by step."""
    chart = book_of(state).chart
    order = {"type": "step", "companions": fields["companions"][0], "elephants": fields["elephants"]}
    order |= {"units": fields["units"]["to"]}
    if "trains" in fields:
        order |= {"trains": trains(fields)}
    size = fields["units"]["to"] + fields["elephants"]
    found = []
    for start, to in pairwise(reach.path[goal]):
        way = chart.between(start, to)
        dangers = (*attrition_lines(wear(state, way.kind, size) if way else ()), *cut_in(system, state, to))
        found.append(Stage(to, reach.cost[to], dangers, {**order, "to": to}))
    return tuple(found)


def attrition_lines(losses: tuple[int, ...]) -> tuple[str, ...]:
    """What the army loses on a step, by the die."""
    told = ", ".join(
        _("%(faces)s: %(units)s", faces=faces, units=ngettext("%(num)d unit", "%(num)d units", lost))
        for faces, lost in by_face(losses)
        if lost
    )
    return (_("At a pass, losses for each roll – %(losses)s", losses=told),) if told else ()


def cut_in(system: str, state: Campaign, space: str) -> tuple[str, ...]:
    """Who may intercept there, at what chance."""
    return tuple(
        _(
            "%(general)s may intercept from %(place)s: %(good)s in 6",
            general=say_value(system, one.general),
            place=say_value(system, one.space),
            good=round(one.success * 6),
        )
        for one in watchers(state, state.marching().side, space)
        if one.success
    )


def outlook(system: str, state: Campaign, fields: Mapping[str, Any], goal: str) -> tuple[str, ...]:
    """Who stands at the goal, and the battle that it may come to with the whole force."""
    side = enemy(state.marching().side)
    there = state.spaces[goal].all_of(side)
    names = ", ".join(say_value(system, name) for name in generals_at(state, side, goal))
    if not there.size:
        return ()
    force = (
        with_force(names, troops({"units": there.units, "elephants": there.elephants}))
        if names
        else troops({"units": there.units, "elephants": there.elephants})
    )
    inside = state.spaces[goal].outside(side).size == 0
    if inside:
        return (_("%(side)s is within the walls there: %(force)s.", side=seat_word(side), force=force),)
    along = Troops(units=fields["units"]["to"], elephants=fields["elephants"], trains=trains(fields))
    meeting = meeting_there(state, goal, tuple(fields["companions"][0]), along)
    stands = _("%(side)s stands there: %(force)s. There may be a battle.", side=seat_word(side), force=force)
    return (stands, *battle_words(meeting))


def why_not(system: str, reach: Reach, goal: str) -> str:
    """Why the army cannot come there."""
    return refusal_text(system, reach.why_not[goal]) if goal in reach.why_not else ""
