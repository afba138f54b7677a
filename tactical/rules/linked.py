"""L2.5, L3.5 What is special in a battle that belongs to a campaign: deploying, evading, the commander's dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tactical.battle import Battle, Thrown
from tactical.board import Hex, column_row, distance, from_column_row
from tactical.commands import Deploy, Evade, Keep, Reroll
from tactical.kernel.dice import Dice, Roll
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import plain
from tactical.rules.ending import linked_end, warships
from tactical.ship import Ship

# -- L2.5.a The option commander_rerolls: a commander's rating is that many dice of his side thrown again.

RULES = ("G6.1", "G6.2", "G8.1")  # bow to bow, ram, boarding
Carry = Callable[[Battle, Any, Dice], tuple[Battle, tuple[Event, ...]]]


class Recall(Dice):
    """Dice that lie on the table already; what is not among them is thrown by `dice`."""

    def __init__(self, lying: tuple[Roll, ...], dice: Dice) -> None:
        super().__init__()
        self._lying = list(lying)
        self._dice = dice

    def roll(self, count: int, sides: int, rule: str, **about: str) -> tuple[int, ...]:
        """The faces that lie there for this roll, or new ones."""
        for number, roll in enumerate(self._lying):
            if roll.rule == rule and roll.about == about and len(roll.faces) == count:
                self.rolls.append(self._lying.pop(number))
                return roll.faces
        faces = self._dice.roll(count, sides, rule, **about)
        if faces:
            self.rolls.append(self._dice.rolls[-1])
        return faces


def may_reroll(battle: Battle, rolls: tuple[Roll, ...]) -> tuple[str, ...]:
    """L2.5.a The sides that have a re-roll left, have used none this turn, and threw one of these dice."""
    link = battle.link
    if link is None or not link.rerolls:
        return ()
    threw = {battle.ships[roll.about["ship"]].side for roll in rolls if roll.rule in RULES}
    return tuple(
        side for side in sorted(threw) if link.rerolls.get(side, 0) > 0 and link.rerolled.get(side) != battle.turn
    )


def offer(battle: Battle, command: Any, seat: str, dice: Dice, carry: Carry) -> tuple[Battle, tuple[Event, ...]]:
    """L2.5.a Carry the command out; where a side may throw again, let the dice lie and ask it first."""
    after, events = carry(battle, command, dice)
    rolls = tuple(dice.rolls)
    waits = may_reroll(battle, rolls)
    if not waits:
        return after, events
    return lying(battle, plain(command), seat, rolls, waits), (dice_event(rolls),)


def lying(
    battle: Battle, command: dict[str, Any], seat: str, rolls: tuple[Roll, ...], waits: tuple[str, ...]
) -> Battle:
    """L2.5.a The dice lie on the table and somebody must answer."""
    return battle.but(thrown=Thrown(command, seat, rolls, waits))


def dice_event(rolls: tuple[Roll, ...]) -> Event:
    """L2.5.a What lies on the table; the first faces stay in the journal."""
    dice = [face for roll in rolls for face in roll.faces]
    return event("L2.5.a", "thrown", dice=dice, ships=[roll.about["ship"] for roll in rolls for _ in roll.faces])


def own_dice(battle: Battle, side: str) -> list[int]:
    """L2.5.a Which of the dice on the table the side may throw again."""
    assert battle.thrown is not None
    owners = [
        (roll.rule in RULES and battle.ships[roll.about["ship"]].side == side)
        for roll in battle.thrown.rolls
        for _ in roll.faces
    ]
    return [number for number, own in enumerate(owners) if own]


def why_not_answer(battle: Battle, command: Keep | Reroll) -> Illegal | None:
    """L2.5.a Only while dice lie there, only who is asked, only one of one's own dice."""
    if battle.thrown is None or command.side not in battle.thrown.waits:
        return Illegal("L2.5.a", "%(side)s %(side|has|have)s no dice on the table to decide about.", side=command.side)
    if isinstance(command, Reroll) and command.die not in own_dice(battle, command.side):
        return Illegal("L2.5.a", "Die %(die)s was not thrown by %(side)s.", die=command.die, side=command.side)
    return None


def dice_lie(thrown: Thrown) -> Illegal:
    """L2.5.a The refusal of everything else while dice lie on the table."""
    return Illegal(
        "L2.5.a",
        "%(waits)s must first keep the dice that were thrown or re-roll one of them.",
        waits=tuple(thrown.waits),
    )


def answer(
    battle: Battle, command: Keep | Reroll, ordered: Any, dice: Dice, carry: Carry
) -> tuple[Battle, tuple[Event, ...]]:
    """L2.5.a Keep, or throw one die again; when all have answered the command is carried out with what lies there.

    No answer is final before the last: who has kept the dice is asked anew when the other throws one of them again.
    """
    thrown = battle.thrown
    assert thrown is not None and battle.link is not None
    battle = battle.but(thrown=None)
    rolls, waits = thrown.rolls, tuple(side for side in thrown.waits if side != command.side)
    events: tuple[Event, ...] = ()
    if isinstance(command, Reroll):
        rolls, again = thrown_again(thrown.rolls, command.die, dice)
        events = (event("L2.5.a", "reroll", side=command.side, die=command.die, dice=[again]),)
        battle = spend(battle, command.side)
    recall = Recall(rolls, dice)
    after, done = carry(battle, ordered, recall)
    if isinstance(command, Reroll):
        waits = may_reroll(battle, tuple(recall.rolls))
    if waits:
        fresh = tuple(recall.rolls)
        return lying(battle, thrown.command, thrown.seat, fresh, waits), (*events, dice_event(fresh))
    return after, (*events, *done)


def thrown_again(rolls: tuple[Roll, ...], die: int, dice: Dice) -> tuple[tuple[Roll, ...], int]:
    """L2.5.a The rolls with one die thrown again, and its new face."""
    changed = list(rolls)
    for number, roll in enumerate(changed):
        if die < len(roll.faces):
            (again,) = dice.roll(1, roll.sides, roll.rule, **roll.about)
            faces = (*roll.faces[:die], again, *roll.faces[die + 1 :])
            changed[number] = msgspec.structs.replace(roll, faces=faces)
            return tuple(changed), again
        die -= len(roll.faces)
    raise LookupError("there is no such die")


def spend(battle: Battle, side: str) -> Battle:
    """L2.5.a One re-roll less, and none for the rest of this turn."""
    link = battle.link
    assert link is not None
    left = {**link.rerolls, side: link.rerolls[side] - 1}
    used = {**link.rerolled, side: battle.turn}
    return battle.but(link=msgspec.structs.replace(link, rerolls=left, rerolled=used))


# -- L2.5, L3.5 What is special in a battle that belongs to a campaign: deploying in turn, and evading.


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
