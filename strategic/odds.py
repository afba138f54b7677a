"""Exact odds of the campaigns' rolls, from the same tables and functions that their rules read."""

from __future__ import annotations

from strategic import SYSTEMS
from tactical.odds.calculator import Calculator

CALCULATORS: tuple[Calculator, ...] = tuple(each for system in SYSTEMS.values() for each in system.calculators)
