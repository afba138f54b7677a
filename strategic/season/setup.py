"""O10.1 How a season begins, what it may not contradict, and who sees what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from strategic.season.rules.enrolling import MOST_APART, MOST_ROUNDS, check_apart, check_listed, check_own_types
from strategic.season.rules.pairing import check_moment, check_scenario, count_rounds
from strategic.season.rules.standings import points_of, records, standings
from strategic.season.state import CREWS, Round, Season
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Outcome, Seats, Secret
from tactical.kernel.record import BadInput, plain, read

# -- O10.1 What a season may not contradict, and what always holds in it.


def check(season: Season) -> None:
    """Raises BadInput for a position that contradicts itself."""
    kinds = season.kinds
    check_own_types(season)
    for id, player in season.players.items():
        for name, ship in player.ships.items():
            at = f"players.{id}.ships.{name}"
            if ship.type not in kinds:
                raise BadInput(f"{at}.type", "there is no ship type called %(type)s", type=ship.type)
            if not 0 <= ship.damage < kinds[ship.type].hull:
                raise BadInput(
                    f"{at}.damage", "this must be a number from 0 to %(most)s", most=kinds[ship.type].hull - 1
                )
            if ship.crew not in CREWS:
                raise BadInput(f"{at}.crew", "'%(crew)s' is not a quality of rowers", crew=ship.crew)
        if player.repairs < 0:
            raise BadInput(f"players.{id}.repairs", "numbers cannot be below 0")
        check_listed(player.rating, player.club, f"players.{id}")
        rounds = {bye.round for bye in player.byes}
        if len(rounds) < len(player.byes) or not all(1 <= number <= MOST_ROUNDS for number in rounds):
            raise BadInput(f"players.{id}.byes", "a player may ask for one bye in each round")
    if len(season.apart) > MOST_APART:
        raise BadInput("apart", "at most %(most)s groups of players may be kept apart", most=MOST_APART)
    for place, apart in enumerate(season.apart):
        check_apart(season, apart, f"apart.{place}")
    for place, each in enumerate(season.played):
        check_round(season, each, place)


def check_round(season: Season, each: Round, place: int) -> None:
    """Raises BadInput for a round that contradicts itself."""
    if each.number != place + 1:
        raise BadInput(f"played.{place}.number", "rounds are numbered from 1")
    check_moment(each.starts, f"played.{place}.starts")
    check_moment(each.due, f"played.{place}.due")
    check_scenario(each.scenario, f"played.{place}.scenario")
    count = Counter(player for pairing in each.pairings.values() for player in pairing.players)
    for player, times in count.items():
        if player not in season.players:
            raise BadInput(f"played.{place}.pairings", "there is no player called %(id)s", id=player)
        if times > 1:
            raise BadInput(f"played.{place}.pairings", "%(player)s is paired twice", player=player)
    for name, pairing in each.pairings.items():
        at = f"played.{place}.pairings.{name}"
        if len(pairing.players) not in (1, 2):
            raise BadInput(f"{at}.players", "a pairing must have two players, or one who has a bye")
        if not pairing.is_bye and pairing.bye:
            raise BadInput(f"{at}.bye", "a pairing of two players cannot be a bye")
        winner = pairing.result.winner if pairing.result else None
        if winner is not None and winner not in pairing.players:
            raise BadInput(f"{at}.result.winner", "%(player)s is not in this pairing", player=winner)
        check_moment(pairing.at, f"{at}.at")


def invariants(season: Season) -> tuple[str, ...]:
    """What is broken; nothing when the season is whole."""
    broken = []
    try:
        check(season)
    except BadInput as fault:
        broken.append(str(fault))
    rows = standings(season)
    if {row.player for row in rows} != set(season.players):
        broken.append("the standings leave somebody out")
    if any(row.points != sum(line.points for line in row.sum) for row in rows):
        broken.append("points are not the sum of their lines")
    places = [(row.points, row.place) for row in rows]
    if places != sorted(places, key=lambda each: (-each[0], each[1])):
        broken.append("the standings are not in order")
    if sum(points_of(season).values()) != sum(row.points for row in rows):
        broken.append("points appear or vanish")
    return tuple(broken)


# -- O10.1 How a season begins: from what the organizer has typed in.

LONGEST_TITLE = 120


def start(
    scenario: str | None, position: Mapping[str, Any] | None, options: Mapping[str, Any], dice: Dice
) -> Outcome[Season]:
    """O10.1 A season of this position. Raises BadInput with the field."""
    given = {
        name: value for name, value in dict(position or {}).items() if name not in ("standings", "planned", "records")
    }
    season: Season = read(given, Season)
    if not season.title.strip() or len(season.title) > LONGEST_TITLE:
        raise BadInput("title", "a title must have 1 to %(most)s characters", most=LONGEST_TITLE)
    for name in (
        "win",
        "draw",
        "loss",
        "bye",
        "unplayed",
        "repair",
        "replace",
        "drill",
        "shaken",
        "turn_limit",
        "remind",
    ):
        if not 0 <= getattr(season.settings, name) <= 100:
            raise BadInput(f"settings.{name}", "this must be a number from 0 to %(most)s", most=100)
    if season.rounds is not None and not 1 <= season.rounds <= 64:
        raise BadInput("rounds", "this must be a number from %(least)s to %(most)s", least=1, most=64)
    if not 0 <= season.points <= 1000:
        raise BadInput("points", "this must be a number from 0 to %(most)s", most=1000)
    if len(season.zone) > LONGEST_TITLE:
        raise BadInput("zone", "name a time zone, such as Europe/Rome")
    check(season)
    return Outcome(season)


# -- Who sees what of a season: everybody all of it, but a round that is not published yet, which is the organizer's.


def seats_of_round(season: Season, stars: tuple[str, ...]) -> Seats:
    """O10.1 Everybody may see a round that is published; one that is not, or is not there, nobody but the organizer."""
    (number,) = stars
    is_there = number.isdigit() and int(number) < len(season.played)
    return None if is_there and season.played[int(number)].published else ()


HIDDEN = (Secret("played.*", seats_of_round),)


def season_seen_by(season: Season, seat: str) -> Season:
    """O10.1 The season as a seat may see it: the organizer alone sees a round before it is published."""
    if seat == UMPIRE or not season.played or season.played[-1].published:
        return season
    return msgspec.structs.replace(season, played=season.played[:-1])


def view(season: Season, seat: str) -> dict[str, Any]:
    """The season as a seat may see it, with its standings and the number of its rounds."""
    season = season_seen_by(season, seat)
    told: dict[str, Any] = plain(season)
    told["standings"] = plain(standings(season))
    told["records"] = plain(records(season))
    told["planned"] = planned_rounds(season)
    return told


def planned_rounds(season: Season) -> int:
    """O10.1 How many rounds there are to be."""
    return season.rounds or count_rounds(season.pairing, len(season.players))
