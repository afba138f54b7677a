"""How positions are stored: whole and compressed, or as what is new beside an earlier one that is stored whole.

zlib takes the earlier position as its dictionary, so a plot among forty ships is some hundred bytes. A position that
stands beside another is read with one row more; after EVERY entries one is stored whole again. Learning a dictionary
takes zlib as long as packing half of what is new, so a packer that knows one is kept and copied.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import NamedTuple

from webapp.storage.file.faults import Damaged

LARGEST_STATE = 16 * 1024 * 1024  # bytes; far above any honest position, and a bound for packed ones
EVERY = 64  # entries after which a position is stored whole
SURELY = 40  # times smaller than the JSON: no position by itself packs to twice that
WINDOW = 32 * 1024  # bytes of the other position that zlib can refer to
PACKERS = 16  # that are kept, of 270 kB each


class Whole(NamedTuple):
    """A position that is stored whole: the number of its entry, and its JSON."""

    number: int
    state: bytes


class Packed(NamedTuple):
    """A position as it is stored, and the number of the entry beside which it stands; None when it is whole."""

    state: bytes
    beside: int | None = None


def pack(state: bytes) -> bytes:
    """A position's JSON, whole."""
    return zlib.compress(state)


def pack_beside(state: bytes, whole: Whole | None, number: int) -> Packed:
    """The position of entry `number` beside an earlier one, where that makes it smaller by half; else whole."""
    if whole is None or not 0 < number - whole.number < EVERY:
        return Packed(pack(state))
    packer = _packer(whole.state).copy()
    new = packer.compress(state) + packer.flush()
    if len(new) * SURELY < len(state):
        return Packed(new, whole.number)
    packed = pack(state)
    return Packed(new, whole.number) if len(new) * 2 < len(packed) else Packed(packed)


@lru_cache(PACKERS)
def _packer(known: bytes) -> zlib._Compress:
    """What packs beside that position; only copies of it are used."""
    return zlib.compressobj(zdict=known[-WINDOW:])


def unpack(stored: bytes, beside: bytes | None = None) -> bytes:
    """The JSON of a stored position, given that of the one beside which it stands.

    Raises Damaged, also when it is too large.
    """
    stream = zlib.decompressobj() if beside is None else zlib.decompressobj(zdict=beside[-WINDOW:])
    try:
        plain = stream.decompress(stored, LARGEST_STATE)
    except zlib.error as error:
        raise Damaged(f"the stored state is damaged ({error})") from None
    if not stream.eof:
        raise Damaged("the stored state is cut off or too large")
    return plain
