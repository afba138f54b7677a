"""O10.1 Rounds: pair, change by hand, publish."""

from __future__ import annotations

from collections import Counter

import msgspec

from strategic.season.commands import Pair, Publish, Rearrange
from strategic.season.rules import matching
from strategic.season.rules.calendar import check_dates
from strategic.season.rules.enrolling import Handled, next_round, replace
from strategic.season.rules.standings import points_of
from strategic.season.state import Pairing, Round, Season, Why
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, event
from tactical.kernel.record import BadInput

MOST_ROUNDS = 64


def why_not_pair(season: Season) -> Illegal | None:
    """O10.1 A round is paired when the one before is settled, and two players are there who may meet."""
    now = season.now
    if now is not None and now.open():
        return Illegal(
            "O10.1",
            "Results of round %(number)s that are still missing: %(count)s.",
            number=now.number,
            count=len(now.open()),
        )
    players = season.entered(next_round(season))
    if len(players) < 2:
        return Illegal("O10.1", "A round needs at least two players.")
    if season.rounds is not None and len(season.played) >= season.rounds:
        return Illegal("O10.1", "All rounds of the season have been played (%(rounds)s in all).", rounds=season.rounds)
    if len(season.played) >= MOST_ROUNDS:
        return Illegal("O10.1", "A season may have at most %(rounds)s %(rounds|round|rounds)s.", rounds=MOST_ROUNDS)
    if season.pairing == "round_robin" and matching.has_everybody_met(season, players):
        return Illegal("O10.1", "Every player has met every other: the round robin is complete.")
    return None


def pair(season: Season, command: Pair, dice: Dice) -> Handled:
    """O10.1 The pairings of the next round, which the organizer may still change."""
    wrong = why_not_pair(season)
    if wrong:
        raise wrong
    check_dates(command)
    number = next_round(season)
    players = season.entered(number)
    if season.pairing == "swiss":
        found = matching.swiss(season, players, dice)
    else:
        found = matching.round_robin(season, players, number)
    drawn = Round(
        number,
        dict(zip(ids(number, len(found)), found, strict=True)),
        date=command.date,
        starts=command.starts,
        due=command.due,
        scenario=command.scenario,
    )
    told = event("O10.1", "round_paired", round=number, pairings=len(found))
    return replace(season, played=(*season.played, drawn)), (told,)


def ids(number: int, count: int) -> list[str]:
    """The ids of a round's pairings: r2.1, r2.2, …, written with a hyphen, as a point leads into a record."""
    return [f"r{number}-{place}" for place in range(1, count + 1)]


def drawn_round(season: Season, number: int) -> Round:
    """The round that is paired and not published. Raises Illegal, BadInput."""
    now = season.now
    if now is None or now.number != number:
        raise BadInput("command.round", "round %(number)s is not the one that was paired last", number=number)
    if now.published:
        raise Illegal(
            "O10.1", "Round %(number)s is published, so its pairings can no longer be changed.", number=number
        )
    return now


def rearrange(season: Season, command: Rearrange, dice: Dice) -> Handled:
    """O10.1 The organizer's own pairings: everybody who is in the round once; what stays as it was keeps its reason."""
    now = drawn_round(season, command.round)
    wanted = season.entered(now.number)
    count = Counter(player for players in command.pairings for player in players)
    for player, times in count.items():
        if player not in wanted:
            raise BadInput("command.pairings", "%(player)s is not paired in this round", player=player)
        if times > 1:
            raise BadInput("command.pairings", "%(player)s is paired twice", player=player)
    missing = [player for player in wanted if player not in count]
    if missing:
        raise BadInput("command.pairings", "%(player)s is not in any pairing", player=missing[0])
    if any(len(players) not in (1, 2) for players in command.pairings):
        raise BadInput("command.pairings", "a pairing must have two players, or one who has a bye")
    before = {each.players: each for each in now.pairings.values()}
    found = [before.get(players) or Pairing(players, chosen_by_hand(season, players)) for players in command.pairings]
    again = msgspec.structs.replace(now, pairings=dict(zip(ids(now.number, len(found)), found, strict=True)))
    told = event("O10.1", "round_changed", round=now.number)
    return replace(season, played=(*season.played[:-1], again)), (told,)


def chosen_by_hand(season: Season, players: tuple[str, ...]) -> Why:
    """The reason of a pairing that the organizer has made: how often the two have met, and their points."""
    points = points_of(season)
    if len(players) == 1:
        return Why("organizer_bye", {"points": points[players[0]]})
    values = {"one": points[players[0]], "other": points[players[1]]}
    return Why("organizer", {**values, "met": matching.count_meetings(season).get(frozenset(players), 0)})


def publish(season: Season, command: Publish, dice: Dice) -> Handled:
    """O10.1 The pairings stand."""
    now = drawn_round(season, command.round)
    told = event("O10.1", "round_published", round=now.number)
    return replace(season, played=(*season.played[:-1], replace_round(now, published=True))), (told,)


def replace_round(now: Round, **fields: object) -> Round:
    """A round with other fields."""
    found: Round = msgspec.structs.replace(now, **fields)
    return found
