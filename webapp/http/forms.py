"""What a request brings: its body, forms and JSON, and why an input is not taken."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import accumulate
from typing import Any, Literal, NamedTuple, TypeVar, get_origin, get_type_hints
from urllib.parse import urljoin, urlsplit

import msgspec
from flask import Response, abort, request
from markupsafe import escape
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter, MapAdapter, RequestRedirect

from tactical.board import from_column_row
from tactical.kernel.record import BadInput, Input, Reason, Record, bad_input, clean_names, in_english, read
from webapp.http.language import gettext
from webapp.http.rate_limit import slow_down

# -- Numbers in addresses: as many digits as a database counts to, in ASCII; anything longer leads nowhere (404).


class Number(IntegerConverter):
    """`<int:…>` of at most nine digits."""

    regex = r"[0-9]{1,9}"


# -- How long the body of a request may be: by its route, known before a byte of it is read.

MEGA = 1024 * 1024
COMMAND_LIMIT = MEGA  # bytes of a body of the API
GAME_LIMIT = 4 * MEGA  # a position, or a form of a page with a photo
EXPORT_LIMIT = 24 * MEGA  # a whole campaign with its journal and positions
READING = ("GET", "HEAD", "OPTIONS")
LIMITS = {
    "api.create": GAME_LIMIT,
    "table_api.read": 16 * MEGA,  # a photograph with its layout
    "table_api.propose_places": 16 * MEGA,
    "battle.read_table": 16 * MEGA,
    "positions_api.save": GAME_LIMIT,
    "worlds_api.read": GAME_LIMIT,
    "api.import_": EXPORT_LIMIT,
    "seasons_api.import_": EXPORT_LIMIT,
    "organizer.import_page": EXPORT_LIMIT + 65_536,  # and what wraps the file
}  # by endpoint


def limit(endpoint: str | None, path: str) -> int:
    """How many bytes a body to that endpoint may have."""
    return LIMITS.get(endpoint or "", COMMAND_LIMIT if path.startswith("/api/") else GAME_LIMIT)


class Route(NamedTuple):
    """Where a request leads: its endpoint, none where there is no route; and whether a game is part of the address."""

    endpoint: str | None = None
    has_game: bool = False


def find_route(routes: MapAdapter, method: str, path: str) -> Route:
    """Where a request will lead, before a byte of its body is read."""
    try:
        endpoint, values = routes.match(path, method)
    except (HTTPException, RequestRedirect):
        return Route()
    return Route(endpoint, "game" in values)


def room(route: Route, method: str, path: str) -> int:
    """How many bytes of a body to read; none where nobody wants it: for a page, and where there is no route."""
    return 0 if route.endpoint is None or method in READING else limit(route.endpoint, path)


def refuse_long_bodies() -> None:
    """413 for a body that is longer than its route's limit, by what its head says or by what has come of it."""
    request.max_content_length = limit(request.endpoint, request.path)
    if (request.content_length or 0) > request.max_content_length:
        abort(413)


# -- Reading a request's body: strict about JSON, and typed.

T = TypeVar("T")

DEEPEST = 64  # levels of nesting
MOST_FIELDS = 10_000  # of one object; the largest position has a few hundred
LARGEST = 2**53 - 1  # beyond it other programs' JSON readers round


def body(kind: type[T]) -> T:
    """The request's body as `kind`. Raises BadInput; its length is bounded by its route (`http.bodies`)."""
    found: T = read(clean_names(raw()), kind)
    return found


def raw(is_saved: bool = False) -> Any:
    """The request's body as plain values; `is_saved`: a game as it was exported (see `parse`). Raises BadInput."""
    data = request.get_data(cache=False)
    kind = request.mimetype
    if kind != "application/json" and not kind.endswith("+json"):
        raise BadInput("", "send the body as JSON, with 'Content-Type: application/json'")
    return parse(data, is_saved)


