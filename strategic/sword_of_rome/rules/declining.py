"""10.5 The intercepted army goes back, or attacks those who intercepted it."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.interception import attempt
from strategic.sword_of_rome.commands import Decline, Fight, Permit, StormsAtSea
from strategic.sword_of_rome.rules import avoidance, foes
from strategic.sword_of_rome.rules.crossing import put_out
from strategic.sword_of_rome.rules.hands import why_not_spend
from strategic.sword_of_rome.rules.moving_army import set_down
from strategic.sword_of_rome.rules.survey import (
    enemies,
    is_friendly,
    room_inside,
    seat_of,
    standing,
)
from strategic.sword_of_rome.state import Battle, State
from strategic.sword_of_rome.tables import SPACES, name_of
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Handled, Illegal, Prompt, event


def why_not_decline(state: State) -> Illegal | None:
    """10.5.1 Why the army may not try to go back to the space it came from.

    Ruling: nor can it when that space has since filled with another power's CUs, for it would have to end there.
    """
    move = state.army
    if state.battle is not None and state.battle.caudine:
        return Illegal("10.5.2 (note)", "The battle at the Caudine Forks may not be declined.")
    if state.battle is not None:
        return Illegal("10.5.1", "Nobody has intercepted.")
    if move.came_from is None:
        return Illegal("10.5.1", "The army has no space to go back to.")
    back = move.came_from
    for other in standing(state, back):
        force = state.force(back, other)
        fits = enemies(state, other, move.power) and force.units <= room_inside(state, back, other)
        if other != move.power and not fits:
            return Illegal(
                "10.5.1",
                "There are CUs of %(other)s in %(back)s: the army cannot stop there.",
                other=name_of(other),
                back=SPACES[back].name,
            )
    return None


def decline(state: State, command: Decline, dice: Dice) -> Handled[State]:
    """10.5.1 The army wants to go back; the leader who intercepted may permit it."""
    reaction, move = state.reaction, state.move
    assert reaction is not None and move is not None and reaction.intercepted_by is not None
    said = event("10.5.1", "decline", power=move.power, space=move.at, back=move.came_from, by=move.by)
    seat = seat_of(state, reaction.intercepted_by)
    if seat is not None:
        about = {"what": "decline", "power": move.power, "space": move.at}
        return state.asking(Prompt("permit", seat, "10.5.1", about)), (said,)
    state, more = answer(state, False, dice)
    return state, (said, *more)


def answer(state: State, allow: bool, dice: Dice) -> Handled[State]:
    """10.5.1 Permitted, or by a die of at most the own leader's tactics; then the way back, by sea if it came so."""
    move = state.move
    assert move is not None and move.came_from is not None
    if allow:
        happened = event("10.5.1", "permitted", power=move.power, space=move.at)
    else:
        rating = state.leaders[move.leader].tactics
        success, face = attempt(dice, "10.5.1", rating, power=move.power, leader=move.leader)
        happened = event(
            "10.5.1", "declining", power=move.power, leader=move.leader, dice=[face], needed=rating, success=success
        )
        if not success:
            state, more = attack(state)
            return state, (happened, *more)
    if move.by == "sea":
        friendly = is_friendly(state, move.power, move.came_from)
        state, more = put_out(state, "decline", move.power, move.units, move.at, move.came_from, friendly)
        return state, (happened, *more)
    state, more = gone_back(state)
    return state, (happened, *more)


def gone_back(state: State) -> Handled[State]:
    """10.5.1 The army is back in the space it came from, and stops. 10.2.g: nobody intercepts it there."""
    move = state.move
    assert move is not None and move.came_from is not None
    for other in standing(state, move.came_from):
        if enemies(state, other, move.power):
            force = state.force(move.came_from, other)
            state = state.with_force(move.came_from, other, force.sheltering(force.units, force.leaders))
    state = state.with_move(replace(move, at=move.came_from))
    state, more = set_down(state)
    return state, (event("10.5.1", "declined", power=move.power, space=move.came_from), *more)


def fight(state: State, command: Fight, dice: Dice) -> Handled[State]:
    """10.5.2 The army does not try to go back."""
    return attack(state)


def attack(state: State) -> Handled[State]:
    """10.5.2 The moving army must attack the interceptors, before anything else in the space."""
    move, reaction = state.move, state.reaction
    assert move is not None and reaction is not None and reaction.intercepted_by is not None
    return foes.begin(state, Battle(move.at, move.power, reaction.intercepted_by, intercepted=True))


def permit(state: State, command: Permit, dice: Dice) -> Handled[State]:
    """10.5.1, 11.1 The enemy leader's word: go, or roll for it."""
    about, state = state.pending[0].about, state.asking()
    if about["what"] == "decline":
        return answer(state, command.allow, dice)
    return avoidance.answer(state, about["power"], command.allow, dice)


def why_not_storms(state: State, command: StormsAtSea) -> Illegal | None:
    """10.5.1 Storms at Sea meets an army that goes back by sea, until its crossing is settled or the fleets have met.

    L1.1: a meeting opens after every choice that comes before it, and nothing but itself settles it.
    """
    if state.engagement is not None:
        return Illegal("L1.1", "The fleets have met; settle that first.")
    move = state.move
    asked, crossing = state.asks("permit"), state.crossing
    waiting = asked is not None and asked.about["what"] == "decline" and move is not None and move.by == "sea"
    at_sea = crossing is not None and crossing.purpose == "decline"
    if not (waiting or at_sea):
        return Illegal("10.5.1", "No army is going back by sea.")
    return why_not_spend(state, command.side, command.card, "10.5.1")


def storms_at_sea(state: State, command: StormsAtSea, dice: Dice) -> Handled[State]:
    """10.5.1 The storm keeps the army where it was intercepted: there is a battle."""
    state = replace(state.discarding(command.side, command.card).asking(), crossing=None)
    state, more = attack(state)
    said = event("10.5.1", "storms_at_sea", side=command.side, card=command.card)
    return state, (said, *more)
