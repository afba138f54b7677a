"""G8 Boarding: declaring a fight, its rounds, and prizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

import data
from tactical.battle import Battle
from tactical.commands import Board
from tactical.geometry import geometry
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.kernel.record import Reason, Record, because
from tactical.ship import MARINES, MOVEMENT, Ship, by_number


class BoardRow(Record, frozen=True):
    """Which faces board without a corvus."""

    cite: str
    succeeds: tuple[int, ...]


class FightRow(Record, frozen=True):
    """Which faces kill, who dies first, and what overwhelms."""

    cite: str
    heavy: tuple[int, ...]
    medium: tuple[int, ...]
    light: tuple[int, ...]
    lightest_first: tuple[str, ...]
    overwhelms: int


class BoardingTable(Record, frozen=True):
    """The part of data/galley/boarding.toml that boarding needs."""

    board: BoardRow
    fight: FightRow


TABLE = data.read("galley/boarding.toml", BoardingTable)
HITS: dict[str, tuple[int, ...]] = {kind: getattr(TABLE.fight, kind) for kind in MARINES}


class Fight(NamedTuple):
    """G8.2 One boarded ship and its boarders, in order of id."""

    boarded: str
    boarders: tuple[str, ...]


def fights(battle: Battle) -> tuple[Fight, ...]:
    """G8.2 All fights, in order of the boarded ship's id."""
    boarded = sorted((name for name, ship in battle.ships.items() if ship.boarding == name), key=by_number)
    return tuple(Fight(name, battle.boarders_of(name)) for name in boarded)


def can_be_boarded(battle: Battle, name: str, ship: Ship, foe: str, target: Ship) -> bool:
    """G8.1, G8.2, G7.3 May this ship board that one, range and die apart?"""
    if target.side == ship.side or target.status != "afloat" or target.paper:
        return False
    if target.boarding is not None and (
        target.boarding != foe or any(battle.ships[other].side != ship.side for other in battle.boarders_of(foe))
    ):
        return False
    return not (ship.oars_broken and ship.raked_by == foe)


def is_able(ship: Ship) -> bool:
    """G8.1 A ship afloat with a marine, in no fight, that has not tried this turn."""
    return (
        ship.status == "afloat"
        and ship.boarding is None
        and not ship.tried_boarding
        and not ship.paper
        and not ship.finished
        and ship.marines > 0
    )


def board_targets(battle: Battle, name: str, ship: Ship) -> Iterator[str]:
    """G8.1 The enemies that a ship may board now."""
    if not is_able(ship):
        return
    if not geometry(battle).declared:
        for foe in [foe for foe, range_ in battle.enemies_of(ship) if range_ <= 1]:
            target = battle.ships[foe]
            if can_be_boarded(battle, name, ship, foe, target) and not is_land_between(battle, ship, target):
                yield foe
        return
    for foe, target in battle.ships.items():
        if is_near(battle, name, ship, foe, target) and can_be_boarded(battle, name, ship, foe, target):
            yield foe


def is_near(battle: Battle, name: str, ship: Ship, foe: str, target: Ship) -> bool:
    """G8.1, G1.5 At range 1; on the players' own table, in a contact that was declared and still holds."""
    board = geometry(battle)
    if board.declared:
        return foe in ship.touching or name in target.touching
    return ship.at is not None and target.at is not None and board.range_between(battle, ship, target) <= 1


def is_land_between(battle: Battle, ship: Ship, target: Ship) -> bool:
    """G8.1 No bridge leads over an island; on hexes nothing lies between two ships at range 1."""
    return geometry(battle).is_land_between(battle, ship, target)


