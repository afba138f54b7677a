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


class Opening(Input, frozen=True):
    """The war stopped in mid-move: this general has put to sea and this one has caught him."""

    mover: Side
    general: str
    start: str
    to: str
    ships: int
    units: int
    trains: int
    interceptor: str
    catching: int
    hand: int


def open_in_move(state: State, opening: Opening) -> State:
    """L1.1 The mover's card is played, his fleet is at sea, and the interceptor's die was good: the fleets meet."""
    side, other = opening.mover, enemy(opening.mover)
    need = state.leaders[opening.general].strategy
    card = next(number for number in (*state.deck, *CARDS) if CARDS[number].ops >= need and not CARDS[number].optional)
    deck = tuple(number for number in state.deck if number != card)
    state = replace(
        state,
        phase="strategy",
        active=side,
        first=side,
        discard=(card,),
        hands={side: deck[: opening.hand], other: deck[opening.hand : 2 * opening.hand + 1]},
        deck=deck[2 * opening.hand + 1 :],
        spent={side: CARDS[card].ops, other: 0},
        play=Play(card, side, CARDS[card].ops, moved=(opening.general,), lanes={opening.general: 1}),
    )
    if state.options.cards == "table":
        unseen = (0,)
        hands = {side: unseen * opening.hand, other: unseen * (opening.hand + 1)}
        state = replace(state, hands=hands, deck=(), discard=())
    sailing, catching = state.ready(side)[: opening.ships], state.ready(other)[: opening.catching]
    state = state.put_to_sea(side, sailing).put_to_sea(other, catching)
    space = state.generals[opening.interceptor].space or opening.to
    rolled = Attempt(opening.interceptor, space, face=1, succeeded=True)
    march = March(
        side,
        opening.general,
        state.tables.movement.points - 1,
        (opening.start,),
        force=Troops(opening.units, 0, opening.trains),
        sailed=1,
        acted=True,
    )
    voyage = Voyage(
        opening.start,
        opening.to,
        False,
        sailing,
        attempts=(rolled,),
        catching=catching,
        catcher=opening.interceptor,
        caught=True,
    )
    return replace(state, march=march, voyage=voyage).then(
        Prompt("fleets_meet", "", "L1.1"),
        Prompt("arrive", "", "11.1"),
        Prompt("move", side, "movement.land.1"),
        Prompt("impulse_over", "", "strategy.4"),
    )
