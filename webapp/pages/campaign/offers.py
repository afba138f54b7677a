"""Any engine's offers as controls of a page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

from strategic import SYSTEMS
from tactical.kernel.protocol import Offer
from tactical.kernel.questions import commands
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import command_title, field_word
from webapp.presenting.naming import say_value

# -- What kind of command it is: a quiet one, one by hand, one that lets be, one that ends something.
#
# The pages order, fold and ask twice by these; nothing here is a rule.


QUIET, ONLY, BESIDE, LETS_BE = "quiet", "only", "beside", "no"


def page_of(system: str, kind: str) -> str:
    """Where pages put a command, by its row (tactical/kernel/questions.py)."""
    row = commands(system).get(kind)
    return row.page if row else ""


def is_quiet(system: str, kind: str) -> bool:
    """Always possible and seldom wanted: shown closed, after the rest."""
    return page_of(system, kind) in (QUIET, ONLY) or is_by_hand(system, kind)


def is_by_hand(system: str, kind: str) -> bool:
    """Is it the table's pencil, and no move of the game?"""
    return system in SYSTEMS and kind in SYSTEMS[system].by_hand


def stays(system: str, kind: str) -> bool:
    """Does its force stay behind, so that a form begins with none of it?"""
    row = commands(system).get(kind)
    return row is not None and row.stays


def warning(system: str, kind: str) -> str:
    """What cannot be taken back once this is said, for a second question; empty for all else."""
    row = commands(system).get(kind)
    return _(row.warning) if row and row.warning else ""


# -- In what offers of the same words differ, in words.

NAMED_CHOICES = 3  # so many of a field's choices are named where they tell two forms apart


def join(text: str, more: str) -> str:
    """A text with what tells it from others of the same words."""
    return " · ".join(part for part in (text, more) if part)


def number(texts: Sequence[str]) -> list[str]:
    """The texts, those still alike (of pieces of one name in one place) with a number."""
    alike, found = Counter(texts), list[str]()
    seen: Counter[str] = Counter()
    for text in texts:
        seen[text] += 1
        found.append(f"{text} · {seen[text]}" if text and alike[text] > 1 else text)
    return found


def differences(system: str, texts: Sequence[str], fields: Sequence[Mapping[str, Any]]) -> list[str]:
    """For each text that another has too, the fields that differ among them, in words; empty for all else."""
    same: dict[str, list[int]] = {}
    for index, text in enumerate(texts):
        same.setdefault(text, []).append(index)
    found = [""] * len(texts)
    for group in same.values():
        names = dict.fromkeys(name for index in group for name in fields[index])
        differ = [name for name in names if len({json.dumps(fields[index].get(name)) for index in group}) > 1]
        for index in group if len(group) > 1 else ():
            found[index] = ", ".join(field_text(system, name, fields[index].get(name)) for name in differ)
    return found


def field_text(system: str, name: str, value: Any) -> str:
    """A field of an offer with its value, its range or the first of its choices."""
    label = field_word(system, name)
    if is_range(value):
        return _("%(field)s (%(low)s to %(high)s)", field=label, low=value["from"], high=value["to"])
    choices = value if isinstance(value, list | tuple) else [value]
    named = [say_value(system, part, name) for part in choices[:NAMED_CHOICES]]
    more = ["…"] if len(choices) > NAMED_CHOICES else []
    either = ", ".join([*named, *more]) or _("none")
    return f"{label}: {either}"


def is_range(value: Any) -> bool:
    """Is a field's value a whole number still to be chosen, from one to another?"""
    return isinstance(value, dict) and set(value) == {"from", "to"}


# -- Any engine's offers as controls of a page: what is fixed, what is chosen, what is counted.
#
# Nothing here knows a rule: every combination of one offer's choices is legal, so what a form can say the engine takes.

