"""O6.2, O6.3 Quick dice, and what comes home from a battle, wherever it was fought."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.naval.engagement import Engagement, NavalOutcome, SideOutcome
from strategic.naval.engagement import Fleet as Sent
from strategic.open_campaign.rules.orders import Handled
from strategic.open_campaign.rules.sailing import home, rowers
from strategic.open_campaign.rules.upkeep import with_pips
from strategic.open_campaign.state import Ship, State, Status
from strategic.open_campaign.tables import TABLES, QuickResult, Tables
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import event

EVEN = 7  # two dice as often over as under it
CORVUS = 1.2
TAKEN = 4  # a lost ship is taken from this face on, else sunk
WEARY = 2
MOST_RATING = 2


def value(tables: Tables, ship: Ship) -> float:
    """O6.2 What a ship counts in battle: by type, hull and rowers."""
    hull = max(0.0, 1 - ship.damage / TABLES.hull[ship.type])
    return tables.type[ship.type].value * hull * rowers(tables, ship).value * (CORVUS if ship.corvus else 1)


def sent_ships(fleet: Sent) -> tuple[str, ...]:
    """L1.1 The warships and transports that a side has sent, by name."""
    return (*(unit.id for unit in fleet.units), *(each.id for each in fleet.transports))


def strength(state: State, engagement: Engagement, side: str) -> float:
    """O6.2 The fighting value of a side of an engagement."""
    fleet = engagement.fleets[side]
    return sum(value(state.tables, state.ships[each]) for each in sent_ships(fleet))


def quick_dice(state: State, dice: Dice) -> Handled:
    """O6.2 Two dice on the table of results, by the ratio of values and the admirals' difference."""
    engagement = state.engagement
    assert engagement is not None
    order = sorted(engagement.sides, key=lambda side: (-strength(state, engagement, side), side))
    stronger, weaker = order
    low = strength(state, engagement, weaker)
    ratio = strength(state, engagement, stronger) / low if low else max(state.tables.quick.shift)
    shift = sum(ratio >= step for step in state.tables.quick.shift)
    skill = engagement.fleets[stronger].rating - engagement.fleets[weaker].rating
    total = sum(dice.roll(2, 6, "O6.2", only=who(engagement))) + shift + max(-MOST_RATING, min(MOST_RATING, skill))
    winner, loser = (stronger, weaker) if total >= EVEN else (weaker, stronger)
    row = result(state.tables, total)
    shares = {winner: row.winner, loser: row.loser}
    fled = loser if row.name != "undecided" else None
    sides = {side: lost(engagement, side, shares[side], side == fled, dice) for side in order}
    if fled is not None and not engagement.fleets[winner].units:
        fled = None  # transports alone beat nobody
        sides = {side: replace(sides[side], fled=False) for side in order}
    outcome = NavalOutcome(winner=winner if fled else None, turns=1, sides=sides)
    return enter(state, engagement, outcome, dice)


def who(engagement: Engagement) -> str:
    """O6.1 Those who meet see its dice."""
    return " ".join(engagement.sides)


def result(tables: Tables, total: int) -> QuickResult:
    """O6.2 The row of the table; a total under 7 mirrors one over it, read for the weaker."""
    mirrored = total if total >= EVEN else 2 * EVEN - total
    return next((row for row in tables.quick.result if mirrored >= row.total), tables.quick.result[-1])


def lost(engagement: Engagement, side: str, share: int, fled: bool, dice: Dice) -> SideOutcome:
    """O6.2 Every ship throws for herself so that the share comes out; half of the lost are taken."""
    fleet = engagement.fleets[side]
    faces = dice.roll(len(fleet.units), 100, "O6.2", only=who(engagement))
    gone = [unit.id for unit, face in zip(fleet.units, faces, strict=True) if face <= share][: len(fleet.units) - 1]
    taken = dice.roll(len(gone), 6, "O6.2", only=who(engagement))
    captured = tuple(each for each, face in zip(gone, taken, strict=True) if face >= TAKEN)
    transports = sum(face <= share for face in dice.roll(len(fleet.transports), 100, "O6.2", only=who(engagement)))
    sunk = tuple(each for each in gone if each not in captured)
    return SideOutcome(
        sunk=len(sunk),
        captured=len(captured),
        transports=transports,
        fled=fled,
        sunk_ships=sunk,
        captured_ships=captured,
    )


def enter(state: State, engagement: Engagement, outcome: NavalOutcome, dice: Dice) -> Handled:
    """O6.3 Sunk, captured and damaged ships by name; the beaten make for the nearest port."""
    lengths = {}
    for side in engagement.sides:
        state = come_home(state, engagement, outcome, side)
        told = outcome.of(side)
        lengths[side] = told.lost + told.transports
    state = replace(state, engagement=None, step="running", settled={**state.settled, engagement.id: outcome})
    told_all = event(
        "O6.3", "settled", tuple(sorted(engagement.sides)), True, engagement=engagement.id, space=engagement.place,
        winner=outcome.winner, sides=list(engagement.sides), losses=[lengths[side] for side in engagement.sides],
    )  # fmt: skip
    return state, (told_all,)


def come_home(state: State, engagement: Engagement, outcome: NavalOutcome, side: str) -> State:
    """O6.3 What one side brings home."""
    fleet, told = engagement.fleets[side], outcome.of(side)
    enemy = engagement.other(side)
    units = [unit.id for unit in fleet.units]
    sunk = pick(units, told.sunk_ships, told.sunk, told.captured_ships)
    captured = pick(units, told.captured_ships, told.captured, sunk)
    carried = [each.id for each in fleet.transports][: told.transports]
    taken = (*captured, *(carried if outcome.winner == enemy else ()))
    down = (*sunk, *(() if outcome.winner == enemy else carried))
    ships: dict[str, Ship] = {}
    for names, status, by in ((down, "sunk", None), (taken, "captured", enemy)):
        ships |= {each: fallen(state.ships[each], status, by) for each in names}
    ships |= {
        each: replace(state.ships[each], damage=damage) for each, damage in told.damage.items() if each not in ships
    }
    state = state.with_ships(ships)
    there = {each for each in (*units, *(transport.id for transport in fleet.transports))}
    for name in tuple(state.at_sea()):
        own = state.fleets[name]
        if there.isdisjoint(own.ships):
            continue
        left = tuple(each for each in own.ships if state.ships[each].status == "afloat")
        state = state.with_fleet(name, ships=left, weary=max(own.weary, WEARY))
        state = with_pips(state, left, (outcome.winner == side) - (outcome.winner == enemy))
        if told.fled or outcome.winner == enemy:
            state = state.with_fleet(name, shy=True, course=home(state, name) or "")
    return state


def pick(units: list[str], named: tuple[str, ...], count: int, other: tuple[str, ...]) -> tuple[str, ...]:
    """L2.4 The ships that were named, else the last of those that are not lost otherwise."""
    if named or not count:
        return named
    left = [each for each in units if each not in other]
    return tuple(left[-count:])


def fallen(ship: Ship, status: str, by: str | None) -> Ship:
    """O6.3 A ship that does not come home."""
    kind: Status = "captured" if status == "captured" else "sunk"
    return replace(ship, status=kind, captured_by=by)
