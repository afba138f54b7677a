"""7 What the players do by hand, whose word it wants, and older commands for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, get_args

from msgspec.structs import replace

from strategic.sword_of_rome import commands as old
from strategic.sword_of_rome.commands import AnyCommand, ByHand, OldCommand, SetModifier, TakeCard
from strategic.sword_of_rome.rules import battle, turn
from strategic.sword_of_rome.rules.checks import check, on_map
from strategic.sword_of_rome.rules.survey import is_own, master, may_follow, others, pair, powers_of, seat_of, standing
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
    TABLES,
    home,
    is_city,
    name_of,
    printed_loyalty,
)
from tactical.kernel import corrections
from tactical.kernel.corrections import Approval, Wish, Wishes, kind_of, wishes_in, with_wishes
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import (
    UMPIRE,
    Action,
    Event,
    Handled,
    Illegal,
    Seats,
    Settable,
    by_attempt,
    by_check,
    event,
    refuse,
    tag_of,
)
from tactical.kernel.record import BadInput

# -- What a side may set by hand: the paths, whose they are, and what may stand there.

Owners = Callable[[State, list[str]], tuple[str | None, ...] | None]
CITIES = tuple(space for space in SPACES if is_city(space))
NAMES: dict[str, tuple[str, ...]] = {
    "SPACE": tuple(SPACES),
    "CITY": CITIES,
    "TOWN": tuple(space for space in SPACES if SPACES[space].kind in ("walled", "tribal")),
    "POWER": POWERS,
    "PLAYED": tuple(power for power in POWERS if power in PLAYED),
    "OTHER": tuple(power for power in POWERS if power in PLAYED),
    "UNPLAYED": tuple(power for power in POWERS if power not in PLAYED),
    "EVENT": tuple(EVENTS),
}


def anybody(state: State, names: list[str]) -> None:
    """Any side's."""
    return None


def of_power(state: State, names: list[str]) -> tuple[str | None, ...]:
    """The seat's that decides for the power in the path."""
    return tuple(seat_of(state, name) for name in names if name in POWERS)[:1]


def of_holder(state: State, names: list[str]) -> tuple[str | None, ...]:
    """The seat's that decides for the power that controls the space; a new holder is asked in `owners`."""
    return (seat_of(state, state.controller(names[1])),)


@dataclass(frozen=True)
class Row:
    """Fields of one kind: the path with names in capitals for what they stand for, the paragraph, whose they are.

    `values` may stand there: a range, choices, or names of which several may be given (`several`); None empties the
    field. `anytime`: in the midst of an action too.
    """

    path: str
    rule: str
    owners: Owners
    values: Sequence[Any]
    several: bool = False
    anytime: bool = False

    @property
    def parts(self) -> list[str]:
        """The path's names, one by one."""
        return self.path.split(".")

    def fits(self, path: str) -> bool:
        """Is this path one of these fields?"""
        names = path.split(".")
        pairs = zip(names, self.parts, strict=False)
        return len(names) == len(self.parts) and all(name in NAMES.get(part, (part,)) for name, part in pairs)

    def takes(self, value: Any) -> bool:
        """May this value stand there?"""
        if self.several:
            return isinstance(value, list | tuple) and all(name in self.values for name in value)
        return value in self.values and isinstance(value, bool) == isinstance(self.values[0], bool)


ROWS = (
    Row("forces.SPACE.POWER.units", "5.10", of_power, range(MOST + 1)),
    Row("forces.SPACE.POWER.leaders", "5.10", of_power, tuple(LEADERS), several=True),
    Row("forces.CITY.POWER.inside", "5.10", of_power, range(TABLES.avoidance.in_city + 1)),
    Row("forces.CITY.POWER.inside_leaders", "5.10", of_power, tuple(LEADERS), several=True),
    Row("control.SPACE", "7.3", of_holder, (INDEPENDENT, *POWERS)),
    Row("loyalty.CITY", "7.3", of_holder, range(10)),
    Row("sieges.TOWN", "13", anybody, (None, *range(10))),
    Row("alliances.PLAYED.OTHER", "15", of_power, (True, False)),
    Row("runners.UNPLAYED", "16", anybody, (None, *SEATS)),
    Row("vp.PLAYED", "4", of_power, range(13), anytime=True),
    Row("unrest", "20", anybody, range(11), anytime=True),
    Row("events.EVENT", "7", anybody, (True, False), anytime=True),
)


def row_of(path: str) -> Row | None:
    """The row of a path; None when nobody sets it by hand."""
    return next((row for row in ROWS if row.fits(path)), None)


