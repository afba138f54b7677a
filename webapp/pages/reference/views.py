"""The reference pages, the handbooks, and the web app without a network."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext as _l
from markupsafe import Markup, escape

import data
from tactical.battle import Battle
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, Input, Reason, encode
from tactical.odds import Calculator
from tactical.setup import all_scenarios
from webapp.api.views import address, calculator, calculators
from webapp.http.forms import in_language
from webapp.http.language import gettext as _
from webapp.http.rate_limit import reckon_apart
from webapp.pages.battle.board import about, still
from webapp.pages.frame import reference_blueprint
from webapp.pages.reference import odds as reference_odds
from webapp.pages.reference import tables as reference_tables
from webapp.pages.reference.books import (
    SYSTEMS,
    Book,
    Paragraph,
    book_in_language,
    books,
    books_in_language,
    case_in_language,
    cases_in_language,
    chapters_in_language,
    find,
    pieces_with_links,
    reading,
    search,
)
from webapp.pages.reference.books import index as search_index
from webapp.pages.reference.cases import (
    GALLEY,
    LINKING,
    Case,
    cases,
    citing,
    disagreements,
    engine,
    first_position,
    flat,
    maps,
    play_case,
    told_fields,
    with_cases,
)
from webapp.pages.reference.tables import play_box, tables
from webapp.presenting.labels import chapter_word, grids_in_words, system_word
from webapp.presenting.map.placement import leader_text
from webapp.presenting.map.sheet import is_city
from webapp.presenting.map.sheet import path as map_path
from webapp.presenting.refusals import refusal_text

# -- The pages of the adjudication catalogue.

cases_bp = reference_blueprint("cases")


@cases_bp.get("/cases")
@cases_bp.get("/cases/<system>")
def catalogue(system: str = GALLEY) -> str:
    """All cases of a system by chapter."""
    if system not in with_cases():
        abort(404, _("There are no cases for that system."))
    titles = {name: system_word(name) for name in with_cases()}
    return render_template(
        "reference/cases.html",
        chapters=chapters_in_language(system),
        count=len(cases(system)),
        system=system,
        base=base(system),
        titles=titles,
        bases={name: base(name) for name in titles},
    )


@cases_bp.get("/cases/<int:number>")
@cases_bp.get("/cases/<system>/<int:number>")
def case_page(number: int, system: str = GALLEY) -> str:
    """One case: its picture before and after, the commands with their dice, and what the rules give."""
    case = case_or_404(number, system)
    before, after = first_position(case, system), play_case(case, system)[0]
    rules, told = engine(case, system), cases_in_language(system)
    is_board = rules.name == GALLEY
    boards = pictures(before, after) if is_board else (None, None)
    grounds = (None, None) if is_board else maps(case, rules, before, after)
    return render_template(
        "reference/case.html",
        case=case_in_language(case, system),
        system=system,
        base=base(system),
        boards=boards,
        grounds=grounds,
        map_path=map_path,
        is_city=is_city,
        leader_text=leader_text,
        expected=expectations(case),
        told=told_fields,
        player=rules.name,
        of_link=system == LINKING,
        conforms=not disagreements(case, system),
        previous=told.get(number - 1),
        following=told.get(number + 1),
    )


def pictures(before: Battle, after: Battle) -> tuple[Markup | None, Markup | None]:
    """The galleys' board before and after, both cut to the same part; none on the players' own table."""
    if not before.has_places:
        return None, None
    box = about((before, after))
    return (
        still(before, _("The position before the first command"), box, "id"),
        still(after, _("The position after the last command"), box, "id", hulls=()),
    )


def expectations(case: Case) -> list[tuple[str, str]]:
    """What the rules give: of the state, and of the battle or outcome that a case of the link tells."""
    return [
        *flat(case.expect),
        *(flat(case.battle, "battle") if case.battle else ()),
        *(flat(case.outcome, "outcome") if case.outcome else ()),
    ]


@cases_bp.get("/cases/<int:number>.json")
@cases_bp.get("/cases/<system>/<int:number>.json")
def case_file(number: int, system: str = GALLEY) -> Response:
    """One case as data, for another program to run."""
    return Response(json.dumps(json.loads(encode(case_or_404(number, system))), indent=2), mimetype="application/json")


@cases_bp.get("/cases.json")
@cases_bp.get("/cases/<system>.json")
def catalogue_file(system: str = GALLEY) -> Response:
    """The whole catalogue of a system as data."""
    if system not in with_cases():
        abort(404, _("There are no cases for that system."))
    return Response(encode(list(cases(system).values())), mimetype="application/json")


def base(system: str) -> str:
    """Where a system's cases are; the galley's, which came first, at the root."""
    return "/cases" if system == GALLEY else f"/cases/{system}"


def case_or_404(number: int, system: str) -> Case:
    """The case of that number; 404 when there is none."""
    found = cases(system).get(number) if system in with_cases() else None
    if found is None:
        abort(404, _("There is no case of that number."))
    return found


# -- The handbooks for players, umpires and organizers: steps with pictures, which tools/handbook.py walks and takes.

handbooks_bp = reference_blueprint("handbooks")
TITLES = {
    "player": _l("For players at the table"),
    "umpire": _l("For the umpire"),
    "organizer": _l("For the organizer"),
}


class Step(Input, frozen=True):
    """One step: what is done, and how it is told."""

    id: str
    title: str
    text: str


class Handbook(Input, frozen=True):
    """A handbook in one language."""

    step: tuple[Step, ...]


def handbook(who: str, language: str) -> Handbook:
    """The handbook for somebody in a language. Raises TableError for one that nobody has written."""
    return data.read(f"handbooks/{who}.toml" if language == "en" else f"handbooks/{who}.{language}.toml", Handbook)


@handbooks_bp.get("/handbook")
def handbooks() -> str:
    """The three handbooks."""
    return render_template("reference/handbooks.html", titles=TITLES)


@handbooks_bp.get("/handbook/<who>")
def handbook_page(who: str) -> str:
    """One handbook."""
    if who not in TITLES:
        abort(404)
    return render_template(
        "reference/handbook.html", who=who, title=TITLES[who], titles=TITLES, steps=handbook(who, reading()).step
    )


# -- The web app without a network: the manifest, the service worker, and the page of common odds.
#
# The worker keeps a public shell only: rules, tables, odds, cases, styles and scripts. Pages of games and seats, forms
# that are sent, and streams never pass through it.

offline_bp = reference_blueprint("offline")
PUBLIC = ("/reference", "/odds", "/cases", "/static/", "/reference-files/", "/lobby-files/")
SHIPPED = (".toml", ".json", ".geojson", ".html", ".css", ".js", ".svg", ".py", ".mo")


@offline_bp.get("/odds/common")
def common() -> str:
    """The chances most asked for, all on one page."""
    return render_template(
        "reference/common.html",
        fights=reference_odds.fights(),
        rams=reference_odds.rams(),
        meetings=reference_odds.meetings(),
        volleys=reference_odds.volleys(),
        leaks=reference_odds.leaks(),
        hulls=reference_odds.HULLS,
        shots=reference_odds.SHOTS,
        later=reference_odds.LATER,
        sizes=reference_odds.CREW_SIZES,
    )


@offline_bp.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """What a tablet needs to install the app."""
    told = {
        "id": "/reference",
        "name": "Navarch",
        "short_name": "Navarch",
        "description": _("Galley battles and campaigns: rules, tables and odds, also without a network."),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f1e6",
        "theme_color": "#14303f",
        "icons": [
            {"src": url_for("static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
        ],
        "shortcuts": [
            {"name": _("Play"), "url": "/"},
            {"name": _("Reference"), "url": "/reference"},
            {"name": _("Odds"), "url": "/odds/common"},
        ],
    }
    answer = current_app.json.response(told)
    answer.mimetype = "application/manifest+json"
    return answer


@offline_bp.get("/sw.js")
def service_worker() -> Response:
    """The service worker with its version and the list of what it keeps."""
    text = render_template("reference/sw.js", version=version(), shell=shell(), public=PUBLIC)
    answer = Response(text, mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@offline_bp.get("/reference/words.json")
def words() -> ResponseReturnValue:
    """What the service worker searches without a network, in the language of the page; its texts are HTML."""
    found = search_index(reading())
    paragraphs = [(system, escape(number), escape(title)) for system, number, title in found.paragraphs]
    nothing = escape(_("Nothing found."))
    return current_app.json.response({"words": found.words, "paragraphs": paragraphs, "nothing": nothing})


def shell() -> list[str]:
    """The addresses that are kept from the first visit on: no game, no seat, nothing of one reader's."""
    found = ["/no-network", "/reference", "/reference/words.json", "/odds", "/odds/common", "/odds/surprises", "/cases"]
    found += [f"/reference/{each.system}" for each in books()]
    found += [f"/reference/galley/table/{name}" for name in tables()]
    styles = ("app.css", "ships.css", "htmx.min.js", "app.js", "morph.js", "icons.svg", "icon.svg")
    found += [url_for("static", filename=name) for name in styles]
    found += [url_for("lobby.static", filename=name) for name in ("lobby.css", "start.css")]
    found += [
        url_for("reference.static", filename=name)
        for name in ("reference.css", "picture.css", "offline.js", "common.js")
    ]
    return found


