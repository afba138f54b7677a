"""Punic Wars as a picture, and its events in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.charts import HOUSE, House, chart
from strategic.punic_wars.rules.charts import sheet as tables_of
from strategic.punic_wars.rules.preview import reach_of
from tactical.kernel.house_rules import OPTION
from tactical.kernel.protocol import UMPIRE, kinds
from webapp.http.language import gettext as _
from webapp.http.language import with_sign
from webapp.presenting import presentation
from webapp.presenting.campaign_labels import field_word, phase_word, seat_word
from webapp.presenting.labels import place_name, translate
from webapp.presenting.map.sheet import sheet
from webapp.presenting.naming import say_value, saying
from webapp.presenting.presentation import (
    Asked,
    Book,
    Card,
    Fact,
    Leader,
    Ledger,
    Picture,
    Preview,
    Siege,
    Stack,
    Strip,
    View,
)
from webapp.presenting.sentences import Extras, sentences
from webapp.systems.land_war import lost_by_side
from webapp.systems.punic_wars.answers import forces, why_barred

# -- The Punic Wars' events as sentences in the reader's language: data/events/punic_wars.toml, and what is counted.

Data = Mapping[str, Any]


def force(it: Data) -> str:
    """Land and naval points of a force."""
    return forces(int(it.get("land") or 0), int(it.get("naval") or 0))


def cause(it: Data) -> str:
    """Why attrition is rolled for, in a word or two."""
    known = {
        "sea": _("at sea"),
        "leaving": _("leaving a hex"),
        "entering": _("entering a hex"),
        "mountain": _("in the mountains"),
        "revolt": _("in revolt"),
        "unsupplied": _("out of supply"),
        "unpaid": _("unpaid"),
        "siege": _("under siege"),
    }
    return known.get(str(it.get("cause")), str(it.get("cause") or ""))


def reason(it: Data) -> str:
    """Why attrition is rolled for, with the modifier where there is one."""
    if not it.get("modifier"):
        return cause(it)
    return _("%(cause)s, modifier %(modifier)s", cause=cause(it), modifier=with_sign(int(it["modifier"])))


def losses(it: Data) -> str:
    """9.32 What each side loses in a combat."""
    return lost_by_side(it.get("losses") or {})


def outcome(result: str) -> str:
    """16.31 One of the five results of a diplomacy table."""
    known = {
        "none": _("nothing happens"),
        "revolt": _("revolt"),
        "war": _("war"),
        "alliance": _("alliance"),
        "defection": _("defection"),
    }
    return known.get(result, result)


def war(it: Data) -> str:
    """The war that begins, by its title."""
    titles = {each.id: each.title for each in PUNIC_WARS.scenarios()}
    return translate(titles.get(str(it["scenario"]), ""))


def adjustment_words(it: Data) -> str:
    """An adjustment of a journal that does not tell what was changed."""
    return ngettext(
        "The umpire changes %(num)d value of the position.",
        "The umpire changes %(num)d values of the position.",
        len(it.get("changes") or ()),
    )


EXTRAS: Extras = {
    "cause": cause,
    "force": force,
    "losses": losses,
    "reason": reason,
    "phase": lambda it: phase_word("punic_wars", str(it["phase"])),
    "result": lambda it: outcome(str(it["result"])),
    "war": war,
}
KINDS = kinds("punic_wars")
SENTENCES: Mapping[str, Callable[[Data], str]] = {
    **sentences(KINDS, saying("punic_wars"), EXTRAS),
    "adjusted": adjustment_words,
    "adjustment": lambda it: _("The umpire adjusts the position: %(why)s", why=it["why"]),
}


# -- Punic Wars as a picture: stacks in hexes, towns and regions with who controls them, treasuries and points.

SIDES = ("carthage", "rome", "syracuse")
MOST = 12  # reasons why not that are listed


def common_view(view: View) -> View:
    """The part that every seat gets: the umpire's view holds it beside the position itself."""
    return view["view"] if isinstance(view.get("view"), dict) else view


