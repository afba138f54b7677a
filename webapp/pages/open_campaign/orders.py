"""The orders page: by taps on the chart or by lines, with what an order means before it is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count as numbers
from typing import Any
from urllib.parse import quote_plus, urlencode

from flask import abort, redirect, render_template, request, url_for
from flask_babel import ngettext
from markupsafe import Markup, escape
from msgspec.structs import asdict
from msgspec.structs import replace as replace_state

from strategic.coast import apart
from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.charge import is_in
from strategic.open_campaign.rules.forecast import Ahead, forecast, known_position
from strategic.open_campaign.rules.orders import LONGEST_TEXT, why_not_order
from strategic.open_campaign.rules.sailing import TIRED, reach
from strategic.open_campaign.rules.world import Chart, chart
from strategic.open_campaign.state import Order, State
from strategic.open_campaign.tables import TABLES, parts
from strategic.open_campaign.tables import after as days_later
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.http.cache import Cache, cache_by_language
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.language import tag
from webapp.http.seats import REFUSALS, seat_and_knowledge, store
from webapp.pages.open_campaign import SYSTEM, open_blueprint
from webapp.pages.open_campaign.sea_chart import (
    NEAREST,
    SHEET_BEYOND,
    Box,
    Mark,
    Paper,
    Point,
    SeaChart,
    Tap,
    Way,
    about_place,
    of_interest,
    paper_of,
    ring,
    sea_chart,
    tap_of,
    tapped,
)
from webapp.post.deadlines import turn_sentence
from webapp.presenting.labels import place_name, type_word
from webapp.presenting.map.sheet import path
from webapp.presenting.presentation import OrderLine
from webapp.presenting.refusals import Flash, flash_of, refusal_text
from webapp.storage.errors import Stale
from webapp.storage.journal.records import Seat, Table
from webapp.storage.journal.store import battles_for
from webapp.systems.open_campaign.dispatch import (
    FleetLine,
    Seen,
    afloat,
    age_words,
    day_words,
    days_of,
    fleet_line,
    knowledge_of,
    number_in,
    side_name,
    sky_chances,
    space_by,
    span_words,
)
from webapp.systems.open_campaign.orders import (
    AFTER,
    DO_MEANS,
    MORE,
    ON_LAND,
    PACE,
    STANCE,
    STANCE_MEANS,
    THEN,
    WITH_A_FLEET,
    WITHOUT_A_GOAL,
    order_line,
    read_lines,
)
from webapp.systems.open_campaign.orders import DO as DO_WORDS

# -- The days of a forecast as rows: where, how far, the night, food, the weather, and who may see the fleet.

View = Mapping[str, Any]
SAFE = 0.005  # a chance below this is told as none


def day_lines(view: View, days: tuple[Ahead, ...]) -> list[dict[str, Any]]:
    """The days of a forecast as rows: a number, where, how far, the date, and what is to be known of it.

    `sky` are the chances of calm, fresh and rough weather in percent, and `skies` the same in words, with the miles
    that the fleet makes under each; `likely` are the miles over all of them, where those are not a calm day's. All
    three are empty where a war has no weather. Days on which nothing changes are told as one.
    """
    world = chart(view["world"])
    found: list[dict[str, Any]] = []
    still = nights = 0
    for day in days:
        is_still = bool(day.day > 1 and day.miles == 0 and day.at == days[day.day - 2].at)
        still = still + 1 if is_still else 0
        nights = 0 if day.is_ashore else nights + 1
        name = place_name(world.spaces[day.near].name)
        when, warning = day_words(days_later(view["date"], day.day - 1)), ""
        if day.chance > SAFE:
            who, chance = side_name(view, day.seen_by), round(day.chance * 100)
            warning = _("%(side)s may see it: %(chance)s%%", side=who, chance=chance)
        if still > 1 and found and not warning and not found[-1]["warning"]:
            when = f"{found.pop()['when'].split(' – ')[0]} – {when}"
        line = {
            "number": "–" if day.miles == 0 else str(day.day),
            "place": name if day.is_ashore else _("off %(place)s", place=name),
            "far": _("%(miles)s miles, %(hours)s h", miles=day.miles, hours=f"{day.hours:g}") if day.miles else "",
            "when": when,
            "about": halt_said(view, day, nights),
            "food": day.provisions,
            "warning": warning,
            "sky": sky_of(view, day),
            "skies": weather_in_words(view, day),
            "likely": _("likely %(miles)s", miles=day.likely) if day.likely != day.miles else "",
        }
        found.append(line)
    return found


def weather_in_words(view: View, day: Ahead) -> str:
    """O4.2, O4.5 How likely each kind of weather is on a day, and how far the fleet gets under it."""
    if not view["options"]["weather"]:
        return ""
    kinds = {"calm": _("calm"), "fresh": _("fresh"), "gale": _("gale"), "storm": _("storm")}
    parts = [
        _("%(kind)s %(chance)s%%: %(miles)s miles", kind=kinds[kind], chance=round(share * 100), miles=day.reach[kind])
        if day.miles and kind in day.reach
        else _("%(kind)s %(chance)s%%", kind=kinds[kind], chance=round(share * 100))
        for kind, share in day.weather.items()
        if share > SAFE
    ]
    return ", ".join(parts)


def sky_of(view: View, day: Ahead) -> tuple[int, ...]:
    """The chances of a day's weather where it ends; none where the war has no weather."""
    if not view["options"]["weather"]:
        return ()
    lon, lat = chart(view["world"]).point(day.at)
    return sky_chances(round(lon, 1), round(lat, 1), parts(view["date"])[1])


