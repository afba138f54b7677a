"""G4 Several steps ahead as one plan, and what a whole fleet does in one command."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from tactical import commands as say
from tactical.battle import Battle
from tactical.board import STEPS, Hex, Place
from tactical.commands import Angle, Step
from tactical.geometry import MOST, Way, geometry
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer
from tactical.kernel.record import Input, Record
from tactical.odds import MOST_MARINES
from tactical.odds import boarding as boarding_odds
from tactical.rules import boarding, missiles, movement, ramming
from tactical.rules.plotting import can_plot
from tactical.ship import MARINES, MOVEMENT, STEPS_OF, Ship, is_sprint, plot_range

# -- G4 Courses: several steps ahead as one plan of a ship's, made of ordinary steps.
#
# A course is no rule and no part of a position: who keeps one says each step when it is due. Here stands which steps
# lead
# to a place, whether the next one goes through open water, and which enemies are so near that they change a plan.

NEAR = 2  # an enemy within so many steps may be met next
CLOSE_ENOUGH = 0.5  # base lengths from the point that was meant


class Leg(Input, frozen=True):
    """One step of a course: the turn, or on the open sea the angle."""

    turn: Literal["left", "right", "none"] | None = None
    angle: Angle | None = None

    def of(self, name: str) -> Step:
        """The step as a ship's command."""
        return Step(name, turn=self.turn, angle=self.angle)


TURNS = {"none": Leg("none"), "left": Leg("left"), "right": Leg("right")}


class Route(Record, frozen=True):
    """A course with the places that it leads through."""

    legs: tuple[Leg, ...]
    places: tuple[Place, ...]


def steps_to_make(battle: Battle, ship: Ship, speed: int | None = None) -> int:
    """G3.2 How many steps a ship makes in what is left of the turn; in the plot in the whole of it, at `speed`."""
    if not ship.is_afloat or ship.boarding or ship.paper or ship.at is None or ship.contact:
        return 0
    if battle.step == "plot":
        return len(STEPS_OF.get(ship.speed if speed is None else speed, ()))
    if ship.stopped:
        return 0
    now = battle.phase or 0
    return sum(1 for phase in STEPS_OF[ship.speed] if phase > now or (phase == now and battle.is_due(ship)))


def starting(battle: Battle, ship: Ship, speed: int | None) -> Ship:
    """The ship as her course begins: in the plot at the turn's first step, at the speed that is meant."""
    if battle.step != "plot":
        return ship
    pace = ship.speed if speed is None else speed
    return msgspec.structs.replace(ship, speed=pace, stopped=False, stepped=False, steps_made=0)


def routes(battle: Battle, name: str, speed: int | None = None) -> dict[Hex, Route]:
    """G4.1 On hexes: the shortest course through open water to each hex in reach, if all others stay where they are."""
    ship = battle.ships[name]
    found: dict[Hex, Route] = {}
    if not battle.has_hexes or ship.at is None:
        return found
    front: dict[tuple[Place, Any, int], tuple[Ship, Route]] = {
        (ship.at, ship.facing, ship.straight): (starting(battle, ship, speed), Route((), ()))
    }
    for _ in range(steps_to_make(battle, ship, speed)):
        following: dict[tuple[Place, Any, int], tuple[Ship, Route]] = {}
        for stage, route in front.values():
            for turn, way in movement.choices(battle, name, stage).items():
                if way.meets != "open" or way.to is None or turn not in TURNS:
                    continue
                there = Route((*route.legs, TURNS[turn]), (*route.places, way.to))
                found.setdefault(way.to, there)
                moved = after(stage, way.to, way.facing)
                following.setdefault((way.to, moved.facing, min(moved.straight, 9)), (moved, there))
        front = following
    found.pop(ship.at, None)
    return found


def along(battle: Battle, name: str, way: Sequence[Hex], speed: int | None = None) -> Route:
    """G4.1 On hexes: the course through these hexes, one after the other; without steps where none leads so."""
    stage, route = starting(battle, battle.ships[name], speed), Route((), ())
    if not battle.has_hexes or not 0 < len(way) <= steps_to_make(battle, battle.ships[name], speed):
        return route
    for hex_ in way:
        turns = movement.choices(battle, name, stage).items()
        found = next(((turn, to) for turn, to in turns if to.to == hex_ and to.meets == "open" and turn in TURNS), None)
        if found is None:
            return Route((), ())
        route = Route((*route.legs, TURNS[found[0]]), (*route.places, hex_))
        stage = after(stage, hex_, found[1].facing)
    return route


