"""What a whole fleet or a squadron does in one action: plots, steps, fire, boarding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from flask_babel import format_decimal, ngettext

from tactical import fleet_orders
from tactical.battle import Battle
from tactical.commands import Finish
from tactical.rules import missiles, plotting
from tactical.rules.book_keeping import why_not_finish
from tactical.ship import Ship, ShipType, cruise, limit, plot_range
from webapp.http.language import gettext as _
from webapp.pages.battle.orders.order_records import Action, as_json, together
from webapp.presenting.battle_labels import ship_name


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
        Action(_("All at maximum"), fast, "G3.3", mark="!"),
        Action(_("All at rest"), rest, "G3.1"),
    ]


Paces = tuple[int, int, int, int]  # as last turn, cruise, limit, rest, each as near as the ship's limits allow


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
        *all_at_once(battle, names, "ahead", lambda count: _("All ahead (%(count)s)", count=count), weight="main"),
        *all_at_once(battle, names, "left", lambda count: _("All turn left (%(count)s)", count=count)),
        *all_at_once(battle, names, "right", lambda count: _("All turn right (%(count)s)", count=count)),
        *all_at_once(
            battle, names, "meet", lambda count: _("Ahead: all ships that meet an enemy (%(count)s)", count=count), 2
        ),
        *all_at_once(
            battle,
            names,
            "run_up",
            lambda count: _("Ahead: all ships whose path is blocked (%(count)s)", count=count),
            2,
            hint=_("they are blocked by what lies ahead"),
            weight="danger",
        ),
    ]


def board_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G8.1 Board with every ship of these that is likelier to win the fight than not; no two board the same enemy."""
    taken = sum(chance for _name, chance in fleet_orders.good_fights(battle, names).values())
    hint = _("about %(ships)s ships taken in the end", ships=format_decimal(taken, "0.0"))
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
        dice = (
            ngettext("%(num)d die", "%(num)d dice", count)
            + ", "
            + _("about %(hits)s hits", hits=format_decimal(hits, "0.0"))
        )
        action = Action(_("All fire at %(ship)s", ship=name), together(shots), "G5.1", dice)
        found_actions.append((foe, name, [action]))
    return found_actions


def hit_chance(battle: Battle, ship_id: str, weapon: str, foe: str) -> float:
    """G5.2 The chance of one shot to do anything."""
    row = missiles.WEAPONS[weapon]
    reach = missiles.range_between(battle, battle.ships[ship_id], battle.ships[foe])
    return sum(1 for face in range(1, 7) if row.effect(reach, face).kills or row.effect(reach, face).hull) / 6


def hold_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G6.9 Hold every contact of these ships."""
    return all_at_once(battle, names, "hold", lambda count: _("All hold (%(count)s)", count=count))


def ram_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G6.1 Ram with every ship of these that may, where no two meet the same enemy."""
    return all_at_once(battle, names, "ram", lambda count: _("All ram (%(count)s)", count=count), 2, weight="main")


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
