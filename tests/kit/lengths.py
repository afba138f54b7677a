"""How long `make soak` is: how many games, seeds and rounds, each in one place. `LENGTH=10 make soak` takes ten times as many.

The numbers are chosen for fifty minutes on two quiet cores (docs/threats.md has what each costs).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

LENGTH = float(os.environ.get("LENGTH", "1"))


def scaled(number: int) -> int:
    """So many, times LENGTH; at least one."""
    return max(1, round(number * LENGTH))


def seeds(now: Iterable[int], soak: int) -> list[Any]:
    """Values for `parametrize`: these seeds always, and so many others in the soak alone."""
    first = list(now)
    later = [seed for seed in range(scaled(soak) + len(first)) if seed not in first][: scaled(soak)]
    return [*first, *(pytest.param(seed, marks=pytest.mark.soak) for seed in later)]


# Games at random and of captains of each scenario (tests/soak/test_soak.py).
GAMES = {"galley": 3, "hannibal": 12, "hamilcar": 18, "sword_of_rome": 6, "punic_wars": 2, "open_campaign": 2}
CAPTAINS = {"galley": 1, "hannibal": 2, "hamilcar": 2, "sword_of_rome": 1, "punic_wars": 1, "open_campaign": 1}
FIRST_TRIES = 1  # of each kind of command in a first position
FIRST_ONWARD = 10  # commands that are played on from each

# Crowded, tight and odd positions of the campaigns.
CROWDED_PARTS, CROWDED_WARS, OFFERED_WARS = 4, 8, 40
FORETOLD = 1000  # positions of each war whose previews are played (tests/strategic/test_foretold.py)
TIGHT_SWORD_OF_ROME, TIGHT_PUNIC_WARS = 60, 50
ODD_POSITIONS, MANGLED_POSITIONS = 10, 8
WARS_OF_SIDES = 2  # open campaigns of each number of sides from two to eight
WARS_AT_RANDOM = {"hannibal": 8, "hamilcar": 8, "linked": 8, "punic_wars": 3}
SEASONS = 1000
ENGINE_SEASONS = 200
TWO_ORDERS = 5

# The galley game.
BOARDS_AGREE, SEA_TURNED, HULLS_SWEPT = 300, 6, 10
ORACLE = 1500  # battles of tests/tactical/test_galley_oracle.py
SMALL_BOARD_PAIRS, SMALL_BOARD_TURNED = 8, 4  # of the 36 pairs of sheets
ODD_BATTLES = 8  # parts of a thousand positions at random
SECRET_PAIRS = 6  # pairs of positions that differ in a secret, for each scenario

# Photographs of a table (tests/soak/test_camera.py): of each kind of table, and of no table.
CAMERA_SCENES, CAMERA_EMPTY = 20, 30

# Pages.
ACTS_TOLD = 80  # of a campaign in each language, whose pages are read after each
PANELS = 9  # games of each campaign whose panels are read at five positions (tests/webapp/campaign)
BATTLES_ALONE = 4  # of the 24 ways of tests/browser/battle/test_battle_alone.py

# The server.
KILLS = 10
MACHINES_KILLED = 4
FUZZ_SECONDS = 240
SCHEMA_EXAMPLES = 200
LOAD_SECONDS = 60
