"""A campaign while somebody draws it: what each tap does to it. Only the engine says whether it can be played.

The position is whole but for what the start draws, deals or asks by itself (`System.anew`): so nothing in it is secret.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from strategic import SYSTEMS
from tactical.kernel.adjusting import put
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import UMPIRE, System
from tactical.kernel.record import BadInput, Record, check_fields, encode
from tactical.kernel.record import read as read_as
from webapp.pages.campaign.umpire.umpires_hand import LISTS_OF_LEADERS, NOT_BY_HAND, OF_SPACES, PLACED, Subject
from webapp.presenting.map.layout import has_map
from webapp.presenting.naming import records
from webapp.presenting.picture import Picture
from webapp.storage.errors import Unknown
from webapp.storage.journal import new_game
from webapp.systems.presentations import presentation

PAST = 30  # taps that can be gone back
OF_LEADERS = ("generals", "leaders")
ON_MAP = "board"  # the status of a leader who stands in a space


class Draft(Record, frozen=True):
    """The position as it stands, what undoes each of the last taps, what is shown, and an army that is being moved.

    `game` is the game under way that its umpire changes, as he saw it at version `seen`; empty for a new campaign.
    """

    system: str
    position: dict[str, Any]
    title: str = ""
    past: tuple[dict[str, list[Any]], ...] = ()
    of: str = "game"
    army: str = ""
    game: str = ""
    seen: int = 0

    @property
    def space(self) -> str:
        """The space that is shown, if one is."""
        return self.of.removeprefix("space.") if self.of.startswith("space.") else ""

    def showing(self, of: str) -> Draft:
        """The same with something else to change."""
        return msgspec.structs.replace(self, of=of, army="")


def system_of(name: str) -> System:
    """A system with a map. Raises Unknown."""
    if name not in SYSTEMS:
        raise Unknown(f"There is no system '{name}' here.")
    return SYSTEMS[name]


def source() -> Dice:
    """Dice for a try, which nobody sees."""
    below = random_source(random.Random(0).randrange)
    return Dice(source=below, secret=below)


@cache
def first_state(system: str, scenario: str) -> bytes:
    """The position that a scenario begins with, in full."""
    return bytes(encode(system_of(system).start(scenario, None, {}, source()).state))


def without_anew(system: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """A position without what a start finds by itself."""
    return {name: value for name, value in state.items() if name not in SYSTEMS[system].anew}


@cache
def beginnings(system: str) -> tuple[str, ...]:
    """The scenarios that can be drawn on: those on a map that do not begin in the middle of a move."""
    if not has_map(system):
        return ()
    return tuple(
        each.id
        for each in system_of(system).scenarios()
        if fault(Draft(system, without_anew(system, msgspec.json.decode(first_state(system, each.id))))) is None
    )


def from_scenario(system: str, scenario: str, title: str = "") -> Draft:
    """A draft of a scenario as it begins. Raises Unknown."""
    if scenario not in beginnings(system):
        raise Unknown("There is no such scenario.")
    return Draft(system, without_anew(system, msgspec.json.decode(first_state(system, scenario))), title)


def open_draft(system: str, position: Mapping[str, Any], title: str = "") -> Draft:
    """A draft of a position that was loaded or typed; what it leaves out the engine fills in. Raises BadInput."""
    draft = Draft(system, dict(position), title)
    if set(position) < set(without_anew(system, first_of(draft))):
        begun = new_game.start(system_of(system), None, position, {}, source()).state
        draft = msgspec.structs.replace(draft, position=msgspec.json.decode(encode(begun)))
    draft = msgspec.structs.replace(draft, position=without_anew(system, draft.position))
    read(draft)
    return draft


def first_of(draft: Draft) -> dict[str, Any]:
    """The scenario that lends a draft the fields that it has not: its own, where it names one, else the first."""
    known = [each.id for each in system_of(draft.system).scenarios()]
    named = str(draft.position.get("scenario", ""))
    found: dict[str, Any] = msgspec.json.decode(first_state(draft.system, named if named in known else known[0]))
    return found


def whole(draft: Draft) -> dict[str, Any]:
    """The position with what is drawn anew as a scenario has it, so that it can be read."""
    return {**first_of(draft), **draft.position}


def read(draft: Draft) -> Any:
    """The position as a record, whatever contradicts itself in it. Raises BadInput."""
    raw = whole(draft)
    state = read_as(raw, system_of(draft.system).state, "position")
    check_fields(draft.position, msgspec.json.decode(encode(state)), "position")
    return state


def fault(draft: Draft) -> BadInput | None:
    """What the engine has against the position; None when a campaign can begin from it, or is under way."""
    if draft.game:
        return None
    try:
        new_game.start(system_of(draft.system), None, draft.position, {}, source())
    except BadInput as found:
        return found
    return None


def picture(draft: Draft) -> Picture:
    """What the map shows of it. Raises BadInput where nothing can be shown."""
    try:
        return presentation(draft.system).picture(umpire_view(draft))
    except new_game.BROKEN as broken:
        raise BadInput("position", "this position cannot be shown (%(error)s)", error=type(broken).__name__) from None


def umpire_view(draft: Draft) -> dict[str, Any]:
    """The position as its umpire would see it."""
    found: dict[str, Any] = msgspec.json.decode(encode(system_of(draft.system).view(read(draft), UMPIRE)))
    return found


def subject(draft: Draft) -> Subject:
    """The position as the umpire's hand shows one; what is drawn anew is left apart."""
    system = system_of(draft.system)
    apart = NOT_BY_HAND.union(system.internal)
    if not draft.game:
        apart = apart.union(system.anew) - {"deck"}
    state = read(draft)
    return Subject(
        draft.system, tuple(system.sides(state)), msgspec.json.decode(encode(state)), system.state, frozenset(apart)
    )


