"""L1.2 A typed outcome: from a form to a naval outcome, with each refusal at the field that it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from strategic.naval.engagement import HULL, Engagement, NavalOutcome, SideOutcome, check_outcome
from strategic.naval.handoff import TABLE as LINKING
from tactical.kernel.protocol import Illegal
from tactical.ship import TYPES
from webapp.http.forms import count
from webapp.http.input_words import reason_text
from webapp.http.language import gettext as _
from webapp.presenting.engagement_meetings import side_name, unit_names
from webapp.storage.journal.writing import sentence

LARGEST = 999  # of a number in a form
HURT = "hurt"  # returned to port badly damaged: half her hull is gone at least, for whoever has not counted
FATES = ("home", HURT, "sunk", "captured")
BADLY = -(-TYPES[LINKING.type.default].hull // 2)
LEFT = ("", "fled", "evaded")


@dataclass(frozen=True)
class ShipRow:
    """A ship of the form: its fate, and the hull damage that it brings home."""

    unit: str
    name: str
    fate: str
    damage: str
    fault: str = ""


@dataclass(frozen=True)
class SideForm:
    """A side of the form."""

    id: str
    name: str
    ships: tuple[ShipRow, ...]
    transports: str
    transports_sent: int
    left: str
    may_evade: bool
    faults: Mapping[str, str]


@dataclass
class Report:
    """What was typed, what is wrong with it, and the outcome when nothing is."""

    winner: str
    turns: str
    sides: list[SideForm]
    faults: dict[str, str] = field(default_factory=dict)
    outcome: NavalOutcome | None = None

    @property
    def is_good(self) -> bool:
        """May it be entered?"""
        return self.outcome is not None


def blank(engagement: Engagement, outcome: NavalOutcome | None = None) -> Report:
    """An empty form, or one filled in from an outcome that is to be corrected."""
    values: dict[str, str] = {"winner": "", "turns": "1"}
    if outcome is not None:
        values = {"winner": outcome.winner or "", "turns": str(outcome.turns)}
        for side, fleet in engagement.fleets.items():
            lost = outcome.of(side)
            values[f"{side}.transports"] = str(lost.transports)
            values[f"{side}.left"] = "evaded" if lost.evaded else "fled" if lost.fled else ""
            units = [unit.id for unit in fleet.units]
            sunk = lost.sunk_ships or _last(units, lost.sunk, lost.captured_ships)
            captured = lost.captured_ships or _last(units, lost.captured, sunk)
            values |= {f"{side}.{unit}.fate": "sunk" for unit in sunk}
            values |= {f"{side}.{unit}.fate": "captured" for unit in captured}
            values |= {f"{side}.{unit}.damage": str(hull) for unit, hull in lost.damage.items()}
    return _form(engagement, values, {})


def _last(units: list[str], count: int, other: tuple[str, ...]) -> tuple[str, ...]:
    """The ships that a system takes where no one has named them: the last of those sent."""
    free = [unit for unit in units if unit not in other]
    return tuple(free[len(free) - count :]) if count else ()


def read_report(engagement: Engagement, form: Mapping[str, str], names: Mapping[str, str] | None = None) -> Report:
    """L3.1 The outcome that was typed, or the form again with a sentence at each field that is wrong."""
    faults: dict[str, str] = {}
    winner = form.get("winner", "")
    if winner and winner not in engagement.fleets:
        faults["winner"] = _("Choose a side that took part, or nobody.")
    turns = _count(form, "turns", faults)
    sides = {}
    for side in engagement.sides:
        sides[side] = _side(engagement, side, form, faults)
    report = _form(engagement, form, faults, names)
    if faults:
        return report
    if winner:
        beaten = engagement.other(winner)
        sides[beaten] = fleeing(sides[beaten], len(engagement.fleets[beaten].units))
    outcome = NavalOutcome(winner=winner or None, turns=turns, sides=sides)
    try:
        check_outcome(engagement, outcome)
    except Illegal as fault:
        where, said = at_field(engagement, outcome, fault)
        return _form(engagement, form, {where: said}, names)
    report.outcome = outcome
    return report


def fleeing(beaten: SideOutcome, sent: int) -> SideOutcome:
    """L3.2 The loser's part: where nothing else was said, the warships that were left to it fled."""
    return beaten if beaten.evaded or beaten.lost >= sent else replace(beaten, fled=True)


