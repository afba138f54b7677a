"""Campaigns: the systems that are played on a strategic map."""

from __future__ import annotations

from strategic.hamilcar import HAMILCAR
from strategic.hannibal import HANNIBAL
from strategic.punic_wars import PUNIC_WARS
from strategic.sword_of_rome import SWORD_OF_ROME
from tactical.kernel.protocol import System

SYSTEMS: dict[str, System] = {system.name: system for system in (HANNIBAL, HAMILCAR, SWORD_OF_ROME, PUNIC_WARS)}
