"""`/api/v1/odds`: every calculator of every system, reckoned by the engines' own rules."""

from __future__ import annotations

from flask import Blueprint, Response, request

from strategic.odds import CALCULATORS
from tactical.kernel.record import BadInput
from tactical.odds import GALLEY
from tactical.odds.calculator import Calculator
from tactical.odds.chance import as_json
from webapp.api.errors import answer, answer_in_json
from webapp.http.rate_limit import reckon_apart
from webapp.storage.errors import Unknown

bp = Blueprint("odds_api", __name__, url_prefix="/api/v1/odds")
answer_in_json(bp)


def calculators() -> tuple[Calculator, ...]:
    """All calculators, the galley's first."""
    return (*GALLEY, *CALCULATORS)


def calculator(system: str, name: str) -> Calculator:
    """One calculator. Raises Unknown."""
    for each in calculators():
        if (each.system, each.name) == (system, name):
            return each
    raise Unknown(f"There are no odds called '{name}' for {system}.")


def address(each: Calculator) -> str:
    """Where the API has a calculator: the galley's names stand alone, the others' after their system."""
    return f"/api/v1/odds/{each.name}" if each.system == "galley" else f"/api/v1/odds/{each.system}/{each.name}"


@bp.get("")
def index() -> Response:
    """Which calculators there are, with their parameters and an example each."""
    listed = [
        {
            "name": each.name,
            "system": each.system,
            "cites": each.cites,
            "parameters": [field.name for field in each.fields],
            "example": f"{address(each)}?{each.example}",
        }
        for each in calculators()
    ]
    return answer({"odds": listed})


@bp.get("/<name>")
@reckon_apart("odds")
def galley(name: str) -> Response:
    """A calculator of the galley rules."""
    return reckon("galley", name)


@bp.get("/<system>/<name>")
@reckon_apart("odds")
def of_system(system: str, name: str) -> Response:
    """A calculator of any system."""
    return reckon(system, name)


def reckon(system: str, name: str) -> Response:
    """The odds for the query's parameters; a parameter given twice is refused."""
    found = calculator(system, name)
    for parameter, values in request.args.lists():
        if len(values) > 1:
            raise BadInput(parameter, "this parameter is given twice")
    return answer(as_json(found.answer(request.args.to_dict())))
