"""A table as parts, so that a tap and a live update bring only those that the page does not hold.

The templates cut the table by `<!--|-->` and leave gaps where a form's hidden fields go: they hold this browser's
token and the version, and would make all forms new with every command. A page that says which parts it holds
(`X-Held`, their digests in order) is told those that it lacks, and where the others go; of a part that has changed
little, only what is new in it. `static/parts.js` puts the text together. Everybody else gets the table as a whole.
What people have written is escaped, so none of it can be a cut or a gap.

What is new in a part is reckoned only against parts that were drawn for the same seat: else a page could claim to
hold what another seat may see, and learn from the answer whether that is so.
"""

from __future__ import annotations

import base64
import hashlib
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from flask import g
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

CUT, CSRF, SEEN = "<!--|-->", Markup("<!--c-->"), Markup("<!--s-->")
HEADER = "X-Held"
MOST = 1000  # parts that a page may say it holds
SEATS, TABLES = 512, 4  # seats whose last tables are remembered, and how many of each
LEAST = 40  # letters that must be saved
WIDE = "\uffff"  # beyond it a script counts letters otherwise
Seat = tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """A piece of the table with gaps for hidden fields, and its digest."""

    text: str
    digest: str


Parts = tuple[Part, ...]


class Drawn:
    """What was drawn of late for each seat."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._of: OrderedDict[Seat, deque[Parts]] = OrderedDict()

    def remember(self, seat: Seat, table: Parts) -> None:
        """This table was drawn for the seat."""
        with self._guard:
            known = self._of.setdefault(seat, deque(maxlen=TABLES))
            self._of.move_to_end(seat)
            if not any(table is one for one in known):
                known.append(table)
            if len(self._of) > SEATS:
                self._of.popitem(last=False)

    def texts(self, seat: Seat, digests: Iterable[str]) -> dict[str, str]:
        """Those of the texts that were drawn for the seat."""
        wanted = set(digests)
        with self._guard:
            tables = list(self._of.get(seat, ()))
        return {part.digest: part.text for table in tables for part in table if part.digest in wanted}


def csrf_input() -> Markup:
    """The hidden field with this browser's token; a gap while a table is drawn that others may share."""
    return CSRF if g.get("leaves_gaps") else _token()


def seen_input(version: int) -> Markup:
    """The hidden field with the version that the page shows; a gap while a table is drawn."""
    return SEEN if g.get("leaves_gaps") else _version(version)


def _token() -> Markup:
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(generate_csrf())


def _version(version: int) -> Markup:
    return Markup('<input type="hidden" name="seen" value="{}">').format(version)


def cut(text: str) -> Parts:
    """The parts of a table with gaps."""
    return tuple(part_of(piece) for piece in text.split(CUT))


@lru_cache(maxsize=16384)
def part_of(text: str) -> Part:
    """The part of a text: tables that have it in common share it.

    Its digest has eight letters; two different ones among some hundred parts have the same by no chance that matters.
    """
    found = hashlib.blake2b(text.encode(), digest_size=6).digest()
    return Part(text, base64.b64encode(found, b"._").decode())


def whole(parts: Parts, version: int) -> Markup:
    """The table with its hidden fields."""
    text = "".join(part.text for part in parts)
    token = str(_token()) if CSRF in text else ""
    return Markup(text.replace(CSRF, token).replace(SEEN, str(_version(version))))


def lacking(parts: Parts, held: Sequence[str], texts: dict[str, str]) -> str:
    """What a page that holds parts of these digests must be told.

    `+digest` a new part, in full; `~place,first,last,digest` one that begins with so many letters of the held part at
    that place and ends with so many; `=first,end` a run of held parts. `texts` are those of held parts.
    """
    place = {name: number for number, name in enumerate(held)}
    own = {part.digest for part in parts}
    told: list[str] = []
    run: list[int] = []
    old = 0  # where among the held parts the next one stood, by the last that is still there
    for number, part in enumerate(parts):
        at = place.get(part.digest) if number else None  # the first says the version and is always told
        if run and at != run[1]:
            told.append(f"<!--={run[0]},{run[1]}-->")
            run = []
        if at is not None:
            run = [run[0] if run else at, at + 1]
            old = at + 1
            continue
        before = texts.get(held[old]) if number and old < len(held) and held[old] not in own else None
        told.append(new_in(part, before, old))
        old += 1
    if run:
        told.append(f"<!--={run[0]},{run[1]}-->")
    return "".join(told)


def new_in(part: Part, before: str | None, place: int) -> str:
    """A part, told by what stood in its place where that saves anything."""
    text = part.text
    if before is not None:
        first = shared(text, before)
        last = shared(text[first:][::-1], before[first:][::-1])
        if first + last >= LEAST and max(text, default="") <= WIDE and max(before, default="") <= WIDE:
            return f"<!--~{place},{first},{last},{part.digest}-->{text[first : len(text) - last]}"
    return f"<!--+{part.digest}-->{text}"


def shared(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def held(said: str) -> list[str]:
    """The digests that a page says it holds; none where it says none, or too many."""
    found = said.split()
    return found if len(found) <= MOST else []
