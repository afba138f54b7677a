"""21.1.3 Storms at sea: cards 60 and 101 against a fleet that has put to sea."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import Answer
from strategic.hamilcar.rules.hand import answers, check_hand, may_answer, spend
from strategic.hamilcar.rules.sea import is_fleet
from strategic.hamilcar.rules.ships import lose
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import is_stormy
from strategic.point_to_point.commands import Pass
from strategic.point_to_point.tables import Side, as_side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, event


def brewing(state: State) -> tuple[str, ...]:
    """4.c Which storm cards could strike this voyage: the Terrible Sea only Romans, on a lane with lightning."""
    voyage, side = state.voyage, state.marching().side
    if voyage is None or not is_fleet(state):
        return ()
    stormy = side == "rome" and is_stormy(voyage.start, voyage.to)
    return ("storm", "terrible_sea") if stormy else ("storm",)


def is_open(state: State) -> bool:
    """21.1.3 Is the other side asked for a storm?"""
    return may_answer(state, as_side(state.agenda[-1].seat), *brewing(state))


def modifier(state: State, side: Side) -> int:
    """11.8.1.a, 11.8.3 The corvus and poor seamanship make a storm worse for Rome; our numbers (see tables.toml)."""
    table = state.tables.storm
    total: int = table.modifier
    if side == "rome":
        total += {0: table.poor, len(state.tables.sea.levels) - 1: table.excellent}.get(state.seamanship, 0)
        total += table.corvus if state.corvus else 0
    return total


def storm(state: State, command: Answer, dice: Dice) -> Handled:
    """21.1.3 One attrition roll in the column of the ships; without ships a hit takes 1 CU and 1 train (21.1.3.a)."""
    asked = as_side(state.agenda[-1].seat)
    check_hand(state, asked, command.card)
    if command.card not in answers(state, asked, *brewing(state)):
        raise Illegal("21.1.3", "card %(card)s is not a storm that can strike this voyage", card=command.card)
    state, events = spend(state, asked, command.card, "storm")
    state = state.answered()
    march, voyage = state.marching(), state.sailing()
    side = enemy(asked)
    (face,) = dice.roll(1, 6, "21.1.3", side=side, space=voyage.to)
    size = len(voyage.ships) or march.force.size
    hits, _ = state.tables.attrition.read(face + modifier(state, side), size)
    told = event("21.1.3", "storm", side=side, dice=[face], modifier=modifier(state, side), hits=hits, space=voyage.to)
    if voyage.ships:
        sunk = voyage.ships[len(voyage.ships) - min(hits, len(voyage.ships)) :]
        state, more = lose(state, side, sunk, "21.1.3", "storm")
        state = replace(state, voyage=replace(voyage, ships=tuple(s for s in voyage.ships if s not in sunk)))
        return state, (*events, told, *more)
    left = march.force.without_transports(hits)
    state = state.take(voyage.start, side, march.force.minus(left))
    state = replace(state, march=replace(march, force=left))
    gone = march.force.minus(left)
    return state, (*events, told, event("21.1.3.a", "transports_lost", side=side, units=gone.size, trains=gone.trains))


def calm(state: State, command: Pass, dice: Dice) -> Handled:
    """21.1.3 No storm is played."""
    return state.answered(), ()


def offers(state: State) -> tuple[Offer, ...]:
    """21.1.3 The storm cards held, or none."""
    if not is_open(state):
        return ()
    found = [Offer("pass", "21.1.3")]
    cards = answers(state, as_side(state.agenda[-1].seat), *brewing(state))
    return (*(Offer("answer", "21.1.3", {"card": card}) for card in cards), *found)
