"""G10 How a battle ends, and what it counts."""

from __future__ import annotations

import msgspec

import data
from tactical.battle import Battle, Result
from tactical.commands import Agree, Resign
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import Record
from tactical.ship import MOVEMENT, Ship


class PointsRow(Record, frozen=True):
    """Points in halves of a ship's hull."""

    cite: str
    sunk: int
    captured: int
    withdrawn: int


class PointsTable(Record, frozen=True):
    """The part of data/galley/boarding.toml that scores."""

    points: PointsRow


WORTH = data.read("galley/boarding.toml", PointsTable).points
HALVES = {"sunk": WORTH.sunk, "captured": WORTH.captured, "withdrawn": WORTH.withdrawn, "afloat": 0}


def points(battle: Battle) -> dict[str, int]:
    """G10.2 Each side's points: for enemies sunk, captured and withdrawn."""
    scored = dict.fromkeys(battle.sides, 0)
    for ship in battle.ships.values():
        if ship.status == "afloat":
            continue
        worth = battle.kind(ship).hull * HALVES[ship.status] // 2
        for side in scored:
            if side != ship.side and scores(battle, ship, side):
                scored[side] += worth
    return scored


def hole(battle: Battle, ship: Ship, side: str) -> Ship:
    """G10.2.a A hull that a side has damaged in this step; of two sides the other one has sunk it in any case."""
    if len(battle.sides) == 2:
        return ship
    before = ship.holed if isinstance(ship.holed, dict) else {}
    now = (battle.turn * (MOVEMENT.phases + 1) + (battle.phase or 0)) * 2 + (battle.step == "ram")
    return msgspec.structs.replace(ship, holed={**before, side: now})


def scores(battle: Battle, ship: Ship, side: str) -> bool:
    """G10.2.a Does a lost ship count for this side? Of more than two the one that sank or took it scores, if any did.

    Who damaged its hull last has sunk it, also when it is the water that comes in; several at once have all done so.
    """
    if ship.status == "captured":
        return ship.captured_by in (None, side)
    if ship.status != "sunk" or len(battle.sides) == 2:
        return True
    blows = ship.holed if isinstance(ship.holed, dict) else {}
    return side in blows and blows[side] == max(blows.values())


def score(battle: Battle) -> Battle:
    """G10.2 The battle with the points of each side written down; counted again only when a ship's status changed."""
    if battle.derived.is_scored:
        return battle
    counted = points(battle)
    if any(side.points != counted[name] for name, side in battle.sides.items()):
        sides = {name: msgspec.structs.replace(side, points=counted[name]) for name, side in battle.sides.items()}
        battle = battle.but(sides=sides)
    battle.derived.is_scored = True
    return battle


def finish(battle: Battle, why: str, winner: str | None = None) -> tuple[Battle, tuple[Event, ...]]:
    """G10.1 End the battle; without a winner by resignation the points decide, and equal points are a draw."""
    battle = score(battle)
    counted = {name: side.points for name, side in battle.sides.items()}
    if winner is None:
        left = {name: count for name, count in counted.items() if not battle.has_resigned(name)} or counted
        best = max(left.values())
        leaders = [name for name, count in left.items() if count == best]
        winner = leaders[0] if len(leaders) == 1 else None
    result = Result(winner, counted, why)
    return battle.ended(result), (event("G10.1", "over", winner=winner, points=counted, why=why),)


def after_turn(battle: Battle) -> tuple[Battle, tuple[Event, ...]]:
    """G10.1 At the end of the turn: has a side no ship left, or has the turn limit come? L3.3 for a linked battle."""
    battle, over = without_ships(battle)
    if over or battle.turn_limit is None or battle.turn < battle.turn_limit:
        return battle, over
    return linked_end(battle, None, "turn_limit") if battle.link is not None else finish(battle, "turn_limit")


def without_ships(battle: Battle) -> tuple[Battle, tuple[Event, ...]]:
    """G10.1, L3.3 The battle ends when a side has no ship left; in a linked battle, when one has no warship left."""
    if battle.link is not None:
        return without_warships(battle)
    if any(not battle.afloat(name) for name, side in battle.sides.items() if not side.resigned):
        return finish(battle, "no_ships")
    return battle, ()