SPREAD = 48  # an offer with at most so many combinations is shown as that many ready answers
BUTTONS = 12  # so many ready answers are buttons; more are a list to choose from
FEW = 8  # so many choices may be a list; where more are spaces, the map is tapped
NAMED = frozenset(("general", "leader"))  # who acts is always said, even when nobody else could
OF_SIDES = frozenset(("nation", "other", "player", "players", "power", "powers", "runner", "side", "winner"))
# fields that name sides: Rome the side is not Rome the city, even where both have one id
FORCES = frozenset(("elephants", "land", "naval", "ships", "trains", "units"))  # a form begins with the whole force


@dataclass(frozen=True)
class Control:
    """One field: `kind` is "fixed", "choice" or "number"; options are (JSON, text); a number begins with `begin`."""

    name: str
    kind: str
    label: str
    options: tuple[tuple[str, str], ...] = ()
    low: int = 0
    high: int = 0
    begin: int | None = None


@dataclass(frozen=True)
class Ready:
    """A whole command that needs no more than a tap."""

    text: str
    command: str
    about: frozenset[str]


@dataclass(frozen=True)
class Ask:
    """An offer with numbers to fill in."""

    controls: tuple[Control, ...]
    about: frozenset[str]
    text: str = ""
    size: int = 0


@dataclass(frozen=True)
class Group:
    """All offers of one kind. `page` says where they stand, `warning` is said before what cannot be taken back; `main`:
    its button stands out."""

    type: str
    rule: str
    title: str
    ready: tuple[Ready, ...] = ()
    asks: tuple[Ask, ...] = ()
    cards: frozenset[int] = field(default=frozenset())
    quiet: bool = False
    by_hand: bool = False
    warning: str = ""
    main: bool = False
    by_map: bool = False
    page: str = ""

    @property
    def buttons(self) -> bool:
        """Few enough to be buttons?"""
        return len(self.ready) <= BUTTONS

    @property
    def stands_out(self) -> bool:
        """Does it do something that can be taken back, so that its button may be the one that is filled?"""
        return not (self.warning or self.quiet or self.by_hand or self.page in (LETS_BE, BESIDE))

    @property
    def about(self) -> frozenset[str]:
        """Every id that these offers name."""
        return frozenset().union(*(one.about for one in self.ready), *(ask.about for ask in self.asks))


Called = Mapping[tuple[str, int], str]
Answer = Callable[[Mapping[str, Any]], str]


def by_fields(command: Mapping[str, Any]) -> str:
    """No sentence for a whole command: it is told by its fields."""
    return ""


def groups(
    system: str, offers: Iterable[Offer], called: Called | None = None, answer: Answer = by_fields
) -> tuple[Group, ...]:
    """The offers by kind, in the order in which the engine names them, after them what lets all that be, last what is
    done beside; `called`: words for numbers, by field; `answer`: a whole command in words."""
    found: dict[str, list[Offer]] = {}
    for offer in offers:
        if offer.type != "adjust":
            found.setdefault(offer.type, []).append(offer)
    kinds = sorted(found, key=lambda kind: (page_of(system, kind) == BESIDE, page_of(system, kind) == LETS_BE))
    made = [_group(system, kind, found[kind], called or {}, answer) for kind in kinds]
    made = apart_by_kind(made)
    if all(group.quiet for group in made):  # what is seldom wanted is seen where nothing else is asked
        made = [replace(group, quiet=group.quiet and group.page != ONLY) for group in made]
    acts = [group for group in made if not (group.quiet or group.warning or group.page == LETS_BE)]
    return tuple(replace(group, main=_is_main(group, acts)) for group in made)


def apart_by_kind(made: Sequence[Group]) -> list[Group]:
    """The groups, with the kind of command before words that a button of another kind says too."""
    said = Counter(
        text for group in made for text in {one.text for one in group.ready} | {one.text for one in group.asks}
    )

    def name_kind(group: Group, text: str) -> str:
        return _("%(title)s: %(what)s", title=group.title, what=text) if text and said[text] > 1 else text

    return [
        replace(
            group,
            ready=tuple(replace(one, text=name_kind(group, one.text)) for one in group.ready),
            asks=tuple(replace(one, text=name_kind(group, one.text)) for one in group.asks),
        )
        for group in made
    ]


