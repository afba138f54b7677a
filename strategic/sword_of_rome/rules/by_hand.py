"""What the fragment does not describe is done by the players; the log keeps it, with the paragraph it belongs to."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.commands import (
    MoveByHand,
    Note,
    Place,
    Remove,
    SetAlliance,
    SetCommander,
    SetControl,
    SetEvent,
    SetPoints,
    SetRunner,
    SetSiege,
    SetUnrest,
)
from strategic.sword_of_rome.rules.survey import master, may_follow, pair, standing, where
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.tables import (
    EVENTS,
    INDEPENDENT,
    LEADERS,
    MOST,
    PLAYED,
    POWERS,
    SEATS,
    SPACES,
    called,
    home,
    is_city,
    printed_loyalty,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Handled, Illegal, event


def why_not_by_hand(state: State, rule: str) -> Illegal | None:
    """7 Between two actions the map is the players'; in mid-action only the umpire's `adjust` changes it."""
    if state.pending or state.move is not None:
        return Illegal(rule, "An action is under way; only the umpire's adjust changes the map in its midst.")
    return None


def why_not_pieces(state: State, rule: str, power: str, space: str) -> Illegal | None:
    """2.2 The power and the space must exist, and nothing be under way."""
    if power not in POWERS:
        return Illegal(rule, "There is no power %(power)s.", power=repr(power))
    if space not in SPACES:
        return Illegal(rule, "There is no space %(space)s.", space=repr(space))
    return why_not_by_hand(state, rule)


def why_not_come(
    state: State, rule: str, power: str, space: str, units: int, leaders: tuple[str, ...]
) -> Illegal | None:
    """9.4, 15.3 What comes by hand must not stand in the open with the CUs of another power."""
    if not units and not leaders:
        return Illegal(rule, "Name CUs or leaders.")
    others = [other for other in standing(state, space) if other != power]
    if others:
        return Illegal(rule, "CUs of %(who)s stand in %(space)s.", who=called(others[0]), space=SPACES[space].name)
    return None


def room_on_the_map(state: State, power: str) -> int:
    """5.10 How many CUs of the power may still come: no position holds more than 99 of one power."""
    return max(0, MOST - sum(here[power].total for here in state.forces.values() if power in here))


def why_not_place(state: State, command: Place) -> Illegal | None:
    """5.10 CUs and leaders of the power that are not on the map come into a space free of enemies."""
    wrong = why_not_pieces(state, "5.10", command.power, command.space) or why_not_come(
        state, "5.10", command.power, command.space, command.units, command.leaders
    )
    if wrong is not None:
        return wrong
    if command.units > room_on_the_map(state, command.power):
        return Illegal(
            "5.10", "At most %(most)s CUs of %(power)s are on the map.", most=MOST, power=called(command.power)
        )
    for leader in command.leaders:
        if leader not in LEADERS or LEADERS[leader].power != command.power:
            return Illegal(
                "5.10", "%(leader)s is no leader of %(power)s.", leader=repr(leader), power=called(command.power)
            )
        if where(state, leader) is not None or command.leaders.count(leader) > 1:
            return Illegal("5.10", "%(leader)s is on the map already.", leader=called(leader))
    return None


def place(state: State, command: Place, dice: Dice) -> Handled[State]:
    """5.10 By hand: reinforcements, mercenaries, leaders."""
    state = state.moved_in(command.space, command.power, command.units, command.leaders)
    state = state.counted(command.power, placed=command.units)
    state = replace(state, displaced=tuple(name for name in state.displaced if name not in command.leaders))
    return state, (
        event(
            "5.10",
            "place",
            by_hand=True,
            power=command.power,
            space=command.space,
            units=command.units,
            leaders=list(command.leaders),
        ),
    )


def why_not_take(
    state: State, rule: str, power: str, space: str, units: int, leaders: tuple[str, ...]
) -> Illegal | None:
    """9.1 What is taken must stand there in the open, or behind the walls when nobody else is there."""
    wrong = why_not_pieces(state, rule, power, space)
    if wrong is not None:
        return wrong
    force = state.force(space, power)
    if not units and not leaders:
        return Illegal(rule, "Name CUs or leaders.")
    if units > force.total:
        return Illegal(
            rule,
            "In %(space)s are %(total)s CUs of %(power)s.",
            space=SPACES[space].name,
            total=force.total,
            power=called(power),
        )
    if not set(leaders) <= set(force.people) or len(set(leaders)) < len(leaders):
        return Illegal(rule, "Name leaders who stand in %(space)s, each once.", space=SPACES[space].name)
    return None


def taken(force: Force, units: int, leaders: tuple[str, ...]) -> Force:
    """CUs leave from the open first, then from behind the walls."""
    out = min(units, force.units)
    rest = force.without(out, leaders)
    inside = tuple(name for name in rest.inside_leaders if name not in leaders)
    return replace(rest, inside=rest.inside - (units - out), inside_leaders=inside)


def why_not_remove(state: State, command: Remove) -> Illegal | None:
    """5.5 What is removed must be there."""
    return why_not_take(state, "5.5", command.power, command.space, command.units, command.leaders)


def remove(state: State, command: Remove, dice: Dice) -> Handled[State]:
    """5.5 By hand: attrition, events, leaders who go; named leaders are put with the displaced."""
    force = taken(state.force(command.space, command.power), command.units, command.leaders)
    state = state.with_force(command.space, command.power, force).counted(command.power, removed=command.units)
    return state.displacing(command.leaders), (
        event(
            "5.5",
            "remove",
            by_hand=True,
            power=command.power,
            space=command.space,
            units=command.units,
            leaders=list(command.leaders),
        ),
    )


def why_not_move_by_hand(state: State, command: MoveByHand) -> Illegal | None:
    """7 What an event moves must be there, and not come upon enemies."""
    wrong = why_not_take(state, "7", command.power, command.space, command.units, command.leaders)
    if wrong is not None:
        return wrong
    if command.to not in SPACES or command.to == command.space:
        return Illegal("7", "%(to)s is no other space.", to=repr(command.to))
    return why_not_come(state, "7", command.power, command.to, command.units, command.leaders)


def move_by_hand(state: State, command: MoveByHand, dice: Dice) -> Handled[State]:
    """7 By hand: what an event moves. 10.1: nobody intercepts it."""
    force = taken(state.force(command.space, command.power), command.units, command.leaders)
    state = state.with_force(command.space, command.power, force)
    state = state.moved_in(command.to, command.power, command.units, command.leaders)
    return state, (
        event(
            "7",
            "move_by_hand",
            by_hand=True,
            power=command.power,
            start=command.space,
            end=command.to,
            units=command.units,
            leaders=list(command.leaders),
        ),
    )


def why_not_commander(state: State, command: SetCommander) -> Illegal | None:
    """8.2.1 The commander is one of the leaders there; a named leader is never under a minor one."""
    wrong = why_not_pieces(state, "8.2.1", command.power, command.space)
    if wrong is not None:
        return wrong
    leaders = state.force(command.space, command.power).leaders
    if command.leader not in leaders:
        return Illegal(
            "8.2.1",
            "%(leader)s does not stand in %(space)s.",
            leader=called(command.leader),
            space=SPACES[command.space].name,
        )
    if not may_follow(command.leader, leaders):
        return Illegal("8.2.1", "A named leader does not follow a minor one.")
    return None


def set_commander(state: State, command: SetCommander, dice: Dice) -> Handled[State]:
    """8.2.1 The named leader commands in the space from now on."""
    force = state.force(command.space, command.power)
    leaders = (command.leader, *(name for name in force.leaders if name != command.leader))
    state = state.with_force(command.space, command.power, replace(force, leaders=leaders))
    said = event("8.2.1", "commander", by_hand=True, power=command.power, space=command.space, leader=command.leader)
    return state, (said,)


def why_not_control(state: State, command: SetControl) -> Illegal | None:
    """7.3 A space is some power's or independent; only cities have loyalty."""
    if command.space not in SPACES:
        return Illegal("7.3", "There is no space %(space)s.", space=repr(command.space))
    if command.power not in (*POWERS, INDEPENDENT):
        return Illegal("7.3", "There is no power %(power)s.", power=repr(command.power))
    if command.loyalty is not None and not is_city(command.space):
        return Illegal("7.3", "%(space)s is no walled city.", space=SPACES[command.space].name)
    for power, force in state.forces.get(command.space, {}).items():
        if power != command.power and (force.inside or force.inside_leaders):
            return Illegal(
                "7.3",
                "Behind those walls are troops of %(power)s; take them out first.",
                power=called(power),
            )
    return why_not_by_hand(state, "7.3")


