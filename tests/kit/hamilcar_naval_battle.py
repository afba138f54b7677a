"""A naval battle of Hamilcar by the game's own table, between two fleets that have met."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from kit.hamilcar_war import TWO, War, army, control, drawn_for, empty, ships, turn_of
from strategic.hamilcar.state import NavalBattle, SeaFleet, State

COTTA, DUILIUS = "gaius_aurelius_cotta", "gaius_duilius"  # both 2; Duilius is an admiral


GISCO, ADHERBAL, HANNO = "hannibal_gisco", "adherbal", "hanno"  # 1, 3 and 2; Hanno is no admiral


def met(
    roman: int = 2,
    carthaginian: int = 2,
    units: int = 2,
    general: str = COTTA,
    catcher: str = GISCO,
    supremacy: str = "carthage",
    **facts: Any,
) -> War:
    """Off Lipara: the mover from Messana with ships and CUs, the interceptor from Panormus with ships alone."""
    state = army(army(empty(), "rome", "messana", units, general), "carthage", "panormus", 1, catcher)
    state = control(ships(ships(state, "rome", roman), "carthage", carthaginian), None, "lipara")
    table = turn_of(replace(state, **{"supremacy": supremacy, "seamanship": 2, **facts}), "rome", TWO)
    table.say("rome", "activate", card=TWO, general=general)
    table.say("rome", "sail", to="lipara", ships=roman, units=units, elephants=0)
    table.say("carthage", "sea_intercept", 1, ships=carthaginian, tries=[{"general": catcher}])
    if supremacy == "rome":
        table.say("rome", "fight_at_sea")
    return table


def fight(*cards: str, **facts: Any) -> War:
    """The battle has begun; the deck lies in this order: the holder of supremacy's hand, the other's, then the draws."""
    table = met(**facts)
    name = table.state.engaged().id
    if table.state.naval is None:
        table.say("rome", "choose_way", engagement=name, way="own_table", side="rome", drawn=drawn_for(cards))
    return table


def naval(state: State) -> NavalBattle:
    return state.at_sea()


def rome(table: War) -> SeaFleet:
    return naval(table.state).fleets["rome"]


def carthage(table: War) -> SeaFleet:
    return naval(table.state).fleets["carthage"]


def at_round(table: War, number: int) -> None:
    """The same battle in another round, before the first manoeuvre."""
    table.state = replace(table.state, naval=replace(naval(table.state), round=number))