def read(view: View) -> Picture:
    """Holders of towns, control of regions, and the stacks that the seat may see."""
    it = common_view(view)
    stacks, sieges = [], {}
    for at, sides in it.get("hexes", {}).items():
        for side, stack in sides.items():
            stacks.append(_stack(it, at, side, stack))
            if isinstance(stack, dict) and stack.get("besieged"):
                sieges[at] = Siege(at, None, 0)
    grounds = {group["where"] for group in it.get("groups") or ()}
    spots = sheet("punic_wars").spots.values() if grounds else ()
    return Picture(
        focus=frozenset(spot.id for spot in spots if spot.province in grounds or spot.id in grounds),
        holders={at: side for at, side in it.get("towns", {}).items() if side},
        areas={name: region["control"] for name, region in it.get("regions", {}).items() if region.get("control")},
        stacks=tuple(stacks),
        sieges=sieges,
        courses=presentation.course_of_other(it),
        meeting=presentation.meeting(it),
        battle=presentation.battle(it),
        values={name: str(region["value"]) for name, region in it.get("regions", {}).items()},
    )


def _stack(it: View, at: str, side: str, stack: dict[str, Any]) -> Stack:
    """A stack as far as it is known: points by kind, or only what lies on top."""
    if "top" in stack:
        kinds = {"leader": _("a leader on top"), "land": _("land forces on top"), "naval": _("a fleet on top")}
        return Stack(at, side, "?", inside=bool(stack.get("inside")), posture=kinds.get(stack["top"], ""))
    land, naval = _points(stack.get("land")), _points(stack.get("naval"))
    inside = any(isinstance(stack.get(kind), dict) and stack[kind].get("inside") for kind in ("land", "naval"))
    leaders = tuple(_leader(it, name) for name in stack.get("leaders", ()))
    posture = _("besieged") if stack.get("besieged") else ""
    return Stack(at, side, str(land), leaders, (("N", naval),) if naval else (), inside, posture)


def _points(kind: Any) -> int:
    return int(kind.get("points", 0)) if isinstance(kind, dict) else int(kind or 0)


def _leader(it: View, name: str) -> Leader:
    known = it.get("leaders", {}).get(name, {})
    called = known.get("letter") or say_value("punic_wars", name)
    return Leader(name, called, str(known.get("value", "")))


def strip(view: View) -> Strip:
    """Turn, phase and whose player turn it is."""
    it = common_view(view)
    phase = str(it.get("phase", ""))
    return Strip(str(it.get("turn", "")), ((phase, phase_word("punic_wars", phase), True),), it.get("phasing") or "")


def prompt(view: View) -> Asked | None:
    """The question in mid-rule."""
    raw = common_view(view).get("pending")
    if not isinstance(raw, dict) or not raw.get("seat"):
        return None
    return Asked(str(raw.get("kind", "")), raw["seat"], str(raw.get("rule", "")), raw.get("about") or {})


def ledger(view: View) -> Ledger:
    """15.0, 12.0, 18.0 Victory points and treasuries; revenue and supply bill of the sides that one may know."""
    it = common_view(view)
    books = []
    for side, points in it.get("victory", {}).items():
        outlook = it.get("outlook", {}).get(side, {})
        money = it.get("treasury", {}).get(side, "")
        books.append(
            Book(
                side,
                tuple(
                    str(cell)
                    for cell in (
                        points,
                        money,
                        outlook.get("revenue", ""),
                        outlook.get("supply", ""),
                    )
                ),
            )
        )
    return Ledger((_("Victory"), _("Treasury"), _("Revenue"), _("Upkeep")), tuple(books))


