"""A page's fragments, gaps for each browser in what is drawn for several, and compression."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from flask import Flask, Request, Response, g, render_template, request
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from tactical.kernel.cache import remember
from webapp.http.seats import bearer

# -- Gaps in what is drawn for several: a form's hidden fields, which hold this browser's token and the version shown.
#
# Who names his seat by a bearer token has no session and needs none: his forms have no token of a browser's.

CSRF, SEEN = "c", "s"
TABLE = Markup("<!--t-->")  # in a page's template, until the drawing is put there that is its table
_drawn: ContextVar[dict[str, Fragment] | None] = ContextVar("drawn", default=None)  # while a page is drawn for several


def csrf_input() -> Markup:
    """The hidden field with this browser's token; a gap while that is drawn which others may share."""
    return Markup(f"<!--{CSRF}-->") if _drawn.get() is not None else _token()


def seen_input(version: int) -> Markup:
    """The hidden field with the version that the page shows; a gap while that is drawn which others may share."""
    return Markup(f"<!--{SEEN}-->") if _drawn.get() is not None else _version(version)


def fill_gaps(parts: Iterable[Part], version: int) -> bytes:
    """What is drawn, with this browser's token and the version in its gaps."""
    shown = str(_version(version)).encode()
    gaps = {CSRF: lambda: str(_token()).encode(), SEEN: lambda: shown}
    return b"".join([part if isinstance(part, bytes) else gaps[part]() for part in parts])


def _token() -> Markup:
    known: Markup | None = g.get("token_input")  # a request has one token
    if known is None:
        known = g.token_input = Markup("") if bearer() is not None else _field(generate_csrf())
    return known


def _field(token: str) -> Markup:
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(token)


def _version(version: int) -> Markup:
    return Markup(f'<input type="hidden" name="seen" value="{version:d}">')


# -- A page's fragments: elements with an id, of which an answer brings those that the page does not have.
#
# In a template, `{% call fragment("tray") %}<section id="tray">…</section>{% endcall %}` makes a fragment of what is
# drawn there, and `{{ fragment("chip-r1", text=…) }}` of a text; fragments may stand inside others. The page has each
# one's key and digest as `data-fragment`, and sends them with a request for it (`X-Fragments`, static/fragments.js).
# The answer is an `<hx-partial>` for each fragment whose own text differs; of one whose own text is the same, those
# inside are looked at. Nothing is remembered of who asked.
#
# A fragment's digest leaves out the hidden fields of its forms, which hold this browser's token and the version shown
# (`http/fragments.py`). What people have written is escaped, so none of it can be a mark.

HEADER = "X-Fragments"
MARK = re.compile(r"<!--(f:[\w.-]+|[cs])-->")
MOST = 2000  # fragments that a page may say it has
PARTIAL = Markup('<hx-partial id="{}" hx-swap="outerMorph">'), "</hx-partial>\n"
# Read as part of a picture; `strip` takes the <svg> off again.
IN_PICTURE = Markup('<hx-partial id="{}" hx-swap="outerMorph strip:true"><svg>'), "</svg></hx-partial>\n"
OWN, FOUND = Markup('id="{}"'), Markup(' data-fragment="{}:{}"')
Part = bytes | str  # some of a page in UTF-8, or the name of a mark: a gap's, or a fragment's


@dataclass(frozen=True)
class Fragment:
    """An element: its key and digest, its parts, and what stands around it in an answer that brings it.

    Without a digest it is in every answer.
    """

    key: str
    digest: str
    parts: Sequence[Part]
    before: bytes
    after: bytes


