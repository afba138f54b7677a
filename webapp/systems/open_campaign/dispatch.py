"""O11.1 The dispatch of a side: what one turn brought, as the side knows it, for people who read nothing else.

All of it comes from the side's own views and from the events that it may see.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import ngettext

from strategic.calendar import after as days_later
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import OnLane
from strategic.open_campaign.tables import TABLES
from tactical.kernel.record import read as read_as
from webapp.http.language import gettext as _
from webapp.presenting.labels import crew_word, type_word
from webapp.presenting.place_names import place_name
from webapp.systems.open_campaign.dates import day_words, span_words
from webapp.systems.open_campaign.knowledge import Seen, age_words, days_of, knowledge_of, newest, sail_words
from webapp.systems.open_campaign.order_words import order_line
from webapp.systems.open_campaign.repeats import without_repeats
from webapp.systems.open_campaign.side_names import side_name

View = Mapping[str, Any]
Happened = Mapping[str, Any]
Tell = Callable[[Happened], str]
UNTOLD = frozenset(
    (
        "ordered",
        "order_cancelled",
        "letter",
        "letter_answered",
        "letter_waits",
        "ready",
        "run",
        "held",
        "turn_begins",
        "way",
        "sent",
    )
)  # kinds that are no news, or stand elsewhere on the dispatch
HEADLINES = ("over", "fought", "met", "chased", "sighted")  # the first of these that happened is the headline
LETTERS = 1150  # of all sentences of a turn: what the first page holds
DOTS = 5  # of the rowers' quality


@dataclass(frozen=True)
class Day:
    """A day of the turn: its date in words (empty: the turn as a whole), and what happened in sentences."""

    date: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class FleetLine:
    """A fleet in words; `dots` are its rowers' quality of five, and `is_idle` says that it has no order."""

    id: str
    name: str
    where: str
    ships: str
    number: int
    rowers: str
    dots: int
    food: int
    order: str
    is_idle: bool


@dataclass(frozen=True)
class Answered:
    """A word to the umpire, and his answer (empty: none yet)."""

    text: str
    answer: str


@dataclass(frozen=True)
class Dispatch:
    """A dispatch; `days` hold the sentences, `beliefs` what is known of others, `stands` lines of how it stands."""

    number: int
    side: str
    side_name: str
    span: str
    headline: str
    days: tuple[Day, ...]
    fleets: tuple[FleetLine, ...]
    beliefs: tuple[Seen, ...]
    unknown: tuple[str, ...]
    asked: tuple[Answered, ...]
    wants: tuple[FleetLine, ...]
    stands: tuple[str, ...]
    next_span: str


def dispatch(before: View, after: View, now: View, happened: Sequence[Happened], side: str, tell: Tell) -> Dispatch:
    """The dispatch of the turn that lies between two views of a side; `now` has the orders that it has given since.

    `tell` puts an event into a sentence.
    """
    turn = int(before["turn"])
    span = span_words(before["date"], days_of(before))
    fleets = tuple(fleet_line(after, now, id) for id, fleet in afloat(after) if fleet["side"] == side)
    is_current = int(now["turn"]) == int(after["turn"]) and now["result"] is None
    return Dispatch(
        number=turn,
        side=side,
        side_name=side_name(after, side),
        span=span,
        headline=headline(after, happened, tell, span),
        days=tuple(days(before, after, happened, side, tell)),
        fleets=fleets,
        beliefs=newest(knowledge_of(after, side)),
        unknown=tuple(unknown(after, side)),
        asked=tuple(
            Answered(each["text"], each["answer"]) for each in now["letters"].get(side, ()) if each["turn"] == turn
        ),
        wants=tuple(each for each in fleets if each.is_idle) if is_current else (),
        stands=tuple(stands(before, after, side)),
        next_span=span_words(after["date"], days_of(after)) if is_current else "",
    )