def after(ship: Ship, to: Place, facing: Any) -> Ship:
    """The ship when she has made a step."""
    return msgspec.structs.replace(
        ship,
        at=to,
        facing=facing,
        straight=0 if facing != ship.facing else ship.straight + 1,
        steps_made=ship.steps_made + 1,
        free_turn=False,
        passing=None,
    )


def towards(battle: Battle, name: str, point: tuple[float, float], speed: int | None = None) -> Route:
    """G1.6, G4.1 On the open sea: turn to the point as soon as the turn cycle lets her, and row until she is there."""
    stage = starting(battle, battle.ships[name], speed)
    board, route = geometry(battle), Route((), ())
    for _ in range(steps_to_make(battle, battle.ships[name], speed)):
        assert stage.at is not None
        far = math.dist(stage.at, point)
        if far < CLOSE_ENOUGH:
            break
        bearing = math.degrees(math.atan2(point[0] - stage.at[0], stage.at[1] - point[1]))
        off = round((bearing - float(stage.facing or 0) + 540) % 360 - 180)
        angle = max(-MOST, min(MOST, off)) if movement.may_turn(battle, stage) else 0
        way = board.way(battle, name, stage, board.course(stage, Step(name, angle=float(angle)))[0])
        if way.meets != "open" or math.dist(way.to, point) > far:
            break
        route = Route((*route.legs, Leg(angle=float(angle))), (*route.places, way.to))
        stage = after(stage, way.to, way.facing)
    return route


def ahead(battle: Battle, name: str, speed: int | None = None) -> tuple[Leg, ...]:
    """G4.1 Straight on for the rest of the turn."""
    return (straight(battle),) * steps_to_make(battle, battle.ships[name], speed)


def straight(battle: Battle) -> Leg:
    """G4.1, G1.6 A step straight on, as this board says it."""
    return Leg(angle=0.0) if battle.board.kind == "open" else Leg("none")


def is_open(battle: Battle, name: str, leg: Leg) -> bool:
    """G4.1 May the ship make this step now, and does it lead into open water?"""
    step, ship = leg.of(name), battle.ships[name]
    if movement.why_not_step(battle, step) is not None:
        return False
    board = geometry(battle)
    return board.way(battle, name, ship, board.course(ship, step)[0]).meets == "open"


def is_behind_friend(battle: Battle, name: str, leg: Leg) -> bool:
    """G4.3 Is the way closed only by a ship of her own side that has yet to step in this phase?"""
    ship = battle.ships[name]
    if not battle.is_due(ship):
        return False
    board = geometry(battle)
    heading, _turned = board.course(ship, leg.of(name))
    if board.way(battle, name, ship, heading).meets != "blocked":
        return False
    gone = {
        other: friend
        for other, friend in battle.ships.items()
        if other == name or friend.side != ship.side or not battle.is_due(friend)
    }
    alone = msgspec.structs.replace(battle, ships=gone)
    return len(gone) < len(battle.ships) and board.way(alone, name, ship, heading).meets == "open"


def enemies_in_sight(battle: Battle, name: str) -> tuple[str, ...]:
    """G5.6 The enemies within two steps whom a ship sees: one more, and a plan is thought over."""
    ship = battle.ships[name]
    near = (foe for foe, range_ in battle.enemies_of(ship) if range_ <= NEAR) if battle.has_places else ()
    return tuple(sorted(foe for foe in near if missiles.sees(battle, ship, battle.ships[foe])))


def followers(battle: Battle, leader: str, legs: tuple[Leg, ...]) -> Iterator[tuple[str, bool]]:
    """G2.4 A line keeps station on its flagship: the ships of her squadron, and whether each can make the same course.

    Each is tried with all others who are to make it out of the way, as they step together.
    """
    line = [
        name
        for name, ship in battle.ships.items()
        if ship.side == battle.ships[leader].side and ship.squadron == battle.ships[leader].squadron and ship.is_afloat
    ]
    others = {name: ship for name, ship in battle.ships.items() if name not in line}
    for name in line:
        alone = msgspec.structs.replace(battle, ships={**others, name: battle.ships[name]})
        yield name, battle.ships[name].at is not None and can_make(alone, name, legs)


