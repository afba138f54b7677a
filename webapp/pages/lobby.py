"""The start page, and every way to begin or rejoin a game."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import repeat
from math import nan
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import segno
from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, session
from flask.typing import ResponseReturnValue
from flask_babel import ngettext
from markupsafe import Markup

from tactical.battle import Battle
from tactical.captains.worth import WORTH, Kind
from tactical.drawing import check_number
from tactical.exercises import is_exercise
from tactical.kernel.dice import Dice
from tactical.kernel.house_rules import OPTION
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal, OptionInfo, System
from tactical.kernel.record import BadInput, Reason, read
from tactical.position import SHIP_LIMIT, read_position
from tactical.setup import COASTS, Scenario, all_scenarios
from tactical.setup import start as start_battle
from tactical.ship import CREWS, FIGURES, TYPES, complement_of
from tactical.tabletop import LARGEST_BASE
from webapp.api.errors import answer, answer_in_json
from webapp.api.fleets import (
    NATIONS,
    FleetsDrawn,
    FleetsWanted,
    FleetWanted,
    ShipsWanted,
    one_by_one,
    position,
    proposal,
    propose,
)
from webapp.captains.api import ForecastWanted
from webapp.captains.api import begin as begin_forecast
from webapp.http.addresses import root, seat_path
from webapp.http.forms import body, count, in_language, parse
from webapp.http.language import gettext as _
from webapp.http.rate_limit import TooMany
from webapp.http.seats import allow_new_game, held_seats, is_organizer, must_exist, remember, store
from webapp.pages.battle.board import still
from webapp.pages.reference.books import played_by_hand
from webapp.pages.reference.odds import battles_said, rowers_said
from webapp.presenting.battle_labels import figure_word, side_name
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.labels import translate, type_word, words
from webapp.presenting.refusals import level_name, refusal_text
from webapp.presenting.ships.galley import DRAWING, Galley, picture
from webapp.presenting.small_pictures import LEAST, Small, small_board, small_map, small_ships, tile
from webapp.storage.errors import Barred, Refused, Unknown
from webapp.storage.journal import new_game, transfer
from webapp.storage.journal.records import Game
from webapp.storage.services.clocks import Rule, checked_rule, set_clocks

# -- From the lobby's forms to what the store and the fleet builder take; no rule is known here.

PLACES = ("first", "second")
LARGEST_FIRST = sorted(TYPES, key=lambda kind: -TYPES[kind].hull)  # the first ship leads


def options_of(system: System, form: Mapping[str, str]) -> dict[str, Any]:
    """The options that a form sets (`option.NAME`), as their choices are typed.

    An option without choices is yes or no, or a number, by its default; a group's own values are a text of their own,
    TOML or JSON. Raises BadInput for an unknown choice, what is no number, and values that do not hold.
    """
    chosen = {option.name: value for option, value in typed_options(system, form) if value != option.default}
    own = form.get(OPTION, "")
    if own.strip() and system.house is not None:
        chosen[OPTION] = system.house.replaced(system.house.from_text(own))
    return chosen


def typed_options(system: System, form: Mapping[str, str]) -> Iterator[tuple[OptionInfo, Any]]:
    """The options that a form sets, each with its value. Raises BadInput."""
    for option in system.options:
        if text := form.get(f"option.{option.name}"):
            yield option, number(option.name, text) if is_number(option) else choice_of(option, text)


FIRST = {
    "sea_battles": "table",
    "by_hand": "one",
}  # what a new game begins with here, where that is not the engine's default


def first(option: OptionInfo) -> object:
    """The choice of an option with which a new game begins, by Start and by Set up alike."""
    return FIRST.get(option.name, option.default)


def is_number(option: OptionInfo) -> bool:
    """Is any whole number a choice?"""
    return not option.choices and isinstance(option.default, int) and not isinstance(option.default, bool)


def number(name: str, text: str) -> int:
    """A whole number as typed. Raises BadInput."""
    found = count(text)
    if found is None:
        raise BadInput(f"options.{name}", "'%(text)s' is not a whole number", text=text[:60])
    return found


def choice_of(option: OptionInfo, text: str) -> object:
    """The choice that is written so."""
    known = {form_value(choice): choice for choice in option.choices or (False, True)}
    if text not in known:
        raise BadInput(f"options.{option.name}", "'%(text)s' is not one of %(known)s", text=text, known=tuple(known))
    return known[text]


def form_value(choice: object) -> str:
    """A choice as a form's value."""
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def clock_of(form: Mapping[str, str]) -> Rule | None:
    """The clocks that a form asks for; None for none. Raises BadInput."""
    kind = form.get("clock", "")
    if kind == "down":
        return checked_rule(whole(form, "minutes", 0), whole(form, "extra", 0))
    return Rule() if kind == "count" else None


