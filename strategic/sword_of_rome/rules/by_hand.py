"""What the fragment does not describe is done by the players; the log keeps it, with the paragraph it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from strategic.sword_of_rome.commands import ByHand
from strategic.sword_of_rome.rules.checks import check, on_map
from strategic.sword_of_rome.rules.hand_fields import owners, row_of
from strategic.sword_of_rome.rules.survey import master, may_follow, pair, standing
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.tables import PLAYED, POWERS, SPACES, home, name_of, printed_loyalty
from tactical.kernel import adjusting
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, Handled, Illegal, event, refuse
from tactical.kernel.record import BadInput


def whose(state: State, command: ByHand) -> tuple[str, ...] | None:
    """Whose command it is: every field's owner's, and the side's that writes the note; () the umpire's alone."""
    asked = [owners(state, command.changes, path) for path in command.changes]
    if command.side is not None:
        asked.append(() if command.side == UMPIRE else (command.side,))
    kept = [{seat for seat in each if seat is not None} for each in asked if each is not None]
    return tuple(sorted(set.intersection(*kept))) if kept else None


def why_not_by_hand(state: State, command: ByHand) -> Illegal | None:
    """7 Why these fields may not be set so."""
    try:
        result(state, command)
    except Illegal as wrong:
        return wrong
    return None


def by_hand(state: State, command: ByHand, dice: Dice) -> Handled[State]:
    """7 The fields are set and told, then the note."""
    after = result(state, command)
    noted = (event("7", "note", by_hand=True, seat=command.side, text=command.note),) if command.note else ()
    return after, (*events_of(state, after, command.changes), *noted)


def result(state: State, command: ByHand) -> State:
    """The position with the fields set. Raises Illegal with the paragraph of the field that is wrong."""
    changes = command.changes
    if command.note and command.side is None:
        raise Illegal("7", "Say which side writes the note.")
    if not changes:
        if not command.note:
            raise Illegal("7", "Choose a field to change, or write a note.")
        return state
    if state.is_over:
        raise Illegal("4", "The game is over.")
    rule = rule_of(state, changes)
    for path, value in changes.items():
        refuse(why_not_set(state, rule, path, value))
    refuse(why_not_friends(state, changes))
    after = switch(state, changes)
    fields = {path: value for path, value in changes.items() if path.split(".")[0] not in ("alliances", "events")}
    if fields:
        try:
            after, _ = adjusting.change(without_markers(after, fields), fields, check, lambda raw: settle(state, raw))
        except BadInput as fault:
            raise Illegal(rule, fault.why) from None
    for place, power in forces_in(changes):
        refuse(why_not_stand(rule, state, after, place, power))
    return after


def rule_of(state: State, changes: Mapping[str, Any]) -> str:
    """The paragraph: of pieces 5.10 when they come, 5.5 when they go, 7 when they move, 8.2.1 for their order."""
    growth = [
        value - old if isinstance(value, int) else len(value) - len(old)
        for path, value in changes.items()
        if path.startswith("forces.") and (row := row_of(path)) is not None and row.takes(value)
        for _, space, power, field in (path.split("."),)
        for old in (getattr(state.force(space, power), field),)
    ]
    if growth:
        comes, goes = any(more > 0 for more in growth), any(more < 0 for more in growth)
        return {(True, False): "5.10", (False, True): "5.5", (True, True): "7"}.get((comes, goes), "8.2.1")
    return next((row.rule for path in changes if (row := row_of(path)) is not None), "7")


def why_not_set(state: State, rule: str, path: str, value: Any) -> Illegal | None:
    """2.2 The path must be in the table, its value possible; 7 in mid-action only the umpire's `adjust` sets most."""
    row = row_of(path)
    if row is None:
        return Illegal(rule, "%(path)s cannot be set by hand.", path=path)
    if not row.anytime and (state.pending or state.move is not None):
        return Illegal(rule, "An action is under way; until it ends only the umpire can change the map, with `adjust`.")
    if not row.takes(value):
        return Illegal(rule, "%(path)s cannot be %(value)s.", path=path, value=repr(value))
    return None