def owners(state: State, changes: dict[str, Any], path: str) -> tuple[str | None, ...] | None:
    """Whose field it is, None for anybody's; 7.3 who gets a space may take it, and set its loyalty with it."""
    row = row_of(path)
    if row is None:
        return None
    found = row.owners(state, path.split("."))
    new = changes.get(f"control.{path.rpartition('.')[2]}") if row.owners is of_holder else None
    return found if found is None or new not in POWERS else (*found, seat_of(state, str(new)))


def settable(state: State, seat: str) -> Iterator[Settable]:
    """Every field that the seat may set now; a space that it does not hold it may take."""
    busy = bool(state.pending) or state.move is not None
    mine = powers_of(state, seat)
    for row in ROWS if not state.is_over and seat not in state.resigned else ():
        for names in product(*(NAMES.get(part, (part,)) for part in row.parts)) if row.anytime or not busy else ():
            if names[0] == "alliances" and PLAYED[names[1]] == PLAYED[names[2]]:
                continue
            whose = row.owners(state, list(names))
            if whose is None or seat in whose:
                values = of_leaders(names[2]) if row.several else row.values
                yield Settable(".".join(names), value_of(state, names), values, row.several)
            elif row.owners is of_holder and names[0] == "control" and mine:
                yield Settable(".".join(names), value_of(state, names), (state.controller(names[1]), *mine))


def of_leaders(power: str) -> tuple[str, ...]:
    """8.1 The leaders of a power."""
    return tuple(name for name, leader in LEADERS.items() if leader.power == power)


def value_of(state: State, names: tuple[str, ...]) -> Any:
    """What stands in a field; a wish for an alliance is as good as the alliance."""
    match names:
        case ("forces", space, power, field):
            return getattr(state.force(space, power), field)
        case ("control", space):
            return state.controller(space)
        case ("loyalty", space):
            return state.loyalty_of(space)
        case ("alliances", power, other):
            return pair(power, other) in state.alliances or (power, other) in state.proposals
        case ("events", name):
            return name in state.events
        case (field, name):
            return getattr(state, field).get(name, 0 if field == "vp" else None)
        case _:
            return getattr(state, names[0])


# -- What the fragment does not describe is done by the players; the log keeps it, with the paragraph it belongs to.


def whose(state: State, command: ByHand) -> tuple[str, ...] | None:
    """Whose command it is: every field's owner's, and the side's that writes the note; () the umpire's alone."""
    asked = [owners(state, command.changes, path) for path in command.changes]
    if command.side is not None:
        asked.append(() if command.side == UMPIRE else (command.side,))
    kept = [{seat for seat in each if seat is not None} for each in asked if each is not None]
    return tuple(sorted(set.intersection(*kept))) if kept else None


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
            after, _ = corrections.change(without_markers(after, fields), fields, check, lambda raw: settle(state, raw))
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


# -- Commands of earlier versions as the command `by_hand` that they have become.

RULES = {old.Place: "5.10", old.Remove: "5.5", old.MoveByHand: "7", old.SetCommander: "8.2.1"}


def upgrade(state: State, command: old.OldCommand) -> ByHand:
    """The command as `by_hand`. Raises Illegal for pieces that are not there."""
    match command:
        case old.Note(side=side, text=text):
            return ByHand(note=text, side=side)
        case old.SetControl(space=space, power=power, loyalty=loyalty):
            if loyalty is None and space in CITIES:
                loyalty = state.loyalty_of(space)
            return ByHand({f"control.{space}": power} | ({} if loyalty is None else {f"loyalty.{space}": loyalty}))
        case old.SetSiege(space=space, level=level):
            return ByHand({f"sieges.{space}": level})
        case old.SetAlliance(power=power, other=other, allied=allied):
            return ByHand({f"alliances.{power}.{other}": allied})
        case old.SetPoints(power=power, points=points):
            return ByHand({f"vp.{power}": points})
        case old.SetUnrest(level=level):
            return ByHand({"unrest": level})
        case old.SetEvent(event=event, in_force=in_force):
            return ByHand({f"events.{event}": in_force})
        case old.SetRunner(power=power, runner=runner):
            return ByHand({f"runners.{power}": runner})
        case _:
            return ByHand(pieces(state, command))


