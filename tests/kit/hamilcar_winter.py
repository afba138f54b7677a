"""The war budget of Hamilcar."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from kit.hamilcar_war import War, no_storms, war
from strategic.hamilcar.state import State
from tactical.kernel.dice import Dice

REGULUS, GISCO, HANNO, XANTHIPPUS = "marcus_atilius_regulus", "hannibal_gisco", "hanno", "xanthippus"


def count(state: State) -> War:
    """The victory check."""
    from kit.hamilcar_war import read_plain, secret
    from strategic.hamilcar import HAMILCAR

    state = no_storms(replace(state, phase="victory", active=None, hands={"rome": (), "carthage": ()}))
    table = War.__new__(War)
    outcome = HAMILCAR.start(None, read_plain(state), {}, Dice(secret=secret))
    table.state, table.events = outcome.state, outcome.events
    return table


def budget(spent: dict[str, int], state: State | None = None, **changes: Any) -> War:
    return count(replace(state or war(), spent=spent, **changes))
