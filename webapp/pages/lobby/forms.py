"""From the lobby's forms to what the store and the fleet builder take; no rule is known here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tactical.kernel.house_rules import OPTION
from tactical.kernel.protocol import OptionInfo, System
from tactical.kernel.record import BadInput, read
from tactical.ship import FIGURES, TYPES
from webapp.api.fleets import FleetsWanted, FleetWanted, ShipsWanted, position, proposal, propose
from webapp.http.forms import count
from webapp.storage.services.clocks import Rule, checked_rule

PLACES = ("first", "second")
LARGEST_FIRST = sorted(TYPES, key=lambda kind: -TYPES[kind].hull)  # the first ship leads


def options_of(system: System, form: Mapping[str, str]) -> dict[str, Any]:
    """The options that a form sets (`option.NAME`), as their choices are typed.

    An option without choices is yes or no, or a number, by its default; a group's own values are a text of their own,
    TOML or JSON. Raises BadInput for an unknown choice, what is no number, and values that do not hold.
    """
    chosen: dict[str, Any] = {}
    for option in system.options:
        text = form.get(f"option.{option.name}")
        if text in (None, ""):
            continue
        value = number(option.name, text) if is_number(option) else choice_of(option, text)
        if value != option.default:
            chosen[option.name] = value
    own = form.get(OPTION, "")
    if own.strip() and system.house is not None:
        chosen[OPTION] = system.house.replaced(system.house.from_text(own))
    return chosen


FIRST = {
    "sea_battles": "table",
    "by_hand": "one",
}  # what a new game begins with here, where that is not the engine's default


def first(option: OptionInfo) -> object:
    """The choice of an option with which a new game begins, by Start and by Set up alike."""
    return FIRST.get(option.name, option.default)


def is_number(option: OptionInfo) -> bool:
    """Is any whole number a choice?"""
    return not option.choices and isinstance(option.default, int) and not isinstance(option.default, bool)


def number(name: str, text: str) -> int:
    """A whole number as typed. Raises BadInput."""
    found = count(text)
    if found is None:
        raise BadInput(f"options.{name}", "'%(text)s' is not a whole number", text=text[:60])
    return found


def choice_of(option: OptionInfo, text: str) -> object:
    """The choice that is written so."""
    known = {form_value(choice): choice for choice in option.choices or (False, True)}
    if text not in known:
        raise BadInput(f"options.{option.name}", "'%(text)s' is not one of %(known)s", text=text, known=tuple(known))
    return known[text]


def form_value(choice: object) -> str:
    """A choice as a form's value."""
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def clock_of(form: Mapping[str, str]) -> Rule | None:
    """The clocks that a form asks for; None for none. Raises BadInput."""
    kind = form.get("clock", "")
    if kind == "down":
        return checked_rule(whole(form, "minutes", 0), whole(form, "extra", 0))
    return Rule() if kind == "count" else None


def fleets_of(form: Mapping[str, str]) -> FleetsWanted:
    """The fleets that the builder's form asks for. Raises BadInput with the field."""
    sides: dict[str, Any] = {}
    nations = [form.get(f"{place}.nation", "") for place in PLACES]
    for place, nation in zip(PLACES, nations, strict=True):
        side_id = place if nations[0] == nations[1] else nation or place
        sides[side_id] = {
            "nation": nation,
            "name": form.get(f"{place}.name", "")[:60],
            "squadrons": whole(form, f"{place}.squadrons", 0),
            "ships": [row for kind in LARGEST_FIRST if (row := ships_of(form, place, kind)) is not None],
        }
    raw = {
        "sides": sides,
        "board": {
            "kind": form.get("kind", "hexes"),
            "columns": whole(form, "columns", 20),
            "rows": whole(form, "rows", 14),
            "coast": form.get("coast", "open"),
        },
        "seed": whole(form, "seed", 0),
        "speed": whole(form, "speed", 0),
        "turn_limit": whole(form, "turn_limit", 0) or None,
    }
    wanted: FleetsWanted = read(raw, FleetsWanted)
    return wanted