def warships(battle: Battle, side: str) -> tuple[str, ...]:
    """L3.3 The side's warships that still fight; transports do not count."""
    return tuple(name for name in battle.afloat(side) if battle.kind(battle.ships[name]).ram is not None)


def without_warships(battle: Battle) -> tuple[Battle, tuple[Event, ...]]:
    """L3.3 A linked battle ends when one of its sides has no warship left."""
    if all(warships(battle, side) for side in battle.sides):
        return battle, ()
    return linked_end(battle, last_standing(battle), "no_warships")


def last_standing(battle: Battle) -> str | None:
    """L3.3, L3.5 The side that has a warship left while the other has none; a side that evaded has not won."""
    standing = [side for side in battle.sides if warships(battle, side)]
    evaded = battle.link.evaded if battle.link is not None else None
    return standing[0] if len(standing) == 1 and standing[0] != evaded else None


def over_the_edge(battle: Battle, name: str) -> Battle:
    """L3.4 A ship has gone over the edge; when it was its side's last warship afloat, the side has fled."""
    link, ship = battle.link, battle.ships[name]
    if link is None or link.fled is None or battle.kind(ship).ram is None:
        return battle
    if ship.side in link.fled or warships(battle, ship.side):
        return battle
    return battle.but(link=msgspec.structs.replace(link, fled=(*link.fled, ship.side)))


def linked_end(battle: Battle, winner: str | None, why: str) -> tuple[Battle, tuple[Event, ...]]:
    """L3.3 End a linked battle: the winner does not hang on points."""
    battle = score(battle)
    counted = {name: side.points for name, side in battle.sides.items()}
    result = Result(winner, counted, why)
    return battle.ended(result), (event("L3.3", "over", winner=winner, points=counted, why=why),)


def why_not_resign(battle: Battle, command: Resign) -> Illegal | None:
    """G10.1, L1.2 A side may give up at any time, but not a battle of a campaign: there it breaks off or flees."""
    if battle.link is None and battle.sides[command.side].resigned:
        return Illegal("G10.1", "%(side)s %(side|has|have)s already given up.", side=command.side)
    if battle.link is None:
        return None
    return Illegal(
        "L1.2",
        "You cannot give up a battle of a campaign: leave across the edge of the board, evade, or agree to end it.",
    )


def resign(battle: Battle, command: Resign, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G10.1, G10.1.a The other wins; of more than two the others go on, and its ships lie still where they are."""
    side = msgspec.structs.replace(battle.sides[command.side], resigned=True)
    battle = score(battle.with_side(command.side, side))
    others = [name for name, other in battle.sides.items() if not other.resigned]
    gave = event("G10.1", "resign", side=command.side)
    if len(others) > 1:
        idle = {name: lying_still(ship) for name, ship in battle.ships.items() if is_given_up(ship, command.side)}
        return battle.with_ships(idle), (gave,)
    battle, over = finish(battle, "resigned", others[0] if others else None)
    return battle, (gave, *over)


def is_given_up(ship: Ship, side: str) -> bool:
    """G10.1.a Is it a ship afloat of the side that has given up?"""
    return ship.side == side and ship.is_afloat


def lying_still(ship: Ship) -> Ship:
    """G10.1.a A ship that nobody commands any more: no plot, no steps, no contact of its own; its fight goes on."""
    return msgspec.structs.replace(ship.off_contact(), plot=None, free_turn=False).stop()


def why_not_agree(battle: Battle, command: Agree) -> Illegal | None:
    """G10.1 Each side says it once, and may take it back."""
    if battle.sides[command.side].agreed == command.agreed:
        if command.agreed:
            return Illegal("G10.1", "%(side)s %(side|has|have)s already agreed.", side=command.side)
        return Illegal("G10.1", "%(side)s %(side|has|have)s not agreed yet.", side=command.side)
    return None


def agree(battle: Battle, command: Agree, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G10.1 When all sides have agreed the battle ends."""
    side = msgspec.structs.replace(battle.sides[command.side], agreed=command.agreed)
    battle = battle.with_side(command.side, side)
    said = event("G10.1", "agree", side=command.side, agreed=command.agreed)
    if not all(side.agreed or side.resigned for side in battle.sides.values()):
        return battle, (said,)
    if battle.link is not None:
        battle, over = linked_end(battle, last_standing(battle), "agreed")
    else:
        battle, over = finish(battle, "agreed")
    return battle, (said, *over)
