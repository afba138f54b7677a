"""O10.1 Battles of pairings, their results, and ships between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from strategic.naval.engagement import Engagement, Fleet, NavalUnit, check_outcome
from strategic.naval.handoff import TABLE, board_columns, outcome_of, stations
from strategic.season.commands import Agree, Open, Repair, Report
from strategic.season.rules.enrolling import Handled, player_of, with_player
from strategic.season.state import (
    CREWS,
    SETTINGS,
    Deeds,
    Pairing,
    Player,
    Result,
    Round,
    Season,
    Settings,
    Ship,
    Status,
)
from tactical.battle import Battle
from tactical.board import Hex, distance, from_column_row
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import BadInput, plain
from tactical.rules.linked import DEPLOYMENT_ROWS
from tactical.setup import BoardWanted, coast, plain_board
from tactical.setup import stations as berths

# -- O10.1 Ships between battles: losses, damage, crews that learn and crews that are shaken, repair.

replace = msgspec.structs.replace
PARTS = 10  # `shaken` is a share in parts of ten


def home(season: Season, pairing: Pairing, result: Result, number: int) -> Handled:
    """O10.1 After a battle of a round: losses, damage brought home, crews that gain or lose."""
    events: list[Event] = []
    for id in pairing.players:
        player = season.players[id]
        ships = came_home(season, id, result, number)
        ships, told = drill(ships, player, id, season.settings)
        events += told
        player = replace(player, ships=ships, repairs=player.repairs + season.settings.repair)
        season = with_player(season, id, player)
    return season, tuple(events)


def came_home(season: Season, id: str, result: Result, number: int) -> dict[str, Ship]:
    """L3.1 Each ship as the outcome says; where it names no ships, the last of the list are lost."""
    player = season.players[id]
    if result.outcome is None:
        return {name: after_battle(ship, number) for name, ship in player.ships.items()}
    lost = result.outcome.of(id)
    afloat = [name for name, ship in player.ships.items() if ship.status == "afloat"]
    statuses: dict[str, Status] = dict.fromkeys(lost.sunk_ships, "sunk")
    statuses |= dict.fromkeys(lost.captured_ships, "captured")
    unnamed = [name for name in reversed(afloat) if name not in statuses]
    sunk = lost.sunk - len(lost.sunk_ships)
    captured = lost.captured - len(lost.captured_ships)
    statuses |= dict.fromkeys(unnamed[:sunk], "sunk")
    statuses |= dict.fromkeys(unnamed[sunk : sunk + captured], "captured")
    found = {}
    for name, ship in player.ships.items():
        status = statuses.get(name)
        if ship.status != "afloat":
            found[name] = ship
        elif status is not None:
            found[name] = replace(ship, status=status, damage=0)
        else:
            most = season.kinds[ship.type].hull - 1
            found[name] = replace(
                after_battle(ship, number), damage=min(most, max(ship.damage, lost.damage.get(name, ship.damage)))
            )
    return found


def after_battle(ship: Ship, number: int) -> Ship:
    """A battle more for a ship that floats, in this round."""
    if ship.status != "afloat":
        return ship
    return replace(ship, battles=ship.battles + 1, rounds=(*ship.rounds, number))


def drill(ships: dict[str, Ship], before: Player, id: str, settings: Settings) -> tuple[dict[str, Ship], list[Event]]:
    """O10.1 After so many battles a crew is one step better; those of a fleet that lost a great part, one worse."""
    sent = sum(ship.status == "afloat" for ship in before.ships.values())
    left = sum(ship.status == "afloat" for ship in ships.values())
    shaken = sent > 0 and (sent - left) * PARTS >= sent * settings.shaken
    found, told = {}, []
    for name, ship in ships.items():
        rank = CREWS.index(ship.crew)
        if ship.status != "afloat":
            found[name] = ship
            continue
        if shaken:
            after = replace(ship, crew=CREWS[max(0, rank - 1)], battles=0)
        elif settings.drill and ship.battles >= settings.drill and rank < len(CREWS) - 1:
            after = replace(ship, crew=CREWS[rank + 1], battles=0)
        else:
            after = ship
        if after.crew != ship.crew:
            told.append(event("O10.1", "crew", player=id, ship=ship.name, crew=after.crew, better=not shaken))
        found[name] = after
    return found, told


def why_not_repair(season: Season, command: Repair) -> Illegal | BadInput | None:
    """O10.1 With points that are left, on a ship that needs them, while no battle of the player is under way."""
    player = player_of(season, command.player)
    ship = player.ships.get(command.ship)
    if ship is None:
        return BadInput("command.ship", "%(name)s has no ship called %(ship)s", name=player.name, ship=command.ship)
    if is_fighting(season, command.player):
        return Illegal(
            "O10.1", "%(name)s has a battle under way; ships can be repaired only between rounds.", name=player.name
        )
    least = 1 if ship.status == "afloat" else season.settings.replace
    most = ship.damage if ship.status == "afloat" else season.settings.replace
    if not ship.damage and ship.status == "afloat":
        return Illegal("O10.1", "%(ship)s is not damaged.", ship=ship.name)
    if not least <= command.points <= most:
        return BadInput("command.points", "this must be a number from %(least)s to %(most)s", least=least, most=most)
    if command.points > player.repairs:
        return Illegal(
            "O10.1", "%(name)s has %(left)s %(left|point|points)s left.", name=player.name, left=player.repairs
        )
    return None


def is_fighting(season: Season, id: str) -> bool:
    """Is the player in a pairing of this round that is published and has no result?"""
    now = season.now
    return now is not None and now.published and any(id in now.pairings[name].players for name in now.open())


def repair(season: Season, command: Repair, dice: Dice) -> Handled:
    """O10.1 Hull points, or a new ship of the same type and name with an average crew."""
    wrong = why_not_repair(season, command)
    if wrong:
        raise wrong
    player = season.players[command.player]
    ship = player.ships[command.ship]
    if ship.status == "afloat":
        after, kind = replace(ship, damage=ship.damage - command.points), "ship_repaired"
    else:
        after, kind = Ship(ship.name, ship.type, "average", ship.corvus), "ship_replaced"
    ships = {**player.ships, command.ship: after}
    player = replace(player, ships=ships, repairs=player.repairs - command.points)
    told = event("O10.1", kind, player=command.player, ship=ship.name, points=command.points)
    return with_player(season, command.player, player), (told,)


# -- O10.1 Results: reported by a player with the other's word, by the organizer, or by the battle fought here.

MOST_POINTS = 10_000


def find(season: Season, name: str) -> tuple[Round, Pairing]:
    """A pairing of two players. Raises BadInput, Illegal."""
    found = season.paired().get(name)
    if found is None:
        raise BadInput("command.pairing", "there is no pairing called %(name)s", name=name)
    now, pairing = found
    if pairing.is_bye:
        raise Illegal("O10.1", "A player with a bye has no battle.")
    return now, pairing


def meeting(season: Season, name: str) -> Engagement:
    """L1.1 A pairing as a meeting at sea, with the ships that float."""
    _now, pairing = find(season, name)
    one, other = pairing.players
    return Engagement(
        id=name,
        system="season",
        place=season.title,
        fleets={player: fleet_of(season.players[player]) for player in (one, other)},
        mover=one,
        rule="O10.1",
        deciding="table",
    )


def fleet_of(player: Player) -> Fleet:
    """L1.1 The ships of a player that float."""
    afloat = {id: ship for id, ship in player.ships.items() if ship.status == "afloat"}
    return Fleet(tuple(NavalUnit(id, ship.name, ship.damage, ship.type) for id, ship in afloat.items()))


def open_battle(season: Season, command: Open, dice: Dice) -> Handled:
    """O10.1 The battle stands on the table here."""
    now, pairing = find(season, command.pairing)
    if pairing.result is not None:
        raise Illegal("O10.1", "This pairing already has its result.")
    if pairing.game is not None:
        raise Illegal("O10.1", "This pairing's battle %(game)s has already been opened.", game=pairing.game)
    told = event("O10.1", "battle_opened", pairing=command.pairing, players=list(pairing.players), game=command.game)
    return with_pairing(season, now, command.pairing, msgspec.structs.replace(pairing, game=command.game)), (told,)


def with_pairing(season: Season, now: Round, name: str, pairing: Pairing, published: bool = True) -> Season:
    """The season with a pairing as it is now; whoever reports or opens a battle publishes its round."""
    after = msgspec.structs.replace(now, pairings={**now.pairings, name: pairing}, published=published)
    played = tuple(after if each.number == now.number else each for each in season.played)
    return msgspec.structs.replace(season, played=played)


def check_result(season: Season, name: str, pairing: Pairing, result: Result) -> Result:
    """O10.1, L3.1 The result with its winner filled in. Raises BadInput for what contradicts itself, Illegal by L3."""
    for player, deeds in result.deeds.items():
        if player not in pairing.players:
            raise BadInput(f"command.result.deeds.{player}", "%(player)s is not in this pairing", player=player)
        if not 0 <= min(deeds.rams, deeds.oars) <= max(deeds.rams, deeds.oars) <= MOST_POINTS:
            raise BadInput(
                f"command.result.deeds.{player}", "this must be a number from 0 to %(most)s", most=MOST_POINTS
            )
    if not result.played:
        if result.points or result.outcome or result.deeds:
            raise BadInput("command.result", "a battle that was not played cannot have points or an outcome")
        if result.winner is not None and result.winner not in pairing.players:
            raise BadInput("command.result.winner", "%(player)s is not in this pairing", player=result.winner)
        return result
    for player, points in result.points.items():
        if player not in pairing.players:
            raise BadInput(f"command.result.points.{player}", "%(player)s is not in this pairing", player=player)
        if not 0 <= points <= MOST_POINTS:
            raise BadInput(
                f"command.result.points.{player}", "this must be a number from 0 to %(most)s", most=MOST_POINTS
            )
    if result.outcome is not None:
        if result.winner not in (None, result.outcome.winner):
            raise BadInput("command.result.winner", "the outcome names another winner")
        outcome = result.outcome
        result = msgspec.structs.replace(result, winner=outcome.winner)
        for side in (outcome.winner, *outcome.sides):
            if side is not None and side not in pairing.players:
                raise BadInput("command.result.outcome", "%(player)s is not in this pairing", player=side)
        if all(season.players[player].ships for player in pairing.players):
            check_outcome(meeting(season, name), outcome, season.kinds)
    if result.winner is not None and result.winner not in pairing.players:
        raise BadInput("command.result.winner", "%(player)s is not in this pairing", player=result.winner)
    return result


def report(season: Season, command: Report, dice: Dice) -> Handled:
    """O10.1 The organizer's result stands, and may correct one; a player's waits for the other's word."""
    now, pairing = find(season, command.pairing)
    result = check_result(season, command.pairing, pairing, command.result)
    if not command.side:
        return settle(season, now, command.pairing, pairing, result)
    if command.side not in pairing.players:
        raise Illegal("O10.1", "%(player)s is not in this pairing.", player=command.side)
    if pairing.result is not None:
        raise Illegal("O10.1", "This pairing already has its result; only the organizer may correct it.")
    if pairing.game is not None:
        raise Illegal(
            "O10.1",
            "The battle %(game)s is being fought in this program; its outcome will settle this pairing.",
            game=pairing.game,
        )
    if not result.played:
        raise Illegal("O10.1", "Only the organizer can declare that a battle was not played.")
    after = msgspec.structs.replace(pairing, proposed=result, proposed_by=command.side)
    told = event("O10.1", "result_proposed", pairing=command.pairing, player=command.side, winner=result.winner)
    return with_pairing(season, now, command.pairing, after), (told,)


