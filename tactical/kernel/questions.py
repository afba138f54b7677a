"""The questions and commands of a system, each declared in one row: what it asks and needs, how it is put in words.

A row of `data/questions/<part>.toml` or `data/commands/<part>.toml` is all that is said of it outside its handler.
Positions are held to the rows here; pages tell their words (webapp/presenting/spoken.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal

import msgspec

import data
from tactical.kernel.protocol import BOTH, WORDS, Fields, Prompt
from tactical.kernel.record import Input, Reason, because


class Question(Input, frozen=True):
    """A row of `data/questions/<part>.toml`.

    `asks` says whom: a side, both sides, nobody (a step that goes by itself), or whoever acts in a box of the turn,
    which is no prompt of a position. `needs` names the fields of the state that must be there while it is asked,
    `about` its facts and what they hold, as the tables of events say it, `old` the names that earlier programs gave it.

    In English, for the catalogues: `title` is its heading, `deed` what a seat must do, after "must", `text` what it is
    about, one sentence or several by condition (webapp/presenting/sentences.py), `tap` what to tap, `no` what happens
    when the answer is no. `first`: it is answered before anything else, whatever was tapped on the map.
    """

    asks: Literal["side", "both", "nobody", "box"] = "side"
    needs: tuple[str, ...] = ()
    about: Fields = {}
    old: tuple[str, ...] = ()
    first: bool = False
    title: str = ""
    deed: str = ""
    text: str | dict[str, str] = ""
    tap: str = ""
    no: str | dict[str, str] = ""


class Command(Input, frozen=True):
    """A row of `data/commands/<part>.toml`: what is said of a command outside its handler.

    `title` is its heading; `sentence` says the whole of it, one or several by condition, and `fields` what its fields
    hold; `die` names the gap that says what is rolled. `no`: it means the `no` of the question that it answers.
    `page` says where pages put it: "quiet" (closed, after the rest; "only": but open where nothing else is on offer),
    "beside" (it changes what is about to be done), "no" (it gives up what else could be done). `stays`: its force stays
    behind, so that a form begins with none of it. `warning` is what cannot
    be taken back once this is said, for a second question.
    """

    title: str = ""
    sentence: str | dict[str, str] = ""
    fields: Fields = {}
    die: str = ""
    no: bool = False
    page: Literal["", "quiet", "only", "beside", "no"] = ""
    stays: bool = False
    warning: str = ""


class Rows(Input, frozen=True):
    """A file of rows: those of the parts in `also` hold too, and what a row says again goes before them."""

    also: tuple[str, ...] = ()
    question: dict[str, dict[str, Any]] = {}
    command: dict[str, dict[str, Any]] = {}


@cache
def questions(part: str) -> Mapping[str, Question]:
    """The questions of a system by kind; none of one that declares none."""
    return {kind: msgspec.convert(row, Question) for kind, row in rows("questions", part).items()}


@cache
def commands(part: str) -> Mapping[str, Command]:
    """The commands of a system by kind; of one that declares none those that may be said in every game."""
    return {kind: msgspec.convert(row, Command) for kind, row in rows("commands", part, "kernel").items()}


def rows(folder: str, part: str, otherwise: str = "") -> dict[str, dict[str, Any]]:
    """The rows of a part, field by field over those on which it builds; of a part without a file those of another."""
    path = f"{folder}/{part}.toml"
    if not (data.ROOT / path).exists():
        return rows(folder, otherwise) if otherwise else {}
    file = data.read(path, Rows)
    found: dict[str, dict[str, Any]] = {}
    for some in (*(rows(folder, other) for other in file.also), file.question | file.command):
        for kind, row in some.items():
            found[kind] = {**found.get(kind, {}), **row}
    return found


def faults(
    system: str, state: Any, stack: tuple[Prompt, ...], sides: tuple[str, ...], at: str = "agenda[{}]"
) -> Iterator[tuple[str, Reason]]:
    """What is wrong with the open questions of a position, each with the path to its field.

    `at` is the path to a question, with a gap for its number in the stack.
    """
    known = questions(system)
    seats = {"side": sides, "both": (BOTH,), "nobody": ("",), "box": ()}
    for number, prompt in enumerate(stack):
        path, row = at.format(number), known.get(prompt.kind)
        if row is None or row.asks == "box":
            yield f"{path}.kind", because("there is no question called %(kind)s", kind=repr(prompt.kind))
            continue
        if prompt.seat not in seats[row.asks]:
            yield f"{path}.seat", because("the question %(kind)s is not for this seat", kind=repr(prompt.kind))
        for name in row.needs:
            if getattr(state, name) is None:
                why = because("the question %(kind)s needs the field %(name)s", kind=repr(prompt.kind), name=name)
                yield f"{path}.kind", why
        for name, word in row.about.items():
            value = prompt.about.get(name)
            fits = word.endswith("?") if value is None else WORDS[word.rstrip("?")](value)
            if not fits:
                why = because("the question %(kind)s needs another value here", kind=repr(prompt.kind))
                yield f"{path}.about.{name}", why
