"""What a seat may command now. Each offer is made by the predicates that `apply` uses, so they cannot disagree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tactical.battle import Battle
from tactical.commands import Hold, Rake, Ram
from tactical.hexes import HEADINGS
from tactical.kernel.play import SPECTATOR, UMPIRE, Offer
from tactical.rules import boarding, linked, missiles, movement, oars, plotting, ramming, rerolls
from tactical.sequence import SEQUENCE
from tactical.ship import Ship, plot_range


def offers(battle: Battle, seat: str) -> tuple[Offer, ...]:
    """G3.0 Everything that the seat may command now; the umpire sees the offers of all sides."""
    if seat == SPECTATOR or battle.is_over:
        return ()
    if battle.thrown is not None:
        return tuple(offer for side in battle.thrown.waits if seat in (side, UMPIRE) for offer in of_dice(battle, side))
    sides = list(battle.sides) if seat == UMPIRE else [seat] if seat in battle.sides else []
    return tuple(offer for side in sides for offer in of_side(battle, side))


def of_side(battle: Battle, side: str) -> Iterator[Offer]:
    """G3.0 The offers of one side: its ships', then the side's own."""
    if battle.step not in ("end", "over"):
        for name, ship in battle.ships.items():
            if ship.side == side:
                yield from of_ship(battle, name, ship)
    yield from of_step(battle, side)
    if battle.link is None:
        yield Offer("resign", "G10.1", {"side": side})
    if not battle.sides[side].agreed:
        yield Offer("agree", "G10.1", {"side": side})


def of_ship(battle: Battle, name: str, ship: Ship) -> Iterator[Offer]:
    """The offers of one ship in this step; none once its side is done."""
    done = battle.sides[ship.side].done
    if battle.step == "plot":
        yield from plots(battle, name, ship)
    elif battle.step == "move":
        yield from steps(battle, name, ship)
    elif battle.step == "fire" and not done:
        yield from shots(battle, name, ship)
        if missiles.has_shot(battle, ship):
            yield Offer("finish", "G3.0", {"ship": name})
    elif battle.step == "ram":
        yield from meetings(battle, name, ship)
    elif battle.step == "board" and not done:
        found = list(boarding.board_targets(battle, name, ship))
        if found:
            yield Offer("board", "G8.1", {"ship": name, "target": choice(found)})
            yield Offer("finish", "G3.0", {"ship": name})


def plots(battle: Battle, name: str, ship: Ship) -> Iterator[Offer]:
    """G3.1 The speeds that the ship may plot."""
    deploys = linked.deploys(battle)
    if deploys is not None:
        if deploys == ship.side and ship.at is not None:
            places = [list(at) for at in (ship.at, *linked.zone(battle, ship.side))]
            yield Offer("deploy", "L2.5", {"ship": name, "at": places, "facing": list(HEADINGS)})
        return
    if battle.sides[ship.side].locked or not plotting.can_plot(ship):
        return
    low, high = plot_range(battle.kind(ship), ship, battle.options.sprint)
    speeds: Any = low if low == high else {"from": low, "to": high}
    yield Offer("plot", "G3.1", {"ship": name, "speed": speeds})


def steps(battle: Battle, name: str, ship: Ship) -> Iterator[Offer]:
    """G4.1 The steps that a due ship may choose; on the table also the contact that it may declare."""
    if battle.is_due(ship) and movement.may_move_now(battle, ship.side):
        found = movement.choices(battle, name, ship)
        if found:
            by_name = not set(found) <= set(movement.TURN_NAMES)
            key, rule = ("facing", "G6.8") if by_name else ("turn", "G4.1")
            yield Offer("step", rule, {"ship": name, key: choice(list(found))})
    if not battle.has_hexes and movement.may_touch(battle, ship) and movement.may_move_now(battle, ship.side):
        enemies = [other for other, foe in battle.ships.items() if foe.side != ship.side and foe.is_afloat]
        if enemies:
            aspects = list(movement.ASPECT_OF_TABLE)
            yield Offer("contact", "G4.6", {"ship": name, "target": choice(enemies), "aspect": aspects})
    if not battle.has_hexes and battle.is_due(ship) and movement.may_move_now(battle, ship.side):
        yield Offer("hold", "G4.3", {"ship": name})


def shots(battle: Battle, name: str, ship: Ship) -> Iterator[Offer]:
    """G5.1 For each weapon of the ship: how many, and at whom."""
    for weapon, row in missiles.WEAPONS.items():
        if not missiles.may_fire(ship, weapon):
            continue
        found = list(missiles.targets(battle, ship, weapon))
        if not found:
            continue
        left = missiles.ready(ship, weapon)
        fields: dict[str, Any] = {
            "ship": name,
            "weapon": weapon,
            "count": 1 if left == 1 else {"from": 1, "to": left},
            "target": choice(found),
        }
        if not battle.has_hexes:
            fields["range"] = {"from": 1, "to": row.reach}
        yield Offer("fire", "G5.1", fields)


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


def of_step(battle: Battle, side: str) -> Iterator[Offer]:
    """The side's own offers: lock, done, evade."""
    if linked.deploys(battle) is not None:
        if linked.deploys(battle) == side:
            yield Offer("done", "L2.5", {"side": side})
        return
    if battle.step == "plot":
        if not battle.sides[side].locked and plotting.plots(battle, side) and not plotting.to_plot(battle, side):
            yield Offer("lock", "G3.1", {"side": side})
        return
    if battle.step == "end":
        if linked.may_evade_now(battle):
            if battle.link is not None and battle.link.supremacy == side:
                yield Offer("evade", "L3.5", {"side": side})
                yield Offer("done", "L3.5", {"side": side})
            return
        if not battle.sides[side].done:
            yield Offer("done", "G9.1", {"side": side})
        return
    if battle.sides[side].done or not SEQUENCE[battle.step].is_open(battle):
        return
    if has_something(battle, side) and not movement_due(battle, side):
        yield Offer("done", "G3.0", {"side": side})