def parse(data: bytes, is_saved: bool = False) -> Any:
    """Strict JSON: UTF-8 (with or without a mark before it), no NaN, no doubled keys, no numbers or nesting that
    others could not read.

    4.0 is the whole number 4, as JSON Schema has it, since some programs write all numbers so. In a saved game
    (`is_saved`) numbers stay as they are: its journal must be the same when it is played again.
    """
    try:
        value = (SAVED if is_saved else STRICT).decode(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadInput("", "the body is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise not_json(error) from None
    except RecursionError:
        raise BadInput("", "this is nested deeper than %(levels)s levels", levels=DEEPEST) from None
    for text in _texts(value):
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise BadInput("", "a text contains half a character (a lone surrogate)")
    return value


def not_json(error: json.JSONDecodeError) -> BadInput:
    """The refusal of a text that is not JSON, with the place where it ends to be."""
    return BadInput("", "this is not JSON (line %(line)s, column %(column)s)", line=error.lineno, column=error.colno)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's pairs as a dictionary, in time that grows with their number and no faster."""
    if len(pairs) > MOST_FIELDS:
        raise BadInput("", "an object may have at most %(most)s fields", most=MOST_FIELDS)
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise BadInput(_ascii(name[:60]), "this field is given twice")
        found[name] = value
    return found


def _ascii(name: str) -> str:
    return name.encode("ascii", "replace").decode()


def _constant(name: str) -> Any:
    raise BadInput("", "%(name)s is not a number that JSON knows", name=name)


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        raise BadInput("", "the number %(digits)s is too large", digits=digits[:20])
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits[:400])
    if not abs(value) <= LARGEST or len(digits) > 400:
        raise BadInput("", "the number %(digits)s is too large", digits=digits[:20])
    return value


def _number(digits: str) -> float:
    value = _float(digits)
    return int(value) if value.is_integer() else value


STRICT, SAVED = (
    json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_int=_whole, parse_float=number)
    for number in (_number, _float)
)  # made once: they are slower to make than to read a command by


def _texts(value: Any) -> Iterator[str]:
    """Every text in the value, names too. Raises BadInput where it is nested too deeply."""
    level = [value]
    for _ in range(DEEPEST):
        deeper: list[Any] = []
        for part in level:
            if isinstance(part, str):
                yield part
            elif isinstance(part, dict):
                yield from part
                deeper.extend(part.values())
            elif isinstance(part, list):
                deeper.extend(part)
        level = deeper
        if not level:
            return
    raise BadInput("", "this is nested deeper than %(levels)s levels", levels=DEEPEST)


# -- Why an input is not taken (BadInput), in the reader's language: positions, adjustments, forms, files, addresses.
#
# The API and the command line say it in English.


def _l(text: str) -> str:
    """Marks a word for the translators' catalogue."""
    return text


TYPES = {  # what msgspec calls the shapes of JSON
    "int": _l("a whole number"),
    "float": _l("a number"),
    "str": _l("a text"),
    "bool": _l("true or false"),
    "array": _l("a list"),
    "object": _l("an object"),
    "null": _l("nothing (null)"),
}
WORDS = {  # what fills gaps
    "a better ratio": _l("a better ratio"),
    "a higher die": _l("a higher die"),
    "columns": _l("columns"),
    "rows": _l("rows"),
    "land": _l("land points"),
    "naval": _l("naval points"),
    "sunk": _l("sunk"),
    "captured": _l("captured"),
    "withdrawn": _l("withdrawn"),
    "afloat": _l("afloat"),
    "roman": _l("roman"),
    "hellenistic": _l("hellenistic"),
    "asiatic": _l("asiatic"),
}
TYPED = ("wanted", "given", "kinds")  # gaps that hold a shape of JSON
WORDED = ("better", "kind", "what", "status", "navy", "type")  # gaps that hold a word of ours


def reason_text(why: Reason) -> str:
    """The reason of a BadInput in the reader's language; in English only shapes are put into words."""
    form = gettext(why.form)
    if form == why.form:
        shapes = {name: gap_text(name, value) for name, value in why.values.items() if name in TYPED}
        return str(Reason(form, {**why.values, **shapes}))
    return form % {name: gap_text(name, value) for name, value in why.values.items()} if why.values else form


