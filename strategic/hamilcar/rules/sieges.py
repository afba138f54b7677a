"""20 Sieges: the red and the white die, the three great ports, stubborn defence, and the fall of a city or tribe."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from strategic.hamilcar.commands import HoldOut
from strategic.hamilcar.rules.ending import end
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import ground
from strategic.interception import FACES
from strategic.point_to_point.commands import Pass
from strategic.point_to_point.displacement import displace_all
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.siege import bear_losses
from strategic.point_to_point.survey import enemy_units, generals_at
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event


def colour(state: State, side: Side, space: str) -> Literal["red", "white"]:
    """20.2.3, 20.2.7 The holder of supremacy rolls the red die, the other the white; the great ports only white."""
    if ground(space).great or state.supremacy != side:
        return "white"
    return "red"


def siege_results(state: State, side: Side, space: str) -> tuple[tuple[int, int], ...]:
    """20.2.3 What each face of the besieger's die gives, from 1 to 6: siege points, and CUs that he loses."""
    shade = colour(state, side, space)
    return tuple(state.tables.siege.read(shade, face) for face in FACES)


def why_not_siege(state: State, space: str) -> Illegal | None:
    """20.2.7 Carthage, Rome and Syracuse only with supremacy; without it the points already scored stay (20.2.7.a)."""
    if ground(space).great and state.supremacy != state.marching().side:
        return Illegal(
            "20.2.7",
            "only the side with naval supremacy can besiege %(space)s; earlier siege points remain",
            space=space,
        )
    return None


def siege(state: State, dice: Dice) -> Handled:
    """20.2.3 One roll: siege points, and CUs lost by the besieger."""
    about = state.agenda[-1].about
    general, space = about["general"], about["space"]
    state = state.answered()
    side = state.leaders[general].side
    shade = colour(state, side, space)
    (face,) = dice.roll(1, 6, "20.2.3", side=side, space=space, colour=shade)
    points, losses = siege_results(state, side, space)[face - 1]
    place, play = state.spaces[space], state.playing()
    force = place.outside(side)
    left = force.after_losses(losses)
    total = place.siege + points
    state = state.with_place(space, replace(place, siege=total, besieger=side if total else None))
    state = replace(state, play=replace(play, rolled_at=(*play.rolled_at, space)))
    state = bear_losses(state, general, left)
    told = event(
        "20.2.3",
        "siege_roll",
        side=side,
        general=general,
        space=space,
        dice=[face],
        colour=shade,
        won=points,
        points=total,
        lost=force.size - left.size,
    )
    fate = Prompt("siege_result", "", "siege.5", {"side": side, "space": space})
    if points and place.control == enemy(side):
        return state.then(Prompt("hold_out", enemy(side), "20.2.8", {"space": space, "left": points}), fate), (told,)
    return state.then(fate), (told,)


def may_hold_out(state: State) -> bool:
    """20.2.8 A CU and a train inside, and a point just scored."""
    about = state.agenda[-1].about
    place = state.spaces[about["space"]]
    return about["left"] > 0 and place.siege > 0 and place.inside.size > 0 and place.inside.trains > 0


def hold_out(state: State, command: HoldOut, dice: Dice) -> Handled:
    """20.2.8, 8.2.1.b One CU and one train inside go, and one point just scored with them (8.2.1.b.example)."""
    if not may_hold_out(state):
        raise Illegal(
            "20.2.8", "a stubborn defence needs 1 CU and 1 supply train inside, and a siege point just scored"
        )
    about = state.agenda[-1].about
    space: str = about["space"]
    place = state.spaces[space]
    inside = replace(place.inside.after_losses(1), trains=place.inside.trains - 1)
    left = place.siege - 1
    place = replace(place, inside=inside, siege=left, besieger=place.besieger if left else None)
    state = state.with_place(space, place).asking(left=about["left"] - 1)
    return state, (event("20.2.8", "held_out", side=state.agenda[-1].seat, space=space, siege=left),)


def give_way(state: State, command: Pass, dice: Dice) -> Handled:
    """20.2.8 The point stands."""
    return state.answered(), ()


def hold_offers(state: State) -> tuple[Offer, ...]:
    """20.2.8 Hold out, or not."""
    return (Offer("hold_out", "20.2.8"), Offer("pass", "20.2.8")) if may_hold_out(state) else ()


def siege_result(state: State, dice: Dice) -> Handled:
    """siege.5 Three points take a city or a tribe; Rome or Carthage taken ends the war.

    8.2.1.capture Trains whose last CU has died before the walls go to the garrison; the general stays.
    """
    about, march = state.agenda[-1].about, state.march
    state = state.answered()
    side, space = about.get("side"), about.get("space")
    if side is None or space is None:  # a position of an earlier program
        if march is None:
            return state, ()
        side, space = march.side, march.at
    place = state.spaces[space]
    if place.siege >= state.tables.siege.takes:
        return fall(state, side, space)
    if not place.outside(side).size and enemy_units(state, side, space):
        return book_of(state).spoils(state, side, space)
    return state, ()


def fall(state: State, side: Side, space: str) -> Handled:
    """siege.5, 8.2.1.capture All CUs inside die, generals there are displaced, trains change sides; a tribe is gone."""
    place, other = state.spaces[space], enemy(side)
    if place.tribe:
        state = state.with_place(space, replace(place, tribe=False, control=side, siege=0, besieger=None))
        return state, (event("subjugation.2", "subjugated", side=side, space=space),)
    inside = generals_at(state, other, space, inside=True)
    kept = place.inside.only_trains()
    state = state.with_place(space, replace(place, control=side, inside=kept, siege=0, besieger=None))
    told = event("siege.5", "city_taken", side=side, space=space, destroyed=place.inside.size, trains=kept.trains)
    state, more = displace_all(state, inside, "siege.5")
    if ground(space).capital == other:
        state, over = end(state, side, "victory.5", f"{space} has fallen")
        return state, (told, *more, *over)
    return state, (told, *more)