# Taps ------------------------------------------------------------------------------------------------------


def change_fields(draft: Draft, changes: Mapping[str, Any]) -> Draft:
    """Fields set by their paths, and one tap more to go back. Raises BadInput for what a field cannot hold."""
    state, raw = read(draft), msgspec.json.decode(encode(whole(draft)))
    for path, value in changes.items():
        try:
            put(raw, state, path, value)
        except BadInput as wrong:
            raise BadInput(wrong.path.removeprefix("changes."), wrong.why) from None
    after = msgspec.structs.replace(draft, position=raw if draft.game else without_anew(draft.system, raw))
    read(after)
    undoes = dict(undoing(draft.position, after.position))
    return msgspec.structs.replace(after, past=(*draft.past, undoes)[-PAST:]) if undoes else after


def undoing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """What stood in the fields that have changed, one level deep: a list of the value, or of nothing."""
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name), new.get(name)
        if isinstance(was, Mapping) and isinstance(now, Mapping):
            for key in dict.fromkeys((*was, *now)):
                if was.get(key) != now.get(key) or (key in was) != (key in now):
                    yield f"{name}.{key}", [was[key]] if key in was else []
        elif was != now:
            yield name, [was] if name in old else []


def before(draft: Draft) -> Draft:
    """The position as it was before the last change. Raises BadInput for a past that fits nothing."""
    if not draft.past:
        return draft
    *past, last = draft.past
    position = dict(draft.position)
    for path, held in last.items():
        name, _dot, key = path.partition(".")
        within = dict(position.get(name) or {}) if key else position
        within.pop(key or name, None)
        if held:
            within[key or name] = held[0]
        position = {**position, name: within} if key else within
    after = msgspec.structs.replace(draft, position=position, past=tuple(past), army="")
    read(after)
    return after


def set_field(draft: Draft, path: str, value: Any) -> Draft:
    """One field set, with what goes with it; refused when the engine has something against this very field."""
    after = change_fields(draft, {path: value, **going_along(draft, path, value)})
    found = fault(after)
    if found is not None and isinstance(value, int) and (value < 0 or found.path.removeprefix("position.") == path):
        raise BadInput(path, found.why)
    return after


def without(draft: Draft, name: str) -> Draft:
    """A field left out of the position, and one tap more to go back."""
    position = {known: value for known, value in draft.position.items() if known != name}
    past = (*draft.past, dict(undoing(draft.position, position)))[-PAST:]
    return msgspec.structs.replace(draft, position=position, past=past)


def going_along(draft: Draft, path: str, value: Any) -> dict[str, Any]:
    """What follows from a leader's place: who is put in a space is on the map, who is not has no space."""
    family, _dot, rest = path.partition(".")
    leader, _dot, field = rest.rpartition(".")
    record = (draft.position.get(family) or {}).get(leader) if family in OF_LEADERS else None
    if not isinstance(record, Mapping):
        return {}
    at = f"{family}.{leader}."
    if field in PLACED and value is not None:
        return {at + name: put_to for name, put_to in (("status", ON_MAP), ("fate", "")) if name in record}
    is_off = (field == "status" and value != ON_MAP) or (field == "fate" and value)
    return {at + name: None for name in PLACED if name in record} if is_off else {}


def brought(draft: Draft, leader: str, space: str) -> Draft:
    """A leader comes to a space, from wherever he is. Raises BadInput."""
    for family in OF_LEADERS:
        record = (draft.position.get(family) or {}).get(leader)
        if record is not None:
            field = next(name for name in PLACED if name in record)
            return set_field(draft, f"{family}.{leader}.{field}", space)
    for record in records(draft.system, "leaders"):
        if record.get("id") == leader and "forces" in draft.position:
            here = f"forces.{space}.{record['power']}"
            known = draft.position["forces"].get(space, {}).get(record["power"], {})
            return change_fields(
                draft, {**taken_out(draft, leader), f"{here}.leaders": [*known.get("leaders", ()), leader]}
            )
    raise BadInput("leader", "there is no such leader")


def taken_out(draft: Draft, leader: str) -> dict[str, Any]:
    """The lists in which a leader stands, without him."""
    found = {}
    for path, names in lists_of_leaders(draft.position.get("forces", {}), "forces"):
        if leader in names:
            found[path] = [name for name in names if name != leader]
    return found