def gap_text(name: str, value: Any) -> str:
    """What fills a gap: shapes, our own words and reasons in the reader's language, all else as it was typed."""
    if isinstance(value, Reason):
        return reason_text(value)
    text = in_english(value).strip("'")
    if name in TYPED:
        return " / ".join(gettext(TYPES[part]) if part in TYPES else part for part in text.split(" | "))
    return gettext(WORDS.get(text, text)) if name in WORDED else text


def in_language(problem: BadInput) -> BadInput:
    """The same with its reason in the reader's language, for a page that shows both path and reason."""
    return BadInput(problem.path, reason_text(problem.why))


# -- From a page's form to a command: no rule is known here, only how values are written in forms.
#
# A button or a field may carry a whole command as JSON in `command`; or `type` and the command's fields stand
# each for itself. A field's name may end in `:int`, `:bool`, `:hex` (a printed hex number), `:list` or `:json`; without
# an ending it is a text. A dot leads into an object: `changes.damage:int`.
# Empty texts are left out, so that a command's own default holds.

OWN = frozenset(("csrf_token", "seen", "rolls", "before", "command", "show", "view", "key", "side_shown", "back"))
DEEPEST_FIELD = 4  # dots in a field's name
ANY = TypeVar("ANY", bound=Input)


class Form(Record, frozen=True):
    """What a form said: the version on screen, the command, and the faces thrown by hand (or "digital")."""

    seen: int
    command: dict[str, Any]
    faces: list[int] | Literal["digital"] | None = None
    key: str | None = None


def read_form(form: MultiDict[str, str]) -> Form:
    """Read a form. Raises BadInput, which names the field."""
    command = read_command(form)
    rolls = "digital" if "digital" in form.getlist("rolls") else form.get("rolls")
    faces = read_faces(rolls)
    if isinstance(faces, list):
        faces = [*(read_faces(form.get("before")) or ()), *faces]
    return Form(whole(form.get("seen"), "seen"), command, faces, form.get("key") or None)


def read_command(form: MultiDict[str, str]) -> dict[str, Any]:
    """The command of a form, from its JSON or from its single fields."""
    written = form.get("command")
    command: dict[str, Any] = {}
    if written:
        command = parse_field(written, "command")
        if not isinstance(command, dict):
            raise BadInput("command", "a command must be an object")
    for name in form:
        if name in OWN:
            continue
        field, _, kind = name.partition(":")
        values = form.getlist(name)
        if kind == "list":
            put(command, field, [value for value in values if value])
        elif values[-1] != "":
            put(command, field, to_kind(values[-1], kind, field))
    return command


def read_input(kind: type[ANY]) -> ANY:
    """What a request gives, as `kind`: below /api its body as JSON, on a page the fields of its form.

    A dot in a field's name leads into an object; a field of several values is all that the form gives under its name.
    An empty field is left out, so that the default holds, but where there is none (or UNSET) it is an empty text.
    Raises BadInput.
    """
    if request.path.startswith("/api/"):
        return body(kind)
    without = {each.name for each in msgspec.structs.fields(kind) if each.default in (msgspec.NODEFAULT, msgspec.UNSET)}
    several = {name for name, type in get_type_hints(kind).items() if get_origin(type) is tuple}
    found: dict[str, Any] = {}
    for name, value in request.form.items():
        if name in several:
            found[name] = [each for each in request.form.getlist(name) if each]
        elif name.partition(".")[0] in kind.__struct_fields__ and (value or name in without):
            put(found, name, value)
    try:
        return msgspec.convert(clean_names(found), kind, strict=False)
    except msgspec.ValidationError as error:
        raise bad_input(error) from None


def put(command: dict[str, Any], field: str, value: Any) -> None:
    """Set a field of a command; a dot in its name leads into an object. Raises BadInput where that is none."""
    if field.count(".") > DEEPEST_FIELD:
        raise BadInput(field[:60], "this name has too many parts")
    outer, dot, inner = field.partition(".")
    if not dot:
        command[outer] = value
        return
    within = command.setdefault(outer, {})
    if not isinstance(within, dict):
        raise BadInput(outer, "expected an object")
    put(within, inner, value)