def _is_main(group: Group, acts: Sequence[Group]) -> bool:
    """Does its button stand out? Only one answer does, never one that cannot be taken back, nor "no" beside a "yes"."""
    return len(group.ready) == 1 and not group.warning and not (group.page == LETS_BE and acts)


def narrow(system: str, offers: Iterable[Offer], wanted: str | int, names: Sequence[str] = ()) -> list[Offer]:
    """The offers that can be about one thing, with it already chosen; in these fields, or in any but those of sides."""
    found = []
    for offer in offers:
        for name, value in offer.fields.items():
            if name not in names if names else name in OF_SIDES:
                continue
            if _same(value, wanted) or (isinstance(value, list) and any(_same(part, wanted) for part in value)):
                found.append(replace_field(offer, name, wanted))
                break
            if isinstance(value, list) and any(_holds(part, wanted) for part in value):
                kept = [part for part in value if _holds(part, wanted)]
                found.append(replace_field(offer, name, kept))
                break
    return found


def is_played(system: str, offers: Iterable[Offer], card: int | str) -> bool:
    """May a card of the hand be played now, and not only be put away by hand?"""
    acts = (offer for offer in offers if not is_by_hand(system, offer.type))
    return bool(narrow(system, acts, card, ("card",)))


def _holds(part: Any, wanted: str | int) -> bool:
    """Is it a list with this in it, itself or as a part of something in it, such as the space of an army?"""
    if not isinstance(part, list | tuple):
        return False
    return any(
        _same(one, wanted)
        or (isinstance(one, dict) and any(value == wanted for name, value in one.items() if name not in OF_SIDES))
        for one in part
    )


def _same(value: Any, wanted: str | int) -> bool:
    return type(value) is type(wanted) and value == wanted


def replace_field(offer: Offer, name: str, value: Any) -> Offer:
    """The offer with one field decided."""
    return Offer(offer.type, offer.rule, {**offer.fields, name: value})


def ids_in(offers: Iterable[Offer]) -> frozenset[str]:
    """Every id that the offers name, but for sides."""
    found: set[str] = set()
    for offer in offers:
        found |= _ids(offer.fields)
    return frozenset(found)


def _ids(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, list | tuple):
        return set().union(*(_ids(part) for part in value)) if value else set()
    if isinstance(value, Mapping):
        return _ids([part for name, part in value.items() if name not in OF_SIDES])
    return set()


def _group(system: str, kind: str, offers: Sequence[Offer], called: Called, answer: Answer) -> Group:
    ready: list[Ready] = []
    forms: list[Offer] = []
    shared = _common_fields(offers) - {name for name, _number in called}
    for offer in offers:
        if spreads(offer):
            ready += _ready(system, offer, shared, called, answer)
        else:
            forms += apart(offer)
    asks = told_apart_by_fields(system, forms, [_ask(system, one, shared, called, answer) for one in forms])
    asks.sort(key=lambda ask: -ask.size)
    cards = {part for offer in offers for part in _cards(offer)}
    return Group(
        type=kind,
        rule=offers[0].rule,
        title=command_title(system, kind),
        ready=told_apart(system, _distinct(sorted(ready, key=forces_in))),
        asks=tuple(asks),
        cards=frozenset(cards),
        quiet=is_quiet(system, kind),
        by_hand=is_by_hand(system, kind),
        warning=warning(system, kind),
        page=page_of(system, kind),
    )


def forces_in(ready: Ready) -> int:
    """Of how many forces does it dispose? Who may send several reads each alone before he reads them together."""
    fields = json.loads(ready.command).values()
    return sum(len(value) for value in fields if _is_force(value))


