"""12 The battle and the retreat after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from msgspec.structs import replace

from strategic.sword_of_rome.commands import Retreat, RollBattle, SetModifier
from strategic.sword_of_rome.rules import moving_army
from strategic.sword_of_rome.rules.moving_army import lose_moving, open_gates, put_out, set_down, spendable
from strategic.sword_of_rome.rules.survey import (
    carries,
    enemies,
    enemy_in_the_open,
    is_friendly,
    room_inside,
    seat_of,
    strangers,
    tactics,
)
from strategic.sword_of_rome.state import Battle, Crossing, Fleeing, Lane, Modifier, State
from strategic.sword_of_rome.tables import CHART, SPACES, TABLES, BattleTable, is_clear, ways
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Handled, Illegal, Prompt, event
from tactical.kernel.record import Record

# -- 12.4 Retreat: the beaten force goes to the nearest space that will have it, or is lost.


@dataclass(frozen=True)
class Way:
    """A way of retreat: the spaces entered, and the CUs it costs."""

    path: tuple[str, ...]
    loss: int


def strength(state: State) -> tuple[int, tuple[str, ...]]:
    """12.4 CUs and leaders of the beaten force."""
    fleeing, move = state.flight, state.move
    if fleeing.attacker:
        assert move is not None
        return move.units, move.leaders
    force = state.force(fleeing.space, fleeing.power)
    return force.units, force.leaders


def choices(state: State) -> dict[str, Way]:
    """12.4, 12.4.1 The nearest spaces to which the force may retreat by land, each with its cheapest way.

    The attacker goes first where he came from, and not back over rough ground or a strait; the defender never there.
    """
    fleeing = state.flight
    if fleeing.attacker and fleeing.by == "sea":
        return {}
    units, _ = strength(state)
    layer = {fleeing.space: Way((), 0)}
    seen = {fleeing.space}
    for distance in range(1, TABLES.retreat.spaces + 1):
        found: dict[str, Way] = {}
        for here, so_far in layer.items():
            for way in ways(here):
                there = way.other(here)
                if there in seen or not is_clear(fleeing.power, way, TABLES.retreat.over):
                    continue
                if (there == fleeing.came_from) != (fleeing.attacker and distance == 1):
                    continue
                reached = Way((*so_far.path, there), so_far.loss + penalty(state, fleeing.power, there))
                if there not in found or reached.loss < found[there].loss:
                    found[there] = reached
        ends = {space: way for space, way in found.items() if may_end(state, fleeing.power, space, units)}
        if ends:
            return ends
        seen.update(found)
        layer = found
    return {}


def penalty(state: State, power: str, space: str) -> int:
    """12.4.5 What entering a space costs: 1 CU if it is an enemy's, and 1 for each enemy CU in it."""
    table = TABLES.retreat
    here = state.forces.get(space, {})
    foes = sum(force.total for other, force in here.items() if enemies(state, power, other))
    return (0 if is_friendly(state, power, space) else table.enemy_space) + foes * table.enemy_unit


def may_end(state: State, power: str, space: str, units: int) -> bool:
    """12.4 Free of enemies and of others, and friendly or held by more of one's own CUs."""
    if any(force.total and enemies(state, power, other) for other, force in state.forces.get(space, {}).items()):
        return False
    if strangers(state, power, space):
        return False
    return is_friendly(state, power, space) or state.force(space, power).units > units


def ports(state: State, card: int | None) -> tuple[str, ...]:
    """12.4.3 The friendly ports to which the force may retreat by sea; an attacker who sailed in has his ships there.

    Ruling: he sails to the port he came from; only if it will not have him, to another.
    """
    fleeing = state.flight
    if not SPACES[fleeing.space].port:
        return ()
    units, _ = strength(state)
    sailed_in = fleeing.attacker and fleeing.by == "sea"
    if not sailed_in and (fleeing.attacker or card is None):
        return ()
    fits = tuple(
        port
        for port in CHART.ports()
        if port != fleeing.space
        and is_friendly(state, fleeing.power, port)
        and may_end(state, fleeing.power, port, units)
        and (sailed_in or units <= carries(state, fleeing.power, card or 0, fleeing.space, port))
        and TABLES.sea.closed_to_others.get(port, fleeing.power) == fleeing.power
    )
    return (fleeing.came_from,) if sailed_in and fleeing.came_from in fits else fits