def afloat(view: View) -> list[tuple[str, Mapping[str, Any]]]:
    """The fleets of a view that have ships, by id."""
    return [(id, fleet) for id, fleet in sorted(view["fleets"].items()) if fleet["ships"]]


def where(view: View, fleet: Mapping[str, Any]) -> str:
    """A fleet's place in words."""
    world, at = chart(view["world"]), fleet["at"]
    if isinstance(at, str):
        return place_name(world.spaces[at].name)
    return _("at sea near %(place)s", place=place_name(world.spaces[world.near(read_as(at, OnLane))].name))


def fleet_line(view: View, now: View, id: str) -> FleetLine:
    """A fleet of a view in words, with the order that it has now."""
    fleet = view["fleets"][id]
    sheets = [view["ships"][each] for each in fleet["ships"]]
    rowed = [int(each["pips"]) for each in sheets if each["type"] != "transport"]
    mean = sum(rowed) / len(rowed) if rowed else 0.0
    quality = next((name for name, row in TABLES.rowers.items() if rowed and mean <= row.most + 0.5), "elite")
    given = now["orders"].get(fleet["side"], {}).get(id)
    return FleetLine(
        id,
        str(fleet["name"]),
        where(view, fleet),
        ship_words(sheets),
        len(sheets),
        crew_word(quality) if rowed else "–",
        round(mean * DOTS / 9) if rowed else 0,
        int(fleet["provisions"]),
        order_line(view, given),
        given is None,
    )


def ship_words(sheets: Sequence[Mapping[str, Any]]) -> str:
    """So many ships of each type, and how many of them are damaged."""
    kinds = Counter(str(each["type"]) for each in sheets)
    hurt = sum(int(each["damage"]) > 0 for each in sheets)
    parts = [f"{number} × {type_word(kind)}" for kind, number in kinds.items()]
    damaged = [ngettext("%(num)d damaged", "%(num)d damaged", hurt)] if hurt else []
    return "; ".join([", ".join(parts), *damaged])


def with_fleet_names(view: View, event: Happened) -> Happened:
    """An event with the names of fleets in place of their ids."""
    fleet = view["fleets"].get(event.get("fleet"))
    return {**event, "fleet": fleet["name"]} if fleet else event


def day_of(event: Happened) -> int | None:
    """The day of the turn on which something happened, where the event says so."""
    if isinstance(event.get("day"), int):
        return int(event["day"])
    found = re.fullmatch(r"t\d+-(\d+)-\d+-\d+", str(event.get("engagement", "")))
    return int(found.group(1)) if found else None


def days(before: View, after: View, happened: Sequence[Happened], side: str, tell: Tell) -> Iterable[Day]:
    """The days on which something happened; what the side's own fleets did stands first, for the turn as a whole.

    Hunger is told once for each fleet, as many sail that the same lookout sees off the same place once. Where a turn
    has more to tell than the page holds, sightings are left out first.
    """
    moved = tuple(moves(before, after, side))
    if moved:
        yield Day("", moved)
    day, told = 0, list[tuple[int, int, str]]()  # weight, day, sentence
    hungry = {event.get("fleet"): event for event in happened if event.get("type") == "hungry"}
    for event in without_repeats(happened, set()):
        day, kind = day_of(event) or day, str(event.get("type"))
        if kind in UNTOLD or not event.get("rule") or (kind == "hungry" and hungry[event.get("fleet")] is not event):
            continue
        weight = HEADLINES.index(kind) if kind in HEADLINES else 3
        told.append((weight, day, tell(with_fleet_names(before, event))))
    told = list(dict.fromkeys(told))
    room, kept = LETTERS - sum(map(len, moved)), set[tuple[int, int, str]]()
    for line in sorted(told, key=lambda each: each[0]):
        room -= len(line[2]) + 1
        if room >= 0:
            kept.add(line)
    for number in sorted({line[1] for line in kept}):
        date = day_words(days_later(before["date"], number - 1)) if number else ""
        yield Day(date, tuple(line[2] for line in told if line in kept and line[1] == number))
    left = len(told) - len(kept)
    if left:
        yield Day(
            "",
            (ngettext("%(num)d smaller event is in the journal.", "%(num)d smaller events are in the journal.", left),),
        )


