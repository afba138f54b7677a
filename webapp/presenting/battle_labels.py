"""The names of things in the reader's language: types, figures, weapons, headings, steps, states."""

from __future__ import annotations

from functools import lru_cache

from flask_babel import format_decimal, ngettext

from tactical.battle import Battle
from tactical.board import Place
from tactical.rules.linked import deploys
from tactical.ship import Ship
from webapp.http.language import gettext as _
from webapp.presenting.labels import translate
from webapp.presenting.ships.galley import SHAPES
from webapp.presenting.sides import side_number


def figure_word(figure: str) -> str:
    """A kind of figure on the sheet, or a weapon."""
    known = {
        "heavy": _("heavy marines"),
        "medium": _("medium marines"),
        "light": _("light marines"),
        "archers": _("archers"),
        "catapults": _("catapults"),
        "stone_throwers": _("stone throwers"),
        "archer": _("archer"),
        "catapult": _("catapult (bolt thrower)"),
        "stone_thrower": _("stone thrower"),
    }
    return known.get(figure, figure.replace("_", " "))


def box_word(field: str) -> str:
    """G2.3 A box on a ship's sheet, or another field that a hand may set."""
    known = {
        "damage": _("hull damage"),
        "breaches": _("open breaches"),
        "repaired": _("repaired breaches"),
        "speed": _("speed"),
        "sprints": _("sprints spent"),
        "straight": _("straight steps made"),
        "corvus": _("corvus"),
        "oars_broken": _("oars broken"),
        "at": _("hex number"),
        "facing": _("heading"),
        "status": _("state"),
        "flagship": _("flagship"),
    }
    return known.get(field) or figure_word(field).replace(".", ", ")


def figures(figure: str, count: int) -> str:
    """A number of figures of one kind, in words."""
    if figure == "heavy":
        return ngettext("%(num)d heavy marine", "%(num)d heavy marines", count)
    if figure == "medium":
        return ngettext("%(num)d medium marine", "%(num)d medium marines", count)
    if figure == "light":
        return ngettext("%(num)d light marine", "%(num)d light marines", count)
    if figure in ("archer", "archers"):
        return ngettext("%(num)d archer", "%(num)d archers", count)
    if figure in ("catapult", "catapults"):
        return ngettext("%(num)d catapult", "%(num)d catapults", count)
    if figure in ("stone_thrower", "stone_throwers"):
        return ngettext("%(num)d stone thrower", "%(num)d stone throwers", count)
    return f"{count} {figure}"


def heading_word(heading: str | float | None) -> str:
    """A heading in full; on the open sea in degrees."""
    if isinstance(heading, int | float):
        return f"{heading:.0f}°"
    known = {
        "N": _("north"),
        "NE": _("north-east"),
        "E": _("east"),
        "SE": _("south-east"),
        "S": _("south"),
        "SW": _("south-west"),
        "W": _("west"),
        "NW": _("north-west"),
    }
    return known.get(heading or "", heading or "")


def step_word(step: str) -> str:
    """A step of the sequence of play."""
    known = {
        "plot": _("Plot"),
        "move": _("Move"),
        "fire": _("Fire"),
        "ram": _("Ram"),
        "board": _("Board"),
        "end": _("End of the turn"),
        "over": _("The battle is over"),
    }
    return known.get(step, step)


def stage_word(battle: Battle) -> str:
    """L2.5 Where the turn stands: a step of the sequence of play, or the deployment before the first."""
    return _("Deployment") if deploys(battle) is not None else step_word(battle.step)


def status_word(status: str) -> str:
    """Afloat or not."""
    known = {"afloat": _("afloat"), "sunk": _("sunk"), "captured": _("captured"), "withdrawn": _("withdrawn")}
    return known.get(status, status)


def aspect_word(aspect: str | None) -> str:
    """How two bases touch on the players' own table."""
    known = {"bow_to_bow": _("bow to bow"), "side": _("bow to side"), "parallel": _("alongside, parallel")}
    return known.get(aspect or "", aspect or "")


def coming_word(turn: str) -> str:
    """G4.1 The turn of the step that brought a ship to an enemy."""
    return {"left": _("turning left"), "right": _("turning right")}.get(turn) or _("straight ahead")


def level_word(level: str) -> str:
    """How much the rules are enforced."""
    known = {"adjudicate": _("Adjudicate"), "advise": _("Advise"), "record": _("Record")}
    return known.get(level, level)


def level_meaning(level: str) -> str:
    """What a level means, in a line."""
    known = {
        "adjudicate": _("Only what the rules allow."),
        "advise": _("A command against a rule is allowed once the rule has been shown, and it is marked."),
        "record": _("Sheets and dice only: everything is marked by hand."),
    }
    return known.get(level, "")


def ship_name(battle: Battle, name: str | None) -> str:
    """A ship's name, or its id when it has none."""
    ship = battle.ships.get(name or "")
    return (ship.name if ship else "") or name or _("nobody")


def side_name(battle: Battle, side: str | None) -> str:
    """A side's name."""
    found = battle.sides.get(side or "")
    return translate(found.name if found else "") or (side or "").replace("_", " ").title()


def seat_name(battle: Battle, seat: str | None) -> str:
    """Who sits there."""
    if seat == "umpire":
        return _("the umpire")
    if seat == "spectator":
        return _("a spectator")
    return side_name(battle, seat)


def letters(battle: Battle) -> dict[str, str]:
    """The pennant letter of each side: the first letter of its name that no other has taken."""
    return dict(zip(battle.sides, _letters(tuple(side_name(battle, side) for side in battle.sides)), strict=True))


@lru_cache(maxsize=256)
def _letters(names: tuple[str, ...]) -> tuple[str, ...]:
    taken: list[str] = []
    for name in names:
        free = [letter.upper() for letter in name if letter.isalpha() and letter.upper() not in taken]
        taken.append(free[0] if free else str(len(taken) + 1))
    return tuple(taken)


def tones(battle: Battle) -> dict[str, int]:
    """The number of each side's colour and hull: in a campaign's battle that of the power (L1.4), else by its place.

    A power whose number no hull has, or another side has taken, gets the first that is free.
    """
    system, powers = "galley", tuple(battle.sides)
    if battle.link is not None:
        system, powers = battle.link.system, battle.link.powers or powers
    found: dict[str, int] = {}
    for side in battle.sides:
        if (number := side_number(system, powers, side)) < SHAPES and number not in found.values():
            found[side] = number
    free = iter(number for number in range(SHAPES) if number not in found.values())
    return {side: found[side] if side in found else next(free, 0) for side in battle.sides}


def hex_name(at: Place | None) -> str:
    """A hex by its printed number: column and row, counted from 1. A point of the open sea by its two lengths."""
    if at is None:
        return "–"
    if isinstance(at[0], float):
        return f"{format_decimal(at[0], '0.0')} × {format_decimal(at[1], '0.0')}"
    return f"{at[0] + 1:02d}{at[1] + at[0] // 2 + 1:02d}"


def ship_state(ship: Ship) -> str:
    """What has become of a ship, in words, for lists and screen readers."""
    found = [status_word(ship.status)] if ship.status != "afloat" else []
    if ship.boarding:
        found.append(_("in a boarding fight"))
    if ship.oars_broken:
        found.append(_("oars broken"))
    if ship.breaches:
        found.append(ngettext("%(num)d open breach", "%(num)d open breaches", ship.breaches))
    if ship.paper:
        found.append(_("on paper"))
    return ", ".join(found)
