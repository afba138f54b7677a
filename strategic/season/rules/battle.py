"""O10.1, L2 From a pairing to the battle that settles it, and back."""

from __future__ import annotations

from typing import Any

from strategic.naval.handoff import TABLE, board_columns, outcome_of, stations
from strategic.season.rules.results import find, meeting
from strategic.season.state import Player, Result, Season
from tactical.battle import Battle
from tactical.kernel.protocol import Illegal


def battle_position(season: Season, name: str, code: str) -> dict[str, Any]:
    """L2.5 The position of a pairing's battle, ready for the galley engine's `start`; `code` is the season's.

    The fleets stand opposite each other as those of a campaign do, each ship as she came home. Raises Illegal where a
    player has no ship that floats.
    """
    _now, pairing = find(season, name)
    if len(pairing.players) != 2:
        raise Illegal("O10.1", "A bye has no battle.")
    lines = {player: models(season.players[player]) for player in pairing.players}
    for player, line in lines.items():
        if not line:
            raise Illegal("O10.1", "%(name)s has no ship afloat.", name=season.players[player].name)
    columns = board_columns(lines)
    ships: dict[str, dict[str, Any]] = {}
    units: dict[str, str] = {}
    for letter, (player, line) in zip("ab", lines.items(), strict=True):
        places = stations(line, columns, letter == "a")
        for number, ((unit, sheet), at) in enumerate(zip(line, places, strict=True), start=1):
            ship = f"{letter}{number}"
            ships[ship] = {**sheet, "side": player, "at": at, "facing": "S" if letter == "a" else "N"}
            units[ship] = unit
    one, other = pairing.players
    return {
        "board": {"columns": columns, "rows": TABLE.board.rows},
        "sides": {id: {"name": season.players[id].name, "navy": season.players[id].navy} for id in lines},
        "ships": ships,
        "turn_limit": season.settings.turn_limit or None,
        "link": {
            "game": code,
            "engagement": name,
            "system": "season",
            "models_per_unit": 1,
            "wall_until": TABLE.wall_until,
            "supremacy": None,
            "evades": False,
            "units": units,
            "stakes": season.title,
            "deploying": [one, other],
            "fled": [],
            "rerolls": {},
        },
    }


def models(player: Player) -> list[tuple[str, dict[str, Any]]]:
    """L2.4 A player's ships that float, the first of them his flagship."""
    afloat = [(id, ship) for id, ship in player.ships.items() if ship.status == "afloat"]
    return [
        (
            id,
            {
                "type": ship.type,
                "name": ship.name,
                "crew": ship.crew,
                "corvus": ship.corvus,
                "damage": ship.damage,
                "flagship": number == 0,
            },
        )
        for number, (id, ship) in enumerate(afloat)
    ]


def fought_out(season: Season, name: str, battle: Battle) -> Result:
    """L3.1 The result of a pairing from its battle. Raises Illegal while it is being fought."""
    outcome = outcome_of(battle, meeting(season, name))
    return Result(winner=outcome.winner, outcome=outcome)
