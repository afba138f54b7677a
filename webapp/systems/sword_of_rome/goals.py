"""11.1.a, 12.4 The goals of The Sword of Rome's answers: where a beaten army goes, and one that slips away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask_babel import ngettext

from strategic.sword_of_rome.rules.retreat import Way, choices, penalty, strength
from strategic.sword_of_rome.rules.survey import are_allied, is_friendly
from strategic.sword_of_rome.state import State
from tactical.kernel.protocol import Offer
from webapp.http.language import gettext as _
from webapp.http.signs import with_sign
from webapp.presenting import event_words
from webapp.presenting.march_preview import Goals
from webapp.presenting.naming import say_value
from webapp.presenting.sentences import tell
from webapp.systems.goal_answers import Command, Fields, Leg, Naming, Price, goals
from webapp.systems.land_goals import lost_units
from webapp.systems.land_party import with_force

SYSTEM = "sword_of_rome"


def by_land(state: State, command: Command) -> Way | None:
    """12.4 The way by land; None for a retreat to the ships."""
    return None if command.get("card") is not None else choices(state).get(command["to"])


def price(state: State, command: Command) -> Price:
    """12.4.5 The units that are lost; 12.4.3 or the card that pays for ships."""
    if command.get("card") is not None:
        return Price("", _("for a card of value %(value)s", value=command["card"]))
    way = by_land(state, command)
    lost = min(way.loss, strength(state)[0]) if way else 0
    return Price(with_sign(-lost) if lost else "0", lost_units(lost))


def way_back(state: State, command: Command) -> tuple[str, tuple[Leg, ...]]:
    """12.4.5 Space by space with what is lost there."""
    fleeing, way = state.flight, by_land(state, command)
    if way is None:
        return fleeing.space, (Leg(command["to"]),)
    legs = []
    for space in way.path:
        cost = penalty(state, fleeing.power, space)
        legs.append(Leg(space, cost, _("enemy ground: %(lost)s", lost=lost_units(cost)) if cost else ""))
    return fleeing.space, tuple(legs)


def arrives(state: State, command: Command) -> tuple[str, ...]:
    """12.4 What comes to the goal, and whom it finds there."""
    units, way = strength(state)[0], by_land(state, command)
    left = units - (min(way.loss, units) if way else 0)
    told = ngettext("%(num)d unit arrives.", "%(num)d units arrive.", left)
    if not left:
        told = _("Nobody arrives: the army is lost on the way, and its generals are displaced.")
    by_ship = (_("By sea: the naval roll may cost more."),) if command.get("card") is not None else ()
    return (told, *by_ship, *there(state, state.flight.power, command["to"]))


def there(state: State, power: str, space: str) -> tuple[str, ...]:
    """Whose ground it is, and which friends stand there."""
    told = []
    if is_friendly(state, power, space):
        told.append(
            tell(_("%(side)s %(side|holds|hold)s the space."), side=event_words.side(SYSTEM, state.controller(space)))
        )
    for other, force in state.forces.get(space, {}).items():
        if force.total and are_allied(state, power, other):
            names = ", ".join(say_value(SYSTEM, name) for name in force.leaders)
            units = ngettext("%(num)d unit", "%(num)d units", force.total)
            told.append(_("There already: %(force)s.", force=with_force(names, units)))
    return tuple(told)


def slips(state: State, command: Command) -> tuple[str, ...]:
    """11.1.a Whose ground the army comes to."""
    prompt = next((one for one in state.pending if one.kind == "avoid_to"), None)
    power = str(prompt.about.get("power") or "") if prompt else ""
    return there(state, power, command["to"]) if power else ()


def without_card(fields: Fields) -> tuple[bool, int]:
    """12.4.3 A tap means the retreat of all, and by land where there is a way."""
    return fields.get("card") is None, -int(fields.get("inside") or 0)


NAMINGS: Mapping[str, Naming] = {
    "retreat": Naming("to", usual=without_card, price=price, way=way_back, follows=arrives),
    "avoid_to": Naming("to", follows=slips),
}


def answer_goals(
    state: State, seat: str, offers: Sequence[Offer], picked: str | None, where: str | None
) -> Goals | None:
    """The goals of what a power is asked."""
    return goals(SYSTEM, NAMINGS, state, seat, offers, picked, where)
