"""The fleet as chips, as plots, as squadrons and as a list with bearing and range."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from flask_babel import ngettext
from markupsafe import Markup

from tactical import fleet_orders
from tactical.battle import Battle
from tactical.commands import Finish
from tactical.geometry import geometry
from tactical.kernel.record import decode
from tactical.rules import missiles, plotting
from tactical.rules.book_keeping import why_not_finish
from tactical.ship import Ship, ShipType, cruise, limit, plot_range
from webapp.http.kept import json_of, kept, kept_of_same
from webapp.http.language import gettext as _
from webapp.http.signs import minus
from webapp.pages.battle.bearings import bearing_word
from webapp.pages.battle.drawing import condition
from webapp.pages.battle.order_records import Action, Order, as_json, together
from webapp.presenting.battle_labels import heading_word, hex_name, letters, ship_name, ship_state, side_name, tones
from webapp.presenting.labels import type_word
from webapp.presenting.ships.galley import Galley
from webapp.presenting.ships.looks import galley_of, look_of


@dataclass(frozen=True)
class Chip:
    """A ship in the strip: its picture, its signs, whether it has something to do."""

    id: str
    name: str
    shape: int
    letter: str
    galley: Galley
    signs: tuple[tuple[str, str], ...]
    todo: bool
    gone: bool
    left: int
    hull: int
    said: str
    squadron: str
    speed: str
    side: str
    crew: str = ""
    fares: str = ""

    def __hash__(self) -> int:
        return hash((self.id, self.said, self.speed))  # every table asks for each of them

    @property
    def pips(self) -> Markup:
        """What is left of the hull, drawn."""
        return condition.pip_row(self.left, self.hull)


@dataclass(frozen=True)
class Task:
    """A ship in the panel with what it may do; `plain` when all of that is buttons."""

    id: str
    chip: Chip
    orders: tuple[Order, ...] = ()
    plain: bool = False

    def __hash__(self) -> int:
        return hash((self.id, self.chip, len(self.orders)))  # as above


def chips(battle: Battle, names: Sequence[str], to_act: Collection[str]) -> list[Chip]:
    """The chips of some ships."""
    pennants = letters(battle)
    order = tones(battle)
    plots = battle.step == "plot"
    found = []
    for name, ship in ((name, battle.ships[name]) for name in names):
        side = Side(order[ship.side], pennants[ship.side], look_of(battle, ship.side))
        captor = (order[ship.captured_by], pennants[ship.captured_by]) if ship.captured_by in order else None
        found.append(chip(json_of(ship), name, side, captor, battle.kind(ship).hull, name in to_act, plots))
    return found


class Side(NamedTuple):
    """How the ships of a side are drawn: its number, its letter, the look of its navy."""

    shape: int
    letter: str
    look: str


@kept(16384)
def chip(
    sheet: bytes, name: str, side: Side, captor: tuple[int, str] | None, hull: int, todo: bool, plots: bool
) -> Chip:
    """The chip of a ship whose record is `sheet`; `plots` in the plot, when the speed that is set is shown."""
    ship = decode(sheet, Ship)
    state = ship_state(ship)
    said = f"{ship.name or name}, {type_word(ship.type)}" + (f", {state}" if state else "")
    if ship.is_afloat:
        said += ", " + _("hull %(left)s of %(hull)s", left=max(0, hull - ship.damage), hull=hull)
    return Chip(
        name,
        ship.name or name,
        side.shape,
        side.letter,
        galley_of(ship, hull, side.look, side.shape, side.letter, captor),
        signs_of(ship),
        todo,
        ship.status in ("sunk", "withdrawn"),
        max(0, hull - ship.damage),
        hull,
        said + (", " + _("has something to do") if todo else ""),
        ship.squadron or "",
        speed_sign(ship, plots),
        ship.side,
        condition.aboard(ship) if ship.is_afloat else "",
        condition.fares(ship, hull),
    )


def signs_of(ship: Ship) -> tuple[tuple[str, str], ...]:
    """State as shape and letter: S sunk, C captured, W withdrawn, B boarding, O oars, P paper, a drop for breaches."""
    found = []
    if ship.status == "sunk":
        found.append(("sunk", "S"))
    elif ship.status == "captured":
        found.append(("captured", "C"))
    elif ship.status == "withdrawn":
        found.append(("withdrawn", "W"))
    if ship.boarding:
        found.append(("boarding", "B"))
    if ship.breaches:
        found.append(("breach", str(min(9, ship.breaches))))
    if ship.oars_broken:
        found.append(("broken", "O"))
    if ship.paper:
        found.append(("paper", "P"))
    return tuple(found)


def speed_sign(ship: Ship, plots: bool) -> str:
    """The speed that is set, in the plot a dot while none is."""
    if ship.status != "afloat":
        return ""
    if plots:
        return "–" if ship.boarding else "·" if ship.plot is None else minus(ship.plot)
    return minus(ship.speed)


# Whole fleets and squadrons in one action ------------------------------------------------------------


def squadrons(battle: Battle, side: str) -> dict[str, tuple[str, ...]]:
    """The squadrons of a side with their ships that are afloat."""
    found: dict[str, list[str]] = {}
    for name, ship in battle.ships.items():
        if ship.side == side and ship.squadron and ship.is_afloat:
            found.setdefault(ship.squadron, []).append(name)
    return {name: tuple(ships) for name, ships in found.items()}


def plot_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G3.1 One speed for many ships: each as near to it as its own limits allow."""
    able = [name for name in names if plotting.can_plot(battle.ships[name])]
    if not able or battle.sides[battle.ships[able[0]].side].locked:
        return []

    ships, option = battle.ships, battle.options.sprint
    alike = tuple((name, paces(ships[name], battle.kind(ships[name]), option)) for name in able)
    same, slow, fast, rest = all_at(alike)
    return [
        Action(_("Same as last turn"), same, "G3.1"),
        Action(_("All cruise"), slow, "G3.1"),
        Action(_("All at their limit"), fast, "G3.3", mark="!"),
        Action(_("All at rest"), rest, "G3.1"),
    ]