def cards(state: State) -> tuple[int, ...]:
    """12.4.3 The cards with which the force might buy its way out by sea."""
    fleeing = state.flight
    seat = seat_of(state, fleeing.power)
    if seat is None or fleeing.attacker:
        return ()
    return tuple(card for card in sorted(set(spendable(state, seat))) if ports(state, card))


def room(state: State) -> int:
    """12.4.4 The CUs of a defender that may go behind the walls of his own city."""
    fleeing = state.flight
    if fleeing.attacker:
        return 0
    units, _ = strength(state)
    return min(units, room_inside(state, fleeing.space, fleeing.power))


def begin(state: State, dice: Dice) -> Handled[State]:
    """12.4 The loser chooses; where he has no choice the force goes by itself."""
    fleeing = state.flight
    seat = seat_of(state, fleeing.power)
    ends, harbours = tuple(choices(state)), ports(state, None)
    free = len(ends) + len(harbours) > 1 or room(state) or cards(state)
    if seat is not None and free:
        about = {"power": fleeing.power, "space": fleeing.space, "choices": [*ends, *harbours]}
        return state.asking(Prompt("retreat", seat, "12.4", about)), ()
    to = (*ends, *harbours, None)[0]
    return retreat(state, Retreat(to), dice)


def why_not_retreat(state: State, command: Retreat) -> Illegal | None:
    """12.4 Why the beaten force may not go so."""
    units, _ = strength(state)
    if command.inside > room(state):
        return Illegal(
            "12.4.4",
            "There is room inside the walls for only %(room_inside)s %(room_inside|CU|CUs)s.",
            room_inside=room(state),
        )
    if command.card is not None:
        if command.inside or command.card not in cards(state) or command.to not in ports(state, command.card):
            return Illegal("12.4.3", "With that card the force cannot retreat there by sea.")
        return None
    ends = (*choices(state), *ports(state, None))
    if command.to is not None and command.to not in ends:
        if not ends:
            return Illegal("12.4", "The force cannot retreat to any space.")
        return Illegal("12.4", "The force may retreat only to %(either)s.", either=ends)
    if command.to is None and ends and command.inside < units:
        return Illegal("12.4", "Say where the force goes: %(either)s.", either=ends)
    if command.to is not None and command.inside == units:
        return Illegal("12.4.4", "All CUs of that force are inside the walls, so none can retreat.")
    return None


def retreat(state: State, command: Retreat, dice: Dice) -> Handled[State]:
    """12.4 Behind the walls, by land, by sea; who can go nowhere is lost."""
    fleeing = state.flight
    state = state.asking()
    events: tuple[Event, ...] = ()
    ways_by_land = choices(state)  # by the whole force, before a part of it goes behind walls
    if command.card is not None:
        seat = seat_of(state, fleeing.power)
        assert seat is not None
        state = state.discarding(seat, command.card)
    if command.inside:
        state, events = behind_walls(state, command.inside, alone=command.to is None)
        if not strength(state)[0]:
            state, more = over(state)
            return state, (*events, *more)
    units, _ = strength(state)
    if command.to is None:
        state, more = eliminate(state)
    elif command.card is None and command.to in ways_by_land:
        state, more = march(state, fleeing, ways_by_land[command.to])
    else:
        start = fleeing.space
        state, more = put_out(state, "retreat", fleeing.power, units, start, command.to, True)
    return state, (*events, *more)