def pieces(state: State, command: old.Place | old.Remove | old.MoveByHand | old.SetCommander) -> dict[str, Any]:
    """The fields of the forces that an old command changes. Raises Illegal for what is not there."""
    rule, power, here = RULES[type(command)], command.power, command.space
    force = state.force(here, power)
    if isinstance(command, old.SetCommander):
        if command.leader not in force.leaders:
            why = "%(leader)s does not stand in %(space)s."
            raise Illegal(rule, why, leader=name_of(command.leader), space=space_name(here))
        rest = tuple(name for name in force.leaders if name != command.leader)
        return fields(
            here, power, force, Force(force.units, (command.leader, *rest), force.inside, force.inside_leaders)
        )
    units, leaders = command.units, command.leaders
    if not units and not leaders:
        raise Illegal(rule, "Name the CUs or leaders that are meant.")
    if isinstance(command, old.Place):
        return fields(here, power, force, force.joined_by(units, leaders))
    if units > force.total:
        why = "In %(space)s are %(total)s CUs of %(power)s."
        raise Illegal(rule, why, space=space_name(here), total=force.total, power=name_of(power))
    if not set(leaders) <= set(force.people) or len(set(leaders)) < len(leaders):
        raise Illegal(rule, "Name leaders who stand in %(space)s, each once.", space=space_name(here))
    gone = fields(here, power, force, empty(force, units, leaders))
    if isinstance(command, old.Remove):
        return gone
    if command.to not in SPACES or command.to == here:
        raise Illegal(rule, "The army is already in %(to)s.", to=repr(command.to))
    there = state.force(command.to, power)
    return gone | fields(command.to, power, there, there.joined_by(units, leaders))


def fields(space: str, power: str, before: Force, after: Force) -> dict[str, Any]:
    """The fields of a force that are not as before."""
    changed = (name for name in Force.__struct_fields__ if getattr(before, name) != getattr(after, name))
    return {f"forces.{space}.{power}.{name}": getattr(after, name) for name in changed}


def space_name(space: str) -> str:
    """A space by its name, or by what was written for it."""
    return SPACES[space].name if space in SPACES else repr(space)


def whose_old(state: State, command: old.OldCommand) -> tuple[str, ...] | None:
    """Whose command it is: that of the fields' owners. Raises Illegal for what is not there."""
    return whose(state, upgrade(state, command))


def do(state: State, command: old.OldCommand, dice: Dice) -> Handled[State]:
    """The fields are set."""
    return by_hand(state, upgrade(state, command), dice)


# -- 7 What is set by hand and is not the player's own affair waits for the word of others, as the group has chosen.

OLD = get_args(OldCommand)
BY_HAND: tuple[Action[State], ...] = (
    Action(ByHand, "7", by_hand, by_check(result), whose=whose),
    *(Action(old, "7", do, by_attempt(do), whose=whose_old) for old in OLD),
    Action(TakeCard, "6.2", turn.take_card, turn.why_not_take_card),
    Action(SetModifier, "12.2", battle.set_modifier, lambda state, _: why_not_modify(state)),
)


def why_not_modify(state: State) -> Illegal | None:
    """12.2 A card changes a battle that is still to be rolled."""
    return None if state.asks("battle") else Illegal("12.2", "No battle is waiting for a roll.")


def is_own_command(state: State, seat: str, command: Any) -> bool:
    """7 The same of a command of an earlier version, as what it has become."""
    if isinstance(command, OLD):
        try:
            command = upgrade(state, command)
        except Illegal:
            return True  # it is refused anyway
    return is_own(state, seat, command)


APPROVAL: Approval[State] = Approval(
    rule="7",
    commands=AnyCommand,
    actions={each.command: each for each in BY_HAND},
    word=lambda state: state.options.by_hand,
    is_own=is_own_command,
    others=others,
)


# -- 6.1 A card that a seat takes by hand, while it waits for the word of the others: its value is the seat's own.

TAKING = tag_of(TakeCard)


def takes_it(state: State, stars: tuple[str, ...]) -> Seats:
    """6.1 The seat that takes the card of this wish; everybody where it is not about a card."""
    wish = wishes_in(state).get(stars[0])
    return (wish.seat,) if wish is not None and is_taking(wish) else None


def is_taking(wish: Wish) -> bool:
    """6.1 Does it take a card, however its JSON is written?"""
    return kind_of(wish.command, AnyCommand) == TAKING


def seen_wishes(state: State, seat: str) -> Wishes:
    """6.1 What waits, as the seat may see it: without the command by which another takes a card."""
    found = {number: of_seat(wish, seat) for number, wish in wishes_in(state).items()}
    return with_wishes(state, found).wishes


def of_seat(wish: Wish, seat: str) -> Wish:
    """One wish as the seat may see it."""
    return wish if wish.seat == seat or not is_taking(wish) else replace(wish, command="")
