"""The players' own table: a roster in rows, each ship with what she owes and what may be done in a tap; whole fleets.

Without hexes the page cannot see who touches whom: the models say so, the players tap it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask_babel import ngettext, pgettext

from tactical import GALLEY
from tactical.battle import Battle
from tactical.commands import AnyCommand
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.protocol import Illegal, NotYours, Offer
from tactical.kernel.record import BadInput, read
from tactical.rules import missiles, movement
from tactical.rules.plotting import can_plot
from tactical.ship import MARINES
from webapp.http.language import gettext as _
from webapp.pages.battle.orders import orders
from webapp.pages.battle.orders.order_records import Action, Cannot, Order, together
from webapp.pages.battle.roster import strip
from webapp.pages.battle.roster.strip import Chip
from webapp.presenting.battle_labels import figures, ship_name, side_name
from webapp.presenting.labels import type_word


@dataclass(frozen=True)
class Row:
    """A ship on the roster: her chip, type, men, what she owes and her orders; `more` says what her row opens to."""

    chip: Chip
    type: str
    crew: tuple[tuple[str, int], ...]
    owes: str
    orders: tuple[Order, ...]
    more: str


def rows(battle: Battle, offers: Sequence[Offer], found: Sequence[Chip], may: bool) -> list[Row]:
    """The roster, those that have something to do first."""
    listed = [row(battle, offers, chip, may) for chip in found]
    return sorted(listed, key=lambda each: (each.chip.gone, not each.orders and not each.more))


def row(battle: Battle, offers: Sequence[Offer], chip: Chip, may: bool) -> Row:
    """One ship."""
    ship = battle.ships[chip.id]
    mine = [offer for offer in offers if offer.fields.get("ship") == chip.id] if may else []
    shown: tuple[Order, ...] = ()
    more = ""
    match battle.step:
        case "plot":
            shown = tuple(orders.dial(battle, chip.id, bool(mine))) if may and can_plot(ship) else ()
        case "move":
            turns = orders.steps(battle, mine, chip.id) if mine else []
            shown = tuple(shortly(each) for each in turns if is_turn(each))
            more = _("Touches…") if any(offer.type == "contact" for offer in mine) else ""
        case "fire":
            more = _("Fire…") if any(offer.type == "fire" for offer in mine) else ""
        case "ram":
            shown = tuple(shortly(each) for each in orders.meetings(battle, mine, chip.id)) if mine else ()
        case "board":
            found = orders.boardings(battle, mine, chip.id) if mine else []
            shown = tuple(each for each in found if each.what == "action")
    kind = type_word(ship.type) + (" · " + _("flagship") if ship.flagship else "")
    marines = max(MARINES, key=lambda each: int(getattr(ship, each)))
    aboard = ((marines, ship.marines), ("archers", ship.archers)) if ship.is_afloat else ()
    crew = tuple((figure, count) for figure, count in aboard if count)
    return Row(chip, kind, crew, owes(battle, chip.id), shown, more)


def is_turn(order: Order) -> bool:
    """A step left, ahead or right; holding and contacts stand on the sheet."""
    return order.what in ("action", "cannot") and '"step"' in getattr(order, "command", "")


def shortly(order: Order) -> Order:
    """A turn or a rake in few words, as a row has room for, which says already whom she touches."""
    if not isinstance(order, Action | Cannot):
        return order
    for value, word in (
        ("left", pgettext("turn", "Left")),
        ("right", pgettext("turn", "Right")),
        ("rake", _("Break her oars")),
    ):
        if f'"{value}"' in order.command:
            return replace(order, label=word)
    return order


def owes(battle: Battle, name: str) -> str:
    """What a ship must do in this step, in a word or two."""
    ship = battle.ships[name]
    if not ship.is_afloat or ship.boarding:
        return ""
    if battle.step == "plot":
        if ship.must_back:
            return _("must back")
        return ""
    if ship.contact is not None:
        return _("touches %(ship)s", ship=ship_name(battle, ship.contact))
    if battle.step == "move":
        return _("has a step to make") if battle.is_due(ship) else _("has stepped") if ship.stepped else ""
    if battle.step == "fire":
        left = sum(missiles.ready(ship, weapon) for weapon in missiles.WEAPONS)
        return ngettext("%(num)d may fire", "%(num)d may fire", left) if left else ""
    return ""


def totals(battle: Battle, names: Sequence[str]) -> list[str]:
    """What the ships of a side have to do in this step and have done, all together; empty where nothing counts."""
    ships = [battle.ships[name] for name in names if battle.ships[name].is_afloat]
    found = []
    if battle.step == "plot":
        bare = sum(ship.plot is None and can_plot(ship) for ship in ships)
        found.append(ngettext("%(num)d ship without a speed", "%(num)d ships without a speed", bare) if bare else "")
    elif battle.step == "move":
        due = sum(battle.is_due(ship) for ship in ships)
        stepped = sum(ship.stepped for ship in ships)
        found.append(
            ngettext("%(num)d ship has a step to make", "%(num)d ships have a step to make", due) if due else ""
        )
        found.append(ngettext("%(num)d has stepped", "%(num)d have stepped", stepped) if stepped else "")
    elif battle.step == "fire":
        ready = {weapon: sum(missiles.ready(ship, weapon) for ship in ships) for weapon in missiles.WEAPONS}
        found += [figures(weapon, count) for weapon, count in ready.items() if count]
    if battle.step in ("move", "ram"):
        near = sum(ship.contact is not None for ship in ships)
        found.append(ngettext("%(num)d touches an enemy", "%(num)d touch an enemy", near) if near else "")
    return [each for each in found if each]


@dataclass(frozen=True)
class Enemies:
    """The other fleet on the roster: its side's name and the chips of its ships, each with her speed."""

    name: str
    chips: tuple[Chip, ...]