def behind_walls(state: State, units: int, alone: bool) -> tuple[State, tuple[Event, ...]]:
    """12.4.4 CUs go into the city. Ruling: the leaders go with those who retreat, if anybody does."""
    fleeing = state.flight
    force = state.force(fleeing.space, fleeing.power)
    leaders = force.leaders if alone else ()
    state = state.with_force(fleeing.space, fleeing.power, force.sheltering(units, leaders))
    return state, (
        event("12.4.4", "sheltered", power=fleeing.power, space=fleeing.space, units=units, leaders=list(leaders)),
    )


def lift(state: State) -> tuple[State, int, tuple[str, ...]]:
    """The beaten force leaves the space: the position without it, its CUs and leaders."""
    fleeing = state.flight
    units, leaders = strength(state)
    if fleeing.attacker:
        return state.with_move(None), units, leaders
    return state.moved_out(fleeing.space, fleeing.power, units, leaders), units, leaders


def march(state: State, fleeing: Fleeing, way: Way) -> Handled[State]:
    """12.4.2, 12.4.5 The force sweeps up own CUs on its way unless they outnumber it, and pays for enemies.

    10.2.g: nobody intercepts a retreat.
    """
    state, units, leaders = lift(state)
    for space in way.path[:-1]:
        force = state.force(space, fleeing.power)
        if force.units and force.units <= units:
            state = state.moved_out(space, fleeing.power, force.units, force.leaders)
            units, leaders = units + force.units, (*leaders, *force.leaders)
    gone = min(units, way.loss)
    state = state.counted(fleeing.power, removed=gone)
    events = (
        event(
            "12.4",
            "retreated",
            power=fleeing.power,
            start=fleeing.space,
            path=list(way.path),
            units=units - gone,
            lost=gone,
        ),
    )
    if gone < units:
        state = state.moved_in(way.path[-1], fleeing.power, units - gone, leaders)
    else:
        state = state.displacing(leaders)
    state, more = over(state)
    return state, (*events, *more)


def eliminate(state: State) -> Handled[State]:
    """12.4.5 A force that cannot retreat is eliminated, its leaders displaced."""
    fleeing = state.flight
    state, units, leaders = lift(state)
    state = state.counted(fleeing.power, removed=units).displacing(leaders)
    happened = event(
        "12.4.5", "eliminated", power=fleeing.power, space=fleeing.space, units=units, leaders=list(leaders)
    )
    state, more = over(state)
    return state, (happened, *more)


def by_sea(state: State, crossing: Crossing, arrived: bool, gone: int) -> Handled[State]:
    """9.6 (5p), 12.4.3 A retreat by sea has met the fleet.

    Ruling: a Return leaves the beaten force on the shore, where it is lost.
    """
    if not arrived:
        return eliminate(state)
    state, units, leaders = lift(state)
    gone = min(gone, units)
    state = state.counted(crossing.power, removed=gone)
    if gone < units:
        state = state.moved_in(crossing.end, crossing.power, units - gone, leaders)
    else:
        state = state.displacing(leaders)
    happened = event(
        "12.4.3",
        "retreated",
        power=crossing.power,
        start=crossing.start,
        path=[crossing.end],
        units=units - gone,
        lost=gone,
    )
    state, more = over(state)
    return state, (happened, *more)


def over(state: State) -> Handled[State]:
    """9.4.1 The battle is done: a victorious attacker goes on in the space (`hold`)."""
    return hold(replace(state, fleeing=None))


def hold(state: State) -> Handled[State]:
    """9.4.1 The moving army, if any is left, attacks the next enemy there; after the last it is set down."""
    if moving_army.foes(state):
        return moving_army.face(state)
    if state.move is not None:
        return set_down(state)
    return replace(state, reaction=None, crossing=None, battle=None, fleeing=None, pending=()), ()


# -- 12 The battle: three dice each, modifiers, losses.


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
        state, more = hold(state)
        return state, (*events, *more)
    loser = fight.defender if attacker_wins else fight.attacker
    flight = Fleeing(loser, fight.space, not attacker_wins, move.came_from, move.by)
    state, more = begin(replace(state, fleeing=flight), dice)
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
        if moving_army.foes(state):
            state, again = moving_army.face(state)
            return state, (*happened, *more, *again)
        return replace(state, battle=None, reaction=None, pending=()), (*happened, *more)
    if not mine:
        state, more = set_down(state)
        return state, (*happened, *more)
    state, more = lose_moving(state, mine)
    return replace(state, battle=None), (*happened, *more)


