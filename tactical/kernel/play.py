"""The names of before: `protocol` has them now."""

from __future__ import annotations

from tactical.kernel.protocol import (
    ADJUSTED,
    SPECTATOR,
    UMPIRE,
    Event,
    Handled,
    Handler,
    Illegal,
    NotYours,
    Offer,
    OptionInfo,
    Outcome,
    Prompt,
    ScenarioInfo,
    System,
    event,
)

__all__ = [
    "ADJUSTED", "SPECTATOR", "UMPIRE", "Event", "Handled", "Handler", "Illegal", "NotYours", "Offer", "OptionInfo",
    "Outcome", "Prompt", "ScenarioInfo", "System", "event",
]  # fmt: skip
