"""Withdrawal from a battle: in place of a card, by a roll that the other side may cancel."""

from __future__ import annotations

from strategic.interception import attempt
from strategic.point_to_point.battle import attack_prompt
from strategic.point_to_point.commands import Cancel, CounterAttack, Pass, Withdraw
from strategic.point_to_point.displacement import give_way
from strategic.point_to_point.fatigue import spend
from strategic.point_to_point.losses import casualties
from strategic.point_to_point.pieces import Troops, replace
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, Handled, S
from strategic.point_to_point.survey import enemy_units, is_enemy_ground, keep_to, rating, side_of_prompt
from strategic.point_to_point.tables import ROADS, Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, refuse

CITY = "city"


def withdrawals(state: Campaign, side: Side) -> tuple[str, ...]:
    """round.1c Where the side may withdraw: a sortie into its city (round.1c.5), the original attacker where he came
    from (round.1c.3), the defender anywhere near but there (round.1c.4); by road only (round.1c.2), or by sea where
    the game knows of it (11.9).
    """
    battle = state.fighting()
    if side == battle.attacker and battle.sortie:
        return (CITY,) if book_of(state).room(battle.space) - _inside(state) >= _outside(state, side).size else ()
    near = dict.fromkeys(book_of(state).chart.neighbours(battle.space, ROADS))
    ways = [there for there in near if (there == battle.came_from) == (side == battle.attacker)]
    by_land = tuple(there for there in ways if may_withdraw(state, side, there))
    return tuple(dict.fromkeys((*by_land, *book_of(state).sea_ways(state, side))))


def _inside(state: Campaign) -> int:
    return state.spaces[state.fighting().space].inside.size


def _outside(state: Campaign, side: Side) -> Troops:
    return state.spaces[state.fighting().space].outside(side)


def may_withdraw(state: Campaign, side: Side, there: str) -> bool:
    """round.1c.1 Not onto enemy PCs, CUs or tribes that are no friends."""
    battle = state.fighting()
    return (
        not is_enemy_ground(state, side, there)
        and not enemy_units(state, side, there)
        and keep_to(state, _leaving(state, side), there)
        and book_of(state).may_units_enter(state, side, battle.space, there)
    )


def _leaving(state: Campaign, side: Side) -> tuple[str, ...]:
    """round.1c The generals who go with a withdrawal by land: those from inside the city go back there."""
    battle = state.fighting()
    from_inside = battle.joined if side == battle.attacker else ()
    return tuple(name for name in battle.generals[side] if name not in from_inside)


def why_not_withdraw(state: Campaign, side: Side, to: str) -> Illegal | None:
    """round.1a A general must lead it, and there must be a way."""
    battle = state.fighting()
    if battle.commanders[side] is None:
        return Illegal("round.1a", "without a general an army cannot withdraw")
    if not battle.hands[side]:
        return Illegal("round.6", "without a battle card the attacker has lost (withdrawal.1)")
    if to not in withdrawals(state, side):
        return Illegal("round.1c.1", "the army cannot withdraw to %(to)s", to=to)
    return None


def withdraw(state: S, command: Withdraw, dice: Dice) -> Handled[S]:
    """round.1a, withdrawal.1 In place of a card: a die no higher than the battle rating."""
    side, battle = side_of_prompt(state), state.fighting()
    refuse(why_not_withdraw(state, side, command.to))
    leader = battle.commanders[side] or ""
    limit = rating(state, leader)
    good, face = attempt(dice, "round.1a", limit, general=leader)
    told = event("round.1a", "withdrawal", side=side, to=command.to, dice=[face], rating=limit, success=good)
    state = state.answered()
    if not good:
        return fail(state, side), (told,)
    return state.then(Prompt("cancel", enemy(side), "round.1b", {"to": command.to})), (told,)


def fail(state: S, side: Side) -> S:
    """round.1d The defender attacks in the next round; withdrawal.2: a cancelled try is a failed one
    (reading.1: the condensed rules stand above the tables, which would let the defender choose).

    Option cancelled_withdrawal "defender_chooses": the defender may leave the attack to the other.
    """
    other = enemy(side)
    state = replace(state, battle=replace(state.fighting(), initiative=other))
    if book_of(state).chooses_initiative(state):
        return state.then(Prompt("take_initiative", other, "withdrawal.2"))
    return state.then(attack_prompt(state))


