"""The umpire draws the world by taps, or takes it out and puts it back as a file."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from math import cos, pi, sin
from typing import Any

from flask import Response, abort, redirect, render_template, request, url_for
from flask_babel import lazy_gettext as _l
from flask_babel import pgettext

from strategic.coast import Point, apart, is_hidden, same_spot
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.world import Chart, chart, check_world, largest, stock_world
from strategic.open_campaign.rules.world_reading import PLACES, free_id
from strategic.open_campaign.state import State
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, encode, plain
from webapp.files.report import Sent, ask_first, sent_file
from webapp.http.forms import count, parse, read_photo, reason_text
from webapp.http.language import gettext as _
from webapp.http.photos import strip_metadata
from webapp.http.rate_limit import reckon_apart
from webapp.http.seats import REFUSALS, current_seat, store
from webapp.pages.battle import setup
from webapp.pages.open_campaign import SYSTEM, desk, open_blueprint
from webapp.pages.open_campaign.desk import SIZES
from webapp.pages.open_campaign.sea_chart import (
    NEAREST,
    SHEET_BEYOND,
    Charts,
    about_place,
    of_interest,
    paper_of,
    sea_chart,
    tap_of,
    tapped,
)
from webapp.presenting.labels import place_name
from webapp.presenting.refusals import Flash, flash_of
from webapp.systems.open_campaign.dispatch import side_name
from webapp.systems.open_campaign.presenter import world_map
from webapp.systems.open_campaign.world_file import ENDINGS, LARGEST, Found, read_worlds

# -- Changes of a world by one tap (O1.3), each a GeoJSON like the one before it, with a place or a lane more or less.

World = dict[str, Any]
KINDS = {
    "port": _l("port"),
    "beach": _l("beach"),
    "cape": _l("cape or strait"),
    "sea": _l("open sea"),
    "town": _l("town inland"),
}
RANKS = (100, 90, 80, 70, 60)
LONGEST = 60
TOLD = 6  # remarks of each kind
MIDDLE, MILES_ACROSS = (-40.0, 36.0), 240.0  # of an empty sea: far from every coast that the program knows


def editable(world: str | Mapping[str, Any]) -> World:
    """A world to change: its own copy, and a ready-made one written out."""
    return stock_world(world) if isinstance(world, str) else copy.deepcopy(dict(world))


def place(world: World, id: str) -> dict[str, Any]:
    """The feature of a place. Raises BadInput where there is none."""
    found = next((each for each in world["features"] if is_place(each) and each["properties"].get("id") == id), None)
    if found is None:
        raise BadInput("space", "there is no such place")
    return dict(found)


def is_place(feature: Mapping[str, Any]) -> bool:
    """Is it a place, and not a way?"""
    return bool(feature["geometry"]["type"] == "Point")


def about(name: str, kind: str, rank: int) -> dict[str, Any]:
    """What a place says of itself. Raises BadInput for a name that is empty or too long, and for what there is not."""
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST:
        raise BadInput("name", "a place must have a name of at most %(most)s letters", most=LONGEST)
    if kind not in PLACES or rank not in RANKS:
        raise BadInput("kind", "choose what kind of place this is, and its rank")
    return {"name": name, "kind": kind, "rank": rank}


def add(world: World, at: Point, name: str, kind: str, rank: int) -> World:
    """A place more, joined by a lane to the nearest one. Raises BadInput."""
    taken = {str(each["properties"].get("id")) for each in world["features"]}
    own = {"id": free_id(taken, name), **about(name, kind, rank)}
    near = min(chart(world).spaces.values(), key=lambda each: apart(each.lonlat, at))
    new = {"type": "Feature", "properties": own, "geometry": {"type": "Point", "coordinates": list(at)}}
    return join({**world, "features": [*world["features"], new]}, own["id"], near.id, "lane")


def change(world: World, id: str, name: str, kind: str, rank: int) -> World:
    """A place with another name, kind or rank. Raises BadInput."""
    own = place(world, id)
    own["properties"] = {**own["properties"], **about(name, kind, rank)}
    return {**world, "features": [own if is_it(each, id) else each for each in world["features"]]}


def is_it(feature: Mapping[str, Any], id: str) -> bool:
    """Is the feature this place?"""
    return is_place(feature) and feature["properties"].get("id") == id


def move(world: World, id: str, at: Point) -> World:
    """A place elsewhere; the ways that end there follow, and their lengths are measured anew. Raises BadInput."""
    place(world, id)
    features = []
    for each in world["features"]:
        if is_it(each, id):
            each = {**each, "geometry": {"type": "Point", "coordinates": list(at)}}
        elif not is_place(each) and id in ends(each):
            line = [list(point) for point in each["geometry"]["coordinates"]]
            line[0 if each["properties"].get("from") == id else -1] = list(at)
            own = {name: value for name, value in each["properties"].items() if name != "cost"}
            each = {**each, "properties": own, "geometry": {**each["geometry"], "coordinates": line}}
        features.append(each)
    return {**world, "features": features}


def ends(feature: Mapping[str, Any]) -> tuple[str, str]:
    """The two ends of a way."""
    return str(feature["properties"].get("from")), str(feature["properties"].get("to"))


def remove(world: World, id: str) -> World:
    """A place less, with the ways that end there. Raises BadInput."""
    place(world, id)
    left = [each for each in world["features"] if not is_it(each, id) and (is_place(each) or id not in ends(each))]
    return {**world, "features": left}


def join(world: World, one: str, other: str, kind: str) -> World:
    """A straight lane between two places, in the place of the one that there was. Raises BadInput."""
    if one == other or kind not in ("lane", "sea_lane"):
        raise BadInput("to", "a lane must lead from one place to another")
    line = [place(world, id)["geometry"]["coordinates"][:2] for id in (one, other)]
    own = {"from": one, "to": other, "kind": kind}
    lane = {"type": "Feature", "properties": own, "geometry": {"type": "LineString", "coordinates": line}}
    return {**world, "features": [*part(world, one, other)["features"], lane]}


def part(world: World, one: str, other: str) -> World:
    """The world without the lanes between two places; a road stays."""

    def is_lane(each: Mapping[str, Any]) -> bool:
        road = each["properties"].get("kind") == "road"
        return not is_place(each) and not road and set(ends(each)) == {one, other}

    return {**world, "features": [each for each in world["features"] if not is_lane(each)]}


def alone(world: Chart) -> list[str]:
    """The places that no lane joins to the largest net, by name; towns inland need none."""
    needy = {id for id, space in world.spaces.items() if space.kind != "town"}
    ways = [(lane.start, lane.end) for lane in world.lanes.values() if {lane.start, lane.end} <= needy]
    return sorted(world.spaces[id].name for id in needy - largest(needy, ways))


def empty_sea(ports: int) -> World:
    """O1.2 A sea with nothing on it but so many ports in a ring, each with a lane to the next, to be drawn by hand."""
    lon, lat = MIDDLE
    high = MILES_ACROSS / 120
    wide = high / cos(lat * pi / 180)
    features: list[Any] = []
    for number in range(ports):
        angle = 2 * pi * number / ports
        at = [round(lon + wide * sin(angle), 2), round(lat + high * cos(angle), 2)]
        own = {"id": f"port_{number + 1}", "name": f"Port {number + 1}", "kind": "port", "rank": 90}
        features.append({"type": "Feature", "properties": own, "geometry": {"type": "Point", "coordinates": at}})
    world: World = {"type": "FeatureCollection", "features": features}
    for number in range(ports):
        if ports > 2 or number == 0:
            world = join(world, f"port_{number + 1}", f"port_{(number + 1) % ports + 1}", "lane")
    return world


# -- The umpire draws the world by taps (O1.3): places and lanes, also upon a picture of his own, with a reason.

bp = open_blueprint("open_editing")
NEAR = 24.0  # pixels from a place within which a tap means it
MODES = ("move", "join")


@bp.get("/<game>/world/edit")
def page(game: str) -> Any:
    """The world to draw; the umpire's alone."""
    return editing_page(game)


