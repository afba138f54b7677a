"""Answers to questions in mid-rule, and what goes on when the last one is given."""

from __future__ import annotations

from strategic.punic_wars.commands import Accept, Lose, Place, Retire
from strategic.punic_wars.commands import Command as NameCommander
from strategic.punic_wars.rules import combat, elections, losses, movement
from strategic.punic_wars.rules.aftermath import aftermath
from strategic.punic_wars.rules.deployment import usual_set_up
from strategic.punic_wars.state import Campaign, Handled
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal


def resume(state: Campaign, dice: Dice) -> Handled:
    """The move or the attack that waited for losses goes on."""
    if state.pending is not None:
        return state, ()
    if state.step is not None:
        return movement.enter(state, dice)
    if state.battle is not None:
        return combat.close(state)
    return aftermath(state)


def lose(state: Campaign, command: Lose, dice: Dice) -> Handled:
    """11.13, 11.21, 11.31, 12.32 The owner chooses which points are lost."""
    state, events = losses.choose(state, command)
    state, more = resume(state, dice)
    return state, events + more


def accept(state: Campaign, command: Accept, dice: Dice) -> Handled:
    """The proposal of the program stands for the owner's choice (19.0 procedure, 8.22, 8.32, 8.4, 11.13)."""
    kind = state.pending.kind if state.pending else ""
    if state.phase == "setup":
        return usual_set_up(state, command.side)
    if kind == "losses":
        state, events = losses.propose(state)
        state, more = resume(state, dice)
        return state, events + more
    if kind == "commander" and state.pending is not None:
        return combat.command(state, NameCommander(state.pending.about["leaders"][0]), dice)
    if state.election.remove and command.side == "rome":
        return elections.retire(state, Retire(elections.usual_retirement(state)), dice)
    waiting = elections.to_place(state)
    if waiting and not kind and state.leaders[waiting[0]].side == command.side:
        return elections.place(state, Place(waiting[0], elections.usual_place(state, waiting[0])), dice)
    raise Illegal("4.1", "There is no proposal for you to answer now.")
