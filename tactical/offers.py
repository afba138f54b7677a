"""What a seat may command now: of one ship, of a side, kept from state to state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any

import msgspec

from tactical.battle import Battle, Thrown, Todo
from tactical.board import HEADINGS
from tactical.commands import Done, Evade, Hold, Rake, Ram, Resign
from tactical.geometry import TURN_NAMES, Way, geometry
from tactical.kernel.protocol import UMPIRE, Illegal, Offer, Seats, Secret
from tactical.rules import boarding, ending, linked, missiles, movement, own_table, plotting, ramming
from tactical.rules.movement import may_stand
from tactical.rules.plotting import STEPS
from tactical.ship import SPEEDS_IN, Ship, plot_range

# -- What one ship may be commanded now, made by the predicates that refuse commands, so that they cannot disagree.


def of_ship(battle: Battle, name: str, ship: Ship) -> Iterable[Offer]:
    """The offers of one ship in this step, its side not being locked or done."""
    step = battle.step
    if step == "plot":
        return plots(battle, name, ship)
    if step == "move":
        return steps(battle, name, ship) if ship.contact is None and not ship.stopped else ()
    if step == "fire":
        return of_weapons(battle, name, ship)
    if step == "ram":
        return meetings(battle, name, ship)
    return boardings(battle, name, ship) if step == "board" else ()


def plots(battle: Battle, name: str, ship: Ship) -> Iterator[Offer]:
    """G3.1 The speeds that the ship may plot."""
    deploys = linked.deploys(battle)
    if deploys is not None:
        if deploys == ship.side and ship.at is not None:
            places = [list(at) for at in (ship.at, *linked.zone(battle, ship.side))]
            yield Offer("deploy", "L2.5", {"ship": name, "at": places, "facing": list(HEADINGS)})
        return
    if not plotting.can_plot(ship):
        return
    low, high = plot_range(battle.kind(ship), ship, battle.options.sprint)
    speeds: Any = low if low == high else {"from": low, "to": high}
    yield Offer("plot", "G3.1", {"ship": name, "speed": speeds})


def steps(battle: Battle, name: str, ship: Ship) -> Iterator[Offer]:
    """G4.1 The steps that a due ship may choose; on the table also the contact that it may declare."""
    if not movement.may_move_now(battle, ship.side):
        return
    due = battle.is_due(ship)
    if due and (not movement.may_stand(battle, ship) or movement.may_leave(battle, ship)):
        yield from ways(battle, name, ship, movement.choices(battle, name, ship))
    if battle.has_places:
        return
    if movement.may_touch(battle, ship):
        enemies = [other for other, foe in battle.ships.items() if foe.side != ship.side and foe.is_afloat]
        if enemies:
            aspects = list(own_table.ASPECT_OF_TABLE)
            fields: dict[str, Any] = {"ship": name, "target": choice(enemies), "aspect": aspects}
            if due and movement.may_turn(battle, ship):
                fields["turn"] = list(TURN_NAMES)
            yield Offer("contact", "G4.6", fields)
    if due:
        yield Offer("hold", "G4.3", {"ship": name})
    if due and not battle.edge_is_wall():
        yield Offer("leave", "G1.4", {"ship": name})


def ways(battle: Battle, name: str, ship: Ship, found: dict[str, Way]) -> Iterator[Offer]:
    """G4.1, G6.8 The turns, angles or headings of a step; where it may meet either of two, also which."""
    for field in geometry(battle).fields(battle, name, ship, found):
        fields = {"ship": name, field.key: field.value}
        if field.targets:
            fields["target"] = list(field.targets)
        yield Offer("step", "G6.8" if field.key == "facing" else "G4.1", fields)


def of_weapons(battle: Battle, name: str, ship: Ship) -> tuple[Offer, ...]:
    """G5.1 The shots of a ship."""
    if battle.board.kind == "table":
        return tuple(shots(battle, name, ship))
    near = battle.enemies_of(ship)
    if not near:
        return ()
    if missiles.is_open_water(battle):
        return shots_in_open_water(name, missiles.weapons_of(ship), near)
    return tuple(shots(battle, name, ship))


def shots(battle: Battle, name: str, ship: Ship) -> Iterator[Offer]:
    """G5.1 For each weapon of the ship: how many, and at whom; and that it wants to fire no more."""
    is_any = False
    for weapon, left in missiles.weapons_of(ship):
        found = missiles.targets(battle, ship, weapon)
        if found:
            is_any = True
            yield shot(name, weapon, left, found, battle.has_places)
    if is_any:
        yield Offer("finish", "G3.0", {"ship": name})


def shots_in_open_water(
    name: str, loaded: list[tuple[str, int]], near: tuple[tuple[str, int], ...]
) -> tuple[Offer, ...]:
    """G5.1 The shots of a ship at its enemies, each with its range, where nothing can stand between them (G5.6)."""
    aims = [(weapon, left, missiles.in_reach(near, weapon)) for weapon, left in loaded]
    found = [shot(name, weapon, left, targets, True) for weapon, left, targets in aims if targets]
    return (*found, Offer("finish", "G3.0", {"ship": name})) if found else ()


def shot(name: str, weapon: str, left: int, targets: list[str], has_places: bool) -> Offer:
    """G5.1 The shots of one weapon; where the program knows no places also the range."""
    count = 1 if left == 1 else {"from": 1, "to": left}
    fields: dict[str, Any] = {"ship": name, "weapon": weapon, "count": count, "target": choice(targets)}
    if not has_places:
        fields["range"] = {"from": 1, "to": missiles.WEAPONS[weapon].reach}
    return Offer("fire", "G5.1", fields)


def boardings(battle: Battle, name: str, ship: Ship) -> Iterator[Offer]:
    """G8.1 Whom the ship may board; and that it wants to board nobody."""
    found = list(boarding.board_targets(battle, name, ship))
    if found:
        yield Offer("board", "G8.1", {"ship": name, "target": choice(found)})
        yield Offer("finish", "G3.0", {"ship": name})


def meetings(battle: Battle, name: str, ship: Ship) -> Iterator[Offer]:
    """G6.1, G6.9, G7.1 How a ship in contact may settle it."""
    if ship.contact is None:
        return
    if ramming.why_not_ram(battle, Ram(name)) is None:
        yield Offer("ram", "G6.1", {"ship": name})
    if ramming.why_not_rake(battle, Rake(name)) is None:
        yield Offer("rake", "G7.1", {"ship": name})
    if ramming.why_not_hold(battle, Hold(name)) is None:
        yield Offer("hold", "G6.9", {"ship": name})


def choice(found: list[str]) -> Any:
    """A field's only value, or its choices."""
    return found[0] if len(found) == 1 else found


