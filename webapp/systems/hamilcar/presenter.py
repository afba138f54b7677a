"""Hamilcar's view as a picture; its battles and rolls at sea; its events in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from flask_babel import ngettext

from strategic.hamilcar.rules.sea import sea_preview
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import HOUSE, PROVINCES, TABLES, TACTICS, Leader, sheet
from strategic.point_to_point.state import SIDES as BOTH_SIDES
from tactical.kernel.protocol import UMPIRE, Illegal, kinds
from webapp.http.language import gettext as _
from webapp.http.language import percent, with_sign
from webapp.presenting import naming, presentation
from webapp.presenting.campaign_labels import level_word, phase_word, seat_word
from webapp.presenting.naming import data_text, say_value
from webapp.presenting.presentation import (
    BattleCard,
    BattlePanel,
    BattleSide,
    Card,
    Course,
    Fact,
    Picture,
    Preview,
    Strip,
    View,
    picture_of,
)
from webapp.presenting.refusals import refusal_text
from webapp.presenting.sentences import Several, fill, full_name, join_parts
from webapp.systems import land_war
from webapp.systems.hamilcar.answers import council_words
from webapp.systems.land_war import Data, Sentences, party, side_of, troops

# -- Hamilcar's view as a picture: armies with their trains, sieges, provinces, the fleets and who rules the sea.


def read(view: View) -> Picture:
    """Who holds what and who stands where."""
    return land_war.picture("hamilcar", view, PROVINCES, leaders(view), _courses(view))


def leaders(view: View) -> dict[str, Leader]:
    """The generals with the ratings in use."""
    return sheet(HOUSE.in_view(view)).leaders


def _courses(view: View) -> tuple[Course, ...]:
    """The army on the march or at sea, and the ships that have put to sea against it, from where their leader was."""
    voyage, march = view.get("voyage"), view.get("march") or {}
    if not voyage or voyage.get("ended"):
        return presentation.march(view) or presentation.course_of_other(view)
    side = str(march.get("side") or "")
    found = [presentation.voyage(side, voyage["start"], voyage["to"], len(voyage.get("ships") or ()))]
    catcher = next((one for one in voyage.get("attempts") or () if one["general"] == voyage.get("catcher")), None)
    if voyage.get("catching") and catcher and catcher["space"] != voyage["to"]:
        other = next(each for each in BOTH_SIDES if each != side)
        found.append(presentation.voyage(other, catcher["space"], voyage["to"], len(voyage["catching"])))
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
    phase, turn = str(view.get("phase", "")), int(view.get("turn") or 0)
    phases = ((phase, phase_word("hamilcar", phase), True),)
    years = TABLES.turns.years[turn - 1] if 0 < turn <= len(TABLES.turns.years) else ""
    return Strip(str(turn or ""), phases, view.get("active") or "", number=turn, last=TABLES.turns.last, date=years)


def facts(view: View) -> tuple[Fact, ...]:
    """Supremacy, seamanship, the corvus, and the fleets in port and at sea."""
    found = [
        Fact(_("Supremacy at sea"), seat_word(view["supremacy"]) if view.get("supremacy") else _("nobody")),
        Fact(_("Roman seamanship"), level_word(TABLES.sea.levels[view.get("seamanship", 0)])),
        Fact(_("Corvus"), _("in use") if view.get("corvus") else _("not in use")),
    ]
    for side in BOTH_SIDES:
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
            routes = sea_preview(state, name)
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
        why = next((refusal_text("hamilcar", lane.wrong.why) for lane in route.lanes if lane.wrong), "")
        return _("%(port)s: closed (%(why)s)", port=port, why=why)
    stormy = " ≈" if any(lane.stormy for lane in route.lanes) else ""
    lanes = ngettext("%(num)d lane", "%(num)d lanes", len(route.lanes))
    return _(
        "%(port)s: %(lanes)s%(storm)s, gets through %(chance)s",
        port=port,
        lanes=lanes,
        storm=stormy,
        chance=f"{route.uncaught} ({percent(round(100 * route.uncaught))})",
    )


# -- 11.7 A battle at sea by cards, as a panel: round and step, both fleets, cards played, the own hand, what may be.

SYSTEM = "hamilcar"
SIDES = ("rome", "carthage")
UNSEEN = "unseen"


def panel(view: View, seat: str) -> BattlePanel | None:
    """The battle at sea that is fought by cards, else the one on land; None when there is none."""
    naval = view.get("naval")
    return _at_sea(view, naval, seat) if naval else land_war.panel(SYSTEM, leaders, view, seat)


def _at_sea(view: View, naval: Mapping[str, Any], seat: str) -> BattlePanel:
    order = tuple(naval.get("order") or ())
    turn = int(naval.get("turn") or 0)
    now = order[turn] if turn < len(order) else ""
    voyage = view.get("voyage") or {}
    return BattlePanel(
        title=_("Battle at sea off %(place)s", place=say_value(SYSTEM, voyage["to"])) if voyage else _("Battle at sea"),
        rule="11.7.rounds",
        round=int(naval.get("round") or 1),
        initiative=seat_word(order[0]) if order else "",
        played="",
        sides=tuple(_side(view, naval["fleets"][side], side) for side in SIDES if side in naval["fleets"]),
        own=_own(naval["fleets"].get(seat, {}).get("hand")),
        status=_status(naval, now),
        open=tuple(say_value(SYSTEM, card) for card in naval.get("discard") or ()),
        possible=_possible(view, naval, seat),
        tactics=True,
    )


def _status(naval: Mapping[str, Any], side: str) -> str:
    """Whose part of the round is played, and which; the step that is kept is the one that comes next."""
    if not side:
        return ""
    steps = {"engage": _("manoeuvre"), "regroup": _("engagement"), "manoeuvre": _("regrouping or retreat")}
    return _(
        "%(side)s: %(step)s; %(rounds)s rounds at most.",
        side=seat_word(side),
        step=steps.get(str(naval.get("step")), ""),
        rounds=TABLES.naval.rounds,
    )


def _side(view: View, fleet: Mapping[str, Any], side: str) -> BattleSide:
    general = fleet.get("general")
    rating = _("rating %(rating)s", rating=fleet.get("rating", 0))
    return BattleSide(
        side=side,
        name=seat_word(side),
        role=_("rules the sea") if view.get("supremacy") == side else "",
        commander=f"{say_value(SYSTEM, general)} ({rating})" if general else _("no general"),
        cards=len(fleet.get("hand") or ()),
        lines=tuple(_lines(fleet)),
    )


def _lines(fleet: Mapping[str, Any]) -> list[str]:
    """What still fights, what is lost, and what holds for the next die."""
    ready = tuple(fleet.get("ready") or ())
    count = ngettext("%(num)d warship", "%(num)d warships", len(ready))
    found = [f"{count}: {', '.join(ready)}" if ready else _("no warship")]
    if fleet.get("transports"):
        found.append(ngettext("%(num)d transport", "%(num)d transports", int(fleet["transports"])))
    for field, words in (
        ("sunk", _("Sunk: %(ships)s")),
        ("taken", _("Taken: %(ships)s")),
        ("shoaled", _("Aground: %(ships)s")),
    ):
        if fleet.get(field):
            found.append(words % {"ships": ", ".join(fleet[field])})
    if fleet.get("transports_lost"):
        found.append(_("Transports lost: %(count)s", count=fleet["transports_lost"]))
    plus = int(fleet.get("bonus") or 0) + int(fleet.get("next_bonus") or 0)
    if plus:
        found.append(_("Next die: %(modifier)s", modifier=with_sign(plus)))
    if fleet.get("skips"):
        found.append(_("may not engage this time"))
    if fleet.get("no_corvus"):
        found.append(_("no corvus this round"))
    return found


def _own(hand: Any) -> tuple[BattleCard, ...]:
    """The seat's own cards by kind, with what they do."""
    held = Counter(card for card in hand or () if card != UNSEEN)
    return tuple(
        BattleCard(card, say_value(SYSTEM, card), count, data_text(SYSTEM, TACTICS[card].text))
        for card, count in held.most_common()
    )


