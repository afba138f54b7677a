"""G3 The plot: speeds set in secret, locked, shown; steps that a side goes without."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.commands import Forgo, Lock, Plot
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event
from tactical.ship import FASTEST, MOVEMENT, Ship, acceleration, is_sprint, limit, maximum, plot_range

# -- G3.0.a Steps that a side goes without: no fire, or no boarding, for the rest of the turn.

STEPS = ("fire", "board")


def why_not_forgo(battle: Battle, command: Forgo) -> Illegal | None:
    """G3.0.a The word is given, or taken back, once."""
    forgoes = command.step in battle.sides[command.side].forgoes
    if forgoes and command.forgone:
        return Illegal("G3.0.a", "%(side)s %(side|has|have)s already forgone this step.", side=command.side)
    if not forgoes and not command.forgone:
        return Illegal("G3.0.a", "%(side)s %(side|has|have)s not forgone this step.", side=command.side)
    return None


def forgo(battle: Battle, command: Forgo, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G3.0.a The side counts as done in every such step of the turn, also in one that is under way.

    Taking the word back holds from the next such step on; the one under way stays done.
    """
    side = battle.sides[command.side]
    others = tuple(step for step in side.forgoes if step != command.step)
    said = msgspec.structs.replace(
        side,
        forgoes=tuple(sorted((*others, command.step))) if command.forgone else others,
        done=side.done or (command.forgone and battle.step == command.step),
    )
    told = event("G3.0.a", "forgo", side=command.side, step=command.step, forgone=command.forgone)
    return battle.with_side(command.side, said), (told,)


# -- G3 The plot: speeds set in secret, locked, and shown together.


def can_plot(ship: Ship) -> bool:
    """G3.1, G8.2 Does this ship's speed have to be set? Not in a fight, not a prize, not when kept on paper."""
    return ship.status == "afloat" and ship.boarding is None and not ship.paper


def to_plot(battle: Battle, side: str) -> tuple[str, ...]:
    """G3.1 The side's ships that still need a speed."""
    return tuple(
        ship_id for ship_id, ship in battle.ships.items() if ship.side == side and ship.plot is None and can_plot(ship)
    )


def is_unset(battle: Battle, side: str) -> bool:
    """G3.1 Does a ship of the side still need a speed?"""
    for ship in battle.ships.values():  # noqa: SIM110 (asked after each plot; a generator costs twice as much)
        if ship.plot is None and ship.side == side and can_plot(ship):
            return True
    return False


def may_lock(battle: Battle, side: str) -> bool:
    """G3.1 May the side lock now?"""
    if battle.link is not None and battle.link.deploying:
        return False
    return not is_unset(battle, side) and must_lock(battle, side)


def plots(battle: Battle, side: str) -> bool:
    """G3.1 Has the side any ship whose speed it sets?"""
    return any(ship.side == side and can_plot(ship) for ship in battle.ships.values())


def must_lock(battle: Battle, side: str) -> bool:
    """G3.1 Must the side still say `lock`? Not when it has no speed to set, unless no side has.

    So every turn's end is rolled in a command of its own, also when all ships are in fights.
    """
    said = battle.sides[side]
    if said.locked or said.resigned:
        return False
    return plots(battle, side) or not any(
        can_plot(ship) for ship in battle.ships.values() if not battle.has_resigned(ship.side)
    )


def why_not_plot(battle: Battle, command: Plot) -> Illegal | None:
    """G3.1 What forbids this speed; of several rules the first of G6.7, G7.3, G3.3, G3.1."""
    ship = battle.ship(command.ship)
    speed, name = command.speed, command.ship
    if battle.sides[ship.side].locked:
        return Illegal("G3.1", "The plots of %(side)s are locked; no speed can be changed now.", side=ship.side)
    if battle.link is not None and battle.link.deploying:
        return Illegal(
            "L2.5", "%(deploying)s is still deploying; no speed is set yet.", deploying=battle.link.deploying[0]
        )
    if ship.status != "afloat":
        return Illegal(
            "G8.6" if ship.is_prize else "G3.1",
            "%(ship)s is %(status)s and cannot plot a speed.",
            ship=name,
            status=ship.status,
        )
    if ship.boarding is not None:
        return Illegal("G8.2", "%(ship)s is in a boarding fight and cannot be plotted.", ship=name)
    if ship.paper:
        return Illegal("G2.3", "%(ship)s is tracked on paper, so her speed must be noted there.", ship=name)
    kind = battle.kind(ship)
    option = battle.options.sprint
    low, high = plot_range(kind, ship, option)
    if low <= speed <= high:
        return None
    if ship.must_back and ship.passing is None and speed != -1:
        return Illegal("G6.7", "%(ship)s rammed last turn and must back one step: plot −1.", ship=name)
    if ship.oars_broken and speed > limit(kind, ship, option):
        return Illegal(
            "G7.3",
            "%(ship)s has broken oars and cannot be plotted above %(limit)s.",
            ship=name,
            limit=limit(kind, ship, option),
        )
    if speed > limit(kind, ship, option) and ship.sprints >= MOVEMENT.sprints and speed <= maximum(kind, ship):
        return Illegal(
            "G3.3",
            "%(ship)s has spent all her sprints (%(sprints)s).",
            ship=name,
            sprints=MOVEMENT.sprints,
        )
    if ship.passing is not None and speed < low:
        return Illegal(
            "G7.2",
            "%(ship)s is in the hex of %(passing)s and must plot at least %(low)s.",
            ship=name,
            passing=ship.passing,
            low=low,
        )
    found = {"low": low, "high": high, "change": acceleration(kind, ship), "limit": limit(kind, ship, option)}
    if ship.speed == -1:
        return Illegal(
            "G3.1",
            "%(ship)s may plot %(low)s to %(high)s: her speed last turn was %(speed)s, her "
            "acceleration is %(change)s and her limit %(limit)s (G4.4: after backing).",
            ship=name,
            speed=ship.speed,
            **found,
        )
    return Illegal(
        "G3.1",
        "%(ship)s may plot %(low)s to %(high)s: her speed last turn was %(speed)s, "
        "her acceleration is %(change)s and her limit %(limit)s.",
        ship=name,
        speed=ship.speed,
        **found,
    )


