"""O10.1 Players come and go; what a season may not contradict."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from strategic.season.commands import AskBye, Enroll, Entry, KeepApart, Return, SetFleet, SetTypes, Withdraw
from strategic.season.state import Apart, AskedBye, Player, Season, Ship
from tactical.battle import check_types
from tactical.captains.worth import TEN, WORTH, Kind
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import BadInput, clean_name
from tactical.ship import CREWS

# -- O10.1 What a fleet is worth, by the values fitted from captains' battles.


def worth(season: Season, navy: str, ships: Iterable[Entry | Ship]) -> int:
    """The points of a navy's ships together, rounded; a type without a value counts as a quinquereme.

    The organizer's own price of a type comes before the fitted value, whatever her rowers.
    """
    kinds = (Kind(ship.type, navy, ship.crew, ship.corvus) for ship in ships)
    return round(sum(season.prices.get(kind.type, WORTH.points(kind) or TEN) for kind in kinds))


def is_known(season: Season, navy: str, kind: str) -> bool:
    """Has the navy ships of this type?"""
    known = season.kinds.get(kind)
    return known is not None and (navy in known.crew or not known.crew)


def crews() -> tuple[str, ...]:
    """The names of crews, by quality."""
    return tuple(CREWS)


# -- O10.1 Players come, enter their fleets, withdraw and come back.

MOST_PLAYERS, MOST_SHIPS, LONGEST_NAME, MOST_TYPES, MOST_POINTS = 64, 40, 60, 40, 1000
MOST_ROUNDS, MOST_APART, HIGHEST_RATING = 64, 200, 9999
Handled = tuple[Season, tuple[Event, ...]]
replace = msgspec.structs.replace


def next_round(season: Season) -> int:
    """The number of the round that is paired next."""
    return len(season.played) + 1


def why_not_fleet(season: Season, navy: str, entries: tuple[Entry, ...]) -> Illegal | BadInput | None:
    """O10.1 Ships of the navy, known crews, within the season's points."""
    if len(entries) > MOST_SHIPS:
        return Illegal("O10.1", "A fleet may have at most %(most)s %(most|ship|ships)s.", most=MOST_SHIPS)
    for entry in entries:
        if not is_known(season, navy, entry.type):
            return Illegal("O10.1", "The navy %(navy)s has no ship of the type %(type)s.", navy=navy, type=entry.type)
        if entry.crew not in crews():
            return BadInput("command.ships", "'%(crew)s' is not a quality of rowers", crew=entry.crew)
        if len(entry.name) > LONGEST_NAME:
            return BadInput("command.ships", "a ship's name may have at most %(most)s characters", most=LONGEST_NAME)
    spent = worth(season, navy, entries)
    if season.points and spent > season.points:
        return Illegal(
            "O10.1",
            "This fleet is worth %(spent)s %(spent|point|points)s; the season allows %(most)s.",
            spent=spent,
            most=season.points,
        )
    return None


def why_not_name(season: Season, name: str) -> Illegal | BadInput | None:
    """O10.1 A player has a name of his own."""
    if not 1 <= len(clean_name(name)) <= LONGEST_NAME:
        return BadInput("command.name", "a player's name must have 1 to %(most)s characters", most=LONGEST_NAME)
    if any(clean_name(each.name).casefold() == clean_name(name).casefold() for each in season.players.values()):
        return Illegal("O10.1", "There is already a player called %(name)s.", name=clean_name(name))
    return None


def check_listed(rating: int, club: str, at: str) -> None:
    """O10.1 Raises BadInput for a rating or a club's name that cannot be."""
    if not 0 <= rating <= HIGHEST_RATING:
        raise BadInput(f"{at}.rating", "this must be a number from 0 to %(most)s", most=HIGHEST_RATING)
    if len(club) > LONGEST_NAME:
        raise BadInput(f"{at}.club", "it may have at most %(most)s characters", most=LONGEST_NAME)


def enroll(season: Season, command: Enroll, dice: Dice) -> Handled:
    """O10.1 The player is paired from the next round on."""
    if len(season.players) >= MOST_PLAYERS:
        raise Illegal("O10.1", "A season may have at most %(most)s %(most|player|players)s.", most=MOST_PLAYERS)
    wrong = why_not_name(season, command.name) or why_not_fleet(season, command.navy, command.ships)
    if wrong:
        raise wrong
    check_listed(command.rating, command.club, "command")
    id, name = f"p{len(season.players) + 1}", clean_name(command.name)
    player = Player(
        name,
        since=next_round(season),
        navy=command.navy,
        ships=launch(command.ships),
        rating=command.rating,
        club=clean_name(command.club),
    )
    told = event("O10.1", "player_enrolled", player=id, name=name, round=player.since, ships=len(player.ships))
    return replace(season, players={**season.players, id: player}), (told,)


def launch(entries: tuple[Entry, ...]) -> dict[str, Ship]:
    """Ships of these entries; one without a name is called by its type and number."""
    found: dict[str, Ship] = {}
    for number, entry in enumerate(entries, start=1):
        name = entry.name.strip() or f"{entry.type.title()} {number}"
        found[f"s{number}"] = Ship(name, entry.type, msgspec.convert(entry.crew, str), entry.corvus)
    return found


def player_of(season: Season, id: str, field: str = "player") -> Player:
    """The player. Raises BadInput."""
    if id not in season.players:
        raise BadInput(f"command.{field}", "there is no player called %(id)s", id=id)
    return season.players[id]


def with_player(season: Season, id: str, player: Player) -> Season:
    """The season with a player as he is now."""
    return replace(season, players={**season.players, id: player})