# -- What each ship may do in this step, kept from state to state: after a command only what it touches is asked again.
#
# Nothing here is part of a position. A `Todo` is worked out from a battle alone and stands in its `derived`; `follow`
# takes it over from an earlier battle of the same step, but for the entries that changed sheets may have changed.

BY_SHIP = ("plot", "move", "fire", "board")  # the steps in which a ship's offers hang on the ships near it at most


def todo(battle: Battle) -> Todo:
    """G3.0 What is known of what the ships of a battle may do in its step."""
    derived = battle.derived
    found = derived.todo
    if found is None:
        earlier, derived.earlier = derived.earlier, None
        found = follow(earlier.battle, battle, earlier.changed) if earlier is not None else None
        derived.todo = found = found or begin(battle)
    return found


def begin(battle: Battle) -> Todo:
    """G3.0 The ships worth asking, none of them asked yet."""
    found = Todo({side: {} for side in battle.sides}, {})
    ships = battle.ships
    for name in worth_asking(battle):
        found.of_ship[ships[name].side][name] = None
    return found


def worth_asking(battle: Battle) -> Iterable[str]:
    """G3.0 The ships worth asking in this step. A quick look at what most lack: a step due, a weapon, an enemy near."""
    step, ships = battle.step, battle.ships
    if step == "plot" or step == "ram" or battle.board.kind == "table":
        return ships
    if step == "move":
        due = SPEEDS_IN[battle.phase]
        return [name for name, ship in ships.items() if ship.speed in due and not ship.stopped]
    if step == "fire":
        return [name for name, ship in ships.items() if ship.status == "afloat" and is_armed(ship)]
    if step == "board":
        return [name for name, ship in ships.items() if not ship.tried_boarding and is_met(battle, ship)]
    return ()


