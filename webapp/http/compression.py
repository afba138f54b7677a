"""Every text is sent compressed to whoever can read that, in one place; programs get a tag to ask by.

zlib's quickest level takes under a millisecond for a battle's table and makes a ninth of it; what is short is packed
better for as little. Why it may stand beside
secrets of a page: docs/decisions/003.
"""

from __future__ import annotations

import secrets
import struct
import zlib
from functools import lru_cache

from flask import Flask, Request, Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

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
