"""Records that we write, inputs and names that people write, JSON of both, and why something is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar, cast
from unicodedata import category, normalize

import msgspec
from msgspec import UNSET, Meta, inspect

# -- Why something is refused: an English form with gaps, and what fills them, so that it can be said in any language.

NO_VALUES: Mapping[str, Any] = {}
EITHER = "either"  # the gap that choices fill


class Reason(NamedTuple):
    """A form such as "there is no space called %(space)s" with its values; a form without gaps has no values.

    A value is an id, a number, a name of something, what somebody has typed, a reason of its own, or several of
    these; never a word of a language, which is a reason ("a strait") and so has its form in every language. A gap with
    forms, "%(count|ship|ships)s", chooses by
    its value: the first for one, the last for several. The gap %(either)s joins choices by "or".

    >>> str(Reason("%(ship)s owes a step to %(sides)s", {"ship": "r1", "sides": ("rome", "carthage")}))
    'r1 owes a step to rome, carthage'
    >>> str(Reason("at most %(most)s %(most|ship|ships)s", {"most": 2}))
    'at most 2 ships'
    >>> str(Reason("name %(either)s", {"either": ("rome", "carthage")}))
    'name rome or carthage'
    >>> str(Reason("here is %(ground)s", {"ground": Reason("rough ground")}))
    'here is rough ground'
    """

    form: str
    values: Mapping[str, Any] = NO_VALUES

    def __str__(self) -> str:
        return self.form % English(self.values) if self.values else self.form


class English(dict[str, Any]):
    """The values of a reason as the API writes them, and the forms that its gaps choose."""

    def __getitem__(self, gap: str) -> str:
        name, *forms = gap.split("|")
        value = super().__getitem__(name)
        if not forms:
            return in_english(value, " or " if name == EITHER else ", ")
        several = isinstance(value, list | tuple) and not isinstance(value, Reason)
        count = value if isinstance(value, int | float) else len(value) if several else 1
        return forms[0 if count == 1 else -1]


def because(form: str, /, **values: object) -> Reason:
    """A reason whose values are named as in its form.

    >>> str(because("%(side)s has left", side="rome"))
    'rome has left'
    """
    return Reason(form, values)


def reason_of(reason: Reason | str, values: Mapping[str, Any] = NO_VALUES) -> Reason:
    """The reason that an exception was raised with: a form with its values, or a Reason as it is."""
    return reason if isinstance(reason, Reason) else Reason(reason, values)


def in_english(value: object, between: str = ", ") -> str:
    """A value as the API writes it: ids as they are, several with commas or another text between them."""
    if isinstance(value, Iterable) and not isinstance(value, str | Reason):
        return between.join(str(each) for each in value)
    return str(value)


# -- What msgspec says of a value that has not the right shape, as a Reason that can be said in any language.

GAP = re.compile(r"%\\\((\w+)\\\)s")  # a gap in a sentence whose other characters are escaped
SHAPES = (  # msgspec's sentence and ours; whichever says more stands first
    (
        "expected '%(wanted)s' of length %(length)s, got %(given)s",
        Reason("expected %(wanted)s of length %(length)s, got %(given)s"),
    ),
    (
        "expected '%(wanted)s' of length %(low)s to %(high)s",
        Reason("expected %(wanted)s of length %(low)s to %(high)s"),
    ),
    ("expected '%(wanted)s' of length >= %(least)s", Reason("expected %(wanted)s of length %(least)s or more")),
    ("expected '%(wanted)s' of length <= %(most)s", Reason("expected %(wanted)s of length %(most)s or less")),
    ("expected '%(wanted)s' of length %(length)s", Reason("expected %(wanted)s of length %(length)s")),
    ("expected '%(wanted)s' matching regex %(pattern)s", Reason("expected %(wanted)s that matches %(pattern)s")),
    ("expected '%(wanted)s', got '%(given)s'", Reason("expected %(wanted)s, got %(given)s")),
    ("expected '%(wanted)s' >= %(least)s", Reason("expected %(wanted)s, %(least)s or more")),
    ("expected '%(wanted)s' <= %(most)s", Reason("expected %(wanted)s, %(most)s or less")),
    ("expected '%(wanted)s'", Reason("expected %(wanted)s")),
    ("object missing required field '%(field)s'", Reason("the field '%(field)s' is missing")),
    ("object contains unknown field '%(field)s'", Reason("there is no field '%(field)s'")),
    ("invalid enum value %(value)s", Reason("the value %(value)s is not among the possible ones")),
    ("invalid value %(value)s", Reason("the value %(value)s is not possible here")),
    ("integer value out of range", Reason("the number is too large or too small")),
)
KNOWN = tuple((shape.form, re.compile(GAP.sub(r"(?P<\1>.+)", re.escape(theirs)))) for theirs, shape in SHAPES)


def shape_reason(text: str) -> Reason:
    """The reason for a sentence of msgspec without its path; one that is not known here is its own form.

    >>> shape_reason("Expected `int`, got `str`").values
    {'wanted': 'int', 'given': 'str'}
    """
    written = text[:1].lower() + text[1:].replace("`", "'")
    for form, pattern in KNOWN:
        if found := pattern.fullmatch(written):
            return Reason(form, found.groupdict() or NO_VALUES)
    return Reason(written)


# -- Records that we write, inputs that people write, and how both become JSON.

T = TypeVar("T")
DECODERS: dict[int, msgspec.json.Decoder[Any]] = {}  # what `decoder` has made


class Record(msgspec.Struct, frozen=True, dict=True):
    """A value that we write. Unknown fields are tolerated, so that an older program's record still opens."""


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that people write (commands, tables, set-ups). Unknown fields are refused, so that a typo shows."""


class BadInput(ValueError):
    """What was written does not have the right shape. `path` leads to the field, as in `ships.r1.facing`.

    It is raised with the form of its reason and what fills the gaps; `why` holds both, for other languages.
    """

    def __init__(self, path: str, reason: Reason | str, /, **values: object) -> None:
        self.path, self.why = path, reason_of(reason, values)
        super().__init__(path, self.why)

    @property
    def reason(self) -> str:
        """The reason in English."""
        return str(self.why)

    def __str__(self) -> str:
        return f"{self.path}: {self.why}" if self.path else str(self.why)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


def learn_types() -> int:
    """Let msgspec learn every type that is defined; how many there are. A server does so before it has threads.

    It learns a type when one is first read, and two threads that have it learn one at a time may end the process.
    """
    kinds = list[type[msgspec.Struct]](msgspec.Struct.__subclasses__())
    for kind in kinds:
        kinds += kind.__subclasses__()
        with suppress(TypeError, NameError):  # it holds what JSON does not, and is never read
            msgspec.json.Decoder(kind)
    return len(kinds)


def encode(value: object) -> bytes:
    """The value as compact JSON; equal values give equal bytes."""
    return msgspec.json.encode(value)


def decode(data: bytes | str, kind: type[T]) -> T:
    """Read JSON as a value of `kind`; BadInput names the field that is wrong."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise bad_input(error) from None
    except msgspec.DecodeError:
        raise BadInput("", "this is not JSON") from None