def can_make(battle: Battle, name: str, legs: tuple[Leg, ...]) -> bool:
    """G4.1 Can the ship make every step of a course in what is left of the turn, through open water?

    In the plot (G3.1) at the speed of so many steps, and without a sprint, which nobody spends for her.
    """
    ship, kind = battle.ships[name], battle.kind(battle.ships[name])
    speed = len(legs) if battle.step == "plot" else None
    if speed is not None:
        low, high = plot_range(kind, ship, battle.options.sprint)
        if not can_plot(ship) or not low <= speed <= high or is_sprint(kind, ship, speed, battle.options.sprint):
            return False
    if steps_to_make(battle, ship, speed) < len(legs):
        return False
    board = geometry(battle)
    stage = starting(battle, ship, speed)
    for leg in legs:
        heading, turned = board.course(stage, leg.of(name))
        if turned and not movement.may_turn(battle, stage):
            return False
        way = board.way(battle, name, stage, heading)
        if way.meets != "open":
            return False
        stage = after(stage, way.to, way.facing)
    return True


def run_ups(battle: Battle, side: str, legs: Mapping[str, Sequence[Leg]]) -> Iterator[tuple[str, str, int]]:
    """G4.3 Which ship of a side runs up on which friend, and in which phase, at the speeds that are plotted so far.

    Each makes her `legs`, then goes straight on, the foremost first. Ships without a plot and all enemies are left out.
    """
    ships = {
        name: starting(battle, ship, ship.plot or 0)
        for name, ship in battle.ships.items()
        if ship.at is not None
        and (ship.is_prize or (ship.side == side and (ship.plot is not None or not can_plot(ship))))
    }
    now = msgspec.structs.replace(battle, ships=ships)
    for phase in range(1, MOVEMENT.phases + 1):
        waiting = [name for name, ship in now.ships.items() if phase in STEPS_OF[ship.speed] and not ship.stopped]
        if battle.has_hexes:
            waiting.sort(key=lambda name: -forward(now.ships[name]))
        while waiting:
            left = []
            for name in waiting:
                way = next_way(now, name, legs.get(name, ()))
                if way.meets == "blocked":
                    left.append(name)
                else:
                    now = now.with_ship(name, after(now.ships[name], way.to, way.facing))
            if left == waiting:
                break
            waiting = left
        for name in waiting:
            for friend in now.ships:
                gone = {other: ship for other, ship in now.ships.items() if other != friend}
                alone = msgspec.structs.replace(now, ships=gone)
                if friend != name and next_way(alone, name, legs.get(name, ())).meets != "blocked":
                    yield name, friend, phase
                    break
            now = now.with_ship(name, msgspec.structs.replace(now.ships[name], stopped=True))


def next_way(battle: Battle, name: str, legs: Sequence[Leg]) -> Way:
    """G4.1 Where a ship's next step leads: the next of these legs, or straight on when they are made."""
    ship, board = battle.ships[name], geometry(battle)
    leg = legs[ship.steps_made] if ship.steps_made < len(legs) else straight(battle)
    return board.way(battle, name, ship, board.course(ship, leg.of(name))[0])


# -- What a whole fleet, or one squadron, does in one command: the ships' own commands, worked out by the engine.
#
# A command `{"type": "together", "side", "what", "squadron"?}` stands for these; each is tried on the position that
# those
# before it leave, so that the whole is carried out or nothing. Nothing here throws dice.

GOOD = 0.5  # the least chance to win a fight that is begun without a look at it
RULES = {
    "ahead": "G4.1",
    "left": "G4.1",
    "right": "G4.1",
    "meet": "G4.6",
    "run_up": "G4.3",
    "fire": "G5.1",
    "ram": "G6.1",
    "hold": "G6.9",
    "board": "G8.1",
}
IN_STEP = {
    "move": ("ahead", "left", "right", "meet", "run_up"),
    "fire": ("fire",),
    "ram": ("ram", "hold"),
    "board": ("board",),
}


def expand(battle: Battle, command: say.Together) -> tuple[Any, ...]:
    """The ships' commands that a command for a fleet stands for; itself where it stands for none."""
    if command.what is None or command.side not in battle.sides:
        return command.commands or (command,)
    return orders(battle, command.side, command.what, command.squadron) or (command,)