def plot(battle: Battle, command: Plot, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G3.1 Set one ship's speed; only its own side sees it until all have locked."""
    ship = battle.ships[command.ship]
    speed = max(-1, min(command.speed, FASTEST))
    happened = event("G3.1", "plot", only=(ship.side,), ship=command.ship, speed=speed)
    return battle.with_plots({command.ship: msgspec.structs.replace(ship, plot=speed)}), (happened,)


def why_not_lock(battle: Battle, command: Lock) -> Illegal | None:
    """G3.1 A side locks once, and not before each of its ships that can move has a plot."""
    if may_lock(battle, command.side):
        return None
    if battle.link is not None and battle.link.deploying:
        return Illegal("L2.5", "%(deploying)s is still deploying.", deploying=battle.link.deploying[0])
    if battle.sides[command.side].locked:
        return Illegal("G3.1", "The plots of %(side)s are already locked.", side=command.side)
    if is_unset(battle, command.side):
        return Illegal("G3.1", "These ships have no plot yet: %(list)s.", list=tuple(to_plot(battle, command.side)))
    return Illegal(
        "G3.1",
        "%(side)s %(side|has no speed to set and counts|have no speed to set and count)s as locked.",
        side=command.side,
    )


def lock(battle: Battle, command: Lock, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G3.1 The side's plots stand."""
    side = msgspec.structs.replace(battle.sides[command.side], locked=True)
    return battle.with_side(command.side, side), (event("G3.1", "lock", side=command.side),)


def unlock(battle: Battle) -> Battle:
    """G3.1 All sides have yet to lock: a typed position in which all have done so waits for the dice of initiative."""
    return battle.but(sides={name: msgspec.structs.replace(side, locked=False) for name, side in battle.sides.items()})


def reveal(battle: Battle, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """G3.1 All plots are shown; a plot above cruise spends a sprint (G3.3); initiative is rolled (G3.4)."""
    first, rolled = initiative(battle, dice)
    option = battle.options.sprint
    ships = dict(battle.ships)
    shown = {}
    for ship_id, ship in ships.items():
        if ship.status != "afloat":
            continue
        if battle.has_resigned(ship.side):
            ships[ship_id] = msgspec.structs.replace(ship.stop(), plot=None, backed_for_ram=False, rammed=False)
            continue
        speed = (ship.plot or 0) if can_plot(ship) else 0
        sprint = is_sprint(battle.kind(ship), ship, speed, option)
        ships[ship_id] = msgspec.structs.replace(
            ship,
            plot=speed if can_plot(ship) else None,
            speed=speed,
            sprints=ship.sprints + 1 if sprint else ship.sprints,
            backed_for_ram=False,
            rammed=False,
            stopped=ship.boarding is not None,
        )
        if can_plot(ship):
            shown[ship_id] = speed
    moved = battle.with_ships(ships).but(first=first).at_step("move", 1)
    return moved, (event("G3.1", "reveal", reveals=True, turn=battle.turn, speeds=shown), *rolled)


def initiative(battle: Battle, dice: Dice) -> tuple[str | None, tuple[Event, ...]]:
    """G3.4 With the option "initiative" both sides roll, ties again; the lower moves all its ships first."""
    if battle.options.order != "initiative":
        return None, ()
    sides = sorted(name for name, side in battle.sides.items() if not side.resigned)
    while True:
        faces = {side: dice.roll(1, 6, "G3.4", side=side)[0] for side in sides}
        low = min(faces.values())
        lowest = [side for side in sides if faces[side] == low]
        if len(lowest) == 1:
            first = lowest[0]
            return first, (event("G3.4", "initiative", side=first, dice=list(faces.values()), sides=sides),)
