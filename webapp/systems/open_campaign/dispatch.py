"""O11.1 The dispatch of a side: what one turn brought, for people who read nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from babel.dates import get_month_names
from flask_babel import get_locale, ngettext
from flask_babel import lazy_gettext as _l

from strategic.open_campaign.rules.sailing import kind_of, modifier, region_at
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import OnLane
from strategic.open_campaign.tables import TABLES, WEATHER, after, parts
from strategic.open_campaign.tables import after as days_later
from tactical.kernel.record import read as read_as
from webapp.http.language import gettext as _
from webapp.presenting.battle_labels import heading_word
from webapp.presenting.campaign_labels import seat_word, side_word
from webapp.presenting.labels import crew_word, place_name, translate, type_word
from webapp.presenting.sides import side_number
from webapp.systems.open_campaign.orders import order_line

# -- What the sides of a war of one's own are called, and their numbers.


def side_name(view: Mapping[str, Any], side: str) -> str:
    """A side by its word in the reader's language, else by the name that its organizer gave it."""
    own = view["sides"].get(side)
    return side_word(side) or (translate(own["name"]) if own else seat_word(side))


def number_in(view: Mapping[str, Any], side: str) -> int:
    """A side's number, by which it has its colour and its sign."""
    return side_number("open_campaign", view["sides"], side)


# -- The game's own dates in words: 5 June 260 BC, 5 to 11 June 260 BC.


def day_words(date: str) -> str:
    """A date without its year: 5 June. Raises BadInput for what is no date."""
    _year, month, day = parts(date)
    return _("%(day)s %(month)s", day=day, month=str(get_month_names("wide", "format", get_locale())[month]))


def date_words(date: str) -> str:
    """A date with its year. Raises BadInput for what is no date."""
    year = parts(date)[0]
    said = _("%(year)s BC", year=-year) if year < 0 else _("AD %(year)s", year=year)
    return f"{day_words(date)} {said}"


def span_words(date: str, days: int) -> str:
    """So many days from a date on. Raises BadInput for what is no date."""
    last = after(date, days - 1)
    if days == 1:
        return date_words(date)
    if parts(date)[:2] == parts(last)[:2]:
        return _("%(first)s to %(last)s", first=parts(date)[2], last=date_words(last))
    return _("%(first)s to %(last)s", first=day_words(date), last=date_words(last))


# -- O11.1 What is told once for a turn: as many sail that the same lookout, or a rumour, sees off the same place.

Event = Mapping[str, object]
NEWS = frozenset(("sighted", "rumour"))
SAME = ("type", "side", "fleet", "of", "space", "number")  # what two of these must have in common
NEW_TURN = frozenset(("turn_begins", "turn_taken_back"))


def without_repeats(events: Iterable[Event], told: set[Hashable]) -> Iterator[Event]:
    """The events without sightings and rumours that the turn has told; `told` holds those so far, and is added to."""
    for event in events:
        kind, sight = event.get("type"), tuple(event.get(name) for name in SAME)
        if kind in NEW_TURN:
            told.clear()
        if kind not in NEWS or sight not in told:
            yield event
        if kind in NEWS:
            told.add(sight)


# -- What a side knows of the others: its sightings with their age, as they are told and as they stood some days ago.

View = Mapping[str, Any]
COUNTED = 10  # sail from which a number is an estimate
MOST = 12  # sightings drawn on one chart


@dataclass(frozen=True)
class Seen:
    """A sighting: whose, how many sail, where, and how many days ago; `title` and `detail` are its words."""

    side: str
    number: int
    place: str
    lon: float
    lat: float
    age: int
    title: str
    detail: str


def days_of(view: View) -> int:
    """The days of a turn of this campaign."""
    return int(TABLES.days[view["turn_length"]])


def age_words(days: int) -> str:
    """An age in words."""
    if days <= 0:
        return _("today")
    if days == 1:
        return _("yesterday")
    return str(ngettext("%(num)d day ago", "%(num)d days ago", days))


def sail_words(number: int) -> str:
    """So many sail, as they were counted or guessed."""
    return _("%(number)s sail", number=number) if number < COUNTED else _("about %(number)s sail", number=number)


