"""Photos that people send: of which kind, how large, and rid of all that a camera writes beside the picture.

A camera's file says where and when it was taken and with what; none of that is kept. Only the parts that the picture
itself needs are copied, one by one; what does not read as such parts is no photo.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from tactical.kernel.record import BadInput

LARGEST = 3 * 1024 * 1024  # bytes
WIDEST = 10_000  # pixels of a side
JPEG, PNG = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # segments that say the size of the picture
SPOKEN = frozenset((*range(0xE1, 0xEE), 0xEF, 0xFE))  # what a camera says: Exif, places, colours of its own, comments
SCAN, END = 0xDA, b"\xff\xd9"
PICTURE = frozenset((b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"sRGB", b"cHRM"))


class Photo(NamedTuple):
    """A photo as it is kept: its media type, its size in pixels, its bytes."""

    kind: str
    width: int
    height: int
    data: bytes


def cleaned(data: bytes) -> Photo:
    """A photo without anything but the picture. Raises BadInput for what is too large or no JPEG or PNG."""
    if len(data) > LARGEST:
        raise BadInput("photo", f"a photo has at most {LARGEST >> 20} MB")
    try:
        found = jpeg(data) if data.startswith(JPEG) else png(data) if data.startswith(PNG) else None
    except (struct.error, IndexError):
        found = None
    if found is None or not (0 < found.width <= WIDEST and 0 < found.height <= WIDEST):
        raise BadInput("photo", "a photo is a JPEG or a PNG file")
    return found


def jpeg(data: bytes) -> Photo | None:
    """A JPEG of the segments that draw it; None for one that has no size, no picture or no end."""
    kept, at, width, height = [data[:2]], 2, 0, 0
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # filling
            at += 1
            continue
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        if marker in FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
        if marker == SCAN:
            end = data.find(END, at)  # what follows the picture is no part of it
            return Photo("image/jpeg", width, height, b"".join([*kept, data[at : end + 2]])) if end > 0 else None
        if marker not in SPOKEN:
            kept.append(data[at : at + 2 + length])
        at += 2 + length
    return None


def png(data: bytes) -> Photo | None:
    """A PNG of the chunks that draw it; None for one that does not end."""
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