def to_kind(value: str, kind: str, field: str) -> Any:
    """A field's text as the kind that its name asks for."""
    match kind:
        case "int":
            return whole(value, field)
        case "bool":
            return value.lower() in ("1", "true", "on", "yes")
        case "hex":
            return read_hex(value, field)
        case "json":
            return parse_field(value, field)
    return value


def read_hex(value: str, field: str) -> list[int]:
    """The hex of a printed number such as 0403: column and row, counted from 1. Raises BadInput."""
    if not re.fullmatch(r"[0-9]{4}", value.strip()):
        raise BadInput(field, "expected a hex number of four digits, as printed on the board")
    return list(from_column_row(int(value.strip()[:2]) - 1, int(value.strip()[2:]) - 1))


def whole(value: str | None, field: str) -> int:
    """A whole number. Raises BadInput."""
    if value is None or not re.fullmatch(r"-?[0-9]{1,9}", value.strip()):
        raise BadInput(field, "expected a whole number")
    return int(value)


def count(text: str | None) -> int | None:
    """A whole number from 0 on, of at most nine digits of ASCII; None for every other text."""
    return int(text) if text is not None and re.fullmatch(r"[0-9]{1,9}", text) else None


def parse_field(text: str, field: str) -> Any:
    """JSON in a field, read as strictly as a body of the API. Raises BadInput, which names the field."""
    try:
        return parse(text.encode())
    except BadInput as fault:
        raise BadInput(".".join(part for part in (field, fault.path) if part), fault.why) from None


def read_faces(text: str | None) -> list[int] | Literal["digital"] | None:
    """Faces thrown by hand, such as `3 5 6`, `3,5,6` or `356`; "digital" lets the server throw; nothing is None."""
    if text is None or not text.strip():
        return None
    if text.strip() == "digital":
        return "digital"
    if not re.fullmatch(r"[0-9\s,;+]{1,4000}", text):
        raise BadInput("rolls", "write the faces as numbers, such as 3 5 6")
    return [int(face) for face in re.findall(r"[0-9]", text)]


def read_photo() -> bytes:
    """The photo of the form; nothing where none was taken. Raises TooMany for an address that sends many."""
    sent = request.files.get("photo")
    if sent is None or not sent.filename:
        return b""
    slow_down("photos")
    return sent.read()


# -- A form that is refused comes back as it was filled in, and unfolded: whatever page the refusal is shown on.

LOST = ("csrf_token", "seen", "key")  # the page's own, new on each page
NOT_TYPED = ("hidden", "password", "file", "submit", "button", "image", "reset")
TICKED = ("checkbox", "radio")
Attributes = dict[str, str | None]


@dataclass
class Control:
    """A field of a form on a page, or one of a list's options: its attributes, and where its tag and text stand."""

    tag: str
    given: Attributes
    start: int
    end: int
    folds: tuple[int, ...]  # the places of the <details> around it
    text: tuple[int, int] = (0, 0)
    options: list[Control] = field(default_factory=list)
    says: str = ""  # of an option: what is sent where it has no value

    @property
    def name(self) -> str:
        """Its name, without which it is not sent."""
        return self.given.get("name") or ""

    @property
    def kind(self) -> str:
        """The type of an input; of other fields their tag."""
        return (self.given.get("type") or "text").lower() if self.tag == "input" else self.tag


@dataclass
class SentForm:
    """A form of a page with the fields that it sends."""

    given: Attributes
    folds: tuple[int, ...]
    controls: list[Control] = field(default_factory=list)

    def likeness(self, path: str, sent: MultiDict[str, str]) -> int:
        """How many of the fields sent to a path are its own; 0 where it goes elsewhere or is for something else."""
        action = urlsplit(urljoin(path, self.given.get("action") or path)).path
        fixed = [each for each in self.controls if each.kind == "hidden" and each.name not in LOST]
        is_it = action == path and (self.given.get("method") or "").lower() == "post"
        if not is_it or any((each.given.get("value") or "") not in sent.getlist(each.name) for each in fixed):
            return 0
        return len({each.name for each in self.controls} & set(sent))