@bp.post("/<game>/world/edit")
def act(game: str) -> Any:
    """One change, then the page again. The umpire's alone."""
    desk.umpires(game)
    try:
        state = store().load(game).state
        edit = EDITS.get(request.form.get("act", ""))
        if edit is None:
            raise BadInput("act", "tap one of the buttons")
        world = edit(editable(state.world))
        why = request.form.get("why", "").strip()[:200]
        if not why and is_begun(state):
            raise BadInput("why", "give a reason for this change to the world")
        data = picture(game)
        changes = {"world": world, **holder(state)}
        command = {"type": "adjust", "changes": changes, "why": why or _("The map is being drawn.")}
        desk.submit(game, command)
        if data:
            setup.take(store(), game, UMPIRE, data)
    except REFUSALS as fault:
        return editing_page(game, flash_of(fault, SYSTEM))
    keep: dict[str, Any] = {name: request.form.get(name, "") for name in ("near", "about")}
    kept = "" if request.form.get("act") == "remove" else request.form.get("space", "")
    return redirect(url_for(".page", game=game, seat=UMPIRE, space=kept, **keep), 303)


@bp.get("/<game>/picture/<int:number>")
def photo(game: str, number: int) -> Response:
    """The picture upon which the world is drawn, for everybody at the war."""
    current_seat(game)
    found = setup.table_photo(store(), game)
    if found is None:
        abort(404)
    answer = Response(found.data, mimetype=found.kind)
    answer.headers["Cache-Control"] = "private, max-age=86400"
    return answer