def _possible(view: View, naval: Mapping[str, Any], seat: str) -> tuple[str, ...]:
    """What this side may still do, and what the other may still hold."""
    fleet = naval["fleets"].get(seat)
    if fleet is None or not fleet.get("ready"):
        return ()
    found = [ngettext("%(num)d card left to draw", "%(num)d cards left to draw", len(naval.get("deck") or ()))]
    if view.get("supremacy") == seat:
        found.append(_("may leave without a roll, giving up naval supremacy"))
    other = next(side for side in SIDES if side != seat)
    unseen = len(naval["fleets"][other].get("hand") or ())
    if unseen and "pursuit" not in (naval.get("discard") or ()):
        found.append(_("a retreat may be met by a Pursuit"))
    return tuple(found)


# -- Hamilcar's events where a function decides something about a fleet; the other sentences are in data/events.


def ships(it: Data, key: str = "ships") -> str:
    """Ships by name; how many, where they have none."""
    value = it.get(key)
    if isinstance(value, int):
        return ngettext("%(num)d ship", "%(num)d ships", value)
    return join_parts(map(str, value)) if value else _("no ships")


def sailed(it: Data) -> str:
    """An army at sea: who, with what, from where to where, on which ships."""
    values = {
        "party": party("hamilcar", it),
        "troops": troops(it),
        "start": naming.space("hamilcar", it["start"]),
        "to": naming.space("hamilcar", it["to"]),
        "ships": ships(it),
    }
    if any(it.get(name) for name in ("units", "elephants", "trains")):
        text = _("%(party)s %(party|sails|sail)s with %(troops)s from %(start)s to %(to)s.")
    else:
        text = _("%(party)s %(party|sails|sail)s from %(start)s to %(to)s without troops.")
    with_ships = _("Warships: %(ships)s.")
    return fill(f"{text} {with_ships}" if it.get("ships") else text, values.__getitem__)