class FormReader(HTMLParser):
    """Reads the forms of a page, and where everything in them stands."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[SentForm] = []
        self.folds: dict[int, tuple[int, Attributes]] = {}  # by the place of a <details>: where its tag ends
        self._by_id: dict[str, SentForm] = {}
        self._around: list[int] = []
        self._form: SentForm | None = None
        self._last: Control | None = None
        self._lines = [0, *accumulate(len(line) + 1 for line in page.split("\n"))]
        self._elsewhere: list[tuple[str, Control]] = []
        self.feed(page)
        for id, control in self._elsewhere:
            if id in self._by_id:
                self._by_id[id].controls.append(control)

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form, a field, an option, or a fold."""
        given, start = dict(attrs), self._at()
        end = start + len(self.get_starttag_text() or "")
        if tag == "details":
            self._around.append(start)
            self.folds[start] = end, given
        elif tag == "form":
            self._form = SentForm(given, tuple(self._around))
            self.forms.append(self._form)
            self._by_id[given.get("id") or ""] = self._form
        elif tag == "option" and self._last is not None and self._last.tag == "select":
            self._last.options.append(Control(tag, given, start, end, ()))
        elif tag in ("input", "select", "textarea", "button"):
            self._last = Control(tag, given, start, end, tuple(self._around), (end, end))
            if given.get("form"):
                self._elsewhere.append((given["form"] or "", self._last))
            elif self._form is not None:
                self._form.controls.append(self._last)

    def handle_data(self, data: str) -> None:
        """Note what an option says."""
        if self._last is not None and self._last.options and not self._last.options[-1].says:
            self._last.options[-1].says = data.strip()

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a form, a text or a fold."""
        if tag == "details" and self._around:
            self._around.pop()
        elif tag == "form":
            self._form = None
        elif tag == "textarea" and self._last is not None and self._last.tag == tag:
            self._last.text = self._last.end, self._at()


def filled_in(page: str, path: str, sent: MultiDict[str, str]) -> str:
    """The page with its form that sent these fields as it was filled in, and what is folded about it open.

    A page without that form stays as it is. Passwords and files do not come back.
    """
    reader = FormReader(page)
    form = max(reader.forms, key=lambda each: each.likeness(path, sent), default=None)
    if form is None or not form.likeness(path, sent):
        return page
    open_folds, changes = set(form.folds), dict[tuple[int, int], str]()
    left = {name: sent.getlist(name) for name in sent}
    for each in form.controls:
        values = sent.getlist(each.name)
        if not each.name or each.kind in NOT_TYPED:
            continue
        open_folds.update(each.folds)
        if each.kind in TICKED:
            is_on = each.given.get("value", "on") in values
            changes[each.start, each.end] = tag_of(each, "checked", "" if is_on else None)
        elif each.name not in sent:
            continue
        elif each.kind == "select":
            for option in each.options:
                chosen = option.given.get("value", option.says) in values
                changes[option.start, option.end] = tag_of(option, "selected", "" if chosen else None)
        else:
            text = (left[each.name] or [""]).pop(0)
            if each.kind == "textarea":
                changes[each.text] = f"\n{escape(text)}"
            else:
                changes[each.start, each.end] = tag_of(each, "value", text)
    for place in open_folds:
        end, given = reader.folds[place]
        changes[place, end] = tag_of(Control("details", given, place, end, ()), "open", "")
    for (start, end), text in sorted(changes.items(), reverse=True):
        page = f"{page[:start]}{text}{page[end:]}"
    return page


def tag_of(control: Control, name: str, value: str | None) -> str:
    """The tag of a field with an attribute set, or without it."""
    given = {key: each or "" for key, each in control.given.items()}
    if value is None:
        given.pop(name, None)
    else:
        given[name] = value
    written = "".join(f' {key}="{escape(each)}"' for key, each in given.items())
    return f"<{control.tag}{written}>"


def give_back(answer: Response) -> Response:
    """A page that refuses a form, with the form as it was filled in."""
    if (
        request.method == "POST"
        and 400 <= answer.status_code < 500
        and answer.status_code != 413  # of what was too long nothing has been read
        and answer.mimetype == "text/html"
        and not answer.is_streamed
        and request.form
    ):
        answer.set_data(filled_in(answer.get_data(as_text=True), request.path, request.form))
    return answer
