"""9.4.1 The enemy armies in the space that an army has entered: it attacks each of them, one after the other."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.sword_of_rome.commands import ChooseFoe
from strategic.sword_of_rome.rules.survey import enemies, seat_of, standing
from strategic.sword_of_rome.state import Battle, State
from strategic.sword_of_rome.tables import SPACES, name_of
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Handled, Illegal, Prompt, event


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
