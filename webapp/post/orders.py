"""Standing orders: what a seat has said beforehand to questions that come again and again. No Flask.

Which questions there are stands in data/<system>/standing.toml. An order answers by itself, as a command of its seat,
and the journal says so.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

import data
from strategic.captains.stand_in import at_least, choose
from tactical.kernel.protocol import Event, Offer, Outcome, event
from tactical.kernel.record import BadInput, Input, encode
from webapp.http.seats import REFUSALS
from webapp.storage.errors import Barred
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store, touch

Answer = Literal["ask", "empty", "pass", "do"]
ANSWERS: tuple[Answer, ...] = get_args(Answer)
LEAST = re.compile("[1-9][0-9]?|100")  # percent
ALWAYS_THERE = frozenset({"resign", "agree", "forgo", "adjust"})
ORDERED = "standing_order"  # the event
ANSWERS_IN_A_ROW = 20


class Question(Input, frozen=True):
    """A question that an order may answer.

    `no` is the command that lets it pass, offered by the paragraph `rule`; `yes` are the kinds of commands that may be
    offered beside it; `does` says whether the order may also be to do it always, and `rolls` whether a die decides, so
    that the order may ask for a least chance.
    """

    id: str
    no: dict[str, Any]
    rule: str
    yes: tuple[str, ...] = ()
    does: bool = False
    rolls: bool = False

    def has(self, offers: Sequence[Offer]) -> bool:
        """Is this what is asked?"""
        kind = self.no["type"]
        passing = any(offer.type == kind and offer.rule == self.rule for offer in offers)
        return passing and {offer.type for offer in offers} <= {kind, *self.yes}

    def more(self, offers: Sequence[Offer]) -> list[Offer]:
        """What could be done instead."""
        kind, bare = self.no["type"], set(self.no)
        found = [offer for offer in offers if offer.type != kind]
        if kind in self.yes:  # the same command does it and lets it pass
            found += [offer for offer in offers if offer.type == kind and not _is_bare(offer, self.no, bare)]
        return found


def _is_bare(offer: Offer, no: dict[str, Any], names: set[str]) -> bool:
    """Does this offer hold nothing but the command that lets pass?"""
    return all(offer.fields.get(name, no[name]) in (no[name], [no[name]]) for name in names - {"type"})


class Questions(Input, frozen=True):
    """A system's file of them."""

    question: tuple[Question, ...] = ()


@cache
def questions(system: str) -> tuple[Question, ...]:
    """The questions of a system that orders may answer."""
    path = f"{system}/standing.toml"
    return data.read(path, Questions).question if (data.ROOT / path).exists() else ()


class Order(NamedTuple):
    """What a seat has said to a question; `least`: the chance in percent that each die must have for it to be done."""

    answer: Answer = "ask"
    least: int = 0

    @property
    def written(self) -> str:
        """As the API and the pages write it: "do:50" is to do it at 50 % or better."""
        return f"{self.answer}:{self.least}" if self.least else self.answer


def order_of(question: Question, text: str) -> Order:
    """An order as it was written. Raises BadInput."""
    answer, _colon, least = text.partition(":")
    given = next((each for each in ANSWERS if each == answer), None)
    asks = given == "do" and question.rolls and LEAST.fullmatch(least) is not None
    if given is None or (given == "do" and not question.does) or (least and not asks) or text.endswith(":"):
        choices = ["ask", "empty", "pass", *(["do"] if question.does else []), *(["do:50"] if question.rolls else [])]
        raise BadInput(f"orders.{question.id}", "expected one of %(choices)s", choices=tuple(choices))
    return Order(given, int(least or 0))


def orders(store: Store, game: str, seat: str) -> dict[str, Order]:
    """A seat's orders by question; what is not named is asked."""
    rows = store.file.rows("select question, answer, least from orders where game = ? and seat = ?", game, seat)
    return {row["question"]: Order(row["answer"], row["least"]) for row in rows}