def is_armed(ship: Ship) -> bool:
    """G5.1, G5.7 Has the ship a weapon, or had it one when the fire step began?"""
    return bool(ship.archers or ship.catapults or ship.stone_throwers or ship.lost_this_step)


def is_met(battle: Battle, ship: Ship) -> bool:
    """G8.1 Is the ship afloat and in no fight, with an enemy at range 1?"""
    if ship.status != "afloat" or ship.boarding is not None:
        return False
    near = battle.enemies_of(ship)
    return bool(near) and near[0][1] <= 1


def ask(battle: Battle, name: str) -> tuple[Offer, ...]:
    """G3.0 What this ship may do in the step."""
    return tuple(of_ship(battle, name, battle.ships[name]))


def ask_side(battle: Battle, side: str) -> dict[str, tuple[Offer, ...]]:
    """G3.0 The side's ships that may have something to do, with their offers, in the order of the ships."""
    own: dict[str, Any] = todo(battle).of_ship[side]
    for name, offers in own.items():
        if offers is None:
            own[name] = ask(battle, name)
    return own


def of_side(battle: Battle, side: str) -> tuple[Offer, ...]:
    """G3.0 All offers of a side's ships."""
    known = todo(battle).of_side
    if side not in known:
        known[side] = tuple(chain.from_iterable(ask_side(battle, side).values()))
    return known[side]


def is_busy(battle: Battle, side: str) -> bool:
    """G3.0 Has a ship of the side anything to do in this step? No more ships are asked than it takes to know."""
    own = todo(battle).of_ship[side]
    if not own:
        return False
    if any(own.values()):
        return True
    for name, offers in own.items():
        if offers is None:
            own[name] = now = ask(battle, name)
            if now:
                return True
    return False


def owes_step(battle: Battle, side: str) -> bool:
    """G4.3, G6.7 Has a ship of the side a step to make that it may not as well leave alone before an open edge?"""
    return any(offers and not may_stand(battle, battle.ships[name]) for name, offers in ask_side(battle, side).items())


def follow(before: Battle, after: Battle, changed: frozenset[str]) -> Todo | None:
    """G3.0 What was known before and holds for a later battle; `changed` are the ships with other sheets since then."""
    known = before.derived.todo
    if known is None or not is_same_step(before, after):
        return None
    if not changed:
        return known
    if after.step == "move":
        return without(known, after, changed, near(before, after, changed))
    if after.step == "fire" and after.derived.lying is not before.derived.lying:
        return None  # a ship has moved
    if after.step == "board" and not all(is_finished(before.ships[name], after.ships[name]) for name in changed):
        return None
    return without(known, after, changed, changed)


def is_finished(was: Ship, now: Ship) -> bool:
    """G3.0 Is the sheet the same but for the word that its player wants nothing more of it in this step?"""
    return msgspec.structs.replace(was, finished=now.finished) == now


def without(known: Todo, battle: Battle, changed: frozenset[str], names: Iterable[str]) -> Todo | None:
    """What is known, but for the ships of these names; None where a changed ship has only now become worth asking."""
    ships, sides = dict(known.of_ship), dict(known.of_side)
    for name in names:
        side = battle.ships[name].side
        if name not in ships[side]:
            if name in changed and name in worth_asking(battle):
                return None
            continue
        if ships[side] is known.of_ship[side]:
            ships[side] = dict(ships[side])
            sides.pop(side, None)
        ships[side][name] = None
    return Todo(ships, sides)


def is_same_step(before: Battle, after: Battle) -> bool:
    """Is it the same step of the same phase, and do a ship's offers hang on nothing but ships?

    In a move step they hang on who is done, too (G6.7).
    """
    return (
        after.step == before.step
        and after.phase == before.phase
        and after.turn == before.turn
        and after.step in BY_SHIP
        and after.board is before.board
        and after.board.kind != "table"
        and after.first is None
        and after.thrown is None
        and after.link is before.link
        and after.options is before.options
        and after.level == before.level
        and (after.sides is before.sides or after.step != "move")
        and linked.deploys(after) is None
    )