def enemies(battle: Battle, mine: Collection[str]) -> list[Enemies]:
    """The fleets of the sides that have no ship among `mine`; what they have plotted is their secret."""
    sides = {battle.ships[name].side for name in mine}
    found = []
    for side in battle.sides:
        names = [name for name, ship in battle.ships.items() if ship.side == side]
        if side not in sides and names:
            seen = [
                replace(chip, speed=strip.speed_sign(battle.ships[chip.id], False))
                for chip in strip.chips(battle, names, ())
            ]
            found.append(Enemies(side_name(battle, side), tuple(seen)))
    return found


def step_all(battle: Battle, names: Sequence[str], side: str) -> list[Action]:
    """G4.1, G1.5 All ships that still owe a step go ahead; with it, that no other base has come to touch."""
    due = [name for name in names if battle.is_due(battle.ships[name])]
    if not due or not movement.may_move_now(battle, side):
        return []
    steps: list[dict[str, Any]] = [{"type": "step", "ship": name, "turn": "none"} for name in due]
    found = []
    some = any(battle.ships[name].stepped or battle.ships[name].contact for name in names)
    word = _("All went ahead") if not some else _("The rest went ahead")
    closed = [*steps, {"type": "done", "side": side}]
    if would_go(battle, side, closed):
        alone = _("no ships touch")
        found.append(Action(f"{word}; {alone}", together(closed), "G4.1", weight="main"))
    if would_go(battle, side, steps):
        found.append(Action(word, together(steps), "G4.1", weight="plain" if found else "main"))
    return found


def would_go(battle: Battle, side: str, commands: Sequence[Mapping[str, Any]]) -> bool:
    """Would the engine take these commands together? Dice that they might ask for are no obstacle."""
    try:
        command = read({"type": "together", "commands": list(commands)}, AnyCommand, "command")
        GALLEY.apply(battle, side, command, Dice())
    except RollNeeded:
        return True
    except (Illegal, NotYours, BadInput):
        return False
    return True
