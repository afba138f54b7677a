"""The pages of captains: playing alone, hints, seats handed over, forecasts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec import Meta

from tactical.battle import Battle
from tactical.captains import LEVELS, MINDS, TEMPERS, Orders
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal
from tactical.kernel.record import BadInput, Reason
from tactical.setup import all_scenarios
from webapp.captains import api, forecasts, hints, seats
from webapp.captains.forecasts import keep_sample, rows, start_of
from webapp.captains.hints import Names, explanation, hint_for
from webapp.captains.matches import csv_of, opening
from webapp.http.forms import in_language, read_input
from webapp.http.rate_limit import slow_down
from webapp.http.seats import REFUSALS, current_seat, remember, store
from webapp.pages import lobby
from webapp.pages.campaign.offers import in_words
from webapp.presenting.campaign_labels import command_title, way_word
from webapp.presenting.labels import translate, type_word
from webapp.presenting.refusals import TEMPERS as TEMPER_WORDS
from webapp.presenting.refusals import Flash, flash_of, level_name, refusal_text
from webapp.storage.errors import Barred, Refused, Unknown
from webapp.storage.journal.records import Table

# -- A command in words, as a hint or an explanation shows it.

APART = ("type", "side", "engagement")  # fields that say nothing to a reader
Writer = Callable[[dict[str, Any]], str]
TURNS: dict[str, Writer] = {
    "left": lambda it: _("%(ship)s: turn left and go on", **it),
    "right": lambda it: _("%(ship)s: turn right and go on", **it),
    "none": lambda it: _("%(ship)s: straight on", **it),
}
WRITERS: dict[str, Writer] = {
    "plot": lambda it: _("%(ship)s: speed %(speed)s", **it),
    "lock": lambda it: _("Lock the plots", **it),
    "fire": lambda it: _("%(ship)s: fire at %(target)s (%(count)s)", **it),
    "ram": lambda it: _("%(ship)s: ram", **it),
    "rake": lambda it: _("%(ship)s: break the oars", **it),
    "hold": lambda it: _("%(ship)s: hold", **it),
    "board": lambda it: _("%(ship)s: board %(target)s", **it),
    "done": lambda it: _("Nothing more in this step", **it),
    "finish": lambda it: _("%(ship)s: nothing more in this step", **it),
    "forgo": lambda it: _("Hold fire this turn", **it) if it["step"] == "fire" else _("Board no ship this turn", **it),
    "agree": lambda it: _("Agree to end the battle", **it),
    "keep": lambda it: _("Keep these dice", **it),
    "reroll": lambda it: _("Re-roll one die", **it),
    "evade": lambda it: _("Evade, and concede supremacy", **it),
}


def command_sentence(system: str, command: Mapping[str, Any], state: Any) -> str:
    """A command as a short sentence in the reader's language; `state` is what the reader sees."""
    kind = str(command.get("type", ""))
    if not isinstance(state, Battle):
        chosen = {name: value for name, value in command.items() if name not in APART}
        if "way" in chosen:
            chosen["way"] = way_word(chosen["way"])
        rest = in_words(system, chosen)
        title = command_title(system, kind)
        return f"{title}: {rest}" if rest else title
    names = Names(state)
    values = dict(command)
    for name in ("ship", "target"):
        if values.get(name):
            values[name] = names[values[name]]
    if kind == "step":
        return TURNS.get(str(command.get("turn") or ""), faces)(values)
    writer = WRITERS.get(kind)
    return writer(values) if writer else kind


def faces(it: dict[str, Any]) -> str:
    """G6.8 A ship that may face any way."""
    return _("%(ship)s: face %(facing)s and go on", ship=it["ship"], facing=it.get("facing", ""))


# -- The pages of captains: playing alone, hints, seats handed over, forecasts.

bp = Blueprint(
    "captains",
    __name__,
    template_folder="templates",
    static_folder="static/captains",
    static_url_path="/captains-files",
)
LATE, TRIES = 200, 6  # entries looked at for the reasons, and commands of captains among them
BATTLES = (20, 50, 100, 200, 500)


# What the battle's and the campaign's pages ask for ----------------------------------------------------------


@bp.app_template_global()
def captains_watch(game: str, seat: str, table: Table) -> dict[str, Any]:
    """The seats that captains hold, why the last of them moved as it did, and whether a hint may be asked for."""
    held = seats.held_in(store(), game)
    why = last_reasons(game, seat, table) if held else None
    view = table.view(seat)
    if why is not None:
        why["who"] = side_name(table.state, why["seat"])
        why["deed"] = command_sentence(table.game.system, why["command"], view)
    mine = seat in table.waiting_for or (seat == UMPIRE and not table.game.over)
    may = seat == UMPIRE or seats.may_ask_hints(store(), game)
    return {
        "held": [
            {
                "seat": each.seat,
                "level": level_name(each.orders.mind),
                "fault": each.fault,
                "name": side_name(table.state, each.seat),
                "mine": seat in (UMPIRE, each.seat),
            }
            for each in held
        ],
        "why": why,
        "hint": mine and may and seat != SPECTATOR and table.game.waiting is None and not table.game.over,
    }


