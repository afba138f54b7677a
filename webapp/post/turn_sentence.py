"""The one sentence of a campaign: who must do what at which place, since when or until when.

Page, television, mail, webhook, the organizer's list and the API take it from here. It is made of what a spectator may
know, so that it is the same for everybody; only who must act himself reads "you".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from strategic.season import SEASON
from strategic.season.state import Season
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import plain
from webapp.http.language import gettext as _
from webapp.post import deadlines
from webapp.post.clock_words import said_until
from webapp.post.people import people
from webapp.post.turn_status import Wait, waits, when
from webapp.presenting import event_words
from webapp.presenting.campaign_labels import seat_name
from webapp.presenting.deed_labels import ACT, ROLL, phrase
from webapp.presenting.names import full_name
from webapp.presenting.sentences import Several, fill
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.systems.presentations import presentation

NOWHERE = frozenset(  # what is done all over the map, or at no place of it
    ("budget", "campaign", "card", "choose", "impulse", "open", "points", "put", "reinforce", "remove")
)
HELD, MEETING = "held", "engagement"  # O3.7: whom the umpire does not wait for himself must settle a meeting
ORDERS, RUN = "orders", "run"  # O3.4: all orders stand, and the turn waits for the umpire (nobody is told why)
GALLEY = "galley"  # a battle has its own pages, which say who must do what ship by ship
BY_MINUTE = "EEEE, HH:mm"


@dataclass(frozen=True)
class Doing:
    """What a seat must do, as everybody may know: the question's kind, its place, who comes, the card played."""

    kind: str
    space: str = ""
    enemy: str = ""
    card: str = ""


@dataclass(frozen=True)
class TurnSentence:
    """The sentence, and the seats that must act; `is_own` when it is told to one of them."""

    text: str
    seats: tuple[str, ...] = ()
    is_own: bool = False


def turn_sentence(
    store: Store, table: Table, reader: str = "", waiting: tuple[Wait, ...] | None = None
) -> TurnSentence:
    """Who must do what at which place, since when; with a deadline until when. Empty when nobody must act."""
    waiting = waits(store, table) if waiting is None else waiting
    if not waiting:
        return TurnSentence("")
    if table.game.system == SEASON.name:
        return season_sentence(table.state, waiting)
    own = next((wait for wait in waiting if wait.seat == reader), None)
    first = own or waiting[0]
    doing = doing_of(table, first.seat)
    those = [first] if own else [wait for wait in waiting if doing_of(table, wait.seat) == doing]
    seats = tuple(wait.seat for wait in those)
    since = min(wait.since for wait in those)
    return TurnSentence(
        sentence_text(table, doing, seats, since, limit(store, table, first), bool(own)), seats, bool(own)
    )


def season_sentence(season: Season, waiting: tuple[Wait, ...]) -> TurnSentence:
    """O10.1 How many results of the round are missing; everybody who owes one must act."""
    now = season.now
    assert now is not None  # without a round nobody is waited for
    text = _(
        "Results of round %(number)s that are still missing: %(count)s.",
        number=now.number,
        count=len(now.open()),
    )
    return TurnSentence(text, tuple(wait.seat for wait in waiting))


def doing_of(table: Table, seat: str) -> Doing:
    """What a seat must do; found once for each position."""
    return table.kept.once(("doing", seat), partial(found, table, seat))


def found(table: Table, seat: str) -> Doing:
    """The same, looked up in what a spectator may know."""
    system = table.game.system
    if table.game.waiting:
        return Doing(ROLL)
    if system == GALLEY:
        return Doing(ACT)
    view = plain(table.view(SPECTATOR))
    asked = presentation(system).asked(view, seat)
    inner = view.get("view") or view
    kind = asked.kind if asked and asked.seat in (seat, "both") else str(inner.get("phase") or inner.get("step") or "")
    kind = MEETING if kind == HELD and seat != UMPIRE else RUN if kind == ORDERS and seat == UMPIRE else kind
    moving = inner.get("march") or inner.get("move") or {}
    battle = inner.get("battle") or {}
    about = asked.about if asked else {}
    space = "" if kind in NOWHERE else place(inner, battle, moving, about)
    led = str(moving.get("general") or moving.get("leader") or "")
    if kind in ("march", "move"):
        return Doing("march_of" if led else kind, space, led)
    return Doing(
        kind, space, led or str(moving.get("side") or moving.get("power") or ""), str(battle.get("played") or "")
    )


def place(
    view: Mapping[str, Any], battle: Mapping[str, Any], moving: Mapping[str, Any], about: Mapping[str, Any]
) -> str:
    """Where it is done: where the battle is, the fleets have met, the march stands, or what is asked says."""
    met = view.get("engagement")
    path = moving.get("path") or ()
    named = next((about[name] for name in ("space", "hex", "at") if isinstance(about.get(name), str)), "")
    spaces = (
        met.get("place") if isinstance(met, Mapping) else "",
        battle.get("space") or battle.get("at"),
        path[-1] if path else moving.get("at"),
        named,
    )
    return next((str(space) for space in spaces if space and isinstance(space, str)), "")


def limit(store: Store, table: Table, wait: Wait) -> datetime | None:
    """Until when a seat has time, by the clock of the group's zone; None without a deadline."""
    rule = deadlines.deadline(store, table.game.id)
    end = deadlines.due_in(store, table, wait, rule, people(store, table.game.id))
    return deadlines.in_zone(end, rule) if end else None


def sentence_text(
    table: Table, doing: Doing, seats: tuple[str, ...], since: str, end: datetime | None, is_own: bool
) -> str:
    """The sentence in the reader's language."""
    system = table.game.system
    names = [
        full_name(_("the umpire") if seat == UMPIRE and not is_own else seat_name(table.state, seat)) for seat in seats
    ]
    find = {
        "side": names[0] if len(names) == 1 else Joined(names),
        "enemy": event_words.general(system, doing.enemy),
        "card": event_words.say(system, "battle_card", "card", doing.card),
        "place": event_words.space(system, doing.space),
        "when": said_until(end, BY_MINUTE) if end else when(since),
    }.__getitem__
    must = _("%(side)s, you must %(deed)s") if is_own else _("%(side)s must %(deed)s")
    there = _("%(must)s at %(place)s") if doing.space else "%(must)s"
    then = _("%(what)s, by %(when)s.") if end else _("%(what)s, since %(when)s.")
    done = fill_within(phrase(system, doing.kind), find)
    said = fill(must, {"deed": done, "side": find("side")}.__getitem__)
    said = fill(there, {"must": said, "place": find("place")}.__getitem__)
    text = fill(then, {"what": said, "when": find("when")}.__getitem__)
    return text[:1].upper() + text[1:]


class Joined(Several):
    """A list that reads as its parts with commas and "and"."""

    def __str__(self) -> str:
        return _("%(some)s and %(last)s", some=", ".join(map(str, self[:-1])), last=self[-1])


def fill_within(text: str, find: Any) -> str:
    """A part of a sentence with its gaps filled: its first letter stays as it is."""
    filled = fill(text, find)
    return filled if text[:1].isupper() else filled[:1].lower() + filled[1:]
