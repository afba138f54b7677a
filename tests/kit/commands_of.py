"""Commands from offers and beside them: every command that an offer stands for, and near misses of it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
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
    """The command with one field changed: to a neighbour, to what another offer has there, to a part of a list, or to a
    list with one thing in it changed.
    """
    fields = [name for name in command if name != "type"]
    if not fields:
        return None
    name = throw.choice(fields)
    value = command[name]
    candidates = [each for each in [*pools.get(name, []), *beside(value, throw)] if not same(each, value)]
    return {**command, name: throw.choice(candidates)} if candidates else None


def beside(value: Any, throw: random.Random) -> list[Any]:
    """Values beside this one; of a list or a table also with one thing in it changed, however deep it lies."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value - 1, value + 1, 0]
    if isinstance(value, list | tuple) and value:
        place = throw.randrange(len(value))
        within = [[*value[:place], each, *value[place + 1 :]] for each in beside(value[place], throw)]
        return [list(value[1:]), list(value[:-1]), [], *within]
    if isinstance(value, dict) and value:
        key = throw.choice(list(value))
        within = [{**value, key: each} for each in beside(value[key], throw)]
        return [{each: value[each] for each in value if each != key}, *within]
    return []


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


def legal_but_not_offered(
    rules: System,
    state: Any,
    seat: str,
    throw: random.Random,
    tries: int,
    one_by_one: Mapping[str, tuple[str, str]],
    free: Collection[str],
) -> dict[str, Any]:
    """By kind a command that is legal, comes to something of its own and is not on offer: so many near misses of offers
    and all plain commands are tried. `free` kinds are left out; `one_by_one`: see Facts.
    """
    missing: dict[str, Any] = {}
    offers = rules.offers(state, seat)
    pools = pools_of(offers)
    for _ in range(tries if offers else 0):
        offered = picked(throw.choice(offers), 1, throw)[0]
        command = near(offered, pools, throw)
        if command is None or command["type"] in free or command["type"] in missing:
            continue
        if not is_read(rules, command) or is_covered(rules, command, offers) or is_empty(command):
            continue
        if refusal(rules, state, seat, command) is not None or not is_a_choice(rules, state, seat, command, offered):
            continue
        if not by_steps(rules, state, seat, command, one_by_one) and is_another(rules, state, seat, command):
            missing[command["type"]] = (seat, command)
    for command in plain_commands(rules, seat) if offers else ():
        if command["type"] in free or is_covered(rules, command, offers):
            continue
        if refusal(rules, state, seat, command) is None and is_another(rules, state, seat, command):
            missing[command["type"]] = (seat, command)
    return missing


def by_steps(
    rules: System, state: Any, seat: str, command: dict[str, Any], one_by_one: Mapping[str, tuple[str, str]]
) -> bool:
    """Does it say at once what is on offer one by one, and come to the same?"""
    name, kind = one_by_one.get(command["type"], ("", ""))
    if not name:
        return False
    come_to, rest = encode(after(rules, state, seat, command).state), list[Any]()
    for part in command.get(name, ()):
        step = {"type": kind, **part}
        if is_covered(rules, step, rules.offers(state, seat)):
            state = after(rules, state, seat, step).state
        else:
            rest.append(part)
    last = {**command, name: rest}
    return (
        is_covered(rules, last, rules.offers(state, seat)) and encode(after(rules, state, seat, last).state) == come_to
    )


def is_a_choice(rules: System, state: Any, seat: str, command: dict[str, Any], offered: dict[str, Any]) -> bool:
    """Does it come to anything, and to something else than the command on offer that is nearest to it?"""
    come_to = encode(after(rules, state, seat, command).state)
    return come_to not in (encode(state), encode(after(rules, state, seat, offered).state))


def is_another(rules: System, state: Any, seat: str, command: dict[str, Any]) -> bool:
    """Does it come to something else than everything on offer? A short form may say what an offer spells out."""
    come_to = encode(after(rules, state, seat, command).state)
    offered = (each for offer in rules.offers(state, seat) for each in picked(offer, 400, random.Random(1)))
    return all(encode(after(rules, state, seat, each).state) != come_to for each in offered)


def is_empty(command: dict[str, Any]) -> bool:
    """Does it name nobody and no number? A longer way to say that one does nothing, which is on offer as such."""
    numbers = [value for value in command.values() if not isinstance(value, str)]
    return bool(numbers) and not any(numbers)


def is_read(rules: System, command: dict[str, Any]) -> bool:
    """Has it the shape of a command?"""
    try:
        read(command, rules.command)
    except ValueError:
        return False
    return True