# -- 12 The coming battle: what both would add to their dice, who wins at what chance, what each loses on average.

FACES = range(1, 7)


class BattleAhead(Record, frozen=True):
    """12.2, 12.3 A battle before its dice: the CUs of attacker and defender, what each adds, by reason, the chance that
    the attacker wins, and the CUs that each loses on average. `is_automatic`: the smaller army is gone without dice.
    """

    space: str
    attacker: str
    defender: str
    units: tuple[int, int]
    added: tuple[dict[str, int], dict[str, int]]
    chance: Fraction
    losses: tuple[Fraction, Fraction]
    is_automatic: bool = False


def battle_now(state: State) -> BattleAhead | None:
    """The battle that waits for its dice, or the one that the army on the move comes to where it stands."""
    if state.move is None:
        return None
    if state.battle is not None:
        return of_battle(state)
    return battle_there(state, state.army.at, state.army.by)


def battle_there(state: State, space: str, by: Lane | None, came_from: str | None = None) -> BattleAhead | None:
    """The battle against who stands in the open of a space that the army enters so; None where nobody does."""
    move = replace(state.army, at=space, by=by, came_from=came_from or state.army.came_from)
    defender = enemy_in_the_open(state, move.power, space)
    if defender is None:
        return None
    there = open_gates(state.with_move(move))
    return of_battle(replace(there, battle=Battle(space, move.power, defender)))


def of_battle(state: State) -> BattleAhead:
    """12.2, 12.3 The odds of the battle in the position."""
    fight, units = state.fight, sizes(state)
    added = modifiers(state)
    mine, theirs = units
    if ratio_modifier(max(units), min(units), state.tables.battle) is None:
        wins = mine > theirs
        lost = (Fraction(0), Fraction(theirs)) if wins else (Fraction(mine), Fraction(0))
        return BattleAhead(fight.space, fight.attacker, fight.defender, units, added, Fraction(wins), lost, True)
    chance, *losses = odds(*units, total(added[0]), total(added[1]))
    return BattleAhead(fight.space, fight.attacker, fight.defender, units, added, chance, (losses[0], losses[1]))


def total(added: Mapping[str, int]) -> int:
    """All that a side adds."""
    return sum(added.values())


@lru_cache(512)
def odds(mine: int, theirs: int, attack: int, defend: int) -> tuple[Fraction, Fraction, Fraction]:
    """12.2, 12.3 Over all throws: the chance that the attacker wins (ties are the defender's), the CUs that he loses on
    average, and those of the defender.
    """
    wins = own = foe = 0
    throws = throws_of(mine), throws_of(theirs)
    for (sum_one, loser_two, winner_two), many in throws[0].items():
        for (sum_two, loser_one, winner_one), more in throws[1].items():
            weight = many * more
            if sum_one + attack > sum_two + defend:
                wins += weight
                own += weight * min(mine, winner_one)
                foe += weight * min(theirs, loser_two)
            else:
                own += weight * min(mine, loser_one)
                foe += weight * min(theirs, winner_two)
    of = throws[0].total() * throws[1].total()
    return Fraction(wins, of), Fraction(own, of), Fraction(foe, of)


@lru_cache(64)
def throws_of(size: int) -> Counter[tuple[int, int, int]]:
    """12.3 Each throw of an army of this size: its sum, what it takes from a beaten enemy, and from one who has won."""
    return Counter(
        (
            sum(faces),
            losses_inflicted_by(faces, size, TABLES.losses.to_loser),
            losses_inflicted_by(faces, size, TABLES.losses.to_winner),
        )
        for faces in product(FACES, repeat=TABLES.battle.dice)
    )