def why_nobody(battle: Battle, command: say.Together) -> Illegal:
    """G3.0 Why a command for a fleet is refused that no ship can carry out now."""
    if command.what is None or command.side is None:
        return Illegal("G3.0", "Name the side and what its ships are to do, or the commands themselves.")
    return Illegal(RULES[command.what], "No ship of this fleet can do that now.")


def orders(battle: Battle, side: str, what: str, squadron: str | None = None) -> tuple[Any, ...]:
    """The commands of one side's ships, or of one squadron's; none where no ship can do it now."""
    if what not in IN_STEP.get(battle.step, ()) or battle.thrown is not None or battle.has_resigned(side):
        return ()
    return tuple(MAKERS[what](battle, names_of(battle, side, squadron)))


def names_of(battle: Battle, side: str, squadron: str | None = None) -> list[str]:
    """The ships of a side that float, or those of one of its squadrons."""
    return [
        name
        for name, ship in battle.ships.items()
        if ship.side == side and ship.is_afloat and (squadron is None or ship.squadron == squadron)
    ]


def offers(battle: Battle, side: str) -> Iterator[Offer]:
    """What the side may command for its whole fleet or a squadron, one offer for each."""
    if side not in battle.sides or battle.step not in IN_STEP or battle.sides[side].done:
        return
    squadrons = dict.fromkeys(ship.squadron for ship in battle.ships.values() if ship.side == side and ship.squadron)
    for what in IN_STEP[battle.step]:
        for squadron in (None, *squadrons):
            if orders(battle, side, what, squadron):
                named = {} if squadron is None else {"squadron": squadron}
                yield Offer("together", RULES[what], {"side": side, "what": what, **named})


# Movement ------------------------------------------------------------------------------------------------


def due(battle: Battle, names: Sequence[str]) -> list[str]:
    """G4.1 Those of the ships that owe a step, if it is their side's time to move."""
    found = [name for name in names if battle.is_due(battle.ships[name])]
    if not found or not battle.has_places or not movement.may_move_now(battle, battle.ships[found[0]].side):
        return []
    return found


def steps(turn: str) -> Callable[[Battle, Sequence[str]], Iterator[say.Step]]:
    """G4.1 Ahead or turning with all that can, the foremost first; who would meet somebody is left out."""

    def made(battle: Battle, names: Sequence[str]) -> Iterator[say.Step]:
        waiting = due(battle, names)
        at_sea = battle.board.kind == "open"
        if at_sea and turn != "none":
            return
        if not at_sea:
            waiting.sort(key=lambda name: -forward(battle.ships[name]))
        now, progress = battle, True
        while waiting and progress:
            progress = False
            for name in list(waiting):
                step = open_step(now, name, turn)
                if step is not None:
                    now, _events = movement.step(now, step, Dice())
                    waiting.remove(name)
                    progress = True
                    yield step

    return made


def open_step(battle: Battle, name: str, turn: str) -> say.Step | None:
    """G4.1 A ship's step with this turn, if it leads through open water; on the measured sea (G1.6) straight ahead."""
    ship = battle.ships[name]
    if battle.board.kind == "open":
        is_clear = geometry(battle).way(battle, name, ship, ship.facing).meets == "open"
        return say.Step(name, angle=0.0) if is_clear else None
    way = movement.choices(battle, name, ship).get(turn)
    return say.Step(name, turn=turn) if way is not None and way.meets == "open" else None  # type: ignore[arg-type]


def forward(ship: Ship) -> int:
    """How far ahead a ship is along her own heading."""
    if ship.at is None or ship.facing is None:
        return 0
    q, r = STEPS[ship.facing]
    x, y = ship.at
    ahead: int = q * x + r * y + (q + r) * (x + y)
    return ahead


def straight_on(meets: str) -> Callable[[Battle, Sequence[str]], Iterator[say.Step]]:
    """G4.6, G4.3 Straight on with all who meet an enemy so ("contact"), or run up and stop ("blocked").

    A ship that only waits for a friend before her is left out.
    """

    def made(battle: Battle, names: Sequence[str]) -> Iterator[say.Step]:
        now = battle
        for name in due(battle, names):
            leg: Leg = straight(now)
            step, ship = leg.of(name), now.ships[name]
            if movement.why_not_step(now, step) is not None or is_behind_friend(now, name, leg):
                continue
            board = geometry(now)
            if board.way(now, name, ship, board.course(ship, step)[0]).meets == meets:
                now, _events = movement.step(now, step, Dice())
                yield step

    return made