def cancel_open(state: Campaign) -> bool:
    """round.1b Only a general stops a withdrawal."""
    return state.fighting().commanders[side_of_prompt(state)] is not None


def cancel(state: S, command: Cancel, dice: Dice) -> Handled[S]:
    """round.1b A die no higher than the battle rating cancels it; Flaminius stops a withdrawal on 1-4."""
    side, to = side_of_prompt(state), state.agenda[-1].about["to"]
    limit = book_of(state).limit(state, state.fighting().commanders[side] or "", "stop", False)
    good, face = attempt(dice, "round.1b", limit, side=side)
    told = event("round.1b", "withdrawal_stopped", side=side, dice=[face], rating=limit, success=good)
    state = state.answered()
    if good:
        return fail(state, enemy(side)), (told,)
    state, events = leave(state, enemy(side), to, dice)
    return state, (told, *events)


def let_go(state: S, command: Pass, dice: Dice) -> Handled[S]:
    """round.1b The defender lets it happen."""
    return cancel_over(state, dice)


def cancel_over(state: S, dice: Dice) -> Handled[S]:
    """round.1b Nobody to stop it."""
    side, to = enemy(side_of_prompt(state)), state.agenda[-1].about["to"]
    return leave(state.answered(), side, to, dice)


def leave(state: S, side: Side, to: str, dice: Dice) -> Handled[S]:
    """round.1c, round.1c.6 Casualties for both, then the army is gone; withdrawal.3: no retreat table.

    round.1c.5 Those who came out of the city go back into it, as far as they survive. Ruling: casualties fall first on
    the army that came to their relief, and ordinary CUs go back before elephants.
    """
    state, events = casualties(state, dice)
    battle, names = state.fighting(), state.fighting().generals[side]
    force, by_sea = _outside(state, side), to in book_of(state).sea_ways(state, side)
    inside = force if to == CITY else returning(state, side)
    going, inside_too = force.minus(inside), names if to == CITY else _from_inside(state, side)
    state = state.enter_walls(battle.space, side, inside).move_generals(inside_too, battle.space, inside=True)
    if to != CITY:
        left = tuple(name for name in names if name not in inside_too)
        state = state.set_outside(battle.space, side, Troops()).add(to, side, going).move_generals(left, to)
        state, more = give_way(state, side, left, to)
        events += more
    state, more = book_of(state).leave_behind(state, side, names, battle.space, "withdraw")
    if side == battle.attacker:
        state = spend(
            spend(state, battle.space, inside.size, names), to if to != CITY else battle.space, going.size, ()
        )
    told = event("11.9" if by_sea else "round.1c", "withdrew", side=side, to=to, units=force.size, inside=inside.size)
    return state.then(Prompt("battle_over", "", "round.7")), (*events, *more, told)


def returning(state: Campaign, side: Side) -> Troops:
    """round.1c.5 The CUs that go back into the city out of which they came to join the battle."""
    battle = state.fighting()
    if side != battle.attacker or battle.sortie:
        return Troops()
    force = _outside(state, side)
    count = min(battle.sortie_size, force.size, max(state.room_left(battle.space), 0))
    units = min(force.units, count)
    return Troops(units, count - units)


def _from_inside(state: Campaign, side: Side) -> tuple[str, ...]:
    battle = state.fighting()
    return battle.joined if side == battle.attacker else ()


def take_initiative(state: S, command: CounterAttack, dice: Dice) -> Handled[S]:
    """withdrawal.2 The defender attacks."""
    state = state.answered()
    return state.then(attack_prompt(state)), ()


def leave_initiative(state: S, command: Pass, dice: Dice) -> Handled[S]:
    """withdrawal.2 The defender leaves the attack to the other."""
    side = side_of_prompt(state)
    state = replace(state.answered(), battle=replace(state.fighting(), initiative=enemy(side)))
    return state.then(attack_prompt(state)), ()


def cancel_offers(state: Campaign) -> tuple[Offer, ...]:
    """round.1b Roll or let them go."""
    return (Offer("cancel", "round.1b"), Offer("pass", "round.1b"))
