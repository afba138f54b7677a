"""Courses on the page: a place ahead is tapped, the way there is shown, and with a second tap it is rowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from flask_babel import ngettext

from tactical.battle import Battle
from tactical.board import Place
from tactical.courses import (
    Leg,
    Route,
    ahead,
    along,
    enemies_in_sight,
    followers,
    is_open,
    routes,
    run_ups,
    steps_to_make,
    towards,
)
from tactical.kernel.protocol import UMPIRE, NotYours
from tactical.kernel.record import BadInput, Input, encode, read
from tactical.rules import movement, plotting
from tactical.ship import STEPS_OF, cruise, plot_range
from webapp.captains.courses import Course
from webapp.http.language import gettext as _
from webapp.pages.battle.looking import Looking, point
from webapp.pages.battle.orders import Action
from webapp.presenting.battle_labels import hex_name, ship_name

MOST = 6  # steps of a turn
WARNED = 3  # ships that would run up on a friend


class Ordered(Input, frozen=True):
    """What is ordered for one ship: her steps, none to stop her course, and in the plot also her speed."""

    legs: tuple[Leg, ...] = ()
    speed: int | None = None


@dataclass(frozen=True)
class Plan:
    """The way to the place that was tapped: what it says, the places it leads through, what may be done, who cannot."""

    said: str
    places: tuple[Place, ...]
    actions: tuple[Action, ...]
    left_out: str = ""
    to: str = ""


def address_of(look: Looking) -> str:
    """Where courses are sent."""
    return look.url("battle.set_course", ship=None)


def courses_json(orders: Mapping[str, Ordered]) -> str:
    """Courses as a button carries them."""
    return encode(orders).decode()


def read_orders(text: str) -> dict[str, Ordered]:
    """Courses from a form. Raises BadInput."""
    try:
        raw = msgspec.json.decode(text or "{}")
    except msgspec.DecodeError:
        raise BadInput("course", "this is not JSON") from None
    found: dict[str, Ordered] = read(raw, dict[str, Ordered], "course")
    if any(len(each.legs) > MOST for each in found.values()):
        raise BadInput("course", "a course may have at most %(most)s steps", most=MOST)
    return found


def orders_of_form(battle: Battle, form: Mapping[str, str]) -> dict[str, Ordered]:
    """What a form orders: courses that a button carries, or one that was drawn. Raises BadInput, Illegal."""
    if "drawn" in form:
        return read_course(battle, form.get("ship", ""), form["drawn"], form.get("line") == "1")
    return read_orders(form.get("course", ""))


def read_course(battle: Battle, name: str, way: str, with_line: bool) -> dict[str, Ordered]:
    """A course that was drawn with the finger: `way` are the places it leads through, such as 3,4;3,5.

    A finger that has skipped a hex means the shortest course to its end. Raises BadInput where none leads there, and
    Illegal for an unknown ship.
    """
    battle.ship(name)
    points = [point(each) for each in way.split(";")][: MOST + 1]
    free = battle.has_places and battle.thrown is None and may_order(battle, name)
    route = Route((), ())
    if free and points[-1] is not None and None not in points:
        hexes = [(int(each[0]), int(each[1])) for each in points if each is not None]
        route = along(battle, name, hexes, pace(battle, name))
        if not route.legs:
            route = route_to(battle, name, points[-1])
    if not route.legs:
        raise BadInput("course", "no course leads there in this turn")
    line = in_line(battle, name, route.legs)[0] if with_line else []
    return {each: course_order(battle, each, route.legs) for each in {name: None} | dict.fromkeys(line)}


def pace(battle: Battle, name: str) -> int | None:
    """The speed that a course reckons with: in the plot her plot or the highest without a sprint, else her own."""
    ship = battle.ships[name]
    if battle.step != "plot" or not plotting.can_plot(ship):
        return None if battle.step != "plot" else 0
    low, high = plot_range(battle.kind(ship), ship, battle.options.sprint)
    return max(low, min(high, cruise(battle.kind(ship), ship) if ship.plot is None else ship.plot))


def in_reach(battle: Battle, name: str) -> dict[Any, int]:
    """The hexes to which a course leads, with the steps to each."""
    return {at: len(route.legs) for at, route in routes(battle, name, pace(battle, name)).items()}


def route_to(battle: Battle, name: str, to: tuple[float, float]) -> Route:
    """The course to a place; without steps when none leads there."""
    if battle.board.kind == "open":
        return towards(battle, name, to, pace(battle, name))
    found = routes(battle, name, pace(battle, name)).get((int(to[0]), int(to[1])))
    return found if found is not None else Route((), ())


def plan(battle: Battle, look: Looking, may: bool) -> Plan | None:
    """What a second tap would do, for the ship and for her line."""
    name = look.ship
    if not may or look.to is None or name is None or not battle.has_places or not may_order(battle, name):
        return None
    route = route_to(battle, name, look.to)
    if not route.legs:
        return Plan(_("No course leads there in this turn."), (), ())
    count = len(route.legs)
    said = ngettext("%(num)d step", "%(num)d steps", count)
    if battle.has_hexes:
        said = _("%(steps)s to %(hex)s", steps=said, hex=hex_name(route.places[-1]))
    order = course_order(battle, name, route.legs)
    label = _("Row there")
    if order.speed is not None:
        label = _("Row there: speed %(speed)s", speed=order.speed)
    actions = [Action(label, courses_json({name: order}), "G4.1", said, "main", address=address_of(look))]
    line, others = in_line(battle, name, route.legs)
    if len(line) > 1:
        told = {each: course_order(battle, each, route.legs) for each in line}
        actions.append(
            Action(
                _("Her squadron follows in line (%(count)s)", count=len(line)),
                courses_json(told),
                "G2.4",
                address=address_of(look),
            )
        )
    left_out = _("Cannot follow: %(ships)s.", ships=", ".join(ship_name(battle, each) for each in others))
    to = ",".join(f"{number:g}" for number in look.to)
    return Plan(said, route.places, tuple(actions), left_out if others else "", to)


def course_order(battle: Battle, name: str, legs: tuple[Leg, ...]) -> Ordered:
    """A course as an order: in the plot with the speed that makes so many steps."""
    if battle.step != "plot":
        return Ordered(legs)
    ship = battle.ships[name]
    low, high = plot_range(battle.kind(ship), ship, battle.options.sprint)
    return Ordered(legs, max(low, min(high, len(legs))))


def in_line(battle: Battle, name: str, legs: tuple[Leg, ...]) -> tuple[list[str], list[str]]:
    """G2.4 The ships of her squadron that can make the same course, and those that cannot; in plot and move."""
    if battle.step not in ("plot", "move") or not battle.ships[name].squadron:
        return [], []
    found = list(followers(battle, name, legs))
    return [each for each, can in found if can], [each for each, can in found if not can]


def may_order(battle: Battle, name: str) -> bool:
    """May the ship be given a course now?"""
    ship = battle.ships[name]
    if battle.step == "plot":
        return plotting.can_plot(ship) and not battle.sides[ship.side].locked and battle.link is None
    return battle.step in ("move", "fire", "ram", "board") and ship.is_afloat


def all_ahead(battle: Battle, look: Looking, names: Sequence[str], kept: Mapping[str, Course]) -> list[Action]:
    """G4.1 Straight on for the rest of the turn, every ship that can begin so and is not on it already."""
    if battle.step != "move" or not battle.has_places:
        return []
    able = [name for name in names if steps_to_make(battle, battle.ships[name]) > 1 and not is_held(battle, name)]
    if not able or not movement.may_move_now(battle, battle.ships[able[0]].side):
        return []
    order = {name: Ordered(ahead(battle, name)) for name in able}
    if all(is_given(battle, name, each.legs, kept.get(name)) for name, each in order.items()):
        return []
    said = _("All ahead, the whole turn (%(count)s)", count=len(able))
    return [
        Action(
            said,
            courses_json(order),
            "G4.1",
            _("stops as soon as something new comes into sight"),
            "main",
            address=address_of(look),
        )
    ]


def is_given(battle: Battle, name: str, legs: tuple[Leg, ...], course: Course | None) -> bool:
    """Would the same course bring the ship nothing: she is on it, or it has ended where her way is still closed?"""
    if course is None:
        return False
    return course.legs == legs or (course.ended == "blocked" and not is_open(battle, name, legs[0]))


def is_held(battle: Battle, name: str) -> bool:
    """Is the step that the ship owes now closed, otherwise than by a friend who goes first?"""
    ship = battle.ships[name]
    if not battle.is_due(ship):
        return False
    leg = ahead(battle, name)[0]
    return not is_open(battle, name, leg) and not any(
        battle.is_due(other) for other in battle.ships.values() if other.side == ship.side and other is not ship
    )


def notes(battle: Battle, kept: Mapping[str, Course], names: Sequence[str]) -> dict[str, str]:
    """What has become of courses that ended before their time, by ship; in the plot who would run up on a friend."""
    found = meeting_friends(battle, kept, names) if battle.step == "plot" and battle.has_places else {}
    for name in names:
        course = kept.get(name)
        if course is None or not course.ended:
            continue
        ship = ship_name(battle, name)
        foe = ship_name(battle, course.by) if course.by in battle.ships else ""
        found[name] = {
            "near": _("%(ship)s waits: %(foe)s has come near.", ship=ship, foe=foe),
            "contact": _("%(ship)s waits: she is in contact with %(foe)s.", ship=ship, foe=foe),
            "attack": _("%(ship)s waits: %(foe)s has attacked her.", ship=ship, foe=foe),
        }.get(course.ended, _("%(ship)s waits: her path is blocked.", ship=ship))
    return found


def meeting_friends(battle: Battle, kept: Mapping[str, Course], names: Sequence[str]) -> dict[str, str]:
    """G4.3 The ships of sides that have not locked that run up on a friend, the first few of them."""
    legs = {name: course.legs for name, course in kept.items()}
    found: dict[str, str] = {}
    for side in dict.fromkeys(battle.ships[name].side for name in names):
        pairs = () if battle.sides[side].locked or battle.link is not None else run_ups(battle, side, legs)
        for name, friend, phase in pairs:
            if name in names and len(found) < WARNED:
                ship, other = ship_name(battle, name), ship_name(battle, friend)
                said = _("%(ship)s runs up on %(friend)s in phase %(phase)s.", ship=ship, friend=other, phase=phase)
                found.setdefault(name, said)
    return found


def under_way(battle: Battle, kept: Mapping[str, Course], look: Looking, name: str) -> Plan | None:
    """The course that a ship has with the hexes that it leads through, and the button that ends it."""
    course = kept.get(name)
    if course is None or not course.legs:
        return None
    stop = Action(_("Cancel her course"), courses_json({name: Ordered()}), "", address=address_of(look))
    known = routes(battle, name, pace(battle, name)).values() if battle.has_hexes else ()
    places = next((route.places for route in known if route.legs == course.legs), ())
    return Plan(ngettext("%(num)d more step", "%(num)d more steps", len(course.legs)), places, (stop,))


def set_from(battle: Battle, seat: str, version: int, orders: Mapping[str, Ordered]) -> list[Course]:
    """The courses that a seat sets. Raises NotYours for another's ship, Illegal for an unknown one."""
    found = []
    for name, order in orders.items():
        side = battle.ship(name).side
        if seat not in (side, UMPIRE):
            raise NotYours("This is for %(either)s to command, not for %(seat)s.", either=side, seat=seat)
        legs = order.legs[: len(STEPS_OF.get(order.speed, ())) if order.speed is not None else MOST]
        found.append(Course(name, side, battle.turn, legs, version, enemies_in_sight(battle, name)))
    return found