# Fire, ramming, boarding ---------------------------------------------------------------------------------


def fire(battle: Battle, names: Sequence[str]) -> Iterator[say.Fire]:
    """G5.1 Every weapon that is ready at the nearest enemy that it reaches and sees."""
    if battle.has_places:
        for name in names:
            ship = battle.ships[name]
            for weapon in missiles.WEAPONS if not battle.sides[ship.side].done else ():
                foes = list(missiles.targets(battle, ship, weapon)) if missiles.may_fire(ship, weapon) else []
                if foes:
                    nearest = min(foes, key=lambda foe: missiles.range_between(battle, ship, battle.ships[foe]))
                    yield say.Fire(name, weapon, missiles.ready(ship, weapon), nearest)  # type: ignore[arg-type]


def ram(battle: Battle, names: Sequence[str]) -> Iterator[say.Ram]:
    """G6.1 Ram with every ship that may; none where two meet the same enemy, so that a person decides."""
    able = [name for name in names if battle.ships[name].contact and ramming.why_not_ram(battle, say.Ram(name)) is None]
    if len({battle.ships[name].contact for name in able}) == len(able):
        yield from map(say.Ram, able)


def hold(battle: Battle, names: Sequence[str]) -> Iterator[say.Hold]:
    """G6.9 Hold every contact."""
    return (say.Hold(name) for name in names if movement.why_no_choice(battle, name) is None)


def board(battle: Battle, names: Sequence[str]) -> Iterator[say.Board]:
    """G8.1 Board with every ship that is likelier to win the fight than not; no two board the same enemy."""
    for foe, (name, _chance) in good_fights(battle, names).items():
        yield say.Board(name, foe)


def good_fights(battle: Battle, names: Sequence[str]) -> dict[str, tuple[str, float]]:
    """G8.1, G8.4 Enemies that are boarded where the odds are good: by which ship, and the chance to take them."""
    taken: dict[str, tuple[str, float]] = {}
    for name in names:
        if battle.step != "board" or battle.sides[battle.ships[name].side].done:
            continue
        foes = boarding.board_targets(battle, name, battle.ships[name])
        chances = [(winning(battle, name, foe), foe) for foe in foes if foe not in taken]
        chance, best = max(chances, default=(0.0, ""))
        if chance > GOOD:
            taken[best] = name, getting_aboard(battle, name, best) * chance
    return taken


def fighters(battle: Battle, name: str, foe: str) -> tuple[dict[str, int], dict[str, int]]:
    """G8.4 Who fights aboard an enemy once the ship has boarded her beside those who already do: both crews."""
    joined = [battle.ships[each] for each in {*battle.boarders_of(foe), name}]
    attackers = {kind: sum(getattr(each, kind) for each in joined) for kind in MARINES}
    return attackers, {kind: getattr(battle.ships[foe], kind) for kind in MARINES}


def winning(battle: Battle, name: str, foe: str) -> float:
    """G8.4 The chance to win that fight; 0 where nobody attacks, or where it is too large to reckon."""
    attackers, defenders = fighters(battle, name, foe)
    if not sum(attackers.values()) or max(sum(attackers.values()), sum(defenders.values())) > MOST_MARINES:
        return 0.0
    return float(boarding_odds(attackers, defenders)["attacker"])


def getting_aboard(battle: Battle, name: str, foe: str) -> float:
    """G8.1 The chance to come aboard at all."""
    ship = battle.ships[name]
    is_sure = ship.corvus or foe in ship.may_board
    return 1.0 if is_sure else len(boarding.TABLE.board.succeeds) / 6


MAKERS: dict[str, Callable[[Battle, Sequence[str]], Iterator[Any]]] = {
    "ahead": steps("none"),
    "left": steps("left"),
    "right": steps("right"),
    "meet": straight_on("contact"),
    "run_up": straight_on("blocked"),
    "fire": fire,
    "ram": ram,
    "hold": hold,
    "board": board,
}
