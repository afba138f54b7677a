"""A table as parts, so that a tap and a live update bring only those that the page does not hold.

The templates cut the table by `<!--|-->`, leave room for pieces that are kept by ship (`Shown.room`), and leave gaps
where a form's hidden fields go (`http/gaps.py`): they hold this browser's token and the version, and would make all
forms new with every command. A page that says which parts it holds (`X-Held`, their digests in order) is told those
that it lacks, and where the others go; of a part that has changed little, only what is new in it. `static/parts.js`
puts the text together. Everybody else gets the table as a whole. What people have written is escaped, so none of it
can be a cut, a room or a gap.

What is new in a part is reckoned only against parts that were drawn for the same seat: else a page could claim to
hold what another seat may see, and learn from the answer whether that is so.
"""

from __future__ import annotations

import base64
import hashlib
import threading
from collections import OrderedDict, deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from markupsafe import Markup

from webapp.http import gaps
from webapp.http.kept import Shelf, macro_of

CUT, ROOM = "<!--|-->", "<!--r-->"
HEADER = "X-Held"
MOST = 1000  # parts that a page may say it holds
SEATS, TABLES = 512, 4  # seats whose last tables are remembered, and how many of each
PAGES, SMALL = 4, 4096  # answers to pages of a seat that hold different things, and letters of one that is kept
LEAST = 40  # letters that must be saved
WIDE = "\uffff"  # beyond it a script counts letters otherwise
Seat = tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """A piece of the table as text and as it is sent, its digest, and whether it has gaps for hidden fields."""

    text: str
    data: bytes
    digest: str
    has_gaps: bool


Parts = tuple[Part, ...]


@dataclass(frozen=True)
class Shown:
    """A table that was drawn for a seat, and what pages of that seat were told of it, by what they said they held."""

    parts: Parts
    told: dict[str, str] = field(default_factory=dict)


class Drawn:
    """What was drawn of late for each seat."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._of: OrderedDict[Seat, deque[Shown]] = OrderedDict()

    def told(self, seat: Seat, table: Parts, said: str) -> str:
        """What a page of the seat is told of this table, by what it says that it holds."""
        with self._guard:
            known = self._of.setdefault(seat, deque(maxlen=TABLES))
            self._of.move_to_end(seat)
            before = list(known)
            shown = next((one for one in before if one.parts is table), None)
            if shown is None:
                shown = Shown(table)
                known.append(shown)
            if len(self._of) > SEATS:
                self._of.popitem(last=False)
        answer = shown.told.get(said)
        if answer is None:
            digests = held(said)
            answer = lacking(table, digests, texts(before, digests))
            if len(shown.told) < PAGES and len(answer) < SMALL:
                shown.told[said] = answer
        return answer


def texts(tables: Iterable[Shown], digests: Iterable[str]) -> dict[str, str]:
    """Those of the texts that these tables have."""
    wanted = set(digests)
    return {part.digest: part.text for table in tables for part in table.parts if part.digest in wanted}


_pieces = Shelf(20_000)


def drawn(end: str, template: str, macro: str, *values: Hashable) -> tuple[str, ...]:
    """What a macro makes of these values alone, and the end, in the parts into which it cuts itself; drawn once."""
    return _pieces.once(
        (end, template, macro, values), lambda: tuple(f"{macro_of(template, macro)(*values)}{end}".split(CUT))
    )


def cut(text: str, rooms: Iterable[Sequence[str]] = ()) -> Parts:
    """The parts of a table with gaps; what stands in each room that the template has left is parts already.

    The first of these goes on from the text before the room, and the text after it goes on from the last.
    """
    before, *after = text.split(ROOM)
    found = before.split(CUT)
    for room, following in zip(rooms, after, strict=True):
        first, *rest = following.split(CUT)
        found[-1] += room[0]
        found += room[1:]
        found[-1] += first
        found += rest
    return tuple(map(part_of, found))


@lru_cache(maxsize=32768)
def part_of(text: str) -> Part:
    """The part of a text: tables that have it in common share it.

    Its digest has eight letters; two different ones among some hundred parts have the same by no chance that matters.
    """
    data = text.encode()
    found = hashlib.blake2b(data, digest_size=6).digest()
    return Part(text, data, base64.b64encode(found, b"._").decode(), gaps.CSRF in text or gaps.SEEN in text)


def whole(parts: Parts, version: int) -> Markup:
    """The table with its hidden fields."""
    return Markup("".join([gaps.filled(part.text, version) if part.has_gaps else part.text for part in parts]))


def sent(parts: Parts, version: int) -> bytes:
    """The same as it is sent: a table is two hundred kilobytes, and its parts were encoded when they were drawn."""
    return b"".join([gaps.filled(part.text, version).encode() if part.has_gaps else part.data for part in parts])


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
