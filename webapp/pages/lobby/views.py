"""The start page, and every way to begin or rejoin a game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request
from flask.typing import ResponseReturnValue

from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal, System
from tactical.kernel.reason import Reason
from tactical.kernel.record import BadInput
from tactical.position import read_position
from tactical.setup import all_scenarios
from tactical.ship import CREWS, FIGURES, TYPES
from tactical.waters import COASTS
from webapp.api.errors import answer, answer_in_json
from webapp.api.fleets import NATIONS, FleetsDrawn, FleetsWanted, position
from webapp.http.addresses import seat_path
from webapp.http.input_words import in_language
from webapp.http.language import gettext as _
from webapp.http.organizer import allow_new_game
from webapp.http.request_body import body, parse
from webapp.http.seats import store
from webapp.pages.lobby import builder_words, forms, links, tiles
from webapp.pages.lobby.fleet_values import TABLE, balance, worth
from webapp.pages.reference.picture import Picture, picture
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.labels import words
from webapp.presenting.refusals import refusal_text
from webapp.presenting.small_board import small_ships
from webapp.presenting.small_map import small_map, tile
from webapp.storage.errors import Unknown
from webapp.storage.journal import new_game
from webapp.storage.services.clocks import set_clocks

bp = Blueprint("lobby", __name__, template_folder="templates", static_folder="static", static_url_path="/lobby-files")
api = Blueprint("fleets", __name__, url_prefix="/api/v1")
answer_in_json(api)
bp.context_processor(words)
bp.add_app_template_global(forms.first, "first_choice")
bp.add_app_template_global(links.stay_here, "links_stay_here")
bp.add_app_template_global(small_map, "small_map")
bp.add_app_template_global(tile, "campaign_tile")
HERO = "mylae"  # the battle of the large picture
ON_START = 6  # battles on the start page
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
    going = tiles.games_going_on()
    battles = tiles.battle_tiles()[:ON_START]
    hero = tiles.picture_of(HERO, 76, 0.075)
    ships = {*hero.ships, *(each for it in going[: tiles.SHOWN] for each in it.ships)}
    ships |= {each for it in battles for each in tiles.picture_of(it.scenario.id).ships}
    return render_template(
        "lobby/start.html",
        battles=battles,
        count=len(all_scenarios()),
        campaigns=campaigns_here(),
        going=going,
        begin_here=tiles.ways_to_begin(),
        hero=hero.svg,
        first=next((each for each in all_scenarios().values() if each.teaching), None),
        ships=small_ships(ships),
        kinds=ships,
    )


def campaigns_here() -> list[System]:
    """The campaign systems of this server."""
    return [system for name, system in store().systems.items() if name != "galley"]


@bp.get("/battles")
def battles() -> str:
    """Every battle, fleets of one's own, a position by hand, the demo."""
    found = tiles.battle_tiles()
    ships = {each for it in found for each in tiles.picture_of(it.scenario.id).ships}
    return render_template("lobby/battles.html", battles=found, ships=small_ships(ships), demos=demos())


@bp.get("/campaigns")
def campaigns() -> str:
    """Every campaign with its beginnings, a campaign by hand, a season, the demo."""
    return render_template("lobby/campaigns.html", campaigns=campaigns_here(), demos=demos())


