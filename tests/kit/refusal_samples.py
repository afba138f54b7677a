"""What fills the gaps of refusals in samples: two for each gap, the second plural, feminine, or a 2 or a 5."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FORM_AT = {
    "BadFace": 1,
    "Barred": 0,
    "Illegal": 1,
    "NotYours": 0,
    "Reason": 0,
    "Refused": 0,
    "because": 0,
}  # which argument is the form
GAP = re.compile(r"%\((\w+)\)s")

# By the part of the sources: how a gap's name is filled there. What a part does not say, ANYWHERE does.
SHIPS = {
    "sides": (6, 100),
    "ship": ("r1", "c1"),
    "target": ("c1", "r1"),
    "side": ("rome", "carthage"),
    "list": ("r1", ("r1", "c1")),
    "ship2": ("r1", "c1"),
    "boarding": ("r2", "c2"),
    "contact": ("c1", "r1"),
    "first": ("rome", "carthage"),
    "waits": ("rome", "carthage"),
    "phase": ("2", "3"),
    "phases": ("6", "1, 2, 4, 6"),
    "change": ("3", "2"),
}
HANNIBAL = {"side": ("rome", "carthage"), "space": ("capua", "syracuse"), "general": ("hannibal", "hanno")}
HAMILCAR = {"side": ("carthage", "rome"), "space": ("lilybaeum", "messana"), "general": ("hanno", "gaius_duilius")}
HAMILCAR |= {"name": ("Aquila", "Tanit")}
SWORD = {"side": ("romans", "gauls"), "space": ("roma", "thurii"), "general": ("pyrrhus", "camillus")}
SWORD |= {"name": ("pyrrhus", "camillus"), "list": (("romans",), ("romans", "gauls")), "one": ("gauls", "romans")}
SWORD |= {"either": (("roma",), ("roma", "thurii"))}
PUNIC = {
    "side": ("rome", "syracuse"),
    "space": ("0612", "3315"),
    "general": ("ra", "ca"),
    "region": ("Sicilia", "Bruttium"),
    "origin": ("3315", "0612"),
}
OPEN = {"side": ("rome", "carthage"), "space": ("messana", "ostia_portus"), "general": ("x", "y")}
PARTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "tactical": ("galley", SHIPS),
    "strategic/hannibal": ("hannibal", HANNIBAL),
    "strategic/point_to_point": ("hannibal", HANNIBAL | {"name": HANNIBAL["general"], "most": (1, 5)}),
    "strategic/hamilcar": ("hamilcar", HAMILCAR),
    "strategic/naval": ("hamilcar", HAMILCAR),
    "strategic/sword_of_rome": ("sword_of_rome", SWORD),
    "strategic/punic_wars": ("punic_wars", PUNIC),
    "strategic/open_campaign": ("open_campaign", OPEN),
    "": ("", {"either": (("Anna",), ("Anna", "Marco"))}),
}
NOT_SHIFTED = ("side", "space", "general", "ship", "to", "origin", "other", "power2")  # others take the other name
# What the words of a form ask for, whatever its gaps are called.
BY_FORM: Mapping[str, Mapping[str, Any]] = {
    r"has no walls|not a city of|No connection": {"name": ("thurii", "roma")},
    r"(?i)engagement (?:called )?%\(name": {"name": ("E1", "E2")},
    r"cannot be played as|battle hand": {"card": ("probe", "reserve"), "kind": ("flank_left", "probe")},
    r"(?:0|1) to %\(most\)s": {"most": (2, 5)},
    r"must have %\(fewest\)s": {"fewest": (1, 2), "most": (2, 5)},
    r"at most %\(ready\)s": {"ready": (2, 5)},
    r"^[Tt]here is no leader called": {"leader": ("Regulus", "Xanthippus")},
    r"only four": {"elephants": (5, 6)},
    r"between %\(list|sides are": {"list": (("rome", "carthage"), ("carthage", "rome"))},
    r"models, not": {"models_per_unit": (3, 9)},
    r"report accounts": {"count": (2, 5)},
    r"but names": {"count": (2, 5)},
    r"places are of rank": {"rank": (2, 5), "taken": (1, 3)},
    r"but the army has": {"units": (2, 6)},
    r"her limit": {"speed": (1, 2), "high": (4, 5), "limit": (5, 6)},
}
SIDES = [
    "by",
    "enemy",
    "loser",
    "nation",
    "other",
    "others",
    "player",
    "power",
    "power2",
    "runner",
    "seat",
    "side",
    "sides",
    "taken_by",
    "who",
    "winner",
    "asked",
    "phasing",
    "active",
    "nations",
]
SPACES = ["at", "back", "end", "hex", "lane", "origin", "port", "space", "space2", "to", "where"]
GENERALS = ["commander", "general", "leader"]
SHIP_GAPS = ["passing", "ship", "target"]
NUMBERS = [
    "affordable",
    "attackers",
    "available",
    "counted",
    "cost",
    "count",
    "damage",
    "defenders",
    "elephants",
    "fit",
    "hull",
    "inside",
    "italian",
    "last",
    "least",
    "left",
    "len",
    "length",
    "levels",
    "limit",
    "loss",
    "lost",
    "models_per_unit",
    "most",
    "most_burnt",
    "most_models",
    "most_strategy",
    "needed",
    "needs",
    "number",
    "opening",
    "placed",
    "plot",
    "points",
    "price",
    "ready",
    "reach",
    "reach2",
    "recruit",
    "room",
    "room_inside",
    "room_left",
    "rounds",
    "sea_limit",
    "ship_limit",
    "ships",
    "short",
    "size",
    "spent",
    "speed",
    "sprints",
    "straight",
    "total",
    "trains",
    "trains_with",
    "transports",
    "treasury",
    "turn",
    "units",
    "units2",
    "used",
    "width",
    "height",
    "high",
    "row",
    "column",
    "columns",
    "rows",
    "range",
    "digits",
    "longest",
    "more",
    "taken",
    "rank",
    "build",
    "die",
]
ANYWHERE: Mapping[str, Any] = {
    **dict.fromkeys(NUMBERS, (1, 5)),
    **dict.fromkeys(("build", "cost", "counted", "needed", "price", "recruit", "spent", "units2"), (2, 6)),
    **dict.fromkeys(("lost", "transports"), (2, 5)),
    "better": ("a higher die", "a better ratio"),
    "defenders": (3, 11),
    "high": (3, 5),
    "last": (4, 9),
    "len": (1, 4),
    "low": (1, 2),
    "most_models": (2, 5),
    "places": (("Messana", "Zancle"), ("Messana", "Zancle", "Lipara")),
    "range": (6, 12),
    "reach": (5, 11),
    "reach2": (4, 10),
    "straight": (0, 2),
    "card": (12, 5),
    "crew": ("poor", "elite"),
    "crew2": ("elite", "poor"),
    "letter": ("A", "B"),
    "list": (("rome",), ("rome", "carthage")),
    "either": (("rome",), ("rome", "carthage")),
    "name": ("Anna", "Anna"),
    "status": ("sunk", "captured"),
    "step": ("fire", "ram"),
    "weapon": ("archer", "catapult"),
    "naval": (1, 2),
    "land": (1, 5),
}


def forms() -> Iterator[tuple[str, str]]:
    """Each form of a refusal in the sources with its part of them, once, in the order of the alphabet."""
    found = set()
    for folder in ("tactical", "strategic", "webapp"):
        for path in (ROOT / folder).rglob("*.py"):
            where = str(path.relative_to(ROOT))
            for node in ast.walk(ast.parse(path.read_text())):
                name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
                if not isinstance(node, ast.Call) or len(node.args) <= FORM_AT.get(name, 99):
                    continue
                reason = node.args[FORM_AT[name]]
                if isinstance(reason, ast.Constant) and isinstance(reason.value, str) and " " in reason.value:
                    part = next((part for part in sorted(PARTS, reverse=True) if where.startswith(part)), "")
                    found.add((part, reason.value))
    yield from sorted(found)


def filling(part: str, gap: str, number: int, form: str = "") -> Any:
    """The sample of this number (0 or 1) for a gap of a form."""
    own = PARTS[part][1]
    for words, gaps in BY_FORM.items():
        if gap in gaps and re.search(words, form):
            return gaps[gap][number]
    if gap in own:
        return own[gap][number]
    for names, word in ((SIDES, "side"), (SPACES, "space"), (GENERALS, "general"), (SHIP_GAPS, "ship")):
        if gap in names and word in own:
            return own[word][(number + (gap not in NOT_SHIFTED)) % 2]
    return ANYWHERE.get(gap, ("…", "…"))[number]