def read(raw: object, kind: Any, at: str = "") -> Any:
    """Turn plain dicts and lists into a value of `kind`; BadInput names the field, with `at` before its path."""
    try:
        text = msgspec.json.encode(raw)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise BadInput(at, "this is not plain JSON") from None
    try:
        return (DECODERS.get(id(kind)) or decoder(kind)).decode(text)
    except msgspec.ValidationError as error:
        raise bad_input(error, at) from None


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """The decoder of a type; making one costs more than using it.

    `DECODERS` has it by the type's identity, too: to find a union of thirty commands by its hash takes as long as to
    read one. The cache keeps the type itself, so that no other gets its identity.
    """
    found = DECODERS[id(kind)] = msgspec.json.Decoder(kind)
    return found


def plain(value: object) -> Any:
    """The value as plain dicts, lists, texts and numbers, as its JSON would read back."""
    return msgspec.to_builtins(value)


def change(raw: Mapping[str, object], value: Record, at: str = "") -> Any:
    """The record with the named fields set to what `raw` says, checked like any input; a field it lacks is refused."""
    for name in raw:
        if name not in value.__struct_fields__:
            raise BadInput(f"{at}.{name}" if at else name, "there is no such field")
    return read({**plain(value), **raw}, type(value), at)


def check_fields(value: Any, understood: Any, at: str, before: Any = None) -> None:
    """Raise BadInput for the first field of a value that no record has: a typo would else be lost in silence.

    What is the same object in a value `before` has been checked with it.
    """
    if value is before:
        return
    if isinstance(value, Mapping) and isinstance(understood, Mapping):
        for name, each in value.items():
            if str(name) not in understood:
                raise BadInput(f"{at}.{name}", "there is no such field")
            past = before.get(name) if isinstance(before, Mapping) else None
            check_fields(each, understood[str(name)], f"{at}.{name}", past)
    elif isinstance(value, list | tuple) and isinstance(understood, list | tuple):
        for number, (each, known) in enumerate(zip(value, understood, strict=False)):
            check_fields(each, known, f"{at}[{number}]")