@bp.get("/games")
def games() -> str:
    """All games that this browser holds a seat in."""
    going = tiles.games_going_on()
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
    seats = links.links_of(found["game"], found["tokens"])
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
    small = tiles.picture_of(scenario) if own and own.board.kind != "table" else None
    return render_template(
        "lobby/set_up.html",
        system=system,
        scenario=known[scenario],
        own=own,
        small=small and small_ships(small.ships) + small.svg,
        form=form or {},
        written=forms.form_value,
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
        options = forms.options_of(system, form)
        rule = forms.clock_of(form) if system.name == "galley" else None
        title = form.get("title", "")
        dice = "physical" if form.get("dice") == "physical" else "digital"
        game, tokens = store().create(system.name, scenario, raw, options, title, dice)
    except (BadInput, Illegal) as fault:
        problem = fault if isinstance(fault, BadInput) else bar(system, fault)
        if scenario is not None:
            return set_up(system, scenario, form, problem), 400
        return show_typed_position(system, form, problem), 400
    if rule is not None:
        set_clocks(store(), game.id, rule)
    links.keep(game, tokens)
    return redirect(f"/seats/{game.id}", 303)


def bar(system: System, fault: Illegal) -> BadInput:
    """A position that a rule forbids."""
    return BadInput("position", Reason(f"{refusal_text(system.name, fault.why)} ({fault.rule})"))


def position_text(text: str) -> Any:
    """What was typed in as JSON; BadInput says where it is not."""
    if not text.strip():
        raise BadInput("position", "type or paste a position")
    raw = parse(text.encode("utf-8", "surrogatepass"))
    if isinstance(raw, dict) and isinstance(raw.get("position"), dict):
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
        written=forms.form_value,
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
    """The links of a game's seats, for its umpire and for the organizer of this server."""
    found = store().game(game)
    if not links.may_give(game):
        abort(403, _("Only the umpire of this game, or the organizer of this server, gives out its seats."))
    is_umpire = links.is_umpire(game)
    return render_template(
        "lobby/seats.html",
        game=found.for_seat(UMPIRE if is_umpire else SPECTATOR),
        seats=links.links(game),
        demo=False,
        seat_word=seat_word,
        is_umpire=is_umpire,
    )


@bp.post("/seats/<game>")
def renew(game: str) -> ResponseReturnValue:
    """Withdraw a seat's link and give a new one."""
    store().game(game)
    if not links.may_give(game):
        abort(403, _("Only the umpire of this game, or the organizer of this server, gives out its seats."))
    seat = request.form.get("seat", "")
    token = store().reissue(game, seat)
    links.renew(game, seat, token)
    return redirect(f"/seats/{game}", 303)


# The fleet builder -------------------------------------------------------------------------------------


@bp.get("/fleets")
def fleets() -> str:
    """The fleet builder."""
    return builder(forms.first_form())


@bp.post("/fleets")
def build() -> ResponseReturnValue:
    """Propose a nation's fleet, or draw up the fleets that were chosen."""
    form: dict[str, str] = request.form.to_dict()
    wish = form.pop("do", "draw")
    wanted = None
    try:
        if wish.startswith("propose."):
            return builder(forms.with_proposal(form, wish.partition(".")[2]))
        if wish.startswith(("more.", "less.")):
            return builder(forms.step(form, wish))
        if wish == "names":
            form["seed"] = str((forms.whole(form, "seed", 0) + 1) % 1_000_000)
        wanted = forms.fleets_of(form)
        found, text = forms.preview(wanted)
        battle = read_position(found, {})
    except BadInput as problem:
        return builder(form, BadInput(builder_words.in_form(wanted, problem.path), problem.reason)), 422
    return builder(form, None, found, text, picture(battle, whole=True, labels=False))


def builder(
    form: Mapping[str, str],
    problem: BadInput | None = None,
    found: dict[str, Any] | None = None,
    text: str = "",
    drawn: Picture | None = None,
) -> str:
    """The builder's page, with a refusal or with the fleets drawn up."""
    fleets = [forms.types_of(form, place) for place in forms.PLACES]
    values = {place: worth(types) for place, types in zip(forms.PLACES, fleets, strict=True) if types}
    even = balance(*fleets) if all(fleets) else None
    return render_template(
        "lobby/fleets.html",
        values=values,
        even=even,
        fought=TABLE.battles,
        form=form,
        problem=problem and in_language(problem),
        where=builder_words.field_text(problem.path) if problem else "",
        lacks=builder_words.lacks,
        ship_picture=builder_words.ship_picture,
        position=found,
        text=text,
        drawn=drawn,
        nations=NATIONS,
        types=TYPES,
        crews=tuple(CREWS),
        coasts=COASTS,
        places=forms.PLACES,
        figures=FIGURES,
    )
