"""An answer that names a space, given by a tap on the map: what each space costs, the way there, what follows.

The offers of the engine say which spaces there are; a system's `Naming` says what each of them costs and what follows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from tactical.kernel.protocol import Offer
from webapp.presenting.campaign_labels import command_title, field_word
from webapp.presenting.map import svg as map_svg
from webapp.presenting.map.layout import sheet
from webapp.presenting.march_preview import Amount, Choosing, Footstep, Goals, Mark, Tint, Walker
from webapp.presenting.naming import say_value

Fields = Mapping[str, Any]
Command = dict[str, Any]
MOST_WALKERS = 8  # so many may be chosen by a tap; who else could be meant stands in the lists below


@dataclass(frozen=True)
class Price:
    """What a goal costs: on the map, and on the button."""

    sign: str = ""
    words: str = ""


@dataclass(frozen=True)
class Leg:
    """A space of the way: what is lost when it is entered, and why."""

    space: str
    lost: int = 0
    why: str = ""


@dataclass(frozen=True)
class Naming:
    """How a command that names a space is shown: `field` is the one that names it.

    `apart` are the fields by whose values somebody is chosen first; `who` says one such choice in words. Of what else
    is offered a tap means the party for which `usual` is greatest. `price`, `way` and `follows` are asked with the
    position and the command. `amount` is a number that may be changed, and how it begins (None: with nothing); `among`
    is a field that is chosen among `options`, each with its words, the usual one first.
    """

    field: str
    apart: tuple[str, ...] = ()
    who: Callable[[Any, Command], str] = lambda state, command: ""
    usual: Callable[[Fields], Any] = lambda fields: 0
    price: Callable[[Any, Command], Price] = lambda state, command: Price()
    way: Callable[[Any, Command], tuple[str, tuple[Leg, ...]] | None] = lambda state, command: None
    follows: Callable[[Any, Command], tuple[str, ...]] = lambda state, command: ()
    amount: str = ""
    begins: Callable[[int], int | None] = lambda high: high
    among: str = ""
    options: Callable[[Any, Fields], Sequence[tuple[Any, str]]] = lambda state, fields: ()


@dataclass(frozen=True)
class Choice:
    """A goal with the party that a tap on it means."""

    naming: Naming
    fields: Fields
    command: Command


def goals(
    system: str,
    namings: Mapping[str, Naming],
    state: Any,
    seat: str,
    offers: Sequence[Offer],
    picked: str | None,
    where: str | None,
    beside: bool = False,
) -> Goals | None:
    """The goals of what the seat may answer now, with the one that was tapped; None where no answer names a space.

    Of what is done `beside`, nobody is chosen before he is picked, and a tap on a space means whoever may come there.
    """
    spots = sheet(system).spots
    found: dict[str, dict[str, Choice]] = {}
    for offer in offers:
        if naming := namings.get(offer.type):
            for who, space, choice in choices(naming, offer):
                ends = found.setdefault(who, {})
                if space in spots and (space not in ends or usual(choice) > usual(ends[space])):
                    ends[space] = choice
    found = {who: ends for who, ends in found.items() if ends}
    if not found:
        return None
    chosen = picked if picked in found else next(iter(found))
    if beside and picked not in found:
        chosen = next((who for who, ends in found.items() if where in ends), chosen)
    ends, kinds = found[chosen], dict.fromkeys(each.command["type"] for one in found.values() for each in one.values())
    shown = Goals(tuple(kinds), "", tints(system, state, ends), walkers(state, found, chosen, beside), chosen)
    shown = replace(shown, title=command_title(system, next(iter(ends.values())).command["type"]), beside=beside)
    if beside and picked not in found:
        shown = replace(shown, chosen="", walkers=tuple(replace(one, chosen=False) for one in shown.walkers))
    return replace(shown, **describe_goal(system, state, shown.title, ends[where], where)) if where in ends else shown


def choices(naming: Naming, offer: Offer) -> Iterator[tuple[str, str, Choice]]:
    """Each of those of whom one is chosen first, with each space, and the command of his largest party."""
    several = [values_of(offer.fields.get(name)) for name in naming.apart]
    for values in product(*several):
        apart = dict(zip(naming.apart, values, strict=True))
        rest = {name: most(name, value) for name, value in offer.fields.items()}
        who = ":".join([offer.type, *(str(part) for value in values for part in values_of(value))])
        for space in values_of(offer.fields.get(naming.field)):
            if isinstance(space, str):
                fields = {name: value for name, value in apart.items() if name in offer.fields}
                yield (
                    who,
                    space,
                    Choice(naming, offer.fields, {"type": offer.type, **rest, **fields, naming.field: space}),
                )


def usual(choice: Choice) -> Any:
    """How much the party is what a tap means."""
    return choice.naming.usual(choice.fields)


def values_of(value: Any) -> Sequence[Any]:
    """What a field may be."""
    return value if isinstance(value, list | tuple) else [value]


def most(name: str, value: Any) -> Any:
    """What a field is while nobody says otherwise: as much as may be; nobody goes within walls."""
    if isinstance(value, dict):
        return value["from"] if name.endswith("inside") else value["to"]
    if isinstance(value, list):
        return max(value) if all(isinstance(one, int) for one in value) else value[0]
    return value


def tints(system: str, state: Any, ends: Mapping[str, Choice]) -> tuple[Tint, ...]:
    """The goals as the map shows them, each with what it costs."""
    cells, spots, found = map_svg.grounds(sheet(system)), sheet(system).spots, []
    for space, choice in ends.items():
        price = choice.naming.price(state, choice.command)
        disc = (spots[space].x, spots[space].y) if price.sign else None
        found.append(Tint(space, cells[space], 0, disc, price.sign))
    return tuple(found)


def walkers(
    state: Any, found: Mapping[str, Mapping[str, Choice]], chosen: str, beside: bool = False
) -> tuple[Walker, ...]:
    """Those of whom one is chosen first; nobody where there is only one, but of what is done beside."""
    if len(found) < 2 and not beside:
        return ()
    told = []
    for who, ends in list(found.items())[:MOST_WALKERS]:
        choice = next(iter(ends.values()))
        told.append(Walker(who, choice.naming.who(state, choice.command), "", who == chosen))
    return tuple(told)


def describe_goal(system: str, state: Any, title: str, choice: Choice, where: str) -> dict[str, Any]:
    """What the page says of the goal that was tapped: way, costs, what follows, the button."""
    naming, command, spots = choice.naming, choice.command, sheet(system).spots
    options = naming.options(state, choice.fields)
    if options:
        command = {**command, naming.among: options[0][0]}
    name, price = say_value(system, where), naming.price(state, command)
    found: dict[str, Any] = {
        "goal": name,
        "follows": naming.follows(state, command),
        "command": json.dumps(command, ensure_ascii=False),
        "button": " · ".join(part for part in (f"{title}: {name}", price.words) if part),
        "amount": amount(system, choice),
        "choosing": choosing(system, naming, options),
    }
    if way := naming.way(state, command):
        start, legs = way
        spent = [sum(leg.lost for leg in legs[: count + 1]) for count in range(len(legs))]
        line = [spots[space] for space in (start, *(leg.space for leg in legs))]
        found["line"] = "M" + "L".join(f"{spot.x:.1f} {spot.y:.1f}" for spot in line)
        found["steps"] = tuple(
            Footstep(leg.space, say_value(system, leg.space), so_far, (leg.why,) if leg.why else ())
            for leg, so_far in zip(legs, spent, strict=True)
        )
        found["marks"] = tuple(
            Mark(spots[leg.space].x, spots[leg.space].y, so_far, bool(leg.lost))
            for leg, so_far in zip(legs, spent, strict=True)
        )
    return found


def choosing(system: str, naming: Naming, options: Sequence[tuple[Any, str]]) -> Choosing | None:
    """What may still be chosen among several, where there are several."""
    told = tuple((json.dumps(value, ensure_ascii=False), words) for value, words in options)
    return Choosing(naming.among, field_word(system, naming.among), told) if len(told) > 1 else None


def amount(system: str, choice: Choice) -> Amount | None:
    """The number that may still be changed, where there is one."""
    value = choice.fields.get(choice.naming.amount)
    if not isinstance(value, dict) or value["from"] == value["to"]:
        return None
    name = choice.naming.amount
    return Amount(name, field_word(system, name), value["from"], value["to"], choice.naming.begins(value["to"]))
