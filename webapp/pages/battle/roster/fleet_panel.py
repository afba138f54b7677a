"""The sheet's place while no ship is selected: what the whole fleet, each squadron and each ship may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tactical.battle import Battle
from tactical.kernel.protocol import Offer
from tactical.rules import plotting
from webapp.courses.saved_courses import Course
from webapp.http.language import gettext as _
from webapp.pages.battle.board.looking import Looking
from webapp.pages.battle.orders import forgoing, orders, plans, whole_fleet
from webapp.pages.battle.orders.order_records import Action, Cannot
from webapp.pages.battle.roster import roster, strip
from webapp.presenting.battle_labels import side_name, stage_word
from webapp.presenting.labels import translate

MOST_ROWS = 40  # ships with their orders


def panel(
    battle: Battle, look: Looking, offers: list[Offer], sides: list[str], todo: list[str], kept: Mapping[str, Course]
) -> dict[str, Any]:
    """The fleet's plots, or what there is to do."""
    names = todo
    if battle.step == "plot":
        names = [name for name, ship in battle.ships.items() if ship.side in sides and plotting.can_plot(ship)]
    names = names[:MOST_ROWS]
    by_ship: dict[object, list[Offer]] = {}
    for offer in offers:
        by_ship.setdefault(offer.fields.get("ship"), []).append(offer)
    rows = []
    for name, chip in zip(names, strip.chips(battle, names, ()), strict=True):
        found = orders.of_ship(battle, by_ship.get(name, ()), name) if battle.step != "fire" else []
        found = [each for each in found if each.what != "bearing"]  # the slider is the selected ship's alone
        plain = all(isinstance(order, Action | Cannot) for order in found)
        rows.append(strip.Task(name, chip, tuple(found), plain))
    groups = []
    for side in sides:
        mine = [name for name, ship in battle.ships.items() if ship.side == side and ship.is_afloat]
        squads = strip.squadrons(battle, side)
        if battle.step == "plot":
            groups.append({"name": _("Whole fleet"), "side": side, "actions": whole_fleet.plot_all(battle, mine)})
        elif battle.step == "move":
            bulk = [*plans.all_ahead(battle, look, mine, kept), *whole_fleet.of_squadron(battle, mine)]
            if not battle.has_places:  # of one side they stand in the tray
                bulk = roster.step_all(battle, mine, side) if len(sides) > 1 or look.view != "fleet" else []
            groups.append({"name": _("Whole fleet"), "side": side, "actions": bulk})
        elif battle.step == "fire":
            actions = [action for _foe, _name, found in whole_fleet.fire_all(battle, mine) for action in found]
            groups.append({"name": _("Whole fleet"), "side": side, "actions": actions})
        elif battle.step == "ram":
            groups.append({"name": _("Whole fleet"), "side": side, "actions": whole_fleet.of_squadron(battle, mine)})
        elif battle.step == "board":
            groups.append({"name": _("Whole fleet"), "side": side, "actions": whole_fleet.board_all(battle, mine)})
        groups += [
            {"name": translate(name), "side": side, "actions": whole_fleet.of_squadron(battle, ships)}
            for name, ships in squads.items()
        ]
        groups.append({"name": _("This turn"), "side": side, "actions": forgoing.for_turn(battle, side)})
    many = len(sides) > 1
    for group in groups:
        if many:
            group["name"] = f"{side_name(battle, str(group['side']))}: {group['name']}"
    groups = [{**group, "actions": tuple(group["actions"])} for group in groups if group["actions"]]
    return {"rows": rows, "groups": groups, "step": stage_word(battle)}