def set_fleet(season: Season, command: SetFleet, dice: Dice) -> Handled:
    """O10.1 Another fleet for a player who has not fought yet."""
    player = player_of(season, command.player)
    if has_fought(season, command.player):
        raise Illegal("O10.1", "%(name)s has already fought, so the fleet can no longer be changed.", name=player.name)
    wrong = why_not_fleet(season, command.navy, command.ships)
    if wrong:
        raise wrong
    player = replace(player, navy=command.navy, ships=launch(command.ships))
    told = event("O10.1", "fleet_entered", player=command.player, name=player.name, ships=len(player.ships))
    return with_player(season, command.player, player), (told,)


def has_fought(season: Season, id: str) -> bool:
    """Has the player a result, or a battle that stands on the table?"""
    return any(
        id in pairing.players and (pairing.result is not None or pairing.game is not None)
        for _round, pairing in season.paired().values()
        if not pairing.is_bye
    )


def withdraw(season: Season, command: Withdraw, dice: Dice) -> Handled:
    """O10.1 The player is not paired any more; a round that is under way still counts."""
    player = player_of(season, command.player)
    if player.until is not None:
        raise Illegal("O10.1", "%(name)s has already withdrawn.", name=player.name)
    player = replace(player, until=len(season.played))
    told = event("O10.1", "player_withdrawn", player=command.player, name=player.name)
    return with_player(season, command.player, player), (told,)


def come_back(season: Season, command: Return, dice: Dice) -> Handled:
    """O10.1 The player is paired again, from the next round on."""
    player = player_of(season, command.player)
    if player.until is None:
        raise Illegal("O10.1", "%(name)s has not withdrawn.", name=player.name)
    player = replace(player, until=None, since=next_round(season))
    told = event(
        "O10.1", "player_enrolled", player=command.player, name=player.name, round=player.since, ships=len(player.ships)
    )
    return with_player(season, command.player, player), (told,)


def ask_bye(season: Season, command: AskBye, dice: Dice) -> Handled:
    """O10.1 A round that a player sits out is noted until it is paired."""
    player = player_of(season, command.player)
    if command.round < next_round(season):
        raise Illegal("O10.1", "Round %(number)s has already been paired.", number=command.round)
    if command.round > (season.rounds or MOST_ROUNDS):
        raise BadInput("command.round", "this must be a number from %(least)s to %(most)s", least=1, most=MOST_ROUNDS)
    rest = tuple(bye for bye in player.byes if bye.round != command.round)
    byes = (*rest, AskedBye(command.round, command.bye)) if command.bye else rest
    told = event("O10.1", "bye_asked", player=command.player, round=command.round, kind=command.bye)
    return with_player(season, command.player, replace(player, byes=byes)), (told,)


def check_apart(season: Season, each: Apart, at: str) -> None:
    """O10.1 Raises BadInput for players who cannot be kept apart."""
    for id in each.players:
        if id not in season.players:
            raise BadInput(f"{at}.players", "there is no player called %(id)s", id=id)
    if len(set(each.players)) < 2 or len(set(each.players)) != len(each.players):
        raise BadInput(f"{at}.players", "name two or more different players")
    if not 1 <= each.first <= (each.last or MOST_ROUNDS) <= MOST_ROUNDS:
        raise BadInput(f"{at}.first", "this must be a number from %(least)s to %(most)s", least=1, most=MOST_ROUNDS)


def keep_apart(season: Season, command: KeepApart, dice: Dice) -> Handled:
    """O10.1 Players who are not to meet, or who may again; a round that is paired stays as it is."""
    wanted = Apart(command.players, command.first, command.last)
    check_apart(season, wanted, "command")
    rest = tuple(each for each in season.apart if set(each.players) != set(wanted.players))
    if not command.apart and len(rest) == len(season.apart):
        raise Illegal("O10.1", "These players are not kept apart.")
    if command.apart and len(rest) >= MOST_APART:
        raise BadInput("command.players", "at most %(most)s groups of players may be kept apart", most=MOST_APART)
    told = event("O10.1", "kept_apart", players=list(command.players), apart=command.apart)
    return replace(season, apart=(*rest, wanted) if command.apart else rest), (told,)


def check_own_types(season: Season) -> None:
    """G2.1 Raises BadInput for types or prices with which nothing can be played."""
    if len(season.types) > MOST_TYPES:
        raise BadInput("types", "a season may have at most %(most)s ship types of its own", most=MOST_TYPES)
    for name in season.types:
        if not name.strip() or len(name) > LONGEST_NAME:
            raise BadInput("types", "a ship type's name must have 1 to %(most)s characters", most=LONGEST_NAME)
    check_types(season.types)
    for name, price in season.prices.items():
        if name not in season.kinds:
            raise BadInput(f"prices.{name}", "there is no ship type called %(type)s", type=name)
        if not 0 <= price <= MOST_POINTS:
            raise BadInput(f"prices.{name}", "this must be a number from 0 to %(most)s", most=MOST_POINTS)


def set_types(season: Season, command: SetTypes, dice: Dice) -> Handled:
    """O10.1, G2.1 Other types of the club's own, as long as no ship has fought and every fleet keeps within them."""
    if any(has_fought(season, id) for id in season.players):
        raise Illegal("O10.1", "The season's ships have already fought, so their types can no longer be changed.")
    season = replace(season, types=command.types, prices=command.prices)
    check_own_types(season)
    for player in season.players.values():
        entries = tuple(Entry(ship.type, ship.name, ship.crew, ship.corvus) for ship in player.ships.values())
        wrong = why_not_fleet(season, player.navy, entries)
        if wrong:
            raise wrong
    return season, (event("O10.1", "types_entered", count=len(command.types)),)
