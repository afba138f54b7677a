"""Positions that differ only in a secret, of every system."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from strategic.punic_wars.rules.control import control
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import SPECTATOR, Illegal, NotYours, System, seen_by
from tactical.kernel.record import BadInput, encode, plain, read
from webapp.storage.journal.store import all_systems


def twins(system: str, state: Any) -> Iterator[tuple[str, Any, Any]]:
    """A seat, and two positions that differ only in what it may not see."""
    rules = all_systems()[system]
    raw = plain(state)
    sides = rules.sides(state)
    if system == "galley" and state.step == "plot":
        for seat in sides:
            other = {
                name: ship for name, ship in raw["ships"].items() if ship["side"] != seat and ship["plot"] is not None
            }
            if other:
                plots = {
                    name: {**ship, "plot": ship["plot"] - 1 if ship["plot"] > 0 else 1} for name, ship in other.items()
                }
                yield seat, state, read({**raw, "ships": {**raw["ships"], **plots}}, rules.state)
    elif system == "punic_wars":
        for seat in sides:
            hidden = [
                (at, side)
                for at, here in raw["stacks"].items()
                for side in here
                if side in sides and side != seat and not state.occupied(at, seat) and here[side]["land"] > 0
            ]
            stacks = {at: dict(here) for at, here in raw["stacks"].items()}
            for at, side in hidden[:3]:
                stacks[at][side] = {**stacks[at][side], "land": stacks[at][side]["land"] + 1}
            other = read({**raw, "stacks": stacks}, rules.state)
            if hidden and control(other) == control(state):  # who controls a region is open to all
                yield seat, state, other
    elif system not in ("galley", "hannibal", "hamilcar", "sword_of_rome"):
        yield from exchanged(rules, state)
    elif system != "galley":
        for seat in sides:
            hands = {side: list(hand) for side, hand in raw["hands"].items()}
            if system == "sword_of_rome":
                other = {side: [card % 3 + 1 for card in hand] for side, hand in hands.items()}
                hands = {side: hand if side == seat else other[side] for side, hand in hands.items()}
            deck = list(reversed(raw.get("deck", ())))
            others = [side for side in sides if side != seat]
            for side in others[:1] if deck and raw["hands"][others[0]] else ():
                hands[side][0], deck[0] = deck[0], hands[side][0]
            yield seat, state, read({**raw, "hands": hands, **({"deck": deck} if deck else {})}, rules.state)


def exchanged(rules: System, state: Any) -> Iterator[tuple[str, Any, Any]]:
    """For each side the position with two secrets of one kind exchanged, by what the system declares as hidden."""
    roots = {secret.path.split(".")[0] for secret in rules.hidden}
    hidden_in = {name: part for name, part in plain(state).items() if name in roots}
    found = ((path, value, seen_by(state, path, rules.hidden)) for path, value in leaves_of(hidden_in))
    leaves = [(path, value, readers) for path, value, readers in found if readers is not None]
    for seat in rules.sides(state):
        kinds: dict[tuple[str, type], list[tuple[str, Any]]] = {}
        for path, value, readers in leaves:
            if seat not in readers:
                kinds.setdefault((path.split(".")[0], type(value)), []).append((path, value))
        for hidden in kinds.values():
            different = (other for other in hidden if other[1] != hidden[0][1])
            if (other := next(different, None)) is not None:
                (one, value), (path, held) = hidden[0], other
                yield seat, state, read(put(put(plain(state), one, held), path, value), rules.state)
                break


def leaves_of(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number and text of a position, with its path."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inner:
        yield from leaves_of(part, f"{path}.{name}" if path else str(name))
    if isinstance(value, int | str) and not isinstance(value, bool):
        yield path, value


def put(raw: Any, path: str, value: Any) -> Any:
    """The position with one leaf changed."""
    *way, last = path.split(".")
    at = raw
    for name in way:
        at = at[int(name)] if isinstance(at, list) else at[name]
    at[int(last) if isinstance(at, list) else last] = value
    return raw


# Every secret at once ------------------------------------------------------------------------------------

TRIES = 8  # positions that are tried for the secrets of one name
PLACES = frozenset(("at", "space", "to", "near", "home", "course"))  # fields of places, wherever they stand
NO_SECRETS = (
    "begun",
)  # hidden from views only because it follows from what stands there: a phase that is asked about has begun
OPEN = ("punic_wars",)  # systems that show everybody something of a secret: of a stack the topmost counter (7.32)


def far_twin(rules: System, state: Any, seat: str, throw: random.Random) -> tuple[Any, list[str]]:
    """The position with all changed that the seat may not see, as far as it stands; and the paths that were changed."""
    hidden = hidden_from(rules, state, seat)
    seen = seen_leaves(rules, state, seat)
    twin, changed = state, []
    for edits in (*dealt_anew(hidden, throw), *others_of(plain(state), hidden, throw)):
        tries, waiting = TRIES, [edits]
        while waiting and tries:
            tries, now = tries - 1, waiting.pop()
            found = edited(rules, state, twin, seat, now, seen)
            if found is not None:
                twin = found
                changed += [path for path, _ in now]
            elif len(now) > 1:
                half = len(now) // 2
                waiting += [now[half:], now[:half]]
    return twin, changed


def hidden_from(rules: System, state: Any, seat: str) -> list[tuple[str, Any]]:
    """Every leaf that the seat may not see, by what the system declares."""
    found = ((path, value, seen_by(state, path, rules.hidden)) for path, value in all_leaves(plain(state)))
    return [(path, value) for path, value, readers in found if readers is not None and seat not in readers]


def dealt_anew(hidden: list[tuple[str, Any]], throw: random.Random) -> Iterator[list[tuple[str, Any]]]:
    """Everything that lies in hidden lists, as cards in hands and decks, dealt anew."""
    for kind in (int, str):
        lie = [(path, value) for path, value in hidden if type(value) is kind and path.rpartition(".")[2].isdigit()]
        values = [value for _, value in lie]
        throw.shuffle(values)
        yield [(path, value) for (path, held), value in zip(lie, values, strict=True) if value != held]


def others_of(raw: Any, hidden: list[tuple[str, Any]], throw: random.Random) -> Iterator[list[tuple[str, Any]]]:
    """Hidden leaves, name by name, with another value that fields of the name have in the position, or a neighbour's."""
    pools: dict[str, list[Any]] = {}
    for path, value in all_leaves(raw):
        pools.setdefault(field_of(path), []).append(value)
    fields: dict[tuple[str, str], list[tuple[str, Any]]] = {}
    for path, value in hidden:
        if path in NO_SECRETS:
            continue
        here = [each for each in pools[field_of(path)] if type(each) is type(value) and each != value]
        other = not value if isinstance(value, bool) else throw.choice(here) if here else value
        if other == value and isinstance(value, int):
            other = value + 1
        if other != value:
            fields.setdefault((path.partition(".")[0], field_of(path)), []).append((path, other))
    yield from fields.values()


