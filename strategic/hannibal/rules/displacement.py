"""Displacement of generals, and the siege train that may go with them."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.survey import side_of
from strategic.hannibal.state import Handled, State
from strategic.hannibal.tables import LEADERS
from strategic.point_to_point.tables import Side
from tactical.kernel.protocol import Event, Prompt, event


def displace(state: State, general: str, rule: str) -> Handled:
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


def lose_train(state: State) -> Handled:
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


def leave_train(state: State, side: Side, names: tuple[str, ...], space: str, how: str) -> Handled:
    """strategy.event.1 The siege train is lost in a retreat; edition.4 it survives avoiding battle and withdrawal."""
    if not train_among(state, names) or (how != "retreat" and state.options.siege_train_survives):
        return state, ()
    return lose_train(state)