def engaged(it: Data) -> str:
    goal = _("the transports") if it.get("target") == "transports" else _("the warships")
    values = {"side": naming.side("hamilcar", it["side"]), "goal": goal, "hits": int(it.get("hits") or 0)}
    if values["hits"]:
        text = fill(_("%(side)s engages %(goal)s: %(hits)s %(hits|hit|hits)s."), values.__getitem__)
    else:
        text = fill(_("%(side)s engages %(goal)s and scores no hit."), values.__getitem__)
    return text + (" " + _("A prize may be taken.") if it.get("prize") else "")


def ships_hit(it: Data) -> str:
    values: dict[str, Any] = {"side": naming.side("hamilcar", it["side"])}
    values |= {how: Several(it.get(how) or ()) for how in ("sunk", "taken")}
    parts = []
    if values["sunk"]:
        parts.append(_("%(sunk)s (%(side.bare)s) %(sunk|is|are)s sunk."))
    if values["taken"]:
        parts.append(_("%(taken)s (%(side.bare)s) %(taken|is|are)s taken."))
    return " ".join(fill(part, values.__getitem__) for part in parts or [_("%(side)s loses no ships.")])


def naval_battle(it: Data) -> str:
    held = it.get("cards") or {}
    counted = ", ".join(f"{seat_word(str(who))} {count}" for who, count in held.items())
    return _(
        "The fleets join battle; %(side)s begins. Tactics cards in hand: %(cards)s.",
        side=side_of(it, "first"),
        cards=counted,
    )


def ships_home(it: Data) -> str:
    values = {
        "side": full_name(side_of(it)),
        "ships": ships(it),
        "ready": join_parts(map(str, it.get("ready") or ())) or _("no ships"),
    }
    return fill(_("Ships of %(side)s back in port: %(ships)s. Ready for sea: %(ready)s."), values.__getitem__)


def seamanship(it: Data) -> str:
    known = level_word(str(it.get("level")))
    return _("Rome's seamanship is now %(level)s.", level=known)


def reform_name(kind: str) -> str:
    """6.5.3.b What a reform of the fleet is about."""
    known = {
        "seamanship": _("seamanship"),
        "corvus": _("the corvus"),
        "ship": _("a new ship"),
        "repair": _("repairs"),
        "none": _("no change"),
    }
    return known.get(kind, say_value("hamilcar", kind))


def reform(it: Data) -> str:
    return _(
        "%(general)s reforms the fleet: %(kind)s.",
        general=say_value("hamilcar", it["general"]),
        kind=reform_name(str(it["kind"])),
    )


OWN: Sentences = {
    each.__name__: each for each in (engaged, naval_battle, reform, sailed, seamanship, ships_hit, ships_home)
}
KINDS = kinds("point_to_point", "hamilcar")
SENTENCES = land_war.sentences_of("hamilcar", KINDS, OWN)
