"""Samples of the events whose sentences a function makes, of the link's events and of a captain's reasons."""

from __future__ import annotations

from typing import Any

Events = tuple[dict[str, Any], ...]
SHIPS = {"rome": ["Aquila", "Lupa"], "carthage": ["Tanit"]}
LOST = {"rome": {"sunk": 1}, "carthage": {"sunk": 5, "captured": 2, "transports": 1}}

# The link's events as The Sword of Rome (plural sides) and Hamilcar tell them.
LINK: dict[str, Events] = {
    "sword_of_rome": (
        {"type": "engagement", "place": "thurii", "ships": {"romans": 1, "greeks": 5}},
        {"type": "way", "side": "romans", "way": "battle"},
        {"type": "way", "side": "greeks", "way": "battle", "agreed": "battle"},
        {"type": "way", "side": "greeks", "way": "report", "agreed": "own_table"},
        {"type": "report", "side": "carthaginians"},
        {"type": "settled", "winner": "greeks", "sides": {}},
    ),
    "hamilcar": (
        {"type": "engagement", "place": "lipara", "ships": SHIPS, "transports": {"rome": 1, "carthage": 0}},
        {"type": "engagement", "place": "lipara", "ships": {"rome": ["Aquila"], "carthage": []}},
        {"type": "way", "side": "rome", "way": "own_table"},
        {"type": "battle_opened", "models_per_unit": 1},
        {"type": "battle_opened", "models_per_unit": 5},
        {"type": "battle", "game": "ABCD2345"},
        {"type": "report", "side": "rome"},
        {"type": "settled", "winner": "rome", "sides": LOST},
        {"type": "settled", "winner": None, "sides": {"rome": {}}},
        {"type": "convoy", "arrives": True, "lost": 0},
        {"type": "convoy", "arrives": True, "lost": 2},
        {"type": "convoy", "arrives": False, "lost": 1},
        {"type": "convoy", "arrives": False, "lost": 0},
        {"type": "ships_home", "side": "rome", "ships": ["Aquila"], "ready": ["Aquila"]},
        {"type": "ships_home", "side": "rome", "ships": ["Aquila", "Lupa"], "ready": [], "damage": {"Lupa": 2}},
        {"type": "ships_home", "side": "carthage", "ships": [], "ready": []},
    ),
}

# What functions of the systems decide.
DECIDED: dict[str, Events] = {
    "hamilcar": (
        {"type": "engaged", "side": "rome", "target": "transports", "hits": 1, "prize": True},
        {"type": "engaged", "side": "carthage", "target": "ships", "hits": 0},
        {"type": "naval_battle", "first": "rome", "cards": {"rome": 2, "carthage": 1}},
        {"type": "reform", "general": "gaius_duilius", "kind": "corvus"},
        {
            "type": "sailed",
            "general": "gaius_duilius",
            "units": 5,
            "start": "messana",
            "to": "lipara",
            "ships": ["Lupa"],
        },
        {"type": "sailed", "general": "hanno", "units": 1, "start": "lipara", "to": "messana", "ships": []},
        {"type": "seamanship", "level": "excellent"},
        {"type": "seamanship", "level": "poor"},
        {"type": "ships_hit", "side": "rome", "sunk": ["Aquila", "Lupa"], "taken": ["Tanit"]},
        {"type": "ships_hit", "side": "carthage", "sunk": [], "taken": []},
        {"type": "ships_home", "side": "rome", "ships": ["Aquila", "Lupa"], "ready": ["Lupa"]},
        {"type": "ships_home", "side": "carthage", "ships": ["Tanit"], "ready": []},
        {"type": "retreated", "side": "rome", "to": "city", "lost": 1},
        {"type": "retreated", "side": "carthage", "to": ["lipara", "messana"], "lost": 5},
        {"type": "battle_hands"},
    ),
    "sword_of_rome": (
        {"type": "declared", "side": "romans", "intercepts": [], "avoids": []},
        {
            "type": "declared",
            "side": "romans",
            "intercepts": [{"leader": "pyrrhus", "space": "thurii", "units": 5}],
            "avoids": [{"power": "greeks"}, {"power": "gauls"}],
        },
        {"type": "declared", "side": "romans", "intercepts": [], "avoids": [{"power": "gauls"}]},
    ),
    "punic_wars": (
        {"type": "adjusted", "changes": {"a": 1}},
        {"type": "adjusted", "changes": {"a": 1, "b": 2}},
        {"type": "adjustment", "why": "…"},
    ),
    "galley": (
        {"type": "reveal", "speeds": {"r1": 6, "c1": 4}},
        {
            "type": "fire",
            "ship": "r1",
            "target": "c1",
            "weapon": "archers",
            "dice": [6, 2],
            "range": 2,
            "dead": {"light": 1},
            "kills": 2,
        },
        {"type": "fire", "ship": "r1", "target": "c1", "weapon": "archers", "dice": [1], "range": 4},
        {"type": "fire", "ship": "c1", "target": "r1", "weapon": "stone_throwers", "dice": [6], "range": 1, "hull": 1},
        {"type": "bow_to_bow", "ship": "r1", "target": "c1", "rams": ["r1", "c1"]},
        {"type": "bow_to_bow", "ship": "r1", "target": "c1", "rams": ["c1"]},
        {"type": "ram", "ship": "r1", "target": "c1", "dice": [5], "modifier": 2, "full_speed": True, "damage": 8},
        {"type": "over", "winner": "carthage", "points": {"rome": 3, "carthage": 9}, "why": "no_ships"},
        {"type": "over", "winner": None, "points": {"rome": 1, "carthage": 1}, "why": "turn_limit"},
        {"type": "faces_given", "count": 1},
        {"type": "faces_given", "count": 5},
        {"type": "anyway", "reason": "…"},
        {"type": "adjust", "ship": "r1", "before": {"oars_broken": 0}, "changes": {"oars_broken": 1}, "why": "…"},
        {"type": "adjusted", "before": {"ships.r1.damage": 0}, "changes": {"ships.r1.damage": 2}, "why": "…"},
        {"type": "mark", "ship": "r1", "field": "breaches", "before": 0, "value": 2},
        {"type": "standing_order", "side": "rome"},
        {"type": "acted", "side": "rome", "name": "Anna", "duty": ""},
        {"type": "captain", "side": "rome", "level": "able"},
    ),
}

# What fills a captain's reasons; a kind takes what it names.
REASON: dict[str, Any] = {
    "face": 2,
    "foe": "c1",
    "damage": 7.5,
    "mine": 5,
    "rammed": 0.25,
    "range": 2,
    "ship": "r1",
    "spent": 1,
    "speed": 6,
    "theirs": 2,
    "value": 1.5,
}
# Reasons of a captain who has fewer ships than the enemy.
OUTMATCHED = ("aim_leave_sea", "aim_let_go", "aim_let_pass", "aim_turn_back", "evade")
IN_A_CAMPAIGN = {
    "fleet": "Duilius",
    "days": 2,
    "mine": 12,
    "theirs": "30",
    "general": "gaius_duilius",
    "space": "messana",
}