def fleets_of(form: Mapping[str, str]) -> FleetsWanted:
    """The fleets that the builder's form asks for. Raises BadInput with the field."""
    sides: dict[str, Any] = {}
    nations = [form.get(f"{place}.nation", "") for place in PLACES]
    for place, nation in zip(PLACES, nations, strict=True):
        side_id = place if nations[0] == nations[1] else nation or place
        sides[side_id] = {
            "nation": nation,
            "name": form.get(f"{place}.name", "")[:60],
            "squadrons": whole(form, f"{place}.squadrons", 0),
            "ships": with_names(form, place, [row for kind in LARGEST_FIRST if (row := ships_of(form, place, kind))]),
        }
    raw = {
        "sides": sides,
        "board": {
            "kind": form.get("kind", "hexes"),
            "columns": whole(form, "columns", 20),
            "rows": whole(form, "rows", 14),
            "coast": form.get("coast", "open"),
        },
        "seed": whole(form, "seed", 0),
        "speed": whole(form, "speed", 0),
        "turn_limit": whole(form, "turn_limit", 0) or None,
        "base": base_of(form),
    }
    wanted: FleetsWanted = read(raw, FleetsWanted)
    return wanted


def base_of(form: Mapping[str, str]) -> tuple[float, float] | None:
    """The length and the width of the models' bases in mm; None where neither is written. Raises BadInput."""
    length, width = (decimal(form, name, BASES, 0) for name in ("base_length", "base_width"))
    if length and width:
        return length, width
    if length or width:
        raise BadInput("base_width" if length else "base_length", "write both sizes of the bases, or neither")
    return None


# A player's own models: a line each, her name and perhaps her type, for one of the sides; shelf.js keeps them.

OWN = "own"
MOST_OWN = SHIP_LIMIT


def own_ships(form: Mapping[str, str]) -> list[tuple[str, str]]:
    """The ships of the list: name and type, which is empty where none is named. Raises BadInput for an unknown type."""
    known = {name.casefold(): kind for kind in TYPES for name in (kind, type_word(kind))}
    found = []
    for line in form.get(OWN, "").splitlines():
        name, _comma, kind = (part.strip() for part in line.partition(","))
        if kind and kind.casefold() not in known:
            raise BadInput(
                OWN, "there is no ship type called %(type)s: %(types)s", type=repr(kind[:60]), types=tuple(TYPES)
            )
        if name:
            found.append((name[:60], known.get(kind.casefold(), "")))
    return found[:MOST_OWN]