def set_control(state: State, command: SetControl, dice: Dice) -> Handled[State]:
    """7.3 By hand: political control, loyalty."""
    control = {space: power for space, power in state.control.items() if space != command.space}
    if command.power != home(command.space):
        control[command.space] = command.power
    loyalty = {space: value for space, value in state.loyalty.items() if space != command.space}
    value = state.loyalty_of(command.space) if command.loyalty is None else command.loyalty
    if value != printed_loyalty(command.space):
        loyalty[command.space] = value
    state = replace(state, control=control, loyalty=loyalty)
    return state, (event("7.3", "set_control", by_hand=True, space=command.space, power=command.power, loyalty=value),)


def why_not_siege(state: State, command: SetSiege) -> Illegal | None:
    """13 A siege is laid to a city or a tribe."""
    if command.space not in SPACES or SPACES[command.space].kind not in ("walled", "tribal"):
        return Illegal("13", "%(space)s is no walled city and no tribe.", space=repr(command.space))
    if command.level is None and command.space not in state.sieges:
        return Illegal("13", "%(space)s carries no siege marker.", space=SPACES[command.space].name)
    return why_not_by_hand(state, "13")


def set_siege(state: State, command: SetSiege, dice: Dice) -> Handled[State]:
    """13 By hand: the siege marker of a space."""
    sieges = {space: level for space, level in state.sieges.items() if space != command.space}
    if command.level is not None:
        sieges[command.space] = command.level
    state = replace(state, sieges=sieges)
    return state, (event("13", "set_siege", by_hand=True, space=command.space, level=command.level),)


