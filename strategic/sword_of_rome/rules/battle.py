"""12 The battle: three dice each, modifiers, losses."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.commands import RollBattle, SetModifier
from strategic.sword_of_rome.rules import foes, retreat
from strategic.sword_of_rome.rules.moving_army import lose_moving, set_down
from strategic.sword_of_rome.rules.survey import is_friendly, tactics
from strategic.sword_of_rome.state import Fleeing, Modifier, State
from strategic.sword_of_rome.tables import TABLES, BattleTable
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Handled, event


def sizes(state: State) -> tuple[int, int]:
    """12.2 The CUs of attacker and defender."""
    fight, move = state.fight, state.army
    return move.units, state.force(fight.space, fight.defender).units


def ratio_modifier(large: int, small: int, table: BattleTable = TABLES.battle) -> int | None:
    """12.2 What the larger army adds; None for an automatic victory."""
    if not small or large / small >= table.automatic:
        return None
    fits = [row.modifier for row in table.ratio if large / small >= row.least]
    return max(fits, default=0)


def modifiers(state: State) -> tuple[dict[str, int], dict[str, int]]:
    """12.2, 10.5.2, 11.1.b What attacker and defender add to their rolls, by reason; automatic victory apart."""
    fight, move = state.fight, state.army
    attack: dict[str, int] = {}
    defend: dict[str, int] = {}
    mine, theirs = sizes(state)
    added = ratio_modifier(max(mine, theirs), min(mine, theirs), state.tables.battle) or 0
    if added:
        (attack if mine > theirs else defend)["force_ratio"] = added
    lead = tactics(state, move.leaders) - tactics(state, state.force(fight.space, fight.defender).leaders)
    if lead:
        (attack if lead > 0 else defend)["leadership"] = abs(lead)
    if fight.space not in TABLES.battle.no_friend:
        for side, power in ((attack, fight.attacker), (defend, fight.defender)):
            if is_friendly(state, power, fight.space):
                side["friendly_space"] = TABLES.battle.friendly_space
    across = TABLES.battle.across.get(move.by or "", 0)
    if across and not fight.caudine:
        attack["across"] = across
    if fight.intercepted and not fight.caudine:
        defend["interception"] = TABLES.interception.surprise
    if fight.failed_avoidance:
        defend["failed_avoidance"] = TABLES.avoidance.failed
    for card in fight.modifiers:
        side = attack if card.side == "attacker" else defend
        side["cards"] = side.get("cards", 0) + card.amount
    return attack, defend


def set_modifier(state: State, command: SetModifier, dice: Dice) -> Handled[State]:
    """7, 12.2 What a card adds to a roll, by hand; the log keeps why."""
    fight = state.fight
    card = Modifier(command.side_of_battle, command.amount, command.why)
    state = replace(state, battle=replace(fight, modifiers=(*fight.modifiers, card)))
    return state, (
        event("7", "modifier", by_hand=True, side=command.side_of_battle, amount=command.amount, why=command.why),
    )


def roll_battle(state: State, command: RollBattle, dice: Dice) -> Handled[State]:
    """12.2, 12.3 Each side rolls three dice; the higher modified sum wins, ties are the defender's; then losses."""
    fight, state = state.fight, state.asking()
    mine, theirs = sizes(state)
    if ratio_modifier(max(mine, theirs), min(mine, theirs), state.tables.battle) is None:
        return automatic(state, mine > theirs, dice)
    attack, defend = modifiers(state)
    count = TABLES.battle.dice
    attacking = dice.roll(count, 6, "12.2", power=fight.attacker, side="attacker")
    defending = dice.roll(count, 6, "12.2", power=fight.defender, side="defender")
    totals = (sum(attacking) + sum(attack.values()), sum(defending) + sum(defend.values()))
    attacker_wins = totals[0] > totals[1]
    won, lost = (attacking, defending) if attacker_wins else (defending, attacking)
    winner_size, loser_size = (mine, theirs) if attacker_wins else (theirs, mine)
    loser_loses = min(loser_size, losses_inflicted_by(won, winner_size, TABLES.losses.to_loser))
    winner_loses = min(winner_size, losses_inflicted_by(lost, loser_size, TABLES.losses.to_winner))
    happened = event(
        "12.2",
        "battle_rolled",
        space=fight.space,
        attacker=fight.attacker,
        defender=fight.defender,
        dice=[list(attacking), list(defending)],
        modifiers=[attack, defend],
        totals=list(totals),
        winner=fight.attacker if attacker_wins else fight.defender,
        losses={
            fight.attacker: winner_loses if attacker_wins else loser_loses,
            fight.defender: loser_loses if attacker_wins else winner_loses,
        },
    )
    attacker_loses = winner_loses if attacker_wins else loser_loses
    defender_loses = loser_loses if attacker_wins else winner_loses
    state, more = finish(state, attacker_wins, attacker_loses, defender_loses, dice)
    return state, (happened, *more)