Paces = tuple[int, int, int, int]  # as last turn, cruise, limit, rest, each as near as the ship's limits allow


@kept_of_same(16_384)
def paces(ship: Ship, kind: ShipType, option: str) -> Paces:
    """G3.1 The speeds that a whole fleet may be told to take."""
    low, high = plot_range(kind, ship, option)
    wanted = (ship.speed, cruise(kind, ship), limit(kind, ship, option), 0)
    same, slow, fast, rest = (max(low, min(high, speed)) for speed in wanted)
    return same, slow, fast, rest


@lru_cache(maxsize=1024)
def all_at(alike: tuple[tuple[str, Paces], ...]) -> tuple[str, ...]:
    """The commands that bring all these ships to one pace, for each of them."""
    return tuple(
        together([{"type": "plot", "ship": name, "speed": speeds[place]} for name, speeds in alike])
        for place in range(4)
    )


def lock_too(battle: Battle, side: str, command: dict[str, Any]) -> str:
    """Plots and the lock in one command."""
    return together([*command["commands"], {"type": "lock", "side": side}])


def all_at_once(
    battle: Battle, names: Sequence[str], what: str, said: Callable[[int], str], least: int = 1, **more: Any
) -> list[Action]:
    """One command for a whole side, or for the one squadron to which all these ships belong; `said` by how many move.

    Nothing where fewer than `least` ships can do it.
    """
    if not names:
        return []
    side, squadrons = battle.ships[names[0]].side, {battle.ships[name].squadron for name in names}
    squadron = squadrons.pop() if len(squadrons) == 1 else None
    count = len(fleet_orders.orders(battle, side, what, squadron))
    if count < least:
        return []
    command = {"type": "together", "side": side, "what": what}
    if squadron is not None:
        command["squadron"] = squadron
    return [Action(said(count), as_json(command), fleet_orders.RULES[what], **more)]


def step_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G4.1, G4.6, G4.3 Ahead, left or right for all that can; ahead into the enemy, or up to what bars the way."""
    return [
        *all_at_once(battle, names, "ahead", lambda count: f"{_('All ahead')} ({count})", weight="main"),
        *all_at_once(battle, names, "left", lambda count: f"{_('All turn left')} ({count})"),
        *all_at_once(battle, names, "right", lambda count: f"{_('All turn right')} ({count})"),
        *all_at_once(
            battle, names, "meet", lambda count: _("Ahead, all who meet an enemy (%(count)s)", count=count), 2
        ),
        *all_at_once(
            battle,
            names,
            "run_up",
            lambda count: _("Ahead, all whose way is barred (%(count)s)", count=count),
            2,
            hint=_("they run up and stop"),
            weight="danger",
        ),
    ]


def board_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G8.1 Board with every ship of these that is likelier to win the fight than not; no two board the same enemy."""
    taken = sum(chance for _name, chance in fleet_orders.good_fights(battle, names).values())
    hint = _("about %(ships)s ships taken in the end", ships=f"{taken:.1f}")
    return all_at_once(
        battle,
        names,
        "board",
        lambda count: _("Board where the odds are good (%(count)s)", count=count),
        2,
        hint=hint,
        weight="main",
    )