def halt_said(view: View, day: Ahead, nights: int) -> str:
    """Where the night is spent, the how manieth at sea, and whether food is to be had there."""
    space = chart(view["world"]).spaces[day.near]
    if not day.is_ashore:
        return _("a night at sea") if nights < TIRED else _("another night at sea: the rowers tire")
    kinds = {"port": _("a port"), "beach": _("a beach"), "cape": _("a cape")}
    kind = kinds.get(space.kind, space.kind)
    holder = view["ports"].get(space.id)
    if holder is not None:
        kind = _("a port of %(side)s", side=side_name(view, holder))
    return _("%(place)s with food", place=kind) if day.is_fed else kind


# -- O2.2 Ships that leave a fleet, by their numbers of each type, as the orders page asks for them.

LONGEST_NAME = 40


def kinds_of(view: View, fleet: str) -> tuple[tuple[str, str, int], ...]:
    """The types of a fleet's ships: id, word and how many; none for a fleet that cannot be split."""
    ships = view["fleets"][fleet]["ships"] if fleet in view["fleets"] else ()
    found = Counter(str(view["ships"][each]["type"]) for each in ships)
    return tuple((kind, type_word(kind), number) for kind, number in found.items()) if len(ships) > 1 else ()


def read_detach(view: View, side: str, fleet: str) -> dict[str, Any]:
    """The form as a command: so many ships of each type, the soundest of them or the most damaged.

    Raises BadInput where no ship is named.
    """
    own = view["fleets"].get(fleet, {"side": "", "ships": ()})
    worst = request.form.get("worst") == "1"
    by_damage = sorted(own["ships"] if own["side"] == side else (), key=lambda each: damage_of(view, each, worst))
    ships: list[str] = []
    for kind in dict.fromkeys(view["ships"][each]["type"] for each in by_damage):
        wanted = count(request.form.get(f"number.{kind}", "")) or 0
        ships += [each for each in by_damage if view["ships"][each]["type"] == kind][:wanted]
    if not ships:
        raise BadInput("ships", "say how many ships leave the fleet")
    new = next(str(number) for number in numbers(1) if f"{fleet}-{number}" not in view["fleets"])
    name = request.form.get("name", "").strip()[:LONGEST_NAME]
    return {"type": "detach", "side": side, "fleet": fleet, "ships": sorted(ships), "new": new, "name": name}


def damage_of(view: View, ship: str, worst: bool) -> tuple[int, str]:
    """What ships are sorted by: the least damaged first, or the most."""
    damage = int(view["ships"][ship]["damage"])
    return (-damage if worst else damage, ship)


# -- What the orders page shows: the side's fleets with their orders, the order in hand with its days, the charts.

