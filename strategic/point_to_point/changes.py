"""The small named changes that the campaigns of both games make: the agenda, places, people, troops.

A campaign's record takes them as its methods (`then = changes.then`): each stands once, and nothing is inherited.
"""

from __future__ import annotations

from typing import Any

from strategic.point_to_point.pieces import Place, Troops, replace
from strategic.point_to_point.state import General, S
from strategic.point_to_point.tables import Side
from tactical.kernel.protocol import Prompt

# the agenda


def asks(state: S) -> Prompt | None:
    """The prompt that is next; None when the phase goes on by itself."""
    return state.agenda[-1] if state.agenda else None


def then(state: S, *prompts: Prompt) -> S:
    """Put prompts on the agenda, in the order in which they will come."""
    return replace(state, agenda=(*state.agenda, *reversed(prompts)))


def pop_prompt(state: S) -> S:
    """Take the current prompt off."""
    return replace(state, agenda=state.agenda[:-1])


def asking(state: S, **about: Any) -> S:
    """The current prompt with other facts."""
    prompt = state.agenda[-1]
    return replace(state, agenda=(*state.agenda[:-1], replace(prompt, about={**prompt.about, **about})))


# places and people


def with_place(state: S, space: str, place: Place) -> S:
    """The same with another record of a space."""
    return replace(state, spaces={**state.spaces, space: place})


def with_general(state: S, name: str, general: General) -> S:
    """The same with another record of a general."""
    return replace(state, generals={**state.generals, name: general})


def move_generals(state: S, names: tuple[str, ...], space: str, inside: bool = False) -> S:
    """Put generals into a space."""
    moved = {name: replace(state.generals[name], space=space, inside=inside) for name in names}
    return replace(state, generals={**state.generals, **moved})


def add(state: S, space: str, side: Side, troops: Troops, inside: bool = False) -> S:
    """Put troops into a space, outside or inside its walls."""
    place = state.spaces[space]
    if inside:
        return state.with_place(space, replace(place, inside=place.inside.plus(troops)))
    return state.with_place(space, place.with_outside(side, place.outside(side).plus(troops)))


def take(state: S, space: str, side: Side, troops: Troops, inside: bool = False) -> S:
    """Take troops out of a space: those outside the walls first, or only from inside."""
    place = state.spaces[space]
    if inside:
        return state.with_place(space, replace(place, inside=place.inside.minus(troops)))
    return state.with_place(space, place.without(side, troops))


def set_outside(state: S, space: str, side: Side, troops: Troops) -> S:
    """Let exactly these troops of a side be outside the walls."""
    return state.with_place(space, state.spaces[space].with_outside(side, troops))


def enter_walls(state: S, space: str, side: Side, troops: Troops) -> S:
    """Move troops from outside to inside the walls."""
    place = state.spaces[space]
    out = place.with_outside(side, place.outside(side).minus(troops))
    return state.with_place(space, replace(out, inside=out.inside.plus(troops)))
