"""O10.1, L2 From a pairing to the battle that settles it, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from strategic.naval.handoff import TABLE, board_columns, outcome_of, stations
from strategic.season.rules.results import find, meeting
from strategic.season.state import Deeds, Pairing, Player, Result, Season
from strategic.season.tables import SETTINGS
from tactical.battle import Battle
from tactical.hexes import Hex, distance, from_column_row
from tactical.kernel.protocol import Event, Illegal
from tactical.kernel.record import plain
from tactical.rules.linked import DEPLOYMENT_ROWS
from tactical.waters import BoardWanted, board_of, coast
from tactical.waters import stations as berths

Line = list[tuple[str, dict[str, Any]]]


def battle_position(season: Season, name: str, code: str) -> dict[str, Any]:
    """L2.5 The position of a pairing's battle, ready for the galley engine's `start`; `code` is the season's.

    The fleets stand opposite each other as those of a campaign do, each ship as she came home. Raises Illegal where a
    player has no ship that floats.
    """
    now, pairing = find(season, name)
    lines = {player: models(season.players[player]) for player in pairing.players}
    for player, line in lines.items():
        if not line:
            raise Illegal("O10.1", "%(name)s has no ship afloat.", name=season.players[player].name)
    waters = SETTINGS.scenario[now.scenario]
    sea = BoardWanted(waters.kind, board_columns(lines), TABLE.board.rows, waters.coast)
    land = coast(sea)
    ships: dict[str, dict[str, Any]] = {}
    units: dict[str, str] = {}
    for letter, (player, line) in zip("ab", lines.items(), strict=True):
        found = places(line, sea, frozenset(land), letter == "a")
        for number, ((unit, sheet), berth) in enumerate(zip(line, found, strict=True), start=1):
            ship = f"{letter}{number}"
            ships[ship] = {**sheet, "side": player, **berth}
            units[ship] = unit
    one, other = pairing.players
    return {
        "board": board_of(sea, land),
        "types": {kind: plain(season.types[kind]) for kind in types_of(season, pairing.players)},
        "sides": {id: {"name": who_plays(season, pairing, id), "navy": season.players[id].navy} for id in lines},
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
            "deploying": [one, other] if waters.kind == "hexes" else [],
            "fled": [],
            "rerolls": {},
        },
    }


def who_plays(season: Season, pairing: Pairing, player: str) -> str:
    """The name of whoever plays for a player: his own, or his substitute's with his own after it."""
    name, other = season.players[player].name, pairing.substitutes.get(player)
    return f"{other} ({name})" if other else name


def places(line: Line, sea: BoardWanted, land: frozenset[Hex], top: bool) -> list[dict[str, Any]]:
    """L2.5 Where each ship of a line begins: nowhere on the players' own table, else opposite the others, off the land.

    Raises Illegal where the water is too narrow for the fleet.
    """
    if sea.kind == "hexes":
        heading = "S" if top else "N"
        found = [{"at": at, "facing": heading} for at in afloat_hexes(stations(line, sea.columns, top), sea, land, top)]
    else:
        found = list(islice(berths(sea, 0 if top else 1, land), len(line)))
    if len(found) < len(line):
        raise Illegal(
            "O10.1",
            "The sea of this scenario is too small for a fleet of %(count)s %(count|ship|ships)s.",
            count=len(line),
        )
    return found


def afloat_hexes(wanted: Iterable[Hex], sea: BoardWanted, land: frozenset[Hex], top: bool) -> Iterator[Hex]:
    """Each hex, or the nearest free water of the side's own rows where it is land; fewer where there is none left."""
    rows = range(DEPLOYMENT_ROWS) if top else range(sea.rows - DEPLOYMENT_ROWS, sea.rows)
    free = {at for row in rows for column in range(sea.columns) if (at := from_column_row(column, row)) not in land}
    for at in wanted:
        if not free:
            return
        found = at if at in free else min(free, key=lambda other: (distance(other, at), other))
        free.discard(found)
        yield found


def types_of(season: Season, players: Iterable[str]) -> list[str]:
    """G2.1 The types of the club's own in these players' fleets."""
    used = {ship.type for player in players for ship in season.players[player].ships.values()}
    return [kind for kind in season.types if kind in used]


def models(player: Player) -> Line:
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


def fought_out(season: Season, name: str, battle: Battle, events: Iterable[Event] = ()) -> Result:
    """L3.1 The result of a battle, with what its journal counts. Raises Illegal while it is being fought."""
    outcome = outcome_of(battle, meeting(season, name))
    return Result(winner=outcome.winner, outcome=outcome, deeds=deeds_of(battle, events))


def deeds_of(battle: Battle, events: Iterable[Event]) -> dict[str, Deeds]:
    """What the journal counts for each side: rams, and ships whose oars were broken."""
    found = {side: {"ram": 0, "rake": 0} for side in battle.sides}
    for each in events:
        ship = battle.ships.get(str(each.data.get("ship")))
        if each.type in ("ram", "rake") and ship is not None:
            found[ship.side][each.type] += 1
    return {side: Deeds(rams=count["ram"], oars=count["rake"]) for side, count in found.items()}