@cache
def version() -> str:
    """A hash of everything that is shipped: a new release has a new cache, and the old one is dropped."""
    mark = hashlib.sha256()
    for folder in (data.ROOT, Path(__file__).parents[2], Path(__file__).parents[3] / "tactical"):
        for path in sorted(folder.rglob("*")):
            if path.suffix in SHIPPED:
                mark.update(path.name.encode() + path.read_bytes())
    return mark.hexdigest()[:16]


# -- The reference pages and the calculators' pages: everything from the data and the functions of the engines.

# The books ---------------------------------------------------------------------------------------------


bp = reference_blueprint("reference", static_folder="static", static_url_path="/reference-files")


@bp.get("/reference")
def index() -> str:
    """The books, what is played of each, and the search over all of them."""
    wanted = request.args.get("q", "").strip()
    counts = {each.system: counts_of(each) for each in books()}
    return render_template(
        "reference/index.html",
        books=books_in_language(),
        counts=counts,
        wanted=wanted,
        found=search(wanted, language=reading()),
        linked=pieces_with_links,
    )


def counts_of(found: Book) -> dict[str, int]:
    """How many paragraphs of a book are done, manual and later."""
    statuses = [each.status for each in found.by_id.values()]
    return {status: statuses.count(status) for status in ("done", "manual", "later")}


