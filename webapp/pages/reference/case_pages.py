"""The pages of the adjudication catalogue."""

from __future__ import annotations

import json

from flask import Response, abort, render_template

from tactical.battle import Battle
from tactical.kernel.record import encode
from webapp.http.language import gettext as _
from webapp.pages.reference.blueprint import reference_blueprint
from webapp.pages.reference.case_map import maps
from webapp.pages.reference.cases import (
    GALLEY,
    LINKING,
    Case,
    cases,
    disagreements,
    engine,
    first_position,
    flat,
    play_case,
    told_fields,
    with_cases,
)
from webapp.pages.reference.picture import Picture, picture
from webapp.pages.reference.told import case_in_language, cases_in_language, chapters_in_language
from webapp.presenting.labels import system_word

bp = reference_blueprint("cases")


@bp.get("/cases")
@bp.get("/cases/<system>")
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


@bp.get("/cases/<int:number>")
@bp.get("/cases/<system>/<int:number>")
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
        expected=expectations(case),
        told=told_fields,
        player=rules.name,
        of_link=system == LINKING,
        conforms=not disagreements(case, system),
        previous=told.get(number - 1),
        following=told.get(number + 1),
    )


def pictures(before: Battle, after: Battle) -> tuple[Picture | None, Picture | None]:
    """The galleys' board before and after; none on the players' own table."""
    if not before.has_places:
        return None, None
    return (
        picture(before, also=[ship.at for ship in after.ships.values() if ship.at]),
        picture(after, also=[ship.at for ship in before.ships.values() if ship.at]),
    )


def expectations(case: Case) -> list[tuple[str, str]]:
    """What the rules give: of the state, and of the battle or outcome that a case of the link tells."""
    return [
        *flat(case.expect),
        *(flat(case.battle, "battle") if case.battle else ()),
        *(flat(case.outcome, "outcome") if case.outcome else ()),
    ]


@bp.get("/cases/<int:number>.json")
@bp.get("/cases/<system>/<int:number>.json")
def case_file(number: int, system: str = GALLEY) -> Response:
    """One case as data, for another program to run."""
    return Response(json.dumps(json.loads(encode(case_or_404(number, system))), indent=2), mimetype="application/json")


@bp.get("/cases.json")
@bp.get("/cases/<system>.json")
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
