"""The umpire draws the world by taps (O1.3): places and lanes, also upon a picture of his own, with a reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Response, abort, redirect, render_template, request, url_for

from strategic.coast import Point, is_hidden, same_spot
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.world import Chart, chart
from strategic.open_campaign.state import State
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput
from webapp.http.forms import count, read_photo
from webapp.http.game_pages import REFUSALS
from webapp.http.language import gettext as _
from webapp.http.photos import strip_metadata
from webapp.http.seats import current_seat, store
from webapp.pages.battle.setup import table_photo
from webapp.pages.open_campaign import desk, desk_acts, world_edits
from webapp.pages.open_campaign.blueprint import SYSTEM, open_blueprint
from webapp.pages.open_campaign.desk_chart import SIZES
from webapp.pages.open_campaign.sea_chart import SeaChart, of_interest, paper_of, sea_chart, tap_of
from webapp.pages.open_campaign.world_edits import World
from webapp.pages.open_campaign.world_sheet import BEYOND
from webapp.presenting.flash import Flash, flash_of
from webapp.presenting.place_names import place_name
from webapp.systems.open_campaign.presenter import world_map
from webapp.systems.open_campaign.side_names import side_name

bp = open_blueprint("open_editing")
NEAR = 24.0  # pixels from a place within which a tap means it
AROUND = (0.0, 0.0, 1.6, 0.7)  # degrees about the place, by nearness
MODES = ("move", "join")


@dataclass(frozen=True)
class Chosen:
    """The place in hand: its fields, and where its lanes lead; `over` are those of them that cross land."""

    id: str
    name: str
    kind: str
    rank: int
    lanes: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True)
class Drawing:
    """A chart of a screen's size, and where the place in hand lies on it."""

    kind: str
    chart: SeaChart
    ring: Point | None
    aim: Point | None


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
        world = EDITS.get(request.form.get("act", ""), nothing)(world_edits.editable(state.world))
        why = request.form.get("why", "").strip()[:200]
        if not why and is_begun(state):
            raise BadInput("why", "give a reason for this change to the world")
        data = picture(game)
        changes = {"world": world, **holder(state)}
        command = {"type": "adjust", "changes": changes, "why": why or _("The map is being drawn.")}
        desk_acts.submit(game, command)
        if data:
            table_photo.take(store(), game, UMPIRE, data)
    except REFUSALS as fault:
        return editing_page(game, flash_of(fault, SYSTEM))
    keep: dict[str, Any] = {name: request.form.get(name, "") for name in ("near", "about")}
    kept = "" if request.form.get("act") == "remove" else request.form.get("space", "")
    return redirect(url_for(".page", game=game, seat=UMPIRE, space=kept, **keep), 303)


@bp.get("/<game>/picture/<int:number>")
def photo(game: str, number: int) -> Response:
    """The picture upon which the world is drawn, for everybody at the war."""
    current_seat(game)
    found = table_photo.photo(store(), game)
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


def nothing(world: World) -> World:
    """A form that names no change. Raises BadInput."""
    raise BadInput("act", "tap one of the buttons")


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


def remove_picture(world: World) -> World:
    """The world without a picture under it."""
    return {name: value for name, value in world.items() if name != "picture"}


def picture(game: str) -> bytes:
    """The picture of the form, which is kept once the world lies on it; empty for none. Raises BadInput, TooMany."""
    if request.form.get("act") != "picture":
        return b""
    data = read_photo()
    if data:
        strip_metadata(data)  # refuses what is not a picture before the world says that it lies on it
    elif table_photo.photo(store(), game) is None:
        raise BadInput("photo", "choose a picture")
    return data


EDITS: dict[str, Callable[[World], World]] = {
    "add": lambda world: world_edits.add(world, point(), *fields()),
    "change": lambda world: world_edits.change(world, request.form.get("space", ""), *fields()),
    "move": lambda world: world_edits.move(world, request.form.get("space", ""), point()),
    "remove": lambda world: world_edits.remove(world, request.form.get("space", "")),
    "join": lambda world: world_edits.join(
        world, request.form.get("space", ""), request.form.get("to", ""), request.form.get("kind", "lane")
    ),
    "part": lambda world: world_edits.part(world, request.form.get("space", ""), request.form.get("to", "")),
    "picture": set_picture,
    "no_picture": remove_picture,
}


