"""Orders by mail (O3.3.a): a reply to a dispatch, with a line for each fleet, is read, given, and read back.

The organizer's mail server lays what comes to the sender's address into a Maildir. Who has written is proven by the
token that stood in the dispatch, and by nothing that a mail says of itself. It holds for one person and one turn. It is
looked for in the bytes of a mail; only a mail that holds one is parsed, in a child process.
"""

from __future__ import annotations

import binascii
import hmac
import logging
import mailbox
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, plain, read
from webapp.files import child_process
from webapp.files.child_process import Limits, read_apart
from webapp.http.language import gettext as _
from webapp.post.people import YES, Person, check_charge, person
from webapp.presenting.presentation import no_lines
from webapp.presenting.refusals import refusal_text
from webapp.storage.errors import Barred, Refused, Stale, Unknown
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.systems import PRESENTATIONS

LOG = logging.getLogger("navarch")
READER, LIMITS = Path(child_process.__file__).with_name("mail_reader.py"), Limits()
MARK = "navarch-orders:"
TOKEN = re.compile(rb"navarch-orders:\s*([A-Za-z0-9]{1,20})-([0-9]{1,9})-([0-9]{1,6})-([0-9a-f]{32})")
BASE64 = re.compile(rb"[A-Za-z0-9+/]+={0,2}")  # a line of it
MOST, LARGEST, LONGEST = 50, 200_000, 20_000  # mails of a round, bytes of a mail, letters that are read of it
LONGEST_HEAD, MOST_TOKENS = 16_384, 8  # bytes of a head that are parsed, tokens of a mail that are tried
BELOW = re.compile(r"-{2,} ?\w+ \w+ ?-{2,}|_{8,}|From: |navarch-orders:")  # where a mail program begins to quote
Answer = Callable[[Person, str, Callable[[], tuple[str, list[str]]]], None]


@dataclass(frozen=True)
class Order:
    """Who has written in which turn, and the lines that he wrote."""

    who: Person
    turn: int
    text: str


def token_of(who: Person, turn: int) -> str:
    """What proves that a mail answers this person's dispatch: only his own mails have held the key."""
    what = f"{who.game}-{who.id}-{turn}"
    return f"{what}-{hmac.new(who.stop.encode(), what.encode(), sha256).hexdigest()[:32]}"


def how_to_answer(table: Table, who: Person) -> list[str]:
    """The lines of a dispatch that say how to answer it; none for a seat or a system without such orders."""
    if not may_order(table, who) or not who.stop:
        return []
    told = _(
        "Reply to this e-mail with one line for each fleet (FLEET: go PLACE, avoid). Leave the next line in your "
        "reply: it is how the program knows that the orders are yours, and for which turn. It is good for this turn "
        "alone; show it to nobody."
    )
    return ["", told, f"{MARK} {token_of(who, table.state.turn)}"]


def receive(store: Store, path: str, answer: Answer) -> int:
    """Read the mails of a Maildir, give what they order, and take them out of it; how many there were.

    What bears no token that holds is thrown away unanswered, as is what a program sent or what is too large. A fault
    in one mail is logged, and ends with it.
    """
    box = mailbox.Maildir(path, factory=None, create=True)
    keys = sorted(box.keys())[:MOST]
    for key in keys:
        try:
            found = read_mail(store, box.get_bytes(key)) if size_of(box, key) <= LARGEST else None
            if found is not None:
                give(store, found, key, answer)
        except Exception as fault:  # what the fault says may be out of the mail
            LOG.error("an e-mail could not be read, and was deleted: %s", type(fault).__name__)
        finally:
            box.discard(key)
    return len(keys)


def size_of(box: mailbox.Maildir, key: str) -> int:
    """The bytes of a mail."""
    with box.get_file(key) as file:
        file.seek(0, 2)
        return int(file.tell())


def read_mail(store: Store, content: bytes) -> Order | None:
    """Who has written which lines; None for a mail without a token that holds, and for one that a program sent.

    Raises BadInput and Unreadable for one that cannot be parsed within its limits.
    """
    for proof in tokens_of(content):
        found = holder(store, *proof)
        if found is not None:
            given = {"longest_head": LONGEST_HEAD, "longest": LONGEST}
            by_program, text = read_apart(READER, content, tuple[bool, str], "mail", LIMITS, waits=True, **given)
            return None if by_program else Order(*found, "\n".join(own_lines(text)))
    return None