def ships_of(form: Mapping[str, str], place: str, kind: str) -> dict[str, Any] | None:
    """One row of the form: number, crew, corvus, figures of its own; None for no such ships."""
    number = whole(form, f"{place}.{kind}", 0)
    if not number:
        return None
    row: dict[str, Any] = {"type": kind, "count": number}
    if form.get(f"{place}.{kind}.crew"):
        row["crew"] = form[f"{place}.{kind}.crew"]
    if form.get(f"{place}.corvus"):
        row["corvus"] = form[f"{place}.corvus"] == "yes"
    own = {name: f"{place}.{kind}.figures.{name}" for name in FIGURES}
    return row | {name: whole(form, field, 0) for name, field in own.items() if form.get(field, "").strip()}


def whole(form: Mapping[str, str], name: str, default: int) -> int:
    """A whole number of a form; BadInput names the field."""
    text = form.get(name, "").strip()
    if not text:
        return default
    found = count(text)
    if found is None:
        raise BadInput(name, "expected a whole number")
    return found


def form_of(wanted: FleetsWanted) -> dict[str, str]:
    """The form's values for these fleets, so that a page can show them again."""
    values = {
        "kind": wanted.board.kind,
        "columns": str(wanted.board.columns),
        "rows": str(wanted.board.rows),
        "coast": wanted.board.coast,
        "seed": str(wanted.seed),
        "speed": str(wanted.speed),
        "turn_limit": str(wanted.turn_limit or ""),
    }
    for place, fleet in zip(PLACES, wanted.sides.values(), strict=True):
        values |= form_of_fleet(place, fleet)
    return values


def form_of_fleet(place: str, fleet: FleetWanted) -> dict[str, str]:
    """The values of one side's part of the form."""
    rows: dict[str, ShipsWanted] = {row.type: row for row in fleet.ships}
    values = {f"{place}.nation": fleet.nation, f"{place}.name": fleet.name}
    for kind in TYPES:
        values[f"{place}.{kind}"] = str(rows[kind].count) if kind in rows else ""
        values[f"{place}.{kind}.crew"] = (rows[kind].crew or "") if kind in rows else ""
    return values


def first_form() -> dict[str, str]:
    """The builder before anybody has chosen."""
    return form_of(proposal())


STEPS = {"columns": (2, 6, 120), "rows": (2, 6, 120), "turn_limit": (1, 0, 99)}  # by how much, least, most
SHIPS, SQUADRONS = (1, 0, 40), (1, 2, 9)


def step(form: Mapping[str, str], wish: str) -> dict[str, str]:
    """The form after a tap on − or + (`less.FIELD`, `more.FIELD`); less than least is empty. Raises BadInput."""
    way, _dot, field = wish.partition(".")
    by, least, most = STEPS.get(field, SQUADRONS if field.endswith(".squadrons") else SHIPS)
    value = whole(form, field, least) + (by if way == "more" else -by)
    if not form.get(field, "").strip() and way == "more" and field not in STEPS:
        value = max(least, 0 if ".figures." in field else 1)
    return {**form, field: "" if value < least else str(min(value, most))}


def types_of(form: Mapping[str, str], place: str) -> list[str]:
    """The ships of a side by their types, as the form has them now; none for what is no number."""
    return [kind for kind in LARGEST_FIRST for _each in range(min(count(form.get(f"{place}.{kind}", "")) or 0, 240))]


def with_proposal(form: Mapping[str, str], place: str) -> dict[str, str]:
    """The form with one side's fleet as its nation proposes it (G2.5). BadInput for an unknown nation."""
    nation = form.get(f"{place}.nation", "")
    kept = {name: value for name, value in form.items() if not name.startswith(f"{place}.")}
    try:
        return {**kept, **form_of_fleet(place, propose(nation))}
    except KeyError:
        raise BadInput(f"{place}.nation", "choose one of the nations") from None


def preview(wanted: FleetsWanted) -> tuple[dict[str, Any], str]:
    """The position, and its JSON as a form carries it."""
    found = position(wanted)
    return found, msgspec.json.encode(found).decode()
