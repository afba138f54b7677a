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
    "boarding": ("r2", "c2"),
    "first": ("rome", "carthage"),
    "side": ("rome", "carthage"),
    "list": ("r1", ("r1", "c1")),
}
HANNIBAL = {"side": ("rome", "carthage"), "space": ("capua", "syracuse"), "general": ("hannibal", "hanno")}
HAMILCAR = {"side": ("carthage", "rome"), "space": ("lilybaeum", "messana"), "general": ("hanno", "gaius_duilius")}
HAMILCAR |= {"cost": (1, 5)}
SWORD = {"side": ("romans", "gauls"), "space": ("roma", "thurii"), "general": ("pyrrhus", "camillus")}
SWORD |= {"room": (1, 3), "units": (2, 5)}
PUNIC = {
    "side": ("rome", "syracuse"),
    "space": ("0612", "3315"),
    "general": ("ra", "ca"),
    "region": ("Sicilia", "Bruttium"),
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
    "": ("", {"list": (("Anna",), ("Anna", "Bruno")), "either": (("Anna",), ("Anna", "Bruno"))}),
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
SHIP_GAPS = ["passing", "ship", "ship2", "target", "waits"]
NUMBERS = [
    "attackers",
    "affordable",
    "available",
    "better",
    "count",
    "damage",
    "elephants",
    "fit",
    "hull",
    "inside",
    "italian",
    "last",
    "least",
    "left",
    "length",
    "levels",
    "limit",
    "loss",
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
    "ready",
    "reach2",
    "room",
    "room_inside",
    "room_left",
    "rounds",
    "sea_limit",
    "ship_limit",
    "ships",
    "short",
    "size",
    "speed",
    "sprints",
    "total",
    "trains",
    "trains_with",
    "treasury",
    "turn",
    "units",
    "used",
    "width",
    "height",
    "high",
    "row",
    "column",
    "columns",
    "rows",
    "digits",
    "longest",
    "more",
    "taken",
    "places",
    "rank",
    "die",
]
# what a refusal names beside a limit that it exceeds
MORE = [
    "build",
    "cost",
    "counted",
    "lost",
    "models_per_unit",
    "price",
    "reach",
    "recruit",
    "spent",
    "transports",
    "units2",
]
ANYWHERE: Mapping[str, Any] = {
    **dict.fromkeys(NUMBERS, (1, 5)),
    **dict.fromkeys(MORE, (3, 8)),
    "defenders": (3, 11),
    "range": (4, 9),
    "len": (2, 7),
    "low": (1, 2),
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


def filling(part: str, form: str, gap: str, number: int) -> Any:
    """The sample of this number (0 or 1) for a gap of a form; what may be "1 to" so many is more than 1."""
    own = PARTS[part][1]
    if f"1 to %({gap})s" in form:
        return (3, 5)[number]
    if gap in own:
        return own[gap][number]
    for gaps, word in ((SIDES, "side"), (SPACES, "space"), (GENERALS, "general"), (SHIP_GAPS, "ship")):
        if gap in gaps and word in own:
            first = gap in ("side", "space", "origin", "general", "ship") or (gap == "at" and "%(to)s" in form)
            return own[word][(number + (not first)) % 2]
    return ANYWHERE.get(gap, ("…", "…"))[number]