def knowledge_of(view: View, side: str, back: int = 0) -> tuple[Seen, ...]:
    """What a side knew so many days ago, the newest first."""
    world = chart(view["world"])
    found = []
    for each in view["known"].get(side, ()):
        age = (int(view["turn"]) - int(each["turn"])) * days_of(view) - back
        age += int(view.get("day") or 0) - int(each["day"])
        if age < 0:
            continue
        place = world.spaces[each["near"]].name if each["near"] in world.spaces else each["near"]
        where = place_name(place)
        title = f"{side_name(view, each['side'])}: {sail_words(each['number'])}"
        about = {"when": age_words(age), "place": where, "course": heading_word(each["course"])}
        detail = _("%(when)s, off %(place)s", **about)
        if each["course"]:
            detail = _("%(when)s, off %(place)s, heading %(course)s", **about)
        found.append(Seen(each["side"], each["number"], where, each["lon"], each["lat"], age, title, detail))
    return tuple(sorted(found, key=lambda seen: (seen.age, -seen.number)))


def newest(seen: Iterable[Seen]) -> tuple[Seen, ...]:
    """The newest sighting of a side at each place, the newest first."""
    first: dict[tuple[str, str], Seen] = {}
    for each in seen:
        first.setdefault((each.side, each.place), each)
    return tuple(first.values())[:MOST]


# -- O4.2, O4.5 How likely a day's weather is at a place in a month, by the two dice and the tables of the rule itself.

DICE = tuple(product(range(1, 7), repeat=2))


@cache
def sky_chances(lon: float, lat: float, month: int) -> tuple[int, int, int]:
    """In how many of a hundred days it is calm, fresh, or blows a gale or a storm; they come to a hundred.

    >>> sky_chances(27.4, 36.4, 7)
    (41, 31, 28)
    """
    where = region_at(round(lon, 1), round(lat, 1))
    found = Counter(kind_of(red + white + modifier(where, month), where, month) for red, white in DICE)
    fresh = round(100 * found["fresh"] / len(DICE))
    rough = round(100 * (found["gale"] + found["storm"]) / len(DICE))
    return 100 - fresh - rough, fresh, rough


# -- O9.1 What brings points, in words, for whoever may know of it.

KINDS = {
    "port": _l("A port held"),
    "warships": _l("Warships in a place"),
    "cleared": _l("No enemy in a place"),
    "transports": _l("Each transport in a place"),
    "taken": _l("Each ship captured, wherever it was"),
}
SENTENCES: dict[str, Callable[[str], str]] = {
    "port": lambda place: _("%(place)s held", place=place),
    "warships": lambda place: _("Warships at %(place)s", place=place),
    "cleared": lambda place: _("No enemy at %(place)s", place=place),
    "transports": lambda place: _("Each transport at %(place)s", place=place),
    "taken": lambda place: _("Each ship captured"),
}


def goal_line(view: View, goal: View) -> str:
    """A goal in words: what, how many points, when it counts, and what it has brought where that day is past."""
    space = chart(view["world"]).spaces.get(goal["space"])
    what = SENTENCES[goal["what"]](place_name(space.name) if space else goal["space"])
    points = str(ngettext("%(num)d point", "%(num)d points", goal["points"]))
    when = _("at the end of turn %(turn)s", turn=goal["by"]) if goal["by"] else _("at the end of the campaign")
    won = [_("counted: %(points)s", points=goal["won"])] if goal["won"] is not None else []
    return f"{what}: {', '.join((points, when, *won))}"


# -- O11.1 The dispatch of a side: what one turn brought, as the side knows it, for people who read nothing else.
#
# All of it comes from the side's own views and from the events that it may see.

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
    asked: tuple[View, ...]  # words to the umpire with his answers (empty: none yet)
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
        asked=tuple(each for each in now["letters"].get(side, ()) if each["turn"] == turn),
        wants=tuple(each for each in fleets if each.is_idle) if is_current else (),
        stands=tuple(stands(before, after, side)),
        next_span=span_words(after["date"], days_of(after)) if is_current else "",
    )


def afloat(view: View) -> list[tuple[str, Mapping[str, Any]]]:
    """The fleets of a view that have ships, by id."""
    return [(id, fleet) for id, fleet in sorted(view["fleets"].items()) if fleet["ships"]]


def point_of(fleet: Mapping[str, Any]) -> str | OnLane:
    """Where a fleet of a view is: a space, or a place on a lane."""
    found = fleet["at"]
    return found if isinstance(found, str) else read_as(found, OnLane)


