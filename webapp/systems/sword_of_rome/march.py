"""9.2, 10.3 The march of The Sword of Rome by its goal: reach, way, and who may cut in at what chance."""

from __future__ import annotations

from functools import partial

from flask_babel import ngettext

from strategic.atlas import Reach
from strategic.sword_of_rome.rules.battle_ahead import battle_there
from strategic.sword_of_rome.rules.land import lane_of
from strategic.sword_of_rome.rules.march_ahead import ways_ahead
from strategic.sword_of_rome.rules.preview import StepShown, preview
from strategic.sword_of_rome.rules.survey import enemy_in_the_open, seat_of
from strategic.sword_of_rome.sequence import SEQUENCE
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import CHART, is_clear, way_between
from tactical.kernel.engine import offers
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.march_preview import Walk
from webapp.presenting.naming import say_value
from webapp.presenting.refusals import refusal_text
from webapp.systems.goal_march import Ahead, Stage
from webapp.systems.goal_march import walk as walk_of
from webapp.systems.sword_of_rome.stakes import battle_lines

SYSTEM = "sword_of_rome"


def walk(state: State, seat: str, picked: str | None, where: str | None) -> Walk | None:
    """The army on the move, while it may step on; None when none waits for this seat."""
    move = state.move
    if move is None or state.pending or state.reaction is not None or seat not in (seat_of(state, move.power), UMPIRE):
        return None
    reach = ways_ahead(state)
    voyage = next((offer for offer in offers(SEQUENCE, state, seat) if offer.type == "sail"), None)
    ports = frozenset(voyage.fields["to"]) if voyage else frozenset()
    sea = ports - frozenset(reach.cost)
    names = ", ".join(say_value(SYSTEM, name) for name in move.leaders)
    units = ngettext("%(num)d CU", "%(num)d CUs", move.units)
    ahead = Ahead(
        move.leader,
        _("%(generals)s with %(troops)s", generals=names, troops=units),
        move.at,
        move.points,
        {**dict.fromkeys(sea, CHART.costs["sea"]), **reach.cost},
        partial(stages, state, reach),
        partial(why_not, reach),
        partial(outlook, state, reach),
        lambda goal: None,
        sea,
        lambda goal: by_sea(state, goal) if goal in ports and goal in reach.cost else (),
    )
    return walk_of(SYSTEM, ahead, where)


def stages(state: State, reach: Reach, goal: str) -> tuple[Stage, ...]:
    """The way step by step, or the voyage."""
    if goal not in reach.cost:
        return by_sea(state, goal)
    path = reach.path[goal][1:]
    try:
        shown = {step.space: step for step in preview(state, state.army.leader, path)}
    except BadInput:
        shown = {}
    return tuple(
        Stage(
            to,
            reach.cost[to],
            cut_in(shown[to]) if to in shown else (),
            {"type": "step", "to": to},
        )
        for to in path
    )


def by_sea(state: State, goal: str) -> tuple[Stage, ...]:
    """9.6.3 The voyage to a port."""
    try:
        dangers = cut_in(preview(state, state.army.leader, (goal,))[0])
    except BadInput:
        dangers = ()
    return (Stage(goal, CHART.costs["sea"], dangers, {"type": "sail", "to": goal}),)


def cut_in(step: StepShown) -> tuple[str, ...]:
    """10.3 Who may intercept there, at what chance."""
    return tuple(
        _(
            "%(general)s may intercept from %(place)s: %(good)s in 6",
            general=say_value(SYSTEM, one.leader),
            place=say_value(SYSTEM, army.space),
            good=one.faces,
        )
        for army in step.may
        for one in army.leaders
        if one.faces
    )


def outlook(state: State, reach: Reach, goal: str) -> tuple[str, ...]:
    """Who stands at the goal in the open, and the odds of the battle there."""
    power = enemy_in_the_open(state, state.army.power, goal)
    if power is None:
        return ()
    force = state.force(goal, power)
    names = ", ".join(say_value(SYSTEM, name) for name in force.leaders)
    units = ngettext("%(num)d CU", "%(num)d CUs", force.units)
    told = _("%(generals)s with %(troops)s", generals=names, troops=units) if names else units
    path = reach.path[goal] if goal in reach.cost else (state.army.at, goal)
    way = way_between(*path[-2:])
    by = ("clear" if is_clear(state.army.power, way, ("clear",)) else lane_of(way.kind)) if way else "sea"
    stands = _("%(side)s stands there: %(force)s. There may be a battle.", side=seat_word(power), force=told)
    return (stands, *battle_lines(battle_there(state, goal, by, path[-2])))


def why_not(reach: Reach, goal: str) -> str:
    """Why the army cannot come there."""
    return refusal_text(SYSTEM, reach.why_not[goal]) if goal in reach.why_not else ""
