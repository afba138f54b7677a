"""What one ship may be commanded now, made by the predicates that refuse commands, so that they cannot disagree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tactical.battle import Battle
from tactical.commands import Hold, Rake, Ram
from tactical.geometry import geometry
from tactical.geometry.hexes import TURN_NAMES
from tactical.geometry.places import Way
from tactical.hexes import HEADINGS
from tactical.kernel.protocol import Offer
from tactical.rules import boarding, linked, missiles, movement, oars, own_table, plotting, ramming
from tactical.ship import Ship, plot_range


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
    if oars.why_not_rake(battle, Rake(name)) is None:
        yield Offer("rake", "G7.1", {"ship": name})
    if ramming.why_not_hold(battle, Hold(name)) is None:
        yield Offer("hold", "G6.9", {"ship": name})


def choice(found: list[str]) -> Any:
    """A field's only value, or its choices."""
    return found[0] if len(found) == 1 else found
