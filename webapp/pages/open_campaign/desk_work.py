"""What the umpire's desk shows: what wants a hand, what was settled without him, each side, and his chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask_babel import ngettext

from strategic.open_campaign.rules.ending import points
from strategic.open_campaign.rules.world import chart
from tactical.kernel.protocol import UMPIRE
from webapp.engagements.linked_battles import offers_to_settle
from webapp.http.language import gettext as _
from webapp.http.signs import percent
from webapp.pages.open_campaign.desk_chart import Drawn, charts
from webapp.pages.open_campaign.sea_chart import Tap, tapped
from webapp.post.turns_told import turn_view, turns
from webapp.presenting.place_names import place_name
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.services.umpire_words import words_of
from webapp.systems.messages import lines_of
from webapp.systems.open_campaign.dispatch import afloat, fleet_line, where, with_fleet_names
from webapp.systems.open_campaign.goal_words import goal_line
from webapp.systems.open_campaign.side_names import number_in, side_name

SYSTEM, TRUTH = "open_campaign", "truth"
MOST_SETTLED = 12
NO_DATE = {"when": "", "where": "", "who": ""}
NEWS = frozenset(("sighted", "chased", "met", "fought", "hungry"))


@dataclass(frozen=True)
class Hand:
    """A thing that wants a hand: its kind (meeting, letter, side, note, odd), its words, and what it is about.

    `date` is a meeting's at a table (O3.6); a letter's turn `waits` for its answer (O3.4).
    """

    kind: str
    title: str
    text: str
    side: str = ""
    number: int = 0
    engagement: str = ""
    is_opened: bool = False
    is_fought: bool = False
    at_once: tuple[str, ...] = ()
    date: Mapping[str, str] = field(default_factory=lambda: NO_DATE)
    waits: bool = False


@dataclass(frozen=True)
class SideLine:
    """A side: its orders, ships, fleets and ports in numbers; whether it is ready."""

    id: str
    name: str
    colour: int
    given: int
    fleets: int
    ships: int
    ports: int
    is_ready: bool
    is_out: bool
    has_dispatch: bool
    words: str


@dataclass(frozen=True)
class Desk:
    """Everything that the template of the desk draws; `moves` is the fleet that the umpire moves, and where to."""

    view: Mapping[str, Any]
    step: str
    hands: tuple[Hand, ...]
    settled: tuple[str, ...]
    sides: tuple[SideLine, ...]
    looks_as: str
    charts: tuple[Drawn, ...]
    number: int
    is_held: bool
    can_take_back: bool
    can_captains: bool
    moves: tuple[str, str, str, str]
    stands: tuple[str, ...]
    fleets: tuple[tuple[str, str], ...]
    goals: tuple[str, ...]


def desk(store: Store, table: Table, looks_as: str, near: int, fleet: str, to: str, tap: Tap | None = None) -> Desk:
    """The desk of the umpire, who looks at the truth or at what a side knows, and may be moving a fleet.

    `tap` is where he has tapped a chart, to say where that fleet is moved.
    """
    view = table.view(UMPIRE)
    run = turns(store, table.game.id)
    looks_as = looks_as if looks_as in view["sides"] else TRUTH
    drawn = charts(table, looks_as, near, fleet if looks_as == TRUTH else "")
    if tap is not None:
        kind, x, y = tap
        to = next((tapped(each.chart, x, y) for each in drawn if each.kind == kind), "")
    moves = move_in_hand(view, fleet, to) if looks_as == TRUTH else ("", "", "", "")
    return Desk(
        view=view,
        step=str(view["step"]),
        hands=tuple(hands(store, table, view)),
        settled=tuple(settled(store, table, view)),
        sides=tuple(side_line(store, table, view, side, bool(run)) for side in view["sides"]),
        looks_as=looks_as,
        charts=drawn,
        number=run[-1].number if run else 0,
        is_held=view["step"] == "held",
        can_take_back=view["before"] is not None and table.game.waiting is None,
        can_captains=table.game.dice != "physical",
        moves=moves,
        stands=tuple(f"{side_name(view, side)} {number}" for side, number in best(points(table.state))),
        fleets=tuple((id, f"{side_name(view, fleet['side'])}: {fleet['name']}") for id, fleet in afloat(view)),
        goals=tuple(f"{side_name(view, each['side'])}: {goal_line(view, each)}" for each in view["goals"]),
    )


def move_in_hand(view: Mapping[str, Any], fleet: str, to: str) -> tuple[str, str, str, str]:
    """The fleet that the umpire moves, its name, the goal, and its name; empty for what there is not."""
    if fleet not in dict(afloat(view)) or view["step"] not in ("orders", "held", "day"):
        return "", "", "", ""
    space = chart(view["world"]).spaces.get(to)
    return fleet, view["fleets"][fleet]["name"], to if space else "", place_name(space.name) if space else ""


def best(found: Mapping[str, int]) -> list[tuple[str, int]]:
    """Points by side, the most first."""
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))


def battle_title(view: Mapping[str, Any], meeting: Mapping[str, Any]) -> str:
    """O6.1 A meeting that waits, by where it is."""
    place = chart(view["world"]).spaces.get(meeting["place"])
    return _("A battle off %(place)s", place=place_name(place.name) if place else meeting["place"])


def hands(store: Store, table: Table, view: Mapping[str, Any]) -> list[Hand]:
    """What wants a hand: dice, meetings, free orders without an answer, sides without orders, notes, odd things."""
    found: list[Hand] = []
    if table.game.waiting is not None:
        found.append(Hand("dice", _("Dice to throw"), _("The turn is waiting for dice rolled at the table.")))
    fought = {offer.fields["engagement"] for offer in offers_to_settle(store, table, UMPIRE)}
    for id, meeting in view["engagements"].items():
        date = view["appointed"].get(id, NO_DATE)
        dated = ", ".join(filter(None, (date["when"], date["where"], date["who"]))) if date["when"] else ""
        found.append(
            Hand(
                "meeting",
                battle_title(view, meeting),
                sent_said(view, meeting) + (f" – {dated}" if dated else ""),
                engagement=id,
                is_opened=bool(meeting.get("opened")),
                is_fought=id in fought,
                at_once=chances(view, view["instant"].get(id)),
                date=date,
            )
        )
    for side, letters in view["letters"].items():
        for number, letter in enumerate(letters):
            if not letter["answer"]:
                title = _("A free order from %(side)s", side=side_name(view, side))
                found.append(Hand("letter", title, letter["text"], side, number, waits=letter["waits"]))
    if view["step"] == "orders" and view["result"] is None:
        for side in view["sides"]:
            fleets = [id for id, fleet in afloat(view) if fleet["side"] == side]
            if fleets and not view["orders"].get(side) and not view["ready"].get(side) and not out(view, side):
                title = _("No orders: %(side)s", side=side_name(view, side))
                found.append(Hand("side", title, _("Its fleets in port stay there, and those at sea sail home."), side))
        for side, orders in view["orders"].items():
            for fleet, order in orders.items():
                if order.get("note"):
                    title = _("A note with the order of the fleet %(fleet)s", fleet=view["fleets"][fleet]["name"])
                    found.append(Hand("note", title, order["note"], side))
    found += odd(view)
    return found


def out(view: Mapping[str, Any], side: str) -> bool:
    """Has the side given up?"""
    return bool(view["sides"][side].get("resigned"))


def odd(view: Mapping[str, Any]) -> list[Hand]:
    """Odd things that the program has noticed: hungry fleets far from food, goals that no lane reaches."""
    found = []
    world = chart(view["world"])
    for id, fleet in afloat(view):
        if fleet["hungry"] > 1:
            title = _("No food: %(fleet)s", fleet=fleet["name"])
            found.append(Hand("odd", title, where(view, fleet), fleet["side"]))
        order = view["orders"].get(fleet["side"], {}).get(id)
        at = fleet["at"]
        if order and isinstance(at, str) and order["to"] in world.spaces and not world.path(at, order["to"]):
            title = _("No route to its destination: %(fleet)s", fleet=fleet["name"])
            found.append(Hand("odd", title, place_name(world.spaces[order["to"]].name), fleet["side"]))
    return found


def sent_said(view: Mapping[str, Any], meeting: Mapping[str, Any]) -> str:
    """Who meets whom, with how many ships, and what each side wants."""
    parts = []
    for side, fleet in meeting["fleets"].items():
        number = len(fleet["units"]) + len(fleet["transports"])
        led = fleet.get("commander_name") or ""
        parts.append(f"{side_name(view, side)} {number}" + (f" ({led})" if led else ""))
    return _("%(one)s against %(other)s", one=parts[0], other=", ".join(parts[1:]))


def chances(view: Mapping[str, Any], instant: Mapping[str, Any] | None) -> tuple[str, ...]:
    """O6.2 At what chances quick dice end a meeting, short for a phone; the meeting's page has the losses."""
    if not instant:
        return ()
    found = [f"{side_name(view, side)} {percent(round(100 * chance))}" for side, chance in instant["wins"].items()]
    return (*found, _("undecided: %(chance)s%%", chance=round(100 * instant["neither"])))