def tokens_of(content: bytes) -> Iterator[tuple[str, str, str, str]]:
    """The first different tokens in the bytes of a mail, whether they hold or not."""
    found = dict.fromkeys(each.groups() for text in spellings(content) for each in TOKEN.finditer(text))
    for token in islice(found, MOST_TOKENS):
        game, number, turn, proof = (part.decode() for part in token)
        yield game, number, turn, proof


def spellings(content: bytes) -> Iterator[bytes]:
    """The bytes of a mail, and what they are without quoted-printable or base64: nothing is parsed for it."""
    yield content
    yield binascii.a2b_qp(content)
    block: list[bytes] = []
    for line in (*content.splitlines(), b""):
        if BASE64.fullmatch(line):
            block.append(line)
        elif block:
            letters = b"".join(block).rstrip(b"=")
            if len(letters) > len(MARK):
                yield binascii.a2b_base64(letters[: len(letters) // 4 * 4])
            block = []


def holder(store: Store, game: str, number: str, turn: str, proof: str) -> tuple[Person, int] | None:
    """Whose token it is, and of which turn; None where it does not hold."""
    try:
        who = person(store, game, int(number))
    except Unknown:
        return None
    right = token_of(who, int(turn))
    if not who.stop or who.consent != YES or not hmac.compare_digest(right, f"{game}-{number}-{turn}-{proof}"):
        return None
    return who, int(turn)


def own_lines(text: str) -> Iterator[str]:
    """What he wrote himself: nothing quoted, no line that introduces a quotation, nothing below one without marks."""
    for line in text.splitlines():
        if BELOW.match(line.strip()):
            return
        if not line.lstrip().startswith(">") and not line.rstrip().endswith(":"):
            yield line


def give(store: Store, found: Order, key: str, answer: Answer) -> None:
    """Give the orders of a mail, and write back how each line was understood."""
    table = store.load(found.who.game)
    if may_order(table, found.who):
        answer(found.who, f"orders {key}", lambda: (str(table.game.title), list(give_lines(store, found))))


def may_order(table: Table, who: Person) -> bool:
    """Does somebody play a side of a game whose system reads orders as lines?"""
    how = PRESENTATIONS.get(table.game.system)
    return how is not None and how.lines is not no_lines and who.seat in table.sides


def give_lines(store: Store, found: Order) -> Iterator[str]:
    """Each line as it was understood and taken, or why not."""
    side, table = found.who.seat, store.load(found.who.game)
    if table.state.turn != found.turn or table.state.step != "orders":
        yield _("The turn of this dispatch is over: nothing was changed.")
        return
    known = table.knowledge_for(side, found.who.charge)
    lines = PRESENTATIONS[table.game.system].lines(plain(known.view(side)), side, found.text)
    if not lines:
        yield _("No line of your e-mail is an order: write the fleet, a colon, and what it is to do.")
    for line in lines:
        fault = line.fault if line.command is None else submit(store, found, dict(line.command))
        yield f"- {line.text}"
        yield "  " + (
            _("not accepted: %(why)s", why=fault) if fault else _("understood as: %(order)s", order=line.understood)
        )


def submit(store: Store, found: Order, command: dict[str, Any]) -> str:
    """Give one order, whatever others write meanwhile; the sentence of a refusal, else nothing."""
    while True:
        table = store.load(found.who.game)
        if table.state.turn != found.turn:
            return _("The turn of this dispatch is over: nothing was changed.")
        try:
            check_charge(table, found.who.charge, read(command, table.system.command, "command"))
            store.submit(table.game.id, table.game.version, found.who.seat, command)
            return ""
        except Stale as stale:
            if stale.is_lost:
                return str(stale)
        except Illegal as fault:
            return refusal_text(table.game.system, fault.why)
        except (BadInput, NotYours, Barred, Refused) as fault:
            return str(fault)
