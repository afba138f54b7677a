"""The reference pages and the calculators' pages: everything from the data and the functions of the engines."""

from __future__ import annotations

from typing import Any

from flask import abort, redirect, render_template, request
from flask.typing import ResponseReturnValue

from tactical.kernel.protocol import Illegal
from tactical.kernel.reason import Reason
from tactical.kernel.record import BadInput
from tactical.odds.calculator import Calculator
from webapp.api.odds import address, calculator, calculators
from webapp.http.input_words import in_language
from webapp.http.language import gettext as _
from webapp.http.rate_limit import reckon_apart
from webapp.pages.reference import calculator_form, tables
from webapp.pages.reference.blueprint import reference_blueprint
from webapp.pages.reference.books import SYSTEMS, Book, Paragraph, books, find, pieces_with_links
from webapp.pages.reference.case_pages import base
from webapp.pages.reference.cases import citing
from webapp.pages.reference.search import search
from webapp.pages.reference.sequence_card import play_box
from webapp.pages.reference.told import book_in_language, books_in_language, case_in_language, reading
from webapp.presenting.data_words import chapter_word, grids_in_words
from webapp.presenting.refusals import refusal_text

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
    shown = tables.needed_first(step) if system == "galley" else []
    now = len(tables.NEEDED.get(step, ())) if system == "galley" else 0
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
        counts=counts_of(found),
        linked=pieces_with_links,
    )


@bp.get("/reference/<system>/table/<name>")
def table_page(system: str, name: str) -> str:
    """One table alone."""
    book_or_404(system)
    one = tables.tables().get(name) if system == "galley" else None
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


def related_tables(system: str, paragraph: Paragraph) -> list[tables.Table]:
    """The tables that a paragraph is about."""
    if system != "galley":
        return []
    return [table for table in tables.tables().values() if belongs(table.cite, paragraph.id)]


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
    """The form, and below it the result or the refusal."""
    query = request.args.to_dict()
    asked = calculator_form.parameters(each, query)
    problem: BadInput | Illegal | None = None
    parts: list[calculator_form.Part] = []
    values: dict[str, Any] = {}
    if asked:
        try:
            values = each.read(asked)
            parts = calculator_form.parts(each.run(**values))
        except BadInput as fault:
            problem = in_language(fault)
        except Illegal as fault:
            problem = Illegal(fault.rule, Reason(refusal_text(each.system, fault.why)))
    fields = [(field, calculator_form.field_value(field, values or defaults(each), query)) for field in each.fields]
    status = 200 if problem is None else 422 if isinstance(problem, Illegal) else 400
    template = render_template(
        "reference/calculator.html",
        calculator=each,
        fields=fields,
        problem=problem,
        parts=parts,
        address=address(each),
        page=page(each),
        asked=asked,
    )
    return template, status


def defaults(each: Calculator) -> dict[str, Any]:
    """What the form shows before anybody has asked: the calculator's own example."""
    example = dict(part.split("=", 1) for part in each.example.split("&"))
    return each.read(example)
