"""What was done by hand, as sentences: against a rule, by the umpire, by a mark on a sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tactical.battle import Battle
from tactical.kernel.adjusting import HIDDEN
from webapp.http.language import gettext as _
from webapp.http.signs import minus
from webapp.presenting.battle_labels import box_word, ship_name, side_name

Data = Mapping[str, Any]


def anyway(battle: Battle, it: Data) -> str:
    return _("Done although a rule forbids it: %(reason)s", reason=it.get("reason"))


def adjust(battle: Battle, it: Data) -> str:
    what = ship_name(battle, it["ship"]) if it.get("ship") else side_name(battle, it.get("side") or "")
    before = it.get("before", {})
    changes = it.get("changes", {}).items()
    said = ", ".join(
        f"{box_word(name)} {hand_value(before.get(name))} → {hand_value(value)}" for name, value in changes
    )
    return _(
        "The umpire adjusts %(what)s: %(changes)s (%(why)s).",
        what=what or _("the battle"),
        changes=said,
        why=it.get("why"),
    )


def adjusted(battle: Battle, it: Data) -> str:
    """Each ship, side or the battle with its fields, before and after; of a hidden field only the name."""
    before, owned = it.get("before", {}), dict[str, list[str]]()
    for path, value in it.get("changes", {}).items():
        kind, _dot, rest = path.partition(".")
        owner, _dot, field = rest.partition(".")
        what = {"ships": ship_name(battle, owner), "sides": side_name(battle, owner)}.get(kind, _("the battle"))
        name = box_word(field if kind in ("ships", "sides") and field else path)
        said = (
            _("%(field)s (hidden)", field=name)
            if value == HIDDEN
            else f"{name} {hand_value(before.get(path))} → {hand_value(value)}"
        )
        owned.setdefault(str(what), []).append(said)
    return " ".join(
        _("The umpire adjusts %(what)s: %(changes)s (%(why)s).", what=what, changes=", ".join(said), why=it.get("why"))
        for what, said in owned.items()
    )


def mark(battle: Battle, it: Data) -> str:
    return _(
        "Marked by hand on %(ship)s: %(field)s %(before)s → %(value)s.",
        ship=ship_name(battle, it["ship"]),
        field=box_word(str(it.get("field"))),
        before=hand_value(it.get("before")),
        value=hand_value(it.get("value")),
    )


def hand_value(value: Any) -> Any:
    """What stood or stands in a field: a number below zero with the minus sign, all else as it is."""
    return minus(value) if isinstance(value, int | float) and value < 0 else value


WRITERS: dict[str, Callable[[Battle, Data], str]] = {each.__name__: each for each in (anyway, adjust, adjusted, mark)}
