"""Commands from offers and beside them: every command that an offer stands for, and near misses of it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Offer, Outcome, System, by_trying
from tactical.kernel.record import BadInput, encode, plain, read


def ones() -> Dice:
    """Dice that all fall on one, and draws of the first card."""
    return Dice(source=lambda sides: 1, secret=lambda sides: 1)


def after(system: System, state: Any, seat: str, command: dict[str, Any]) -> Outcome[Any]:
    """The outcome of a command, with those dice."""
    return system.apply(state, seat, read(command, system.command), ones())


def choices(value: Any) -> Sequence[Any]:
    """What a field of an offer may be."""
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, dict) and value.keys() == {"from", "to"}:
        return range(value["from"], value["to"] + 1)
    return [value]


def expanded(offer: Offer) -> Iterator[dict[str, Any]]:
    """Every command that the offer stands for."""
    names = list(offer.fields)
    for combination in itertools.product(*(choices(offer.fields[name]) for name in names)):
        yield {"type": offer.type, **dict(zip(names, combination, strict=True))}


def size(offer: Offer) -> int:
    """How many commands that is."""
    count = 1
    for value in offer.fields.values():
        count *= len(choices(value))
    return count


def picked(offer: Offer, count: int, throw: random.Random) -> list[dict[str, Any]]:
    """All commands of the offer, or so many of them by chance."""
    if size(offer) <= count:
        return list(expanded(offer))
    return [
        {"type": offer.type, **{name: throw.choice(choices(value)) for name, value in offer.fields.items()}}
        for _ in range(count)
    ]


@cache
def record_of(system: System, kind: str) -> Any:
    """The type of a command by its tag."""
    union = getattr(system.command, "__args__", (system.command,))
    return next(each for each in union if each.__struct_config__.tag == kind)


def defaults(system: System, kind: str) -> dict[str, Any]:
    """What a command's fields are when nobody names them."""
    found = {}
    for field in msgspec.structs.fields(record_of(system, kind)):
        if field.default is not msgspec.NODEFAULT:
            found[field.name] = plain(field.default)
        elif field.default_factory is not msgspec.NODEFAULT:
            found[field.name] = plain(field.default_factory())
    return found


def is_covered(system: System, command: dict[str, Any], offers: Sequence[Offer]) -> bool:
    """Does an offer stand for this command, fields left out having their defaults?"""
    whole = plain(read(command, system.command))
    usual = defaults(system, command["type"])
    return any(
        offer.type == command["type"]
        and all(
            any(same(value, each) for each in choices(offer.fields[name]))
            if name in offer.fields
            else same(value, usual.get(name))
            for name, value in whole.items()
            if name != "type"
        )
        for offer in offers
    )


def same(one: Any, other: Any) -> bool:
    """Equal as JSON."""
    return one == other or encode(one) == encode(other)


def near(command: dict[str, Any], pools: dict[str, list[Any]], throw: random.Random) -> dict[str, Any] | None:
    """The command with one field changed: to a neighbour, to what another offer has there, or to a part of a list."""
    fields = [name for name in command if name != "type"]
    if not fields:
        return None
    name = throw.choice(fields)
    value = command[name]
    candidates = list(pools.get(name, []))
    if isinstance(value, bool):
        candidates += [not value]
    elif isinstance(value, int):
        candidates += [value - 1, value + 1, 0]
    elif isinstance(value, list | tuple) and value:
        candidates += [list(value[1:]), list(value[:-1]), []]
    elif isinstance(value, dict) and value:
        key = throw.choice(list(value))
        candidates += [{each: value[each] for each in value if each != key}]
        if isinstance(value[key], int):
            candidates += [{**value, key: value[key] - 1}, {**value, key: value[key] + 1}]
    candidates = [each for each in candidates if not same(each, value)]
    return {**command, name: throw.choice(candidates)} if candidates else None


def pools_of(offers: Sequence[Offer]) -> dict[str, list[Any]]:
    """What any offer has in a field of that name."""
    found: dict[str, list[Any]] = {}
    for offer in offers:
        for name, value in offer.fields.items():
            found.setdefault(name, []).extend(choices(value)[:20])
    return found


def refusal(system: System, state: Any, seat: str, command: dict[str, Any]) -> Exception | None:
    """What `apply` refuses the command with; None when it is legal."""
    try:
        said = read(command, system.command)
    except BadInput as wrong:
        return wrong
    return by_trying(system.apply)(state, seat, said)


def perft(system: System, state: Any, depth: int) -> int:
    """How many sequences of so many commands there are, all dice being ones; every one but the last is carried out."""
    count = 0
    for seat in system.waiting_for(state):
        for offer in system.offers(state, seat):
            if depth == 1:
                count += size(offer)
            else:
                count += sum(
                    perft(system, after(system, state, seat, each).state, depth - 1) for each in expanded(offer)
                )
    return count


def plain_commands(rules: System, seat: str) -> list[dict[str, Any]]:
    """The commands that name nothing but, perhaps, a side."""
    found = []
    for kind in rules.command.__args__:
        needed = {field.name for field in msgspec.structs.fields(kind) if field.required}
        if needed <= {"side"}:
            found.append({"type": kind.__struct_config__.tag, **({"side": seat} if needed else {})})
    return found