def near(before: Battle, after: Battle, names: Iterable[str]) -> set[str]:
    """G4.3 These ships, and those for whom a hex ahead or astern has been left or entered."""
    places = {at for name in names for at in (before.ships[name].at, after.ships[name].at) if at is not None}
    return {*names, *geometry(after).near_ships(after, places)}


# -- G3.1 What a seat may see: everything but the plots that are not shown yet.


def plotter(battle: Battle, stars: tuple[str, ...]) -> Seats:
    """G3.1.a In the plot a ship's speed is known to its own side; afterwards to everybody."""
    ship = battle.ships.get(stars[0])
    if battle.step != "plot":
        return None
    return () if ship is None else (ship.side,)


HIDDEN: tuple[Secret[Battle], ...] = (Secret("ships.*.plot", plotter),)


def view(battle: Battle, seat: str) -> Battle:
    """G3.1.a The battle without other sides' plots until all have locked; the umpire sees all.

    A side that has plotted and one that has not look the same to the others; only `locked` is public.
    """
    if seat == UMPIRE or battle.step != "plot":
        return battle
    others = ((name, ship) for name, ship in battle.ships.items() if ship.side != seat)
    hidden = {name: ship.unplotted for name, ship in others if ship.plot is not None}
    todo(battle)  # worked out before, it serves all seats
    return battle.with_plots(hidden)


# -- Who still has something to do in a step. `done`, `lock` and the offers all ask here.


def waiting_for(battle: Battle) -> tuple[str, ...]:
    """G3.0 The sides that have something to do now; worked out once for a battle."""
    derived = battle.derived
    found = derived.waits
    if found is None:
        found = derived.waits = tuple([side for side in battle.sides if has_something(battle, side)])
    return found


def has_something(battle: Battle, side: str) -> bool:
    """G3.0 Has the side anything to do in this step?"""
    step = battle.step
    if step == "over" or battle.has_resigned(side):
        return False
    if battle.thrown is not None:
        return side in battle.thrown.waits
    if step == "plot":
        return plotting.must_lock(battle, side) if linked.deploys(battle) is None else linked.deploys(battle) == side
    if step == "end":
        return linked.waits_for(battle, side)
    if step == "ram":
        return movement.has_choice(battle, side)
    if step == "move" and not battle.has_places:
        return movement.has_steps(battle, side) or movement.may_be_done(battle, side)
    return (step == "move" or not battle.sides[side].done) and is_busy(battle, side)


def may_be_done(battle: Battle, side: str) -> bool:
    """G3.0, G4.3 May the side say `done` now? Not in the plot, where it says `lock`, nor while a step is due."""
    if linked.deploys(battle) is not None:
        return linked.deploys(battle) == side
    if battle.step == "plot" or side not in waiting_for(battle):
        return False
    if battle.step != "move":
        return True
    if battle.has_places:
        return not owes_step(battle, side)
    return not movement.has_steps(battle, side)


def is_open(battle: Battle) -> bool:
    """G3.0 Has any side anything to do in this plot, move, fire or board step?"""
    return bool(waiting_for(battle))


def why_not_done(battle: Battle, command: Done) -> Illegal | None:
    """G3.0, G4.3 A side is done once in a step, in which it has something to do, and never while a step is due."""
    side = command.side
    if may_be_done(battle, side):
        return None
    if linked.deploys(battle) is not None:
        return Illegal("L2.5", "%(side)s cannot deploy now.", side=side)
    if battle.step == "plot":
        return Illegal("G3.1", "The plot step ends when a side locks its plots.")
    if battle.step == "move":
        due = movement.to_step(battle, side)
        if due:
            return Illegal("G4.3", "A step is compulsory; these ships must still make one: %(list)s.", list=tuple(due))
        if not movement.may_move_now(battle, side):
            return Illegal(
                "G3.4",
                "%(first)s %(first|has|have)s the initiative and must move all %(first|its|their)s ships first.",
                first=battle.first,
            )
    if battle.sides[side].done:
        return Illegal("G3.0", "%(side)s %(side|is|are)s already done with this step.", side=side)
    return Illegal("G3.0", "%(side)s %(side|has|have)s nothing to decide in this step now.", side=side)


# -- What a side may command now. Each offer is made by the predicates that refuse commands, so they cannot disagree.