DO = ("go", "patrol", "blockade", "escort", "land", "stay")
WITH_A_SPACE = frozenset(("go", "patrol", "blockade", "land", "scout", "raid", "besiege"))
SIZES = {"wide": (672, 616), "narrow": (390, 236)}  # pixels of the map on a tablet and on a phone
COVERED: dict[str, tuple[Box, ...]] = {  # where buttons lie over the map
    "wide": ((6, 6, 58, 110), (360, 6, 668, 78), (6, 576, 300, 612)),
    "narrow": ((0, 0, 272, 18), (336, 4, 388, 104), (4, 184, 290, 234)),
}
RING = 8  # pixels
REACHED = Cache()
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


NOTHING = vars(Wanted())
OF_CHART = ("near", "about", "back")
OF_ORDER = tuple(name for name in NOTHING if name not in ("fleet", "to", *OF_CHART))
CHOICES = {"do": (*DO, *MORE), "stance": STANCE, "pace": PACE, "then": THEN, "after": AFTER}
MOST = {"near": NEAREST, "back": MOST_BACK, "more_than": 999, "unmet_by": 31}


def fleets_of(table: Table, side: str, charge: tuple[str, ...] = ()) -> tuple[str, ...]:
    """O1.4 The fleets to which this side gives orders, or of it whoever has charge of these alone, by id."""
    view, commander = table.view(side), not charge
    own = (id for id, fleet in afloat(view) if fleet["side"] == side)
    return tuple(id for id in own if commander or is_in(charge, id))


def screen(table: Table, side: str, wanted: Wanted, tap: Tap | None = None, charge: tuple[str, ...] = ()) -> View:
    """What the template of a side's orders draws, after a tap on its chart where there is one.

    `charge`: of fleets alone (O1.4). Nothing in it is not in the side's own view.
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
    seen, here = knowledge_of(view, side, wanted.back), place_by(view, wanted.fleet)
    most = reach(state, wanted.fleet) * TABLES.days[state.turn_length] if is_chosen else -1
    charts = {kind: drawn(kind, view, state, seen, wanted, days) for kind in SIZES}
    if tap is not None:
        do = wanted.do if wanted.do in WITH_A_SPACE else "go"
        return screen(table, side, replace(wanted, to=tapped(charts, tap), do=do), charge=charge)
    given = view["orders"].get(side, {}).get(wanted.fleet)
    idle = [each.id for each in fleets if each.is_idle and each.id != wanted.fleet]
    return {
        "side": side,
        "side_name": side_name(view, side),
        "colour": number_in(view, side),
        "view": view,
        "wanted": wanted,
        "fleets": fleets,
        "chosen": chosen,
        "given": order_line(view, given),
        "in_hand": order_line(view, asdict(command)) if command else "",
        "is_whole": order is not None,
        "is_given": order is not None and given is not None and plain(order) == {**plain(order), **given},
        "is_ready": view["ready"].get(side),
        "is_open": view["step"] == "orders" and view["result"] is None and not view["sides"][side]["resigned"],
        "asks": asked(wanted, chosen, refusal_text(SYSTEM, fault.why) if fault else ""),
        "days": day_lines(view, days),
        "charts": charts,
        "reached": {kind: reached(chart(view["world"]), found, here, most) for kind, found in charts.items()},
        "knew": age_words(wanted.back),
        "next": idle[0] if idle else "",
        "mark": mark_at(view, side, wanted),
    }


def mark_at(view: View, side: str, wanted: Wanted) -> View:
    """Where the side may set a pin now (the goal, else where the fleet is), with the note that stands there."""
    world = chart(view["world"])
    space = wanted.to if wanted.to in world.spaces else place_by(view, wanted.fleet)
    notes = {pin["space"]: str(pin["note"]) for pin in view["pins"].get(side, ())}
    place = place_name(world.spaces[space].name) if space else ""
    return {"space": space, "place": place, "note": notes.get(space, "")}


def completed(view: View, side: str, fleets: tuple[FleetLine, ...], wanted: Wanted) -> Wanted:
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
    if not wanted.do or (wanted.do not in WITHOUT_A_GOAL and not wanted.to):
        return None
    fields = {name: getattr(wanted, name) for name in ("fleet", "to", *OF_ORDER)}
    return c.Order(side=side, **fields | {"note": wanted.note[:LONGEST_TEXT]})


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
    kind: str, view: View, state: State, seen: tuple[Seen, ...], wanted: Wanted, days: tuple[Ahead, ...]
) -> SeaChart:
    """The chart of a screen's size, with the way."""
    paper = paper_of(view, *SIZES[kind], around(view, seen, wanted, days if kind == "narrow" else ()))
    found = sea_chart(view, paper, seen, COVERED[kind])
    return replace(found, way=way_of(state, paper, days), chosen=wanted.fleet)


