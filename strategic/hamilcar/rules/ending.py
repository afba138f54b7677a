"""How the war ends."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.state import Handled, Result, State
from strategic.point_to_point.commands import Resign
from strategic.point_to_point.tables import SIDES, Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import event


def end(state: State, winner: Side, rule: str, why: str) -> Handled:
    """victory.5 The campaign is over; what was at sea is in port."""
    for side in SIDES:
        state = state.put_into_port(side, tuple(ship.name for ship in state.fleet(side) if ship.at_sea))
    state = replace(
        state,
        result=Result(winner, why),
        phase="over",
        agenda=(),
        play=None,
        march=None,
        voyage=None,
        battle=None,
        naval=None,
        engagement=None,
        active=None,
    )
    return state, (event(rule, "over", winner=winner, why=why),)


def resign(state: State, command: Resign, dice: Dice) -> Handled:
    """victory.4 A side sues for peace and has lost."""
    return end(state, enemy(command.side), "victory.4", f"{command.side} sues for peace")