def in_step(battle: Battle, side: str) -> Iterable[Offer]:
    """G3.0 What a side may command in the step: its ships, then lock, done or evade. Dice come first (L2.5.a)."""
    if battle.thrown is not None:
        return of_dice(battle, side, battle.thrown)
    if battle.has_resigned(side):
        return ()
    own = of_side(battle, side) if speaks(battle, side) else ()
    return own + of_step(battle, side)


def at_any_time(battle: Battle, seat: str) -> tuple[Offer, ...]:
    """G10.1, G3.0.a What a side may say in every step: that it gives up, agrees to an end, goes without a step.

    To the umpire that the battle goes on, where a position stands before its dice (G2.3.a).
    """
    if battle.is_over:
        return ()
    if seat == UMPIRE:
        return (Offer("go_on", "G2.3.a", {}),) if battle.stands else ()
    side = battle.sides[seat]
    if battle.thrown is not None or side.resigned:
        return ()
    may_resign = ending.why_not_resign(battle, Resign(seat)) is None
    return spoken_at_any_time(seat, may_resign, side.agreed, side.forgoes)


@lru_cache(maxsize=1024)
def spoken_at_any_time(side: str, may_resign: bool, agreed: bool, forgoes: tuple[str, ...]) -> tuple[Offer, ...]:
    """G10.1, G3.0.a What a side of which this is true may say of itself, and which of its words it may take back."""
    gone = [step for step in STEPS if step in forgoes]
    left = [step for step in STEPS if step not in forgoes]
    giving_up = spoken("resign", "G10.1", side) if may_resign else None
    agreeing = Offer("agree", "G10.1", {"side": side, "agreed": False} if agreed else {"side": side})
    without = Offer("forgo", "G3.0.a", {"side": side, "step": choice(left), "forgone": True}) if left else None
    again = Offer("forgo", "G3.0.a", {"side": side, "step": choice(gone), "forgone": False}) if gone else None
    return tuple(offer for offer in (giving_up, agreeing, without, again) if offer is not None)


def speaks(battle: Battle, side: str) -> bool:
    """G3.0 May ships of the side still be commanded in this step? Not once it is locked or done."""
    if battle.step in ("end", "over"):
        return False
    if battle.step == "plot":
        return not battle.sides[side].locked or linked.deploys(battle) is not None
    return battle.step not in ("fire", "board") or not battle.sides[side].done


def of_step(battle: Battle, side: str) -> tuple[Offer, ...]:
    """The side's own offers: lock, done, evade."""
    step, deploying = battle.step, linked.deploys(battle)
    if deploying is not None:
        return (spoken("done", "L2.5", side),) if deploying == side else ()
    if step == "plot":
        return (spoken("lock", "G3.1", side),) if plotting.may_lock(battle, side) else ()
    if step != "end":
        return (spoken("done", "G3.0", side),) if may_be_done(battle, side) else ()
    evades = linked.why_not_evade(battle, Evade(side)) is None
    found = [spoken("evade", "L3.5", side)] if evades else []
    if may_be_done(battle, side):
        found.append(spoken("done", "L3.5" if evades else "G9.1", side))
    return tuple(found)


@lru_cache(maxsize=1024)
def spoken(kind: str, rule: str, side: str) -> Offer:
    """What a side says of itself alone."""
    return Offer(kind, rule, {"side": side})


def of_dice(battle: Battle, side: str, thrown: Thrown) -> tuple[Offer, ...]:
    """L2.5.a Letting the dice on the table lie, or throwing one of one's own again."""
    if side not in thrown.waits:
        return ()
    dice: list[Any] = list(linked.own_dice(battle, side))
    again = Offer("reroll", "L2.5.a", {"side": side, "die": dice[0] if len(dice) == 1 else dice})
    return spoken("keep", "L2.5.a", side), again


def to_act(battle: Battle, side: str) -> tuple[str, ...]:
    """The side's ships that have something to do in this step: the rings on the page."""
    if not speaks(battle, side):
        return ()
    plotting_now, ships = battle.step == "plot", battle.ships
    return tuple(
        name
        for name, found in ask_side(battle, side).items()
        if found and not (plotting_now and ships[name].plot is not None)
    )
