"""O10.1 Ships between battles: losses, damage, crews that learn and crews that are shaken, repair."""

from __future__ import annotations

import msgspec

from strategic.season.commands import Repair
from strategic.season.rules.enrolling import Handled, player_of, with_player
from strategic.season.state import CREWS, Pairing, Player, Result, Season, Settings, Ship, Status
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import BadInput

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