def losses_inflicted_by(faces: tuple[int, ...], size: int, table: dict[int, tuple[int, ...]]) -> int:
    """12.3 The CUs that these dice take from the enemy, by the size of the army that rolled them."""
    columns = TABLES.losses.columns
    if size < columns[0]:
        return 0
    column = max(index for index, least in enumerate(columns) if size >= least)
    return sum(table[face][column] for face in faces if face in table)


def finish(state: State, attacker_wins: bool, attacker_loses: int, defender_loses: int, dice: Dice) -> Handled[State]:
    """12.3, 12.4 Losses are taken off; the beaten force retreats, the winner holds the space."""
    fight, move = state.fight, state.army
    state, events = lose_defending(state, defender_loses)
    state, more = lose_moving(state, attacker_loses)
    events += more
    if state.move is None and not attacker_wins:
        return replace(state, battle=None), events
    if attacker_wins and not state.force(fight.space, fight.defender).units:
        state, more = retreat.hold(state)
        return state, (*events, *more)
    loser = fight.defender if attacker_wins else fight.attacker
    flight = Fleeing(loser, fight.space, not attacker_wins, move.came_from, move.by)
    state, more = retreat.begin(replace(state, fleeing=flight), dice)
    return state, (*events, *more)


def lose_defending(state: State, lost: int) -> Handled[State]:
    """12.3, 8.4 CUs of the standing army are removed; without any its leaders are displaced, or behind their walls."""
    fight = state.fight
    power, space = fight.defender, fight.space
    force = state.force(space, power)
    state = state.counted(power, removed=lost)
    if lost < force.units:
        events = (event("12.3", "losses", power=power, space=space, units=lost),) if lost else ()
        return state.with_force(space, power, replace(force, units=force.units - lost)), events
    state = state.with_force(space, power, force.without(force.units, force.leaders)).displacing(force.leaders)
    return state, (
        event("12.3", "losses", power=power, space=space, units=lost),
        event("8.4", "displaced", power=power, leaders=list(force.leaders)),
    )


def automatic(state: State, attacker_wins: bool, dice: Dice) -> Handled[State]:
    """12.2 Too few to fight: the smaller army is gone, and a larger one on the move may go on."""
    fight = state.fight
    mine, theirs = sizes(state)
    winner = fight.attacker if attacker_wins else fight.defender
    happened: tuple[Event, ...] = (event("12.2", "automatic_victory", space=fight.space, winner=winner),)
    if attacker_wins:
        state, more = lose_defending(state, theirs)
        if foes.foes(state):
            state, again = foes.face(state)
            return state, (*happened, *more, *again)
        return replace(state, battle=None, reaction=None, pending=()), (*happened, *more)
    if not mine:
        state, more = set_down(state)
        return state, (*happened, *more)
    state, more = lose_moving(state, mine)
    return replace(state, battle=None), (*happened, *more)