def bad_input(error: msgspec.ValidationError, at: str = "") -> BadInput:
    """What msgspec says, with its `$.a[0].b` turned into our `a[0].b`."""
    text = str(error)
    found = re.search(r" - at `(?:key in )?\$?(.*?)`$", text)
    path = found.group(1) if found else ""
    reason = text[: found.start()] if found else text
    named = re.search(r"field `(\w+)`$", reason)
    path = f"{path}.{named.group(1)}" if named else path
    joined = f"{at}{path}" if path.startswith("[") else ".".join(part for part in (at, path.lstrip(".")) if part)
    return BadInput(joined, shape_reason(reason))


# -- The bounds of numbers. They stand in the types of records: the API's description, forms and refusals read them.
#
# Reading a record does not ask for them, so that every older game opens: whoever takes a record from people calls
# `check_bounds`.


def bounded(least: float, most: float) -> Meta:
    """The bounds of a number: `Annotated[int, bounded(0, 9)]`."""
    return Meta(extra_json_schema={"minimum": least, "maximum": most})


def so_many(count: int) -> Meta:
    """How many numbers or rows of numbers a list must hold: `Annotated[tuple[Face, ...], so_many(6)]`."""
    return Meta(extra_json_schema={"minItems": count, "maxItems": count})


def bare(kind: Any) -> tuple[Any, dict[str, Any]]:
    """A type of msgspec's without None and without bounds, and its bounds as JSON's schema has them."""
    if isinstance(kind, inspect.UnionType):
        rest = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
        kind = rest[0] if len(rest) == 1 else kind
    return (kind.type, kind.extra_json_schema or {}) if isinstance(kind, inspect.Metadata) else (kind, {})


