"""Which small drawing a strategy card bears: by what it does, never by its title."""

from __future__ import annotations

MARCH = "march"
PICTURES: dict[str, frozenset[str]] = {
    "battle": frozenset(("double_envelopment",)),
    "elephant": frozenset(("african_elephants", "fright")),
    "letter": frozenset(
        (
            "cato_counsels",
            "diplomacy",
            "dismiss_proconsul",
            "hanno_counsels",
            "macedon",
            "messenger",
            "spy",
            "truce",
        )
    ),
    "plague": frozenset(("epidemic", "grain_shortage", "pestilence")),
    "revolt": frozenset(
        (
            "ally_deserts",
            "city_defects",
            "flip_in_italy",
            "hostile_tribes",
            "mercenaries_desert",
            "numidia_revolts",
            "numidian_pcs",
            "numidians_desert",
            "revolt",
            "spanish_desert",
            "tribal_resistance",
        )
    ),
    "ship": frozenset(("corvus", "fleet_breaks_siege", "lookouts", "naval_victory", "seamanship")),
    "storm": frozenset(("bad_weather", "storm", "storms", "terrible_sea")),
    "troops": frozenset(("auxiliaries", "macedonians", "mutin", "recruits", "slingers", "volones")),
    "walls": frozenset(("siege_train", "sortie")),
}


def picture_of(*does: str, battle: bool = False, ship: bool = False) -> str:
    """The drawing for what a card does (its event or answer); else a battle, a ship or a march."""
    found = next((name for name, events in PICTURES.items() if events & frozenset(does)), "")
    return found or ("battle" if battle else "ship" if ship else MARCH)
