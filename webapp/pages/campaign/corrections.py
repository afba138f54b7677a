"""What the umpire, or a side's own hand, sets: fields of the position by their paths."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from flask import redirect, render_template, request
from flask.typing import ResponseReturnValue
from msgspec import inspect
from werkzeug.datastructures import MultiDict

from tactical.kernel.corrections import found
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours, Settable
from tactical.kernel.record import BadInput, bare, plain
from webapp.http import forms
from webapp.http.forms import parse_field
from webapp.http.forms import whole as whole_number
from webapp.http.language import gettext as _
from webapp.http.seats import current_seat, store
from webapp.pages.frame import campaign_blueprint
from webapp.presenting.campaign_labels import field_word, position_word, side_word
from webapp.presenting.map.sheet import has_map, sheet
from webapp.presenting.naming import cards, records, say_value
from webapp.presenting.refusals import Flash, flash_of
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.journal.records import Table

# -- The umpire's hand: what stands at a space, a leader, a side's numbers and cards, the game's own, as fields to
# change.
#
# The fields come from the types of the system's state, so that every system has them; what is written back is an
# `adjust` command of the fields that were changed, which the engine checks and the journal keeps.

PLACED = ("space", "at")  # fields that say where something stands
# what is set once or follows from the rest, in every system; what else an engine keeps for itself is `System.internal`
NOT_BY_HAND = frozenset(("engagement", "house", "options", "result", "scenario", "settled"))
OF_LEADERS = ("generals", "leaders")
OF_SPACES = ("spaces", "control", "loyalty", "sieges", "markers", "stacks", "forces")
LISTS_OF_CARDS = ("hands", "discard", "removed")
LISTS_OF_LEADERS = ("leaders", "inside_leaders", "consuls", "returning")
LISTS_OF_SIDES = ("order", "resigned", "agreed")
WRITTEN = re.compile(r"-?[0-9]+")  # a number in a list of names
LONGEST_LIST = 200


@dataclass(frozen=True)
class Field:
    """One field: its path in the position, what it is called, what stands there, and what may be put.

    `kind` is number, choice, many (several of the choices), list or text; `choices` are values with their words.
    `published` is the program's own value where a group may have another; `low` and `high` are the bounds of a number.
    """

    path: str
    label: str
    value: str
    kind: str
    choices: tuple[tuple[str, str], ...] = ()
    published: str = ""
    low: int | None = None
    high: int | None = None

    @property
    def is_own(self) -> bool:
        """Has a group replaced the published value?"""
        return self.value != self.published

    def read(self, text: str) -> Any:
        """What was put, as a value of the position. Raises BadInput."""
        text = text.strip()
        if self.kind in ("list", "many"):
            parts = [part.strip() for part in text.split(",") if part.strip()]
            if len(parts) > LONGEST_LIST:
                raise BadInput(self.label, _("this list is too long"))
            return [self.whole(part) if WRITTEN.fullmatch(part) else part for part in parts]
        if self.kind == "number":
            return None if not text else self.whole(text)
        if text not in {value for value, _said in self.choices}:
            raise BadInput(self.label, _("choose one of the values offered"))
        return {"": None, "true": True, "false": False}.get(text, text)

    def whole(self, text: str) -> int:
        """A whole number. Raises BadInput."""
        try:
            return forms.whole(text, self.label)
        except BadInput:
            raise BadInput(self.label, _("a whole number is needed")) from None


@dataclass(frozen=True)
class Part:
    """Fields that belong together, with a title."""

    title: str
    fields: tuple[Field, ...]

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The bounds of all its fields, where they are the same."""
        found = {(field.low, field.high) for field in self.fields}
        low, high = next(iter(found))
        return (low, high) if len(found) == 1 and low is not None and high is not None else None