def why_not_alliance(state: State, command: SetAlliance) -> Illegal | None:
    """15 An alliance is between two powers of two players."""
    for power in (command.power, command.other):
        if power not in PLAYED:
            return Illegal("15", "%(power)s is no power that a player plays.", power=repr(power))
    if PLAYED[command.power] == PLAYED[command.other]:
        return Illegal("15", "An alliance is between two players.")
    shares = together if not command.allied else meet
    if shares(state, command.power, command.other):
        return Illegal(
            "15.3",
            "With %(power)s stand %(other)s; part them first.",
            power=called(command.power),
            other=called(command.other),
        )
    return why_not_by_hand(state, "15")


def meet(state: State, one: str, other: str) -> bool:
    """15.3 Have the two CUs in one space, in the open or behind its walls? One besieges the other there."""
    both = [(state.force(space, one), state.force(space, other)) for space in state.forces]
    return any(first.total and second.total for first, second in both)


def together(state: State, one: str, other: str) -> bool:
    """15.3 Do the two stand in the open of one space?"""
    return any({one, other} <= set(standing(state, space)) for space in state.forces)


def set_alliance(state: State, command: SetAlliance, dice: Dice) -> Handled[State]:
    """15 By hand: an alliance holds once both have said so, and no more once one of them ends it.

    A power whose player has left agrees to nothing; the umpire may speak for either.
    """
    both, wish = pair(command.power, command.other), (command.power, command.other)
    rest = tuple(each for each in state.alliances if each != both)
    wishes = tuple(each for each in state.proposals if each not in (wish, wish[::-1]))
    agreed = wish[::-1] in state.proposals
    if not command.allied:
        state = replace(state, alliances=rest, proposals=wishes)
    elif both in state.alliances:
        state = replace(state, proposals=wishes)
    elif agreed:
        state = replace(state, alliances=(*rest, both), proposals=wishes)
    else:
        state = replace(state, proposals=(*wishes, wish))
    return state, (
        event(
            "15",
            "set_alliance",
            by_hand=True,
            power=command.power,
            other=command.other,
            allied=command.allied,
            holds=both in state.alliances,
        ),
    )