def with_names(form: Mapping[str, str], place: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of the side that one's own ships sail for, with their names: of her type first, then of any."""
    left = own_ships(form) if place == form.get(f"{OWN}.side", PLACES[0]) else []
    named = []
    for row in rows:
        mine = [ship for ship in left if ship[1] == row["type"]]
        mine = (mine + [ship for ship in left if not ship[1]])[: row["count"]]
        left = [ship for ship in left if ship not in mine]
        named.append(row | ({"names": [name for name, _type in mine]} if mine else {}))
    return named


def fleet_of_own(form: Mapping[str, str]) -> dict[str, str]:
    """The form with as many ships of each type as the list names, and no others, for the side that they sail for."""
    place = form.get(f"{OWN}.side", PLACES[0])
    kinds = Counter(kind for _name, kind in own_ships(form) if kind)
    return {**form, **{f"{place}.{kind}": str(kinds[kind] or "") for kind in TYPES}} if kinds else dict(form)


WITH_CORVUS = {"yes": True, "no": False}


def ships_of(form: Mapping[str, str], place: str, kind: str) -> dict[str, Any] | None:
    """One row of the form: number, crew, corvus, figures of its own; None for no such ships."""
    number = whole(form, f"{place}.{kind}", 0)
    if not number:
        return None
    row: dict[str, Any] = {"type": kind, "count": number}
    if form.get(f"{place}.{kind}.crew"):
        row["crew"] = form[f"{place}.{kind}.crew"]
    if corvus := form.get(f"{place}.corvus", ""):
        if corvus not in WITH_CORVUS:
            raise BadInput(
                f"{place}.corvus", "'%(text)s' is not one of %(known)s", text=corvus[:60], known=tuple(WITH_CORVUS)
            )
        row["corvus"] = WITH_CORVUS[corvus]
    own = {name: f"{place}.{kind}.figures.{name}" for name in FIGURES}
    return row | {name: whole(form, field, 0) for name, field in own.items() if form.get(field, "").strip()}


def whole(form: Mapping[str, str], name: str, default: int) -> int:
    """A whole number of a form; BadInput names the field."""
    text = form.get(name, "").strip()
    if not text:
        return default
    found = count(text)
    if found is None:
        raise BadInput(name, "expected a whole number")
    return found


def decimal(form: Mapping[str, str], name: str, bounds: tuple[float, float], default: float) -> float:
    """A number of a form, with a decimal point or comma; an empty field is the default. BadInput names the field."""
    text = form.get(name, "").strip().replace(",", ".")
    if not text:
        return default
    try:
        found = float(text)
    except ValueError:
        found = nan
    check_number(found, name, *bounds)
    return found


def first_form() -> dict[str, str]:
    """The builder before anybody has chosen."""
    wanted = proposal()
    values = {
        "kind": wanted.board.kind,
        "columns": str(wanted.board.columns),
        "rows": str(wanted.board.rows),
        "coast": wanted.board.coast,
        "seed": str(wanted.seed),
        "speed": str(wanted.speed),
        "turn_limit": str(TURNS),
    }
    for place, fleet in zip(PLACES, wanted.sides.values(), strict=True):
        values |= form_of_fleet(place, fleet)
    return values


def form_of_fleet(place: str, fleet: FleetWanted) -> dict[str, str]:
    """The values of one side's part of the form."""
    rows: dict[str, ShipsWanted] = {row.type: row for row in fleet.ships}
    values = {f"{place}.nation": fleet.nation, f"{place}.name": fleet.name}
    for kind in TYPES:
        values[f"{place}.{kind}"] = str(rows[kind].count) if kind in rows else ""
        values[f"{place}.{kind}.crew"] = (rows[kind].crew or "") if kind in rows else ""
    return values


BASES = (10, LARGEST_BASE)  # mm of a base's length and width
TURNS = 15  # the limit that the builder proposes: that of the historical battles
STEPS = {"columns": (2, 6, 120), "rows": (2, 6, 120), "turn_limit": (1, 0, 99)}  # by how much, least, most
SHIPS, SQUADRONS = (1, 0, 40), (1, 2, 9)
UNSURE, FORECAST = (
    0.2,
    50,
)  # the width of a chance's interval from which the fleets themselves are fought, so many times


def step(form: Mapping[str, str], wish: str) -> dict[str, str]:
    """The form after a tap on − or + (`less.FIELD`, `more.FIELD`); less than least is empty. Raises BadInput."""
    way, _dot, field = wish.partition(".")
    by, least, most = STEPS.get(field, SQUADRONS if field.endswith(".squadrons") else SHIPS)
    value = whole(form, field, least) + (by if way == "more" else -by)
    if not form.get(field, "").strip() and way == "more" and field not in STEPS:
        value = max(least, 0 if ".figures." in field else 1)
    return {**form, field: "" if value < least else str(min(value, most))}


def ships_worth(form: Mapping[str, str], place: str) -> list[Kind]:
    """The ships of a side as the form has them now, by what their worth hangs on; none for what cannot be built."""
    try:
        rows = [row for kind in LARGEST_FIRST if (row := ships_of(form, place, kind)) is not None]
        nation = form.get(f"{place}.nation", "")
        fleet = read({"nation": nation, "ships": rows}, FleetWanted)
        sheets = list(one_by_one(fleet, place, repeat(""))) if nation in NATIONS else []
    except BadInput:
        return []
    return [Kind(sheet["type"], NATIONS[nation].navy, sheet["crew"], sheet["corvus"]) for sheet in sheets]


def with_proposal(form: Mapping[str, str], place: str) -> dict[str, str]:
    """The form with one side's fleet as its nation proposes it (G2.5). BadInput for an unknown nation."""
    nation = form.get(f"{place}.nation", "")
    kept = {name: value for name, value in form.items() if not name.startswith(f"{place}.")}
    try:
        return {**kept, **form_of_fleet(place, propose(nation))}
    except KeyError:
        raise BadInput(f"{place}.nation", "choose one of the nations") from None


# -- What the fleet builder's fields are called in its refusals, and how its ships look; which ships a navy never had.


def in_form(wanted: FleetsWanted | None, path: str) -> str:
    """The form's own name for the field of a position's path, such as `first.trireme`; other paths as they are."""
    known = re.match(r"sides\.([^.]*)\.(?:ships\[(\d+)\]|(nation|ships))", path)
    if wanted is None or known is None or known[1] not in wanted.sides:
        return path.removeprefix("board.")
    place = PLACES[list(wanted.sides).index(known[1])]
    return f"{place}.{wanted.sides[known[1]].ships[int(known[2])].type if known[2] else known[3]}"


def field_text(path: str) -> str:
    """A field of the form as the page calls it: the side, and what of it; empty for what has no field."""
    first, _dot, rest = path.partition(".")
    if first not in PLACES:
        return {
            "columns": _("Columns"),
            "rows": _("Rows"),
            "board": _("The board"),
            "turn_limit": _("Turn limit"),
            OWN: _("My ships"),
            "speed": _("Speed at the start"),
            "base_length": _("Length of the base"),
            "base_width": _("Width of the base"),
        }.get(first, "")
    said = [_("First side") if first == PLACES[0] else _("Second side")]
    words = {"nation": _("Nation"), "ships": _("Number"), "crew": _("Rowers"), "corvus": _("Corvus")}
    for part in rest.split("."):
        if part in TYPES:
            said.append(type_word(part))
        elif part in FIGURES:
            said.append(figure_word(part))
        elif part in words:
            said.append(words[part])
    return ", ".join(said)


def lacks(nation: str, kind: str) -> bool:
    """G2.1 Does the source give this nation's navy no such ship, so that she needs figures of her own?"""
    return nation in NATIONS and complement_of(TYPES[kind], NATIONS[nation].navy) is None


def ship_picture(nation: str, kind: str, side: int) -> Markup:
    """A ship of that type as a nation builds her, in the colours of the first or the second side."""
    navy = NATIONS[nation].navy if nation in NATIONS else "hellenistic"
    look = next((look for called, look in DRAWING.nations.items() if called in nation), navy)
    return picture(Galley(kind, look, side), 60)


# -- The links of a new game's seats, as addresses and as QR codes; kept for the umpire's browser only.

FRESH = "made"  # the session's place for the newest game's tokens; an older game's are withdrawn and given anew


class SeatLink(NamedTuple):
    """A seat with its link, or without one when this browser does not know its token. `name`: its side's, if any.

    `sitter`: who sits there, as the umpire has written.
    """

    seat: str
    name: str
    url: str | None
    qr: Markup
    sitter: str = ""


def keep(game: Game, tokens: dict[str, str]) -> None:
    """Seat this browser as the game's umpire, and keep the other seats' tokens until the next game is made."""
    umpire = next(seat for seat in store().seats(game.id) if seat.id == UMPIRE)
    remember(umpire, tokens[UMPIRE])
    session[FRESH] = {"game": game.id, "tokens": tokens}


def keep_renewed(game: str, seat: str, token: str) -> None:
    """Keep a token that was given anew; the umpire's own goes on in this browser."""
    if seat == UMPIRE:
        remember(next(each for each in store().seats(game) if each.id == UMPIRE), token)
    fresh = session.get(FRESH, {})
    known = fresh.get("tokens", {}) if fresh.get("game") == game else {}
    session[FRESH] = {"game": game, "tokens": {**known, seat: token}}


def stay_here() -> bool:
    """Do links of this address lead only to the machine that serves them, so that no other tablet can use them?"""
    return (urlsplit(root()).hostname or "") in ("localhost", "127.0.0.1", "::1")


def holds_umpire(game: str) -> bool:
    """Has this browser joined the game as its umpire?"""
    return any(seat.id == UMPIRE for seat in held_seats(game))


def links(game: str) -> list[SeatLink]:
    """The game's seats with the links that this browser knows and that still stand."""
    fresh = session.get(FRESH, {})
    tokens: dict[str, str] = fresh.get("tokens", {}) if fresh.get("game") == game else {}
    return links_of(game, tokens)


def links_of(game: str, tokens: dict[str, str]) -> list[SeatLink]:
    """The game's seats with the links of these tokens; one that was withdrawn meanwhile is left out."""
    found = []
    sides = getattr(store().load(game).state, "sides", {})
    for seat in store().seats(game):
        token = tokens.get(seat.id)
        known = store().seat_of(token) if token else None
        url = f"{root()}/join/{token}" if known is not None and known.id == seat.id else None
        side = sides.get(seat.id) if isinstance(sides, dict) else None
        name = seat.name or getattr(side, "name", "")
        found.append(SeatLink(seat.id, name, url, qr(url) if url else Markup(), seat.name))
    return found


def qr(url: str) -> Markup:
    """The QR code of an address as inline SVG, black on white in every scheme."""
    return Markup(segno.make(url, micro=False).svg_inline(border=2, svgclass="qr", omitsize=True))


# -- What the start page shows as pictures: battles, campaigns, and the games that this browser goes on with.

LOOKED_AT = 12  # games of this browser, the newest first, that are asked who must act
SHOWN = 2  # of them on the start page


def short(title: str) -> str:
    """A title's first part: a battle's name without its year and its subtitle.

    >>> short("Mylae, 260 BC: the corvus")
    'Mylae'
    """
    return re.split(r"[:,：]", title)[0].strip()


@lru_cache(maxsize=32)
def picture_of(scenario: str, high: float = 88, least: float = LEAST) -> Small:
    """A scenario's beginning as a small picture."""
    return small_board(start_battle(scenario, None, {}, Dice()).state, high, least)


def small_position(raw: dict[str, Any]) -> Small:
    """A position as a small picture. Raises BadInput."""
    return small_board(start_battle(None, raw, {}, Dice()).state)


def picture_of_position(raw: dict[str, Any]) -> Markup | None:
    """A position as a small picture with its ships; None on the players' own table. Raises BadInput."""
    drawn = small_position(raw)
    return small_ships(drawn.ships) + drawn.svg if drawn.ships else None


def size_of(scenario: Scenario) -> str:
    """How many ships and turns."""
    count = sum(len(fleet.names) for fleet in scenario.fleet)
    ships = ngettext("%(num)d ship", "%(num)d ships", count)
    if not scenario.turn_limit:
        return ships
    return " · ".join([ships, ngettext("%(num)d turn", "%(num)d turns", scenario.turn_limit)])


class GoingOn(NamedTuple):
    """A game of this browser: `mine` when it waits for a seat of this browser."""

    game: Game
    title: str
    mine: bool
    who: str
    rest: str
    picture: Markup
    ships: frozenset[tuple[str, str, int]]


def games_going_on() -> list[GoingOn]:
    """The games that this browser holds a seat in, but for the archive: what waits for it first, then the newest."""
    codes = dict.fromkeys(held[0] for held in reversed(session.get("seats", [])))
    games = [game for game in map(store().find, codes) if game is not None and not game.archived]
    found = [each for game in games[:LOOKED_AT] if (each := going_on(game)) is not None]
    return sorted(found, key=lambda each: (each.game.over, not each.mine))


def going_on(game: Game) -> GoingOn | None:
    """How a game stands for this browser; None when its seats were withdrawn, and for lessons and puzzles."""
    seats = [seat.id for seat in held_seats(game.id)]
    if not seats:
        return None
    try:
        table = store().load(game.id)
    except Unknown:
        return None
    if is_exercise(getattr(table.state, "scenario", None)):
        return None  # the pages of lessons and puzzles lead to them
    own = [seat for seat in seats if seat != UMPIRE] or seats
    view = table.view(own[0])
    mine = not game.over and bool(set(own) & set(table.waiting_for))
    turn = getattr(table.state, "turn", None)
    title = short(translate(game.title))
    if isinstance(turn, int):
        title = _("%(title)s, turn %(turn)s", title=title, turn=turn)
    return GoingOn(game, title, mine, who_acts(game, table.waiting_for, mine, view), *rest_of(game, view))


def who_acts(game: Game, waiting: tuple[str, ...], mine: bool, view: Any) -> str:
    """Who must act, in a few words."""
    if game.over:
        return _("over")
    if mine:
        return _("your orders")
    if not waiting:
        return ""
    named = (
        side_name(view, seat) if isinstance(view, Battle) and seat in view.sides else seat_word(seat)
        for seat in waiting
    )
    return _("waits for %(sides)s", sides=", ".join(named))


def rest_of(game: Game, view: Any) -> tuple[str, Markup, frozenset[tuple[str, str, int]]]:
    """What is left, and the picture with its ships."""
    if not isinstance(view, Battle):
        return "", small_map(game.system), frozenset()
    left = sum(ship.is_afloat for ship in view.ships.values())
    drawn = small_board(view, 112)
    return ngettext("%(num)d ship left", "%(num)d ships left", left), drawn.svg, drawn.ships


# -- The start page, and every way to begin or rejoin a game.

bp = Blueprint(
    "lobby", __name__, template_folder="templates", static_folder="static/lobby", static_url_path="/lobby-files"
)
api = Blueprint("fleets", __name__, url_prefix="/api/v1")
answer_in_json(api)
bp.context_processor(words)
bp.add_app_template_global(first, "first_choice")
bp.add_app_template_global(stay_here, "links_stay_here")
bp.add_app_template_global(small_map, "small_map")
bp.add_app_template_global(tile, "campaign_tile")
bp.context_processor(lambda: {"short": short, "size_of": size_of, "picture_of": picture_of})
HERO = "mylae"  # the battle of the large picture
ON_START = 6  # battles on the start page
KEPT = ("side", "mylae", "open_tyndaris")  # the battles whose pictures stand beside what is there without a network
DEMOS = {"battle": "demo", "campaign": "demo campaign"}  # the demos that a server may hold, and their notes


@api.post("/fleets")
def fleets_api() -> Response:
    """A position from nations and numbers (G2.5)."""
    return answer(FleetsDrawn(position(body(FleetsWanted))))


bp.register_blueprint(api)


# The start page ----------------------------------------------------------------------------------------


@bp.get("/")
def start() -> str:
    """Play now, go on, start a battle or a campaign, rejoin by code."""
    going = games_going_on()
    battles = list(all_scenarios().values())[:ON_START]
    hero = picture_of(HERO, 76, 0.075)
    ships = {*hero.ships, *(each for it in going[:SHOWN] for each in it.ships)}
    ships |= {each for it in battles for each in picture_of(it.id).ships}
    return render_template(
        "lobby/start.html",
        battles=battles,
        count=len(all_scenarios()),
        campaigns=campaigns_here(),
        going=going,
        hero=hero.svg,
        first=next((each for each in all_scenarios().values() if each.teaching), None),
        ships=small_ships(ships),
        kinds=ships,
    )


@bp.get("/no-network")
def no_network() -> str:
    """What an installed program shows in place of a game's page or the start page when there is no network."""
    hero = picture_of(HERO, 76, 0.075)
    ships = small_ships({*hero.ships, *(each for name in KEPT for each in picture_of(name).ships)})
    return render_template("lobby/no_network.html", hero=hero.svg, ships=ships)


def campaigns_here() -> list[System]:
    """The campaign systems of this server."""
    return [system for name, system in store().systems.items() if name != "galley"]


@bp.get("/battles")
def battles() -> str:
    """Every battle, fleets of one's own, a position by hand, the demo."""
    found = list(all_scenarios().values())
    ships = {each for it in found for each in picture_of(it.id).ships}
    return render_template("lobby/battles.html", battles=found, ships=small_ships(ships), demos=demos())


@bp.get("/campaigns")
def campaigns() -> str:
    """Every campaign with its beginnings, a campaign by hand, a season, the demo."""
    return render_template("lobby/campaigns.html", campaigns=campaigns_here(), demos=demos())


@bp.get("/games")
def games() -> str:
    """All games that this browser holds a seat in."""
    going = games_going_on()
    ships = small_ships(each for it in going for each in it.ships)
    return render_template("lobby/games.html", going=going, ships=ships)


def demos() -> list[str]:
    """The demos that this server has set up."""
    return [kind for kind in DEMOS if store().note(DEMOS[kind]) is not None]


@bp.get("/rejoin")
def rejoin() -> ResponseReturnValue:
    """To the game of a short code."""
    code = request.args.get("code", "").strip().upper().replace(" ", "").replace("-", "")
    if not code:
        return render_template("lobby/rejoin.html", code=code, problem=None)
    try:
        store().game(code)
    except Unknown:
        problem = _("No game has the code %(code)s: ask the person who began the game.", code=code)
        return render_template("lobby/rejoin.html", code=code, problem=problem), 404
    return redirect(seat_path(code), 303)


@bp.get("/demo/<kind>")
def demo(kind: str) -> str:
    """The seats of a demo that `navarch serve --demo` set up: open to all, as its terminal prints them."""
    found = json.loads(store().note(DEMOS.get(kind, "")) or "{}")
    if not found or not store().revisions([found["game"]]):
        abort(404, _("This server runs no demo."))
    seats = links_of(found["game"], found["tokens"])
    game = store().game(found["game"])
    return render_template("lobby/seats.html", game=game, seats=seats, demo=True, seat_word=seat_word)


# Beginning ---------------------------------------------------------------------------------------------


@bp.get("/new")
def new() -> str:
    """One scenario before it begins: its history, the dice and the options."""
    system = new_game.find_system(store().systems, request.args.get("system", "galley"))
    return set_up(system, request.args.get("scenario"))


def set_up(
    system: System, scenario: str | None, form: Mapping[str, str] | None = None, problem: BadInput | None = None
) -> str:
    """The page of one scenario, with a refusal beside its field."""
    known = {each.id: each for each in system.scenarios()}
    if scenario not in known:
        raise Unknown(_("There is no such scenario."))
    own = all_scenarios().get(scenario) if system.name == "galley" else None
    small = picture_of(scenario) if own and own.board.kind != "table" else None
    return render_template(
        "lobby/set_up.html",
        system=system,
        scenario=known[scenario],
        own=own,
        small=small and small_ships(small.ships) + small.svg,
        fought=battles_said(own.id) if own else [],
        by_hand=played_by_hand(system.name),
        form=form or {},
        written=form_value,
        problem=problem and in_language(problem),
    )


@bp.post("/new")
def create() -> ResponseReturnValue:
    """A new game from a scenario or a position; then the links of its seats."""
    allow_new_game()
    form = request.form
    system = new_game.find_system(store().systems, form.get("system", "galley"))
    scenario = form.get("scenario") or None
    try:
        raw = None if scenario else position_text(form.get("position", ""))
        options = options_of(system, form)
        rule = clock_of(form) if system.name == "galley" else None
        title = form.get("title", "")
        dice = "physical" if form.get("dice") == "physical" else "digital"
        game, tokens = store().create(system.name, scenario, raw, options, title, dice)
    except (BadInput, Illegal) as fault:
        fault = as_bad_input(fault, system.name)
        if scenario is not None:
            return set_up(system, scenario, form, fault), 400
        return show_typed_position(system, form, fault), 400
    if rule is not None:
        set_clocks(store(), game.id, rule)
    keep(game, tokens)
    return redirect(f"/seats/{game.id}", 303)


def as_bad_input(fault: BadInput | Illegal, system: str = "galley") -> BadInput:
    """A refusal of a position, also of one that a rule forbids, as that of the field in which it was typed."""
    if isinstance(fault, BadInput):
        return fault
    return BadInput("position", Reason(f"{refusal_text(system, fault.why)} ({fault.rule})"))


def position_text(text: str) -> Any:
    """What was typed in as JSON; BadInput says where it is not."""
    if not text.strip():
        raise BadInput("position", "type or paste a position")
    raw = parse(text.encode("utf-8", "surrogatepass"))
    if isinstance(raw, dict) and isinstance(raw.get("position"), dict):
        transfer.check_least(raw)
        raw = raw["position"]
    if not isinstance(raw, dict):
        raise BadInput("position", "a position must be an object")
    return raw


@bp.get("/position")
def type_position() -> str:
    """Type in a position from a table: a game that is half-way through goes on here."""
    system = new_game.find_system(store().systems, request.args.get("system", "galley"))
    return show_typed_position(system, {}, None)


def show_typed_position(system: System, form: Mapping[str, str], problem: BadInput | None) -> str:
    """The page of a typed position, with a refusal beside it."""
    return render_template(
        "lobby/position.html",
        system=system,
        systems=store().systems,
        form=form,
        example=EXAMPLE,
        written=form_value,
        problem=problem and in_language(problem),
    )


EXAMPLE = """{
  "board": {"kind": "hexes", "columns": 12, "rows": 9},
  "sides": {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage", "navy": "hellenistic"}},
  "ships": {
    "r1": {"side": "rome", "name": "Aquila", "type": "quinquereme", "at": [3, 1], "facing": "SE", "corvus": true},
    "c1": {"side": "carthage", "name": "Tanit", "type": "trireme", "at": [8, 0], "facing": "SW", "damage": 2}
  }
}"""


# Seats -------------------------------------------------------------------------------------------------


@bp.get("/seats/<game>")
def seats(game: str) -> str:
    """A game's seats, for its umpire and for the organizer of this server: links, names, what everybody may see."""
    found = store().game(game)
    state = store().load(game).state
    must_give(game)
    is_umpire = holds_umpire(game)
    return render_template(
        "lobby/seats.html",
        game=found.for_seat(UMPIRE if is_umpire else SPECTATOR),
        seats=links(game),
        demo=False,
        seat_word=seat_word,
        is_umpire=is_umpire,
        has_models=isinstance(state, Battle) and not state.has_hexes,
        root=root(),
        qr=qr,
    )


@bp.post("/seats/<game>")
def change_seat(game: str) -> ResponseReturnValue:
    """Give a seat a new link (the old one is withdrawn), withdraw it, or write who sits there."""
    store().game(game)
    must_give(game)
    seat = request.form.get("seat", "")
    must_exist(seat, game)
    match request.form.get("act", "reissue"):
        case "reissue":
            keep_renewed(game, seat, store().reissue(game, seat))
        case "withdraw" if seat != UMPIRE:
            store().withdraw(game, seat)
        case "name":
            store().name_seat(game, seat, request.form.get("name", ""))
    return redirect(f"/seats/{game}#seat-{seat}", 303)


def must_give(game: str) -> None:
    """Aborts with 403 for a browser that may not give out the game's seats."""
    if not holds_umpire(game) and not is_organizer():
        abort(403, _("Only the umpire of this game, or the organizer of this server, gives out its seats."))


# The fleet builder -------------------------------------------------------------------------------------


@bp.get("/fleets")
def fleets() -> str:
    """The fleet builder."""
    return builder(first_form())


@bp.post("/fleets")
def build() -> ResponseReturnValue:
    """Propose a nation's fleet, or draw up the fleets that were chosen."""
    form: dict[str, str] = request.form.to_dict()
    wish = form.pop("do", "draw")
    wanted = None
    try:
        if wish == OWN:
            return builder(fleet_of_own(form))
        if wish.startswith("propose."):
            return builder(with_proposal(form, wish.partition(".")[2]))
        if wish.startswith(("more.", "less.")):
            return builder(step(form, wish))
        if wish == "names":
            form["seed"] = str((whole(form, "seed", 0) + 1) % 1_000_000)
        wanted = fleets_of(form)
        found = position(wanted)
        battle = read_position(found, {})
    except BadInput as problem:
        return builder(form, BadInput(in_form(wanted, problem.path), problem.reason)), 422
    drawn = still(battle, _("The board at the start")) if battle.has_places else None
    return builder(form, None, found, drawn, forecast_of(form, found) if wish == "draw" else "")


def forecast_of(form: Mapping[str, str], position: dict[str, Any]) -> str:
    """A forecast of the fleets that were drawn up, begun where their worth leaves too much open; its id, or nothing."""
    fleets = [ships_worth(form, place) for place in PLACES]
    even = WORTH.chance(*fleets) if all(fleets) else None
    is_unsure = even is not None and even.high - even.low > UNSURE
    if not is_unsure or not current_app.config.setdefault("FORECAST_FLEETS", not current_app.testing):
        return ""
    title = " – ".join(side["name"] for side in position["sides"].values())
    try:
        return begin_forecast(ForecastWanted(battles=FORECAST), position, title)
    except (Barred, Refused, TooMany):
        return ""  # a button stands where it would have been


def builder(
    form: Mapping[str, str],
    problem: BadInput | None = None,
    found: dict[str, Any] | None = None,
    drawn: Markup | None = None,
    forecast: str = "",
) -> str:
    """The builder's page, with a refusal or with the fleets drawn up."""
    fleets = [ships_worth(form, place) for place in PLACES]
    values = {place: WORTH.fleet(ships) for place, ships in zip(PLACES, fleets, strict=True) if ships}
    return render_template(
        "lobby/fleets.html",
        values=values,
        even=WORTH.chance(*fleets) if all(fleets) else None,
        worth=WORTH,
        rowers=rowers_said(),
        level_name=level_name,
        form=form,
        problem=problem and in_language(problem),
        where=field_text(problem.path) if problem else "",
        lacks=lacks,
        ship_picture=ship_picture,
        position=found,
        text=msgspec.json.encode(found).decode() if found is not None else "",
        drawn=drawn,
        forecast=forecast,
        nations=NATIONS,
        types=TYPES,
        crews=tuple(CREWS),
        coasts=COASTS,
        places=PLACES,
        figures=FIGURES,
    )
