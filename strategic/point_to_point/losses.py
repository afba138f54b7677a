"""Battle losses and what follows for the loser."""

from __future__ import annotations

from strategic.point_to_point.displacement import displace_all
from strategic.point_to_point.fatigue import spend
from strategic.point_to_point.pieces import replace
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, Handled, S
from strategic.point_to_point.survey import generals_at
from strategic.point_to_point.tables import SIDES, Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Prompt, event


def lose_battle(state: S, loser: Side, card: str | None, rule: str) -> Handled[S]:
    """round.2, round.6 The battle is decided; `card` is what won it, None when the attacker ran out of cards.

    battle.7: now casualties are counted and the loser retreats.
    """
    battle = replace(state.fighting(), winner=enemy(loser), won_by=card, played=None)
    state = replace(state, battle=battle).then(
        Prompt("losses", "", "losses.1"),
        Prompt("retreat", loser, "retreat.1"),
        Prompt("consequences", "", "losses.5"),
        Prompt("battle_over", "", "round.7"),
    )
    return state, (event(rule, "battle_lost", side=loser, space=battle.space, by=card),)


def casualties(state: S, dice: Dice) -> Handled[S]:
    """losses.1 One die for both, in the column of the rounds played (losses.2). edition.3: this is not attrition.

    losses.4: only CUs are lost. With no round played there is no roll.
    """
    battle = state.fighting()
    if not battle.rounds:
        return state, ()
    (face,) = dice.roll(1, 6, "losses.1", space=battle.space)
    lost, elephant = state.tables.attrition.read(face, battle.rounds)
    told: dict[str, int] = {}
    for side in SIDES:
        state, told[side] = lose(state, side, lost, elephant)
    return state, (event("losses.1", "casualties", dice=[face], rounds=battle.rounds, result=lost, lost=told),)


def lose(state: S, side: Side, count: int, elephant: bool) -> tuple[S, int]:
    """losses.4 CUs of a side in the battle die; counted for losses.6."""
    battle = state.fighting()
    force = state.spaces[battle.space].outside(side)
    left = force.after_losses(count, elephant)
    gone = force.size - left.size
    state = replace(state, battle=battle.with_lost(side, gone))
    return state.set_outside(battle.space, side, left), gone


def retreat_modifier(state: Campaign) -> int:
    """tables.retreat.modifiers By the card that won; nothing when the attacker had no card."""
    card = state.fighting().won_by
    return book_of(state).battle_cards[card].retreat if card else 0


def losses(state: S, dice: Dice) -> Handled[S]:
    """losses.3 Casualties for both, then the retreat table for the loser.

    tables.retreat.elephant: of the CUs lost by the table an elephant goes first.
    losses.8: generals whose last CU dies by the table are displaced; by casualties they are not.
    """
    state, events = casualties(state.answered(), dice)
    battle = state.fighting()
    assert battle.winner is not None, "a battle that is over has a winner"
    loser = enemy(battle.winner)
    if not state.spaces[battle.space].outside(loser).size:
        return state, events
    (face,) = dice.roll(1, 6, "tables.retreat", side=loser)
    modifier = retreat_modifier(state)
    due = state.tables.retreat.read(face + modifier, battle.start[loser])
    state, gone = lose(state, loser, due, elephant=due > 0)
    told = event("tables.retreat", "retreat_losses", side=loser, dice=[face], modifier=modifier, lost=gone)
    events += (told,)
    if not state.spaces[battle.space].outside(loser).size:
        state, more = displace_all(state, battle.generals[loser], "losses.8")
        events += more
    return state, events


def consequences(state: S, dice: Dice) -> Handled[S]:
    """losses.5 Half the loser's dead, rounded down, in PCs of his choice. losses.6: all losses of the battle count."""
    state = state.answered()
    battle = state.fighting()
    assert battle.winner is not None, "a battle that is over has a winner"
    loser = enemy(battle.winner)
    due = battle.lost.get(loser, 0) // 2
    told = event("losses.5", "political_loss", side=loser, lost=battle.lost.get(loser, 0), pcs=due)
    if not due:
        return state, (told,)
    return state.then(Prompt("remove", loser, "losses.5", {"left": due, "why": "battle"})), (told,)


def battle_over(state: S, dice: Dice) -> Handled[S]:
    """round.7 The battle cards are shuffled together again for the next battle; the attacker's move has ended.

    movement.command.5 Whoever of the moving side has fought moves no more on this card.
    """
    state, battle = state.answered(), state.fighting()
    side = battle.attacker
    here = generals_at(state, side, battle.space, inside=False)
    state = spend(state, battle.space, state.spaces[battle.space].outside(side).size, (*battle.generals[side], *here))
    told = event("round.7", "battle_ended", space=battle.space, winner=battle.winner)
    return replace(state, battle=None, march=None), (told,)