def fire_all(battle: Battle, names: Sequence[str]) -> list[tuple[str, str, list[Action]]]:
    """G5.1 Everything that these ships can throw at one enemy, by enemy: id, name, and the action."""
    found: dict[str, list[dict[str, Any]]] = {}
    if not battle.has_places or battle.step != "fire":
        return []
    for name in names:
        ship = battle.ships[name]
        if battle.sides[ship.side].done:
            continue
        for weapon in missiles.WEAPONS:
            if not missiles.may_fire(ship, weapon):
                continue
            for foe in missiles.targets(battle, ship, weapon):
                shot = {
                    "type": "fire",
                    "ship": name,
                    "weapon": weapon,
                    "count": missiles.ready(ship, weapon),
                    "target": foe,
                }
                found.setdefault(foe, []).append(shot)
    listed = sorted(found.items(), key=lambda each: -sum(shot["count"] for shot in each[1]))
    found_actions = []
    for foe, shots in listed[:8]:
        name = ship_name(battle, foe)
        count = sum(shot["count"] for shot in shots)
        hits = sum(shot["count"] * hit_chance(battle, shot["ship"], shot["weapon"], foe) for shot in shots)
        dice = ngettext("%(num)d die", "%(num)d dice", count) + ", " + _("about %(hits)s hits", hits=f"{hits:.1f}")
        action = Action(_("Fire all at %(ship)s", ship=name), together(shots), "G5.1", dice)
        found_actions.append((foe, name, [action]))
    return found_actions


def hit_chance(battle: Battle, ship_id: str, weapon: str, foe: str) -> float:
    """G5.2 The chance of one shot to do anything."""
    row = missiles.WEAPONS[weapon]
    reach = missiles.range_between(battle, battle.ships[ship_id], battle.ships[foe])
    return sum(1 for face in range(1, 7) if row.effect(reach, face).kills or row.effect(reach, face).hull) / 6


def hold_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G6.9 Hold every contact of these ships."""
    return all_at_once(battle, names, "hold", lambda count: _("Hold all (%(count)s)", count=count))


def ram_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G6.1 Ram with every ship of these that may, where no two meet the same enemy."""
    return all_at_once(battle, names, "ram", lambda count: _("Ram all (%(count)s)", count=count), 2, weight="main")


def finish_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G3.0 Nothing more with these ships in this fire or board step."""
    able = [name for name in names if why_not_finish(battle, Finish(name)) is None]
    if battle.step not in ("fire", "board") or not able or battle.sides[battle.ships[able[0]].side].done:
        return []
    commands = [{"type": "finish", "ship": name} for name in able]
    return [Action(_("Nothing more (%(count)s)", count=len(able)), together(commands), "G3.0")]


def of_squadron(battle: Battle, names: Sequence[str]) -> list[Action]:
    """What a squadron may do in one action, which is one step of undo."""
    match battle.step:
        case "plot":
            return plot_all(battle, names)
        case "move":
            return step_all(battle, names)
        case "fire":
            shots = [action for _foe, _name, actions in fire_all(battle, names) for action in actions]
            return [*shots, *finish_all(battle, names)]
        case "ram":
            return [*ram_all(battle, names), *hold_all(battle, names)]
        case "board":
            return [*board_all(battle, names), *finish_all(battle, names)]
    return []


# The text board --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """A ship in the list: where it is, and how it lies from the ship that looks."""

    chip: Chip
    side: str
    type: str
    hex: str
    facing: str
    heading: str
    bearing: str
    range: str
    state: str


def rows(battle: Battle, found: Sequence[Chip], looker: str | None) -> list[Row]:
    """All ships with bearing and range from one of them, the nearest first."""
    here = battle.ships.get(looker or "")
    listed = []
    for chip in found:
        ship = battle.ships[chip.id]
        both = here is not None and here.at is not None and ship.at is not None
        far = geometry(battle).range_between(battle, here, ship) if here is not None and both else None
        state = ship_state(ship)
        row = Row(
            chip,
            side_name(battle, ship.side),
            type_word(ship.type),
            hex_name(ship.at),
            ship.facing or "",
            heading_word(ship.facing),
            bearing_word(here, ship) if here is not None and far is not None else "",
            str(far) if far is not None and chip.id != looker else "",
            state,
        )
        listed.append((-1 if chip.id == looker else 999 if far is None else far, chip.gone, row))
    listed.sort(key=lambda each: (each[1], each[0]))
    return [row for _far, _gone, row in listed]