def _side(engagement: Engagement, side: str, form: Mapping[str, str], faults: dict[str, str]) -> SideOutcome:
    fleet = engagement.fleets[side]
    by_fate: dict[str, list[str]] = {fate: [] for fate in FATES}
    damage = {}
    for unit in fleet.units:
        key = f"{side}.{unit.id}"
        fate = form.get(f"{key}.fate") or "home"
        if fate not in FATES:
            faults[f"{key}.fate"] = _("She must have returned to port, been sunk or been captured.")
            continue
        by_fate[fate].append(unit.id)
        hull = _count(form, f"{key}.damage", faults, unit.damage)
        hull = max(hull, BADLY) if fate == HURT else hull
        if fate in ("home", HURT) and hull:
            damage[unit.id] = hull
    transports = _count(form, f"{side}.transports", faults)
    if transports > len(fleet.transports) and f"{side}.transports" not in faults:
        faults[f"{side}.transports"] = _("At most %(count)s: no more were sent.", count=len(fleet.transports))
    left = form.get(f"{side}.left", "")
    if left not in LEFT:
        faults[f"{side}.left"] = _("The fleet must have stayed, fled or evaded.")
    return SideOutcome(
        sunk=len(by_fate["sunk"]),
        captured=len(by_fate["captured"]),
        transports=transports,
        fled=left == "fled",
        evaded=left == "evaded",
        sunk_ships=tuple(by_fate["sunk"]),
        captured_ships=tuple(by_fate["captured"]),
        damage=damage,
    )


def _count(form: Mapping[str, str], name: str, faults: dict[str, str], otherwise: int = 0) -> int:
    text = form.get(name, "").strip()
    if not text:
        return otherwise
    found = count(text)
    if found is None or found > LARGEST:
        faults[name] = _("Write a whole number from 0.")
        return 0
    return found


def at_field(engagement: Engagement, outcome: NavalOutcome, fault: Illegal) -> tuple[str, str]:
    """The field that contradicts the rest, and the sentence beside it. The check itself is the engine's."""
    for side, told in outcome.sides.items():
        if fault.rule == "L3.5" and told.evaded and engagement.supremacy != side:
            return f"{side}.left", _("Only the side with naval supremacy may evade.")
        for ship, damage in told.damage.items():
            if fault.rule == "L2.4" and damage >= HULL:
                return f"{side}.{ship}.damage", _("At %(hull)s damage she sinks.", hull=HULL)
    winner = outcome.winner
    if winner is None:
        return "winner", _("A side that fled or evaded cannot have won: name the winner.")
    own = outcome.of(winner)
    if own.fled or own.evaded:
        return f"{winner}.left", _("The winner neither fled nor evaded.")
    return "winner", sentence(reason_text(fault.why))


def _form(
    engagement: Engagement, form: Mapping[str, str], faults: Mapping[str, str], names: Mapping[str, str] | None = None
) -> Report:
    called = names or unit_names(engagement)
    sides = []
    for side in engagement.sides:
        fleet = engagement.fleets[side]
        rows = []
        for unit in fleet.units:
            key = f"{side}.{unit.id}"
            damage = form.get(f"{key}.damage", str(unit.damage))
            fault = faults.get(f"{key}.fate") or faults.get(f"{key}.damage") or ""
            rows.append(ShipRow(unit.id, called.get(unit.id, unit.id), form.get(f"{key}.fate", "home"), damage, fault))
        own = {name: faults[f"{side}.{name}"] for name in ("transports", "left") if f"{side}.{name}" in faults}
        sides.append(
            SideForm(
                side,
                side_name(side),
                tuple(rows),
                form.get(f"{side}.transports", "0"),
                len(fleet.transports),
                form.get(f"{side}.left", ""),
                engagement.supremacy == side,
                own,
            )
        )
    return Report(form.get("winner", ""), form.get("turns", "1"), sides, dict(faults))


def most_turns() -> int:
    """L3.3 The turn limit of a linked battle, as a hint beside the field."""
    return LINKING.turn_limit
