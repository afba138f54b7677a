"""Hamilcar's view as a picture: armies with their trains, sieges, provinces, the fleets and who rules the sea."""

from __future__ import annotations

from typing import Any

from flask_babel import ngettext

from strategic.hamilcar.rules.house_rules import HOUSE, sheet
from strategic.hamilcar.rules.preview import sea_preview
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import PROVINCES, TABLES, Leader
from strategic.point_to_point.tables import SIDES
from tactical.kernel.protocol import UMPIRE, Illegal
from webapp.http.language import gettext as _
from webapp.http.signs import percent
from webapp.presenting import naming
from webapp.presenting.campaign_labels import phase_word, seat_word
from webapp.presenting.engagement_labels import level_word
from webapp.presenting.picture import Card, Course, Fact, Picture, Preview, Strip, View
from webapp.presenting.refusals import refusal_text
from webapp.systems import land_picture, under_way
from webapp.systems.card_pictures import picture_of
from webapp.systems.hamilcar.goals import council_words


def read(view: View) -> Picture:
    """Who holds what and who stands where."""
    return land_picture.picture("hamilcar", view, PROVINCES, leaders(view), _courses(view))


def leaders(view: View) -> dict[str, Leader]:
    """The generals with the ratings in use."""
    return sheet(HOUSE.in_view(view)).leaders


def _courses(view: View) -> tuple[Course, ...]:
    """The army on the march or at sea, and the ships that have put to sea against it, from where their leader was."""
    voyage, march = view.get("voyage"), view.get("march") or {}
    if not voyage or voyage.get("ended"):
        return under_way.march(view) or under_way.course_of_other(view)
    side = str(march.get("side") or "")
    found = [under_way.voyage(side, voyage["start"], voyage["to"], len(voyage.get("ships") or ()))]
    catcher = next((one for one in voyage.get("attempts") or () if one["general"] == voyage.get("catcher")), None)
    if voyage.get("catching") and catcher and catcher["space"] != voyage["to"]:
        other = next(each for each in SIDES if each != side)
        found.append(under_way.voyage(other, catcher["space"], voyage["to"], len(voyage["catching"])))
    return tuple(found)


def hand(view: View, seat: str) -> tuple[Card, ...]:
    """The own strategy cards, with what the tables know of them."""
    held = view.get("hands", {}).get(seat)
    known = naming.cards("hamilcar")
    found = []
    for number in held if isinstance(held, list | tuple) else ():
        if number:
            card = known.get(number, {})
            value = str(card.get("ops", card.get("value", "")))
            side = card.get("side", "")
            picture = picture_of(str(card.get("event", "")), str(card.get("answer", "")), str(card.get("id", "")))
            found.append(
                Card(number, str(card.get("title", number)), value, str(card.get("effect", "")), side, picture)
            )
    return tuple(found)


def strip(view: View) -> Strip:
    """The turn and its phase."""
    phase = str(view.get("phase", ""))
    return Strip(str(view.get("turn", "")), ((phase, phase_word("hamilcar", phase), True),), view.get("active") or "")


def facts(view: View) -> tuple[Fact, ...]:
    """Supremacy, seamanship, the corvus, and the fleets in port and at sea."""
    found = [
        Fact(_("Supremacy at sea"), seat_word(view["supremacy"]) if view.get("supremacy") else _("nobody")),
        Fact(_("Roman seamanship"), level_word(TABLES.sea.levels[view.get("seamanship", 0)])),
        Fact(_("Corvus"), _("in use") if view.get("corvus") else _("not in use")),
    ]
    for side in SIDES:
        ships = view.get("ships", {}).get(side, ())
        ready = sum(bool(ship.get("ready")) for ship in ships)
        at_sea = sum(bool(ship.get("at_sea")) for ship in ships)
        text = _("ships: %(all)s, ready %(ready)s, at sea %(sea)s", all=len(ships), ready=ready, sea=at_sea)
        found.append(Fact(_("Fleet of %(side)s", side=seat_word(side)), text))
    return tuple(found)


def previews(state: State, seat: str, where: str | None) -> tuple[Preview, ...]:
    """19.5 What the Council gives; 11.1 how each of one's generals in a space might sail, and his chance to arrive."""
    found = [list_council(state)] if state.council else []
    for name, general in state.generals.items():
        if where is None or general.space != where or general.status != "board":
            continue
        if seat not in (state.leaders[name].side, UMPIRE):
            continue
        try:
            routes = sea_preview(state, name).routes
        except Illegal:
            continue
        lines = tuple(_voyage(route) for route in routes)
        title = _("Voyages of %(general)s", general=naming.say_value("hamilcar", name))
        found.append(Preview(title, "11.1", lines or (_("Nowhere."),)))
    return tuple(found)


def list_council(state: State) -> Preview:
    """19.5 The markers of the Council row by row, and what they give."""
    size = range(1, state.tables.council.size + 1)
    rows = (" ".join("●" if (row, column) in state.council else "○" for column in size) for row in size)
    lines = [_("Row %(row)s: %(markers)s", row=number, markers=row) for number, row in enumerate(rows, 1)]
    gives = _("The Council now gives: %(what)s.", what=council_words(state, state.council))
    return Preview(_("The Council of Carthage"), "19.5", (*lines, gives))


def _voyage(route: Any) -> str:
    """One way by sea as a line."""
    port = naming.say_value("hamilcar", route.to)
    if not route.open:
        why = next((refusal_text("hamilcar", lane.why) for lane in route.lanes if lane.why), "")
        return _("%(port)s: closed (%(why)s)", port=port, why=why)
    stormy = " ≈" if any(lane.stormy for lane in route.lanes) else ""
    lanes = ngettext("%(num)d lane", "%(num)d lanes", len(route.lanes))
    return _(
        "%(port)s: %(lanes)s%(storm)s, gets through %(chance)s",
        port=port,
        lanes=lanes,
        storm=stormy,
        chance=f"{route.uncaught_as} ({percent(round(100 * route.uncaught))})",
    )
