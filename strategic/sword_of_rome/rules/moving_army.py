"""9.4 The army on the move: its cards, its crossing, its foes, and what sets itself right."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from strategic.sword_of_rome.commands import ChooseFoe
from strategic.sword_of_rome.rules.survey import (
    are_allied,
    are_apart,
    enemies,
    enemy_units_with,
    others_before,
    seat_of,
    standing,
)
from strategic.sword_of_rome.state import Battle, Crossing, Force, Purpose, State
from strategic.sword_of_rome.tables import CARTHAGE, SPACES, name_of
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Handled, Illegal, Prompt, event

# -- 11.1.1 Which cards of a hand may be spent: what pays for a declared attempt is bound until the attempt is over.


def bound(state: State, seat: str) -> Counter[int]:
    """11.1.1 The cards, with their numbers, that the seat has named for armies that are still to leave by sea.

    An army that is at sea has paid; once the moving army is intercepted nobody leaves any more (10.5.2).
    """
    reaction, crossing = state.reaction, state.crossing
    if reaction is None or reaction.intercepted_by is not None:
        return Counter()
    at_sea = crossing.power if crossing is not None and crossing.purpose == "avoid" else None
    return Counter(
        slip.card
        for slip in reaction.avoidances
        if slip.card is not None and slip.power != at_sea and seat_of(state, slip.power) == seat
    )


def spendable(state: State, seat: str) -> tuple[int, ...]:
    """The cards of the hand that are not bound, lowest first."""
    return tuple(sorted((Counter(state.hands.get(seat, ())) - bound(state, seat)).elements()))


def why_not_spend(state: State, seat: str, card: int, rule: str) -> Illegal | None:
    """Why the seat may not spend a card of this value now (by `rule`, where it has none); None when it may."""
    if card not in state.hands.get(seat, ()):
        return Illegal(rule, "No card of value %(card)s is in the hand of %(side)s.", card=card, side=name_of(seat))
    if card not in spendable(state, seat):
        return Illegal(
            "11.1.1", "That card of %(side)s is needed to pay for an army's departure by sea.", side=name_of(seat)
        )
    return None


# -- 9.6 (5p) Putting to sea, for whatever purpose: the crossing stands in the position until it is settled.

UNCONTESTED = "uncontested"  # nobody is asked: the crossing succeeds by itself


def put_out(
    state: State, purpose: Purpose, power: str, units: int, start: str, end: str, friendly: bool
) -> Handled[State]:
    """9.6 (5p) Every movement by sea comes here: moving, declining, avoiding, retreating. Carthage answers first.

    Where it cannot, the crossing goes on by itself (`UNCONTESTED`).
    """
    state = replace(state, crossing=Crossing(purpose, power, units, start, end, friendly))
    if why_not_contest(state, power) is None:
        about = {"power": power, "units": units, "start": start, "end": end, "purpose": purpose}
        return state.asking(Prompt("contest", CARTHAGE, "9.6 (5p)", about)), ()
    return state.asking(Prompt(UNCONTESTED, "", "9.6 (5p)")), ()


def why_not_contest(state: State, power: str) -> Illegal | None:
    """9.6 (5p) Why Carthage may not contest a crossing of this power; None when it may."""
    if power == CARTHAGE:
        return Illegal("9.6 (5p)", "Carthage cannot contest a crossing in its own ships.")
    if are_allied(state, power, CARTHAGE):
        return Illegal("9.6 (5p)", "Carthage is allied with %(power)s.", power=name_of(power))
    if seat_of(state, CARTHAGE) is None:
        return Illegal("9.6 (5p)", "Nobody makes the decisions for Carthage.")
    if not spendable(state, CARTHAGE):
        return Illegal("9.6 (5p)", "Carthage has no card in hand.")
    return None


# -- 9.4, 8.4 The moving army is set down or loses CUs; what every chapter that ends a move needs.


def set_down(state: State) -> Handled[State]:
    """9.4 The moving army stands where it is, and its action is over."""
    move = state.army
    state = state.moved_in(move.at, move.power, move.units, move.leaders)
    state = replace(state, move=None, reaction=None, crossing=None, battle=None, fleeing=None, pending=())
    return state, (event("9.4", "halted", power=move.power, space=move.at, units=move.units),)


def lose_moving(state: State, lost: int) -> Handled[State]:
    """8.4 The moving army loses CUs; without any its leaders are displaced and the move is over."""
    move = state.army
    if not lost:
        return state, ()
    gone = min(lost, move.units)
    state = state.counted(move.power, removed=gone)
    happened = event("12.3", "losses", power=move.power, units=gone, space=move.at)
    if gone < move.units:
        return state.with_move(replace(move, units=move.units - gone)), (happened,)
    state = replace(state.displacing(move.leaders), move=None, reaction=None, crossing=None, pending=())
    return state, (happened, event("8.4", "displaced", power=move.power, leaders=list(move.leaders)))


def going(present: tuple[str, ...], leader: str, companions: tuple[str, ...]) -> bool:
    """10.3.c Are the companions other leaders of the same army, each once?"""
    return (
        leader not in companions
        and len(set(companions)) == len(companions)
        and all(each in present for each in companions)
    )


# -- 9.4.1 The enemy armies in the space that an army has entered: it attacks each of them, one after the other.


def foes(state: State) -> tuple[str, ...]:
    """9.4.1 The enemy powers whose CUs stand in the open where the moving army is."""
    move = state.move
    if move is None or not move.units:
        return ()
    return tuple(power for power in standing(state, move.at) if enemies(state, move.power, power))


def begin(state: State, fight: Battle) -> Handled[State]:
    """12.1 A battle is to be fought: before the dice, cards may change them (`modifier`)."""
    seat = seat_of(state, fight.attacker)
    assert seat is not None
    about: dict[str, Any] = {"space": fight.space, "attacker": fight.attacker, "defender": fight.defender}
    state = replace(state, battle=fight).asking(Prompt("battle", seat, "12.2", about))
    return state, (event("12.1", "battle", **about, intercepted=fight.intercepted, caudine=fight.caudine),)


def face(state: State) -> Handled[State]:
    """9.4.1 The army attacks the enemy army that is there; of several, its player names the one that comes next."""
    move, found = state.move, foes(state)
    assert move is not None and found
    state = replace(state, crossing=None, battle=None, fleeing=None)
    if len(found) == 1:
        return attack(state, found[0])
    seat = seat_of(state, move.power)
    assert seat is not None
    return state.asking(Prompt("foe", seat, "9.4.1", {"space": move.at, "powers": list(found)})), ()


def attack(state: State, power: str) -> Handled[State]:
    """12.1, 11.1.b The battle against this enemy, who may have tried in vain to avoid it."""
    move, reaction = state.army, state.reaction
    failed = reaction is not None and reaction.failed and power in (reaction.caught or (power,))
    return begin(state, Battle(move.at, move.power, power, failed_avoidance=failed))


def why_not_choose(state: State, command: ChooseFoe) -> Illegal | None:
    """9.4.1 The next enemy is one of those who stand there."""
    about = state.pending[0].about
    if command.power in about["powers"]:
        return None
    names = tuple(name_of(power) for power in about["powers"])
    return Illegal("9.4.1", "There are troops of %(list)s in %(space)s.", space=SPACES[about["space"]].name, list=names)


def choose_foe(state: State, command: ChooseFoe, dice: Dice) -> Handled[State]:
    """9.4.1 The army attacks this enemy next."""
    return attack(state.asking(), command.power)


# -- What sets itself right after every command: gates, and leaders left alone.


def tidy(state: State) -> Handled[State]:
    """9.3.1, 8.4 Between questions: gates open when nobody is before them; a leader among enemies is displaced."""
    events: tuple[Event, ...] = ()
    if state.pending:
        return state, events
    state = open_gates(state)
    for space, here in state.forces.items():
        for power, force in here.items():
            if force.leaders and not force.units and enemy_units_with(state, power, space):
                state, more = alone(state, space, power, force)
                events += more
    return state, events


def open_gates(state: State) -> State:
    """9.3.1, 15.3 Everybody comes out from behind walls that no other player's CUs stand before, friends' or not."""
    for space, here in state.forces.items():
        for power, force in here.items():
            if (force.inside or force.inside_leaders) and not others_before(state, power, space):
                state = state.with_force(space, power, force.opened())
    return state


def alone(state: State, space: str, power: str, force: Force) -> Handled[State]:
    """8.4 Leaders without CUs among enemies go behind their own walls, or to the box of the displaced."""
    if SPACES[space].kind == "walled" and state.controller(space) == power:
        return state.with_force(space, power, force.sheltering(0, force.leaders)), ()
    state = state.with_force(space, power, force.without(0, force.leaders)).displacing(force.leaders)
    return state, (event("8.4", "displaced", power=power, leaders=list(force.leaders), space=space),)


def first_crowd(state: State) -> str | None:
    """15.3 The first space in the open of which powers of two players stand together, allied or not."""
    for space in state.forces:
        here = standing(state, space)
        if any(are_apart(state, one, other) for one in here for other in here):
            return space
    return None
