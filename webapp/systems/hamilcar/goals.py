"""6.1.2, 8.2.d, 22.2.a The goals of Hamilcar besides the land war: captains that are hired, supply trains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from flask_babel import ngettext

from strategic.hamilcar.rules.mercenaries import price
from strategic.hamilcar.rules.survey import XANTHIPPUS, council_counts
from strategic.hamilcar.state import State
from tactical.kernel.protocol import Offer
from webapp.http.language import gettext as _
from webapp.presenting.march_preview import Goals
from webapp.presenting.naming import say_value
from webapp.systems import land_goals
from webapp.systems.goal_answers import Command, Fields, Naming, Price

SYSTEM = "hamilcar"


def train(state: State, command: Command) -> str:
    """A supply train outside or inside the walls."""
    return _("Supply train within the walls") if command["inside"] else _("Supply train")


def follow_spending(state: State, command: Command) -> tuple[str, ...]:
    """22.2.a Who stands where the train is given up."""
    return land_goals.standing(SYSTEM, state, state.agenda[-1].seat, command["space"])


def council_price(state: State, command: Command) -> Price:
    """6.1.2 The markers of the Council that a captain costs."""
    cost = price(state)
    return Price(str(cost), ngettext("%(num)d marker of the Council", "%(num)d markers of the Council", cost))


def council_words(state: State, cells: Sequence[Any]) -> str:
    """19.5 What these markers of the Council give."""
    units, generals, war = council_counts(state, [(row, column) for row, column in cells])
    told = [
        ngettext("%(num)d unit", "%(num)d units", units) if units else "",
        ngettext("%(num)d general", "%(num)d generals", generals) if generals else "",
        _("a victory point") if war else "",
    ]
    return ", ".join(part for part in told if part) or _("nothing")


def paying(state: State, fields: Fields) -> list[tuple[Any, str]]:
    """6.1.2, 19.5 With which markers a captain is paid: for each of what the Council may give afterwards one set of
    them, that which leaves most first.
    """

    def rest(cells: Sequence[Any]) -> list[tuple[int, int]]:
        return [cell for cell in state.council if list(cell) not in [list(each) for each in cells]]

    found: dict[tuple[int, int, bool], Any] = {}
    for cells in fields["cells"]:
        found.setdefault(council_counts(state, rest(cells)), cells)
    best = sorted(found, key=lambda counts: (counts[2], counts[1] + counts[0], counts[1]), reverse=True)
    return [(found[counts], _("leaves %(what)s", what=council_words(state, rest(found[counts])))) for counts in best]


def follow_hiring(state: State, command: Command) -> tuple[str, ...]:
    """6.1.2, 6.1.3.a What a captain brings, what he is paid with, and whom he finds."""
    brings = _("He brings an elephant unit.") if command["general"] == XANTHIPPUS else _("He brings a unit.")
    now = _("The Council now gives: %(what)s.", what=council_words(state, state.council))
    return (
        brings,
        now,
        _("Hiring him counts as playing a card."),
        *land_goals.standing(SYSTEM, state, "carthage", command["at"]),
    )


HIRING = {
    "hire": Naming(
        "at",
        ("general",),
        lambda state, command: say_value(SYSTEM, command["general"]),
        price=council_price,
        follows=follow_hiring,
        among="cells",
        options=paying,
    )
}
NAMINGS: Mapping[str, Naming] = {
    "supply": Naming("at", ("inside",), train, follows=partial(land_goals.follow_placing, SYSTEM)),
    "spend_train": Naming("space", ("inside",), train, follows=follow_spending),
}


def answer_goals(
    state: State, seat: str, offers: Sequence[Offer], picked: str | None, where: str | None
) -> Goals | None:
    """The goals of what a side is asked; beside a card that is to be played, those of a captain who may be hired."""
    asked = land_goals.answer_goals(SYSTEM, NAMINGS, state, seat, offers, picked, where)
    return asked or land_goals.answer_goals(SYSTEM, HIRING, state, seat, offers, picked, where, True)