def why_not_points(state: State, command: SetPoints) -> Illegal | None:
    """4 Points are a power's."""
    return (
        None
        if command.power in PLAYED
        else Illegal("4", "%(power)s is no power that a player plays.", power=repr(command.power))
    )


def set_points(state: State, command: SetPoints, dice: Dice) -> Handled[State]:
    """4 By hand: victory points."""
    state = replace(state, vp={**state.vp, command.power: command.points})
    return state, (event("4", "set_points", by_hand=True, power=command.power, points=command.points),)


def set_unrest(state: State, command: SetUnrest, dice: Dice) -> Handled[State]:
    """20 By hand: the unrest of Carthage."""
    return replace(state, unrest=command.level), (event("20", "set_unrest", by_hand=True, level=command.level),)


def why_not_event(state: State, command: SetEvent) -> Illegal | None:
    """7 Only events that a rule here asks about are kept; the others go into the log as notes."""
    if command.event not in EVENTS:
        return Illegal("7", "Events kept here are %(list)s.", list=tuple(EVENTS))
    return None


def set_event(state: State, command: SetEvent, dice: Dice) -> Handled[State]:
    """7 By hand: an event is in force, or no more."""
    rest = tuple(each for each in state.events if each != command.event)
    state = replace(state, events=(*rest, command.event) if command.in_force else rest)
    return state, (event("7", "set_event", by_hand=True, event=command.event, in_force=command.in_force),)


def why_not_runner(state: State, command: SetRunner) -> Illegal | None:
    """16 Powers without a player are run by a seat."""
    if command.power not in POWERS or command.power in PLAYED:
        return Illegal("16", "%(power)s is no power without a player.", power=repr(command.power))
    if command.runner is not None and command.runner not in SEATS:
        return Illegal("16", "There is no seat %(runner)s.", runner=repr(command.runner))
    if any(together(state, command.power, other) for other in POWERS if other != command.power):
        return Illegal(
            "15.3", "With others in one space stand %(power)s; move one of them first.", power=called(command.power)
        )
    besieger = next((power for power in powers_of_runner(state, command) if meet(state, command.power, power)), None)
    if besieger is not None:
        return Illegal(
            "15.3",
            "With %(power)s stand %(other)s; part them first.",
            power=called(command.power),
            other=called(besieger),
        )
    return why_not_by_hand(state, "16")


def powers_of_runner(state: State, command: SetRunner) -> tuple[str, ...]:
    """16 The other powers that the new runner decides for."""
    others = (power for power in POWERS if power != command.power)
    return tuple(power for power in others if command.runner is not None and master(state, power) == command.runner)


def set_runner(state: State, command: SetRunner, dice: Dice) -> Handled[State]:
    """16 By hand: who decides for a power without a player."""
    runners = {power: seat for power, seat in state.runners.items() if power != command.power}
    if command.runner is not None:
        runners[command.power] = command.runner
    state = replace(state, runners=runners)
    return state, (event("16", "set_runner", by_hand=True, power=command.power, runner=command.runner),)


def note(state: State, command: Note, dice: Dice) -> Handled[State]:
    """7 A line for the log: a card's text, an agreement, a result."""
    return state, (event("7", "note", by_hand=True, seat=command.side, text=command.text),)