def typed(shown: Iterable[Part], form: MultiDict[str, str]) -> Iterator[tuple[str, Any]]:
    """The path and the new value of each field in which something else was put. Raises BadInput by the field's name."""
    for field in (field for part in shown for field in part.fields):
        told = form.getlist(f"f.{field.path}")
        text = ", ".join(told) if field.kind == "many" else next(iter(told), None)
        if text is not None and text.strip() != field.value and (told or f"m.{field.path}" in form):
            yield field.path, field.read(text)


def changes(table: Table, shown: tuple[Part, ...], form: MultiDict[str, str]) -> dict[str, Any]:
    """What was changed, by path; cards that are taken come out of the deck, those laid away go below it.

    Raises BadInput by the field's name.
    """
    put = dict(typed(shown, form))
    return put | with_deck(table, put)


def with_deck(table: Table, put: Mapping[str, Any]) -> dict[str, Any]:
    """The deck that goes with other hands and piles; nothing where no pile has changed."""
    piles = {path: cards for path, cards in put.items() if path.split(".")[0] in LISTS_OF_CARDS}
    state = msgspec.json.decode(table.json)
    if not piles or not isinstance(state.get("deck"), list):
        return {}
    now = {card for cards in piles.values() for card in cards}
    before = [card for path in piles for card in found(state, path) or ()]
    deck = [card for card in state["deck"] if card not in now]
    return {"deck": [*deck, *(card for card in before if card not in now)]}


@dataclass(frozen=True)
class Hand:
    """The form by which a seat changes a game."""

    table: Table
    seat: str

    def targets(self) -> dict[str, dict[str, str]]:
        """What can be changed, by title, each with its words."""
        return walker_of(self.table).targets()

    def parts(self, of: str, beside: str) -> tuple[Part, ...]:
        """The fields of what was tapped. Raises BadInput."""
        return walker_of(self.table).parts(of)

    def command(self, shown: tuple[Part, ...], form: MultiDict[str, str]) -> dict[str, Any]:
        """The command that sets what was changed. Raises BadInput."""
        put = changes(self.table, shown, form)
        if not put:
            raise BadInput("", _("nothing was changed"))
        return {"type": "adjust", "changes": put, "why": form.get("why", "").strip()}


