"""A scenario that begins in mid-move: a fleet has put to sea and has been caught."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.rules.in_progress import Attempt, March, Play, Voyage
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import CARDS
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.protocol import Prompt
from tactical.kernel.record import Input


class Scene(Input, frozen=True):
    """The war stopped in mid-move: this general has put to sea and this one has caught him."""

    mover: Side
    general: str
    start: str
    to: str
    ships: int
    units: int
    trains: int
    catcher: str
    catching: int
    hand: int


def open_scene(state: State, scene: Scene) -> State:
    """L1.1 The mover's card is played, his fleet is at sea, and the interceptor's die was good: the fleets meet."""
    side, other = scene.mover, enemy(scene.mover)
    need = state.leaders[scene.general].strategy
    card = next(number for number in (*state.deck, *CARDS) if CARDS[number].ops >= need and not CARDS[number].optional)
    deck = tuple(number for number in state.deck if number != card)
    state = replace(
        state, phase="strategy", active=side, first=side, discard=(card,),
        hands={side: deck[: scene.hand], other: deck[scene.hand : 2 * scene.hand + 1]},
        deck=deck[2 * scene.hand + 1 :], spent={side: CARDS[card].ops, other: 0},
        play=Play(card, side, CARDS[card].ops, moved=(scene.general,)),
    )  # fmt: skip
    if state.options.cards == "table":
        unseen = (0,)
        state = replace(state, hands={side: unseen * scene.hand, other: unseen * (scene.hand + 1)}, deck=(), discard=())
    sailing, catching = state.ready(side)[: scene.ships], state.ready(other)[: scene.catching]
    state = state.put_to_sea(side, sailing).put_to_sea(other, catching)
    space = state.generals[scene.catcher].space or scene.to
    rolled = Attempt(scene.catcher, space, face=1, succeeded=True)
    march = March(
        side, scene.general, state.tables.movement.points - 1, (scene.start,),
        force=Troops(scene.units, 0, scene.trains),
        sailed=1, acted=True,
    )  # fmt: skip
    voyage = Voyage(
        scene.start, scene.to, False, sailing, attempts=(rolled,), catching=catching, catcher=scene.catcher,
        caught=True,
    )  # fmt: skip
    return replace(state, march=march, voyage=voyage).then(
        Prompt("fleets_meet", "", "L1.1"),
        Prompt("arrive", "", "11.1"),
        Prompt("move", side, "movement.land.1"),
        Prompt("impulse_over", "", "strategy.4"),
    )
