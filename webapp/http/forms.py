"""From a page's form to a command: no rule is known here, only how values are written in forms.

A button or a field may carry a whole command as JSON in `command`; or `type` and the command's fields stand
each for itself. A field's name may end in `:int`, `:bool`, `:hex` (a printed hex number), `:list` or `:json`; without
an ending it is a text. A dot leads into an object: `changes.damage:int`.
Empty texts are left out, so that a command's own default holds.
"""

from __future__ import annotations

import re
from typing import Any, Literal, TypeVar

import msgspec
from flask import request
from werkzeug.datastructures import MultiDict

from tactical.hexes import from_column_row
from tactical.kernel.proper_names import clean_names
from tactical.kernel.record import BadInput, Input, Record, bad_input
from webapp.http.rate_limit import slow_down
from webapp.http.request_body import body, parse

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

    A dot in a field's name leads into an object. An empty field is left out, so that the default holds, but where
    there is none (or UNSET) it is an empty text. Raises BadInput.
    """
    if request.path.startswith("/api/"):
        return body(kind)
    without = {each.name for each in msgspec.structs.fields(kind) if each.default in (msgspec.NODEFAULT, msgspec.UNSET)}
    found: dict[str, Any] = {}
    for name, value in request.form.items():
        if name.partition(".")[0] in kind.__struct_fields__ and (value or name in without):
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