def place_in_hand(world: Chart, id: str) -> Chosen | None:
    """The place in hand with its lanes."""
    space = world.spaces.get(id)
    if space is None:
        return None
    lanes = [(lane.other(id), place_name(world.spaces[lane.other(id)].name), lane.miles) for lane in world.ways[id]]
    return Chosen(id, space.name, space.kind, space.rank, tuple(sorted(lanes, key=lambda each: each[1])))


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
    if lost := world_edits.alone(world):
        found.append(_("No lane leads from the other places to: %(places)s.", places=join_names(lost)))
    at = {id: space.lonlat for id, space in world.spaces.items()}
    if spots := [f"{world.spaces[one].name} / {world.spaces[other].name}" for one, other in same_spot(at)]:
        found.append(_("Two names lie at the same spot: %(places)s.", places=join_names(spots)))
    if not has_picture and (over := over_land(world)):
        found.append(_("These lanes cross land: %(lanes)s.", lanes=join_names(over)))
    return found


def join_names(names: list[str]) -> str:
    """Names in one sentence, not too many of them."""
    return ", ".join(names[: world_edits.TOLD]) + (", …" if len(names) > world_edits.TOLD else "")


def drawings(view: Any, near: int, about: str, space: str, at: Point | None) -> tuple[Drawing, ...]:
    """The charts of two screens, without fleets, with rings about the place in hand and about what was tapped."""
    world = chart(view["world"])
    bare = {**view, "fleets": {}, "pins": {}}
    found = []
    for kind, size in SIZES.items():
        around: list[Point] = []
        if about in world.spaces and near > 1:
            (lon, lat), far = world.spaces[about].lonlat, AROUND[min(near, 3)]
            around = [(lon - far, lat - far * 0.75), (lon + far, lat + far * 0.75)]
        paper = paper_of(bare, *size, around)
        ring = paper.at(world.spaces[space].lonlat) if space in world.spaces else None
        found.append(Drawing(kind, sea_chart(bare, paper, ()), ring, paper.at(at) if at else None))
    return tuple(found)


def draw_once(state: object) -> None:
    """O1.1 Draw a war's world as the umpire's pages show it, before it counts; one that cannot be drawn breaks this."""
    view = OPEN_CAMPAIGN.view(state, UMPIRE)
    world = chart(view["world"])
    drawings(view, 0, "", "", None)
    world_map(view)
    remarks(world, has_picture=False)
    for size in SIZES.values():
        sea_chart(view, paper_of(view, *size, of_interest(view, ())), ())


def read_tap(drawn: tuple[Drawing, ...]) -> tuple[str, Point | None]:
    """The place that was tapped, or else the point. Neither, where nothing was."""
    tap = tap_of(request.args)
    if tap is None:
        return "", None
    kind, x, y = tap
    spots = next((each.chart for each in drawn if each.kind == kind), drawn[0].chart)
    near = min(spots.spots, key=lambda spot: (spot.x - x) ** 2 + (spot.y - y) ** 2, default=None)
    if near is not None and (near.x - x) ** 2 + (near.y - y) ** 2 <= NEAR**2:
        return near.id, None
    return "", spots.paper.back(x, y)


def editing_page(game: str, flash: Flash | None = None) -> Any:
    """The page, with what was tapped, and with a refusal where there is one."""
    desk.umpires(game)
    table = store().load(game)
    view, values = table.view(UMPIRE), request.values
    world, near = chart(view["world"]), min(count(values.get("near", "")) or 0, 3)
    space = values.get("space", "")[:60] if values.get("space", "") in world.spaces else ""
    about = values.get("about", "")[:60] or space
    mode = values.get("mode", "") if space and values.get("mode") in MODES else ""
    tapped, at = read_tap(drawings(view, near, about, space, None))
    to = tapped if mode == "join" and tapped != space else ""
    if tapped and not mode:
        space = tapped
    if at and not mode:
        space = ""
    own = view["world"].get("picture") if isinstance(view["world"], dict) else None
    body = render_template(
        "open_campaign/editing.html",
        game=table.game,
        seat=UMPIRE,
        drawings=drawings(view, near, about, space, at if mode != "join" else None),
        chosen=place_in_hand(world, space),
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
        kinds=[
            ("port", _("port")),
            ("beach", _("beach")),
            ("cape", _("cape or strait")),
            ("sea", _("open sea")),
            ("town", _("town inland")),
        ],
        ranks=world_edits.RANKS,
        places=len(world.spaces),
        lanes=len(world.lanes),
        beyond=BEYOND,
        flash=flash,
    )
    return body, flash.status if flash else 200