def agree(season: Season, command: Agree, dice: Dice) -> Handled:
    """O10.1 With the other player's word the result stands; without it the report falls."""
    now, pairing = find(season, command.pairing)
    if pairing.proposed is None:
        raise Illegal("O10.1", "No report of this pairing is waiting for an answer.")
    if command.side not in pairing.players or command.side == pairing.proposed_by:
        raise Illegal("O10.1", "Only the other player may answer this.")
    if command.agrees:
        return settle(season, now, command.pairing, pairing, pairing.proposed)
    after = msgspec.structs.replace(pairing, proposed=None, proposed_by=None)
    told = event("O10.1", "result_denied", pairing=command.pairing, player=command.side)
    return with_pairing(season, now, command.pairing, after), (told,)


def settle(season: Season, now: Round, name: str, pairing: Pairing, result: Result) -> Handled:
    """O10.1 The result stands; ships come home with it, once."""
    if pairing.result is not None and now is not season.now:
        raise Illegal(
            "O10.1", "The next round has been paired according to this result, so the result can no longer be changed."
        )
    corrects = pairing.result is not None
    if corrects and pairing.result is not None and pairing.result.outcome != result.outcome:
        raise Illegal("O10.1", "The ships already have the losses of this result; undo the entry to correct them.")
    after = msgspec.structs.replace(pairing, result=result, proposed=None, proposed_by=None)
    season = with_pairing(season, now, name, after)
    players = list(pairing.players)
    if result.played:
        told = event("O10.1", "result", pairing=name, players=players, winner=result.winner)
    else:
        told = event("O10.1", "not_played", pairing=name, players=players, winner=result.winner)
    if corrects or not result.played or not season.settings.damage:
        return season, (told,)
    season, more = home(season, pairing, result, now.number)
    return season, (told, *more)


# -- O10.1, L2 From a pairing to the battle that settles it, and back.

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
        "board": plain_board(sea, land),
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