def book_or_404(system: str) -> Book:
    """The book of a system; 404 when there is none."""
    if system not in SYSTEMS or system not in {each.system for each in books()}:
        abort(404, _("There is no rule book of that name."))
    return book_in_language(system)


@bp.get("/reference/<system>")
def system_page(system: str) -> str:
    """One book: the sequence of play, every table, every chapter; the tables that matter now first."""
    found = book_or_404(system)
    step, ship = request.args.get("step", ""), request.args.get("ship", "")
    shown = reference_tables.needed_first(step) if system == "galley" else []
    now = len(reference_tables.NEEDED.get(step, ())) if system == "galley" else 0
    wanted = request.args.get("q", "").strip()
    return render_template(
        "reference/system.html",
        book=found,
        boxes=play_box(system),
        tables=shown,
        now=now,
        step=step,
        ship=ship,
        grids=grids_in_words(system) if system != "galley" else (),
        wanted=wanted,
        found=search(wanted, system, reading()),
        calculators=[each for each in calculators() if each.system == system],
        linked=pieces_with_links,
    )


@bp.get("/reference/<system>/table/<name>")
def table_page(system: str, name: str) -> str:
    """One table alone."""
    book_or_404(system)
    one = reference_tables.tables().get(name) if system == "galley" else None
    grid = next((each for each in grids_in_words(system) if each.id == name), None) if system != "galley" else None
    if one is None and grid is None:
        abort(404, _("There is no table of that name."))
    return render_template(
        "reference/table.html", system=system, table=one, grid=grid, ship=request.args.get("ship", "")
    )