def forces_in(changes: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The forces that are changed, by space and power, each once."""
    names = (path.split(".") for path in changes if path.startswith("forces."))
    return list(dict.fromkeys((space, power) for _, space, power, _ in names))


def why_not_stand(rule: str, before: State, after: State, space: str, power: str) -> Illegal | None:
    """9.4, 15.3 What comes by hand does not stand in the open with another power's CUs; 8.2.1 who commands there.

    9.3.1: who goes behind the walls and comes out again follows from who stands before them.
    """
    old, new = before.force(space, power), after.force(space, power)
    came = set(new.people) - set(old.people)
    others = [other for other in standing(after, space) if other != power]
    if others and (came or new.total > old.total):
        return Illegal(rule, "There are CUs of %(who)s in %(space)s.", who=name_of(others[0]), space=SPACES[space].name)
    shelters = new.inside > old.inside or (new.inside < old.inside and new.units > old.units)
    if shelters or set(new.inside_leaders) - set(old.inside_leaders) or set(new.leaders) & set(old.inside_leaders):
        return Illegal("9.3.1", "A move by hand cannot lead inside the walls or out of them.")
    is_named = new.leaders != tuple(name for name in old.leaders if name in new.leaders)
    if is_named and new.leaders and not may_follow(new.leaders[0], new.leaders[1:]):
        return Illegal("8.2.1", "A named leader cannot follow a minor one.")
    return None


def why_not_friends(state: State, changes: Mapping[str, Any]) -> Illegal | None:
    """15, 15.3, 16 An alliance is between two players, and besieger and besieged do not become friends."""
    for path, value in changes.items():
        head, *names = path.split(".")
        others: tuple[str, ...] = ()
        if head == "alliances":
            if PLAYED[names[0]] == PLAYED[names[1]]:
                return Illegal("15", "An alliance must be between two players.")
            others = (names[1],) if value else ()
        elif head == "runners" and value is not None:
            others = tuple(other for other in POWERS if other != names[0] and master(state, other) == value)
        for other in others:
            if meet(state, names[0], other):
                return Illegal(
                    "15.3",
                    "%(other)s %(other|stands|stand)s with %(power)s; separate them first.",
                    power=name_of(names[0]),
                    other=name_of(other),
                )
    return None


def meet(state: State, one: str, other: str) -> bool:
    """15.3 Have the two CUs in one space, in the open or behind its walls? One besieges the other there."""
    both = [(state.force(space, one), state.force(space, other)) for space in state.forces]
    return any(first.total and second.total for first, second in both)


def switch(state: State, changes: Mapping[str, Any]) -> State:
    """7, 15 The position with its events, and with its alliances as they are wished or ended."""
    for path, value in changes.items():
        head, *names = path.split(".")
        if head == "events":
            rest = tuple(each for each in state.events if each != names[0])
            state = replace(state, events=(*rest, names[0]) if value else rest)
        elif head == "alliances":
            state = ally(state, names[0], names[1]) if value else part(state, names[0], names[1])
    return state


def ally(state: State, power: str, other: str) -> State:
    """15 An alliance holds once both have said so; the umpire may speak for a power whose player has left."""
    both, wish = pair(power, other), (power, other)
    if both in state.alliances or wish[::-1] in state.proposals:
        rest = tuple(each for each in state.alliances if each != both)
        kept = (*state.alliances,) if both in state.alliances else (*rest, both)
        return replace(part(state, power, other), alliances=kept)
    return replace(state, proposals=(*(each for each in state.proposals if each != wish), wish))


def part(state: State, power: str, other: str) -> State:
    """15 An alliance holds no more once one of the two ends it; nor does anybody wish for it."""
    both = pair(power, other)
    return replace(
        state,
        alliances=tuple(each for each in state.alliances if each != both),
        proposals=tuple(each for each in state.proposals if pair(*each) != both),
    )


def without_markers(state: State, changes: Mapping[str, Any]) -> State:
    """The position without the markers that are set anew: what is set last stands last."""
    kept = {
        field: {name: value for name, value in getattr(state, field).items() if f"{field}.{name}" not in changes}
        for field in ("control", "loyalty", "sieges", "runners")
    }
    return replace(state, **kept)


def settle(before: State, state: State) -> State:
    """What follows from the fields: 8.4 who is displaced, CUs that came into play or went, markers that are at home."""
    forces = {
        space: kept
        for space, here in state.forces.items()
        if (kept := {power: force for power, force in here.items() if force.total or force.people})
    }
    state = replace(
        state,
        forces=forces,
        control={space: power for space, power in state.control.items() if power != home(space)},
        loyalty={space: value for space, value in state.loyalty.items() if value != printed_loyalty(space)},
    )
    state = with_counts(before, state)
    here = [name for powers in state.forces.values() for force in powers.values() for name in force.people]
    state = replace(state, displaced=tuple(name for name in state.displaced if name not in here))
    people = (name for powers in before.forces.values() for force in powers.values() for name in force.people)
    return state.displacing(tuple(name for name in people if name not in here))


def with_counts(before: State, state: State) -> State:
    """3 CUs that came onto the map by hand have come into play, those that left it have gone out of it."""
    old, new = on_map(before), on_map(state)
    for power in POWERS:
        more = new.get(power, 0) - old.get(power, 0)
        state = state.counted(power, placed=max(0, more), removed=max(0, -more))
    return state


def events_of(before: State, after: State, changes: Mapping[str, Any]) -> Iterator[Event]:
    """7 What was set, one event for each thing that a player would name."""
    for power in dict.fromkeys(power for _, power in forces_in(changes)):
        yield from told_of_forces(before, after, power, [space for space, who in forces_in(changes) if who == power])
    spaces = [path.split(".")[1] for path in changes if path.split(".")[0] in ("control", "loyalty")]
    for space in dict.fromkeys(spaces):
        power, loyalty = after.controller(space), after.loyalty_of(space)
        yield event("7.3", "set_control", by_hand=True, space=space, power=power, loyalty=loyalty)
    for path, value in changes.items():
        match path.split("."):
            case ["sieges", space]:
                yield event("13", "set_siege", by_hand=True, space=space, level=value)
            case ["alliances", power, other]:
                holds = pair(power, other) in after.alliances
                about: dict[str, Any] = {"power": power, "other": other, "allied": value, "holds": holds}
                yield event("15", "set_alliance", by_hand=True, **about)
            case ["runners", power]:
                yield event("16", "set_runner", by_hand=True, power=power, runner=value)
            case ["vp", power]:
                yield event("4", "set_points", by_hand=True, power=power, points=value)
            case ["unrest"]:
                yield event("20", "set_unrest", by_hand=True, level=value)
            case ["events", name]:
                yield event("7", "set_event", by_hand=True, event=name, in_force=value)


def told_of_forces(before: State, after: State, power: str, spaces: list[str]) -> Iterator[Event]:
    """5.10, 5.5, 7, 8.2.1 Pieces that came, went, or went from one space to another; who commands there now."""
    came: list[dict[str, Any]] = []
    gone: list[dict[str, Any]] = []
    for space in spaces:
        old, new = before.force(space, power), after.force(space, power)
        for list_, more, less in ((came, new, old), (gone, old, new)):
            units = max(0, more.total - less.total)
            leaders = [name for name in more.people if name not in less.people]
            if units or leaders:
                list_.append({"space": space, "units": units, "leaders": leaders})
        if set(old.leaders) == set(new.leaders) and old.leaders != new.leaders:
            yield event("8.2.1", "commander", by_hand=True, power=power, space=space, leader=new.leaders[0])
    if len(came) == len(gone) == 1 and {**came[0], "space": ""} == {**gone[0], "space": ""}:
        start, end, moved = gone[0]["space"], came[0]["space"], {**came[0]}
        del moved["space"]
        yield event("7", "move_by_hand", by_hand=True, power=power, start=start, end=end, **moved)
        return
    for each in gone:
        yield event("5.5", "remove", by_hand=True, power=power, **each)
    for each in came:
        yield event("5.10", "place", by_hand=True, power=power, **each)


def empty(force: Force, units: int, leaders: tuple[str, ...]) -> Force:
    """The force without CUs and leaders who go: from the open first, then from behind the walls."""
    out = min(units, force.units)
    rest = force.without(out, leaders)
    inside = tuple(name for name in rest.inside_leaders if name not in leaders)
    return replace(rest, inside=rest.inside - (units - out), inside_leaders=inside)
