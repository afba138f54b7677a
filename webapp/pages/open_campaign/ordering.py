"""What the orders page shows: the side's fleets with their orders, the order in hand with its days, the charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask_babel import ngettext
from markupsafe import Markup
from msgspec.structs import asdict
from msgspec.structs import replace as replace_state

from strategic.coast import apart
from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.charge import is_in
from strategic.open_campaign.rules.forecast import Ahead, forecast, known_position
from strategic.open_campaign.rules.orders import LONGEST_TEXT, why_not_order
from strategic.open_campaign.rules.sailing import reach
from strategic.open_campaign.rules.world import Chart, chart
from strategic.open_campaign.state import OnLane, Order, State
from strategic.open_campaign.tables import TABLES
from tactical.kernel.record import plain
from webapp.http.cache import Cache
from webapp.http.language import gettext as _
from webapp.http.language import tag
from webapp.pages.open_campaign.day_lines import SAFE, DayLine, day_lines
from webapp.pages.open_campaign.paper import Paper, Point
from webapp.pages.open_campaign.plates import Box
from webapp.pages.open_campaign.sea_chart import (
    Mark,
    SeaChart,
    Tap,
    Way,
    of_interest,
    paper_of,
    ring,
    sea_chart,
    tapped,
)
from webapp.presenting.map.svg import path
from webapp.presenting.place_names import place_name
from webapp.presenting.refusals import refusal_text
from webapp.storage.journal.records import Table
from webapp.systems.open_campaign.dispatch import FleetLine, afloat, fleet_line
from webapp.systems.open_campaign.knowledge import Seen, age_words, knowledge_of
from webapp.systems.open_campaign.order_words import DO_MEANS, MORE, WITH_A_FLEET, WITHOUT_A_GOAL, order_line
from webapp.systems.open_campaign.side_names import number_in, side_name

SYSTEM = "open_campaign"
DO = ("go", "patrol", "blockade", "escort", "land", "stay")
WITH_A_SPACE = frozenset(("go", "patrol", "blockade", "land", "scout", "raid", "besiege"))
SIZES = {"wide": (672, 616), "narrow": (390, 236)}  # pixels of the map on a tablet and on a phone
COVERED: dict[str, tuple[Box, ...]] = {  # where buttons lie over the map
    "wide": ((6, 6, 58, 110), (360, 6, 668, 78), (6, 576, 300, 612)),
    "narrow": ((0, 0, 272, 18), (336, 4, 388, 104), (4, 184, 290, 234)),
}
RING = 8  # pixels
REACHED = Cache()
NEAREST = 3  # steps of nearness: 0 the whole world, 1 what is of interest, then about a place
AROUND = (0.0, 0.0, 1.6, 0.7)  # degrees about the place
MOST_BACK = 10  # days that the slider goes back
BESIDE = 60  # nautical miles from the way within which a phone shows what was seen


@dataclass(frozen=True)
class Wanted:
    """What was tapped: the fleet, the order in hand, how near the chart is and about which place, and days back."""

    fleet: str = ""
    do: str = ""
    to: str = ""
    stance: str = "accept"
    pace: str = "cruise"
    more_than: int = 0
    note: str = ""
    near: int = 1
    about: str = ""
    back: int = 0
    by_night: bool = False
    nights_at_sea: bool = False
    risk: bool = False
    unmet_by: int = 0
    then: str = ""
    after: str = ""
    stands: bool = False


OF_ORDER = (
    "do",
    "stance",
    "pace",
    "more_than",
    "note",
    "by_night",
    "nights_at_sea",
    "risk",
    "unmet_by",
    "then",
    "after",
    "stands",
)


@dataclass(frozen=True)
class Drawn:
    """A chart with rings about the places within this turn's reach, as path data."""

    kind: str
    chart: SeaChart
    reached: Markup


@dataclass(frozen=True)
class Marked:
    """The place at which a pin may be set: the goal, else where the fleet is; with the note that stands there."""

    space: str
    place: str
    note: str


@dataclass(frozen=True)
class Screen:
    """Everything that the template of the orders page draws."""

    side: str
    side_name: str
    colour: int
    view: Mapping[str, Any]
    wanted: Wanted
    fleets: tuple[FleetLine, ...]
    chosen: FleetLine | None
    given: str
    in_hand: str
    is_whole: bool
    is_given: bool
    is_ready: bool
    is_open: bool
    asks: str
    days: tuple[DayLine, ...]
    charts: tuple[Drawn, ...]
    others: tuple[FleetLine, ...]
    knew: str
    next: str
    mark: Marked


def fleets_of(table: Table, side: str, charge: tuple[str, ...] = ()) -> tuple[str, ...]:
    """O1.4 The fleets to which this side gives orders, or of it whoever has charge of these alone, by id."""
    view, commander = table.view(side), not charge
    own = (id for id, fleet in afloat(view) if fleet["side"] == side)
    return tuple(id for id in own if commander or is_in(charge, id))


