"""9 Activating an army, moving it by land, and setting it down."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.commands import Activate, ConfirmFlank, Drop, Halt, PickUp, Step
from strategic.sword_of_rome.rules import reaction
from strategic.sword_of_rome.rules.moving_army import going, set_down
from strategic.sword_of_rome.rules.survey import (
    are_apart,
    enemies,
    enemy_in_the_open,
    force_of,
    may_follow,
    players,
    powers_of,
    standing,
    strangers,
)
from strategic.sword_of_rome.state import Lane, Move, State
from strategic.sword_of_rome.tables import SPACES, TABLES, cost, is_clear, name_of, way_between, ways
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Handled, Illegal, Prompt, event


def why_not_act(state: State) -> Illegal | None:
    """5 Why nobody may start an action now."""
    if state.pending or state.move is not None:
        return Illegal("5", "An action is under way; finish it first.")
    if state.active is None:
        return Illegal("5", "No player is active now.")
    return None


def why_not_activate(state: State, command: Activate) -> Illegal | None:
    """9.1, 8.1 Why this leader may not move with these CUs for this card.

    5: a player plays one card for an activation in his action; 7: an event played by hand moves others besides.
    """
    wrong = why_not_act(state)
    if wrong is not None:
        return wrong
    seat = state.active
    assert seat is not None
    if state.acted and not command.by_event:
        return Illegal("5", "%(seat)s %(seat|has|have)s already played a card in this round.", seat=name_of(seat))
    if not command.by_event and command.card not in state.hands.get(seat, ()):
        return Illegal(
            "9.1", "No card of value %(card)s is in the hand of %(side)s.", card=command.card, side=name_of(seat)
        )
    found = force_of(state, command.leader)
    if found is None:
        return Illegal("9.1", "No leader called %(leader)s stands in the open on the map.", leader=repr(command.leader))
    space, power, force = found
    if power not in powers_of(state, seat):
        return Illegal("9.1", "%(leader)s does not serve %(seat)s.", leader=name_of(command.leader), seat=name_of(seat))
    needed = state.leaders[command.leader].initiative
    if needed is not None and command.card < needed:
        return Illegal(
            "8.1", "%(leader)s needs a card of value %(needed)s or more.", leader=name_of(command.leader), needed=needed
        )
    if not going(force.leaders, command.leader, command.companions):
        return Illegal("9.1.1", "Companions must be other leaders in the same space, each named once.")
    if not may_follow(command.leader, command.companions):
        return Illegal("8.2.1", "A named leader cannot follow a minor one.")
    if command.units > min(force.units, TABLES.movement.limit):
        most = min(force.units, TABLES.movement.limit)
        return Illegal(
            "9.1.1",
            "At most %(most)s %(most|CU|CUs)s at %(space)s may move with the leader.",
            most=most,
            space=SPACES[space].name,
        )
    return None


def activate(state: State, command: Activate, dice: Dice) -> Handled[State]:
    """9.1 The card is spent; the army is lifted off its space with its movement points (9.2.2)."""
    found = force_of(state, command.leader)
    seat = state.active
    assert found is not None and seat is not None
    space, power, _ = found
    points = points_of(power, command.card)
    move = Move(power, command.card, points, command.leader, command.companions, command.units, space)
    if not command.by_event:
        state = replace(state.discarding(seat, command.card), acted=True)
    state = state.moved_out(space, power, command.units, move.leaders).with_move(move)
    said = event(
        "9.1",
        "activated",
        seat=seat,
        power=power,
        card=command.card,
        leader=command.leader,
        companions=list(command.companions),
        units=command.units,
        space=space,
        points=points,
        flank=command.flank,
        by_event=command.by_event,
    )
    if command.flank:
        others = tuple(each for each in players(state) if each != seat)
        state = state.asking(*(Prompt("flank", each, "9.5.6", {"power": power, "space": space}) for each in others))
    return state, (said,)


def why_not_confirm_flank(state: State, command: ConfirmFlank) -> Illegal | None:
    """9.5.6 Only who is asked confirms, and the umpire."""
    if not any(prompt.kind == "flank" and command.side in (prompt.seat, UMPIRE) for prompt in state.pending):
        return Illegal("9.5.6", "No flanking army is waiting for this answer.")
    return None


def confirm_flank(state: State, command: ConfirmFlank, dice: Dice) -> Handled[State]:
    """9.5.6 (reading) The army is a flanking army once the umpire or all other players have said so; one no is enough.

    Who holds that right is an event's text, which is kept by hand.
    """
    move = state.army
    said = event("9.5.6", "flank_confirmed", side=command.side, power=move.power, allow=command.allow)
    rest = tuple(prompt for prompt in state.pending if prompt.seat != command.side)
    if command.allow and command.side != UMPIRE and rest:
        return state.asking(*rest), (said,)
    return state.asking().with_move(replace(move, flank=command.allow)), (said,)


def points_of(power: str, card: int) -> int:
    """9.2.1, 9.2.2, 9.2.3 Four points; Gauls by the card; Transalpine Gauls always five."""
    table = TABLES.movement
    if power in table.always:
        return table.always[power]
    return table.by_card[power][card - 1] if power in table.by_card else table.points


def why_not_step(state: State, to: str) -> Illegal | None:
    """9.2 Why the moving army may not go there by land."""
    move = state.army
    if to not in SPACES:
        return Illegal("9.2", "There is no space called %(space)s.", space=repr(to))
    way = way_between(move.at, to)
    if way is None:
        return Illegal("9.2", "No connection leads from %(at)s to %(to)s.", at=SPACES[move.at].name, to=SPACES[to].name)
    price = cost(move.power, way)
    if price > move.points:
        return Illegal(
            "9.2",
            "This march costs %(price)s %(price|point|points)s, and %(points)s %(points|is|are)s left.",
            price=price,
            points=move.points,
        )
    return why_not_enter(state, to, move.points - price)


def why_not_enter(state: State, to: str, left: int) -> Illegal | None:
    """9.4.4, 9.5.6, 15.3 Why the army may not come into a space with `left` points to go on with.

    Where an ally stands beside an enemy (powers of one player) it would have to end its battle among friends.
    """
    move = state.army
    enemy = enemy_in_the_open(state, move.power, to)
    if enemy is not None:
        if not move.units:
            return Illegal(
                "9.4.4", "A leader without CUs may not go where %(enemy)s %(enemy|stands|stand)s.", enemy=name_of(enemy)
            )
        if move.flank:
            return Illegal("9.5.6", "A flanking army must halt next to the battle.")
        friends = [other for other in standing(state, to) if not enemies(state, move.power, other)]
        if any(are_apart(state, move.power, other) for other in friends):
            return Illegal(
                "15.3", "An ally stands in %(to)s, and the army could not go on from there.", to=SPACES[to].name
            )
        return None
    if strangers(state, move.power, to) and not may_go_on(state, to, left):
        return Illegal("15.3", "An ally stands in %(to)s, and the army could not go on from there.", to=SPACES[to].name)
    return None


def may_go_on(state: State, start: str, left: int) -> bool:
    """15.3 Is there a next space, within the points left, in which the army may end or fight?"""
    move = state.army
    return any(
        cost(move.power, way) <= left and not strangers(state, move.power, way.other(start)) for way in ways(start)
    )


def step(state: State, command: Step, dice: Dice) -> Handled[State]:
    """9.2 One space by land; 9.3 then the enemy answers."""
    move = state.army
    way = way_between(move.at, command.to)
    assert way is not None
    price = cost(move.power, way)
    lane: Lane = "clear" if is_clear(move.power, way, ("clear",)) else lane_of(way.kind)
    said = event(
        "9.2", "stepped", power=move.power, start=move.at, end=command.to, kind=way.kind, cost=price, units=move.units
    )
    move = replace(move, at=command.to, came_from=move.at, by=lane, points=move.points - price, steps=move.steps + 1)
    state, more = reaction.enter(state.with_move(move), dice)
    return state, (said, *more)


def lane_of(kind: str) -> Lane:
    """9.2 The kind of a connection, as a move remembers it."""
    lanes: dict[str, Lane] = {"appian": "appian", "rough": "rough", "strait": "strait"}
    return lanes.get(kind, "clear")


def why_not_drop(state: State, command: Drop) -> Illegal | None:
    """9.1.2 Why these CUs and companions may not be left here."""
    move = state.army
    if not command.units and not command.companions:
        return Illegal("9.1.2", "Name CUs or companions to leave behind.")
    if command.units > move.units:
        return Illegal("9.1.2", "The army has only %(units)s %(units|CU|CUs)s.", units=move.units)
    if not set(command.companions) <= set(move.companions) or len(set(command.companions)) < len(command.companions):
        return Illegal("9.1.2", "Only companions of the moving leader can be left, each once.")
    return why_not_stay(state)


def why_not_stay(state: State) -> Illegal | None:
    """9.1.2, 15.3 Why nobody may be left where the army is."""
    move = state.army
    if strangers(state, move.power, move.at):
        return Illegal("15.3", "Nobody may be left in a space with another power's army.")
    return None


def drop(state: State, command: Drop, dice: Dice) -> Handled[State]:
    """9.1.2 CUs and companions stay here."""
    move = state.army
    rest = tuple(name for name in move.companions if name not in command.companions)
    state = state.with_move(replace(move, units=move.units - command.units, companions=rest))
    state = state.moved_in(move.at, move.power, command.units, command.companions)
    return state, (
        event(
            "9.1.2", "dropped", power=move.power, space=move.at, units=command.units, leaders=list(command.companions)
        ),
    )


def why_not_pick_up(state: State, command: PickUp) -> Illegal | None:
    """9.1.2 Why these CUs and leaders may not be taken along: never more than 10 CUs at any moment."""
    move = state.army
    force = state.force(move.at, move.power)
    if not command.units and not command.companions:
        return Illegal("9.1.2", "Name CUs or leaders to take along.")
    if command.units > force.units or move.units + command.units > TABLES.movement.limit:
        most = min(force.units, TABLES.movement.limit - move.units)
        return Illegal("9.1.2", "At most %(most)s %(most|CU|CUs)s in this space can come along.", most=most)
    if not set(command.companions) <= set(force.leaders) or len(set(command.companions)) < len(command.companions):
        return Illegal("9.1.2", "Only leaders in this space can come along, each once.")
    if not may_follow(move.leader, command.companions):
        return Illegal("8.2.1", "A named leader cannot follow a minor one.")
    return None


def pick_up(state: State, command: PickUp, dice: Dice) -> Handled[State]:
    """9.1.2 CUs and leaders of the space come along."""
    move = state.army
    state = state.moved_out(move.at, move.power, command.units, command.companions)
    more = replace(move, units=move.units + command.units, companions=(*move.companions, *command.companions))
    return state.with_move(more), (
        event(
            "9.1.2",
            "picked_up",
            power=move.power,
            space=move.at,
            units=command.units,
            leaders=list(command.companions),
        ),
    )


def why_not_halt(state: State) -> Illegal | None:
    """9.2, 15.3 An army may end its move anywhere but on another power's army, unless it cannot go on."""
    move = state.army
    can_go_on = any(why_not_step(state, way.other(move.at)) is None for way in ways(move.at))
    if strangers(state, move.power, move.at) and (can_go_on or is_among_others(state)):
        return Illegal("15.3", "%(at)s holds another power's army: the move must go on.", at=SPACES[move.at].name)
    return None


def is_among_others(state: State) -> bool:
    """15.3 Has the moving army come among another player's CUs, friends or not, where it may never end?"""
    move = state.move
    if move is None or not move.units:
        return False
    return any(are_apart(state, move.power, other) for other in standing(state, move.at))


def is_stuck(state: State) -> bool:
    """15.3 Is the army free to move, among another player's CUs, and cannot go on?"""
    move = state.move
    free = move is not None and not state.pending and is_among_others(state)
    return move is not None and free and not may_go_on(state, move.at, move.points)


def halt(state: State, command: Halt, dice: Dice) -> Handled[State]:
    """9.2 The move ends here."""
    return set_down(state)
