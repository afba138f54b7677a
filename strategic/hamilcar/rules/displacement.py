"""Displacement of generals (6.1.1.d, 6.5.1)."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.rules.survey import ASINA, CAUDEX, FLACCUS, XANTHIPPUS
from strategic.hamilcar.rules.troops import General
from strategic.hamilcar.state import Handled, State
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import train_room
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.protocol import Prompt, event


def displace(state: State, general: str, rule: str) -> Handled:
    """6.1.1.d Take a general off the board: to the reserve (6.1.3.c) or the pool; Xanthippus leaves (6.1.2.b).

    6.5.1 A Roman Aristocrat costs PCs equal to his battle rating.
    """
    leader, record = state.leaders[general], state.generals[general]
    state = leave_board(state, general)
    told = event(rule, "displaced", general=general, space=record.space, out=state.generals[general].status == "out")
    if leader.aristocrat and leader.side == "rome":
        about = {"left": leader.battle, "why": general}
        state = state.then(Prompt("remove", "rome", "6.5.1", about))
    return state, (told,)


def leave_board(state: State, general: str) -> State:
    """6.4.c A general leaves the board; Caudex leaves the game, and Asina joins the draw (4.1.b).

    6.4.d Flaccus leaves for good however it happens (option flaccus_leaves).
    """
    if state.march is not None and general in state.march.companions:
        march = state.march
        companions = tuple(name for name in march.companions if name != general)
        state = replace(state, march=replace(march, companions=companions))
    flaccus = general == FLACCUS and state.options.flaccus_leaves
    if general in (XANTHIPPUS, CAUDEX) or flaccus:
        state = state.with_general(general, General("out"))
    else:
        state = state.with_general(general, General("pool"))
    if general == CAUDEX and state.generals[ASINA].status == "out":
        state = state.with_general(ASINA, General("pool"))
    return state


def take_trains(state: State, loser: Side, space: str) -> Handled:
    """8.2.1.capture Trains left outside the walls go to the enemy who holds the field.

    Ruling: a garrison without CUs before its walls brings in what fits there (8.2.1.limit) and burns the rest.
    """
    left = state.spaces[space].outside(loser)
    winner = enemy(loser)
    if not left.trains:
        return state, ()
    state = state.set_outside(space, loser, replace(left, trains=0))
    told = event("8.2.1.capture", "trains_captured", side=winner, space=space, trains=left.trains)
    place = state.spaces[space]
    if place.outside(winner).size or not place.within(winner).size:
        return state.add(space, winner, left.only_trains()), (told,)
    fit = max(min(left.trains, train_room(state, space)), 0)
    state = state.add(space, winner, Troops(0, 0, fit), inside=True)
    if fit == left.trains:
        return state, (told,)
    burnt = event("8.2.1.burn", "trains_destroyed", side=winner, space=space, trains=left.trains - fit)
    return state, (told, burnt)


def leave_trains(state: State, side: Side, names: tuple[str, ...], space: str, how: str) -> Handled:
    """8.2.1.capture An army that retreats leaves its trains; one that slips away or withdraws takes them along."""
    return take_trains(state, side, space) if how == "retreat" else (state, ())
