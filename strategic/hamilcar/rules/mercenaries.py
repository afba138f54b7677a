"""6.1.2, 6.1.3 Hiring Xanthippus and Hamilcar Barca for PCs of the Council, in place of a card."""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from strategic.hamilcar.commands import Hire
from strategic.hamilcar.rules.hand import why_not_opening
from strategic.hamilcar.rules.landings import landings
from strategic.hamilcar.rules.operations import active_side
from strategic.hamilcar.rules.survey import BARCA, XANTHIPPUS
from strategic.hamilcar.rules.troops import General
from strategic.hamilcar.rules.turn import impulse_over
from strategic.hamilcar.state import Handled, State
from strategic.point_to_point.pieces import Troops
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, event, refuse


def price(state: State) -> int:
    """6.1.2 The sword on the turn track."""
    cost: int = state.tables.turns.mercenary_price[state.turn - 1]
    return cost


def may_hire(state: State, general: str) -> bool:
    """6.1.2, 6.1.3 Xanthippus from the start, Barca only after him; the price must lie in the Council."""
    if state.generals[general].status != "mercenary" or len(state.council) < price(state):
        return False
    return general == XANTHIPPUS or state.xanthippus_came > 0


def hire(state: State, command: Hire, dice: Dice) -> Handled:
    """6.1.2, 6.1.3 The PCs leave the Council; this stands for the play of a card and counts 0 in the war budget."""
    side = active_side(state)
    refuse(why_not_opening(state, side))
    if side != "carthage" or command.general not in (XANTHIPPUS, BARCA):
        raise Illegal("6.1.2", "only Carthage can hire generals, and only Xanthippus and Hamilcar Barca")
    if not may_hire(state, command.general):
        raise Illegal(
            "6.1.3" if command.general == BARCA else "6.1.2", "%(general)s cannot be hired now", general=command.general
        )
    if command.at not in landings(state, command.general):
        raise Illegal("6.1.2.a", "%(general)s cannot arrive in %(at)s", general=command.general, at=command.at)
    cells = set(command.cells)
    if len(cells) != len(command.cells) or len(cells) != price(state) or not cells <= set(state.council):
        raise Illegal(
            "6.1.2",
            "this general costs %(price)s %(price|PC|PCs)s from the Council; "
            "choose %(price|one PC|that many different PCs)s",
            price=price(state),
        )
    state = replace(state.answered(), council=tuple(cell for cell in state.council if cell not in cells))
    state = state.with_general(command.general, General("board", command.at))
    troops = Troops(0, 1) if command.general == XANTHIPPUS else Troops(1)
    state = state.add(command.at, "carthage", troops)
    events: tuple[Event, ...] = (
        event(
            "6.1.2", "hired", general=command.general, space=command.at, cells=[list(cell) for cell in command.cells]
        ),
    )
    if command.general == XANTHIPPUS:
        state = replace(state, forgotten=False, xanthippus_came=state.turn)
        events += (event("6.1.2.a", "tactics_remembered"),)
    return impulse_over(state), events


def offers(state: State) -> tuple[Offer, ...]:
    """6.1.2, 6.1.3 Who can be hired, where he lands, and which PCs pay."""
    if active_side(state) != "carthage" or state.opening is not None:
        return ()
    found = []
    for general in (XANTHIPPUS, BARCA):
        if may_hire(state, general) and landings(state, general):
            cells = [[list(cell) for cell in group] for group in combinations(state.council, price(state))]
            found.append(
                Offer("hire", "6.1.2", {"general": general, "at": list(landings(state, general)), "cells": cells})
            )
    return tuple(found)
