"""20 Sieges: the red and the white die, the three great ports, stubborn defence, and the fall of a city or tribe."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from strategic.hamilcar.commands import Besiege, HoldOut, Pass
from strategic.hamilcar.rules.displacement import caught_alone, displace_all
from strategic.hamilcar.rules.ending import end
from strategic.hamilcar.rules.sea import lift_siege
from strategic.hamilcar.state import State
from strategic.hamilcar.survey import enemy_outside, enemy_units, generals_at
from strategic.hamilcar.tables import Side, enemy, ground
from strategic.hamilcar.troops import Troops
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

Handled = tuple[State, tuple[Event, ...]]


def colour(state: State, side: Side, space: str) -> Literal["red", "white"]:
    """20.2.3, 20.2.7 The holder of supremacy rolls the red die, the other the white; the great ports only white."""
    if ground(space).great or state.supremacy != side:
        return "white"
    return "red"


def check_besiege(state: State) -> None:
    """20.2.3, siege.1 Three CUs before an enemy city or a tribe, no enemy CU outside, one roll a card.

    20.2.7 Carthage, Rome and Syracuse only with supremacy; without it the points already scored stay (20.2.7.a).
    """
    march = state.marching()
    side, space = march.side, march.at
    place = state.spaces[space]
    if march.inside:
        raise Illegal("siege.1", "an army inside walls besieges nothing")
    city = ground(space).city and place.control == enemy(side)
    tribe = place.tribe and place.control != side
    if not city and not tribe:
        raise Illegal("siege.1", f"there is no enemy city and no tribe at {space}")
    if place.outside(side).size < state.tables.siege.needs:
        raise Illegal("siege.1", f"a siege needs {state.tables.siege.needs} CUs")
    if enemy_outside(state, side, space).size:
        raise Illegal("siege.1", "enemy CUs stand before the walls")
    if space in state.playing().rolled_at:
        raise Illegal("siege.3", f"{space} has been rolled for with this card")
    if ground(space).great and state.supremacy != side:
        raise Illegal("20.2.7", f"{space} is besieged only by the holder of supremacy; points scored before stay")


def besiege(state: State, command: Besiege, dice: Dice) -> Handled:
    """20.2.3 One roll: siege points, and CUs lost by the besieger. The move is over."""
    check_besiege(state)
    march = state.marching()
    side, space = march.side, march.at
    shade = colour(state, side, space)
    (face,) = dice.roll(1, 6, "20.2.3", side=side, space=space, colour=shade)
    points, losses = state.tables.siege.read(shade, face)
    place = state.spaces[space]
    left = place.outside(side).after_losses(losses)
    place = replace(place, siege=place.siege + points, besieger=side if place.siege + points else None)
    state = lift_siege(state.with_place(space, place.with_outside(side, left)), space)
    play = state.playing()
    moving = Troops(min(march.force.units, left.units), min(march.force.elephants, left.elephants), march.force.trains)
    state = replace(
        state,
        march=replace(march, stopped=True, force=moving, acted=True),
        play=replace(play, rolled_at=(*play.rolled_at, space)),
    )
    told = event(
        "20.2.3", "siege", side=side, space=space, dice=[face], colour=shade, points=points, lost=losses,
        total=state.spaces[space].siege,
    )  # fmt: skip
    fate = Prompt("siege_result", "", "siege.5")
    if points and place.control == enemy(side):
        return state.then(Prompt("hold_out", enemy(side), "20.2.8", {"space": space, "left": points}), fate), (told,)
    return state.then(fate), (told,)


def besiege_offers(state: State) -> tuple[Offer, ...]:
    """20.2.3 A siege roll, where one is allowed."""
    try:
        check_besiege(state)
    except Illegal:
        return ()
    return (Offer("besiege", "20.2.3"),)


def may_hold_out(state: State) -> bool:
    """20.2.8 A CU and a train inside, and a point just scored."""
    about = state.agenda[-1].about
    place = state.spaces[about["space"]]
    return about["left"] > 0 and place.siege > 0 and place.inside.size > 0 and place.inside.trains > 0


def hold_out(state: State, command: HoldOut, dice: Dice) -> Handled:
    """20.2.8, 8.2.1.b One CU and one train inside go, and one point just scored with them (8.2.1.b.example)."""
    if not may_hold_out(state):
        raise Illegal("20.2.8", "a stubborn defence needs 1 CU and 1 train inside, and a point just scored")
    about = state.agenda[-1].about
    space: str = about["space"]
    place = state.spaces[space]
    inside = replace(place.inside.after_losses(1), trains=place.inside.trains - 1)
    left = place.siege - 1
    place = replace(place, inside=inside, siege=left, besieger=place.besieger if left else None)
    state = state.with_place(space, place).asking(left=about["left"] - 1)
    return state, (event("20.2.8", "holds_out", side=state.agenda[-1].seat, space=space, siege=left),)


def give_way(state: State, command: Pass, dice: Dice) -> Handled:
    """20.2.8 The point stands."""
    return state.answered(), ()


def hold_offers(state: State) -> tuple[Offer, ...]:
    """20.2.8 Hold out, or not."""
    return (Offer("hold_out", "20.2.8"), Offer("pass", "20.2.8")) if may_hold_out(state) else ()


def siege_result(state: State, dice: Dice) -> Handled:
    """siege.5 Three points take a city or a tribe; Rome or Carthage taken ends the war."""
    state = state.answered()
    march = state.marching()
    side, space = march.side, march.at
    place = state.spaces[space]
    if place.siege >= state.tables.siege.takes:
        return fall(state, side, space)
    if not place.outside(side).size and enemy_units(state, side, space):
        return caught_alone(state, side, space)
    return state, ()


def fall(state: State, side: Side, space: str) -> Handled:
    """siege.5, 8.2.1.capture All CUs inside die, generals there are displaced, trains change sides; a tribe is gone."""
    place, other = state.spaces[space], enemy(side)
    if place.tribe:
        state = state.with_place(space, replace(place, tribe=False, control=side, siege=0, besieger=None))
        return state, (event("siege.5", "tribe_subdued", side=side, space=space),)
    inside = generals_at(state, other, space, inside=True)
    kept = Troops(0, 0, place.inside.trains)
    state = state.with_place(space, replace(place, control=side, inside=kept, siege=0, besieger=None))
    told = event("siege.5", "city_taken", side=side, space=space, units=place.inside.size, trains=kept.trains)
    state, more = displace_all(state, inside, "siege.5")
    if ground(space).capital == other:
        state, over = end(state, side, "victory.5", f"{space} has fallen")
        return state, (told, *more, *over)
    return state, (told, *more)
