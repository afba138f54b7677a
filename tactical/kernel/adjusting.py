"""The umpire's hand, once for every system: fields set by their paths, with a reason, in the open but for secrets.

A path leads through the position as its JSON is written: `ships.r1.damage`, `spaces.rome.control`, `hands.rome.0`.
A change of a field that a system has declared as hidden (`hidden`) is told by its path alone to whoever may not see
the field, in the event and in the journal's command (`journal.command_seen_by`), and whole to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from tactical.kernel.hidden import Secret, common, seen_by
from tactical.kernel.protocol import ADJUSTED, UMPIRE, Event, event
from tactical.kernel.record import BadInput, Input, check_fields, encode, read

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
