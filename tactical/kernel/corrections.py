"""What is changed by hand: by the umpire, or by a player with the word of the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tactical.kernel.dice import Dice
from tactical.kernel.protocol import (
    ADJUSTED,
    UMPIRE,
    Action,
    Event,
    Handled,
    Illegal,
    Offer,
    Secret,
    common,
    event,
    seen_by,
    tag_of,
)
from tactical.kernel.record import BadInput, Input, Reason, Record, check_fields, decode, encode, plain, read

# -- The umpire's hand, once for every system: fields set by their paths, with a reason, in the open but for secrets.
#
# A path leads through the position as its JSON is written: `ships.r1.damage`, `spaces.rome.control`, `hands.rome.0`.
# A change of a field that a system has declared as hidden (`hidden`) is told by its path alone to whoever may not see
# the field, in the event and in the journal's command (`journal.command_seen_by`), and whole to the others.

S = TypeVar("S")
HIDDEN = "(hidden)"
MISSING: Any = object()


class Adjust(Input, frozen=True, tag="adjust"):
    """Set fields of the position, each by its path, and say why."""

    changes: dict[str, Any]
    why: str


def adjust(
    state: S,
    changes: Mapping[str, Any],
    why: str,
    rule: str,
    secrets: Sequence[Secret[S]],
    check: Callable[[S], None],
    finish: Callable[[S], S] = lambda state: state,
) -> tuple[S, tuple[Event, ...]]:
    """Set the fields and tell it: one open event, and one for each group of seats that may see more.

    `finish` fills in what follows from the fields, `check` raises BadInput for a contradiction. Raises BadInput with
    the path in `changes` for a field that does not exist or has the wrong shape, and in `why` for an empty reason.
    """
    if not why.strip():
        raise BadInput("why", "an adjustment needs a reason")
    after, before = change(state, changes, check, finish)
    return after, tuple(events_of(state, after, changes, before, why, rule, secrets))


def change(
    state: S, changes: Mapping[str, Any], check: Callable[[S], None], finish: Callable[[S], S] = lambda state: state
) -> tuple[S, dict[str, Any]]:
    """The position with these fields set, and what stood in them; `finish`, `check` and BadInput as in `adjust`."""
    if not changes:
        raise BadInput("changes", "name at least one field to change")
    raw = as_json(state)
    before = {path: put(raw, state, path, value) for path, value in changes.items()}
    with_fields: S = read(raw, type(state), "changes")
    understood = as_json(with_fields)
    for path, value in changes.items():
        seen = found(understood, path)
        if seen is MISSING and value is not None:
            raise BadInput(f"changes.{path}", "there is no such field")
        check_fields(value, seen, f"changes.{path}")
    after = finish(with_fields)
    try:
        check(after)
    except BadInput as fault:
        raise BadInput(f"changes.{fault.path}", fault.why) from None
    return after, before


def events_of(
    state: S,
    after: S,
    changes: Mapping[str, Any],
    before: Mapping[str, Any],
    why: str,
    rule: str,
    secrets: Sequence[Secret[S]],
) -> Iterator[Event]:
    """The open event, with hidden fields named only, and the whole truth for those who may see them."""
    seats = {path: common(seen_by(state, path, secrets), seen_by(after, path, secrets)) for path in changes}
    hidden = [path for path in changes if seats[path] is not None]
    yield event(
        rule,
        ADJUSTED,
        reveals=True,
        why=why,
        hidden=hidden,
        changes={path: HIDDEN if path in hidden else value for path, value in changes.items()},
        before={path: HIDDEN if path in hidden else value for path, value in before.items()},
    )
    for owners in sorted({seats[path] or () for path in hidden}):
        own = [path for path in hidden if seats[path] == owners]
        yield event(
            rule,
            ADJUSTED,
            reveals=True,
            only=owners or (UMPIRE,),
            why=why,
            hidden=[],
            changes={path: changes[path] for path in own},
            before={path: before[path] for path in own},
        )


def as_json(state: Any) -> Any:
    """The position as its JSON is read back: lists, and mappings by names."""
    return msgspec.json.decode(encode(state))


def put(raw: Any, state: Any, path: str, value: Any) -> Any:
    """Set the field at the path of `raw`, and return what stood there; `state` is the same as records.

    A mapping takes new names, and loses one that is set to nothing; a record only has its own fields, a list only
    its own places. Raises BadInput for a path that leads nowhere.
    """
    *way, last = path.split(".")
    wrong = BadInput(f"changes.{path}", "there is no such field")
    for name in way:
        if isinstance(state, Mapping) and name not in raw:
            raw[name], state = {}, MISSING
        raw, state = child(raw, state, name, wrong)
    if isinstance(raw, list):
        child(raw, state, last, wrong)
        old, raw[int(last)] = raw[int(last)], value
        return old
    if not isinstance(raw, dict) or (is_record(state) and last not in state.__struct_fields__):
        raise wrong
    old = raw.get(last)
    if value is None and isinstance(state, Mapping):
        raw.pop(last, None)
    else:
        raw[last] = value
    return old


def child(raw: Any, state: Any, name: str, wrong: BadInput) -> tuple[Any, Any]:
    """What a name leads to, in plain values and in records."""
    if isinstance(raw, list) and name.isdigit() and int(name) < len(raw):
        return raw[int(name)], state[int(name)] if isinstance(state, Sequence) else MISSING
    if not isinstance(raw, dict):
        raise wrong
    if state is MISSING:
        return raw.setdefault(name, {}), MISSING
    if is_record(state):
        if name not in state.__struct_fields__ or name not in raw:
            raise wrong
        return raw[name], getattr(state, name)
    if name not in raw:
        raise wrong
    within = state if isinstance(state, Mapping) else {}
    return raw[name], next((value for key, value in within.items() if str(key) == name), MISSING)


def is_record(value: Any) -> bool:
    """Is it a record, whose fields are fixed?"""
    return isinstance(value, msgspec.Struct)


def found(raw: Any, path: str) -> Any:
    """The plain value at a path; MISSING where there is none."""
    for name in path.split("."):
        if isinstance(raw, dict) and name in raw:
            raw = raw[name]
        elif isinstance(raw, list) and name.isdigit() and int(name) < len(raw):
            raw = raw[int(name)]
        else:
            return MISSING
    return raw


# -- What a player sets by hand and is not his alone to set: it waits in the position for the word of the others.
#
# A system says which of its commands are by hand, which of them are the player's own affair (`is_own`), and whose word
# is
# wanted (`word`: an option of the game). A wish that waits stands in the state's field `wishes` by its number, with the
# events by which it would be told. Whoever may answer gives `approve`; once enough have agreed, the command is carried
# out as if it had just been given. The field is left out where nothing waits, so that older positions are the same.

Word = Literal["at_once", "one", "all", "umpire"]
Carry = Callable[[S, Any, Dice], Handled[S]]
NUMBER = re.compile("[1-9][0-9]{0,3}")
MOST = 20  # wishes of one seat that wait at the same time


class Wish(Record, frozen=True):
    """A command by hand that waits: whose, what it would be told by (open events), and who has agreed so far.

    The command is kept as JSON, because its fields are paths and no names.
    """

    seat: str
    command: str
    what: tuple[dict[str, Any], ...] = ()
    agreed: tuple[str, ...] = ()


Wishes = dict[str, Wish] | UnsetType


class Approve(Input, frozen=True, tag="approve"):
    """The word of a side, or of the umpire, on what another has set by hand; who has set it may take it back."""

    side: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    wish: Annotated[int, msgspec.Meta(ge=1, le=9999)]
    allow: bool


@dataclass(frozen=True)
class Approval(Generic[S]):
    """How a system asks for the word of the others.

    `rule` is the paragraph, `commands` the union by which commands are read, `actions` the commands by hand by their
    type. `word(state)` says whose word is wanted, `is_own(state, seat, command)` whether the command needs none,
    `others(state, seat)` who is there to give it.
    """

    rule: str
    commands: Any
    actions: Mapping[type, Action[S]]
    word: Callable[[S], Word]
    is_own: Callable[[S, str, Any], bool]
    others: Callable[[S, str], tuple[str, ...]]

    def wrap(self, state: S, seat: str, command: Any, dice: Dice, carry: Carry[S]) -> Handled[S]:
        """Carry the command out, or let it wait. Raises what it would raise now: nothing waits that is not possible."""
        if type(command) not in self.actions or self.is_at_once(state, seat, command):
            return carry(state, command, dice)
        _, events = carry(state, command, Dice(secret=lambda sides: 1))
        wishes = wishes_in(state)
        number = 1 + max(map(int, wishes), default=0)
        wish = Wish(seat, encode(command).decode(), open_events(events))
        told: tuple[Event, ...] = (event(self.rule, "wished", seat=seat, wish=number, what=list(wish.what)),)
        if any(each.only for each in events):
            told += (event(self.rule, "wished_in_secret", only=(seat,), seat=seat, wish=number),)
        return with_wishes(state, {**wishes, str(number): wish}), told

    def is_at_once(self, state: S, seat: str, command: Any) -> bool:
        """Does the command need nobody's word? The umpire's never do, nor does anybody's who is alone."""
        if seat == UMPIRE or self.word(state) == "at_once" or not self.others(state, seat):
            return True
        return self.is_own(state, seat, command)

    def why_not_wish(self, state: S, seat: str, command: Any) -> Illegal | None:
        """Only so many wishes of a seat wait at the same time."""
        own = sum(wish.seat == seat for wish in wishes_in(state).values())
        if own < MOST or self.is_at_once(state, seat, command):
            return None
        return Illegal(self.rule, "Too many of your changes by hand still await agreement: take one back first.")

    def why_not_approve(self, state: S, command: Approve) -> Illegal | None:
        """There must be such a wish; the others agree or refuse, who wishes it takes it back."""
        wish = wishes_in(state).get(str(command.wish))
        if wish is None:
            return Illegal(self.rule, "No change by hand with this number is waiting.")
        if command.side == wish.seat:
            return Illegal(self.rule, "The others must agree to your change.") if command.allow else None
        if command.side != UMPIRE and self.word(state) == "umpire":
            return Illegal(self.rule, "Only the umpire may answer this.")
        if command.side != UMPIRE and command.side not in self.others(state, wish.seat):
            return Illegal(self.rule, "This side has left the game.")
        if not command.allow:
            return None
        if not self.is_enough(state, wish, command.side):
            return Illegal(self.rule, "This side has already agreed.") if command.side in wish.agreed else None
        return self.why_not_now(state, wish)

    def is_enough(self, state: S, wish: Wish, side: str) -> bool:
        """Is the wish granted once this side agrees, too?"""
        if side == UMPIRE or self.word(state) != "all":
            return True
        return set(self.others(state, wish.seat)) <= {*wish.agreed, side}

    def why_not_now(self, state: S, wish: Wish) -> Illegal | None:
        """Why what was wished is not possible any more, or has come to mean something else."""
        try:
            command = decode(wish.command, self.commands)
            action = self.actions[type(command)]
            whose = action.whose(state, command) if action.whose is not None else None
            wrong = action.why_not(state, command)
            if wrong is None and (whose is None or wish.seat in whose):
                _, events = action.do(state, command, Dice(secret=lambda sides: 1))
                if open_events(events) == wish.what:
                    return None
        except Illegal as fault:
            return fault
        return wrong or Illegal(self.rule, "The position has changed in the meantime: make the change again.")

    def approve(self, state: S, command: Approve, dice: Dice) -> Handled[S]:
        """Note the word; grant the wish once enough have agreed, drop it when one refuses."""
        wishes = dict(wishes_in(state))
        wish = wishes.pop(str(command.wish))
        about: dict[str, Any] = {"side": command.side, "seat": wish.seat, "wish": command.wish}
        if not command.allow:
            kind = "wish_taken_back" if command.side == wish.seat else "wish_refused"
            return with_wishes(state, wishes), (event(self.rule, kind, **about),)
        agreed = event(self.rule, "wish_agreed", **about)
        if not self.is_enough(state, wish, command.side):
            wish = replace(wish, agreed=(*wish.agreed, command.side))
            return with_wishes(state, {**wishes_in(state), str(command.wish): wish}), (agreed,)
        given = decode(wish.command, self.commands)
        state, events = self.actions[type(given)].do(with_wishes(state, wishes), given, dice)
        return state, (agreed, *events)

    def offers(self, state: S, seat: str) -> Iterator[Offer]:
        """What the seat may answer to each wish that waits."""
        for number in map(int, wishes_in(state)):
            said = [Approve(seat, number, allow) for allow in (True, False)]
            possible = [each.allow for each in said if self.why_not_approve(state, each) is None]
            if possible:
                allow = possible if len(possible) > 1 else possible[0]
                yield Offer("approve", self.rule, {"side": seat, "wish": number, "allow": allow})