def is_begun(state: Any) -> bool:
    """Has anybody given an order, or a turn run? Until then the map may be drawn without giving reasons."""
    return bool(state.turn > 1 or state.step != "orders" or any(state.orders.values()) or any(state.ready.values()))


def holder(state: State) -> dict[str, str | None]:
    """O1.1, O5.1 Who holds a place from now on, and watches from there, as a change by its path. Raises BadInput."""
    space, side = request.form.get("space", ""), request.form.get("holder")
    if request.form.get("act") != "change" or side is None or side == state.ports.get(space, ""):
        return {}
    if side and side not in state.sides:
        raise BadInput("holder", "there is no side of this name")
    return {f"ports.{space}": side or None}


def fields() -> tuple[str, str, int]:
    """The name, kind and rank that the form says."""
    form = request.form
    return form.get("name", ""), form.get("kind", ""), count(form.get("rank", "")) or 0


def point() -> Point:
    """The tapped point that the form says. Raises BadInput for what is none."""
    try:
        lon, lat = (round(float(each), 2) for each in request.form.get("at", "").split(","))
    except ValueError:
        raise BadInput("at", "tap where the place should be") from None
    if not (-180 <= lon <= 180 and -80 <= lat <= 80):
        raise BadInput("at", "tap where the place should be")
    return lon, lat


def set_picture(world: World) -> World:
    """O1.3 The world upon a picture, so many miles wide, with its middle in the middle of the places."""
    miles = count(request.form.get("miles", "")) or 0
    if not 1 <= miles <= 5000:
        raise BadInput("miles", "give the width of the picture in miles, from 1 to 5000")
    spaces = [space.lonlat for space in chart(world).spaces.values()]
    middle = [round((min(axis) + max(axis)) / 2, 3) for axis in zip(*spaces, strict=True)]
    old = world.get("picture") or {}
    at = list(point()) if request.form.get("at") else old.get("at", middle)
    return {**world, "picture": {"at": at, "miles": miles, "number": int(old.get("number", 0)) + 1}}


def picture(game: str) -> bytes:
    """The picture of the form, which is kept once the world lies on it; empty for none. Raises BadInput, TooMany."""
    if request.form.get("act") != "picture":
        return b""
    data = read_photo()
    if data:
        strip_metadata(data)  # refuses what is not a picture before the world says that it lies on it
    elif setup.table_photo(store(), game) is None:
        raise BadInput("photo", "choose a picture")
    return data