def space_by(view: View, fleet: Mapping[str, Any]) -> str:
    """The space by which a fleet's place is called."""
    return chart(view["world"]).near(point_of(fleet))


def where(view: View, fleet: Mapping[str, Any]) -> str:
    """A fleet's place in words."""
    name = place_name(chart(view["world"]).spaces[space_by(view, fleet)].name)
    return name if isinstance(fleet["at"], str) else _("at sea near %(place)s", place=name)


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
    moved = tuple(moves(before, after, happened, side))
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


def moves(before: View, after: View, happened: Sequence[Happened], side: str) -> Iterable[str]:
    """What became of the side's own fleets, each in a sentence; and why one that was to sail has not."""
    world, goals = chart(after["world"]), goals_of(before, happened, side)
    for id, old in afloat(before):
        if old["side"] != side:
            continue
        new = after["fleets"].get(id, old)
        lost = len(old["ships"]) - len(new["ships"])
        start, end = where(before, old), where(after, new)
        if not new["ships"]:
            yield _("The fleet %(fleet)s no longer exists.", fleet=old["name"])
            continue
        miles = world.from_(space_by(after, old)).get(space_by(after, new), (0, None))[0]
        if start == end:
            yield _("%(fleet)s: %(place)s, as before.", fleet=new["name"], place=end)
            if (why := why_it_stayed(after, new, goals.get(id, ""), before["date"])) is not None:
                yield why
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


def goals_of(before: View, happened: Sequence[Happened], side: str) -> dict[str, str]:
    """O3.3 Where the side's fleets were to go in a turn, by their orders that stood and those that it gave in it."""
    found = {id: str(order.get("to") or "") for id, order in before["orders"].get(side, {}).items()}
    for each in happened:
        if each.get("type") in ("ordered", "order_cancelled") and each.get("side") == side:
            found[str(each["fleet"])] = str(each.get("to") or "")
    return found


def why_it_stayed(view: View, fleet: Mapping[str, Any], to: str, date: str) -> str | None:
    """O3.3, O4.2 Why a fleet cannot sail to its goal: no way leads there, or none but over the open sea in winter."""
    world, here = chart(view["world"]), space_by(view, fleet)
    if to in view["fleets"]:
        to = space_by(view, view["fleets"][to])
    if not to or to == here:
        return None
    name = place_name(world.spaces[to].name) if to in world.spaces else to
    if to not in world.from_(here):
        return _("No way by sea leads to %(place)s: the fleet %(fleet)s waits.", place=name, fleet=fleet["name"])
    is_closed = view["options"]["weather"] and parts(date)[1] in WEATHER.closed
    if is_closed and to not in world.coastal.from_(here):
        return _(
            "The way to %(place)s leads over the open sea, which is closed in winter to fleets whose orders "
            "do not take the risk: the fleet %(fleet)s waits.",
            place=name,
            fleet=fleet["name"],
        )
    return None


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


# -- O11.1 A dispatch as lines of a mail.


def dispatch_lines(
    before: View, after: View, now: View, events: Sequence[Mapping[str, Any]], side: str, tell: Tell
) -> list[str]:
    """The dispatch of a turn as plain lines, for people who read nothing else."""
    return list(lines_of(dispatch(before, after, now, events, side, tell)))


def lines_of(told: Dispatch) -> Sequence[str]:
    """The lines: the headline, what happened, the fleets, what is known of others, what wants an order."""
    found = [_("Dispatch %(number)s of %(side)s", number=told.number, side=told.side_name) + f", {told.span}"]
    found += ["", told.headline + ".", ""]
    for day in told.days:
        found.append("- " + (f"{day.date}: " if day.date else "") + " ".join(day.sentences))
    found += ["", _("Your fleets:")]
    for fleet in told.fleets:
        food = _("food for %(days)s days", days=fleet.food)
        order = fleet.order or _("no order")
        found.append(f"- {fleet.name}: {fleet.where}; {fleet.ships}; {food}; {order}")
    if told.beliefs:
        found += ["", _("What we believe they have:")]
        found += [f"- {seen.title}, {seen.detail}" for seen in told.beliefs]
    for each in told.asked:
        found += ["", _("Your message to the umpire") + f": {each['text']}", each["answer"] or _("Not answered yet.")]
    found += ["", *told.stands]
    if told.wants:
        found += ["", _("Needs an order") + ": " + ", ".join(fleet.name for fleet in told.wants)]
    return found
