"""A page's fragments, gaps for each browser in what is drawn for several, and compression."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache

from flask import Flask, Request, Response, g, request
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from tactical.kernel.cache import remember
from webapp.http.seats import bearer

# -- Gaps in what is drawn for several: a form's hidden fields, which hold this browser's token and the version shown.
#
# Who names his seat by a bearer token has no session and needs none: his forms have no token of a browser's.

CSRF, SEEN = "<!--c-->", "<!--s-->"


@contextmanager
def leave_gaps() -> Iterator[None]:
    """What is drawn in here leaves gaps."""
    before = g.get("leaves_gaps", False)
    g.leaves_gaps = True
    try:
        yield
    finally:
        g.leaves_gaps = before


def csrf_input() -> Markup:
    """The hidden field with this browser's token; a gap while that is drawn which others may share."""
    return Markup(CSRF) if g.get("leaves_gaps") else _token()


def seen_input(version: int) -> Markup:
    """The hidden field with the version that the page shows; a gap while that is drawn which others may share."""
    return Markup(SEEN) if g.get("leaves_gaps") else _version(version)


def fill_gaps(text: str, version: int) -> Markup:
    """A text with this browser's token and the version in its gaps."""
    plain = str(text)  # a Markup would escape what is put into it
    if CSRF in plain:
        plain = plain.replace(CSRF, str(_token()))
    return Markup(plain.replace(SEEN, str(_version(version))) if SEEN in plain else plain)


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
# In a template, `{% call fragment("tray") %}<section id="tray">…</section>{% endcall %}` makes a fragment; fragments
# may
# stand inside others. The page has each one's key and digest as `data-fragment`, and sends them with a request for it
# (`X-Fragments`, static/fragments.js). The answer is an `<hx-partial>` for each fragment whose own text differs; of one
# whose own text is the same, those inside are looked at. Nothing is remembered of who asked.
#
# A fragment's digest leaves out the hidden fields of its forms, which hold this browser's token and the version shown
# (`http/fragments.py`). What people have written is escaped, so none of it can be a mark.

HEADER = "X-Fragments"
MARK = re.compile(r"<!--f:([\w.-]+)-->")
MOST = 2000  # fragments that a page may say it has
PARTIAL = Markup('<hx-partial id="{}" hx-swap="outerMorph">{}</hx-partial>\n')
# Read as part of a picture; `strip` takes the <svg> off again.
IN_PICTURE = Markup('<hx-partial id="{}" hx-swap="outerMorph strip:true"><svg>{}</svg></hx-partial>\n')
OWN, FOUND = Markup('id="{}"'), Markup(' data-fragment="{}:{}"')


@dataclass(frozen=True)
class Fragment:
    """An element: its id, its key and digest, its text with marks for the fragments inside it.

    `is_picture`: it stands inside an SVG. Without a digest it is in every answer.
    """

    name: str
    key: str
    digest: str
    text: str
    is_picture: bool


@dataclass(frozen=True, eq=False)
class Drawing:
    """A page's text with marks for its fragments, and these by their keys."""

    text: str
    fragments: Mapping[str, Fragment]

    @cached_property
    def put_together(self) -> str:
        """The whole page with gaps for its hidden fields: many ask for it."""
        return self.put(self.text)

    def whole(self, version: int) -> Markup:
        """The whole page with its hidden fields."""
        return fill_gaps(self.put_together, version)

    def changed(self, said: str, version: int) -> Markup:
        """The partials of the fragments that a page lacks, by what it says that it has."""
        return fill_gaps(lacking(self, said), version)

    def partials(self, text: str, has: Mapping[str, str]) -> Iterator[Markup]:
        """Those of the fragments in a text that a page lacks which has these digests, by their keys."""
        for key in MARK.findall(text):
            it = self.fragments[key]
            if it.digest and has.get(key) == it.digest:
                yield from self.partials(it.text, has)
            else:
                yield (IN_PICTURE if it.is_picture else PARTIAL).format(it.name, Markup(self.put(it.text)))

    def put(self, text: str) -> str:
        """A text with the fragments in their places."""
        return MARK.sub(lambda mark: self.put(self.fragments[mark[1]].text), text)


@remember
def lacking(drawing: Drawing, said: str) -> Markup:
    """The partials of a drawing for a page that says that it has these: pages of one seat mostly say the same."""
    pairs = (each.partition(":") for each in said.split(" ")[:MOST])
    return Markup("").join(drawing.partials(drawing.text, {key: digest for key, _colon, digest in pairs}))


def fragment(name: str, is_picture: bool = False, always: bool = False, caller: Callable[[], str] = str) -> Markup:
    """In a template: the element of this id as a fragment, `always` if every answer is to bring it.

    Its text is that element, with its id.
    """
    text = str(caller())
    drawn: dict[str, Fragment] | None = g.get("fragments")
    if drawn is None:
        return Markup(text)
    key = digest_of(name)
    drawn[key] = make_fragment(name, text, is_picture, always)
    return Markup(f"<!--f:{key}-->")


@remember
def make_fragment(name: str, text: str, is_picture: bool, always: bool) -> Fragment:
    """The fragment of a text, with its key and digest in the element."""
    key, digest = digest_of(name), "" if always else digest_of(text)
    own = OWN.format(name)
    if own not in text:
        raise ValueError(f"the fragment {name} has no such id")
    marked = text.strip().replace(own, own + FOUND.format(key, digest), 1)
    return Fragment(name, key, digest, marked, is_picture)


@remember
def digest_of(text: str) -> str:
    """Eight letters for a text: two different ones among some hundred have the same by no chance that matters."""
    return base64.b64encode(hashlib.blake2b(text.encode(), digest_size=6).digest(), b"._").decode()


def drawing(render: Callable[[], str]) -> Drawing:
    """What a template makes, in fragments, with gaps for hidden fields."""
    with _drawing() as fragments, leave_gaps():
        return Drawing(render(), fragments)


@contextmanager
def _drawing() -> Iterator[dict[str, Fragment]]:
    g.fragments = {}
    try:
        yield g.fragments
    finally:
        del g.fragments


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