def moves(before: View, after: View, side: str) -> Iterable[str]:
    """What became of the side's own fleets, each in a sentence."""
    world = chart(after["world"])
    for id, old in afloat(before):
        if old["side"] != side:
            continue
        new = after["fleets"].get(id, old)
        lost = len(old["ships"]) - len(new["ships"])
        start, end = where(before, old), where(after, new)
        if not new["ships"]:
            yield _("The fleet %(fleet)s no longer exists.", fleet=old["name"])
            continue
        miles = world.from_(place(world, old)).get(place(world, new), (0, None))[0]
        if start == end:
            yield _("%(fleet)s: %(place)s, as before.", fleet=new["name"], place=end)
        elif miles:
            yield _(
                "%(fleet)s: %(start)s, now %(end)s (%(miles)s miles).",
                fleet=new["name"],
                start=start,
                end=end,
                miles=miles,
            )
        else:
            yield _("%(fleet)s: %(start)s, now %(end)s.", fleet=new["name"], start=start, end=end)
        if lost > 0:
            yield ngettext(
                "The fleet %(fleet)s has lost %(num)d ship.",
                "The fleet %(fleet)s has lost %(num)d ships.",
                lost,
                fleet=new["name"],
            )


def place(world: Any, fleet: Mapping[str, Any]) -> str:
    """The space by which a fleet's place is called."""
    at = fleet["at"]
    found: str = world.near(at if isinstance(at, str) else read_as(at, OnLane))
    return found


def headline(view: View, happened: Sequence[Happened], tell: Tell, span: str) -> str:
    """What mattered most, as one line."""
    for kind in HEADLINES:
        found = [event for event in happened if event.get("type") == kind]
        if kind == "sighted" and found:
            most = max(found, key=lambda event: int(event.get("number", 0)))
            place = chart(view["world"]).spaces.get(str(most.get("space")))
            return _(
                "%(number)s of %(side)s in sight off %(place)s",
                number=sail_words(int(most["number"])).capitalize(),
                side=side_name(view, str(most.get("of"))),
                place=place_name(place.name) if place else str(most.get("space")),
            )
        if found:
            return tell(with_fleet_names(view, found[-1])).rstrip(".")
    return _("No enemy was seen")


def unknown(view: View, side: str) -> Iterable[str]:
    """What the side has not been told: of whom it knows nothing, and what is old news."""
    seen = knowledge_of(view, side)
    for other in view["sides"]:
        if other == side or view["sides"][other].get("resigned"):
            continue
        of = [each for each in seen if each.side == other]
        if not of:
            yield _("No ship of %(side)s has been seen lately.", side=side_name(view, other))
        elif of[0].age > 1:
            yield _("Last sighting of %(side)s: %(when)s.", side=side_name(view, other), when=age_words(of[0].age))


def stands(before: View, after: View, side: str) -> Iterable[str]:
    """How it stands: ports by side, and the side's own ships."""
    held = Counter(after["ports"].values())
    if held:
        each = " · ".join(f"{side_name(after, name)} {held[name]}" for name in after["sides"] if held[name])
        yield _("Ports: %(ports)s", ports=each)
    ours = Counter(str(ship["status"]) for ship in after["ships"].values() if ship["side"] == side)
    lost = sum(ours.values()) - ours["afloat"]
    yield _("Our ships: %(afloat)s afloat, %(lost)s lost", afloat=ours["afloat"], lost=lost)
    if side in after.get("stopped_now", {}):
        yield _("Our points, if it ended now: %(points)s", points=after["stopped_now"][side])
    left = int(after["turns"]) - int(before["turn"])
    yield str(ngettext("%(num)d turn is left.", "%(num)d turns are left.", left))
