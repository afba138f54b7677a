"""Photos that people send: of which kind, how large, and rid of all that a camera writes beside the picture.

A camera's file says where and when it was taken and with what; none of that is kept. Only the parts that the picture
itself needs are copied, one by one, between the scans of a picture as well as before them; what does not read as such
parts is no photo.
"""

from __future__ import annotations

import re
import struct
from typing import NamedTuple

from tactical.kernel.record import BadInput

LARGEST = 3 * 1024 * 1024  # bytes
WIDEST = 10_000  # pixels of a side
MILLIONS = 25  # of pixels: each takes four bytes of whoever looks at the photo
JPEG, PNG = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # segments that say the size of the picture
SCAN, END = 0xDA, 0xD9
DRAWING = FRAMES | {0xC4, 0xCC, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, SCAN}  # tables, sizes, restarts; all else only speaks
ALONE = frozenset((0x01, *range(0xD0, 0xD8)))  # markers without a segment
TOLD = {0xE0: (b"JFIF\0", 12, b"\0\0"), 0xEE: (b"Adobe", 12, b"")}  # of these: how they begin, what is kept, its end
AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")  # the marker at which the lines of a scan end
PICTURE = frozenset((b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"sRGB", b"cHRM"))


class Photo(NamedTuple):
    """A photo as it is kept: its media type, its size in pixels, its bytes."""

    kind: str
    width: int
    height: int
    data: bytes


def strip_metadata(data: bytes) -> Photo:
    """A JPEG or PNG without anything but the picture. Raises BadInput for what is too large and for anything else."""
    if len(data) > LARGEST:
        raise BadInput("photo", "a photo may have at most %(most)s MB", most=LARGEST >> 20)
    try:
        found = jpeg(data) if data.startswith(JPEG) else png(data) if data.startswith(PNG) else None
    except (struct.error, IndexError):
        found = None
    if found is None or not (0 < found.width <= WIDEST and 0 < found.height <= WIDEST):
        raise BadInput("photo", "a photo must be a JPEG or a PNG file")
    if found.width * found.height > MILLIONS * 1_000_000:
        raise BadInput("photo", "a photo may have at most %(most)s million pixels", most=MILLIONS)
    return found


def jpeg(data: bytes) -> Photo | None:
    """A JPEG of the segments that draw it; None for one that has no size, no picture or no end."""
    kept, at, width, height = [data[:2]], 2, 0, 0
    is_drawn = False
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == END:  # what follows the picture is no part of it
            return Photo("image/jpeg", width, height, b"".join([*kept, b"\xff\xd9"])) if is_drawn else None
        if marker == 0xFF or marker in ALONE:
            at += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        segment, at = data[at : at + 2 + length], at + 2 + length
        if marker in FRAMES:
            size = struct.unpack(">HH", segment[5:9])
            height, width = max(height, size[0]), max(width, size[1])
        if marker in DRAWING:
            kept.append(segment)
        elif marker in TOLD:
            kept.append(shorten(segment, *TOLD[marker]))
        if marker == SCAN:
            lines = AFTER_SCAN.search(data, at)
            if lines is None:
                return None
            kept.append(data[at : lines.start()])
            at, is_drawn = lines.start(), True
    return None


def shorten(segment: bytes, begin: bytes, length: int, end: bytes) -> bytes:
    """A segment of an application with as much as a picture is drawn by; nothing of one that begins otherwise."""
    body = segment[4 : 4 + length]
    if len(body) < length or not body.startswith(begin):
        return b""
    return segment[:2] + struct.pack(">H", length + len(end) + 2) + body + end


def png(data: bytes) -> Photo | None:
    """A PNG of the chunks that draw it; None for one that does not end."""
    if data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    kept, at = [PNG], len(PNG)
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name, end = data[at + 4 : at + 8], at + 12 + length
        if name in PICTURE:
            kept.append(data[at:end])
        if name == b"IEND":
            return Photo("image/png", width, height, b"".join(kept))
        at = end
    return None
