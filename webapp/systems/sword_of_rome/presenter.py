"""The Sword of Rome as a picture, and its events in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from flask_babel import ngettext

from strategic.atlas import cheapest
from strategic.sword_of_rome.rules.preview import StepShown, preview
from strategic.sword_of_rome.tables import CHART, HOUSE, PLAYED, SPACES, Leader, home, way_between
from strategic.sword_of_rome.tables import sheet as rated
from tactical.kernel.protocol import Illegal, kinds
from tactical.kernel.record import BadInput
from webapp.http.language import gettext as _
from webapp.presenting import naming, presentation
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.naming import attempt_text, saying
from webapp.presenting.presentation import Asked, Card, Course, Fact, Picture, Preview, Siege, Stack, Strip, View
from webapp.presenting.presentation import Leader as Person
from webapp.presenting.refusals import refusal_text
from webapp.presenting.sentences import Extras, Name, Several, fill, sentences, tell

# -- The Sword of Rome's events as sentences in the reader's language: data/events, and what a function decides.

Data = Mapping[str, Any]
SAY = saying("sword_of_rome")


def who(it: Data) -> Name:
    """The power, seat or side that an event is about; journals of before have one or another."""
    name: Name = SAY("power", "power", it.get("power") or it.get("seat") or it.get("side"))
    return name


def party(it: Data) -> Several:
    """A leader and those who go with him."""
    found: Several = SAY("leaders", "leaders", (it["leader"], *it.get("companions", ())))
    return found


def force(it: Data) -> Several:
    """Leaders, whose names a sentence may decline, and units."""
    count = int(it.get("units") or 0)
    leaders: Several = SAY("leaders", "leaders", it.get("leaders"))
    units = [fill(_("%(units)s %(units|CU|CUs)s"), {"units": count}.__getitem__)] if count or not leaders else []
    return Several((*leaders, *units))


def total(number: int) -> Callable[[Data], Any]:
    """What the attacker (0) or the defender (1) rolled."""
    return lambda it: it["totals"][number]


def sentence_of_a_declaration(it: Data) -> str:
    tries = "; ".join(attempt_text("sword_of_rome", dict(one)) for one in it.get("intercepts", ()))
    slips = SAY("sides", "powers", [one["power"] for one in it.get("avoids") or ()])
    if tries and slips:
        return tell(
            _("Declared: interception by %(tries)s; attempts to avoid battle by %(slips)s."), tries=tries, slips=slips
        )
    if tries:
        return _("Declared: interception by %(tries)s.", tries=tries)
    return (
        tell(_("Declared: attempts to avoid battle by %(slips)s."), slips=slips)
        if slips
        else _("Nobody intercepts or avoids battle.")
    )


def say_wish(it: Data) -> str:
    """What a seat has set by hand and waits for a word."""
    who_wishes = SAY("power", "seat", it.get("seat"))
    return tell(
        _("%(seat)s %(seat|asks|ask)s the others to agree to a change by hand: %(what)s"),
        seat=who_wishes,
        what=wish_text(it),
    )


def wish_text(it: Data) -> str:
    """What it would be told by, once it is granted: the sentences of its events."""
    return " ".join(SENTENCES[each["type"]](each) for each in it.get("what", ()) if each.get("type") in SENTENCES)


EXTRAS: Extras = {"force": force, "first": total(0), "party": party, "second": total(1), "who": who}
KINDS = kinds("approval", "sword_of_rome")
SENTENCES: Mapping[str, Callable[[Data], str]] = {
    **sentences(KINDS, SAY, EXTRAS),
    "declared": sentence_of_a_declaration,
    "declarations": sentence_of_a_declaration,
    "wished": say_wish,
}


# -- The Sword of Rome as a picture: five powers, their armies and markers, sieges and points.

HOMES = {space: home(space) for space in SPACES}


def seat_of(power: str) -> str:
    """The seat that plays a power; a power without one stands for itself."""
    return PLAYED.get(power, power)


def read(view: View) -> Picture:
    """Markers, else the power whose space it is; armies within and without the walls."""
    held, known, stacks = {**HOMES, **view.get("control", {})}, leaders(view), []
    for space, powers in view.get("forces", {}).items():
        for power, force in powers.items():
            stacks += _stack(known, space, power, force["units"], force["leaders"], False)
            stacks += _stack(known, space, power, force["inside"], force["inside_leaders"], True)
    if move := view.get("move"):  # an army on the march stands in no space's forces: it is drawn where it is now
        people = tuple(one for one in (move.get("leader"), *move.get("companions", ())) if one)
        marching = _stack(known, move["at"], move["power"], int(move.get("units") or 0), people, False)
        stacks += [replace(stack, posture=_("on the march")) for stack in marching]
    return Picture(
        holders={space: seat_of(power) for space, power in held.items() if power},
        stacks=tuple(stacks),
        sieges={
            space: Siege(space, siege.get("power"), siege.get("points", 0))
            if isinstance(siege, dict)
            else Siege(space, None, siege)
            for space, siege in view.get("sieges", {}).items()
            if siege
        },
        courses=_courses(view),
        meeting=presentation.meeting(view),
        battle=presentation.battle(view),
    )


def _courses(view: View) -> tuple[Course, ...]:
    """The army on the march with its last step; at sea, where it sails."""
    move = view.get("move")
    if not move:
        return presentation.course_of_other(view)
    side = seat_of(move["power"])
    asked = (each for each in view.get("pending") or () if each.get("kind") == "contest")
    crossing = next((each.get("about") or {} for each in asked), {})
    if crossing.get("end"):
        return (presentation.voyage(side, crossing["start"], crossing["end"]),)
    path = tuple(one for one in (move.get("came_from"), move["at"]) if one)
    if move.get("by") == "sea" and len(path) > 1:
        return (presentation.voyage(side, *path),)
    return (Course(side, path),)


def leaders(view: View) -> dict[str, Leader]:
    """The leaders with the ratings in use."""
    return rated(HOUSE.in_view(view)).leaders


def _stack(
    known: Mapping[str, Leader], space: str, power: str, units: int, names: Iterable[str], inside: bool
) -> list[Stack]:
    people = tuple(Person(name, naming.say_value("sword_of_rome", name), str(known[name].tactics)) for name in names)
    if not (units or people):
        return []
    return [
        Stack(
            space, seat_of(power), str(units), people, (), inside, seat_word(power) if seat_of(power) != power else ""
        )
    ]


def hand(view: View, seat: str) -> tuple[Card, ...]:
    """The own cards: each is known by its points alone."""
    held = view.get("hands", {}).get(seat)
    points = sorted(card for card in held if card) if isinstance(held, list | tuple) else []
    found = dict.fromkeys(points)
    return tuple(
        Card(value, score_words(value), f"×{points.count(value)}", picture=f"column_{value}") for value in found
    )


def score_words(points: int) -> str:
    """A number of points, in words."""
    return ngettext("%(num)d point", "%(num)d points", points)


def strip(view: View) -> Strip:
    """Turn and round, and the order of play with who acts now."""
    turns = f"{view.get('turn', '')}.{view.get('round', '')}"
    order = tuple((power, seat_word(power), power == view.get("active")) for power in view.get("order", ()))
    number, last = int(view.get("turn") or 0), int(view.get("options", {}).get("turns") or 0)
    return Strip(turns, order, view.get("active") or "", number=number, last=last)


def prompt(view: View) -> Asked | None:
    """The first question that stands; each power answers its own. Where there is none, whose army is on the march."""
    for raw in view.get("pending") or ():
        if isinstance(raw, dict) and raw.get("seat"):
            return Asked(str(raw.get("kind", "")), raw["seat"], str(raw.get("rule", "")), raw.get("about") or {})
    move = view.get("move")
    return Asked("march", runner(view, move["power"]), "9.2") if move else None


def runner(view: View, power: str) -> str:
    """16 The seat that moves a power: its own, or whoever decides for it."""
    return PLAYED.get(power) or str(view.get("runners", {}).get(power) or "")


def facts(view: View) -> tuple[Fact, ...]:
    """Victory points, and the unrest of Carthage."""
    found = [Fact(seat_word(power), score_words(points)) for power, points in view["vp"].items()]
    return (*found, Fact(_("Unrest in Carthage"), str(view.get("unrest", 0))))


def previews(state: Any, seat: str, where: str | None) -> tuple[Preview, ...]:
    """10.2, 10.3 The marching army's way to here, step by step: the cost, who may intercept, who may not and why."""
    if state.move is None or where is None or where == state.move.at:
        return ()
    try:
        steps = preview(state, state.move.leader, way_to(state.move.at, where))
    except (BadInput, Illegal):
        return ()
    if len(steps) == 1:
        return (Preview(_("Who may intercept here"), "10.3", said_of(steps[0])),)
    found = []
    for number, one in enumerate(steps, start=1):
        place = naming.say_value("sword_of_rome", one.space)
        title = _("Step %(number)s, %(place)s: who may intercept", number=number, place=place)
        found.append(Preview(title, "10.3", said_of(one)))
    return tuple(found)


def way_to(start: str, end: str) -> tuple[str, ...]:
    """The planned path: the step itself where the two are joined, else the cheapest way by land, else the voyage."""
    if way_between(start, end) is not None:
        return (end,)
    return tuple(step.end for step in cheapest(CHART, start, end, "land") or ()) or (end,)


def said_of(step: StepShown) -> tuple[str, ...]:
    """One step in lines."""
    lines = [ngettext("The step costs %(num)d point.", "The step costs %(num)d points.", step.cost)]
    for army in step.may:
        for chance in army.leaders:
            lines.append(
                _(
                    "%(leader)s (%(power)s) from %(place)s: %(faces)s of %(of)s",
                    power=seat_word(army.power),
                    leader=naming.say_value("sword_of_rome", chance.leader),
                    faces=chance.faces,
                    of=chance.of,
                    place=naming.say_value("sword_of_rome", army.space),
                )
            )
    for barred in step.may_not:
        lines.append(
            _(
                "%(power)s may not react from %(place)s (%(rule)s): %(why)s",
                power=seat_word(barred.power),
                place=naming.say_value("sword_of_rome", barred.space),
                rule=barred.rule,
                why=refusal_text("sword_of_rome", barred.why),
            )
        )
    return tuple(lines)