@dataclass(frozen=True, eq=False)
class Drawing:
    """A page's parts, and its fragments by the names of their marks."""

    parts: Sequence[Part]
    fragments: Mapping[str, Fragment]

    def __sizeof__(self) -> int:
        """About its bytes, with all that is in it."""
        return sum(map(len, self.flat)) + 500 * len(self.fragments)

    @cached_property
    def flat(self) -> Sequence[Part]:
        """The parts of the whole page, with gaps for its hidden fields: many ask for it."""
        return [*self._put(self.parts)]

    def whole(self, version: int) -> bytes:
        """The whole page with its hidden fields."""
        return fill_gaps(self.flat, version)

    def answer(self, version: int) -> bytes:
        """What of the page the browser lacks, by what it says that it has; all of it where it says nothing."""
        said = request.headers.get(HEADER)
        return self.whole(version) if said is None else fill_gaps(lacking(self, said), version)

    def within(self, template: str, version: int, **values: Any) -> bytes:
        """The page of a template that shows this one as its `table`."""
        page = render_template(template, table=TABLE, **values)
        return page.encode().replace(TABLE.encode(), self.whole(version), 1)

    def partials(self, parts: Iterable[Part], has: Mapping[str, str]) -> Iterator[Part]:
        """Those of the fragments among some parts that a page lacks which has these digests, by their keys."""
        for part in parts:
            it = self.fragments.get(part) if isinstance(part, str) else None
            if it is not None and it.digest and has.get(it.key) == it.digest:
                yield from self.partials(it.parts, has)
            elif it is not None:
                yield from (it.before, *self._put(it.parts), it.after)

    def _put(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Some parts with the fragments in their places."""
        for part in parts:
            it = self.fragments.get(part) if isinstance(part, str) else None
            if it is None:
                yield part
            else:
                yield from self._put(it.parts)


@remember
def lacking(drawing: Drawing, said: str) -> Sequence[Part]:
    """The partials of a drawing for a page that says that it has these: pages of one seat mostly say the same."""
    pairs = (each.partition(":") for each in said.split(" ")[:MOST])
    return [*drawing.partials(drawing.parts, {key: digest for key, _colon, digest in pairs})]


def fragment(
    name: str, is_picture: bool = False, always: bool = False, text: str = "", caller: Callable[[], str] | None = None
) -> Markup:
    """In a template: the element of this id as a fragment, `always` if every answer is to bring it.

    Its text is that element, with its id.
    """
    whole, drawn = text if caller is None else caller(), _drawn.get()
    if drawn is None:
        return Markup(whole)
    mark, found = make_fragment(name, whole, is_picture, always)
    drawn[mark] = found
    return Markup(f"<!--{mark}-->")


@remember
def make_fragment(name: str, text: str, is_picture: bool, always: bool) -> tuple[str, Fragment]:
    """The fragment of a text, with its key and digest in the element, and the name of its mark."""
    key, digest = digest_of(name), "" if always else digest_of(text)
    own = OWN.format(name)
    if own not in text:
        raise ValueError(f"the fragment {name} has no such id")
    marked = str(text).strip().replace(own, own + FOUND.format(key, digest), 1)
    before, after = IN_PICTURE if is_picture else PARTIAL
    return f"f:{key}", Fragment(key, digest, cut(marked), before.format(name).encode(), after.encode())


def cut(text: str) -> Sequence[Part]:
    """A text cut at its marks."""
    return [part if number % 2 else part.encode() for number, part in enumerate(MARK.split(text))]


def digest_of(text: str) -> str:
    """Eight letters for a text: two different ones among some hundred have the same by no chance that matters."""
    return base64.b64encode(hashlib.blake2b(text.encode(), digest_size=6).digest(), b"._").decode()


def drawing(template: str, **values: Any) -> Drawing:
    """What a template makes, in fragments, with gaps for hidden fields."""
    fragments: dict[str, Fragment] = {}
    before = _drawn.set(fragments)
    try:
        return Drawing(cut(render_template(template, **values)), fragments)
    finally:
        _drawn.reset(before)


# -- Every text is sent compressed to whoever can read that, in one place; programs get a tag to ask by.
#
# zlib's quickest level takes under a millisecond for a battle's table and makes a ninth of it; what is short is packed
# better for as little. Why it may stand beside
# secrets of a page: docs/decisions/003.

SMALLEST = 400  # bytes; below that the headers are longer than what is saved
TEXTS = frozenset(
    (
        "application/json",
        "application/geo+json",
        "application/manifest+json",
        "application/javascript",
        "application/problem+json",
        "image/svg+xml",
        "application/xml",
    )
)
SMALL = 1 << 13
LARGEST_KEPT = 1 << 20
SHORT = 1 << 15
NAMED = b"\x1f\x8b\x08\x08\0\0\0\0\x04\x03"  # gzip with a name, no time, quickest, Unix


def compress_texts(app: Flask) -> None:
    """Compress what the application answers, after everything else has been done to it."""
    app.after_request(compress)


def compress(answer: Response) -> Response:
    """The answer, compressed where it is a text and the client takes gzip; else as it is."""
    if answer.is_streamed and not answer.direct_passthrough:
        return answer
    if answer.status_code not in (200, 201, 404, 409, 422) or not is_text(answer):
        return answer
    vary(answer, "Accept-Encoding")
    if request.method == "GET" and answer.status_code == 200 and request.path.startswith("/api/"):
        answer.add_etag(weak=True)
        answer.make_conditional(request)
    takes = takes_gzip(request.headers.get("Accept-Encoding", ""))
    is_partial = answer.status_code in (206, 304) or "Content-Range" in answer.headers
    if not takes or is_partial or "Content-Encoding" in answer.headers or request.method == "HEAD":
        return answer
    small = _gzip(answer, request)
    if small is not None:
        etag, _ = answer.get_etag()
        if etag:
            answer.set_etag(etag, weak=True)  # the same text in other bytes
        answer.headers.pop("Accept-Ranges", None)
        answer.headers["Content-Encoding"] = "gzip"
        answer.set_data(small)
    return answer


@lru_cache(maxsize=64)
def takes_gzip(said: str) -> bool:
    """Does a client that says so of encodings read gzip? Not one that says nothing."""
    return parse_accept_header(said, Accept).quality("gzip") > 0


def is_text(answer: Response) -> bool:
    """Is there anything to gain?"""
    kind = answer.mimetype or ""
    return kind in TEXTS or (kind.startswith("text/") and kind != "text/event-stream")


def _gzip(answer: Response, asked: Request) -> bytes | None:
    """The body as gzip, of unforeseeable length; None when it is too short."""
    is_file = answer.direct_passthrough
    answer.direct_passthrough = False
    body = answer.get_data()
    if len(body) < SMALLEST:
        return None
    packed = _kept(body, 9) if is_file and len(body) < LARGEST_KEPT else _gzip_once(body)
    name = secrets.token_hex(32)[: 1 + secrets.randbelow(64)].encode()
    return b"".join((NAMED, name, b"\0", packed, struct.pack("<LL", zlib.crc32(body), len(body) & 0xFFFFFFFF)))


def vary(answer: Response, name: str) -> None:
    """Say that the answer depends on a header of the request."""
    known = answer.headers.get("Vary")
    if known is None:
        answer.headers["Vary"] = name
    elif name.lower() not in known.lower().split(", "):
        answer.headers["Vary"] = f"{known}, {name}"


def _gzip_once(body: bytes) -> bytes:
    """What is told to everybody who follows a game is packed once."""
    return _told(body, 6) if len(body) < SMALL else _deflate(body, 6 if len(body) < SHORT else 1)


def _deflate(body: bytes, level: int) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


_kept = lru_cache(maxsize=64)(_deflate)  # files of ours, as small as they get
_told = lru_cache(maxsize=256)(_deflate)
