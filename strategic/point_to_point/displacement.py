"""Displacement of generals, and the one place that asks who stands alone where he cannot."""

from __future__ import annotations

from collections.abc import Iterator

from strategic.point_to_point.rulebook import book_of, nothing_more
from strategic.point_to_point.state import Campaign, Handled, S
from strategic.point_to_point.survey import generals_at
from strategic.point_to_point.tables import SIDES, Side, enemy
from tactical.kernel.protocol import Event

MEETING = frozenset({"intercept", "intercepted", "meet", "avoid", "clash", "battle"})  # who stays is still open


def displace_all(state: S, names: tuple[str, ...], rule: str) -> Handled[S]:
    """movement.land.5 Displace several generals."""
    events: tuple[Event, ...] = ()
    for name in names:
        state, more = book_of(state).displace(state, name, rule)
        events += more
    return state, events


def catch_alone(state: S, side: Side, space: str) -> Handled[S]:
    """movement.land.5a Generals of a side outside the walls without a CU, where enemy CUs have come, are displaced."""
    if state.spaces[space].outside(side).size:
        return state, ()
    state, events = displace_all(state, generals_at(state, side, space, inside=False), "movement.land.5a")
    state, more = book_of(state).spoils(state, side, space)
    return state, (*events, *more)


# who stands alone


def is_contested(state: Campaign, space: str) -> bool:
    """movement.general.3 Is it still open who stays here: has an army just entered, or is a battle being fought?"""
    if state.battle is not None and state.battle.space == space:
        return True
    march = state.march
    return march is not None and march.at == space and any(prompt.kind in MEETING for prompt in state.agenda)


def lone_among_enemies(state: Campaign) -> Iterator[tuple[Side, str]]:
    """movement.land.5a The sides and spaces where a general or a train is alone outside the walls with enemy CUs."""
    posts, has_trains = _posts(state), book_of(state).spoils is not nothing_more
    for space, place in state.spaces.items():
        for side in SIDES:
            if place.outside(side).size or not place.outside(enemy(side)).size:
                continue
            somebody = (side, space) in posts or (has_trains and place.outside(side).trains > 0)
            if somebody and not is_contested(state, space):
                yield side, space


def lone_pairs(state: Campaign) -> Iterator[str]:
    """movement.land.1e The spaces where generals of both sides are without a CU; who is under way may be passing."""
    posts = _posts(state)
    for side, space in posts:
        if side != SIDES[0] or (enemy(side), space) not in posts:
            continue
        place, march = state.spaces[space], state.march
        passing = march is not None and march.at == space
        if not any(place.outside(each).size for each in SIDES) and not passing and not is_contested(state, space):
            yield space


def _posts(state: Campaign) -> set[tuple[Side, str]]:
    """movement.land.5a Where generals of a side stand outside the walls."""
    return {
        (state.leaders[name].side, general.space)
        for name, general in state.generals.items()
        if general.status == "board" and general.space is not None and not general.inside
    }


def clear_lone(state: S) -> Handled[S]:
    """movement.land.5a, 8.2.1.capture Nobody stands alone outside the walls among enemy CUs: generals are displaced,
    trains taken. movement.land.1e: nor does a general alone stand with one of the enemy's; the mover's goes.

    Asked after every change, once it is settled who stays in a space (`is_contested`).
    """
    events: tuple[Event, ...] = ()
    for side, space in tuple(lone_among_enemies(state)):
        state, more = catch_alone(state, side, space)
        events += more
    for space in sorted(lone_pairs(state)):
        mover = state.play.side if state.play is not None else SIDES[0]
        state, more = displace_all(state, generals_at(state, mover, space, inside=False), "movement.land.1e")
        events += more
    return state, events


def is_met_alone(state: Campaign, side: Side, space: str) -> bool:
    """movement.land.1e Does a general of the enemy stand outside the walls there, without a CU?"""
    other = enemy(side)
    return not state.spaces[space].outside(other).size and bool(generals_at(state, other, space, inside=False))


def give_way(state: S, side: Side, names: tuple[str, ...], space: str) -> Handled[S]:
    """movement.land.1e Generals who must come without a CU to where one of the enemy's stands are displaced."""
    if state.spaces[space].outside(side).size or not is_met_alone(state, side, space):
        return state, ()
    return displace_all(state, names, "movement.land.1e")