@cache
def types_of(record: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    """The types of a record's fields by name."""
    kind = inspect.type_info(record)
    assert isinstance(kind, inspect.StructType)
    return {field.name: field.type for field in kind.fields}


@dataclass(frozen=True)
class Walker:
    """Goes through a position by its types: its system and sides, its plain values, its record, what is left apart."""

    system: str
    sides: tuple[str, ...]
    state: dict[str, Any]
    kind: Any
    apart: frozenset[str]

    @property
    def fields(self) -> dict[str, inspect.Type]:
        """The types of the position's fields."""
        return types_of(self.kind)

    def targets(self) -> dict[str, dict[str, str]]:
        """What can be changed besides spaces: the game, the sides, the leaders, each with its words."""
        known = (id for name in OF_LEADERS for id in self.state.get(name) or ())
        leaders = {f"leader.{id}": say_value(self.system, id) for id in known}
        return {
            _("The game"): {"game": _("Turn, phase and so on")},
            _("Sides"): {f"side.{side}": side_word(side) or side for side in self.sides if any(self.of_side(side))},
            _("Leaders"): dict(sorted(leaders.items(), key=lambda known: known[1])),
        }

    def parts(self, what: str) -> tuple[Part, ...]:
        """The fields of what was tapped: `space.ID`, `leader.ID`, `side.ID` or `game`. Raises BadInput."""
        family, _dot, name = what.partition(".")
        those: list[Part] = []
        if what == "game":
            those = [Part(_("The game"), tuple(self.of_game()))]
        elif family == "side" and name in self.sides:
            those = [Part(side_word(name) or name, tuple(self.of_side(name)))]
        elif family == "leader":
            those = [Part(say_value(self.system, name), tuple(self.of_leader(name)))]
        elif family == "space" and has_map(self.system) and name in sheet(self.system).spots:
            those = [Part(say_value(self.system, name), tuple(self.of_space(name))), *self.standing(name)]
        if not any(part.fields for part in those):
            raise BadInput("of", _("there is nothing of that name to change"))
        return tuple(part for part in those if part.fields)

    def of_game(self) -> Iterator[Field]:
        """The game's own numbers, words and lists."""
        for name, kind in self.fields.items():
            if name not in self.apart and not isinstance(bare(kind)[0], inspect.DictType | inspect.StructType):
                yield from self.leaf(name, kind, self.state.get(name), (name,))

    def mappings(self) -> Iterator[tuple[str, Any, dict[str, Any]]]:
        """The state's mappings: name, type of the values, what they hold."""
        for name, kind in self.fields.items():
            inner = bare(kind)[0]
            if name not in self.apart and isinstance(inner, inspect.DictType):
                yield name, inner.value_type, self.state.get(name) or {}

    def of_side(self, side: str) -> Iterator[Field]:
        """What is counted or held for each side."""
        for name, kind, held in self.mappings():
            if name not in OF_SPACES and side in held:
                yield from self.leaves(f"{name}.{side}", kind, held[side], (name,))

    def of_leader(self, leader: str) -> Iterator[Field]:
        """Where a leader stands and how."""
        for name, kind, held in self.mappings():
            if name in OF_LEADERS and leader in held:
                yield from self.leaves(f"{name}.{leader}", kind, held[leader], ())

    def of_space(self, space: str) -> Iterator[Field]:
        """What stands at a space, or could."""
        for name, kind, held in self.mappings():
            if name in OF_SPACES and (space in held or name != "spaces"):
                simple = not isinstance(bare(kind)[0], inspect.StructType | inspect.DictType)
                yield from self.leaves(f"{name}.{space}", kind, held.get(space), (name,) if simple else ())

    def standing(self, space: str) -> Iterator[Part]:
        """The leaders and the like that stand at a space."""
        for name, kind in self.fields.items():
            inner = bare(kind)[0]
            held = self.state.get(name) or {}
            if name in self.apart or not isinstance(inner, inspect.DictType):
                continue
            for key, value in held.items():
                if isinstance(value, dict) and any(value.get(field) == space for field in PLACED):
                    yield Part(
                        say_value(self.system, key), tuple(self.leaves(f"{name}.{key}", inner.value_type, value, ()))
                    )

    def leaves(self, path: str, kind: Any, value: Any, words: tuple[str, ...]) -> Iterator[Field]:
        """The fields below a path; of records and mappings of sides also those that hold nothing yet."""
        inner = bare(kind)[0]
        if isinstance(inner, inspect.StructType):
            for field in inner.fields:
                held = (value or {}).get(field.encode_name, default(field))
                yield from self.leaves(f"{path}.{field.encode_name}", field.type, held, (*words, field.name))
        elif isinstance(inner, inspect.DictType):
            held = value or {}
            of_sides = set(held) <= set(self.sides) and isinstance(
                bare(inner.value_type)[0], inspect.StructType | inspect.IntType
            )
            for key in dict.fromkeys((*held, *(self.sides if of_sides else ()))):
                yield from self.leaves(f"{path}.{key}", inner.value_type, held.get(key), (*words, key))
        elif is_list(inner, inspect.StructType):
            for number, each in enumerate(value or ()):
                called = each.get("name") or str(number + 1)
                yield from self.leaves(f"{path}.{number}", inner.item_type, each, (*words, called))
        else:
            yield from self.leaf(path, kind, value, words)

    def leaf(self, path: str, kind: Any, value: Any, words: tuple[str, ...]) -> Iterator[Field]:
        """One field, where it is of a kind that a person can put."""
        inner = bare(kind)[0]
        optional = isinstance(kind, inspect.UnionType) and inner is not kind
        pairs = zip(("", *words), words, strict=False)
        label = ", ".join(position_word(self.system, f"{before}.{word}") or self.called(word) for before, word in pairs)
        family, *rest = path.split(".")
        may_be_nothing = optional or value is None or (len(rest) == 1 and family in OF_SPACES)
        nothing = (("", _("none")),) if may_be_nothing else ()
        if isinstance(inner, inspect.BoolType):
            both = (("true", _("yes")), ("false", _("no")))
            yield Field(path, label, field_text(value), "choice", nothing + both)
        elif isinstance(inner, inspect.IntType):
            yield Field(path, label, field_text(value if value is not None or optional else 0), "number")
        elif isinstance(inner, inspect.LiteralType):
            values = tuple((str(each), self.called(str(each))) for each in inner.values)
            yield Field(path, label, field_text(value), "choice", nothing + values)
        elif isinstance(inner, inspect.StrType) and (choices := self.choices(path.rpartition(".")[2], value)):
            yield Field(path, label, field_text(value), "choice", nothing + choices)
        elif is_list(inner, inspect.IntType | inspect.StrType):
            several = self.several(path, value or ())
            if several or path.startswith("hands."):
                yield Field(path, label, ", ".join(map(str, value or ())), "many" if several else "list", several)

    def several(self, path: str, value: Sequence[Any]) -> tuple[tuple[str, str], ...]:
        """The cards, leaders or sides that a list is chosen from; none where something has no name or comes twice."""
        family, name = path.split(".")[0], path.rpartition(".")[2]
        if family in LISTS_OF_CARDS:
            choices: dict[Any, str] = {each: say_value(self.system, each, "card") for each in cards(self.system)}
        elif name in LISTS_OF_LEADERS:
            known = (record.get("id") for table in reversed(OF_LEADERS) for record in records(self.system, table))
            choices = {each: say_value(self.system, each) for each in known if isinstance(each, str)}
        elif name in LISTS_OF_SIDES:
            choices = {side: side_word(side) or side for side in self.sides}
        else:
            return ()
        named = set(value) <= set(choices) and len(set(value)) == len(value)
        return tuple((str(each), text) for each, text in choices.items()) if named else ()

    def choices(self, name: str, value: Any) -> tuple[tuple[str, str], ...]:
        """The values that a text may have: spaces for what stands somewhere, sides else; none where nobody knows."""
        spots = sheet(self.system).spots if has_map(self.system) else {}
        if name in PLACED or value in spots:
            return tuple(sorted(((id, say_value(self.system, id)) for id in spots), key=lambda known: known[1]))
        if (
            value in self.sides
            or name in ("control", "side", "active", "first", "supremacy", "phasing")
            or name in spots
        ):
            return tuple((side, side_word(side) or side) for side in self.sides)
        return ()

    def called(self, word: str) -> str:
        """What a field's or a value's name is to a reader."""
        return position_word(self.system, word) or side_word(word) or say_value(self.system, word)


def walker_of(table: Table) -> Walker:
    """What goes through the position of a game as it stands."""
    apart = NOT_BY_HAND.union(table.system.internal)
    return Walker(table.game.system, tuple(table.sides), msgspec.json.decode(table.json), table.system.state, apart)


def is_list(kind: Any, of: Any) -> bool:
    """Is it a list of these?"""
    return isinstance(kind, inspect.VarTupleType | inspect.ListType) and isinstance(bare(kind.item_type)[0], of)


def default(field: inspect.Field) -> Any:
    """What a record's field holds when nothing was said."""
    if field.default is not msgspec.NODEFAULT:
        return plain(field.default)
    return plain(field.default_factory()) if field.default_factory is not msgspec.NODEFAULT else None


def field_text(value: Any) -> str:
    """A value as it stands in a form."""
    if value is None:
        return ""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


# -- A side's own hand: what no rule of its system moves, as fields to change, where the system says which they are.
#
# What is written back is the command `by_hand` of the fields that were changed, with the note, if there is one.

FIRST = "first"  # who of the leaders of a list commands: a field of the form alone


def waits_for(state: Any) -> str:
    """Whose word is wanted for what is not the side's own affair; empty where it counts at once."""
    known = {
        "one": _(
            "One other player or the umpire must agree to any change outside your own action, "
            "and to every change of victory points."
        ),
        "all": _(
            "Either all other players or the umpire must agree to any change outside your own action, "
            "and to every change of victory points."
        ),
        "umpire": _(
            "The umpire must agree to any change outside your own action, and to every change of victory points."
        ),
    }
    return known.get(getattr(state.options, "by_hand", ""), "")


@dataclass(frozen=True)
class SideHand(Hand):
    """The form by which a side changes a game: two spaces at a time, so that pieces can go from one to the other."""

    def targets(self) -> dict[str, dict[str, str]]:
        """The game, and every space by its name."""
        system = self.table.game.system
        spaces = {f"space.{id}": say_value(system, id) for id in sheet(system).spots}
        by_name = dict(sorted(spaces.items(), key=lambda known: known[1]))
        return {_("The game"): {"game": _("Alliances, points and so on")}, field_word(system, "spaces"): by_name}

    def parts(self, of: str, beside: str) -> tuple[Part, ...]:
        """The fields of the game, or of one space or two. Raises BadInput."""
        system, spots = self.table.game.system, sheet(self.table.game.system).spots
        if of != "game" and of.removeprefix("space.") not in spots:
            raise BadInput("of", _("there is nothing of that name to change"))
        fields: dict[str, list[Field]] = {each.removeprefix("space."): [] for each in (of, beside) if each}
        assert self.table.system.settable is not None
        for each in self.table.system.settable(self.table.state, self.seat):
            head, *names = each.path.split(".")
            place = names[0] if head in OF_SPACES else "game"
            if place in fields:
                fields[place] += self.fields(each)
        titles = {place: _("The game") if place == "game" else say_value(system, place) for place in fields}
        return tuple(Part(titles[place], tuple(those)) for place, those in fields.items() if those)

    def fields(self, of: Settable) -> Iterator[Field]:
        """The field, and of several leaders who commands."""
        now, label = of.now, self.label(of.path)
        if of.several:
            names = dict.fromkeys((*now, *of.values))  # in the order in which they stand, the others after them
            choices = tuple((name, self.called(name)) for name in names)
            yield Field(of.path, label, ", ".join(now), "many", choices)
            if len(now) > 1:
                label = _("%(field)s: who commands", field=label)
                yield Field(f"{of.path}.{FIRST}", label, now[0], "choice", choices[: len(now)])
        elif isinstance(of.values[-1], int) and not isinstance(of.values[-1], bool):
            yield Field(of.path, label, field_text(now), "number")
        else:
            yield Field(
                of.path, label, field_text(now), "choice", tuple((field_text(v), self.called(v)) for v in of.values)
            )

    def label(self, path: str) -> str:
        """What a field is called: whose it is, and what it is; its space stands in the title."""
        head, *names = path.split(".")
        words = names[1:] if head == "forces" else [head] if head in OF_SPACES else [head, *names]
        return ", ".join(self.called(word) for word in words)

    def called(self, word: Any) -> str:
        """A name in a path, or a value."""
        text = str(word)
        own = position_word(self.table.game.system, text) or side_word(text) if isinstance(word, str) else ""
        return own or say_value(self.table.game.system, word)

    def command(self, shown: tuple[Part, ...], form: MultiDict[str, str]) -> dict[str, Any]:
        """The command `by_hand`. Raises BadInput."""
        put = changes(self.table, shown, form)
        fields = {field.path: field for part in shown for field in part.fields}
        for path in [path for path in put if path.endswith(f".{FIRST}")]:
            first, of = put.pop(path), path.removesuffix(f".{FIRST}")
            rest = put.get(of, fields[of].value.split(", "))
            put[of] = [first, *(name for name in rest if name != first)]
        note = form.get("why", "").strip()
        if not put and not note:
            raise BadInput("", _("nothing was changed"))
        return {"type": "by_hand", "changes": put} | ({"note": note, "side": self.seat} if note else {})


# -- The umpire's pages: fields of the position by their paths, and the hand that changes what stands on the map.

bp = campaign_blueprint("umpire")
FAULTS = (BadInput, Illegal, NotYours, Barred, Refused, Stale)


@bp.get("/<game>/adjust")
def adjust(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """The umpire's form: a field by its path, its new value, and why."""
    seat, table = current_seat(game), store().load(game)
    if seat.id != UMPIRE:
        raise Barred("Only the umpire can adjust the position.")
    state = json.dumps(plain(table.state), indent=1, ensure_ascii=False)
    body = render_template("campaign/adjust.html", game=table.game, seat=seat.id, state=state, flash=flash)
    return body, flash.status if flash else 200


@bp.post("/<game>/adjust")
def do_adjust(game: str) -> ResponseReturnValue:
    """Set the fields; the engine checks the position and the journal keeps the reason."""
    seat, form = current_seat(game), request.form
    paths, values = form.getlist("path"), form.getlist("value")
    changes: dict[str, Any] = {path.strip(): text for path, text in zip(paths, values, strict=False) if path.strip()}
    for path, text in changes.items():
        with suppress(BadInput):  # what is not JSON is the text itself
            changes[path] = parse_field(text, "value")
    try:
        if not changes:
            raise BadInput("path", _("choose a field to change"))
        command = {"type": "adjust", "changes": changes, "why": form.get("why", "").strip()}
        store().submit(game, whole_number(form.get("seen"), "seen"), seat.id, command)
    except FAULTS as fault:
        return adjust(game, flash_of(fault, store().game(game).system))
    return redirect(f"/g/{game}?seat={seat.id}", 303)


@bp.get("/<game>/hand")
def hand(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """The umpire's hand, or a side's own: the fields of a space, a leader, a side or the game, to be changed."""
    form = hand_at(game)
    of, beside = request.args.get("of", "game"), request.args.get("and", "")
    try:
        found = form.parts(of, beside)
    except BadInput as fault:
        found, of, flash = form.parts("game", ""), "game", flash or flash_of(fault)
    body = render_template(
        "campaign/hand_of_umpire.html",
        game=form.table.game,
        seat=form.seat,
        is_umpire=form.seat == UMPIRE,
        flash=flash,
        of=of,
        beside=beside,
        parts=found,
        space=of.removeprefix("space.") if of.startswith("space.") else "",
        targets=form.targets(),
        spaces=field_word(form.table.game.system, "spaces"),
        form=request.form,
        waits_for="" if form.seat == UMPIRE else waits_for(form.table.state),
    )
    return body, flash.status if flash else 200


@bp.post("/<game>/hand")
def do_hand(game: str) -> ResponseReturnValue:
    """Change the fields that were put otherwise; the engine checks the position and the journal keeps the reason."""
    form = hand_at(game)
    of = request.args.get("of", "game")
    try:
        command = form.command(form.parts(of, request.args.get("and", "")), request.form)
        store().submit(game, whole_number(request.form.get("seen"), "seen"), form.seat, command)
    except FAULTS as fault:
        return hand(game, flash_of(fault, form.table.game.system))
    space = of.removeprefix("space.") if of.startswith("space.") else ""
    return redirect(f"/g/{game}?seat={form.seat}" + (f"&space={space}" if space else ""), 303)


def hand_at(game: str) -> Hand:
    """The form by which the seat changes the game by hand. Raises Barred for a seat that may not."""
    seat, table = current_seat(game).id, store().load(game)
    if seat == UMPIRE:
        return Hand(table, seat)
    if table.system.settable is None or seat not in table.sides:
        raise Barred("Only the umpire can adjust the position.")
    return SideHand(table, seat)
