"""What a whole fleet, or one squadron, does in one command: the ships' own commands, worked out by the engine.

A command `{"type": "together", "side", "what", "squadron"?}` stands for these; each is tried on the position that those
before it leave, so that the whole is carried out or nothing. Nothing here throws dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tactical import commands as say
from tactical.battle import Battle
from tactical.courses import Leg, is_behind_friend, straight
from tactical.geometry import geometry
from tactical.hexes import STEPS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer
from tactical.odds.boarding import MOST
from tactical.odds.boarding import boarding as boarding_odds
from tactical.rules import boarding, contacts, missiles, movement, ramming
from tactical.ship import MARINES, Ship

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
    return (say.Hold(name) for name in names if contacts.why_no_choice(battle, name) is None)


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
    joined = [battle.ships[each] for each in battle.boarders_of(foe)] + [battle.ships[name]]
    attackers = {kind: sum(getattr(each, kind) for each in joined) for kind in MARINES}
    return attackers, {kind: getattr(battle.ships[foe], kind) for kind in MARINES}


def winning(battle: Battle, name: str, foe: str) -> float:
    """G8.4 The chance to win that fight; 0 where nobody attacks, or where it is too large to reckon."""
    attackers, defenders = fighters(battle, name, foe)
    if not sum(attackers.values()) or max(sum(attackers.values()), sum(defenders.values())) > MOST:
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