def keep(store: Store, game: str, seat: str, given: dict[str, str]) -> None:
    """Set a seat's orders. Raises BadInput, Barred."""
    known = {question.id: question for question in questions(store.game(game).system)}
    if seat not in store.load(game).sides:
        raise Barred("Only a side can give standing orders.")
    for name in given:
        if name not in known:
            raise BadInput(f"orders.{name}"[:80], "there is no such question")
    wanted = {name: order_of(known[name], text) for name, text in given.items()}
    with store.write() as db:
        for name, order in wanted.items():
            if order.answer == "ask":
                db.conn.execute("delete from orders where game = ? and seat = ? and question = ?", (game, seat, name))
            else:
                row = {"game": game, "seat": seat, "question": name, "answer": order.answer, "least": order.least}
                db.table("orders").insert(row, replace=True)
        touch(store, game)


def open_question(table: Table, seat: str) -> tuple[Question, list[Offer]] | None:
    """The question that a seat is asked now, if an order may answer it, with its offers."""
    known = questions(table.game.system)
    if not known or table.game.waiting is not None or seat not in table.waiting_for:
        return None
    offers = [
        offer
        for offer in table.offers(seat)
        if offer.type not in ALWAYS_THERE and offer.type not in table.system.by_hand
    ]
    found = next((question for question in known if question.has(offers)), None)
    return (found, offers) if found is not None else None


def answer_of(store: Store, table: Table, seat: str, lapsed: bool = False) -> dict[str, Any] | None:
    """The command that a seat's orders give now; None where the seat must be asked.

    `lapsed`: its time is over, and whatever may pass passes.
    """
    given = {} if lapsed else orders(store, table.game.id, seat)
    found = open_question(table, seat) if given or lapsed else None
    if found is None:
        return None
    question, offers = found
    answer, least = Order("pass") if lapsed else given.get(question.id, Order())
    more = question.more(offers)
    if answer == "do" and (good := at_least(table.system, table.state, more, least) if question.rolls else more):
        return choose(table.game.system, table.view(seat), seat, good).command
    if answer in ("pass", "do") or (answer == "empty" and not more):
        return with_side(question.no, seat, offers)
    return None


def with_side(no: dict[str, Any], seat: str, offers: Sequence[Offer]) -> dict[str, Any]:
    """The command that lets pass, with the side that its offer asks for."""
    fields = next((offer.fields for offer in offers if offer.type == no["type"]), {})
    return {**no, **({"side": seat} if "side" in fields else {})}


_ordered: ContextVar[str | None] = ContextVar("ordered", default=None)
_giving = threading.Lock()


@contextmanager
def by_order(seat: str) -> Iterator[None]:
    """What is submitted within is given by a standing order, and is recorded as such."""
    token = _ordered.set(seat)
    try:
        yield
    finally:
        _ordered.reset(token)


def mark_order(store: Store, table: Table, seat: str, command: Any, outcome: Outcome[Any]) -> tuple[Event, ...]:
    """Mark such a command in its journal entry."""
    return (event("", ORDERED, side=seat),) if _ordered.get() == seat else ()


def answer_all(store: Store, game: str) -> int:
    """Give every command that the orders of a game's seats give now; how many they were."""
    given = 0
    with _giving:
        while given < ANSWERS_IN_A_ROW and (found := next_answer(store, game)) is not None:
            version, seat, command = found
            if not give(store, game, version, seat, command):
                break
            given += 1
    return given


def next_answer(store: Store, game: str) -> tuple[int, str, dict[str, Any]] | None:
    """The next command by order: the version, the seat, the command."""
    if not store.file.rows("select game from orders where game = ? limit 1", game):
        return None
    table = store.load(game)
    if table.game.over or not table.game.is_open:
        return None
    for seat in table.waiting_for:
        if (command := answer_of(store, table, seat)) is not None:
            return table.game.version, seat, command
    return None


def give(store: Store, game: str, version: int, seat: str, command: dict[str, Any]) -> bool:
    """Give a command by order; False when it was refused, or another was quicker."""
    key = f"order-{version}-{encode(command).hex()[:16]}"
    try:
        with by_order(seat):
            store.submit(game, version, seat, command, key=key)
    except REFUSALS:
        return False
    return True