EDITS: dict[str, Callable[[World], World]] = {
    "add": lambda world: add(world, point(), *fields()),
    "change": lambda world: change(world, request.form.get("space", ""), *fields()),
    "move": lambda world: move(world, request.form.get("space", ""), point()),
    "remove": lambda world: remove(world, request.form.get("space", "")),
    "join": lambda world: join(
        world, request.form.get("space", ""), request.form.get("to", ""), request.form.get("kind", "lane")
    ),
    "part": lambda world: part(world, request.form.get("space", ""), request.form.get("to", "")),
    "picture": set_picture,
    "no_picture": lambda world: {name: value for name, value in world.items() if name != "picture"},
}


def lanes_of(world: Chart, id: str) -> list[tuple[str, str, int]]:
    """Where the lanes of a place lead, by name, with their miles."""
    ends = ((lane.other(id), lane.miles) for lane in world.ways.get(id, ()))
    return sorted(((end, place_name(world.spaces[end].name), miles) for end, miles in ends), key=lambda each: each[1])


def over_land(world: Chart) -> list[str]:
    """O1.2 The straight lanes, which were laid by hand, that cross land."""
    return [
        f"{place_name(world.spaces[lane.start].name)} – {place_name(world.spaces[lane.end].name)}"
        for lane in world.lanes.values()
        if len(lane.line) == 2 and is_hidden(*lane.line)
    ]


def remarks(world: Chart, has_picture: bool) -> list[str]:
    """O1.2 What is odd about a world, in sentences."""
    found = []
    if lost := alone(world):
        found.append(_("No lane leads from the other places to: %(places)s.", places=join_names(lost)))
    at = {id: space.lonlat for id, space in world.spaces.items()}
    if spots := [f"{world.spaces[one].name} / {world.spaces[other].name}" for one, other in same_spot(at)]:
        found.append(_("Two names lie at the same spot: %(places)s.", places=join_names(spots)))
    if not has_picture and (over := over_land(world)):
        found.append(_("These lanes cross land: %(lanes)s.", lanes=join_names(over)))
    return found


def join_names(names: list[str]) -> str:
    """Names in one sentence, not too many of them."""
    return ", ".join(names[:TOLD]) + (", …" if len(names) > TOLD else "")


def drawings(view: Any, near: int = 0, about: str = "") -> Charts:
    """The charts of two screens, without fleets."""
    world = chart(view["world"])
    bare = {**view, "fleets": {}, "pins": {}}
    around = about_place(world, about, near) if about in world.spaces and near > 1 else []
    return {kind: sea_chart(bare, paper_of(bare, *size, around), ()) for kind, size in SIZES.items()}


def draw_once(state: object) -> None:
    """O1.1 Draw a war's world as the umpire's pages show it, before it counts; one that cannot be drawn breaks this."""
    view = OPEN_CAMPAIGN.view(state, UMPIRE)
    world = chart(view["world"])
    drawings(view)
    world_map(view)
    remarks(world, has_picture=False)
    for size in SIZES.values():
        sea_chart(view, paper_of(view, *size, of_interest(view, ())), ())