@bp.app_template_global()
def captains_again(table: Table, seat: str) -> list[tuple[str, str, str]]:
    """How a battle against captains can be played again, from the same side or another: label, side and captain."""
    held = {each.seat: each.orders.mind for each in seats.held_in(store(), table.game.id)}
    sides = list(getattr(table.state, "sides", ()))
    known = all_scenarios().get(table.game.scenario or "")
    if known is None or not held or seat not in sides or set(sides) != set(known.sides):
        return []
    level = next(iter(held.values()))
    others = [(_("Change sides"), side, level) for side in sides if side != seat][:1]
    return [(_("Play again"), seat, level), *others]


def last_reasons(game: str, seat: str, table: Table) -> dict[str, Any] | None:
    """Why a captain gave its last command of which this seat may know.

    In a battle the turn must have ended: reasons that come sooner would say what the captain is about to do.
    """
    tells, tries = table.game.over or table.system.name != "galley", 0
    for entry in reversed(store().entries(game, max(0, table.game.version - LATE), seat=seat)):
        tells = tells or any(event.type == "turn" for event in entry.events)
        if not tells:
            continue
        try:
            return explanation(store(), game, seat, entry.number)
        except (Unknown, Barred):
            tries += 1
        if tries == TRIES:
            break
    return None


def side_name(state: Any, seat: str) -> str:
    """What a side is called."""
    sides = getattr(state, "sides", None)
    side = sides.get(seat) if isinstance(sides, dict) else None
    return translate(getattr(side, "name", "") or seat.replace("_", " ").title())


# Playing alone -----------------------------------------------------------------------------------------------


@bp.post("/play")
def play() -> ResponseReturnValue:
    """A new battle against a captain, from a scenario or a position: the player sits at the side that was chosen, the
    captain at all others."""
    slow_down("games")
    form = request.form
    scenario, own = all_scenarios().get(form.get("scenario", "")), None
    if scenario is None and not form.get("position"):
        raise Unknown(_("There is no such scenario."))
    try:
        own = lobby.position_text(form["position"]) if scenario is None else None
        start = opening(scenario.id if scenario else None, own)
    except (BadInput, Illegal) as fault:
        abort(400, lobby.as_bad_input(fault).reason)
    side = form.get("side") or next(iter(start.sides))
    chosen = captain_of(form)
    if side not in start.sides or chosen is None:
        raise Unknown(_("There is no such side or captain."))
    game, tokens = store().create("galley", scenario.id if scenario else None, own, {}, form.get("title", ""))
    lobby.keep(game, tokens)
    remember(next(each for each in store().seats(game.id) if each.id == side), tokens[side])
    for other in start.sides:
        if other != side:
            api.hand_over(game.id, UMPIRE, api.HandedOver(other, chosen.level, temper=chosen.temper))
    first = next((name for name, ship in start.ships.items() if ship.side == side), None)  # one tap gives her an order
    return redirect(url_for("game.page", game=game.id, seat=side, ship=first), 303)


def captain_of(form: Mapping[str, str]) -> Orders | None:
    """The captain that a form asks for by its level and temper; None where there is none."""
    level, temper = form.get("level", "able"), form.get("temper", "")
    return MINDS.get(f"{level}-{temper}" if temper else level)


@bp.app_template_global()
def captain_choices() -> dict[str, list[tuple[str, str]]]:
    """The levels and tempers that a form offers, each with its word."""
    tempers = [("", _("even")), *((temper, TEMPER_WORDS[temper]()) for temper in TEMPERS)]
    return {"level": [(level, level_name(level)) for level in LEVELS], "temper": tempers}


# Hints -------------------------------------------------------------------------------------------------------


@bp.post("/g/<game>/hint")
def hint(game: str) -> str:
    """What a captain would do now, with its reasons and what else it weighed; beside the table by HTMX."""
    seat = current_seat(game)
    table = store().load(game)
    found, refused = None, ""
    try:
        found = hint_for(store(), game, seat.id, captain_of(request.form) or MINDS["able"])
        view = table.view(seat.id)
        found["deed"] = command_sentence(table.game.system, found["command"], view)
        found["json"] = json.dumps(found["command"], separators=(",", ":"))
        for each in found["considered"]:
            each["deed"] = command_sentence(table.game.system, each["command"], view)
    except (Refused, Barred) as fault:
        refused = str(fault)
    part = "captains/_hint.html" if request.headers.get("HX-Request") else "captains/hint.html"
    return render_template(
        part, game=game, seat=seat.id, hint=found, refused=refused, version=table.game.newest(seat.id)
    )


# Seats -------------------------------------------------------------------------------------------------------


