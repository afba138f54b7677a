"""12 The coming battle: what both would add to their dice, who wins at what chance, what each loses on average."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product

from msgspec.structs import replace

from strategic.sword_of_rome.rules.battle import losses_inflicted_by, modifiers, ratio_modifier, sizes
from strategic.sword_of_rome.rules.book_keeping import open_gates
from strategic.sword_of_rome.rules.survey import enemy_in_the_open
from strategic.sword_of_rome.state import Battle, Lane, State
from strategic.sword_of_rome.tables import TABLES
from tactical.kernel.record import Record

FACES = range(1, 7)


class BattleAhead(Record, frozen=True):
    """12.2, 12.3 A battle before its dice: the CUs of attacker and defender, what each adds, by reason, the chance that
    the attacker wins, and the CUs that each loses on average. `is_automatic`: the smaller army is gone without dice.
    """

    space: str
    attacker: str
    defender: str
    units: tuple[int, int]
    added: tuple[dict[str, int], dict[str, int]]
    chance: Fraction
    losses: tuple[Fraction, Fraction]
    is_automatic: bool = False


def battle_now(state: State) -> BattleAhead | None:
    """The battle that waits for its dice, or the one that the army on the move comes to where it stands."""
    if state.move is None:
        return None
    if state.battle is not None:
        return of_battle(state)
    return battle_there(state, state.army.at, state.army.by)


def battle_there(state: State, space: str, by: Lane | None, came_from: str | None = None) -> BattleAhead | None:
    """The battle against who stands in the open of a space that the army enters so; None where nobody does."""
    move = replace(state.army, at=space, by=by, came_from=came_from or state.army.came_from)
    defender = enemy_in_the_open(state, move.power, space)
    if defender is None:
        return None
    there = open_gates(state.with_move(move))
    return of_battle(replace(there, battle=Battle(space, move.power, defender)))


def of_battle(state: State) -> BattleAhead:
    """12.2, 12.3 The odds of the battle in the position."""
    fight, units = state.fight, sizes(state)
    added = modifiers(state)
    mine, theirs = units
    if ratio_modifier(max(units), min(units), state.tables.battle) is None:
        wins = mine > theirs
        lost = (Fraction(0), Fraction(theirs)) if wins else (Fraction(mine), Fraction(0))
        return BattleAhead(fight.space, fight.attacker, fight.defender, units, added, Fraction(wins), lost, True)
    chance, *losses = odds(*units, total(added[0]), total(added[1]))
    return BattleAhead(fight.space, fight.attacker, fight.defender, units, added, chance, (losses[0], losses[1]))


def total(added: Mapping[str, int]) -> int:
    """All that a side adds."""
    return sum(added.values())


@lru_cache(512)
def odds(mine: int, theirs: int, attack: int, defend: int) -> tuple[Fraction, Fraction, Fraction]:
    """12.2, 12.3 Over all throws: the chance that the attacker wins (ties are the defender's), the CUs that he loses on
    average, and those of the defender.
    """
    wins = own = foe = 0
    throws = throws_of(mine), throws_of(theirs)
    for (sum_one, loser_two, winner_two), many in throws[0].items():
        for (sum_two, loser_one, winner_one), more in throws[1].items():
            weight = many * more
            if sum_one + attack > sum_two + defend:
                wins += weight
                own += weight * min(mine, winner_one)
                foe += weight * min(theirs, loser_two)
            else:
                own += weight * min(mine, loser_one)
                foe += weight * min(theirs, winner_two)
    of = throws[0].total() * throws[1].total()
    return Fraction(wins, of), Fraction(own, of), Fraction(foe, of)


@lru_cache(64)
def throws_of(size: int) -> Counter[tuple[int, int, int]]:
    """12.3 Each throw of an army of this size: its sum, what it takes from a beaten enemy, and from one who has won."""
    return Counter(
        (
            sum(faces),
            losses_inflicted_by(faces, size, TABLES.losses.to_loser),
            losses_inflicted_by(faces, size, TABLES.losses.to_winner),
        )
        for faces in product(FACES, repeat=TABLES.battle.dice)
    )
