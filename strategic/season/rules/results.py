"""O10.1 Results: reported by a player with the other's word, by the organizer, or by the battle fought here."""

from __future__ import annotations

import msgspec

from strategic.naval.engagement import Engagement, Fleet, NavalUnit, check_outcome
from strategic.season.commands import Agree, Open, Report
from strategic.season.rules.enrolling import Handled
from strategic.season.rules.ships import home
from strategic.season.state import Pairing, Player, Result, Round, Season
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, event
from tactical.kernel.record import BadInput

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
        if result.winner or result.points or result.outcome or result.deeds:
            raise BadInput("command.result", "a battle that was not played cannot have a winner, points or an outcome")
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
        told = event("O10.1", "not_played", pairing=name, players=players)
    if corrects or not result.played or not season.settings.damage:
        return season, (told,)
    season, more = home(season, pairing, result, now.number)
    return season, (told, *more)