def around(view: View, seen: tuple[Seen, ...], wanted: Wanted, days: tuple[Ahead, ...] = ()) -> list[Point]:
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
    return about_place(world, place, wanted.near)


def place_by(view: View, fleet: str) -> str:
    """The space by which a fleet is; empty where there is none."""
    found = view["fleets"].get(fleet)
    return "" if found is None else space_by(view, found)


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


def idle_said(screen: View) -> tuple[str, ...]:
    """O3.2 What a side should know before its orders stand: whose fleets have none, and that the turn runs at once.

    Empty where every fleet has its order.
    """
    idle = sum(fleet.is_idle for fleet in screen["fleets"])
    if not idle:
        return ()
    said = ngettext(
        "%(num)d fleet has no order: it stays where it is.",
        "%(num)d fleets have no order: they stay where they are.",
        idle,
    )
    view = screen["view"]
    others = [side for side, each in view["sides"].items() if not each["resigned"] and side != screen["side"]]
    is_last = all(view["ready"].get(side) for side in others)
    at_once = _("All other sides are ready: the turn runs at once, and this cannot be taken back.")
    return (said, at_once) if is_last else (said,)


def sides_said(view: View) -> str:
    """How many of the sides that still play have said that their orders stand."""
    playing = [side for side, each in view["sides"].items() if not each["resigned"]]
    ready = sum(bool(view["ready"].get(side)) for side in playing)
    return _("%(ready)s of %(sides)s sides are ready", ready=ready, sides=len(playing))


# -- The orders page: by taps on the chart, with the way, the halts and the dangers before an order is given (O4.5).

bp = open_blueprint("open_orders")
PLACES, DESTINATIONS = Cache(), Cache()


@bp.get("/<game>/orders")
def page(game: str) -> Any:
    """The orders of the seat's side; the umpire names a side."""
    return orders_page(game)


def orders_page(game: str, flash: Flash | None = None, asks_again: bool = False) -> Any:
    """The page, with a refusal where there is one; `asks_again` whether fleets without an order are to stay."""
    holder, table = seat_and_knowledge(game)
    seat, side = holder.id, side_of(table.sides, holder.side)
    found = screen(table, side, wanted(table.view(side)), tap_of(request.args), holder.charge)
    view, here = found["view"], addresses(game, seat, found)
    is_part = bool(request.headers.get("HX-Request"))
    body = render_template(
        "open_campaign/_orders.html" if is_part else "open_campaign/orders.html",
        game=table.game,
        seat=seat,
        screen=found,
        flash=flash,
        idle_said=idle_said(found) if asks_again else (),
        sentence=turn_sentence(store(), table, seat),
        writes=not holder.charge or seat == side,
        dates=span_words(view["date"], days_of(view)),
        ready_fleets=ngettext(
            "%(with)s of %(num)d fleet",
            "%(with)s of %(num)d fleets",
            len(found["fleets"]),
            **{"with": sum(not each.is_idle for each in found["fleets"])},
        ),
        ready_sides=sides_said(view),
        here=here,
        tap=partial(tap, here),
        to_fleet={id: tap(here, fleet=id) for id in view["fleets"]},
        is_commander=not holder.charge,
        with_a_fleet=WITH_A_FLEET,
        kinds=kinds_of(view, found["wanted"].fleet) if found["is_open"] else (),
        fought_in=battles_in_charge(holder, view["step"]),
        kept=kept(seat, found),
        beyond=SHEET_BEYOND,
        places=destinations(view, found["wanted"].fleet),
        **words(bool(view["options"]["land"])),
        nearest=NEAREST,
        most_back=MOST_BACK,
    )
    return body, flash.status if flash else 200


def battles_in_charge(holder: Seat, step: str) -> tuple[str, ...]:
    """O1.4 The battles on the table in which a fleet in somebody's charge fights, while no orders are written."""
    if not holder.charge or holder.id != SPECTATOR or step == "orders":
        return ()
    found = battles_for(store(), store().load(holder.game), holder.side, holder.charge)
    return tuple(link.battle for link in found if not store().game(link.battle).over)