def editing_page(game: str, flash: Flash | None = None) -> Any:
    """The page, with what was tapped, and with a refusal where there is one."""
    desk.umpires(game)
    table = store().load(game)
    view, values = table.view(UMPIRE), request.values
    world, near = chart(view["world"]), min(count(values.get("near", "")) or 0, NEAREST)
    space = values.get("space", "")[:60] if values.get("space", "") in world.spaces else ""
    about = values.get("about", "")[:60] or space
    mode = values.get("mode", "") if space and values.get("mode") in MODES else ""
    charts, tap = drawings(view, near, about), tap_of(request.args)
    hit = tapped(charts, tap, NEAR) if tap else ""
    at = charts.get(tap[0], charts["wide"]).paper.back(*tap[1:]) if tap and not hit else None
    to = hit if mode == "join" and hit != space else ""
    if tap and not mode:
        space = hit
    own = view["world"].get("picture") if isinstance(view["world"], dict) else None
    body = render_template(
        "open_campaign/editing.html",
        game=table.game,
        seat=UMPIRE,
        charts=charts,
        aim=at if mode != "join" else None,
        space=world.spaces.get(space),
        ways=lanes_of(world, space),
        holder=view["ports"].get(space, ""),
        holders=[(side, side_name(view, side)) for side in view["sides"]],
        mode=mode,
        at=f"{at[0]},{at[1]}" if at and mode != "join" else "",
        to=to,
        to_name=place_name(world.spaces[to].name) if to else "",
        near=near,
        about=about,
        picture=own,
        is_begun=is_begun(table.state),
        remarks=remarks(world, own is not None),
        kinds=KINDS.items(),
        ranks=RANKS,
        places=len(world.spaces),
        lanes=len(world.lanes),
        beyond=SHEET_BEYOND,
        world_files=ENDINGS,
        flash=flash,
    )
    return body, flash.status if flash else 200


# -- The world of a war as a file: GeoJSON to take out; that, KML and lists of places to put back (O1.1).

files_bp = open_blueprint("open_worlds")


@files_bp.get("/<game>/world.geojson")
def of_game(game: str) -> Response:
    """The world of a war, which everybody at it may see, for any map program."""
    seat = current_seat(game).id
    return as_file(plain(store().load(game).view(seat))["world"], game)


@files_bp.post("/<game>/world")
@reckon_apart("cuts")
def put_back(game: str) -> Any:
    """O1.1, O1.3 The umpire puts the world back as he has edited it in a map program, with a reason.

    Where something was left out or changed, or he only looks, the report comes first and the world stays as it is.
    """
    desk.umpires(game)
    try:
        why = request.form.get("why", "").strip()[:200]
        if not why and "look" not in request.form:
            raise BadInput("why", "give a reason for this change to the world")
        world, found = read_upload()
        if found is not None and ("look" in request.form or not found.is_whole):
            return ask_about(found, _("Change the world"), url_for("open_desk.page", game=game, seat=UMPIRE))
        desk.submit(game, {"type": "adjust", "changes": {"world": world}, "why": why})
    except REFUSALS as fault:
        return desk.desk_page(game, flash_of(fault, SYSTEM))
    return redirect(url_for("open_editing.page", game=game, seat=UMPIRE), 303)


def read_upload() -> tuple[World, Found | None]:
    """The world of the uploaded files with its report; or one that was read before, and comes back from the report.

    Raises BadInput for what cannot be read, TooMany.
    """
    files = [(each.filename, each) for each in request.files.getlist("file") if each.filename]
    if not files and (sent := sent_file(LARGEST)) is not None:
        world = parse(sent.data)
        check_world(world, None, "world")
        return world, None
    try:
        found = read_worlds([(name, file.read(LARGEST + 1)) for name, file in files])
    except BadInput as fault:
        if fault.path in ("world", "world.features"):  # of no feature
            raise BadInput("", fault.why) from None
        raise BadInput("", "%(why)s (%(where)s)", why=reason_text(fault.why), where=fault.path) from None
    return found.world, found


def ask_about(found: Found, button: str, back: str) -> str:
    """The page of what was read of the files of a world, with its places, and the button with which it counts."""
    spaces = chart(found.world).spaces.values() if found.report.counts["places"] else ()
    rows = (
        (place_name(each.name), KINDS[each.kind], each.rank, *(round(axis, 4) for axis in each.lonlat))
        for each in spaces
    )
    heads = (pgettext("location", "Place"), _("Kind"), _("Rank"), _("Longitude"), _("Latitude"))
    return ask_first(Sent(encode(found.world)), found.report, (heads, *rows), button, back)


def as_file(world: str | dict[str, Any], name: str) -> Response:
    """A world as a file to keep."""
    answer = Response(encode(stock_world(world) if isinstance(world, str) else world), mimetype="application/geo+json")
    answer.headers["Content-Disposition"] = f'attachment; filename="world-{name}.geojson"'
    return answer
