"""What was read of a stranger's file: how much of each kind, what was left out and why. Told before anything counts."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from flask import render_template, request
from flask_babel import ngettext

from tactical.kernel.record import BadInput, Reason
from webapp.http.forms import reason_text
from webapp.http.language import tag

MOST_TOLD, MOST_OF_ONE = 100, 12  # of what was left out, and of what was for one reason: the rest is counted
NOUNS: Mapping[str, Callable[[int], str]] = {
    "players": lambda count: ngettext("%(num)d player", "%(num)d players", count),
    "rounds": lambda count: ngettext("%(num)d round", "%(num)d rounds", count),
    "battles": lambda count: ngettext("%(num)d battle", "%(num)d battles", count),
    "rows": lambda count: ngettext("%(num)d row", "%(num)d rows", count),
    "ships": lambda count: ngettext("%(num)d ship", "%(num)d ships", count),
    "sides": lambda count: ngettext("%(num)d side", "%(num)d sides", count),
    "types": lambda count: ngettext("%(num)d ship type", "%(num)d ship types", count),
    "owners": lambda count: ngettext("%(num)d owner", "%(num)d owners", count),
    "models": lambda count: ngettext("%(num)d model", "%(num)d models", count),
    "features": lambda count: ngettext("%(num)d feature", "%(num)d features", count),
    "places": lambda count: ngettext("%(num)d place", "%(num)d places", count),
    "lanes": lambda count: ngettext("%(num)d lane", "%(num)d lanes", count),
    "roads": lambda count: ngettext("%(num)d road", "%(num)d roads", count),
}  # what can be counted in a file, and how a page says a number of it


@dataclass(frozen=True)
class LeftOut:
    """Something that was not read: a cell (`B7`, `ships!B7`), a feature (`features[3]`) or a name, and the reason.

    `called`: what the thing there is called, if it has a name.
    """

    where: str
    why: Reason
    called: str = ""

    def text(self) -> str:
        """The reason in the reader's language."""
        return reason_text(self.why)


@dataclass(frozen=True)
class Report:
    """What was read of a file of this format; `counts` by a noun of `NOUNS`.

    `encoding` and `separator` are those that were found in a file of plain text; `notes` say what was not written as
    usual and yet was read, as "the heads stand in row 3".
    """

    format: str
    counts: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[Reason, ...] = ()
    encoding: str = ""
    separator: str = ""

    def counted(self) -> list[str]:
        """How much was read of each kind, as a page says it."""
        return [NOUNS[noun](count) for noun, count in self.counts.items()]

    def left_out_by_reason(self) -> list[tuple[list[LeftOut], int, str]]:
        """What was left out as a page tells it: for each reason the first things, how many more, and the reason."""
        found: dict[str, list[LeftOut]] = {}
        for each in self.left_out:
            found.setdefault(each.text(), []).append(each)
        groups = list(found.items())[:MOST_TOLD]
        return [(those[:MOST_OF_ONE], max(0, len(those) - MOST_OF_ONE), why) for why, those in groups]

    def more_left_out(self) -> int:
        """How many more were left out, for other reasons."""
        return len(self.left_out) - sum(len(those) + more for those, more, _why in self.left_out_by_reason())

    def note_texts(self) -> list[str]:
        """The notes in the reader's language."""
        return [reason_text(note) for note in self.notes]

    def as_json(self) -> dict[str, Any]:
        """The same for a program, with reasons in English."""
        return {
            "format": self.format,
            "encoding": self.encoding,
            "separator": self.separator,
            "counts": dict(self.counts),
            "left_out": [{"where": each.where, "why": str(each.why)} for each in self.left_out[:MOST_TOLD]],
            "left_out_more": max(0, len(self.left_out) - MOST_TOLD),
            "notes": [str(note) for note in self.notes],
        }


# -- A file that was sent, and the page that shows what was read of it and asks whether it shall count.
#
# Nothing of it is stored meanwhile: the file comes back with the answer.

OWN = ("csrf_token", "kept_file", "encoding", "is_read", "look", "why")  # fields of that page, or not to be repeated
MOST_SHOWN = 20  # rows


@dataclass(frozen=True)
class Sent:
    """A file as it was sent, how its sender says that its letters are written, and whether he has seen the report."""

    data: bytes
    encoding: str = ""
    is_confirmed: bool = False

    def text(self) -> tuple[str, str]:
        """What the file says, and the name of its letters (`sheet_reader.read_text`). Raises BadInput for no text."""
        try:
            found: tuple[str, str] = import_module("webapp.files.sheet_reader").read_text(
                self.data, tag(), self.encoding
            )
        except (ValueError, LookupError):
            raise BadInput("file", "this is not a text file") from None
        return found

    def as_field(self) -> str:
        """The file as a field of a form."""
        return b64encode(zlib.compress(self.data)).decode()


def sent_file(most: int, name: str = "file") -> Sent | None:
    """The file of a form, of which one byte more than `most` is read; None where there is none."""
    sent, encoding = request.files.get(name), request.form.get("encoding", "")
    if sent is not None and sent.filename:
        return Sent(sent.stream.read(most + 1), encoding)
    if not (kept := request.form.get("kept_file", "")):
        return None
    try:
        data = zlib.decompressobj().decompress(b64decode(kept), most + 1)
    except (ValueError, zlib.error):
        return None
    return Sent(data, encoding, request.form.get("is_read") == "yes")


def sent_text(name: str) -> Sent:
    """The text of a form's field, which comes back with the answer like the others."""
    return Sent(request.form.get(name, "").encode(), is_confirmed=request.form.get("is_read") == "yes")


def sent_body() -> Sent:
    """The file that is the body of a request to the API; `?encoding=` names its letters, or its type's `charset`."""
    encoding = request.args.get("encoding") or request.mimetype_params.get("charset", "")
    return Sent(request.get_data(cache=False), encoding.casefold())


def ask_first(
    sent: Sent,
    report: Report,
    shown: Iterable[Sequence[object]],
    button: str,
    back: str,
    encodings: Sequence[str] = (),
) -> str:
    """The page of a report: with the first rows that were read, heads first, and the button that makes them count.

    The form goes to the same address with the same fields; then `sent_file` says that it is confirmed. It asks for the
    reason (`why`) where the form before it did. Without a row there is no button.
    """
    heads, *rows = shown
    fields = [(key, value) for key, value in request.form.items(multi=True) if key not in OWN]
    return render_template(
        "read_file.html",
        sent=sent,
        report=report,
        heads=heads,
        rows=rows[:MOST_SHOWN],
        more=max(0, len(rows) - MOST_SHOWN),
        fields=fields,
        button=button,
        reason=request.form.get("why"),
        back=back,
        encodings=encodings,
    )
