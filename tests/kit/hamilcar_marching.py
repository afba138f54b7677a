"""Armies of Hamilcar on the march and in battle, as in the older game."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, War, turn_of
from strategic.hamilcar.state import State
from tactical.kernel.protocol import Illegal

REGULUS, DUILIUS, COTTA, CAUDEX, METELLUS = (
    "marcus_atilius_regulus",
    "gaius_duilius",
    "gaius_aurelius_cotta",
    "appius_claudius_caudex",
    "lucius_caecilius_metellus",
)


GISCO, HANNO, HIMILCO, ADHERBAL = "hannibal_gisco", "hanno", "himilco", "adherbal"


def refused(table: War, seat: str, word: str, rule: str, **fields: Any) -> None:
    """The command is refused by this paragraph."""
    with pytest.raises(Illegal) as refusal:
        table.say(seat, word, **fields)
    assert refusal.value.rule == rule


def marching(state: State, side: str, general: str) -> War:
    """The general is activated with a card of three."""
    table = turn_of(state, side, THREE)  # type: ignore[arg-type]
    table.say(side, "activate", card=THREE, general=general)
    return table


def plain(state: State, *spaces: str) -> State:
    """The same with spaces that bear no marker and no tribe."""
    for space in spaces:
        state = state.with_place(space, replace(state.spaces[space], tribe=False, control=None))
    return state