def complaints(
    state: Any, commands: Any, by_hand: Collection[str], others: Callable[[Any, str], tuple[str, ...]]
) -> Iterator[tuple[str, Reason]]:
    """What a position may not say of its wishes: the path to the field, and what is wrong.

    `commands` is the union by which commands are read, `by_hand` their kinds that may wait, `others` as in Approval.
    """
    for number, wish in wishes_in(state).items():
        there = others(state, wish.seat)
        if not NUMBER.fullmatch(number):
            yield f"wishes.{number}", Reason("pending changes are numbered from 1")
        elif not there or not set(wish.agreed) <= set(there):
            yield f"wishes.{number}.seat", Reason("there is no such seat")
        elif kind_of(wish.command, commands) not in by_hand:
            yield f"wishes.{number}.command", Reason("this is not a command that can be given by hand")


def kind_of(command: str, commands: Any) -> str:
    """The kind of a command that is written as JSON; empty when it is none."""
    try:
        return tag_of(type(decode(command, commands)))
    except BadInput:
        return ""


def wishes_in(state: Any) -> Mapping[str, Wish]:
    """The wishes that wait, by their numbers."""
    found: Wishes = state.wishes
    return {} if isinstance(found, UnsetType) else found


def with_wishes(state: S, wishes: Mapping[str, Wish]) -> S:
    """The position with these wishes."""
    changed: S = replace(state, wishes=dict(wishes) or UNSET)  # type: ignore[type-var]
    return changed


def without_wishes_of(state: S, seat: str) -> S:
    """The position without the wishes of a seat that leaves, and without its word on those of others."""
    kept = {
        number: replace(wish, agreed=tuple(each for each in wish.agreed if each != seat))
        for number, wish in wishes_in(state).items()
        if wish.seat != seat
    }
    return with_wishes(state, kept)


def open_events(events: tuple[Event, ...]) -> tuple[dict[str, Any], ...]:
    """The events that everybody may see, flat and as their JSON reads back."""
    return tuple(plain(each.flat()) for each in events if not each.only)