def lists_of_leaders(raw: Any, at: str) -> Iterator[tuple[str, list[str]]]:
    """Each list of leaders below a path."""
    for name, value in raw.items() if isinstance(raw, Mapping) else ():
        if name in LISTS_OF_LEADERS and isinstance(value, list):
            yield f"{at}.{name}", value
        else:
            yield from lists_of_leaders(value, f"{at}.{name}")


def move_army(draft: Draft, to: str) -> Draft:
    """The army in hand goes to a space, with its leaders. Raises BadInput."""
    start, _slash, side = draft.army.partition("/")
    there = msgspec.structs.replace(draft, army="", of=f"space.{to}")
    if to == start:
        return there
    changes: dict[str, Any] = {}
    for family in OF_SPACES:
        own = (draft.position.get(family) or {}).get(start)
        force = own.get(side) if isinstance(own, Mapping) else None
        if isinstance(force, Mapping):
            known = ((draft.position[family].get(to) or {}).get(side)) or {}
            changes |= join_forces(force, known, f"{family}.{start}.{side}", f"{family}.{to}.{side}")
    leaders = [leader.id for stack in picture(draft).at(start) if stack.side == side for leader in stack.leaders]
    for family in OF_LEADERS:
        for leader in leaders:
            record = (draft.position.get(family) or {}).get(leader) or {}
            changes |= {f"{family}.{leader}.{name}": to for name in PLACED if name in record}
    if not changes:
        raise BadInput("army", "nobody stands there")
    return change_fields(there, changes)


def join_forces(force: Mapping[str, Any], known: Mapping[str, Any], start: str, to: str) -> dict[str, Any]:
    """The counts and lists of one force added to another's, and taken from where they were."""
    changes: dict[str, Any] = {}
    for name, value in force.items():
        if isinstance(value, bool):
            continue
        if isinstance(value, int):
            changes |= {f"{start}.{name}": 0, f"{to}.{name}": int(known.get(name) or 0) + value}
        elif isinstance(value, list):
            changes |= {f"{start}.{name}": [], f"{to}.{name}": [*(known.get(name) or ()), *value]}
    return changes


def clear_map(draft: Draft) -> Draft:
    """Nobody stands on the map any more, so that it can be filled from nothing."""
    changes: dict[str, Any] = {}
    for family in ("stacks", "forces"):
        changes |= {f"{family}.{space}": None for space in draft.position.get(family) or ()}
    for space, place in (draft.position.get("spaces") or {}).items():
        for side, force in place.items():
            if isinstance(force, Mapping):
                changes |= {f"spaces.{space}.{side}.{name}": 0 for name, count in force.items() if count}
    for family in OF_LEADERS:
        for leader, record in (draft.position.get(family) or {}).items():
            if any(record.get(name) for name in PLACED):
                changes |= off_map(record, f"{family}.{leader}")
    return change_fields(draft, changes) if changes else draft


def strike_army(draft: Draft, army: str) -> Draft:
    """The army of a side in a space is taken off the map, its leaders go to the pool. Raises BadInput."""
    space, _slash, side = army.partition("/")
    changes: dict[str, Any] = {}
    for family in OF_SPACES:
        own = (draft.position.get(family) or {}).get(space)
        force = own.get(side) if isinstance(own, Mapping) else None
        for name, value in force.items() if isinstance(force, Mapping) else ():
            nothing: Any = [] if isinstance(value, list) else 0 if isinstance(value, int) else value
            changes |= {f"{family}.{space}.{side}.{name}": nothing} if not isinstance(value, bool) else {}
    led = {leader.id for stack in picture(draft).at(space) if stack.side == side for leader in stack.leaders}
    for family in OF_LEADERS:
        for leader in led & set(draft.position.get(family) or ()):
            changes |= off_map(draft.position[family][leader], f"{family}.{leader}")
    if not changes:
        raise BadInput("army", "nobody stands there")
    return change_fields(draft, changes)


def off_map(record: Mapping[str, Any], at: str) -> dict[str, Any]:
    """The fields of a leader who stands nowhere."""
    off = {"status": "pool"} if "status" in record else {"fate": "pool"}
    return {f"{at}.{name}": value for name, value in ({name: None for name in PLACED if name in record} | off).items()}


def change_ships(draft: Draft, side: str, is_more: bool) -> Draft:
    """One ship more in the port of a side, or its last one fewer. Raises BadInput."""
    fleet = (draft.position.get("ships") or {}).get(side)
    if not isinstance(fleet, list):
        raise BadInput("ships", "there is no such side")
    if not is_more:
        return change_fields(draft, {f"ships.{side}": fleet[:-1]}) if fleet else draft
    built = presentation(draft.system).built(read(draft), side)
    raw = msgspec.json.decode(encode(built))
    return change_fields(draft, {f"ships.{side}": raw["ships"][side], f"named.{side}": raw["named"][side]})
