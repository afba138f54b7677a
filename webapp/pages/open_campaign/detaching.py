"""O2.2 Ships that leave a fleet, by their numbers of each type, as the orders page asks for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import count as numbers
from typing import Any

from flask import request

from tactical.kernel.record import BadInput
from webapp.http.forms import count
from webapp.presenting.labels import type_word

LONGEST_NAME = 40
View = Mapping[str, Any]


def kinds_of(view: View, fleet: str) -> tuple[tuple[str, str, int], ...]:
    """The types of a fleet's ships: id, word and how many; none for a fleet that cannot be split."""
    ships = view["fleets"][fleet]["ships"] if fleet in view["fleets"] else ()
    found = Counter(str(view["ships"][each]["type"]) for each in ships)
    return tuple((kind, type_word(kind), number) for kind, number in found.items()) if len(ships) > 1 else ()


def read_detach(view: View, side: str, fleet: str) -> dict[str, Any]:
    """The form as a command: so many ships of each type, the soundest of them or the most damaged.

    Raises BadInput where no ship is named.
    """
    own = view["fleets"].get(fleet, {"side": "", "ships": ()})
    worst = request.form.get("worst") == "1"
    by_damage = sorted(own["ships"] if own["side"] == side else (), key=lambda each: damage_of(view, each, worst))
    ships: list[str] = []
    for kind in dict.fromkeys(view["ships"][each]["type"] for each in by_damage):
        wanted = count(request.form.get(f"number.{kind}", "")) or 0
        ships += [each for each in by_damage if view["ships"][each]["type"] == kind][:wanted]
    if not ships:
        raise BadInput("ships", "say how many ships leave the fleet")
    new = next(str(number) for number in numbers(1) if f"{fleet}-{number}" not in view["fleets"])
    name = request.form.get("name", "").strip()[:LONGEST_NAME]
    return {"type": "detach", "side": side, "fleet": fleet, "ships": sorted(ships), "new": new, "name": name}


def damage_of(view: View, ship: str, worst: bool) -> tuple[int, str]:
    """What ships are sorted by: the least damaged first, or the most."""
    damage = int(view["ships"][ship]["damage"])
    return (-damage if worst else damage, ship)
