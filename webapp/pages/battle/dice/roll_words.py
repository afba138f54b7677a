"""What a roll is for and what its faces do, as the table reads it before it throws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tactical.battle import Battle
from tactical.rules.boarding import HITS
from tactical.rules.boarding import TABLE as BOARDING
from tactical.rules.end_of_turn import closes
from tactical.rules.ramming import RAM
from webapp.http.language import gettext as _
from webapp.http.signs import faces, with_sign
from webapp.presenting.battle_labels import figure_word, ship_name, side_name


def roll_title(battle: Battle, rule: str, about: Mapping[str, str]) -> str:
    """What a roll is for, as the table reads it before it throws."""
    ship = ship_name(battle, about.get("ship")) if about.get("ship") else ""
    target = ship_name(battle, about.get("target")) if about.get("target") else ""
    if rule == "G3.4":
        return _("Initiative of %(side)s", side=side_name(battle, about.get("side")))
    if rule == "G5.2":
        return _(
            "%(weapon)s of %(ship)s at %(target)s",
            weapon=figure_word(f"{about.get('weapon')}s").capitalize(),
            ship=ship,
            target=target,
        )
    if rule == "G6.1":
        return _("Bow to bow: %(ship)s", ship=ship)
    if rule == "G6.2":
        return _("Ram damage: %(ship)s at %(target)s", ship=ship, target=target)
    if rule == "G8.1":
        return _("%(ship)s boards %(target)s", ship=ship, target=target)
    if rule == "G8.3":
        return _("Fight: %(figure)s of %(ship)s", figure=figure_word(str(about.get("figure"))), ship=ship)
    if rule == "G9.2":
        return _("Repairs aboard %(ship)s", ship=ship)
    if rule == "G2.3":
        return _("Dice of %(side)s", side=side_name(battle, about.get("side")))
    return " ".join(about.values()) or rule


def roll_meaning(rule: str, about: Mapping[str, str]) -> str:
    """What the faces of a roll do, in a line; the tables are in the reference."""
    known = {
        "G3.4": _("the lower roll moves first"),
        "G6.1": _("the higher roll rams; the better crew adds %(more)s", more=RAM.better_crew),
        "G6.2": _("the die, the type's ram modifier, %(more)s at full speed", more=with_sign(RAM.full_speed)),
        "G8.1": _("she boards on %(faces)s", faces=faces(BOARDING.board.succeeds)),
        "G9.2": _(
            "a breach is closed on %(faces)s, in a fight only on %(fight)s",
            faces=faces(closes(in_fight=False)),
            fight=faces(closes(in_fight=True)),
        ),
    }
    if rule == "G8.3":
        hits = HITS.get(str(about.get("figure")), ())
        return _("kills one enemy on %(faces)s", faces=faces(hits)) if hits else ""
    return known.get(rule, "")


def head_on_sums(battle: Battle, it: Mapping[str, Any]) -> str:
    """G6.1 The two sums of a meeting bow to bow, as a sentence to follow; empty where the event does not hold them."""
    rolled_by, dice = tuple(it.get("rolled_by") or ()), tuple(it.get("dice") or ())
    if len(rolled_by) != 2 or len(dice) != 2 or "margin" not in it:
        return ""
    more = int(it["margin"]) - (dice[0] - dice[1])  # above 0 the first has the better rowers, below 0 the other
    said = []
    bonus = (max(0, more), max(0, -more))
    for name, face, own in zip(rolled_by, dice, bonus, strict=True):
        ship = ship_name(battle, name)
        words = _(
            "%(ship)s %(face)s + %(more)s (better rowers) = %(sum)s", ship=ship, face=face, more=own, sum=face + own
        )
        said.append(words if own else f"{ship} {face}")
    return f" {', '.join(said)}."