@bp.get("/g/<game>/captains")
def captains(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """Who plays each side, and whether hints are on."""
    seat = current_seat(game)
    table = store().load(game)
    held = {each.seat: each for each in seats.held_in(store(), game)}
    shown = [
        {"id": side, "name": side_name(table.state, side), "held": held.get(side), "mine": seat.id in (UMPIRE, side)}
        for side in table.sides
    ]
    body = render_template(
        "captains/captains.html",
        flash=flash,
        game=game,
        seat=seat.id,
        title=translate(table.game.title),
        sides=shown,
        level_name=level_name,
        hints=seats.may_ask_hints(store(), game),
        has_tempers=table.game.system == "galley",
        squadrons=squadrons(table.state, [side for side in table.sides if seat.id in (UMPIRE, side)]),
    )
    return body, flash.status if flash else 200


def squadrons(state: Any, sides: list[str]) -> dict[str, list[str]]:
    """The squadrons of these sides, whose roles a captain can be told."""
    ships = getattr(state, "ships", None)
    if not isinstance(ships, dict):
        return {}
    named = {(ship.side, ship.squadron) for ship in ships.values() if getattr(ship, "squadron", None)}
    return {side: sorted(squadron for owner, squadron in named if owner == side) for side in sides}


@bp.post("/g/<game>/captains")
def change(game: str) -> ResponseReturnValue:
    """Hand a seat over, take it back, or turn hints on and off."""
    try:
        (api.hints if request.form.get("act") == "hints" else api.hand)(game)
    except REFUSALS as fault:
        return captains(game, flash_of(fault))
    page = "game.page" if request.form.get("back") == "table" else "captains.captains"
    return redirect(url_for(page, game=game, seat=current_seat(game).id), 303)


# Forecasts ---------------------------------------------------------------------------------------------------


@bp.get("/forecast")
def forecast() -> ResponseReturnValue:
    """What to forecast: a scenario, or a game in which this browser has a seat: a battle, or a meeting of fleets."""
    return form(request.args.to_dict())


def form(fields: dict[str, str], problem: BadInput | Refused | None = None, status: int = 200) -> ResponseReturnValue:
    """The form, with the fleets of the game that is asked about, or with a refusal."""
    fleets: dict[str, list[str]] = {}
    if problem is None and fields.get("game"):
        try:
            start = start_of(store(), current_seat(fields["game"]).id, fields["game"], None, None, {})
            for side in start.sides:
                afloat = Counter(ship.type for ship in start.ships.values() if ship.side == side and ship.is_afloat)
                fleets[side_name(start, side)] = [f"{count} × {type_word(kind)}" for kind, count in afloat.items()]
        except (BadInput, Refused) as fault:
            problem, status = fault, 422
    return render_template(
        "captains/forecast_form.html",
        form=fields,
        problem=problem,
        fleets=fleets,
        scenarios=all_scenarios().values(),
        levels=LEVELS,
        level_name=level_name,
        numbers=BATTLES,
    ), status


class FormWanted(api.Wanted, frozen=True):
    """The form's: a position is JSON in a field of its own, and may have a title."""

    position: str = ""
    title: Annotated[str, Meta(max_length=200)] = ""


@bp.post("/forecast")
def begin() -> ResponseReturnValue:
    """Begin a forecast."""
    try:
        wanted = read_input(FormWanted)
        position = lobby.position_text(wanted.position) if wanted.position else None
        name = api.begin(wanted, position, wanted.title)
    except BadInput as fault:
        return form(request.form.to_dict(), in_language(fault), 422)
    except (Refused, Illegal) as fault:
        return form(request.form.to_dict(), Refused(Reason(refusal_text("galley", fault.why)), fault.rule), 422)
    return redirect(url_for("captains.result", name=name), 303)


@bp.get("/forecast/<name>")
def result(name: str) -> ResponseReturnValue:
    """A forecast as it stands; while it runs the page asks again."""
    found = api.jobs().look(name)
    if request.args.get("format") == "csv":
        return Response(csv_of(rows(found.start, found.results)), mimetype="text/csv")
    summary, scenario = found.summary(), all_scenarios().get(found.title)
    part = "captains/_forecast.html" if request.headers.get("HX-Request") else "captains/forecast.html"
    return render_template(
        part,
        found=found,
        brief=request.args.get("brief"),
        summary=summary,
        title=translate(scenario.title if scenario else found.title),
        percent=hints.percent,
        level_name=level_name,
        side_name=lambda side: side_name(found.start, side),
        chances=forecasts.chances(found.start, summary, lambda side: side_name(found.start, side)),
        losses={side: forecasts.bars(spread.distribution) for side, spread in summary.losses.items()},
        turns=forecasts.bars(summary.turns.distribution),
        margin=forecasts.bars(summary.margin),
    )


@bp.post("/forecast/<name>/stop")
def stop(name: str) -> ResponseReturnValue:
    """Stop a forecast."""
    api.jobs().stop(name)
    return redirect(url_for("captains.result", name=name), 303)


@bp.post("/forecast/<name>/sample")
def sample(name: str) -> ResponseReturnValue:
    """Keep a sample as a game, and go to its replay."""
    slow_down("games")
    game, tokens = keep_sample(store(), api.jobs().look(name), request.form.get("kind", ""))
    lobby.keep(game, tokens)
    return redirect(url_for("game.log", game=game.id, seat=UMPIRE), 303)
