"""The pages of the adjudication catalogue."""

from __future__ import annotations

import json

from flask import Response, abort, render_template
from flask_babel import gettext as _

from tactical.kernel.record import encode
from webapp.reference.cases import Case, begun, cases, chapters, disagreements, flat, played, told_fields
from webapp.reference.picture import picture
from webapp.reference.views import bp


@bp.get("/cases")
def catalogue() -> str:
    """All cases by chapter."""
    return render_template("reference/cases.html", chapters=chapters(), count=len(cases()))


@bp.get("/cases/<int:number>")
def case_page(number: int) -> str:
    """One case: its picture before and after, the commands with their dice, and what the rules give."""
    case = known(number)
    after, _faults = played(case)
    before = begun(case)
    also = [ship.at for ship in after.ships.values() if ship.at]
    return render_template(
        "reference/case.html", case=case, before=picture(before, also=also) if before.has_hexes else None,
        after=picture(after, also=[ship.at for ship in before.ships.values() if ship.at]) if after.has_hexes else None,
        expected=flat(case.expect), told=told_fields, conforms=not disagreements(case),
        previous=cases().get(number - 1), following=cases().get(number + 1),
    )  # fmt: skip


@bp.get("/cases/<int:number>.json")
def case_file(number: int) -> Response:
    """One case as data, for another program to run."""
    return Response(json.dumps(json.loads(encode(known(number))), indent=2), mimetype="application/json")


@bp.get("/cases.json")
def catalogue_file() -> Response:
    """The whole catalogue as data."""
    return Response(encode(list(cases().values())), mimetype="application/json")


def known(number: int) -> Case:
    """The case of that number; 404 when there is none."""
    found = cases().get(number)
    if found is None:
        abort(404, _("There is no case of that number."))
    return found