def screen(table: Table, side: str, wanted: Wanted, tap: Tap | None = None, charge: tuple[str, ...] = ()) -> Screen:
    """The orders page of a side, after a tap on its chart where there is one; `charge`: of fleets alone (O1.4).

    Nothing in it is not in the side's own view.
    """
    view = table.view(side)
    state = table.kept.once(
        ("orders", side), lambda: replace_state(known_position(table.state, side), weather={}, before=None)
    )
    fleets = table.kept.once(
        ("fleets", side, charge, tag()),
        lambda: tuple(fleet_line(view, view, id) for id in fleets_of(table, side, charge)),
    )
    is_chosen = len(fleets) == 1 or wanted.fleet in {each.id for each in fleets}
    wanted = completed(view, side, fleets, wanted)
    chosen = next((each for each in fleets if each.id == wanted.fleet), None)
    command = command_of(side, wanted)
    fault = why_not_order(state, command) if chosen and command else None
    order = order_of(state, command) if chosen and command and fault is None else None
    days = forecast(state, wanted.fleet, order) if order else ()
    seen = knowledge_of(view, side, wanted.back)
    most = reach(state, wanted.fleet) * TABLES.days[state.turn_length] if is_chosen else -1
    charts = [drawn(kind, view, state, most, seen, wanted, days) for kind in SIZES]
    if tap is not None:
        kind, x, y = tap
        to = next((tapped(each.chart, x, y) for each in charts if each.kind == kind), "")
        wanted = replace(wanted, to=to, do=wanted.do if wanted.do in WITH_A_SPACE else "go")
        return screen(table, side, wanted, charge=charge)
    given = view["orders"].get(side, {}).get(wanted.fleet)
    idle = [each.id for each in fleets if each.is_idle and each.id != wanted.fleet]
    return Screen(
        side=side,
        side_name=side_name(view, side),
        colour=number_in(view, side),
        view=view,
        wanted=wanted,
        fleets=fleets,
        chosen=chosen,
        given=order_line(view, given),
        in_hand=order_line(view, asdict(command)) if command else "",
        is_whole=order is not None,
        is_given=order is not None and given is not None and plain(order) == {**plain(order), **given},
        is_ready=bool(view["ready"].get(side)),
        is_open=view["step"] == "orders" and view["result"] is None and not view["sides"][side]["resigned"],
        asks=asked(wanted, chosen, refusal_text(SYSTEM, fault.why) if fault else ""),
        days=day_lines(view, days),
        charts=tuple(charts),
        others=tuple(each for each in fleets if each.id != wanted.fleet),
        knew=age_words(wanted.back),
        next=idle[0] if idle else "",
        mark=mark_at(view, side, wanted),
    )


def mark_at(view: Mapping[str, Any], side: str, wanted: Wanted) -> Marked:
    """Where the side may set a pin now."""
    world = chart(view["world"])
    space = wanted.to if wanted.to in world.spaces else place_by(view, wanted.fleet)
    notes = {pin["space"]: str(pin["note"]) for pin in view["pins"].get(side, ())}
    return Marked(space, place_name(world.spaces[space].name) if space else "", notes.get(space, ""))


def completed(view: Mapping[str, Any], side: str, fleets: tuple[FleetLine, ...], wanted: Wanted) -> Wanted:
    """What was tapped, with the order that the fleet has where no other was begun, and no fleet of another side."""
    if wanted.fleet not in {each.id for each in fleets}:
        idle = [each.id for each in fleets if each.is_idle]
        first = idle[0] if idle else fleets[0].id if fleets else ""
        wanted = replace(wanted, fleet=first, do="", to="")
    given = view["orders"].get(side, {}).get(wanted.fleet)
    if not wanted.do and given is not None:
        fields = {name: given[name] for name in OF_ORDER}
        wanted = replace(wanted, **fields, to=wanted.to or given["to"])
    if not wanted.do and wanted.to:
        wanted = replace(wanted, do="go")
    if wanted.do in WITHOUT_A_GOAL or (wanted.do in WITH_A_FLEET) != (wanted.to in view["fleets"]):
        wanted = replace(wanted, to="")
    return wanted


def command_of(side: str, wanted: Wanted) -> c.Order | None:
    """The order in hand as a command; None while something of it is still to be tapped."""
    if wanted.do not in (*DO, *MORE) or wanted.stance not in ("seek", "accept", "avoid"):
        return None
    if wanted.do not in WITHOUT_A_GOAL and not wanted.to:
        return None
    pace = wanted.pace if wanted.pace in ("easy", "cruise", "hard") else "cruise"
    return c.Order(
        side=side,
        fleet=wanted.fleet,
        do=wanted.do,  # type: ignore[arg-type]  # it is one of DO or MORE
        to=wanted.to,
        stance=wanted.stance,  # type: ignore[arg-type]  # as above
        pace=pace,  # type: ignore[arg-type]  # as above
        more_than=wanted.more_than,
        note=wanted.note[:LONGEST_TEXT],
        by_night=wanted.by_night,
        nights_at_sea=wanted.nights_at_sea,
        risk=wanted.risk,
        unmet_by=wanted.unmet_by,
        then=wanted.then if wanted.then in ("home", "avoid") else "",  # type: ignore[arg-type]  # it is one of THEN
        after=wanted.after,  # type: ignore[arg-type]  # it is one of AFTER
        stands=wanted.stands,
    )


