"""14, 17, 11.9 What a battle on land has of its own: hands, elephants without tactics, ways over the sea."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strategic.hamilcar.rules.in_progress import Battle
from strategic.hamilcar.rules.sea import may_land_in
from strategic.hamilcar.rules.survey import has_admiral
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import PROVINCES, ground, ports_beside
from strategic.point_to_point.battle import allied_cards
from strategic.point_to_point.survey import enemy_units, generals_at, is_enemy_ground, rating
from strategic.point_to_point.tables import Side, enemy


def battle_of(state: State, facts: Mapping[str, Any]) -> Battle:
    """battle.1 A battle begins; battle.5d, battle.5e: the defender has intercepted, or tried to avoid it in vain."""
    march = state.marching()
    other = enemy(march.side)
    return Battle(
        **facts,
        interceptor=other if march.intercepted else None,
        failed_avoid=other if march.failed_avoid else None,
    )


def charge_modifier(state: State) -> int:
    """17 -2 until Xanthippus has come and the tactics are remembered."""
    return state.tables.battle.forgotten if state.forgotten else 0


def is_near(state: State, province: str) -> bool:
    """hands.4 Does a province's help come to this battle? Within its region; from an island only to battles in that
    very province (option island_allies "island": on that island).
    """
    here, record = ground(state.fighting().space), PROVINCES[province]
    if record.region != "italia" and record.region != "africa" and state.options.island_allies == "province":
        return here.province == province
    return record.region == here.region


def hand_size(state: State, side: Side) -> tuple[int, dict[str, int]]:
    """14.1 Rating, CUs (10 at most), allies and the rest; 15 at most, before elephants. 26.13 lifts these limits.

    14.1.example A 1-1 general with 15 CUs and no allies gets 11.
    """
    battle, table = state.fighting(), state.tables.battle
    place, size = state.spaces[battle.space], battle.start[side]
    parts = {
        "commander": rating(state, battle.commanders[side]),
        "units": size if state.options.epic_battles else min(size, table.unit_cards),
        "interception": table.interception * (battle.interceptor == side),
        "failed_avoid": -table.failed_avoid * (battle.failed_avoid == side),
        "latium": table.latium * (side == "rome" and ground(battle.space).province == "latium"),
        "tribe": table.tribe * (side == "carthage" and place.tribe and place.control == side),
        "allies": allied_cards(state, side, lambda province: is_near(state, province)),
    }
    total = max(sum(parts.values()), 0)
    cards = total if state.options.epic_battles else min(total, table.hand)
    return cards, {name: count for name, count in parts.items() if count}


def sea_ways(state: State, side: Side) -> tuple[str, ...]:
    """11.9 By sea: an admiral there (11.9.1), supremacy (11.9.3), a lane to a port without enemy PC and CU (11.9.2).

    11.9.4, 11.9.6 Nobody intercepts it and it goes no further. 11.9.5: part of a beaten army may enter its city first.
    """
    battle = state.fighting()
    names = generals_at(state, side, battle.space, inside=False)
    if state.supremacy != side or not has_admiral(state, names):
        return ()
    if state.spaces[battle.space].outside(side).size > state.tables.sea.units:
        return ()
    leads = battle.commanders[side]
    leaders = (leads,) if leads in names else names
    return tuple(
        port
        for port in ports_beside(battle.space)
        if not is_enemy_ground(state, side, port)
        and not enemy_units(state, side, port)
        and may_land_in(state, side, battle.space, port, leaders)
    )