@cache_by_language
def words(has_land: bool) -> dict[str, tuple[tuple[str, ...], ...]]:
    """What may be chosen for an order, by the template's names: each thing's name and its words."""
    return {
        "do_words": tuple((name, str(DO_WORDS[name])) for name in DO),
        "more_words": tuple((name, str(word)) for name, word in MORE.items() if has_land or name not in ON_LAND),
        "stances": tuple((name, str(STANCE[name]), str(STANCE_MEANS[name])) for name in STANCE),
        "paces": tuple((name, str(word)) for name, word in PACE.items()),
        "thens": tuple((name, str(word)) for name, word in THEN.items()),
        "afters": tuple((name, str(word)) for name, word in AFTER.items() if name != "besiege" or has_land),
    }


def side_of(sides: tuple[str, ...], seat: str) -> str:
    """Whose orders are written: the seat's own; the umpire may write for any side. Aborts for who only looks on."""
    side = request.values.get("side", "") if seat == UMPIRE else seat
    if seat == SPECTATOR or side not in sides:
        abort(404)
    return side


def last(name: str) -> str:
    """A field's last value: what a page's fields say counts before what its address says."""
    given = request.values.getlist(name)
    return given[-1] if given else ""


def places(view: View) -> dict[str, str]:
    """The spaces of a war's world by their names in the reader's language."""
    world = chart(view["world"])
    return PLACES.get(world.digest, lambda: {place_name(space.name): space.id for space in world.spaces.values()})


def destinations(view: View, fleet: str) -> tuple[str, ...]:
    """O3.3 The names of the spaces to which some way leads from a fleet; all where no fleet is chosen."""
    world, here = chart(view["world"]), place_by(view, fleet)
    near = world.from_(here) if here else world.spaces
    first = next(each for each in world.spaces if each in near)
    return DESTINATIONS.get(
        (world.digest, first, len(near), tag()),
        lambda: tuple(name for name, id in places(view).items() if id in near),
    )


def wanted(view: View | None = None) -> Wanted:
    """What the address or the form says. A goal may be written by its name, which `view` knows."""
    by_name = places(view).get(last("place").strip()) if view and last("place") else None
    found = {name: read_field(name, usual) for name, usual in NOTHING.items()}
    if by_name:
        found |= {"to": by_name, "do": found["do"] or "go"}
    return Wanted(**found)


def read_field(name: str, usual: Any) -> Any:
    """A field of what was tapped, the usual where it is none of its choices."""
    given = last(name)
    if name in CHOICES:
        return given if given in CHOICES[name] else usual
    if isinstance(usual, bool):
        return given == "1"
    if isinstance(usual, int):
        return min(count(given or str(usual)) or 0, MOST[name])
    return given[: LONGEST_TEXT if name == "note" else 40]


def kept(seat: str, found: View, names: tuple[str, ...] = tuple(NOTHING)) -> dict[str, str]:
    """What the page's address says: its seat, and of what was tapped whatever is not the usual."""
    now = vars(found["wanted"])
    values = {name: text_of(now[name]) for name in names if now[name] != NOTHING[name]}
    return {"seat": seat, **values, **({"side": found["side"]} if seat == UMPIRE else {})}


def addresses(game: str, seat: str, found: View) -> Callable[..., str]:
    """The page's address with something changed, as a function; another fleet begins anew."""
    page = f"/open/{game}/orders?"
    same = {name: urlencode({name: value}) for name, value in kept(seat, found).items()}
    anew = {name: same[name] for name in kept(seat, found, OF_CHART)}

    def here(**changes: Any) -> str:
        parts = {**(anew if "fleet" in changes else same)}
        for name, value in changes.items():
            parts.pop(name, None)
            if value != NOTHING[name]:
                parts[name] = f"{name}={quote_plus(text_of(value))}"
        return page + "&".join(parts.values())

    return here


def tap(here: Callable[..., str], **changes: Any) -> Markup:
    """The attributes of a link that brings the page with something changed, and with what its fields say."""
    address = escape(here(**changes))
    return Markup(f'href="{address}" hx-get="{address}" hx-include="#more"')


def text_of(value: Any) -> str:
    """A field as an address says it."""
    return "1" if value is True else str(value)


