"""Positions that differ only in a secret, of every system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strategic.punic_wars.rules.control import control
from tactical.kernel.hidden import seen_by
from tactical.kernel.protocol import System
from tactical.kernel.record import plain, read
from webapp.storage.journal.systems import systems


def twins(system: str, state: Any) -> Iterator[tuple[str, Any, Any]]:
    """A seat, and two positions that differ only in what it may not see."""
    rules = systems()[system]
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
