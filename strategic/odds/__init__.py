"""Exact odds of the campaigns' rolls, from the same tables and functions that their rules read."""

from __future__ import annotations

from strategic.odds.hamilcar import HAMILCAR
from strategic.odds.hannibal import HANNIBAL
from strategic.odds.punic_wars import PUNIC_WARS
from tactical.odds.calculator import Calculator

CALCULATORS: tuple[Calculator, ...] = (*HANNIBAL, *HAMILCAR, *PUNIC_WARS)