@cache
def fields_with_bounds(record: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    """The fields of a record in which a number with bounds may stand."""

    def may_have(kind: Any) -> bool:
        inner, bounds = bare(kind)
        within = getattr(inner, "value_type", None) or getattr(inner, "item_type", None)
        return bool(bounds) or isinstance(inner, inspect.StructType) or (within is not None and may_have(within))

    kind = inspect.type_info(record)
    assert isinstance(kind, inspect.StructType)
    return tuple(field for field in kind.fields if may_have(field.type))


def check_bounds(value: Any, at: str = "", kind: Any = None) -> None:
    """Raises BadInput for the first number of a record that is out of bounds; None and what is left out are in bounds.

    `kind` is the type of what stands at `at` below a record.
    """
    inner, bounds = bare(kind)
    dot = "." if at else ""
    if isinstance(value, msgspec.Struct):
        for field in fields_with_bounds(type(value)):
            check_bounds(getattr(value, field.name), f"{at}{dot}{field.encode_name}", field.type)
    elif value is None or value is UNSET:
        return
    elif isinstance(inner, inspect.DictType):
        for key, each in value.items():
            check_bounds(each, f"{at}{dot}{key}", inner.value_type)
    elif isinstance(inner, inspect.VarTupleType):
        within = bare(inner.item_type)[1]
        count = bounds.get("minItems", len(value))
        if "minimum" in within:
            if len(value) != count or not all(within["minimum"] <= each <= within["maximum"] for each in value):
                raise BadInput(
                    at,
                    "%(count)s numbers of %(least)s to %(most)s",
                    count=count,
                    least=within["minimum"],
                    most=within["maximum"],
                )
            return
        if len(value) != count:
            raise BadInput(at, "%(rows)s rows of %(columns)s numbers", rows=count, columns=within["minItems"])
        for number, each in enumerate(value):
            check_bounds(each, f"{at}[{number}]", inner.item_type)
    elif "minimum" in bounds and not bounds["minimum"] <= value <= bounds["maximum"]:
        raise BadInput(
            at,
            "this must be a number from %(least)s to %(most)s",
            least=bounds["minimum"],
            most=bounds["maximum"],
        )


def bounds_at(kind: Any, path: Iterable[str]) -> tuple[int, int] | None:
    """The least and the most of the number at a path below a type; None where it has no bounds."""
    bounds: dict[str, Any] = {}
    for name in path:
        inner = bare(kind)[0]
        if isinstance(inner, inspect.StructType):
            kind = next((field.type for field in inner.fields if field.encode_name == name), None)
        else:
            kind = getattr(inner, "value_type", None) or getattr(inner, "item_type", None)
        bounds = bare(kind)[1]
    return (bounds["minimum"], bounds["maximum"]) if "minimum" in bounds else None


# -- What people call things (games, seasons, players, sides, fleets, ships, places): one form of it, however it comes
# in.
#
# Ids are another matter: they are keys, of `[a-z0-9_-]`.

TITLE_LETTERS = 200  # of a title, or of any other proper name, at most
NAME_LETTERS = 60  # of who somebody is, at most
Title = Annotated[str, Meta(max_length=TITLE_LETTERS)]
Name = Annotated[str, Meta(max_length=NAME_LETTERS)]
FIELDS = frozenset(
    {
        *("name", "names", "title", "label", "owner", "admiral", "commander_name", "squadron"),
        *("where", "who", "place", "substitutes", "club"),
    }
)  # that hold proper names, one or several, in commands, positions and requests
KEYED = frozenset({"types", "prices", "models"})  # fields whose keys are proper names: of ship types, of owners
UNSEEN = re.compile(  # signs that fonts do not draw, which are letters for Unicode
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffe\uffff\U000e0000-\U000e0fff]"
)


def clean_name(text: str) -> str:
    """The text without control, format and unseen letters, in Unicode's form NFKC, with one space where there are more.

    >>> clean_name(" Ada\\u200b  Lovelace\\u000b")
    'Ada Lovelace'
    """
    if not (text.isascii() and text.isprintable()):
        seen = (" " if category(sign) == "Cc" else sign for sign in text if category(sign) != "Cf")
        text = normalize("NFKC", UNSEEN.sub("", "".join(seen)))
    return " ".join(text.split())


def clean_names(raw: T, at: str = "") -> T:
    """Plain values with every proper name clean (see `FIELDS`, `KEYED`).

    Raises BadInput for one that is too long, and for two that are the same then.
    """
    return cast("T", _clean(raw, at, is_name=False))


def _clean(value: object, at: str, is_name: bool) -> object:
    """The same; `is_name`: texts in it are names, however deep they are."""
    if isinstance(value, list):
        return [_clean(each, f"{at}[{place}]", is_name) for place, each in enumerate(value)]
    if isinstance(value, Mapping):
        found = {
            key: _clean(each, f"{at}.{key}" if at else str(key), is_name or key in FIELDS)
            for key, each in value.items()
        }
        return _with_clean_keys(found, at) if at.rpartition(".")[2] in KEYED else found
    if not (is_name and isinstance(value, str)):
        return value
    text = value if len(value) > 4 * TITLE_LETTERS else clean_name(value)  # what is that long is not read
    if len(text) > TITLE_LETTERS:
        raise BadInput(at, "a name or title may have at most %(most)s characters", most=TITLE_LETTERS)
    return text


def _with_clean_keys(value: Mapping[str, object], at: str) -> dict[str, object]:
    """The same by clean names; the owners of models stand below their side."""
    found: dict[str, object] = {}
    for key, each in value.items():
        if isinstance(each, Mapping) and at.endswith("models"):
            each = _with_clean_keys(each, f"{at}.{key}")
        if (name := clean_name(str(key))) in found:
            raise BadInput(at, "the name '%(name)s' is there twice", name=name)
        found[name] = each
    return found
