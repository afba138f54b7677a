"""O10.1 What a season may not contradict, and what always holds in it."""

from __future__ import annotations

from collections import Counter

from strategic.season.rules.calendar import check_moment, check_scenario
from strategic.season.rules.enrolling import check_own_types
from strategic.season.rules.standings import points_of, standings
from strategic.season.state import CREWS, Round, Season
from tactical.kernel.record import BadInput


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
