"""O10.1 When, where and by whom a round is played, and what happens when its time is over."""

from __future__ import annotations

import re
from calendar import monthrange

import msgspec

from strategic.season.commands import Arrange, Lapse, Pair, Schedule, Substitute
from strategic.season.rules.enrolling import LONGEST_NAME, Handled, replace
from strategic.season.rules.results import find, settle, with_pairing
from strategic.season.state import Result, Season
from strategic.season.tables import SETTINGS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, event
from tactical.kernel.record import BadInput

LONGEST_TEXT = 60
MOMENT = re.compile(r"(2\d{3})-(0[1-9]|1[0-2])-([0-2]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)


def check_moment(text: str, at: str) -> None:
    """Raises BadInput for what is not a moment by the clock, as 2026-12-03T19:30."""
    found = MOMENT.fullmatch(text)
    if text and not found:
        raise BadInput(at, "give a date and an hour, such as 2026-12-03T19:30")
    if found:
        year, month, day = (int(part) for part in found.groups())
        if day > monthrange(year, month)[1]:
            raise BadInput(at, "give a date and an hour, such as 2026-12-03T19:30")


def check_scenario(name: str, at: str) -> None:
    """Raises BadInput for a scenario that is not in the table."""
    if name not in SETTINGS.scenario:
        raise BadInput(at, "there is no scenario called %(name)s: %(names)s", name=name, names=tuple(SETTINGS.scenario))


def check_dates(command: Pair | Schedule) -> None:
    """Raises BadInput for dates or a scenario that cannot be."""
    if len(command.date) > LONGEST_TEXT:
        raise BadInput("command.date", "it may have at most %(most)s characters", most=LONGEST_TEXT)
    check_moment(command.starts, "command.starts")
    check_moment(command.due, "command.due")
    if command.starts and command.due and command.due <= command.starts:
        raise BadInput("command.due", "results must be due after the round begins")
    check_scenario(command.scenario, "command.scenario")


def schedule(season: Season, command: Schedule, dice: Dice) -> Handled:
    """O10.1 Other dates, or another sea for the battles that are not on the table yet."""
    now = season.now
    if now is None or now.number != command.round:
        raise BadInput("command.round", "round %(number)s is not the one that was paired last", number=command.round)
    check_dates(command)
    if command.scenario != now.scenario and any(each.game for each in now.pairings.values()):
        raise Illegal("O10.1", "A battle of this round has already been opened; its scenario stays.")
    fields = {name: getattr(command, name) for name in ("date", "starts", "due", "scenario")}
    after = msgspec.structs.replace(now, **fields)
    told = event("O10.1", "round_scheduled", round=now.number)
    return replace(season, played=(*season.played[:-1], after)), (told,)


def arrange(season: Season, command: Arrange, dice: Dice) -> Handled:
    """O10.1 When and where two players fight."""
    now, pairing = find(season, command.pairing)
    if command.side and command.side not in pairing.players:
        raise Illegal("O10.1", "%(player)s is not in this pairing.", player=command.side)
    if pairing.result is not None:
        raise Illegal("O10.1", "This pairing already has its result.")
    check_moment(command.at, "command.at")
    if len(command.place) > LONGEST_TEXT:
        raise BadInput("command.place", "it may have at most %(most)s characters", most=LONGEST_TEXT)
    after = msgspec.structs.replace(pairing, at=command.at, place=" ".join(command.place.split()))
    told = event("O10.1", "battle_arranged", pairing=command.pairing, players=list(pairing.players))
    return with_pairing(season, now, command.pairing, after, now.published), (told,)


def substitute(season: Season, command: Substitute, dice: Dice) -> Handled:
    """O10.1 Somebody plays for a player this once; points and ships are the player's."""
    now, pairing = find(season, command.pairing)
    if command.player not in pairing.players:
        raise Illegal("O10.1", "%(player)s is not in this pairing.", player=command.player)
    if pairing.result is not None:
        raise Illegal("O10.1", "This pairing already has its result.")
    name = " ".join(command.name.split())
    if len(name) > LONGEST_NAME:
        raise BadInput("command.name", "a player's name must have 1 to %(most)s characters", most=LONGEST_NAME)
    others = {id: who for id, who in pairing.substitutes.items() if id != command.player}
    after = msgspec.structs.replace(pairing, substitutes={**others, command.player: name} if name else others)
    told = event("O10.1", "substitute", pairing=command.pairing, player=command.player, name=name)
    return with_pairing(season, now, command.pairing, after, now.published), (told,)


def lapse(season: Season, command: Lapse, dice: Dice) -> Handled:
    """O10.1 A report that waits stands; what nobody has reported was not played, where the season says so."""
    now, pairing = find(season, command.pairing)
    if not now.published or not now.due:
        raise Illegal("O10.1", "Round %(number)s has no date by which results are due.", number=now.number)
    if pairing.result is not None:
        raise Illegal("O10.1", "This pairing already has its result.")
    if pairing.game is not None:
        raise Illegal(
            "O10.1",
            "The battle %(game)s is being fought in this program; its outcome will settle this pairing.",
            game=pairing.game,
        )
    if pairing.proposed is not None and season.settings.overdue != "wait":
        result = pairing.proposed
    elif season.settings.overdue == "unplayed":
        result = Result(played=False)
    else:
        raise Illegal("O10.1", "In this season the organizer decides on an overdue result.")
    told = event("O10.1", "time_over", pairing=command.pairing, players=list(pairing.players))
    season, more = settle(season, now, command.pairing, pairing, result)
    return season, (told, *more)