def settled(store: Store, table: Table, view: Mapping[str, Any]) -> list[str]:
    """What the program has settled in the newest turn, counted by kind, then the loudest of it."""
    run = turns(store, table.game.id)
    if not run:
        return []
    events = [event for event in turn_view(store, table, UMPIRE, run[-1]).events if event.get("type") in NEWS]
    kinds = Counter(str(event["type"]) for event in events)
    found = []
    if kinds["sighted"]:
        found.append(str(ngettext("%(num)d sighting", "%(num)d sightings", kinds["sighted"])))
    loud = [event for event in events if event["type"] in ("fought", "chased", "met")]
    return found + [lines_of(SYSTEM, (with_fleet_names(view, event),))[0].text for event in loud[-MOST_SETTLED:]]


def side_line(store: Store, table: Table, view: Mapping[str, Any], side: str, has_dispatch: bool) -> SideLine:
    """A side in numbers."""
    fleets = [fleet_line(view, view, id) for id, fleet in afloat(view) if fleet["side"] == side]
    return SideLine(
        side,
        side_name(view, side),
        number_in(view, side),
        sum(not each.is_idle for each in fleets),
        len(fleets),
        sum(each.number for each in fleets),
        sum(holder == side for holder in view["ports"].values()),
        bool(view["ready"].get(side)),
        out(view, side),
        has_dispatch,
        words_of(store, table.game.id, side, view["turn"]),
    )