def why_not_board(battle: Battle, command: Board) -> Illegal | None:
    """G8.1 What forbids boarding this target."""
    ship, target = battle.ship(command.ship), battle.ship(command.target)
    name, foe = command.ship, command.target
    if not ship.is_afloat:
        return Illegal(
            "G8.6" if ship.is_prize else "G8.1",
            "%(ship)s is %(status)s and cannot board.",
            ship=name,
            status=ship.status,
        )
    if target.side == ship.side:
        return Illegal("G8.1", "%(target)s is on %(ship)s's own side.", target=foe, ship=name)
    if not target.is_afloat:
        return Illegal(
            "G8.6" if target.is_prize else "G8.1",
            "%(target)s is %(status)s and cannot be boarded.",
            target=foe,
            status=target.status,
        )
    if ship.boarding is not None:
        return Illegal("G8.2", "%(ship)s is already in a boarding fight.", ship=name)
    if ship.tried_boarding:
        return Illegal("G8.1", "%(ship)s has already made her attempt to board this turn.", ship=name)
    if not ship.marines:
        return Illegal("G8.1", "%(ship)s has no marine to board with.", ship=name)
    if battle.sides[ship.side].done or ship.finished:
        return Illegal("G8.1", "%(ship)s is done with this boarding step.", ship=name)
    if ship.paper or target.paper:
        return Illegal("G2.3", "The fights of a ship whose sheet is kept on paper must be settled on paper.")
    if not is_near(battle, name, ship, foe, target):
        far = ship.at is not None and target.at is not None and geometry(battle).range_between(battle, ship, target)
        where = because("at range %(range)s", range=far) if far else Reason("not in contact")
        return Illegal("G8.1", "%(target)s is %(where)s; boarding needs range 1.", target=foe, where=where)
    if is_land_between(battle, ship, target):
        return Illegal(
            "G8.1", "Land lies between %(ship)s and %(target)s; nobody can board across it.", ship=name, target=foe
        )
    if ship.oars_broken and ship.raked_by == foe:
        return Illegal(
            "G7.3", "%(target)s broke %(ship)s's oars; %(ship2)s cannot board her.", target=foe, ship=name, ship2=name
        )
    if target.boarding is not None and target.boarding != foe:
        return Illegal(
            "G8.2",
            "%(target)s boards %(boarding)s; a boarder cannot be boarded while she fights.",
            target=foe,
            boarding=target.boarding,
        )
    if not can_be_boarded(battle, name, ship, foe, target):
        return Illegal("G8.2", "%(ship)s may not join the fight aboard %(target)s.", ship=name, target=foe)
    return None