def told_apart(system: str, ready: tuple[Ready, ...]) -> tuple[Ready, ...]:
    """The answers, those of one text with the fields in which they differ."""
    commands = [json.loads(one.command) for one in ready]
    more = differences(system, [one.text for one in ready], commands)
    texts = number([join(one.text, extra) for one, extra in zip(ready, more, strict=True)])
    return tuple(replace(one, text=text) for one, text in zip(ready, texts, strict=True))


def told_apart_by_fields(system: str, offers: Sequence[Offer], asks: Sequence[Ask]) -> list[Ask]:
    """The forms, those of one text with the fields in which they differ."""
    more = differences(system, [ask.text for ask in asks], [offer.fields for offer in offers])
    texts = number([join(ask.text, extra) for ask, extra in zip(asks, more, strict=True)])
    return [replace(ask, text=text) for ask, text in zip(asks, texts, strict=True)]


def _cards(offer: Offer) -> list[int]:
    """The cards, or the groups of pieces, that an offer is about."""
    value = offer.fields.get("card", offer.fields.get("group"))
    return (
        [value]
        if isinstance(value, int)
        else [part for part in value if isinstance(part, int)]
        if isinstance(value, list)
        else []
    )


def _common_fields(offers: Sequence[Offer]) -> frozenset[str]:
    """The fields that have one and the same value in all offers: they need not be said."""
    first = offers[0].fields
    return frozenset(
        name
        for name, value in first.items()
        if name not in NAMED
        and not isinstance(value, list | dict)
        and all(offer.fields.get(name, ...) == value for offer in offers)
    )


def spreads(offer: Offer) -> bool:
    """Can the offer be shown as a handful of ready answers?"""
    if any(is_range(value) for value in offer.fields.values()):
        return False
    return prod(len(value) for value in offer.fields.values() if isinstance(value, list)) <= SPREAD


def apart(offer: Offer) -> list[Offer]:
    """An offer for each choice of whole forces (who tries to intercept, with what): such a choice is no line of a list.

    Left as it is where there are none, or more than would be buttons.
    """
    for name, value in offer.fields.items():
        if isinstance(value, list) and 1 < len(value) <= BUTTONS and any(_is_force(part) for part in value):
            return [replace_field(offer, name, [part]) for part in value]
    return [offer]


def _is_force(part: Any) -> bool:
    return isinstance(part, list | tuple) and any(isinstance(one, dict) for one in part)


def _ready(system: str, offer: Offer, shared: frozenset[str], called: Called, answer: Answer) -> list[Ready]:
    names = list(offer.fields)
    choices = [value if isinstance(value, list) else [value] for value in offer.fields.values()]
    found = []
    either = frozenset(name for name, value in offer.fields.items() if value == [True, False] or value == [False, True])
    for values in product(*choices):
        chosen = dict(zip(names, values, strict=True))
        command = {"type": offer.type, **chosen}
        about = frozenset(_ids(chosen))
        words = answer(command) or _text(system, chosen, shared, called, either)
        found.append(Ready(words, json.dumps(command, ensure_ascii=False), about))
    return found


def _text(
    system: str, chosen: dict[str, Any], shared: frozenset[str], called: Called, either: frozenset[str] = frozenset()
) -> str:
    """What is chosen, in words; nothing of what is empty, but "no" where yes was possible (`either`)."""
    return " · ".join(_parts(system, chosen, shared, called, either))


def _parts(
    system: str, chosen: dict[str, Any], shared: frozenset[str], called: Called, either: frozenset[str] = frozenset()
) -> list[str]:
    parts: list[str] = []
    for name, value in chosen.items():
        if isinstance(value, int) and (name, value) in called:
            parts.append(called[name, value])
            continue
        if name in shared or (value in ("", None, [], False) and name not in either):
            continue
        text = say_value(system, value, name)
        if name == "as_kind":  # a battle card is played as itself, or as another
            parts += [_("as %(kind)s", kind=text)] if text not in parts else []
            continue
        is_bare = isinstance(value, bool | int) and name != "card"
        parts.append(f"{field_word(system, name)}: {text}" if is_bare else text)
    return parts


