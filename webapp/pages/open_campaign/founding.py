"""A war of one's own from five questions, or a ready-made one in one tap."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import zip_longest
from typing import Any
from unicodedata import normalize

from flask import Response, redirect, render_template, request, url_for

from strategic import SYSTEMS
from strategic.naval.handoff import ship_name
from strategic.open_campaign.rules.money import TALENT
from strategic.open_campaign.rules.position import TAKEN as RESERVED
from strategic.open_campaign.rules.world import Chart, read_chart, stock_world
from strategic.open_campaign.tables import ALL_WORLDS, CAPTAINS, TABLES, WORLDS
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, Input
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.rate_limit import TooMany, reckon_apart
from webapp.http.seats import REFUSALS, allow_new_game, store
from webapp.pages import lobby
from webapp.pages.open_campaign import SYSTEM, open_blueprint
from webapp.pages.open_campaign.sea_chart import Paper, fitted, land_path
from webapp.pages.open_campaign.worlds import ask_about, empty_sea, read_upload
from webapp.presenting.labels import place_name, system_word, translate, type_word
from webapp.presenting.refusals import Flash, flash_of, refusal_text
from webapp.systems.open_campaign.cutting import MOST_CORNERS, Corners, check_corners, cut_with_remarks, printed_world
from webapp.systems.open_campaign.world_file import ENDINGS, Found

# -- O12.1 A war from five answers: where, who, how many ships, how long a turn, how it ends.

FEWEST, MOST_SIDES, MOST_SHIPS = 2, 8, 120
ALIKE = 0.75  # how much the names of a side and of its port have in common, such as Rhodes and Rhodos
PORTS = 3  # of each side at the beginning, where there are as many
FLEETS = ("First fleet", "Second fleet")


class Answers(Input, frozen=True):
    """The five answers. `sides` are names; `homes` their ports by name or id, empty where the program is to choose.

    `warships` and `transports` are each side's, half of them in each fleet.
    """

    world: dict[str, Any]
    sides: tuple[str, ...]
    homes: tuple[str, ...] = ()
    warships: int = 20
    type: str = "trireme"
    transports: int = 4
    turn_length: str = "week"
    turns: int = 20
    date: str = "-260-03-01"
    dispatches: str = "run"


def found(answers: Answers) -> dict[str, Any]:
    """O12.1 The position in which the war begins.

    Raises Illegal (O1.4) for a number of sides or ships that no campaign has, or a home port that is not there or
    that two sides want; (O1.2) for a world with too few ports.
    """
    if not FEWEST <= len(answers.sides) <= MOST_SIDES:
        raise Illegal(
            "O1.4", "A campaign must have %(fewest)s to %(most)s %(most|side|sides)s.", fewest=FEWEST, most=MOST_SIDES
        )
    if not (1 <= answers.warships <= MOST_SHIPS and 0 <= answers.transports <= MOST_SHIPS):
        raise Illegal(
            "O2.1",
            "A side must begin with 1 to %(most)s %(most|warship|warships)s "
            "and at most %(most)s %(most|transport|transports)s.",
            most=MOST_SHIPS,
        )
    world = read_chart(answers.world)
    homes = capitals(world, answers.sides, answers.homes)
    ids = ids_of(answers.sides)
    fleets: dict[str, Any] = {}
    ships: dict[str, Any] = {}
    for side, home in zip(ids, homes, strict=True):
        for number, (name, few) in enumerate(zip(FLEETS, halves(answers.warships), strict=True)):
            cargo = halves(answers.transports)[number]
            own = sheets(f"{side}-{number + 1}", side, answers.type, few, cargo, home, number)
            if own:
                ships |= own
                fleets[f"{side}-{number + 1}"] = {"side": side, "name": name, "at": home, "ships": list(own)}
    return {
        "world": answers.world,
        "sides": {side: {"name": name} for side, name in zip(ids, answers.sides, strict=True)},
        "fleets": fleets,
        "ships": ships,
        "ports": ports_by_side(world, dict(zip(homes, ids, strict=True))),
        "turn_length": answers.turn_length,
        "turns": answers.turns,
        "date": answers.date,
        "options": {"dispatches": answers.dispatches},
    }


def ids_of(names: Sequence[str]) -> list[str]:
    """O1.4 An id for each side: its name in plain letters, by which a battle calls it; else its number.

    >>> ids_of(["Rome", "Нева", "Rome", "Umpire"])
    ['rome', 'side2', 'side3', 'side4']
    """
    found: list[str] = []
    for number, name in enumerate(names, 1):
        letters = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        plain = re.sub(r"[^a-z0-9]+", "_", letters).strip("_")[:30]
        free = bool(plain) and plain not in found and plain not in RESERVED and not plain.startswith("side")
        found.append(plain if free and plain[0].isalpha() else f"side{number}")
    return found


def halves(number: int) -> tuple[int, int]:
    """A number in two halves, the larger first."""
    return number - number // 2, number // 2


def sheets(
    fleet: str, side: str, kind: str, warships: int, transports: int, home: str, squadron: int
) -> dict[str, Any]:
    """O2.1 The ships of a fleet, with names, captains and the home port."""
    kinds = [kind] * warships + ["transport"] * transports
    found = {}
    for number, each in enumerate(kinds):
        place = 2 * number + squadron  # the two fleets take turns in the list of names
        name = ship_name("default", place)
        captain = CAPTAINS.of(side, place)
        found[f"{fleet}-{number + 1}"] = {"side": side, "type": each, "name": name, "captain": captain, "home": home}
    return found


def capitals(world: Chart, sides: Sequence[str], wanted: Sequence[str] = ()) -> list[str]:
    """O1.4 A home port for each side: the one that it wants; else one of about its own name; else one as far from the
    others by sea as can be, the greatest of all first. Raises Illegal (O1.2, O1.4)."""
    ports = sorted(
        (space for space in world.spaces.values() if space.kind == "port"), key=lambda each: (-each.rank, each.id)
    )
    if len(ports) < len(sides):
        raise Illegal("O1.2", "There are fewer ports on this map than sides: %(ports)s.", ports=len(ports))
    names = {
        word.casefold(): each.id for each in reversed(ports) for word in (each.id, each.name, place_name(each.name))
    }
    chosen: dict[int, str] = {}
    for number, name in enumerate(wanted):
        if name and (id := names.get(name.casefold(), "")) in ("", *chosen.values()):
            if not id:
                raise Illegal("O1.4", "There is no port called %(name)s on this map.", name=name)
            raise Illegal("O1.4", "Two sides cannot begin at the same port: %(name)s.", name=name)
        if name:
            chosen[number] = id
    for number, name in enumerate(sides):
        free = [word for word, id in names.items() if id not in chosen.values()]
        if number not in chosen and (alike := get_close_matches(name.casefold(), free, 1, ALIKE)):
            chosen[number] = names[alike[0]]
    for number in range(len(sides)):
        if number not in chosen:
            far = {
                each.id: min((apart(world, each.id, other) for other in chosen.values()), default=0)
                for each in ports
                if each.id not in chosen.values()
            }
            chosen[number] = max(sorted(far), key=lambda id: far[id]) if chosen else ports[0].id
    return [chosen[number] for number in range(len(sides))]


def apart(world: Chart, one: str, other: str) -> int:
    """Nautical miles by sea; none where no lane leads there."""
    return world.from_(other).get(one, (0, None))[0]


def ports_by_side(world: Chart, homes: Mapping[str, str]) -> dict[str, str]:
    """O1.1 Each side's ports: its home, and the nearest others that lie nearer to it than to anybody else's."""
    ports = dict(homes)
    for home, side in homes.items():
        near = [
            (apart(world, each.id, home), each.id)
            for each in world.spaces.values()
            if each.kind == "port"
            and each.id not in homes
            and min(homes, key=lambda other: (apart(world, each.id, other), other)) == home
        ]
        ports |= {id: side for _miles, id in sorted(near)[: PORTS - 1]}
    return dict(sorted(ports.items()))


# -- A war of one's own from five questions, or a ready-made one in one tap (O12.1).

bp = open_blueprint("open_setup")
WIDE, HIGH = 720, 320  # pixels of the map to tap on
WINDOW = ((-9.0, 30.5), (36.0, 46.0))  # its corners in degrees
RANK, SPACES = 70, 16
CUT, FILE, EMPTY, PRINTED = "cut", "file", "empty", "printed-"
AGAIN = "again"  # the button that takes the corners away
MONEY = ("none", "simple", "full")
RICHEST = 10_000  # talents in a chest at the beginning
TYPES = ("bireme", "trireme", "quadrireme", "quinquereme")


def paper() -> Paper:
    """The map of the whole sea that is tapped."""
    return fitted(WINDOW, WIDE, HIGH, 0)


@bp.get("/new")
@reckon_apart("cuts")
def page() -> Any:
    """The five questions."""
    return new_war_page()


@bp.get("/sea.svg")
def sea() -> Response:
    """The map to tap on, with the corners that were tapped."""
    drawn = render_template(
        "open_campaign/sea.svg",
        width=WIDE,
        height=HIGH,
        land=land_path(paper()),
        corners=[paper().at(each) for each in corners()],
    )
    return Response(drawn, mimetype="image/svg+xml")


@bp.post("/new")
@reckon_apart("cuts")
def answer() -> Any:
    """A tap on the map, or the beginning of the war; then the links of its seats."""
    try:
        if AGAIN in request.form:
            return new_war_page()
        if "tap.x" in request.form:
            x, y = (count(request.form.get(f"tap.{axis}", "")) or 0 for axis in "xy")
            return new_war_page(tapped=(x, y))
        place, read = world()
        if read is not None and not read.is_whole:
            return ask_about(read, _("Begin the war"), url_for(".page"))
        allow_new_game()
        title = request.form.get("title", "").strip()[:200] or _("A war of our own")
        dice = "physical" if request.form.get("dice") == "physical" else "digital"
        game, tokens = store().create(SYSTEM, None, with_options(found(answers(place))), None, title, dice)
    except TooMany as fault:
        return new_war_page(Flash(str(fault), status=429))
    except REFUSALS as fault:
        return new_war_page(flash_of(fault, SYSTEM))
    lobby.keep(game, tokens)
    return redirect(f"/seats/{game.id}", 303)


@bp.post("/new/<scenario>")
def ready(scenario: str) -> Any:
    """A ready-made war begins, in one tap."""
    try:
        allow_new_game()
        game, tokens = store().create(SYSTEM, scenario)
    except TooMany as fault:
        return new_war_page(Flash(str(fault), status=429))
    except REFUSALS as fault:
        return new_war_page(flash_of(fault, SYSTEM))
    lobby.keep(game, tokens)
    return redirect(f"/seats/{game.id}", 303)


def with_options(war: dict[str, Any]) -> dict[str, Any]:
    """O7.1, O8.1, O11.2 The war with what the form says beyond the five questions: money, letters, war on land."""
    form = request.form
    money = form.get("money", "") if form.get("money") in MONEY else "none"
    letters = "by_ship" if form.get("letters") == "by_ship" else "at_once"
    options = {**war["options"], "money": money, "letters": letters, "land": form.get("land") == "1"}
    chest = min(count(form.get("chest", "")) or 0, RICHEST) * TALENT
    return {**war, "options": options, "money": {side: chest for side in war["sides"]} if money != "none" else {}}


def corners() -> Corners:
    """The corners tapped so far, in degrees: two, or a line of more. Raises BadInput for what is none."""
    given = [] if AGAIN in request.values else request.values.getlist("corner")
    try:
        found = [tuple(map(float, each.split(","))) for each in given[: MOST_CORNERS + 1]]
    except ValueError:
        raise BadInput("corners", "a corner must be a longitude and a latitude in degrees") from None
    return check_corners(found, least=0)


def answers(world: dict[str, Any]) -> Answers:
    """The form as answers, with the world that it names. Raises BadInput, Illegal."""
    form = request.form
    both = zip_longest(form.getlist("side"), form.getlist("home"), fillvalue="")
    sides = [(name.strip()[:60], home.strip()[:60]) for name, home in both if name.strip()][: MOST_SIDES + 1]
    return Answers(
        world=world,
        sides=tuple(name for name, _home in sides),
        homes=tuple(home for _name, home in sides),
        warships=count(form.get("warships", "")) or 0,
        type=form.get("type", "") if form.get("type") in TYPES else "trireme",
        transports=count(form.get("transports", "")) or 0,
        turn_length=form.get("turn_length", "") if form.get("turn_length") in TABLES.days else "week",
        turns=min(max(count(form.get("turns", "")) or 20, 1), 500),
        date=form.get("date", "-260-05-01"),
        dispatches="hold" if form.get("dispatches") == "hold" else "run",
    )


def world() -> tuple[dict[str, Any], Found | None]:
    """Where: a ready-made world, a printed board, a part of the great map, an empty sea, or files with their report.

    Raises BadInput, Illegal, TooMany.
    """
    where = request.form.get("world", "")
    if where == CUT:
        return cut_with_remarks(corners(), RANK, SPACES)[0], None
    if where == FILE:
        return read_upload()
    if where == EMPTY:
        sides = sum(bool(name.strip()) for name in request.form.getlist("side"))
        return empty_sea(max(2, min(MOST_SIDES, sides))), None
    if where.removeprefix(PRINTED) in ALL_WORLDS.printed:
        return printed_world(where.removeprefix(PRINTED)), None
    if where not in WORLDS:
        raise BadInput("world", "choose where the war is fought")
    return stock_world(where), None


def about_cut(found: Corners) -> tuple[int, list[str], list[str]]:
    """How many places lie between two corners or within a line, what is odd, and the names of the ports there.

    Raises BadInput, Illegal.
    """
    if len(found) < 2:
        return 0, [], []
    world, remarks = cut_with_remarks(found, RANK, SPACES)
    places = [each["properties"] for each in world["features"] if each["geometry"]["type"] == "Point"]
    ports = sorted({place_name(str(each["name"])) for each in places if each.get("kind") == "port"})
    return len(places), [refusal_text("", each) for each in remarks], ports


def filled(name: str) -> list[str]:
    """What was written into the fields of this name, one for each side that there may be."""
    return [*request.form.getlist(name), *[""] * MOST_SIDES][:MOST_SIDES]


def new_war_page(flash: Flash | None = None, tapped: tuple[int, int] | None = None) -> Any:
    """The page with what was answered so far; with a refusal, or what is odd about a cut."""
    cut: tuple[int, list[str], list[str]] = (0, [], [])
    found: Corners = ()
    try:
        found = corners()
        if tapped:
            found = check_corners((*found, paper().back(*tapped)), least=1)
        cut = about_cut(found)
    except REFUSALS as fault:
        flash = flash or flash_of(fault, SYSTEM)
    body = render_template(
        "open_campaign/new.html",
        flash=flash,
        form=request.form,
        sides=list(zip(*(filled(name) for name in ("side", "home")), strict=True)),
        ports=cut[2],
        corners=found,
        sea=url_for(".sea", corner=[f"{lon},{lat}" for lon, lat in found]),
        remarks=cut[1],
        places=cut[0],
        worlds=[(each.id, translate(each.title)) for each in WORLDS.values()],
        boards=[(PRINTED + each, system_word(each)) for each in ALL_WORLDS.printed],
        chosen=CUT if tapped or AGAIN in request.form else request.form.get("world", "sicily"),
        types=[(each, type_word(each)) for each in TYPES],
        scenarios=SYSTEMS[SYSTEM].scenarios(),
        size=(WIDE, HIGH),
        world_files=ENDINGS,
        kept_file=request.form.get("kept_file", ""),
    )
    return body, flash.status if flash else 200
