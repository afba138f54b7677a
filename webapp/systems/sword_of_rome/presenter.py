"""The Sword of Rome as a picture: five powers, their armies and markers, sieges and points."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from strategic.atlas import cheapest
from strategic.sword_of_rome.rules.preview import StepShown, preview
from strategic.sword_of_rome.tables import CHART, way_between
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput
from webapp.http.language import gettext as _
from webapp.pages.campaign import naming
from webapp.pages.campaign.labels import seat_said
from webapp.pages.campaign.map_layout import sheet
from webapp.pages.lobby.labels import translated
from webapp.systems.picture import Asked, Card, Fact, Leader, Picture, Preview, Siege, Stack, Strip, View

SEATS = {"etruscans": "etruscans_samnites", "samnites": "etruscans_samnites"}  # one player holds both


def seat_of(power: str) -> str:
    """The seat that plays a power; a power without one stands for itself."""
    return SEATS.get(power, power)


def read(view: View) -> Picture:
    """Markers, else the power whose space it is; armies within and without the walls."""
    owners = {spot.id: spot.about.get("owner") for spot in sheet("sword_of_rome").spots.values()}
    held = {**owners, **view.get("control", {})}
    stacks = []
    for space, powers in view.get("forces", {}).items():
        for power, force in powers.items():
            stacks += _stack(space, power, force["units"], force["leaders"], False)
            stacks += _stack(space, power, force["inside"], force["inside_leaders"], True)
    if move := view.get("move"):  # an army on the march stands in no space's forces: it is drawn where it is now
        people = tuple(one for one in (move.get("leader"), *move.get("companions", ())) if one)
        marching = _stack(move["at"], move["power"], int(move.get("units") or 0), people, False)
        stacks += [replace(stack, posture=_("on the march")) for stack in marching]
    return Picture(
        holders={space: seat_of(power) for space, power in held.items() if power},
        stacks=tuple(stacks),
        sieges={space: _siege(space, siege) for space, siege in view.get("sieges", {}).items() if siege},
    )


def _siege(space: str, siege: Any) -> Siege:
    points = siege if isinstance(siege, int) else siege.get("points", 0) if isinstance(siege, dict) else 0
    return Siege(space, siege.get("power") if isinstance(siege, dict) else None, points)


def _stack(space: str, power: str, units: int, leaders: Any, inside: bool) -> list[Stack]:
    if not (units or leaders):
        return []
    known = {record["id"]: record for record in naming.records("sword_of_rome", "leaders") if "id" in record}
    people = tuple(
        Leader(
            name,
            translated(str(known.get(name, {}).get("name", name))),
            str(known.get(name, {}).get("tactics", "")),
        )
        for name in leaders
    )
    return [Stack(space, seat_of(power), str(units), people, (), inside, seat_said(power))]


def hand(view: View, seat: str) -> tuple[Card, ...]:
    """The own cards: each is known by its points alone."""
    held = view.get("hands", {}).get(seat)
    points = sorted(card for card in held if card) if isinstance(held, list | tuple) else []
    found = dict.fromkeys(points)
    return tuple(Card(value, _("%(points)s points", points=value), f"×{points.count(value)}") for value in found)


def strip(view: View) -> Strip:
    """Turn and round, and the order of play with who acts now."""
    turns = f"{view.get('turn', '')}.{view.get('round', '')}"
    order = tuple((power, seat_said(power), power == view.get("active")) for power in view.get("order", ()))
    return Strip(turns, order, view.get("active") or "")


def prompt(view: View) -> Asked | None:
    """The first question that stands; each power answers its own."""
    for raw in view.get("pending") or ():
        if isinstance(raw, dict) and raw.get("seat"):
            return Asked(str(raw.get("kind", "")), raw["seat"], str(raw.get("rule", "")), raw.get("about") or {})
    return None


def facts(view: View) -> tuple[Fact, ...]:
    """Victory points, and the unrest of Carthage."""
    found = [Fact(seat_said(power), _("%(points)s points", points=points)) for power, points in view["vp"].items()]
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
    return tuple(Preview(step_title(number, one), "10.3", said_of(one)) for number, one in enumerate(steps, start=1))


def step_title(number: int, step: StepShown) -> str:
    """A step of the way by its number and where it leads."""
    place = naming.said("sword_of_rome", step.space)
    return _("Step %(number)s, %(place)s: who may intercept", number=number, place=place)


def way_to(start: str, end: str) -> tuple[str, ...]:
    """The planned path: the step itself where the two are joined, else the cheapest way by land, else the voyage."""
    if way_between(start, end) is not None:
        return (end,)
    return tuple(step.end for step in cheapest(CHART, start, end, "land") or ()) or (end,)


def said_of(step: StepShown) -> tuple[str, ...]:
    """One step in lines."""
    lines = [_("The step costs %(points)s points.", points=step.cost)]
    for army in step.may:
        for chance in army.leaders:
            lines.append(_("%(leader)s (%(power)s) from %(place)s: %(faces)s of %(of)s", power=seat_said(army.power),
                           leader=naming.said("sword_of_rome", chance.leader), faces=chance.faces, of=chance.of,
                           place=naming.said("sword_of_rome", army.space)))  # fmt: skip
    for barred in step.may_not:
        lines.append(_("%(power)s from %(place)s may not (%(rule)s): %(why)s", power=seat_said(barred.power),
                       place=naming.said("sword_of_rome", barred.space), rule=barred.rule, why=barred.why))  # fmt: skip
    return tuple(lines)
