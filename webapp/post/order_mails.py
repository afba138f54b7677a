"""Orders by mail (O3.3.a): a reply to a dispatch, with a line for each fleet, is read, given, and read back.

The organizer's mail server lays what comes to the sender's address into a Maildir. Who has written is proven by the
token that stood in the dispatch, and by nothing that a mail says of itself. It holds for one person and one turn. It is
looked for in the bytes of a mail, however they are packed, wrapped and quoted; only a mail that holds one is parsed, in
a child process. Every mail that bears such a mark or comes from a player's address is answered; what a program sent
never is.
"""

from __future__ import annotations

import binascii
import hmac
import logging
import mailbox
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from email.utils import parseaddr
from functools import partial
from hashlib import sha256
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

from flask_babel import force_locale, ngettext

from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, plain, read
from webapp.files import mail_reader
from webapp.files.child_process import Limits, read_apart
from webapp.http.language import gettext as _
from webapp.post.people import ADDRESS, YES, Person, check_charge, person
from webapp.presenting.presentation import no_lines
from webapp.presenting.refusals import refusal_text
from webapp.storage.errors import Barred, Refused, Stale, Unknown
from webapp.storage.file.database import attempt
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.systems import PRESENTATIONS

LOG = logging.getLogger("navarch")
READER, LIMITS = Path(mail_reader.__file__), Limits()
MARK = "navarch-orders:"
TOKEN = re.compile(MARK + r"([A-Za-z0-9]{1,20})-([0-9]{1,9})-([0-9]{1,6})-([0-9a-f]{32})", re.IGNORECASE)
BASE64 = re.compile(rb"[A-Za-z0-9+/]+={0,2}")  # a line of it
SIGNS = {**dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"), "-"), ord("\uff1a"): ":"}
TAGS, BETWEEN = re.compile(r"<[^<>]*>"), re.compile(r"[^A-Za-z0-9:-]+")  # what may stand between a token's letters
MOST, AT_ONCE = 50, 5_000_000  # mails of a round, bytes of them after which the next waits
LARGEST, LONGEST = 1_000_000, 20_000  # bytes of a mail, letters that are read of it
LONGEST_HEAD, MOST_TOKENS = 16_384, 32  # bytes of a head that are parsed, tokens of a mail that are tried
RUN, MOST_ANSWERED = 3, 20  # words by which a mail of ours is known again, mails of somebody that are looked at for it
FROM = re.compile(rb"^from:([^\n]*(?:\n[ \t][^\n]*)*)", re.IGNORECASE | re.MULTILINE)
BELOW = re.compile(
    r"-{2,} ?\w+(?: \w+){1,4} ?-{2,}|_{8,}|From: |navarch-orders:", re.IGNORECASE
)  # a program quotes below
QUOTED = re.compile(r"\s*(?:\w{0,3}>|[|»])")  # how a quoted line begins
Unread = Literal["no_mark", "wrong_mark", "too_large"]  # why no order of a mail was read
Answer = Callable[[Person, str, Callable[[], tuple[str, list[str]]]], None]
TurnDown = Callable[[str, str, Unread], None]  # tells an address about its mail, which has this key


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


def receive(store: Store, path: str, own: str, answer: Answer, turn_down: TurnDown) -> int:
    """Read the mails of a Maildir, give what they order, and take them out of it; how many there were.

    `own` is the address to which they came: what it seems to have sent itself is thrown away unanswered, as is what a
    program sent. A fault in one mail is logged, and ends with it. What is too much for one round waits for the next.
    """
    box = mailbox.Maildir(path, factory=None, create=True)
    many = much = 0
    for key in sorted(box.keys())[:MOST]:
        if much > AT_ONCE:
            break
        proof = None
        try:
            with box.get_file(key) as file:
                content = file.read(LARGEST + 1)
            many, much = many + 1, much + len(content)
            head = mail_reader.END_OF_HEAD.split(content, maxsplit=1)[0]
            sender = sender_of(head)
            if mail_reader.is_by_program(head) or sender == own.lower():
                continue
            letters = [*spellings(content)] if len(content) <= LARGEST else []
            proof = proof_of(store, letters)
            if proof is not None:
                give(store, Order(*proof, text_of(store, content, proof[0])), key, answer)
            elif not letters:
                turn_down(sender, key, "too_large")
            else:
                has_mark = any(MARK.rstrip(":") in each.lower() for each in letters)  # whole or not
                turn_down(sender, key, "wrong_mark" if has_mark else "no_mark")
        except Exception as fault:  # what the fault says may be out of the mail
            LOG.error("an e-mail could not be read, and was deleted: %s", type(fault).__name__)
            if proof is not None:
                attempt("an answer to an e-mail", partial(say_unreadable, store, *proof, key, answer))
        finally:
            box.discard(key)
    return many


def sender_of(head: bytes) -> str:
    """The address from which a mail says that it comes, in small letters; empty where it names none."""
    found = FROM.search(head)
    address = parseaddr(" ".join(found[1][:1000].decode("latin-1").split()))[1] if found else ""
    return address.lower() if ADDRESS.fullmatch(address) else ""


def proof_of(store: Store, letters: list[str]) -> tuple[Person, int] | None:
    """Who has written, and in which turn: the last of which a token holds. None for a mail without one."""
    held = [found for token in tokens_of(letters) if (found := holder(store, *token)) is not None]
    return max((each for each in held if each[0] == held[0][0]), key=lambda each: each[1], default=None)


def text_of(store: Store, content: bytes, who: Person) -> str:
    """The lines that somebody wrote himself. Raises BadInput and Unreadable for what cannot be parsed within limits."""
    given = {"longest_head": LONGEST_HEAD, "longest": LONGEST}
    _by_program, own, below = read_apart(READER, content, tuple[bool, str, str], "mail", LIMITS, waits=True, **given)
    with force_locale(who.lang):
        greeting = _("%(name)s,", name=who.name)
    return "\n".join(own_lines(own, below, greeting, digests_sent(store, who)))


def tokens_of(letters: list[str]) -> Iterator[tuple[str, ...]]:
    """The first different tokens of a mail, whether they hold or not."""
    found = dict.fromkeys(token.groups() for each in letters for token in TOKEN.finditer(each))
    yield from islice(found, MOST_TOKENS)


def spellings(content: bytes) -> Iterator[str]:
    """The letters of a mail and of its parts, of which only those are left that a token may have, in their order.

    Where they are HTML, also without its tags. Nothing is parsed for it.
    """
    for data in unpacked(content):
        text = unescape(data.decode("utf-8", "ignore")).translate(SIGNS)
        yield BETWEEN.sub("", text)
        if "<" in text:
            yield BETWEEN.sub("", TAGS.sub("", text))


def unpacked(content: bytes) -> Iterator[bytes]:
    """The bytes of a mail, and what they are without quoted-printable or base64: nothing is parsed for it."""
    yield content
    yield binascii.a2b_qp(content)
    block: list[bytes] = []
    for line in (*content.splitlines(), b""):
        if BASE64.fullmatch(line.strip()):
            block.append(line.strip())
        elif block:
            letters = b"".join(block).rstrip(b"=")
            if len(letters) > len(MARK) and len(letters) % 4 != 1:  # of so many it is none
                yield binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
            block = []


def holder(store: Store, game: str, number: str, turn: str, proof: str) -> tuple[Person, int] | None:
    """Whose token it is, and of which turn; None where it does not hold."""
    try:
        who = person(store, game, int(number))
    except Unknown:
        return None
    right = token_of(who, int(turn))
    if not who.stop or who.consent != YES or not hmac.compare_digest(right, f"{game}-{number}-{turn}-{proof.lower()}"):
        return None
    return who, int(turn)


def own_lines(text: str, below: str = "", greeting: str = "", sent: Container[str] = ()) -> list[str]:
    """What he wrote himself: nothing quoted, no line that introduces a quotation, nothing below one without marks.

    `below`: what he quotes without marks. Only where no order stands above it his lines are looked for in it, too, by
    the digests of our mails that he was `sent` (`digests_of`). `greeting` is the first line of these. Orders may stand
    below a mark that he has copied to the top.
    """
    lines, found, has_orders = text.splitlines(), list[str](), False
    for number, line in enumerate(lines):
        bare = line.strip()
        if bare.lower().startswith(MARK) and not has_orders:
            continue
        if BELOW.match(bare) or (greeting and bare == greeting):
            below = "\n".join((*lines[number:], below))
            break
        if not QUOTED.match(line) and not bare.endswith(":"):
            has_orders = has_orders or ":" in line
            found.append(line)
    return found if has_orders else [*found, *lines_between(below.splitlines(), sent)]


def lines_between(lines: list[str], sent: Container[str]) -> Iterator[str]:
    """The lines that he wrote between those of our mail, or below it, until another quotation begins."""
    words = [(number, word) for number, line in enumerate(lines) for word in plain_words(line)]
    runs = [words[at : at + RUN] for at in range(len(words) - RUN + 1)]
    told = {
        at + more for at, run in enumerate(runs) if digest_of(word for _at, word in run) in sent for more in range(RUN)
    }
    own = {number for at, (number, _word) in enumerate(words) if at not in told}
    is_in_ours, once = False, set[str]()  # short lines of ours, as "--", of which he may have written another
    for number, line in enumerate(lines):
        bare, digest = line.strip(), digest_of(plain_words(line))
        if number not in own or (digest in sent and digest not in once):
            is_in_ours = is_in_ours or bool(bare)
            once.add(digest)
        elif is_in_ours and not bare.lower().startswith(MARK):
            if BELOW.match(bare):
                return
            if not QUOTED.match(line) and not bare.endswith(":"):
                yield line


def plain_words(line: str) -> list[str]:
    """The words of a line, however its letters are written."""
    return unicodedata.normalize("NFKC", line).casefold().split()


def digest_of(words: Iterable[str]) -> str:
    """What stays of some words of a mail, by which they are known again."""
    return f"{crc32(' '.join(words).encode()):08x}"


def digests_of(body: str) -> str:
    """The digests of a mail's lines, and of each run of its words, since programs break lines anew."""
    words = plain_words(body)
    runs = (words[at : at + RUN] for at in range(len(words) - RUN + 1))
    return " ".join(dict.fromkeys(map(digest_of, (*map(plain_words, body.splitlines()), *runs))))


def digests_sent(store: Store, who: Person) -> frozenset[str]:
    """The digests of what somebody was sent of late that he may answer."""
    rows = store.file.rows(
        "select digests from outbox where game = ? and person = ? and digests <> '' order by id desc limit ?",
        who.game,
        who.id,
        MOST_ANSWERED,
    )
    return frozenset(digest for row in rows for digest in row["digests"].split())


def give(store: Store, found: Order, key: str, answer: Answer) -> None:
    """Give the orders of a mail, and write back how each line was understood; a reply to that may correct them."""
    table = store.load(found.who.game)

    def lines() -> tuple[str, list[str]]:
        said = list(give_lines(store, found))
        return str(table.game.title), [*said, *how_to_answer(store.load(found.who.game), found.who)]

    answer(found.who, f"orders {key}", lines)


def say_unreadable(store: Store, who: Person, turn: int, key: str, answer: Answer) -> None:
    """Tell somebody that his mail could not be read."""
    table = store.load(who.game)

    def lines() -> tuple[str, list[str]]:
        said = _("Your e-mail could not be read, and nothing was changed: write the lines as plain text.")
        return str(table.game.title), [said, *how_to_answer(table, who)]

    answer(who, f"orders {key}", lines)


def may_order(table: Table, who: Person) -> bool:
    """Does somebody play a side of a game whose system reads orders as lines?"""
    how = PRESENTATIONS.get(table.game.system)
    return how is not None and how.lines is not no_lines and who.seat in table.sides


def no_orders_text() -> str:
    """That whoever has written plays nothing of which orders are read."""
    return _("This seat gives no orders by e-mail: nothing was changed.")


def give_lines(store: Store, found: Order) -> Iterator[str]:
    """Each line as it was understood and taken, or why not."""
    side, table = found.who.seat, store.load(found.who.game)
    if not may_order(table, found.who):
        yield no_orders_text()
        return
    if table.state.turn != found.turn or table.state.step != "orders":
        yield _("The turn of this dispatch is over: nothing was changed.")
        return
    known = table.knowledge_for(side, found.who.charge)
    lines = PRESENTATIONS[table.game.system].lines(plain(known.view(side)), side, found.text)
    orders = [line for line in lines if line.command or line.may_be_order]
    if not orders:
        yield _("No line of your e-mail is an order: write the fleet, a colon, and what it is to do.")
    elif len(orders) < len(lines):
        others = len(lines) - len(orders)
        yield ngettext(
            "%(num)s line names neither a fleet nor an order, and was left out.",
            "%(num)s lines name neither a fleet nor an order, and were left out.",
            others,
        )
    for line in orders:
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
