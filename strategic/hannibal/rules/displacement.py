"""Displacement of generals, and the siege train that may go with them."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.state import State
from strategic.hannibal.survey import generals_at, side_of
from strategic.hannibal.tables import LEADERS, Side
from tactical.kernel.play import Event, Prompt, event


def displace(state: State, general: str, rule: str) -> tuple[State, tuple[Event, ...]]:
    """movement.land.5 Take a general off the board. losses.9: Hannibal and Africanus die; Hannibal costs 5 PCs."""
    leader, record = LEADERS[general], state.generals[general]
    home = "pool" if leader.side == "rome" else "displaced"
    gone = replace(record, status="dead" if leader.dies else home, space=None, inside=False)
    events: tuple[Event, ...] = (event(rule, "displaced", general=general, space=record.space, dead=leader.dies),)
    state = state.with_general(general, gone)
    if state.lasting.siege_train == general:
        state, more = lose_train(state)
        events += more
    if leader.displaced_pcs:
        about = {"left": leader.displaced_pcs, "why": general}
        state = state.then(Prompt("remove", leader.side, "losses.9", about))
    return state, events


def displace_all(state: State, names: tuple[str, ...], rule: str) -> tuple[State, tuple[Event, ...]]:
    """movement.land.5 Displace several generals."""
    events: tuple[Event, ...] = ()
    for name in names:
        state, more = displace(state, name, rule)
        events += more
    return state, events


def caught_alone(state: State, side: Side, space: str) -> tuple[State, tuple[Event, ...]]:
    """movement.land.5a Generals of a side outside the walls without a CU, where enemy CUs have come."""
    if state.spaces[space].outside(side).size:
        return state, ()
    return displace_all(state, generals_at(state, side, space, inside=False), "movement.land.5a")


def lose_train(state: State) -> tuple[State, tuple[Event, ...]]:
    """strategy.event.1 Card 30: the siege train is lost where it cannot go, in a retreat, or alone."""
    general = state.lasting.siege_train
    if general is None:
        return state, ()
    return state.now(siege_train=None), (event("strategy.event.1", "siege_train_lost", card=30, general=general),)


def train_among(state: State, names: tuple[str, ...]) -> bool:
    """strategy.event.1 Is the siege train with one of these generals?"""
    return (
        state.lasting.siege_train is not None
        and side_of(state.lasting.siege_train) == "carthage"
        and (state.lasting.siege_train in names)
    )