def of_dice(battle: Battle, side: str) -> Iterator[Offer]:
    """L2.5.a Keep the dice on the table, or throw one of one's own again."""
    yield Offer("keep", "L2.5.a", {"side": side})
    dice: list[Any] = list(rerolls.own_dice(battle, side))
    yield Offer("reroll", "L2.5.a", {"side": side, "die": dice[0] if len(dice) == 1 else dice})


def movement_due(battle: Battle, side: str) -> bool:
    """G4.3 In the move step nobody is done while a step is due."""
    return battle.step == "move" and (movement.has_steps(battle, side) or not movement.may_move_now(battle, side))


def has_something(battle: Battle, side: str) -> bool:
    """G3.0 Has the side anything to do in this step?"""
    if battle.thrown is not None:
        return side in battle.thrown.waits
    if linked.deploys(battle) is not None:
        return linked.deploys(battle) == side
    if battle.step == "plot":
        return not battle.sides[side].locked and plotting.plots(battle, side)
    if battle.step == "end":
        waits = linked.may_evade_now(battle)
        return battle.link is not None and battle.link.supremacy == side if waits else True
    if battle.step == "move":
        touching = not battle.has_hexes and not battle.sides[side].done and movement.to_touch(battle, side)
        return movement.has_steps(battle, side) or bool(touching)
    if battle.step == "ram":
        return any(next(meetings(battle, name, battle.ships[name]), None) for name in ramming.in_contact(battle, side))
    if battle.sides[side].done or battle.is_over:
        return False
    return missiles.has_shots(battle, side) if battle.step == "fire" else boarding.has_boarders(battle, side)


def waiting_for(battle: Battle) -> tuple[str, ...]:
    """G3.0 The sides that have something to do now."""
    return () if battle.is_over else tuple(side for side in battle.sides if has_something(battle, side))


def to_act(battle: Battle, side: str) -> tuple[str, ...]:
    """The side's ships that have something to do in this step: the rings on the page."""
    if battle.is_over or battle.step == "end":
        return ()
    return tuple(
        name
        for name, ship in battle.ships.items()
        if ship.side == side
        and (battle.step != "plot" or ship.plot is None)
        and next(of_ship(battle, name, ship), None) is not None
    )


def choice(found: list[str]) -> Any:
    """A field's only value, or its choices."""
    return found[0] if len(found) == 1 else found
