"""The rolls of the land war before they are thrown: who needs what. Ratings and places are open to both sides."""

from __future__ import annotations

from collections.abc import Sequence

from strategic.point_to_point.interception import intercept_modifier
from strategic.point_to_point.rulebook import Task, book_of
from strategic.point_to_point.state import Campaign
from strategic.point_to_point.survey import commander, rating, side_of_prompt
from strategic.point_to_point.tables import enemy
from webapp.http.language import gettext as _
from webapp.systems.chances import at_least, at_most, by_face


def interception(state: Campaign | None, generals: Sequence[str]) -> str:
    """interception.2a The die of those who would try against the army on the march."""
    if state is None or state.march is None:
        return ""
    leader = commander(state, generals)
    if leader is None:
        return ""
    side = enemy(state.march.side)
    limit = book_of(state).limit(state, leader, "intercept", False)
    return at_most(limit, intercept_modifier(state, side, state.march.at))


def avoidance(state: Campaign | None, generals: Sequence[str]) -> str:
    """avoid.2 The die of those who would slip away."""
    return _by_task(state, commander(state, generals) if state is not None else None, "avoid", False)


def pursuit(state: Campaign | None) -> str:
    """pursuit.2a The die of the army that goes after them."""
    return _by_task(state, state.march.general if state is not None and state.march else None, "pursue", True)


def initiative(state: Campaign | None) -> str:
    """round.4 The die of the side that is asked."""
    if state is None or state.battle is None or not state.agenda:
        return ""
    side, battle = side_of_prompt(state), state.battle
    return _by_task(state, battle.commanders.get(side), "counter_attack", side == battle.attacker)


def withdrawal(state: Campaign | None) -> str:
    """round.1a The die of the side that would leave the battle."""
    if state is None or state.battle is None or not state.agenda:
        return ""
    return at_most(rating(state, state.battle.commanders.get(side_of_prompt(state))))


def stopping(state: Campaign | None) -> str:
    """round.1b The die of the side that would stop a withdrawal."""
    if state is None or state.battle is None or not state.agenda:
        return ""
    return _by_task(state, state.battle.commanders.get(side_of_prompt(state)), "stop", False)


def change_of_command(state: Campaign | None) -> str:
    """battle.1c The die by which the other consul commands."""
    return at_least(state.tables.battle.change_of_command) if state is not None else ""


def siege(state: Campaign | None, read: Sequence[tuple[int, int]]) -> str:
    """tables.siege What each face gives the besieger, `read` from 1 to 6: siege points, and what he loses."""
    if state is None or state.march is None:
        return ""
    won = "; ".join(
        _("%(faces)s: %(points)s", faces=faces, points=points)
        for faces, points in by_face(tuple(points for points, _lost in read))
    )
    lost = "; ".join(
        _("%(faces)s: %(points)s", faces=faces, points=points)
        for faces, points in by_face(tuple(lost for _points, lost in read))
    )
    needed = state.tables.siege.takes - state.spaces[state.march.at].siege
    return _(
        "siege points for each roll – %(won)s; losses – %(lost)s; needed to take it: %(needed)s",
        won=won,
        lost=lost,
        needed=needed,
    )


def _by_task(state: Campaign | None, leader: str | None, task: Task, attacks: bool) -> str:
    return at_most(book_of(state).limit(state, leader, task, attacks)) if state is not None and leader else ""


def charge(state: Campaign | None) -> str:
    """battle.4a The die of the elephants, above the Roman commander's rating."""
    if state is None or state.battle is None:
        return ""
    roman = state.battle.commanders.get("rome")
    needed = rating(state, roman) + 1 if roman else state.tables.battle.elephants_without_general
    return at_least(max(1, needed - book_of(state).charge_modifier(state)))