def facts(view: View) -> tuple[Fact, ...]:
    """What lacks supply or is besieged, of the sides that one may know; the war with Illyria, losses of the year."""
    it = common_view(view)
    found = []
    for side, outlook in it.get("outlook", {}).items():
        if outlook.get("beyond_treasury"):
            label = _("Points of %(side)s beyond its treasury", side=seat_word(side))
            found.append(Fact(label, str(outlook["beyond_treasury"]), "12.0"))
        for key, label in (
            ("unsupplied", _("Without supply, %(side)s", side=seat_word(side))),
            ("besieged", _("Besieged, %(side)s", side=seat_word(side))),
        ):
            if outlook.get(key):
                found.append(
                    Fact(label, say_value("punic_wars", outlook[key]), "12.0" if key == "unsupplied" else "10.0")
                )
    for side, points in it.get("losses", {}).items():
        if not points:
            continue
        found.append(
            Fact(_("Losses since the last diplomatic phase, %(side)s", side=seat_word(side)), str(points), "16.21")
        )
    if it.get("scenario") == "2":
        found.append(Fact(_("War with Illyria"), _("yes") if it.get("war") else _("not yet"), "16.34"))
    return tuple(found)


def group_names(view: View) -> dict[tuple[str, int], str]:
    """19.0 (procedure) The groups of a set-up by what is in them and where they belong."""
    it = common_view(view)
    groups = {
        ("group", group["number"]): " · ".join((say_value("punic_wars", group["where"]), *_within(group)[::-1]))
        for group in it.get("groups", ())
    }
    return {**groups, ("leaders", False): _("without the leader")} if groups else {}


def pieces(view: View) -> tuple[Card, ...]:
    """19.0 (procedure) The groups that are still to be set up: where, and what is in them."""
    return tuple(
        Card(
            group["number"],
            say_value("punic_wars", group["where"]),
            text=", ".join(_within(group)),
            side=group["side"],
        )
        for group in common_view(view).get("groups") or ()
    )


def _within(group: dict[str, Any]) -> tuple[str, ...]:
    """The leaders of a group, and its forces, as far as there are any."""
    led = ", ".join(say_value("punic_wars", name) for name in group.get("leaders", ()))
    return tuple(part for part in (led, forces(group.get("land", 0), group.get("naval", 0))) if part)


def space(view: View, where: str) -> tuple[Fact, ...]:
    """The region of the hex, its value and control."""
    spot = sheet("punic_wars").spots[where]
    it = common_view(view)
    region = it.get("regions", {}).get(spot.province or "")
    found = [Fact(_("Hex"), where)]
    place = chart(HOUSE.in_view(it)).places[where]
    if place.mountain:
        found.append(Fact(_("Mountain"), _("yes")))
    if place.source == OPTION:
        found.append(Fact(_("From your own copy"), field_word("punic_wars", place.terrain)))
    if region:
        control = seat_word(region["control"]) if region.get("control") else _("nobody")
        text = _("value %(value)s, controlled by %(side)s", value=region["value"], side=control)
        found.append(Fact(_("Region of %(name)s", name=place_name(str(spot.province))), text))
    return tuple(found)


def previews(state: Any, seat: str, where: str | None) -> tuple[Preview, ...]:
    """5.0 Where the own leaders of a hex may march, with the points that it costs, and why not elsewhere."""
    found = []
    for name, leader in state.leaders.items():
        if where is not None and leader.at == where and seat in (leader.side, UMPIRE):
            reached = reach_of(state, name)
            lines = []
            for cost in sorted(set(reached.cost.values()) - {0}):
                places = ", ".join(say_value("punic_wars", at) for at, spent in reached.cost.items() if spent == cost)
                lines.append(ngettext("%(num)d point: %(places)s", "%(num)d points: %(places)s", cost, places=places))
            closed = list(reached.why_not.items())[:MOST]
            barred = [f"{say_value('punic_wars', at)}: {why_barred(why)}" for at, why in closed]
            if barred:
                lines.append(_("He cannot go to these spaces – %(reasons)s", reasons="; ".join(barred)))
            title = _("Reach of %(general)s", general=say_value("punic_wars", name))
            found.append(Preview(title, "5.0", tuple(lines), tuple(reached.cost)))
    return tuple(found)


def house_values(own: House | None) -> dict[str, Any]:
    """3.3 The tables of the map sheet, regions and changed hexes, with a group's own in place of ours."""
    return {
        "tables": tables_of(own),
        "regions": sorted(chart(own).regions.values(), key=lambda region: region.name),
        "hexes": sorted(own.map.hexes.items()) if own else [],
        "outcome": outcome,
    }