def in_words(system: str, chosen: dict[str, Any]) -> str:
    """The fields of a command as players say them, by names and never by ids; nothing of what is empty."""
    return " · ".join(dict.fromkeys(_parts(system, chosen, frozenset(), {})))


def _distinct(ready: Iterable[Ready]) -> tuple[Ready, ...]:
    return tuple({one.command: one for one in ready}.values())


def _ask(system: str, offer: Offer, shared: frozenset[str], called: Called, answer: Answer) -> Ask:
    by_hand = is_by_hand(system, offer.type)
    controls = tuple(
        _control(system, name, value, by_hand or stays(system, offer.type)) for name, value in offer.fields.items()
    )
    fixed = {}
    for name, value in offer.fields.items():
        if isinstance(value, list) and len(value) == 1:
            fixed[name] = value[0]
        elif name not in shared and not isinstance(value, list | dict):
            fixed[name] = value
    size = sum(_size(value) for value in offer.fields.values())
    decided = {
        name: value[0] if isinstance(value, list) and len(value) == 1 else value for name, value in offer.fields.items()
    }
    words = answer({"type": offer.type, **decided}) or _text(system, fixed, frozenset(), called)
    return Ask(controls, ids_in([offer]), words, size)


def _size(value: Any) -> int:
    """How much a field can hold at most: the greatest of several offers is shown first."""
    if isinstance(value, dict):
        return int(value.get("to", 0))
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list | tuple):
        value = value[0]
    return (
        value
        if isinstance(value, int) and not isinstance(value, bool)
        else len(value)
        if isinstance(value, list | tuple)
        else 0
    )


def _begin(name: str, low: int, high: int, by_hand: bool) -> int | None:
    """What a number begins with: the whole force on its way, nobody within the walls; of all else nothing is said."""
    if name in FORCES and not by_hand:
        return high
    return low if name.endswith("inside") else None


def _control(system: str, name: str, value: Any, by_hand: bool) -> Control:
    label = field_word(system, name)
    if is_range(value) and value["from"] == value["to"]:
        value = value["from"]
    if is_range(value):
        low, high = value["from"], value["to"]
        return Control(name, "number", label, low=low, high=high, begin=_begin(name, low, high, by_hand))
    if isinstance(value, list):
        options = tuple((json.dumps(part, ensure_ascii=False), say_value(system, part, name)) for part in value)
        kind = "choice" if len(options) > 1 else "fixed"
        return Control(name, kind, label, options)
    return Control(name, "fixed", label, ((json.dumps(value, ensure_ascii=False), say_value(system, value, name)),))


# -- Which of the groups of offers are answered by a tap on the map, and which by a card of the hand.


def on_the_map(found: Iterable[Group], spots: Collection[str]) -> tuple[Group, ...]:
    """The groups; those whose answers are many and each a space of the map are answered by tapping it."""
    return tuple(replace(group, **_rest(group, spots)) for group in found)


def _rest(group: Group, spots: Collection[str]) -> dict[str, Any]:
    """What of a group is left to be seen when its spaces are tapped on the map."""
    many = len(group.ready) > FEW and all(one.about & frozenset(spots) for one in group.ready)
    asks = tuple(ask for ask in group.asks if not any(_is_of(control, spots) for control in ask.controls))
    return {"by_map": many or len(asks) < len(group.asks), "asks": asks}


def _is_of(control: Control, spots: Collection[str]) -> bool:
    """Is it a choice among many spaces?"""
    return len(control.options) > FEW and all(
        json.loads(value) in spots for value, _text in control.options if value[:1] == '"'
    )


def without_cards(found: Iterable[Group]) -> tuple[Group, ...]:
    """The groups that are not about a card in hand."""
    return tuple(group for group in found if not group.cards)