@bp.get("/reference/<system>/<number>")
def paragraph_page(system: str, number: str) -> ResponseReturnValue:
    """One paragraph; a number that another book has, or a part of one that is divided otherwise, leads there."""
    found = find(system, number)
    if found is None:
        abort(404, _("There is no paragraph %(number)s.", number=number))
    if found != (system, number):
        return redirect(f"/reference/{found[0]}/{found[1]}", 302)
    here = book_in_language(system)
    before, after = here.beside(number)
    return render_template(
        "reference/paragraph.html",
        book=here,
        paragraph=here.by_id[number],
        before=before,
        after=after,
        chapter=chapter_word(system, here.chapter_of(number)),
        linked=pieces_with_links,
        related=related_tables(system, here.by_id[number]),
        grids=[each for each in grids_in_words(system) if system != "galley" and belongs(each.cite, number)],
        calculators=[each for each in calculators() if each.system == system and belongs_any(each.cites, number)],
        cases=[case_in_language(case, system) for case in citing(number, system)],
        case_base=base(system),
    )


def related_tables(system: str, paragraph: Paragraph) -> list[reference_tables.Table]:
    """The tables that a paragraph is about."""
    if system != "galley":
        return []
    return [table for table in reference_tables.tables().values() if belongs(table.cite, paragraph.id)]


def belongs(cite: str, number: str) -> bool:
    """Is a table of this paragraph: the same, or a part of it, or the whole of it?"""
    return bool(cite) and (cite == number or number.startswith(f"{cite}.") or cite.startswith(f"{number}."))


def belongs_any(cites: tuple[str, ...], number: str) -> bool:
    """Does any of these paragraphs belong to it?"""
    return any(belongs(cite, number) for cite in cites)


# Odds --------------------------------------------------------------------------------------------------


@bp.get("/odds")
def odds() -> str:
    """The calculators."""
    return render_template("reference/odds.html", calculators=calculators(), page=page)


@bp.get("/odds/surprises")
def surprises() -> str:
    """What players seldom guess, from the rules' own odds and from battles that were fought beforehand."""
    return render_template(
        "reference/surprises.html",
        surprises=reference_odds.surprises(),
        battles=[(each, said) for each in all_scenarios().values() if (said := reference_odds.battles_said(each.id))],
    )


@bp.get("/odds/<name>")
@reckon_apart("odds")
def galley_odds(name: str) -> ResponseReturnValue:
    """A calculator of the galley rules."""
    return calculator_page(calculator("galley", name))


@bp.get("/odds/<system>/<name>")
@reckon_apart("odds")
def system_odds(system: str, name: str) -> ResponseReturnValue:
    """A calculator of any system."""
    return calculator_page(calculator(system, name))


def page(each: Calculator) -> str:
    """The address of a calculator's page."""
    return address(each).removeprefix("/api/v1")


def calculator_page(each: Calculator) -> ResponseReturnValue:
    """The form, and below it the result or the refusal; of the calculator's own example before anybody has asked."""
    query = request.args.to_dict()
    asked = reference_odds.parameters(each, query)
    problem: BadInput | Illegal | None = None
    parts: list[reference_odds.Part] = []
    values: dict[str, Any] = {}
    try:
        values = each.read(asked) if asked else defaults(each)
        parts = reference_odds.parts(each.run(**values))
    except BadInput as fault:
        problem = in_language(fault)
    except Illegal as fault:
        problem = Illegal(fault.rule, Reason(refusal_text(each.system, fault.why)))
    fields = [(field, reference_odds.field_value(field, values or defaults(each), query)) for field in each.fields]
    status = 200 if problem is None else 422 if isinstance(problem, Illegal) else 400
    template = render_template(
        "reference/calculator.html",
        calculator=each,
        fields=fields,
        problem=problem,
        parts=parts,
        page=page(each),
    )
    return template, status


def defaults(each: Calculator) -> dict[str, Any]:
    """What the form shows before anybody has asked: the calculator's own example."""
    example = dict(part.split("=", 1) for part in each.example.split("&"))
    return each.read(example)