def field_of(path: str) -> str:
    """What is alike to a leaf: the last name of its path that is not a number; all places are."""
    names = [name for name in path.split(".") if not name.isdigit()]
    return "at" if names[-1] in PLACES else names[-1]


def all_leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number, text and yes or no of a position, with its path."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for name, part in inner:
        yield from all_leaves(part, f"{path}.{name}" if path else str(name))
    if isinstance(value, int | str):
        yield path, value


def edited(rules: System, state: Any, twin: Any, seat: str, edits: list[tuple[str, Any]], seen: dict[str, Any]) -> Any:
    """The twin with these changes; None where such a position does not stand, or is no longer a twin."""
    raw = msgspec.json.decode(encode(plain(twin)))
    for path, value in edits:
        put(raw, path, value)
    try:
        found = rules.start(
            None, {name: part for name, part in raw.items() if name != "ledger"}, {}, Dice(secret=lambda sides: 1)
        ).state
    except (Illegal, NotYours, BadInput):
        return None
    if rules.name in OPEN and encode(rules.view(found, SPECTATOR)) != encode(rules.view(state, SPECTATOR)):
        return None
    is_like = {path for path, _ in all_leaves(plain(found))} == {path for path, _ in all_leaves(raw)}
    return found if is_like and seen_leaves(rules, found, seat) == seen else None


def seen_leaves(rules: System, state: Any, seat: str) -> dict[str, Any]:
    """What the seat may see by what the system declares."""
    found = ((path, value, seen_by(state, path, rules.hidden)) for path, value in all_leaves(plain(state)))
    return {path: value for path, value, readers in found if readers is None or seat in readers}