@bp.post("/<game>/orders")
def give(game: str) -> Any:
    """Give the order in hand, cancel one, or say that the orders stand; then the fleet that wants one next.

    Others write their orders at the same time, so a form is out of date only when its turn is over.
    """
    holder, table = seat_and_knowledge(game)
    seat, side = holder.id, side_of(table.sides, holder.side)
    try:
        command = read_command(game, side)
        if command["type"] == "ready" and command["ready"] and request.form.get("sure") != "1":
            screen_now = screen(table, side, wanted(table.view(side)), None, holder.charge)
            if screen_now["is_open"] and idle_said(screen_now):
                return orders_page(game, asks_again=True)
        submit(game, holder.side, command)
    except REFUSALS as fault:
        return orders_page(game, flash_of(fault, SYSTEM))
    more: dict[str, Any] = {"side": side} if seat == UMPIRE else {}
    if request.form.get("act") != "order":
        more["fleet"] = request.form.get("fleet", "")
    return redirect(url_for(".page", game=game, seat=seat, near=request.form.get("near", "1"), **more), 303)


def read_command(game: str, side: str) -> dict[str, Any]:
    """The form as a command. Raises BadInput for one that says nothing."""
    act, asked = request.form.get("act", ""), wanted()
    if act == "ready":
        return {"type": "ready", "side": side, "ready": request.form.get("ready") == "true"}
    if act == "cancel":
        return {"type": "cancel_order", "side": side, "fleet": asked.fleet}
    if act == "detach":
        return read_detach(store().load(game).view(side), side, asked.fleet)
    if act == "mark":
        return {"type": "mark", "side": side, "space": last("space"), "note": last("pin")[:2000]}
    if act == "write":
        return {"type": "write", "side": side, "text": request.form.get("text", "")}
    order = command_of(side, asked)
    if act != "order" or order is None:
        raise BadInput("do", "tap one of the orders, and its destination")
    return {"type": "order", **{name: value for name, value in asdict(order).items() if name != "way"}}


def submit(game: str, seat: str, command: dict[str, Any]) -> None:
    """Give a command of this turn, whatever others have written meanwhile. Raises Stale when the turn is over."""
    turn = count(request.form.get("turn", ""))
    while True:
        table = store().load(game)
        if table.state.turn != turn:
            raise Stale(table.game.newest(seat))
        try:
            store().submit(game, table.game.version, seat, command)
            return
        except Stale as stale:
            if stale.is_lost:
                raise


# -- Orders as plain lines (O3.3.a): written or pasted, read back as they are understood, then given.

lines_bp = open_blueprint("open_lines")
LONGEST = 20_000  # letters of all lines


@lines_bp.get("/<game>/lines", endpoint="page")
def lines_form(game: str) -> Any:
    """An empty form."""
    return lines_page(game, ())


@lines_bp.post("/<game>/lines")
def read_or_give(game: str) -> Any:
    """Read the lines back; or, where they have been read, give them. Lines that are not understood are left out."""
    seat, table = seat_and_knowledge(game)
    side = side_of(table.sides, seat.side)
    lines = read_lines(plain(table.view(side)), side, request.form.get("text", "")[:LONGEST])
    if request.form.get("act") != "give":
        return lines_page(game, lines)
    try:
        for line in lines:
            if line.command is not None:
                submit(game, seat.side, dict(line.command))
    except REFUSALS as fault:
        return lines_page(game, lines, flash_of(fault, SYSTEM))
    return redirect(url_for("open_orders.page", game=game, seat=seat.id, side=side), 303)


def lines_page(game: str, lines: tuple[OrderLine, ...], flash: Flash | None = None) -> Any:
    """The page, with the lines as they were read."""
    seat, table = seat_and_knowledge(game)
    side = side_of(table.sides, seat.side)
    view = plain(table.view(side))
    body = render_template(
        "open_campaign/lines.html",
        game=table.game,
        seat=seat.id,
        side=side,
        side_name=side_name(view, side),
        turn=view["turn"],
        text=request.form.get("text", "")[:LONGEST],
        lines=lines,
        flash=flash,
        fleets=[view["fleets"][each]["name"] for each in fleets_of(table, side, seat.charge)],
    )
    return body, flash.status if flash else 200