def order_of(state: State, command: c.Order) -> Order:
    """The order that a command would make."""
    fields = {name: value for name, value in asdict(command).items() if name not in ("side", "fleet")}
    return Order(turn=state.turn, **fields)


def asked(wanted: Wanted, chosen: FleetLine | None, refusal: str) -> str:
    """What is still to be tapped, or why the order cannot be given; else what the order means."""
    if refusal or chosen is None:
        return refusal
    if not wanted.do:
        return _("Tap a destination on the chart, or one of the six orders.")
    if wanted.do == "join" and not wanted.to:
        return _("Tap the fleet that this fleet joins.")
    if wanted.do in WITH_A_FLEET and not wanted.to:
        return _("Tap the fleet that this fleet goes with.")
    if wanted.do in WITH_A_SPACE and not wanted.to:
        return _("Tap the destination on the chart.")
    return str(DO_MEANS.get(wanted.do, ""))


def drawn(
    kind: str,
    view: Mapping[str, Any],
    state: State,
    most: float,
    seen: tuple[Seen, ...],
    wanted: Wanted,
    days: tuple[Ahead, ...],
) -> Drawn:
    """The chart of a screen's size, with the way, and the places within so many miles of the fleet."""
    paper = paper_of(view, *SIZES[kind], around(view, seen, wanted, days if kind == "narrow" else ()))
    found = sea_chart(view, paper, seen, COVERED[kind])
    found = replace(found, way=way_of(state, paper, days), chosen=wanted.fleet)
    return Drawn(kind, found, reached(chart(view["world"]), found, place_by(view, wanted.fleet), most))


def around(
    view: Mapping[str, Any], seen: tuple[Seen, ...], wanted: Wanted, days: tuple[Ahead, ...] = ()
) -> list[Point]:
    """What the chart shows: the whole world, what is of interest (on a phone the way in hand), or about a place."""
    world = chart(view["world"])
    if wanted.near <= 0:
        return []
    place = wanted.about if wanted.about in world.spaces else place_by(view, wanted.fleet)
    if wanted.near == 1 and days and place:
        way = [world.point(at) for day in days for at in day.track]
        return [
            *way,
            *((each.lon, each.lat) for each in seen if min(apart((each.lon, each.lat), at) for at in way) < BESIDE),
        ]
    if wanted.near == 1 or not place:
        return of_interest(
            view, [each for each in knowledge_of(view, next(iter(view["known"]), "")) if each.age <= 1] or seen
        )
    (lon, lat), far = world.spaces[place].lonlat, AROUND[min(wanted.near, NEAREST)]
    return [(lon - far, lat - far * 0.75), (lon + far, lat + far * 0.75)]


def place_by(view: Mapping[str, Any], fleet: str) -> str:
    """The space by which a fleet is; empty where there is none."""
    found = view["fleets"].get(fleet)
    if found is None:
        return ""
    at = found["at"]
    return chart(view["world"]).near(at if isinstance(at, str) else OnLane(**{n: at[n] for n in ("lane", "miles")}))


def way_of(state: State, paper: Paper, days: tuple[Ahead, ...]) -> Way | None:
    """The way of the order in hand, with each day's halt; to the goal itself, also beyond this turn."""
    if not days:
        return None
    world = chart(state.world)
    points: list[Point] = []
    for day in days:
        for at in day.track:
            point = world.point(at)
            if not points or points[-1] != point:
                points.append(point)
    if len(points) < 2:
        return None
    moving = [day for day in days if day.miles]
    halts = tuple(Mark(day.day, *paper.at(world.point(day.at)), day.chance > SAFE) for day in moving if day.miles)
    tracks = [[world.point(at) for at in day.track] for day in moving if day.chance > SAFE]
    seen = tuple(path(paper.line(track)) for track in tracks if len(set(track)) > 1)
    return Way(path(paper.line(points)), halts, paper.at(points[-1]), seen)


def reached(world: Chart, drawn: SeaChart, place: str, most: float) -> Markup:
    """Rings about the places on the chart that are within so many miles of a place, as path data; drawn once."""

    def rings() -> Markup:
        far = world.from_(place) if place else {}
        return Markup("").join(
            ring(spot.x, spot.y, RING) for spot in drawn.spots if spot.id in far and far[spot.id][0] <= most
        )

    return REACHED.get((drawn.key, place, most), rings)


def fleets_said(number: int, of: int) -> str:
    """How many fleets have their orders."""
    return str(ngettext("%(with)s of %(num)d fleet", "%(with)s of %(num)d fleets", of, **{"with": number}))


def sides_said(view: Mapping[str, Any]) -> str:
    """How many of the sides that still play have said that their orders stand."""
    playing = [side for side, each in view["sides"].items() if not each["resigned"]]
    ready = sum(bool(view["ready"].get(side)) for side in playing)
    return _("%(ready)s of %(sides)s sides are ready", ready=ready, sides=len(playing))
