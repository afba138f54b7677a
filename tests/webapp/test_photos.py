"""Photos that people send are rid of all that a camera writes beside the picture."""

from __future__ import annotations

import struct
import zlib

import pytest

from tactical.kernel.record import BadInput
from webapp.http.photos import LARGEST, WIDEST, strip_metadata

SECRET = b"GPS 41.9 N 12.5 E, taken by Ada"


def segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


def jpeg(width: int = 4, height: int = 3, end: bytes = b"\xff\xd9") -> bytes:
    """A JPEG's segments with what a camera says before, within and after the picture."""
    frame = segment(0xC0, struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00")
    told = segment(0xE1, b"Exif\0\0" + SECRET) + segment(0xFE, SECRET) + segment(0xED, SECRET)
    scan = segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + b"\x12\xff\x00\x34"
    jfif = segment(0xE0, b"JFIF\0\x01\x02\x00\x00\x01\x00\x01\x02\x02" + SECRET[:12])  # with a thumbnail of two by two
    jfxx = segment(0xE0, b"JFXX\0\x10" + SECRET)
    adobe = segment(0xEE, b"Adobe\x00\x64\x00\x00\x00\x00\x01" + SECRET)
    other = segment(0xEE, SECRET)
    again = b"\xff\xd3" + told + scan  # a picture that comes in several scans
    return b"\xff\xd8" + jfif + jfxx + adobe + other + told + frame + scan + again + end + SECRET


def png(width: int = 4, height: int = 3) -> bytes:
    """A PNG with a text and a place beside the picture."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    told = chunk(b"tEXt", SECRET) + chunk(b"eXIf", SECRET)
    rows = chunk(b"IDAT", zlib.compress((b"\0" + b"\xff\0\0" * width) * height))
    return b"\x89PNG\r\n\x1a\n" + head + told + rows + chunk(b"IEND", b"") + SECRET


@pytest.mark.parametrize(("made", "kind"), [(jpeg(), "image/jpeg"), (png(), "image/png")])
def test_only_the_picture_is_kept(made: bytes, kind: str) -> None:
    photo = strip_metadata(made)
    assert (photo.kind, photo.width, photo.height) == (kind, 4, 3)
    assert SECRET not in photo.data and b"Exif" not in photo.data
    assert strip_metadata(photo.data) == photo, "what is clean stays as it is"
    assert photo.data.endswith(b"\xff\xd9" if kind == "image/jpeg" else b"IEND" + made[made.index(b"IEND") + 4 :][:4])


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xe0 no segments",
        jpeg(end=b""),
        jpeg(0, 3),
        jpeg(WIDEST + 1, 3),
        png()[:40],
        png(WIDEST + 1, 1)[:60],
        b"\x89PNG\r\n\x1a\n",
    ],
)
def test_what_is_no_photo_is_refused(wrong: bytes) -> None:
    with pytest.raises(BadInput, match="JPEG or a PNG"):
        strip_metadata(wrong[: wrong.index(SECRET, len(wrong) - len(SECRET))] if wrong.endswith(SECRET) else wrong)


def test_of_what_draws_a_jpeg_nothing_is_lost() -> None:
    """Size, tables, every scan with its lines, and how its colours are meant."""
    photo = strip_metadata(jpeg())
    scan = segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + b"\x12\xff\x00\x34"
    assert photo.data.count(scan) == 2 and b"\xff\xc0" in photo.data
    assert segment(0xE0, b"JFIF\0\x01\x02\x00\x00\x01\x00\x01\0\0") in photo.data
    assert segment(0xEE, b"Adobe\x00\x64\x00\x00\x00\x00\x01") in photo.data
    assert not any(SECRET[at : at + 6] in photo.data for at in range(len(SECRET) - 5)) and b"JFXX" not in photo.data


def test_a_photo_of_too_many_pixels_is_refused() -> None:
    for made in (jpeg(5001, 5000), png().replace(struct.pack(">II", 4, 3), struct.pack(">II", 5001, 5000))):
        with pytest.raises(BadInput, match="25 million pixels"):
            strip_metadata(made)
    assert strip_metadata(jpeg(5000, 5000)).width == 5000


def test_too_large_a_photo_is_refused() -> None:
    with pytest.raises(BadInput, match="at most 3 MB"):
        strip_metadata(jpeg() + b"0" * LARGEST)
