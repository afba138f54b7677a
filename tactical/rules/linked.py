"""L2.5, L3.5 What is special in a battle that belongs to a campaign: deploying in turn, and evading."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.commands import Deploy, Evade
from tactical.hexes import Hex, column_row, distance, from_column_row
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.rules.ending import linked_end, warships
from tactical.ship import Ship


def may_evade_now(battle: Battle) -> bool:
    """L3.5 At the end of a turn, after its fights, repairs and floods, the holder of supremacy may concede it.

    He may leave until he says `done`.
    """
    link = battle.link
    if link is None or not link.evades or link.supremacy is None or link.evaded is not None:
        return False
    if battle.step != "end" or link.turn_ended != battle.turn:
        return False
    side = battle.sides.get(link.supremacy)
    return side is not None and not side.done and bool(battle.afloat(link.supremacy))


def waits_for(battle: Battle, side: str) -> bool:
    """G9.1, L3.5 Is the side asked at the end of the turn? Whether it evades; or, before dice, for any word at all."""
    if may_evade_now(battle):
        return battle.link is not None and battle.link.supremacy == side
    return not battle.sides[side].done


def end_turn(battle: Battle) -> Battle:
    """L3.5 The fights, repairs and floods of this turn are over; a side that spoke before may speak again."""
    if battle.link is None:
        return battle
    sides = {name: msgspec.structs.replace(each, done=False) for name, each in battle.sides.items()}
    link = msgspec.structs.replace(battle.link, turn_ended=battle.turn)
    return battle.but(sides=sides, link=link)


def why_not_evade(battle: Battle, command: Evade) -> Illegal | None:
    """L3.5 What forbids evading."""
    link = battle.link
    if link is None or not link.evades:
        return Illegal("L3.5", "Battles can be evaded only in campaigns that use the evasion rule.")
    if link.supremacy != command.side:
        return Illegal(
            "L3.5", "%(side)s %(side|does|do)s not hold naval supremacy and cannot evade.", side=command.side
        )
    if not may_evade_now(battle):
        return Illegal(
            "L3.5",
            "%(side)s may evade only after the fights, repairs and flooding of a turn, and only once.",
            side=command.side,
        )
    return None


def evade(battle: Battle, command: Evade, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """L3.5 Supremacy is conceded; the side's ships that are in no fight leave at once, and no prize roll follows."""
    link = battle.link
    assert link is not None
    gone = [name for name in battle.afloat(command.side) if battle.ships[name].boarding is None]
    battle = battle.with_ships({name: battle.ships[name].away("withdrawn") for name in gone}).surfaced()
    battle = battle.but(link=msgspec.structs.replace(link, evaded=command.side))
    left = event("L3.5", "evade", side=command.side, ships=gone)
    if warships(battle, command.side):
        return battle, (left,)
    others = [side for side in battle.sides if side != command.side and warships(battle, side)]
    battle, over = linked_end(battle, others[0] if len(others) == 1 else None, "evaded")
    return battle, (left, *over)


DEPLOYMENT_ROWS = 5  # L2.5: a side moves its ships about in the rows along its own long side


def deploys(battle: Battle) -> str | None:
    """L2.5 The side that may move its ships about before the first plot; the holder of supremacy is the last."""
    link = battle.link
    if link is None or not link.deploying or battle.step != "plot" or battle.turn != 1:
        return None
    return link.deploying[0]


def zone(battle: Battle, side: str) -> list[Hex]:
    """L2.5 The free water of a side's own rows: the first side's along the top, the other's along the bottom."""
    top = next(iter(battle.sides)) == side
    last = battle.board.rows - 1
    rows = range(DEPLOYMENT_ROWS) if top else range(last, last - DEPLOYMENT_ROWS, -1)
    places = (from_column_row(column, row) for row in rows for column in range(battle.board.columns))
    return [at for at in places if at not in battle.board.blocked and at not in battle.by_hex]


def why_not_deploy(battle: Battle, command: Deploy) -> Illegal | None:
    """L2.5 Before the first plot, in one's turn, to a free hex of one's own rows."""
    ship = battle.ship(command.ship)
    if deploys(battle) != ship.side:
        return Illegal("L2.5", "%(side)s cannot deploy now.", side=ship.side)
    if ship.at is None:
        return Illegal("L2.5", "%(ship)s is %(status)s and cannot be deployed.", ship=command.ship, status=ship.status)
    if command.at != ship.at and command.at not in zone(battle, ship.side):
        column, row = column_row(command.at)
        return Illegal(
            "L2.5",
            "Column %(column)s, row %(row)s is not a free hex in the rows of %(side)s.",
            column=column,
            row=row,
            side=ship.side,
        )
    return None


def deploy(battle: Battle, command: Deploy, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """L2.5 Put a ship on another hex of one's own rows, with any heading."""
    ship = msgspec.structs.replace(battle.ships[command.ship], at=command.at, facing=command.facing)
    moved = battle.with_ship(command.ship, ship)
    return moved, (event("L2.5", "deploy", ship=command.ship, to=command.at, facing=command.facing),)


def deploy_next(battle: Battle) -> Battle:
    """L2.5 The side whose turn it was is content; the next one deploys, or the plots begin."""
    link = battle.link
    assert link is not None
    return battle.but(link=msgspec.structs.replace(link, deploying=link.deploying[1:]))


def arrive(battle: Battle) -> tuple[Battle, tuple[Event, ...]]:
    """L2.5 At the beginning of a turn those come in who were on their way, along their side's own long edge.

    Whoever finds no free water there comes in with the next turn.
    """
    link = battle.link
    if link is None or not link.arrivals:
        return battle, ()
    events = []
    waiting = []
    for each in link.arrivals:
        placed = places_for(battle, each.side, each.ships) if each.turn <= battle.turn else None
        if placed is None:
            waiting.append(each)
            continue
        battle = msgspec.structs.replace(battle, ships=battle.ships | placed)  # what was worked out knows none of them
        events.append(event("L2.5", "arrived", side=each.side, ships=list(placed)))
    return battle.but(link=msgspec.structs.replace(link, arrivals=tuple(waiting) or msgspec.UNSET)), tuple(events)


def places_for(battle: Battle, side: str, ships: dict[str, Ship]) -> dict[str, Ship] | None:
    """L2.5 Each ship on the free hex of her side's rows that is nearest to where she wants to come in."""
    if not battle.has_hexes:
        return {name: msgspec.structs.replace(ship, at=None) for name, ship in ships.items()}
    free = zone(battle, side)
    if len(free) < len(ships):
        return None
    placed = {}
    for name, ship in ships.items():
        at = min(free, key=lambda here: (distance(here, ship.at) if isinstance(ship.at, tuple) else 0, here))
        free.remove(at)
        placed[name] = msgspec.structs.replace(ship, at=at)
    return placed