def board(battle: Battle, command: Board, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G8.1 Automatic with one's own corvus or after throwing the enemy back (G8.4); else a die of 4, 5 or 6."""
    name, foe = command.ship, command.target
    ship, target = battle.ships[name], battle.ships[foe]
    how = "corvus" if ship.corvus and command.corvus else "counter" if foe in ship.may_board else "die"
    faces = dice.roll(1, 6, "G8.1", ship=name, target=foe) if how == "die" else ()
    ship = msgspec.structs.replace(ship, tried_boarding=True)
    success = how != "die" or faces[0] in TABLE.board.succeeds
    rule = "G8.4" if how == "counter" else "G8.1"
    tried = event(rule, "board", ship=name, target=foe, how=how, dice=list(faces), success=success)
    if not success:
        return battle.with_ship(name, ship), (tried,)
    return battle.with_ships({name: joins(ship, foe), foe: joins(target, foe)}), (tried,)


def joins(ship: Ship, boarded: str) -> Ship:
    """G8.2.a A ship that enters a fight has speed 0 and takes no more steps."""
    return msgspec.structs.replace(ship, boarding=boarded).stop().off_contact()


def close(battle: Battle, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G3 The board step ends: the next phase, or the end of the turn."""
    phase = battle.phase or MOVEMENT.phases
    if phase >= MOVEMENT.phases:
        return battle.at_step("end", None), ()
    ships = {name: msgspec.structs.replace(ship, stepped=False) for name, ship in battle.ships.items() if ship.stepped}
    return battle.with_ships(ships).at_step("move", phase + 1), ()


# -- the round at the end of the turn


def kills(marines: dict[str, tuple[int, ...]]) -> int:
    """G8.3 How many the dice of each kind of marine kill."""
    return sum(1 for kind, faces in marines.items() for face in faces if face in HITS[kind])


def lightest_fall(ships: dict[str, Ship], dead: int) -> dict[str, Ship]:
    """G8.2.a, G8.3 Losses are taken lightest first over all the ships, in order of ship id, r2 before r10."""
    fallen = dict(ships)
    for kind in TABLE.fight.lightest_first:
        for name in sorted(fallen, key=by_number):
            aboard: int = getattr(fallen[name], kind)
            lost = min(dead, aboard)
            if lost:
                dead -= lost
                fallen[name] = msgspec.structs.replace(fallen[name], **{kind: aboard - lost})
    return fallen


def verdict(attackers: int, defenders: int) -> str:
    """G8.4 What a round leaves: "captured", "thrown_back", "over" (nobody left) or "goes_on"."""
    if attackers == defenders == 0:
        return "over"
    if attackers >= TABLE.fight.overwhelms * defenders:
        return "captured"
    if defenders >= TABLE.fight.overwhelms * attackers:
        return "thrown_back"
    return "goes_on"


def roll_marines(battle: Battle, dice: Dice) -> dict[str, dict[str, tuple[int, ...]]]:
    """G8.3 Every marine of every fight rolls: in order of ship id, heavy, medium, light.

    Nobody rolls where one of the two has no marine left (G8.5).
    """
    rolling: list[tuple[str, str]] = []
    for fight in fights(battle):
        if not is_played(battle, fight):
            continue
        foe = fight.boarders[0]
        if battle.ships[fight.boarded].marines and any(battle.ships[name].marines for name in fight.boarders):
            rolling += [(name, fight.boarded) for name in fight.boarders] + [(fight.boarded, foe)]
    rolls: dict[str, dict[str, tuple[int, ...]]] = {}
    for name, foe in sorted(rolling, key=lambda pair: by_number(pair[0])):
        ship = battle.ships[name]
        rolls[name] = {
            kind: dice.roll(getattr(ship, kind), 6, "G8.3", ship=name, target=foe, figure=kind) for kind in MARINES
        }
    return rolls


def is_played(battle: Battle, fight: Fight) -> bool:
    """Fights of a ship kept on paper are settled on paper."""
    return not any(battle.ships[name].paper for name in (fight.boarded, *fight.boarders))


def fight_round(battle: Battle, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G8.3 One simultaneous round of each fight, then what it leaves (G8.4, G8.5)."""
    rolls = roll_marines(battle, dice)
    events: list[Event] = []
    for fight in fights(battle):
        if not is_played(battle, fight):
            continue
        boarders = {name: battle.ships[name] for name in fight.boarders}
        boarded = battle.ships[fight.boarded]
        rolled = {name: rolls[name] for name in (*fight.boarders, fight.boarded) if name in rolls}
        dealt = sum(kills(rolls[name]) for name in fight.boarders if name in rolls)
        taken = kills(rolls.get(fight.boarded, {}))
        boarders = lightest_fall(boarders, taken)
        boarded = lightest_fall({fight.boarded: boarded}, dealt)[fight.boarded]
        battle = battle.with_ships({**boarders, fight.boarded: boarded})
        if rolled:
            events.append(
                event(
                    "G8.3",
                    "fight",
                    ship=fight.boarded,
                    boarders=list(fight.boarders),
                    dice=[
                        face
                        for name in sorted(rolled, key=by_number)
                        for faces in rolled[name].values()
                        for face in faces
                    ],
                    rolled={
                        name: {kind: list(faces) for kind, faces in kinds.items() if faces}
                        for name, kinds in sorted(rolled.items())
                    },
                    kills=dealt,
                    losses=taken,
                )
            )
        attackers = sum(ship.marines for ship in boarders.values())
        battle, more = fight_result(battle, fight, verdict(attackers, boarded.marines), bool(rolled))
        events += more
    return battle, tuple(events)


def fight_result(battle: Battle, fight: Fight, result: str, fought: bool) -> tuple[Battle, list[Event]]:
    """G8.4, G8.4.a Captured, thrown back, over, or it goes on; G8.5 a ship without marines gives up unfought."""
    names = list(fight.boarders)
    if result == "goes_on":
        return battle, []
    freed = {name: msgspec.structs.replace(battle.ships[name], boarding=None) for name in fight.boarders}
    boarded = msgspec.structs.replace(battle.ships[fight.boarded], boarding=None)
    if result == "captured":
        captor = battle.ships[fight.boarders[0]].side
        battle = battle.with_ships({**freed, fight.boarded: taken_by(boarded, captor)})
        rule = "G8.4" if fought else "G8.5"
        return battle, [event(rule, "captured", ship=fight.boarded, by=captor, boarders=names)]
    if result == "thrown_back":
        freed = {name: msgspec.structs.replace(ship, corvus=False) for name, ship in freed.items()}
        boarded = msgspec.structs.replace(boarded, may_board=fight.boarders)
        battle = battle.with_ships({**freed, fight.boarded: boarded})
        return battle, [event("G8.4", "thrown_back", ship=fight.boarded, boarders=names)]
    return battle.with_ships({**freed, fight.boarded: boarded}), [
        event("G8.4", "fight_over", ship=fight.boarded, boarders=names)
    ]


def taken_by(ship: Ship, captor: str) -> Ship:
    """G8.6 A prize: it does not move, and its figures are prisoners."""
    prize = msgspec.structs.replace(
        ship, status="captured", captured_by=captor, may_board=(), passing=None, must_back=False, free_turn=False
    )
    return prize.stop()
