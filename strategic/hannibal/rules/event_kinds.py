"""The registry of events by the name that the cards' table gives them."""

from __future__ import annotations

from strategic.hannibal.rules import events_political, events_troops, events_war
from strategic.hannibal.rules.event_shape import Choice, Kind

EVENTS: dict[str, Kind] = {**events_political.EVENTS, **events_troops.EVENTS, **events_war.EVENTS}
CHOICES: dict[str, Choice] = {**events_political.CHOICES, **events_troops.CHOICES, **events_war.CHOICES}
